// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The objects of Mohan and Saha's paper, for its readers: the decoupled natural orthogonal complement matrices
// of an arm and the factors of its inertia matrix, as dense matrices (equation numbers are the paper's).
//
//   t_i = A_i,p t_p + P_i qd_i                     twist (v, w, etad) of link i from its parent's       (7)
//   A_i,p = [R_i,p, F_p; 0, 0],   P_i = [S_i, 0; 0, 1]                                                  (8)
//   t = N qd,   N = N_l N_d                        N_l: blocks A_ij, unit on the diagonal; N_d: P_i   (13-15)
//   I = N^T M N,   I_ij = P_i^T M~_i A_ij P_j,     M~_i = M_i + Sum over children A_ci^T M~_c A_ci       (32)
//   I = U D U^T,   D_i = P_i^T M^_i P_i,           U_ji = P_j^T A_ij^T Psi_i,  Psi_i = M^_i P_i D_i^-1  (34-37)
//   M^_i = M_i + Sum over children A_ci^T (M^_c - Psi_c D_c Psi_c^T) A_ci                                (38)
//
// forward_dynamics() is the same elimination without ever forming these matrices.
//
// Differs from the paper: every link has its own axes (its root frame R), so R_i,p also turns; trees, where A_ij is
// zero unless link j carries link i; any joint; the node's exact rotation; only the coordinates that exist
// (the paper's 3m_i contain m_i axial ones that it never uses: 1 + 2m_i per revolute link); armatures, added
// to I_ii and D_i. (32) and (38) are misprinted there: A_{i+1,i} stands on both sides.

#include <string>
#include <vector>

#include "limber/algorithms/workspace.hpp"
#include "limber/core/export.hpp"
#include "limber/math/types.hpp"
#include "limber/model/load.hpp"

namespace limber LIMBER_EXPORT {

/// The matrices of Mohan and Saha's paper at one configuration; numbers in parentheses are the paper's.
struct DeNoc {
  std::vector<int> parent;                     ///< of every link; -1: the ground
  std::vector<Eigen::MatrixXd> A;              ///< A_i,p; empty if the parent is the ground
  std::vector<Eigen::MatrixXd> P;              ///< (6 + m_i) x (joint + elastic coordinates)
  std::vector<Eigen::MatrixXd> M;              ///< of every link alone, 6 + m_i
  std::vector<Eigen::MatrixXd> M_composite;    ///< M~_i
  std::vector<Eigen::MatrixXd> M_articulated;  ///< M^_i
  std::vector<Eigen::MatrixXd> Psi;            ///< M^_i P_i D_i^-1
  Eigen::MatrixXd N_l;                         ///< twists x twists
  Eigen::MatrixXd N_d;                         ///< twists x nv
  Eigen::MatrixXd inertia;                     ///< I, nv x nv, block by block from (32)
  Eigen::MatrixXd U;  ///< unit upper block triangular: blocks in the order of the links
  Eigen::MatrixXd D;  ///< block diagonal

  /// A_ij for any two links: a product along the way from j to i, the unit matrix for i = j, zero if j does
  /// not carry i.
  Eigen::MatrixXd propagation(int i, int j) const;

  /// qdd of I qdd = phi by the paper's steps A, B and C, (39) to (42).
  Eigen::VectorXd solve(const Input<double>& phi) const;
};

/// All of them at q (nq numbers).
DeNoc make_denoc(const Model& model, Workspace<double>& work, const Input<double>& q);

/// Names of the rows of N: `LINK.vx` .. `LINK.wz`, then its elastic coordinates' `NAME.rate`, link after link.
std::vector<std::string> denoc_rows(const Model& model);

/// What the paper's equations have besides at a state that moves. Rates are those of the components, each link's in its own axes:
///
///   dt/dt = N qdd + (dN_l/dt N_d + N_l dN_d/dt) qd                                                      (30)
///   gamma_i = forces of the motion alone at dt/dt = 0                                                   (24b)
///   I qdd = phi = tau - N^T (M (dN_l/dt N_d + N_l dN_d/dt) qd + gamma)                                  (31), (33)
///
/// with gravity, loads, springs and dampers in phi (they are part of the paper's tau), and gamma, which (33) has lost.
struct DeNocMotion {
  Eigen::MatrixXd N_l_rate;  ///< dN_l/dt
  Eigen::MatrixXd N_d_rate;  ///< dN_d/dt: zero but for universal joints
  Eigen::VectorXd gamma;     ///< of all links, one after the other
  Eigen::VectorXd phi;       ///< nv
};

/// At q, v and tau (nq, nv, nv numbers), with `denoc` of the same q.
DeNocMotion make_denoc_motion(const Model& model, Workspace<double>& work, const DeNoc& denoc,
                              const Input<double>& q, const Input<double>& v, const Input<double>& tau,
                              const std::vector<Load>& loads = {});

}  // namespace limber
