// SPDX-License-Identifier: BSD-3-Clause
// The limber program as a user meets it: what it prints, and with which exit code.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "apps/run_program.hpp"

namespace {

using namespace limber::test;

TEST(Info, GivesTheClampedMassFrequenciesOfDeLucaAndSiciliano) {
  const Outcome outcome = run("info --json " + model("de_luca_siciliano/de_luca_siciliano.yaml"));
  ASSERT_EQ(outcome.code, 0);
  const auto info = nlohmann::json::parse(outcome.output);
  const auto first = info["links"][0]["frequencies_hz"]["y"],
             second = info["links"][1]["frequencies_hz"]["y"];
  EXPECT_NEAR(first[0].get<double>(), 0.48, 0.005);
  EXPECT_NEAR(first[1].get<double>(), 1.80, 0.005);
  EXPECT_NEAR(second[0].get<double>(), 2.18, 0.005);
  EXPECT_NEAR(second[1].get<double>(), 15.91, 0.005);
}

TEST(Info, HasTheKeysOfTheContract) {
  const auto info = nlohmann::json::parse(run("info --json " + model("canadarm/canadarm.yaml")).output);
  for (const char* key : {"name", "nq", "nv", "coordinates", "mass", "links"})
    EXPECT_TRUE(info.contains(key)) << key;
  EXPECT_EQ(info["nv"], 9);
  EXPECT_EQ(info["coordinates"][1], "link1.y1");
  EXPECT_NEAR(info["mass"].get<double>(), 320.0, 1e-9);
}

TEST(Info, PrintsNoColoursIntoAPipe) {
  const Outcome outcome = run("info " + model("crane/crane.yaml"), true);
  EXPECT_EQ(outcome.code, 0);
  EXPECT_FALSE(contains(outcome.output, "\033"));
  EXPECT_TRUE(contains(outcome.output, "kg"));
}

TEST(Check, AcceptsAValidModel) {
  const Outcome outcome = run("check " + model("crane/crane.yaml"));
  EXPECT_EQ(outcome.code, 0);
  EXPECT_TRUE(contains(outcome.output, "valid model: crane, 4 links, 16 coordinates"));
}

TEST(Check, DoubtsNumbersThatWereMeantInOtherUnits) {
  const std::string file = testing::TempDir() + "/limber_units.yaml";
  const auto check = [&](const std::string& diameter, const std::string& E, const std::string& density) {
    std::ofstream(file)
        << "limber: 1\nlinks:\n  - name: boom\n    beam:\n      length: 6\n      section: {shape: tube, "
           "outer_diameter: "
        << diameter << ", thickness: 0.004, material: {E: " << E << ", nu: 0.3, density: " << density
        << "}}\n      modes: {y: {count: 2}}\n";
    const Outcome outcome = run("check " + file, true);
    EXPECT_EQ(outcome.code, 0) << outcome.output;
    return outcome.output;
  };
  EXPECT_FALSE(contains(check("0.3", "70e9", "2700"), "warning"));
  EXPECT_TRUE(contains(check("300", "70e9", "2700"), "boom: the section is 300 m across, the beam 6 m long"));
  EXPECT_TRUE(contains(check("0.3", "70", "2700"), "boom: E is 70 Pa"));
  EXPECT_TRUE(contains(check("0.3", "70e9", "2.7"), "boom: the density is 2.7 kg/m^3"));
}

TEST(Check, ShowsEveryMistakeWithItsPlaceAndExitsWith2) {
  const std::string file = testing::TempDir() + "/limber_mistakes.yaml";
  std::ofstream(file)
      << "limber: 1\nname: arm\nlinks:\n  - name: boom\n    joint: {type: revolut}\n    beam:\n"
         "      length: -6\n      section: {EI_z: 1, mass_per_length: 2}\n";
  const Outcome outcome = run("check " + file, true);
  EXPECT_EQ(outcome.code, 2);
  EXPECT_TRUE(
      contains(outcome.output, file + ":7:15: links[0].beam.length: expected a number > 0 [m], found -6"))
      << outcome.output;
  EXPECT_TRUE(contains(outcome.output, ":5:19: links[0].joint.type: expected")) << outcome.output;
  EXPECT_TRUE(contains(outcome.output, "      length: -6\n")) << outcome.output;

  const Outcome as_json = run("check --json --quiet " + file, true);
  EXPECT_EQ(as_json.code, 2);
  const auto errors = nlohmann::json::parse(as_json.output)["errors"];
  ASSERT_EQ(errors.size(), 2u);
  EXPECT_EQ(errors[0]["line"], 5);
  EXPECT_EQ(errors[1]["path"], "links[0].beam.length");
}

TEST(Check, SaysWhichFileIsMissing) {
  const Outcome outcome = run("check no_such_arm.yaml", true);
  EXPECT_EQ(outcome.code, 2);
  EXPECT_TRUE(contains(outcome.output, "no_such_arm.yaml")) << outcome.output;
}

TEST(Program, KnowsItsVersionAndHelp) {
  EXPECT_EQ(run("--version").output, std::string("limber ") + LIMBER_VERSION + "\n");
  for (const char* command :
       {"", "check", "info", "eval", "modes", "linearize", "report", "plot", "schema", "completion"}) {
    const Outcome outcome = run(std::string(command) + " --help");
    EXPECT_EQ(outcome.code, 0) << command;
    EXPECT_TRUE(contains(outcome.output, "Usage")) << command;
  }
}

TEST(Program, RefusesWhatItDoesNotKnowWithCode2) {
  EXPECT_EQ(run("").code, 2);
  EXPECT_EQ(run("bend").code, 2);
  EXPECT_EQ(run("info").code, 2);
  EXPECT_EQ(run("info --colour " + model("crane/crane.yaml")).code, 2);
  EXPECT_EQ(run("bend", true).output,
            "error: expected a command (check, info, eval, modes, statics, linearize, zeros, jacobian, "
            "derive, count, "
            "import, export, reduce, simulate, sweep, plan, sensitivity, identify, estimate, compare, "
            "report, plot, schema, completion, man, help), found `bend`\n");
}

TEST(Program, SaysWhenItsOutputIsLost) {
  const Outcome outcome = run("info " + model("crane/crane.yaml") + " >/dev/full", true);
  EXPECT_EQ(outcome.code, 1);
}

TEST(Eval, GivesTheCanadarmsAccelerations) {
  const std::string state = testing::TempDir() + "/limber_torques.json";
  std::ofstream(state) << R"({"tau": {"joint1": 100, "joint2": 50, "joint3": 10}})";
  for (const char* formulation : {"recursive", "dense", "dual-screw", "dae"}) {
    const Outcome outcome = run("eval --json --formulation " + std::string(formulation) + " --state " +
                                state + " " + model("canadarm/canadarm.yaml"));
    ASSERT_EQ(outcome.code, 0);
    const auto result = nlohmann::json::parse(outcome.output);
    for (const char* key :
         {"coordinates", "mass_matrix", "bias", "gravity", "coriolis", "coriolis_matrix", "stiffness",
          "damping", "acceleration", "energy", "end_effector", "jacobian", "wrenches"})
      EXPECT_TRUE(result.contains(key)) << key;
    // Mohan & Saha's Canadarm, straight, at rest.
    EXPECT_NEAR(result["acceleration"][0].get<double>(), 9.111783297, 1e-8);
    EXPECT_NEAR(result["acceleration"][3].get<double>(), 8.455795332, 1e-8);
    EXPECT_NEAR(result["acceleration"][6].get<double>(), 27.99988078, 1e-7);
    EXPECT_NEAR(result["wrenches"]["joint2"]["moment"][2].get<double>(), 50.0, 1e-9);
  }
}

TEST(Eval, GivesWrenchesAsThePaperCountsThemToo) {
  const auto result =
      nlohmann::json::parse(run("eval --json --formulation dae " + model("ella/ella.yaml")).output);
  // The opposite of ours at the base, where frames coincide; the motor's part is not in it.
  EXPECT_NEAR(result["interaction_wrenches"]["shoulder"]["force"][1].get<double>(),
              -result["wrenches"]["shoulder"]["force"][1].get<double>(), 1e-9);
  EXPECT_EQ(result["interaction_wrenches"]["shoulder"]["moment"][2].get<double>(), 0.0);
  EXPECT_EQ(result["interaction_wrenches"].size(), 2u);
}

TEST(Eval, PutsBodyFramesOnTheBeams) {
  const std::string dae = "eval --json --formulation dae --only acceleration,interaction_wrenches ";
  const auto at_root = nlohmann::json::parse(run(dae + model("ella/ella.yaml")).output);
  const auto inside = nlohmann::json::parse(run(dae + "--body-frame 0.37 " + model("ella/ella.yaml")).output);
  for (std::size_t i = 0; i < at_root["acceleration"].size(); ++i)
    EXPECT_NEAR(inside["acceleration"][i].get<double>(), at_root["acceleration"][i].get<double>(),
                1e-7 * (1.0 + std::abs(at_root["acceleration"][i].get<double>())));
  // The arm is straight: the same force, 0.37 of 0.95 m nearer.
  const auto component = [](const auto& result, const char* what, int axis) {
    return result["interaction_wrenches"]["elbow"][what][static_cast<std::size_t>(axis)]
        .template get<double>();
  };
  const double force = component(at_root, "force", 1);
  EXPECT_NEAR(component(inside, "force", 1), force, 1e-8 * std::abs(force));
  EXPECT_NEAR(component(inside, "moment", 2), component(at_root, "moment", 2) - 0.37 * 0.95 * force,
              1e-8 * std::abs(force));
  EXPECT_EQ(run("eval --body-frame 0.37 " + model("ella/ella.yaml")).code, 2);
}

TEST(Check, SaysWhetherTheStackedEquationsAreWellPosed) {
  const auto report =
      nlohmann::json::parse(run("check --dae --json --step 0.001 " + model("ella/ella.yaml")).output);
  EXPECT_TRUE(report["well_posed"].get<bool>());
  EXPECT_EQ(report["constraints"].get<int>(), 9);
  EXPECT_EQ(report["constraint_rank"].get<int>(), 9);
  EXPECT_EQ(report["longest_step"]["euler"].get<double>(), 0.0);
  EXPECT_NEAR(report["eigenvalue_times_step"].get<double>() * 0.5,
              1e-3 / report["longest_step"]["central_differences"].get<double>(), 1e-9);
  EXPECT_EQ(run("check --step 0.001 " + model("ella/ella.yaml"), true).code, 2);
  EXPECT_EQ(run("check --dae --state nowhere.json " + model("ella/reach_dae.yaml"), true).code, 2);
}

TEST(Eval, GivesTheCranesStateA) {
  const std::string state = testing::TempDir() + "/limber_state_a.json";
  std::ofstream(state) << R"({"q": {"joint2": 0.5235987755982988, "joint3": 2.0943951023931953,
                                    "joint4": 0.5235987755982988}})";
  const auto result =
      nlohmann::json::parse(run("eval --json --state " + state + " " + model("crane/crane.yaml")).output);
  double trace = 0.0;
  for (std::size_t i = 0; i < result["mass_matrix"].size(); ++i)
    trace += result["mass_matrix"][i][i].get<double>();
  EXPECT_NEAR(result["mass_matrix"][0][0].get<double>(), 2012.44418, 1e-5);
  EXPECT_NEAR(result["mass_matrix"][1][1].get<double>(), 3018.02719, 1e-5);
  EXPECT_NEAR(trace, 11027.58999706, 1e-7);
  EXPECT_NEAR(result["gravity"][1].get<double>(), -6883.095757, 1e-6);
  EXPECT_NEAR(result["acceleration"][1].get<double>(), 13.61177707, 1e-8);
  EXPECT_NEAR(result["acceleration"][8].get<double>(), 22.98874317, 1e-8);
  EXPECT_NEAR(result["acceleration"][15].get<double>(), -4.281884183, 1e-8);
}

