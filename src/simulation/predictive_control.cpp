// SPDX-License-Identifier: BSD-3-Clause
#include "limber/simulation/predictive_control.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "held_step.hpp"
#include "limber/algorithms/input_matrix.hpp"
#include "limber/analysis/derivatives.hpp"
#include "limber/core/computation_error.hpp"
#include "limber/core/input_error.hpp"
#include "valid_scenario.hpp"

namespace limber {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
// The first sample: until efforts change by less than this part of themselves.
constexpr int most_first_iterations = 20;
constexpr double settled = 1e-6;

MatrixXd columns_of(const Model& model, const std::vector<JointTarget>& driven) {
  const std::vector<int> joints = joint_coordinates(model);
  const MatrixXd all = input_matrix(model);
  MatrixXd B(model.nv(), static_cast<Index>(driven.size()));
  for (std::size_t i = 0; i < driven.size(); ++i)
    B.col(static_cast<Index>(i)) =
        all.col(std::find(joints.begin(), joints.end(), driven[i].coordinate) - joints.begin());
  return B;
}

void require_single_numbers(const Model& model) {
  for (const Link& link : model.links())
    if (link.joint.has_quaternion())
      throw InputError(Problem{"actuation", "an arm whose joints are all one number each for nmpc",
                               "`" + link.joint.name + "`, whose position is a quaternion", "take lqr"});
}

}  // namespace

struct PredictiveController::Inside {
  Inside(Model arm, const VectorXd& start, HoldingPath along, PredictiveDesign what)
      : model(std::move(arm)),
        n(model.nv()),
        m(static_cast<Index>(what.driven.size())),
        N(what.intervals),
        T(1.0 / what.rate),
        q(start),
        path(std::move(along)),
        design(std::move(what)),
        step(model, columns_of(model, design.driven), T),
        stages(static_cast<std::size_t>(N)) {
    problem.A.assign(stages.size(), MatrixXd::Zero(2 * n, 2 * n));
    problem.B.assign(stages.size(), MatrixXd::Zero(2 * n, m));
    problem.c.setZero(2 * n, N);
    problem.Q = design.Q;
    problem.R = design.R;
    problem.P = design.P;
    problem.weight = T;
    problem.r.setZero(2 * n, N + 1);
    problem.h.setZero(m, N);
    problem.softness = design.softness;
    set_limits();
    motion.x.setZero(2 * n, N + 1);
    motion.u.setZero(m, N);
    a.setZero(HeldStep::stages * n, N);
  }

  void set_limits() {
    problem.upper.setConstant(m, infinite);
    problem.state_upper.setConstant(2 * n, infinite);
    problem.state_lower.setConstant(2 * n, -infinite);
    for (const Link& link : model.links()) {
      const Joint& joint = link.joint;
      const int own = joint.has_motor() ? joint.facts().moving() : joint.nv;
      for (Index i = joint.v_index; i < joint.v_index + own; ++i) {
        problem.state_upper[i] = joint.limits.upper.value_or(infinite);
        problem.state_lower[i] = joint.limits.lower.value_or(-infinite);
        problem.state_upper[n + i] = joint.limits.velocity.value_or(infinite);
        problem.state_lower[n + i] = -problem.state_upper[n + i];
      }
      for (std::size_t i = 0; i < design.driven.size(); ++i) {
        const int c = design.driven[i].coordinate;
        if (c >= joint.v_index && c < joint.v_index + joint.nv)
          problem.upper[static_cast<Index>(i)] = joint.limits.effort.value_or(infinite);
      }
    }
    problem.lower = -problem.upper;
  }

  // r and h of (1), from t on. At a corner of a target: what begins there.
  void find_reference(double t) {
    constexpr double behind = 1e-6, half = 0.5;  // of a period
    for (Index k = 0; k <= N; ++k) {
      const double at = t + static_cast<double>(k) * T, within = at + behind * T;
      path.go_to(at, within);
      auto r = problem.r.col(k);
      r.head(n) = q;
      r.tail(n).setZero();
      for (const int c : path.placed()) {
        r[c] = path.value()[c];
        r[n + c] = path.rate()[c];
      }
      for (const JointTarget& target : design.driven) {
        const TrajectoryPoint wanted = target.trajectory->at(at, within);
        r[target.coordinate] = wanted.position;
        r[n + target.coordinate] = wanted.velocity;
      }
      if (k == N) break;
      path.go_to(at + half * T, at + half * T);
      for (Index i = 0; i < m; ++i)
        problem.h(i, k) = path.value()[design.driven[static_cast<std::size_t>(i)].coordinate];
    }
  }

