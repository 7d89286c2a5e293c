// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// B turns about one axis: R_J = exp[a q].

#include "limber/model/detail/joint_work.hpp"

namespace limber::detail::joint_kinds {

struct Revolute : PlainCoordinates<1>, ConstantSubspace {
  static constexpr JointFacts facts = {.nv = 1, .axis_count = 1, .freedoms = {{{.axis = 0, .turns = true}}}};

  template <typename Scalar>
  static void prepare(JointWork<Scalar>& joint) {
    prepare_turning(joint);
    joint.S[0] = turning_about(joint.axes[0], joint.p_BR_R);
  }

  template <typename Scalar>
  LIMBER_INLINE static void place(JointWork<Scalar>& joint, const Scalar* /*q*/, Mat3<Scalar>& R_NR,
                                  Vec3<Scalar>& /*p_NB*/) {
    R_NR = turned_about_axis(joint);
  }

  static void measure(const JointWork<double>& joint, const JointPlace& at, double* q) {
    q[0] = measured_angle(joint.axes[0], at.R, q[0]);
  }

  static void set_constrained(const Matrix6d& S, Matrix6d& N) {
    N.block<3, 3>(0, 1).setIdentity();
    N.block<3, 2>(3, 4) = across(S.col(0).tail<3>());
  }
};

}  // namespace limber::detail::joint_kinds
