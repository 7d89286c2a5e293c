// SPDX-License-Identifier: BSD-3-Clause
#include "limber/analysis/zero_motion.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "limber/algorithms/configuration.hpp"
#include "limber/algorithms/input_matrix.hpp"
#include "limber/algorithms/inverse_dynamics.hpp"
#include "limber/algorithms/jacobian.hpp"
#include "limber/algorithms/kinematics.hpp"
#include "limber/algorithms/mass_matrix.hpp"
#include "limber/core/computation_error.hpp"
#include "limber/core/input_error.hpp"
#include "limber/math/detail/decompositions.hpp"
#include "limber/model/coordinates.hpp"
#include "limber/model/field_rule.hpp"
#include "limber/model/loops.hpp"
#include "point_output.hpp"

namespace limber {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// A coordinate, or an axis of a point's place.
struct HeldPlace {
  int coordinate = -1;
  Frame frame = {};
  int axis = 0;
};

HeldPlace held_place(Model& model, const std::string& name) {
  const auto& names = model.coordinates();
  if (const auto there = std::find(names.begin(), names.end(), name); there != names.end()) {
    const int coordinate = static_cast<int>(there - names.begin());
    if (positions_of_coordinates(model)[static_cast<std::size_t>(coordinate)] < 0)
      throw InputError(Problem{"outputs", "places: coordinates that are one number each",
                               show_text(name) + ", of a joint that carries a quaternion",
                               "take end_effector.x y z or LINK@AT.x y z"});
    return {coordinate};
  }
  HeldPlace place;
  std::string axis = name;
  if (name.find('@') != std::string::npos) {
    const PointOutput point = point_output(model, name);
    model = within_path("outputs", [&] { return with_node(model, point.place); });
    place.frame = frame(model, point.place);
    axis = point.end_effector_name;
  } else {
    place.frame = model.end_effector();
  }
  const std::vector<std::string> axes = {"end_effector.x", "end_effector.y", "end_effector.z"};
  const auto which = std::find(axes.begin(), axes.end(), axis);
  if (which == axes.end())
    throw InputError(Problem{"outputs", "places: coordinates, end_effector.x y z or LINK@AT.x y z",
                             show_text(name),
                             "velocities and attitudes are held by `zeros` without --simulate"});
  place.axis = static_cast<int>(which - axes.begin());
  return place;
}

// The arm with its outputs held: (1).
class HeldArm {
 public:
  HeldArm(const Model& model, const OperatingPoint& about, std::vector<HeldPlace> places,
          const std::vector<std::string>& inputs)
      : model_(model),
        about_(about),
        places_(std::move(places)),
        work_(model),
        J_(static_cast<Index>(places_.size()), model.nv()),
        y_(J_.rows()),
        bias_rate_(J_.rows()) {
    const std::vector<int> driven = driven_coordinates(model);
    for (const std::string& name : inputs)
      for (std::size_t i = 0; i < driven.size(); ++i)
        if (model.coordinates()[static_cast<std::size_t>(driven[i])] == name)
          columns_.push_back(static_cast<int>(i));
  }

  // y, J and (dJ/dt) v.
  void look(const VectorXd& q, const VectorXd& v) {
    Matrix6X<double> J(6, model_.nv());
    for (std::size_t i = 0; i < places_.size(); ++i) {
      const HeldPlace& place = places_[i];
      const auto row = static_cast<Index>(i);
      bias_rate_[row] = 0.0;
      if (place.coordinate >= 0) {
        J_.row(row) = VectorXd::Unit(model_.nv(), place.coordinate).transpose();
        y_[row] = q[positions_of_coordinates(model_)[static_cast<std::size_t>(place.coordinate)]];
        continue;
      }
      constexpr auto axes = MotionAxes::local_world_aligned;
      bias_rate_[row] = frame_bias_acceleration(model_, work_, place.frame, axes, q, v).linear[place.axis];
      update_positions(model_, work_, q);
      update_world_poses(work_);
      y_[row] = frame_pose(model_, work_, place.frame).p[place.axis];
      frame_jacobian(model_, work_, place.frame, axes, J);
      J_.row(row) = J.row(place.axis);
    }
  }
  const MatrixXd& J() const { return J_; }
  const VectorXd& y() const { return y_; }

  void hold_here(const VectorXd& q, const VectorXd& v, double correction) {
    look(q, v);
    start_ = y_;
    correction_ = correction;
  }

