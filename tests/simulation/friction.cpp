// SPDX-License-Identifier: BSD-3-Clause
// Joints that stick and slip: closed forms, all methods, all formulations, and the energy ledger.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "limber/algorithms/mass_matrix.hpp"
#include "limber/analysis/modes.hpp"
#include "limber/simulation/simulator.hpp"
#include "limber/simulation/system.hpp"
#include "runs.hpp"

namespace limber {
namespace {

constexpr double pi = std::numbers::pi, g = 9.81;

std::string text(double x) { return std::to_string(x); }

void expect_closed_ledger(const TestRun& done, double accuracy) {
  const Ledger& ledger = done.summary.ledger;
  const double size = std::abs(ledger.work_actuators) + ledger.dissipated + done.summary.last.energy_size;
  EXPECT_LT(std::abs(ledger.error), accuracy * size);
  EXPECT_FALSE(done.summary.ledger_is_off);
}

// Every method with tolerances at which closed forms are met to about 1e-6.
const char* const methods[] = {"{method: radau, rtol: 1e-8, atol: 1e-11}",
                               "{method: radau9, rtol: 1e-8, atol: 1e-11}",
                               "{method: variable-radau, rtol: 1e-8, atol: 1e-11}",
                               "{method: erk, rtol: 1e-9, atol: 1e-12}",
                               "{method: adams, rtol: 1e-9, atol: 1e-12}",
                               "{method: bdf, rtol: 1e-9, atol: 1e-12}",
                               "{method: ida, rtol: 1e-9, atol: 1e-12}",
                               "{method: rk4, step: 1e-3}",
                               "{method: rkmk4, step: 1e-3}",
                               "{method: generalized-alpha, step: 2e-4}"};
// rkmk4 wants links with poses of their own.
std::string by(const std::string& method) {
  const bool apart = method.find("rkmk4") != std::string::npos;
  return "integrator: " + method + (apart ? "\nformulation: dae\n" : "\n");
}
class Friction : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Methods, Friction, testing::ValuesIn(methods));

// ---- a block on an incline ----

// mu m g cos(angle) by hand: friction of a joint does not follow its load.
std::string incline(double angle_deg, double mu, double mu_static, const std::string& rest) {
  const double angle = angle_deg * pi / 180.0, mass = 2.0;
  return "limber: 1\nmodel:\n  limber: 1\n  gravity: [" + text(-g * std::sin(angle)) + ", 0, " +
         text(-g * std::cos(angle)) +
         "]\n  links:\n    - name: block\n      joint: {name: slide, type: prismatic, axis: [1, 0, 0], "
         "friction: "
         "{coulomb: " +
         text(mu * mass * g * std::cos(angle)) + ", static: " + text(mu_static * mass * g * std::cos(angle)) +
         "}}\n      rigid: {mass: 2, inertia: [0.01, 0.01, 0.01, 0, 0, 0]}\n" + rest;
}

// tan 20 deg = 0.364.
TEST_P(Friction, HoldsABlockOnAGentleSlopeExactly) {
  const TestRun done = run(incline(20, 0.3, 0.4, "duration: 2\n" + by(GetParam())));
  for (const Sample& row : done.rows) {
    EXPECT_EQ(row.q[0], 0.0);
    EXPECT_EQ(row.v[0], 0.0);
    EXPECT_NEAR(row.friction[0], -2.0 * g * std::sin(20 * pi / 180), 1e-5);  // it would slide to -x
  }
  EXPECT_EQ(done.summary.ledger.friction, 0.0);
}

TEST_P(Friction, LetsABlockSlideDownASteepSlope) {
  const double angle = 30 * pi / 180, a = g * (std::sin(angle) - 0.3 * std::cos(angle));
  const TestRun done = run(incline(30, 0.3, 0.4, "duration: 2\n" + by(GetParam())));
  for (const Sample& row : done.rows) {
    EXPECT_NEAR(row.v[0], -a * row.t, 2e-5);
    EXPECT_NEAR(row.q[0], -0.5 * a * row.t * row.t, 2e-5);
  }
  const double way = 0.5 * a * 4.0;
  EXPECT_NEAR(done.summary.ledger.friction, 0.3 * 2.0 * g * std::cos(angle) * way, 1e-3);
  EXPECT_EQ(done.summary.ledger.friction, done.summary.ledger.dissipated);
  expect_closed_ledger(done, 1e-5);
}

// Thrown up the slope it stops where m v^2/2 is spent; it stays there on the gentle one, and slides back down the steep one.
TEST_P(Friction, StopsABlockWhereItsEnergyIsSpentAndKeepsItOrNot) {
  for (const double degrees : {15.0, 35.0}) {
    SCOPED_TRACE(degrees);
    const double angle = degrees * pi / 180, up = g * (std::sin(angle) + 0.3 * std::cos(angle)),
                 down = g * (std::sin(angle) - 0.3 * std::cos(angle)), stops = 3.0 / up, top = 4.5 / up;
    const TestRun done = run(incline(
        degrees, 0.3, 0.4, "initial: {v: {slide: 3}}\nduration: 2\noutput: {rate: 50}\n" + by(GetParam())));
    for (const Sample& row : done.rows) {
      const double late = std::max(0.0, row.t - stops);
      if (row.t < stops) {
        EXPECT_NEAR(row.q[0], 3.0 * row.t - 0.5 * up * row.t * row.t, 2e-5);
      } else if (degrees < 20) {
        EXPECT_NEAR(row.q[0], top, 2e-5);
        EXPECT_EQ(row.v[0], 0.0);
        EXPECT_EQ(row.q[0], done.rows.back().q[0]);
      } else {
        EXPECT_NEAR(row.q[0], top - 0.5 * down * late * late, 5e-5);
      }
    }
    expect_closed_ledger(done, 1e-5);
  }
}

// ---- a block on a belt ----

// models/stick_slip/README.md
TEST_P(Friction, SticksAndSlipsOnABeltWithThePeriodAndAmplitudeOfTheClosedForm) {
  ScenarioFile file = shipped("stick_slip/belt.yaml");
  const ScenarioDescription how =
      scenario("limber: 1\nmodel: stick_slip/stick_slip.yaml\nduration: 1\n" + by(GetParam())).description;
  file.description.integrator = how.integrator;
  file.description.formulation = how.formulation;
  const TestRun done = run(file);
  const double k = 100, V = 0.2, d = 2.0 / k, w = 10, mean = 3.0 / k;
  const double amplitude = std::hypot(d, V / w), slips = 2.0 * (pi - std::atan(d * w / V)) / w,
               period = 2.0 * d / V + slips;
  // The first stick begins at x = 0, where the spring is at ease.
  const double first = 5.0 / k / V;
  double highest = 0.0, lowest = 1.0;
  for (const Sample& row : done.rows) {
    const double x = row.q[0] + row.q[1];
    if (row.t > first) highest = std::max(highest, x), lowest = std::min(lowest, x);
    if (row.t < first) {
      EXPECT_NEAR(x, V * row.t, 1e-7);
      EXPECT_EQ(row.v[1], 0.0);
      continue;
    }
    const double in_cycle = std::fmod(row.t - first, period);
    if (std::min(in_cycle, period - in_cycle) < 1e-3 || std::abs(in_cycle - slips) < 1e-3) continue;
    const double expected = in_cycle < slips
                                ? mean + d * std::cos(w * in_cycle) + V / w * std::sin(w * in_cycle)
                                : mean - d + V * (in_cycle - slips);
    EXPECT_NEAR(x, expected, 5e-6) << row.t;
    if (in_cycle > slips) {
      EXPECT_EQ(row.v[1], 0.0);
    }
    // while it slips the belt is faster: friction on the block is forwards, against its motion on the belt
    if (in_cycle < slips) {
      EXPECT_EQ(row.friction[1], -3.0);
    }
  }
  EXPECT_NEAR(highest, mean + amplitude, 2e-5);  // rows every 5 ms
  EXPECT_NEAR(lowest, mean - amplitude, 2e-5);
  EXPECT_LT(done.summary.last.steps, 60000);
  expect_closed_ledger(done, 1e-5);
}

// ---- a spring with dry friction ----

// Its amplitude falls by 2 coulomb/k with every half swing, until the spring holds less than static friction: Lorenz 1924.
TEST_P(Friction, BringsASpringToRestAfterTheRightNumberOfSwings) {
  const TestRun done =
      run("limber: 1\nmodel:\n  limber: 1\n  gravity: [0, 0, 0]\n  links:\n    - name: block\n      joint: "
          "{name: slide, "
          "type: prismatic, axis: [1, 0, 0], stiffness: 100, friction: {coulomb: 4, static: 6}}\n      "
          "rigid: {mass: 1, "
          "inertia: [0.01, 0.01, 0.01, 0, 0, 0]}\ninitial: {q: {slide: 0.45}}\nduration: 3\noutput: {rate: "
          "100}\n" +
          by(GetParam()));
  // 0.45, -0.37, 0.29, -0.21, 0.13, -0.05, which 6 N hold
  double turn = 0.45, side = 1.0;
  for (const Sample& row : done.rows) {
    const int half = std::min(5, static_cast<int>(row.t / (0.1 * pi)));
    turn = 0.45 - 0.08 * half;
    side = half % 2 == 0 ? 1.0 : -1.0;
    if (half == 5) {
      EXPECT_NEAR(row.q[0], -0.05, 1e-5);
      EXPECT_EQ(row.q[0], done.rows.back().q[0]);
      EXPECT_EQ(row.v[0], 0.0);
      EXPECT_NEAR(row.friction[0], 5.0, 1e-3);
    } else {
      EXPECT_NEAR(row.q[0], side * ((turn - 0.04) * std::cos(10 * (row.t - half * 0.1 * pi)) + 0.04), 1e-5);
    }
  }
  EXPECT_NEAR(done.summary.ledger.friction, 50 * (0.45 * 0.45 - 0.05 * 0.05), 1e-3);
  expect_closed_ledger(done, 1e-5);
}

// ---- laws ----

// A flywheel that friction brings to rest: Stribeck's and viscous terms against a fine integration by hand; the smooth law likewise.
TEST(FrictionLaws, AreWhatAHandWrittenIntegrationSays) {
  for (const double transition : {0.0, 0.01}) {
    const std::string smooth = transition > 0.0 ? ", transition_velocity: " + text(transition) : "";
    const TestRun done =
        run("limber: 1\nmodel:\n  limber: 1\n  links:\n    - name: wheel\n      joint: {name: spin, "
            "friction: {coulomb: 2, "
            "static: 3, stribeck_velocity: 0.3, viscous: 0.4" +
            smooth +
            "}}\n      rigid: {mass: 1, inertia: [1, 1, 0.8, 0, 0, 0]}\ninitial: {v: {spin: 4}}\nduration: "
            "2\nintegrator: {rtol: 1e-9, atol: 1e-12}\noutput: {rate: 10}\n");
    const auto rate = [&](double v) {
      const double dry = 2.0 + std::exp(-v * v / 0.09);
      return -(dry * (transition > 0.0 ? std::tanh(v / transition) : v > 0.0 ? 1.0 : 0.0) + 0.4 * v) / 0.8;
    };
    double v = 4.0, t = 0.0;
    constexpr double h = 1e-5;
    for (const Sample& row : done.rows) {
      for (; t < row.t - 0.5 * h; t += h) {
        const double k1 = rate(v), k2 = rate(v + 0.5 * h * k1), k3 = rate(v + 0.5 * h * k2),
                     k4 = rate(v + h * k3);
        v += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
      }
      EXPECT_NEAR(row.v[0], std::max(v, 0.0), 1e-5) << row.t << " " << transition;
    }
    EXPECT_NEAR(done.summary.ledger.friction, 0.5 * 0.8 * 16.0, 1e-6);
    expect_closed_ledger(done, 1e-6);
    if (transition == 0.0) {
      EXPECT_EQ(done.rows.back().v[0], 0.0);
    }
  }
}

// ---- several joints, bodies that bend, gears ----

const std::string bending_arm = R"(
limber: 1
model:
  limber: 1
  links:
    - name: boom
      joint: {name: shoulder, axis: [0, -1, 0], friction: {coulomb: 30, static: 45, stribeck_velocity: 0.1}}
      beam: {length: 1.5, section: {EI_y: 4e3, mass_per_length: 2}, modes: {z: {count: 2}}, damping: {ratio: 0.01}}
    - name: forearm
      joint: {name: elbow, axis: [0, -1, 0], friction: {coulomb: 12, static: 20}}
      beam: {length: 1, section: {EI_y: 2e3, mass_per_length: 1.5}, modes: {z: {count: 2}}, damping: {ratio: 0.01}}
      tip: {mass: 0.5}
initial: {q: {shoulder: -1.2, elbow: -0.3}, v: {shoulder: 1.5, elbow: -1}}
actuation: [{joint: elbow, type: torque, signal: {trajectory: push}}]
trajectories: {push: {type: table, times: [0, 0.7, 1.4, 2.1], values: [0, 30, -30, 0]}}
duration: 4
output: {rate: 100}
integrator: {rtol: 1e-8, atol: 1e-10}
)";