  VectorXd within_limits(const VectorXd& u) const {
    return u.cwiseMax(problem.lower).cwiseMin(problem.upper);
  }

  void begin_anew() {
    motion.x = problem.r;
    for (Index k = 0; k < N; ++k) motion.u.col(k) = within_limits(problem.h.col(k));
    a.setZero();
  }

  // The motion of the sample before, one period on. What is new at its end is driven by the feedback that P stands for.
  void go_on() {
    for (Index k = 0; k < N; ++k) motion.x.col(k) = motion.x.col(k + 1).eval();
    for (Index k = 0; k + 1 < N; ++k) {
      motion.u.col(k) = motion.u.col(k + 1).eval();
      a.col(k) = a.col(k + 1).eval();
    }
    const VectorXd from = motion.x.col(N - 1);
    motion.u.col(N - 1) = within_limits(problem.h.col(N - 1) - design.K * (from - problem.r.col(N - 1)));
    HeldStep::Linearised& last = stages.back();
    step.linearise(from, motion.u.col(N - 1), a.col(N - 1), last);
    a.col(N - 1) += last.D.rightCols(1);
    motion.x.col(N) = last.end;
  }

  // (2)
  VectorXd seen(const VectorXd& measured) {
    const VectorXd expected = motion.x.col(0);
    VectorXd off = measured - expected;
    const ForceDerivatives& there = step.look(expected.head(n), expected.tail(n), a.col(0).head(n));
    modal.compute(0.5 * (there.dq + there.dq.transpose()), 0.5 * (there.da + there.da.transpose()));
    const double fast = std::pow(HeldStep::fast_motion / T, 2);
    for (Index i = n - 1; i >= 0 && modal.eigenvalues()[i] > fast; --i) {
      const VectorXd phi = modal.eigenvectors().col(i), along = there.da * phi;
      const double way = along.dot(off.head(n)), rate = along.dot(off.tail(n));
      off.head(n) -= way * phi;
      off.tail(n) -= rate * phi;
    }
    return expected + off;
  }

  // Returns by how much efforts have changed, as a part of the largest.
  double iterate() {
    for (Index k = 0; k < N; ++k) {
      const auto at = static_cast<std::size_t>(k);
      HeldStep::Linearised& stage = stages[at];
      step.linearise(motion.x.col(k), motion.u.col(k), a.col(k), stage);
      problem.A[at] = stage.A;
      problem.B[at] = stage.B;
      auto c = problem.c.col(k);
      c = stage.end;
      c.noalias() -= stage.A * motion.x.col(k);
      c.noalias() -= stage.B * motion.u.col(k);
    }
    solution.x = motion.x;
    solution.u = motion.u;
    solver.solve(problem, solution);
    VectorXd change(2 * n + m + 1);
    for (Index k = 0; k < N; ++k) {
      change << solution.x.col(k) - motion.x.col(k), solution.u.col(k) - motion.u.col(k), 1.0;
      a.col(k).noalias() += stages[static_cast<std::size_t>(k)].D * change;
    }
    const double largest = std::max(solution.u.cwiseAbs().maxCoeff(), std::numeric_limits<double>::min());
    const double moved = (solution.u - motion.u).cwiseAbs().maxCoeff() / largest;
    motion.x = solution.x;
    motion.u = solution.u;
    ++motion.iterations;
    motion.sweeps += solution.sweeps;
    motion.is_settled = solution.is_settled;
    return moved;
  }

  void solve_anew(const VectorXd& measured) {
    begin_anew();
    problem.x_0 = measured;
    for (int i = 0; i < most_first_iterations; ++i)
      if (iterate() < settled) break;
  }

  void solve(const Instant& now) {
    if (is_solved && now.t == solved_t && now.q == solved_q && now.v == solved_v && now.x == solved_x) return;
    motion.iterations = motion.sweeps = 0;
    find_reference(now.t);
    VectorXd measured(2 * n);
    measured << now.q, now.v;
    try {
      if (now.x[0] == 0.0) {
        solve_anew(measured);
      } else {
        recall(now.x);
        go_on();
        problem.x_0 = seen(measured);
        for (int i = 0; i < design.iterations; ++i) iterate();
      }
    } catch (const ComputationError&) {
      // A motion that has been lost is no beginning.
      try {
        solve_anew(measured);
      } catch (const ComputationError& failed) {
        throw ComputationError(
            fmt::format("at t = {:.6g} s nmpc finds no motion from where the arm is: {}. Sample more often, "
                        "take a longer horizon, or larger effort_weights",
                        now.t, failed.what()));
      }
    }
    solved_t = now.t;
    solved_q = now.q;
    solved_v = now.v;
    solved_x = now.x;
    is_solved = true;
  }

