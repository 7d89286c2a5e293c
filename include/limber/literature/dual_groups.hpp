// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The Lie groups G1 and G2 of Cibicik & Egeland: rotations and rigid motions whose elements are dual numbers
// (truncated.hpp). The paper writes them as real matrices twice the size,
//
//   [ a + eps b ] -> [a 0; b a]   of a matrix,      -> [a; b]   of a vector,                              (1)
//
// which turns products of dual numbers into products of matrices. So G1 (6 x 6) is SO(3) and G2 (7 x 7) is SE(3) over dual
// numbers, and every map below is the one of rotation.hpp taken with the truncated scalar:
//
//   G1:  exp(u) = exp[u],   Jl = Jl(u),   Ad(X) = X,   ad(u) = [u]x                        (8)-(13), (128)-(137)
//   G2:  exp(u, v) = (exp[u], Jl(u) v),    Ad(X, p) = [X 0; [p]x X  X],    ad(u, v) = [[u]x 0; [v]x [u]x]
//        Jl = [Jl(u) 0; Q Jl(u)],    Q = d/dt Jl(u) for du/dt = v                          (14)-(21), (138)-(145)
//
// The same trick once more gives Q: ad(u, v) is [u]x over dual numbers u + eps' v, and so is a series in it. The paper's
// closed form (144) of G1's Q is right, but loses its digits below 1e-3 rad; here all small-angle quotients are series.
// Numbers in parentheses are the paper's; (141) has a 1 at its bottom right.

#include "limber/core/export.hpp"
#include "limber/math/eigen.hpp"
#include "limber/math/rotation.hpp"
#include "limber/math/truncated.hpp"

namespace limber LIMBER_EXPORT {

///@{
/// Over dual numbers a + eps b.
using DualVector3 = Vector3<Truncated>;
using DualMatrix3 = Matrix3<Truncated>;
///@}
///@{
/// Sizes of real forms.
using Matrix6d = Eigen::Matrix<double, 6, 6>;
using Vector6d = Eigen::Matrix<double, 6, 1>;
using Vector12d = Eigen::Matrix<double, 12, 1>;
using Matrix12d = Eigen::Matrix<double, 12, 12>;
///@}

/// real + eps dual
DualVector3 dual_vector(const Eigen::Vector3d& real, const Eigen::Vector3d& dual);
/// The same of a matrix.
DualMatrix3 dual_matrix(const Eigen::Matrix3d& real, const Eigen::Matrix3d& dual);

///@{
/// (1), and back. From a matrix: its left column of blocks.
Vector6d real_form(const DualVector3& a);
Matrix6d real_form(const DualMatrix3& A);
DualVector3 dual_form(const Vector6d& a);
DualMatrix3 dual_form(const Matrix6d& A);
///@}

/// Dual rotations, (8): A + eps [theta]x A.
class G1 {
 public:
  using Tangent = Vector6d;  ///< real, then dual part of a rotation vector
  ///@{
  /// Real forms, 6 x 6.
  using Jacobian = Matrix6d;
  using Matrix = Matrix6d;
  ///@}

  G1() : R_(DualMatrix3::Identity()) {}
  /// From a rotation matrix of dual numbers, taken as it is.
  explicit G1(const DualMatrix3& R) : R_(R) {}
  /// From A and theta.
  G1(const Eigen::Matrix3d& A, const Eigen::Vector3d& theta);
  /// From its real form.
  static G1 from_matrix(const Matrix& X) { return G1(dual_form(X)); }

  /// As dual numbers.
  const DualMatrix3& dual() const { return R_; }
  /// Its real form.
  Matrix matrix() const { return real_form(R_); }
  /// The rotation `other`, then this one.
  G1 operator*(const G1& other) const { return G1(DualMatrix3(R_ * other.R_)); }
  /// Its transpose.
  G1 inverse() const { return G1(DualMatrix3(R_.transpose())); }

  /// [u]x in its real form.
  static Matrix hat(const Tangent& u);
  /// The inverse of hat().
  static Tangent vee(const Matrix& U);
  /// Of a dual rotation vector.
  static G1 exp(const Tangent& u);
  Tangent log() const;  ///< real part of length <= pi
  /// Turns right velocities into left ones: X itself.
  Jacobian Ad() const { return matrix(); }
  /// The derivative of Ad: [u]x.
  static Jacobian ad(const Tangent& u) { return hat(u); }
  /// d/dt exp(u) = hat(Jl du/dt) exp(u)
  static Jacobian left_jacobian(const Tangent& u);
  /// Its inverse.
  static Jacobian left_jacobian_inverse(const Tangent& u);
  /// (9), (10): dX/dt = X hat(right velocity).
  Tangent right_velocity(const Matrix& rate) const { return vee(inverse().matrix() * rate); }

 private:
  DualMatrix3 R_;
};

/// Dual homogeneous transformations, (14).
class G2 {
 public:
  using Tangent = Vector12d;  ///< dual rotation vector, then dual translation, (56)
  ///@{
  /// Real forms of linear maps of tangents, and of the transformation itself.
  using Jacobian = Matrix12d;
  using Matrix = Eigen::Matrix<double, 7, 7>;
  ///@}

  G2() : p_(DualVector3::Zero()) {}
  /// From rotation and translation.
  G2(const G1& X, const DualVector3& p) : X_(X), p_(p) {}
  /// From its real form.
  static G2 from_matrix(const Matrix& Y);

  /// Of G1.
  const G1& rotation() const { return X_; }
  /// As a dual vector.
  const DualVector3& translation() const { return p_; }
  /// Its real form, (14).
  Matrix matrix() const;
  /// The transformation `other`, then this one.
  G2 operator*(const G2& other) const { return {X_ * other.X_, p_ + X_.dual() * other.p_}; }
  /// The transformation back.
  G2 inverse() const;

  /// A tangent as an element of the algebra, in its real form.
  static Matrix hat(const Tangent& t);
  /// The inverse of hat().
  static Tangent vee(const Matrix& T);
  /// (exp[u], Jl(u) v).
  static G2 exp(const Tangent& t);
  /// The inverse of exp(); real rotation of length <= pi.
  Tangent log() const;
  Jacobian Ad() const;  ///< (19)
  /// The derivative of Ad.
  static Jacobian ad(const Tangent& t);
  /// As that of G1, with Q below the diagonal.
  static Jacobian left_jacobian(const Tangent& t);
  /// Its inverse.
  static Jacobian left_jacobian_inverse(const Tangent& t);
  Tangent right_velocity(const Matrix& rate) const {
    return vee(inverse().matrix() * rate);
  }  ///< (15) to (17)

 private:
  G1 X_;
  DualVector3 p_;
};

}  // namespace limber
