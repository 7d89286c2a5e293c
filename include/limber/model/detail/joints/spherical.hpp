// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// B turns as it likes about J's origin. q is a unit quaternion (x, y, z, w), v the angular velocity in B's axes.

#include "limber/model/detail/joints/quaternion.hpp"

namespace limber::detail::joint_kinds {

struct Spherical : ConstantSubspace {
  static constexpr JointFacts facts = {
      .nv = 3, .freedoms = {{{.turns = true}, {.turns = true}, {.turns = true}}}, .quaternion = 0};

  template <typename Scalar>
  static void prepare(JointWork<Scalar>& joint) {
    set_turning_columns(joint, joint.S);
  }

  template <typename Scalar>
  LIMBER_INLINE static void place(JointWork<Scalar>& joint, const Scalar* q, Mat3<Scalar>& R_NR,
                                  Vec3<Scalar>& /*p_NB*/) {
    R_NR = turned_by_quaternion(joint, joint.R_BR.transposed(), q);
  }

  static void measure(const JointWork<double>& joint, const JointPlace& at, double* q) {
    const Matrix3d R_BR = joint.R_BR;
    set_nearest(R_BR * at.R * R_BR.transpose(), q);
  }

  static void set_constrained(const Matrix6d& /*S*/, Matrix6d& N) { N.block<3, 3>(0, 3).setIdentity(); }

  static void set_neutral(double* q) { MapVector4{q} << 0.0, 0.0, 0.0, 1.0; }
  static void rate(const double* q, const double* v, double* rate) {
    quaternion_rate(q, ConstVector3(v), rate);
  }
  static void velocity(const double* q, const double* rate, double* v) {
    MapVector3{v} = angular_velocity(q, rate);
  }
  static void displace(const double* q, const double* delta, double* result) {
    turn_quaternion(quaternion_at(q), ConstVector3(delta), result);
  }
  static void difference(const double* from, const double* to, double* delta) {
    MapVector3{delta} = rotation_between(quaternion_at(from), quaternion_at(to));
  }
  static void displacement_rate(const double* delta, const double* v, double* rate) {
    MapVector3{rate} = right_jacobian_inverse(ConstVector3(delta)) * ConstVector3(v);
  }
  static void set_bracket(const double* v, Matrix6d& N) {
    N.topLeftCorner<3, 3>() = skew<double>(ConstVector3(v));
  }
};

}  // namespace limber::detail::joint_kinds
