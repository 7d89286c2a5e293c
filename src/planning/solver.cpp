// SPDX-License-Identifier: BSD-3-Clause
#include <IpStdCInterface.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <memory>
#include <type_traits>

#include "limber/core/interruption.hpp"
#include "limber/planning/nonlinear_program.hpp"

namespace limber {
namespace {

using Values = Eigen::Map<const Eigen::VectorXd>;

/// What Ipopt's C calls come to. Nothing may be thrown through them: it is kept, and thrown once Ipopt has returned.
class Solver {
 public:
  Solver(NonlinearProgram& program, const SolverOptions& options)
      : program_(program), options_(options), bounds_(program.bounds()), x_(program.start()) {
    program_.jacobian(x_, jacobian_);
    program_.hessian(x_, 1.0, Eigen::VectorXd::Ones(bounds_.g_lower.size()), hessian_);
  }

  SolverOutcome run();

 private:
  template <typename Action>
  Bool guarded(Action&& action) noexcept {
    if (thrown_) return 0;
    try {
      action();
      return 1;
    } catch (...) {
      thrown_ = std::current_exception();
      return 0;
    }
  }
  Values point(const Number* x) const { return {x, x_.size()}; }
  static Solver& of(UserDataPtr data) { return *static_cast<Solver*>(data); }

  static Bool objective(Index, Number* x, Bool, Number* f, UserDataPtr data) {
    Solver& self = of(data);
    return self.guarded([&] { *f = self.program_.objective(self.point(x)); });
  }
  static Bool gradient(Index n, Number* x, Bool, Number* slopes, UserDataPtr data) {
    Solver& self = of(data);
    return self.guarded(
        [&] { self.program_.gradient(self.point(x), Eigen::Map<Eigen::VectorXd>(slopes, n)); });
  }
  static Bool constraints(Index, Number* x, Bool, Index m, Number* g, UserDataPtr data) {
    Solver& self = of(data);
    return self.guarded([&] { self.program_.constraints(self.point(x), Eigen::Map<Eigen::VectorXd>(g, m)); });
  }
  static Bool jacobian(Index, Number* x, Bool, Index, Index, Index* rows, Index* columns, Number* values,
                       UserDataPtr data) {
    Solver& self = of(data);
    return self.guarded([&] {
      if (values) {
        self.jacobian_.clear();
        self.program_.jacobian(self.point(x), self.jacobian_);
      }
      hand_over(self.jacobian_, rows, columns, values);
    });
  }
  static Bool hessian(Index, Number* x, Bool, Number factor, Index m, Number* multipliers, Bool, Index,
                      Index* rows, Index* columns, Number* values, UserDataPtr data) {
    Solver& self = of(data);
    return self.guarded([&] {
      if (values) {
        self.hessian_.clear();
        self.program_.hessian(self.point(x), factor, Values(multipliers, m), self.hessian_);
      }
      hand_over(self.hessian_, rows, columns, values);
    });
  }
  static void hand_over(const SparseEntries& entries, Index* rows, Index* columns, Number* values) {
    if (values) {
      std::copy(entries.values.begin(), entries.values.end(), values);
    } else {
      std::copy(entries.rows.begin(), entries.rows.end(), rows);
      std::copy(entries.columns.begin(), entries.columns.end(), columns);
    }
  }
  static Bool look(Index, Index iteration, Number f, Number violation, Number, Number, Number, Number, Number,
                   Number, Index, UserDataPtr data) {
    Solver& self = of(data);
    return self.guarded([&] {
      self.iterations_ = iteration;
      self.violation_ = violation;
      stop_if_asked();
      if (self.options_.progress) self.options_.progress({iteration, f, violation});
    });
  }

