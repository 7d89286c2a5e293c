// SPDX-License-Identifier: BSD-3-Clause
// Controllers that remember: what they remember is integrated along with the motion, by every method.

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "limber/simulation/run_warnings.hpp"
#include "limber/simulation/state_feedback.hpp"
#include "limber/simulation/system.hpp"
#include "runs.hpp"

namespace limber {
namespace {

// A motor behind a filter: x' = (asked - x)/lag, and the effort is x.
class Filtered : public Controller {
 public:
  Filtered(double asked, double lag) : asked_(asked), lag_(lag) {}
  int memory_size() const override { return 1; }
  void memory_rate(const Instant& now, const Eigen::VectorXi&, Eigen::Ref<Eigen::VectorXd> rate) override {
    rate[0] = (asked_ - now.x[0]) / lag_;
  }
  void add_efforts(const Instant& now, Eigen::VectorXd& efforts) override { efforts[0] += now.x[0]; }

 private:
  double asked_, lag_;
};

Scenario turning(const std::string& method) {
  const ScenarioFile file = scenario(R"(limber: 1
model:
  gravity: [0, 0, 0]
  links: [{name: a, joint: {name: j, armature: 1}, rigid: {mass: 1, inertia: [1, 1, 1, 0, 0, 0]}}]
duration: 2
)" + method);
  return build_scenario(file.description, file.model);
}

// Turns, inertia 2: q'' = x/2 with x = 3 (1 - e^(-t/lag)), so q = 3/2 (t^2/2 - lag t + lag^2 (1 - e^(-t/lag))).
class Memory : public testing::TestWithParam<const char*> {
 protected:
  static constexpr double lag = 0.3, duration = 2.0;
  Scenario built(const std::string& method) const {
    Scenario made = turning(method);
    made.controllers.push_back(std::make_unique<Filtered>(1.0, lag));
    made.controllers.push_back(std::make_unique<Filtered>(2.0, lag));
    return made;
  }
  static double angle(double t) {
    return 1.5 * (0.5 * t * t - lag * t + lag * lag * (1.0 - std::exp(-t / lag)));
  }
};

TEST_P(Memory, IsIntegratedAlongWithTheMotion) {
  Scenario made = built(GetParam());
  History history;
  const RunSummary summary = simulate(made, &history);
  ASSERT_EQ(summary.last.integrator.y.size(), 1 + 1 + ledger_size + 2);
  const double x = 1.0 - std::exp(-duration / lag);
  EXPECT_NEAR(summary.last.integrator.y[2 + ledger_size], x, 2e-5);
  EXPECT_NEAR(summary.last.integrator.y[3 + ledger_size], 2.0 * x, 4e-5);
  for (const Sample& row : history.rows) EXPECT_NEAR(row.q[0], angle(row.t), 2e-5) << row.t;
}

INSTANTIATE_TEST_SUITE_P(
    Methods, Memory,
    testing::Values("integrator: {method: radau, rtol: 1e-8}", "integrator: {method: radau9, rtol: 1e-8}",
                    "integrator: {method: bdf, rtol: 1e-8}", "integrator: {method: ida, rtol: 1e-8}",
                    "integrator: {method: adams, rtol: 1e-8}", "integrator: {method: erk, rtol: 1e-8}",
                    "integrator: {method: rk4, step: 0.01}", "integrator: {method: euler, step: 2e-6}",
                    "integrator: {method: generalized-alpha, step: 0.001}",
                    "formulation: dae\nintegrator: {method: rkmk4, step: 0.01}"));

TEST(MemoryOfAController, IsKeptWhenARunGoesOn) {
  Scenario made = turning("integrator: {rtol: 1e-9}");
  made.controllers.push_back(std::make_unique<Filtered>(3.0, 0.3));
  const RunSummary whole = simulate(made);
  RunOptions options;
  options.progress = [](const Progress& progress) { return progress.t < 0.5; };
  const RunSummary half = simulate(made, nullptr, options);
  ASSERT_FALSE(half.finished);
  RunOptions rest;
  rest.resume = half.last;
  EXPECT_NEAR(simulate(made, nullptr, rest).q[0], whole.q[0], 1e-8);
}

// Asks for 10 N m during the first 0.3 s and for nothing from then on, through a filter.
class Push : public Controller {
 public:
  static constexpr double lag = 0.2, until = 0.3;
  int memory_size() const override { return 1; }
  std::vector<double> corners() const override { return {until}; }
  void memory_rate(const Instant& now, const Eigen::VectorXi&, Eigen::Ref<Eigen::VectorXd> rate) override {
    rate[0] = ((now.within < until ? 10.0 : 0.0) - now.x[0]) / lag;
  }
  void add_efforts(const Instant& now, Eigen::VectorXd& efforts) override { efforts[0] += now.x[0]; }
};

// A motor in its limit does not show what it was asked for, and what the controller remembered is not stored row by row.
TEST(MemoryOfAController, IsNotNeededToSayAfterwardsWhatAMotorWasAskedFor) {
  const ScenarioFile file = scenario(R"(limber: 1
model:
  gravity: [0, 0, 0]
  links: [{name: a, joint: {name: j, armature: 1, limits: {effort: 2, upper: 0.1}}, rigid: {mass: 1, inertia: [1, 1, 1, 0, 0, 0]}}]
initial: {v: {j: 1}}
duration: 2
)");
  Scenario made = build_scenario(file.description, file.model);
  made.controllers.push_back(std::make_unique<Push>());
  const RunSummary whole = simulate(made);
  const std::vector<std::string> said = run_warnings(made, whole.last);
  const double asked = 10.0 * (1.0 - std::exp(-Push::until / Push::lag));
  ASSERT_FALSE(said.empty());
  EXPECT_NEAR(whole.last.peaks.asked[0].value, asked, 1e-3);
  EXPECT_EQ(whole.last.peaks.asked[0].time, Push::until);
  RunOptions until_then;
  until_then.progress = [](const Progress& progress) { return progress.t < 0.7; };
  RunOptions rest;
  rest.resume = simulate(made, nullptr, until_then).last;
  ASSERT_LT(rest.resume->integrator.t, 2.0);
  EXPECT_EQ(run_warnings(made, simulate(made, nullptr, rest).last), said);
}

// Steps need not follow a filter that has long settled.
TEST(MemoryOfAController, MayBeStiff) {
  for (const char* method : {"radau", "radau9", "radau13", "variable-radau"}) {
    Scenario made = turning(std::string("integrator: {method: ") + method + "}");
    made.controllers.push_back(std::make_unique<Filtered>(3.0, 1e-5));
    const RunSummary summary = simulate(made);
    EXPECT_NEAR(summary.q[0], 1.5 * 2.0, 1e-4) << method;
    EXPECT_LT(summary.last.steps, 200) << method;
  }
}

// d f/dy by central differences, twice, and the better of both by Richardson's extrapolation.
Eigen::MatrixXd slopes_of(System& system, const Eigen::VectorXd& y) {
  const Eigen::Index n = y.size();
  Eigen::MatrixXd J(n, n);
  Eigen::VectorXd up(n), down(n), moved = y;
  for (Eigen::Index k = 0; k < n; ++k) {
    Eigen::VectorXd by[2];
    for (const int half : {0, 1}) {
      const double h = 1e-3 / (1 + half);
      moved[k] = y[k] + h;
      system.derivative(0.2, moved, up);
      moved[k] = y[k] - h;
      system.derivative(0.2, moved, down);
      moved[k] = y[k];
      by[half] = (up - down) / (2.0 * h);
    }
    J.col(k) = (4.0 * by[1] - by[0]) / 3.0;
  }
  return J;
}

/// A boom and a jib, PID with fast filters on both joints; the shoulder's motor gives LIMIT at most.
const std::string filtered_boom = R"(limber: 1
model:
  gravity: [0, -9.81, 0]
  links:
    - name: boom
      joint: {name: shoulder, axis: [0, 0, 1], limits: {effort: LIMIT}}
      beam: {length: 2, section: {EI_z: 4e4, mass_per_length: 4}, modes: {y: {count: 2}}, damping: {ratio: 0.01}}
    - name: jib
      joint: {name: elbow, axis: [0, 0, 1]}
      beam: {length: 1.5, section: {EI_z: 2e4, mass_per_length: 2}, modes: {y: {count: 2}}, damping: {ratio: 0.01}}
      tip: {mass: 5}
trajectories:
  up: {type: quintic, from: -0.5, to: 0.5, duration: 1}
initial: {q: {shoulder: -0.5, elbow: 0.3}, settle: true}
actuation:
  - {joint: shoulder, type: pid, kp: 3e4, ki: 2e4, kd: 3e3, derivative_filter: 2e-4, target: {trajectory: up}}
  - {joint: elbow, type: pid, kp: 1e4, ki: 5e3, kd: 800, derivative_filter: 2e-4, target: {value: 0.3}}
duration: 2
)";
std::string with(std::string text, const std::string& key, const std::string& value) {
  for (std::size_t at = text.find(key); at != std::string::npos; at = text.find(key, at))
    text.replace(at, key.size(), value);
  return text;
}

// Of q, v and x: what implicit methods solve with is the derivative of what they integrate.
TEST(MemoryOfAController, IsInTheTangent) {
  for (const char* limit : {"1e6", "1e-3"}) {
    const ScenarioFile file = scenario(with(filtered_boom, "LIMIT", limit));
    Scenario made = build_scenario(file.description, file.model);
    System system(made);
    system.enter_interval(0.5);
    Eigen::VectorXd y = system.initial_state(), rate(y.size());
    const int n = system.nv(), m = system.memory_size(), x = 2 * n + ledger_size;
    ASSERT_EQ(m, 4);
    for (Eigen::Index k = 0; k < y.size(); ++k) y[k] += 0.05 * std::sin(3.0 + 7.0 * static_cast<double>(k));
    system.derivative(0.2, y, rate);
    const Eigen::VectorXd q = y.head(n), v = y.segment(n, n), integrals = y.tail(system.integral_count()),
                          a = rate.segment(n, n);
    System::Tangent tangent;
    System::MemorySlopes slopes;
    system.tangent(0.2, q, v, integrals, a, tangent);
    system.memory_slopes(0.2, q, v, integrals, slopes);
    const Eigen::MatrixXd J = slopes_of(system, y);
    const auto near = [&](const Eigen::MatrixXd& found, const Eigen::MatrixXd& expected, const char* what) {
      EXPECT_LT((found - expected).cwiseAbs().maxCoeff(),
                1e-6 * std::max(expected.cwiseAbs().maxCoeff(), 1.0))
          << what << " at a limit of " << limit;
    };
    const Eigen::LDLT<Eigen::MatrixXd> M(tangent.M);
    near(-M.solve(tangent.K), J.block(n, 0, n, n), "a by q");
    near(-M.solve(tangent.C), J.block(n, n, n, n), "a by v");
    near(M.solve(slopes.force), J.block(n, x, n, m), "a by x");
    near(slopes.dq, J.block(x, 0, m, n), "x' by q");
    near(slopes.dv, J.block(x, n, m, n), "x' by v");
    near(slopes.dx, J.block(x, x, m, m), "x' by x");
    EXPECT_EQ(slopes.force.row(0).isZero(0.0), std::string(limit) == "1e-3");
  }
}

// Filters of 0.2 ms. Before what they remember stood in the matrices of Newton's iteration, steps were as short as the filters: 17919 by radau (29058 more
// rejected), 11562 by radau9, 63686 by bdf, 78834 by ida, and generalized-alpha did not get anywhere. Now 331, 149, 6357, 3754 and 1000.
struct Stiff {
  const char* method;
  long most_steps, most_evaluations;
};
class StiffFilters : public testing::TestWithParam<Stiff> {};
TEST_P(StiffFilters, CostNewtonsIterationLittle) {
  const TestRun result =
      run(with(filtered_boom, "LIMIT", "1e6") + "integrator: {method: " + GetParam().method + "}\n");
  const Checkpoint& last = result.summary.last;
  RecordProperty("steps", std::to_string(last.steps));
  RecordProperty("evaluations", std::to_string(last.evaluations));
  EXPECT_LT(last.steps, GetParam().most_steps);
  EXPECT_LT(last.evaluations, GetParam().most_evaluations);
  EXPECT_NEAR(result.summary.q[0], 0.5, 0.02);
}
INSTANTIATE_TEST_SUITE_P(Methods, StiffFilters,
                         testing::Values(Stiff{"radau", 500, 5000}, Stiff{"radau9", 250, 5000},
                                         Stiff{"bdf", 9000, 10000}, Stiff{"ida", 5500, 7000},
                                         Stiff{"generalized-alpha, step: 0.002", 1001, 8000}));

// A boom that carries what its controller does not know of.
const std::string boom = R"(limber: 1
model:
  gravity: [0, -9.81, 0]
  links:
    - name: boom
      joint: {name: shoulder, axis: [0, 0, 1], limits: {effort: LIMIT}}
      beam: {length: 2, section: {EI_z: 4e3, mass_per_length: 4}, modes: {y: {count: 2}}, damping: {ratio: 0.01}}
    - name: jib
      joint: {name: elbow, axis: [0, 0, 1]}
      beam: {length: 1.5, section: {EI_z: 2e3, mass_per_length: 2}, modes: {y: {count: 2}}, damping: {ratio: 0.01}}
      tip: {mass: 5}
trajectories:
  up: {type: quintic, from: -1, to: 0.5, duration: 2}
loads: [{link: jib, force: [0, -60, 0]}]
initial: {q: {shoulder: -1, elbow: 0.3}, settle: true}
actuation:
  - {joint: shoulder, type: lqr, integral: true, target: {trajectory: up}}
  - {joint: elbow, type: lqr, integral: true}
duration: 14
)";

