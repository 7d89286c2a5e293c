// SPDX-License-Identifier: BSD-3-Clause
// An arm that is taken along step by step: the same motion as a run in one go, saved and restored, without the heap.

#include "limber/simulation/simulator.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "allocations.hpp"
#include "limber/core/input_error.hpp"
#include "runs.hpp"

namespace limber {
namespace {

using Eigen::VectorXd;

// A boom and a jib that bend, under PD, a filter and a load; a motor that comes to its limit, and a controller with samples.
const std::string two_booms = R"(limber: 1
model:
  gravity: [0, -9.81, 0]
  links:
    - name: boom
      joint: {name: shoulder, axis: [0, 0, 1], limits: {effort: 900}}
      beam: {length: 2, section: {EI_z: 4e3, mass_per_length: 4}, modes: {y: {count: 2}}, damping: {ratio: 0.01}}
    - name: jib
      joint: {name: elbow, axis: [0, 0, 1]}
      beam: {length: 1.5, section: {EI_z: 2e3, mass_per_length: 2}, modes: {y: {count: 1}}, damping: {ratio: 0.01}}
      tip: {mass: 5}
trajectories:
  up: {type: quintic, from: -1, to: 0.2, start: 0.05, duration: 0.3}
loads: [{link: jib, force: [0, -60, 0], from: 0.12}]
initial: {q: {shoulder: -1, elbow: 0.3}, settle: true}
actuation:
  - {joint: shoulder, type: pd, kp: 4000, kd: 400, target: {trajectory: up}, gravity_compensation: target}
  - {joint: elbow, type: pd, kp: 3000, kd: 100, target: {value: 0.3}}
duration: 0.5
)";

/// Every 4 ms: a torque against the elbow's velocity, and the sum of what it saw.
class Sampled : public Controller {
 public:
  double rate() const override { return 250.0; }
  int memory_size() const override { return 1; }
  void add_efforts(const Instant& now, VectorXd& efforts) override {
    efforts[3] -= 5.0 * now.v[3] + 0.1 * now.x[0];
  }
  void remember(const Instant& now, const Eigen::VectorXi&, Eigen::Ref<VectorXd> x) override {
    x[0] += now.v[3];
  }
};

/// x' = (shoulder - x)/0.02, and a small effort of it.
class Filter : public Controller {
 public:
  int memory_size() const override { return 1; }
  void add_efforts(const Instant& now, VectorXd& efforts) override { efforts[3] += 10.0 * now.x[0]; }
  void memory_rate(const Instant& now, const Eigen::VectorXi&, Eigen::Ref<VectorXd> rate) override {
    rate[0] = (now.q[0] - now.x[0]) / 0.02;
  }
};

Scenario built(const std::string& method, bool sampled = true) {
  const ScenarioFile file = scenario(two_booms + method + "\n");
  Scenario made = build_scenario(file.description, file.model);
  made.controllers.push_back(std::make_unique<Filter>());
  if (sampled) made.controllers.push_back(std::make_unique<Sampled>());
  return made;
}

struct Method {
  const char* name;
  const char* text;
  bool is_fixed;
  double tolerance;  ///< of stepped against not
};
const Method methods[] = {
    {"rk4", "integrator: {method: rk4, step: 0.0001}", true, 0.0},
    {"euler", "integrator: {method: euler, step: 0.00005}", true, 0.0},
    {"generalized_alpha", "integrator: {method: generalized-alpha, step: 0.001}", true, 0.0},
    {"rkmk4", "formulation: dae\nintegrator: {method: rkmk4, step: 0.0001}", true, 0.0},
    {"radau", "integrator: {method: radau, rtol: 1e-8}", false, 1e-6},
    {"radau9", "integrator: {method: radau9, rtol: 1e-8}", false, 1e-6},
    {"radau13", "integrator: {method: radau13, rtol: 1e-8}", false, 1e-6},
    {"variable_radau", "integrator: {method: variable-radau, rtol: 1e-8}", false, 1e-6},
    {"bdf", "integrator: {method: bdf, rtol: 1e-8}", false, 1e-5},
    {"ida", "integrator: {method: ida, rtol: 1e-8}", false, 1e-5},
    {"adams", "integrator: {method: adams, rtol: 1e-8}", false, 1e-5},
    {"erk", "integrator: {method: erk, rtol: 1e-8}", false, 1e-6},
    {"automatic", "integrator: {rtol: 1e-8}", false, 1e-6}};

class EveryMethod : public testing::TestWithParam<Method> {};

TEST_P(EveryMethod, SteppedIsTheSameAsInOneGo) {
  for (const bool sampled : {false, true}) {
    Scenario whole = built(GetParam().text, sampled);
    const RunSummary expected = simulate(whole);
    Simulator arm(built(GetParam().text, sampled));
    const VectorXd none = VectorXd::Zero(arm.model().nv());
    for (int k = 0; k < 250; ++k) arm.step(1e-3, none);
    for (int k = 251; k <= 500; ++k) arm.advance_to(k * 1e-3);
    EXPECT_NEAR(arm.state().t, 0.5, 1e-12);
    const double far = (arm.state().q - expected.q).cwiseAbs().maxCoeff(),
                 fast = (arm.state().v - expected.v).cwiseAbs().maxCoeff();
    EXPECT_LE(far, GetParam().tolerance) << sampled;
    EXPECT_LE(fast, 30.0 * GetParam().tolerance) << sampled;
  }
}

// Also where it was saved within an interval, at a sample, at its limit, and in another simulator of the scenario.
TEST_P(EveryMethod, WhatWasSavedGoesOnTheSameToTheLastBit) {
  Simulator arm(built(GetParam().text)), other(built(GetParam().text));
  VectorXd push = VectorXd::Zero(arm.model().nv());
  for (const double time : {0.0, 0.03, 0.12, 0.2005, 0.3}) {
    arm.advance_to(time);
    push[3] = 20.0 * time;
    arm.set_efforts(push);
    arm.set_load("boom", {0.0, 50.0 * time, 0.0});
    const Simulator::Saved saved = arm.save();
    const double saved_at = arm.state().t, until = time + 0.021;
    arm.step(0.003);
    arm.advance_to(until);
    const Simulator::State expected = arm.state();
    arm.set_load(0, {1.0, 2.0, 3.0});
    arm.step(0.01);
    EXPECT_NE(arm.state().q[0], expected.q[0]);
    for (Simulator* again : {&arm, &other}) {
      again->restore(saved);
      EXPECT_EQ(again->state().t, saved_at);
      again->step(0.003);
      again->advance_to(until);
      EXPECT_EQ(again->state().t, expected.t);
      EXPECT_EQ(again->state().q, expected.q) << time;
      EXPECT_EQ(again->state().v, expected.v) << time;
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Methods, EveryMethod, testing::ValuesIn(methods),
                         [](const auto& method) { return std::string(method.param.name); });

class WithoutHeap : public testing::TestWithParam<const char*> {};

TEST_P(WithoutHeap, Steps) {
  Simulator arm(built(std::string("integrator: {") + GetParam() + "}"));
  VectorXd push = VectorXd::Zero(arm.model().nv());
  arm.advance_to(0.15);  // once over everything: sizes are found
  const test::AllocationCounter heap;
  for (int k = 0; k < 100; ++k) {
    push[3] = k % 2;
    arm.step(1e-3, push);
  }
  EXPECT_EQ(heap.count(), 0);
}
INSTANTIATE_TEST_SUITE_P(Methods, WithoutHeap,
                         testing::Values("method: rk4, step: 0.0001", "method: euler, step: 0.00005",
                                         "method: generalized-alpha, step: 0.001", "method: radau",
                                         "method: radau9"));

// Sensors that are sampled, late and noisy, an estimate of the arm, filters that are integrated along: nobody uses the heap for them either.
TEST_P(WithoutHeap, StepsWithSensorsAndWhatControllersRemember) {
  for (const char* controller :
       {"{joint: hub, type: lqg, sensors: [encoder, gauge], integral: true, rate: 1000}",
        "{joint: hub, type: lqg, sensors: [angle], integral: true}",
        "{joint: hub, type: pid, kp: 40, ki: 60, kd: 4, derivative_filter: 0.001, target: {value: 0.2}}"}) {
    const ScenarioFile file =
        scenario(std::string("limber: 1\nmodel: lab_link/lab_link.yaml\nactuation:\n  - ") + controller +
                 "\nsensors:\n  - {name: encoder, type: position, joint: hub, rate: 1000, quantum: 1e-5}\n"
                 "  - {name: gauge, type: strain, link: strip, at: 0.05, offset: [0.0015, 0], rate: 1000, "
                 "noise: 1e-6, "
                 "delay: 0.002}\n  - {name: angle, type: position, joint: hub}\n"
                 "initial: {q: {strip.y1: 0.01}}\nduration: 1\nintegrator: {" +
                 GetParam() + "}\n");
    Simulator arm(build_scenario(file.description, file.model));
    arm.advance_to(0.15);
    arm.readings();
    const test::AllocationCounter heap;
    for (int k = 0; k < 50; ++k) arm.step(1e-3);
    arm.readings();
    EXPECT_EQ(heap.count(), 0) << controller;
  }
}

const std::string turning = R"(limber: 1
model:
  gravity: [0, 0, 0]
  links: [{name: a, joint: {name: j, limits: {effort: 3}}, rigid: {mass: 2, com: [1, 0, 0], inertia: [1, 1, 1, 0, 0, 0]}}]
duration: 1
)";

// Inertia 3: q'' = effort/3, constant over each step, up to the motor's limit.
TEST(Simulator, HoldsEffortsFromOutsideUnderTheLimitsOfMotors) {
  // BDF begins anew, at first order, with every change.
  const std::pair<const char*, double> methods_and_tolerances[] = {{"{method: rk4, step: 0.001}", 1e-10},
                                                                   {"{method: radau}", 1e-10},
                                                                   {"{method: bdf, rtol: 1e-10}", 1e-5}};
  for (const auto& [method, tolerance] : methods_and_tolerances) {
    const ScenarioFile file = scenario(turning + "integrator: " + method + "\n");
    Simulator arm(build_scenario(file.description, file.model));
    double q = 0.0, v = 0.0;
    VectorXd effort(1);
    for (int k = 0; k < 1500; ++k) {  // beyond the duration, too
      effort[0] = 5.0 * std::sin(0.01 * k);
      arm.step(1e-3, effort);
      const double a = std::clamp(effort[0], -3.0, 3.0) / 3.0;
      q += 1e-3 * v + 0.5e-6 * a;
      v += 1e-3 * a;
    }
    EXPECT_NEAR(arm.state().t, 1.5, 1e-12) << method;
    EXPECT_NEAR(arm.state().q[0], q, tolerance) << method;
    EXPECT_NEAR(arm.state().v[0], v, tolerance) << method;
  }
}

// A moment about the joint's axis on its tip does what the motor would.
TEST(Simulator, TakesLoadsFromOutside) {
  const ScenarioFile file = scenario(turning + "integrator: {method: rk4, step: 0.01}\n");
  Simulator arm(build_scenario(file.description, file.model));
  arm.set_load("a", Eigen::Vector3d::Zero(), {0.0, 0.0, 6.0});
  arm.step(0.5);
  arm.set_load("a", Eigen::Vector3d::Zero());
  arm.step(0.5);
  EXPECT_NEAR(arm.state().v[0], 1.0, 1e-12);
  EXPECT_NEAR(arm.state().q[0], 0.25 + 0.5, 1e-12);
}

// Put somewhere, it goes on from there at the time that it was, whatever the method knew of the way before.
TEST_P(EveryMethod, IsPutWhereItIsTold) {
  Simulator arm(built(GetParam().text, false)), begun(built(GetParam().text, false));
  const Simulator::State start = arm.state();
  arm.set_state(start.q + VectorXd::Constant(start.q.size(), 0.01), start.v);
  arm.set_state(start.q, start.v);
  EXPECT_EQ(arm.state().t, 0.0);
  EXPECT_EQ(arm.state().q, start.q);
  for (Simulator* one : {&arm, &begun}) one->advance_to(0.1);
  EXPECT_EQ(arm.state().q, begun.state().q);
}

TEST(Simulator, TurnsOnFromWhereItIsPut) {
  const ScenarioFile file = scenario(turning + "integrator: {method: rk4, step: 0.01}\n");
  Simulator arm(build_scenario(file.description, file.model));
  arm.step(0.25);
  arm.set_state(VectorXd::Constant(1, 0.3), VectorXd::Constant(1, 2.0));
  arm.step(0.5);
  EXPECT_NEAR(arm.state().t, 0.75, 1e-12);
  EXPECT_NEAR(arm.state().q[0], 0.3 + 2.0 * 0.5, 1e-12);
  EXPECT_THROW(arm.set_state(VectorXd::Zero(2), VectorXd::Zero(1)), InputError);
  EXPECT_ANY_THROW(arm.set_state(VectorXd::Constant(1, NAN), VectorXd::Zero(1)));
  EXPECT_NEAR(arm.state().q[0], 1.3, 1e-12);
}

// What listens hears every step, and ends what it likes; the arm stays where it came to.
TEST(Simulator, IsHeardAfterEveryStep) {
  const ScenarioFile file = scenario(turning + "integrator: {method: rk4, step: 0.01}\n");
  Simulator arm(build_scenario(file.description, file.model));
  int steps = 0;
  arm.on_step([&] { ++steps; });
  arm.advance_to(0.2);
  EXPECT_EQ(steps, 20);
  arm.on_step([&] {
    if (++steps == 25) throw 7;
  });
  EXPECT_THROW(arm.advance_to(0.9), int);
  EXPECT_NEAR(arm.state().t, 0.25, 1e-12);
  arm.on_step({});
  arm.advance_to(0.9);
  EXPECT_EQ(steps, 25);
}

TEST(Simulator, SaysWhatIsWrong) {
  const ScenarioFile file = scenario(turning);
  Simulator arm(build_scenario(file.description, file.model));
  const auto message = [](const auto& action) -> std::string {
    try {
      action();
    } catch (const InputError& error) {
      return error.what();
    }
    return "nothing";
  };
  const std::string sizes = message([&] { arm.step(0.1, VectorXd::Zero(2)); });
  EXPECT_NE(sizes.find("Simulator::set_efforts: expected 1 finite numbers"), std::string::npos) << sizes;
  EXPECT_EQ(message([&] { arm.step(-1.0); }), "Simulator::step: h: expected a time > 0 [s], found -1");
  arm.step(0.5);
  EXPECT_EQ(message([&] { arm.advance_to(0.2); }),
            "Simulator::advance_to: t: expected a time from 0.5 s on, found 0.2 (restore() goes back)");
  EXPECT_NE(message([&] {
              arm.set_load(0, {1, 0, 0});
            }).find("the scenario has no `loads`"),
            std::string::npos);
  EXPECT_NE(message([&] { arm.set_load("b", {1, 0, 0}); }).find("`a`"), std::string::npos);
  Simulator other(built(methods[0].text));
  EXPECT_NE(message([&] { arm.restore(other.save()); }).find("the same scenario"), std::string::npos);
}

// A sampled controller is asked once for each sample, at its time to the last bit, by every method.
class Clock : public Controller {
 public:
  explicit Clock(std::vector<double>& times) : times_(times) {}
  double rate() const override { return 300.0; }
  void add_efforts(const Instant& now, VectorXd&) override { times_.push_back(now.t); }

 private:
  std::vector<double>& times_;
};

TEST_P(EveryMethod, AsksOncePerSample) {
  std::vector<double> times;
  Scenario made = built(GetParam().text);
  made.controllers.push_back(std::make_unique<Clock>(times));
  simulate(made);
  ASSERT_EQ(times.size(), 150u);
  for (std::size_t k = 0; k < times.size(); ++k) EXPECT_EQ(times[k], static_cast<double>(k) / 300.0);
}

// Inertia 3, PD at 1 kHz: q and v at the samples follow the difference equations of a held effort.
class SampledPd : public Controller {
 public:
  double rate() const override { return 1000.0; }
  void add_efforts(const Instant& now, VectorXd& efforts) override {
    efforts[0] += 40.0 * (0.05 - now.q[0]) - 6.0 * now.v[0];
  }
};

TEST(SampledControllers, IsItsDifferenceEquation) {
  for (const char* method :
       {"{method: rk4, step: 0.001}", "{method: rk4, step: 0.0003}", "{method: radau}", "{method: radau9}",
        "{method: erk}", "{method: bdf, rtol: 1e-13, atol: 1e-14}", "{method: ida, rtol: 1e-13, atol: 1e-14}",
        "{method: adams, rtol: 1e-13, atol: 1e-14}", "{method: generalized-alpha, step: 0.001}"}) {
    const ScenarioFile file = scenario(turning + "output: {rate: 1000}\nintegrator: " + method + "\n");
    Scenario made = build_scenario(file.description, file.model);
    made.controllers.push_back(std::make_unique<SampledPd>());
    History history;
    simulate(made, &history);
    double q = 0.0, v = 0.0;
    for (const Sample& row : history.rows) {
      EXPECT_NEAR(row.q[0], q, 1e-10) << method << " at " << row.t;
      EXPECT_NEAR(row.v[0], v, 1e-10) << method << " at " << row.t;
      const double a = (40.0 * (0.05 - q) - 6.0 * v) / 3.0;
      if (row.t < 0.9995) {
        EXPECT_NEAR(row.efforts[0], 3.0 * a, 1e-8) << method << " at " << row.t;
      }
      q += 1e-3 * v + 0.5e-6 * a;
      v += 1e-3 * a;
    }
    EXPECT_EQ(history.rows.size(), 1001u);
  }
}

// What sampled controllers remember and hold is part of a checkpoint.
TEST(SampledControllers, GoesOnWhereARunWasInterrupted) {
  Scenario made = built(methods[0].text);
  const RunSummary whole = simulate(made);
  RunOptions options;
  options.progress = [](const Progress& progress) { return progress.t < 0.2495; };
  const RunSummary half = simulate(made, nullptr, options);
  ASSERT_FALSE(half.finished);
  RunOptions rest;
  rest.resume = half.last;
  EXPECT_EQ(simulate(made, nullptr, rest).q, whole.q);
}

}  // namespace
}  // namespace limber