TEST(Eval, ShowsMistakesInTheStateWithTheirPlace) {
  const std::string state = testing::TempDir() + "/limber_bad_state.json";
  std::ofstream(state)
      << "{\"q\": {\"join1\": 1},\n \"v\": [1, 2],\n \"loads\": [{\"link\": \"link9\", \"at\": 2}]}";
  const Outcome outcome = run("eval --state " + state + " " + model("canadarm/canadarm.yaml"), true);
  EXPECT_EQ(outcome.code, 2);
  EXPECT_TRUE(contains(outcome.output,
                       ":1:8: q.join1: expected the name of a coordinate, found `join1` (did you mean "
                       "`joint1`?)"))
      << outcome.output;
  EXPECT_TRUE(contains(outcome.output, ":2:7: v: expected a list of 9 numbers")) << outcome.output;
  EXPECT_TRUE(contains(outcome.output, "loads[0].link: expected the name of a link")) << outcome.output;
  EXPECT_EQ(run("eval --formulation newton " + model("canadarm/canadarm.yaml")).code, 2);
  EXPECT_EQ(run("eval --consistent " + model("crane/crane.yaml")).code, 2);
  EXPECT_EQ(run("eval --formulation dual-screw --nonlinear link1 " + model("crane/crane.yaml")).code, 2);
  EXPECT_EQ(
      run("eval --formulation dual-screw --consistent --nonlinear link2,link3 " + model("crane/crane.yaml"))
          .code,
      0);
}

