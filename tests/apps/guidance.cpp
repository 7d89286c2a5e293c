// SPDX-License-Identifier: BSD-3-Clause
// What the program says to people who ask it, or nearly ask it, and numbers they should not have to work out themselves.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "apps/run_program.hpp"
#include "temporary_folder.hpp"

namespace {

using namespace limber::test;
using limber::TemporaryFolder;
using Json = nlohmann::json;

// ---- help ----

TEST(Help, IsWhatTheOptionSays) {
  EXPECT_EQ(run("help").code, 0);
  EXPECT_EQ(run("help").output, run("--help").output);
  const std::string of_simulate = run("help simulate").output;
  EXPECT_TRUE(contains(of_simulate, "Usage: limber simulate")) << of_simulate;
  // But for the name of the program, which the option takes from the command line.
  const auto from_usage = [](const std::string& text) { return text.substr(text.find(" simulate [")); };
  EXPECT_EQ(from_usage(of_simulate), from_usage(run("simulate --help").output));
  EXPECT_EQ(Json::parse(run("help simulate --json").output)["help"], of_simulate);
}

TEST(Help, SaysWhatWasMeant) {
  for (const std::string command : {"simulat canadarm.yaml", "help simulat", "Simulate"}) {
    const Outcome outcome = run(command, true);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_TRUE(contains(outcome.output, "expected a command (check, info")) << outcome.output;
    EXPECT_TRUE(contains(outcome.output, "(did you mean `simulate`?)")) << outcome.output;
  }
  EXPECT_TRUE(contains(run("modes --joints lockd " + model("ella/ella.yaml"), true).output,
                       "did you mean `locked`?"));
}

/// Names of all options in a text: --json, --force, ...
std::set<std::string> options_in(const std::string& text) {
  std::set<std::string> names;
  const std::regex option("--[a-z][a-z-]*");
  for (std::sregex_iterator it(text.begin(), text.end(), option), end; it != end; ++it)
    names.insert(it->str());
  return names;
}

// roff's hyphens: \- is a minus sign.
std::string without_escapes(std::string text) { return std::regex_replace(text, std::regex(R"(\\-)"), "-"); }

TEST(ManualPage, HoldsWhatHelpSaysOfEveryCommand) {
  const std::string page = without_escapes(run("man").output);
  const std::string general = run("--help").output;
  const std::regex command("\n  ([a-z]+) ");
  std::size_t commands = 0;
  const std::string list = general.substr(general.find("Subcommands:"));
  for (std::sregex_iterator it(list.begin(), list.end(), command), end; it != end; ++it) {
    const std::string name = (*it)[1];
    const std::string begin = "\n.SS " + name + "\n";
    ASSERT_TRUE(contains(page, begin)) << name;
    const std::size_t at = page.find(begin) + begin.size();
    const std::string section = page.substr(at, page.find("\n.SS ", at) - at);
    for (const std::string& option : options_in(run(name + " --help").output))
      EXPECT_TRUE(contains(section, option)) << name << " " << option;
    ++commands;
  }
  EXPECT_GE(commands, 16u);
  EXPECT_TRUE(contains(page, "Exit status")) << "the footer";
}

TEST(ManualPage, IsFineRoff) {
  if (std::system("command -v groff >/dev/null") != 0) GTEST_SKIP() << "no groff";
  const std::string check = std::string(LIMBER_PROGRAM) + " man | groff -man -Tascii -ww -z 2>&1";
  FILE* pipe = popen(check.c_str(), "r");
  std::string complaints;
  for (int c; (c = fgetc(pipe)) != EOF;) complaints += static_cast<char>(c);
  EXPECT_EQ(pclose(pipe), 0);
  EXPECT_EQ(complaints, "");
}

// ---- check of several files ----

TEST(CheckOfSeveralFiles, ChecksAllOfThem) {
  const TemporaryFolder folder;
  const std::string bad =
      folder.write("bad.yaml", "limber: 1\nlinks:\n  - name: boom\n    rigid: {mass: -1}\n").string();
  const std::string good = model("crane/crane.yaml"), other = model("ella/ella.yaml");
  const Outcome all = run("check " + good + " " + other);
  EXPECT_EQ(all.code, 0);
  EXPECT_TRUE(contains(all.output, good + " is a valid model") &&
              contains(all.output, other + " is a valid model"))
      << all.output;
  // What is wrong with one does not keep the next from being checked.
  const Outcome mixed = run("check " + bad + " " + good, true);
  EXPECT_EQ(mixed.code, 2);
  EXPECT_TRUE(contains(mixed.output, "bad.yaml:4:")) << mixed.output;
  EXPECT_TRUE(contains(mixed.output, good + " is a valid model")) << mixed.output;

  const Outcome as_json = run("check --json --quiet " + bad + " " + good + " no_such.yaml");
  EXPECT_EQ(as_json.code, 2);
  const Json found = Json::parse(as_json.output);
  EXPECT_EQ(found["valid"], false);
  ASSERT_EQ(found["files"].size(), 3u);
  EXPECT_EQ(found["files"][0]["errors"][0]["path"], "links[0].rigid.mass");
  EXPECT_EQ(found["files"][1]["valid"], true);
  EXPECT_EQ(found["files"][1]["name"], "crane");
  EXPECT_EQ(found["files"][2]["valid"], false);
  // One file as ever.
  EXPECT_EQ(Json::parse(run("check --json " + good).output)["kind"], "model");
  EXPECT_EQ(run("check --dae " + good + " " + other).code, 2);
}

// ---- statics ----

/// Two weightless beams in line, a mass at the tip: the sag is that of one cantilever of both lengths.
constexpr const char* two_beams = R"(limber: 1
name: two_beams
links:
  - name: boom
    joint: {name: shoulder, axis: [0, 0, 1]}
    beam: {length: 2, section: {EI_y: 4e6, EI_z: 4e6, mass_per_length: 1e-9}, modes: {y: {count: 2}, z: {count: 2}}}
  - name: forearm
    joint: {name: elbow, axis: [0, 0, 1]}
    beam: {length: 1.5, section: {EI_y: 4e6, EI_z: 4e6, mass_per_length: 1e-9}, modes: {y: {count: 2}, z: {count: 2}}}
    tip: {mass: 3}
)";

