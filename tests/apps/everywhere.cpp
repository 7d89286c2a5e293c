// SPDX-License-Identifier: BSD-3-Clause
// What holds for every command: --set, degrees, held joints, limits and warnings in every JSON document.

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "apps/run_program.hpp"
#include "temporary_folder.hpp"

namespace {

using namespace limber::test;
using Json = nlohmann::json;

constexpr const char* arm = R"(limber: 1
name: arm
links:
  - name: boom
    joint: {name: shoulder, axis: [0, 1, 0], limits: {lower: -1, upper: 1, effort: 50}}
    beam: {length: 2, section: {EI_y: 97400, mass_per_length: 3.26}, modes: {z: {count: 2}}}
    tip: {mass: 10}
)";

constexpr const char* slew = R"(limber: 1
model: arm.yaml
actuation: [{joint: shoulder, type: pd, kp: 2000, kd: 500, target: {value: 0.5}}]
duration: 0.2
output: {rate: 50, shape_points: 0}
)";

class Everywhere : public testing::Test {
 protected:
  Everywhere()
      : model_(folder_.write("arm.yaml", arm).string()),
        scenario_(folder_.write("slew.yaml", slew).string()) {}

  static Json json(const std::string& arguments, int code = 0) {
    const Outcome outcome = run(arguments + " --json --quiet");
    EXPECT_EQ(outcome.code, code) << arguments << "\n" << outcome.output;
    return Json::parse(outcome.output);
  }
  std::string result(const std::string& name) const { return (folder_.path() / name).string(); }
  std::string state(const std::string& text) const {
    return " --state " + folder_.write("state.json", text).string();
  }

  // One call of every command that reads a model or a scenario.
  std::vector<std::string> commands() const {
    const std::string out = " -o " + result("run.h5") + " --force";
    return {"check " + model_,
            "check " + scenario_,
            "check --dae " + model_,
            "info " + model_,
            "eval " + model_,
            "modes " + model_,
            "statics " + model_,
            "linearize " + model_,
            "zeros " + model_,
            "derive --only G " + model_,
            "simulate " + scenario_ + out,
            "compare " + scenario_};
  }
  static std::string warnings_of(const Json& document) {
    std::string all;
    for (const auto& warning : document.at("warnings")) all += warning.get<std::string>() + "\n";
    return all;
  }

  limber::TemporaryFolder folder_;
  std::string model_, scenario_;
};

TEST_F(Everywhere, EveryJsonDocumentHasAListOfWarnings) {
  for (const std::string& command : commands()) {
    const Json document = json(command);
    ASSERT_TRUE(document.contains("warnings")) << command;
    EXPECT_TRUE(document["warnings"].is_array()) << command;
    for (const auto& warning : document["warnings"]) EXPECT_TRUE(warning.is_string()) << command;
  }
  EXPECT_TRUE(json("report " + result("run.h5") + " -o " + result("run.html")).at("warnings").is_array());
  EXPECT_TRUE(
      json("plot --what joints " + result("run.h5") + " -o " + result("run.svg")).at("warnings").is_array());
  EXPECT_TRUE(json("check " + result("no.yaml"), 2).at("warnings").is_array());
}

TEST_F(Everywhere, EveryCommandThatReadsAFileTakesSettings) {
  for (const std::string& command : commands()) {
    const std::string prefix = contains(command, scenario_) ? "model." : "";
    EXPECT_EQ(run(command + " --set " + prefix + "links.boom.tip.mass=5 --set " + prefix +
                  "links[0].beam.length=2.5")
                  .code,
              0)
        << command;
    const Outcome wrong = run(command + " --set " + prefix + "links.bom.tip.mass=5", true);
    EXPECT_EQ(wrong.code, 2) << command;
    EXPECT_TRUE(contains(wrong.output,
                         "arm.yaml:3:1: links: expected an element by its index or by its name, found `bom` "
                         "(did you mean `boom`?"))
        << wrong.output;
  }
}

