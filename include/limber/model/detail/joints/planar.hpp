// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// B slides along two axes of J, and turns about their normal n: p_J = a1 q1 + a2 q2, R_J = exp[n q3].
//
// Its velocity in B's axes is exp[-n q3] (a1 v1 + a2 v2): the columns of S that slide turn against B, at the rate
//
//   d/dt (exp[-n q3] a) = (exp[-n q3] a) x n v3                                                     (1)

#include "limber/model/detail/joint_work.hpp"

namespace limber::detail::joint_kinds {

struct Planar : PlainCoordinates<3> {
  static constexpr JointFacts facts = {
      .nv = 3,
      .axis_count = 2,
      .freedoms = {{{.axis = 0, .slides = true}, {.axis = 1, .slides = true}, {.axis = 2, .turns = true}}}};
  static constexpr int moving_columns = 2;

  /// The last column is constant, and has n; place() turns the others.
  template <typename Scalar>
  static void prepare(JointWork<Scalar>& joint) {
    using std::sqrt;
    const Vec3<Scalar> across_both = cross(joint.axes[0], joint.axes[1]);
    joint.S[2] = turning_about(across_both * (Scalar(1) / sqrt(dot(across_both, across_both))), joint.p_BR_R);
  }

  template <typename Scalar>
  LIMBER_INLINE static void place(JointWork<Scalar>& joint, const Scalar* q, Mat3<Scalar>& R_NR,
                                  Vec3<Scalar>& p_NB) {
    const Mat3<Scalar> R_J = rotation_about(joint.S[2].angular, q[2]);
    R_NR = joint.R_NR0 * R_J;
    p_NB += joint.R_NR0 * (joint.axes[0] * q[0] + joint.axes[1] * q[1]);
    for (int j = 0; j < moving_columns; ++j)
      joint.S[j] = {transposed_times(R_J, joint.axes[j]), Vec3<Scalar>::zero()};
  }

  /// (1)
  template <typename Scalar>
  LIMBER_INLINE static LaneTwist<Scalar> column_rate(const JointWork<Scalar>& joint, int j, const Scalar* v) {
    return {cross(joint.S[j].linear, joint.S[2].angular) * v[2], Vec3<Scalar>::zero()};
  }

  static void measure(const JointWork<double>& joint, const JointPlace& at, double* q) {
    const Vector3d first = joint.axes[0], second = joint.axes[1];
    const double cosine = first.dot(second), sine2 = 1.0 - cosine * cosine;
    q[0] = (first - cosine * second).dot(at.p) / sine2;
    q[1] = (second - cosine * first).dot(at.p) / sine2;
    q[2] = measured_angle(joint.S[2].angular, at.R, q[2]);
  }

  static void set_constrained(const Matrix6d& S, Matrix6d& N) {
    const Vector3d normal = S.col(2).tail<3>();
    N.block<3, 1>(0, 3) = normal;
    N.block<3, 2>(3, 4) = across(normal);
  }

  static void set_rate_rows(const Matrix6d& S, Matrix6d& S_plus) {
    set_rows_of_pair(S, S_plus);
    S_plus.row(2) = S.col(2).transpose();
  }
};

}  // namespace limber::detail::joint_kinds
