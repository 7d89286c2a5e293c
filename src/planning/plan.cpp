// SPDX-License-Identifier: BSD-3-Clause
#include "limber/planning/plan.hpp"
#include "limber/model/loops.hpp"
#include "limber/model/telescopes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "limber/core/computation_error.hpp"
#include "limber/core/interruption.hpp"
#include "limber/model/field_rule.hpp"
#include "plan_task.hpp"

namespace limber {
namespace {

using Report = std::function<void(const std::string&, double)>;

// Nobody knows how many iterations there will be: the bar comes nearer to its end with each.
SolverOptions with_progress(SolverOptions options, const Report& report, const char* what) {
  if (!report) return options;
  const auto also = options.progress;
  options.progress = [report, what, also](const SolverProgress& progress) {
    constexpr double usual = 60.0;
    report(fmt::format("{}: iteration {}, constraints off by {:.1e}", what, progress.iteration,
                       progress.violation),
           1.0 - std::exp(-progress.iteration / usual));
    if (also) also(progress);
  };
  return options;
}

/// The link that uses most of its strength at the stages of a motion, and how much.
std::pair<std::string, double> largest_utilisation(const CollocationTask& task,
                                                   const CollocatedMotion& motion) {
  const Model& model = task.arms.front().model;
  Utilisation utilisation(model, task.loads);
  const int s = task.stages;
  const double h = motion.duration / task.intervals;
  const GaussCollocation rule(s, h);
  std::pair<std::string, double> found{"", 0.0};
  Eigen::VectorXd U2;
  for (int k = 0; k < task.intervals; ++k)
    for (int i = 0; i < s; ++i) {
      ScaledForces::Place at{motion.q.col(k) + rule.c[i] * h * motion.v.col(k), motion.v.col(k),
                             motion.a.col(k * s + i), 1.0};
      for (int j = 0; j < s; ++j) {
        at.q += rule.position(i, 2 + j) * motion.a.col(k * s + j);
        at.v += rule.velocity(i, 2 + j) * motion.a.col(k * s + j);
      }
      utilisation.squares(at, U2);
      Eigen::Index worst = 0;
      if (const double most = std::sqrt(U2.maxCoeff(&worst)); most > found.second)
        found = {model.links()[static_cast<std::size_t>(utilisation.link(static_cast<int>(worst)))].name,
                 most};
    }
  return found;
}

// Which limits stand in the way, by (10) of collocation.hpp.
[[noreturn]] void explain(const PlanProblem& problem, CollocationTask task, const PlanOptions& options,
                          const SolverOutcome& outcome) {
  const auto give_up = [&](const std::string& more) {
    throw ComputationError(fmt::format("no plan was found: {} ({} iterations, constraints off by {:.2g}){}",
                                       outcome.words, outcome.iterations, outcome.violation, more));
  };
  if (task.is_free) give_up("; more `intervals`, or a `duration` to begin with, may help");
  task.goal = CollocationGoal::relaxed;
  task.arms.resize(1, task.arms.front());
  Collocation relaxed(task);
  SolverOptions how = with_progress(problem.solver, options.progress, "which limit is in the way");
  const SolverOutcome found = solve(relaxed, how);
  constexpr double enough = 1.0 + 1e-4;
  if (!found.is_solved()) give_up("");
  const CollocatedMotion motion = relaxed.motion(found.x);
  if (motion.peak < enough)
    give_up("; limits can be kept: more `iterations`, or a larger `tolerance`, may help");
  // Those that are as far beyond as any.
  std::string words;
  constexpr double nearly = 0.999;
  const auto note = [&](int coordinate, const char* what, double most, double limit) {
    if (most < nearly * motion.peak * limit) return;
    words += fmt::format("{}{} of `{}` {:.4g} of {:.4g}", words.empty() ? "" : ", ", what,
                         problem.model.coordinates()[static_cast<std::size_t>(coordinate)], most, limit);
  };
  for (std::size_t j = 0; j < task.driven.size(); ++j)
    note(task.driven[j], "effort", motion.efforts.row(static_cast<Eigen::Index>(j)).cwiseAbs().maxCoeff(),
         task.effort[static_cast<Eigen::Index>(j)]);
  for (int c = 0; c < problem.model.nv(); ++c)
    note(c, "velocity", motion.v.row(c).cwiseAbs().maxCoeff(), task.speed[c]);
  if (task.utilisation) {
    const auto [link, most] = largest_utilisation(task, motion);
    if (most >= nearly * motion.peak * *task.utilisation)
      words += fmt::format("{}utilisation of `{}` {:.4g} of {:.4g}", words.empty() ? "" : ", ", link, most,
                           *task.utilisation);
  }
  throw InputError(Problem{"plan.duration", "a duration in which limits can be kept",
                           fmt::format("{} s, which takes {:.4g} times as much as there is: {}",
                                       show_number(task.duration), motion.peak, words),
                           "`minimise: time` finds the shortest"});
}

// The polynomials of (1) of gauss.hpp between the ends of intervals.
void add_fine_motion(const CollocationTask& task, const CollocatedMotion& motion, MotionPlan& plan) {
  constexpr int parts = 8;
  const int N = task.intervals, s = task.stages;
  const double h = motion.duration / N;
  const GaussCollocation rule(s, h);
  plan.fine_times.resize(N * parts + 1);
  plan.fine_q.resize(motion.q.rows(), N * parts + 1);
  for (int k = 0; k < N; ++k)
    for (int p = 0; p < parts; ++p) {
      const double x = static_cast<double>(p) / parts;
      Eigen::VectorXd q = motion.q.col(k) + x * h * motion.v.col(k);
      const Eigen::RowVectorXd weights = rule.position_weights(x);
      for (int j = 0; j < s; ++j) q += h * h * weights[j] * motion.a.col(k * s + j);
      plan.fine_times[k * parts + p] = (k + x) * h;
      plan.fine_q.col(k * parts + p) = q;
    }
  plan.fine_times[N * parts] = motion.duration;
  plan.fine_q.col(N * parts) = motion.q.col(N);
}

double strain_rate(const CollocationTask& task, const CollocatedMotion& motion) {
  const Eigen::VectorXd mean = (task.arms.front().end - task.arms.front().start) / motion.duration;
  double sum = 0.0;
  for (Eigen::Index k = 0; k < motion.v.cols(); ++k) {
    const Eigen::VectorXd d = motion.v.col(k) - mean;
    sum += d.dot(task.strain * d);
  }
  return sum * motion.duration / task.intervals;
}

void add_warnings(const PlanProblem& problem, const SolverOutcome& outcome, MotionPlan& plan) {
  if (outcome.end == SolverEnd::nearly_solved)
    plan.warnings.push_back(
        "the solver came to a motion that keeps to all constraints, but not to the best one: there may be "
        "less to be had with more `iterations`");
  if (plan.duration < plan.slowest_period)
    plan.warnings.push_back(fmt::format(
        "the motion takes {:.4g} s, less than the arm's slowest period of {:.4g} s: it is brought to rest "
        "by large efforts, which depend on the model more than usual",
        plan.duration, plan.slowest_period));
  if (plan.runs.empty()) return;
  constexpr double noticed = 1.05;  // what lies between the stages, and what feedback adds
  for (const BeamMetrics& beam : plan.runs.front().metrics.beams)
    if (problem.utilisation && beam.utilisation && *beam.utilisation > noticed * *problem.utilisation)
      plan.warnings.push_back(fmt::format(
          "in the simulation `{}` uses {:.4g} of its strength, more than `utilisation`, {:.4g}: more "
          "`intervals` help",
          beam.link, *beam.utilisation, *problem.utilisation));
  double bent = 0.0;
  for (const auto& [name, most] : plan.runs.front().metrics.largest_deflection) bent = std::max(bent, most);
  constexpr double noticeable = 0.05;
  if (plan.runs.front().residual_vibration > noticeable * bent && bent > 0.0)
    plan.warnings.push_back(fmt::format(
        "after the motion the end effector swings by {:.3g} m in the simulation, beside a largest deflection "
        "of {:.3g} m: "
        "{} intervals are too few for this arm's higher modes; more of them, or `smoothness`, help",
        plan.runs.front().residual_vibration, bent, problem.intervals));
  for (const std::string& doubt : plan.runs.front().doubts)
    plan.warnings.push_back("its simulation: " + doubt);
}

}  // namespace

MotionPlan plan(const PlanProblem& problem, const PlanOptions& options) {
  if (const auto missing = why_no_solver()) throw InputError(*missing);
  const auto begin = std::chrono::steady_clock::now();
  require_plain_tree(problem.model, "`plan`");
  require_no_telescopes(problem.model, "`plan`");
  const PlanTask task = plan_task(problem);
  Collocation program(task.collocation);
  const SolverOutcome outcome = solve(program, with_progress(problem.solver, options.progress, "planning"));
  if (!outcome.is_solved()) explain(problem, task.collocation, options, outcome);

  const CollocatedMotion motion = program.motion(outcome.x);
  MotionPlan plan;
  plan.duration = motion.duration;
  plan.cost = problem.minimise == PlanGoal::time        ? motion.duration
              : problem.minimise == PlanGoal::effort    ? program.effort_of(motion)
              : problem.minimise == PlanGoal::vibration ? strain_rate(task.collocation, motion)
              : problem.minimise == PlanGoal::stress    ? std::sqrt(motion.peak)
                                                        : 0.5 * motion.peak;
  plan.iterations = outcome.iterations;
  plan.end = outcome.words;
  plan.slowest_period = task.slowest_period;
  plan.driven = task.collocation.driven;
  plan.times = Eigen::VectorXd::LinSpaced(problem.intervals + 1, 0.0, motion.duration);
  plan.q = motion.q;
  plan.v = motion.v;
  plan.efforts = motion.efforts;
  plan.holding = task.holding;
  plan.kp = task.collocation.kp;
  plan.kd = task.collocation.kd;
  add_fine_motion(task.collocation, motion, plan);
  if (options.run) {
    if (options.progress) options.progress("simulating the plan", 0.9);
    plan.runs.push_back(run_plan(problem, plan, problem.model));
    for (const Model& arm : problem.payloads) plan.runs.push_back(run_plan(problem, plan, arm));
  }
  add_warnings(problem, outcome, plan);
  plan.wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return plan;
}

}  // namespace limber
