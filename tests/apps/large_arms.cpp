// SPDX-License-Identifier: BSD-3-Clause
// Arms of hundreds of links, and beams of very many shapes: what is asked for must not need all that could be asked for.

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "apps/run_program.hpp"

namespace limber::test {
namespace {

using nlohmann::json;

// Runs with so many megabytes of memory at most.
Outcome run_within(int megabytes, const std::string& arguments) {
  const std::string command = "ulimit -v " + std::to_string(megabytes * 1024) + "; " + LIMBER_PROGRAM + " " +
                              arguments + " 2>&1 </dev/null";
  Outcome outcome{0, ""};
  FILE* pipe = popen(command.c_str(), "r");
  char buffer[4096];
  while (const std::size_t count = fread(buffer, 1, sizeof buffer, pipe))
    outcome.output.append(buffer, count);
  outcome.code = WEXITSTATUS(pclose(pipe));
  return outcome;
}

std::string written(const std::string& name, const std::string& text) {
  const std::string file = testing::TempDir() + "/" + name;
  std::ofstream(file) << text;
  return file;
}

// Links of one metre, two shapes in each plane: five coordinates a link.
std::string chain(int links) {
  std::string text = "limber: 1\nname: chain\nlinks:\n";
  for (int i = 0; i < links; ++i)
    text +=
        "  - {name: l" + std::to_string(i) +
        ", joint: {type: revolute, axis: " + (i % 2 == 0 ? "[0, 0, 1]" : "[0, 1, 0]") +
        "}, beam: {length: 1, section: {EI_y: 1000, EI_z: 2000, mass_per_length: 3}, modes: {y: {count: 2}, "
        "z: {count: 2}}}}\n";
  return written("limber_chain_" + std::to_string(links) + ".yaml", text);
}

std::string many_shapes(const std::string& kinematics, const std::string& modes) {
  return written(
      "limber_many_shapes.yaml",
      "limber: 1\nname: boom\nkinematics: " + kinematics +
          "\nlinks:\n  - {name: boom, joint: {type: fixed}, beam: {length: 2, section: {shape: tube, "
          "outer_diameter: 0.1, thickness: 0.005, material: {E: 70e9, nu: 0.3, density: 2700}}, modes: " +
          modes + "}}\n");
}

TEST(EvalOnly, GivesWhatEvalGives) {
  const std::string arm = model("crane/crane.yaml");
  const json whole = json::parse(run("eval --json " + arm).output);
  for (const auto& [key, value] : whole.items()) {
    if (key == "formulation" || key == "warnings") continue;
    const json only = json::parse(run("eval --json --only " + key + " " + arm).output);
    EXPECT_EQ(only.size(), 3u) << key;  // with the formulation and warnings
    EXPECT_EQ(only.at(key), value) << key;
  }
  const json two = json::parse(run("eval --json --only acceleration,wrenches " + arm).output);
  EXPECT_EQ(two.size(), 4u);
  for (const char* formulation : {"dense", "dual-screw", "dae"})
    EXPECT_TRUE(json::parse(run("eval --json --only acceleration --formulation " + std::string(formulation) +
                                " " + arm)
                                .output)
                    .contains("acceleration"));
  EXPECT_EQ(run("eval --only wrenches " + arm).code, 0);
  // What is always there may be all that is wanted.
  const json warned = json::parse(run("eval --json --only warnings " + arm).output);
  EXPECT_EQ(warned.size(), 2u);
  EXPECT_EQ(warned.at("warnings"), whole.at("warnings"));
  EXPECT_EQ(json::parse(run("eval --json --only formulation " + arm).output), warned);
}

TEST(EvalOnly, NamesTheKeysThatThereAre) {
  const Outcome outcome = run("eval --only acceleration,wrench " + model("crane/crane.yaml"), true);
  EXPECT_EQ(outcome.code, 2);
  EXPECT_TRUE(
      contains(outcome.output, "--only: expected keys of the JSON document: coordinates, mass_matrix"));
  EXPECT_TRUE(contains(outcome.output, "`wrench`"));
}

// A matrix of this arm has 200 MB.
TEST(LargeArms, AreEvaluatedWithoutMatrices) {
  const Outcome outcome = run_within(180, "eval --json --quiet --only acceleration,wrenches " + chain(1000));
  ASSERT_EQ(outcome.code, 0) << outcome.output.substr(0, 500);
  const json result = json::parse(outcome.output);
  EXPECT_EQ(result["acceleration"].size(), 5000u);
  EXPECT_EQ(result["wrenches"].size(), 1000u);
}

// One long beam with its joints locked: the first frequency in each plane is a cantilever's.
TEST(LargeArms, AreShownWithTheErrorOfTheirShapes) {
  const Outcome outcome = run_within(400, "info --json --quiet " + chain(200));
  ASSERT_EQ(outcome.code, 0) << outcome.output.substr(0, 500);
  const json result = json::parse(outcome.output);
  const double unit = std::pow(1.875104068711961 / 200.0, 2) / (2.0 * M_PI);
  EXPECT_NEAR(result["arm_frequencies_hz"][0].get<double>(), unit * std::sqrt(1000.0 / 3.0),
              1e-6 * unit * 18.0);
  EXPECT_NEAR(result["arm_frequencies_hz"][1].get<double>(), unit * std::sqrt(2000.0 / 3.0),
              1e-6 * unit * 26.0);
  EXPECT_LT(result["basis_error"].get<double>(), 1e-3);
}

TEST(ManyShapesOfABeam, NeedLittleMemoryOrAreRefused) {
  EXPECT_EQ(
      run_within(1000, "modes --count 3 " + many_shapes("second", "{y: {count: 31}, z: {count: 31}}")).code,
      0);
  EXPECT_EQ(
      run_within(1000, "modes --count 3 " + many_shapes("first", "{y: {count: 100}, torsion: {count: 100}}"))
          .code,
      0);
  const Outcome refused = run_within(
      1000, "modes " + many_shapes("second", "{y: {count: 31}, z: {count: 31}, axial: {count: 100}}"));
  EXPECT_EQ(refused.code, 2);
  EXPECT_TRUE(contains(refused.output, "beam.modes: expected at most")) << refused.output;
  EXPECT_TRUE(contains(refused.output, "kinematics: first")) << refused.output;
}

}  // namespace
}  // namespace limber::test
