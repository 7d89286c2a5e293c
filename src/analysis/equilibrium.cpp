#include "limber/analysis/equilibrium.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "limber/algorithms/inverse_dynamics.hpp"
#include "limber/algorithms/jacobian.hpp"
#include "limber/algorithms/kinematics.hpp"
#include "limber/analysis/derivatives.hpp"
#include "limber/core/computation_error.hpp"

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
  Statics(const Model& model, std::vector<ExternalWrench> loads, const VectorXd& rates = {})
      : model_(model),
        loads_(std::move(loads)),
        scaled_(loads_),
        work_(model),
        differentiator_(model),
        elastic_(elastic_coordinates(model)),
        zero_(VectorXd::Zero(model.nv)),
        rates_(rates.size() > 0 ? rates : zero_),
        forces_(model.nv),
        passive_(model.nv),
        K_(elastic_stiffness(model)(elastic_, elastic_)),
        K_factor_(K_) {
    for (const Link& link : model.links)
      for (int j = 0; j < link.elastic_count; ++j) elastic_q_.push_back(link.elastic_q_index + j);
    if (!elastic_.empty() && K_factor_.info() != Eigen::Success)
      throw ComputationError(
          "the beams' stiffness matrix is not positive definite: a shape bends nothing, or two shapes are "
          "the "
          "same. Choose fewer or other shapes");
  }

  void set_load_factor(double factor) {
    const Vector3d gravity = factor * model_.gravity;
    work_.gravity = gravity;
    differentiator_.set_gravity_factor(factor);
    for (std::size_t i = 0; i < loads_.size(); ++i) {
      scaled_[i].force = factor * loads_[i].force;
      scaled_[i].moment = factor * loads_[i].moment;
    }
  }

  // All rows of (1): joint rows are the efforts.
  const VectorXd& residual(const VectorXd& q) {
    inverse_dynamics(model_, work_, q, rates_, zero_, forces_, scaled_);
    elastic_and_damping_forces(model_, work_, q, rates_, passive_);
    forces_ += passive_;
    return forces_;
  }

  // d(forces)/dq, elastic rows: columns of the given coordinates.
  MatrixXd tangent(const VectorXd& q, const std::vector<int>& columns) {
    return all_rows(q, columns)(elastic_, Eigen::all);
  }
  MatrixXd tangent(const VectorXd& q) { return K_ + tangent(q, elastic_); }

  // One full step. Returns the efforts, to first order in it as well.
  VectorXd linear_step(VectorXd& q) {
    VectorXd efforts = residual(q);
    MatrixXd J = all_rows(q, elastic_);
    J(elastic_, Eigen::all) += K_;
    if (elastic_.empty()) return efforts;
    const VectorXd step = J(elastic_, Eigen::all).partialPivLu().solve(-efforts(elastic_));
    q(elastic_q_) += step;
    efforts += J * step;
    return efforts;
  }

  // Newton from q on. Leaves q alone and says false where it does not converge.
  bool solve(VectorXd& q) {
    constexpr int most_iterations = 60, most_halvings = 12;
    if (elastic_.empty()) return true;
    VectorXd trial = q;
    VectorXd r = residual(trial)(elastic_);
    for (int i = 0; i < most_iterations; ++i) {
      const VectorXd step = tangent(trial).partialPivLu().solve(-r);
      ++iterations;
      const double before = merit(r), length = std::sqrt(step.dot(K_ * step));
      const VectorXd eta = trial(elastic_q_);
      const double size = std::sqrt(eta.dot(K_ * eta)) + length;
      if (!std::isfinite(length)) return false;
      bool shorter = false;
      double part = 1.0;
      for (int k = 0; k < most_halvings && !shorter; ++k, part *= 0.5) {
        trial(elastic_q_) = eta + part * step;
        r = residual(trial)(elastic_);
        shorter = merit(r) < before;
        if (part == 1.0 && length <= 1e-10 * size) break;  // as good as rounding allows
      }
      if (length <= 1e-10 * size) {
        q = trial;
        return true;
      }
      if (!shorter) return false;
    }
    return false;
  }

  // The smallest eigenvalue of the symmetric part of dr/deta, in units of K: 1 without loads, negative where
  // the equilibrium is not stable.
  double stability(const VectorXd& q) {
    if (elastic_.empty()) return 1.0;
    const MatrixXd J = tangent(q);
    const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> solver(0.5 * (J + J.transpose()), K_,
                                                                    Eigen::EigenvaluesOnly);
    return solver.eigenvalues()[0];
  }

  VectorXd straightened(const VectorXd& q) const {
    VectorXd result = q;
    result(elastic_q_).setZero();
    return result;
  }

  const std::vector<int>& elastic() const { return elastic_; }
  const std::vector<int>& elastic_q() const { return elastic_q_; }
  int iterations = 0;

 private:
  MatrixXd all_rows(const VectorXd& q, const std::vector<int>& columns) {
    return differentiator_.by_position(q, rates_, zero_, scaled_, columns)(Eigen::all, columns);
  }

  // The energy that the residual forces would put into the unloaded beams: a norm without mixed units.
  double merit(const VectorXd& r) const { return std::sqrt(r.dot(K_factor_.solve(r))); }

  const Model& model_;
  std::vector<ExternalWrench> loads_, scaled_;
  Workspace<double> work_;
  ForceDifferentiator differentiator_;
  std::vector<int> elastic_, elastic_q_;
  VectorXd zero_, rates_, forces_, passive_;
  MatrixXd K_;
  Eigen::LLT<MatrixXd> K_factor_;
};

