// SPDX-License-Identifier: BSD-3-Clause
// Section forces, stress and fatigue of runs: in rows, in files, in figures, in metrics.

#include "limber/analysis/section_forces.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "limber/report/figure.hpp"
#include "limber/results/result_file.hpp"
#include "limber/simulation/metrics.hpp"
#include "limber/simulation/run_warnings.hpp"
#include "simulation/runs.hpp"
#include "temporary_folder.hpp"

namespace limber {
namespace {

using Eigen::Index;
using Eigen::Vector3d;

constexpr Index points = 21;

ScenarioFile lift(double duration = 1.5) {
  ScenarioFile file = shipped("box_boom/lift.yaml");
  file.description.duration = duration;
  file.description.output.rate = 100;
  return file;
}

struct Finished {
  std::vector<Sample> rows;
  RunSummary summary;
  RunMetrics metrics;
  std::vector<std::string> warnings;
};
Finished finish(const ScenarioFile& file) {
  Scenario built = build_scenario(file.description, file.model);
  History history;
  MetricsRecorder recorder(built, &history);
  Finished run;
  run.summary = simulate(built, &recorder);
  run.rows = history.rows;
  run.metrics = recorder.metrics(run.summary.last.peaks);
  run.warnings = run_warnings(built, run.summary.last);
  return run;
}

// There is no rigid piece at the roots, and shapes are clamped: by the outer part on the inner one is what the joint does, turned round.
TEST(SectionForcesOfRuns, AtTheRootsAreTheJointsWrenches) {
  const Finished run = finish(lift());
  for (const Sample& row : run.rows)
    for (Index beam = 0; beam < 2; ++beam) {
      const Wrench& joint = row.wrenches[static_cast<std::size_t>(beam)];
      const auto root = row.section_forces.segment<6>(beam * points * 6);
      EXPECT_LT((root.head<3>() + Vector3d(joint.force)).norm(), 1e-9 * Vector3d(joint.force).norm());
      EXPECT_LT((root.tail<3>() + Vector3d(joint.moment)).norm(), 1e-9 * Vector3d(joint.moment).norm());
    }
}

TEST(SectionForcesOfRuns, PeaksUtilisationAndDamageFollowFromTheRows) {
  const ScenarioFile file = lift();
  const Finished run = finish(file);
  double stress = 0.0, when = 0.0, moment = 0.0;
  std::vector<std::vector<double>> corners(4);
  const StressFactors root = stress_factors(*file.model.links()[0].beam->basis.profile().geometry_at(0.0));
  for (const Sample& row : run.rows) {
    ASSERT_EQ(row.stress.size(), 2 * points);
    if (const double largest = row.stress.head(points).maxCoeff(); largest > stress) {
      stress = largest;
      when = row.t;
    }
    for (Index i = 0; i < points; ++i) {
      const double My = row.section_forces[6 * i + 4];
      if (std::abs(My) > std::abs(moment)) moment = My;
    }
    for (std::size_t i = 0; i < 4; ++i) {
      const auto& at = row.section_forces;
      const double y = i < 2 ? -0.1 : 0.1, z = i % 2 == 0 ? -0.15 : 0.15;  // 200 x 300 mm
      const Section section = file.model.links()[0].beam->basis.profile().at(0.0);
      corners[i].push_back(210e9 *
                           (at[0] / section.EA + at[4] * z / section.EI_y - at[5] * y / section.EI_z));
    }
  }
  const RunPeaks& peaks = run.summary.last.peaks;
  EXPECT_DOUBLE_EQ(peaks.stress[0].value, stress);
  EXPECT_DOUBLE_EQ(peaks.stress[0].time, when);
  EXPECT_DOUBLE_EQ(peaks.section_forces[4].value, moment);
  ASSERT_EQ(run.metrics.beams.size(), 2U);
  EXPECT_DOUBLE_EQ(*run.metrics.beams[0].utilisation, stress / 355e6);
  EXPECT_DOUBLE_EQ(*run.metrics.largest_utilisation,
                   std::max(*run.metrics.beams[0].utilisation, *run.metrics.beams[1].utilisation));
  EXPECT_GT(stress, 20e6);
  double damage = 0.0;
  for (const std::vector<double>& series : corners)
    damage = std::max(damage, miner_damage(rainflow(series), {71e6, 2e6, 3.0}));
  EXPECT_GT(damage, 0.0);
  EXPECT_NEAR(*run.metrics.beams[0].damage / damage, 1.0, 1e-9);
  EXPECT_FALSE(run.metrics.beams[1].damage);  // it has no sn_curve
  EXPECT_EQ(root.fibres.size(), 4U);
  EXPECT_TRUE(run.warnings.empty()) << run.warnings.front();
}

TEST(SectionForcesOfRuns, WarnOfStressBeyondStrength) {
  ScenarioFile file = lift(0.2);
  file.description.model.links[0].beam->strength = 10e6;
  file.model = build_model(file.description.model);
  const Finished run = finish(file);
  ASSERT_EQ(run.warnings.size(), 1U);
  EXPECT_TRUE(run.warnings[0].starts_with("`boom` is stressed beyond its strength: ")) << run.warnings[0];
  EXPECT_GT(*run.metrics.largest_utilisation, 1.0);
}

// Strength alone asks for stress, but not for rows of it; nothing at all asks for nothing.
TEST(SectionForcesOfRuns, CostNothingWhereNobodyAsks) {
  ScenarioFile file = lift(0.1);
  file.description.output.section_forces = false;
  Finished run = finish(file);
  EXPECT_EQ(run.rows.back().section_forces.size(), 0);
  EXPECT_TRUE(run.metrics.largest_utilisation);
  EXPECT_FALSE(run.metrics.beams[0].damage);
  for (LinkDescription& link : file.description.model.links) link.beam->strength.reset();
  file.model = build_model(file.description.model);
  run = finish(file);
  EXPECT_TRUE(run.summary.last.peaks.stress.empty());
  EXPECT_FALSE(run.metrics.largest_utilisation);
  EXPECT_TRUE(run.metrics.beams.empty());
}

TEST(SectionForcesOfRuns, StandInFilesAndFigures) {
  const TemporaryFolder folder;
  const auto result = folder.path() / "lift.h5";
  const ScenarioFile file = lift(0.8);
  Scenario built = build_scenario(file.description, file.model);
  ResultWriter writer(result, built, {"limber test", file.sources});
  History history;
  MetricsRecorder recorder(built, &writer);
  RunOptions half, rest;
  half.progress = [](const Progress& progress) { return progress.t < 0.4; };
  writer.finish(simulate(built, &recorder, half).last, "interrupted");

  // It goes on, and what was counted before counts.
  rest.resume = read_stored_run(result).checkpoint;
  ResultWriter second(result, built, {"limber test", file.sources}, rest.resume->rows);
  MetricsRecorder again(built, &second);
  const ResultTable before = read_result_table(result);
  for (Index i = 0; i < before.values.rows(); ++i) {
    const Eigen::VectorXd efforts = Eigen::VectorXd::Zero(file.model.nv());
    again.note(before.of("time")(i, 0), before.of("q").row(i), before.of("v").row(i), efforts,
               before.of("end_effector/position").row(i).transpose());
    again.note_sections(before.of("section_forces").row(i).transpose());
  }
  const RunSummary ended = simulate(built, &again, rest);
  second.finish(ended.last, "complete");
  const Finished whole = finish(file);
  const RunMetrics metrics = again.metrics(ended.last.peaks);
  EXPECT_NEAR(*metrics.beams[0].damage / *whole.metrics.beams[0].damage, 1.0, 1e-6);
  EXPECT_NEAR(*metrics.largest_utilisation, *whole.metrics.largest_utilisation, 1e-9);

  const RunRecord record = read_run(result);
  EXPECT_EQ(record.run.names.beams, (std::vector<std::string>{"boom", "jib"}));
  EXPECT_EQ(record.run.names.stressed, (std::vector<std::string>{"boom", "jib"}));
  ASSERT_EQ(record.table.of("section_forces").cols(), 2 * points * 6);
  ASSERT_EQ(record.table.of("stress").cols(), 2 * points);
  EXPECT_EQ(record.column("section_forces", "jib@0.5.My"),
            record.table.of("section_forces").col((points + 10) * 6 + 4));
  const Figure moments = figure(record, "section-moments");
  ASSERT_FALSE(moments.curves.empty());
  bool found = false;
  for (const Curve& curve : moments.curves) {
    if (curve.name != "boom My") continue;
    found = true;
    for (Index i = 0; i < points; ++i)
      EXPECT_EQ(curve.values[i], record.table.of("section_forces").col(6 * i + 4).maxCoeff());
  }
  EXPECT_TRUE(found);
  const Figure stress = figure(record, "stress");
  ASSERT_EQ(stress.curves.size(), 2U);
  EXPECT_NEAR(1e6 * stress.curves[0].values.maxCoeff(), ended.last.peaks.stress[0].value, 1.0);
  EXPECT_TRUE(figure(record, "section-stress").curves[0].note.find(" MPa at ") != std::string::npos);
}

}  // namespace
}  // namespace limber
