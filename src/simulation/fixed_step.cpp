// SPDX-License-Identifier: BSD-3-Clause
// Explicit methods with a fixed step: forward Euler, and the classical Runge-Kutta method of order 4.
//
// Displacement z from where the step begins, velocity v, integrals: their rates are displacement_rate(z, v), the
// acceleration, and those of the integrals.

#include "asking.hpp"

namespace limber {
namespace {

using Eigen::VectorXd;

class ExplicitFixedStep : public AskingIntegrator {
 public:
  ExplicitFixedStep(System& system, double step, bool is_euler)
      : AskingIntegrator(system), is_euler_(is_euler), longest_(step), q_(system.nq()) {
    for (Rates& k : k_) k = {VectorXd(system.nv()), VectorXd(system.nv()), VectorXd(system.integral_count())};
  }
  const char* name() const override { return is_euler_ ? integrators::Euler::type : integrators::Rk4::type; }

  void begin_step() override {
    next_ = fixed_step_from(state_.t, end_, longest_, longest_seen_, stop_);
    k_[0].z = to_.v;
    k_[0].v = to_.a;
    k_[0].integrals = to_.rates;
    stage_ = 0;
    if (is_euler_) {
      sum_ = k_[0];
      ask_at_the_end();
    } else {
      ask_after(0.5 * next_.h);
    }
  }

 private:
  struct Rates {
    VectorXd z, v, integrals;
  };

  void go_on() override {
    if (stage_ == stages) return become_the_end();
    displacement_rate(system_.model(), z_, v_, k_[stage_].z);
    if (stage_ < 3) return ask_after(stage_ == 2 ? next_.h : 0.5 * next_.h);
    sum_.z = (k_[0].z + 2.0 * k_[1].z + 2.0 * k_[2].z + k_[3].z) / 6.0;
    sum_.v = (k_[0].v + 2.0 * k_[1].v + 2.0 * k_[2].v + k_[3].v) / 6.0;
    sum_.integrals =
        (k_[0].integrals + 2.0 * k_[1].integrals + 2.0 * k_[2].integrals + k_[3].integrals) / 6.0;
    ask_at_the_end();
  }

  // The rates of the next stage: after the time dt along the slope of the last one.
  void ask_after(double dt) {
    const Rates& slope = k_[stage_++];
    z_ = dt * slope.z;
    v_ = to_.v + dt * slope.v;
    displace(system_.model(), to_.q, z_, q_);
    integrals_ = to_.integrals + dt * slope.integrals;
    ask(to_.t + dt, q_, v_, integrals_, k_[stage_].v, k_[stage_].integrals);
  }
  void ask_at_the_end() {
    stage_ = stages;
    z_ = next_.h * sum_.z;
    v_ = to_.v + next_.h * sum_.v;
    integrals_ = to_.integrals + next_.h * sum_.integrals;
    end_at(next_.end, z_, v_, integrals_);
    ask_there();
  }

  static constexpr int stages = 4;
  bool is_euler_;
  double longest_;
  FixedStep next_{};
  int stage_ = 0;          ///< of the rates that are asked for; `stages`: the end
  Rates k_[stages], sum_;  // NOLINT
  VectorXd z_, v_, q_, integrals_;
};

}  // namespace

std::unique_ptr<Integrator> integrators::Rk4::make(System& system, const IntegratorDescription&) const {
  return std::make_unique<ExplicitFixedStep>(system, step, false);
}
std::unique_ptr<Integrator> integrators::Euler::make(System& system, const IntegratorDescription&) const {
  return std::make_unique<ExplicitFixedStep>(system, step, true);
}

}  // namespace limber
