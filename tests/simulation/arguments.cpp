// SPDX-License-Identifier: BSD-3-Clause
// Scenarios put together by hand, and what a program calls of systems and controllers, with one thing wrong: an error that says which, never
// a crash.

#include <gtest/gtest.h>

#include <cmath>

#include "limber/report/page.hpp"
#include "limber/results/arm_outline.hpp"
#include "limber/results/result_file.hpp"
#include "limber/simulation/simulate.hpp"
#include "limber/simulation/state_feedback.hpp"
#include "limber/simulation/system.hpp"
#include "temporary_folder.hpp"
#include "wrong_calls.hpp"

namespace limber {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Says whatever it is told to.
class OddController : public Controller {
 public:
  explicit OddController(int memory, std::vector<TrajectoryPointer> signals = {})
      : memory_(memory), signals_(std::move(signals)) {}
  void add_efforts(const Instant&, VectorXd&) override {}
  int memory_size() const override { return memory_; }
  std::vector<TrajectoryPointer> signals() const override { return signals_; }

 private:
  int memory_;
  std::vector<TrajectoryPointer> signals_;
};

struct WrongCallsOfSimulations : testing::Test {
  Model m = one_boom("boom");
  VectorXd q = VectorXd::Zero(3), v = q, a = q, out = q, wrong = VectorXd::Zero(2);
  JointTarget shoulder{0, 0, constant_trajectory(0.1)};

