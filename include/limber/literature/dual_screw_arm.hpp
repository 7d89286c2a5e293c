// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// An arm in the words of Cibicik & Egeland: dual homogeneous transformations of its frames, the dual twists of its links, the projection
// matrices P^ and P˘, and the equations of motion as the sums of products that the paper writes. Numbers in parentheses are the paper's.
//
// Frame i of the paper is B of link i (docs/notation.md), frame i' or i_e the section at a node. With theta = Psi eta and d = Phi eta in the root
// frame R,
//
//   T^_B,e = X_BR (1 + eps [theta]x, r0 + eps d)                        a section in its link             (24), (45)
//   T^_W,i = T^_W,p T^_p,e X_NJ X_J(q)                                  link i on node e of its parent p  (49)
//
// Screws of a place e of link i stand in the coordinates of i, referenced to e. V^_j: the transformation (66) from link j. Then, over all links j
// from i down to the ground, with S_j the screws of the joint's freedoms in B_j (a line for a joint that turns (58), a free vector for one
// that slides, both for one that does both) and E_j the jacobian_screws of the link's shapes at the node through which the way leads,
//
//   P^ = [.. V^_j S_j, V^_j E_j ..],   t^ = P^ u                                                          (90) to (92)
//   P˘ = the same with projecting_screws in place of E_j                                                  (93) to (95)
//   d/dt P^: columns ad(V^_j t^_j - t^_i) V^_j S_j + V^_j dS_j/dt, and likewise those of E_j              (76) to (79)
//
// t^_j the twist of what a column is fixed in, t^_i that of the frame in which it is looked at, with i's axes and e's origin. The difference is the
// left velocity of V^_j, which (78) writes link by link. dS/dt is zero but for universal joints.
//
// With D^ the inertia of a section (or of a rigid body) about its own origin, in i's axes, of first order like all else, and w^, v^ of t^,
//
//   M   = Sum P˘^T (D^ P˘),       tau = Sum P˘^T Pi^ (gravity)                                            (109), (112)
//   C u = Sum P˘^T Pi^ ( d/dt (D^ t^) at udot = 0,  + w^_i x,  + v^_e x momentum )                        (97), (104), (110)
//
// These are (101) to (108) for bodies whose origin is not their centre of mass, and whose inertia turns with its section.
//
// Differs from the paper: any joint, trees, joints beside the beam's root (X_BR), bodies on tips; the corrections of truncated_arm.hpp. Slow and
// literal, to be read and to be compared with: formulation `dual-screw` gives the same numbers fast.

#include <vector>

#include "limber/core/export.hpp"
#include "limber/literature/dual_screws.hpp"
#include "limber/math/types.hpp"
#include "limber/model/model.hpp"

namespace limber LIMBER_EXPORT {

/// An arm at one state as dual screws, of first order in the elastic states at every step.
class DualScrewArm {
 public:
  /// At q and v (nq, nv numbers); the arm with first-order kinematics, as the paper has it.
  DualScrewArm(const Model& model, const Input<double>& q, const Input<double>& v);

  /// The arm, with the first-order deflection field.
  const Model& model() const { return model_; }

  /// T^_W,i of (49): B of a link in the world.
  const G2& frame(int link) const;
  /// T^_B,e of (45): a place in B of its link.
  G2 section(const Frame& place) const;
  /// t^ of a link's B, in its coordinates and referenced to its origin, (56).
  const Vector12d& twist(int link) const;
  /// t^ = P^ u of a place, in the coordinates of its link, referenced to the place, (91).
  Vector12d twist(const Frame& place) const;

  /// S of a joint: 12 x its freedoms, in B and referenced to its origin.
  Matrix12X joint_screws(int link) const;
  /// P^ of a place, 12 x nv, (92).
  Matrix12X jacobian_form(const Frame& place) const;
  /// P˘ of a place, 12 x nv, (93).
  Matrix12X projecting_form(const Frame& place) const;
  /// d/dt P^ of a place, 12 x nv, (76) to (79).
  Matrix12X jacobian_rate(const Frame& place) const;

  /// Generalized forces (nv) of a wrench [f^; n^] that acts on a place, given as the place's own screws are, (109).
  Eigen::VectorXd project(const Frame& place, const Vector12d& wrench) const;

  /// M of (112), nv x nv; armatures are added, which the paper does not have.
  Eigen::MatrixXd mass_matrix() const;
  /// C u of (112): what the motion alone asks for, without gravity (nv).
  Eigen::VectorXd coriolis_forces() const;
  /// What gravity does (nv): on the right-hand side, as in (109).
  Eigen::VectorXd gravity_forces() const;

 private:
  enum class Form { jacobian, projecting, rate };
  /// What screws are referenced to: a point that rides on a section of a link.
  struct Place {
    int link = 0;
    G2 X_Be;                     ///< in B
    DualVector3 p_Bn;            ///< of the section's origin, in B
    Eigen::Matrix3Xd Psi, Phi;   ///< of the link's shapes at the section, in B's axes
    DualVector3 w_rate, v_rate;  ///< at eps: how they turn the section and move the point

    const DualVector3& p_Be() const { return X_Be.translation(); }
  };
  struct LinkState {
    G2 X_WB, X_pB;        ///< in the world, and in the parent's B
    Vector12d twist;      ///< of B
    Matrix12X S, S_rate;  ///< of its joint, in B
  };
  Place place_with(int link, const Eigen::Vector3d& r0, const Eigen::Matrix3Xd& Phi,
                   const Eigen::Matrix3Xd& Psi) const;
  Place node_place(int link, int node) const;
  Place place_of(const char* function, const Frame& frame) const;
  void find_link(int link);
  Vector12d point_twist(const Place& at) const;
  Vector12d section_twist(const Place& at) const;
  Vector12d node_twist(const Place& at) const;
  Matrix12X shape_screws(const Place& at, Form form) const;
  Matrix12X columns(const Place& at, Form form) const;
  template <typename Visit>
  void for_each_body(Visit&& visit) const;

  Model model_;
  Eigen::VectorXd q_, v_;
  std::vector<LinkState> links_;
};

}  // namespace limber
