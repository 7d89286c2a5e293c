// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// B is J.

#include "limber/model/detail/joint_work.hpp"

namespace limber::detail::joint_kinds {

struct Fixed : PlainCoordinates<0>, ConstantSubspace {
  static constexpr JointFacts facts = {.nv = 0};

  template <typename Scalar>
  static void prepare(JointWork<Scalar>& /*joint*/) {}

  template <typename Scalar>
  LIMBER_INLINE static void place(JointWork<Scalar>& joint, const Scalar* /*q*/, Mat3<Scalar>& R_NR,
                                  Vec3<Scalar>& /*p_NB*/) {
    R_NR = joint.R_NR0;
  }

  static void measure(const JointWork<double>& /*joint*/, const JointPlace& /*at*/, double* /*q*/) {}

  static void set_constrained(const Matrix6d& /*S*/, Matrix6d& N) { N.setIdentity(); }
};

}  // namespace limber::detail::joint_kinds
