// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Sums over the points of a beam, found again in a graph.
//
// The rotary inertia of sections is summed over the points of a quadrature: seventeen terms that differ in their numbers alone,
//
//   S = Sum_k T(f_1[k], f_2[k], ...; q)                                                                       (1)
//
// A graph has them one by one. Two nodes have one *shape* where they are alike but for their numbers; what is added up in one sum and has one shape is a sum (1), whose
// T is the shape with columns f_j[k] in place of numbers that differ. Columns that are others times a number are those; so are products of two of them.
//
// Where T is a polynomial of what does not depend on k (always, if angles are of first order: no function of an angle is left), S is one as well,
//
//   T = Sum_m f_m[k] x_m,    S = Sum_m (Sum_k f_m[k]) x_m                                                     (2)
//
// and nothing has to be summed at every evaluation.

#include <vector>

#include "limber/symbolic/expression.hpp"

namespace limber::detail {

/// Numbers of the points, with a name.
struct PointColumn {
  Expression symbol;           ///< f_j[k]
  std::vector<double> values;  ///< one for each point
};

/// (1)
struct PointSum {
  Expression symbol;  ///< that stands for S
  Expression term;    ///< T, with symbols of columns
  int points;         ///< how many
};

/// Expressions with symbols in place of sums.
struct FoldedSums {
  std::vector<Expression> expressions;  ///< in the order in which they were asked for
  std::vector<PointSum> sums;           ///< those that are no polynomials (2)
  std::vector<PointColumn> columns;     ///< of these
};

/// Finds them. Without `with_functions` only those that become (2): no symbols are made then.
FoldedSums fold_point_sums(Graph& graph, const std::vector<Expression>& expressions, bool with_functions);

}  // namespace limber::detail