  // False where (1) has no solution.
  bool accelerate(const VectorXd& q, const VectorXd& v, VectorXd& a, VectorXd& u) {
    const Index n = model_.nv(), k = J_.rows();
    look(q, v);
    MatrixXd M(n, n);
    VectorXd bias(n), passive(n);
    mass_matrix(model_, work_, q, M);
    inverse_dynamics(model_, work_, q, v, VectorXd::Zero(n), bias, about_.loads);
    elastic_and_damping_forces(model_, work_, q, v, passive);
    MatrixXd system = MatrixXd::Zero(n + k, n + k);
    system << M, -MatrixXd(input_matrix(model_, q)(Eigen::all, columns_)), J_, MatrixXd::Zero(k, k);
    VectorXd right(n + k);
    right << about_.tau - bias - passive,
        -bias_rate_ - 2.0 * correction_ * (J_ * v) - correction_ * correction_ * (y_ - start_);
    const Eigen::PartialPivLU<MatrixXd> factor(system);
    const VectorXd found = factor.solve(right);
    a = found.head(n);
    u = found.tail(k);
    return found.allFinite();
  }

  VectorXd rate(const VectorXd& q, const VectorXd& v) const {
    VectorXd rate(model_.nq());
    configuration_rate(model_, q, v, rate);
    return rate;
  }
  // Where it went beyond `start_`.
  double drift(const VectorXd& q, const VectorXd& v) {
    look(q, v);
    return (y_ - start_).cwiseAbs().maxCoeff();
  }
  MatrixXd mass(const VectorXd& q) {
    MatrixXd M(model_.nv(), model_.nv());
    mass_matrix(model_, work_, q, M);
    return M;
  }

 private:
  const Model& model_;
  const OperatingPoint& about_;
  std::vector<HeldPlace> places_;
  std::vector<int> columns_;
  Workspace<double> work_;
  MatrixXd J_;
  VectorXd y_, bias_rate_, start_;
  double correction_ = 0.0;
};

// One step of the classical Runge-Kutta method.
bool step(HeldArm& arm, double h, VectorXd& q, VectorXd& v, VectorXd& u) {
  VectorXd a1, a2, a3, a4, other;
  if (!arm.accelerate(q, v, a1, u)) return false;
  const VectorXd q1 = arm.rate(q, v), v2 = v + 0.5 * h * a1, at2 = q + 0.5 * h * q1;
  if (!arm.accelerate(at2, v2, a2, other)) return false;
  const VectorXd q2 = arm.rate(at2, v2), v3 = v + 0.5 * h * a2, at3 = q + 0.5 * h * q2;
  if (!arm.accelerate(at3, v3, a3, other)) return false;
  const VectorXd q3 = arm.rate(at3, v3), v4 = v + h * a3, at4 = q + h * q3;
  if (!arm.accelerate(at4, v4, a4, other)) return false;
  q += h / 6.0 * (q1 + 2.0 * q2 + 2.0 * q3 + arm.rate(at4, v4));
  v += h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4);
  return true;
}

// Which motion of (4) of zeros.hpp is looked at, as displacement and velocity of the arm.
struct Kick {
  std::complex<double> zero;
  VectorXd displacement, velocity;
};
Kick kick_of(const ZeroDynamics& dynamics, int nv, double size) {
  if (dynamics.matrix.rows() == 0) throw ComputationError("with these outputs held nothing in the arm moves");
  const Eigen::EigenSolver<MatrixXd> motions(dynamics.matrix);
  const Eigen::VectorXcd& s = motions.eigenvalues();
  // Fastest growth; where nothing grows (to rounding), slowest swing that is no drift.
  const double scale = s.size() > 0 ? s.cwiseAbs().maxCoeff() : 0.0;
  constexpr double rounding = 1e-7;
  Index best = -1;
  for (Index i = 0; i < s.size(); ++i) {
    if (s[i].imag() < 0.0 || std::abs(s[i]) <= rounding * scale) continue;
    const bool grows = s[i].real() > rounding * scale;
    const bool best_grows = best >= 0 && s[best].real() > rounding * scale;
    if (best < 0 || (grows && (!best_grows || s[i].real() > s[best].real())) ||
        (!grows && !best_grows && std::abs(s[i]) < std::abs(s[best])))
      best = i;
  }
  if (best < 0) throw ComputationError("with these outputs held nothing in the arm swings or grows");
  const VectorXd x = dynamics.basis * motions.eigenvectors().col(best).real();
  const double largest = x.head(nv).cwiseAbs().maxCoeff();
  if (!(largest > 0.0)) throw ComputationError("the motion of the zero dynamics has no displacement");
  return {s[best], size / largest * x.head(nv), size / largest * x.tail(nv)};
}

// Slope of log size up to tenfold, by least squares.
double growth(const VectorXd& times, const VectorXd& size) {
  Index count = 0;
  while (count < size.size() && size[count] <= 10.0) ++count;
  count = std::max<Index>(count, std::min<Index>(size.size(), 3));
  const VectorXd t = times.head(count), f = size.head(count).array().log();
  const VectorXd centred = t.array() - t.mean();
  return centred.dot(f) / centred.squaredNorm();
}

}  // namespace

