// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// B slides along one axis: p_J = a q.

#include "limber/model/detail/joint_work.hpp"

namespace limber::detail::joint_kinds {

struct Prismatic : PlainCoordinates<1>, ConstantSubspace {
  static constexpr JointFacts facts = {.nv = 1, .axis_count = 1, .freedoms = {{{.axis = 0, .slides = true}}}};

  template <typename Scalar>
  static void prepare(JointWork<Scalar>& joint) {
    joint.S[0] = {joint.axes[0], Vec3<Scalar>::zero()};
  }

  template <typename Scalar>
  LIMBER_INLINE static void place(JointWork<Scalar>& joint, const Scalar* q, Mat3<Scalar>& R_NR,
                                  Vec3<Scalar>& p_NB) {
    R_NR = joint.R_NR0;
    p_NB += joint.R_NR0 * (joint.axes[0] * q[0]);
  }

  static void measure(const JointWork<double>& joint, const JointPlace& at, double* q) {
    q[0] = Vector3d(joint.axes[0]).dot(at.p);
  }

  static void set_constrained(const Matrix6d& S, Matrix6d& N) {
    N.block<3, 2>(0, 1) = across(S.col(0).head<3>());
    N.block<3, 3>(3, 3).setIdentity();
  }
};

}  // namespace limber::detail::joint_kinds
