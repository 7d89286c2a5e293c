// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Natural modes of an arm about a state.
//
// Small undamped motions x about a state q whose residual forces are held: M x'' + K_t x = 0 with the tangent
// stiffness
//
//   K_t = K + d(gravity forces - forces of loads)/dq (1)
//
// K of beams and joint springs. The second part is what makes a hanging arm stiffer and a standing one
// softer; it is taken by the dual scalar, along body rates for spherical and free joints. Loads that follow the arm, and
// moments, make it unsymmetric: it is used whole (small_motions.hpp), so that flutter shows.

#include <string>
#include <vector>

#include "limber/algorithms/forward_dynamics.hpp"
#include "limber/analysis/small_motions.hpp"
#include "limber/core/export.hpp"
#include "limber/math/eigen.hpp"
#include "limber/math/types.hpp"
#include "limber/model/coordinates.hpp"

namespace limber LIMBER_EXPORT {

/// What joints do in a natural mode.
enum class JointTreatment {
  held,        ///< passive joints (passive_coordinates) move on their springs, all others are held
  locked,      ///< all joints held
  free,        ///< joints move, without their springs
  as_modelled  ///< joints move, with their springs
};
/// All of them, in the order of documentation.
inline constexpr JointTreatment all_joint_treatments[] = {JointTreatment::held, JointTreatment::locked,
                                                          JointTreatment::free, JointTreatment::as_modelled};

/// As users write and read it: "as-modelled".
std::string name_of(JointTreatment joints);

/// The modes of an arm about a state.
struct NaturalModes {
  Eigen::VectorXd angular_frequencies;  ///< [rad/s], ascending; an unstable mode (growing as e^st) as -|s|
  Eigen::MatrixXd shapes;               ///< nv x modes, largest component 1
  Eigen::MatrixXd quadrature;  ///< in steady rotation and in flutter, what moves a quarter of a period ahead;
                               ///< otherwise empty
  Eigen::MatrixXd participation;  ///< nv x modes: phi_i (M phi)_i / phi^T M phi, each column sums to 1
  Eigen::VectorXcd exponents;     ///< s of e^(st) [1/s]; the real part is how fast the motion grows
  std::vector<MotionKind> kinds;  ///< vibration, or what is unstable
};

/// K_t of (1), nv x nv. `joint_springs`: count them in.
Eigen::MatrixXd tangent_stiffness(const Model& model, const Input<double>& q, bool joint_springs = true,
                                  const std::vector<Load>& loads = {});

/// All modes, or the first `count` (0: all). `hold`: joints that `held` holds although they have a spring. Throws ComputationError, with the coordinate's name, for a singular
/// mass matrix.
NaturalModes natural_modes(const Model& model, const Input<double>& q,
                           JointTreatment joints = JointTreatment::held, int count = 0,
                           const std::vector<Load>& loads = {}, const JointNames& hold = {});

/// A joint's coordinate that turns (or slides) at a constant rate.
struct SteadyRate {
  int coordinate;  ///< in v
  double rate;     ///< [rad/s or m/s]
};

/// Whether G of (2) is counted in.
enum class Gyroscopic { included, left_out };

/// Small motions about an arm of which some joints move steadily (they are held at their rates, all other joints
/// are treated as asked for):
///
///   M x'' + G x' + K_t x = 0,   G = skew part of d tau/dv,   K_t = K + sym. part of d tau/dq - d(loads)/dq     (2)
///
/// tau by inverse dynamics at these rates, without loads: K_t contains centrifugal softening and, with second-order
/// kinematics, the stiffening of a beam that is pulled. The tangent of loads enters whole.
NaturalModes steady_rotation_modes(const Model& model, const Input<double>& q,
                                   const std::vector<SteadyRate>& spin,
                                   JointTreatment joints = JointTreatment::held, int count = 0,
                                   const std::vector<Load>& loads = {},
                                   Gyroscopic gyroscopic = Gyroscopic::included, const JointNames& hold = {});

/// How far the arm's first frequencies (joints locked, neutral configuration, without gravity) are from those
/// of the same arm with many more shapes.
struct BasisError {
  Eigen::VectorXd frequencies;  ///< [rad/s] of the model as it is, at most three
  Eigen::VectorXd refined;      ///< the same with the refined basis
  double largest = 0.0;         ///< largest relative difference; 0 for an arm without elastic coordinates
};
/// Builds the refined arm, too, and compares.
BasisError basis_error(const Model& model);

/// How many Craig-Bampton shapes of one direction of a link.
struct ShapeCount {
  std::string link;     ///< as described
  Direction direction;  ///< of its beam
  int count;            ///< of each of its segments, where it has some
};
/// What an arm needs to be as accurate as is wanted.
struct ShapesProposal {
  std::vector<ShapeCount> counts;  ///< in the order of the description
  double error = 0.0;              ///< basis_error() of the arm with them
  int elastic_coordinates = 0;     ///< that it has then
};
/// Few Craig-Bampton shapes with which the arm's first frequencies (basis_error) are as accurate as that: from one in each direction on, always the one more that helps
/// most. `accuracy` from 1e-6, which is about what the refined basis itself is good for, to 0.5. Throws InputError else, ComputationError where it is not reached.
ShapesProposal propose_shapes(const Model& model, double accuracy);

}  // namespace limber
