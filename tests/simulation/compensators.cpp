// SPDX-License-Identifier: BSD-3-Clause
// PID and linear compensators, continuous and sampled, against closed forms and against each other.

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "limber/core/input_error.hpp"
#include "limber/simulation/linear_controller.hpp"
#include "limber/simulation/pid.hpp"
#include "runs.hpp"

namespace limber {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// Inertia 3 about the joint, without weight.
std::string turning(const std::string& actuation, const std::string& method, double limit = 1e6) {
  return "limber: 1\nmodel:\n  gravity: [0, 0, 0]\n  links: [{name: a, joint: {name: j, limits: {effort: " +
         std::to_string(limit) +
         "}}, rigid: {mass: 2, com: [1, 0, 0], inertia: [1, 1, 1, 0, 0, 0]}}]\nactuation: [" + actuation +
         "]\nduration: 2\nintegrator: " + method + "\n";
}

// The same arm as x' = A x + b, by the exponential of A (scaling and squaring of its series), for [q, v, integral, filter].
VectorXd linear_motion(const MatrixXd& A, const VectorXd& b, const VectorXd& start, double t) {
  const Eigen::Index n = A.rows();
  MatrixXd all = MatrixXd::Zero(n + 1, n + 1);
  constexpr int squarings = 20;
  all.topLeftCorner(n, n) = A * t / std::pow(2.0, squarings);
  all.topRightCorner(n, 1) = b * t / std::pow(2.0, squarings);
  MatrixXd power = MatrixXd::Identity(n + 1, n + 1), sum = power;
  for (int k = 1; k < 12; ++k) {
    power = power * all / k;
    sum += power;
  }
  for (int k = 0; k < squarings; ++k) sum = sum * sum;
  VectorXd extended(n + 1);
  extended << start, 1.0;
  return (sum * extended).head(n);
}

constexpr double inertia = 3.0, kp = 60.0, ki = 30.0, kd = 20.0, filter = 0.05, wanted = 0.4;

// effort = kp e + ki x1 + kd x2, x1' = e, x2' = (-v - x2)/T_f
TEST(Pid, MovesARigidJointAsItsDifferentialEquation) {
  MatrixXd A(4, 4);
  A << 0, 1, 0, 0,                                   //
      -kp / inertia, 0, ki / inertia, kd / inertia,  //
      -1, 0, 0, 0,                                   //
      0, -1 / filter, 0, -1 / filter;
  VectorXd b(4);
  b << 0, kp * wanted / inertia, wanted, 0;
  const VectorXd expected = linear_motion(A, b, VectorXd::Zero(4), 2.0);
  for (const char* method :
       {"{method: radau9, rtol: 1e-10}", "{method: bdf, rtol: 1e-10}", "{method: rk4, step: 0.001}"}) {
    const TestRun result = run(turning(
        "{joint: j, type: pid, kp: 60, ki: 30, kd: 20, derivative_filter: 0.05, target: {value: 0.4}}",
        method));
    EXPECT_NEAR(result.summary.q[0], expected[0], 1e-8) << method;
    EXPECT_NEAR(result.summary.v[0], expected[1], 1e-7) << method;
  }
}

// Eq. (3) of pid.hpp and the motion of an inertia under a held effort.
TEST(Pid, SampledIsItsDifferenceEquation) {
  const TestRun result = run(turning("{joint: j, type: pid, kp: 60, ki: 30, kd: 20, derivative_filter: 0.05, "
                                     "rate: 100, target: {value: 0.4}}",
                                     "{method: rk4, step: 0.01}") +
                             "output: {rate: 100}\n");
  double q = 0.0, v = 0.0, x1 = 0.0, x2 = 0.0;
  const double T = 0.01, share = 1.0 - std::exp(-T / filter);
  ASSERT_EQ(result.rows.size(), 201u);
  for (const Sample& row : result.rows) {
    EXPECT_NEAR(row.q[0], q, 1e-12) << row.t;
    const double d = x2 + share * (-v - x2), effort = kp * (wanted - q) + ki * x1 + kd * d;
    if (row.t < 1.995) {
      EXPECT_NEAR(row.efforts[0], effort, 1e-10) << row.t;
    }
    x1 += T * (wanted - q);
    x2 = d;
    q += T * v + 0.5 * T * T * effort / inertia;
    v += T * effort / inertia;
  }
}

// A motor that gives a tenth of what is asked for. Without a rest the integral would have grown all the way up.
class AntiWindup : public testing::TestWithParam<const char*> {};

TEST_P(AntiWindup, KeepsTheOvershootOfASaturatedMotorSmall) {
  const TestRun result =
      run(turning(std::string("{joint: j, type: pid, kp: 600, ki: 900, kd: 120, target: {value: 1}") +
                      GetParam() + "}",
                  "{rtol: 1e-8}", 12.0) +
          "output: {rate: 1000}\n");
  double highest = 0.0, at_limit = 0.0;
  for (const Sample& row : result.rows) {
    highest = std::max(highest, row.q[0]);
    at_limit += std::abs(row.efforts[0]) == 12.0 ? 1e-3 : 0.0;
  }
  EXPECT_GT(at_limit, 0.5);  // it was saturated for long, and
  EXPECT_LT(highest, 1.25);  // went too far by 0.17; by 1.22, if the integral goes on
  EXPECT_NEAR(result.rows.back().q[0], 1.0, 0.15);
}
INSTANTIATE_TEST_SUITE_P(Kinds, AntiWindup, testing::Values("", ", rate: 1000"));

// PID as a compensator: x1 = integral, x2 = filter; inputs q - r and v.
LinearLaw pid_law() {
  LinearLaw law;
  law.A = (MatrixXd(2, 2) << 0, 0, 0, -1 / filter).finished();
  law.B = (MatrixXd(2, 2) << -1, 0, 0, -1 / filter).finished();
  law.C = (MatrixXd(1, 2) << ki, kd).finished();
  law.D = (MatrixXd(1, 2) << -kp, 0).finished();
  law.u0 = VectorXd::Constant(1, 0.5);
  return law;
}

TEST(LinearCompensator, FromAFileIsThePidThatItSpells) {
  const std::filesystem::path directory =
      std::filesystem::temp_directory_path() / "limber_linear_compensator";
  std::filesystem::create_directories(directory);
  std::ofstream(directory / "K.json") << R"({"A": [[0, 0], [0, -20]], "B": [[-1, 0], [0, -20]],
"C": [[30, 20]], "D": [[-60, 0]], "u0": [0]})";
  std::ofstream(directory / "scenario.yaml")
      << turning("{joint: [j], type: linear, file: K.json, inputs: [j, j.rate], reference: {value: 0.4}}",
                 "{rtol: 1e-10}");
  const TestRun linear = run(read_scenario(directory / "scenario.yaml"));
  const TestRun pid = run(
      turning("{joint: j, type: pid, kp: 60, ki: 30, kd: 20, derivative_filter: 0.05, target: {value: 0.4}}",
              "{rtol: 1e-10}"));
  ASSERT_EQ(linear.rows.size(), pid.rows.size());
  for (std::size_t i = 0; i < pid.rows.size(); ++i) {
    EXPECT_NEAR(linear.rows[i].q[0], pid.rows[i].q[0], 1e-9) << pid.rows[i].t;
    EXPECT_NEAR(linear.rows[i].efforts[0], pid.rows[i].efforts[0], 1e-7) << pid.rows[i].t;
  }
  // A run can be repeated from the texts in its result.
  const ScenarioFile read = read_scenario(directory / "scenario.yaml");
  EXPECT_EQ(std::get<actuations::Linear>(parse_scenario(read.sources).description.actuation[0].kind).law.A,
            std::get<actuations::Linear>(read.description.actuation[0].kind).law.A);
  std::filesystem::remove_all(directory);
}

