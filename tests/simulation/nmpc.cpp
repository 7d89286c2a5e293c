// SPDX-License-Identifier: BSD-3-Clause
// Model predictive control: against the regulator that it is where nothing limits it, against what happens after it was predicted, and against lqr.

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "limber/algorithms/derivatives.hpp"
#include "limber/algorithms/mass_matrix.hpp"
#include "limber/core/input_error.hpp"
#include "limber/simulation/predictive_control.hpp"
#include "limber/simulation/simulator.hpp"
#include "runs.hpp"

namespace limber {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// A mass on a rail.
std::string mass(const std::string& actuation, const std::string& limits = "") {
  return "limber: 1\nmodel:\n  gravity: [0, 0, 0]\n  links: [{name: a, joint: {name: j, type: prismatic, "
         "axis: [1, 0, 0]" +
         limits + "}, rigid: {mass: 3, inertia: [1, 1, 1, 0, 0, 0]}}]\nactuation: [" + actuation +
         "]\nduration: 3\nintegrator: {rtol: 1e-9}\n";
}

/// The sampled regulator of a double integrator, by running its Riccati recursion until it rests.
VectorXd gain_of_double_integrator(double inertia, double T, const MatrixXd& Q, double R) {
  MatrixXd A(2, 2), X = Q;
  A << 1, T, 0, 1;
  VectorXd B(2), K;
  B << 0.5 * T * T / inertia, T / inertia;
  for (int k = 0; k < 20000; ++k) {
    K = (B.transpose() * X * A).transpose() / (R + B.dot(X * B));
    X = (Q + A.transpose() * X * (A - B * K.transpose())).eval();
  }
  return K;
}

// Q counts the position, and twice the kinetic energy.
TEST(Nmpc, IsTheSampledRegulatorWhereNothingLimitsIt) {
  constexpr double position = 40.0, energy = 2.0, effort = 0.01, T = 0.05;
  const VectorXd K =
      gain_of_double_integrator(3.0, T, T * VectorXd{{position, 3.0 * energy}}.asDiagonal(), T * effort);
  for (const char* horizon : {"0.05", "0.3", "2"}) {
    const TestRun result =
        run(mass(std::string("{joint: j, type: nmpc, rate: 20, position_weight: 40, energy_weight: 2, "
                             "effort_weight: 0.01, target: {value: 0.7}, horizon: ") +
                 horizon + "}") +
            "output: {rate: 20}\ninitial: {v: {j: -0.3}}\n");
    double q = 0.0, v = -0.3;
    ASSERT_EQ(result.rows.size(), 61u);
    for (const Sample& row : result.rows) {
      EXPECT_NEAR(row.q[0], q, 1e-7) << row.t;
      const double u = -K[0] * (q - 0.7) - K[1] * v;
      if (row.t < 2.99) {
        EXPECT_NEAR(row.efforts[0], u, 1e-6 * std::abs(u) + 1e-6) << row.t << " " << horizon;
      }
      q += T * v + 0.5 * T * T * u / 3.0;
      v += T * u / 3.0;
    }
  }
}

TEST(Nmpc, KeepsEffortsAndSpeedsWithinTheirLimits) {
  const TestRun result = run(mass("{joint: j, type: nmpc, rate: 50, horizon: 1.5, position_weight: 4000, "
                                  "effort_weight: 0.001, target: {value: 1}}",
                                  ", limits: {effort: 20, velocity: 0.8, lower: -0.5, upper: 1.001}") +
                             "output: {rate: 50}\n");
  double fastest = 0.0, hardest = 0.0, farthest = 0.0;
  int at_limit = 0;
  for (const Sample& row : result.rows) {
    fastest = std::max(fastest, std::abs(row.v[0]));
    hardest = std::max(hardest, std::abs(row.efforts[0]));
    farthest = std::max(farthest, row.q[0]);
    at_limit += std::abs(row.efforts[0]) > 19.99 ? 1 : 0;
  }
  EXPECT_GT(at_limit, 8);
  EXPECT_LE(hardest, 20.0 * (1.0 + 1e-12));
  EXPECT_NEAR(fastest, 0.8, 2e-3);  // comes to its limit, and stays there
  EXPECT_LT(farthest, 1.002);
  EXPECT_NEAR(result.rows.back().q[0], 1.0, 1e-3);
}

// A turning post, two links that bend in both planes, weight, motors that reach their limits.
const std::string arm = R"(limber: 1
model:
  gravity: [0, 0, -9.81]
  links:
    - name: post
      joint: {name: turn, axis: [0, 0, 1], armature: 0.5, limits: {effort: 60}}
      rigid: {mass: 2, com: [0, 0, 0.1], inertia: [0.02, 0.02, 0.02, 0, 0, 0], tip: {xyz: [0, 0, 0.3]}}
    - name: upper
      joint: {name: lift, axis: [0, -1, 0], armature: 0.5, limits: {effort: 120}}
      beam: {length: 1.0, section: {EI_y: 1200, EI_z: 1200, mass_per_length: 1.5}, modes: {y: {count: 2}, z: {count: 2}}, damping: {ratio: 0.005}}
      tip: {mass: 2.5}
    - name: fore
      joint: {name: elbow, axis: [0, -1, 0], armature: 0.2, limits: {effort: 50}}
      beam: {length: 0.9, section: {EI_y: 800, EI_z: 800, mass_per_length: 1.2}, modes: {y: {count: 2}, z: {count: 2}}, damping: {ratio: 0.005}}
      tip: {mass: 2}
trajectories:
  t1: {type: quintic, from: 0, to: 1.2, start: 0.2, duration: 0.9}
  t2: {type: quintic, from: 0.2, to: 0.9, start: 0.2, duration: 0.9}
  t3: {type: quintic, from: -0.4, to: -1.2, start: 0.2, duration: 0.9}
initial: {q: {lift: 0.2, elbow: -0.4}, settle: true}
integrator: {rtol: 1e-6}
duration: 3
output: {rate: 200}
)";
constexpr double targets_end = 1.1;

