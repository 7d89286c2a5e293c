// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Every kind of joint, and the only place that chooses between them. What a kind has:
//
//   facts                              counts, axes, freedoms, quaternion, parameter (joint.hpp)
//   prepare(joint)                     the constants that place() needs, and S, from axes, parameter, R_NR0, R_BR and p_BR_R
//   place(joint, q, R_NR, p_NB)        R_NR0 R_J; adds R_NR0 p_J to p_NB; S too where it depends on q. Kinds that turn about their only axis by q[0] find its
//                                      sine and cosine in joint.turned (algorithms/detail/turn_joints.hpp)
//   moving_columns                     so many first columns of S depend on q: column_rate(joint, j, v) is the rate of one of them
//   measure(joint, place, q)           the inverse of place(); of several answers the one next to what q holds
//   set_constrained(S, N)              N, in columns after those of S that move the link: orthonormal, and orthogonal to S; both in B. N starts as zero
//   set_rate_rows(S, S_plus)           rows of S^+
//   set_neutral(q), rate(q, v, dq/dt), velocity(q, dq/dt, v), displace(q, delta, result), difference(from, to, delta),
//   displacement_rate(delta, v, d/dt delta), set_bracket(v, N)
//                                      of the configuration: see algorithms/configuration.hpp
//
// A new kind: its file, a line here, and its name in joint.hpp.

#include "limber/model/detail/joints/cylindrical.hpp"
#include "limber/model/detail/joints/fixed.hpp"
#include "limber/model/detail/joints/free.hpp"
#include "limber/model/detail/joints/geared.hpp"
#include "limber/model/detail/joints/planar.hpp"
#include "limber/model/detail/joints/prismatic.hpp"
#include "limber/model/detail/joints/revolute.hpp"
#include "limber/model/detail/joints/screw.hpp"
#include "limber/model/detail/joints/spherical.hpp"
#include "limber/model/detail/joints/universal.hpp"

namespace limber::detail {

/// use(kind), an object of the kind's struct, whose functions are all static.
template <typename Use>
LIMBER_INLINE constexpr decltype(auto) with_joint_kind(JointType type, Use&& use) {
  switch (type) {
    case JointType::revolute:
      return use(joint_kinds::Revolute{});
    case JointType::prismatic:
      return use(joint_kinds::Prismatic{});
    case JointType::universal:
      return use(joint_kinds::Universal{});
    case JointType::spherical:
      return use(joint_kinds::Spherical{});
    case JointType::free:
      return use(joint_kinds::Free{});
    case JointType::screw:
      return use(joint_kinds::Screw{});
    case JointType::cylindrical:
      return use(joint_kinds::Cylindrical{});
    case JointType::planar:
      return use(joint_kinds::Planar{});
    case JointType::geared_revolute:
      return use(joint_kinds::Geared<joint_kinds::Revolute>{});
    case JointType::geared_prismatic:
      return use(joint_kinds::Geared<joint_kinds::Prismatic>{});
    case JointType::fixed:
      break;
  }
  return use(joint_kinds::Fixed{});
}

/// joint.turned, which place() needs of kinds that turn about their only axis.
template <typename Kind, typename Scalar>
void turn(Kind /*kind*/, JointWork<Scalar>& joint, const Scalar* q) {
  if constexpr (Kind::facts.turns_about_axis()) joint.turned = sine_and_cosine(q[0]);
}

}  // namespace limber::detail
