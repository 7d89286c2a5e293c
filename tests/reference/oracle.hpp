// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The dynamics of an arm from positions only: an oracle that shares no code and no derivation with Limber.
//
// An arm is a set of point masses m whose positions r are functions of the configuration (body.hpp). A
// position is evaluated over Taylor polynomials in time (jet.hpp) along the motion that starts at q and keeps
// the components of v constant; for spherical and free joints, whose v are body velocities [lin, w],
//
//   R(t) = R exp([w]x t),    p(t) = p + R (lin t + 1/2 w x lin t^2) + O(t^3)  (1)
//
// Then J_i = dr/dt for v = e_i (r is linear in v at first order), and along the motion with the given v
//
//   r' = J v,    r'' = b;    with changing v:  r'' = J v' + b  (2)
//
// D'Alembert: for every virtual velocity the power of m (r'' - g) is that of the other forces, so
//
//   M = Sum m J^T J + armature,   bias = Sum m J^T (b - g),   gravity = -Sum m J^T g  (3)
//
//   M v' + bias + C v + K (q - rest) = tau + Sum over loads (Jp^T force + Jw^T moment)  (4)
//
// with the power of a couple from the angular velocity of the node it acts on. The wrench in a joint is what
// Newton and Euler ask for the points beyond it: force Sum m (r'' - g) - Sum force, moment accordingly.
//
// Restricted to polynomial shapes (normalize peak or none) and sections given by stiffness.

#include <Eigen/Core>
#include <string>
#include <vector>

#include "limber/model/description.hpp"

namespace reference {

/// Axes in which a load is given.
enum class LoadAxes { world, body, section };

struct Load {
  std::string link;
  double at = 1.0;
  LoadAxes axes = LoadAxes::world;
  Eigen::Vector3d force = Eigen::Vector3d::Zero();
  Eigen::Vector3d moment = Eigen::Vector3d::Zero();
};

struct State {
  Eigen::VectorXd q;    ///< nq, quaternions x y z w
  Eigen::VectorXd v;    ///< nv
  Eigen::VectorXd tau;  ///< nv
  std::vector<Load> loads;
};

struct Evaluation {
  Eigen::MatrixXd M;
  Eigen::VectorXd bias;  ///< Coriolis, centrifugal and gravity; bias - gravity is the contract's `coriolis`
  Eigen::VectorXd gravity;
  Eigen::MatrixXd stiffness;  ///< of beams and joint springs
  Eigen::MatrixXd damping;
  Eigen::VectorXd load_forces;  ///< generalized forces of the loads
  Eigen::VectorXd acceleration;
  /// By the parent on the child, about the origin of B, in B's axes, force first; in link order.
  std::vector<Eigen::Matrix<double, 6, 1>> wrenches;
  double kinetic, gravity_energy, strain;
  Eigen::Vector3d end_effector_position;
  Eigen::Matrix3d end_effector_rotation;
  Eigen::Matrix<double, 6, Eigen::Dynamic> jacobian;  ///< linear rows first, world axes
  double mass;
  Eigen::Vector3d center_of_mass, linear_momentum;
  Eigen::Vector3d angular_momentum;  ///< about the world's origin, without armatures
};

/// Numbers in q and in v: of a joint, of a beam's elastic coordinates (either), of an arm.
int q_size(limber::JointType type);
int v_size(limber::JointType type);
int elastic_size(const limber::LinkDescription& link);
int q_size(const limber::ModelDescription& description);
int v_size(const limber::ModelDescription& description);

/// Throws std::exception when the sizes are not those of the arm or the description is not one it
/// understands.
Evaluation evaluate(const limber::ModelDescription& description, const State& state);

}  // namespace reference
