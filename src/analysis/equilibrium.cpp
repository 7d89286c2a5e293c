// SPDX-License-Identifier: BSD-3-Clause
#include "limber/analysis/equilibrium.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <memory>

#include "closed_loops.hpp"
#include "cylinders.hpp"
#include "limber/algorithms/constraints.hpp"
#include "limber/algorithms/finite.hpp"
#include "limber/algorithms/inverse_dynamics.hpp"
#include "limber/algorithms/jacobian.hpp"
#include "limber/algorithms/kinematics.hpp"
#include "limber/algorithms/mass_matrix.hpp"
#include "limber/analysis/derivatives.hpp"
#include "limber/core/computation_error.hpp"
#include "limber/core/input_error.hpp"
#include "limber/math/detail/decompositions.hpp"
#include "limber/model/detail/arguments.hpp"
#include "limber/model/friction.hpp"
#include "pressed_stops.hpp"

namespace limber {
namespace {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

std::string digits(double value) {
  char text[32];  // NOLINT
  std::snprintf(text, sizeof text, "%.4g", value);
  return text;
}

// (1) and its solution for one arm.
class Statics {
 public:
  Statics(const Model& model, const Input<double>& q, std::vector<Load> loads, const JointNames& hold,
          const VectorXd& rates = {})
      : model_(model),
        cylinders_(model.cylinders().empty() ? nullptr : std::make_unique<CylinderStatics>(model, q, hold)),
        loads_(std::move(loads)),
        scaled_(loads_),
        work_(model),
        derivative_work_(model),
        zero_(VectorXd::Zero(model.nv())),
        rates_(rates.size() > 0 ? rates : zero_),
        passive_joints_(passive_coordinates(model, hold)),
        free_(free_coordinates()),
        forces_(model.nv()),
        passive_(model.nv()),
        stops_(model),
        K_all_(elastic_stiffness(model)),
        K_(metric(q)),
        K_factor_(K_) {
    position_ = positions_of_coordinates(model);
    for (const int c : free_) free_q_.push_back(position_[static_cast<std::size_t>(c)]);
    for (const Link& link : model.links()) {
      const int joint = link.joint.v_index;
      if (link.joint.has_motor() && std::find(free_.begin(), free_.end(), joint) != free_.end())
        on_gears_.emplace_back(link.joint.q_index, link.joint.q_index + 1);
    }
    unloaded_ = VectorXd::Zero(model.nq());
    for (const Link& link : model.links())
      unloaded_.segment(link.joint.q_index, link.joint.nq).setConstant(link.joint.rest);
    if (cylinders_)
      for (const int c : cylinders_->roles().sprung) {
        const int at = position_[static_cast<std::size_t>(c)];
        unloaded_[at] = q[at];
      }
    if (!free_.empty() && K_factor_.info() != Eigen::Success)
      throw ComputationError(
          "the beams' stiffness matrix is not positive definite: a shape bends nothing, or two shapes are "
          "the "
          "same. Choose fewer or other shapes");
  }

  void set_load_factor(double factor) {
    const Vector3d gravity = factor * model_.gravity();
    work_.set_gravity(gravity);
    derivative_work_.set_gravity(gravity);
    for (std::size_t i = 0; i < loads_.size(); ++i) {
      scaled_[i].force = factor * loads_[i].force;
      scaled_[i].moment = factor * loads_[i].moment;
    }
  }

  // All rows of (1): joint rows are the efforts.
  const VectorXd& residual(const Input<double>& q) {
    inverse_dynamics(model_, work_, q, rates_, zero_, forces_, scaled_);
    elastic_and_damping_forces(model_, work_, q, rates_, passive_);
    add_friction_forces(model_, rates_, 1.0, passive_);  // of joints that turn at their rates
    forces_ += passive_;
    if (!stops_.empty()) {
      stops_.update(q, rates_, nullptr);
      forces_ -= stops_.on_joints();
    }
    if (cylinders_) cylinders_->add_forces(q, rates_, forces_);
    return forces_;
  }

