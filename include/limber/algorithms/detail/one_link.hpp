// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Stages of one link, for sweeps that do several of them while the link is at hand.

#include "limber/algorithms/detail/arm_work.hpp"
#include "limber/algorithms/forward_dynamics.hpp"

namespace limber::detail {

/// (1) to (7) of kinematics.hpp, after turn_joints().
template <typename Scalar>
void update_velocities_of(ArmWork<Scalar>& work, LinkWork<Scalar>& link, const Scalar* q, const Scalar* v);

/// How the nodes of a link move whose V_R is there: (2), (4) and (5) of kinematics.hpp.
template <typename Scalar>
void update_nodes_of(LinkWork<Scalar>& link, const Scalar* q, const Scalar* v);

/// (1) to (4) of inertia.hpp.
template <typename Scalar>
void update_inertia_of(LinkWork<Scalar>& link, const Scalar* q, const Scalar* v);

/// M_rr, M_re, M_ee of one flexible link without lumps and sections: its distributed mass and rigid root piece.
template <typename Scalar>
void update_field_mass(LinkWork<Scalar>& link, const Scalar* eta);

/// Adds external wrenches to f_r and f_e of their links (as what acts against them).
template <typename Scalar>
void apply_loads(const Model& model, ArmWork<Scalar>& work, const Scalar* q, const std::vector<Load>& loads);

/// What a joint's motor does, after forward dynamics: S^T wrench + armature qdd + damping v + stiffness (q - rest),
/// one number per coordinate of the link's joint. For a prescribed joint this is what moves it.
template <typename Scalar>
void joint_efforts(const LinkWork<Scalar>& link, const Scalar* q, const Scalar* v, const Scalar* qdd,
                   Scalar* efforts);

/// What forward dynamics subtracts from tau: forces of springs, beams' stiffness, and dampers.
template <typename Scalar>
void elastic_and_damping_forces(const ArmWork<Scalar>& work, const Scalar* q, const Scalar* v,
                                Scalar* forces);

/// A wrench about R's origin, as users see it: about B's origin, in B's axes.
template <typename Scalar>
LaneWrench<Scalar> wrench_in_body(const LinkWork<Scalar>& link, const LaneWrench<Scalar>& at_R) {
  return {link.R_BR * at_R.force, link.R_BR * (at_R.moment + cross(link.p_BR_R, at_R.force))};
}

/// What a link's motion and place tell of its energy.
template <typename Scalar>
struct LinkMotion {
  Scalar kinetic;  ///< energy
  Scalar mass;
  Vec3<Scalar> moment;  ///< Int p dm, in R
};

/// Of a link whose velocities are there: no mass matrix is made on the way.
template <typename Scalar>
LinkMotion<Scalar> motion_of(LinkWork<Scalar>& link, const Scalar* q, const Scalar* v);

/// (5) of inertia.hpp into f_r, f_e, of a link whose A_R is there: no mass matrix is made on the way.
template <typename Scalar>
void update_forces_of(LinkWork<Scalar>& link, const Scalar* q, const Scalar* v, const Scalar* qdd);

}  // namespace limber::detail
