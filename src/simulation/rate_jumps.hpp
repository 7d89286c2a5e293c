// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Prescribed joints whose rate jumps: a table that begins or ends in motion, where it has held its end value before or holds it after.
//
// The motor gives an impulse there, and takes all that moves along. With p for the coordinates that are told, f for all others, and rows A of loops,
//
//   M_ff dv_f + M_fp dv_p = A_f^T Lambda,   A dv = 0                                     (1)
//
// These are the equations of motion with dv in place of accelerations and no forces. What a formulation finds is affine in the accelerations of prescribed joints, so its answer
// to dv_p less that to none is dv_f, whatever else acts. The impulse acts on p alone, and its work is the change of kinetic energy:
//
//   1/2 (v+ + v-)^T M (v+ - v-) = T+ - T-                                                (2)

#include <memory>
#include <vector>

#include "limber/formulations/formulation.hpp"
#include "limber/simulation/scenario.hpp"
#include "limber/simulation/system.hpp"

namespace limber {

struct RateJump {
  int coordinate;
  double t;
  double size;  ///< [rad/s or m/s]
};

/// What the trajectories of prescribed joints do within a run, not at its start.
std::vector<RateJump> rate_jumps(const Scenario& scenario);

/// Takes an arm over such jumps.
class RateJumps {
 public:
  /// Scenario and system must outlive it.
  RateJumps(const Scenario& scenario, System& system);

  /// The system has entered the interval that begins at t: y becomes the state in it, by (1), and its ledger has (2).
  void pass(double t, Output<double> y);

 private:
  Eigen::VectorXd answer(const Input<double>& q, const Input<double>& v, const Eigen::VectorXd& given);

  const Scenario& scenario_;
  System& system_;
  std::vector<RateJump> jumps_;
  std::unique_ptr<Formulation> formulation_;  ///< of its own, once it is needed
};

}  // namespace limber