TEST(FrictionOfABendingArm, IsTheSameInEveryFormulation) {
  const TestRun recursive = run(bending_arm);
  int stuck = 0, slipping = 0, both = 0;
  for (const Sample& row : recursive.rows) {
    const bool first = row.v[0] == 0.0, second = row.v[3] == 0.0;
    stuck += first || second ? 1 : 0;
    both += first && second ? 1 : 0;
    slipping += first && second ? 0 : 1;
    EXPECT_LE(std::abs(row.friction[0]), 45.0 * (1.0 + 1e-5));
    EXPECT_LE(std::abs(row.friction[3]), 20.0 * (1.0 + 1e-5));
  }
  EXPECT_GT(stuck, 20);
  EXPECT_GT(both, 5);
  EXPECT_GT(slipping, 20);
  expect_closed_ledger(recursive, 1e-6);
  EXPECT_GT(recursive.summary.ledger.friction, 1.0);
  EXPECT_GT(recursive.summary.ledger.dissipated, recursive.summary.ledger.friction);
  for (const std::string other : {"dense", "dae", "generated"}) {
    SCOPED_TRACE(other);
    const TestRun done = run(bending_arm + "formulation: " + other + "\n");
    ASSERT_EQ(done.rows.size(), recursive.rows.size());
    for (std::size_t i = 0; i < done.rows.size(); ++i)
      EXPECT_LT((done.rows[i].q - recursive.rows[i].q).norm(), 1e-5) << done.rows[i].t;
    expect_closed_ledger(done, 1e-6);
  }
  // first order in its elastic states: near, and with books of its own (docs/dual-screw.md)
  const TestRun truncated = run(bending_arm + "formulation: dual-screw\n");
  EXPECT_NEAR(truncated.rows.back().q[0], recursive.rows.back().q[0], 0.05);
}

