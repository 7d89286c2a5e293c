// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What passes through the sections of a beam, and how far its deflection is from the beam's own equation of motion.
//
// Cut the link at x. What the outer part does to the inner one follows from the outer part's own balance (section_forces.hpp), with dm (a - g) of every piece, the turning of
// its sections, its payload, what its children take (their joints' wrenches), and loads f:
//
//   N(x) = Sum f - Sum (children's) - Int_x^L dm (a - g)                                                       (1)
//   M(x) = moments of the same about the section at x - Int_x^L d/dt (I w)                                     (2)
//
// The deflection itself says what it carries: T = GJ a', M_y = -EI_y w'', M_z = EI_z v'', N_x = EA u'. Were the modal solution that of the partial differential equation
// (S. Yaqubi et al., (17), with its natural boundary conditions), both would be the same. (d/dx)^2 of the difference
//
//   e(x) = M_elastic(x) - M(x)                                                                                 (3)
//
// is the residual of that equation for a bent beam, e and e' at the tip those of the boundary conditions; the shapes hold e at zero against their own curvatures
// only. In the sense of the strain energy its size is
//
//   residual^2 = Int Sum e_i^2 / S_i dx / Int Sum M_i^2 / S_i dx,   S = GJ, EI_y, EI_z, EA of what is modelled  (4)
//
// which falls as shapes are added. (1) and (2) are the better moments for stresses: they are integrals, where (3)'s are second derivatives of few shapes. Damping of the
// beam acts on its coordinates and has no place in a section: where it is large, it is part of e.

#include <vector>

#include "limber/algorithms/forward_dynamics.hpp"
#include "limber/core/export.hpp"
#include "limber/math/eigen.hpp"
#include "limber/math/types.hpp"

namespace limber LIMBER_EXPORT {

/// Along one link. Columns: places. Axes of the turned sections, x along the beam; by the outer part on the inner one, so that tension is positive.
struct SectionLoads {
  Eigen::VectorXd x;                 ///< [m] from the root, ascending
  Eigen::Matrix3Xd force;            ///< (1) [N]
  Eigen::Matrix3Xd moment;           ///< (2) [N m]
  Eigen::Matrix3Xd elastic_moment;   ///< what twist and curvature carry [N m]; zero where the beam is rigid
  Eigen::RowVectorXd elastic_force;  ///< what stretching carries [N]; zero where the beam is rigid
  double residual = 0.0;             ///< (4); zero where nothing bends
};

/// Of a link that has a beam, at `points` equal distances from root to tip, at q, v and the accelerations a of the motion (forward dynamics' own: then the loads
/// are the arm's; zero in equilibrium). Throws InputError for a rigid link, or fewer than two points.
SectionLoads section_loads(const Model& model, int link, const Input<double>& q, const Input<double>& v,
                           const Input<double>& a, const std::vector<Load>& loads = {}, int points = 41);

}  // namespace limber
