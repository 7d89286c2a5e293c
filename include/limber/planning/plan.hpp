// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Motions that are optimal for the flexible arm: from rest to rest, each end in static equilibrium, so that nothing swings afterwards; within the limits of joints,
// speeds and efforts; with as little time, effort, vibration or deflection as there can be. docs/planning.md has the derivation and what it was measured with.
//
//   const MotionPlan motion = plan(open_plan("slew.yaml").problem);
//
// A plan is efforts that are constant in intervals, and the motion that they make: feed-forward and trajectories for a scenario (plan_scenario), which has been run
// once by the simulator, with steps of its own, before anybody is told of it (PlanRun).

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "limber/core/export.hpp"
#include "limber/io/plan_file.hpp"
#include "limber/io/setting.hpp"
#include "limber/math/eigen.hpp"
#include "limber/model/coordinates.hpp"
#include "limber/model/load.hpp"
#include "limber/model/model.hpp"
#include "limber/planning/nonlinear_program.hpp"
#include "limber/scenario/description.hpp"
#include "limber/simulation/metrics.hpp"

namespace limber LIMBER_EXPORT {

/// A place on the way.
struct PlanVia {
  double at = 0.5;                                     ///< when, as part of the duration
  std::vector<std::pair<int, double>> positions = {};  ///< coordinates (in v) of joints, and where they are
};

/// The motion that is looked for.
struct PlanProblem {
  /// Of an arm that starts and ends at q = 0.
  explicit PlanProblem(const Model& arm)
      : model(arm), from(neutral_configuration(arm)), to(neutral_configuration(arm)) {}

  Model model;                             ///< the arm
  std::vector<Model> payloads = {};        ///< the same arm with other payloads
  Eigen::VectorXd from;                    ///< nq: joints at the start; everything else finds its equilibrium
  Eigen::VectorXd to;                      ///< nq: joints at the end, likewise
  std::vector<PlanVia> via = {};           ///< in the order of time
  PlanGoal minimise = PlanGoal::effort;    ///< what there should be little of
  std::optional<double> duration = {};     ///< [s]; none: looked for, with PlanGoal::time only
  int intervals = 40;                      ///< in which efforts are constant
  int stages = 3;                          ///< of collocation in each of them: 1, 2 or 3, of order 2, 4 or 6
  double smoothness = 0.0;                 ///< weight of the squares of the efforts' jumps
  double share = 1.0;                      ///< of the limits of speeds and efforts that the plan may use
  std::optional<double> utilisation = {};  ///< of beams' strength, at most; none: whatever it is
  JointNames hold = {};                    ///< joints that are driven although they have a spring
  std::vector<Load> loads = {};            ///< constant ones
  PlanFeedbackDescription feedback = {};   ///< of the plan's scenario
  /// Gains of single joints, in place of `feedback`: coordinate (in v), kp, kd.
  struct Gain {
    int coordinate;  ///< of driven_coordinates()
    double kp, kd;   ///< effort per error of position, of velocity
  };
  std::vector<Gain> gains = {};  ///< none: all by `feedback`
  SolverOptions solver = {};     ///< how it is solved
};

/// What the simulator made of a plan.
struct PlanRun {
  RunMetrics metrics;               ///< of the run
  double residual_vibration = 0.0;  ///< of the end effector after the motion, peak to peak [m]
  double largest_error = 0.0;       ///< of any joint from the planned motion [rad or m]
  std::vector<std::string> doubts;  ///< what the run would warn of
};

/// What was found.
struct MotionPlan {
  double duration = 0.0;  ///< [s]
  double cost = 0.0;      ///< what was minimised, in its own units: s; s (of effort/limit) or W; J/s; J; 1
  int iterations = 0;     ///< of the solver
  double wall_s = 0.0;    ///< seconds of computing
  std::string end;        ///< how the solver ended, in words
  double slowest_period = 0.0;  ///< of the arm at the start, joints held [s]; 0 where nothing is elastic
  std::vector<int> driven;      ///< coordinates (in v) with efforts
  Eigen::VectorXd times;        ///< N + 1: ends of the intervals [s]
  Eigen::MatrixXd q;            ///< nv x (N + 1): the motion
  Eigen::MatrixXd v;            ///< nv x (N + 1): its rates
  Eigen::MatrixXd efforts;      ///< driven x N: constant in each interval
  Eigen::VectorXd holding;      ///< driven: what holds the arm afterwards
  Eigen::VectorXd fine_times;   ///< the motion between the ends of intervals, too [s]
  Eigen::MatrixXd fine_q;       ///< nv x those
  Eigen::VectorXd kp, kd;       ///< of the feedback that the plan's scenario has, per driven one
  std::vector<PlanRun> runs;    ///< by the simulator: of the arm, then of its payloads
  std::vector<std::string> warnings;  ///< sentences
};

/// How plan() tells how far it is.
struct PlanOptions {
  /// What is done, and how far it is (0 to 1).
  std::function<void(const std::string&, double)> progress = {};
  bool run = true;  ///< false: leaves MotionPlan::runs empty
};

/// Throws InputError, with the path in a plan file, for ends beyond limits, for joints with quaternions, and where no motion keeps to the limits: which one, and by how
/// much; ComputationError where the solver gives up or an arm has no equilibrium; Interrupted where somebody asked to stop.
MotionPlan plan(const PlanProblem& problem, const PlanOptions& options = {});

/// The plan as a scenario: efforts as steps, feedback about the planned motion, and a while of rest afterwards.
ScenarioDescription plan_scenario(const PlanProblem& problem, const MotionPlan& motion);
/// The same as a scenario file. `model`: what stands behind the key `model`, a file's name; empty: the arm itself.
std::string plan_scenario_text(const PlanProblem& problem, const MotionPlan& motion, const std::string& model,
                               const std::vector<std::string>& comments = {});
/// A table: time, q and v of all coordinates, efforts of the interval that begins there.
std::string plan_csv(const PlanProblem& problem, const MotionPlan& motion);

/// A plan file, and all that it names.
struct OpenedPlan {
  PlanFile file;                             ///< what it says
  PlanProblem problem;                       ///< what that means
  std::filesystem::path model_file;          ///< of the arm; empty: it stands in the scenario
  std::vector<std::filesystem::path> files;  ///< that were read
};
/// `settings` change values of the model, or of the scenario (`model.links...`). Throws FileError with the place of what is wrong.
OpenedPlan open_plan(const std::filesystem::path& file, const Settings& settings = {});
/// plan() of a file: what is wrong has its place there.
MotionPlan plan(const OpenedPlan& opened, const PlanOptions& options = {});

}  // namespace limber
