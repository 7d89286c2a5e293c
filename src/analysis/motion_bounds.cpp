// SPDX-License-Identifier: BSD-3-Clause
#include "limber/analysis/motion_bounds.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <random>

#include "limber/algorithms/inverse_dynamics.hpp"
#include "limber/core/input_error.hpp"
#include "limber/core/interruption.hpp"
#include "limber/math/detail/decompositions.hpp"
#include "limber/model/detail/arguments.hpp"

namespace limber {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// The same numbers at every call, none of them small: a start with something of every mode.
MatrixXd arbitrary_numbers(Eigen::Index rows, Eigen::Index columns) {
  std::mt19937 engine(1);
  MatrixXd numbers(rows, columns);
  for (double& number : numbers.reshaped()) {
    const double size =
        0.5 + 0.5 * static_cast<double>(engine()) / std::ldexp(1.0, 32);  // its numbers have 32 bits
    number = engine() % 2 == 0 ? size : -size;
  }
  return numbers;
}

void add_joint_forces(const Joint& joint, double own, double gear, const Input<double>& x, VectorXd& forces) {
  const int moving = joint.facts().moving();
  forces.segment(joint.v_index, moving) += own * x.segment(joint.v_index, moving);
  if (!joint.has_motor()) return;
  const double force = gear * (x[joint.v_index] - x[joint.driven_index()]);
  forces[joint.v_index] += force;
  forces[joint.driven_index()] -= force;
}

// K of a link that bends; a telescoping beam has another at every length.
MatrixXd stiffness_of(const Link& link, const VectorXd& q) {
  return link.telescopes() ? link.beam->telescope->stiffness.at(link.free_length(q))
                           : link.elastic->integrals.stiffness;
}

// forces += K x (or C x) of beams and joints, link by link.
void add_elastic_forces(const Model& model, const VectorXd& q, const Input<double>& x, VectorXd& forces) {
  for (const Link& link : model.links()) {
    const Joint& joint = link.joint;
    if (!joint.has_quaternion()) add_joint_forces(joint, joint.stiffness, joint.gear.stiffness, x, forces);
    const int e = link.elastic_v_index, m = link.elastic_count;
    if (m > 0) forces.segment(e, m) += stiffness_of(link, q) * x.segment(e, m);
  }
}

void add_damper_forces(const Model& model, const VectorXd& q, const Input<double>& x, VectorXd& forces) {
  for (const Link& link : model.links()) {
    const Joint& joint = link.joint;
    add_joint_forces(joint, joint.damping, joint.gear.damping, x, forces);
    const int e = link.elastic_v_index, m = link.elastic_count;
    if (m > 0)
      forces.segment(e, m) += (link.telescopes() ? link.beam->telescope->damping_at(link.free_length(q))
                                                 : link.elastic->damping) *
                              x.segment(e, m);
  }
}

// What Krylov's space knows of M^-1 A.
struct Extremes {
  double largest = 0.0;   // |eigenvalue|
  double smallest = 0.0;  // among those that are not zero
  int coordinate = -1;    // with most of the kinetic energy of the largest
};

// Arnoldi's process in the product x^T M y. With f = A v, the new direction w = M^-1 f has M w = f: what M does to the basis
// is carried along, and never computed.
template <typename Multiply>
Extremes extremes(MotionOperators& motions, const Multiply& multiply) {
  constexpr int most_steps = 80, fewest_steps = 5, steady_steps = 3;
  constexpr double steady = 1e-4, nothing = 1e-12;
  const int n = motions.size(), most = std::min(most_steps, n);
  MatrixXd V(n, most + 1), MV(n, most + 1), H = MatrixXd::Zero(most + 1, most);
  VectorXd f = arbitrary_numbers(n, 1), w(n);
  motions.hold(f);
  motions.accelerate(f, w);
  double size = std::sqrt(std::max(0.0, w.dot(f)));
  if (!(size > 0.0)) return {};
  Extremes found;
  Eigen::VectorXcd combination;
  int used = 0, unchanged = 0;
  for (int j = 0; j < most && unchanged < steady_steps; ++j) {
    stop_if_asked();
    V.col(j) = w / size;
    MV.col(j) = f / size;
    used = j + 1;
    multiply(V.col(j), f);
    motions.accelerate(f, w);
    const double before = std::sqrt(std::abs(w.dot(f)));
    for (int pass = 0; pass < 2; ++pass) {  // once more, for what rounding left over
      const VectorXd part = MV.leftCols(used).transpose() * w;
      w -= V.leftCols(used) * part;
      f -= MV.leftCols(used) * part;
      H.col(j).head(used) += part;
    }
    size = std::sqrt(std::max(0.0, w.dot(f)));
    const Eigen::EigenSolver<MatrixXd> ritz(MatrixXd(H.topLeftCorner(used, used)));
    Eigen::Index top = 0;
    const double largest = ritz.eigenvalues().cwiseAbs().maxCoeff(&top);
    combination = ritz.eigenvectors().col(top);
    unchanged =
        used >= fewest_steps && std::abs(largest - found.largest) <= steady * largest ? unchanged + 1 : 0;
    found.largest = found.smallest = largest;
    for (const auto& value : ritz.eigenvalues())
      if (std::abs(value) > nothing * largest) found.smallest = std::min(found.smallest, std::abs(value));
    if (!(size > nothing * before)) break;  // the space is closed
    H(used, j) = size;
  }
  if (!(found.largest > 0.0)) return {};
  const Eigen::VectorXcd x = V.leftCols(used) * combination, momentum = MV.leftCols(used) * combination;
  x.cwiseProduct(momentum.conjugate()).cwiseAbs().maxCoeff(&found.coordinate);
  return found;
}

// M x of the elastic coordinates, joints held; K^-1 of the same. Elastic coordinates stand one after the other.
class ElasticArm {
 public:
  ElasticArm(const Model& model, const Input<double>& q)
      : model_(model), q_(q), coordinates_(elastic_coordinates(model)), work_(model) {
    work_.set_gravity(Vector3<double>::Zero());
    rest_ = x_ = forces_ = VectorXd::Zero(model.nv());
    for (const Link& link : model.links())
      if (link.elastic_count > 0) factors_.emplace_back(stiffness_of(link, q));
  }