TEST_F(Everywhere, SettingsChangeWhatIsComputed) {
  const double mass = json("info " + model_)["mass"],
               heavier = json("info " + model_ + " --set links.boom.tip.mass=15")["mass"];
  EXPECT_NEAR(heavier - mass, 5.0, 1e-12);
  const Json longer =
      json("simulate " + scenario_ + " --set duration=0.4 --set model.gravity=[0,0,0] -o " + result("b.h5"));
  EXPECT_NEAR(longer["end"].get<double>(), 0.4, 1e-12);
  EXPECT_EQ(longer["energy"]["gravity"].get<double>(), 0.0);
  // the page is made of what was run
  EXPECT_EQ(run("report " + result("b.h5") + " -o " + result("b.html")).code, 0);
  // and going on needs the same settings
  EXPECT_EQ(run("simulate " + scenario_ + " --set duration=0.4 --resume -o " + result("b.h5")).code, 2);
}

TEST_F(Everywhere, EvalTakesDegreesAndGivesInverseDynamics) {
  const Json degrees = json("eval " + model_ + state(R"({"q_deg": {"shoulder": 30}})")),
             radians = json("eval " + model_ + state(R"({"q": {"shoulder": 0.5235987755982988}})"));
  EXPECT_EQ(degrees["gravity"], radians["gravity"]);
  EXPECT_FALSE(radians.contains("inverse_dynamics"));

  const Json moved =
      json("eval " + model_ +
           state(R"({"q_deg": {"shoulder": 30}, "v": [1, 0.2, -0.3], "acceleration": [2, -3, 4]})"));
  // M a + bias + K q, row by row
  for (std::size_t i = 0; i < 3; ++i) {
    const double a[] = {2, -3, 4}, q[] = {30 * M_PI / 180, 0, 0}, v[] = {1, 0.2, -0.3};
    double expected = moved["bias"][i];
    for (std::size_t j = 0; j < 3; ++j)
      expected += moved["mass_matrix"][i][j].get<double>() * a[j] +
                  moved["stiffness"][i][j].get<double>() * q[j] + moved["damping"][i][j].get<double>() * v[j];
    EXPECT_NEAR(moved["inverse_dynamics"][i].get<double>(), expected, 1e-9 * (1 + std::abs(expected)));
  }
}

// With the forces of inverse dynamics as tau, the accelerations are those that were asked for: in every formulation.
TEST_F(Everywhere, InverseDynamicsIsThatOfTheFormulation) {
  for (const char* formulation : {"recursive", "dense", "dual-screw", "dae"}) {
    const std::string motion =
        R"("q": {"shoulder": 0.4, "boom.z1": 0.01}, "v": [1, 0.2, -0.3], "loads": [{"link": "boom", "force": [1, 2, 3]}])";
    const Json there = json("eval " + model_ + " --formulation " + formulation +
                            state("{" + motion + R"(, "acceleration": [2, -3, 4]})"));
    const Json back = json("eval " + model_ + " --formulation " + formulation +
                           state("{" + motion + R"(, "tau": )" + there["inverse_dynamics"].dump() + "}"));
    for (std::size_t i = 0; i < 3; ++i)
      EXPECT_NEAR(back["acceleration"][i].get<double>(), (std::array{2.0, -3.0, 4.0})[i], 1e-8)
          << formulation;
  }
}

TEST_F(Everywhere, EvalGivesDerivatives) {
  EXPECT_FALSE(json("eval " + model_).contains("derivatives"));
  for (const char* formulation : {"recursive", "dual-screw"}) {
    const auto evaluate = [&](double q, double v, double tau) {
      return json("eval " + model_ + " --derivatives --formulation " + formulation +
                  state("{\"q\": {\"shoulder\": " + std::to_string(q) +
                        ", \"boom.z1\": 0.01}, \"v\": {\"boom.z1\": " + std::to_string(v) +
                        "}, \"tau\": {\"shoulder\": " + std::to_string(tau) + "}}"));
    };
    const Json d = evaluate(0.3, 0.1, 2.0)["derivatives"];
    for (const char* key :
         {"dacceleration_dq", "dacceleration_dv", "dacceleration_dtau", "dforce_dq", "dforce_dv"})
      EXPECT_EQ(d.at(key).size(), 3u) << key;
    const double h = 1e-4;
    const auto column = [&](const Json& high, const Json& low, std::size_t row) {
      return (high["acceleration"][row].get<double>() - low["acceleration"][row].get<double>()) / (2 * h);
    };
    const Json q_high = evaluate(0.3 + h, 0.1, 2.0), q_low = evaluate(0.3 - h, 0.1, 2.0),
               v_high = evaluate(0.3, 0.1 + h, 2.0), v_low = evaluate(0.3, 0.1 - h, 2.0),
               t_high = evaluate(0.3, 0.1, 2.0 + h), t_low = evaluate(0.3, 0.1, 2.0 - h);
    for (std::size_t i = 0; i < 3; ++i) {
      const auto near = [&](const char* key, std::size_t j, double expected) {
        EXPECT_NEAR(d[key][i][j].get<double>(), expected, 1e-5 * (1 + std::abs(expected)))
            << formulation << " " << key << i;
      };
      near("dacceleration_dq", 0, column(q_high, q_low, i));
      near("dacceleration_dv", 1, column(v_high, v_low, i));
      near("dacceleration_dtau", 0, column(t_high, t_low, i));
    }
  }
}