  Scenario scenario() const {
    Scenario made(m);
    made.q = q;
    made.v = v;
    made.duration = 0.1;
    made.controllers.push_back(std::make_unique<PdController>(shoulder, 1e3, 1e2));
    return made;
  }
  /// A system of a scenario with one thing changed.
  std::function<void()> system_of(const std::function<void(Scenario&)>& change) const {
    return [this, change] {
      Scenario changed = scenario();
      change(changed);
      System system(changed);
    };
  }
};

TEST_F(WrongCallsOfSimulations, OfScenariosSayWhatDoesNotFit) {
  const auto targets = [&](int coordinate, int position) {
    return JointTarget{coordinate, position, constant_trajectory(0.0)};
  };
  const auto with = [&](std::function<std::unique_ptr<Controller>()> make) {
    return system_of([make](Scenario& s) { s.controllers.push_back(make()); });
  };
  expect_said({
      {"System: scenario.q", system_of([&](Scenario& s) { s.q = wrong; })},
      {"System: scenario.v", system_of([&](Scenario& s) { s.v = wrong; })},
      {"System: scenario.duration", system_of([](Scenario& s) { s.duration = 0.0; })},
      {"System: scenario.duration", system_of([](Scenario& s) { s.duration = std::nan(""); })},
      {"System: scenario.loads", system_of([](Scenario& s) { s.loads.push_back({Load{3}}); })},
      {"System: scenario.loads", system_of([](Scenario& s) {
         s.loads.push_back({Load{0, 9}});
       })},
      {"System: scenario.prescribed", system_of([&](Scenario& s) { s.prescribed = {targets(1, 1)}; })},
      {"System: scenario.prescribed", system_of([&](Scenario& s) { s.prescribed = {targets(-1, 0)}; })},
      {"System: scenario.prescribed", system_of([&](Scenario& s) { s.prescribed = {targets(0, 2)}; })},
      {"System: scenario.prescribed", system_of([&](Scenario& s) {
         s.prescribed = {{0, 0, nullptr}};
       })},
      {"System: scenario.controllers", with([] { return std::unique_ptr<Controller>(); })},
      {"System: scenario.controllers",
       with([&] { return std::make_unique<PdController>(targets(5, 0), 1.0, 1.0); })},
      {"System: scenario.controllers",
       with([&] { return std::make_unique<PdController>(targets(0, 9), 1.0, 1.0); })},
      {"System: scenario.controllers", with([&] { return std::make_unique<OddController>(-1); })},
      {"System: scenario.controllers",
       with([&] { return std::make_unique<OddController>(0, std::vector<TrajectoryPointer>{nullptr}); })},
      {"simulate: scenario.q",
       [&] {
         Scenario changed = scenario();
         changed.q = wrong;
         simulate(changed);
       }},
  });
}

TEST_F(WrongCallsOfSimulations, OfSystemsSayWhich) {
  Scenario s = scenario();
  System system(s);
  VectorXd y = system.initial_state(), rate(system.size()),
           integrals = VectorXd::Zero(system.integral_count()), rates, memory;
  System::Forces forces;
  System::Tangent tangent;
  System::MemorySlopes slopes;
  expect_said({
      {"System::enter_modes: y", [&] { system.enter_modes(0.0, wrong); }},
      {"System::change_mode: y", [&] { system.change_mode(0, 0.0, wrong); }},
      {"System::change_mode: which", [&] { system.change_mode(0, 0.0, y); }},
      {"System::guards: y", [&] { system.guards(0.0, wrong, out); }},
      {"System::soften: which", [&] { system.soften(-1, 0.0, y); }},
      {"System::soften: y", [&] { system.soften(0, 0.0, wrong); }},
      {"System::apply_prescribed: q", [&] { system.apply_prescribed(0.0, wrong, v); }},
      {"System::apply_prescribed: v", [&] { system.apply_prescribed(0.0, q, wrong); }},
      {"System::accelerate: q", [&] { system.accelerate(0.0, wrong, v, integrals, a, rates); }},
      {"System::accelerate: v", [&] { system.accelerate(0.0, q, wrong, integrals, a, rates); }},
      {"System::accelerate: integrals", [&] { system.accelerate(0.0, q, v, wrong, a, rates); }},
      {"System::missing_forces: q", [&] { system.missing_forces(0.0, wrong, v, integrals, a, out, rates); }},
      {"System::missing_forces: a", [&] { system.missing_forces(0.0, q, v, integrals, wrong, out, rates); }},
      {"System::memory_rates: rates", [&] { system.memory_rates(0.0, q, v, integrals, out); }},
      {"System::memory_rates: v", [&] { system.memory_rates(0.0, q, wrong, integrals, memory); }},
      {"System::applied_forces: q", [&] { system.applied_forces(0.0, wrong, v, integrals, a); }},
      {"System::applied_forces: a", [&] { system.applied_forces(0.0, q, v, integrals, wrong); }},
      {"System::integral_rates: efforts", [&] { system.integral_rates(q, v, wrong, rates); }},
      {"System::integral_rates: q", [&] { system.integral_rates(wrong, v, a, rates); }},
      {"System::put_in_place: y", [&] { system.put_in_place(0.0, wrong); }},
      {"System::derivative: y", [&] { system.derivative(0.0, wrong, rate); }},
      {"System::derivative: rate", [&] { system.derivative(0.0, y, wrong); }},
      {"System::residual: y", [&] { system.residual(0.0, wrong, rate, rate); }},
      {"System::residual: rate", [&] { system.residual(0.0, y, wrong, rate); }},
      {"System::residual: residual", [&] { system.residual(0.0, y, rate, wrong); }},
      {"System::tangent: q", [&] { system.tangent(0.0, wrong, v, integrals, a, tangent); }},
      {"System::tangent: integrals", [&] { system.tangent(0.0, q, v, wrong, a, tangent); }},
      {"System::tangent: a", [&] { system.tangent(0.0, q, v, integrals, wrong, tangent); }},
      {"System::memory_slopes: v", [&] { system.memory_slopes(0.0, q, wrong, integrals, slopes); }},
      {"System::memory_slopes: integrals", [&] { system.memory_slopes(0.0, q, v, wrong, slopes); }},
      {"System::motion_operators: v", [&] { system.motion_operators(0.0, q, wrong, integrals, a); }},
      {"System::motion_operators: a", [&] { system.motion_operators(0.0, q, v, integrals, wrong); }},
      {"System::forces: q", [&] { system.forces(0.0, wrong, v, integrals, forces); }},
      {"energy: q", [&] { system.energy(wrong, v); }},
      {"System::note_sizes: v", [&] { system.note_sizes(q, wrong); }},
      {"System::q_tolerance: i", [&] { system.q_tolerance(3); }},
      {"System::v_tolerance: i", [&] { system.v_tolerance(-1); }},
      {"System::displacement_tolerance: i", [&] { system.displacement_tolerance(9); }},
  });
  // Columns of matrices and memory of others are results, too.
  Eigen::MatrixXd columns(system.size(), 2);
  columns.col(0) = y;
  system.derivative(0.0, columns.col(0), columns.col(1));
  std::vector<double> memory_of_others(static_cast<std::size_t>(system.size()));
  system.derivative(0.0, y, Eigen::Map<VectorXd>(memory_of_others.data(), system.size()));
  system.derivative(0.0, y, rate);
  EXPECT_EQ(columns.col(1), rate);
  EXPECT_EQ(Eigen::Map<VectorXd>(memory_of_others.data(), system.size()), rate);
  EXPECT_GT(rate.norm(), 0.0);
}

TEST_F(WrongCallsOfSimulations, OfControllersSayWhich) {
  const JointTarget off{4, 0, constant_trajectory(0.0)}, elastic{1, 1, constant_trajectory(0.0)};
  const Instant now{0.0, 0.05, q, v};
  const Instant short_q{0.0, 0.05, wrong, v};
  TorqueController torque(off);
  PdController pd(off, 1.0, 1.0);
  MatrixXd K = MatrixXd::Zero(3, 3), C = K, small = MatrixXd::Zero(2, 2), empty;
  VectorXd no_memory;
  RigidTwin twin(m);
  const HoldingPath path(m, q, {shoulder}, 1.0);
  const auto feedback = [&](const StateFeedbackController::Gains& gains, std::vector<int> integrated = {},
                            const JointTarget& driven = JointTarget{0, 0, constant_trajectory(0.0)}) {
    return StateFeedbackController(m, {driven}, q, path, gains, std::move(integrated));
  };
  const MatrixXd row = MatrixXd::Zero(1, 3), no_x(1, 0);
  auto right = feedback({row, row, no_x});
  ComputedTorqueController computed(m, {{shoulder, 1.0, 1.0}});
  expect_said({
      {"TorqueController: coordinate", [&] { torque.add_efforts(now, out); }},
      {"PdController: coordinate", [&] { pd.add_efforts(now, out); }},
      {"PdController: coordinate", [&] { pd.add_gains(now, K, C); }},
      {"RigidTwin::coordinate: of_arm", [&] { twin.coordinate(3); }},
      {"RigidTwin::position: of_arm", [&] { twin.position(-1); }},
      {"RigidTwin::joints_of: arm_q", [&] { twin.joints_of(VectorXd(), twin.q); }},
      {"RigidTwin::joints_of: twin_q", [&] { twin.joints_of(q, wrong); }},
      {"GravityCompensationController: joints", [&] { GravityCompensationController(m, {off}, true); }},
      {"GravityCompensationController: joints", [&] { GravityCompensationController(m, {elastic}, true); }},
      {"RigidInverseDynamicsController: driven", [&] { RigidInverseDynamicsController(m, {off}, {}); }},
      {"RigidInverseDynamicsController: others",
       [&] { RigidInverseDynamicsController(m, {shoulder}, {off}); }},
      {"ComputedTorqueController: driven",
       [&] {
         ComputedTorqueController(m, {{off, 1.0, 1.0}});
       }},
      {"ComputedTorqueController: driven",
       [&] {
         ComputedTorqueController(m, {{{0, 0, nullptr}, 1.0, 1.0}});
       }},
      {"ComputedTorqueController: coordinate", [&] { computed.add_gains(now, K, empty); }},
      {"HoldingPath: q", [&] { HoldingPath(m, wrong, {shoulder}, 1.0); }},
      {"HoldingPath: moving", [&] { HoldingPath(m, q, {off}, 1.0); }},
      {"HoldingPath: duration", [&] { HoldingPath(m, q, {shoulder}, 0.0); }},
      {"StateFeedbackController: driven",
       [&] {
         feedback({row, row, no_x}, {}, off);
       }},
      {"StateFeedbackController: gains.q",
       [&] {
         feedback({small, row, no_x});
       }},
      {"StateFeedbackController: gains.v",
       [&] {
         feedback({row, small, no_x});
       }},
      {"StateFeedbackController: gains.x",
       [&] {
         feedback({row, row, row});
       }},
      {"StateFeedbackController: integrated",
       [&] {
         feedback({row, row, MatrixXd::Zero(1, 1)}, {1});
       }},
      {"StateFeedbackController::add_efforts: now.q", [&] { right.add_efforts(short_q, out); }},
      {"StateFeedbackController::add_efforts: efforts", [&] { right.add_efforts(now, wrong); }},
      {"StateFeedbackController::add_gains: stiffness", [&] { right.add_gains(now, small, C); }},
      {"StateFeedbackController::add_gains: damping", [&] { right.add_gains(now, K, small); }},
      {"StateFeedbackController::memory_rate: at_limit",
       [&] { right.memory_rate(now, Eigen::VectorXi::Zero(1), no_memory); }},
  });
}

TEST_F(WrongCallsOfSimulations, OfResultsSayWhich) {
  Scenario s = scenario();
  const ArmOutline outline = outline_of(m, 5);
  const OutlineLink& link = outline.links[0];
  const VectorXd eta = VectorXd::Zero(2);
  const TemporaryFolder folder;
  s.output.wrenches = true;
  CsvWriter csv(folder.path() / "run.csv", s);
  const auto changed = [&](const std::function<void(Sample&)>& change) {
    Sample sample;
    sample.q = q;
    sample.v = sample.efforts = sample.asked = sample.acceleration = sample.power = v;
    sample.references = VectorXd::Zero(1);
    sample.wrenches.resize(1, Wrench::zero());
    change(sample);
    return sample;
  };
  csv.add(changed([](Sample&) {}));
  NaturalModes modes = natural_modes(m, q);
  modes.participation.resize(1, 1);
  expect_said({
      {"ArmOutline::root_poses: q", [&] { outline.root_poses(wrong); }},
      {"ArmOutline::end_effector: q", [&] { outline.end_effector(wrong); }},
      {"OutlineLink::place: place", [&] { link.place(99, eta); }},
      {"OutlineLink::place: eta", [&] { link.place(0, q); }},
      {"OutlineLink::sum: place", [&] { link.sum(0, -1, eta); }},
      {"OutlineLink::sum: eta", [&] { link.sum(0, 0, q); }},
      {"OutlineLink::eta: q", [&] { link.eta(wrong); }},
      {"CsvWriter::add: sample.q", [&] { csv.add(changed([&](Sample& x) { x.q = wrong; })); }},
      {"CsvWriter::add: sample.v", [&] { csv.add(changed([&](Sample& x) { x.v = wrong; })); }},
      {"CsvWriter::add: sample.acceleration",
       [&] { csv.add(changed([&](Sample& x) { x.acceleration = wrong; })); }},
      {"CsvWriter::add: sample.power", [&] { csv.add(changed([&](Sample& x) { x.power = wrong; })); }},
      {"CsvWriter::add: sample.efforts", [&] { csv.add(changed([&](Sample& x) { x.efforts = wrong; })); }},
      {"CsvWriter::add: sample.references",
       [&] { csv.add(changed([&](Sample& x) { x.references = wrong; })); }},
      {"CsvWriter::add: sample.wrenches", [&] { csv.add(changed([&](Sample& x) { x.wrenches.clear(); })); }},
      {"CsvWriter::add: table.values",
       [&] {
         csv.add(ResultTable{{}, MatrixXd::Zero(2, 2), {}});
       }},
      {"end_frequencies: q", [&] { end_frequencies(s, wrong); }},
      {"modes_page: q", [&] { modes_page(m, wrong, modes, "", {}); }},
      {"modes_page: modes.participation", [&] { modes_page(m, q, modes, "", {}); }},
  });
}

}  // namespace
}  // namespace limber