  Eigen::Index size() const { return static_cast<Eigen::Index>(coordinates_.size()); }
  MatrixXd mass_times(const MatrixXd& block) {
    MatrixXd result(block.rows(), block.cols());
    for (Eigen::Index j = 0; j < block.cols(); ++j) {
      stop_if_asked();
      x_(coordinates_) = block.col(j);
      inverse_dynamics(model_, work_, q_, rest_, x_, forces_);
      result.col(j) = forces_(coordinates_);
    }
    return result;
  }
  MatrixXd flexibility_times(MatrixXd block) const {
    Eigen::Index row = 0;
    for (const Eigen::LLT<MatrixXd>& factor : factors_) {
      auto rows = block.middleRows(row, factor.rows());
      factor.solveInPlace(rows);
      row += factor.rows();
    }
    return block;
  }

 private:
  const Model& model_;
  VectorXd q_, rest_, x_, forces_;
  std::vector<int> coordinates_;
  Workspace<double> work_;
  std::vector<Eigen::LLT<MatrixXd>> factors_;
};

// Appends the columns of W, made orthonormal in the product x^T K y to those of V and to each other, without those that
// depend on others. KV and KW are K times V and W. More than there are rows cannot be independent, whatever rounding says.
void append_independent(const MatrixXd& W, const MatrixXd& KW, MatrixXd& V, MatrixXd& KV) {
  constexpr double dependent = 1e-10;
  for (Eigen::Index j = 0; j < W.cols() && V.cols() < V.rows(); ++j) {
    VectorXd w = W.col(j), Kw = KW.col(j);
    const double before = std::sqrt(std::max(0.0, w.dot(Kw)));
    for (int pass = 0; pass < 2; ++pass) {
      const VectorXd part = KV.transpose() * w;
      w -= V * part;
      Kw -= KV * part;
    }
    const double size = std::sqrt(std::max(0.0, w.dot(Kw)));
    if (!(size > dependent * before)) continue;
    V.conservativeResize(Eigen::NoChange, V.cols() + 1);
    KV.conservativeResize(Eigen::NoChange, KV.cols() + 1);
    V.rightCols<1>() = w / size;
    KV.rightCols<1>() = Kw / size;
  }
}

// Looked at before anything is made of it.
const Model& valid(const Model& model, const Input<double>& q, const Input<double>& v, const Input<double>& a,
                   const std::vector<Load>& loads, const std::vector<int>& held) {
  const detail::Call call{"MotionOperators", model};
  call.require_position("q", q);
  call.require_velocity("v", v);
  call.require_velocity("a", a);
  call.require_loads(loads);
  call.require_links("held", held);
  return model;
}

}  // namespace

MotionOperators::MotionOperators(const Model& model, const Input<double>& q, const Input<double>& v,
                                 const Input<double>& a, const std::vector<Load>& loads,
                                 const std::vector<int>& held)
    : model_(valid(model, q, v, a, loads, held)),
      q_(q),
      v_(v),
      a_(a),
      loads_(loads),
      differentiator_(model),
      work_(model),
      zero_(VectorXd::Zero(model.nv())),
      elastic_(model.nv()),
      tau_(model.nv()) {
  work_.set_gravity(Vector3<double>::Zero());
  elastic_and_damping_forces(model, work_, q_, zero_, elastic_);
  work_.prescribe(held);
  for (const int link : held) {
    const Joint& joint = model.links()[static_cast<std::size_t>(link)].joint;
    for (int j = 0; j < joint.driven_count(); ++j) held_rows_.push_back(joint.driven_index() + j);
  }
}

void MotionOperators::add_gains(const MatrixXd& to_K, const MatrixXd& to_C) {
  const detail::Call call{"MotionOperators::add_gains", model_};
  call.require_matrix("to_K", to_K, model_.nv());
  call.require_matrix("to_C", to_C, model_.nv());
  const auto add = [](const MatrixXd& gains, MatrixXd& to) {
    if (gains.isZero(0.0)) return;
    if (to.size() == 0)
      to = gains;
    else
      to += gains;
  };
  add(to_K, gains_q_);
  add(to_C, gains_v_);
}

