// SPDX-License-Identifier: BSD-3-Clause
#include "limber/analysis/modes.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <memory>
#include <string>
#include <vector>

#include "closed_loops.hpp"
#include "cylinders.hpp"
#include "first_frequencies.hpp"
#include "limber/algorithms/constraints.hpp"
#include "limber/algorithms/finite.hpp"
#include "limber/algorithms/mass_matrix.hpp"
#include "limber/algorithms/struts.hpp"
#include "limber/analysis/basis_error.hpp"
#include "limber/analysis/derivatives.hpp"
#include "limber/analysis/motion_bounds.hpp"
#include "limber/core/computation_error.hpp"
#include "limber/math/detail/decompositions.hpp"
#include "limber/model/detail/arguments.hpp"
#include "limber/model/hydraulics.hpp"
#include "pressed_stops.hpp"

namespace limber {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int compared_frequencies = 3;

// d(gravity forces - forces of loads)/dq, whole: what follows the body it acts on has no potential.
MatrixXd geometric_stiffness(const Model& model, const Input<double>& q, const std::vector<Load>& loads) {
  // A telescoping beam's own stiffness is in it, too.
  if (model.gravity().isZero(0.0) && loads.empty() && !model.has_telescopes())
    return MatrixXd::Zero(model.nv(), model.nv());
  const VectorXd rest = VectorXd::Zero(model.nv());
  return force_derivatives(model, q, rest, rest, loads).dq;
}

std::vector<int> moving_coordinates(const Model& model, const Input<double>& q, JointTreatment joints,
                                    const JointNames& hold) {
  if (joints == JointTreatment::free || joints == JointTreatment::as_modelled) return all_coordinates(model);
  if (joints == JointTreatment::held && !model.loops().empty()) return unheld_coordinates(model, q, hold);
  std::vector<int> moving = elastic_coordinates(model);
  if (joints == JointTreatment::held)
    for (const int c : passive_coordinates(model, hold)) moving.push_back(c);
  std::sort(moving.begin(), moving.end());
  return moving;
}

// Where joints move without their springs, these are left out; where they do not move, it does not matter.
bool has_springs(JointTreatment joints) { return joints != JointTreatment::free; }

void require_positive_definite(const Model& model, const MatrixXd& M, const std::vector<int>& moving) {
  const Eigen::LLT<MatrixXd> factor(M);
  if (factor.info() == Eigen::Success) return;
  // The first leading block that fails names the coordinate.
  for (Eigen::Index n = 1; n <= M.rows(); ++n)
    if (Eigen::LLT<MatrixXd>(MatrixXd(M.topLeftCorner(n, n))).info() != Eigen::Success)
      throw ComputationError("the mass matrix is singular at coordinate `" +
                             model.coordinates()[moving[static_cast<std::size_t>(n - 1)]] +
                             "`: nothing that it moves has mass or inertia in its direction");
}

Eigen::Index modes_wanted(int count, const std::vector<int>& moving) {
  const auto all = static_cast<Eigen::Index>(moving.size());
  return count > 0 ? std::min(static_cast<Eigen::Index>(count), all) : all;
}

MatrixXd moving_mass(const Model& model, const Input<double>& q, const std::vector<int>& moving) {
  require_finite(model, q);
  Workspace<double> work(model);
  MatrixXd M(model.nv(), model.nv());
  mass_matrix(model, work, q, M);
  const MatrixXd M_moving = M(moving, moving);
  require_positive_definite(model, M_moving, moving);
  return M_moving;
}

// One column of the result, from a shape over the moving coordinates: real, or with a part in quadrature.
void add_mode(const std::vector<int>& moving, const MatrixXd& M, const Eigen::VectorXcd& given,
              Eigen::Index k, NaturalModes& result) {
  Eigen::Index largest = 0;
  given.cwiseAbs().maxCoeff(&largest);
  const Eigen::VectorXcd shape = given / given[largest];
  const Eigen::VectorXcd momentum = M * shape;
  const double modal_mass = shape.dot(momentum).real();
  for (std::size_t i = 0; i < moving.size(); ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    result.shapes(moving[i], k) = shape[row].real();
    if (result.quadrature.size() > 0) result.quadrature(moving[i], k) = shape[row].imag();
    result.participation(moving[i], k) = (std::conj(shape[row]) * momentum[row]).real() / modal_mass;
  }
}

// Those of the motions Z that leave loops closed, and cylinders that hold as long as they are.
std::vector<SmallMotion> motions_within(const MatrixXd& Z, const MatrixXd& M, const MatrixXd& K) {
  if (Z.cols() == 0) return {};
  const MatrixXd M_free = Z.transpose() * M * Z;
  std::vector<SmallMotion> found =
      small_motions(0.5 * (M_free + M_free.transpose()), {}, Z.transpose() * K * Z);
  for (SmallMotion& motion : found) motion.shape = Z * motion.shape;
  return found;
}

// A of loops and J of cylinders that hold, one above the other: what stays as it is.
MatrixXd closing_rows(const Model& model, const Input<double>& q, const std::vector<int>& moving,
                      const std::vector<int>& holding) {
  const MatrixXd A = loop_jacobian(model, q)(Eigen::all, moving);
  if (holding.empty()) return A;
  Struts struts(model);
  struts.update(q, VectorXd::Zero(model.nv()));
  MatrixXd rows(A.rows() + static_cast<Eigen::Index>(holding.size()), A.cols());
  rows << A, struts.jacobian()(holding, moving);
  return rows;
}

// What loops' forces (and drives of cylinders that hold) add to the stiffness where they balance what else acts at q, as well as they can; rows of `closing` are theirs, columns of moving ones.
MatrixXd stiffness_of_closing(const Model& model, const Input<double>& q, const std::vector<Load>& loads,
                              const std::vector<int>& moving, const MatrixXd& closing,
                              const std::vector<int>& holding) {
  MatrixXd K = MatrixXd::Zero(model.nv(), model.nv());
  if (moving.empty()) return K;
  const VectorXd rest = VectorXd::Zero(model.nv());
  const VectorXd forces = required_forces(model, q, rest, rest, loads);
  const VectorXd found =
      balancing_multipliers(closing, moving_mass(model, q, moving), VectorXd(forces(moving)));
  const auto drives_held = static_cast<Eigen::Index>(holding.size()), rows = found.size() - drives_held;
  K -= loop_stiffness(model, q, VectorXd(found.head(rows)));
  if (holding.empty()) return K;
  Struts struts(model);
  VectorXd drives = VectorXd::Zero(struts.count());
  for (Eigen::Index i = 0; i < drives_held; ++i)
    drives[holding[static_cast<std::size_t>(i)]] = found[rows + i];
  MatrixXd by_rates = MatrixXd::Zero(model.nv(), model.nv());
  struts.add_tangent(q, rest, drives, K, by_rates, false);
  return K;
}

// (2) of the moving coordinates; G may be empty.
NaturalModes solve(const Model& model, const Input<double>& q, const MatrixXd& G, const MatrixXd& K,
                   const std::vector<int>& moving, int count, const MatrixXd& Z = {}) {
  if (moving.empty())
    return {VectorXd(0), MatrixXd(model.nv(), 0), MatrixXd(), MatrixXd(model.nv(), 0), {}, {}};
  const MatrixXd M = moving_mass(model, q, moving);
  const MatrixXd G_moving = G.size() > 0 ? MatrixXd(G(moving, moving)) : MatrixXd();
  const std::vector<SmallMotion> found =
      Z.rows() == 0 ? small_motions(M, G_moving, K(moving, moving)) : motions_within(Z, M, K(moving, moving));
  if (found.empty())
    return {VectorXd(0), MatrixXd(model.nv(), 0), MatrixXd(), MatrixXd(model.nv(), 0), {}, {}};
  const Eigen::Index modes = std::min(modes_wanted(count, moving), static_cast<Eigen::Index>(found.size()));
  NaturalModes result{VectorXd(modes),
                      MatrixXd::Zero(model.nv(), modes),
                      MatrixXd(),
                      MatrixXd::Zero(model.nv(), modes),
                      Eigen::VectorXcd(modes),
                      {}};
  const bool in_phase = G.size() == 0 && std::none_of(found.begin(), found.end(), [](const SmallMotion& m) {
                          return m.kind == MotionKind::flutter;
                        });
  if (!in_phase) result.quadrature = MatrixXd::Zero(model.nv(), modes);
  for (Eigen::Index k = 0; k < modes; ++k) {
    const SmallMotion& motion = found[static_cast<std::size_t>(k)];
    result.angular_frequencies[k] = motion.frequency();
    result.exponents[k] = motion.s;
    result.kinds.push_back(motion.kind);
    add_mode(moving, M, motion.shape, k, result);
  }
  return result;
}

// Every direction of every beam with so many Craig-Bampton shapes that its first frequencies have converged.
Model refined_model(const Model& model, PreparedBeams& kept) {
  constexpr int refined_count = 10, most_shapes = 100;
  constexpr int refined_segment = 4;  // a segment's own frequencies are far above those of the arm
  ModelDescription description = model.description();
  for (LinkDescription& link : description.links) {
    if (!link.beam) continue;  // a body has the modes of its file
    link.beam->damping.reset();
    for (const Direction direction : all_directions) {
      auto& modes = link.beam->modes.of(direction);
      if (!modes) continue;
      const int count =
          modes->count.value_or(modes->table ? static_cast<int>(modes->table->values.cols()) : 0);
      ModesDescription finer;
      finer.count = link.beam->segment_count() > 1
                        ? std::min(most_shapes, std::max(refined_segment, count + 2))
                        : std::min(most_shapes, std::max(refined_count, count + 4));
      modes = finer;
    }
  }
  description.kinematics =
      KinematicOrder::first;  // straight and without gravity, the second order does not show
  return build_model(description, kept);
}

}  // namespace

