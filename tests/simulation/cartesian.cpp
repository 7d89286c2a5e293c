// SPDX-License-Identifier: BSD-3-Clause
// `cartesian` trajectories: the end effector goes where it is told although the arm sags; and interaction wrenches in results.

#include <gtest/gtest.h>

#include "limber/algorithms/jacobian.hpp"
#include "limber/algorithms/kinematics.hpp"
#include "limber/algorithms/link_by_link.hpp"
#include "limber/analysis/equilibrium.hpp"
#include "limber/core/computation_error.hpp"
#include "limber/core/input_error.hpp"
#include "runs.hpp"

namespace limber {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;

// Two links in a vertical plane that sag by millimetres.
const std::string arm = R"(
limber: 1
model:
  limber: 1
  name: arm
  links:
    - {name: upper, joint: {name: shoulder, axis: [0, -1, 0]}, beam: {length: 1.5, section: {EI_y: 2e4, mass_per_length: 6}, modes: {z: {count: 3}}, damping: {ratio: 0.02}}}
    - {name: fore, joint: {name: elbow, axis: [0, -1, 0]}, beam: {length: 1, section: {EI_y: 8e3, mass_per_length: 4}, modes: {z: {count: 3}}, damping: {ratio: 0.02}}, tip: {mass: 5}}
duration: 2
initial: {q: {shoulder: 0.9, elbow: -1.4}, settle: true}
)";
const std::string held = R"(
actuation:
  - {joint: all, type: prescribed, target: {trajectory: line}}
)";

Vector3d hand(const Model& model, const VectorXd& q) {
  Workspace<double> work(model);
  update_positions(model, work, q);
  update_world_poses(work);
  return frame_pose(model, work, end_effector_frame(model)).p;
}

// 10 s^3 - 15 s^4 + 6 s^5, written down once more.
double part_of_way(double s) { return s <= 0 ? 0 : s >= 1 ? 1 : s * s * s * (10 - 15 * s + 6 * s * s); }

TEST(Cartesian, BringsTheSaggingHandAlongAStraightLine) {
  const ScenarioFile file = scenario(arm + held + R"(
trajectories:
  line: {type: cartesian, from: [1.6, 0, 0.6], to: [1.9, 0, 0.2], start: 0.25, duration: 1.5}
)");
  const Scenario built = build_scenario(file.description, file.model);
  ASSERT_EQ(built.prescribed.size(), 2u);
  VectorXd q = built.q;
  double largest = 0.0, sag = 0.0;
  for (int k = 0; k <= 200; ++k) {
    const double t = 0.01 * k;
    for (const JointTarget& joint : built.prescribed) q[joint.position] = joint.trajectory->at(t).position;
    const VectorXd settled = static_equilibrium(built.model, q).q;
    const Vector3d expected = Vector3d(1.6, 0, 0.6) + part_of_way((t - 0.25) / 1.5) * Vector3d(0.3, 0, -0.4);
    largest = std::max(largest, (hand(built.model, settled) - expected).norm());
    VectorXd straight = q;
    straight.segment(1, 3).setZero();
    straight.tail(3).setZero();
    sag = std::max(sag, (hand(built.model, straight) - expected).norm());
    // Its own derivatives.
    for (const JointTarget& joint : built.prescribed) {
      const double h = 1e-5;
      const TrajectoryPoint at = joint.trajectory->at(t + 0.003),
                            before = joint.trajectory->at(t + 0.003 - h),
                            after = joint.trajectory->at(t + 0.003 + h);
      EXPECT_NEAR(at.velocity, (after.position - before.position) / (2 * h), 1e-6);
      EXPECT_NEAR(at.acceleration, (after.velocity - before.velocity) / (2 * h), 1e-4);
    }
  }
  EXPECT_GT(sag, 2e-3);      // there is something to compensate,
  EXPECT_LT(largest, 1e-7);  // and it is
  for (const JointTarget& joint : built.prescribed)
    for (const double t : {0.25, 1.75}) {
      EXPECT_EQ(joint.trajectory->at(t, t + 1e-9).velocity, 0.0);
      EXPECT_NEAR(joint.trajectory->at(t, 1.0).velocity, 0.0, 1e-12);
      EXPECT_NEAR(joint.trajectory->at(t, 1.0).acceleration, 0.0, 1e-10);
    }
}

