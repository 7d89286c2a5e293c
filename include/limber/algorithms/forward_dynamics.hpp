#pragma once

// Accelerations from forces in O(n): block elimination from the leaves to the root (docs/dynamics.md; Mohan and
// Saha's DeNOC factorization read as articulated bodies with elastic coordinates).
//
// For every link, leaves first, with joint subspace S and n = (joint + elastic) coordinates:
//
//   W = [M_rr S, M_re],   D = [S^T M_rr S + armature, S^T M_re; ., M_ee] = L Delta L^T            (1)
//   u = [tau - d qd - k (q - rest) - S^T p_r;  tau_e - K eta - C etad - p_e]                      (2)
//   Z = L^-1 W^T,  z = L^-1 u,   Ma = M_rr - Z^T Delta^-1 Z,   pa = p_r + Z^T Delta^-1 z          (3)
//   parent:  M += B^T Ma B,   p += B^T (pa + Ma c)                                                (4)
//
// then root to leaves:
//
//   A- = B [A_p; etadd_p] + c,   [qdd; etadd] = L^-T Delta^-1 (z - Z A-),   A = A- + S qdd
//   wrench = Ma A- + pa                                                                           (5)
//
// A prescribed joint moves as it is told: its qdd is known. It counts as a fixed joint whose c has a term more,
//
//   c += S qdd                                                                                    (6)
//
// and n of its link is the number of elastic coordinates alone. What moves it follows from its wrench.
//
// L is unit lower triangular and Delta diagonal. (3) subtracts Z^T Delta^-1 Z, which is symmetric by
// construction. With an explicit inverse of D the same recursion loses all digits on long chains.

#include "limber/algorithms/workspace.hpp"

namespace limber {

/// A force and a moment on a node of a link.
struct ExternalWrench {
  enum class Axes { world, body, section };
  int link = 0;
  int node = 0;  ///< index into Link::nodes
  Axes axes = Axes::world;
  Eigen::Vector3d force = Eigen::Vector3d::Zero();
  Eigen::Vector3d moment = Eigen::Vector3d::Zero();
  Eigen::Vector3d offset =
      Eigen::Vector3d::Zero();  ///< from the node to where the force acts, in the section's axes
};

/// qdd (nv numbers; the rate of v's components) of M qdd + bias + damping v + stiffness (q - rest) = tau +
/// loads. Prescribed joints (LinkWork::prescribed) keep the qdd that is handed in. Leaves joint wrenches in the
/// workspace. Throws ComputationError, naming link and coordinate, where
/// the mass matrix is singular.
template <typename Scalar>
void forward_dynamics(const Model& model, Workspace<Scalar>& work, const VectorX<Scalar>& q,
                      const VectorX<Scalar>& v, const VectorX<Scalar>& tau, VectorX<Scalar>& qdd,
                      const std::vector<ExternalWrench>& loads = {});

/// What a joint's motor does, after forward dynamics: S^T wrench + armature qdd + damping v + stiffness (q - rest),
/// one number per coordinate of the link's joint. For a prescribed joint this is what moves it.
template <typename Scalar>
void joint_efforts(const LinkWork<Scalar>& link, const VectorX<Scalar>& q, const VectorX<Scalar>& v,
                   const VectorX<Scalar>& qdd, VectorX<Scalar>& efforts);

/// Adds external wrenches to p_r and p_e of their links (as what acts against them).
template <typename Scalar>
void apply_loads(const Model& model, Workspace<Scalar>& work, const std::vector<ExternalWrench>& loads);

/// The wrench that forward or inverse dynamics left in a link, as users see it: about B's origin, in B's
/// axes.
template <typename Scalar>
Vector6<Scalar> wrench_in_body(const LinkWork<Scalar>& link) {
  const Vec3<Scalar>&f = link.wrench.linear, &n = link.wrench.angular;
  return Vec6<Scalar>{link.R_BF * f, link.R_BF * (n + cross(link.p_BF, f))};
}

}  // namespace limber