std::string driven_by(const std::string& how) {
  std::string text = "actuation:\n";
  const char* const joints[] = {"turn", "lift", "elbow"};
  for (int i = 0; i < 3; ++i)
    text += std::string("  - {joint: ") + joints[i] + ", " + how + ", target: {trajectory: t" +
            std::to_string(i + 1) + "}}\n";
  return text;
}

/// How far joints stray, and how far the end effector still swings when they should rest.
struct Errors {
  double joints = 0.0, swing = 0.0;
};
Errors errors_of(const std::string& how) {
  const ScenarioFile file = scenario(arm + driven_by(how));
  const TestRun result = run(file);
  constexpr int positions[] = {0, 1, 6};
  Errors found;
  Eigen::Vector3d low = Eigen::Vector3d::Constant(1e9), high = -low;
  for (const Sample& row : result.rows) {
    for (int i = 0; i < 3; ++i) found.joints += std::pow(row.q[positions[i]] - row.references[i], 2);
    if (row.t < targets_end) continue;
    low = low.cwiseMin(row.end_effector_position);
    high = high.cwiseMax(row.end_effector_position);
  }
  found.joints = std::sqrt(found.joints / static_cast<double>(result.rows.size()));
  found.swing = (high - low).norm();
  return found;
}

// What it expects of the next sample is what the arm then does: predicted by steps of its own, found by an integrator that knows nothing of it. Slow vibrations, for what is faster than
// samples is not predicted: two links that bend in one shape each.
TEST(Nmpc, PredictsWhatHappens) {
  const auto off = [](double rate) {
    const ScenarioFile file = scenario(R"(limber: 1
model:
  gravity: [0, -9.81, 0]
  links:
    - name: boom
      joint: {name: shoulder, axis: [0, 0, 1], armature: 2, limits: {effort: 150}}
      beam: {length: 1.2, section: {EI_z: 4000, mass_per_length: 2}, modes: {y: {count: 1}}}
    - name: jib
      joint: {name: elbow, axis: [0, 0, 1], armature: 1}
      beam: {length: 0.8, section: {EI_z: 2500, mass_per_length: 1}, modes: {y: {count: 1}}}
      tip: {mass: 2}
initial: {q: {shoulder: 0.2}, settle: true}
trajectories: {up: {type: quintic, from: 0.2, to: 1.2, duration: 1}, out: {type: quintic, from: 0, to: -1, duration: 1}}
actuation:
  - {joint: shoulder, type: torque, signal: {value: 0}}
duration: 1
integrator: {rtol: 1e-11, atol: 1e-13}
)");
    ScenarioDescription driven = file.description;
    driven.actuation.clear();
    for (const auto& [joint, way] : {std::pair{"shoulder", "up"}, std::pair{"elbow", "out"}}) {
      actuations::Nmpc nmpc;
      nmpc.target = TargetDescription{.trajectory = way};
      nmpc.rate = rate;
      nmpc.horizon = 0.4;
      nmpc.iterations = 3;
      driven.actuation.push_back({{joint}, nmpc});
    }
    Scenario controlled = build_scenario(driven, file.model);
    auto& controller = dynamic_cast<PredictiveController&>(*controlled.controllers.front());
    VectorXd memory = VectorXd::Zero(controller.memory_size()), efforts(file.model.nv());
    const Eigen::VectorXi free = Eigen::VectorXi::Zero(file.model.nv());
    Simulator simulated(build_scenario(file.description, file.model));
    double worst = 0.0;
    for (int k = 0; k < rate / 2; ++k) {
      const double t = k / rate;
      efforts.setZero();
      const Instant now{t, t, simulated.state().q, simulated.state().v, {memory.data(), memory.size()}};
      controller.add_efforts(now, efforts);
      controller.remember(now, free, memory);
      simulated.step(1.0 / rate, efforts);
      const VectorXd expected = controller.plan().x.col(1);
      worst = std::max(
          worst, (expected.head(simulated.state().q.size()) - simulated.state().q).cwiseAbs().maxCoeff());
    }
    return worst;
  };
  const double coarse = off(200), fine = off(400);
  EXPECT_LT(coarse, 1e-4);
  EXPECT_LT(fine, coarse / 8);  // third order: 16 per step, of positions
}