TEST(LinearCompensator, SampledIsItsDifferenceEquation) {
  const ScenarioFile file = scenario(turning("", "{method: rk4, step: 0.01}") + "output: {rate: 50}\n");
  Scenario made = build_scenario(file.description, file.model);
  LinearLaw law = pid_law();
  law.A = MatrixXd::Identity(2, 2) + 0.02 * law.A;
  law.B *= 0.02;
  const TrajectoryPointer reference = constant_trajectory(wanted);
  made.controllers.push_back(std::make_unique<LinearController>(
      law,
      std::vector<LinearController::Input>{{{ControllerInput::Kind::position, 0, 0}, reference},
                                           {{ControllerInput::Kind::velocity, 0, 0}, nullptr}},
      std::vector<int>{0}, 50.0));
  History history;
  simulate(made, &history);
  Eigen::Vector2d x(0.0, 0.0), e;
  double q = 0.0, v = 0.0;
  for (const Sample& row : history.rows) {
    EXPECT_NEAR(row.q[0], q, 1e-12) << row.t;
    e << q - wanted, v;
    const double effort = (law.C * x + law.D * e + law.u0)[0];
    x = law.A * x + law.B * e;
    q += 0.02 * v + 0.5 * 0.02 * 0.02 * effort / inertia;
    v += 0.02 * effort / inertia;
  }
}

