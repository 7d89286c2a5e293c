// SPDX-License-Identifier: BSD-3-Clause
// Default weights. With energy_weight e (default 1), omega 1.25 times the first frequency of the arm with its joints locked, I the inertia that
// the joint's own coordinate moves, both where the targets end, and u the joint's effort limit:
//
//   position_weight = e I omega^2             an error counts as the energy of a spring that makes the joint swing at omega
//   effort_weight = max(e / (I omega^2), position_weight (angle/u)^2)                                                      (1)
//
// For a rigid joint, I q'' = effort, this gives the gains I omega^2 and sqrt(3) I omega: the frequency omega with a damping ratio of 0.87.
// An arm that bends finds its motors neither soft nor stiff beside its links, which is where they damp it best. The second part of
// (1) makes the motors weaker where an error of `angle` would ask for more than their limit.
//
// Where a motor reaches its joint's coordinate only through a soft beam (shapes that are pinned at the root: the coordinate turns the
// chord with all that the tip carries, and the motor the root section alone), an effort costs far more than (1) says. It bends the beam, by
//
//   c effort^2,   c = b^T K^-1 b,   b = B_e - M_eq / I                                                                     (2)
//
// of twice the strain energy, b what drives the elastic coordinates of an arm that the effort accelerates. Beside e c, effort_weight
// does not count, the gain is sqrt(position_weight/(e c)) and the joint swings at omega/(c I omega^2)^(1/4) only. For it to be no slower than a
// third of omega, which three periods of the first mode bring to 1 %:
//
//   position_weight = max(e I omega^2, e c (I (omega/3)^2)^2)                                                              (3)
//
// Shapes that are clamped at the root have c I omega^2 near 1, and the first part is theirs.
//
// Design damping. Vibration that no motor reaches (across the plane in which the joints turn) and that nothing damps cannot be brought to
// rest, and there would be no feedback for the rest either. So each mode is taken to have a damping ratio of 0.001 besides its own: little
// beside what real beams have, and what a motor reaches it damps far more.

#include "lqr_design.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "limber/algorithms/input_matrix.hpp"
#include "limber/algorithms/mass_matrix.hpp"
#include "limber/analysis/derivatives.hpp"
#include "limber/analysis/modes.hpp"
#include "limber/analysis/riccati.hpp"
#include "limber/core/input_error.hpp"
#include "limber/math/detail/decompositions.hpp"

namespace limber {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// An arm without elastic coordinates has no frequency of its own.
constexpr double rigid_frequency = 2.0 * std::numbers::pi;
constexpr double unlimited_error = 0.1;               ///< `angle` of (1): [rad], or [m]
constexpr double design_damping = 1e-3;               ///< ratio of each mode
constexpr double slowest_beside_bending = 1.0 / 3.0;  ///< over omega, (3)
// Integrals are four times slower than the rest: what the controller knows, it does at once.
constexpr double integral_rate = 0.25;  ///< over omega of (1)

double first_frequency(const Model& model, const VectorXd& q) {
  const VectorXd found = natural_modes(model, q, JointTreatment::locked, 1).angular_frequencies;
  return found.size() > 0 && found[0] != 0.0 ? std::abs(found[0]) : rigid_frequency;
}

double effort_limit(const Model& model, int coordinate) {
  for (const Link& link : model.links())
    if (coordinate >= link.joint.v_index && coordinate < link.joint.v_index + link.joint.nv)
      return link.joint.limits.effort.value_or(std::numeric_limits<double>::infinity());
  return std::numeric_limits<double>::infinity();
}

struct Weights {
  double position, effort;
};
/// `stiffness`: I omega^2; `bending`: c of (2).
Weights weights_of(const LqrJoint& joint, const std::string& name, double energy_weight, double stiffness,
                   double bending, double limit) {
  if (!(limit > 0.0) && !joint.effort_weight)
    throw InputError(Problem{"actuation of `" + name + "`",
                             "a motor that can do something: `limits.effort` > 0", "a limit of 0",
                             "lqr takes its effort_weight from the limit: raise it, or give effort_weight"});
  const double scale = energy_weight > 0.0 ? energy_weight : 1.0;
  const double through_bending = bending * std::pow(slowest_beside_bending, 4) * stiffness * stiffness;
  const double position = joint.position_weight.value_or(scale * std::max(stiffness, through_bending));
  const double limited = position * std::pow(unlimited_error / limit, 2);
  return {position, joint.effort_weight.value_or(std::max(scale / stiffness, limited))};
}

// Where everything is when the targets end.
VectorXd last_configuration(VectorXd q, const std::vector<JointTarget>& moving, double duration) {
  for (const JointTarget& joint : moving)
    q[joint.position] = joint.trajectory->at(duration, duration).position;
  return q;
}

// M x'' + C x' + K x = B u of the coordinates that are free to move, in their natural modes y: x = Phi y, Phi^T M Phi = 1. Shapes may be
// as good as dependent (polynomials); modes are not, and the Riccati equation is solved to rounding.
class Plant {
 public:
  MatrixXd A;         ///< of [y; y']
  MatrixXd A_design;  ///< ... with design damping
  MatrixXd strain;    ///< Phi^T K Phi

