// SPDX-License-Identifier: BSD-3-Clause
// Links in segments, shear and the number of shapes as a user of the program meets them.

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "apps/run_program.hpp"
#include "temporary_folder.hpp"

namespace {

using namespace limber::test;
using Json = nlohmann::json;

constexpr double pi = std::numbers::pi;

Json json_of(const std::string& arguments) {
  const Outcome outcome = run(arguments + " --json");
  EXPECT_EQ(outcome.code, 0) << arguments;
  return Json::parse(outcome.output);
}

const std::string strip = model("roll_up/roll_up.yaml");

TEST(SegmentsOfTheProgram, AreSetByPathAndNamedInARow) {
  const Json info = json_of("info " + strip + " --set links.strip.beam.segments=3");
  EXPECT_EQ(info["coordinates"],
            Json({"strip.1.y1", "strip.1.y2", "strip.2.y1", "strip.2.y2", "strip.3.y1", "strip.3.y2"}));
  EXPECT_EQ(info["links"].size(), 3u);
  EXPECT_LT(info["basis_error"].get<double>(), 0.02);
}

TEST(SegmentsOfTheProgram, RollUpInStaticsAsOneLink) {
  const Json found = json_of("statics " + strip + " --set links.strip.beam.segments=16 --points 5 --state " +
                             model("roll_up/circle.json") + " --gauge strip@1.3");
  ASSERT_EQ(found["links"].size(), 1u);
  const Json& link = found["links"][0];
  EXPECT_EQ(link["name"], "strip");
  EXPECT_NEAR(link["tip_deflection"][0].get<double>(), -2.0, 0.02);
  EXPECT_NEAR(link["tip_deflection"][1].get<double>(), 0.0, 0.02);
  EXPECT_NEAR(link["tip_slope"][2].get<double>(), 2.0 * pi, 1e-6);
  ASSERT_EQ(link["curvature"].size(), 5u);
  for (int i = 0; i < 5; ++i) {
    EXPECT_NEAR(link["curvature"][i][0].get<double>(), 0.5 * i, 1e-12);
    EXPECT_NEAR(link["curvature"][i][2].get<double>(), pi, 1e-6);
  }
  EXPECT_NEAR(found["gauges"][0]["kappa_z"].get<double>(), pi, 1e-6);
  EXPECT_NEAR(found["end_effector"]["position"][0].get<double>(), 0.0, 0.02);
}

TEST(SegmentsOfTheProgram, AreProposedWhereALinkBendsFar) {
  const Outcome outcome = run("statics " + model("princeton_beam/princeton_beam.yaml") + " --state " +
                                  model("princeton_beam/load30.json"),
                              true);
  EXPECT_EQ(outcome.code, 0);
  EXPECT_TRUE(contains(outcome.output, "`segments: 2` of its `beam`")) << outcome.output;
}

TEST(SegmentsOfTheProgram, WarnOnceOfALink) {
  const Outcome outcome =
      run("statics " + strip + " --set links.strip.beam.segments=16 --state " + model("roll_up/circle.json"),
          true);
  const std::string words = "deflection field is only an approximation";
  const std::size_t first = outcome.output.find(words);
  ASSERT_NE(first, std::string::npos) << outcome.output;
  EXPECT_EQ(outcome.output.find(words, first + 1), std::string::npos) << outcome.output;
}

TEST(SegmentsOfTheProgram, AreAPlaceForEveryCommand) {
  const std::string cut = strip + " --set links.strip.beam.segments=4";
  const Json jacobian = json_of("jacobian " + cut + " --at strip@0.5");
  EXPECT_NEAR(jacobian["position"][0].get<double>(), 1.0, 1e-12);
  const Json linear = json_of("linearize " + model("spin_up_beam/spin_up_beam.yaml") +
                              " --set links.beam.beam.segments=3 --outputs beam@0.5.y,beam@1.y");
  EXPECT_EQ(linear["outputs"], Json({"beam@0.5.y", "beam@1.y"}));
  EXPECT_NEAR(linear["C"][0][0].get<double>(), 5.0, 1e-9) << "half of the beam turns with the hub";
  EXPECT_NEAR(linear["C"][1][0].get<double>(), 10.0, 1e-9);
  const Outcome wrong = run("jacobian " + cut + " --at strp@0.5", true);
  EXPECT_EQ(wrong.code, 2);
  EXPECT_TRUE(contains(wrong.output, "did you mean `strip`?")) << wrong.output;
}

TEST(SegmentsOfTheProgram, AgreeInEveryFormulation) {
  const limber::TemporaryFolder folder;
  const std::string state =
      folder
          .write("state.json",
                 R"({"q": {"strip.1.y1": 0.02, "strip.3.y2": -0.01}, "v": {"strip.2.y1": 0.3}})")
          .string();
  const Json first = json_of("eval " + strip + " --state " + state);
  for (const char* formulation : {"dense", "dae"}) {
    const Json other = json_of("eval " + strip + " --state " + state + " --formulation " + formulation);
    for (std::size_t i = 0; i < first["acceleration"].size(); ++i)
      EXPECT_NEAR(other["acceleration"][i].get<double>(), first["acceleration"][i].get<double>(),
                  1e-6 * (1.0 + std::abs(first["acceleration"][i].get<double>())))
          << formulation;
  }
}

TEST(SegmentsOfTheProgram, LeaveResultsThatCanBeReadAgain) {
  const limber::TemporaryFolder folder;
  const std::string scenario =
      folder
          .write("swing.yaml",
                 "limber: 1\nmodel: " + strip +
                     "\ninitial: {settle: false}\nloads: [{link: strip, at: 1, force: [0, 2, 0]}]\n"
                     "duration: 0.5\noutput: {rate: 50}\n")
          .string();
  const std::string result = (folder.path() / "swing.h5").string();
  const Json summary = json_of("simulate " + scenario + " -o " + result);
  EXPECT_TRUE(summary["peaks"]["tip_deflection"].contains("strip")) << summary["peaks"];
  EXPECT_EQ(summary["peaks"]["tip_deflection"].size(), 1u);
  EXPECT_TRUE(summary["metrics"]["links"].contains("strip"));
  EXPECT_EQ(
      run("plot " + result + " --what deflection -o " + (folder.path() / "plot.svg").string(), true).code, 0);
  const Json resumed = json_of("simulate " + scenario + " -o " + result + " --resume");
  EXPECT_EQ(resumed["peaks"]["tip_deflection"], summary["peaks"]["tip_deflection"]);
}

TEST(ShearOfTheProgram, SoftensAShortBar) {
  const std::string bar = model("princeton_beam/princeton_beam.yaml") + " --set links.beam.beam.length=0.06";
  const double stiff = json_of("modes " + bar)["frequencies_hz"][0],
               soft =
                   json_of("modes " + bar + " --set links.beam.beam.section.shear=true")["frequencies_hz"][0];
  EXPECT_LT(soft, 0.999 * stiff);
  EXPECT_GT(soft, 0.95 * stiff);
}

// A length in the wrong unit by far: rounding finds ever new directions, of which there are no more than coordinates.
TEST(CurvedBeamOfTheProgram, HasModesHoweverShortItIs) {
  const Outcome outcome = run("modes " + model("davit/davit.yaml") +
                              " --set 'links.jib.beam.curve.radius=1e-12' --count 2 --json");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(Json::parse(outcome.output)["frequencies_hz"].size(), 2u);
}

TEST(InfoAccuracy, ProposesShapesThatReachIt) {
  // In gravity, with loops that are open at zero, in segments of a bent axis. Forces of loops come in between the ends of beams, where shapes converge slowly: the arm that
  // an error is counted from is itself some 1e-5 off, and finer where the arm has more shapes.
  const std::vector<std::pair<std::string, double>> arms = {{"canadarm/canadarm", 1e-6},
                                                            {"lab_link/lab_link", 1e-6},
                                                            {"davit/davit", 1e-6},
                                                            {"slider_crank/slider_crank", 5e-5},
                                                            {"loader/loader", 5e-5}};
  for (const auto& [name, rounding] : arms) {
    const std::string arm = model(name + ".yaml");
    const Json proposal = json_of("info " + arm + " --accuracy 1e-3")["proposal"];
    EXPECT_LE(proposal["basis_error"].get<double>(), 1e-3) << name;
    // The same arm with them is as accurate as was said.
    std::string set;
    for (const auto& [link, directions] : proposal["links"].items())
      for (const auto& [direction, shapes] : directions.items())
        set += " --set 'links." + link + ".beam.modes." + direction +
               "={shape: craig-bampton, count: " + std::to_string(shapes["count"].get<int>()) + "}'";
    const Json with = json_of("info " + arm + set);
    EXPECT_NEAR(with["basis_error"].get<double>(), proposal["basis_error"].get<double>(), rounding) << name;
  }
  EXPECT_EQ(run("info " + model("canadarm/canadarm.yaml") + " --accuracy 2").code, 2);
}

}  // namespace
