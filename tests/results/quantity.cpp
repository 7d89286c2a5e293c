// SPDX-License-Identifier: BSD-3-Clause
// The table of what is recorded: what stands there is what files, CSV tables and figures have, and nothing else is said elsewhere.

#include "limber/results/quantity.hpp"

#include <gtest/gtest.h>

#include <set>

#include "limber/report/figure.hpp"
#include "simulation/runs.hpp"
#include "temporary_folder.hpp"

namespace limber {
namespace {

TEST(Quantities, HaveNamesOfTheirOwn) {
  std::set<std::string> paths, labels;
  for (const Quantity& quantity : all_quantities()) {
    EXPECT_TRUE(paths.insert(quantity.path).second) << quantity.path;
    EXPECT_TRUE(labels.insert(quantity.label).second) << quantity.label;
    EXPECT_EQ(find_quantity(quantity.path), &quantity);
  }
  EXPECT_EQ(find_quantity("nothing"), nullptr);
}

// As many numbers as the shape says, and as many names.
TEST(Quantities, FillWhatTheirShapeSays) {
  for (const char* file :
       {"canadarm/manoeuvre.yaml", "crane/manoeuvre.yaml", "ella/reach.yaml", "lab_link/slew.yaml",
        "ella/experiment.yaml", "box_boom/lift.yaml", "boom_cylinder/lift.yaml"}) {
    const ScenarioFile read = shipped(file);
    const Scenario built = build_scenario(read.description, read.model);
    const RowLayout layout(built);
    const TestRun made = run(read);
    std::size_t width = 0;
    for (const RowLayout::Part& part : layout.parts()) {
      const Quantity& quantity = *part.quantity;
      EXPECT_EQ(quantity.column_names(layout.names()).size(), part.width) << quantity.path;
      // What is not filled stays as it was: poisoned.
      std::vector<double> row(part.width + 1, std::nan(""));
      layout.fill(part, made.rows.back(), row.data());
      for (std::size_t i = 0; i < part.width; ++i) EXPECT_TRUE(std::isfinite(row[i])) << quantity.path;
      EXPECT_TRUE(std::isnan(row[part.width])) << quantity.path;
      width += part.width;
    }
    EXPECT_EQ(layout.width(), width);
    const std::size_t without_sensors = built.sensors.empty() ? 1 : 0, without_friction = 2,
                      without_loops = 1, without_interaction = built.output.interaction_wrenches ? 0 : 1,
                      without_sections = built.output.section_forces ? 0 : 2,
                      without_cylinders = built.model.cylinders().empty() ? 3 : 0, without_oil = 1,
                      without_targets = joint_targets(built).empty() ? 1 : 0;
    EXPECT_EQ(layout.parts().size() + without_sensors + without_friction + without_loops +
                  without_interaction + without_sections + without_cylinders + without_oil + without_targets,
              all_quantities().size());
  }
}

// The same names by the scenario and by the outline: what is written is what is looked for.
TEST(Quantities, AreNamedByTheOutlineAsByTheScenario) {
  for (const char* file : {"canadarm/manoeuvre.yaml", "crane/manoeuvre.yaml", "lab_link/slew.yaml",
                           "box_boom/lift.yaml", "boom_cylinder/lift.yaml"}) {
    const ScenarioFile read = shipped(file);
    const Scenario built = build_scenario(read.description, read.model);
    const ResultNames names = names_of(built);
    EXPECT_EQ(names_of(outline_of(read.model, 2), names), names);
  }
}

TEST(Quantities, ThatNobodyAskedForAreLeftOut) {
  ScenarioFile read = shipped("canadarm/manoeuvre.yaml");
  read.description.output.wrenches = false;
  read.description.actuation.clear();
  const RowLayout layout(build_scenario(read.description, read.model));
  for (const RowLayout::Part& part : layout.parts()) {
    EXPECT_NE(part.quantity->path, std::string("wrenches"));
    EXPECT_NE(part.quantity->path, std::string("references"));
  }
}

// One with a figure of its own is on pages and in `plot` without a word elsewhere.
TEST(Quantities, WithAFigureAreDrawn) {
  const TemporaryFolder folder;
  const ScenarioFile read = shipped("canadarm/manoeuvre.yaml");
  Scenario built = build_scenario(read.description, read.model);
  const auto file = folder.path() / "result.h5";
  ResultWriter writer(file, built, {"limber test", {}});
  writer.finish(simulate(built, &writer).last, "complete");
  const RunRecord record = read_run(file);
  for (const Quantity& quantity : all_quantities()) {
    if (!*quantity.figure || !record.has(quantity.path)) continue;
    const Figure drawn = figure(record, quantity.figure);
    EXPECT_EQ(drawn.title, quantity.title);
    ASSERT_EQ(drawn.curves.size(), quantity.width(record.run.names)) << quantity.path;
    for (std::size_t i = 0; i < drawn.curves.size(); ++i)
      EXPECT_EQ(drawn.curves[i].values, record.table.of(quantity.path).col(static_cast<Eigen::Index>(i)));
  }
}

}  // namespace
}  // namespace limber
