#pragma once

// How q follows from v. They differ where a joint carries a unit quaternion u = (vector, scalar) that turns B
// against J: with w the angular velocity in B's axes and e the velocity of B's origin in B's axes,
//
//   d/dt vector = 1/2 (scalar w + vector x w),    d/dt scalar = -1/2 vector . w                     (1)
//   d/dt p_JB   = R(u) e                                                                            (2)
//
// (spherical and free joints). Everywhere else dq/dt = v.

#include "limber/algorithms/workspace.hpp"

namespace limber {

/// rate = dq/dt, nq numbers, from q and v (nq and nv). Linear in v.
void configuration_rate(const Model& model, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                        Eigen::VectorXd& rate);

}  // namespace limber