  // d(forces)/dq, free rows: columns of the given coordinates.
  MatrixXd tangent(const Input<double>& q, const std::vector<int>& columns) {
    return all_rows(q, columns)(free_, Eigen::all);
  }
  MatrixXd tangent(const Input<double>& q) { return tangent(q, free_); }

  // One full step. Returns the efforts, to first order in it as well.
  VectorXd linear_step(VectorXd& q) {
    VectorXd efforts = residual(q);
    const MatrixXd J = all_rows(q, free_);
    if (free_.empty()) return efforts;
    const VectorXd step = MatrixXd(J(free_, Eigen::all)).partialPivLu().solve(VectorXd(-efforts(free_)));
    q(free_q_) += step;
    efforts += J * step;
    return efforts;
  }

  // Newton from q on. Leaves q alone and says false where it does not converge.
  bool solve(VectorXd& q) {
    constexpr int most_iterations = 60, most_halvings = 12;
    constexpr double rounding = 1e-10;  // of a step beside the arm's stretch, both in strain energy
    if (free_.empty()) return true;
    VectorXd trial = q;
    VectorXd r = residual(trial)(free_);
    for (int i = 0; i < most_iterations; ++i) {
      const VectorXd step = tangent(trial).partialPivLu().solve(VectorXd(-r));
      ++iterations;
      const double before = merit(r), length = std::sqrt(step.dot(K_ * step));
      const VectorXd x = trial(free_q_), stretch = x - unloaded(trial)(free_q_);
      const double size = std::sqrt(stretch.dot(K_ * stretch)) + length;
      if (!std::isfinite(length)) return false;
      bool shorter = false;
      double part = 1.0;
      for (int k = 0; k < most_halvings && !shorter; ++k, part *= 0.5) {
        trial(free_q_) = x + part * step;
        r = residual(trial)(free_);
        shorter = merit(r) < before;
        if (part == 1.0 && length <= rounding * size) break;  // as good as rounding allows
      }
      if (length <= rounding * size) {
        q = trial;
        return true;
      }
      if (!shorter) return false;
    }
    return false;
  }

  // How the arm leaves this equilibrium, if it does.
  struct Instability {
    MotionKind kind;
    double frequency;
  };
  std::optional<Instability> instability(const Input<double>& q) {
    if (cylinders_ && !cylinders_->roles().holding.empty()) return instability_at_length(q);
    if (free_.empty()) return std::nullopt;
    const MatrixXd J = tangent(q);
    if (rates_.isZero(0.0) && !is_symmetric(J)) {
      MatrixXd M(model_.nv(), model_.nv());
      mass_matrix(model_, work_, q, M);
      const MatrixXd M_free = M(free_, free_);
      if (Eigen::LLT<MatrixXd>(M_free).info() == Eigen::Success) {
        const SmallMotion first = small_motions(M_free, {}, J).front();
        if (first.frequency() >= 0.0) return std::nullopt;
        return Instability{first.kind, first.s.imag()};
      }
    }
    const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> solver(0.5 * (J + J.transpose()), K_,
                                                                    Eigen::EigenvaluesOnly);
    if (solver.eigenvalues()[0] > 0.0) return std::nullopt;
    return Instability{MotionKind::divergence, 0.0};
  }

  // What drives of cylinders do, at the last residual.
  VectorXd drives() const { return cylinders_ ? cylinders_->drives() : VectorXd(); }

  // Beams straight, passive joints where they were given, joints on elastic gears where their motors are: a good place to begin with.
  VectorXd straightened(const Input<double>& q) const {
    VectorXd result = q;
    const VectorXd at_ease = unloaded(q);
    for (const int c : elastic_coordinates(model_)) {
      const int at = position_[static_cast<std::size_t>(c)];
      result[at] = at_ease[at];
    }
    for (const auto& [joint, motor] : on_gears_) result[joint] = q[motor];
    return result;
  }
  // Where nothing acts.
  VectorXd unloaded(const Input<double>& q) const {
    VectorXd result = q;
    result(free_q_) = unloaded_(free_q_);
    for (const auto& [joint, motor] : on_gears_) result[joint] = q[motor];
    return result;
  }