// Two booms that bend, without feedback: the joints follow as if they were prescribed.
TEST(FlexibleFeedForward, MovesTheJointsExactlyAlongTheTarget) {
  for (const char* shape : {"clamped-free", "craig-bampton"})
    for (const char* method : {"{method: rk4, step: 0.0001}", "{method: radau9, rtol: 1e-9}"}) {
      const std::string modes = std::string("{y: {count: 2, shape: ") + shape + "}}";
      const TestRun result = run(
          "limber: 1\nmodel:\n  gravity: [0, -9.81, 0]\n  links:\n"
          "    - {name: boom, joint: {name: shoulder, axis: [0, 0, 1]}, beam: {length: 2, section: {EI_z: "
          "4e3, "
          "mass_per_length: 4}, modes: " +
          modes +
          ", damping: {ratio: 0.02}}}\n"
          "    - {name: jib, joint: {name: elbow, axis: [0, 0, 1]}, beam: {length: 1.5, section: {EI_z: 2e3, "
          "mass_per_length: 2}, modes: {y: {count: 2}}, damping: {ratio: 0.02}}, tip: {mass: 3}}\n"
          "trajectories: {up: {type: quintic, from: -0.5, to: 0.3, duration: 0.8}}\n"
          "initial: {q: {shoulder: -0.5, elbow: 0.3}, settle: true}\n"
          "actuation:\n  - {joint: shoulder, type: flexible-feed-forward, target: {trajectory: up}}\n"
          "  - {joint: elbow, type: flexible-feed-forward, target: {value: 0.3}}\n"
          "duration: 1\nintegrator: " +
          std::string(method) + "\n");
      double farthest = 0.0, bent = 0.0;
      const TrajectoryPointer up = make_trajectory(trajectories::Quintic{-0.5, 0.3, 0.0, 0.8}, {});
      for (const Sample& row : result.rows) {
        farthest =
            std::max({farthest, std::abs(row.q[0] - up->at(row.t).position), std::abs(row.q[3] - 0.3)});
        bent = std::max(bent, std::abs(row.q[1] - result.rows.front().q[1]));
      }
      EXPECT_LT(farthest, 2e-6) << shape << " " << method;
      EXPECT_GT(bent, 1e-3) << shape;
    }
}

