// SPDX-License-Identifier: BSD-3-Clause
#include "limber/simulation/integrator.hpp"

#include <fmt/format.h>

#include "limber/analysis/well_posedness.hpp"
#include "limber/core/input_error.hpp"
#include "one_step.hpp"

namespace limber {

// Somebody else has chosen what it stands for (choose_method).
std::unique_ptr<Integrator> integrators::Automatic::make(System& system,
                                                         const IntegratorDescription& all) const {
  return VariableRadau{max_step}.make(system, all);
}

// Loops stay closed because every step is brought back to where they are: methods that remember steps before, and those of SUNDIALS, have no place for that.
void require_one_step(const Model& model, const IntegrationMethod& method) {
  if (model.loops().empty()) return;
  const bool keeps_past = std::holds_alternative<integrators::Bdf>(method) ||
                          std::holds_alternative<integrators::Adams>(method) ||
                          std::holds_alternative<integrators::Ida>(method) ||
                          std::holds_alternative<integrators::Rkmk4>(method) ||
                          std::holds_alternative<integrators::Erk>(method);
  if (keeps_past)
    throw InputError(Problem{
        "integrator.method", "auto, radau, rk4, generalized-alpha or euler for an arm with closed loops",
        fmt::format("`{}`", type_name(method)), "each step of these ends where the loops are closed"});
}

std::unique_ptr<Integrator> make_integrator(System& system, const IntegratorDescription& description) {
  require_one_step(system.model(), description.method);
  return std::visit([&](const auto& method) { return method.make(system, description); }, description.method);
}

FastestMotion fastest_motion(System& system) {
  const Eigen::VectorXd y = system.initial_state();
  Eigen::VectorXd q = y.head(system.nq()), v = y.segment(system.nq(), system.nv()), a(system.nv()), rates;
  const Eigen::VectorXd integrals = y.tail(system.integral_count());
  system.accelerate(0.0, q, v, integrals, a, rates);
  MotionOperators motions = system.motion_operators(0.0, q, v, integrals, a);
  return fastest_motion(motions);
}

namespace {

struct Rates {
  double fastest, slowest;
};

constexpr double no_motion = 1e-6;  // of the fastest: slower eigenvalues are zeros but for rounding

// All eigenvalues, where there are few. A motor that begins at its limit comes out of it, and then its gains count.
Rates rates_by_eigenvalues(System& system) {
  const int n = system.nv();
  const Eigen::VectorXd y = system.initial_state();
  Eigen::VectorXd q = y.head(system.nq()), v = y.segment(system.nq(), n), a(n), rates;
  const Eigen::VectorXd integrals = y.tail(system.integral_count());
  system.accelerate(0.0, q, v, integrals, a, rates);
  System::Tangent tangent;
  system.tangent(0.0, q, v, integrals, a, tangent, System::Motors::as_asked);
  const Eigen::VectorXcd eigenvalues = motion_eigenvalues(tangent.M, tangent.C, tangent.K);
  double fastest = 0.0;
  for (const auto& value : eigenvalues) fastest = std::max(fastest, std::abs(value));
  double slowest = fastest;
  for (const auto& value : eigenvalues)
    if (std::abs(value) > no_motion * fastest) slowest = std::min(slowest, std::abs(value));
  return {fastest, slowest};
}

// Estimates in O(n), where there are many: the slowest is at most as fast as this.
Rates rates_by_sweeps(System& system) {
  const FastestMotion fastest = fastest_motion(system);
  const Eigen::VectorXd q = system.initial_state().head(system.nq());
  const Eigen::VectorXd bending = locked_frequencies(system.model(), q, 1);
  const double slowest = bending.size() > 0 ? std::min(fastest.slowest, bending[0]) : fastest.slowest;
  return {fastest.rate, std::max(slowest, no_motion * fastest.rate)};
}

}  // namespace

// An explicit method must take about |fastest| steps per second whatever moves; an implicit one follows what moves,
// at a few times the price per step. Its motion is at most as fast as the slowest vibration, or (without one) as the
// controllers' and joints' own eigenvalues.
MethodChoice choose_method(System& system) {
  if (system.has_loops())
    return {integrators::VariableRadau{},
            "closed loops: a one-step method, whose every step ends where they are closed"};
  constexpr int most_for_eigenvalues = 100;
  const auto [fastest, slowest] =
      system.nv() <= most_for_eigenvalues ? rates_by_eigenvalues(system) : rates_by_sweeps(system);
  constexpr double ratio_for_implicit = 8.0;
  if (fastest > ratio_for_implicit * slowest)
    return {integrators::VariableRadau{},
            fmt::format(
                "stiff: the fastest mode ({:.3g} rad/s) is {:.3g} times as fast as the slowest; an implicit "
                "method need not follow it",
                fastest, fastest / slowest)};
  return {integrators::Erk{},
          fastest > 0.0
              ? fmt::format("not stiff: all modes lie between {:.3g} and {:.3g} rad/s", slowest, fastest)
              : std::string("not stiff: nothing vibrates")};
}

}  // namespace limber
