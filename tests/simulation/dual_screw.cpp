// SPDX-License-Identifier: BSD-3-Clause
// The dual-screw formulation in time: the crane's manoeuvre, its options in scenarios, and what a run says of it.

#include <gtest/gtest.h>

#include <cmath>

#include "limber/core/computation_error.hpp"
#include "limber/core/input_error.hpp"
#include "limber/io/file_error.hpp"
#include "limber/model/lookup.hpp"
#include "runs.hpp"

namespace limber {
namespace {

ScenarioFile manoeuvre(double duration, double rtol) {
  ScenarioFile file = shipped("crane/manoeuvre.yaml");
  file.description.duration = duration;
  file.description.integrator.rtol = rtol;
  file.description.integrator.atol = 1e-3 * rtol;
  return file;
}

TestRun run_by(const ScenarioFile& file, const std::string& formulation, bool consistent = false) {
  ScenarioDescription description = file.description;
  description.formulation = formulation_named(formulation);
  description.consistent = consistent;
  return run(description, file.model);
}

/// The largest |difference| of the listed numbers of q, and the largest number itself.
struct Largest {
  double difference = 0.0, value = 0.0;
};
Largest largest(const TestRun& a, const TestRun& b, const std::vector<int>& numbers) {
  Largest found;
  for (std::size_t row = 0; row < a.rows.size(); ++row)
    for (const int i : numbers) {
      found.difference = std::max(found.difference, std::abs(a.rows[row].q[i] - b.rows[row].q[i]));
      found.value = std::max(found.value, std::abs(b.rows[row].q[i]));
    }
  return found;
}

// VALIDATION.md D: 4.8e-4 rad of 2.13 in the joints, 8e-5 m of 4.6e-2 in the plane.
TEST(CraneManoeuvre, LinearDiffersFromNonlinearAsPublished) {
  const ScenarioFile file = manoeuvre(6.0, 1e-7);
  const TestRun nonlinear = run_by(file, "recursive"), linear = run_by(file, "dual-screw");
  ASSERT_EQ(linear.rows.size(), nonlinear.rows.size());
  const std::vector<int> joints{0, 1, 8, 15}, in_plane{2, 3, 9, 10};
  const Largest angles = largest(linear, nonlinear, joints), bending = largest(linear, nonlinear, in_plane);
  EXPECT_NEAR(angles.difference, 4.8e-4, 0.1e-4);
  EXPECT_NEAR(angles.value, 2.13, 0.01);
  EXPECT_NEAR(bending.difference, 8e-5, 1e-5);
  EXPECT_TRUE(linear.summary.doubts.empty());
}

// With elastic states that the model was made for, both kinds of integrators give the same motion.
TEST(CraneManoeuvre, IsTheSameByImplicitAndExplicitMethods) {
  ScenarioFile file = manoeuvre(0.6, 1e-8);
  const TestRun implicit = run_by(file, "dual-screw");
  file.description.integrator.method = integrators::Erk{};
  const TestRun explicit_ = run_by(file, "dual-screw");
  std::vector<int> all;
  for (int i = 0; i < file.model.nq(); ++i) all.push_back(i);
  EXPECT_LT(largest(implicit, explicit_, all).difference, 1e-7);
}

TEST(DualScrewScenario, TakesItsOptions) {
  const std::string text =
      "limber: 1\nmodel: crane/crane.yaml\nformulation: dual-screw\nconsistent: true\nnonlinear: [link3, "
      "link2.y1]\n"
      "definite: true\n"
      "initial: {q: {joint2: 1}}\nduration: 0.02\n";
  const ScenarioFile file = scenario(text);
  EXPECT_TRUE(file.description.consistent);
  EXPECT_EQ(file.description.nonlinear, (std::vector<std::string>{"link3", "link2.y1"}));
  const Scenario built = build_scenario(file.description, file.model);
  EXPECT_TRUE(built.formulation_options.consistent);
  EXPECT_TRUE(built.formulation_options.definite);
  std::vector<int> states = elastic_coordinates_named(file.model, "link3");
  states.push_back(coordinate_index(file.model, "link2.y1"));
  EXPECT_EQ(built.formulation_options.nonlinear_coordinates, states);
  EXPECT_EQ(run(file).rows.size(), 3u);
}

std::string refusal(const std::string& lines) {
  try {
    scenario("limber: 1\nmodel: crane/crane.yaml\nduration: 1\n" + lines);
  } catch (const FileError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(DualScrewScenario, RefusesOptionsWhereTheyMeanNothing) {
  const std::string other = refusal("consistent: true\n");
  EXPECT_NE(other.find("scenario.yaml:4:"), std::string::npos) << other;
  EXPECT_NE(other.find("`formulation: dual-screw`"), std::string::npos) << other;
  EXPECT_NE(refusal("formulation: dense\nnonlinear: [link2]\n").find("dual-screw"), std::string::npos);
  EXPECT_NE(refusal("definite: true\n").find("dual-screw"), std::string::npos);
  EXPECT_NE(refusal("formulation: dual-screw\nnonlinear: [link2.y9]\n").find("one of its states"),
            std::string::npos);
  const std::string rigid = refusal("formulation: dual-screw\nnonlinear: [link2, link1]\n");
  EXPECT_NE(rigid.find("nonlinear[1]"), std::string::npos) << rigid;
  EXPECT_NE(rigid.find("a link that bends"), std::string::npos) << rigid;
  EXPECT_NE(refusal("formulation: dual-screw\nnonlinear: 3\n"), "accepted");
  EXPECT_NE(refusal("formulation: dual-screw\nconsistent: maybe\n"), "accepted");
}

// A load that bends the jib by a metre: the run stops where M is lost, and says when and at which state.
TEST(DualScrewScenario, StopsWhereTheMassMatrixIsLost) {
  const std::string text =
      "limber: 1\nmodel: crane/crane.yaml\nformulation: dual-screw\n"
      "actuation: [{joint: all, type: prescribed, target: {trajectory: stay}}]\n"
      "trajectories: {stay: {type: constant, value: 0.5}}\n"
      "loads: [{link: link4, force: [0, 0, -3e5]}]\nduration: 1\n";
  try {
    run(text);
    FAIL() << "ran to its end";
  } catch (const ComputationError& error) {
    const std::string message = error.what();
    EXPECT_NE(message.find("at t = "), std::string::npos) << message;
    EXPECT_NE(message.find("positive definite"), std::string::npos) << message;
    EXPECT_NE(message.find("largest elastic state is `link"), std::string::npos) << message;
  }
}

}  // namespace
}  // namespace limber
