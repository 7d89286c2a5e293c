// SPDX-License-Identifier: BSD-3-Clause
// The plan's scenario, run by the simulator.

#include <algorithm>
#include <cmath>

#include "limber/analysis/equilibrium.hpp"
#include "limber/core/interruption.hpp"
#include "limber/simulation/run_warnings.hpp"
#include "limber/simulation/scenario.hpp"
#include "limber/simulation/simulate.hpp"
#include "plan_task.hpp"

namespace limber {
namespace {

/// How far joints are from where the plan has them.
class ErrorWatch : public ResultSink {
 public:
  explicit ErrorWatch(const Scenario& scenario) : targets_(joint_targets(scenario)) {}
  void add(const Sample& sample) override {
    for (std::size_t i = 0; i < targets_.size(); ++i)
      largest = std::max(largest, std::abs(sample.references[static_cast<Eigen::Index>(i)] -
                                           sample.q[targets_[i].position]));
  }
  double largest = 0.0;

 private:
  std::vector<JointTarget> targets_;
};

}  // namespace

PlanRun run_plan(const PlanProblem& problem, const MotionPlan& motion, const Model& arm) {
  ScenarioDescription description = plan_scenario(problem, motion);
  description.model = arm.description();
  description.output.wrenches = false;
  description.output.shape_points = 0;
  if (!arm.is_same_arm(problem.model)) {
    const Eigen::VectorXd q =
        static_equilibrium(arm, motion.q.col(0), problem.loads, StaticModel::exact, {}, problem.hold).q;
    for (int c = 0; c < arm.nv(); ++c) description.initial.q[static_cast<std::size_t>(c)].second = q[c];
  }
  Scenario scenario = build_scenario(description, arm);
  ErrorWatch watch(scenario);
  MetricsRecorder recorder(scenario, &watch);
  RunOptions options;
  options.progress = [](const Progress&) { return !is_stop_asked_for(); };
  const RunSummary summary = simulate(scenario, &recorder, options);
  stop_if_asked();
  PlanRun run;
  run.metrics = recorder.metrics(summary.last.peaks);
  run.residual_vibration = run.metrics.residual_vibration.value_or(0.0);
  run.largest_error = watch.largest;
  run.doubts = run_warnings(scenario, summary.last, summary.doubts);
  return run;
}

}  // namespace limber
