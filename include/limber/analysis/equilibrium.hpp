#pragma once

// Static equilibrium of an arm whose joints are held: how far it sags, and what holds it.
//
// With the joints where they are, eta solves
//
//   r(eta) = lambda (g(q) - Q(q)) + K eta = 0        elastic rows                                     (1)
//
// g the gravity forces, Q those of the loads, both on the bent arm; lambda = 1, the load factor. Newton's
// iteration takes dr/deta from the dual scalar and shortens steps that do not bring r down. Where it does not
// converge from the straight arm, the loads are applied step by step. The joints' efforts are the joint rows
// of (1), with the joint springs.
//
// An equilibrium is stable if the symmetric part of dr/deta is positive definite. The smallest lambda at which
// it is not, along the way from the unloaded arm, is the critical load factor: there the arm buckles, or
// snaps. (For loads that follow the section, flutter may come before.)
//
// In steady rotation (joints that turn at constant rates) the centrifugal forces of the bent arm stand in g.
//
// `linear` takes one Newton step from the straight arm, and the efforts to first order in it. Everything is then
// linear in eta, as in Piedboeuf's models O(1) (kinematics first) and O(2) (second).

#include <optional>

#include "limber/algorithms/forward_dynamics.hpp"

namespace limber {

struct Equilibrium {
  Eigen::VectorXd q;        ///< nq: the joints as they were given, the elastic coordinates in equilibrium
  Eigen::VectorXd efforts;  ///< nv: what holds it there; zero (to rounding) in the elastic rows
  int iterations = 0;       ///< of Newton, over all load steps
  int load_steps = 0;       ///< 1: all at once
  bool stable = true;
};

enum class StaticModel { exact, linear };

/// `rates` (nv, or empty: at rest) are those of joints that turn steadily. Throws ComputationError, with the load
/// factor that was reached, when there is no equilibrium to be found.
Equilibrium static_equilibrium(const Model& model, const Eigen::VectorXd& q,
                               const std::vector<ExternalWrench>& loads = {},
                               StaticModel kind = StaticModel::exact, const Eigen::VectorXd& rates = {});

/// By how much gravity and loads must be multiplied for the arm to become unstable; nothing if that is beyond
/// `limit`.
std::optional<double> critical_load_factor(const Model& model, const Eigen::VectorXd& q,
                                           const std::vector<ExternalWrench>& loads, double limit = 10.0);

/// The joints that bring the end effector to a place although the links sag. Starts at q; the last solution of
/// the elastic coordinates is part of the result. Rotation only if it is given (as a matrix from the end
/// effector's axes to the world's). Joints with limits stay inside. Throws ComputationError with the distance
/// that remains when the place is out of reach.
Equilibrium reach(const Model& model, const Eigen::VectorXd& q, const Eigen::Vector3d& position,
                  const std::optional<Eigen::Matrix3d>& rotation,
                  const std::vector<ExternalWrench>& loads = {});

}  // namespace limber
