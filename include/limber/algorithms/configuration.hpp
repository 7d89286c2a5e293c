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

#include "limber/algorithms/workspace.hpp"

namespace limber {

/// rate = dq/dt, nq numbers, from q and v (nq and nv). Linear in v.
void configuration_rate(const Model& model, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                        Eigen::VectorXd& rate);

/// The other way round: v from dq/dt. What changes a quaternion's length is left out. (q and rate may be longer than nq.)
void velocity_from_rate(const Model& model, const Eigen::VectorXd& q, const Eigen::VectorXd& rate,
                        Eigen::VectorXd& v);

/// result = q (+) delta, quaternions normalised.
void displace(const Model& model, const Eigen::VectorXd& q, const Eigen::VectorXd& delta,
              Eigen::VectorXd& result);

/// (3), up to the sixth power: the error is of order |delta|^8.
void displacement_rate(const Model& model, const Eigen::VectorXd& delta, const Eigen::VectorXd& v,
                       Eigen::VectorXd& rate);

/// Makes the quaternions in q unit.
void normalize_quaternions(const Model& model, Eigen::VectorXd& q);

}  // namespace limber
