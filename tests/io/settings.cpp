// SPDX-License-Identifier: BSD-3-Clause
// --set: values that are changed before a file is checked.

#include "limber/io/setting.hpp"

#include <gtest/gtest.h>

#include "limber/io/model_file.hpp"
#include "limber/io/scenario_file.hpp"
#include "temporary_folder.hpp"

namespace limber {
namespace {

constexpr const char* arm = R"(limber: 1
links:
  - name: boom
    joint: {name: shoulder, axis: [0, 0, 1], limits: {upper_deg: 90}}
    beam: {length: 2, section: {EI_z: 1e3, mass_per_length: 1}, modes: {y: {count: 2}}}
  - name: tool
    rigid: {mass: 1, inertia: [1, 1, 1, 0, 0, 0]}
)";

constexpr const char* slew = R"(limber: 1
model: arm.yaml
initial: {q: {shoulder: 0.1}}
actuation:
  - {joint: shoulder, type: pd, kp: 8e4, kd: 4e4, target: {trajectory: ref}}
trajectories:
  ref: {type: quintic, from: 0, to: 1, duration: 1.5}
duration: 10
)";

class SetOption : public testing::Test {
 protected:
  SetOption() {
    folder_.write("arm.yaml", arm);
    folder_.write("slew.yaml", slew);
  }
  static Settings all(const std::vector<std::string>& texts) {
    Settings settings;
    for (const std::string& text : texts) settings.push_back(parse_setting(text));
    return settings;
  }
  ModelDescription model(const std::vector<std::string>& texts) const {
    return read_model_description(folder_.path() / "arm.yaml", all(texts));
  }
  ScenarioFile scenario(const std::vector<std::string>& texts) const {
    return read_scenario(folder_.path() / "slew.yaml", all(texts));
  }
  // The first message, from its line number on.
  template <typename Action>
  std::string message(Action&& action) const {
    try {
      action();
    } catch (const FileError& error) {
      const std::string text = error.what();
      return text.substr(text.find(".yaml") + 5);
    } catch (const InputError& error) {
      return error.what();
    }
    return "nothing was thrown";
  }
  TemporaryFolder folder_;
};

TEST_F(SetOption, ReachAValueByIndexAndByName) {
  EXPECT_EQ(model({"links[0].beam.length=3"}).links[0].beam->length, 3.0);
  EXPECT_EQ(model({"links.boom.beam.length=4"}).links[0].beam->length, 4.0);
  EXPECT_EQ(model({"links.boom.beam.section.EI_z=2e3", "links.tool.rigid.mass=5"}).links[1].rigid->mass, 5.0);
  EXPECT_EQ(model({"links.tool.rigid.inertia[1]=1.5"}).links[1].rigid->inertia[1], 1.5);
  EXPECT_EQ(model({"links.boom.beam.length=4", "links.boom.beam.length=5"}).links[0].beam->length, 5.0);
}

TEST_F(SetOption, AddWhatTheFileLeavesToItsDefault) {
  EXPECT_EQ(model({"gravity=[0, -1.62, 0]"}).gravity.y(), -1.62);
  EXPECT_EQ(model({"links.boom.tip.mass=2.5"}).links[0].tip->mass, 2.5);
  EXPECT_EQ(model({"links.boom.joint.stiffness=2e4"}).links[0].joint.stiffness, 2e4);
  EXPECT_EQ(model({"links.boom.tip={mass: 3}"}).links[0].tip->mass, 3.0);
}

TEST_F(SetOption, ReplaceAnAngleInItsOtherUnit) {
  EXPECT_EQ(*model({"links.boom.joint.limits.upper=1"}).links[0].joint.limits->upper, 1.0);
  EXPECT_NEAR(*model({"links.boom.joint.limits.upper_deg=180"}).links[0].joint.limits->upper,
              3.141592653589793, 1e-15);
  const auto start = scenario({"initial.q_deg.shoulder=30"}).description.initial;
  EXPECT_TRUE(start.q.empty());
  EXPECT_EQ(start.q_deg.at(0).second, 30.0);
}

TEST_F(SetOption, ReachIntoTheModelOfAScenario) {
  const ScenarioFile file =
      scenario({"model.links.boom.beam.length=2.5", "duration=3", "actuation.shoulder.kp=1e3",
                "trajectories.ref.to=0.5", "initial.q.boom.y1=0.01", "integrator.rtol=1e-9"});
  EXPECT_EQ(file.description.model.links[0].beam->length, 2.5);
  EXPECT_EQ(file.model.links()[0].beam->basis.length(), 2.5);
  EXPECT_EQ(file.description.duration, 3.0);
  EXPECT_EQ(std::get<actuations::Pd>(file.description.actuation[0].kind).kp, 1e3);
  EXPECT_EQ(std::get<trajectories::Quintic>(file.description.trajectories[0].second).to, 0.5);
  EXPECT_EQ(file.description.initial.q.at(1).first, "boom.y1");
  EXPECT_EQ(file.description.integrator.rtol, 1e-9);
}

