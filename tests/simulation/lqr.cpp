// SPDX-License-Identifier: BSD-3-Clause
// State feedback to moving targets: what holds the arm on the way, and weights that nobody chose.

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>

#include "limber/algorithms/input_matrix.hpp"
#include "limber/algorithms/mass_matrix.hpp"
#include "limber/analysis/derivatives.hpp"
#include "limber/analysis/equilibrium.hpp"
#include "limber/analysis/modes.hpp"
#include "limber/core/input_error.hpp"
#include "limber/io/model_file.hpp"
#include "limber/simulation/holding_path.hpp"
#include "runs.hpp"

namespace limber {
namespace {

using Eigen::VectorXd;

constexpr double slew = 60.0 * std::numbers::pi / 180.0;

// Two links in a vertical plane, the shoulder's motor strong enough.
const std::string boom = R"(limber: 1
model:
  gravity: [0, -9.81, 0]
  links:
    - name: boom
      joint: {name: shoulder, axis: [0, 0, 1]}
      beam: {length: 2, section: {EI_z: 4e3, mass_per_length: 4}, modes: {y: {count: 2}}, damping: {ratio: 0.01}}
    - name: jib
      joint: {name: elbow, axis: [0, 0, 1]}
      beam: {length: 1.5, section: {EI_z: 2e3, mass_per_length: 2}, modes: {y: {count: 2}}, damping: {ratio: 0.01}}
      tip: {mass: 5}
trajectories:
  up: {type: quintic, from: -1, to: 0.5, duration: 2}
  out: {type: quintic, from: 1.2, to: 0.1, start: 0.3, duration: 1.5}
initial: {q: {shoulder: -1, elbow: 1.2}, settle: true}
integrator: {rtol: 1e-7}
)";

const std::string both = R"(actuation:
  - {joint: shoulder, type: lqr, target: {trajectory: up}}
  - {joint: elbow, type: lqr, target: {trajectory: out}}
)";

// The weight changes by several hundred N m on the way; nothing else tells the controller.
TEST(Lqr, EndsAtItsMovingTargetUnderGravity) {
  const TestRun result = run(boom + both + "duration: 8\n");
  EXPECT_NEAR(result.summary.q[0], 0.5, 1e-6);
  EXPECT_NEAR(result.summary.q[3], 0.1, 1e-6);
  EXPECT_LT(result.summary.v.norm(), 1e-5);
}

