// SPDX-License-Identifier: BSD-3-Clause
// What is to be small, and second derivatives.

#include <cmath>

#include "collocation.hpp"
#include "limber/core/interruption.hpp"

namespace limber {

// (5)
double Collocation::effort_sum(const Eigen::VectorXd& x) const {
  double sum = 0.0;
  for (int k = 0; k < N_; ++k)
    sum += x.segment(effort_at(k), m_).cwiseQuotient(task_.effort_units).squaredNorm();
  return x[time_at()] * h_ * sum;
}

double Collocation::effort_of(const CollocatedMotion& motion) const {
  double sum = 0.0;
  for (int k = 0; k < N_; ++k) sum += motion.efforts.col(k).cwiseQuotient(task_.effort_units).squaredNorm();
  return motion.duration * h_ * sum;
}

// (6): dt = T ds and v = v'/T.
double Collocation::strain_rate_sum(const Eigen::VectorXd& x) const {
  double sum = 0.0;
  for (int k = 0; k <= N_; ++k) {
    const CollocatedArm& arm = task_.arms.front();
    const Eigen::VectorXd d = x.segment(velocity_at(0, k), n_) - (arm.end - arm.start);
    sum += d.dot(task_.strain * d);
  }
  return h_ * sum / x[time_at()];
}

double Collocation::objective(const Point& y) {
  const Eigen::VectorXd x = values(y);
  double f = time_weight_ * x[time_at()] + effort_weight_ * effort_sum(x);
  if (rate_weight_ > 0.0) f += rate_weight_ * strain_rate_sum(x);
  if (has_peak()) f += peak_weight_ * x[peak_at()];
  for (int k = 0; k + 1 < N_ && smooth_weight_ > 0.0; ++k)
    f += smooth_weight_ * (x.segment(effort_at(k + 1), m_) - x.segment(effort_at(k), m_))
                              .cwiseQuotient(effort_sizes_)
                              .squaredNorm();
  const double T = x[time_at()];
  for (int a = 1; a < arms(); ++a) {  // (9)
    const CollocatedArm& arm = task_.arms[static_cast<std::size_t>(a)];
    const Eigen::VectorXd e = x.segment(position_at(a, N_), n_) - arm.end;
    const auto v = x.segment(velocity_at(a, N_), n_);
    f += 0.5 * energy_weight_ * (v.dot(arm.M * v) / (T * T) + e.dot(arm.K * e));
  }
  return f;
}

void Collocation::gradient(const Point& y, Eigen::Ref<Eigen::VectorXd> slopes) {
  const Eigen::VectorXd x = values(y);
  const double T = x[time_at()];
  slopes.setZero();
  slopes[time_at()] = time_weight_ + effort_weight_ * effort_sum(x) / T;
  for (int k = 0; k < N_; ++k)
    slopes.segment(effort_at(k), m_) =
        2.0 * effort_weight_ * T * h_ *
        x.segment(effort_at(k), m_).cwiseQuotient(task_.effort_units.cwiseAbs2());
  if (rate_weight_ > 0.0) {
    const CollocatedArm& arm = task_.arms.front();
    slopes[time_at()] -= rate_weight_ * strain_rate_sum(x) / T;
    for (int k = 0; k <= N_; ++k)
      slopes.segment(velocity_at(0, k), n_) =
          2.0 * rate_weight_ * h_ / T *
          (task_.strain * (x.segment(velocity_at(0, k), n_) - (arm.end - arm.start)));
  }
  if (has_peak()) slopes[peak_at()] = peak_weight_;
  for (int k = 0; k + 1 < N_ && smooth_weight_ > 0.0; ++k) {
    const Eigen::VectorXd jump = 2.0 * smooth_weight_ *
                                 (x.segment(effort_at(k + 1), m_) - x.segment(effort_at(k), m_))
                                     .cwiseQuotient(effort_sizes_.cwiseAbs2());
    slopes.segment(effort_at(k + 1), m_) += jump;
    slopes.segment(effort_at(k), m_) -= jump;
  }
  for (int a = 1; a < arms(); ++a) {
    const CollocatedArm& arm = task_.arms[static_cast<std::size_t>(a)];
    const auto v = x.segment(velocity_at(a, N_), n_);
    const Eigen::VectorXd Mv = energy_weight_ / (T * T) * (arm.M * v);
    slopes.segment(position_at(a, N_), n_) =
        energy_weight_ * (arm.K * (x.segment(position_at(a, N_), n_) - arm.end));
    slopes.segment(velocity_at(a, N_), n_) = Mv;
    slopes[time_at()] -= v.dot(Mv) / T;
  }
  slopes.array() *= sizes_.array();
}

// Second derivatives of multipliers . (1) on one interval: those of the places (scaled_forces.hpp), carried over to the unknowns by (1) of gauss.hpp, which is linear.
void Collocation::add_stage_curvature(const Eigen::VectorXd& x, int arm, int k, const Point& multipliers,
                                      SparseEntries& entries) {
  const int size = (2 + s_) * n_, first = position_at(arm, k), time = 3 * n_;
  const double T = x[time_at()];
  Eigen::MatrixXd whole = Eigen::MatrixXd::Zero(size, size);
  Eigen::VectorXd by_time = Eigen::VectorXd::Zero(size), by_time_of_first = Eigen::VectorXd::Zero(size);
  double twice_by_time = 0.0;
  for (int i = 0; i < s_; ++i) {
    const int row = dynamics_at(arm, k, i);
    const Eigen::VectorXd lambda = multipliers.segment(row, n_).cwiseProduct(row_sizes_.segment(row, n_));
    place(x, arm, k, i, at_);
    forces_[static_cast<std::size_t>(arm)].curvature(at_, lambda, q_sizes_, v_sizes_, H_);
    const auto part = [&](int kind, int block) {  // of q, v', a' at the stage in an unknown's block
      return kind == 0   ? rule_.position(i, block)
             : kind == 1 ? rule_.velocity(i, block)
                         : (block == 2 + i ? 1.0 : 0.0);
    };
    // q, v' and a' of the stage, then both sides.
    for (int b = 0; b < 2 + s_; ++b) {
      Eigen::MatrixXd half = Eigen::MatrixXd::Zero(3 * n_ + 1, n_);
      for (int kind = 0; kind < 3; ++kind)
        if (part(kind, b) != 0.0) half += part(kind, b) * H_.middleCols(kind * n_, n_);
      for (int other = b; other < 2 + s_; ++other)
        for (int kind = 0; kind < 3; ++kind)
          if (part(kind, other) != 0.0)
            whole.block(other * n_, b * n_, n_, n_) += part(kind, other) * half.middleRows(kind * n_, n_);
      by_time.segment(b * n_, n_) += half.row(time).transpose();
    }
    twice_by_time += H_(time, time);
    if (arm == 0) continue;
    ScaledForces::Place leader;
    place(x, 0, k, i, leader);
    for (int j = 0; j < m_; ++j) {  // -kd (v' - v'_s)/T of (8)
      const int c = task_.driven[static_cast<std::size_t>(j)];
      const double weight = task_.kd[j] * lambda.dot(task_.inputs.col(j)) / (T * T);
      for (int b = 0; b < 2 + s_; ++b) {
        by_time[b * n_ + c] -= weight * rule_.velocity(i, b);
        by_time_of_first[b * n_ + c] += weight * rule_.velocity(i, b);
      }
      twice_by_time -= 2.0 * weight * (leader.v[c] - at_.v[c]) / T;
    }
  }
  for (int column = 0; column < size; ++column)
    for (int r = column; r < size; ++r) add_second(entries, first + r, first + column, whole(r, column));
  for (int column = 0; column < size; ++column) {
    add_second(entries, time_at(), first + column, by_time[column]);
    if (arm > 0) add_second(entries, time_at(), position_at(0, k) + column, by_time_of_first[column]);
  }
  add_second(entries, time_at(), time_at(), twice_by_time);
}

void Collocation::add_effort_curvature(const Eigen::VectorXd& x, double factor,
                                       SparseEntries& entries) const {
  const double T = x[time_at()];
  for (int k = 0; k < N_; ++k)
    for (int j = 0; j < m_; ++j) {
      const int at = effort_at(k) + j;
      const double unit = task_.effort_units[j], weight = 2.0 * factor * effort_weight_ * h_ / (unit * unit),
                   size = effort_sizes_[j], smooth = 2.0 * factor * smooth_weight_ / (size * size);
      const int neighbours = (k > 0 ? 1 : 0) + (k + 1 < N_ ? 1 : 0);
      add_second(entries, at, at, weight * T + neighbours * smooth);
      add_second(entries, time_at(), at, weight * x[at]);
      if (k + 1 < N_) add_second(entries, effort_at(k + 1) + j, at, -smooth);
    }
}

void Collocation::add_payload_curvature(const Eigen::VectorXd& x, double factor,
                                        SparseEntries& entries) const {
  const double T = x[time_at()], weight = factor * energy_weight_;
  for (int a = 1; a < arms(); ++a) {
    const CollocatedArm& arm = task_.arms[static_cast<std::size_t>(a)];
    const auto v = x.segment(velocity_at(a, N_), n_);
    const Eigen::VectorXd Mv = arm.M * v;
    for (int c = 0; c < n_; ++c) {
      for (int r = c; r < n_; ++r) {
        add_second(entries, position_at(a, N_) + r, position_at(a, N_) + c,
                   0.5 * weight * (arm.K(r, c) + arm.K(c, r)));
        add_second(entries, velocity_at(a, N_) + r, velocity_at(a, N_) + c, weight * arm.M(r, c) / (T * T));
      }
      add_second(entries, time_at(), velocity_at(a, N_) + c, -2.0 * weight * Mv[c] / (T * T * T));
    }
    add_second(entries, time_at(), time_at(), 3.0 * weight * v.dot(Mv) / (T * T * T * T));
  }
}

void Collocation::add_objective_curvature(const Eigen::VectorXd& x, double factor,
                                          SparseEntries& entries) const {
  add_effort_curvature(x, factor, entries);
  add_payload_curvature(x, factor, entries);
  if (task_.goal != CollocationGoal::vibration) return;
  const double T = x[time_at()], weight = 2.0 * factor * rate_weight_ * h_ / T;
  const CollocatedArm& arm = task_.arms.front();
  for (int k = 0; k <= N_; ++k) {
    const Eigen::VectorXd Kd = task_.strain * (x.segment(velocity_at(0, k), n_) - (arm.end - arm.start));
    for (int c = 0; c < n_; ++c) {
      for (int r = c; r < n_; ++r)
        add_second(entries, velocity_at(0, k) + r, velocity_at(0, k) + c, weight * task_.strain(r, c));
      add_second(entries, time_at(), velocity_at(0, k) + c, -weight * Kd[c] / T);
    }
  }
  add_second(entries, time_at(), time_at(), 2.0 * factor * rate_weight_ * strain_rate_sum(x) / (T * T));
}

void Collocation::hessian(const Point& y, double factor, const Point& multipliers, SparseEntries& entries) {
  const Eigen::VectorXd x = values(y);
  for (int a = 0; a < arms(); ++a)
    for (int k = 0; k < N_; ++k) {
      stop_if_asked();
      add_stage_curvature(x, a, k, multipliers, entries);
    }
  add_objective_curvature(x, factor, entries);
  add_stress_curvature(x, multipliers, entries);
  if (task_.goal == CollocationGoal::deflection)
    for (int k = 1; k < N_; ++k) {
      const double weight = 2.0 * multipliers[peak_row(k)] * row_sizes_[peak_row(k)];
      for (int c = 0; c < n_; ++c)
        for (int r = c; r < n_; ++r)
          add_second(entries, position_at(0, k) + r, position_at(0, k) + c, weight * task_.strain(r, c));
    }
  if (is_relaxed())  // r T of (10): T is fixed, and its column with it
    for (int k = 1; k < N_; ++k)
      for (int l = 0; l < static_cast<int>(limited_.size()); ++l) {
        const int c = limited_[static_cast<std::size_t>(l)], row = speed_row(0, k, l);
        add_second(entries, peak_at(), time_at(),
                   task_.speed[c] * (multipliers[row + 1] - multipliers[row]) * row_sizes_[row]);
      }
}

}  // namespace limber