std::string name_of(JointTreatment joints) {
  switch (joints) {
    case JointTreatment::held:
      return "held";
    case JointTreatment::locked:
      return "locked";
    case JointTreatment::free:
      return "free";
    case JointTreatment::as_modelled:
      break;
  }
  return "as-modelled";
}

MatrixXd tangent_stiffness(const Model& model, const Input<double>& q, bool joint_springs,
                           const std::vector<Load>& loads) {
  const detail::Call call{"tangent_stiffness", model};
  call.require_position("q", q);
  call.require_loads(loads);
  MatrixXd K = elastic_stiffness(model, joint_springs) + geometric_stiffness(model, q, loads);
  const PressedStops all_stops(model);
  if (model.cylinders().empty() && all_stops.empty()) return K;
  const VectorXd rest = VectorXd::Zero(model.nv());
  MatrixXd C = MatrixXd::Zero(model.nv(), model.nv());
  const auto struts = model.cylinders().empty() ? nullptr : std::make_unique<Struts>(model);
  VectorXd pushed;
  if (joint_springs && !all_stops.empty()) {
    PressedStops stops = all_stops;
    stops.update(q, rest, struts.get());
    stops.add_tangent(q, rest, struts.get(), K, C);
    pushed = stops.on_cylinders();
  }
  if (struts) struts->add_tangent(q, rest, pushed, K, C, joint_springs);
  return K;
}

