// SPDX-License-Identifier: BSD-3-Clause
// `limber estimate` as a user sees it: methods, a payload, tables, and what is wrong with data.

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "apps/run_program.hpp"
#include "temporary_folder.hpp"

namespace {

using namespace limber::test;
using Json = nlohmann::json;

const std::string studies = std::string(LIMBER_MODELS_DIR) + "/../studies/";
const std::string swing = studies + "swing.yaml ", data = studies + "swing.csv ";

TEST(Estimates, FindStateAndPayloadByEveryMethod) {
  const std::string mass = "model.links.strip.tip.mass";
  // The first part of the data.
  const limber::TemporaryFolder folder;
  std::ifstream whole(studies + "swing.csv");
  std::string part, line;
  for (int i = 0; i <= 40 && std::getline(whole, line);)
    if (part += line + "\n"; line[0] != '#') ++i;
  folder.write("part.csv", part);
  for (const std::string method : {"ekf", "ukf", "mhe"}) {
    const Json seen =
        Json::parse(run("estimate --json --method " + method + " --set " + mass + "=0.104 --find " + mass +
                        "=0.004 --horizon 4 --step 2e-3 " + swing + (folder.path() / "part.csv").string())
                        .output);
    const Json& payload = seen["parameters"][mass];
    EXPECT_EQ(seen["method"], method);
    EXPECT_EQ(payload["start"], 0.104);
    EXPECT_NEAR(payload["value"].get<double>(), 0.1, 5.0 * payload["standard_deviation"].get<double>())
        << method;
    EXPECT_LT(payload["standard_deviation"].get<double>(), 0.001);
    EXPECT_NEAR(seen["innovation_rms"].get<double>(), 1.0, 0.3) << method;
    EXPECT_EQ(seen["rows"], 40);
  }
}

TEST(Estimates, AreWrittenAsTables) {
  const limber::TemporaryFolder folder;
  const std::string csv = (folder.path() / "e.csv").string(), h5 = (folder.path() / "e.h5").string(),
                    svg = (folder.path() / "e.svg").string();
  EXPECT_EQ(run("estimate " + swing + data + "-o " + csv + " --plot " + svg).code, 0);
  EXPECT_EQ(run("estimate " + swing + data + "-o " + h5).code, 0);
  std::ifstream file(csv);
  std::string header, first;
  std::getline(file, header);
  std::getline(file, first);
  EXPECT_TRUE(contains(header, "t,q.hub,q.strip.y1"));
  EXPECT_TRUE(contains(header, "sd.end_effector.z"));
  EXPECT_EQ(std::count(header.begin(), header.end(), ','), std::count(first.begin(), first.end(), ','));
  EXPECT_GT(std::filesystem::file_size(h5), 1000u);
  EXPECT_GT(std::filesystem::file_size(svg), 1000u);
}

// The controller sees encoder and gauge through a filter, and the link comes to rest where it should all the same.
TEST(Estimates, AreWhatControllersSee) {
  const limber::TemporaryFolder folder;
  const std::string result = " -o " + (folder.path() / "o.h5").string() + " --force ";
  for (const std::string method : {"ekf", "ukf"}) {
    const Json made =
        Json::parse(run("simulate --json --quiet --observer 200 --observer-noise 1e-6 --observer-method " +
                        method + result + studies + "observed_slew.yaml")
                        .output);
    EXPECT_NEAR(made["final"]["q"][0].get<double>(), 0.8, 3e-3) << method;
    EXPECT_NEAR(made["final"]["v"][0].get<double>(), 0.0, 2e-2) << method;
    const Json seen =
        Json::parse(run("simulate --json --quiet" + result + studies + "observed_slew.yaml").output);
    EXPECT_NE(made["final"]["q"][0], seen["final"]["q"][0]);
  }
  // As a key of the scenario.
  const std::string by_key = "simulate --json --quiet --set 'observer={rate: 200, process_noise: 1e-6}'" +
                             result + studies + "observed_slew.yaml",
                    by_option = "simulate --json --quiet --observer 200 --observer-noise 1e-6" + result +
                                studies + "observed_slew.yaml";
  EXPECT_EQ(Json::parse(run(by_key).output)["final"], Json::parse(run(by_option).output)["final"]);
  const std::string own =
      folder
          .write("observed.yaml", "limber: 1\nmodel: " + model("lab_link/lab_link.yaml") +
                                      "\nactuation: [{joint: hub, type: lqr, target: {value: 0.1}}]\n"
                                      "sensors: [{name: encoder, type: position, joint: hub}]\n"
                                      "observer: {rate: 100, sensors: encodr}\nduration: 1\n")
          .string();
  const Outcome misspelt = run("check " + own, true);
  EXPECT_EQ(misspelt.code, 2);
  EXPECT_TRUE(
      contains(misspelt.output, "observed.yaml:5:32: observer.sensors: expected the name of a sensor"));
  const Outcome deaf = run("check --set observer.sensors=encoder " + own, true);
  EXPECT_EQ(deaf.code, 2);
  EXPECT_TRUE(contains(deaf.output, "sensors[0].noise: expected a standard deviation > 0"));
  const Outcome followed = run("estimate --set 'observer={rate: 200}' " + swing + data, true);
  EXPECT_EQ(followed.code, 2);
  EXPECT_TRUE(contains(followed.output, "observer: expected controllers that see the state itself"));
  const Outcome wrong = run(
      "simulate --quiet --observer 200 --observer-sensor encodr" + result + studies + "observed_slew.yaml",
      true);
  EXPECT_EQ(wrong.code, 2);
  EXPECT_TRUE(contains(wrong.output, "did you mean `encoder`?"));
  const Outcome silent = run(
      "simulate --quiet --observer 200 --set sensors[1].noise=0" + result + studies + "observed_slew.yaml",
      true);
  EXPECT_EQ(silent.code, 2);
  EXPECT_TRUE(contains(silent.output, "sensors[1].noise: expected a standard deviation > 0"));
}

TEST(Estimates, SayWhatIsWrongWithData) {
  const limber::TemporaryFolder folder;
  const auto refusal = [&](const std::string& text, const std::string& words = "") {
    folder.write("d.csv", text);
    const Outcome outcome = run("estimate " + swing + (folder.path() / "d.csv").string() + " " + words, true);
    EXPECT_EQ(outcome.code, 2) << outcome.output;
    return outcome.output;
  };
  EXPECT_TRUE(contains(refusal("t,encoder\n0,0\n0.01,nan\n"), "d.csv:3:6: expected a number"));
  EXPECT_TRUE(contains(refusal("t,encoder\n0,0\n0.01,\n"), "d.csv:3:6: expected a number, found nothing"));
  EXPECT_TRUE(contains(refusal("t,encoder\n0.02,0\n0.01,0\n"), "0.01 after 0.02, in row 2"));
  EXPECT_TRUE(contains(refusal("t,encodr\n0,0\n0.01,0\n"), "did you mean `encoder`?"));
  EXPECT_TRUE(contains(refusal("time,encoder\n0,0\n"), "--time: expected the name of a column"));
  EXPECT_TRUE(contains(refusal("t,encoder\n0,0\n", "--column encodr=encoder"), "did you mean `encoder`?"));
  EXPECT_TRUE(contains(refusal("t,encoder\n0,0\n", "--column encoder=encodr"), "did you mean `encoder`?"));
  EXPECT_TRUE(contains(refusal("t,encoder\n0,0\n", "--find model.links.strip.tip.mas=0.1"), "mass"));
  EXPECT_TRUE(contains(refusal("t,encoder\n0,0\n", "--find model.links.strip.tip.mass=-1"),
                       "a standard deviation > 0"));
  EXPECT_TRUE(contains(refusal("t,encoder\n-1,0\n"), "times from 0 on"));
  folder.write("huge.csv", "t,encoder\n0,1e300\n0.01,-1e300\n");
  const Outcome huge = run("estimate " + swing + (folder.path() / "huge.csv").string(), true);
  EXPECT_EQ(huge.code, 1);
  EXPECT_TRUE(contains(huge.output, "readings differ from what is expected by more than numbers can say"));
  EXPECT_TRUE(contains(refusal("t,encoder\n0,0\n", "--step 0"), "--step: expected a number > 0, found `0`"));
  EXPECT_TRUE(contains(refusal("t,encoder\n0,0\n",
                               "--find model.links.strip.tip.mass=0.1 --find model.links.strip.tip.mass=0.1"),
                       "expected each number once"));
  EXPECT_TRUE(contains(refusal("t,encoder\n0,0\n1e9,0\n"), "are times in seconds?"));
  EXPECT_TRUE(contains(refusal("t,encoder\n0,0\n0.01,0\n", "--step 1e-300"), "take longer steps"));
}

}  // namespace