TEST(Statics, GivesTheWholeSag) {
  const TemporaryFolder folder;
  const std::string file = folder.write("two_beams.yaml", two_beams).string();
  const auto found = Json::parse(run("statics --json " + file).output);
  const double expected = 3.0 * 9.81 * std::pow(3.5, 3) / (3.0 * 4e6);
  EXPECT_NEAR(found["sag"]["displacement"][2].get<double>(), -expected, 1e-6 * expected);
  EXPECT_NEAR(found["sag"]["distance"].get<double>(), expected, 1e-6 * expected);
  const double slope = 3.0 * 9.81 * 3.5 * 3.5 / (2.0 * 4e6);
  EXPECT_NEAR(found["sag"]["rotation"][1].get<double>(), slope, 1e-5 * slope);
  EXPECT_EQ(found["sag"]["rigid_position"][0].get<double>(), 3.5);
  const std::string text = run("statics " + file).output;
  EXPECT_TRUE(contains(text, "sag           [")) << text;
  EXPECT_TRUE(contains(text, "the end effector by 0.1052 mm")) << text;
}

TEST(Statics, MeasuresTheSagOfAReachFromTheJointsItFound) {
  const auto found =
      Json::parse(run("statics --json " + model("ella/ella.yaml") + " --reach 1.2 0.4 0.3").output);
  for (int axis = 0; axis < 3; ++axis)
    EXPECT_NEAR(
        found["sag"]["rigid_position"][axis].get<double>() + found["sag"]["displacement"][axis].get<double>(),
        found["end_effector"]["position"][axis].get<double>(), 1e-12);
  EXPECT_LT(found["sag"]["distance"].get<double>(), 0.1);
  EXPECT_GT(found["sag"]["distance"].get<double>(), 0.0);
}

