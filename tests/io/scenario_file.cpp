// SPDX-License-Identifier: BSD-3-Clause
// Scenario files: what they mean, and what is said about their mistakes.

#include "limber/io/scenario_file.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "temporary_folder.hpp"

namespace limber {
namespace {

constexpr const char* two_link = R"(limber: 1
links:
  - name: boom
    joint: {name: shoulder, axis: [0, 0, 1]}
    beam: {length: 2, section: {EI_z: 1e3, mass_per_length: 1}, modes: {y: {count: 2}}}
  - name: tool
    joint: {name: wrist, type: universal, axes: [[0, 0, 1], [0, 1, 0]]}
    rigid: {mass: 1, inertia: [1, 1, 1, 0, 0, 0]}
  - name: ball
    joint: {name: socket, type: spherical}
    rigid: {mass: 1, inertia: [1, 1, 1, 0, 0, 0]}
)";

class ScenarioFileTest : public testing::Test {
 protected:
  ScenarioFileTest() { folder_.write("arm.yaml", two_link); }
  ScenarioFile read(const std::string& text) { return parse_scenario(text, "scenario.yaml", folder_.path()); }
  TemporaryFolder folder_;
};

TEST_F(ScenarioFileTest, ReadsWhatTheContractShows) {
  folder_.write("ref.csv", "t,x\n0,0\n1,2\n2,3\n");
  const ScenarioFile file = read(R"(limber: 1
model: arm.yaml
formulation: dense
initial: {q: {shoulder: 0.1, socket.4: 1}, v: {wrist.2: 2}, settle: false}
actuation:
  - {joint: shoulder, type: pd, kp: 8e4, kd: 4e4, target: {trajectory: a}}
  - {joint: wrist.1, type: torque, signal: {trajectory: f}}
  - {joint: wrist.2, type: torque, signal: {value: 3}}
trajectories:
  a: {type: steps, points: [[0, 0.5236], [0.5, 1.0472]]}
  b: {type: quintic, from_deg: 90, to: 1, start: 0, duration: 1.5}
  e: {type: spin-up, rate: 6, duration: 15}
  f: {type: table, file: ref.csv}
  g: {type: sum, of: [b, e]}
  h: {type: shaped, of: b, shaper: zvd}
loads:
  - {link: boom, at: 0.5, frame: body, force: [0, -5.4, 0], moment: [0, 0, 0], from: 0, to: 10}
integrator: {method: generalized-alpha, rtol: 1e-6, atol: 1e-9, step: 1e-3, spectral_radius: 0.5}
duration: 10
output: {rate: 50, wrenches: false, shape_points: 5}
)");
  const ScenarioDescription& d = file.description;
  EXPECT_EQ(d.formulation, FormulationKind::dense);
  EXPECT_EQ(d.initial.q.size(), 2u);
  EXPECT_EQ(d.initial.v.front().second, 2.0);
  EXPECT_EQ(std::get<actuations::Pd>(d.actuation[0].kind).kp, 8e4);
  EXPECT_EQ(*std::get<actuations::Torque>(d.actuation[2].kind).signal.value, 3.0);
  ASSERT_EQ(d.trajectories.size(), 6u);
  EXPECT_NEAR(std::get<trajectories::Quintic>(d.trajectories[1].second).from, 1.5707963267948966, 1e-15);
  EXPECT_EQ(std::get<trajectories::Table>(d.trajectories[3].second).values, (std::vector<double>{0, 2, 3}));
  EXPECT_EQ(parts_of(d.trajectories[5].second), (std::vector<std::string>{"b"}));
  EXPECT_EQ(d.loads[0].frame, Axes::body);
  EXPECT_EQ(*std::get<integrators::GeneralizedAlpha>(d.integrator.method).spectral_radius, 0.5);
  EXPECT_FALSE(d.output.wrenches);
  EXPECT_EQ(file.model.nv(), 8);
  // What a result embeds: the scenario, the model, the table.
  ASSERT_EQ(file.sources.size(), 3u);
  EXPECT_EQ(file.sources[1].text.substr(0, 9), "t,x\n0,0\n1");
  EXPECT_EQ(file.sources[2].name, "arm.yaml");
}

TEST_F(ScenarioFileTest, TakesAModelInline) {
  const ScenarioFile file = read(R"(limber: 1
model:
  links:
    - {name: a, rigid: {mass: 1, inertia: [1, 1, 1, 0, 0, 0]}}
integrator: {method: auto, rtol: 1e-6, atol: 1e-9, step: null}
duration: 1
)");
  EXPECT_EQ(file.model.nv(), 1);
  EXPECT_FALSE(fixed_step(file.description.integrator.method));
}

TEST_F(ScenarioFileTest, PlacesProblemsOfAnInlineModel) {
  try {
    read("limber: 1\nmodel:\n  links:\n    - {name: a, rigid: {mass: -1}}\nduration: 1\n");
    FAIL();
  } catch (const FileError& error) {
    EXPECT_EQ(std::string(error.what()).find("scenario.yaml:4:"), 0u) << error.what();
    EXPECT_NE(std::string(error.what()).find("model.links[0].rigid.mass"), std::string::npos) << error.what();
  }
}

struct Mistake {
  const char* name;
  const char* change;  ///< lines that replace the key they begin with, in a good scenario
  std::vector<const char*> said;
};

// A good scenario, of which each test spoils one part.
const std::vector<std::pair<std::string, std::string>> good = {
    {"limber", "limber: 1\n"},
    {"model", "model: arm.yaml\n"},
    {"initial", "initial: {q: {shoulder: 0.1}}\n"},
    {"actuation", "actuation:\n  - {joint: shoulder, type: pd, kp: 10, kd: 1, target: {trajectory: ref}}\n"},
    {"trajectories", "trajectories:\n  ref: {type: quintic, from: 0, to: 1, duration: 1}\n"},
    {"loads", "loads:\n  - {link: boom, at: 0.5, force: [0, 1, 0]}\n"},
    {"integrator", "integrator: {method: auto}\n"},
    {"duration", "duration: 2\n"},
    {"output", "output: {rate: 100}\n"}};

std::string spoiled(const std::string& change) {
  std::string text;
  const std::string key = change.substr(0, change.find(':'));
  bool replaced = false;
  for (const auto& [name, part] : good) {
    const bool is_it = name == key;
    replaced = replaced || is_it;
    text += is_it ? change : part;
  }
  return replaced ? text : text + change;
}

std::vector<Mistake> mistakes() {
  return {
      {"no_version", "limber:\n", {"limber"}},
      {"other_version", "limber: 2\n", {"limber", "expected 1", "found 2"}},
      {"unknown_key", "controller: pd\n", {"controller", "a known key"}},
      {"misspelt_key", "duratoin: 3\n", {"duratoin", "did you mean `duration`?"}},
      {"missing_model_file", "model: nowhere.yaml\n", {"2:8", "model", "no such file"}},
      {"model_is_a_list", "model: [1]\n", {"model", "the name of a model file, or a model"}},
      {"unknown_formulation", "formulation: magic\n", {"formulation", "`recursive`, `dense`", "`magic`"}},
      {"negative_duration", "duration: -1\n", {"duration", "a number > 0 [s]", "-1"}},
      {"nan_duration", "duration: .nan\n", {"duration", "not-a-number"}},
      {"no_duration", "duration:\n", {"duration", "nothing"}},
      {"infinite_duration", "duration: .inf\n", {"duration", "infinity"}},
      {"text_as_number", "duration: long\n", {"duration", "`long`"}},
      {"unknown_start", "initial: {q: {sholder: 1}}\n", {"initial.q.sholder", "did you mean `shoulder`?"}},
      {"unknown_start_velocity",
       "initial: {v: {elbow: 1}}\n",
       {"initial.v.elbow", "the name of a coordinate"}},
      {"start_is_a_list", "initial: {q: [1, 2]}\n", {"initial.q", "a map by name"}},
      {"start_is_text", "initial: {q: {shoulder: up}}\n", {"initial.q.shoulder", "a number", "`up`"}},
      {"long_quaternion",
       "initial: {q: {socket.1: 1, socket.4: 1}}\n",
       {"initial.q", "a unit quaternion", "1.41421"}},
      {"settle_is_number", "initial: {settle: 1}\n", {"initial.settle", "true or false"}},
      {"settle_with_velocity",
       "initial: {v: {shoulder: 1}, settle: true}\n",
       {"initial.v.shoulder", "at rest"}},
      {"settle_with_elastic",
       "initial: {q: {boom.y1: 1}, settle: true}\n",
       {"initial.q.boom.y1", "joints only"}},
      {"unknown_joint",
       "actuation:\n  - {joint: elbow, type: torque, signal: {value: 1}}\n",
       {"actuation[0].joint", "the name of a joint that moves", "`elbow`"}},
      {"no_joint",
       "actuation:\n  - {type: torque, signal: {value: 1}}\n",
       {"actuation[0]", "the key `joint`"}},
      {"unknown_controller",
       "actuation:\n  - {joint: shoulder, type: magic}\n",
       {"actuation[0].type", "`torque`, `pd`"}},
      {"pd_without_gains",
       "actuation:\n  - {joint: shoulder, type: pd, target: {value: 1}}\n",
       {"actuation[0]", "the key `kp`", "the key `kd`"}},
      {"pd_without_target",
       "actuation:\n  - {joint: shoulder, type: pd, kp: 1, kd: 1}\n",
       {"the key `target`"}},
      {"negative_gain",
       "actuation:\n  - {joint: shoulder, type: pd, kp: -1, kd: 1, target: {value: 1}}\n",
       {"actuation[0].kp", ">= 0", "-1"}},
      {"torque_with_gain",
       "actuation:\n  - {joint: shoulder, type: torque, kp: 1, signal: {value: 1}}\n",
       {"actuation[0].kp", "a key of type torque"}},
      {"unknown_trajectory",
       "actuation:\n  - {joint: shoulder, type: pd, kp: 1, kd: 1, target: {trajectory: rfe}}\n",
       {"actuation[0].target.trajectory", "did you mean `ref`?"}},
      {"target_twice",
       "actuation:\n  - {joint: shoulder, type: pd, kp: 1, kd: 1, target: {trajectory: ref, value: 1}}\n",
       {"actuation[0].target", "`trajectory`", "`value`"}},
      {"pd_on_quaternion",
       "actuation:\n  - {joint: socket, type: pd, kp: 1, kd: 1, target: {value: 0}}\n",
       {"actuation[0].joint", "carries a quaternion"}},
      {"prescribed_steps",
       "actuation:\n  - {joint: shoulder, type: prescribed, target: {trajectory: jump}}\ntrajectories: "
       "{jump: {type: "
       "steps, points: [[0, 0], [1, 1]]}}\n",
       {"actuation[0].target", "without jumps"}},
      {"prescribed_twice",
       "actuation:\n  - {joint: shoulder, type: prescribed, target: {trajectory: ref}}\n  - {joint: "
       "shoulder, type: "
       "prescribed, target: {trajectory: ref}}\n",
       {"actuation[1].joint", "prescribed by actuation[0]"}},
      {"prescribed_and_driven",
       "actuation:\n  - {joint: shoulder, type: prescribed, target: {trajectory: ref}}\n  - {joint: "
       "shoulder, type: "
       "torque, signal: {value: 1}}\n",
       {"actuation[1].joint", "free to follow efforts"}},
      {"half_prescribed",
       "actuation:\n  - {joint: wrist.1, type: prescribed, target: {trajectory: ref}}\n",
       {"all 2 coordinates of `wrist`"}},
      {"prescribed_start",
       "actuation:\n  - {joint: shoulder, type: prescribed, target: {trajectory: ref}}\n",
       {"initial.q.shoulder", "the joint is prescribed"}},
      {"unknown_trajectory_type",
       "trajectories:\n  ref: {type: cubic}\n",
       {"trajectories.ref.type", "quintic"}},
      {"trajectory_without_type",
       "trajectories:\n  ref: {from: 0}\n",
       {"trajectories.ref", "the key `type`"}},
      {"quintic_without_end",
       "trajectories:\n  ref: {type: quintic, from: 0, duration: 1}\n",
       {"trajectories.ref", "the key `to`"}},
      {"rk4_with_null_step",
       "integrator: {method: rk4, step: null}\n",
       {"the key `step`", "method rk4 needs it"}},
      {"shaper_of_quintic",
       "trajectories:\n  ref: {type: quintic, from: 0, to: 1, duration: 1, shaper: zvd}\n",
       {"trajectories.ref.shaper", "a key of type quintic", "`shaper` is for type `shaped`"}},
      {"quintic_with_period",
       "trajectories:\n  ref: {type: quintic, from: 0, to: 1, duration: 1, period: 2}\n",
       {"trajectories.ref.period", "a key of type quintic"}},
      {"no_duration_of_quintic",
       "trajectories:\n  ref: {type: quintic, from: 0, to: 1, duration: 0}\n",
       {"trajectories.ref.duration", "> 0"}},
      {"steps_back",
       "trajectories:\n  ref: {type: steps, points: [[0, 0], [1, 1], [0.5, 2]]}\n",
       {"trajectories.ref.points[2]", "a time > 1"}},
      {"point_of_three",
       "trajectories:\n  ref: {type: steps, points: [[0, 0, 0]]}\n",
       {"trajectories.ref.points[0]", "a list of 2 numbers"}},
      {"uneven_table",
       "trajectories:\n  ref: {type: table, times: [0, 1, 2], values: [0, 1]}\n",
       {"trajectories.ref.values", "3 numbers", "found 2"}},
      {"short_table",
       "trajectories:\n  ref: {type: table, times: [0], values: [0]}\n",
       {"at least two times"}},
      {"table_back",
       "trajectories:\n  ref: {type: table, times: [0, 1, 1], values: [0, 1, 2]}\n",
       {"trajectories.ref.times[2]", "a time > 1"}},
      {"table_without_file",
       "trajectories:\n  ref: {type: table, file: none.csv}\n",
       {"trajectories.ref.file", "no such file"}},
      {"table_twice",
       "trajectories:\n  ref: {type: table, file: arm.yaml, times: [0, 1], values: [0, 1]}\n",
       {"trajectories.ref.file", "both"}},
      {"sum_of_unknown", "trajectories:\n  ref: {type: sum, of: [a]}\n", {"trajectories.ref.of", "`a`"}},
      {"sum_of_itself",
       "trajectories:\n  ref: {type: sum, of: [b]}\n  b: {type: sum, of: [ref]}\n",
       {"trajectories.ref.of", "made of this one"}},
      {"shaped_by_too_many_modes",
       "trajectories:\n  ref: {type: shaped, of: c, modes: 3}\n  c: {type: constant, value: 1}\n",
       {"trajectories.ref", "at least 3 coordinates that swing"}},
      {"load_on_unknown_link", "loads:\n  - {link: mast, force: [0, 0, 1]}\n", {"loads[0].link", "`mast`"}},
      {"load_beyond",
       "loads:\n  - {link: boom, at: 1.5, force: [0, 0, 1]}\n",
       {"loads[0].at", "from 0 to 1"}},
      {"load_inside_rigid",
       "loads:\n  - {link: tool, at: 0.5, force: [0, 0, 1]}\n",
       {"loads[0].at", "rigid"}},
      {"load_of_two_numbers",
       "loads:\n  - {link: boom, force: [0, 1]}\n",
       {"loads[0].force", "a list of 3 numbers"}},
      {"load_frame", "loads:\n  - {link: boom, frame: tip, force: [0, 0, 1]}\n", {"loads[0].frame", "world"}},
      {"load_ends_before",
       "loads:\n  - {link: boom, force: [0, 0, 1], from: 2, to: 1}\n",
       {"loads[0].to", "> 2"}},
      {"loads_is_map", "loads: {link: boom}\n", {"loads", "a list of maps"}},
      {"unknown_method", "integrator: {method: rk45}\n", {"integrator.method", "`auto`, `radau`"}},
      {"rk4_without_step", "integrator: {method: rk4}\n", {"integrator", "the key `step`"}},
      {"bdf_with_step", "integrator: {method: bdf, step: 0.1}\n", {"integrator.step", "max_step"}},
      {"zero_step", "integrator: {method: rk4, step: 0}\n", {"integrator.step", "> 0"}},
      {"long_step", "integrator: {method: rk4, step: 5}\n", {"integrator.step", "at most the duration"}},
      {"rtol_zero", "integrator: {rtol: 0}\n", {"integrator.rtol", "found 0"}},
      {"radius_beyond",
       "integrator: {method: generalized-alpha, step: 0.1, spectral_radius: 1.5}\n",
       {"integrator.spectral_radius", "from 0 to 1"}},
      {"radius_of_rk4",
       "integrator: {method: rk4, step: 0.1, spectral_radius: 0.5}\n",
       {"integrator.spectral_radius", "for method `generalized-alpha`"}},
      {"zero_rate", "output: {rate: 0}\n", {"output.rate", "> 0"}},
      {"too_many_rows", "output: {rate: 1e12}\n", {"output.rate", "rows"}},
      {"half_a_point", "output: {shape_points: 2.5}\n", {"output.shape_points", "an integer"}}};
}

class ScenarioMistake : public testing::TestWithParam<Mistake> {};

TEST_P(ScenarioMistake, IsSaidWithItsPlace) {
  TemporaryFolder folder;
  folder.write("arm.yaml", two_link);
  const std::string change = GetParam().change;
  // Two blocks in one change: the second replaces its own part.
  std::string text = spoiled(change);
  if (const auto second = change.find("\ntrajectories:");
      change.rfind("actuation", 0) == 0 && second != std::string::npos) {
    text = spoiled(change.substr(0, second + 1));
    const std::string part = good[4].second;
    text.replace(text.find(part), part.size(), change.substr(second + 1));
  }
  try {
    parse_scenario(text, "scenario.yaml", folder.path());
    FAIL() << "no error for:\n" << text;
  } catch (const FileError& error) {
    const std::string message = error.what();
    EXPECT_EQ(message.find("scenario.yaml:"), 0u) << message;
    EXPECT_EQ(message.find("scenario.yaml: "), std::string::npos) << "no line: " << message;
    for (const char* words : GetParam().said)
      EXPECT_NE(message.find(words), std::string::npos) << "`" << words << "` is not in:\n" << message;
  }
}

INSTANTIATE_TEST_SUITE_P(All, ScenarioMistake, testing::ValuesIn(mistakes()),
                         [](const auto& each) { return each.param.name; });

TEST(ScenarioMistakes, TheGoodOneIsGood) {
  TemporaryFolder folder;
  folder.write("arm.yaml", two_link);
  EXPECT_NO_THROW(parse_scenario(spoiled("limber: 1\n"), "scenario.yaml", folder.path()));
}

TEST(ScenarioMistakes, AModelIsNoScenario) {
  TemporaryFolder folder;
  folder.write("arm.yaml", two_link);
  EXPECT_FALSE(is_scenario(folder.path() / "arm.yaml"));
  try {
    read_scenario(folder.path() / "arm.yaml");
    FAIL();
  } catch (const FileError& error) {
    EXPECT_NE(std::string(error.what()).find("a scenario file, with the key `model`"), std::string::npos);
  }
}

TEST(ScenarioMistakes, SeveralAreSaidAtOnce) {
  TemporaryFolder folder;
  folder.write("arm.yaml", two_link);
  try {
    parse_scenario(spoiled("duration: -1\nintegrator2: 1\n"), "scenario.yaml", folder.path());
    FAIL();
  } catch (const FileError& error) {
    EXPECT_EQ(error.located().size(), 2u) << error.what();
  }
}

}  // namespace
}  // namespace limber