TEST(Modes, GivesEllasLockedFrequencies) {
  const auto modes =
      nlohmann::json::parse(run("modes --json --count 4 " + model("ella/ella_converged.yaml")).output);
  const double expected[] = {2.758925, 3.629987, 15.489534, 20.379966};
  for (std::size_t i = 0; i < 4; ++i)
    EXPECT_NEAR(modes["frequencies_hz"][i].get<double>(), expected[i], 2e-6);
  double sum = 0.0;
  for (const auto& [name, share] : modes["participation"][0].items()) sum += share.get<double>();
  EXPECT_NEAR(sum, 1.0, 1e-12);
  EXPECT_LT(modes["basis_error"].get<double>(), 1e-6);
}

TEST(Modes, GivesTheFrequenciesOfARotatingCantilever) {
  const std::string file = model("rotating_cantilever/rotating_cantilever.yaml");
  const auto modes = nlohmann::json::parse(run("modes --json --spin rotor=6 " + file).output);
  EXPECT_NEAR(modes["frequencies_rad_s"][1].get<double>(), 7.3604, 5e-5);
  EXPECT_TRUE(modes.contains("shapes_in_quadrature"));
  const Outcome wrong = run("modes --spin motor=6 " + file, true);
  EXPECT_EQ(wrong.code, 2);
  EXPECT_TRUE(contains(wrong.output, "the joints of this arm are rotor")) << wrong.output;
  EXPECT_EQ(run("modes --spin rotor=fast " + file).code, 2);
  EXPECT_EQ(run("modes --spin rotor " + file).code, 2);
}

