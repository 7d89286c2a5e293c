#pragma once

// Energies, momentum and centre of mass.

#include "limber/algorithms/workspace.hpp"

namespace limber {

template <typename Scalar>
struct Energy {
  Scalar kinetic;  ///< armatures included
  Scalar gravity;  ///< -Sum m g.r, zero at the world's origin
  Scalar strain;   ///< beams and joint springs
};

template <typename Scalar>
Energy<Scalar> energy(const Model& model, Workspace<Scalar>& work, const VectorX<Scalar>& q,
                      const VectorX<Scalar>& v);

template <typename Scalar>
struct Momentum {
  Scalar mass;
  Vector3<Scalar> center_of_mass;
  Vector3<Scalar> linear;
  Vector3<Scalar> angular;  ///< about the world's origin; armatures do not count
};

template <typename Scalar>
Momentum<Scalar> momentum(const Model& model, Workspace<Scalar>& work, const VectorX<Scalar>& q,
                          const VectorX<Scalar>& v);

}  // namespace limber
