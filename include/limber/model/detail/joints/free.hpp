// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// B moves as it likes. q is the position p of its origin in J's axes, then a unit quaternion; v are the velocity e of its origin and
// its angular velocity w, both in B's axes:
//
//   dp/dt = R e                                                                                     (1)
//
// A displacement (r, f) is followed with the constant velocity (r, f) for the time 1:
//
//   R exp[f]   and   p + R Jl(f) r                                                                  (2)
//
// While it changes, w = Jr(f) df/dt as for spherical joints, and the derivative of (2) in B's new axes is e = exp[-f] (Jl dr/dt +
// dJl/dt r). With Jl = exp[f] Jr,
//
//   dr/dt = Jr^-1(f) e - Jl^-1(f) (d/dt Jl(f)) r                                                    (3)

#include "limber/model/detail/joints/quaternion.hpp"

namespace limber::detail::joint_kinds {

struct Free : ConstantSubspace {
  static constexpr JointFacts facts = {.nv = 6,
                                       .freedoms = {{{.slides = true},
                                                     {.slides = true},
                                                     {.slides = true},
                                                     {.turns = true},
                                                     {.turns = true},
                                                     {.turns = true}}},
                                       .quaternion = 3};

  template <typename Scalar>
  static void prepare(JointWork<Scalar>& joint) {
    const Mat3<Scalar> R_RB = joint.R_BR.transposed();
    for (int i = 0; i < 3; ++i) joint.S[i] = {R_RB[i], Vec3<Scalar>::zero()};
    set_turning_columns(joint, joint.S + 3);
  }

  template <typename Scalar>
  LIMBER_INLINE static void place(JointWork<Scalar>& joint, const Scalar* q, Mat3<Scalar>& R_NR,
                                  Vec3<Scalar>& p_NB) {
    const Mat3<Scalar> R_RB = joint.R_BR.transposed();
    p_NB += joint.R_NR0 * (R_RB * Vec3<Scalar>(q[0], q[1], q[2]));
    R_NR = turned_by_quaternion(joint, R_RB, q + 3);
  }

  static void measure(const JointWork<double>& joint, const JointPlace& at, double* q) {
    const Matrix3d R_BR = joint.R_BR;
    MapVector3{q} = R_BR * at.p;
    set_nearest(R_BR * at.R * R_BR.transpose(), q + 3);
  }

  static void set_constrained(const Matrix6d& /*S*/, Matrix6d& /*N*/) {}

  static void set_neutral(double* q) { Eigen::Map<Eigen::Matrix<double, 7, 1>>{q} << 0, 0, 0, 0, 0, 0, 1; }
  static void rate(const double* q, const double* v, double* rate) {
    const ConstVector3 u(q + 3), e(v);  // R e = e + 2 s u x e + 2 u x (u x e)
    MapVector3{rate} = e + 2.0 * u.cross(q[6] * e + u.cross(e));
    quaternion_rate(q + 3, ConstVector3(v + 3), rate + 3);
  }
  static void velocity(const double* q, const double* rate, double* v) {
    const ConstVector3 u(q + 3), e(rate);  // R^T e
    MapVector3{v} = e - 2.0 * u.cross(q[6] * e - u.cross(e));
    MapVector3{v + 3} = angular_velocity(q + 3, rate + 3);
  }
  static void displace(const double* q, const double* delta, double* result) {  // (2)
    const Eigen::Quaterniond R = quaternion_at(q + 3);
    const Vector3d f = ConstVector3(delta + 3);
    MapVector3{result} = ConstVector3(q) + R * (left_jacobian<double>(f) * ConstVector3(delta));
    turn_quaternion(R, f, result + 3);
  }
  static void difference(const double* from, const double* to, double* delta) {
    const Eigen::Quaterniond R = quaternion_at(from + 3);
    const Vector3d f = rotation_between(R, quaternion_at(to + 3));
    const Vector3d way = R.conjugate() * (ConstVector3(to) - ConstVector3(from));
    MapVector3{delta} = left_jacobian_inverse<double>(f) * way;
    MapVector3{delta + 3} = f;
  }
  static void displacement_rate(const double* delta, const double* v, double* rate) {  // (3)
    const Vector3d r = ConstVector3(delta), f = ConstVector3(delta + 3);
    const Matrix3d Jr_inverse = right_jacobian_inverse(f);
    const Vector3d f_rate = Jr_inverse * ConstVector3(v + 3);
    MapVector3{rate} = Jr_inverse * ConstVector3(v) -
                       left_jacobian_inverse<double>(f) * (left_jacobian_rate<double>(f, f_rate) * r);
    MapVector3{rate + 3} = f_rate;
  }
  static void set_bracket(const double* v, Matrix6d& N) {
    N.topLeftCorner<3, 3>() = N.bottomRightCorner<3, 3>() = skew<double>(ConstVector3(v + 3));
    N.topRightCorner<3, 3>() = skew<double>(ConstVector3(v));
  }
};

}  // namespace limber::detail::joint_kinds