// What sensors of the joint show is what the joint's coordinates are.
TEST(LinearCompensator, SeesSensors) {
  const std::filesystem::path directory =
      std::filesystem::temp_directory_path() / "limber_sensing_compensator";
  std::filesystem::create_directories(directory);
  std::ofstream(directory / "K.json") << R"({"D": [[-60, -20]], "u0": [3]})";
  VectorXd ends[2];
  for (const bool by_sensors : {false, true}) {
    std::ofstream(directory / "scenario.yaml")
        << turning(std::string("{joint: j, type: linear, file: K.json, reference: {value: 0.4}, inputs: ") +
                       (by_sensors ? "[angle, speed]}" : "[j, j.rate]}"),
                   "{method: rk4, step: 0.001}")
        << "sensors: [{name: angle, type: position, joint: j}, {name: speed, type: gyroscope, link: a, axis: "
           "[0, 0, 1]}]\n";
    ends[by_sensors] = run(read_scenario(directory / "scenario.yaml")).summary.q;
  }
  EXPECT_NEAR(ends[0][0], ends[1][0], 1e-12);
  EXPECT_NEAR(ends[0][0], 0.45, 5e-3);
  std::filesystem::remove_all(directory);
}

std::string message_for(const std::string& actuation, const std::string& json) {
  const std::filesystem::path directory = std::filesystem::temp_directory_path() / "limber_wrong_compensator";
  std::filesystem::create_directories(directory);
  if (!json.empty()) std::ofstream(directory / "K.json") << json;
  std::ofstream(directory / "scenario.yaml") << turning(actuation, "{}");
  std::string message = "nothing";
  try {
    read_scenario(directory / "scenario.yaml");
  } catch (const std::exception& error) {
    message = error.what();
  }
  std::filesystem::remove_all(directory);
  return message;
}

TEST(Compensators, MistakesHaveTheirPlaces) {
  const auto expect = [](const std::string& message, std::initializer_list<const char*> parts) {
    for (const char* part : parts)
      EXPECT_NE(message.find(part), std::string::npos) << part << "\nin " << message;
  };
  const std::string fine = R"({"D": [[-60, 0]]})", linear = "{joint: j, type: linear, file: K.json, inputs: ";
  EXPECT_EQ(message_for(linear + "[j, j.rate]}", fine), "nothing");
  expect(message_for(linear + "[j, jj]}", fine),
         {"scenario.yaml:5:", "actuation[0].inputs[1]", "`jj`", "did you mean"});
  expect(message_for(linear + "[j]}", fine), {"actuation[0].file", "D of 1 x 1 numbers", "found 1 x 2"});
  expect(message_for(linear + "[j, j.rate]}", R"({"A": [[1, 2]], "B": [[1, 2]], "C": [[1]]})"),
         {"A of 1 x 1 numbers", "found 1 x 2"});
  expect(message_for(linear + "[j, j.rate]}", R"({"A": [[1]], "D": [[1, 2]]})"),
         {"B of a matrix", "C of a matrix"});
  expect(message_for(linear + "[j, j.rate]}", "{\"D\": [[1, 2],\n [3]]}"),
         {"K.json:2:", "D[1]", "2 numbers"});
  expect(message_for(linear + "[j, j.rate]}", R"({"D": [[1, "x"]]})"), {"K.json:1:", "D[0][1]", "a number"});
  expect(message_for(linear + "[j, j.rate]}", R"({"E": [[1, 2]]})"), {"K.json:1:", "E", "A, B, C, D, u0"});
  expect(message_for(linear + "[j, j.rate]}", ""), {"actuation[0].file", "a readable JSON file"});
  expect(message_for("{joint: j, type: pid, kp: 1, rate: 0, target: {value: 1}}", ""),
         {"actuation[0].rate", "> 0", "0"});
  expect(message_for("{joint: [j, j], type: pid, kp: 1, target: {value: 1}}", ""),
         {"actuation[0].joint[1]", "each joint once"});
  expect(message_for("{joint: [j, k], type: pid, kp: 1, target: {value: 1}}", ""),
         {"actuation[0].joint[1]", "`k`"});
}

}  // namespace
}  // namespace limber
