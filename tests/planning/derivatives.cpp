// SPDX-License-Identifier: BSD-3-Clause
// First and second derivatives of the program against differences of what they are derivatives of, at a point that is no solution.

#include <gtest/gtest.h>

#include "../../src/planning/collocation.hpp"
#include "../../src/planning/plan_task.hpp"
#include "limber/model/builder.hpp"

namespace limber {
namespace {

/// Two links, one of which bends; gravity, a gear, dampers and friction.
Model arm(double payload) {
  ModelBuilder builder("arm");
  RigidDescription forearm;
  forearm.mass = 2.0;
  forearm.com = {0.2, 0.0, 0.0};
  forearm.inertia << 0.1, 0.1, 0.1, 0.0, 0.0, 0.0;
  SectionDescription section;
  section.EI_z = 80.0;
  section.mass_per_length = 1.5;
  builder.gravity({0.5, -9.81, 0.0})
      .link("boom")
      .revolute({0, 0, 1}, "shoulder")
      .beam(1.2, section)
      .modes(Direction::y, 1);
  builder.current_link().joint.damping = 0.4;
  builder.current_link().joint.limits = JointLimits{.effort = 90.0, .velocity = 2.0};
  FrictionDescription friction;
  friction.coulomb = 0.3;
  friction.transition_velocity = 0.5;
  builder.current_link().joint.friction = friction;
  builder.link("forearm").revolute({0, 0, 1}, "elbow").rigid(forearm);
  TipDescription tip;
  tip.mass = payload;
  builder.tip(tip);
  DriveDescription drive;
  drive.ratio = 10.0;
  drive.rotor_inertia = 1e-3;
  drive.stiffness = 300.0;
  drive.damping = 2.0;
  builder.current_link().joint.drive = drive;
  builder.current_link().joint.limits = JointLimits{.effort = 40.0};
  return builder.build();
}

Eigen::MatrixXd dense(const SparseEntries& entries, Eigen::Index rows, Eigen::Index columns, bool symmetric) {
  Eigen::MatrixXd all = Eigen::MatrixXd::Zero(rows, columns);
  for (std::size_t i = 0; i < entries.values.size(); ++i) {
    all(entries.rows[i], entries.columns[i]) += entries.values[i];
    if (symmetric && entries.rows[i] != entries.columns[i])
      all(entries.columns[i], entries.rows[i]) += entries.values[i];
  }
  return all;
}

class PlanDerivatives : public testing::TestWithParam<CollocationGoal> {};

TEST_P(PlanDerivatives, AreThoseOfDifferences) {
  PlanProblem problem(arm(0.5));
  problem.to[0] = 0.7;
  problem.duration = 1.3;
  problem.intervals = 4;
  problem.stages = 2;
  problem.smoothness = 0.3;
  if (GetParam() != CollocationGoal::relaxed) problem.payloads = {arm(0.9)};
  CollocationTask task = plan_task(problem).collocation;
  task.goal = GetParam();
  task.is_free = GetParam() == CollocationGoal::time;
  Collocation program(task);
  Eigen::VectorXd x = program.start();
  for (Eigen::Index i = 0; i < x.size(); ++i) x[i] += 0.1 * std::sin(1.0 + static_cast<double>(i * i));
  const NonlinearProgram::Bounds bounds = program.bounds();
  const Eigen::Index n = x.size(), m = bounds.g_lower.size();
  ASSERT_EQ(bounds.lower.size(), n);
  Eigen::VectorXd lambda(m);
  for (Eigen::Index i = 0; i < m; ++i) lambda[i] = std::cos(static_cast<double>(3 * i));
  SparseEntries entries;
  program.jacobian(x, entries);
  const Eigen::MatrixXd J = dense(entries, m, n, false);
  entries.clear();
  program.hessian(x, 0.7, lambda, entries);
  for (std::size_t i = 0; i < entries.values.size(); ++i) EXPECT_GE(entries.rows[i], entries.columns[i]);
  const Eigen::MatrixXd H = dense(entries, n, n, true);
  Eigen::VectorXd slopes(n);
  program.gradient(x, slopes);

  const double h = 1e-5;
  Eigen::VectorXd above(m), below(m), slopes_above(n), slopes_below(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const auto lagrangian = [&](Eigen::VectorXd& g, Eigen::VectorXd& gradient) {
      program.constraints(x, g);
      SparseEntries there;
      program.jacobian(x, there);
      program.gradient(x, gradient);
      gradient = 0.7 * gradient + dense(there, m, n, false).transpose() * lambda;
      return program.objective(x);
    };
    const double at = x[i];
    x[i] = at + h;
    const double f_above = lagrangian(above, slopes_above);
    x[i] = at - h;
    const double f_below = lagrangian(below, slopes_below);
    x[i] = at;
    EXPECT_NEAR(slopes[i], (f_above - f_below) / (2.0 * h), 1e-6 * (1.0 + std::abs(slopes[i]))) << i;
    const double J_size = 1.0 + J.col(i).cwiseAbs().maxCoeff(), H_size = 1.0 + H.cwiseAbs().maxCoeff();
    EXPECT_LT((J.col(i) - (above - below) / (2.0 * h)).cwiseAbs().maxCoeff(), 1e-6 * J_size) << i;
    EXPECT_LT((H.col(i) - (slopes_above - slopes_below) / (2.0 * h)).cwiseAbs().maxCoeff(), 2e-5 * H_size)
        << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Goals, PlanDerivatives,
                         testing::Values(CollocationGoal::time, CollocationGoal::effort,
                                         CollocationGoal::vibration, CollocationGoal::deflection,
                                         CollocationGoal::relaxed));

}  // namespace
}  // namespace limber
