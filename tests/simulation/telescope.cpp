// SPDX-License-Identifier: BSD-3-Clause
// Beams that slide through a guide while they vibrate: adiabatic invariant, energy ledger by every method, formulations, and what happens at the ends of the stroke.

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "limber/analysis/modes.hpp"
#include "limber/core/computation_error.hpp"
#include "limber/core/input_error.hpp"
#include "simulation/runs.hpp"

namespace limber {
namespace {

using Eigen::VectorXd;

// Three metres, of which one is in the guide at zero.
std::string beam(const std::string& more = "", const std::string& gravity = "[0, 0, 0]") {
  return "{name: one, gravity: " + gravity +
         ", links: [{name: beam, joint: {name: slide, type: prismatic, telescoping: true, axis: [1, 0, 0]}, "
         "root: {xyz: [-1, 0, 0]}, "
         "beam: {length: 3, section: {EI_z: 900, mass_per_length: 7.5}, modes: {y: {shape: clamped-free, "
         "count: 1}}" +
         more + "}}]}";
}

std::string drawn_in(double duration, const std::string& integrator) {
  return "limber: 1\nmodel: " + beam() +
         "\ninitial: {q: {beam.y1: 0.02}}\nactuation: [{joint: slide, type: prescribed, target: {trajectory: "
         "in}}]\n"
         "trajectories: {in: {type: quintic, from: 0, to: -1, start: 0, duration: " +
         std::to_string(duration) + "}}\nintegrator: " + integrator +
         "\nduration: " + std::to_string(duration) + "\noutput: {rate: 5}\n";
}

// Half the length, four times the frequency: drawn in slowly, a beam has four times the energy in the end, which its drive has given it.
TEST(TelescopingMotion, SlowExtractionKeepsEnergyOverFrequency) {
  for (const double duration : {10.0, 20.0}) {
    const TestRun done = run(drawn_in(duration, "{method: radau, rtol: 1e-9, atol: 1e-12}"));
    const Ledger& ledger = done.summary.ledger;
    // 1/2 K eta^2: a first mode of unit deflection at its tip has a quarter of the beam's mass, and K = beta^4/4 EI/l^3.
    const double before = 0.5 * 0.02 * 0.02 * 0.25 * 12.3623633 * 900.0 / 8.0;
    const double after = ledger.kinetic + ledger.strain;
    EXPECT_NEAR(after / before, 4.0, 0.02) << duration;
    EXPECT_NEAR(ledger.work_actuators, after - before, 1e-6 * before + 1e-3 * after);
    EXPECT_LT(std::abs(ledger.error), 1e-6 * after);
  }
}

struct Method {
  const char* integrator;
  double ledger;
};
class SlidingFreely : public testing::TestWithParam<Method> {};

// Bent and let go, it pushes itself out of its guide: 1/2 EI kappa^2 where it leaves.
TEST_P(SlidingFreely, KeepsItsEnergy) {
  const TestRun done =
      run("limber: 1\nmodel: " + beam("", "[0.3, -0.5, 0]") +
          "\ninitial: {q: {beam.y1: 0.3}, v: {slide: -0.2}}\nintegrator: " + GetParam().integrator +
          "\nduration: 0.5\n");
  const Ledger& ledger = done.summary.ledger;
  EXPECT_LT(std::abs(ledger.error), GetParam().ledger);
  EXPECT_GT(done.summary.v[0], -0.1);
  EXPECT_EQ(ledger.work_actuators, 0.0);
}
INSTANTIATE_TEST_SUITE_P(
    Methods, SlidingFreely,
    testing::Values(
        Method{"{method: auto, rtol: 1e-9}", 1e-5}, Method{"{method: radau, rtol: 1e-9}", 1e-5},
        Method{"{method: radau9, rtol: 1e-9}", 1e-5}, Method{"{method: radau13, rtol: 1e-9}", 1e-5},
        Method{"{method: variable-radau, rtol: 1e-9}", 1e-5}, Method{"{method: erk, rtol: 1e-9}", 1e-5},
        Method{"{method: adams, rtol: 1e-9}", 1e-4}, Method{"{method: bdf, rtol: 1e-9}", 1e-3},
        Method{"{method: ida, rtol: 1e-9}", 1e-3}, Method{"{method: rk4, step: 5e-4}", 1e-5},
        Method{"{method: generalized-alpha, step: 5e-4}", 2e-2}, Method{"{method: euler, step: 1e-5}", 0.1}));

// A turning boom with damping, gravity and both planes, extended while it turns.
std::string crane(const std::string& formulation) {
  return R"(limber: 1
model:
  name: crane
  links:
    - {name: turret, joint: {name: slew}, rigid: {mass: 5, inertia: [1, 1, 1, 0, 0, 0], tip: {xyz: [0.2, 0, 0]}}}
    - name: boom
      joint: {name: slide, type: prismatic, telescoping: true, axis: [1, 0, 0], damping: 20, armature: 0.5}
      root: {xyz: [-1, 0, 0]}
      beam:
        length: 3
        section: {EI_y: 700, EI_z: 900, GJ: 300, mass_per_length: 3, rotary_inertia: [0.02, 0.01, 0.01]}
        modes: {y: {count: 2}, z: {count: 2}, torsion: {count: 1}}
        damping: {ratio: 0.02}
      tip: {mass: 1, com: [0.05, 0.02, 0]}
    - {name: hand, joint: {name: wrist, axis: [0, 1, 0], stiffness: 5}, rigid: {mass: 0.5, com: [0.2, 0, 0], inertia: [0.01, 0.01, 0.01, 0, 0, 0]}}
actuation:
  - {joint: slew, type: prescribed, target: {trajectory: round}}
  - {joint: slide, type: pd, kp: 2000, kd: 300, target: {trajectory: out}}
trajectories:
  round: {type: quintic, from: 0, to: 1, start: 0, duration: 0.8}
  out: {type: quintic, from: 0, to: -0.6, start: 0, duration: 0.8}
integrator: {method: radau, rtol: 1e-10, atol: 1e-12}
duration: 0.8
formulation: )" +
         formulation + "\n";
}

TEST(TelescopingMotion, RecursiveAndDenseAgreeAndTheLedgerCloses) {
  const TestRun one = run(crane("recursive")), other = run(crane("dense"));
  EXPECT_LT((one.summary.q - other.summary.q).norm(), 1e-9);
  EXPECT_LT((one.summary.v - other.summary.v).norm(), 1e-8);
  EXPECT_LT(std::abs(one.summary.ledger.error), 1e-6);
  EXPECT_GT(one.summary.ledger.dissipated, 0.1);
}

TEST(TelescopingMotion, OtherFormulationsSayWhatToUse) {
  for (const std::string formulation : {"dual-screw", "dae"}) try {
      run(crane(formulation));
      FAIL() << formulation;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find("`recursive`, `dense` and `generated`"), std::string::npos)
          << error.what();
    }
}

TEST(TelescopingMotion, ARunEndsWhereTheBeamLeavesItsGuide) {
  for (const std::string speed : {"1.5", "-3"}) try {
      run("limber: 1\nmodel: " + beam() + "\ninitial: {v: {slide: " + speed +
          "}}\nintegrator: {method: radau}\nduration: 3\n");
      FAIL() << speed;
    } catch (const ComputationError& error) {
      EXPECT_NE(std::string(error.what()).find("left its guide"), std::string::npos) << error.what();
    }
}

TEST(TelescopingMotion, AStartOutsideTheGuideHasItsPlace) {
  try {
    run("limber: 1\nmodel: " + beam() + "\ninitial: {q: {slide: 1.2}}\nduration: 1\n");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.problems().front().path, "initial.q.slide");
  }
}

}  // namespace
}  // namespace limber
