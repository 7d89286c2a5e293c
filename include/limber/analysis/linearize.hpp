// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The linear model of an arm about a state (docs/linearize.md).
//
// States x = [d; w]: d the small displacements along v's components, w the change of v. Inputs: one effort per
// joint coordinate. What else acts (tau of the state, loads) stays as it is. With f(q, v, a) the forces of
// inverse dynamics and a the state's own acceleration,
//
//   M w' + (K + df/dq) d + (D + dF/dv + df/dv) w = B_u u                                             (1)
//   d' = w - N(v) d                                                                                  (2)
//
// F is the joints' friction (model/friction.hpp), by its slope at v: that of the smooth law at rest is its steepest; of the exact law a joint at rest is taken as
// one that nothing holds, without its dry friction.
//
// df/dq is taken at a, so that it contains (dM/dq) a: (1) is the exact derivative of forward dynamics, at rest,
// in motion and while accelerating. N is zero but for joints that carry a quaternion. Their displacement is in
// B's axes: R exp[d_w], p + R d_e; with w, e the angular and linear velocity in B's axes, R' = R [w]x and p' = R e give
//
//   d_w' = (change of w) - w x d_w,   d_e' = (change of e) - w x d_e - e x d_w                       (3)
//
// Outputs at the end effector E, J its Jacobian in world axes:
//
//   x y z rx ry rz      J d                                                                          (4)
//   vx .. wx ..         (d(J v)/dq) d + J w                                                          (5)
//   ax ay az            (d(J a + b)/dq) d + (db/dv) w + J w',   b = (dJ/dt) v                        (6)
//
// and by sensors, whose rows are those of Measurement::jacobian (measurement.hpp).
//
// About a state that is not in equilibrium, or that moves, the model is that of the instant: x is the way to the
// motion that starts there.

#include <string>
#include <vector>

#include "limber/algorithms/forward_dynamics.hpp"
#include "limber/algorithms/measurement.hpp"
#include "limber/analysis/linear_model.hpp"
#include "limber/core/export.hpp"
#include "limber/math/eigen.hpp"
#include "limber/math/types.hpp"
#include "limber/model/coordinates.hpp"

namespace limber LIMBER_EXPORT {

/// The state about which to linearize.
struct OperatingPoint {
  Eigen::VectorXd q;        ///< nq
  Eigen::VectorXd v;        ///< nv
  Eigen::VectorXd tau;      ///< nv generalized forces
  std::vector<Load> loads;  ///< that act there, and stay as they are
  /// Of each cylinder: the force of its drive, which stays as it is; empty: none.
  Eigen::VectorXd drives = {};
};

/// At rest where static_equilibrium finds it, with the held joints where q has them; joints may turn at constant
/// `joint_rates` (nv, elastic rows zero; empty: at rest). tau holds it there. `hold`: joints that are held although
/// they have a spring.
OperatingPoint settled_point(const Model& model, const Input<double>& q, const std::vector<Load>& loads = {},
                             const Eigen::VectorXd& joint_rates = {}, const JointNames& hold = {});

/// Every name that `outputs` of linearize() may have: coordinates, `<coordinate>.rate`, `end_effector.x` ...
std::vector<std::string> output_names(const Model& model);
/// Joint coordinates, then end_effector.x y z rx ry rz.
std::vector<std::string> default_output_names(const Model& model);

/// Throws InputError for an unknown or repeated output and for an arm without joints that move, ComputationError
/// for a singular mass matrix. No outputs given: the default ones, or with `sensors`, whose names are outputs, too, all of them.
LinearModel linearize(const Model& model, const OperatingPoint& about,
                      const std::vector<std::string>& outputs = {},
                      const std::vector<SensorDescription>& sensors = {});

}  // namespace limber