  NonlinearProgram& program_;
  const SolverOptions& options_;
  NonlinearProgram::Bounds bounds_;
  Eigen::VectorXd x_;
  SparseEntries jacobian_, hessian_;
  int iterations_ = 0;
  double violation_ = 0.0;
  std::exception_ptr thrown_;
};

SolverEnd end_of(ApplicationReturnStatus status) {
  switch (status) {
    case Solve_Succeeded:
      return SolverEnd::solved;
    case Solved_To_Acceptable_Level:
      return SolverEnd::nearly_solved;
    case Infeasible_Problem_Detected:
    case Restoration_Failed:
      return SolverEnd::infeasible;
    case Maximum_Iterations_Exceeded:
      return SolverEnd::too_many_iterations;
    default:
      return SolverEnd::failed;
  }
}

std::string words_of(SolverEnd end, double tolerance, int iterations) {
  switch (end) {
    case SolverEnd::solved:
      return fmt::format("Ipopt: converged to {:g}", tolerance);
    case SolverEnd::nearly_solved:
      return fmt::format("Ipopt: a point that keeps to all constraints after {} iterations, not the best yet",
                         iterations);
    case SolverEnd::infeasible:
      return "Ipopt: found no point that keeps to all constraints";
    case SolverEnd::too_many_iterations:
      return fmt::format("Ipopt: not converged after {} iterations", iterations);
    case SolverEnd::failed:
      break;
  }
  return "Ipopt: gave up";
}

SolverOutcome Solver::run() {
  constexpr double infinite = 2e19;  // Ipopt's
  for (Eigen::VectorXd* bound : {&bounds_.lower, &bounds_.upper, &bounds_.g_lower, &bounds_.g_upper})
    *bound = bound->cwiseMax(-infinite).cwiseMin(infinite);
  const std::unique_ptr<std::remove_pointer_t<IpoptProblem>, decltype(&FreeIpoptProblem)> holder(
      CreateIpoptProblem(static_cast<Index>(x_.size()), bounds_.lower.data(), bounds_.upper.data(),
                         static_cast<Index>(bounds_.g_lower.size()), bounds_.g_lower.data(),
                         bounds_.g_upper.data(), static_cast<Index>(jacobian_.values.size()),
                         static_cast<Index>(hessian_.values.size()), 0, &Solver::objective,
                         &Solver::constraints, &Solver::gradient, &Solver::jacobian, &Solver::hessian),
      FreeIpoptProblem);
  const IpoptProblem problem = holder.get();
  const auto say = [&](std::string key, std::string value) {
    AddIpoptStrOption(problem, key.data(), value.data());
  };
  const auto set = [&](std::string key, double value) { AddIpoptNumOption(problem, key.data(), value); };
  const auto count = [&](std::string key, int value) { AddIpoptIntOption(problem, key.data(), value); };
  count("print_level", 0);
  say("sb", "yes");
  count("max_iter", options_.iterations);
  set("tol", options_.tolerance);
  set("acceptable_tol", 100.0 * options_.tolerance);
  // Unknowns come in the arm's own sizes: bounds are kept to the last digit, and not loosened.
  set("bound_relax_factor", 0.0);
  say("mu_strategy", "adaptive");
  SetIntermediateCallback(problem, &Solver::look);

  SolverOutcome outcome;
  const ApplicationReturnStatus status =
      IpoptSolve(problem, x_.data(), nullptr, &outcome.objective, nullptr, nullptr, nullptr, this);
  if (thrown_) std::rethrow_exception(thrown_);
  outcome.x = x_;
  outcome.iterations = iterations_;
  outcome.violation = violation_;
  outcome.end = end_of(status);
  // A long valley: what it has come to is as good a point as any on the way, and keeps to all constraints.
  constexpr double kept = 1e-4;
  if (outcome.end == SolverEnd::too_many_iterations && violation_ < kept)
    outcome.end = SolverEnd::nearly_solved;
  outcome.words = words_of(outcome.end, options_.tolerance, iterations_);
  return outcome;
}

}  // namespace

std::optional<Problem> why_no_solver() { return std::nullopt; }

SolverOutcome solve(NonlinearProgram& program, const SolverOptions& options) {
  return Solver(program, options).run();
}

}  // namespace limber
