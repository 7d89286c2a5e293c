// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// B turns about an axis and advances along it, by `pitch` for every radian: R_J = exp[a q], p_J = a pitch q. A lead screw and its nut.
//
// The wrenches that it holds leave (pitch a, a) without power: across the axis all of them, and along it force and moment in the
// proportion (a, -pitch a).

#include "limber/model/description.hpp"
#include "limber/model/detail/joint_work.hpp"

namespace limber::detail::joint_kinds {

struct Screw : PlainCoordinates<1>, ConstantSubspace {
  static constexpr JointFacts facts = {.nv = 1,
                                       .axis_count = 1,
                                       .freedoms = {{{.axis = 0, .turns = true, .slides = true}}},
                                       .parameter = {.key = "pitch",
                                                     .unit = "m/rad",
                                                     .symbol = "pitch",
                                                     .meaning = "advance per radian",
                                                     .value = &JointDescription::pitch}};

  template <typename Scalar>
  static void prepare(JointWork<Scalar>& joint) {
    prepare_turning(joint);
    joint.S[0] = turning_about(joint.axes[0], joint.p_BR_R);
    joint.S[0].linear += joint.axes[0] * joint.parameter;
  }

  template <typename Scalar>
  LIMBER_INLINE static void place(JointWork<Scalar>& joint, const Scalar* q, Mat3<Scalar>& R_NR,
                                  Vec3<Scalar>& p_NB) {
    R_NR = turned_about_axis(joint);
    p_NB += joint.R_NR0 * (joint.axes[0] * (joint.parameter * q[0]));
  }

  static void measure(const JointWork<double>& joint, const JointPlace& at, double* q) {
    q[0] = measured_angle(joint.axes[0], at.R, q[0]);
  }

  static void set_constrained(const Matrix6d& S, Matrix6d& N) {
    const Vector3d axis = S.col(0).tail<3>();
    const double pitch = axis.dot(S.col(0).head<3>());
    N.block<3, 2>(0, 1) = across(axis);
    N.block<3, 2>(3, 3) = across(axis);
    N.col(5) << axis, -pitch * axis;
    N.col(5).normalize();
  }

  // S^T S = 1 + pitch^2
  static void set_rate_rows(const Matrix6d& S, Matrix6d& S_plus) {
    S_plus.row(0) = S.col(0).transpose() / S.col(0).squaredNorm();
  }
};

}  // namespace limber::detail::joint_kinds
