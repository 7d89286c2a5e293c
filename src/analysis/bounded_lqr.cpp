// SPDX-License-Identifier: BSD-3-Clause
#include "limber/analysis/bounded_lqr.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "limber/core/computation_error.hpp"
#include "limber/core/input_error.hpp"
#include "limber/math/detail/decompositions.hpp"
#include "limber/model/detail/arguments.hpp"

namespace limber {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

void BoundedLqr::require_sizes(const BoundedLqrProblem& problem) const {
  const char* const name = "BoundedLqr::solve";
  const Index n = problem.x_0.size(), m = problem.R.rows(), N = problem.c.cols();
  const auto require = [&](const char* what, const auto& of, Index rows, Index columns) {
    detail::require_extent(name, what, of, rows, columns);
  };
  if (N < 1 || problem.A.size() != static_cast<std::size_t>(N) ||
      problem.B.size() != static_cast<std::size_t>(N))
    throw InputError(Problem{name, "as many A and B as columns of c, at least one",
                             std::to_string(problem.A.size()) + ", " + std::to_string(problem.B.size()) +
                                 " and " + std::to_string(N),
                             ""});
  for (std::size_t k = 0; k < problem.A.size(); ++k) {
    require("A", problem.A[k], n, n);
    require("B", problem.B[k], n, m);
  }
  require("c", problem.c, n, N);
  require("Q", problem.Q, n, n);
  require("R", problem.R, m, m);
  require("P", problem.P, n, n);
  require("r", problem.r, n, N + 1);
  require("h", problem.h, m, N);
  for (const auto& [what, of] : {std::pair{"lower", &problem.lower}, std::pair{"upper", &problem.upper}})
    require(what, *of, m, 1);
  for (const auto& [what, of] :
       {std::pair{"state_lower", &problem.state_lower}, std::pair{"state_upper", &problem.state_upper},
        std::pair{"softness", &problem.softness}})
    require(what, *of, n, 1);
}

// What is at a limit, or beyond it.
void BoundedLqr::guess(const BoundedLqrProblem& problem, const Solution& solution) {
  const Index n = problem.x_0.size(), m = problem.R.rows(), N = problem.c.cols();
  at_limit_.setZero(m, N);
  beyond_.setZero(n, N + 1);
  if (solution.u.rows() != m || solution.u.cols() != N) return;
  for (Index k = 0; k < N; ++k)
    for (Index i = 0; i < m; ++i)
      at_limit_(i, k) = solution.u(i, k) >= problem.upper[i]   ? 1
                        : solution.u(i, k) <= problem.lower[i] ? -1
                                                               : 0;
  if (solution.x.rows() != n || solution.x.cols() != N + 1) return;
  for (Index k = 1; k <= N; ++k)
    for (Index i = 0; i < n; ++i)
      beyond_(i, k) = solution.x(i, k) > problem.state_upper[i]   ? 1
                      : solution.x(i, k) < problem.state_lower[i] ? -1
                                                                  : 0;
}

// s_i/2 (x_i - limit)^2 where the sets say so.
void BoundedLqr::count_states(const BoundedLqrProblem& problem) {
  for (Index k = 1; k < beyond_.cols(); ++k)
    for (Index i = 0; i < beyond_.rows(); ++i) {
      const int side = beyond_(i, k);
      state_weight_(i, k) = side == 0 ? 0.0 : problem.softness[i];
      state_push_(i, k) =
          side == 0 ? 0.0
                    : -problem.softness[i] * (side > 0 ? problem.state_upper[i] : problem.state_lower[i]);
    }
}

// (3) of a stage.
void BoundedLqr::reduce(const BoundedLqrProblem& problem, Index k) {
  Stage& stage = stages_[static_cast<std::size_t>(k)];
  const Index m = problem.R.rows(), n = problem.x_0.size();
  stage.K.setZero(m, n);
  stage.kappa.setZero(m);
  Index free = 0;
  for (Index i = 0; i < m; ++i) {
    if (at_limit_(i, k) == 0)
      ++free;
    else
      stage.kappa[i] = at_limit_(i, k) > 0 ? problem.upper[i] : problem.lower[i];
  }
  if (free == 0) return;
  H_free_.resize(free, free);
  G_free_.resize(free, n + 1);
  for (Index i = 0, a = 0; i < m; ++i) {
    if (at_limit_(i, k) != 0) continue;
    for (Index j = 0, b = 0; j < m; ++j)
      if (at_limit_(j, k) == 0) H_free_(a, b++) = stage.H(i, j);
    G_free_.row(a).head(n) = stage.G.row(i);
    G_free_(a++, n) = stage.g[i] + stage.H.row(i).dot(stage.kappa);
  }
  const Eigen::LLT<MatrixXd> factor(H_free_);
  if (factor.info() != Eigen::Success)
    throw ComputationError(
        "bounded LQR: the cost has no lowest point: R must be positive definite, Q and P "
        "must not be negative");
  factor.solveInPlace(G_free_);
  for (Index i = 0, a = 0; i < m; ++i) {
    if (at_limit_(i, k) != 0) continue;
    stage.K.row(i) = -G_free_.row(a).head(n);
    stage.kappa[i] = -G_free_(a++, n);
  }
}

// (2) to (4), and forwards.
void BoundedLqr::sweep(const BoundedLqrProblem& problem, Solution& solution) {
  const Index N = problem.c.cols();
  stages_.resize(static_cast<std::size_t>(N));
  P_ = problem.P;
  P_.diagonal() += state_weight_.col(N);
  p_ = state_push_.col(N);
  p_.noalias() -= problem.P * problem.r.col(N);
  for (Index k = N - 1; k >= 0; --k) {
    Stage& stage = stages_[static_cast<std::size_t>(k)];
    const MatrixXd &A = problem.A[static_cast<std::size_t>(k)], &B = problem.B[static_cast<std::size_t>(k)];
    PA_.noalias() = P_ * A;
    PB_.noalias() = P_ * B;
    Pc_ = p_;
    Pc_.noalias() += P_ * problem.c.col(k);
    stage.H = problem.weight * problem.R;
    stage.H.diagonal() += effort_weight_.col(k);
    stage.H.noalias() += B.transpose() * PB_;
    stage.G.noalias() = B.transpose() * PA_;
    stage.g = effort_push_.col(k);
    stage.g.noalias() += B.transpose() * Pc_;
    stage.g.noalias() -= problem.weight * (problem.R * problem.h.col(k));
    reduce(problem, k);
    next_P_ = problem.weight * problem.Q;
    next_P_.noalias() += A.transpose() * PA_;
    next_P_.noalias() += stage.G.transpose() * stage.K;  // K_C = 0
    P_ = 0.5 * (next_P_ + next_P_.transpose());
    P_.diagonal() += state_weight_.col(k);
    next_p_ = state_push_.col(k);
    next_p_.noalias() += A.transpose() * Pc_;
    next_p_.noalias() += stage.G.transpose() * stage.kappa;
    next_p_.noalias() -= problem.weight * (problem.Q * problem.r.col(k));
    p_.swap(next_p_);
  }
  solution.x.resize(problem.x_0.size(), N + 1);
  solution.u.resize(problem.R.rows(), N);
  solution.x.col(0) = problem.x_0;
  for (Index k = 0; k < N; ++k) {
    const Stage& stage = stages_[static_cast<std::size_t>(k)];
    solution.u.col(k) = stage.kappa;
    solution.u.col(k).noalias() += stage.K * solution.x.col(k);
    solution.x.col(k + 1) = problem.c.col(k);
    solution.x.col(k + 1).noalias() += problem.A[static_cast<std::size_t>(k)] * solution.x.col(k);
    solution.x.col(k + 1).noalias() += problem.B[static_cast<std::size_t>(k)] * solution.u.col(k);
  }
  if (!solution.x.allFinite() || !solution.u.allFinite())
    throw ComputationError("bounded LQR: the recursion has left the range of numbers");
  ++solution.sweeps;
}

// Whether anything has.
bool BoundedLqr::change_sets(const BoundedLqrProblem& problem, const Solution& solution) {
  bool has_changed = false;
  const auto set = [&](int& now, int next) {
    has_changed = has_changed || now != next;
    now = next;
  };
  for (Index k = 0; k < problem.c.cols(); ++k) {
    const Stage& stage = stages_[static_cast<std::size_t>(k)];
    for (Index i = 0; i < problem.R.rows(); ++i) {
      const double u = solution.u(i, k);
      if (at_limit_(i, k) == 0) {
        set(at_limit_(i, k), u > problem.upper[i] ? 1 : u < problem.lower[i] ? -1 : 0);
        continue;
      }
      // The slope of the cost: towards the inside it must not fall.
      const double slope =
          stage.H.row(i).dot(solution.u.col(k)) + stage.G.row(i).dot(solution.x.col(k)) + stage.g[i];
      if (slope * at_limit_(i, k) > 0.0) set(at_limit_(i, k), 0);
    }
  }
  for (Index k = 1; k <= problem.c.cols(); ++k)
    for (Index i = 0; i < problem.x_0.size(); ++i) {
      const double x = solution.x(i, k);
      set(beyond_(i, k), x > problem.state_upper[i] ? 1 : x < problem.state_lower[i] ? -1 : 0);
    }
  return has_changed;
}

void BoundedLqr::follow_sets(const BoundedLqrProblem& problem, Solution& solution, int most_sweeps) {
  effort_weight_.setZero();
  effort_push_.setZero();
  for (int i = 0; i < most_sweeps && !solution.is_settled; ++i) {
    count_states(problem);
    sweep(problem, solution);
    solution.is_settled = !change_sets(problem, solution);
  }
}

namespace {

/// z <= limit, z = sign times a number.
struct Limit {
  bool is_state;
  Index i, k;
  double sign, limit, inverse_softness, scale;
  double t = 0.0, lambda = 0.0;