// A rigid joint, I q'' = effort: the gain is sqrt(position_weight/effort_weight), I omega^2 without a limit, and with a motor that is too
// weak for that its limit over 0.1 rad.
TEST(Lqr, AsksAWeakMotorForNoMoreThanItsLimitAtATenthOfARadian) {
  const auto gain = [](const std::string& limit) {
    const ScenarioFile file = scenario(R"(limber: 1
model:
  gravity: [0, 0, 0]
  links: [{name: a, joint: {name: j, armature: 1, limits: {effort: )" +
                                       limit +
                                       R"(}}, rigid: {mass: 1, inertia: [1, 1, 1, 0, 0, 0]}}]
actuation: [{joint: j, type: lqr}]
duration: 1
)");
    const Scenario built = build_scenario(file.description, file.model);
    Eigen::MatrixXd stiffness = Eigen::MatrixXd::Zero(1, 1), damping = stiffness;
    built.controllers.front()->add_gains({0.0, 0.0, built.q, built.v}, stiffness, damping);
    return stiffness(0, 0);
  };
  const double omega = 1.25 * 2.0 * std::numbers::pi;
  EXPECT_NEAR(gain("1e4"), 2.0 * omega * omega, 1e-6);
  EXPECT_NEAR(gain("1"), 1.0 / 0.1, 1e-6);
  try {
    gain("0");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("actuation of `j`"), std::string::npos) << error.what();
  }
}

TEST(HoldingPath, IsTheSettledArmAtEveryTime) {
  const ScenarioFile file = scenario(boom + both + "duration: 4\n");
  const Scenario built = build_scenario(file.description, file.model);
  const std::vector<JointTarget>& targets = built.controllers.front()->targets();
  HoldingPath path(built.model, built.q, targets, built.duration);
  double before = -1.0;
  for (double t = 0.013; t < 4.0; t += 0.0371) {
    SCOPED_TRACE(t);
    path.go_to(t, t);
    VectorXd q = built.q;
    for (const JointTarget& target : targets) q[target.position] = target.trajectory->at(t).position;
    const Equilibrium settled = static_equilibrium(built.model, q);
    for (const JointTarget& target : targets)
      EXPECT_NEAR(path.value()[target.coordinate], settled.efforts[target.coordinate], 1e-5 * 150.0);
    for (const Link& link : built.model.links())
      for (int i = 0; i < link.elastic_count; ++i)
        EXPECT_NEAR(path.value()[link.elastic_v_index + i], settled.q[link.elastic_q_index + i], 1e-7);
    if (before > 0.0) {  // the rate is the value's
      const VectorXd rate = path.rate();
      constexpr double h = 1e-5;
      path.go_to(t + h, t);
      const VectorXd later = path.value();
      path.go_to(t - h, t);
      EXPECT_LT(((later - path.value()) / (2.0 * h) - rate).norm(), 1e-5 * (1.0 + rate.norm()));
    }
    before = t;
  }
}

// ---- weights that nobody chose, on every arm in models/ that has a revolute joint; motors behind elastic gears have no promise of theirs ----

std::vector<std::string> shipped_arms() {
  std::vector<std::string> files;
  const std::filesystem::path folder(LIMBER_MODELS_DIR);
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".yaml") continue;
    std::ifstream stream(entry.path());
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    if (text.find("\nlinks:") == std::string::npos || text.find("revolute") == std::string::npos ||
        text.find("drive:") != std::string::npos || text.find("telescoping:") != std::string::npos ||
        text.find("\nloops:") != std::string::npos || text.find("\ncylinders:") != std::string::npos)
      continue;
    files.push_back(entry.path().lexically_relative(folder).string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

constexpr double period_of_rigid_arms = 1.0;

double first_period(const Model& model) {
  const VectorXd found =
      natural_modes(model, neutral_configuration(model), JointTreatment::locked, 1).angular_frequencies;
  return found.size() > 0 ? 2.0 * std::numbers::pi / std::abs(found[0]) : period_of_rigid_arms;
}

// The same where motors do not turn, B^T x = 0: they hold the root sections of their links, and of shapes that are pinned there not the
// joint's coordinate, which is the chord's.
double first_period_on_blocked_motors(const Model& model) {
  if (model.nv() == static_cast<int>(joint_coordinates(model).size())) return period_of_rigid_arms;
  const Eigen::MatrixXd B = input_matrix(model);
  const Eigen::MatrixXd N = Eigen::FullPivLU<Eigen::MatrixXd>(B.transpose()).kernel();
  Workspace<double> work(model);
  Eigen::MatrixXd M(model.nv(), model.nv());
  mass_matrix(model, work, neutral_configuration(model), M);
  const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> modes(
      N.transpose() * elastic_stiffness(model) * N, N.transpose() * M * N, Eigen::EigenvaluesOnly);
  return 2.0 * std::numbers::pi / std::sqrt(modes.eigenvalues()[0]);
}

// The first revolute joint, which is slewed.
const Joint& slewed_joint(const Model& model) {
  return std::find_if(model.links().begin(), model.links().end(),
                      [](const Link& link) { return link.joint.type == JointType::revolute; })
      ->joint;
}

// How far the motor's section turns against the joint's coordinate, at the least, in a slew from rest to rest within `time` [rad]. What
// comes to rest unbent has had I angle = Int Int effort, Int effort = 0: so an effort of 4 I angle/time^2 at the least, half the time to and
// half fro. It bends the beams by K^-1 (B_e - M_eq/I) effort, and B_e is what the motor's section turns by. Zero for shapes that are
// clamped at the root; nothing in this depends on a controller.
double least_turn_of_motor(const Model& model, double time) {
  const std::vector<int> elastic = elastic_coordinates(model), inputs = joint_coordinates(model);
  if (elastic.empty()) return 0.0;
  const int c = slewed_joint(model).v_index;
  Workspace<double> work(model);
  Eigen::MatrixXd M(model.nv(), model.nv());
  mass_matrix(model, work, neutral_configuration(model), M);
  const double effort = 4.0 * M(c, c) * slew / (time * time);
  const auto input = std::find(inputs.begin(), inputs.end(), c) - inputs.begin();
  const VectorXd B = input_matrix(model)(elastic, Eigen::all).col(input);
  const Eigen::MatrixXd K = elastic_stiffness(model)(elastic, elastic);
  return std::abs(B.dot(K.llt().solve(B - M(elastic, c) / M(c, c)))) * effort;
}

// Beyond it no beam is one.
constexpr double largest_slope = 1.0;

// The farthest from its target that the first revolute joint is from three periods of the first mode after the end of its way on, of the
// way; from rest to rest in `end` seconds, everything by default.
double error_after_slew(const std::string& file, const Model& model, double end) {
  ScenarioFile slewing = scenario("limber: 1\nmodel: " + file + R"(
initial: {settle: true}
actuation: [{joint: all, type: lqr, target: {value: 0}}]
duration: 1
)");
  ScenarioDescription& description = slewing.description;
  description.trajectories.emplace_back("way",
                                        trajectories::Quintic{.from = 0.0, .to = slew, .duration = end});
  const Joint& joint = slewed_joint(model);
  ActuationDescription first = description.actuation.front();
  first.joint = {joint.name};
  std::get<actuations::Lqr>(first.kind).target = TargetDescription{.trajectory = "way"};
  std::vector<ActuationDescription> all = {first};
  for (const Link& link : model.links())
    if (link.joint.nv > 0 && link.joint.name != joint.name) {
      all.push_back(description.actuation.front());
      all.back().joint = {link.joint.name};
    }
  description.actuation = all;
  const double period = first_period(model);
  description.duration = end + 4.0 * period;
  description.output.rate = 100.0 / period;
  double worst = 0.0;
  for (const Sample& row : run(slewing).rows)
    if (row.t >= end + 3.0 * period) worst = std::max(worst, std::abs(row.q[joint.q_index] - slew));
  return worst / slew;
}

// The rule for all arms: 60 deg in one period of the first mode on blocked motors, and in four and in eight of the first mode with joints
// locked (the same mode where shapes are clamped at their roots), ends within 1 % of the way three periods later. No arm is left out.
class DefaultWeights : public testing::TestWithParam<std::string> {
 protected:
  Model model_ = read_model(std::string(LIMBER_MODELS_DIR) + "/" + GetParam());
  double period_ = first_period(model_);

  void expect_arrival_after(double end) const {
    EXPECT_LT(error_after_slew(GetParam(), model_, end), 0.01)
        << "slewed in " << end << " s, " << end / period_ << " periods of the first mode";
  }
};

TEST_P(DefaultWeights, BringAShippedArmToItsTargetInOnePeriodOnBlockedMotors) {
  expect_arrival_after(first_period_on_blocked_motors(model_));
}

TEST_P(DefaultWeights, BringAShippedArmToItsTargetInFourAndInEightPeriods) {
  expect_arrival_after(4.0 * period_);
  expect_arrival_after(8.0 * period_);
}

// In one period with joints locked what can be: three more are left for coming to rest.
TEST_P(DefaultWeights, BringAShippedArmToItsTargetInOnePeriodUnlessItsRootWouldBreak) {
  if (least_turn_of_motor(model_, 4.0 * period_) < largest_slope) expect_arrival_after(period_);
}

// One machine, written with two and with fifteen pinned shapes: 17.5 kg on 1.2 m of a beam with EI = 11.8 N m^2.
TEST(DefaultWeightsBound, NoControllerSlewsAHeavyTipOnASoftPinnedBeamInOnePeriod) {
  std::vector<std::string> impossible;
  for (const std::string& file : shipped_arms()) {
    const Model model = read_model(std::string(LIMBER_MODELS_DIR) + "/" + file);
    const double turn = least_turn_of_motor(model, 4.0 * first_period(model));
    if (turn >= largest_slope) impossible.push_back(file);
    if (file.find("lin_lewis_one_link.yaml") == std::string::npos) continue;
    // By hand: 4 I angle/time^2, and of M L/(3 EI) of a beam on two pins the part that fifteen sines have. No matrices of ours but for the
    // period; the beam's own mass is left out where it bends.
    constexpr double length = 1.1938, EI = 11.823636388082031, mass_per_length = 0.24517756934506693,
                     tip = 17.512683524647638;
    const double inertia = tip * length * length + mass_per_length * std::pow(length, 3) / 3.0;
    const double effort = 4.0 * inertia * slew / std::pow(4.0 * first_period(model), 2);
    double share = 0.0;
    for (int k = 1; k <= 15; ++k) share += 6.0 / std::pow(k * std::numbers::pi, 2);
    EXPECT_NEAR(turn, share * effort * length / (3.0 * EI), 0.01 * turn);
    EXPECT_GT(turn, 12.0);
  }
  EXPECT_EQ(impossible,
            (std::vector<std::string>{"lin_lewis_one_link/lin_lewis_one_link.yaml",
                                      "lin_lewis_one_link/lin_lewis_one_link_pinned_pinned.yaml"}));
}

INSTANTIATE_TEST_SUITE_P(Shipped, DefaultWeights, testing::ValuesIn(shipped_arms()), [](const auto& arm) {
  std::string name = arm.param;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return !std::isalnum(c); }, '_');
  return name;
});

}  // namespace
}  // namespace limber
