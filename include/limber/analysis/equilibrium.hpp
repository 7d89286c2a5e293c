// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Static equilibrium of an arm: how far it sags, and what holds it.
//
// Joints are held where they are, but for passive ones: a joint with a spring finds its equilibrium on it, unless it is
// named in `hold` (passive_coordinates). With x the elastic coordinates and the passive joints', x solves
//
//   r(x) = lambda (g(q) - Q(q)) + K (x - rest) = 0        rows of x                                   (1)
//
// g the gravity forces, Q those of the loads, both on the bent arm; lambda = 1, the load factor. Newton's
// iteration takes dr/dx from the dual scalar and shortens steps that do not bring r down. Where it does not
// converge, the loads are applied step by step, from the unloaded arm on. The held joints' efforts are their rows
// of (1), with their springs.
//
// An equilibrium under gravity and loads of fixed direction is stable if dr/dx, which is symmetric then, is positive
// definite. Loads that follow the arm, and moments, have no potential, and statics cannot tell: an arm under them may
// start to flutter while dr/dx has lost nothing (Beck's column, at 20.05 EI/L^2, has no other equilibrium at any load). Where
// dr/dx is not symmetric the dynamic criterion decides: no small undamped motion grows (small_motions.hpp). Damping, which
// brings such loads down further (Ziegler 1952), is left out, as in `modes`. The smallest lambda at which an equilibrium is not
// stable, along the way from the unloaded arm, is the critical load factor: there the arm buckles, snaps, or flutters.
//
// In steady rotation (joints that turn at constant rates, and are held at them) the centrifugal forces of the bent arm
// stand in g.
//
// `linear` takes one Newton step from the unloaded arm, and the efforts to first order in it. Everything is then
// linear in x, as in Piedboeuf's models O(1) (kinematics first) and O(2) (second).

#include <optional>

#include "limber/algorithms/forward_dynamics.hpp"
#include "limber/analysis/small_motions.hpp"
#include "limber/core/export.hpp"
#include "limber/math/types.hpp"
#include "limber/model/coordinates.hpp"

namespace limber LIMBER_EXPORT {

/// An arm at rest (or in steady rotation), and what holds it.
struct Equilibrium {
  Eigen::VectorXd q;        ///< nq: held joints as they were given, everything else in equilibrium
  Eigen::VectorXd efforts;  ///< nv: what holds it there; zero (to rounding) in rows that nothing holds
  int iterations = 0;       ///< of Newton, over all load steps
  int load_steps = 0;       ///< 1: all at once
  bool stable = true;       ///< no small motion grows
  /// Of each cylinder: what its drive does to hold the arm; zero of those that only their springs hold.
  Eigen::VectorXd drives = {};
  /// Of an arm with closed loops: what closes them, in the rows of algorithms/constraints.hpp.
  Eigen::VectorXd multipliers = {};
};

/// Whether the equilibrium is solved for, or one step of Newton's is taken for it.
enum class StaticModel { exact, linear };

/// `rates` (nv, or empty: at rest) are those of joints that turn steadily. Throws ComputationError, with the load
/// factor that was reached, when there is no equilibrium to be found.
Equilibrium static_equilibrium(const Model& model, const Input<double>& q,
                               const std::vector<Load>& loads = {}, StaticModel kind = StaticModel::exact,
                               const Eigen::VectorXd& rates = {}, const JointNames& hold = {});

/// Where an arm becomes unstable.
struct CriticalLoad {
  double factor;     ///< on gravity and loads
  MotionKind kind;   ///< divergence (it buckles or snaps) or flutter
  double frequency;  ///< [rad/s] with which it flutters
};
/// Nothing if that is beyond `limit`.
std::optional<CriticalLoad> critical_load(const Model& model, const Input<double>& q,
                                          const std::vector<Load>& loads, double limit = 10.0,
                                          const JointNames& hold = {});

/// The held joints that bring the end effector to a place although the links (and passive joints) sag. Starts at q; the
/// last solution of what is not held is part of the result. Rotation only if it is given (as a matrix from the end
/// effector's axes to the world's). Joints with limits stay inside; those with quaternions stay as they are. Throws
/// ComputationError with the distance that remains when the place is out of reach, InputError for an arm without joints
/// that could move.
Equilibrium reach(const Model& model, const Input<double>& q, const Eigen::Vector3d& position,
                  const std::optional<Eigen::Matrix3d>& rotation, const std::vector<Load>& loads = {},
                  const JointNames& hold = {});

/// reach() from place to place (columns), with an attitude for each where `rotations` are given: every search starts where the last one ended, so that the arm moves
/// steadily. Throws ComputationError that counts the place which it could not reach.
std::vector<Equilibrium> reach_along(const Model& model, const Input<double>& q,
                                     const Eigen::Matrix3Xd& positions,
                                     const std::vector<Eigen::Matrix3d>& rotations = {},
                                     const std::vector<Load>& loads = {}, const JointNames& hold = {});

}  // namespace limber
