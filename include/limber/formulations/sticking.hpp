// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Which joints at rest stick (model/friction.hpp, (4)), and which way the others begin to slip.
//
// Let joints i be at rest, W = (M^-1)_ii > 0 of them, F_i the friction on each. Accelerations are a = W (f - F), with f what would hold all of them.
// Wanted are F and a with
//
//   |F_i| <= static_i and a_i = 0        or        F_i = side_i s_i and side_i a_i >= 0,   side_i = 1 or -1          (1)
//
// where s_i is what resists as slipping begins: static_i on a Stribeck curve, else coulomb_i. If s_i = static_i for all of them this is Gauss's principle of
// least constraint, a convex minimum: it has one solution. If friction falls at once there may be several, of which one is found that is reached from
// rest: of those that cannot hold, the one that is overloaded most lets go first, then the forces on the others are looked at again; and who was let go
// but would be pushed back holds again.

#include <functional>
#include <vector>

#include "limber/core/export.hpp"
#include "limber/formulations/formulation.hpp"
#include "limber/math/eigen.hpp"

namespace limber LIMBER_EXPORT {

/// A joint at rest that may stick.
struct JointAtRest {
  int coordinate;  ///< in v
  double holds;    ///< static friction [N m or N]
  int side = 0;    ///< 0: it sticks; 1, -1: the way it begins to slip
};

/// Forces that differ by less than this share of what holds are one: who stands at the limit does not change with every rounding error.
inline constexpr double sticking_overlap = 1e-6;

/// What is found for given sides: nv numbers each.
struct FrictionAtRest {
  const Eigen::VectorXd& friction;      ///< F; of joints that stick what keeps them at rest
  const Eigen::VectorXd& acceleration;  ///< a
};
/// Changes the sides, from those that are handed in, until (1) holds. `find` looks at the sides as they are.
void settle_sides(std::vector<JointAtRest>& joints, const std::function<FrictionAtRest()>& find);

/// Friction at a state.
struct StateFriction {
  Eigen::VectorXd forces;  ///< nv: F of model/friction.hpp, (5); of joints that stick what holds them
  std::vector<int> stuck;  ///< coordinates of joints that stick
};

/// Friction at a state, and what moves then: `output` has accelerations and wrenches. Joints of the exact law whose rate is zero stick where they can: the formulation has
/// them, and no others, prescribed from then on.
StateFriction evaluate_with_friction(Formulation& formulation, const DynamicsInput& input,
                                     DynamicsOutput& output);

}  // namespace limber
