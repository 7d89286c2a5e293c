// SPDX-License-Identifier: BSD-3-Clause
// Loops that lock what they close, on a machine that carries it: a rigid frame, as welded.

#include <gtest/gtest.h>

#include <cmath>

#include "limber/algorithms/constraints.hpp"
#include "limber/algorithms/loop_rank.hpp"
#include "limber/analysis/limits.hpp"
#include "limber/analysis/linearize.hpp"
#include "limber/core/input_error.hpp"
#include "simulation/runs.hpp"

namespace limber {
namespace {

// A platform that swings about z, on it a boom and a stay (equal sides of 1 m on a base of 1 m: 60 degrees), pinned together at their tips. `pinned`: by hinges and a loop; else welded.
std::string derrick(bool pinned, double twist = 0.0) {
  const std::string
      bar = "rigid: {mass: 2, com: [0.5, 0, 0], inertia: [1e-3, 0.17, 0.17, 0, 0, 0], tip: {xyz: [1, 0, 0]}}",
      side = std::to_string(twist);
  const auto joint = [&](const std::string& name) {
    return pinned ? "joint: {name: " + name + ", axis: [0, 0, 1]}" : std::string("joint: {type: fixed}");
  };
  return "limber: 1\nmodel:\n  limber: 1\n  gravity: [0, -9.81, 0]\n  links:\n"
         "    - {name: platform, joint: {name: swing, axis: [0, 0, 1]}, rigid: {mass: 3, com: [0.5, 0, 0], "
         "inertia: "
         "[1e-3, 0.25, 0.25, 0, 0, 0]}}\n"
         "    - {name: boom, parent: platform, origin: {xyz: [0, 0, 0], rpy: [0, 0, 1.0471975511965976]}, " +
         joint("foot") + ", " + bar +
         "}\n"
         "    - {name: stay, parent: platform, origin: {xyz: [1, 0, 0], rpy: [" +
         side + ", 0, 2.0943951023931953]}, " + joint("heel") + ", " + bar + "}\n" +
         (pinned
              ? "  loops: [{name: head, type: revolute, axis: [0, 0, 1], a: {link: boom}, b: {link: stay}}]\n"
              : "");
}
const std::string fall =
    "initial: {q: {swing: 0.2}}\nduration: 2\nintegrator: {method: rk4, step: 1e-3}\noutput: {rate: 50}\n";

TEST(BracedFrames, SwingAsIfTheyWereWelded) {
  for (const char* formulation : {"recursive", "dense", "dae"}) {
    const std::string how = fall + "formulation: " + formulation + "\n";
    const TestRun pinned = run(derrick(true) + how), welded = run(derrick(false) + how);
    ASSERT_EQ(pinned.rows.size(), welded.rows.size());
    for (std::size_t i = 0; i < pinned.rows.size(); ++i) {
      EXPECT_NEAR(pinned.rows[i].q[0], welded.rows[i].q[0], 1e-9) << formulation;
      EXPECT_NEAR(pinned.rows[i].q[1], 0.0, 1e-10);
      EXPECT_NEAR(pinned.rows[i].q[2], 0.0, 1e-10);
    }
    EXPECT_GT(std::abs(pinned.rows.back().q[0] - 0.2), 0.1);
    EXPECT_LT(std::abs(pinned.summary.ledger.error), 1e-6);
  }
}

TEST(BracedFrames, AreSaid) {
  const ScenarioFile file = scenario(derrick(true) + fall);
  const Eigen::VectorXd q = assemble(file.model, Eigen::Vector3d(0.2, 0.0, 0.0), {0});
  EXPECT_EQ(braced_frames(file.model, q),
            std::vector<std::string>{
                "there are loop `head`, which locks joints `foot` and `heel`: what they brace moves as one "
                "rigid frame. If it should be a mechanism, look at the directions of axes"});
  EXPECT_EQ(state_warnings(file.model, q), braced_frames(file.model, q));
  EXPECT_EQ(independent_joints(file.model, q), std::vector<int>{0});
  EXPECT_EQ(linearize(file.model, settled_point(file.model, q)).A.rows(), 2);
}

// On the ground nothing of it moves, and somebody has made a mistake. Places that cannot meet are one anywhere.
TEST(BracedFrames, OnTheGroundAreRefusedAndOpenOnesEverywhere) {
  ScenarioFile file = scenario(derrick(true) + fall);
  ModelDescription still = file.model.description();
  still.links[0].joint.type = JointType::fixed;
  still.links[0].joint.axis.reset();
  still.links[0].joint.name.clear();
  const Model ground = build_model(still);
  try {
    assemble(ground, Eigen::VectorXd::Zero(ground.nq()));
    FAIL() << "it moves";
  } catch (const InputError& error) {
    EXPECT_EQ(error.problems().front().found,
              "loop `head`, which locks joints `foot` and `heel`: nothing there can move");
  }
  const ScenarioFile twisted = scenario(derrick(true, 0.1) + fall);
  EXPECT_THROW(assemble(twisted.model, Eigen::VectorXd::Zero(3)), InputError);
}

}  // namespace
}  // namespace limber
