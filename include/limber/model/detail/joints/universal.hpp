// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// B turns about a first axis, then about a second one that the first carries along: R_J = exp[a1 q1] exp[a2 q2].
//
// Its angular velocity in B's axes is exp[-a2 q2] a1 v1 + a2 v2: the first column of S depends on q2, and changes at the rate
//
//   d/dt (exp[-a2 q2] a1) = (exp[-a2 q2] a1) x a2 v2                                                (1)

#include "limber/model/detail/joint_work.hpp"

namespace limber::detail::joint_kinds {

struct Universal : PlainCoordinates<2> {
  static constexpr JointFacts facts = {
      .nv = 2, .axis_count = 2, .freedoms = {{{.axis = 0, .turns = true}, {.axis = 1, .turns = true}}}};
  static constexpr int moving_columns = 1;

  /// At q2 = 0; place() turns the first column.
  template <typename Scalar>
  static void prepare(JointWork<Scalar>& joint) {
    for (int i = 0; i < 2; ++i) joint.S[i] = turning_about(joint.axes[i], joint.p_BR_R);
  }

  template <typename Scalar>
  LIMBER_INLINE static void place(JointWork<Scalar>& joint, const Scalar* q, Mat3<Scalar>& R_NR,
                                  Vec3<Scalar>& /*p_NB*/) {
    const Mat3<Scalar> R_second = rotation_about(joint.axes[1], q[1]);
    R_NR = joint.R_NR0 * (rotation_about(joint.axes[0], q[0]) * R_second);
    joint.S[0] = turning_about(transposed_times(R_second, joint.axes[0]), joint.p_BR_R);
  }

  /// (1)
  template <typename Scalar>
  LIMBER_INLINE static LaneTwist<Scalar> column_rate(const JointWork<Scalar>& joint, int /*j*/,
                                                     const Scalar* v) {
    return turning_about(cross(joint.S[0].angular, joint.axes[1]) * v[1], joint.p_BR_R);
  }

  // R second = exp[first q1] second, and R^T first = exp[-second q2] first
  static void measure(const JointWork<double>& joint, const JointPlace& at, double* q) {
    const Vector3d first = joint.axes[0], second = joint.axes[1];
    q[0] = next_to(q[0], angle_about(first, second, at.R * second));
    q[1] = next_to(q[1], -angle_about(second, first, at.R.transpose() * first));
  }

  static void set_constrained(const Matrix6d& S, Matrix6d& N) {
    N.block<3, 3>(0, 2).setIdentity();
    const Vector3d first = S.col(0).tail<3>(), second = S.col(1).tail<3>();
    N.block<3, 1>(3, 5) = first.cross(second).normalized();
  }

  static void set_rate_rows(const Matrix6d& S, Matrix6d& S_plus) { set_rows_of_pair(S, S_plus); }
};

}  // namespace limber::detail::joint_kinds