// Once its joint sticks a beam swings as one that is clamped there, and what holds it swings along.
TEST(FrictionOfABendingArm, LeavesItSwingingAtTheFrequencyOfALockedJoint) {
  const TestRun done = run(R"(
limber: 1
model:
  limber: 1
  gravity: [0, 0, 0]
  links:
    - name: boom
      joint: {name: hub, friction: {coulomb: 6, static: 8}}
      beam: {length: 2, section: {EI_z: 2e3, mass_per_length: 1}, modes: {y: {count: 3}}}
initial: {v: {hub: 0.2}}
duration: 6
output: {rate: 1000}
integrator: {rtol: 1e-9, atol: 1e-12}
)");
  const Sample& last = done.rows.back();
  EXPECT_EQ(last.v[0], 0.0);
  EXPECT_GT(last.v.norm(), 1e-4);
  std::size_t begins = 0;  // of the last time that it sticks
  for (std::size_t i = 0; i < done.rows.size(); ++i)
    if (done.rows[i].v[0] != 0.0) begins = i + 1;
  EXPECT_LT(done.rows[begins].t, 3.0);
  const Model model = scenario(R"(
limber: 1
model:
  limber: 1
  gravity: [0, 0, 0]
  links:
    - name: boom
      joint: {name: hub}
      beam: {length: 2, section: {EI_z: 2e3, mass_per_length: 1}, modes: {y: {count: 3}}}
duration: 1
)")
                          .model;
  const Eigen::VectorXd straight = neutral_configuration(model);
  const NaturalModes modes = natural_modes(model, straight, JointTreatment::locked, 3);
  Workspace<double> work(model);
  Eigen::MatrixXd M(model.nv(), model.nv());
  mass_matrix(model, work, straight, M);
  const double w = modes.angular_frequencies[0];
  double crossings = 0.0, first = 0.0, until = 0.0;
  const Eigen::VectorXd shape = modes.shapes.col(0);
  for (std::size_t i = begins + 1; i < done.rows.size(); ++i) {
    const auto amount = [&](const Sample& row) {
      return shape.tail(3).dot(M.bottomRightCorner(3, 3) * row.q.tail(3));
    };
    const double before = amount(done.rows[i - 1]), after = amount(done.rows[i]);
    if (!(before < 0.0 && after >= 0.0)) continue;
    until = done.rows[i - 1].t - before / (after - before) * 1e-3;
    if (crossings++ == 0.0) first = until;
  }
  ASSERT_GT(crossings, 5.0);
  EXPECT_NEAR(2.0 * pi * (crossings - 1.0) / (until - first), w, 1e-4 * w);
  expect_closed_ledger(done, 1e-6);
}