  const std::vector<int>& free() const { return free_; }
  int iterations = 0;

 private:
  // Elastic coordinates, and passive joints that do not turn steadily.
  std::vector<int> free_coordinates() const {
    std::vector<int> free = elastic_coordinates(model_);
    for (const int c : passive_joints_)
      if (rates_[c] == 0.0 || turns_with_motor(c)) free.push_back(c);
    if (cylinders_)
      for (const int c : cylinders_->roles().sprung) free.push_back(c);
    std::sort(free.begin(), free.end());
    return free;
  }

  bool turns_with_motor(int coordinate) const {
    return std::any_of(model_.links().begin(), model_.links().end(), [&](const Link& link) {
      return link.joint.has_motor() && link.joint.v_index == coordinate &&
             rates_[link.joint.driven_index()] == rates_[coordinate];
    });
  }

  MatrixXd all_rows(const Input<double>& q, const std::vector<int>& columns) {
    force_derivatives(model_, derivative_work_, q, rates_, zero_, derivatives_, scaled_);
    if (!stops_.empty()) {
      stops_.update(q, rates_, nullptr);
      stops_.add_joint_stiffness(derivatives_.dq);
    }
    if (!cylinders_) return derivatives_.dq(Eigen::all, columns) + K_all_(Eigen::all, columns);
    return cylinders_->follow(whole_tangent(q)(Eigen::all, columns));
  }

  // Drives as they are, which the last residual found.
  MatrixXd whole_tangent(const Input<double>& q) {
    MatrixXd T = derivatives_.dq + K_all_;
    cylinders_->add_tangent(q, rates_, T);
    return T;
  }

  // Drives that hold keep the lengths of their cylinders: their joints follow what bends.
  std::optional<Instability> instability_at_length(const Input<double>& q) {
    std::vector<int> moving = free_;
    for (const int c : cylinders_->roles().held) moving.push_back(c);
    const MatrixXd Z = motions_without(cylinders_->held_lengths(moving));
    if (Z.cols() == 0) return std::nullopt;
    force_derivatives(model_, derivative_work_, q, rates_, zero_, derivatives_, scaled_);
    if (!stops_.empty()) stops_.add_joint_stiffness(derivatives_.dq);
    const MatrixXd T = Z.transpose() * whole_tangent(q)(moving, moving) * Z;
    const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(MatrixXd(0.5 * (T + T.transpose())),
                                                         Eigen::EigenvaluesOnly);
    if (solver.eigenvalues()[0] > 0.0) return std::nullopt;
    return Instability{MotionKind::divergence, 0.0};
  }

  // Stiffness of what is free, springs of cylinders where they stand at first.
  MatrixXd metric(const Input<double>& q) const {
    MatrixXd K = K_all_;
    if (cylinders_ && !cylinders_->roles().sprung.empty()) {
      Struts struts(model_);
      struts.update(q, zero_);
      const MatrixXd& J = struts.jacobian();
      for (int i = 0; i < struts.count(); ++i)
        K += model_.cylinders()[static_cast<std::size_t>(i)].stiffness * J.row(i).transpose() * J.row(i);
    }
    return K(free_, free_);
  }

  // The energy that the residual forces would put into the unloaded beams: a norm without mixed units.
  double merit(const Input<double>& r) const { return std::sqrt(r.dot(K_factor_.solve(r))); }

