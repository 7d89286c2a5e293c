// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// How q follows from v. They differ where a joint carries a unit quaternion u = (vector, scalar) that turns B
// against J: with w the angular velocity in B's axes and e the velocity of B's origin in B's axes,
//
//   d/dt vector = 1/2 (scalar w + vector x w),    d/dt scalar = -1/2 vector . w                     (1)
//   d/dt p_JB   = R(u) e                                                                            (2)
//
// (spherical and free joints). Everywhere else dq/dt = v.
//
// Near a configuration, nv numbers delta describe all others: q (+) delta, which follows a constant velocity delta
// for the time 1. Where there is no quaternion this is q + delta. For the others it is the exponential map of
// rotations or of rigid motions in body axes, and with ad the bracket of their algebra (ad_(r,f) (e,w) =
// (f x e + r x w, f x w))
//
//   d/dt delta = v + 1/2 ad v + 1/12 ad^2 v - 1/720 ad^4 v + 1/30240 ad^6 v - ...,  ad = ad_delta     (3)
//
// in closed form (model/detail/joints/quaternion.hpp and free.hpp). Each kind of joint has these maps in its own file there.

#include "limber/algorithms/workspace.hpp"
#include "limber/core/export.hpp"

namespace limber LIMBER_EXPORT {

/// rate = dq/dt, nq numbers, from q and v (nq and nv). Linear in v.
void configuration_rate(const Model& model, const Input<double>& q, const Input<double>& v,
                        Output<double> rate);

/// The other way round: v from dq/dt. What changes a quaternion's length is left out. (q and rate may be longer than nq.)
void velocity_from_rate(const Model& model, const Input<double>& q, const Input<double>& rate,
                        Output<double> v);

/// result = q (+) delta, quaternions normalised.
void displace(const Model& model, const Input<double>& q, const Input<double>& delta, Output<double> result);

/// The other way round: delta with from (+) delta = to. Of the ways that a quaternion can turn the shortest, at most half a turn.
void difference(const Model& model, const Input<double>& from, const Input<double>& to, Output<double> delta);

/// (3): exact for every delta that turns by less than 2 pi, where it is singular.
void displacement_rate(const Model& model, const Input<double>& delta, const Input<double>& v,
                       Output<double> rate);

/// The matrix N(v) with N delta = ad_v delta: nv x nv, zero but for joints with a quaternion.
Eigen::MatrixXd displacement_coupling(const Model& model, const Input<double>& v);

/// Makes the quaternions in q unit.
void normalize_quaternions(const Model& model, Output<double> q);

}  // namespace limber
