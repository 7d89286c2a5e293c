// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The smallest of a smooth function under smooth constraints, of many unknowns of which each constraint sees few:
//
//   smallest f(x)   with   lower <= x <= upper   and   g_lower <= g(x) <= g_upper                        (1)
//
// by Ipopt's interior-point method (A. Waechter and L. T. Biegler, Math. Program. 106 (2006), 25-57) with first and second derivatives as sparse matrices.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "limber/core/export.hpp"
#include "limber/core/input_error.hpp"
#include "limber/math/eigen.hpp"

namespace limber LIMBER_EXPORT {

/// A sparse matrix as a list; entries that stand twice add up. Who fills it does so in the same order every time.
class SparseEntries {
 public:
  /// Empties it; what it has allocated stays.
  void clear() {
    rows.clear();
    columns.clear();
    values.clear();
  }
  /// One more.
  void add(int row, int column, double value) {
    rows.push_back(row);
    columns.push_back(column);
    values.push_back(value);
  }

  std::vector<int> rows, columns;  ///< places
  std::vector<double> values;      ///< as many
};

/// (1), as whoever solves it asks for it.
class NonlinearProgram {
 public:
  /// Infinite where there is no bound.
  struct Bounds {
    Eigen::VectorXd lower, upper;      ///< of x
    Eigen::VectorXd g_lower, g_upper;  ///< of g
  };
  using Point = Eigen::Ref<const Eigen::VectorXd>;  ///< x, or multipliers of g

  virtual ~NonlinearProgram() = default;
  /// How many x and g there are, too.
  virtual Bounds bounds() const = 0;
  /// Where to begin.
  virtual Eigen::VectorXd start() const = 0;
  /// f.
  virtual double objective(const Point& x) = 0;
  /// df/dx.
  virtual void gradient(const Point& x, Eigen::Ref<Eigen::VectorXd> slopes) = 0;
  /// g.
  virtual void constraints(const Point& x, Eigen::Ref<Eigen::VectorXd> g) = 0;
  /// dg/dx.
  virtual void jacobian(const Point& x, SparseEntries& entries) = 0;
  /// Second derivatives of factor f + multipliers . g: the lower triangle.
  virtual void hessian(const Point& x, double factor, const Point& multipliers, SparseEntries& entries) = 0;
};

/// How far a solution is.
struct SolverProgress {
  int iteration = 0;       ///< from 0 on
  double objective = 0.0;  ///< f
  double violation = 0.0;  ///< of constraints, the largest
};

/// How to solve it.
struct SolverOptions {
  double tolerance = 1e-8;                                   ///< of optimality and of constraints
  int iterations = 500;                                      ///< at most
  std::function<void(const SolverProgress&)> progress = {};  ///< called in every iteration
};

/// How it ended.
enum class SolverEnd { solved, nearly_solved, infeasible, too_many_iterations, failed };

/// What was found.
struct SolverOutcome {
  Eigen::VectorXd x;                  ///< the last point; of what was solved the best
  double objective = 0.0;             ///< there
  double violation = 0.0;             ///< of constraints there, the largest
  int iterations = 0;                 ///< how many it took
  SolverEnd end = SolverEnd::failed;  ///< how it ended
  std::string words = {};             ///< the same in words

  /// Whether x can be used.
  bool is_solved() const { return end == SolverEnd::solved || end == SolverEnd::nearly_solved; }
};

/// Nothing, or that this library was built without Ipopt.
std::optional<Problem> why_no_solver();

/// Throws InputError where the library was built without Ipopt, Interrupted where somebody asked to stop, and whatever the program throws.
SolverOutcome solve(NonlinearProgram& program, const SolverOptions& options = {});

}  // namespace limber
