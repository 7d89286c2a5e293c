// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Energies, momentum and centre of mass.

#include "limber/algorithms/workspace.hpp"
#include "limber/core/export.hpp"

namespace limber LIMBER_EXPORT {

/// Of an arm at one state [J].
template <typename Scalar>
struct Energy {
  Scalar kinetic;  ///< armatures included
  Scalar gravity;  ///< -Sum m g.r, zero at the world's origin
  Scalar strain;   ///< beams and joint springs; those of cylinders: cylinder_energy()
};

/// At q (nq) and v (nv).
template <typename Scalar>
Energy<Scalar> energy(const Model& model, Workspace<Scalar>& work, const Input<Scalar>& q,
                      const Input<Scalar>& v);

/// Of an arm at one state, in the world's axes.
template <typename Scalar>
struct Momentum {
  Scalar mass;                     ///< of all links [kg]
  Vector3<Scalar> center_of_mass;  ///< from the world's origin [m]
  Vector3<Scalar> linear;          ///< mass times the velocity of the centre of mass [kg m/s]
  Vector3<Scalar> angular;         ///< about the world's origin; armatures do not count
};

/// At q (nq) and v (nv).
template <typename Scalar>
Momentum<Scalar> momentum(const Model& model, Workspace<Scalar>& work, const Input<Scalar>& q,
                          const Input<Scalar>& v);

}  // namespace limber