  double z(const BoundedLqr::Solution& at) const { return sign * (is_state ? at.x(i, k) : at.u(i, k)); }
};

std::vector<Limit> all_limits(const BoundedLqrProblem& problem, const BoundedLqr::Solution& free) {
  std::vector<Limit> all;
  const auto add = [&](bool is_state, Index i, double low, double high, const MatrixXd& numbers, Index first,
                       double inverse_softness) {
    const bool both = std::isfinite(low) && std::isfinite(high);
    const double usual = numbers.row(i).cwiseAbs().maxCoeff();
    for (const auto& [sign, limit] : {std::pair{1.0, high}, std::pair{-1.0, -low}}) {
      if (!std::isfinite(limit)) continue;
      const double scale = both ? high - low : std::max(std::abs(limit), usual);
      for (Index k = first; k < numbers.cols(); ++k)
        all.push_back({is_state, i, k, sign, limit, inverse_softness, scale > 0.0 ? scale : 1.0});
    }
  };
  for (Index i = 0; i < problem.R.rows(); ++i)
    add(false, i, problem.lower[i], problem.upper[i], free.u, 0, 0.0);
  for (Index i = 0; i < problem.x_0.size(); ++i)
    if (problem.softness[i] > 0.0)
      add(true, i, problem.state_lower[i], problem.state_upper[i], free.x, 1, 1.0 / problem.softness[i]);
  return all;
}

// Of (1), limits aside.
double free_cost(const BoundedLqrProblem& problem, const BoundedLqr::Solution& at) {
  const auto square = [](const MatrixXd& W, const VectorXd& d) { return 0.5 * d.dot(W * d); };
  const Index N = problem.c.cols();
  double sum = square(problem.P, at.x.col(N) - problem.r.col(N));
  for (Index k = 0; k < N; ++k)
    sum += problem.weight * (square(problem.Q, at.x.col(k) - problem.r.col(k)) +
                             square(problem.R, at.u.col(k) - problem.h.col(k)));
  return sum;
}

}  // namespace

// (5). Leaves the sets that multipliers tell.
void BoundedLqr::go_inside(const BoundedLqrProblem& problem, Solution& solution, int most_sweeps) {
  constexpr double first_slack = 0.05, first_gap = 100.0, centring = 0.1, back = 0.995, enough = 1e-10;
  at_limit_.setZero();
  beyond_.setZero();
  state_weight_.setZero();
  state_push_.setZero();
  sweep(problem, solution);
  std::vector<Limit> limits = all_limits(problem, solution);
  const double scale = std::max(free_cost(problem, solution), std::numeric_limits<double>::min());
  for (Index k = 0; k < solution.u.cols(); ++k)
    solution.u.col(k) = solution.u.col(k).cwiseMax(problem.lower).cwiseMin(problem.upper);
  Solution now = solution;
  for (Limit& one : limits) {
    one.t = std::max(one.limit - one.z(now), first_slack * one.scale);
    one.lambda = first_gap * scale / static_cast<double>(limits.size()) / one.t;
  }
  double gap = first_gap * scale;
  for (int i = 0; i < most_sweeps && gap > enough * free_cost(problem, now); ++i) {
    const double mu = centring * gap / static_cast<double>(limits.size());
    for (MatrixXd* part : {&effort_weight_, &effort_push_, &state_weight_, &state_push_}) part->setZero();
    const auto slope = [&](const Limit& one) {
      const double r = one.limit - one.z(now) + one.lambda * one.inverse_softness - one.t;
      const double stiff = one.t + one.lambda * one.inverse_softness;
      return std::pair{one.lambda / stiff, one.lambda + (mu - one.lambda * (one.t + r)) / stiff};
    };
    for (const Limit& one : limits) {
      const auto [W, l] = slope(one);
      (one.is_state ? state_weight_ : effort_weight_)(one.i, one.k) += W;
      (one.is_state ? state_push_ : effort_push_)(one.i, one.k) += one.sign * (l - W * one.z(now));
    }
    sweep(problem, solution);
    // As far as slacks and multipliers stay positive.
    double share = 1.0;
    std::vector<std::pair<double, double>> changes;
    changes.reserve(limits.size());
    for (const Limit& one : limits) {
      const auto [W, l] = slope(one);
      const double dz = one.z(solution) - one.z(now), dlambda = l + W * dz - one.lambda;
      const double r = one.limit - one.z(now) + one.lambda * one.inverse_softness - one.t;
      const double dt = r - dz + dlambda * one.inverse_softness;
      changes.emplace_back(dt, dlambda);
      if (dt < 0.0) share = std::min(share, -back * one.t / dt);
      if (dlambda < 0.0) share = std::min(share, -back * one.lambda / dlambda);
    }
    gap = 0.0;
    for (std::size_t j = 0; j < limits.size(); ++j) {
      limits[j].t += share * changes[j].first;
      limits[j].lambda += share * changes[j].second;
      gap += limits[j].t * limits[j].lambda;
    }
    now.x += share * (solution.x - now.x);
    now.u += share * (solution.u - now.u);
  }
  solution.x = now.x;
  solution.u = now.u;
  // A limit holds where its slack is nothing beside its multiplier, each beside the largest there is.
  double largest[2] = {0.0, 0.0};
  for (const Limit& one : limits)
    largest[one.is_state] = std::max(largest[one.is_state], one.lambda * one.scale);
  for (const Limit& one : limits)
    if (one.lambda * one.scale / std::max(largest[0], largest[1]) > one.t / one.scale)
      (one.is_state ? beyond_ : at_limit_)(one.i, one.k) = one.sign > 0.0 ? 1 : -1;
}

void BoundedLqr::solve(const BoundedLqrProblem& problem, Solution& solution, int most_sweeps) {
  require_sizes(problem);
  guess(problem, solution);
  const Index n = problem.x_0.size(), m = problem.R.rows(), N = problem.c.cols();
  for (MatrixXd* part : {&effort_weight_, &effort_push_}) part->setZero(m, N);
  for (MatrixXd* part : {&state_weight_, &state_push_}) part->setZero(n, N + 1);
  solution.is_settled = false;
  solution.sweeps = 0;
  constexpr int first_tries = 6, last_tries = 6;
  follow_sets(problem, solution, std::min(first_tries, most_sweeps));
  if (!solution.is_settled && most_sweeps > first_tries + last_tries) {
    go_inside(problem, solution, most_sweeps - first_tries - last_tries);
    inside_.x = solution.x;
    inside_.u = solution.u;
    follow_sets(problem, solution, last_tries);
    if (!solution.is_settled) {
      solution.x = inside_.x;
      solution.u = inside_.u;
    }
  }
  solution.K = stages_.front().K;
  if (solution.is_settled) return;
  for (Index k = 0; k < N; ++k)
    solution.u.col(k) = solution.u.col(k).cwiseMax(problem.lower).cwiseMin(problem.upper);
}

}  // namespace limber