TEST(Nmpc, SaysWhatItCannotDo) {
  const auto said = [](const std::string& text) {
    try {
      run(text);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const auto has = [&](const std::string& text, const std::vector<std::string>& parts) {
    const std::string found = said(text);
    for (const std::string& part : parts)
      EXPECT_NE(found.find(part), std::string::npos) << part << " | " << found;
  };
  has(mass("{joint: j, type: nmpc, target: {value: 1}}"), {"actuation[0]", "the key `rate`"});
  has(mass("{joint: j, type: nmpc, rate: -5}"), {"actuation[0].rate", "> 0"});
  has(mass("{joint: j, type: nmpc, rate: 10, iterations: 0}"), {"actuation[0].iterations"});
  has(mass("{joint: j, type: nmpc, rate: 1e5, horizon: 1}"), {"actuation[0].horizon", "2000 samples"});
  has(arm + "actuation:\n  - {joint: turn, type: nmpc, rate: 100}\n  - {joint: lift, type: nmpc, rate: 50}\n",
      {"actuation[1].rate", "one controller"});
  has(arm +
          "actuation:\n  - {joint: turn, type: prescribed, target: {trajectory: t1}}\n  - {joint: lift, "
          "type: nmpc, rate: 50}\n",
      {"prescribed", "turn"});
  has("limber: 1\nmodel:\n  links: [{name: a, joint: {name: j, type: spherical}, rigid: {mass: 1, inertia: "
      "[1, 1, 1, 0, 0, 0]}}]\n"
      "actuation: [{joint: j, type: nmpc, rate: 10}]\nduration: 1\n",
      {"actuation[0].type", "quaternion"});
}

TEST(Nmpc, HasAWordForAHorizonShorterThanTheSlowestPeriod) {
  const auto doubts = [](const char* horizon) {
    const ScenarioFile file =
        scenario(arm + driven_by(std::string("type: nmpc, rate: 50, horizon: ") + horizon));
    return build_scenario(file.description, file.model).doubts;
  };
  ASSERT_EQ(doubts("0.1").size(), 1u);
  EXPECT_NE(doubts("0.1").front().find("horizon of nmpc, 0.1 s"), std::string::npos);
  EXPECT_TRUE(doubts("1.5").empty());
}

// Everything that a sample needs from those before is in what it remembers: a run that goes on elsewhere is the same.
TEST(Nmpc, GoesOnFromWhatItRemembers) {
  const ScenarioFile file = scenario(arm + driven_by("type: nmpc, rate: 50, horizon: 0.4"));
  Simulator whole(build_scenario(file.description, file.model)),
      second(build_scenario(file.description, file.model));
  for (int i = 0; i < 10; ++i) whole.step(0.02);
  second.restore(whole.save());
  for (int i = 0; i < 5; ++i) {
    whole.step(0.02);
    second.step(0.02);
  }
  EXPECT_EQ(whole.state().q, second.state().q);
}

// One linearisation per sample is enough because each goes on from the motion of the one before: efforts are those that eight of them find, to 5e-5. Who begins anew at the targets is off by 3e-2,
// who leaves accelerations where they were by 3e-3, who lets the new end go without feedback by 7e-4, and slopes by speed that are wrong show with 4e-4.
TEST(Nmpc, NeedsOneIterationBecauseItGoesOn) {
  const auto controlled = [](const ScenarioFile& file, int iterations) {
    ScenarioDescription described = file.description;
    for (ActuationDescription& one : described.actuation) {
      auto& nmpc = std::get<actuations::Nmpc>(one.kind);
      nmpc.iterations = iterations;
    }
    return build_scenario(described, file.model);
  };
  const ScenarioFile file = scenario(arm + driven_by("type: nmpc, rate: 50, horizon: 0.6"));
  ScenarioDescription undriven = file.description;
  undriven.actuation.clear();
  Simulator simulated(build_scenario(undriven, file.model));
  Scenario once = controlled(file, 1), often = controlled(file, 8);
  std::array<PredictiveController*, 2> controllers = {
      &dynamic_cast<PredictiveController&>(*once.controllers.front()),
      &dynamic_cast<PredictiveController&>(*often.controllers.front())};
  std::array<VectorXd, 2> memory, efforts;
  for (VectorXd& one : memory) one = VectorXd::Zero(controllers[0]->memory_size());
  const Eigen::VectorXi free = Eigen::VectorXi::Zero(file.model.nv());
  double off = 0.0, size = 0.0;
  for (int k = 0; k < 70; ++k) {
    const double t = k / 50.0;
    for (std::size_t i = 0; i < 2; ++i) {
      efforts[i] = VectorXd::Zero(file.model.nv());
      const Instant now{t, t, simulated.state().q, simulated.state().v, {memory[i].data(), memory[i].size()}};
      controllers[i]->add_efforts(now, efforts[i]);
      controllers[i]->remember(now, free, memory[i]);
    }
    off += (efforts[0] - efforts[1]).squaredNorm();
    size += efforts[1].squaredNorm();
    simulated.step(1.0 / 50.0, efforts[0]);
  }
  EXPECT_LT(std::sqrt(off / size), 1.5e-4);
}

// At speed already and with a target that goes on as fast, nothing is to be done: whoever looked at targets of another time would push.
TEST(Nmpc, LooksAtTargetsOfTheTimesOfItsSamples) {
  const TestRun result =
      run(mass("{joint: j, type: nmpc, rate: 20, horizon: 0.5, target: {trajectory: away}}") +
          "trajectories: {away: {type: table, times: [0, 2, 4, 8], values: [0, 0.6, 1.2, 2.4]}}\n"
          "initial: {v: {j: 0.3}}\n");
  for (const Sample& row : result.rows) {
    EXPECT_NEAR(row.q[0], 0.3 * row.t, 1e-9);
    EXPECT_NEAR(row.efforts[0], 0.0, 1e-8);
  }
}

// A beam on a hub, seen at 50 samples per second: 5, 29 and 90 Hz.
const std::string flexible_link = R"(limber: 1
model:
  gravity: [0, 0, 0]
  kinematics: first
  links:
    - name: beam
      joint: {name: hub, axis: [0, 0, 1], armature: 0.3, damping: 0.2}
      beam: {length: 1, section: {EI_z: 60, mass_per_length: 1}, modes: {y: {count: 3}}, damping: {ratio: 0.01}}
actuation:
  - {joint: hub, type: nmpc, rate: 50, horizon: 0.02, position_weight: 90, energy_weight: 2, effort_weight: 0.01, target: {value: 0}}
duration: 1
)";

/// A controller at rest that is asked at its second sample, where the arm is `off` from where it was expected.
class AtRest {
 public:
  explicit AtRest(const ScenarioFile& file) : scenario_(build_scenario(file.description, file.model)) {}
  double effort(double rate, const VectorXd& off) {
    const Index n = off.size() / 2;
    auto& controller = dynamic_cast<PredictiveController&>(*scenario_.controllers.front());
    VectorXd memory = VectorXd::Zero(controller.memory_size()), efforts = VectorXd::Zero(n);
    const VectorXd rest = VectorXd::Zero(n), q = off.head(n), v = off.tail(n);
    controller.remember({0.0, 0.0, rest, rest, {memory.data(), memory.size()}}, Eigen::VectorXi::Zero(n),
                        memory);
    controller.add_efforts({1.0 / rate, 1.0 / rate, q, v, {memory.data(), memory.size()}}, efforts);
    return efforts[0];
  }

 private:
  Scenario scenario_;
};

struct SmallMotions {
  explicit SmallMotions(const Model& model)
      : M(model.nv(), model.nv()), K(elastic_stiffness(model)), D(damping_matrix(model)) {
    Workspace<double> work(model);
    mass_matrix(model, work, VectorXd::Zero(model.nq()), M);
  }
  MatrixXd M, K, D;
};

// Shapes that turn by more than 2 rad from sample to sample are taken for what was expected, whether they are bent or move; slower ones are answered.
TEST(Nmpc, AnswersNothingThatIsTooFastForItsSamples) {
  const ScenarioFile file = scenario(flexible_link);
  const SmallMotions arm(file.model);
  const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> modal(arm.K, arm.M);
  AtRest controller(file);
  int fast = 0, slow = 0;
  for (Index i = 1; i < 4; ++i) {
    const double w = std::sqrt(modal.eigenvalues()[i]);
    VectorXd bent = VectorXd::Zero(8), moving = bent;
    bent.head(4) = 1e-4 * modal.eigenvectors().col(i);
    moving.tail(4) = 1e-4 * w * modal.eigenvectors().col(i);
    const double size =
        std::max(std::abs(controller.effort(50.0, bent)), std::abs(controller.effort(50.0, moving)));
    if (w / 50.0 > 2.0) {
      ++fast;
      EXPECT_LT(size, 1e-12) << w;
    } else {
      ++slow;
      EXPECT_GT(size, 1e-5) << w;
    }
  }
  EXPECT_EQ(fast, 2);
  EXPECT_EQ(slow, 1);
}

// With samples that are fast beside its vibrations it is the regulator of the held beam, whose cost is written in its own coordinates here: the hub's error, and twice the energy of bending and motion.
TEST(Nmpc, IsTheSampledRegulatorOfAFlexibleLink) {
  constexpr double rate = 8000.0, T = 1.0 / rate;
  std::string text = flexible_link;
  for (const auto& [before, after] :
       {std::pair{"rate: 50", "rate: 8000"}, std::pair{"horizon: 0.02", "horizon: 0.000125"}})
    text.replace(text.find(before), std::string(before).size(), after);
  const ScenarioFile file = scenario(text);
  const SmallMotions arm(file.model);
  const Index n = 4;
  const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> modal(arm.K, arm.M);
  // [A B; 0 1] = exp(T [F G; 0 0]).
  const auto held = [&](const MatrixXd& damping) {
    MatrixXd F = MatrixXd::Zero(2 * n + 1, 2 * n + 1), sum = MatrixXd::Identity(2 * n + 1, 2 * n + 1),
             power = sum;
    F.block(0, n, n, n).setIdentity();
    F.block(n, 0, n, n) = -arm.M.llt().solve(arm.K);
    F.block(n, n, n, n) = -arm.M.llt().solve(damping);
    F.block(n, 2 * n, n, 1) = arm.M.llt().solve(VectorXd::Unit(n, 0));
    for (int k = 1; k < 40; ++k) sum += power = (power * F * T / k).eval();
    return sum;
  };
  // What comes after the horizon is designed with 0.001 of damping more in each mode.
  const MatrixXd in_modes = arm.M * modal.eigenvectors();
  const VectorXd more = 0.002 * modal.eigenvalues().cwiseMax(0.0).cwiseSqrt();
  const MatrixXd once = held(arm.D),
                 after = held(arm.D + in_modes * more.asDiagonal() * in_modes.transpose());
  MatrixXd Q = MatrixXd::Zero(2 * n, 2 * n);
  Q.topLeftCorner(n, n) = 2.0 * arm.K;
  Q(0, 0) += 90.0;
  Q.bottomRightCorner(n, n) = 2.0 * arm.M;
  MatrixXd X = Q;
  const auto gain = [&](const MatrixXd& step) {
    const MatrixXd B = step.topRightCorner(2 * n, 1), XB = X * B;
    return MatrixXd(XB.transpose() * step.topLeftCorner(2 * n, 2 * n) /
                    (T * 0.01 + (B.transpose() * XB)(0, 0)));
  };
  for (int k = 0; k < 40000; ++k) {
    const MatrixXd A = after.topLeftCorner(2 * n, 2 * n), B = after.topRightCorner(2 * n, 1);
    X = (T * Q + A.transpose() * X * (A - B * gain(after))).eval();
  }
  const MatrixXd K = gain(once);
  AtRest controller(file);
  for (Index i = 0; i < 2 * n; ++i) {
    VectorXd off = VectorXd::Zero(2 * n);
    off.segment(i < n ? 0 : n, n) = 1e-4 * modal.eigenvectors().col(i % n);
    const double expected = -(K * off)(0, 0);
    EXPECT_NEAR(controller.effort(rate, off), expected, 0.01 * std::abs(expected) + 1e-9) << i;
  }
}

// docs/control.md, lesson f.
TEST(Nmpc, BrakesInTimeOnASmallMotor) {
  const ScenarioFile file = shipped("lab_link/control/turn_nmpc.yaml");
  struct Turn {
    double fastest = 0.0, farthest = 0.0, settled = 0.0;
  };
  const auto turn = [&](const ActuationKind& how) {
    ScenarioFile driven = file;
    driven.description.actuation.front().kind = how;
    Turn found;
    const TestRun result = run(driven);
    const Eigen::Vector3d end = result.rows.back().end_effector_position;
    const double way = (end - result.rows.front().end_effector_position).norm();
    for (const Sample& row : result.rows) {
      found.fastest = std::max(found.fastest, std::abs(row.v[0]));
      found.farthest = std::max(found.farthest, row.q[0]);
      if ((row.end_effector_position - end).norm() > 0.01 * way) found.settled = row.t;
    }
    return found;
  };
  const TargetDescription target = *file.description.actuation.front().target();
  actuations::Lqr lqr;
  lqr.target = target;
  const Turn predicted = turn(file.description.actuation.front().kind), pushed = turn(lqr);
  EXPECT_LT(predicted.fastest, 2.52);
  EXPECT_LT(predicted.farthest, 1.5 + 0.05);
  EXPECT_LT(predicted.settled, 1.30);
  EXPECT_GT(pushed.fastest, 3.5);
  EXPECT_GT(pushed.farthest, 1.5 + 0.26);
  EXPECT_GT(pushed.settled, 1.7);
}

TEST(Nmpc, FollowsAFlexibleArmsTargetsBetterThanLqrAtEveryRate) {
  const Errors lqr = errors_of("type: lqr");
  for (const char* rate : {"50", "100", "200"}) {
    const Errors nmpc = errors_of(std::string("type: nmpc, horizon: 0.6, rate: ") + rate);
    EXPECT_LT(nmpc.joints, 0.5 * lqr.joints) << rate;
    EXPECT_LT(nmpc.swing, 0.5 * lqr.swing) << rate;
  }
}

}  // namespace
}  // namespace limber