// Behind an elastic gear it acts on the motor: that sticks, and the link swings on the gear.
TEST(FrictionOfAMotor, HoldsItWhileItsLinkSwingsOnTheGear) {
  const double I = 1.1, k = 2e3;
  const TestRun done = run(R"(
limber: 1
model:
  limber: 1
  gravity: [0, 0, 0]
  links:
    - name: arm
      joint: {name: shoulder, drive: {ratio: 100, rotor_inertia: 2e-4, stiffness: 2e3}, friction: {coulomb: 50}}
      rigid: {mass: 5, com: [0.4, 0, 0], inertia: [0, 0.3, 0.3, 0, 0, 0], tip: {xyz: [0.8, 0, 0]}}
initial: {q: {shoulder: 0.02, shoulder.motor: 0}}
duration: 1
output: {rate: 100}
integrator: {rtol: 1e-9, atol: 1e-12}
)");
  for (const Sample& row : done.rows) {
    EXPECT_EQ(row.q[1], 0.0);
    EXPECT_EQ(row.v[1], 0.0);
    EXPECT_NEAR(row.q[0], 0.02 * std::cos(std::sqrt(k / I) * row.t), 1e-6);
    EXPECT_NEAR(row.friction[1], k * row.q[0], 1e-6);
    EXPECT_EQ(row.friction[0], 0.0);
  }
}

