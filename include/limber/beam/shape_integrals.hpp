// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Shape integrals: what remains of a beam once everything has been integrated along it
// (docs/deflection-field.md).
//
// The field's position is a sum of terms, p(x) = Sum_a F_a(x) mu_a(eta) e_axis(a), with mu_a = 1, eta_j or
// eta_j eta_k (field.hpp). Every integral over the distributed mass is then a polynomial in eta whose
// coefficients are
//
//   moment_a = Int F_a dm,    gram_ab = Int F_a F_b dm                                                  (1)
//
// In the words of the literature: Int r0 dm, Int Phi dm, Int Phi2 dm are `moment`; Int r0 r0^T dm, Int r0 Phi_j^T dm,
// Int Phi_j Phi_k^T dm, and the same with Phi2, are blocks of `gram`, each stored once. The mass matrix made of
// them is a Gram matrix of the field itself, therefore positive semidefinite at every eta.
//
// What turns with a section cannot be written as such a polynomial, because exp[theta] is not one: a tip
// body's inertia and its mass out of the axis, and the sections' own rotary inertia (as bodies without mass at Gauss
// points). They are kept as `lumps`, rigid bodies at nodes, and use the node's exact rotation.

#include <vector>

#include "limber/beam/field.hpp"
#include "limber/core/export.hpp"
#include "limber/math/eigen.hpp"
#include "limber/math/spatial.hpp"

namespace limber LIMBER_EXPORT {

/// A rigid body fixed to the section at a node; its inertia is given in the section's frame.
struct Lump {
  BeamNode node;      ///< where it sits
  RigidInertia body;  ///< in the section's frame
};

/// What remains of a beam once everything has been integrated along it.
struct ShapeIntegrals {
  double mass = 0.0;             ///< distributed mass and point masses on the axis
  std::vector<FieldTerm> terms;  ///< of the position
  Eigen::VectorXd moment;        ///< (1), one per term
  Eigen::MatrixXd gram;          ///< (1), terms x terms
  std::vector<Lump> lumps;       ///< what turns with its section: tip body, rotary inertia
  Eigen::MatrixXd stiffness;     ///< K: strain energy is 1/2 eta^T K eta
  Eigen::MatrixXd rest_inertia;  ///< M_ee at eta = 0, lumps included
};

/// The integrals of a beam with a rigid body on its tip (given in the tip's frame; zero if there is none).
ShapeIntegrals make_shape_integrals(const BeamBasis& basis, KinematicOrder order, const BeamNode& tip_node,
                                    const RigidInertia& tip_body);

/// Puts a rigid body (given in the node's frame) on a node, and sets rest_inertia anew.
void add_body(const BeamNode& node, const RigidInertia& body, ShapeIntegrals& integrals);

/// The integrals over the distributed mass at one elastic state, of p and of its derivatives p_j = dp/deta_j.
struct FieldMoments {
  Eigen::Vector3d first;               ///< Int p dm
  Eigen::Matrix3d second;              ///< Int p p^T dm
  Eigen::Matrix3Xd first_derivatives;  ///< Int p_j dm, one column each
  std::vector<Eigen::Matrix3d> mixed;  ///< Int p p_j^T dm
  Eigen::MatrixXd derivatives;         ///< Int p_j . p_k dm
};
/// At eta.
FieldMoments field_moments(const ShapeIntegrals& integrals, const Eigen::VectorXd& eta);

/// The modal damping matrix D with K U = M_ee U omega^2, U^T M_ee U = 1: D = M_ee U diag(2 ratio omega) U^T
/// M_ee. Coordinates without inertia of their own get none.
Eigen::MatrixXd modal_damping(const Eigen::MatrixXd& stiffness, const Eigen::MatrixXd& inertia, double ratio);

}  // namespace limber
