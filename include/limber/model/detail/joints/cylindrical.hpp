// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// B turns about an axis and slides along it, each as it likes: R_J = exp[a q1], p_J = a q2.

#include "limber/model/detail/joint_work.hpp"

namespace limber::detail::joint_kinds {

struct Cylindrical : PlainCoordinates<2>, ConstantSubspace {
  static constexpr JointFacts facts = {
      .nv = 2, .axis_count = 1, .freedoms = {{{.axis = 0, .turns = true}, {.axis = 0, .slides = true}}}};

  template <typename Scalar>
  static void prepare(JointWork<Scalar>& joint) {
    prepare_turning(joint);
    joint.S[0] = turning_about(joint.axes[0], joint.p_BR_R);
    joint.S[1] = {joint.axes[0], Vec3<Scalar>::zero()};
  }

  template <typename Scalar>
  LIMBER_INLINE static void place(JointWork<Scalar>& joint, const Scalar* q, Mat3<Scalar>& R_NR,
                                  Vec3<Scalar>& p_NB) {
    R_NR = turned_about_axis(joint);
    p_NB += joint.R_NR0 * (joint.axes[0] * q[1]);
  }

  static void measure(const JointWork<double>& joint, const JointPlace& at, double* q) {
    q[0] = measured_angle(joint.axes[0], at.R, q[0]);
    q[1] = Vector3d(joint.axes[0]).dot(at.p);
  }

  static void set_constrained(const Matrix6d& S, Matrix6d& N) {
    N.block<3, 2>(0, 2) = across(S.col(1).head<3>());
    N.block<3, 2>(3, 4) = across(S.col(0).tail<3>());
  }
};

}  // namespace limber::detail::joint_kinds
