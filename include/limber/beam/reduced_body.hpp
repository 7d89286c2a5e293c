// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A body of any shape, reduced from finite elements (derivation: docs/finite-elements.md): what `limber reduce` writes and a `body` link reads.
//
// Its frame R sits at the root interface, which is held; the axes are the mesh's. A point with the place r0 at rest sits at
//
//   p = r0 + Phi z,   z_i = eta_i + 1/2 eta^T A_i eta                                                         (1)
//
// with one column of Phi a mode. A is there where the body's material was known to the reduction, and counts where the arm's kinematics is of second order: it
// carries geometric stiffening. Only the lowest modes have a part in it (stiffened_modes). An interface moves with its six degrees of freedom. Modes are eigenmodes of the reduced body with its root held and all else free, so that stiffness and
// mass are diagonal; each is as large as the node that moves farthest moves by 1, so that coordinates are metres.
//
// With the terms of the field in the order x, y, z of r0, then x, y, z of each mode,
//
//   moment_a = Int F_a dm,    gram_ab = Int F_a F_b dm                                                        (2)
//
// are those of beam/shape_integrals.hpp.

#include <string>
#include <vector>

#include "limber/beam/shape_integrals.hpp"
#include "limber/core/export.hpp"
#include "limber/math/eigen.hpp"

namespace limber LIMBER_EXPORT {

/// A set of nodes that moves as one rigid piece (or the mean of its nodes): where other links sit.
struct BodyInterface {
  std::string name;      ///< unique in the body; the first one is called `tip`
  Eigen::Vector3d p_RI;  ///< at rest: the mean of its nodes [m]
  Eigen::Matrix3Xd Phi;  ///< 3 x m: how far it moves
  Eigen::Matrix3Xd Psi;  ///< 3 x m: how far it turns
};

/// What of the body's surface is drawn.
struct BodySkin {
  Eigen::Matrix3Xd points;     ///< at rest, in R [m]
  Eigen::Matrix3Xi triangles;  ///< indices into `points`, seen from outside counter-clockwise
  Eigen::MatrixXd modes;       ///< 3 points x m: x, y, z of the first point, then of the next
};

/// A body reduced to a few coordinates.
struct ReducedBody {
  std::string source = {};      ///< for messages: the file's name; empty for one that was in no file
  double mass = 0.0;            ///< [kg]
  Eigen::VectorXd frequencies;  ///< m of them, root held, all else free, ascending [rad/s]
  Eigen::VectorXd stiffness;    ///< K is diagonal [N/m]
  Eigen::VectorXd moment;       ///< (2): 3 + 3 m
  Eigen::MatrixXd gram;         ///< (2): 3 + 3 m square, symmetric
  Eigen::MatrixXd second_order =
      {};  ///< m x pairs: (A_i)_jk of (1), k <= j, pairs by rows; empty: first order
  std::vector<BodyInterface> interfaces;  ///< `tip` first; without the root
  BodySkin skin = {};                     ///< empty: there is none

  /// m, the number of its coordinates.
  int size() const { return static_cast<int>(stiffness.size()); }
  /// Whether it has a field of second order, and with it geometric stiffening.
  bool stiffens() const { return second_order.size() > 0; }
  /// At rest, in R.
  RigidInertia rest_inertia() const;
  /// Of that name, else nullptr.
  const BodyInterface* find(const std::string& name) const;
};

/// How many modes, the lowest, take part in the second order.
inline int stiffened_modes(Eigen::Index modes) { return static_cast<int>(modes < 8 ? modes : 8); }

/// The field at an interface: a node as a beam has them, of second order where that is asked for and the body has it.
BeamNode node_of(const ReducedBody& body, const BodyInterface& interface, KinematicOrder order);

/// The integrals of a body with a rigid body on its tip (given in the tip's frame; zero if there is none).
ShapeIntegrals make_shape_integrals(const ReducedBody& body, KinematicOrder order,
                                    const RigidInertia& tip_body);

/// The same body without any coordinate: rigid.
ReducedBody without_modes(const ReducedBody& body);

/// Throws InputError, with the name of what is wrong, where sizes do not fit, a number is not finite, a stiffness or the mass is not positive,
/// M_ee is not positive definite, a name stands twice or a triangle points to no point.
void require_valid(const ReducedBody& body);

}  // namespace limber
