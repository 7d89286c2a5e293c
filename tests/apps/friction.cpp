// SPDX-License-Identifier: BSD-3-Clause
// Friction as a user of the program meets it: states, linear models, runs, and files that go out and come back.

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>

#include "apps/run_program.hpp"
#include "temporary_folder.hpp"

namespace {

using namespace limber::test;
using Json = nlohmann::json;

class FrictionOfTheProgram : public testing::Test {
 protected:
  std::string wheel(const std::string& friction) {
    return folder_
        .write("wheel.yaml",
               "limber: 1\ngravity: [0, 0, 0]\nlinks:\n  - name: wheel\n    joint: {name: spin, friction: " +
                   friction + "}\n    rigid: {mass: 1, inertia: [1, 1, 0.5, 0, 0, 0]}\n")
        .string();
  }
  std::string state(const std::string& text) { return folder_.write("state.json", text).string(); }
  Json eval(const std::string& file, const std::string& at, const std::string& more = "") {
    const Outcome outcome = run("eval --json " + file + " --state " + state(at) + " " + more);
    EXPECT_EQ(outcome.code, 0);
    return Json::parse(outcome.output);
  }
  std::string read(const std::string& name) const {
    std::ifstream file(folder_.path() / name);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  limber::TemporaryFolder folder_;
};

TEST_F(FrictionOfTheProgram, IsTheContractsLawInEval) {
  const std::string file =
      wheel("{coulomb: 20, static: 25, stribeck_velocity: 0.05, transition_velocity: 1e-3}");
  for (const double v : {-0.7, 2e-4, 0.03}) {
    const double F = (20 + 5 * std::exp(-std::pow(v / 0.05, 2))) * std::tanh(v / 1e-3);
    for (const std::string formulation : {"recursive", "dense", "dae", "dual-screw"}) {
      const Json found =
          eval(file, R"({"v": [)" + std::to_string(v) + R"(], "tau": [3]})", "--formulation " + formulation);
      EXPECT_NEAR(found["acceleration"][0].get<double>(), (3.0 - F) / 0.5, 1e-9);
      EXPECT_NEAR(found["friction"][0].get<double>(), F, 1e-10);
    }
  }
}

TEST_F(FrictionOfTheProgram, HoldsAJointAtRestInEval) {
  const std::string file = wheel("{coulomb: 2, static: 3}");
  Json found = eval(file, R"({"tau": [2.9]})", "--derivatives");
  EXPECT_EQ(found["acceleration"][0], 0.0);
  EXPECT_NEAR(found["friction"][0].get<double>(), 2.9, 1e-12);
  EXPECT_EQ(found["derivatives"]["dacceleration_dtau"][0][0], 0.0);
  found = eval(file, R"({"tau": [-3.1]})", "--derivatives");
  EXPECT_NEAR(found["acceleration"][0].get<double>(), -1.1 / 0.5, 1e-12);  // it slips: coulomb
  EXPECT_NEAR(found["derivatives"]["dacceleration_dtau"][0][0].get<double>(), 2.0, 1e-12);
  EXPECT_FALSE(Json::parse(run("eval --json " + model("crane/crane.yaml")).output).contains("friction"));
  EXPECT_TRUE(contains(run("eval " + file).output, "sticks"));
}

// Slopes: static/transition_velocity at rest, viscous beside dry friction that is left out, with a word.
TEST_F(FrictionOfTheProgram, IsASlopeInLinearModels) {
  const auto damping = [&](const std::string& friction) {
    const Json linear = Json::parse(run("linearize --json " + wheel(friction)).output);
    return -0.5 * linear["A"][1][1].get<double>();
  };
  EXPECT_NEAR(damping("{coulomb: 20, static: 25, stribeck_velocity: 0.05, transition_velocity: 1e-3}"), 25e3,
              1e-6);
  EXPECT_NEAR(damping("{coulomb: 20, viscous: 0.7}"), 0.7, 1e-12);
  const Json said = Json::parse(run("linearize --json " + wheel("{coulomb: 20}")).output)["warnings"];
  EXPECT_TRUE(contains(said.dump(), "dry friction"));
}

TEST_F(FrictionOfTheProgram, IsNamedInTheSummaryAndInTheResult) {
  const std::string result = (folder_.path() / "belt.h5").string(),
                    table = (folder_.path() / "belt.csv").string();
  const Outcome outcome =
      run("simulate --json " + model("stick_slip/belt.yaml") + " -o " + result + " --csv " + table);
  ASSERT_EQ(outcome.code, 0);
  const Json energy = Json::parse(outcome.output)["energy"];
  EXPECT_GT(energy["friction"].get<double>(), 1.0);
  EXPECT_EQ(energy["friction"], energy["dissipated"]);
  EXPECT_LT(energy["error"].get<double>(), 1e-5 * energy["dissipated"].get<double>());
  const std::string columns = read("belt.csv").substr(0, 2000);
  EXPECT_TRUE(contains(columns, "friction.slide"));
  EXPECT_TRUE(contains(columns, "energy.friction"));
  EXPECT_EQ(run("report " + result + " -o " + (folder_.path() / "belt.html").string()).code, 0);
  EXPECT_TRUE(contains(read("belt.html"), "of it by friction"));
  EXPECT_EQ(run("plot " + result + " --what friction -o " + (folder_.path() / "belt.svg").string()).code, 0);
}

TEST_F(FrictionOfTheProgram, GoesOutToOtherProgramsAndComesBack) {
  const std::string urdf = (folder_.path() / "out.urdf").string(),
                    xml = (folder_.path() / "out.xml").string(),
                    back = (folder_.path() / "back.yaml").string();
  const std::string file = wheel("{coulomb: 2.5, static: 3, viscous: 0.25}");
  ASSERT_EQ(run("export " + file + " -o " + urdf).code, 0);
  EXPECT_TRUE(contains(read("out.urdf"), R"(<dynamics damping="0.25" friction="2.5"/>)"));
  ASSERT_EQ(run("export " + file + " --format mjcf -o " + xml).code, 0);
  EXPECT_TRUE(contains(read("out.xml"), R"(frictionloss="2.5")"));
  ASSERT_EQ(run("import " + urdf + " -o " + back).code, 0);
  EXPECT_TRUE(contains(read("back.yaml"), "coulomb: 2.5"));
}

TEST_F(FrictionOfTheProgram, IsNoPartOfFormulasAndDeriveSaysSo) {
  EXPECT_TRUE(
      contains(run("derive " + model("stick_slip/stick_slip.yaml"), true).output, "friction is no part"));
}

}  // namespace
