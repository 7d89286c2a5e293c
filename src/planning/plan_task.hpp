// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "collocation.hpp"
#include "limber/planning/plan.hpp"

namespace limber {

/// A plan's problem as collocation takes it, and what was found on the way there.
struct PlanTask {
  CollocationTask collocation;
  Eigen::VectorXd holding;      ///< efforts at the end, per driven one
  double slowest_period = 0.0;  ///< 0: nothing is elastic
};

/// Throws InputError for what cannot be planned, and for ends beyond limits.
PlanTask plan_task(const PlanProblem& problem);

/// The plan run by the simulator, by each arm.
PlanRun run_plan(const PlanProblem& problem, const MotionPlan& motion, const Model& arm);

}  // namespace limber
