// SPDX-License-Identifier: BSD-3-Clause
// Sensors in files: what they mean, and what is said about their mistakes, each with its place.

#include "limber/io/sensor_file.hpp"

#include <gtest/gtest.h>

#include "limber/io/model_file.hpp"
#include "limber/io/scenario_file.hpp"

namespace limber {
namespace {

constexpr const char* arm = R"(limber: 1
links:
  - name: boom
    joint: {name: shoulder, axis: [0, 0, 1]}
    beam: {length: 2, section: {EI_z: 1e3, mass_per_length: 1}, modes: {y: {count: 2}}}
  - name: shaft
    joint: {name: mount, type: fixed}
    beam: {length: 1, section: {GJ: 100, mass_per_length: 1, rotary_inertia: [0.1, 0, 0]}, modes: {torsion: {count: 1}}}
  - name: tool
    joint: {name: wrist, type: universal, axes: [[0, 0, 1], [0, 1, 0]]}
    rigid: {mass: 1, inertia: [1, 1, 1, 0, 0, 0]}
)";

Model model() { return build_model(parse_model_description(arm, "arm.yaml", "")); }

std::vector<SensorDescription> read(const std::string& list) {
  return parse_sensors("sensors:\n" + list, "s.yaml", model());
}

// What is said about one sensor on line 2.
std::string complaint(const std::string& sensor) {
  try {
    read("  - " + sensor + "\n");
  } catch (const FileError& error) {
    return error.what();
  }
  return "";
}

TEST(SensorFile, ReadsWhatTheContractShows) {
  const std::vector<SensorDescription> all = read(R"(
  - {name: angle, type: position, joint: shoulder}
  - {name: tilt, type: velocity, joint: wrist.2, rate: 1000, delay: 0.002, noise: 1e-6, quantum: 1e-5, seed: 4}
  - {name: gauge, type: strain, link: boom, at: 0.05, offset: [0.05, 0]}
  - {name: bend, type: curvature, link: boom, at: 0.05, axis: z}
  - {name: twist, type: curvature, link: shaft, at: 0.5, axis: x}
  - {name: imu, type: accelerometer, link: boom, at: 1.0, axis: [0, 0, 1], gravity: false}
  - {name: gyro, type: gyroscope, link: boom, at: 1.0, axis: [0, 0, 2]}
  - {name: height, type: point, link: tool, axis: [0, 0, 1], relative: rigid}
  - {name: load, type: wrench, joint: mount, component: mz}
)");
  ASSERT_EQ(all.size(), 9U);
  EXPECT_EQ(std::get<sensors::Position>(all[0].kind).joint, "shoulder");
  EXPECT_TRUE(all[0].is_ideal());
  EXPECT_EQ(all[1].rate, 1000.0);
  EXPECT_EQ(all[1].delay, 0.002);
  EXPECT_EQ(all[1].noise, 1e-6);
  EXPECT_EQ(all[1].quantum, 1e-5);
  EXPECT_EQ(all[1].seed, 4);
  EXPECT_EQ(std::get<sensors::Strain>(all[2].kind).offset, Eigen::Vector2d(0.05, 0.0));
  EXPECT_EQ(std::get<sensors::Curvature>(all[4].kind).axis, CurvatureAxis::x);
  EXPECT_FALSE(std::get<sensors::Accelerometer>(all[5].kind).gravity);
  EXPECT_EQ(std::get<sensors::Point>(all[7].kind).relative, PointReference::rigid);
  EXPECT_EQ(std::get<sensors::Wrench>(all[8].kind).component, WrenchComponent::mz);
  const std::vector<std::string> units = {"rad", "rad/s", "", "1/m", "rad/m", "m/s^2", "rad/s", "m", "N m"};
  for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ(unit_of(all[i], model()), units[i]);
}

TEST(SensorFile, MayBeAScenarioOfAnyArm) {
  const auto all = parse_sensors(R"(limber: 1
model: missing.yaml
duration: 10
sensors: [{name: angle, type: position, joint: shoulder}]
)",
                                 "s.yaml", model());
  EXPECT_EQ(all.size(), 1U);
}

struct Mistake {
  const char *sensor, *message;
};

