// SPDX-License-Identifier: BSD-3-Clause
// Many arms that are taken along together move as each of them alone.

#include "limber/simulation/simulators.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "limber/core/input_error.hpp"
#include "limber/core/processor_level.hpp"
#include "runs.hpp"

namespace limber {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// A boom and a jib that bend, under PD, with a motor that comes to its limit (an event) and a load that begins.
std::string booms(int i, const std::string& integrator, const std::string& limit) {
  const std::string number = std::to_string(i);
  return R"(limber: 1
model:
  gravity: [0, -9.81, 0]
  links:
    - name: boom
      joint: {name: shoulder, axis: [0, 0, 1], limits: {effort: )" +
         limit + R"(}}
      beam: {length: 2, section: {EI_z: 4e3, mass_per_length: 4}, modes: {y: {count: 2}}, damping: {ratio: 0.01}}
    - name: jib
      joint: {name: elbow, axis: [0, 0, 1]}
      beam: {length: 1.5, section: {EI_z: 2e3, mass_per_length: 2}, modes: {y: {count: 1}}, damping: {ratio: 0.01}}
      tip: {mass: )" +
         std::to_string(5.0 + 0.1 * i) + R"(}
trajectories:
  up: {type: quintic, from: -1, to: 0.2, start: 0.05, duration: 0.3}
)" + (i % 3 == 2 ? "loads: [{link: jib, force: [0, -60, 0], from: 0.12}]\n" : "") +
         R"(initial: {q: {shoulder: -1, elbow: 0.)" + number + R"(}}
actuation:
  - {joint: shoulder, type: pd, kp: 4000, kd: 400, target: {trajectory: up}, gravity_compensation: target}
  - {joint: elbow, type: pid, kp: 300, ki: 10, kd: 5, rate: 250, target: {value: 0.3}}
duration: 0.5
integrator: {)" +
         integrator + "}\n";
}

Scenario built(int i, const std::string& integrator, const std::string& limit = "900") {
  const ScenarioFile file = scenario(booms(i, integrator, limit));
  return build_scenario(file.description, file.model);
}

std::vector<Scenario> ten(const std::string& integrator, const std::string& limit = "900") {
  std::vector<Scenario> scenarios;
  for (int i = 0; i < 10; ++i) scenarios.push_back(built(i, integrator, limit));
  return scenarios;
}

int arms_in_batches(const Simulators& arms) {
  int count = 0;
  for (int g = 0; g < arms.group_count(); ++g)
    if (arms.group(g).is_batch) count += arms.group(g).count;
  return count;
}

struct Case {
  const char *integrator, *limit;  ///< of the shoulder's motor [N m]
  double tolerance;
};
class Together : public testing::TestWithParam<Case> {};

// Rounding, as it grows over some thousand steps. Where a motor comes to its limit, generalized-alpha begins anew if accelerations before and after are not the same to the last bit:
// then both are within its own error.
TEST_P(Together, MoveAsEachAlone) {
  const auto [integrator, limit, tolerance] = GetParam();
  Simulators together(ten(integrator, limit));
  std::vector<Simulator> alone;
  for (int i = 0; i < 10; ++i) alone.emplace_back(built(i, integrator, limit));
  MatrixXd efforts = MatrixXd::Zero(together[0].model().nv(), 10);
  for (int k = 0; k < 25; ++k) {
    efforts.row(3).setConstant(k % 5);
    together.step(0.0123, efforts);
    for (int i = 0; i < 10; ++i) alone[static_cast<std::size_t>(i)].step(0.0123, efforts.col(i));
  }
  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ(together.failures()[static_cast<std::size_t>(i)], "");
    const Simulator::State &here = together[i].state(), &there = alone[static_cast<std::size_t>(i)].state();
    EXPECT_DOUBLE_EQ(here.t, there.t);
    EXPECT_LT((here.q - there.q).norm(), tolerance * there.q.norm()) << i;
    EXPECT_LT((here.v - there.v).norm(), 100.0 * tolerance * there.v.norm()) << i;
  }
  if (processor_level() != ProcessorLevel::plain) {
    EXPECT_EQ(arms_in_batches(together), 10);
  }
}
INSTANTIATE_TEST_SUITE_P(Methods, Together,
                         testing::Values(Case{"method: rk4, step: 0.0001", "900", 1e-11},
                                         Case{"method: euler, step: 0.00002", "900", 1e-11},
                                         Case{"method: generalized-alpha, step: 0.001", "90000", 1e-10},
                                         Case{"method: generalized-alpha, step: 0.001", "900", 1e-5}));

