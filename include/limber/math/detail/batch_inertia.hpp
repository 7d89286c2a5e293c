// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The articulated inertia of several arms. For one arm a column of three numbers is a register, and the half that symmetry knows comes for nothing (lanes.hpp);
// here every number is a register: vv and ww are six each.

#include "limber/math/detail/batch.hpp"
#include "limber/math/detail/lanes.hpp"

namespace limber::detail {
inline namespace LIMBER_LANES {

/// A symmetric 3x3 matrix.
template <typename Scalar>
struct SymmetricMat3 {
  Scalar xx, xy, xz, yy, yz, zz;

  LIMBER_INLINE friend Vec3<Scalar> operator*(const SymmetricMat3& A, const Vec3<Scalar>& b) {
    return {A.xx * b[0] + A.xy * b[1] + A.xz * b[2], A.xy * b[0] + A.yy * b[1] + A.yz * b[2],
            A.xz * b[0] + A.yz * b[1] + A.zz * b[2]};
  }
  LIMBER_INLINE SymmetricMat3& operator+=(const SymmetricMat3& B) {
    xx += B.xx;
    xy += B.xy;
    xz += B.xz;
    yy += B.yy;
    yz += B.yz;
    zz += B.zz;
    return *this;
  }
  /// Minus a b^T, where that is symmetric.
  LIMBER_INLINE void subtract_outer(const Vec3<Scalar>& a, const Vec3<Scalar>& b) {
    xx -= a[0] * b[0];
    xy -= a[0] * b[1];
    xz -= a[0] * b[2];
    yy -= a[1] * b[1];
    yz -= a[1] * b[2];
    zz -= a[2] * b[2];
  }
  LIMBER_INLINE Mat3<Scalar> full() const { return {{xx, xy, xz}, {xy, yy, yz}, {xz, yz, zz}}; }
  /// The upper half.
  LIMBER_INLINE static SymmetricMat3 of(const Mat3<Scalar>& A) {
    return {A[0][0], A[1][0], A[2][0], A[1][1], A[2][1], A[2][2]};
  }
  /// R A R^T
  LIMBER_INLINE SymmetricMat3 turned_by(const Mat3<Scalar>& R) const {
    const Mat3<Scalar> X = R * full();
    const auto element = [&](int i, int j) {
      return X[0][i] * R[0][j] + X[1][i] * R[1][j] + X[2][i] * R[2][j];
    };
    return {element(0, 0), element(0, 1), element(0, 2), element(1, 1), element(1, 2), element(2, 2)};
  }
};

template <int width>
struct ArticulatedInertia<Batch<width>> {
  using Scalar = Batch<width>;
  SymmetricMat3<Scalar> vv;
  Mat3<Scalar> vw;
  SymmetricMat3<Scalar> ww;

  ArticulatedInertia() = default;
  LIMBER_INLINE ArticulatedInertia(const SymmetricMat3<Scalar>& of_vv, const Mat3<Scalar>& of_vw,
                                   const SymmetricMat3<Scalar>& of_ww)
      : vv(of_vv), vw(of_vw), ww(of_ww) {}
  LIMBER_INLINE explicit ArticulatedInertia(const LaneInertia<Scalar>& body)
      : vv{body.mass, Scalar(0), Scalar(0), body.mass, Scalar(0), body.mass},
        vw(Mat3<Scalar>::skew(-body.moment)),
        ww(SymmetricMat3<Scalar>::of(body.inertia)) {}

  LIMBER_INLINE friend LaneWrench<Scalar> operator*(const ArticulatedInertia& M, const LaneTwist<Scalar>& V) {
    return {M.vv * V.linear + M.vw * V.angular, transposed_times(M.vw, V.linear) + M.ww * V.angular};
  }
  LIMBER_INLINE ArticulatedInertia& operator+=(const ArticulatedInertia& other) {
    vv += other.vv;
    vw += other.vw;
    ww += other.ww;
    return *this;
  }
  /// Minus s z z^T.
  LIMBER_INLINE void subtract(const LaneWrench<Scalar>& z, const Scalar& s) {
    const Vec3<Scalar> force = z.force * s, moment = z.moment * s;
    vv.subtract_outer(z.force, force);
    vw -= outer(z.force, moment);
    ww.subtract_outer(z.moment, moment);
  }
  LIMBER_INLINE ArticulatedInertia turned_by(const Mat3<Scalar>& R, const Mat3<Scalar>& R_transposed) const {
    return {vv.turned_by(R), R * vw * R_transposed, ww.turned_by(R)};
  }
  /// As for one arm: ww + D vw' - (vw^T) D with D = [d]x and vw' = vw - vv D.
  LIMBER_INLINE ArticulatedInertia seen_from(const Vec3<Scalar>& d) const {
    const Mat3<Scalar> there = vw - times_skew(vv.full(), d);
    SymmetricMat3<Scalar> w = ww;
    w += SymmetricMat3<Scalar>::of(cross_columns(d, there) - times_skew(vw.transposed(), d));
    return {vv, there, w};
  }
};

}  // namespace LIMBER_LANES
}  // namespace limber::detail