// What moves a prescribed joint works against its friction.
TEST(FrictionOfAPrescribedJoint, IsOvercomeByItsMotor) {
  const TestRun done = run(R"(
limber: 1
model:
  limber: 1
  gravity: [0, 0, 0]
  links:
    - name: wheel
      joint: {name: spin, friction: {coulomb: 7, viscous: 2}}
      rigid: {mass: 1, inertia: [1, 1, 0.5, 0, 0, 0]}
actuation: [{joint: spin, type: prescribed, target: {trajectory: turn}}]
trajectories: {turn: {type: quintic, from: 0, to: 1, start: 0, duration: 1}}
duration: 1
output: {rate: 20}
integrator: {rtol: 1e-9, atol: 1e-12}
)");
  for (const Sample& row : done.rows) {
    const double friction = row.v[0] != 0.0 ? std::copysign(7.0, row.v[0]) + 2.0 * row.v[0] : 0.0;
    EXPECT_NEAR(row.efforts[0], 0.5 * row.acceleration[0] + friction, 1e-9);
  }
  EXPECT_NEAR(done.summary.ledger.work_actuators, done.summary.ledger.friction, 1e-6);
  EXPECT_NEAR(done.summary.ledger.friction, 7.0 + 2.0 * 10.0 / 7.0, 1e-5);  // Int v^2 of a quintic: 10/7
}

