// SPDX-License-Identifier: BSD-3-Clause
// The chain from a rehearsed measurement to parameters and states, as a user goes it: simulate --as-measured, identify, estimate.

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <iterator>
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
  // The same file for parameters, and their page.
  const std::string fit = folder
                              .write("fit.yaml", "limber: 1\nscenario: " + swing +
                                                     "\nfit: {model.links.strip.tip.mass: {start: 0.14}}\n"
                                                     "data: {file: swing.csv, columns: {gauge: gauge}}\n")
                              .string(),
                    page = (folder.path() / "fit.html").string();
  const Json found = Json::parse(run("identify --json --report " + page + " " + fit).output);
  const Json& mass = found["parameters"]["model.links.strip.tip.mass"];
  EXPECT_NEAR(mass["value"].get<double>(), 0.1, 4.0 * mass["standard_error"].get<double>());
  std::ifstream file(page);
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  EXPECT_TRUE(contains(text, "gauge: autocorrelation, whiteness p"));
  EXPECT_EQ(run("identify --report " + page + " " + fit, true).code, 2);  // exists already
  EXPECT_TRUE(contains(run("check " + fit).output, "a valid fit: 1 value from 151 numbers"));
}

TEST(Measurements, AreDesigned) {
  const Json found = Json::parse(run("identify --json --design " + studies + "design_next.yaml").output);
  EXPECT_EQ(found["chosen"].size(), 2u);
  EXPECT_EQ(found["candidates"].size(), 4u);
  EXPECT_GT(found["log_det"].get<double>(), found["measured_log_det"].get<double>() + 3.0 * std::log(2.0));
  const std::string E = "model.links.strip.beam.section.material.E";
  EXPECT_EQ(found["parameters"][E]["value"], 70e9);
  for (const Json& one : found["candidates"])
    EXPECT_LT(found["parameters"][E]["standard_error"].get<double>(),
              one["standard_errors"][E].get<double>());
  const std::string shown = run("identify --design " + studies + "design_next.yaml").output;
  EXPECT_TRUE(contains(shown, "standard error to expect"));
  EXPECT_TRUE(contains(shown, "swing.yaml --set '"));
  EXPECT_EQ(run("identify --design " + studies + "identify_strip.yaml", true).code, 2);
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
  // All that have none are named at once; what has no column, and what has noise, is not.
  folder.write("silent.csv", "t,tacho,gauge,gyro\n0,0,0,0\n0.01,0,0,0\n");
  const std::string silent =
      refusal("estimate --data " + (folder.path() / "silent.csv").string() + " " + slew);
  EXPECT_TRUE(contains(silent, "slew.yaml:10:5: sensors[1].noise: expected a standard deviation > 0"));
  EXPECT_TRUE(contains(silent, "slew.yaml:14:5: sensors[5].noise: expected a standard deviation > 0"));
  EXPECT_FALSE(contains(silent, "slew.yaml:11:")) << silent;
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
