// SPDX-License-Identifier: BSD-3-Clause
// Studies end to end: the same bits however they are computed, closed forms, and what is refused before anything runs.

#include "limber/study/study.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <fstream>
#include <mutex>
#include <queue>
#include <thread>

#include "limber/core/computation_error.hpp"
#include "limber/core/input_error.hpp"
#include "limber/simulation/simulate.hpp"
#include "limber/study/messenger.hpp"
#include "limber/study/sweep.hpp"
#include "study/study_folder.hpp"

namespace limber {
namespace {

// A cantilever without weight, a force on its tip.
constexpr const char* beam = R"(limber: 1
gravity: [0, 0, 0]
kinematics: first
links:
  - name: boom
    joint: {name: shoulder, type: revolute, axis: [0, 0, 1]}
    beam: {length: 2, section: {EI_z: 1e5, EI_y: 1e5, mass_per_length: 1}, modes: {z: {shape: craig-bampton, count: 2}}}
)";
constexpr const char* load = R"({"loads": [{"link": "boom", "force": [0, 0, -100]}]})";
constexpr const char* deflection = R"(limber: 1
model: beam.yaml
task: statics
state: load.json
vary:
  links.boom.beam.length: {lognormal: [2, 0.05]}
  links.boom.beam.section.EI_y: {scale: {lognormal: [1, 0.2]}}
samples: 512
measure:
  - {name: tip, of: "links.boom.tip_deflection[2]"}
  - {name: same, of: links.boom.tip_deflection.2}
)";

constexpr const char* arm = R"(limber: 1
links:
  - name: boom
    joint: {name: shoulder, type: revolute, axis: [0, 0, 1]}
    beam: {length: 1, section: {EI_z: 20, mass_per_length: 1}, modes: {y: {shape: clamped-free, count: 2}}}
)";
constexpr const char* slew = R"(limber: 1
model: arm.yaml
actuation:
  - {joint: shoulder, type: pd, kp: 50, kd: 5, target: {trajectory: ref}}
trajectories:
  ref: {type: quintic, from: 0, to: 1, duration: 0.3}
duration: 0.5
)";
constexpr const char* tolerances = R"(limber: 1
scenario: slew.yaml
vary:
  model.links.boom.beam.section.EI_z: {uniform: [10, 30]}
  actuation.shoulder.kp: {normal: [50, 5]}
samples: 24
seed: 3
measure:
  - {name: highest, of: shoulder, what: max}
  - {of: boom@1.0.y, what: peak_to_peak}
  - {of: residual_vibration}
  - {of: boom.y1.rate, what: rms}
histories: {of: [shoulder, end_effector.x], points: 11}
)";

class StudyTest : public test::StudyFolder {
 protected:
  StudyTest() {
    folder_.write("beam.yaml", beam);
    folder_.write("load.json", load);
    folder_.write("arm.yaml", arm);
    folder_.write("slew.yaml", slew);
  }
};

TEST_F(StudyTest, DeflectionsAndIndicesOfACantileverAreThoseOfItsFormula) {
  const Study cantilever = study(deflection);
  const SweepSummary run = sweep(cantilever, path("a.h5"), cantilever.empty_result("test"));
  ASSERT_TRUE(run.finished);
  EXPECT_TRUE(run.result.failed.empty());
  for (Eigen::Index k = 0; k < 512; ++k) {
    const double L = run.result.parameters(k, 0), EI = run.result.parameters(k, 1);
    EXPECT_NEAR(run.result.values(k, 0), -100.0 * L * L * L / (3.0 * EI),
                1e-9 * 100.0 * L * L * L / (3.0 * EI));
  }
  EXPECT_EQ(run.result.values.col(0), run.result.values.col(1));
  // tests/study/sensitivity.cpp: S_i of a product of lognormal numbers, here with 3 x 0.05 and 0.2.
  const double a = std::exp(0.15 * 0.15), b = std::exp(0.2 * 0.2);
  EXPECT_NEAR(run.result.indices.first_order(0, 0), (a - 1.0) / (a * b - 1.0), 0.01);
  EXPECT_NEAR(run.result.indices.total(0, 1), (b - 1.0) * a / (a * b - 1.0), 0.01);
  const StudyResult again = read_study_result(path("a.h5"));
  EXPECT_EQ(again.values, run.result.values);
  EXPECT_EQ(again.indices.total, run.result.indices.total);
  EXPECT_EQ(again.status, "complete");
}