// Feed-forward knows friction: the joint follows from the start to the end, and stands there.
TEST(FeedForward, MovesJointsAgainstTheirFriction) {
  for (const std::string kind : {"rigid-inverse-dynamics", "flexible-feed-forward"}) {
    SCOPED_TRACE(kind);
    const TestRun done = run(R"(
limber: 1
model:
  limber: 1
  gravity: [0, 0, 0]
  links:
    - name: arm
      joint: {name: spin, friction: {coulomb: 3, viscous: 1}}
      rigid: {mass: 1, inertia: [1, 1, 0.5, 0, 0, 0]}
trajectories: {turn: {type: quintic, from: 0, to: 1, start: 0.1, duration: 1}}
duration: 1.5
output: {rate: 100}
integrator: {rtol: 1e-9, atol: 1e-12}
actuation: [{joint: spin, target: {trajectory: turn}, type: )" +
                             kind + "}]\n");
    EXPECT_NEAR(done.rows.back().q[0], 1.0, 1e-4);
    EXPECT_EQ(done.rows.back().v[0], 0.0);
  }
}

// ---- what else may happen ----

// A controller that hunts around its target: it ends at rest, or goes on; it never stalls.
TEST(Hunting, EndsOrGoesOnWithoutStalling) {
  for (const double gain : {0.0, 200.0, 2000.0}) {
    const TestRun done = run(R"(
limber: 1
model:
  limber: 1
  links:
    - name: arm
      joint: {name: j, friction: {coulomb: 1, static: 1.5}, limits: {effort: 20}}
      rigid: {mass: 2, inertia: [1, 1, 0.5, 0, 0, 0]}
actuation: [{joint: j, type: pid, kp: 400, ki: )" +
                             text(gain) + R"(, kd: 20, derivative_filter: 0.001, target: {value: 0.3}}]
duration: 5
)");
    EXPECT_EQ(done.summary.end, 5.0);
    EXPECT_LT(done.summary.last.steps, 20000);
    EXPECT_NEAR(done.summary.q[0], 0.3, 0.02);
  }
}

// A sampled controller changes its efforts a thousand times a second: each time it is asked again who sticks.
TEST(SampledController, FindsItsJointStuckFromSampleToSample) {
  const TestRun done = run(R"(
limber: 1
model:
  limber: 1
  links:
    - name: arm
      joint: {name: j, friction: {coulomb: 5, static: 8}}
      rigid: {mass: 2, inertia: [1, 1, 0.5, 0, 0, 0]}
actuation: [{joint: j, type: pid, kp: 300, ki: 0, kd: 30, derivative_filter: 0.001, target: {value: 0.02}, rate: 1000}]
duration: 0.5
)");
  for (const Sample& row : done.rows) EXPECT_EQ(row.q[0], 0.0);  // 6 N m do not move it
}

// Somebody moves the arm while it sticks.
TEST(SimulatorWithFriction, LetsGoWhenItsStateIsSetAndGoesOnAsSaved) {
  const ScenarioFile file = scenario(R"(
limber: 1
model:
  limber: 1
  gravity: [0, 0, 0]
  links:
    - name: wheel
      joint: {name: spin, friction: {coulomb: 2}}
      rigid: {mass: 1, inertia: [1, 1, 0.5, 0, 0, 0]}
duration: 10
integrator: {rtol: 1e-9, atol: 1e-12}
)");
  Simulator arm(build_scenario(file.description, file.model));
  arm.step(0.1);
  EXPECT_EQ(arm.state().v[0], 0.0);
  arm.set_state(Eigen::VectorXd::Constant(1, 0.3), Eigen::VectorXd::Constant(1, 2.0));
  arm.step(0.1);
  EXPECT_NEAR(arm.state().v[0], 2.0 - 0.1 * 2.0 / 0.5, 1e-8);
  const Simulator::Saved saved = arm.save();
  arm.step(1.0);
  EXPECT_EQ(arm.state().v[0], 0.0);
  const double rests_at = arm.state().q[0];
  EXPECT_NEAR(rests_at, 0.3 + 2.0 * 2.0 * 0.5 / (2.0 * 2.0), 1e-7);  // m v^2 / (2 F)
  arm.restore(saved);
  arm.step(1.0);
  EXPECT_EQ(arm.state().q[0], rests_at);
  const Simulator::Saved stuck = arm.save();
  // pushed by less than friction, by as much, and by more
  arm.step(0.5, Eigen::VectorXd::Constant(1, 1.9));
  arm.step(0.5, Eigen::VectorXd::Constant(1, -2.0));
  EXPECT_EQ(arm.state().q[0], rests_at);
  arm.step(0.5, Eigen::VectorXd::Constant(1, -3.0));
  EXPECT_NEAR(arm.state().v[0], -1.0, 1e-7);
  arm.restore(stuck);  // while it slides
  arm.step(0.5);
  EXPECT_EQ(arm.state().q[0], rests_at);
}

// Newton's iterations of all implicit methods use them; without them they would only be slower.
TEST(TangentOfASystem, HasTheSlopesOfFriction) {
  const ScenarioFile file = scenario(R"(
limber: 1
model:
  limber: 1
  links:
    - name: upper
      joint: {name: exact, friction: {coulomb: 2, static: 5, stribeck_velocity: 0.4, viscous: 0.3}}
      rigid: {mass: 1, com: [0.5, 0, 0], inertia: [1, 1, 0.5, 0, 0, 0]}
    - name: lower
      parent: upper
      joint: {name: smooth, friction: {coulomb: 1, transition_velocity: 0.1}}
      rigid: {mass: 1, com: [0.5, 0, 0], inertia: [0.3, 0.4, 0.5, 0, 0, 0]}
initial: {v: {exact: -0.3, smooth: 0.06}}
duration: 1
)");
  Scenario made = build_scenario(file.description, file.model);
  System system(made);
  Eigen::VectorXd y = system.initial_state(), a(2), rates;
  system.enter_interval(0.5);
  system.enter_modes(0.0, y);
  Eigen::VectorXd q = y.head(2), v = y.segment(2, 2);
  const Eigen::VectorXd integrals = y.tail(system.integral_count());
  system.accelerate(0.0, q, v, integrals, a, rates);
  System::Tangent tangent;
  system.tangent(0.0, q, v, integrals, a, tangent);
  constexpr double step = 1e-5;
  for (int i = 0; i < 2; ++i) {
    Eigen::VectorXd ahead(2), behind(2);
    v[i] += step;
    system.accelerate(0.0, q, v, integrals, ahead, rates);
    v[i] -= 2.0 * step;
    system.accelerate(0.0, q, v, integrals, behind, rates);
    v[i] += step;
    const Eigen::VectorXd slope = -tangent.M * (ahead - behind) / (2.0 * step);
    EXPECT_LT((tangent.C.col(i) - slope).cwiseAbs().maxCoeff(), 1e-6) << i;
  }
}

}  // namespace
}  // namespace limber
