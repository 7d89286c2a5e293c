// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Have the stacked equations of an arm (link_by_link.hpp) a unique solution, how well can it be computed, and how long may
// a step be?
//
// With the constrained rows of all joints in one matrix, Gc y = ..., and M of all links (armatures included), the equations
// can be solved for any forces if and only if
//
//   Gc has full row rank,   and   z^T M z > 0 for every z with Gc z = 0                              (1)
//
// M itself need not be positive definite, and is not: a thin straight link has no inertia about its axis. Where it can
// turn about it nevertheless, the second condition fails. (Yaqubi et al. conclude from a positive definite M in their
// section 6; their M is singular, and so is their matrix, by one direction for every free axis.)

#include <optional>
#include <string>
#include <vector>

#include "limber/algorithms/forward_dynamics.hpp"
#include "limber/core/export.hpp"
#include "limber/math/eigen.hpp"
#include "limber/math/types.hpp"

namespace limber LIMBER_EXPORT {

/// Whether the stacked equations have a unique solution, and how well it can be computed.
struct WellPosedness {
  int unknowns = 0;                    ///< of the stacked system
  int constraints = 0;                 ///< rows of Gc
  int rank = 0;                        ///< of Gc
  double constraint_condition = 0.0;   ///< largest over smallest singular value of Gc
  std::vector<std::string> redundant;  ///< joints with rows that follow from those of other joints
  double smallest_inertia = 0.0;       ///< the smallest eigenvalue of M on the null space of Gc
  double largest_inertia = 0.0;        ///< and the largest
  std::string lightest;                ///< the coordinate that moves most in the direction of the smallest
  std::vector<std::string> needles;    ///< links whose own 6 x 6 inertia is singular
  double system_condition =
      0.0;                ///< of the whole matrix (1-norm), rows and columns scaled to a largest entry of one
  bool solvable = false;  ///< (1)
};

/// At a state, joints free.
WellPosedness well_posedness(const Model& model, const Input<double>& q, const Input<double>& v);

/// Rows that are combinations of the rows before them, to a relative tolerance.
std::vector<int> dependent_rows(const Eigen::MatrixXd& A, double tolerance = 1e-10);

/// The eigenvalues of M q'' + C q' + K q = 0, 2 n of them.
Eigen::VectorXcd motion_eigenvalues(const Eigen::MatrixXd& M, const Eigen::MatrixXd& C,
                                    const Eigen::MatrixXd& K);
/// The same of an arm without controllers near a state at rest, gravity held.
Eigen::VectorXcd motion_eigenvalues(const Model& model, const Input<double>& q);

/// How long steps of explicit methods may be for these eigenvalues lambda: 1 + h lambda and Runge-Kutta's polynomial
/// 1 + z + z^2/2 + z^3/6 + z^4/24 must stay in the unit circle. Zero where no step is short enough (forward Euler and an
/// undamped vibration).
struct StepBounds {
  double fastest = 0.0;      ///< largest |lambda| [1/s]
  double euler = 0.0;        ///< [s]
  double runge_kutta = 0.0;  ///< [s]: rk4, rkmk4
  double central_differences =
      0.0;  ///< [s]: 2 / |lambda|, which Yaqubi et al. take for forward Euler's, (89)
};
/// For eigenvalues as motion_eigenvalues() gives them.
StepBounds step_bounds(const Eigen::VectorXcd& eigenvalues);

}  // namespace limber
