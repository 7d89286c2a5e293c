// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Screws whose vectors are dual: twists, wrenches and lines of first order in the elastic states, as Cibicik & Egeland write them.
// Numbers in parentheses are the paper's.
//
// A dual vector a + eps b is the real vector [a; b] (dual_groups.hpp), and a dual screw has two of them, 12 numbers: a direction, and a moment
// about a point of reference,
//
//   twist [w^; v^] (56),     wrench [f^; n^] (80),     line [a^; p^ x a^] through the point p^ (58)
//
// All three are taken from one frame to another by the same matrix: from the coordinates of frame j, referenced to the point s, to those of
// frame i, referenced to r, with p^_rs the way from r to s in j's coordinates,
//
//   V^ = R-bar^ U^,     U^ = [1 0; [p^_rs]x 1],     R-bar^ = [R^_ij 0; 0 R^_ij]                       (60), (63), (66)
//
// which is Ad of G2 at (R^_ij, R^_ij p^_rs): so all screws transform as right velocities of G2 do, and where the two frames move, the rate of a
// screw s that is fixed in the second is
//
//   d/dt (V^ s) = ad(l) V^ s,     l the left velocity of the transformation                                 (76), (77)
//
// The paper writes ad(l) as [w^ 0; -u^ w^] with an auxiliary velocity u^ that (78) collects link by link. It is minus the second half of l.

#include "limber/core/export.hpp"
#include "limber/literature/dual_groups.hpp"

namespace limber LIMBER_EXPORT {

/// Dual screws as columns.
using Matrix12X = Eigen::Matrix<double, 12, Eigen::Dynamic>;

/// From direction and moment.
Vector12d dual_screw(const DualVector3& direction, const DualVector3& moment);
///@{
/// The two halves of a screw: angular velocity, force or axis; velocity, torque or moment of the reference point.
DualVector3 direction_of(const Vector12d& screw);
DualVector3 moment_of(const Vector12d& screw);
///@}
/// (58): of the line along `axis` through a point, which is given from the point of reference.
Vector12d dual_line(const DualVector3& axis, const DualVector3& point);

/// U^ of (60): p from the new point of reference to the old one.
Matrix12d reference_change(const DualVector3& p);
/// R-bar^ of (63).
Matrix12d coordinate_change(const G1& R_ij);
/// V^ of (66): first the point of reference, p in the old coordinates, then the coordinates.
Matrix12d screw_transformation(const G1& R_ij, const DualVector3& p);

///@{
/// Screws of an elastic coordinate with the rotation Psi and the displacement Phi per unit of it: purely dual in the Jacobian form, where they
/// multiply rates, which are of first order (67) to (72); real in the projecting form (94), (95), where wrenches and accelerations meet them.
Vector12d jacobian_screw(const Eigen::Vector3d& Psi, const Eigen::Vector3d& Phi);
Vector12d projecting_screw(const Eigen::Vector3d& Psi, const Eigen::Vector3d& Phi);
///@}

/// The power of a wrench on a twist, both referenced to the same point and in the same coordinates: f^ . v^ + n^ . w^. The same wherever that
/// is.
Truncated power(const Vector12d& wrench, const Vector12d& twist);

/// Pi^ of (109): for a wrench [f^; n^] the 12 numbers that P˘^T of the projecting form takes, [n_r + n_d; n_r; f_r + f_d; f_r]. What is of second
/// order is gone with it.
Vector12d folded(const Vector12d& wrench);

}  // namespace limber