TEST(Modes, SettleFirstWhenAskedTo) {
  const std::string file = model("piedboeuf/piedboeuf.yaml"),
                    state = " --state " + model("piedboeuf/force5.json");
  const auto straight = nlohmann::json::parse(run("modes --json " + file + state).output);
  const auto settled = nlohmann::json::parse(run("modes --json --settle " + file + state).output);
  EXPECT_EQ(straight["q"][1].get<double>(), 0.0);
  EXPECT_NE(settled["q"][1].get<double>(), 0.0);
  EXPECT_NE(settled["frequencies_hz"][0], straight["frequencies_hz"][0]);
}

TEST(Modes, WarnAboutSpinWithoutStiffening) {
  const Outcome outcome = run("modes --spin hub=6 " + model("spin_up_beam/spin_up_beam_first.yaml"), true);
  EXPECT_EQ(outcome.code, 0);
  EXPECT_TRUE(contains(outcome.output, "take kinematics: second")) << outcome.output;
}

TEST(Statics, GivesPiedboeufsNumbersAndTheContractsKeys) {
  const std::string arguments = model("piedboeuf/piedboeuf.yaml") + " --state " +
                                model("piedboeuf/force5.json") + " --gauge link@0.0191";
  const auto linear = nlohmann::json::parse(run("statics --json --linear " + arguments).output);
  EXPECT_NEAR(linear["joint_efforts"]["motor"].get<double>(), 3.889573609106, 1e-11);
  EXPECT_NEAR(linear["links"][0]["tip_deflection"][1].get<double>(), -0.060487016278, 1e-12);
  EXPECT_EQ(linear["links"][0]["curvature"].size(), 21u);
  EXPECT_EQ(linear["links"][0]["curvature"][0].size(), 4u);
  EXPECT_EQ(linear["gauges"][0]["x"], 0.0191);
  const auto full = nlohmann::json::parse(run("statics --json " + arguments).output);
  EXPECT_NEAR(full["links"][0]["tip_deflection"][1].get<double>(), -0.060050330235, 3e-4) << "the elastica's";
  for (const char* key : {"q", "joint_efforts", "end_effector", "links"})
    EXPECT_TRUE(full.contains(key)) << key;
  const Outcome text = run("statics " + arguments);
  EXPECT_TRUE(contains(text.output, "link@0.0191"));
}

