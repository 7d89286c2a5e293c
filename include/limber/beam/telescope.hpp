// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A beam of which a guide lets out more or less (docs/telescoping.md). Its free part has the length l, from the guide to the tip; the rest is in the
// guide, straight. A point of the material at the distance X from the guide sits at x = X/l, and shapes are functions of x:
//
//   dx/dl = (1 - x)/l at a fixed point of the material, because X grows as l does                                      (1)
//
// Every number of the field (1), (2) of field.hpp is then a function of x times a power of l, which units tell: of a position that
// multiplies c lengths among its coordinates (deflections are lengths, angles of torsion are not) l^(1 - c), of a rotation l^-c. With
// f = l^-p G(x) and (1), at a fixed point of the material,
//
//   df/dl = l^-(p + 1) D_p G,    d^2f/dl^2 = l^-(p + 2) D_(p+1) D_p G,    D_p G = (1 - x) G' - p G                      (2)
//
// so that three numbers, found once, give the field, its rate and its acceleration at every length.

#include <array>
#include <vector>

#include "limber/beam/field.hpp"
#include "limber/core/export.hpp"
#include "limber/math/eigen.hpp"
#include "limber/math/spatial.hpp"

namespace limber LIMBER_EXPORT {

/// The field at a fixed part x of the free length: (2).
struct ExtendingNode {
  double x = 1.0;                ///< of the free length; 1 at the tip
  std::array<BeamNode, 3> jets;  ///< G, D_p G and D_(p+1) D_p G of Phi, Psi, Phi2 and Psi2, as at l = 1
};

/// A symmetric matrix of the elastic coordinates that changes with the free length: element (i, j) is at_one(i, j) l^-power[i]. Coordinates
/// of different powers are not coupled.
struct ExtendingMatrix {
  Eigen::MatrixXd at_one;  ///< at l = 1
  std::vector<int> power;  ///< of each coordinate

  /// At a free length [m].
  Eigen::MatrixXd at(double l) const;
};

/// What is constant of a beam that slides through a guide.
struct Telescope {
  double length = 0.0;                   ///< of the whole beam [m]
  double free_length = 0.0;              ///< of its free part where its joint is at zero [m]
  RigidInertia per_length;               ///< of a piece of one metre, as a section: mass and rotary inertia
  RigidInertia carriage;                 ///< what else moves with the inner end, in R's axes about B's origin
  Eigen::Vector3d p_RB;                  ///< of that origin in R where the joint is at zero [m]
  std::vector<int> lengths;              ///< for each coordinate 1 if it is a length, 0 if it is an angle
  std::vector<ExtendingNode> points;     ///< of a Gauss rule over the free part
  Eigen::VectorXd weights;               ///< of the points; their sum is 1
  ExtendingMatrix stiffness;             ///< K: strain energy is 1/2 eta^T K eta
  std::vector<ExtendingMatrix> damping;  ///< D is their sum

  /// The field at a part x of the free length, 0 to 1.
  ExtendingNode node(const BeamBasis& basis, KinematicOrder order, double x) const;
  /// D at a free length [m].
  Eigen::MatrixXd damping_at(double l) const;
};

/// The ordinary node of a beam of the free length l [m].
BeamNode node_at(const ExtendingNode& node, const std::vector<int>& lengths, double l);

/// The power p of (2) of a number that multiplies coordinates with so many lengths among them.
constexpr int extending_power(bool of_rotation, int lengths) { return of_rotation ? lengths : lengths - 1; }

/// Damping of the beam by itself, without what sits on its tip: `ratio` of all its modes at every length, and alpha M_ee + beta K.
struct ExtendingDamping {
  double ratio = 0.0;  ///< of critical damping
  double alpha = 0.0;  ///< [1/s]
  double beta = 0.0;   ///< [s]
};

/// From the beam as it is where the joint is at zero: `basis` has its free part, `stiffness` is K there. The profile is uniform and does not shear, and shapes
/// are smooth. Throws InputError (path `modes`) where they oscillate too much for a rule of 64 points.
Telescope make_telescope(const BeamBasis& basis, KinematicOrder order, const Eigen::MatrixXd& stiffness,
                         double length, const ExtendingDamping& damping);

}  // namespace limber
