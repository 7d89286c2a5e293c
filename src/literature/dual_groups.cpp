// SPDX-License-Identifier: BSD-3-Clause
#include "limber/literature/dual_groups.hpp"

namespace limber {
namespace {

// [A 0; B A] of dual 3 x 3 matrices, as real 12 x 12.
Matrix12d lower_blocks(const DualMatrix3& A, const DualMatrix3& B) {
  Matrix12d result = Matrix12d::Zero();
  result.topLeftCorner<6, 6>() = result.bottomRightCorner<6, 6>() = real_form(A);
  result.bottomLeftCorner<6, 6>() = real_form(B);
  return result;
}

DualVector3 rotation_part(const Vector12d& t) { return dual_form(Vector6d(t.head<6>())); }
DualVector3 translation_part(const Vector12d& t) { return dual_form(Vector6d(t.tail<6>())); }

Eigen::Vector3d axial(const Eigen::Matrix3d& A) {
  return 0.5 * Eigen::Vector3d(A(2, 1) - A(1, 2), A(0, 2) - A(2, 0), A(1, 0) - A(0, 1));
}

}  // namespace

DualVector3 dual_vector(const Eigen::Vector3d& real, const Eigen::Vector3d& dual) {
  return real.binaryExpr(dual, [](double a, double b) { return truncated(a, b); });
}
DualMatrix3 dual_matrix(const Eigen::Matrix3d& real, const Eigen::Matrix3d& dual) {
  return real.binaryExpr(dual, [](double a, double b) { return truncated(a, b); });
}

Vector6d real_form(const DualVector3& a) {
  Vector6d result;
  result << a.unaryExpr([](const Truncated& x) { return real_part(x); }),
      a.unaryExpr([](const Truncated& x) { return dual_part(x); });
  return result;
}
Matrix6d real_form(const DualMatrix3& A) {
  Matrix6d result = Matrix6d::Zero();
  result.topLeftCorner<3, 3>() = A.unaryExpr([](const Truncated& x) { return real_part(x); });
  result.bottomLeftCorner<3, 3>() = A.unaryExpr([](const Truncated& x) { return dual_part(x); });
  result.bottomRightCorner<3, 3>() = result.topLeftCorner<3, 3>();
  return result;
}
DualVector3 dual_form(const Vector6d& a) { return dual_vector(a.head<3>(), a.tail<3>()); }
DualMatrix3 dual_form(const Matrix6d& A) {
  return dual_matrix(A.topLeftCorner<3, 3>(), A.bottomLeftCorner<3, 3>());
}

G1::G1(const Eigen::Matrix3d& A, const Eigen::Vector3d& theta)
    : R_(dual_matrix(A, skew<double>(theta) * A)) {}

G1::Matrix G1::hat(const Tangent& u) { return real_form(skew<Truncated>(dual_form(u))); }
G1::Tangent G1::vee(const Matrix& U) {
  Tangent u;
  u << axial(U.topLeftCorner<3, 3>()), axial(U.bottomLeftCorner<3, 3>());
  return u;
}

G1 G1::exp(const Tangent& u) { return G1(exp_rotation<Truncated>(dual_form(u))); }

// (137): the dual part of X is [theta]x A, and theta = Jl(phi) w.
G1::Tangent G1::log() const {
  const Matrix6d X = matrix();
  const Eigen::Matrix3d A = X.topLeftCorner<3, 3>();
  const Eigen::Vector3d phi = log_rotation(A);
  const Eigen::Vector3d theta = axial(X.bottomLeftCorner<3, 3>() * A.transpose());
  Tangent u;
  u << phi, limber::left_jacobian_inverse<double>(phi) * theta;
  return u;
}

G1::Jacobian G1::left_jacobian(const Tangent& u) {
  return real_form(limber::left_jacobian<Truncated>(dual_form(u)));
}
G1::Jacobian G1::left_jacobian_inverse(const Tangent& u) {
  return real_form(limber::left_jacobian_inverse<Truncated>(dual_form(u)));
}

G2 G2::from_matrix(const Matrix& Y) {
  return {G1::from_matrix(Y.topLeftCorner<6, 6>()), dual_form(Vector6d(Y.topRightCorner<6, 1>()))};
}
G2::Matrix G2::matrix() const {
  Matrix Y = Matrix::Identity();
  Y.topLeftCorner<6, 6>() = X_.matrix();
  Y.topRightCorner<6, 1>() = real_form(p_);
  return Y;
}
G2 G2::inverse() const {
  const G1 X = X_.inverse();
  return {X, -(X.dual() * p_)};
}

G2::Matrix G2::hat(const Tangent& t) {
  Matrix T = Matrix::Zero();
  T.topLeftCorner<6, 6>() = G1::hat(t.head<6>());
  T.topRightCorner<6, 1>() = t.tail<6>();
  return T;
}
G2::Tangent G2::vee(const Matrix& T) {
  Tangent t;
  t << G1::vee(T.topLeftCorner<6, 6>()), T.topRightCorner<6, 1>();
  return t;
}

G2 G2::exp(const Tangent& t) {
  return {G1::exp(t.head<6>()), limber::left_jacobian<Truncated>(rotation_part(t)) * translation_part(t)};
}
G2::Tangent G2::log() const {
  Tangent t;
  t.head<6>() = X_.log();
  t.tail<6>() =
      real_form(DualVector3(limber::left_jacobian_inverse<Truncated>(dual_form(Vector6d(t.head<6>()))) * p_));
  return t;
}

G2::Jacobian G2::Ad() const { return lower_blocks(X_.dual(), skew<Truncated>(p_) * X_.dual()); }
G2::Jacobian G2::ad(const Tangent& t) {
  return lower_blocks(skew<Truncated>(rotation_part(t)), skew<Truncated>(translation_part(t)));
}
G2::Jacobian G2::left_jacobian(const Tangent& t) {
  const DualVector3 u = rotation_part(t);
  return lower_blocks(limber::left_jacobian<Truncated>(u),
                      left_jacobian_rate<Truncated>(u, translation_part(t)));
}
// [J 0; Q J]^-1 = [J^-1 0; -J^-1 Q J^-1  J^-1]
G2::Jacobian G2::left_jacobian_inverse(const Tangent& t) {
  const DualVector3 u = rotation_part(t);
  const DualMatrix3 inverse = limber::left_jacobian_inverse<Truncated>(u);
  const DualMatrix3 Q = left_jacobian_rate<Truncated>(u, translation_part(t));
  return lower_blocks(inverse, -(inverse * Q * inverse));
}

}  // namespace limber