TEST(SensorFile, NamesEveryMistakeWithItsPlace) {
  for (const Mistake& mistake : std::vector<Mistake>{
           {"{name: a, type: position, joint: sholder}",
            "s.yaml:2:38: sensors[0].joint: expected the name of a joint that moves, or of one of its "
            "coordinates, found "
            "`sholder` (did you mean `shoulder`?)"},
           {"{name: a, type: velocity, joint: wrist}",
            "s.yaml:2:38: sensors[0].joint: expected one coordinate of it: `wrist.1` or `wrist.2`, found "
            "`wrist`, which "
            "has several"},
           {"{name: a, type: effort, joint: mount}",
            "s.yaml:2:36: sensors[0].joint: expected a joint that moves, found `mount`, which is fixed (type "
            "wrench "
            "measures what it carries)"},
           {"{name: a, type: strain, link: tool, at: 0, offset: [0.1, 0]}",
            "s.yaml:2:35: sensors[0].link: expected a link that can strain, found `tool`, which is rigid "
            "(links that bend: "
            "`boom` and `shaft`)"},
           {"{name: a, type: strain, link: shaft, at: 0, offset: [0.1, 0]}",
            "s.yaml:2:35: sensors[0].link: expected a link that bends or stretches, found `shaft`, whose "
            "`modes` only twist "
            "it"},
           {"{name: a, type: strain, link: boom, at: 0, offset: [0, 0.1]}",
            "s.yaml:2:56: sensors[0].offset: expected a fibre that strains where `boom` bends, found [0, "
            "0.1] (on the axis "
            "nothing strains: give y, the first number, of `offset`)"},
           {"{name: a, type: strain, link: bom, at: 0, offset: [0.1, 0]}",
            "s.yaml:2:35: sensors[0].link: expected the name of a link, found `bom` (did you mean `boom`?)"},
           {"{name: a, type: strain, link: boom, at: 1.5, offset: [0.1, 0]}",
            "s.yaml:2:45: sensors[0].at: expected a number from 0 to 1, found 1.5"},
           {"{name: a, type: curvature, link: boom, at: 0, axis: y}",
            "s.yaml:2:57: sensors[0].axis: expected an axis about which the link bends about y (`modes.z`), "
            "found `boom`, "
            "which does not (its `modes` say in which directions it deflects)"},
           {"{name: a, type: gyroscope, link: tool, at: 0.5, axis: [0, 0, 1]}",
            "s.yaml:2:48: sensors[0].at: expected 1: the link is rigid, found 0.5"},
           {"{name: a, type: accelerometer, link: tool, axis: [0, 0, 0]}",
            "s.yaml:2:54: sensors[0].axis: expected a direction: a vector that is not zero, found [0, 0, 0]"},
           {"{name: a, type: wrench, joint: elbow, component: mz}",
            "s.yaml:2:36: sensors[0].joint: expected the name of a joint, found `elbow` (known joints: "
            "`shoulder`, `mount` "
            "and `wrist`)"},
           {"{name: a, type: wrench, joint: wrist, component: m}",
            "s.yaml:2:54: sensors[0].component: expected `fx`, `fy`, `fz`, `mx`, `my` or `mz`, found `m`"},
           {"{name: shoulder, type: position, joint: shoulder}",
            "s.yaml:2:12: sensors[0].name: expected another name than that of a coordinate, found `shoulder` "
            "(outputs of "
            "linear models go by either)"},
           {"{name: a, type: position, joint: shoulder, rate: 0}",
            "s.yaml:2:54: sensors[0].rate: expected a number > 0 [1/s], found 0"},
           {"{name: a, type: position, joint: shoulder, rate: 100, delay: 0.005}",
            "s.yaml:2:66: sensors[0].delay: expected 0, or at least the time between two samples, 0.01 s, "
            "found 0.005 (a "
            "sample is held until the next: leave the delay out, or raise `rate`)"},
           {"{name: a, type: position, joint: shoulder, noise: -1}",
            "s.yaml:2:55: sensors[0].noise: expected a number >= 0, found -1"},
           {"{name: a, type: position, joint: shoulder, axis: [0, 0, 1]}",
            "s.yaml:2:48: sensors[0].axis: expected a key of type position, found `axis`"},
           {"{name: a, type: gauge, joint: shoulder}",
            "s.yaml:2:21: sensors[0].type: expected `position`, `velocity`"}})
    EXPECT_NE(complaint(mistake.sensor).find(mistake.message), std::string::npos)
        << mistake.sensor << "\n"
        << complaint(mistake.sensor);
}

TEST(SensorFile, RefusesTwoOfOneName) {
  EXPECT_NE(
      complaint("{name: a, type: position, joint: shoulder}\n  - {name: a, type: position, joint: wrist.1}")
          .find("s.yaml:3:12: sensors[1].name: expected another name than that of a sensor before it, found "
                "`a`"),
      std::string::npos);
}

TEST(ScenarioWithSensors, IsCheckedAgainstItsOwnArm) {
  const std::string text = R"(limber: 1
model:
  limber: 1
  links: [{name: tool, joint: {name: hub}, rigid: {mass: 1, inertia: [1, 1, 1, 0, 0, 0]}}]
duration: 1
sensors:
  - {name: a, type: strain, link: tool, at: 0.5, offset: [1, 0]}
)";
  try {
    parse_scenario(text, "scenario.yaml", "");
    FAIL();
  } catch (const FileError& error) {
    EXPECT_NE(std::string(error.what())
                  .find("scenario.yaml:7:35: sensors[0].link: expected a link that can strain, found `tool`, "
                        "which is "
                        "rigid (no link of this arm bends)"),
              std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace limber