// Step by step from the unloaded arm; returns the number of steps.
int apply_gradually(Statics& statics, VectorXd& q) {
  constexpr double shortest = 1e-4;
  q = statics.straightened(q);
  int steps = 0;
  double reached = 0.0, step = 0.25;
  while (reached < 1.0) {
    const double next = std::min(1.0, reached + step);
    statics.set_load_factor(next);
    if (statics.solve(q)) {
      reached = next;
      ++steps;
      step *= 1.5;
      continue;
    }
    step *= 0.5;
    if (step < shortest)
      throw ComputationError(
          "no static equilibrium beyond load factor " + digits(reached) +
          ": at that part of gravity and loads the arm buckles or collapses. Reduce the loads, "
          "or stiffen the links");
  }
  return steps;
}

Equilibrium finished(Statics& statics, const VectorXd& q, int load_steps) {
  return {q, statics.residual(q), statics.iterations, load_steps, statics.stability(q) > 0.0};
}

Equilibrium solve_from(Statics& statics, VectorXd q) {
  statics.set_load_factor(1.0);
  const int steps = statics.solve(q) ? 1 : apply_gradually(statics, q);
  return finished(statics, q, steps);
}

}  // namespace

Equilibrium static_equilibrium(const Model& model, const VectorXd& q,
                               const std::vector<ExternalWrench>& loads, StaticModel kind,
                               const VectorXd& rates) {
  Statics statics(model, loads, rates);
  VectorXd start = statics.straightened(q);
  if (kind == StaticModel::exact) return solve_from(statics, start);
  statics.set_load_factor(1.0);
  const VectorXd efforts = statics.linear_step(start);
  return {start, efforts, 1, 1, statics.stability(start) > 0.0};
}

std::optional<double> critical_load_factor(const Model& model, const VectorXd& q,
                                           const std::vector<ExternalWrench>& loads, double limit) {
  constexpr int steps = 64, halvings = 50;
  Statics statics(model, loads);
  VectorXd stable = statics.straightened(q);
  if (statics.elastic().empty()) return std::nullopt;
  const auto is_stable_at = [&](double factor, VectorXd& at) {
    statics.set_load_factor(factor);
    return statics.solve(at) && statics.stability(at) > 0.0;
  };
  for (int i = 0; i < steps; ++i) {
    double low = limit * i / steps, high = limit * (i + 1) / steps;
    VectorXd next = stable;
    if (is_stable_at(high, next)) {
      stable = next;
      continue;
    }
    for (int k = 0; k < halvings && high - low > 1e-12 * high; ++k) {
      const double middle = 0.5 * (low + high);
      next = stable;
      if (is_stable_at(middle, next)) {
        stable = next;
        low = middle;
      } else {
        high = middle;
      }
    }
    return 0.5 * (low + high);
  }
  return std::nullopt;
}

