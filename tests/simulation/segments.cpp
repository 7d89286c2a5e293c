// SPDX-License-Identifier: BSD-3-Clause
// Links in segments in motion (docs/large-deflections.md).

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "limber/algorithms/beam_state.hpp"
#include "limber/model/lookup.hpp"
#include "simulation/runs.hpp"

namespace limber {
namespace {

TEST(SpinUpInSegments, IsTheExactBeams) {
  const ScenarioFile file = shipped("spin_up_beam/spin_up.yaml");
  ModelDescription description = file.model.description();
  LinkDescription& link = description.links.front();
  link.beam->segments = 4;
  link.beam->modes.y->count = 3;
  link.beam->modes.axial.reset();
  const Model model = build_model(description);
  const TestRun result = run(file.description, model);

  // An inextensible exact beam (angle as unknown) lags by 0.5738 m at 6.762 s and swings by 3.64e-3 m after 15 s (models/spin_up_beam). A second-order field without
  // segments gives 0.5758 m and 3.8e-3 m.
  const WholeLink whole = whole_links(model).front();
  double lag = 0.0, at = 0.0, after = 0.0;
  for (const Sample& sample : result.rows) {
    const double y = tip_state(model, whole, sample.q).deflection.y();
    if (y < lag) {
      lag = y;
      at = sample.t;
    }
    if (sample.t > 15.0) after = std::max(after, std::abs(y));
  }
  EXPECT_NEAR(lag, -0.574, 0.0005);
  EXPECT_NEAR(at, 6.76, 0.02);
  EXPECT_NEAR(after, 3.65e-3, 0.05e-3);

  // What a run says is of the whole link.
  const std::vector<LinkPeaks> peaks = link_peaks(model, result.summary.last.peaks);
  ASSERT_EQ(peaks.size(), 1u);
  EXPECT_EQ(peaks.front().name, "beam");
  EXPECT_NEAR(peaks.front().deflection.value, -lag, 1e-12);
  EXPECT_LT(std::abs(result.summary.last.largest_error), 1e-4 * result.summary.last.energy_size);
}

TEST(Scenario, PlacesLoadsAndSensorsOnTheWholeLink) {
  const ScenarioFile file = scenario(R"(
limber: 1
model:
  limber: 1
  name: strip
  gravity: [0, 0, 0]
  links:
    - name: strip
      joint: {type: fixed}
      beam: {length: 2, section: {EI_z: 50, mass_per_length: 3}, modes: {y: {count: 3}}, segments: 4}
initial: {settle: true}
loads: [{link: strip, at: 0.6, force: [0, 1, 0]}]
sensors:
  - {name: bend, type: curvature, link: strip, at: 0.3, axis: z}
  - {name: beyond, type: curvature, link: strip, at: 0.9, axis: z}
  - {name: height, type: point, link: strip, at: 1.0, axis: [0, 1, 0]}
duration: 0.01
)");
  const TestRun result = run(file);
  // A force F at a: curvature F (a - x) / EI up to it and none beyond; the tip at F a^2 (3L - a) / 6EI, all of it small.
  const Eigen::VectorXd& readings = result.rows.back().sensors;
  EXPECT_NEAR(readings[0], 1.0 * (1.2 - 0.6) / 50.0, 1e-4 * 0.012);
  EXPECT_NEAR(readings[1], 0.0, 1e-9);
  EXPECT_NEAR(readings[2], 1.2 * 1.2 * (6.0 - 1.2) / 300.0, 1e-3 * 0.023);
}

}  // namespace
}  // namespace limber