// Cylinders without oil: as long as they are while they hold.
static std::vector<int> rigid_ones(const Model& model, const std::vector<int>& holding) {
  std::vector<int> rigid;
  for (const int i : holding)
    if (!model.cylinders()[static_cast<std::size_t>(i)].hydraulics) rigid.push_back(i);
  return rigid;
}

// A closed valve makes a cylinder a spring of its oil: docs/cylinders.md, (11).
static void add_oil(const Model& model, const Input<double>& q, MatrixXd& K) {
  if (std::none_of(model.cylinders().begin(), model.cylinders().end(),
                   [](const Cylinder& cylinder) { return cylinder.hydraulics.has_value(); }))
    return;
  const VectorXd rest = VectorXd::Zero(model.nv());
  Struts struts(model);
  struts.update(q, rest);
  VectorXd stiffness = VectorXd::Zero(struts.count());
  for (int i = 0; i < struts.count(); ++i)
    if (const Cylinder& cylinder = model.cylinders()[static_cast<std::size_t>(i)]; cylinder.hydraulics)
      stiffness[i] = oil_stiffness(cylinder, struts.lengths()[i]);
  MatrixXd by_rates = MatrixXd::Zero(model.nv(), model.nv());
  struts.add_springs(q, rest, stiffness, VectorXd::Zero(struts.count()), K, by_rates);
}

// Cylinders whose drives hold are as long as they are, or springs of their oil; their joints move with what bends.
static NaturalModes modes_on_cylinders(const Model& model, const Input<double>& q, int count,
                                       const std::vector<Load>& loads, const JointNames& hold) {
  CylinderStatics cylinders(model, q, hold);
  std::vector<int> moving = moving_coordinates(model, q, JointTreatment::held, hold);
  for (const auto* joints : {&cylinders.roles().sprung, &cylinders.roles().held})
    moving.insert(moving.end(), joints->begin(), joints->end());
  std::sort(moving.begin(), moving.end());
  const VectorXd rest = VectorXd::Zero(model.nv());
  // What required_forces has of springs is there already.
  VectorXd forces = required_forces(model, q, rest, rest, loads);
  Struts struts(model);
  struts.update(q, rest);
  forces += struts.jacobian().transpose() * struts.passive_forces();
  PressedStops stops(model);
  stops.update(q, rest, nullptr);
  forces -= stops.on_joints();
  cylinders.add_forces(q, rest, forces);
  MatrixXd K = elastic_stiffness(model) + geometric_stiffness(model, q, loads);
  stops.add_joint_stiffness(K);
  cylinders.add_tangent(q, rest, K);
  add_oil(model, q, K);
  const MatrixXd Z = motions_without(struts.jacobian()(rigid_ones(model, cylinders.roles().holding), moving));
  return solve(model, q, {}, K, moving, count, Z);
}

