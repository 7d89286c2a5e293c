// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Nonlinear model predictive control: `nmpc`. At each sample an optimal motion of the flexible arm over a horizon of N periods T is found, and its first efforts are held until the
// next sample. With the arm settled along its targets as reference, r_k = [q; v] and the efforts h_k that hold it (holding_path.hpp, seen ahead),
//
//   min  Sum_k T/2 [ |x_k - r_k|^2_Q + |u_k - h_k|^2_R ] + 1/2 |x_N - r_N|^2_P,   x_k+1 = F(x_k, u_k),   |u| <= effort,  x within limits (softly)          (1)
//
// F is the whole arm under held efforts (src/simulation/held_step.hpp). Q and R are those of `lqr`, P what its feedback of samples costs from the end of the horizon on,
// where targets end. So without limits, and near the settled arm, (1) *is* that feedback, whatever N; with them it knows what is ahead.
//
// **One iteration per sample** (the real-time iteration: M. Diehl, H. G. Bock and J. P. Schloeder, SIAM J. Control Optim. 43 (2005), 1714-1736). The motion of the sample before, moved
// on by one period, is linearised stage by stage, gaps between stages included; the quadratic program that follows (bounded_lqr.hpp) begins where the arm is now. The first sample
// iterates until efforts no longer change.
//
// **What samples cannot see.** A vibration with w T > 2 turns by more than a third of a circle between samples. Feedback of it would have to know its phase, hence its frequency, to
// a few degrees, of an arm that is never where it was linearised. So these vibrations are not fed back at all. With
// phi_i their shapes (K phi = w^2 M phi where the arm is expected), the motion begins at
//
//   x_0 = x_expected + (1 - Sum phi_i phi_i^T M) (x_measured - x_expected)                                               (2)
//
// for positions and velocities, x_expected what the sample before has predicted: fast vibrations are driven by the efforts, and drive nothing themselves.
//
// What (2) is worth. It was made against an arm that was lost at 100 samples per second by an earlier design, and is not what cured it: without (2) the slew of tests/simulation/nmpc.cpp is followed
// just as well (0.0306 rad rms at 50, 100 and 200 samples per second either way; also with beams that nothing damps, with a third of their stiffness and three shapes, and without limits), and with the
// trapezoidal rule in place of the damped step, too. Both are safe by themselves; without both, an undamped arm whose motors have no limits strays by 0.059 rad at 30 samples per second, where it
// strays by 0.010 with either. What the slew does need are the gaps between stages: left out, joints stray by 0.086 rad.

#include "limber/analysis/bounded_lqr.hpp"
#include "limber/core/export.hpp"
#include "limber/simulation/controller.hpp"
#include "limber/simulation/holding_path.hpp"

namespace limber LIMBER_EXPORT {

/// What (1) consists of; m driven joints.
struct PredictiveDesign {
  std::vector<JointTarget> driven;  ///< m
  Eigen::MatrixXd Q, P;             ///< 2 nv x 2 nv, of [q; v]
  Eigen::MatrixXd R;                ///< m x m
  Eigen::MatrixXd K;                ///< m x 2 nv: the feedback that P belongs to
  Eigen::VectorXd softness;         ///< 2 nv: of a state beyond its limit
  double rate = 0.0;                ///< 1/T [1/s]
  int intervals = 1;                ///< N
  int iterations = 1;               ///< per sample
};

/// (1), sample by sample. It remembers the motion that it has found last.
class PredictiveController : public Controller {
 public:
  /// `q`: where the arm starts, and where joints are meant to be that have no target. `path` reaches beyond the run by the horizon. Throws InputError for joints with quaternions and
  /// for sizes that do not fit.
  PredictiveController(Model model, const Eigen::VectorXd& q, HoldingPath path, PredictiveDesign design);
  ~PredictiveController() override;

  const std::vector<JointTarget>& targets() const override;
  std::vector<TrajectoryPointer> signals() const override;
  double rate() const override;
  int memory_size() const override;
  void add_efforts(const Instant& now, Eigen::VectorXd& efforts) override;
  void remember(const Instant& now, const Eigen::VectorXi& at_limit, Eigen::Ref<Eigen::VectorXd> x) override;

  /// The motion that was found last: n = nv.
  struct Plan {
    Eigen::MatrixXd x;       ///< 2n x (N + 1): [q; v] at samples
    Eigen::MatrixXd u;       ///< m x N: efforts of driven joints
    int iterations = 0;      ///< linearisations of the whole horizon that it took
    int sweeps = 0;          ///< of Riccati's recursion, over all of these
    bool is_settled = true;  ///< whether the limits that hold were found (BoundedLqr)
  };
  /// What it was.
  const Plan& plan() const;

 private:
  struct Inside;
  std::unique_ptr<Inside> inside_;
};

}  // namespace limber
