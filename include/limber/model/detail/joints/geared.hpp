// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A joint whose motor sits behind an elastic gear (docs/drives.md): q1 is the joint's own coordinate, q2 the motor's angle seen at the joint. The
// link moves with q1 alone: the second column of S is zero. What the two have to do with each other are a spring and a damper
// (algorithms/detail/passive_forces.hpp) and the rotor's inertia, which stands on the diagonal of the mass matrix like an armature.

#include "limber/model/detail/joint_work.hpp"

namespace limber::detail::joint_kinds {

template <typename Kind>
struct Geared : PlainCoordinates<2>, ConstantSubspace {
  static constexpr JointFacts facts = {.nv = 2,
                                       .axis_count = 1,
                                       .freedoms = {{Kind::facts.freedoms[0],
                                                     {.turns = Kind::facts.freedoms[0].turns,
                                                      .slides = Kind::facts.freedoms[0].slides,
                                                      .motor = true}}}};

  template <typename Scalar>
  static void prepare(JointWork<Scalar>& joint) {
    Kind::prepare(joint);
    joint.S[1] = {Vec3<Scalar>::zero(), Vec3<Scalar>::zero()};
  }

  template <typename Scalar>
  LIMBER_INLINE static void place(JointWork<Scalar>& joint, const Scalar* q, Mat3<Scalar>& R_NR,
                                  Vec3<Scalar>& p_NB) {
    Kind::place(joint, q, R_NR, p_NB);
  }

  /// Where the motor is, nobody can see from the link.
  static void measure(const JointWork<double>& joint, const JointPlace& at, double* q) {
    Kind::measure(joint, at, q);
  }

  static void set_constrained(const Matrix6d& S, Matrix6d& N) { Kind::set_constrained(S, N); }
};

}  // namespace limber::detail::joint_kinds