NaturalModes natural_modes(const Model& model, const Input<double>& q, JointTreatment joints, int count,
                           const std::vector<Load>& loads, const JointNames& hold) {
  const detail::Call call{"natural_modes", model};
  call.require_position("q", q);
  call.require_loads(loads);
  require_closed_loops("natural_modes", model, q);
  require_cylinder_lengths(model, q);
  passive_coordinates(model,
                      hold);  // refuses names that no joint has, also where all joints are treated alike
  if (joints == JointTreatment::held && model.loops().empty() && !model.cylinders().empty())
    return modes_on_cylinders(model, q, count, loads, hold);
  std::vector<int> moving = moving_coordinates(model, q, joints, hold);
  MatrixXd K = tangent_stiffness(model, q, has_springs(joints), loads);
  if (joints == JointTreatment::held || joints == JointTreatment::as_modelled) add_oil(model, q, K);
  if (model.loops().empty()) return solve(model, q, {}, K, moving, count);
  CylinderRoles roles;
  if (joints == JointTreatment::held) roles = roles_of_cylinders(model, q, hold);
  for (const auto* taken : {&roles.sprung, &roles.held})
    moving.insert(moving.end(), taken->begin(), taken->end());
  std::sort(moving.begin(), moving.end());
  const MatrixXd closing = closing_rows(model, q, moving, roles.holding);
  K += stiffness_of_closing(model, q, loads, moving, closing, roles.holding);
  const MatrixXd kept = closing_rows(model, q, moving, rigid_ones(model, roles.holding));
  return solve(model, q, {}, K, moving, count, motions_without(kept));
}

NaturalModes steady_rotation_modes(const Model& model, const Input<double>& q,
                                   const std::vector<SteadyRate>& spin, JointTreatment joints, int count,
                                   const std::vector<Load>& loads, Gyroscopic gyroscopic,
                                   const JointNames& hold) {
  const detail::Call call{"steady_rotation_modes", model};
  call.require_position("q", q);
  call.require_loads(loads);
  require_plain_tree(model, "steady rotation");
  std::vector<int> moving = moving_coordinates(model, q, joints, hold);
  VectorXd v = VectorXd::Zero(model.nv());
  for (const SteadyRate& steady : spin) {
    const Joint& joint = call.require_joint_coordinate("spin", steady.coordinate);
    // Behind an elastic gear the motor is held at the rate, and takes its joint along.
    if (joint.has_motor()) v[joint.v_index] = v[joint.driven_index()] = steady.rate;
    v[steady.coordinate] = steady.rate;
    std::erase(moving, joint.has_motor() ? joint.driven_index() : steady.coordinate);
  }
  const VectorXd zero = VectorXd::Zero(model.nv());
  const ForceDerivatives unloaded = force_derivatives(model, q, v, zero);
  const MatrixXd &dq = unloaded.dq, &dv = unloaded.dv;
  MatrixXd K = elastic_stiffness(model, has_springs(joints)) + 0.5 * (dq + dq.transpose());
  if (!loads.empty()) K += force_derivatives(model, q, v, zero, loads).dq - dq;
  if (gyroscopic == Gyroscopic::left_out) return solve(model, q, {}, K, moving, count);
  return solve(model, q, 0.5 * (dv - dv.transpose()), K, moving, count);
}

VectorXd first_frequencies(const Model& model, PreparedBeams& kept) {
  if (model.loops().empty())
    return locked_frequencies(model, neutral_configuration(model), compared_frequencies);
  if (!model.gravity().isZero(0.0)) {
    ModelDescription weightless = model.description();
    weightless.gravity.setZero();
    return first_frequencies(build_model(weightless, kept), kept);
  }
  return natural_modes(model, assemble(model, neutral_configuration(model)), JointTreatment::held,
                       compared_frequencies)
      .angular_frequencies;
}

BasisError basis_error(const Model& model) {
  PreparedBeams kept;
  return basis_error(model, kept);
}

BasisError basis_error(const Model& model, PreparedBeams& kept) {
  BasisError error;
  const bool bends = std::any_of(model.links().begin(), model.links().end(),
                                 [](const Link& link) { return link.elastic_count > 0; });
  if (!bends) return error;
  error.frequencies = first_frequencies(model, kept);
  error.refined = first_frequencies(refined_model(model, kept), kept).head(error.frequencies.size());
  if (error.frequencies.size() == 0) return error;
  error.largest = ((error.frequencies - error.refined).array() / error.refined.array()).abs().maxCoeff();
  return error;
}

}  // namespace limber