TEST_F(Everywhere, StaticsSagsOnSpringsAndKnowsLimits) {
  const std::string sprung = " --set links.boom.joint.stiffness=2e4";
  const Json passive = json("statics " + model_ + sprung),
             held = json("statics " + model_ + sprung + state(R"({"hold": ["shoulder"]})")),
             rigid = json("statics " + model_);
  EXPECT_NEAR(held["end_effector"]["position"][2].get<double>() -
                  passive["end_effector"]["position"][2].get<double>(),
              0.026, 2e-4);
  EXPECT_EQ(held["end_effector"], rigid["end_effector"]);
  EXPECT_EQ(warnings_of(passive), "");
  EXPECT_TRUE(contains(warnings_of(rigid), "`shoulder` takes -260")) << warnings_of(rigid);
  EXPECT_TRUE(contains(warnings_of(rigid), "its limit `effort` is 50 N m")) << warnings_of(rigid);
  const Json turned = json("statics " + model_ + state(R"({"q": {"shoulder": 27.8}})"));
  EXPECT_TRUE(contains(
      warnings_of(turned),
      "`shoulder` is at 27.8 rad: its limit `upper` is 1 rad. Were degrees meant? 27.8 deg are 0.4852 rad"))
      << warnings_of(turned);
}

TEST_F(Everywhere, ModesSwingOnSpringsUnlessLocked) {
  const std::string sprung = " --count 1 --set links.boom.joint.stiffness=2e4";
  const auto first = [&](const std::string& arguments) {
    return json("modes " + model_ + arguments)["frequencies_hz"][0].get<double>();
  };
  EXPECT_NEAR(first(sprung), 3.03, 0.01);
  EXPECT_NEAR(first(sprung + " --joints held"), 3.03, 0.01);
  EXPECT_NEAR(first(sprung + " --joints locked"), 8.955, 0.02);
  EXPECT_NEAR(first(sprung + state(R"({"hold": "all"})")), 8.955, 0.02);
  EXPECT_EQ(first(" --count 1"), first(" --count 1 --joints locked"));
  EXPECT_EQ(json("modes " + model_ + sprung + " --joints locked --settle")["q"][0], 0.0);
  EXPECT_NEAR(json("modes " + model_ + sprung + " --settle")["q"][0].get<double>(), 0.013, 1e-4);
}