// A result embeds what was set; what it is read from again is the same arm.
// Trees of the last texts are kept: what changes in one stays there, and a mistake is told in the file that it was read from.
TEST_F(SetOption, DoNotReachWhoeverReadsTheSameTextNext) {
  const auto length = [](const Settings& settings) {
    return parse_model_description(arm, "arm.yaml", ".", settings).links[0].beam->length;
  };
  for (int i = 0; i < 12; ++i) {
    EXPECT_EQ(length({{"links.boom.beam.length", "3", {}}}), 3.0);
    EXPECT_EQ(length({}), 2.0);
    std::string other = arm;  // more texts than are kept
    other.replace(other.find("length: 2"), 9, "length: " + std::to_string(4 + i % 6));
    EXPECT_EQ(parse_model_description(other, "arm.yaml", ".").links[0].beam->length, 4.0 + i % 6);
  }
  const std::string wrong = std::string(arm) + "name: one\nname: other\n";  // said by whoever reads the text
  for (const char* name : {"first.yaml", "second.yaml", "first.yaml"}) {
    try {
      parse_model_description(wrong, name, ".");
      ADD_FAILURE() << "nothing was thrown";
    } catch (const FileError& error) {
      EXPECT_TRUE(std::string(error.what()).starts_with(name)) << error.what();
    }
  }
}

TEST_F(SetOption, AreKeptWithTheSources) {
  const ScenarioFile file = scenario({"model.links.boom.beam.length=2.5", "duration=3"});
  ASSERT_EQ(file.sources.back().name, settings_source);
  const ScenarioFile again = parse_scenario(file.sources);
  EXPECT_EQ(again.model.links()[0].beam->basis.length(), 2.5);
  EXPECT_EQ(again.description.duration, 3.0);
  EXPECT_EQ(again.sources.size(), file.sources.size());
}

TEST_F(SetOption, RefuseAPathThatLeadsNowhereWithTheClosestName) {
  EXPECT_EQ(
      message([&] { model({"links.bom.beam.length=3"}); }),
      ":2:1: links: expected an element by its index or by its name, found `bom` (did you mean `boom`?; set "
      "by --set `links.bom.beam.length=3`)");
  EXPECT_EQ(message([&] { model({"links[2].name=a"}); }),
            ":2:1: links: expected an index from [0] to [1], found [2] (set by --set `links[2].name=a`)");
  EXPECT_EQ(message([&] { model({"links.boom.beem.length=3"}); }),
            ":3:5: links[0]: expected a key of this block, found `beem` (did you mean `beam`?; set by --set "
            "`links.boom.beem.length=3`)");
  EXPECT_EQ(message([&] { model({"links.boom.beam.lenght=3"}); }),
            ":5:11: links[0].beam.lenght: expected a known key, found `lenght` (did you mean `length`?; set "
            "by --set "
            "`links.boom.beam.lenght=3`)");
  EXPECT_EQ(
      message([&] { model({"links.boom.beam.length.x=3"}); }),
      ":5:20: links[0].beam.length: expected a map or a list there, found `2` (the path goes on behind a "
      "single value; set by --set `links.boom.beam.length.x=3`)");
  EXPECT_EQ(
      message([&] { scenario({"trajectories.reff.to=3"}); }),
      ":6:1: trajectories: expected a key of this block, found `reff` (did you mean `ref`?; set by --set "
      "`trajectories.reff.to=3`)");
  EXPECT_EQ(
      message([&] { scenario({"model.links.bom.beam.length=3"}); }),
      ":2:1: links: expected an element by its index or by its name, found `bom` (did you mean `boom`?; set "
      "by --set `model.links.bom.beam.length=3`)");
}

TEST_F(SetOption, AreCheckedLikeTheFile) {
  EXPECT_EQ(message([&] { model({"links.boom.beam.length=-3"}); }),
            ":5:20: links[0].beam.length: expected a number > 0 [m], found -3 (set by --set "
            "`links.boom.beam.length=-3`)");
  EXPECT_EQ(message([&] { scenario({"duration=long"}); }),
            ":8:11: duration: expected a number > 0 [s], found `long` (set by --set `duration=long`)");
}

TEST_F(SetOption, MustBeAPathAndAValue) {
  for (const char* text : {"length", "=3", "length=", "duration=[1,\n2]"})
    EXPECT_THROW(parse_setting(text), InputError) << text;
  EXPECT_THROW(model({"links.boom.beam.length={"}), FileError);
  EXPECT_EQ(parse_setting("a.b=c=d").value, "c=d");
}

}  // namespace
}  // namespace limber
