// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What the templates of spatial.hpp ask of three-vectors and 3x3 matrices beyond sums and products, for Eigen's; lanes.hpp has the same for
// its own.

#include "limber/math/detail/inline.hpp"
#include "limber/math/types.hpp"

namespace limber::detail {

/// The scalar and the 3x3 matrix that belong to a kind of three-vector.
template <typename Vector>
struct Algebra;

template <typename Number>
struct Algebra<Eigen::Matrix<Number, 3, 1>> {
  using Scalar = Number;
  using Matrix = Matrix3<Number>;
  static Vector3<Number> zero() { return Vector3<Number>::Zero(); }
  static Matrix zeros() { return Matrix::Zero(); }
  /// s 1
  static Matrix scaled_identity(const Number& s) { return s * Matrix::Identity(); }
};

template <typename Scalar>
Vector3<Scalar> cross(const Vector3<Scalar>& a, const Vector3<Scalar>& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
/// a.b + c.d
template <typename Scalar>
Scalar dot(const Vector3<Scalar>& a, const Vector3<Scalar>& b, const Vector3<Scalar>& c,
           const Vector3<Scalar>& d) {
  return a.dot(b) + c.dot(d);
}
/// a b^T
template <typename Scalar>
Matrix3<Scalar> outer(const Vector3<Scalar>& a, const Vector3<Scalar>& b) {
  return a * b.transpose();
}

}  // namespace limber::detail
