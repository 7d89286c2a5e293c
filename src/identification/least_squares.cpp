// SPDX-License-Identifier: BSD-3-Clause
// The only source that includes Ceres.

#include "limber/identification/least_squares.hpp"

#include <ceres/cost_function.h>
#include <ceres/problem.h>
#include <ceres/solver.h>

#include <cmath>
#include <exception>
#include <utility>
#include <vector>

#include "limber/core/computation_error.hpp"

namespace limber {
namespace {

using Eigen::VectorXd;

/// All residuals in one block of one parameter: who computes them is asked once at each point, slopes included, for the method looks at a point first and wants
/// its slopes when it has gone there; where it has not, it goes on from one of the points before.
class Cost : public ceres::CostFunction {
 public:
  Cost(const LeastSquaresProblem& problem, Residuals first) : problem_(problem) {
    set_num_residuals(static_cast<int>(first.values.size()));
    mutable_parameter_block_sizes()->push_back(static_cast<int>(problem.start.size()));
    known_.emplace_back(problem.start, std::move(first));
  }

  bool Evaluate(const double* const* parameters, double* residuals, double** slopes) const override {
    if (thrown_) return false;
    const VectorXd x = Eigen::Map<const VectorXd>(parameters[0], problem_.start.size());
    const std::optional<Residuals>* found = nullptr;
    try {
      found = &at(x);
    } catch (...) {
      thrown_ = std::current_exception();
      return false;
    }
    if (!*found) return false;
    Eigen::Map<VectorXd>(residuals, (*found)->values.size()) = (*found)->values;
    if (slopes && slopes[0])
      Eigen::Map<Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(
          slopes[0], (*found)->slopes.rows(), (*found)->slopes.cols()) = (*found)->slopes;
    return true;
  }

  const std::optional<Residuals>& at(const VectorXd& x) const {
    for (const auto& [point, residuals] : known_)
      if (point == x) return residuals;
    constexpr std::size_t kept = 4;
    if (known_.size() == kept) known_.erase(known_.begin());
    ++evaluations_;
    known_.emplace_back(x, problem_.evaluate(x));
    return known_.back().second;
  }
  int evaluations() const { return evaluations_; }
  std::exception_ptr thrown() const { return thrown_; }

 private:
  const LeastSquaresProblem& problem_;
  mutable std::vector<std::pair<VectorXd, std::optional<Residuals>>> known_;  ///< the last points
  mutable std::exception_ptr thrown_ = nullptr;
  mutable int evaluations_ = 1;  ///< that of the start
};

const char* words(ceres::TerminationType end) {
  switch (end) {
    case ceres::CONVERGENCE:
      return "converged";
    case ceres::NO_CONVERGENCE:
      return "the most iterations";
    case ceres::FAILURE:
      return "no step brought the sum of squares down";
    default:
      return "stopped";
  }
}

}  // namespace

std::optional<Problem> why_no_least_squares() { return std::nullopt; }

LeastSquaresOutcome least_squares(const LeastSquaresProblem& asked, const LeastSquaresOptions& how) {
  const std::optional<Residuals> first = asked.evaluate(asked.start);
  if (!first) throw ComputationError("what was measured cannot be computed at the start of the fit");
  Cost cost(asked, *first);
  std::vector<double> x(asked.start.begin(), asked.start.end());
  ceres::Problem::Options ownership;
  ownership.cost_function_ownership = ceres::DO_NOT_TAKE_OWNERSHIP;
  ceres::Problem problem(ownership);
  problem.AddResidualBlock(&cost, nullptr, x.data());
  for (int i = 0; i < asked.start.size(); ++i) {
    if (std::isfinite(asked.lower[i])) problem.SetParameterLowerBound(x.data(), i, asked.lower[i]);
    if (std::isfinite(asked.upper[i])) problem.SetParameterUpperBound(x.data(), i, asked.upper[i]);
  }
  ceres::Solver::Options options;
  options.linear_solver_type = ceres::DENSE_QR;
  options.function_tolerance = how.tolerance;
  options.gradient_tolerance = 0.0;
  options.parameter_tolerance = 1e-14;
  options.max_num_iterations = how.iterations;
  options.max_num_consecutive_invalid_steps = 20;
  options.max_num_line_search_step_size_iterations =
      0;  // a step that goes through a bound is cut there, not searched
  options.logging_type = ceres::SILENT;
  options.num_threads = 1;
  ceres::Solver::Summary summary;
  ceres::Solve(options, &problem, &summary);
  if (cost.thrown()) std::rethrow_exception(cost.thrown());
  LeastSquaresOutcome outcome;
  outcome.x = Eigen::Map<const VectorXd>(x.data(), asked.start.size());
  outcome.residuals = cost.at(outcome.x).value();
  outcome.iterations = static_cast<int>(summary.iterations.size()) - 1;
  outcome.evaluations = cost.evaluations();
  outcome.converged = summary.termination_type == ceres::CONVERGENCE;
  outcome.end = words(summary.termination_type);
  return outcome;
}

}  // namespace limber