TEST(Statics, ReachesAPlace) {
  const Outcome outcome = run("statics --json --reach 9 4 0 -- " + model("canadarm/canadarm.yaml"));
  ASSERT_EQ(outcome.code, 0);
  const auto found = nlohmann::json::parse(outcome.output);
  EXPECT_NEAR(found["end_effector"]["position"][0].get<double>(), 9.0, 1e-7);
  EXPECT_NEAR(found["end_effector"]["position"][1].get<double>(), 4.0, 1e-7);
  const Outcome far = run("statics --reach 40 0 0 -- " + model("canadarm/canadarm.yaml"), true);
  EXPECT_EQ(far.code, 1);
  EXPECT_TRUE(contains(far.output, "cannot reach")) << far.output;
}

TEST(Statics, ShowsMistakesAndTheLimitsOfTheModel) {
  const std::string file = model("piedboeuf/piedboeuf.yaml");
  EXPECT_EQ(run("statics --gauge link@9 " + file).code, 2);
  EXPECT_EQ(run("statics --gauge boom@0.1 " + file).code, 2);
  EXPECT_EQ(run("statics --reach 1 2 3 4 -- " + file).code, 2);
  const Outcome bent = run("statics --state " + model("princeton_beam/load30.json") + " " +
                               model("princeton_beam/princeton_beam.yaml"),
                           true);
  EXPECT_EQ(bent.code, 0);
  EXPECT_TRUE(contains(bent.output, "only an approximation")) << bent.output;
}