TEST_F(StudyTest, AreTheSameBytesWhateverTheNumberOfThreadsPartsAndRestarts) {
  const Study runs = study(tolerances);
  SweepOptions options;
  options.threads = 1;
  sweep(runs, path("one.h5"), runs.empty_result("test"), options);
  options.threads = 3;
  sweep(runs, path("three.h5"), runs.empty_result("test"), options);
  const std::string one = bytes("one.h5");
  ASSERT_GT(one.size(), 1000U);
  EXPECT_EQ(one, bytes("three.h5"));

  // Stopped after the first few, and continued: twice.
  SweepOptions hasty = options;
  hasty.progress = [](const SweepProgress& progress) { return progress.computed < 5; };
  SweepSummary stopped = sweep(runs, path("again.h5"), runs.empty_result("test"), hasty);
  for (int i = 0; i < 2 && !stopped.finished; ++i)
    stopped = sweep(runs, path("again.h5"), read_study_result(path("again.h5")), hasty);
  sweep(runs, path("again.h5"), read_study_result(path("again.h5")), options);
  EXPECT_EQ(one, bytes("again.h5"));
  EXPECT_FALSE(std::filesystem::exists(path("again.h5.part")));

  std::vector<std::pair<std::string, StudyResult>> parts;
  for (long i = 0; i < 3; ++i) {
    SweepOptions part = options;
    part.part = {i, 3};
    const std::string name = "part" + std::to_string(i) + ".h5";
    sweep(runs, path(name), runs.empty_result("test"), part);
    parts.emplace_back(name, read_study_result(path(name)));
  }
  write_study_result(path("merged.h5"), merged(runs, parts, "test"));
  EXPECT_EQ(one, bytes("merged.h5"));
}

// Each by a study of its own, which has prepared nothing for others: models that differ in shapes, in what hangs on them, and in both.
TEST_F(StudyTest, VariantsThatShareBeamsAreThoseThatShareNone) {
  const std::string text = with(tolerances, "vary:\n",
                                "vary:\n  model.links.boom.tip.mass: {values: [0.1, 0.2]}\n"
                                "  model.links.boom.beam.length: {values: [1, 1.1, 1.2]}\n");
  folder_.write("arm.yaml", with(arm, "beam: {length: 1", "tip: {mass: 0.1}\n    beam: {length: 1"));
  const Study runs = study(text);
  SweepOptions options;
  options.threads = 2;
  sweep(runs, path("shared.h5"), runs.empty_result("test"), options);
  StudyResult alone = read_study_result(path("shared.h5"));
  ASSERT_TRUE(alone.failed.empty());
  const auto measures = static_cast<std::size_t>(alone.values.cols());
  for (long k = 0; k < runs.size(); ++k) {
    const VariantOutcome outcome = study(text).evaluate(k);
    ASSERT_FALSE(outcome.has_failed()) << outcome.failure;
    for (std::size_t i = 0; i < outcome.numbers.size(); ++i) {
      double& number = i < measures ? alone.values(k, static_cast<Eigen::Index>(i))
                                    : alone.courses(k, static_cast<Eigen::Index>(i - measures));
      number = outcome.numbers[i];
    }
  }
  write_study_result(path("alone.h5"), alone);
  EXPECT_EQ(bytes("shared.h5"), bytes("alone.h5"));
}

// Messages between threads, in place of processes.
struct Post {
  std::mutex guard;
  std::vector<std::queue<std::pair<int, std::string>>> boxes;
};
class ThreadMessenger : public Messenger {
 public:
  ThreadMessenger(Post& post, int rank) : post_(post), rank_(rank) {}
  int rank() const override { return rank_; }
  int size() const override { return static_cast<int>(post_.boxes.size()); }
  void send(int to, const std::string& bytes) override {
    const std::lock_guard lock(post_.guard);
    post_.boxes[static_cast<std::size_t>(to)].emplace(rank_, bytes);
  }
  bool receive(int& from, std::string& bytes) override {
    const std::lock_guard lock(post_.guard);
    auto& box = post_.boxes[static_cast<std::size_t>(rank_)];
    if (box.empty()) return false;
    std::tie(from, bytes) = box.front();
    box.pop();
    return true;
  }

 private:
  Post& post_;
  int rank_;
};

TEST_F(StudyTest, AreTheSameBytesByProcessesThatSendMessages) {
  const Study runs = study(tolerances);
  sweep(runs, path("alone.h5"), runs.empty_result("test"));
  Post post;
  post.boxes.resize(3);
  std::vector<std::thread> others;
  for (int rank = 1; rank < 3; ++rank)
    others.emplace_back([&runs, &post, rank] {
      ThreadMessenger messenger(post, rank);
      work_for_rank_0(runs, messenger, 1);
    });
  ThreadMessenger messenger(post, 0);
  MessengerWorkers workers(messenger, runs);
  SweepOptions options;
  options.threads = 1;
  options.remote = &workers;
  sweep(runs, path("ranks.h5"), runs.empty_result("test"), options);
  for (std::thread& other : others) other.join();
  EXPECT_EQ(bytes("alone.h5"), bytes("ranks.h5"));
}

