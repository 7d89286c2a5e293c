// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Optimal feedback of the whole state of an arm about the settled arm where its targets end: what `lqr` and `lqg` have in common. lqr_design.cpp
// has the weights.

#include <optional>
#include <vector>

#include "limber/analysis/linearize.hpp"
#include "limber/simulation/controller.hpp"

namespace limber {

/// LqrDesign::omega over the arm's first frequency with its joints locked.
inline constexpr double faster_than_first = 1.25;

/// Weights that are not given follow from the arm's own scale.
struct LqrJoint {
  JointTarget target;
  std::optional<double> position_weight, energy_weight, effort_weight;
  bool integral = false;  ///< of this joint's position error, too
};

/// In the natural modes y of the coordinates that are free to move, Phi^T M Phi = 1: z = [y; y'], z' = A z + B u.
struct LqrDesign {
  OperatingPoint point;                     ///< where the targets end
  std::vector<JointTarget> driven, moving;  ///< moving: prescribed joints too
  Eigen::MatrixXd A, B;                     ///< a column of B for each driven joint
  Eigen::MatrixXd A_design;                 ///< A with the design's damping, for which gains are found
  Eigen::MatrixXd Q, R;                     ///< what the gain minimises, of [z; integrals] and u
  Eigen::MatrixXd gain;                     ///< u = -gain [z; integrals of (q - target)]
  Eigen::MatrixXd to_modes, shapes;         ///< y = to_modes x, x = shapes y, of all nv coordinates
  std::vector<int> integrated;              ///< which of `driven` have an integral
  std::vector<double> inertia;              ///< that each driven joint's own coordinate moves
  double omega = 0.0;                       ///< how fast it is meant to be [rad/s]
};

LqrDesign design_lqr(const Model& model, const Eigen::VectorXd& q, const std::vector<LqrJoint>& joints,
                     const std::vector<JointTarget>& prescribed, double duration);

}  // namespace limber