TEST(LqrWithIntegral, EndsAtItsTargetUnderALoadThatItDoesNotKnow) {
  const std::string strong = with(boom, "LIMIT", "1e4");
  const TestRun without = run(with(strong, "integral: true, ", "")), with_it = run(strong);
  EXPECT_GT(std::abs(without.summary.q[0] - 0.5), 0.005);
  EXPECT_NEAR(with_it.summary.q[0], 0.5, 1e-4);
  EXPECT_NEAR(with_it.summary.q[3], 0.3, 1e-4);
  EXPECT_LT(with_it.summary.v.norm(), 1e-3);
  // Of two integrals, those of one joint's error.
  ASSERT_EQ(with_it.summary.last.integrator.y.size(), 6 + 6 + ledger_size + 2);
}

TEST(LqrWithIntegral, IsTheSameMotionByAnotherMethod) {
  const std::string strong = with(with(boom, "LIMIT", "1e4"), "duration: 14", "duration: 3");
  const TestRun radau = run(strong + "integrator: {method: radau, rtol: 1e-8}\n");
  for (const std::string method : {"radau9", "bdf", "erk", "ida"}) {
    const TestRun other = run(strong + "integrator: {method: " + method + ", rtol: 1e-8}\n");
    EXPECT_LT((other.summary.q - radau.summary.q).cwiseAbs().maxCoeff(), 1e-5) << method;
  }
}

// A motor that can hardly hold the arm lags far behind its target: the error must not be summed up meanwhile.
TEST(LqrWithIntegral, DoesNotWindUpWhileTheMotorIsAtItsLimit) {
  const TestRun weak = run(with(boom, "LIMIT", "540"));
  double farthest = -10.0;
  bool was_at_limit = false;
  for (const Sample& row : weak.rows) {
    farthest = std::max(farthest, row.q[0]);
    was_at_limit = was_at_limit || std::abs(row.asked[0]) > 540.0;
  }
  EXPECT_TRUE(was_at_limit);
  EXPECT_LT(farthest, 0.53);
  EXPECT_NEAR(weak.summary.q[0], 0.5, 1e-3);
}

TEST(LqrWithIntegral, IsNoKeyOfOtherControllers) {
  try {
    run(R"(limber: 1
model: lin_lewis_one_link/lin_lewis_one_link.yaml
actuation: [{joint: all, type: pd, kp: 1, kd: 1, target: {value: 0}, integral: true}]
duration: 1
)");
    FAIL();
  } catch (const std::exception& error) {
    EXPECT_NE(std::string(error.what()).find("a key of type pd"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace limber
