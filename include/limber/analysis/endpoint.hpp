// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// How a point of an arm gives way: its compliance about an equilibrium.
//
// A small wrench w at the point (force and moment, world axes, about the point itself) moves what is not held by x, K_t x = J_f^T w, and the point by J_f x:
//
//   displacement = C w,   C = J_f K_t^-1 J_f^T                                                          (1)
//
// with K_t the tangent stiffness (modes.hpp: gravity and loads included) and J_f the Jacobian's columns of what moves: elastic coordinates and passive
// joints. C is 6 x 6, displacement and turning in world axes. It has an inverse, the stiffness at the point, where every direction gives way.
//
// The other way round, what pushes at the point is known from strain gauges: a gauge shows s = S eta, a row of its shapes' curvatures, so that to first order
//
//   s - s(w) = A dw,   A = S K_t^-1 J_f^T                                                               (2)
//
// of which Gauss-Newton's iteration w <- w + A^+ (s - s(w)) takes w, with s(w) of the equilibrium under w. Gauges that are wrong by at most e_j each leave
//
//   |dw_i| <= Sum_j |A^+_ij| e_j                                                                        (3)
//
// (Piedboeuf's Q = J^T F, inverted; to first order in e.)

#include <optional>
#include <vector>

#include "limber/algorithms/forward_dynamics.hpp"
#include "limber/core/export.hpp"
#include "limber/math/types.hpp"
#include "limber/model/coordinates.hpp"

namespace limber LIMBER_EXPORT {

/// Of a point, in world axes; linear rows and columns first.
struct EndpointCompliance {
  Eigen::Matrix<double, 6, 6> compliance;                ///< (1): m/N, m/(N m), rad/N, rad/(N m)
  std::optional<Eigen::Matrix<double, 6, 6>> stiffness;  ///< its inverse; none where some direction is rigid
  int rank = 0;                                          ///< directions that give way
};

/// About the state q. `hold`: joints that are held although they have a spring. Throws ComputationError where K_t is singular.
EndpointCompliance endpoint_compliance(const Model& model, const Input<double>& q, const Frame& frame,
                                       const std::vector<Load>& loads = {}, const JointNames& hold = {});

/// What a gauge shows (BeamStrain).
enum class StrainKind { kappa_y, kappa_z, twist, stretch };

/// A strain gauge and what it shows.
struct StrainGauge {
  int link = 0;                             ///< index into Model::links
  double x = 0.0;                           ///< [m] from the beam's root
  StrainKind strain = StrainKind::kappa_z;  ///< what of the beam's strain
  double reading = 0.0;                     ///< [1/m, rad/m or m/m]
  double error = 0.0;                       ///< by how much that may be wrong at most
};

/// A gauge at x [m] from the root of a link by its name, whether it is in segments or not; what it reads is still to be put in. Throws InputError where
/// there is no such link, it is rigid, or x is not on it.
StrainGauge gauge_on(const Model& model, std::string_view link, double x);

/// What pushes at a point.
struct EndpointForce {
  Eigen::Matrix<double, 6, 1> wrench;  ///< force and moment about the point, world axes [N, N m]
  Eigen::Matrix<double, 6, 1> bound;   ///< (3): by how much each may be wrong
  Eigen::VectorXd left_over;           ///< of each gauge: reading minus what the arm with that wrench shows
  int iterations = 0;                  ///< of Gauss-Newton
};

/// From gauges, of which there are at least as many as `components` (0 to 5: fx fy fz mx my mz) that may be other than zero; joints where q has them. Throws InputError where there
/// are fewer, ComputationError where the gauges cannot tell the components apart.
EndpointForce endpoint_force(const Model& model, const Input<double>& q, const Frame& frame,
                             const std::vector<StrainGauge>& gauges, const std::vector<int>& components,
                             const std::vector<Load>& loads = {}, const JointNames& hold = {});

}  // namespace limber
