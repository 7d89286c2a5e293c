// SPDX-License-Identifier: BSD-3-Clause
// State files: degrees, held joints, accelerations.

#include "limber/io/state_file.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "limber/io/model_file.hpp"

namespace limber {
namespace {

constexpr double degree = std::numbers::pi / 180.0;

Model arm() {
  return build_model(parse_model_description(R"(limber: 1
links:
  - name: boom
    joint: {name: shoulder, axis: [0, 0, 1]}
    beam: {length: 2, section: {EI_z: 1e3, mass_per_length: 1}, modes: {y: {count: 2}}}
  - name: slide
    joint: {name: rail, type: prismatic, stiffness: 100}
    rigid: {mass: 1, inertia: [1, 1, 1, 0, 0, 0]}
  - name: tool
    joint: {name: wrist, type: universal, axes: [[0, 0, 1], [0, 1, 0]]}
    rigid: {mass: 1, inertia: [1, 1, 1, 0, 0, 0]}
  - name: ball
    joint: {name: socket, type: spherical}
    rigid: {mass: 1, inertia: [1, 1, 1, 0, 0, 0]}
)",
                                             "arm.yaml", ""));
}

State read(const std::string& text) { return parse_state(text, "state.json", arm()); }

std::string message(const std::string& text) {
  try {
    read(text);
  } catch (const FileError& error) {
    return error.what();
  }
  return "nothing was thrown";
}

// q: shoulder, boom.y1, boom.y2, rail, wrist.1, wrist.2, socket (4); v likewise with three.
TEST(StateFile, TakesAnglesOfJointsInDegrees) {
  const State state = read(R"({"q": {"boom.y1": 0.01, "rail": 0.5}, "q_deg": {"shoulder": 30, "wrist.2": -90},
                               "v_deg": {"shoulder": 180, "socket.3": 90}, "v": {"rail": 2}})");
  EXPECT_DOUBLE_EQ(state.q[0], 30.0 * degree);
  EXPECT_DOUBLE_EQ(state.q[1], 0.01);
  EXPECT_DOUBLE_EQ(state.q[3], 0.5);
  EXPECT_DOUBLE_EQ(state.q[5], -90.0 * degree);
  EXPECT_DOUBLE_EQ(state.q[9], 1.0);
  EXPECT_DOUBLE_EQ(state.v[0], std::numbers::pi);
  EXPECT_DOUBLE_EQ(state.v[3], 2.0);
  EXPECT_DOUBLE_EQ(state.v[8], 90.0 * degree);
}

TEST(StateFile, TakesAListOfAllAnglesInDegrees) {
  const State state = read(R"({"q_deg": [30, 40, 50]})");
  EXPECT_DOUBLE_EQ(state.q[0], 30.0 * degree);
  EXPECT_DOUBLE_EQ(state.q[4], 40.0 * degree);
  EXPECT_DOUBLE_EQ(state.q[5], 50.0 * degree);
  EXPECT_EQ(message(R"({"q_deg": [30, 40]})"),
            "state.json:1:11: q_deg: expected a map by coordinate name, or a list of 3 numbers, one for each "
            "angle of "
            "a joint, found a list of 2 values");
}

TEST(StateFile, RefusesDegreesOfWhatIsNoAngleOfAJoint) {
  EXPECT_EQ(
      message(R"({"q_deg": {"rail": 30}})"),
      "state.json:1:12: q_deg.rail: expected the name of an angle of a joint, found `rail` (known angles of "
      "joints: `shoulder`, `wrist.1` and `wrist.2`)");
  EXPECT_NE(message(R"({"q_deg": {"boom.y1": 30}})").find("the name of an angle"), std::string::npos);
  EXPECT_NE(message(R"({"q_deg": {"socket.1": 30}})").find("the name of an angle"), std::string::npos);
  EXPECT_NE(message(R"({"q_deg": {"sholder": 30}})").find("did you mean `shoulder`?"), std::string::npos);
}

TEST(StateFile, TakesACoordinateOnce) {
  EXPECT_EQ(message(R"({"q": {"shoulder": 0}, "q_deg": {"shoulder": 30}})"),
            "state.json:1:46: q_deg.shoulder: expected the coordinate once, found `q` has it too (remove one "
            "of them)");
}

TEST(StateFile, NamesJointsThatAreHeld) {
  EXPECT_EQ(read(R"({"hold": ["rail", "wrist.2"]})").hold, (JointNames{"rail", "wrist.2"}));
  EXPECT_EQ(read(R"({"hold": "all"})").hold, JointNames{"all"});
  EXPECT_EQ(message(R"({"hold": ["raill"]})"),
            "state.json:1:11: hold[0]: expected the name of a joint that moves, or `all`, found `raill` (did "
            "you mean "
            "`rail`?)");
}

TEST(StateFile, MayHaveAnAcceleration) {
  EXPECT_FALSE(read("{}").acceleration);
  const State state = read(R"({"acceleration": {"rail": 3}})");
  ASSERT_TRUE(state.acceleration);
  EXPECT_EQ((*state.acceleration)[3], 3.0);
  EXPECT_EQ(state.acceleration->size(), 9);
}

}  // namespace
}  // namespace limber
