// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Radau IIA of order 5, 9 or 13, whichever serves (Hairer & Wanner, Stiff differential equations solved by Radau methods, J. Comput. Appl.
// Math. 111, 1999): smooth motion takes longer steps of a higher order, and what is not smooth shorter ones of a lower. That the
// motion is smooth over a step is seen by Newton's iteration, whose matrix is that of the step's beginning: where it converges fast, and
// the step length is steady, a higher order is tried; where it hardly converges, or fails and does so of half the step, too, a lower one is taken.

#include <array>
#include <memory>

#include "radau_method.hpp"

namespace limber {
namespace {

std::unique_ptr<RadauOrder> make_radau(System& system, const IntegratorDescription& all,
                                       const std::optional<double>& max_step, int stages,
                                       const std::shared_ptr<StageForces>& stage_forces) {
  if (stages == 3) return std::make_unique<Radau<3>>(system, all, max_step, stage_forces);
  if (stages == 5) return std::make_unique<Radau<5>>(system, all, max_step, stage_forces);
  return std::make_unique<Radau<7>>(system, all, max_step, stage_forces);
}

class VariableRadau : public Integrator {
 public:
  VariableRadau(System& system, const IntegratorDescription& description,
                const std::optional<double>& max_step) {
    const auto stage_forces = std::make_shared<StageForces>(system);
    for (int i = 0; i < orders; ++i)
      methods_[i] = make_radau(system, description, max_step, 3 + 2 * i, stage_forces);
  }
  const char* name() const override { return integrators::VariableRadau::type; }

  void start(const IntegratorState& state, double end) override {
    // The order at which it had arrived, or the lowest.
    const double arrived = state.auxiliary.size() == 1 ? state.auxiliary[0] : 0.0;
    now_ = next_ = arrived >= 1.0 ? std::min(static_cast<int>(arrived), orders - 1) : 0;
    steps_here_ = 0;
    contraction_ = 1.0;
    now().start(state, end);
    remember();
  }
  using Integrator::limit_steps;
  void limit_steps(double end, double longest, double stop) override {
    now().limit_steps(end, longest, stop);
  }

  void step() override {
    if (next_ != now_) {
      RadauOrder& before = now();
      now_ = next_;
      now().go_on_from(before);
      steps_here_ = 0;
      contraction_ = 1.0;
    }
    now().step();
    choose();
    remember();
  }
  const IntegratorState& state() const override { return methods_[now_]->state(); }
  void interpolate(double t, Eigen::VectorXd& y) override { now().interpolate(t, y); }

  IntegratorStatistics statistics() const override {
    IntegratorStatistics all;
    for (const auto& method : methods_) {
      const IntegratorStatistics one = method->statistics();
      all.steps += one.steps;
      all.rejected += one.rejected;
      all.newton_iterations += one.newton_iterations;
    }
    return all;
  }

 private:
  static constexpr int orders = 3;

  RadauOrder& now() { return *methods_[now_]; }
  void remember() { now().set_auxiliary(next_); }

  // Constants of Hairer and Wanner's RADAU.
  void choose() {
    constexpr double fast = 0.002, slow = 0.8;             // convergence
    constexpr double steady_low = 0.8, steady_high = 1.2;  // growth of the step
    constexpr int enough_steps = 10;                       // before another change
    const RadauOrder::Course& course = now().course();
    ++steps_here_;
    contraction_ = 0.5 * (contraction_ + course.contraction);
    // Where the iteration failed, and of half the step converges so fast that it does not even want a new tangent, the step was too long, not the order
    // too high.
    const bool fails = course.failed && course.contraction > RadauOrder::slow_convergence;
    if ((fails || contraction_ >= slow) && steps_here_ > 1)
      next_ = std::max(now_ - 1, 0);
    else if (contraction_ <= fast && steps_here_ >= enough_steps && course.growth > steady_low &&
             course.growth < steady_high)
      next_ = std::min(now_ + 1, orders - 1);
  }

  std::array<std::unique_ptr<RadauOrder>, orders> methods_;
  int now_ = 0, next_ = 0, steps_here_ = 0;
  double contraction_ = 1.0;  ///< over the last steps
};

}  // namespace
}  // namespace limber