TEST_F(Everywhere, RunsCarryTheirWarningsToTheResultAndThePage) {
  const std::string command = "simulate " + scenario_ + " -o " + result("run.h5");
  const Json document = json(command);
  EXPECT_TRUE(contains(warnings_of(document),
                       "`shoulder` would need 1000 N m at t = 0 s: its limit `effort` is 50 N m"))
      << warnings_of(document);
  const Json page = json("report " + result("run.h5") + " -o " + result("run.html"));
  EXPECT_TRUE(contains(warnings_of(page), "`shoulder` would need 1000 N m")) << warnings_of(page);
  std::ifstream file(result("run.html"));
  const std::string html((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  EXPECT_TRUE(contains(html, "would need 1000 N m"));
  EXPECT_TRUE(contains(run("simulate " + scenario_ + " --force -o " + result("run.h5"), true).output,
                       "warning: `shoulder` would need 1000 N m"));
  EXPECT_TRUE(contains(warnings_of(json("check " + scenario_)), "would need 1000 N m"));
}

TEST_F(Everywhere, ALedgerThatIsOffIsAWarning) {
  const Json document =
      json("simulate " + scenario_ +
           " --set 'integrator={method: euler, step: 1e-5}' --set 'initial={q: {boom.z1: 0.02}}' -o " +
           result("euler.h5"));
  EXPECT_TRUE(contains(warnings_of(document), "the energy ledger is off by")) << warnings_of(document);
}

TEST_F(Everywhere, OutputsArePointsAndRatesToo) {
  for (const char* command : {"linearize", "zeros"}) {
    const Json linear = json(std::string(command) + " " + model_ + " --outputs boom@0.5.z");
    EXPECT_EQ(linear["outputs"][0], "boom@0.5.z") << command;
  }
  const Json rate = json("linearize " + model_ + " --outputs shoulder.rate,boom@1.z,end_effector.z");
  EXPECT_EQ(rate["C"][1], rate["C"][2]);
  EXPECT_EQ(rate["C"][0], (Json{0, 0, 0, 1, 0, 0}));
  EXPECT_EQ(json("zeros " + model_ + " --outputs shoulder.rate")["outputs"][0], "shoulder.rate");
}

// ---- messages ----

TEST_F(Everywhere, NoArgumentsShowWhatThereIs) {
  const Outcome outcome = run("", true);
  EXPECT_EQ(outcome.code, 2);
  for (const char* word : {"Usage", "simulate", "check", "To begin with"})
    EXPECT_TRUE(contains(outcome.output, word)) << word;
}

TEST_F(Everywhere, AUrdfIsAModel) {
  const std::string urdf = std::string(LIMBER_TESTS_DIR) + "/io/urdf/arm.urdf";
  for (const char* command :
       {"check ", "info ", "eval ", "modes --joints free ", "linearize ", "derive --only 'M[4,4]' "})
    EXPECT_EQ(run(command + urdf, true).code, 0) << command << run(command + urdf, true).output;
  const std::string yaml = (folder_.path() / "imported.yaml").string();
  EXPECT_EQ(run("import " + urdf + " -o " + yaml).code, 0);
  EXPECT_EQ(json("info " + yaml)["coordinates"], json("info " + urdf)["coordinates"]);
  EXPECT_EQ(run("import " + urdf + " -o " + yaml, true).code, 2);  // it is there already
  EXPECT_EQ(run("import " + urdf + " -o " + urdf + " --force", true).code, 2);
  EXPECT_EQ(json("import --base free " + urdf)["links"].size(), 6u);
  const auto twin = json("export --format mjcf --pieces 3 " + model("ur10/ur10.yaml"));
  EXPECT_TRUE(contains(twin["text"], "<joint name=\"upper_arm_link_y_3\" type=\"hinge\"")) << twin["text"];
}

TEST_F(Everywhere, XmlIsSeenBehindCommentsAndCommentsAloneAreAnEmptyFile) {
  const auto output = [&](const std::string& text) {
    return run("info " + folder_.write("commented.yaml", text).string(), true).output;
  };
  EXPECT_TRUE(contains(output("# a robot\n\n  # of two\n  <robot/>\n"),
                       "commented.yaml:4:3: expected a file in YAML"));
  EXPECT_TRUE(contains(output("# <robot/>\n#\n"),
                       "commented.yaml:1:1: expected keys and values, found an empty file"));
}

TEST_F(Everywhere, CheckNamesMotorsThatAreTooWeakForTheArm) {
  const std::string warnings = warnings_of(json("check " + model_));
  EXPECT_TRUE(contains(warnings, "`shoulder` takes -260")) << warnings;
  EXPECT_TRUE(contains(warnings, "its limit `effort` is 50 N m (to be held at q = 0)")) << warnings;
}

TEST_F(Everywhere, NumbersThatNoArmHasAreDoubted) {
  const auto check = [&](const std::string& set) {
    return warnings_of(json("check " + model_ + " --set '" + set + "'"));
  };
  EXPECT_TRUE(contains(check("gravity=[0, 0, 9.81]"), "gravity [0, 0, 9.81] pulls upwards"))
      << check("gravity=[0, 0, 9.81]");
  EXPECT_TRUE(contains(check("gravity=[0, 0, -9810]"), "it is in m/s^2"));
  EXPECT_TRUE(contains(check("links.boom.beam.length=5000"),
                       "boom: the beam is 5000 m long: lengths are in metres (5000 mm would be 5 m)"));
  EXPECT_TRUE(contains(check("links.boom.beam.damping={ratio: 1}"), "a damping ratio of 1 is 100 %"));
  EXPECT_EQ(check("links.boom.joint.limits.effort=500"), "");
}

}  // namespace