TEST(Linearize, GivesNamedMatricesAndTheContractsKeys) {
  const Outcome outcome =
      run("linearize --json --settle --outputs elbow,end_effector.y --outputs end_effector.ay -- " +
          model("ella/ella.yaml"));
  ASSERT_EQ(outcome.code, 0);
  const auto linear = nlohmann::json::parse(outcome.output);
  for (const char* key : {"states", "inputs", "outputs", "A", "B", "C", "D", "poles", "equilibrium"})
    EXPECT_TRUE(linear.contains(key)) << key;
  EXPECT_EQ(linear["outputs"], (std::vector<std::string>{"elbow", "end_effector.y", "end_effector.ay"}));
  EXPECT_EQ(linear["inputs"], (std::vector<std::string>{"shoulder.1", "shoulder.2", "elbow"}));
  const std::size_t n = linear["states"].size();
  EXPECT_EQ(linear["states"][n - 1], "link2.z4.rate");
  EXPECT_EQ(linear["A"].size(), n);
  EXPECT_EQ(linear["A"][0].size(), n);
  EXPECT_EQ(linear["B"].size(), n);
  EXPECT_EQ(linear["C"].size(), 3u);
  EXPECT_EQ(linear["D"][2].size(), 3u);
  EXPECT_EQ(linear["poles"].size(), n);
  EXPECT_LT(linear["equilibrium"]["residual"].get<double>(), 1e-8);
  // what holds the arm is what statics says
  const auto statics = nlohmann::json::parse(run("statics --json " + model("ella/ella.yaml")).output);
  EXPECT_EQ(linear["equilibrium"]["efforts"], statics["joint_efforts"]);
}

TEST(Linearize, WarnsWhereTheStateIsNoEquilibrium) {
  const Outcome fallen = run("linearize " + model("piedboeuf/piedboeuf.yaml"), true);
  EXPECT_EQ(fallen.code, 0);
  EXPECT_TRUE(contains(fallen.output, "no equilibrium")) << fallen.output;
  const Outcome settled = run("linearize --settle " + model("piedboeuf/piedboeuf.yaml"), true);
  EXPECT_FALSE(contains(settled.output, "warning")) << settled.output;
  const Outcome floating = run("linearize " + model("canadarm/canadarm.yaml"), true);
  EXPECT_FALSE(contains(floating.output, "warning")) << floating.output;
  EXPECT_TRUE(contains(floating.output, "drifts"));
  const std::string state = testing::TempDir() + "/limber_moving.json";
  std::ofstream(state) << R"({"v": {"joint1": 0.1}})";
  const Outcome moving =
      run("linearize --settle --state " + state + " " + model("canadarm/canadarm.yaml"), true);
  EXPECT_TRUE(contains(moving.output, "the arm moves")) << moving.output;
}

TEST(Linearize, WritesAFrequencyResponseOnce) {
  const std::string file = testing::TempDir() + "/limber_response.csv";
  std::remove(file.c_str());
  const std::string command = "linearize --outputs joint,end_effector.y --frequency-response " + file +
                              " --from 1 --to 100 --points 3 " +
                              model("lin_lewis_one_link/lin_lewis_one_link.yaml");
  ASSERT_EQ(run(command).code, 0);
  std::ifstream csv(file);
  std::string line;
  std::getline(csv, line);
  EXPECT_EQ(line,
            "frequency_hz,|joint/joint|,phase(joint/joint)_deg,|end_effector.y/joint|,"
            "phase(end_effector.y/joint)_deg");
  std::vector<double> frequencies;
  while (std::getline(csv, line)) frequencies.push_back(std::stod(line));
  ASSERT_EQ(frequencies.size(), 3u);
  EXPECT_NEAR(frequencies[1], 10.0, 1e-12);
  EXPECT_NEAR(frequencies[2], 100.0, 1e-12);
  const Outcome again = run(command, true);
  EXPECT_EQ(again.code, 2);
  EXPECT_TRUE(contains(again.output, "--force")) << again.output;
  EXPECT_EQ(run(command + " --force").code, 0);
}

