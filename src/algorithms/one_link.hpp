#pragma once

// Stages of one link, for sweeps that do several of them while the link is at hand.

#include "limber/algorithms/workspace.hpp"

namespace limber {

/// (1) to (7) of kinematics.hpp.
template <typename Scalar>
void update_velocities_of(Workspace<Scalar>& work, LinkWork<Scalar>& link, const Scalar* q, const Scalar* v);

/// How the nodes of a link move whose V is there: (2), (4) and (5) of kinematics.hpp.
template <typename Scalar>
void update_nodes_of(LinkWork<Scalar>& link, const Scalar* q, const Scalar* v);

/// (1) to (4) of inertia.hpp.
template <typename Scalar>
void update_inertia_of(LinkWork<Scalar>& link, const Scalar* q, const Scalar* v);

/// What a link's motion and place tell of its energy.
template <typename Scalar>
struct LinkMotion {
  Scalar kinetic;  ///< energy
  Scalar mass;
  Vec3<Scalar> moment;  ///< Int p, in F
};

/// Of a link whose velocities are there: no mass matrix is made on the way.
template <typename Scalar>
LinkMotion<Scalar> motion_of(LinkWork<Scalar>& link, const Scalar* q, const Scalar* v);

/// (5) of inertia.hpp into p_r, p_e, of a link whose A is there: no mass matrix is made on the way.
template <typename Scalar>
void update_forces_of(LinkWork<Scalar>& link, const Scalar* q, const Scalar* v, const Scalar* qdd);

}  // namespace limber