ZeroMotion zero_motion(Model model, const OperatingPoint& about, const std::vector<std::string>& outputs,
                       const std::vector<std::string>& inputs, const ZeroMotionOptions& options) {
  require_plain_tree(model, "a zero motion");
  if (outputs.size() != inputs.size())
    throw InputError(Problem{"inputs", "as many as outputs, " + std::to_string(outputs.size()),
                             std::to_string(inputs.size()), "name them"});
  const auto require = [](const char* name, bool is_met, const char* expected, double found) {
    if (!is_met)
      throw InputError(Problem{std::string("zero_motion: ") + name, expected, show_number(found), ""});
  };
  require("kick", options.kick > 0.0 && options.kick <= 1.0, "a number > 0, at most 1 rad or m",
          options.kick);
  require("duration", options.duration >= 0.0, "a number >= 0 (0: as long as it takes)", options.duration);
  require("most_growth", options.most_growth > 1.0, "a number > 1", options.most_growth);
  constexpr int most_samples = 1000000;
  require("samples", options.samples >= 3 && options.samples <= most_samples, "an integer from 3 to 1000000",
          options.samples);
  if (!about.v.isZero(0.0))
    throw InputError(Problem{"state", "an arm at rest", "one that moves", "leave out v"});
  const ZeroDynamics dynamics = zero_dynamics(linearize_at_points(model, about, outputs, inputs));
  std::vector<HeldPlace> places;
  for (const std::string& name : outputs) places.push_back(held_place(model, name));
  HeldArm arm(model, about, places, inputs);
  const Kick kick = kick_of(dynamics, model.nv(), options.kick);

  // Steps for the fastest zero; the correction is slower than a step, and faster than what is looked at.
  constexpr double per_radian = 0.2, correction_per_step = 0.1;
  const double fastest = dynamics.zeros.cwiseAbs().maxCoeff(), h_most = per_radian / fastest;
  double duration = options.duration;
  if (duration <= 0.0)
    duration = kick.zero.real() > 1e-7 * fastest ? std::log(options.most_growth) / kick.zero.real()
                                                 : 20.0 * std::numbers::pi / std::abs(kick.zero);
  constexpr double most_steps = 2e6;
  if (!(duration / h_most <= most_steps))
    throw InputError(Problem{"duration", "at most " + std::to_string(most_steps * h_most) + " s",
                             std::to_string(duration), "the fastest zero asks for short steps"});
  const int samples = options.samples;
  const int between = std::max(1, static_cast<int>(std::ceil(duration / h_most / (samples - 1))));
  const double h = duration / (samples - 1) / between;

  VectorXd q(model.nq()), v = kick.velocity, u = VectorXd::Zero(static_cast<Index>(inputs.size()));
  displace(model, about.q, kick.displacement, q);
  arm.look(q, v);
  v -= arm.J().transpose() * MatrixXd(arm.J() * arm.J().transpose()).ldlt().solve(VectorXd(arm.J() * v));
  arm.hold_here(q, v, correction_per_step / h);
  const MatrixXd M = arm.mass(about.q);
  const auto size_of = [&](const VectorXd& at, const VectorXd& rate) {
    VectorXd d(model.nv());
    difference(model, about.q, at, d);
    return std::sqrt(rate.dot(M * rate) + std::norm(kick.zero) * d.dot(M * d));  // (2)
  };

  ZeroMotion motion;
  motion.zero = kick.zero;
  motion.times.resize(samples);
  motion.size.resize(samples);
  motion.q.resize(model.nq(), samples);
  motion.efforts.resize(u.size(), samples);
  const double first = size_of(q, v);
  int taken = 0;
  for (; taken < samples; ++taken) {
    VectorXd a;
    if (!arm.accelerate(q, v, a, u)) {
      if (taken == 0)
        throw ComputationError("the inputs cannot hold these outputs here: their effect on them is singular");
      motion.ended_early = true;
      break;
    }
    motion.times[taken] = taken * between * h;
    motion.size[taken] = size_of(q, v) / first;
    motion.q.col(taken) = q;
    motion.efforts.col(taken) = u;
    motion.largest_drift = std::max(motion.largest_drift, arm.drift(q, v));
    if (motion.size[taken] > options.most_growth) {
      motion.ended_early = true;
      ++taken;
      break;
    }
    for (int i = 0; i < between && taken + 1 < samples; ++i)
      if (!step(arm, h, q, v, u)) break;
  }
  motion.times.conservativeResize(taken);
  motion.size.conservativeResize(taken);
  motion.q.conservativeResize(model.nq(), taken);
  motion.efforts.conservativeResize(u.size(), taken);
  motion.rate = growth(motion.times, motion.size);
  return motion;
}

}  // namespace limber