TEST(Cartesian, BeginsWhereTheArmIs) {
  const ScenarioFile file = scenario(arm + R"(
actuation:
  - {joint: all, type: pd, kp: 5e4, kd: 5e3, target: {trajectory: both}}
trajectories:
  line: {type: cartesian, to: [1.9, 0, 0.2], duration: 1}
  nothing: {type: constant, value: 0}
  both: {type: sum, of: [line, nothing]}
)");
  const Scenario built = build_scenario(file.description, file.model);
  const std::vector<JointTarget> targets = joint_targets(built);
  ASSERT_EQ(targets.size(), 2u);
  EXPECT_NEAR(targets[0].trajectory->at(0.0).position, 0.9, 1e-9);
  EXPECT_NEAR(targets[1].trajectory->at(0.0).position, -1.4, 1e-9);
  VectorXd q = built.q;
  for (const JointTarget& joint : targets) q[joint.position] = joint.trajectory->at(2.0).position;
  EXPECT_LT((hand(built.model, static_equilibrium(built.model, q).q) - Vector3d(1.9, 0, 0.2)).norm(), 1e-8);
}

TEST(Cartesian, EndsAMotionOnItsPlace) {
  // Long enough for its vibration of 0.7 mm to die out: it takes 5 s to fall by e.
  const TestRun done = run(std::string(arm).replace(arm.find("duration: 2"), 11, "duration: 60") + held + R"(
trajectories:
  line: {type: cartesian, to: [1.9, 0, 0.2], duration: 1}
)");
  EXPECT_LT((done.rows.back().end_effector_position - Vector3d(1.9, 0, 0.2)).norm(), 1e-6);
}

TEST(Cartesian, GoesThroughThePlacesOfAFile) {
  const ScenarioFile file = scenario(R"(
limber: 1
model: crane/crane.yaml
initial: {q: {joint2: 0.5, joint3: 2, joint4: 0.5}}
actuation: [{joint: all, type: prescribed, target: {trajectory: line}}]
trajectories: {line: {type: cartesian, file: crane/line.csv}}
duration: 6
)");
  const Scenario built = build_scenario(file.description, file.model);
  const auto& way = std::get<trajectories::Cartesian>(file.description.trajectories.front().second);
  VectorXd q = built.q;
  for (Eigen::Index k = 0; k < way.places.cols(); ++k) {
    for (const JointTarget& joint : joint_targets(built))
      q[joint.position] = joint.trajectory->at(way.times[static_cast<std::size_t>(k)]).position;
    EXPECT_LT((hand(built.model, static_equilibrium(built.model, q).q) - way.places.col(k)).norm(), 1e-7);
  }
}

std::string message_of(const std::string& text) {
  try {
    const ScenarioFile file = scenario(text);
    build_scenario(file.description, file.model);
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

TEST(Cartesian, IsRefusedWhereItMakesNoSense) {
  const auto has = [](const std::string& text, const char* words) {
    EXPECT_NE(message_of(text).find(words), std::string::npos) << message_of(text);
  };
  has(arm + held + "trajectories: {line: {type: cartesian, to: [9, 0, 0], duration: 1}}",
      "trajectory `line`: place ");
  has(arm + held + "trajectories: {line: {type: cartesian, to: [1, 0, 0]}}",
      "expected the keys `to` and `duration`, or `file`, found one of the two");
  has(arm + held + "trajectories: {line: {type: cartesian, to: [1, 0, 0], duration: 1, file: a.csv}}",
      "trajectories.line.file");
  has(arm + held + "trajectories: {line: {type: cartesian, file: none.csv}}", "trajectories.line.file");
  has(arm +
          "actuation: [{joint: elbow, type: torque, signal: {trajectory: line}}]\ntrajectories: {line: "
          "{type: "
          "cartesian, to: [1, 0, 0], duration: 1}}",
      "actuation[0].signal.trajectory: expected a trajectory of one number");
}

// W of the paper, from the wrenches that any formulation finds, is what LinkByLink finds itself.
TEST(InteractionWrenches, AreThoseOfTheFreeBodies) {
  for (const char* formulation : {"recursive", "dae"})
    for (const double at : {0.0, 0.37}) {
      if (at != 0.0 && std::string(formulation) != "dae") continue;
      ScenarioFile file = scenario(arm + R"(
actuation:
  - {joint: all, type: pd, kp: 5e4, kd: 5e3, target: {value: 0.2}}
output: {rate: 10, wrenches: false, interaction_wrenches: true}
formulation: )" + formulation +
                                   "\nbody_frame: " + std::to_string(at));
      const TestRun done = run(file);
      for (const Sample& row : done.rows) {
        LinkByLink links = link_by_link(file.model, at);
        links.update(row.q, row.v);
        links.assemble(row.q, row.v, row.efforts, row.acceleration, {});
        links.solve();
        ASSERT_EQ(row.interaction_wrenches.size(), 2u);
        for (int i = 0; i < 2; ++i)
          EXPECT_LT((row.interaction_wrenches[static_cast<std::size_t>(i)] - links.interaction_wrench(i))
                        .vector()
                        .norm(),
                    1e-8 * links.interaction_wrench(i).vector().norm());
      }
    }
}

}  // namespace
}  // namespace limber