Equilibrium reach(const Model& model, const VectorXd& q, const Vector3d& position,
                  const std::optional<Matrix3d>& rotation, const std::vector<ExternalWrench>& loads) {
  constexpr int most_iterations = 200;
  constexpr double tolerance = 1e-11;
  Statics statics(model, loads);
  // Joints without quaternions move; q and v number them alike.
  std::vector<int> joints, joints_q;
  for (const Link& link : model.links)
    for (int j = 0; j < link.joint.nv && link.joint.nq == link.joint.nv; ++j) {
      joints.push_back(link.joint.v_index + j);
      joints_q.push_back(link.joint.q_index + j);
    }
  const auto within_limits = [&](VectorXd& at) {
    for (const Link& link : model.links)
      for (int j = 0; j < link.joint.nv && link.joint.nq == link.joint.nv; ++j) {
        double& value = at[link.joint.q_index + j];
        if (link.joint.limits.lower) value = std::max(value, *link.joint.limits.lower);
        if (link.joint.limits.upper) value = std::min(value, *link.joint.limits.upper);
      }
  };

  Workspace<double> work(model);
  const FrameOnLink frame = end_effector_frame(model);
  // Rotations count as the way they make at this distance.
  const double length = std::max(position.norm(), 1e-3);
  const auto distance_to_go = [&](const VectorXd& at) {
    update_positions(model, work, at);
    update_world_poses(work);
    const FramePose<double> pose = frame_pose(model, work, frame);
    VectorXd error = VectorXd::Zero(6);
    error.head<3>() = position - pose.p;
    if (rotation) error.tail<3>() = length * log_rotation(*rotation * pose.R.transpose());
    return error;
  };

  VectorXd start = q;
  within_limits(start);
  Equilibrium now = solve_from(statics, start);
  VectorXd error = distance_to_go(now.q);
  double damping = 1e-6;
  Matrix6X<double> J(6, model.nv);
  for (int i = 0; i < most_iterations; ++i) {
    if (error.norm() <= tolerance * length) return now;
    // The end effector's motion per joint: with the links as they are, and as they follow.
    update_positions(model, work, now.q);
    update_world_poses(work);
    frame_jacobian(model, work, frame, MotionAxes::local_world_aligned, J);
    MatrixXd total = J(Eigen::all, joints);
    if (!statics.elastic().empty())
      total -= J(Eigen::all, statics.elastic()) *
               statics.tangent(now.q).partialPivLu().solve(statics.tangent(now.q, joints));
    total.bottomRows<3>() *= rotation ? length : 0.0;

    bool nearer = false;
    for (int k = 0; k < 30 && !nearer; ++k, damping *= 10.0) {
      MatrixXd normal = total.transpose() * total;
      normal.diagonal().array() += damping * (normal.diagonal().maxCoeff() + 1e-300);
      VectorXd trial = now.q;
      trial(joints_q) += normal.ldlt().solve(total.transpose() * error);
      within_limits(trial);
      Equilibrium next = solve_from(statics, trial);
      const VectorXd next_error = distance_to_go(next.q);
      nearer = next_error.norm() < error.norm();
      if (!nearer) continue;
      now = next;
      error = next_error;
    }
    damping = std::max(damping * 1e-3, 1e-15);
    if (!nearer) break;
  }
  if (error.norm() <= 1e-8 * length) return now;  // as good as rounding allows
  throw ComputationError(
      "the end effector cannot reach the place asked for: " + digits(error.head<3>().norm()) + " m and " +
      digits(error.tail<3>().norm() / length) +
      " rad remain. Ask for a place within reach, or start from other joint positions");
}

}  // namespace limber
