// SPDX-License-Identifier: BSD-3-Clause
// Explicit methods with a fixed step: forward Euler, and the classical Runge-Kutta method of order 4.
//
// Displacement z from where the step begins, velocity v, integrals: their rates are displacement_rate(z, v), the
// acceleration, and those of the integrals.

#include "one_step.hpp"

namespace limber {
namespace {

using Eigen::VectorXd;

class ExplicitFixedStep : public OneStepIntegrator {
 public:
  ExplicitFixedStep(System& system, double step, bool is_euler)
      : OneStepIntegrator(system), is_euler_(is_euler), longest_(step), q_(system.nq()) {
    for (Rates& k : k_) k = {VectorXd(system.nv()), VectorXd(system.nv()), VectorXd(system.integral_count())};
  }
  const char* name() const override { return is_euler_ ? integrators::Euler::type : integrators::Rk4::type; }

  void step() override {
    const auto [h, end] = fixed_step_from(state_.t, end_, longest_, longest_seen_, stop_);
    k_[0].z = to_.v;
    k_[0].v = to_.a;
    k_[0].integrals = to_.rates;
    if (is_euler_) {
      sum_ = k_[0];
    } else {
      evaluate_at(0.5 * h, k_[0], k_[1]);
      evaluate_at(0.5 * h, k_[1], k_[2]);
      evaluate_at(h, k_[2], k_[3]);
      sum_.z = (k_[0].z + 2.0 * k_[1].z + 2.0 * k_[2].z + k_[3].z) / 6.0;
      sum_.v = (k_[0].v + 2.0 * k_[1].v + 2.0 * k_[2].v + k_[3].v) / 6.0;
      sum_.integrals =
          (k_[0].integrals + 2.0 * k_[1].integrals + 2.0 * k_[2].integrals + k_[3].integrals) / 6.0;
    }
    z_ = h * sum_.z;
    v_ = to_.v + h * sum_.v;
    integrals_ = to_.integrals + h * sum_.integrals;
    accept(end, z_, v_, integrals_);
  }

 private:
  struct Rates {
    VectorXd z, v, integrals;
  };

  // Rates after the time dt along `slope`.
  void evaluate_at(double dt, const Rates& slope, Rates& rates) {
    z_ = dt * slope.z;
    v_ = to_.v + dt * slope.v;
    displace(system_.model(), to_.q, z_, q_);
    integrals_ = to_.integrals + dt * slope.integrals;
    system_.accelerate(to_.t + dt, q_, v_, integrals_, rates.v, rates.integrals);
    displacement_rate(system_.model(), z_, v_, rates.z);
  }

  bool is_euler_;
  double longest_;
  Rates k_[4], sum_;  // NOLINT
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