TEST(Linearize, ShowsMistakes) {
  const std::string file = model("ella/ella.yaml"), csv = testing::TempDir() + "/limber_never.csv";
  std::remove(csv.c_str());
  const Outcome unknown = run("linearize --outputs end_efector.y " + file, true);
  EXPECT_EQ(unknown.code, 2);
  EXPECT_TRUE(contains(unknown.output, "did you mean `end_effector.y`?")) << unknown.output;
  EXPECT_EQ(run("linearize --from 2 " + file).code, 2);
  for (const char* range :
       {"--from 5 --to 2", "--from 0", "--from -1", "--points 1", "--to inf", "--from nan"})
    EXPECT_EQ(run("linearize --frequency-response " + csv + " " + range + " " + file).code, 2) << range;
  EXPECT_EQ(run("linearize --frequency-response /no/such/folder/a.csv " + file).code, 2);
  EXPECT_FALSE(std::ifstream(csv).good());
  const Outcome fixed = run("linearize " + model("princeton_beam/princeton_beam.yaml"), true);
  EXPECT_EQ(fixed.code, 2);
  EXPECT_TRUE(contains(fixed.output, "a joint that moves")) << fixed.output;
}

TEST(Simulate, GivesTheContractsKeysAndTheCanadarmsPeaks) {
  const std::string file = testing::TempDir() + "/limber_simulate.h5";
  const Outcome outcome =
      run("simulate " + model("canadarm/manoeuvre.yaml") + " -o " + file + " --force --json");
  ASSERT_EQ(outcome.code, 0);
  const auto summary = nlohmann::json::parse(outcome.output);
  for (const char* key : {"steps", "rhs_evaluations", "wall_s", "real_time_factor", "energy", "final"})
    EXPECT_TRUE(summary.contains(key)) << key;
  for (const char* key : {"work", "kinetic", "gravity", "strain", "dissipated", "error"})
    EXPECT_TRUE(summary["energy"].contains(key)) << key;
  EXPECT_EQ(summary["final"]["q"].size(), 9u);
  EXPECT_EQ(summary["final"]["v"].size(), 9u);
  EXPECT_NEAR(summary["peaks"]["deviation"]["joint2"]["value"].get<double>(), 0.03496, 0.5e-5);
  EXPECT_NEAR(summary["peaks"]["tip_deflection"]["link1"]["value"].get<double>(), 0.15281, 0.5e-5);
  // The ledger's sum is its error, or less.
  const auto& e = summary["energy"];
  EXPECT_LE(std::abs(e["kinetic"].get<double>() + e["strain"].get<double>() + e["dissipated"].get<double>() -
                     e["work"].get<double>()),
            1.001 * e["error"].get<double>());
  EXPECT_EQ(run("simulate " + model("canadarm/manoeuvre.yaml") + " -o " + file).code, 2);
}

TEST(Simulate, ExplainsAutoAndPrintsATable) {
  const std::string file = testing::TempDir() + "/limber_simulate_table.h5";
  const Outcome outcome =
      run("simulate " + model("canadarm/manoeuvre.yaml") + " -o " + file + " --force", true);
  EXPECT_EQ(outcome.code, 0);
  for (const char* words : {"integrator variable-radau: stiff", "times as fast as real time",
                            "0.03496 at 3.03 s", "152.8", "energy", "result"})
    EXPECT_TRUE(contains(outcome.output, words)) << outcome.output;
}

TEST(Simulate, SaysNothingOnStandardErrorWhenQuiet) {
  const std::string file = testing::TempDir() + "/limber_simulate_quiet.h5";
  const Outcome outcome =
      run("simulate " + model("canadarm/manoeuvre.yaml") + " -o " + file + " --force --quiet --json", true);
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.output.front(), '{');
}

TEST(Simulate, ShowsMistakesWithTheirPlace) {
  const std::string file = testing::TempDir() + "/limber_bad_scenario.yaml";
  std::ofstream(file) << "limber: 1\nmodel: " << model("canadarm/canadarm.yaml")
                      << "\nactuation:\n  - {joint: jont2, type: torque, signal: {value: 1}}\nduration: 1\n";
  const Outcome outcome = run("simulate " + file, true);
  EXPECT_EQ(outcome.code, 2);
  EXPECT_TRUE(contains(outcome.output, file + ":4:13: actuation[0].joint")) << outcome.output;
  EXPECT_TRUE(contains(outcome.output, "did you mean `joint2`?")) << outcome.output;
  EXPECT_EQ(run("simulate " + model("canadarm/canadarm.yaml")).code, 2);
}

