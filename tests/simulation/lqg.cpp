// SPDX-License-Identifier: BSD-3-Clause
// Feedback of what sensors show, by an estimate: eigenvalues of the closed loop, steps of arms that bend, and what cannot be estimated.

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <complex>

#include "limber/core/input_error.hpp"
#include "limber/simulation/output_feedback.hpp"
#include "limber/simulation/system.hpp"
#include "runs.hpp"

namespace limber {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

std::string text(const std::string& actuation, const std::string& sensors,
                 const std::string& modes = "y: {count: 2}") {
  return "limber: 1\nmodel:\n  gravity: [0, -9.81, 0]\n  links:\n"
         "    - {name: boom, joint: {name: shoulder, axis: [0, 0, 1], damping: 3}, beam: {length: 2, "
         "section: {EI_y: 4e3, EI_z: 4e3, "
         "mass_per_length: 4}, modes: {" +
         modes +
         "}, damping: {ratio: 0.01}}}\n"
         "    - {name: jib, joint: {name: elbow, axis: [0, 0, 1], limits: {effort: 400}}, beam: {length: "
         "1.5, section: {EI_z: 2e3, "
         "mass_per_length: 2}, modes: {y: {count: 1}}, damping: {ratio: 0.01}}, tip: {mass: 3}}\n"
         "initial: {q: {shoulder: 0.4, elbow: 0.3}, settle: true}\nactuation: [" +
         actuation + "]\nsensors: [" + sensors + "]\nduration: 3\n";
}

constexpr const char* encoders =
    "{name: s, type: position, joint: shoulder}, {name: e, type: position, joint: elbow}, "
    "{name: boom_gauge, type: strain, link: boom, at: 0.05, offset: [0.02, 0]}, "
    "{name: jib_gauge, type: strain, link: jib, at: 0.05, offset: [0.01, 0]}";

// d f/dy by central differences, twice, and the better of both by Richardson's extrapolation.
MatrixXd slopes(System& system, const VectorXd& y) {
  const Index n = y.size();
  MatrixXd J(n, n);
  VectorXd up(n), down(n), moved = y;
  for (Index k = 0; k < n; ++k) {
    VectorXd by[2];
    for (const int half : {0, 1}) {
      const double h = 1e-3 / (1 + half);
      moved[k] = y[k] + h;
      system.derivative(0.0, moved, up);
      moved[k] = y[k] - h;
      system.derivative(0.0, moved, down);
      moved[k] = y[k];
      by[half] = (up - down) / (2.0 * h);
    }
    J.col(k) = (4.0 * by[1] - by[0]) / 3.0;
  }
  return J;
}

void append_eigenvalues(const MatrixXd& A, std::vector<std::complex<double>>& all) {
  const Eigen::VectorXcd values = A.eigenvalues();
  all.insert(all.end(), values.begin(), values.end());
}

TEST(Lqg, ClosesTheLoopWithTheEigenvaluesOfItsTwoParts) {
  const ScenarioFile file =
      scenario(text("{joint: all, type: lqg, sensors: [s, e, boom_gauge, jib_gauge]}", encoders));
  Scenario made = build_scenario(file.description, file.model);
  const auto& controller = dynamic_cast<const OutputFeedbackController&>(*made.controllers.front());
  const OutputFeedbackController::Design& design = controller.design();
  System system(made);
  // At rest at the targets, which are the start: the estimate is right.
  const VectorXd y = system.initial_state();
  const int nq = system.nq(), states = nq + system.nv();
  VectorXd rate(y.size());
  system.derivative(0.0, y, rate);
  EXPECT_LT(rate.cwiseAbs().maxCoeff(), 1e-6);
  // The ledger's rows go along, and nothing depends on them.
  const MatrixXd J = slopes(system, y);
  std::vector<int> rows;
  for (int i = 0; i < y.size(); ++i)
    if (i < states || i >= states + ledger_size) rows.push_back(i);
  std::vector<std::complex<double>> found, expected;
  append_eigenvalues(J(rows, rows), found);
  append_eigenvalues(design.A - design.B * design.K, expected);
  append_eigenvalues(design.A - design.L * design.H, expected);
  ASSERT_EQ(found.size(), expected.size());
  double largest = 0.0;
  for (const auto& value : expected) largest = std::max(largest, std::abs(value));
  for (const auto& value : expected) {
    EXPECT_LT(value.real(), 0.0);
    double nearest = largest;
    for (const auto& other : found) nearest = std::min(nearest, std::abs(other - value));
    EXPECT_LT(nearest, 1e-8 * largest) << value;
  }
}

// One controller with samples, one without: the same motion but for what sampling costs.
TEST(Lqg, SampledFastIsNearlyContinuous) {
  const std::string continuous =
      "{joint: all, type: lqg, integral: true, sensors: [s, e, boom_gauge, jib_gauge], target: {value: 0.35}";
  const TestRun always = run(text(continuous + "}", encoders));
  const TestRun sampled = run(text(continuous + ", rate: 2000}", encoders));
  ASSERT_EQ(always.rows.size(), sampled.rows.size());
  for (std::size_t i = 0; i < always.rows.size(); ++i) {
    EXPECT_NEAR(always.rows[i].q[0], sampled.rows[i].q[0], 2e-3) << always.rows[i].t;
    EXPECT_NEAR(always.rows[i].q[3], sampled.rows[i].q[3], 2e-3) << always.rows[i].t;
  }
  EXPECT_NEAR(always.rows.back().q[0], 0.35, 1e-3);
}

std::string said_by(const std::string& scenario_text) {
  try {
    const ScenarioFile file = scenario(scenario_text);
    build_scenario(file.description, file.model);
  } catch (const std::exception& error) {
    return error.what();
  }
  return "nothing";
}

// What is only found wrong when the scenario is built has its place all the same.
TEST(Lqg, SaysWhereItsSensorsAreTooFew) {
  const std::string body =
      text("{joint: all, type: lqg, sensors: [s, e, boom_gauge]}", encoders, "y: {count: 1}, z: {count: 1}");
  const ScenarioFile file = scenario(body);
  const auto line =
      std::count(body.begin(), body.begin() + static_cast<long>(body.find("actuation")), '\n') + 1;
  try {
    build_scenario(file.description, file.model);
    FAIL();
  } catch (const InputError& error) {
    const FileError placed = with_places(error, file, "arm.yaml");
    ASSERT_EQ(placed.located().size(), 1u);
    EXPECT_EQ(placed.located().front().mark.line, line);
    EXPECT_EQ(std::string(placed.what()).rfind("arm.yaml:" + std::to_string(line) + ":", 0), 0u)
        << placed.what();
  }
  const FileError elsewhere =
      with_places(InputError(Problem{"nowhere", "this", "that", ""}), file, "arm.yaml");
  EXPECT_EQ(elsewhere.located().front().mark.line, 0);
}

TEST(Lqg, SaysWhatItCannotEstimate) {
  const auto has = [](const std::string& message, std::initializer_list<const char*> words) {
    for (const char* word : words)
      EXPECT_NE(message.find(word), std::string::npos) << word << " in: " << message;
  };
  // No encoder and no weight: the joints' way is nobody's. Bending across the plane: no gauge there.
  std::string weightless = text("{joint: all, type: lqg, sensors: [boom_gauge]}", encoders);
  weightless.replace(weightless.find("-9.81"), 5, "0");
  has(said_by(weightless), {"actuation[0].sensors", "mode", "0 Hz"});
  has(said_by(text("{joint: all, type: lqg, sensors: [s, e, boom_gauge]}", encoders,
                   "y: {count: 1}, z: {count: 1}")),
      {"actuation[0].sensors", "Hz", "boom.z1"});
  has(said_by(text("{joint: all, type: lqg, sensors: [s, boom_gauge], integral: true}", encoders)),
      {"integral", "elbow"});
  has(said_by(text("{joint: all, type: lqg, sensors: [s, gauge]}", encoders)), {"sensors[1]", "gauge"});
  has(said_by(text("{joint: all, type: lqg, sensors: []}", encoders)), {"sensors", "at least one"});
  has(said_by(text("{joint: all, type: lqg, rate: 0, sensors: [s]}", encoders)), {"rate"});
  has(said_by(text(
          "{joint: all, type: lqg, rate: 100, sensors: [imu, s]}",
          "{name: s, type: position, joint: shoulder}, {name: imu, type: acceleration, joint: shoulder}")),
      {"sensors[0]", "acceleration"});
  has(said_by(text("{joint: all, type: lqg, sensors: [s]}",
                   "{name: s, type: position, joint: shoulder, noise: 1e-4}")),
      {"sensors", "rate", "noise"});
}

}  // namespace
}  // namespace limber
