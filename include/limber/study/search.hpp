// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Looks for the best numbers between bounds:
//
//   smallest f(x)   with   0 <= x_i <= 1   and   g_j(x) <= 0                                             (1)
//
// by algorithms of the library NLopt (S. G. Johnson, github.com/stevengj/nlopt):
//
//   gradient          SLSQP: sequential quadratic programming (D. Kraft, ACM Trans. Math. Softw. 20 (1994), 262-281). Local. Derivatives are those that
//                     the problem knows, and where it knows none central differences, at a bound those of second order to one side,
//                       df/dx_i = (f(x + h e_i) - f(x - h e_i)) / 2h + O(h^2)                            (2)
//                     with h = 1e-4: what is lost by that is h^2 = 1e-8 of f's third derivative, and as much by functions that are computed to
//                     twelve digits (1e-12 / h).
//   derivative-free   COBYLA: linear interpolation in a region of trust (M. J. D. Powell, 1994). Local.
//   global            ISRES: evolution with stochastic ranking (T. P. Runarsson and X. Yao, IEEE Trans. Syst. Man Cybern. C 35 (2005), 233-243), with three
//                     quarters of the evaluations; COBYLA from what that has found with the rest.
//
// What is found is the best of all points that were evaluated: the smallest f of those with g <= tolerance.

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "limber/core/export.hpp"
#include "limber/core/input_error.hpp"
#include "limber/io/study_file.hpp"
#include "limber/math/eigen.hpp"

namespace limber LIMBER_EXPORT {

/// f and g of (1) at a point.
struct SearchValue {
  double objective = 0.0;       ///< f
  Eigen::VectorXd constraints;  ///< g

  /// The largest g; 0 where all are kept.
  double violation() const { return constraints.size() > 0 ? std::max(0.0, constraints.maxCoeff()) : 0.0; }
};

/// Their derivatives by x.
struct SearchSlopes {
  Eigen::VectorXd objective;    ///< of f
  Eigen::MatrixXd constraints;  ///< of g: g x x
};

/// What is asked for.
struct SearchProblem {
  Eigen::VectorXd start;         ///< from 0 to 1 each
  Eigen::Index constraints = 0;  ///< how many g there are
  /// At each of these points; none where it cannot be computed. Points of one call may be computed at once. What is thrown ends the search.
  std::function<std::vector<std::optional<SearchValue>>(const std::vector<Eigen::VectorXd>&)> evaluate;
  /// Derivatives at a point, where there are better ones than differences; none: differences there. Counts as 2 n evaluations. May be empty.
  std::function<std::optional<SearchSlopes>(const Eigen::VectorXd&)> slopes = {};
};

/// How to look.
struct SearchOptions {
  SearchMethod method = SearchMethod::gradient;  ///< not automatic
  double tolerance = 1e-6;                       ///< of x, of f relatively, and of g
  int evaluations = 2000;                        ///< at most
  std::uint64_t seed = 1;                        ///< of what is random in `global`
};

/// What was found.
struct SearchOutcome {
  Eigen::VectorXd x;                      ///< the best
  std::optional<SearchValue> value = {};  ///< there; none: nothing could be computed
  bool is_feasible = false;               ///< whether all g are kept to
  int evaluations =
      0;  ///< how many points were asked for, those of differences (or 2 n for known slopes) included
  std::string end;  ///< by which algorithm, and why it ended, in words
};

/// Nothing, or that this library was built without NLopt.
std::optional<Problem> why_no_search();

/// Throws InputError where the library was built without NLopt, and whatever `evaluate` throws.
SearchOutcome search(const SearchProblem& problem, const SearchOptions& options);

}  // namespace limber