void MotionOperators::hold(VectorXd& forces) const {
  detail::Call{"MotionOperators::hold", model_}.require_velocity("forces", forces);
  for (const int row : held_rows_) forces[row] = 0.0;
}

void MotionOperators::stiffness_forces(const Input<double>& x, VectorXd& forces) {
  detail::Call{"MotionOperators::stiffness_forces", model_}.require_velocity("x", x);
  differentiator_.along(q_, v_, a_, loads_, x, zero_, forces);
  add_elastic_forces(model_, q_, x, forces);
  if (gains_q_.size() > 0) forces += gains_q_ * x;
  hold(forces);
}

void MotionOperators::damping_forces(const Input<double>& x, VectorXd& forces) {
  detail::Call{"MotionOperators::damping_forces", model_}.require_velocity("x", x);
  differentiator_.along(q_, v_, a_, loads_, zero_, x, forces);
  add_damper_forces(model_, q_, x, forces);
  if (gains_v_.size() > 0) forces += gains_v_ * x;
  hold(forces);
}

// At rest, without gravity, and with what the beams and springs do at q made up for, nothing accelerates but by these forces.
// What they do may be so large that these vanish beside it: accelerations are proportional to forces, so that as large
// ones serve as well.
void MotionOperators::accelerate(const Input<double>& forces, VectorXd& x) {
  detail::Call{"MotionOperators::accelerate", model_}.require_velocity("forces", forces);
  const double size = forces.lpNorm<Eigen::Infinity>(), strained = elastic_.lpNorm<Eigen::Infinity>();
  const double scale = size > 0.0 && strained > size ? strained / size : 1.0;
  tau_ = scale * forces + elastic_;
  x.setZero(model_.nv());
  forward_dynamics(model_, work_, q_, zero_, tau_, x);
  x /= scale;
}

FastestMotion fastest_motion(MotionOperators& motions) {
  const Extremes swinging =
      extremes(motions, [&](const Input<double>& x, VectorXd& f) { motions.stiffness_forces(x, f); });
  const Extremes creeping =
      extremes(motions, [&](const Input<double>& x, VectorXd& f) { motions.damping_forces(x, f); });
  const double omega = std::sqrt(swinging.largest);
  if (creeping.largest > omega)
    return {creeping.largest, creeping.coordinate, true,
            omega > 0.0 ? std::sqrt(swinging.smallest) : creeping.smallest};
  return {omega, swinging.coordinate, false, std::sqrt(swinging.smallest)};
}

FastestMotion fastest_motion(const Model& model, const Input<double>& q) {
  detail::Call{"fastest_motion", model}.require_position("q", q);
  const VectorXd rest = VectorXd::Zero(model.nv());
  MotionOperators motions(model, q, rest, rest);
  return fastest_motion(motions);
}

VectorXd locked_frequencies(const Model& model, const Input<double>& q, int count) {
  detail::Call{"locked_frequencies", model}.require_position("q", q);
  if (count < 0)
    throw InputError(Problem{"locked_frequencies: count", "a number >= 0", std::to_string(count), ""});
  constexpr double settled = 1e-13, without_inertia = 1e-15;
  ElasticArm arm(model, q);
  const Eigen::Index n = arm.size(), wanted = std::min<Eigen::Index>(count, n);
  if (wanted == 0) return {};
  const Eigen::Index width = std::min<Eigen::Index>(wanted + 2, n);
  MatrixXd V(n, 0), KV(n, 0), MV(n, 0);
  MatrixXd KW = arbitrary_numbers(n, width);
  VectorXd found;  // 1 / omega^2, the lowest mode's first
  while (true) {
    const Eigen::Index before = V.cols();
    append_independent(arm.flexibility_times(KW), KW, V, KV);
    if (V.cols() == before) break;  // the space is closed
    KW = arm.mass_times(V.rightCols(V.cols() - before));
    MV.conservativeResize(Eigen::NoChange, V.cols());
    MV.rightCols(KW.cols()) = KW;
    const MatrixXd T = V.transpose() * MV;
    const Eigen::SelfAdjointEigenSolver<MatrixXd> ritz(MatrixXd(0.5 * (T + T.transpose())),
                                                       Eigen::EigenvaluesOnly);
    const Eigen::Index known = std::min(wanted, V.cols());
    const VectorXd now = ritz.eigenvalues().reverse().head(known);
    const bool same =
        found.size() == known && ((now - found).array().abs() <= settled * now.array().abs()).all();
    found = now;
    if (same || V.cols() == n) break;
  }
  std::vector<double> frequencies;
  for (const double square : found)
    if (square > without_inertia * found[0]) frequencies.push_back(1.0 / std::sqrt(square));
  return Eigen::Map<const VectorXd>(frequencies.data(), static_cast<Eigen::Index>(frequencies.size()));
}

}  // namespace limber
