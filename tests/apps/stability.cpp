// SPDX-License-Identifier: BSD-3-Clause
// modes, statics, zeros and check --dae: what becomes unstable, and arms in which nothing moves.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <numbers>

#include "apps/run_program.hpp"
#include "temporary_folder.hpp"

namespace {

using namespace limber::test;

const std::string column = model("beck_column/beck_column.yaml");

std::string with_state(const std::string& name) {
  return column + " --state " + model("beck_column/" + name);
}

TEST(Modes, NameFlutterWithItsGrowth) {
  const auto modes = nlohmann::json::parse(run("modes --json --count 3 " + with_state("beyond.json")).output);
  EXPECT_EQ(modes["kinds"], (std::vector<std::string>{"flutter", "flutter", "vibration"}));
  EXPECT_LT(modes["frequencies_hz"][0].get<double>(), 0.0);
  EXPECT_GT(modes["growth_rates"][0].get<double>(), 1.0);
  EXPECT_EQ(modes["growth_rates"][2].get<double>(), 0.0);
  EXPECT_EQ(modes["eigenvalues"][0][0], modes["growth_rates"][0]);
  EXPECT_NEAR(modes["eigenvalues"][0][1].get<double>(), 11.0, 1.0);
  EXPECT_TRUE(modes.contains("shapes_in_quadrature"));
  const Outcome text = run("modes --count 3 " + with_state("beyond.json"));
  EXPECT_TRUE(contains(text.output, "mode 1: flutter, swings at")) << text.output;
  EXPECT_FALSE(contains(run("modes --count 3 " + with_state("follower.json")).output, "flutter"));
}

TEST(Statics, FindTheLoadOfFlutterAndOfDivergence) {
  const auto follower =
      nlohmann::json::parse(run("statics --json --critical 50 " + with_state("follower.json")).output);
  EXPECT_NEAR(follower["critical_load_factor"].get<double>(), 20.0509, 2e-3);
  EXPECT_EQ(follower["critical_load_kind"], "flutter");
  EXPECT_NEAR(follower["flutter_frequency_hz"].get<double>() * 2.0 * std::numbers::pi, 11.016, 5e-3);
  const auto dead =
      nlohmann::json::parse(run("statics --json --critical 50 " + with_state("dead.json")).output);
  EXPECT_NEAR(dead["critical_load_factor"].get<double>(), 0.25 * std::numbers::pi * std::numbers::pi, 1e-4);
  EXPECT_EQ(dead["critical_load_kind"], "divergence");
}

TEST(Statics, SayUpToWhichFactorNothingHappens) {
  const std::string quiet = "statics --critical 15 " + with_state("follower.json");
  EXPECT_TRUE(contains(run(quiet).output, "none up to 15")) << run(quiet).output;
  EXPECT_TRUE(nlohmann::json::parse(run(quiet + " --json").output)["critical_load_factor"].is_null());
  for (const char* wrong : {"0", "-3", "nan", "inf"})
    EXPECT_EQ(run(std::string("statics --critical=") + wrong + " " + with_state("follower.json")).code, 2)
        << wrong;
}

TEST(Zeros, AreNotJudgedWithSurplusInputs) {
  const Outcome outcome = run("zeros --outputs end_effector.y " + model("canadarm/canadarm.yaml"));
  EXPECT_EQ(outcome.code, 0);
  EXPECT_FALSE(contains(outcome.output, "minimum phase")) << outcome.output;
  EXPECT_TRUE(contains(outcome.output, "joint1 joint2 joint3 2 are surplus")) << outcome.output;
  const auto json = nlohmann::json::parse(
      run("zeros --json --outputs end_effector.y " + model("canadarm/canadarm.yaml")).output);
  EXPECT_EQ(json["surplus_inputs"], 2);
  EXPECT_EQ(json["phase"], "undetermined");
}

class Immovable : public testing::Test {
 protected:
  std::string file(const std::string& joint, const std::string& modes) {
    return folder_.write("arm" + std::to_string(++count_) + ".yaml",
                         "limber: 1\nlinks:\n  - name: a\n    joint: {name: j, type: " + joint +
                             "}\n    beam: {length: 1, section: {EI_z: 100, mass_per_length: 1, "
                             "rotary_inertia: [0.1, 0, 0]}" +
                             modes + "}\n");
  }
  limber::TemporaryFolder folder_;
  int count_ = 0;
};

TEST_F(Immovable, ArmsGetAnAnswerFromEveryCommandThatAsksForMotion) {
  const std::string arm = file("fixed", "");
  const Outcome posed = run("check --dae " + arm, true);
  EXPECT_EQ(posed.code, 0) << posed.output;
  EXPECT_TRUE(contains(posed.output, "nothing moves")) << posed.output;
  EXPECT_EQ(run("check --dae --json " + arm, true).code, 0);
  const Outcome zeros = run("zeros --outputs a@0.5.y " + arm, true);
  EXPECT_EQ(zeros.code, 2);
  EXPECT_TRUE(contains(zeros.output, "a joint that moves")) << zeros.output;
  EXPECT_EQ(run("modes " + arm, true).code, 0);
  EXPECT_EQ(run("statics --critical 10 " + arm, true).code, 0);
}

TEST_F(Immovable, ArmsCannotReach) {
  for (const std::string& arm : {file("fixed", ""), file("fixed", ", modes: {y: {count: 2}}"),
                                 file("spherical", ", modes: {y: {count: 2}}")}) {
    const Outcome reach = run("statics --reach 1 0 0 -- " + arm, true);
    EXPECT_EQ(reach.code, 2) << reach.output;
    EXPECT_TRUE(contains(reach.output, "a joint that moves and has no quaternion")) << reach.output;
  }
}

}  // namespace