  Plant(const Model& model, const OperatingPoint& about, std::vector<int> free)
      : all_(model.nv()),
        free_(std::move(free)),
        inputs_(joint_coordinates(model)),
        elastic_(elastic_coordinates(model)) {
    const VectorXd zero = VectorXd::Zero(model.nv());
    MatrixXd M_all(model.nv(), model.nv());
    Workspace<double> work(model);
    mass_matrix(model, work, about.q, M_all);
    M_ = M_all(free_, free_);
    B_ = input_matrix(model, about.q)(free_, Eigen::all);
    M_elastic_ = M_all(elastic_, Eigen::all);
    B_elastic_ = input_matrix(model, about.q)(elastic_, Eigen::all);
    K_elastic_.compute(elastic_stiffness(model)(elastic_, elastic_));
    const ForceDerivatives force = force_derivatives(model, about.q, zero, zero);
    const MatrixXd by_weight = force.dq(free_, free_),
                   stiffness = elastic_stiffness(model)(free_, free_) + by_weight;
    const MatrixXd damping = damping_matrix(model)(free_, free_) + force.dv(free_, free_);
    const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> modal(0.5 * (stiffness + stiffness.transpose()),
                                                                   M_);
    Phi_ = modal.eigenvectors();
    const auto in_modes = [&](const MatrixXd& X) { return MatrixXd(Phi_.transpose() * X * Phi_); };
    // As the difference from what is diagonal: large numbers of dependent shapes do not cancel.
    const MatrixXd squares = modal.eigenvalues().asDiagonal();
    strain = squares - in_modes(0.5 * (by_weight + by_weight.transpose()));
    const Index n = size();
    A = MatrixXd::Zero(2 * n, 2 * n);
    A.topRightCorner(n, n).setIdentity();
    A.bottomLeftCorner(n, n) = -squares - in_modes(0.5 * (by_weight - by_weight.transpose()));
    A.bottomRightCorner(n, n) = -in_modes(damping);
    A_design = A;
    A_design.bottomRightCorner(n, n).diagonal() -=
        2.0 * design_damping * modal.eigenvalues().cwiseMax(0.0).cwiseSqrt();
  }

  Index size() const { return Phi_.cols(); }
  double inertia(int coordinate) const { return M_(place(coordinate), place(coordinate)); }
  /// c of (2).
  double bending_by(int coordinate) const {
    if (elastic_.empty()) return 0.0;
    const VectorXd driven =
        B_elastic_.col(input_number(coordinate)) - M_elastic_.col(coordinate) / inertia(coordinate);
    return driven.dot(K_elastic_.solve(driven));
  }
  VectorXd modes_in(int coordinate) const { return Phi_.row(place(coordinate)).transpose(); }
  VectorXd input(int coordinate) const { return Phi_.transpose() * B_.col(input_number(coordinate)); }
  /// From all coordinates to y = Phi^T M x.
  MatrixXd to_modes() const {
    MatrixXd result = MatrixXd::Zero(size(), all_);
    result(Eigen::all, free_) = Phi_.transpose() * M_;
    return result;
  }
  /// ... and back.
  MatrixXd shapes() const {
    MatrixXd result = MatrixXd::Zero(all_, size());
    result(free_, Eigen::all) = Phi_;
    return result;
  }

