// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Friction of joints, as a force against their motion (docs/friction.md). With v the rate of what a joint's efforts move (its own coordinate, or its
// motor's behind an elastic gear),
//
//   s(v) = coulomb + (static - coulomb) exp(-(v/stribeck_velocity)^2)                                           (1)
//   smooth law:   F = s(v) tanh(v/transition_velocity) + viscous v                                              (2)
//   exact law:    F = s(v) sign(v) + viscous v          while it slips,                                         (3)
//                 F = whatever keeps it at rest, |F| <= static, while it sticks                                 (4)
//
// Without a stribeck_velocity s is coulomb. (4) is no function of v: a joint at rest that does not stick begins to slip towards the side to which
// it is pushed. The equations of motion are
//
//   M a + bias + damping v + stiffness (q - rest) + F = generalised forces of tau and loads                     (5)
//
// forward_dynamics(), inverse_dynamics() and formulations know nothing of F: whoever hands them tau takes F from it before. Evaluation, derivatives(),
// linearize(), sensors, runs and Python do.

#include "limber/core/export.hpp"
#include "limber/math/eigen.hpp"
#include "limber/math/types.hpp"
#include "limber/model/model.hpp"

namespace limber LIMBER_EXPORT {

/// What holds at rest: `static`, or `coulomb` where there is none [N m or N].
inline double static_friction(const FrictionDescription& law) {
  return law.static_friction.value_or(law.coulomb);
}
/// Whether it can stick: the exact law, and something that holds.
inline bool sticks(const FrictionDescription& law) {
  return !law.transition_velocity && static_friction(law) > 0.0;
}

/// F of (2), or of (3); at v = 0 nothing.
double friction_force(const FrictionDescription& law, double v);
/// dF/dv of friction_force().
double friction_slope(const FrictionDescription& law, double v);
///@{
/// F and dF/dv of (3) for a joint that slips towards `side`, 1 or -1: also where v is zero or has the other sign, for who integrates may look a little
/// beyond the end of slipping.
double slip_force(const FrictionDescription& law, double v, int side);
double slip_slope(const FrictionDescription& law, double v, int side);
///@}

/// Whether any joint has friction.
bool has_friction(const Model& model);
/// nv: F of all joints at these rates, by friction_force(): joints at rest are taken as if nothing held them.
Eigen::VectorXd friction_forces(const Model& model, const Input<double>& v);
/// nv: dF/dv of each coordinate by its own rate.
Eigen::VectorXd friction_slopes(const Model& model, const Input<double>& v);
/// Adds `factor` times friction_forces() to forces (nv), without a copy of anything.
void add_friction_forces(const Model& model, const Input<double>& v, double factor, Output<double> forces);

}  // namespace limber