// Another machine's folder may hold another study: its numbers would stand among ours.
TEST_F(StudyTest, OfAnotherTextOnAnotherRankIsNotMixedIn) {
  const Study ours = study(tolerances), theirs = study(with(tolerances, "[10, 30]", "[10, 31]"));
  Post post;
  post.boxes.resize(2);
  ThreadMessenger other(post, 1), messenger(post, 0);
  std::thread rank([&] { work_for_rank_0(theirs, other, 1); });
  MessengerWorkers workers(messenger, ours);
  SweepOptions options;
  options.threads = 1;
  options.remote = &workers;
  std::string said;
  try {
    sweep(ours, path("mixed.h5"), ours.empty_result("test"), options);
  } catch (const ComputationError& error) {
    said = error.what();
  }
  EXPECT_TRUE(said.starts_with("rank 1 has another text of the study")) << said;
  messenger.send(1, "");  // mpirun would end it
  rank.join();
}

// The last row of a run by itself.
class LastSample : public ResultSink {
 public:
  void add(const Sample& sample) override {
    highest = std::max(highest, sample.q[0]);
    last = sample;
  }
  double highest = -1e9;
  Sample last;
};

TEST_F(StudyTest, MeasuresAreThoseOfTheRunsByThemselves) {
  const Study runs = study(tolerances);
  const VariantOutcome outcome = runs.evaluate(5);
  ASSERT_EQ(outcome.failure, "");
  const ScenarioFile file = read_scenario(path("slew.yaml"), runs.settings_of(5));
  Scenario scenario = build_scenario(file.description, file.model);
  LastSample sink;
  simulate(scenario, &sink);
  EXPECT_EQ(outcome.numbers[0], sink.highest);
  EXPECT_EQ(outcome.numbers[4 + 10], sink.last.q[0]);  // the last point of the first history
  EXPECT_EQ(outcome.numbers[4 + 11 + 10], sink.last.end_effector_position.x());
}

TEST_F(StudyTest, FailedVariantsAreKeptWithTheirReasons) {
  // The second mode turns by 4.9 rad in the longer step: the classical Runge-Kutta method needs less than 2.8.
  folder_.write("slew.yaml", std::string(slew) + "integrator: {method: rk4, step: 1e-4}\n");
  const Study wild = study(with(with(tolerances, "model.links.boom.beam.section.EI_z: {uniform: [10, 30]}",
                                     "integrator.step: {values: [1e-4, 0.05]}"),
                                "samples: 24", "samples: 8"));
  const SweepSummary run = sweep(wild, path("wild.h5"), wild.empty_result("test"));
  EXPECT_TRUE(run.finished);
  ASSERT_FALSE(run.result.failed.empty());
  EXPECT_LT(run.result.failed.size(), 8U);
  const StudyResult read = read_study_result(path("wild.h5"));
  ASSERT_EQ(read.failed.size(), run.result.failed.size());
  for (const FailedVariant& one : read.failed) {
    EXPECT_EQ(read.parameters(one.variant, 0), 0.05) << one.reason;
    EXPECT_NE(one.reason, "");
    EXPECT_TRUE(std::isnan(read.values(one.variant, 0)));
  }
}

