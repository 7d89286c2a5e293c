// SPDX-License-Identifier: BSD-3-Clause
#include "exact_numbers.hpp"

#include <algorithm>
#include <cmath>

namespace limber {

using namespace detail;

namespace {

constexpr double rounding = 1e-14;
constexpr double last_digit = 1e-15;  // of a direction's components

// Of a number whose natural size is 1.
double direction_without_rounding(double value) {
  for (const double exact : {0.0, 0.5, 1.0})
    if (std::abs(std::abs(value) - exact) < last_digit) return std::copysign(exact, value);
  return value;
}

double value_of(Expression e) { return Graph::current()[e].value; }
bool is_number(Expression e) { return Graph::current().is_constant(e.node()); }

void make_exact(Vec3<Expression>& direction) {
  for (int i = 0; i < 3; ++i)
    if (is_number(direction[i]))
      direction.set(i, Expression(direction_without_rounding(value_of(direction[i]))));
}
void make_exact(Mat3<Expression>& R) {
  for (Vec3<Expression>& column : R.columns) make_exact(column);
}

// What is nothing beside the largest of them.
void drop_rounding(Vec3<Expression>* vectors, int count) {
  double largest = 0.0;
  for (int i = 0; i < 3 * count; ++i) {
    const Expression e = vectors[i / 3][i % 3];
    if (!is_number(e)) return;
    largest = std::max(largest, std::abs(value_of(e)));
  }
  for (int i = 0; i < 3 * count; ++i)
    if (std::abs(value_of(vectors[i / 3][i % 3])) < last_digit * largest)
      vectors[i / 3].set(i % 3, Expression());
}

// The field's numbers of a telescoping beam, as polynomials of x give them: what is nothing beside the same number at other places is nothing.
void make_exact(TelescopeWork<Expression>& telescope) {
  constexpr double of_polynomials = 1e-13;
  const std::size_t numbers = 3 * static_cast<std::size_t>(telescope.block);
  for (std::size_t number = 0; number < numbers; ++number)
    for (int axis = 0; axis < 3; ++axis) {
      double largest = 0.0;
      for (std::size_t at = number; at < telescope.units.size(); at += numbers)
        largest = std::max(largest, std::abs(value_of(telescope.units[at][axis])));
      for (std::size_t at = number; at < telescope.units.size(); at += numbers) {
        const double value = value_of(telescope.units[at][axis]);
        telescope.units[at].set(
            axis, Expression(std::abs(value) < of_polynomials * largest ? 0.0 : without_rounding(value)));
      }
    }
}

}  // namespace

// By the continued fraction, whose convergents are the best that denominators of their size can do.
std::optional<SmallFraction> small_fraction(double value, int largest_denominator) {
  constexpr double largest_numerator = 1e4;
  const double size = std::abs(value);
  if (!(size > 0.0) || size > largest_numerator) return {};
  double left = size, n = 1.0, n_before = 0.0, d = 0.0, d_before = 1.0;
  for (;;) {
    const double whole = std::floor(left * (1.0 + rounding));
    const double next_n = whole * n + n_before, next_d = whole * d + d_before;
    if (next_n > largest_numerator || next_d > largest_denominator) return {};
    n_before = n, n = next_n, d_before = d, d = next_d;
    if (n > 0.0 && std::abs(size * d - n) <= rounding * n)
      return SmallFraction{static_cast<long>(std::copysign(n, value)), static_cast<int>(d)};
    if (left - whole <= 0.0) return {};
    left = 1.0 / (left - whole);
  }
}

double without_rounding(double value) {
  constexpr int largest_denominator = 420;
  const auto fraction = small_fraction(value, largest_denominator);
  return fraction ? static_cast<double>(fraction->numerator) / fraction->denominator : value;
}

Eigen::Matrix3d without_rounding(const Eigen::Matrix3d& R) {
  return R.unaryExpr([](double x) { return direction_without_rounding(x); });
}

void remove_rounding(LinkWork<Expression>& link) {
  make_exact(link.R_NR0);
  make_exact(link.R_BR);
  for (Mat3<Expression>& part : link.turning) make_exact(part);
  for (Vec3<Expression>& axis : link.axes) make_exact(axis);
  drop_rounding(&link.p_NJ, 1);
  drop_rounding(&link.p_BR_R, 1);
  for (int j = 0; j < link.joint_nv; ++j) {
    make_exact(link.S[j].angular);
    drop_rounding(&link.S[j].linear, 1);
  }
  drop_rounding(&link.rigid.moment, 1);
  drop_rounding(link.rigid.inertia.columns, 3);
  make_exact(link.telescope);
}

}  // namespace limber