// To the last bit, wherever it stands and whoever stands beside it, one that fails among them.
TEST(Simulators, ArmsDoNotKnowOfEachOther) {
  const std::string method = "method: rk4, step: 0.0001";
  std::vector<Scenario> turned;
  for (int i = 0; i < 10; ++i) turned.push_back(built((i + 3) % 10, method));
  turned[1].v[1] = 1e150;  // runs away
  Simulators first(ten(method)), second(std::move(turned));
  const MatrixXd none = MatrixXd::Zero(first[0].model().nv(), 10);
  for (int k = 0; k < 20; ++k) {
    first.step(0.005, none);
    second.step(0.005, none);
  }
  for (int i = 0; i < 10; ++i) {
    if (i == 1) continue;
    EXPECT_EQ(second[i].state().q, first[(i + 3) % 10].state().q) << i;
    EXPECT_EQ(second[i].state().v, first[(i + 3) % 10].state().v) << i;
  }
  const std::string& why = second.failures()[1];
  EXPECT_NE(why.find("at t = 0 s"), std::string::npos) << why;
  EXPECT_EQ(second[1].state().t, 0.0);
  second[1].set_state(first[4].state().q, first[4].state().v);
  second.forgive(1);
  second.step(0.005, none);
  EXPECT_EQ(second.failures()[1], "");
  EXPECT_NEAR(second[1].state().t, 0.005, 1e-12);
}

// Methods that do not ask, other formulations and other topologies go by themselves.
TEST(Simulators, TakeWhateverGoesAlone) {
  std::vector<Scenario> scenarios;
  const char* methods[] = {"method: rk4, step: 0.0001", "method: radau", "method: rk4, step: 0.0001",
                           "method: rk4, step: 0.0001"};
  for (const char* method : methods) scenarios.push_back(built(1, method));
  scenarios[2].formulation = FormulationKind::dense;
  Simulators arms(std::move(scenarios));
  EXPECT_EQ(arms_in_batches(arms), 0);
  EXPECT_EQ(arms.group_count(), 4);
  const MatrixXd none = MatrixXd::Zero(arms[0].model().nv(), 4);
  arms.step(0.02, none);
  Simulator alone(built(1, "method: rk4, step: 0.0001"));
  alone.step(0.02);
  EXPECT_EQ(arms[3].state().q, alone.state().q);
  EXPECT_LT((arms[1].state().q - alone.state().q).norm(), 1e-6);
}

TEST(Simulators, RefuseWrongCalls) {
  EXPECT_THROW(Simulators(std::vector<Scenario>()), InputError);
  std::vector<Scenario> two;
  two.push_back(built(1, "method: rk4, step: 0.0001"));
  const ScenarioFile other = shipped("canadarm/manoeuvre.yaml");
  two.push_back(build_scenario(other.description, other.model));
  EXPECT_THROW(Simulators(std::move(two)), InputError);
  Simulators arms(ten("method: rk4, step: 0.0001"));
  const MatrixXd none = MatrixXd::Zero(arms[0].model().nv(), 10);
  EXPECT_THROW(arms.step(0.0, none), InputError);
  EXPECT_THROW(arms.step(NAN, none), InputError);
  EXPECT_THROW(arms.step(0.01, none.leftCols(9)), InputError);
  EXPECT_THROW(arms.step(0.01, none.topRows(2)), InputError);
  EXPECT_THROW(arms.step(0.01, MatrixXd::Constant(none.rows(), 10, NAN)), InputError);
  EXPECT_THROW(arms[10], InputError);
  EXPECT_THROW(arms.group(99), InputError);
  EXPECT_THROW(arms.step_group(-1, 0.01, none), InputError);
  EXPECT_THROW(arms.forgive(10), InputError);
}

}  // namespace
}  // namespace limber
