// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What methods share that need nothing from before the present step: they work in displacements from where the step
// began (configuration.hpp), and values within a step follow from its two ends.

#include <algorithm>
#include <cmath>
#include <limits>

#include "hermite.hpp"
#include "limber/algorithms/configuration.hpp"
#include "limber/simulation/integrator.hpp"

namespace limber {

/// One end of a step.
struct StepEnd {
  double t = 0.0;
  Eigen::VectorXd q, v, a;
  Eigen::VectorXd integrals, rates;
};

class OneStepIntegrator : public Integrator {
 public:
  explicit OneStepIntegrator(System& system)
      : system_(system),
        displacement_(Eigen::VectorXd::Zero(system.nv())),
        displacement_rate_(system.nv()),
        q_(system.nq()),
        between_(system.nv()) {}

  void start(const IntegratorState& state, double end) override {
    go_to(state, end);
    evaluate(to_);
    enter_there();
  }
  using Integrator::limit_steps;
  void limit_steps(double end, double longest, double stop) override {
    end_ = end;
    longest_seen_ = longest;
    stop_ = stop;
  }
  const IntegratorState& state() const override { return state_; }
  IntegratorStatistics statistics() const override { return statistics_; }

  void interpolate(double t, Eigen::VectorXd& y) override {
    const double h = to_.t - from_.t, s = h > 0.0 ? (t - from_.t) / h : 1.0;
    const int n = system_.nv();
    y.resize(system_.size());
    if (system_.has_quaternions())
      displacement_rate(system_.model(), displacement_, to_.v, displacement_rate_);
    for (int i = 0; i < n; ++i) {
      double& v = y[system_.nq() + i];
      if (h <= 0.0) {
        between_[i] = 0.0;
        v = to_.v[i];
      } else if (system_.has_quaternions()) {
        between_[i] = cubic_hermite(h, s, 0.0, from_.v[i], displacement_[i], displacement_rate_[i]);
        v = cubic_hermite(h, s, from_.v[i], from_.a[i], to_.v[i], to_.a[i]);
      } else {
        const Hermite motion =
            quintic_hermite(h, s, 0.0, from_.v[i], from_.a[i], displacement_[i], to_.v[i], to_.a[i]);
        between_[i] = motion.x;
        v = motion.rate;
      }
    }
    displace(system_.model(), from_.q, between_, q_);
    y.head(system_.nq()) = q_;
    for (int i = 0; i < system_.integral_count(); ++i)
      y[system_.nq() + n + i] =
          h > 0.0 ? cubic_hermite(h, s, from_.integrals[i], from_.rates[i], to_.integrals[i], to_.rates[i])
                  : to_.integrals[i];
  }

 protected:
  /// What a method does before its first step.
  virtual void begin() {}

  /// The parts of start(), before and after the state is evaluated.
  void go_to(const IntegratorState& state, double end) {
    state_ = state;
    limit_steps(end, std::numeric_limits<double>::infinity(), end);
    to_.t = state.t;
    to_.q = state.y.head(system_.nq());
    to_.v = state.y.segment(system_.nq(), system_.nv());
    to_.integrals = state.y.tail(system_.integral_count());
    to_.a.resize(system_.nv());
  }
  void enter_there() {
    from_ = to_;
    displacement_.setZero();
    begin();
  }

  void evaluate(StepEnd& at) { system_.accelerate(at.t, at.q, at.v, at.integrals, at.a, at.rates); }

  /// Takes over a step that ends with these, acceleration and rates of integrals included: the new end becomes the state.
  void accept(double t, const Eigen::VectorXd& displacement, const Eigen::VectorXd& v,
              const Eigen::VectorXd& integrals, const Eigen::VectorXd& a, const Eigen::VectorXd& rates) {
    end_at(t, displacement, v, integrals);
    to_.a = a;
    to_.rates = rates;
    system_.apply_prescribed(t, to_.q, to_.v);
    become_the_end();
  }

  /// Its parts, before acceleration and rates of the end are known, and after.
  void end_at(double t, const Eigen::VectorXd& displacement, const Eigen::VectorXd& v,
              const Eigen::VectorXd& integrals) {
    from_ = to_;
    displacement_ = displacement;
    to_.t = t;
    displace(system_.model(), from_.q, displacement_, to_.q);
    to_.v = v;
    to_.integrals = integrals;
    if (system_.has_loops()) {
      system_.close_loops(t, to_.q, to_.v);
      difference(system_.model(), from_.q, to_.q, displacement_);
    }
  }
  void become_the_end() {
    state_.t = to_.t;
    state_.y.head(system_.nq()) = to_.q;
    state_.y.segment(system_.nq(), system_.nv()) = to_.v;
    state_.y.tail(system_.integral_count()) = to_.integrals;
    ++statistics_.steps;
  }

  System& system_;
  StepEnd from_, to_;  ///< of the last step
  Eigen::VectorXd displacement_;
  IntegratorState state_;
  double end_ = 0.0, stop_ = 0.0;
  double longest_seen_ = 0.0;  ///< longest step that sees all inputs (Pace)
  IntegratorStatistics statistics_;

 private:
  Eigen::VectorXd displacement_rate_, q_, between_;
};

/// Where a step of fixed length ends.
struct FixedStep {
  double h;    ///< its length
  double end;  ///< the time at its end
};

/// Steps of one length, none longer than asked for nor than a quarter of what sees all inputs (nobody looks at the error of these steps), counted
/// backwards from the corner at which they end exactly: the first is the short one. So they follow from the corner alone, and a run that stops
/// in between, or goes on from an event, comes back to the same times, to the last bit.
inline FixedStep fixed_step_from(double t, double end, double asked_for, double longest_seen, double stop) {
  constexpr double rounding = 1e-9, least = 1e-6;  // of a step: what is one time; the shortest step
  const double longest = std::min(asked_for, 0.25 * longest_seen);
  const auto towards = [&](double to) {
    if (!std::isfinite(to)) return FixedStep{longest, t + longest};
    const double left = std::ceil((to - t) / longest - least) - 1.0;
    const double next = left > 0.0 ? to - left * longest : to;
    return FixedStep{next - t, next};
  };
  const FixedStep step = towards(end);
  return step.end <= stop + rounding * longest ? step : towards(stop);
}

}  // namespace limber