  // What is remembered: whether there is a motion, then x, u and accelerations at stages.
  Index memory() const { return 1 + motion.x.size() + motion.u.size() + a.size(); }
  void recall(const Eigen::Map<const VectorXd>& x) {
    const double* from = x.data() + 1;
    for (MatrixXd* part : {&motion.x, &motion.u, &a}) {
      *part = Eigen::Map<const MatrixXd>(from, part->rows(), part->cols());
      from += part->size();
    }
  }
  void write(Eigen::Ref<VectorXd> x) const {
    x[0] = 1.0;
    Index at = 1;
    for (const MatrixXd* part : {&motion.x, &motion.u, &a}) {
      x.segment(at, part->size()) = part->reshaped();
      at += part->size();
    }
  }

  Model model;
  Index n, m, N;
  double T;
  VectorXd q;
  HoldingPath path;
  PredictiveDesign design;
  HeldStep step;
  std::vector<HeldStep::Linearised> stages;
  BoundedLqrProblem problem;
  BoundedLqr solver;
  BoundedLqr::Solution solution;
  Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> modal;
  Plan motion;
  MatrixXd a;  ///< 2n x N: accelerations at stages
  bool is_solved = false;
  double solved_t = 0.0;
  VectorXd solved_q, solved_v, solved_x;
};

PredictiveController::PredictiveController(Model model, const VectorXd& q, HoldingPath path,
                                           PredictiveDesign design) {
  const char* const name = "PredictiveController";
  require_single_numbers(model);
  detail::Call{name, model}.require_position("q", q);
  for (const JointTarget& target : design.driven) require_target(name, "driven", model, target);
  const Index states = 2 * model.nv(), m = static_cast<Index>(design.driven.size());
  detail::require_extent(name, "Q", design.Q, states, states);
  detail::require_extent(name, "P", design.P, states, states);
  detail::require_extent(name, "R", design.R, m, m);
  detail::require_extent(name, "K", design.K, m, states);
  detail::require_extent(name, "softness", design.softness, states, 1);
  detail::require_extent(name, "path", path.value(), model.nv(), 1);
  if (!(design.rate > 0.0) || design.intervals < 1 || design.iterations < 1 || m < 1)
    throw InputError(
        Problem{name, "rate > 0, and at least one joint, interval and iteration",
                fmt::format("{}, {}, {}, {}", design.rate, m, design.intervals, design.iterations), ""});
  inside_ = std::make_unique<Inside>(std::move(model), q, std::move(path), std::move(design));
}
PredictiveController::~PredictiveController() = default;

const std::vector<JointTarget>& PredictiveController::targets() const { return inside_->design.driven; }
double PredictiveController::rate() const { return inside_->design.rate; }
int PredictiveController::memory_size() const { return static_cast<int>(inside_->memory()); }
const PredictiveController::Plan& PredictiveController::plan() const { return inside_->motion; }

void PredictiveController::add_efforts(const Instant& now, VectorXd& efforts) {
  const char* const name = "PredictiveController::add_efforts";
  const detail::Call call{name, inside_->model};
  call.require_position("now.q", now.q);
  call.require_velocity("now.v", now.v);
  call.require_velocity("efforts", efforts);
  detail::require_extent(name, "now.x", now.x, memory_size(), 1);
  inside_->solve(now);
  for (Index i = 0; i < inside_->m; ++i)
    efforts[targets()[static_cast<std::size_t>(i)].coordinate] += inside_->motion.u(i, 0);
}

void PredictiveController::remember(const Instant& now, const Eigen::VectorXi&, Eigen::Ref<VectorXd> x) {
  detail::require_extent("PredictiveController::remember", "x", x, memory_size(), 1);
  inside_->solve(now);
  inside_->write(x);
}

std::vector<TrajectoryPointer> PredictiveController::signals() const {
  std::vector<TrajectoryPointer> signals;
  for (const JointTarget& target : targets()) signals.push_back(target.trajectory);
  return signals;
}

}  // namespace limber