TEST_F(StudyTest, WhatCannotBeIsRefusedBeforeAnythingRuns) {
  EXPECT_EQ(refused(with(deflection, "boom.beam.length", "bom.beam.length")),
            "study.yaml:6:26: vary.links.bom.beam.length: expected an element by its index or by its name, "
            "found `bom` (`links` of "
            "beam.yaml; did you mean `boom`?)");
  const std::string misspelt = refused(with(deflection, "beam.length", "beam.lenght"));
  EXPECT_EQ(misspelt.substr(0, misspelt.find(" reaches")),
            "study.yaml:6:27: vary.links.boom.beam.lenght: expected a known key, found `lenght` (lognormal: "
            "[2, 0.05]");
  EXPECT_NE(misspelt.find("did you mean `length`?"), std::string::npos);
  EXPECT_EQ(refused(with(deflection, "{lognormal: [2, 0.05]}", "{uniform: [-1, 3]}")),
            "study.yaml:6:27: vary.links.boom.beam.length: expected a number > 0 [m], found -1 (uniform: "
            "[-1, 3] reaches -1)");
  EXPECT_EQ(refused(with(deflection, "  links.boom.beam.section.EI_y: {scale: {lognormal: [1, 0.2]}}",
                         "  links[0].beam.length: {uniform: [1, 3]}")),
            "study.yaml:7:25: vary.links[0].beam.length: expected each value once, found the same value as "
            "`links.boom.beam.length` "
            "(remove one of them)");
  EXPECT_EQ(refused(with(deflection, "  links.boom.beam.section.EI_y: {scale: {lognormal: [1, 0.2]}}",
                         "  links.boom.joint.limits.lower: {uniform: [-2, -1]}\n"
                         "  links.boom.joint.limits.lower_deg: {uniform: [-90, -80]}")),
            "study.yaml:8:38: vary.links.boom.joint.limits.lower_deg: expected each value once, found the "
            "same value as `links.boom.joint.limits.lower` (remove one of them)");
  EXPECT_EQ(refused(with(deflection, "{lognormal: [2, 0.05]}", "{values: []}")),
            "study.yaml:6:36: vary.links.boom.beam.length.values: expected at least one value, found none");
  // Both ends are whole numbers, and hardly a value between them is.
  const std::string whole = refused(
      with(deflection, "beam.length: {lognormal: [2, 0.05]}", "beam.modes.z.count: {uniform: [1, 4]}"));
  EXPECT_TRUE(
      whole.starts_with("study.yaml:6:34: vary.links.boom.beam.modes.z.count: expected an integer "
                        "from 1 to 100, found "))
      << whole;
  EXPECT_EQ(refused(with(tolerances, "actuation.shoulder.kp: {normal: [50, 5]}", "model: {uniform: [1, 2]}")),
            "study.yaml:5:10: vary.model: expected a number of the scenario, or one of its model's, found "
            "`model`, which is an arm (such as model.links.boom.beam.length)");
  EXPECT_EQ(refused(with(deflection, "samples: 512", "samples: 0")),
            "study.yaml:8:10: samples: expected an integer from 1 to 2000000000, found 0");
  // 2e9 variants of six numbers: 96 GB.
  if (const double memory = static_cast<double>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE);
      memory < 90e9) {
    const std::string huge = refused(with(deflection, "samples: 512", "samples: 2000000000"));
    EXPECT_TRUE(huge.starts_with("study.yaml:8:10: samples: expected at most ")) << huge;
    EXPECT_TRUE(huge.ends_with("found 2e+09: 96 GB (several studies with other seeds)")) << huge;
  }
  EXPECT_EQ(refused(with(deflection, "tip_deflection[2]", "tip_deflexion[2]")),
            "study.yaml:10:21: measure[0].of: expected a name that the task's JSON has there, found "
            "`tip_deflexion` in "
            "`links.boom.tip_deflexion[2]` (did you mean `tip_deflection`?)");
  EXPECT_EQ(refused(with(tolerances, "of: shoulder,", "of: shuolder,")),
            "study.yaml:9:25: measure[0].of: expected what a run records: a coordinate, <coordinate>.rate, "
            "end_effector.x, "
            "LINK@0.5.y, a sensor, found `shuolder` (did you mean `shoulder`?)");
  EXPECT_EQ(refused(with(deflection, "model: beam.yaml", "model: bean.yaml")).substr(0, 88),
            "study.yaml:2:8: model: expected a readable file, relative to the study, found `bean.yaml");
}

TEST_F(StudyTest, ThatHaveChangedAreNotContinued) {
  const Study before = study(tolerances);
  const StudyResult begun = before.empty_result("test");
  const Study after = study(with(tolerances, "samples: 24", "samples: 25"));
  try {
    require_same_study(begun, after.sources(), "a.h5");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(std::string(error.what()),
              "--resume: expected the study that `a.h5` was begun with, found another text of `study.yaml`, "
              "line 6: `samples: 25`, was "
              "`samples: 24` (start anew with --force, or with another -o)");
  }
}

// The same texts, and other points: another version of the program may have made them otherwise.
TEST_F(StudyTest, WithOtherVariantsAreNotContinued) {
  const Study now = study(tolerances);
  StudyResult begun = now.empty_result("limber 0.0.1");
  require_same_points(begun, now.design(), "a.h5");
  begun.parameters(3, 1) *= 1.0 + 1e-6;
  EXPECT_THROW(require_same_points(begun, now.design(), "a.h5"), InputError);
  EXPECT_THROW(merged(now, {{"a.h5", begun}}, "test"), InputError);
  begun = now.empty_result("limber 0.0.1");
  begun.parameters.conservativeResize(23, 2);
  EXPECT_THROW(require_same_points(begun, now.design(), "a.h5"), InputError);
}

}  // namespace
}  // namespace limber
