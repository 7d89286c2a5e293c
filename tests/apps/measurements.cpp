// SPDX-License-Identifier: BSD-3-Clause
// The chain from a rehearsed measurement to parameters and states, as a user goes it: simulate --as-measured, identify, estimate.

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "apps/run_program.hpp"
#include "temporary_folder.hpp"

namespace {

using namespace limber::test;
using Json = nlohmann::json;

const std::string studies = std::string(LIMBER_MODELS_DIR) + "/../studies/";

TEST(Measurements, TellTheParametersThatMadeThem) {
  const Json found = Json::parse(run("identify --json " + studies + "identify_strip.yaml").output);
  const auto expect = [&](const std::string& path, double truth, double start) {
    const Json& one = found["parameters"][path];
    EXPECT_NEAR(one["value"].get<double>(), truth, 3.0 * one["standard_error"].get<double>()) << path;
    EXPECT_EQ(one["start"], start);
  };
  expect("model.links.strip.beam.section.material.E", 70e9, 60e9);
  expect("model.links.strip.beam.damping.ratio", 0.005, 0.01);
  expect("model.links.strip.tip.mass", 0.1, 0.15);
  EXPECT_EQ(found["correlation"].size(), 3u);
  EXPECT_EQ(found["correlation"][1][1], 1.0);
  EXPECT_NEAR(found["weighted_rms"].get<double>(), 1.0, 0.1);
  EXPECT_GT(found["fit_percent"].get<double>(), 99.0);
  EXPECT_LE(found["evaluations"].get<int>(), found["iterations"].get<int>() + 5);
  EXPECT_TRUE(found["warnings"].empty()) << found["warnings"];
  EXPECT_TRUE(contains(run("identify " + studies + "identify_frequencies.yaml").output, "standard error"));
}

TEST(Measurements, AreRehearsedAndEstimated) {
  const limber::TemporaryFolder folder;
  const std::string result = (folder.path() / "swing.h5").string(),
                    table = (folder.path() / "swing.csv").string(),
                    states = (folder.path() / "states.csv").string(), swing = studies + "swing.yaml";
  const Json made = Json::parse(
      run("simulate --json --quiet -o " + result + " --as-measured " + table + " " + swing).output);
  const Json seen =
      Json::parse(run("estimate --json --data " + table + " -o " + states + " " + swing).output);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(seen["q"][i].get<double>(), made["final"]["q"][i].get<double>(),
                4.0 * seen["standard_deviations"]["q"][i].get<double>());
    EXPECT_NEAR(seen["v"][i].get<double>(), made["final"]["v"][i].get<double>(),
                4.0 * seen["standard_deviations"]["v"][i].get<double>());
  }
  EXPECT_NEAR(seen["innovation_rms"].get<double>(), 1.0, 0.1);
  EXPECT_EQ(seen["readings"], 3 * 151);
}

TEST(Measurements, SayWhatIsWrong) {
  const limber::TemporaryFolder folder;
  folder.write("swing.csv", "t,tacho,gauge\n0,0,0\n0.01,0,0\n");
  const std::string data = " --data " + (folder.path() / "swing.csv").string() + " ";
  const auto refusal = [](const std::string& words) {
    const Outcome outcome = run(words, true);
    EXPECT_EQ(outcome.code, 2);
    return outcome.output;
  };
  const std::string slew = model("lab_link/slew.yaml");
  EXPECT_TRUE(contains(refusal("estimate" + data + slew),
                       "slew.yaml:10:5: sensors[1].noise: expected a standard deviation > 0"));
  EXPECT_TRUE(contains(refusal("estimate" + data + slew), "slew.yaml:11:"));
  EXPECT_TRUE(contains(refusal("estimate" + data + model("canadarm/manoeuvre.yaml")),
                       "expected at least one sensor"));
  EXPECT_TRUE(
      contains(refusal("simulate --quiet --as-measured " + (folder.path() / "c.csv").string() + " -o " +
                       (folder.path() / "c.h5").string() + " " + model("canadarm/manoeuvre.yaml")),
               "expected at least one sensor"));
  EXPECT_TRUE(
      contains(refusal("sweep " + studies + "identify_strip.yaml"), "one with `fit`, for `limber identify`"));
  EXPECT_TRUE(
      contains(refusal("identify " + studies + "slew_tolerances.yaml"), "a study for `limber sweep`"));
}

}  // namespace
