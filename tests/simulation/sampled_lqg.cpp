// SPDX-License-Identifier: BSD-3-Clause
// lqg at samples: eigenvalues of the closed loop from sample to sample, late readings, and steps of two arms that bend, against PID.

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <ostream>
#include <unsupported/Eigen/MatrixFunctions>

#include "limber/algorithms/measurement.hpp"
#include "limber/analysis/balanced.hpp"
#include "limber/analysis/linearize.hpp"
#include "limber/core/input_error.hpp"
#include "limber/simulation/output_feedback.hpp"
#include "limber/simulation/system.hpp"
#include "runs.hpp"

namespace limber {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double T = 1e-3;  // [s] between samples

/// An arm with encoders of 2e-5 rad and one gauge of 1e-6 for each link that bends, beside both of its planes.
struct Arm {
  const char* name;
  std::string head;  ///< model, start
  std::vector<const char*> joints, gauged;
  std::vector<double> from;  ///< [rad] of the joints
  /// PID: w and the inertia I of each joint; kp = I w^2, ki = 0.2 I w^3, kd = 2 I w.
  double w;
  std::vector<double> inertia;
};
void PrintTo(const Arm& arm, std::ostream* out) { *out << arm.name; }

// The best w of {0.2, 0.3, .., 0.8, 1, 1.2, 1.5, 2} omega, damping ratio of {0.5, 0.7, 1, 1.5, 2} and ki of {0.05, 0.2, 0.4} I w^3 (omega of lqr: 21.68 and
// 23.79 rad/s) for the swing that is measured below, of the linearised arms: 0.7 omega, 1 and 0.2 for both.
const Arm arms[] = {
    {"ella",
     "limber: 1\nmodel: ella/ella.yaml\ninitial: {settle: true}\n",
     {"shoulder.1", "shoulder.2", "elbow"},
     {"link1", "link2"},
     {0.0, 0.0, 0.0},
     15.18,
     {14.78, 14.99, 2.553}},
    {"crane",
     "limber: 1\nmodel: crane/crane.yaml\ninitial: {settle: true, q: {joint2: 0.5, joint3: 2.0, "
     "joint4: 0.5}}\n",
     {"joint1", "joint2", "joint3", "joint4"},
     {"link2", "link3"},
     {0.0, 0.5, 2.0, 0.5},
     16.65,
     {2109.0, 2976.0, 1323.0, 23.0}}};

/// Names of sensors have no dots.
std::string plain(std::string joint) {
  std::replace(joint.begin(), joint.end(), '.', '_');
  return joint;
}

/// `sensors:` with all of an arm's; `gauge`: more keys of the gauges.
std::string sensors_of(const Arm& arm, const std::string& gauge) {
  std::string text = "sensors:\n";
  for (const char* joint : arm.joints)
    text += "  - {name: encoder_" + plain(joint) + ", type: position, joint: " + joint +
            ", rate: 1000, quantum: 2e-5}\n";
  for (const char* link : arm.gauged)
    text += std::string("  - {name: gauge_") + link + ", type: strain, link: " + link +
            ", at: 0.05, offset: [0.03, 0.02], rate: 1000, noise: 1e-6" + gauge + "}\n";
  return text;
}

/// An entry of lqg for each joint, to which `more(i)` is added.
template <typename More>
std::string lqg_of(const Arm& arm, More&& more) {
  std::string names, text = "actuation:\n";
  for (const char* joint : arm.joints) names += "encoder_" + plain(joint) + ", ";
  for (const char* link : arm.gauged) names += std::string("gauge_") + link + ", ";
  names.resize(names.size() - 2);
  for (std::size_t i = 0; i < arm.joints.size(); ++i)
    text += std::string("  - {joint: ") + arm.joints[i] +
            ", type: lqg, rate: 1000, integral: true, sensors: [" + names + "]" + more(i) + "}\n";
  return text;
}

/// What the controller does at a sample with the readings m and what it remembers.
struct Answer {
  VectorXd x, efforts;  ///< what it remembers next; nv
};
Answer answer(System& system, const VectorXd& y, const VectorXd& m, const VectorXd& x) {
  VectorXd samples = VectorXd::Zero(system.samples().size());
  samples.head(x.size()) = x;
  system.set_samples(samples);
  system.show(m);
  system.sample(0.0, y);
  return {system.samples().head(x.size()), system.samples().tail(system.nv())};
}

class ArmsUnderLqg : public testing::TestWithParam<Arm> {};

// The arm, linear by `linearize`, over a period by Eigen's exponential; sensors by their Jacobians, the gauges' readings a sample late; the controller by what
// it answers. States: [d; w] of the arm, readings on their way, what the controller remembers.
TEST_P(ArmsUnderLqg, HaveTheEigenvaluesOfFeedbackAndFilterFromSampleToSample) {
  const Arm& arm = GetParam();
  for (const bool late : {false, true}) {
    const ScenarioFile file = scenario(arm.head + lqg_of(arm, [](std::size_t) { return ""; }) +
                                       sensors_of(arm, late ? ", delay: 0.001" : "") + "duration: 1\n");
    Scenario made = build_scenario(file.description, file.model);
    const auto& controller = dynamic_cast<const OutputFeedbackController&>(*made.controllers.front());
    const OutputFeedbackController::Design& design = controller.design();
    const Model& model = made.model;
    const Index encoders = static_cast<Index>(arm.joints.size()),
                gauges = static_cast<Index>(arm.gauged.size()), p = encoders + gauges;
    const Index on_the_way = late ? gauges : 0, memory = controller.memory_size();
    ASSERT_EQ(static_cast<Index>(design.on_the_way.size()), on_the_way);

    JointNames held;
    for (const char* joint : arm.joints) held.push_back(joint);
    const LinearModel linear = linearize(model, settled_point(model, made.q, {}, {}, held), {}, made.sensors);
    const Index n = linear.A.rows(), m = linear.B.cols();
    ASSERT_EQ(linear.C.rows(), p);
    // In the design's modes, z = modes [d; w].
    MatrixXd modes = MatrixXd::Zero(n, n);
    modes.topLeftCorner(n / 2, n / 2) = modes.bottomRightCorner(n / 2, n / 2) = design.to_modes;
    const MatrixXd shapes = modes.inverse(), C = linear.C * shapes;
    MatrixXd both = MatrixXd::Zero(n + m, n + m);
    both.topLeftCorner(n, n) = T * modes * linear.A * shapes;
    both.topRightCorner(n, m) = T * modes * linear.B;
    const VectorXd scale = balancing_scale(both);
    const MatrixXd balanced = scale.cwiseInverse().asDiagonal() * both * scale.asDiagonal();
    const MatrixXd solution =
        scale.asDiagonal() * MatrixXd(balanced.exp()) * scale.cwiseInverse().asDiagonal();
    const MatrixXd A = solution.topLeftCorner(n, n), B = solution.topRightCorner(n, m);

    System system(made);
    system.enter_interval(0.5 * T);
    const VectorXd y = system.initial_state();
    Measurement measurement(model, made.sensors);
    VectorXd at_rest(p);
    const VectorXd nothing = VectorXd::Zero(model.nv());
    measurement.evaluate(made.q, nothing, nothing, nothing, {}, at_rest);
    const VectorXd x = VectorXd::Zero(memory);
    const Answer rest = answer(system, y, at_rest, x);
    EXPECT_LT(rest.x.cwiseAbs().maxCoeff(), 1e-9);  // at the target, and settled
    // A controller of this kind is linear: any step will do.
    MatrixXd x_of_m(memory, p), x_of_x(memory, memory), u_of_m(m, p), u_of_x(m, memory);
    const auto inputs = [&](const VectorXd& efforts) {
      VectorXd u(m);
      for (Index i = 0; i < m; ++i) {
        const auto name = std::find(model.coordinates().begin(), model.coordinates().end(),
                                    linear.inputs[static_cast<std::size_t>(i)]);
        u[i] = efforts[name - model.coordinates().begin()];
      }
      return u;
    };
    const VectorXd u_rest = inputs(rest.efforts);
    for (Index k = 0; k < p; ++k) {
      const Answer other = answer(system, y, at_rest + VectorXd::Unit(p, k), x);
      x_of_m.col(k) = other.x - rest.x;
      u_of_m.col(k) = inputs(other.efforts) - u_rest;
    }
    for (Index k = 0; k < memory; ++k) {
      const Answer other = answer(system, y, at_rest, VectorXd::Unit(memory, k));
      x_of_x.col(k) = other.x - rest.x;
      u_of_x.col(k) = inputs(other.efforts) - u_rest;
    }
    // m = C z but for late ones, which are states.
    MatrixXd m_of_z = C, m_of_late = MatrixXd::Zero(p, on_the_way);
    if (late) {
      m_of_z.bottomRows(gauges).setZero();
      m_of_late.bottomRows(gauges).setIdentity();
    }
    const Index size = n + on_the_way + memory;
    MatrixXd closed = MatrixXd::Zero(size, size);
    closed.topLeftCorner(n, n) = A + B * u_of_m * m_of_z;
    closed.block(0, n, n, on_the_way) = B * u_of_m * m_of_late;
    closed.topRightCorner(n, memory) = B * u_of_x;
    if (late) closed.block(n, 0, gauges, n) = C.bottomRows(gauges);
    closed.bottomLeftCorner(memory, n) = x_of_m * m_of_z;
    closed.block(n + on_the_way, n, memory, on_the_way) = x_of_m * m_of_late;
    closed.bottomRightCorner(memory, memory) = x_of_x;

    // From [z; late; what the controller knows; integrals] to [z; late; integrals; e], e what it knows less what is.
    const Index known = design.A.rows(), integrals = encoders;
    ASSERT_EQ(known, n + on_the_way);
    MatrixXd to = MatrixXd::Zero(size, size);
    to.topLeftCorner(known, known).setIdentity();
    to.block(known, 2 * known, integrals, integrals).setIdentity();
    to.bottomLeftCorner(known, known) = -MatrixXd::Identity(known, known);
    to.block(known + integrals, known, known, known).setIdentity();
    const MatrixXd found = to * closed * to.inverse();
    // Feedback on the diagonal, then the filter; nothing below. What e does to the arm has no say.
    MatrixXd expected = MatrixXd::Zero(size, size);
    expected.topLeftCorner(known, known) = design.A - design.B * design.K;
    expected.block(0, known, known, integrals) = design.B * design.K_I;
    expected.block(known, known, integrals, integrals).setIdentity();
    for (Index i = 0; i < integrals; ++i)
      expected.row(known + i).head(known) =
          -T * design.H.row(design.measured_by[static_cast<std::size_t>(i)]);
    expected.bottomRightCorner(known, known) = design.A - design.L * design.H;
    expected.topRightCorner(known + integrals, known) = found.topRightCorner(known + integrals, known);
    const VectorXd d = balancing_scale(expected);
    const auto scaled = [&](const MatrixXd& X) {
      return MatrixXd(d.cwiseInverse().asDiagonal() * X * d.asDiagonal());
    };
    EXPECT_LT(scaled(found - expected).cwiseAbs().maxCoeff(), 1e-8) << "late: " << late;
    // So the eigenvalues are those of both. Modes that neither changes much are in both, nearly twice, and known to half of the digits of what they are known to.
    const Eigen::VectorXcd all = scaled(found).eigenvalues(), parts = scaled(expected).eigenvalues();
    for (const auto& value : parts) {
      EXPECT_LT(std::abs(value), 1.0) << value;
      EXPECT_LT((all.array() - value).abs().minCoeff(), 1e-6) << value << " late: " << late;
    }
  }
}

/// How far the end effector still moves from a time on: the largest extent of its path along an axis [m].
double swing(const TestRun& result, double from) {
  Eigen::Vector3d low = result.rows.back().end_effector_position, high = low;
  for (const Sample& row : result.rows) {
    if (row.t < from) continue;
    low = low.cwiseMin(row.end_effector_position);
    high = high.cwiseMax(row.end_effector_position);
  }
  return (high - low).maxCoeff();
}

// All joints step by 0.1 rad at once. PID sees positions and velocities as they are, all the time, and gravity is taken from it; lqg sees encoders and gauges
// at 1 kHz. Whoever begins to look between 0.4 and 1.6 s after the step sees less than half of the swing (0.48 of it at most, for one moment; mostly a fifth).
// Before, both are on their way; later, noise is what is left.
TEST_P(ArmsUnderLqg, HoldAStepAndSwingLessThanHalfAsMuchAsUnderPid) {
  const Arm& arm = GetParam();
  constexpr double step = 0.1, at = 0.1, until = 3.0;
  std::string pid = "actuation:\n", steps = "trajectories:\n";
  const auto target = [](std::size_t i) { return ", target: {trajectory: t" + std::to_string(i) + "}"; };
  for (std::size_t i = 0; i < arm.joints.size(); ++i) {
    const double I = arm.inertia[i], w = arm.w;
    const std::string joint = std::string("  - {joint: ") + arm.joints[i];
    pid += joint + ", type: pid, kp: " + std::to_string(I * w * w) +
           ", ki: " + std::to_string(0.2 * I * w * w * w) + ", kd: " + std::to_string(2.0 * I * w) +
           target(i) + "}\n" + joint + ", type: rigid-inverse-dynamics" + target(i) + "}\n";
    steps += "  t" + std::to_string(i) + ": {type: steps, points: [[0, " + std::to_string(arm.from[i]) +
             "], [" + std::to_string(at) + ", " + std::to_string(arm.from[i] + step) + "]]}\n";
  }
  const std::string rest = steps + sensors_of(arm, "") + "duration: 3\noutput: {rate: 500}\n";
  const std::string optimal_text = arm.head + lqg_of(arm, target) + rest;
  const TestRun optimal = run(optimal_text), usual = run(arm.head + pid + rest);
  ASSERT_NEAR(optimal.rows.back().t, until, 1e-9);
  const ScenarioFile file = scenario(optimal_text);
  for (std::size_t i = 0; i < arm.joints.size(); ++i) {
    const int c = sensed_position(file.model, arm.joints[i]);
    for (const Sample& row : optimal.rows) {
      if (row.t < 1.5) continue;
      EXPECT_NEAR(row.q[c], arm.from[i] + step, 0.01 * step) << arm.joints[i] << " at " << row.t;
    }
  }
  EXPECT_LT(swing(usual, at + 0.9), 0.05);  // a PID that does what it can
  for (int tenths = 4; tenths <= 16; ++tenths) {
    const double from = at + 0.1 * tenths;
    EXPECT_LT(swing(optimal, from), 0.5 * swing(usual, from)) << "from " << from << " s on";
  }
}
INSTANTIATE_TEST_SUITE_P(Shipped, ArmsUnderLqg, testing::ValuesIn(arms),
                         [](const auto& instance) { return std::string(instance.param.name); });

// The table of docs/control.md, a.
TEST(LessonOfPidAndLqg, HasTheNumbersOfItsTable) {
  const TestRun pid = run(shipped("lab_link/control/step_pid.yaml")),
                lqg = run(shipped("lab_link/control/step_lqg.yaml"));
  EXPECT_NEAR(swing(pid, 0.5), 0.083, 0.001);
  EXPECT_NEAR(swing(lqg, 0.5), 0.039, 0.001);
  EXPECT_NEAR(swing(pid, 1.1), 0.0027, 0.0001);
  EXPECT_NEAR(swing(lqg, 1.1), 0.0014, 0.0001);
  EXPECT_NEAR(lqg.rows.back().q[0], 0.2, 0.002);
}

/// A strip on a hub, its gauge read late.
std::string strip(const std::string& late, const std::string& rate = "1000") {
  return "limber: 1\nmodel: lab_link/lab_link.yaml\nactuation:\n"
         "  - {joint: hub, type: lqg, sensors: [encoder, gauge], rate: " +
         rate +
         ", target: {trajectory: step}}\n"
         "trajectories:\n  step: {type: steps, points: [[0, 0], [0.1, 0.2]]}\nsensors:\n"
         "  - {name: encoder, type: position, joint: hub, rate: 1000, quantum: 1e-5}\n"
         "  - {name: gauge, type: strain, link: strip, at: 0.05, offset: [0.0015, 0], rate: 1000, noise: "
         "1e-6" +
         late + "}\nduration: 3\noutput: {rate: 100}\n";
}

// 6 ms, six samples: without knowing of them, the loop of the second mode (19 Hz, 40 deg in 6 ms) would not be what was designed.
TEST(LateReadings, AreKnownToTheFilter) {
  const ScenarioFile file = scenario(strip(", delay: 0.006"));
  const Scenario made = build_scenario(file.description, file.model);
  const auto& controller = dynamic_cast<const OutputFeedbackController&>(*made.controllers.front());
  EXPECT_EQ(controller.design().on_the_way, (std::vector<int>{1, 1, 1, 1, 1, 1}));
  const TestRun late = run(file), at_once = run(strip(""));
  EXPECT_NEAR(late.rows.back().q[0], 0.2, 2e-4);
  EXPECT_LT(swing(late, 1.5), 2.0 * swing(at_once, 1.5) + 2e-5);
}

// Samples of 1000 1/s under a controller of 400 1/s: readings are 0, or half a millisecond, old.
TEST(LateReadings, OfAnotherRateAreOfTheirMeanAge) {
  const ScenarioFile file = scenario(strip("", "400"));
  const Scenario made = build_scenario(file.description, file.model);
  const auto& controller = dynamic_cast<const OutputFeedbackController&>(*made.controllers.front());
  EXPECT_EQ(controller.design().on_the_way, (std::vector<int>{0, 1}));
  EXPECT_NEAR(run(file).rows.back().q[0], 0.2, 2e-4);
}

TEST(LateReadings, MayBeTooMany) {
  try {
    const ScenarioFile file = scenario(strip(", delay: 0.3"));
    build_scenario(file.description, file.model);
    FAIL();
  } catch (const InputError& error) {
    const std::string said = error.what();
    EXPECT_NE(said.find("actuation[0].sensors"), std::string::npos) << said;
    EXPECT_NE(said.find("200 samples"), std::string::npos) << said;
  }
}

}  // namespace
}  // namespace limber