TEST(Statics, SaysHowManyNumbersAReachTakes) {
  const std::string help = run("statics --help").output;
  EXPECT_TRUE(contains(help, "--reach X Y Z [ROLL PITCH YAW]")) << help;
  const std::string arm = model("ella/ella.yaml");
  for (const char* numbers : {"1", "1 2", "1 2 3 4", "1 2 3 4 5"}) {
    const Outcome outcome = run("statics " + arm + " --reach " + numbers, true);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_TRUE(contains(outcome.output, "--reach: expected 3 numbers (a place) or 6")) << outcome.output;
  }
  for (const char* words : {"1 2 nan", "1 2 3x", "1 2 three"}) {
    const Outcome outcome = run("statics " + arm + " --reach " + words, true);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_TRUE(contains(outcome.output, "--reach: expected 3 numbers")) << outcome.output;
    EXPECT_TRUE(contains(outcome.output, "is no number")) << outcome.output;
  }
  // The model may stand behind it.
  EXPECT_EQ(run("statics --reach 1.2 0.4 0.3 " + arm).code, 0);
}

// ---- modes ----

TEST(Modes, GiveDampingRatiosWhereThereIsDamping) {
  const TemporaryFolder folder;
  std::string text = two_beams;
  EXPECT_FALSE(Json::parse(run("modes --json " + folder.write("plain.yaml", text).string()).output)
                   .contains("damping_ratios"));
  // A spring and a damper on a rigid link: omega^2 = k / J, zeta = d / (2 sqrt(k J)).
  const std::string hinge = folder
                                .write("hinge.yaml", R"(limber: 1
name: hinge
gravity: [0, 0, 0]
links:
  - name: rod
    joint: {name: pivot, axis: [0, 0, 1], stiffness: 50, damping: 0.6}
    rigid: {mass: 2, com: [0.5, 0, 0], inertia: [0.1, 0.1, 0.1, 0, 0, 0], tip: {xyz: [1, 0, 0]}}
)")
                                .string();
  const auto modes = Json::parse(run("modes --joints as-modelled --json " + hinge).output);
  EXPECT_NEAR(modes["damping_ratios"][0].get<double>(), 0.6 / (2.0 * std::sqrt(50.0 * 0.6)), 1e-12);
  const std::string shown = run("modes --joints as-modelled " + hinge).output;
  EXPECT_TRUE(contains(shown, "damping") && contains(shown, "5.477")) << shown;
}

TEST(Modes, ExplainSharesThatAreNotTheWhole) {
  const std::string text = run("modes " + model("canadarm/canadarm.yaml")).output;
  // What is listed and what is called others add up, but for rounding.
  const std::regex share(" (-?[0-9]+) %");
  std::istringstream lines(text);
  int rows = 0;
  for (std::string line; std::getline(lines, line);) {
    if (!std::regex_search(line, std::regex("^ +[0-9]+ .* %"))) continue;
    int sum = 0;
    for (std::sregex_iterator it(line.begin(), line.end(), share), end; it != end; ++it)
      sum += std::stoi((*it)[1]);
    EXPECT_NEAR(sum, 100, 1) << line;
    ++rows;
  }
  EXPECT_EQ(rows, 6);
  EXPECT_TRUE(contains(text, "others ")) << text;
  EXPECT_EQ(contains(text, "All shares of a mode add up to 100 %"), contains(text, " -")) << text;
}

// ---- compare ----

TEST(Compare, NamesAFormulationOnceInWhatItSays) {
  const TemporaryFolder folder;
  // First order in the elastic states is not enough for this: dual-screw gives up, at once or on the way.
  for (const char* deflection : {"0.6", "3"}) {
    const std::string file = folder
                                 .write("soft.yaml", "limber: 1\nmodel: " + model("canadarm/canadarm.yaml") +
                                                         "\ninitial: {q: {link1.y1: " + deflection +
                                                         ", link2.y1: " + deflection + "}}\nduration: 0.3\n")
                                 .string();
    const std::string said = run("compare " + file, true).output;
    const std::size_t at = said.find("warning: dual-screw: ");
    ASSERT_NE(at, std::string::npos) << said;
    const std::string warning = said.substr(at, said.find('\n', at) - at);
    EXPECT_TRUE(contains(warning, "the mass matrix")) << said;
    EXPECT_EQ(warning.find("dual-screw:", 12), std::string::npos) << warning;
  }
}

}  // namespace