TEST(Compare, FindsTheFormulationsTheSame) {
  const auto comparison =
      nlohmann::json::parse(run("compare --json --quiet " + model("canadarm/manoeuvre.yaml")).output);
  EXPECT_EQ(comparison["reference"], "recursive");
  ASSERT_GE(comparison["formulations"].size(), 2u);
  for (const auto& formulation : comparison["formulations"]) {
    if (formulation["formulation"] == "dual-screw")
      continue;  // another model: tests/simulation/dual_screw.cpp
    EXPECT_LT(formulation["largest_difference"]["q"].get<double>(), 1e-5);
    EXPECT_GT(formulation["wall_s"].get<double>(), 0.0);
  }
}

TEST(Check, TriesScenariosAndWarnsOfWhatLeavesTheRange) {
  const Outcome good = run("check " + model("canadarm/manoeuvre.yaml"), true);
  EXPECT_EQ(good.code, 0);
  EXPECT_TRUE(contains(good.output, "is a valid scenario: 10 s of canadarm")) << good.output;
  EXPECT_FALSE(contains(good.output, "turns at")) << good.output;
  // Spun at three times its first frequency without stiffening.
  const Outcome fast = run("check " + model("spin_up_beam/spin_up_first.yaml"), true);
  EXPECT_EQ(fast.code, 0);
  EXPECT_TRUE(contains(fast.output, "the motion diverges")) << fast.output;
  EXPECT_TRUE(contains(fast.output, "its run does not come to its end")) << fast.output;
  EXPECT_TRUE(contains(fast.output, "the arm's first frequency")) << fast.output;
  EXPECT_TRUE(contains(fast.output, "% of its length")) << fast.output;
  const auto json =
      nlohmann::json::parse(run("check --json " + model("spin_up_beam/spin_up_first.yaml")).output);
  EXPECT_EQ(json["kind"], "scenario");
  EXPECT_EQ(json["fails"], true);
  EXPECT_GE(json["warnings"].size(), 3u);
}

TEST(Options, ThatDoNotExistAreNamedWithWhatWasMeant) {
  const Outcome outcome = run("modes --cuont 3 " + model("ella/ella.yaml"), true);
  EXPECT_EQ(outcome.code, 2);
  EXPECT_TRUE(contains(outcome.output, "error: --cuont: no such option (did you mean `--count`?)\n"))
      << outcome.output;
  EXPECT_TRUE(contains(outcome.output, "`limber modes --help`")) << outcome.output;
  const Outcome more = run("info " + model("ella/ella.yaml") + " now", true);
  EXPECT_EQ(more.code, 2);
  EXPECT_TRUE(contains(more.output, "expected nothing more, found `now`")) << more.output;
}

TEST(Modes, SaysWhatTheJointsDo) {
  EXPECT_TRUE(contains(run("modes --count 1 " + model("ella/ella.yaml")).output, "ella, joints held\n"));
  EXPECT_TRUE(contains(run("modes --count 1 --joints free " + model("ella/ella.yaml")).output,
                       "ella, joints free\n"));
  const Outcome wrong = run("modes --joints loose " + model("ella/ella.yaml"), true);
  EXPECT_EQ(wrong.code, 2);
  EXPECT_TRUE(contains(wrong.output, "--joints: expected held, locked, free or as-modelled, found `loose`"))
      << wrong.output;
}

TEST(Schema, KnowsScenarios) {
  const auto schema = nlohmann::json::parse(run("schema --scenario --json").output);
  EXPECT_TRUE(schema["$defs"].contains("trajectory"));
  EXPECT_TRUE(contains(run("schema --scenario").output, "rigid-inverse-dynamics"));
}

TEST(Completion, IsABashScriptThatKnowsTheCommands) {
  const Outcome outcome = run("completion | bash -n");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_TRUE(contains(run("completion").output, "check info eval modes"));
}

}  // namespace