 private:
  Index place(int coordinate) const {
    return std::find(free_.begin(), free_.end(), coordinate) - free_.begin();
  }

  Index input_number(int coordinate) const {
    return std::find(inputs_.begin(), inputs_.end(), coordinate) - inputs_.begin();
  }

  int all_;
  std::vector<int> free_, inputs_, elastic_;
  MatrixXd M_, B_, Phi_;
  MatrixXd M_elastic_, B_elastic_;  ///< rows of the elastic coordinates
  Eigen::LLT<MatrixXd> K_elastic_;
};

std::vector<int> without(std::vector<int> coordinates, const std::vector<JointTarget>& taken) {
  for (const JointTarget& joint : taken) std::erase(coordinates, joint.coordinate);
  return coordinates;
}

}  // namespace

LqrDesign design_lqr(const Model& model, const VectorXd& q, const std::vector<LqrJoint>& joints,
                     const std::vector<JointTarget>& prescribed, double duration) {
  LqrDesign design;
  design.moving = prescribed;
  for (const LqrJoint& joint : joints) design.driven.push_back(joint.target);
  design.moving.insert(design.moving.end(), design.driven.begin(), design.driven.end());
  JointNames held;  // by this controller, whatever their springs
  for (const JointTarget& joint : design.moving)
    held.push_back(model.coordinates()[static_cast<std::size_t>(joint.coordinate)]);
  design.point = settled_point(model, last_configuration(q, design.moving, duration), {}, {}, held);

  const Plant plant(model, design.point, without(all_coordinates(model), prescribed));
  double energy_weight = 0.0;
  for (const LqrJoint& joint : joints)
    energy_weight = std::max(energy_weight, joint.energy_weight.value_or(1.0));
  const double omega = faster_than_first * first_frequency(model, design.point.q);
  const Index n = plant.size(), m = static_cast<Index>(joints.size());
  const auto memory =
      std::count_if(joints.begin(), joints.end(), [](const LqrJoint& j) { return j.integral; });
  // Of [y; y'; integrals of errors].
  const Index all = 2 * n + memory;
  MatrixXd A = MatrixXd::Zero(all, all), B = MatrixXd::Zero(all, m), Q = A, R = MatrixXd::Zero(m, m);
  A.topLeftCorner(2 * n, 2 * n) = plant.A_design;
  Q.topLeftCorner(n, n) = energy_weight * plant.strain;
  Q.block(n, n, n, n) = energy_weight * MatrixXd::Identity(n, n);
  for (Index i = 0; i < m; ++i) {
    const LqrJoint& joint = joints[static_cast<std::size_t>(i)];
    const int c = joint.target.coordinate;
    const double stiffness = plant.inertia(c) * omega * omega;
    design.inertia.push_back(plant.inertia(c));
    const Weights weights = weights_of(joint, model.coordinates()[static_cast<std::size_t>(c)], energy_weight,
                                       stiffness, plant.bending_by(c), effort_limit(model, c));
    const VectorXd row = plant.modes_in(c);
    Q.topLeftCorner(n, n) += weights.position * row * row.transpose();
    R(i, i) = weights.effort;
    B.col(i).segment(n, n) = plant.input(c);
    if (!joint.integral) continue;
    const Index at = 2 * n + static_cast<Index>(design.integrated.size());
    A.row(at).head(n) = row.transpose();
    Q(at, at) = weights.position * std::pow(integral_rate * omega, 2);
    design.integrated.push_back(static_cast<int>(i));
  }
  design.gain = lqr_gain(A, B, Q, R);
  design.Q = Q;
  design.R = R;
  design.A = plant.A;
  design.A_design = plant.A_design;
  design.B = B.topRows(2 * n);
  design.to_modes = plant.to_modes();
  design.shapes = plant.shapes();
  design.omega = omega;
  return design;
}

}  // namespace limber