  const Model& model_;
  std::unique_ptr<CylinderStatics> cylinders_;  ///< none where there are no cylinders
  std::vector<Load> loads_, scaled_;
  Workspace<double> work_;
  DerivativeWorkspace derivative_work_;
  ForceDerivatives derivatives_;
  VectorXd zero_, rates_;
  std::vector<int> passive_joints_, free_, free_q_, position_;
  std::vector<std::pair<int, int>>
      on_gears_;  ///< places in q of joints that are free on elastic gears, and of their motors
  VectorXd forces_, passive_;
  PressedStops stops_;
  VectorXd unloaded_;  ///< nq: where springs and beams are at ease
  MatrixXd K_all_;     ///< springs, gears and beams
  MatrixXd K_;         ///< of the free coordinates
  Eigen::LLT<MatrixXd> K_factor_;
};

// Step by step from the unloaded arm; returns the number of steps.
int apply_gradually(Statics& statics, VectorXd& q) {
  constexpr double first = 0.25, longer = 1.5, shorter = 0.5, shortest = 1e-4;
  q = statics.unloaded(q);
  int steps = 0;
  double reached = 0.0, step = first;
  while (reached < 1.0) {
    const double next = std::min(1.0, reached + step);
    statics.set_load_factor(next);
    if (statics.solve(q)) {
      reached = next;
      ++steps;
      step *= longer;
      continue;
    }
    step *= shorter;
    if (step < shortest)
      throw ComputationError(
          "no static equilibrium beyond load factor " + digits(reached) +
          ": at that part of gravity and loads the arm buckles or collapses. Reduce the loads, "
          "or stiffen the links");
  }
  return steps;
}

Equilibrium finished(Statics& statics, const Input<double>& q, int load_steps) {
  const VectorXd efforts = statics.residual(q);
  return {q, efforts, statics.iterations, load_steps, !statics.instability(q), statics.drives()};
}

Equilibrium solve_from(Statics& statics, VectorXd q) {
  statics.set_load_factor(1.0);
  const int steps = statics.solve(q) ? 1 : apply_gradually(statics, q);
  return finished(statics, q, steps);
}

// That stay where they are although loops may ask for others: those that were named.
std::vector<int> held_coordinates(const Model& model, const JointNames& hold) {
  std::vector<int> held;
  for (const std::string& name : hold)
    for (const int c : joint_coordinates_named(model, name)) held.push_back(c);
  return held;
}

}  // namespace

Equilibrium static_equilibrium(const Model& model, const Input<double>& q, const std::vector<Load>& loads,
                               StaticModel kind, const VectorXd& rates, const JointNames& hold) {
  const detail::Call call{"static_equilibrium", model};
  call.require_position("q", q);
  call.require_velocity_or_none("rates", rates);
  call.require_loads(loads);
  require_finite(model, q, rates, VectorXd(), loads);
  if (!model.loops().empty()) {
    if (kind == StaticModel::linear) require_no_loops(model, "the linear static model");
    if (rates.size() > 0 && !rates.isZero(0.0)) require_no_loops(model, "steady rotation");
    const VectorXd closed = assemble(model, q, held_coordinates(model, hold));
    require_cylinder_lengths(model, closed);
    return closed_equilibrium(model, closed, loads, hold);
  }
  if (kind == StaticModel::linear) require_no_cylinders(model, "the linear static model");
  require_cylinder_lengths(model, q);
  Statics statics(model, q, loads, hold, rates);
  if (kind == StaticModel::exact) return solve_from(statics, statics.straightened(q));
  VectorXd start = statics.unloaded(q);
  statics.set_load_factor(1.0);
  const VectorXd efforts = statics.linear_step(start);
  return {start, efforts, 1, 1, !statics.instability(start), {}};
}

std::optional<CriticalLoad> critical_load(const Model& model, const Input<double>& q,
                                          const std::vector<Load>& loads, double limit,
                                          const JointNames& hold) {
  const detail::Call call{"critical_load", model};
  call.require_position("q", q);
  call.require_loads(loads);
  constexpr int steps = 64, halvings = 50;
  constexpr double rounding = 1e-12;
  require_plain_tree(model, "the critical load");
  require_finite(model, q, VectorXd(), VectorXd(), loads);
  Statics statics(model, q, loads, hold);
  VectorXd stable = statics.unloaded(q);
  if (statics.free().empty()) return std::nullopt;
  CriticalLoad found{limit, MotionKind::divergence, 0.0};
  const auto is_stable_at = [&](double factor, VectorXd& at) {
    statics.set_load_factor(factor);
    const bool solved = statics.solve(at);  // where it cannot be, the arm snaps
    const auto instability =
        solved ? statics.instability(at) : Statics::Instability{MotionKind::divergence, 0.0};
    if (instability) found = {factor, instability->kind, instability->frequency};
    return !instability;
  };
  for (int i = 0; i < steps; ++i) {
    double low = limit * i / steps, high = limit * (i + 1) / steps;
    VectorXd next = stable;
    if (is_stable_at(high, next)) {
      stable = next;
      continue;
    }
    for (int k = 0; k < halvings && high - low > rounding * high; ++k) {
      const double middle = 0.5 * (low + high);
      next = stable;
      if (is_stable_at(middle, next)) {
        stable = next;
        low = middle;
      } else {
        high = middle;
      }
    }
    return found;
  }
  return std::nullopt;
}

Equilibrium reach(const Model& model, const Input<double>& q, const Vector3d& position,
                  const std::optional<Matrix3d>& rotation, const std::vector<Load>& loads,
                  const JointNames& hold) {
  const detail::Call call{"reach", model};
  call.require_position("q", q);
  call.require_loads(loads);
  detail::require_finite_numbers("reach", "position", position);
  if (rotation) detail::require_finite_numbers("reach", "rotation", *rotation);
  constexpr int most_iterations = 200;
  constexpr double tolerance = 1e-11;
  require_plain_tree(model, "reaching a place");
  require_finite(model, q, VectorXd(), VectorXd(), loads);
  Statics statics(model, q, loads, hold);
  const auto is_free = [&](int c) {
    return std::find(statics.free().begin(), statics.free().end(), c) != statics.free().end();
  };
  // Joints without quaternions move, but for passive ones; q and v number them alike.
  std::vector<int> joints, joints_q;
  std::vector<Eigen::Index> turning;  // of these
  for (const Link& link : model.links())
    for (int j = 0; j < link.joint.nv && !link.joint.has_quaternion(); ++j) {
      if (is_free(link.joint.v_index + j)) continue;
      if (link.joint.turns(j)) turning.push_back(static_cast<Eigen::Index>(joints.size()));
      joints.push_back(link.joint.v_index + j);
      joints_q.push_back(link.joint.q_index + j);
    }
  const auto within_limits = [&](VectorXd& at) {
    for (const Link& link : model.links())
      for (int j = 0; j < link.joint.nv && !link.joint.has_quaternion(); ++j) {
        if (is_free(link.joint.v_index + j)) continue;
        double& value = at[link.joint.q_index + j];
        if (link.joint.limits.lower) value = std::max(value, *link.joint.limits.lower);
        if (link.joint.limits.upper) value = std::min(value, *link.joint.limits.upper);
      }
  };

  Workspace<double> work(model);
  const Frame frame = end_effector_frame(model);
  // Rotations count as the way they make at this distance.
  constexpr double least_distance = 1e-3;  // [m]: a place may be the origin
  const double length = std::max(position.stableNorm(), least_distance);
  const auto distance_to_go = [&](const Input<double>& at) {
    update_positions(model, work, at);
    update_world_poses(work);
    const PoseOf<double> pose = frame_pose(model, work, frame);
    VectorXd error = VectorXd::Zero(6);
    error.head<3>() = position - pose.p;
    if (rotation) error.tail<3>() = length * log_rotation(*rotation * pose.R.transpose());
    return error;
  };

  if (joints.empty())
    throw InputError(Problem{
        "links", "a joint that moves and has no quaternion, which could bring the end effector there",
        model.nv() == 0 ? "an arm in which nothing moves" : "none", "choose an arm with such a joint"});

  VectorXd start = q;
  within_limits(start);
  Equilibrium now = solve_from(statics, start);
  VectorXd error = distance_to_go(now.q);
  // Levenberg and Marquardt: nearly Gauss and Newton's step, damped more until it brings the end effector nearer. With `most_damped` no step is left.
  constexpr double little_damping = 1e-6, least_damping = 1e-15, more = 10.0, less = 1e-3;
  constexpr int most_damped = 30;
  // Farther than that the tangent says nothing of where a joint that turns takes the hand, and steps from stretched poses wind joints up by whole turns.
  constexpr double longest_turn = 0.5;  // [rad]
  double damping = little_damping;
  Matrix6X<double> J(6, model.nv());
  for (int i = 0; i < most_iterations; ++i) {
    if (error.stableNorm() <= tolerance * length) return now;
    // The end effector's motion per joint: with the links as they are, and as they follow.
    update_positions(model, work, now.q);
    update_world_poses(work);
    frame_jacobian(model, work, frame, MotionAxes::local_world_aligned, J);
    MatrixXd total = J(Eigen::all, joints);
    if (!statics.free().empty())
      total -= J(Eigen::all, statics.free()) *
               statics.tangent(now.q).partialPivLu().solve(statics.tangent(now.q, joints));
    total.bottomRows<3>() *= rotation ? length : 0.0;

    bool nearer = false;
    for (int k = 0; k < most_damped && !nearer; ++k, damping *= more) {
      MatrixXd normal = total.transpose() * total;
      normal.diagonal().array() +=
          damping * (normal.diagonal().maxCoeff() + std::numeric_limits<double>::min());
      VectorXd trial = now.q;
      VectorXd step = normal.ldlt().solve(total.transpose() * error);
      const double largest = turning.empty() ? 0.0 : step(turning).lpNorm<Eigen::Infinity>();
      if (largest > longest_turn) step *= longest_turn / largest;
      trial(joints_q) += step;
      within_limits(trial);
      Equilibrium next = solve_from(statics, trial);
      const VectorXd next_error = distance_to_go(next.q);
      nearer = next_error.stableNorm() < error.stableNorm();
      if (!nearer) continue;
      now = next;
      error = next_error;
    }
    damping = std::max(damping * less, least_damping);
    if (!nearer) break;
  }
  constexpr double rounding = 1e-8;
  if (error.stableNorm() <= rounding * length) return now;  // as good as rounding allows
  throw ComputationError(
      "the end effector cannot reach the place asked for: " + digits(error.head<3>().stableNorm()) +
      " m and " + digits(error.tail<3>().norm() / length) +
      " rad remain. Ask for a place within reach, or start from other joint positions");
}

std::vector<Equilibrium> reach_along(const Model& model, const Input<double>& q,
                                     const Eigen::Matrix3Xd& positions,
                                     const std::vector<Matrix3d>& rotations, const std::vector<Load>& loads,
                                     const JointNames& hold) {
  if (!rotations.empty() && static_cast<Eigen::Index>(rotations.size()) != positions.cols())
    throw InputError(Problem{"reach_along: rotations",
                             "none, or one for each of the " + std::to_string(positions.cols()) + " places",
                             std::to_string(rotations.size()), ""});
  std::vector<Equilibrium> path;
  VectorXd start = q;
  for (Eigen::Index k = 0; k < positions.cols(); ++k) {
    std::optional<Matrix3d> rotation;
    if (!rotations.empty()) rotation = rotations[static_cast<std::size_t>(k)];
    try {
      path.push_back(reach(model, start, positions.col(k), rotation, loads, hold));
    } catch (const ComputationError& failed) {
      throw ComputationError("place " + std::to_string(k + 1) + " of the path: " + failed.what());
    }
    start = path.back().q;
  }
  return path;
}

}  // namespace limber
