// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Numbers as people would write them. Angles come as decimals and integrals from quadrature, so that a right angle's cosine is 6e-17 and
// the integral of x is 0.49999999999999994. In formulas these are 0 and 1/2.

#include <Eigen/Core>
#include <optional>

#include "limber/algorithms/detail/arm_work.hpp"
#include "limber/symbolic/expression.hpp"

namespace limber {

using namespace detail;

struct SmallFraction {
  long numerator;
  int denominator;
};

/// The fraction in lowest terms that a number is, but for rounding: with a denominator of at most `largest`.
std::optional<SmallFraction> small_fraction(double value, int largest_denominator);

/// That fraction, or the number as it is. Denominators up to 420: integrals of products of cubics have them.
double without_rounding(double value);

/// A rotation: entries that differ from 0, 1/2 and 1 by rounding only are these.
Eigen::Matrix3d without_rounding(const Eigen::Matrix3d& R);

/// Directions, places and bodies of a link that is made of numbers.
void remove_rounding(LinkWork<Expression>& link);

}  // namespace limber
