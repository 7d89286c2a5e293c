// SPDX-License-Identifier: BSD-3-Clause
#include "collocation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "limber/core/interruption.hpp"

namespace limber {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

}  // namespace

Collocation::Collocation(CollocationTask task)
    : task_(std::move(task)),
      n_(task_.arms.front().model.nv()),
      m_(static_cast<int>(task_.driven.size())),
      s_(task_.stages),
      N_(task_.intervals),
      h_(1.0 / N_),
      rule_(s_, h_),
      per_interval_((2 + s_) * n_),
      per_arm_(N_ * per_interval_ + 2 * n_),
      rows_per_interval_((s_ + 2) * n_),
      rows_per_arm_(N_ * rows_per_interval_) {
  for (int i = 0; i < n_; ++i)
    if (std::isfinite(task_.speed[i])) limited_.push_back(i);
  for (int j = 0; j < m_; ++j)
    if (std::isfinite(task_.effort[j])) bounded_.push_back(j);
  after_speeds_ = speed_row(arms(), 1, 0);
  after_peaks_ = after_speeds_ + (task_.goal == CollocationGoal::deflection ? N_ - 1 : 0);
  after_relaxed_ = after_peaks_ + (is_relaxed() ? 2 * N_ * static_cast<int>(bounded_.size()) : 0);
  after_resting_ = after_relaxed_ + 2 * resting();
  if (task_.utilisation || task_.goal == CollocationGoal::stress)
    utilisation_.emplace(task_.arms.front().model, task_.loads);
  for (const CollocatedArm& arm : task_.arms) forces_.emplace_back(arm.model, task_.loads);
  set_sizes();
  set_guess();
}

Eigen::Vector3d Collocation::quintic(const CollocationTask& task, const CollocatedArm& arm, int coordinate,
                                     double s) {
  double from = arm.start[coordinate], to = arm.end[coordinate], begin = 0.0, end = 1.0;
  for (const CollocationTask::Via& via : task.via) {
    if (via.coordinate != coordinate) continue;
    const double at = static_cast<double>(via.node) / task.intervals;
    if (at <= s && at >= begin) {
      begin = at;
      from = via.position;
    } else if (at > s && at < end) {
      end = at;
      to = via.position;
    }
  }
  const double w = end - begin, x = (s - begin) / w, way = to - from;
  return {from + way * x * x * x * (10.0 + x * (-15.0 + 6.0 * x)),
          way / w * 30.0 * x * x * (1.0 + x * (-2.0 + x)),
          way / (w * w) * 60.0 * x * (1.0 + x * (-3.0 + 2.0 * x))};
}

// In the manner of simulation's tolerances: numbers count by what they mean for the energy of the motion.
void Collocation::set_sizes() {
  const CollocatedArm& arm = task_.arms.front();
  const double T = task_.duration;
  double largest_way = 0.0, energy = 0.0;
  Eigen::VectorXd way = (arm.end - arm.start).cwiseAbs();
  for (const CollocationTask::Via& via : task_.via)
    way[via.coordinate] = std::max(way[via.coordinate], std::abs(via.position - arm.start[via.coordinate]));
  for (const int c : task_.driven) {
    largest_way = std::max(largest_way, way[c]);
    energy = std::max(energy, arm.M(c, c) * way[c] * way[c] / (T * T));
  }
  if (largest_way == 0.0) largest_way = 1.0;
  if (energy == 0.0) energy = arm.M.diagonal().maxCoeff() * largest_way * largest_way / (T * T);
  q_sizes_.resize(n_);
  v_sizes_.resize(n_);
  const Eigen::MatrixXd& K = forces_.front().stiffness();
  for (int i = 0; i < n_; ++i) {
    const double moving = T * std::sqrt(energy / arm.M(i, i));
    q_sizes_[i] = task_.strain(i, i) > 0.0 ? std::min(largest_way, std::sqrt(energy / task_.strain(i, i)))
                                           : std::max(way[i], 0.1 * largest_way);
    v_sizes_[i] = task_.strain(i, i) > 0.0 ? moving : q_sizes_[i];
  }
  const int variables = peak_at() + (has_peak() ? 1 : 0);
  const int rows = stress_row(N_, 0);
  sizes_.setOnes(variables);
  row_sizes_.setOnes(rows);
  effort_sizes_ = Eigen::VectorXd::Zero(m_);
  ScaledForces::Place at{Eigen::VectorXd(n_), Eigen::VectorXd(n_), Eigen::VectorXd(n_), T};
  for (int k = 0; k < N_; ++k) {  // the largest along the quintic
    look_at_quintic(arm, (k + 0.5) * h_, at);
    forces_.front().force(at, f_);
    for (int j = 0; j < m_; ++j)
      effort_sizes_[j] = std::max(effort_sizes_[j], std::abs(f_[task_.driven[static_cast<std::size_t>(j)]]));
  }
  for (int j = 0; j < m_; ++j) {
    const int c = task_.driven[static_cast<std::size_t>(j)];
    effort_sizes_[j] = std::isfinite(task_.effort[j])
                           ? task_.effort[j]
                           : std::max(effort_sizes_[j], arm.M(c, c) * q_sizes_[c] / (T * T));
  }
  for (int a = 0; a < arms(); ++a) {
    for (int k = 0; k <= N_; ++k) {
      sizes_.segment(position_at(a, k), n_) = q_sizes_;
      sizes_.segment(velocity_at(a, k), n_) = v_sizes_;
      if (k == N_) continue;
      for (int i = 0; i < s_; ++i) {
        sizes_.segment(stage_at(a, k, i), n_) = v_sizes_;
        for (int r = 0; r < n_; ++r)
          row_sizes_[dynamics_at(a, k, i) + r] =
              1.0 / (arm.M(r, r) * v_sizes_[r] / (T * T) + std::abs(K(r, r)) * q_sizes_[r]);
      }
      row_sizes_.segment(continuity_at(a, k), n_) = q_sizes_.cwiseInverse();
      row_sizes_.segment(continuity_at(a, k) + n_, n_) = v_sizes_.cwiseInverse();
    }
  }
  for (int k = 0; k < N_; ++k) sizes_.segment(effort_at(k), m_) = effort_sizes_;
  for (int a = 0; a < arms(); ++a)
    for (int k = 1; k < N_; ++k)
      for (int l = 0; l < static_cast<int>(limited_.size()); ++l)
        row_sizes_.segment(speed_row(a, k, l), 2)
            .setConstant(1.0 / (task_.speed[limited_[static_cast<std::size_t>(l)]] * T));
  for (int k = 0; k < N_ && is_relaxed(); ++k)
    for (int l = 0; l < static_cast<int>(bounded_.size()); ++l)
      row_sizes_.segment(relaxed_row(k, l), 2)
          .setConstant(1.0 / task_.effort[bounded_[static_cast<std::size_t>(l)]]);
  for (int i = 0; i < resting(); ++i) {
    row_sizes_[resting_row(i)] = task_.resting_frequencies[i] / std::sqrt(energy);
    row_sizes_[resting_row(i) + resting()] = 1.0 / (T * std::sqrt(energy));
  }
  sizes_[time_at()] = T;
}

void Collocation::look_at_quintic(const CollocatedArm& arm, double s, ScaledForces::Place& at) const {
  for (int i = 0; i < n_; ++i) {
    const Eigen::Vector3d point = quintic(task_, arm, i, s);
    at.q[i] = point[0];
    at.v[i] = point[1];
    at.a[i] = point[2];
  }
}

void Collocation::set_guess() {
  guess_.setZero(sizes_.size());
  guess_[time_at()] = task_.duration;
  ScaledForces::Place at;
  at.T = task_.duration;
  at.q.resize(n_);
  at.v.resize(n_);
  at.a.resize(n_);
  for (int a = 0; a < arms(); ++a) {
    const CollocatedArm& arm = task_.arms[static_cast<std::size_t>(a)];
    const auto look = [&](double s) { look_at_quintic(arm, s, at); };
    for (int k = 0; k <= N_; ++k) {
      look(k * h_);
      guess_.segment(position_at(a, k), n_) = at.q;
      guess_.segment(velocity_at(a, k), n_) = at.v;
      if (k == N_) continue;
      for (int i = 0; i < s_; ++i) {
        look((k + rule_.c[i]) * h_);
        guess_.segment(stage_at(a, k, i), n_) = at.a;
      }
      if (a > 0) continue;
      look((k + 0.5) * h_);
      forces_.front().force(at, f_);
      for (int j = 0; j < m_; ++j) {
        const double u = f_[task_.driven[static_cast<std::size_t>(j)]];
        guess_[effort_at(k) + j] = is_relaxed() ? u : std::clamp(u, -task_.effort[j], task_.effort[j]);
      }
    }
  }
  // What is to be small, in units of the guess; what nobody asked for, as little of it as makes the rest unique.
  constexpr double little = 1e-7;
  const auto over = [](double weight, double size) { return size > 0.0 ? weight / size : weight; };
  const double effort = effort_sum(guess_), rate = strain_rate_sum(guess_);
  const bool for_effort = task_.goal == CollocationGoal::effort;
  effort_weight_ = over(for_effort ? 1.0 : little, effort);
  rate_weight_ = task_.goal == CollocationGoal::vibration ? over(1.0, rate) : 0.0;
  time_weight_ = task_.goal == CollocationGoal::time ? 1.0 / task_.duration : 0.0;
  smooth_weight_ = task_.smoothness;
  if (has_peak()) {
    double size = 1.0;
    if (is_relaxed()) {
      for (const int j : bounded_)
        for (int k = 0; k < N_; ++k)
          size = std::max(size, std::abs(guess_[effort_at(k) + j]) / task_.effort[j]);
      if (utilisation_) size = std::max(size, std::sqrt(largest_stress_of_guess()) / *task_.utilisation);
    } else if (task_.goal == CollocationGoal::stress) {
      size = largest_stress_of_guess();
    } else {  // the strain of a motion that carries the energy of the guess
      size = std::max(1e-30, task_.arms.front().M.diagonal().cwiseProduct(v_sizes_.cwiseAbs2()).maxCoeff() /
                                 (task_.duration * task_.duration));
      row_sizes_.segment(peak_row(1), N_ - 1).setConstant(1.0 / size);
    }
    sizes_[peak_at()] = size;
    guess_[peak_at()] = size;
    peak_weight_ = 1.0 / size;
  }
  if (arms() > 1)
    energy_weight_ = task_.payload_weight * task_.duration * task_.duration /
                     task_.arms.front().M.diagonal().cwiseProduct(v_sizes_.cwiseAbs2()).maxCoeff();
}

NonlinearProgram::Bounds Collocation::bounds() const {
  Bounds all;
  all.lower.setConstant(sizes_.size(), -infinite);
  all.upper.setConstant(sizes_.size(), infinite);
  all.g_lower.setZero(row_sizes_.size());
  all.g_upper.setZero(row_sizes_.size());
  const auto between = [&](int i, double lower, double upper) {
    all.lower[i] = lower / sizes_[i];
    all.upper[i] = upper / sizes_[i];
  };
  for (int a = 0; a < arms(); ++a) {
    const CollocatedArm& arm = task_.arms[static_cast<std::size_t>(a)];
    for (int i = 0; i < n_; ++i) {
      for (int k = 1; k < N_ && a == 0; ++k) between(position_at(a, k) + i, task_.lower[i], task_.upper[i]);
      between(position_at(a, 0) + i, arm.start[i], arm.start[i]);
      between(velocity_at(a, 0) + i, 0.0, 0.0);
      const bool is_driven = std::find(task_.driven.begin(), task_.driven.end(), i) != task_.driven.end();
      if (a > 0 || (resting() > 0 && !is_driven)) continue;  // (9) or (11) in place of (3)
      between(position_at(a, N_) + i, arm.end[i], arm.end[i]);
      between(velocity_at(a, N_) + i, 0.0, 0.0);
    }
  }
  for (const CollocationTask::Via& via : task_.via)
    between(position_at(0, via.node) + via.coordinate, via.position, via.position);
  for (int k = 0; k < N_ && !is_relaxed(); ++k)
    for (int j = 0; j < m_; ++j) between(effort_at(k) + j, -task_.effort[j], task_.effort[j]);
  constexpr double far = 100.0;
  const double T = task_.duration;
  between(time_at(), task_.is_free ? T / far : T, task_.is_free ? T * far : T);
  if (has_peak()) between(peak_at(), 0.0, infinite);
  if (task_.goal == CollocationGoal::stress && task_.utilisation)
    between(peak_at(), 0.0, *task_.utilisation * *task_.utilisation);
  // |v'| <= speed T as v' - speed T <= 0 and v' + speed T >= 0; likewise (10).
  for (int row = arms() * rows_per_arm_; row < after_speeds_; row += 2) {
    all.g_lower[row] = -infinite;
    all.g_upper[row + 1] = infinite;
  }
  for (int row = after_speeds_; row < after_peaks_; ++row) all.g_lower[row] = -infinite;
  for (int row = after_peaks_; row < after_relaxed_; row += 2) {
    all.g_lower[row] = -infinite;
    all.g_upper[row + 1] = infinite;
  }
  for (int row = after_resting_; row < row_sizes_.size(); ++row) {
    all.g_lower[row] = -infinite;
    if (!has_peak()) all.g_upper[row] = *task_.utilisation * *task_.utilisation;
  }
  return all;
}

// (1) of gauss.hpp.
void Collocation::place(const Eigen::VectorXd& x, int arm, int k, int i, ScaledForces::Place& at) const {
  at.q.setZero(n_);
  at.v.setZero(n_);
  for (int b = 0; b < 2 + s_; ++b) {
    const auto block = x.segment(position_at(arm, k) + b * n_, n_);
    at.q += rule_.position(i, b) * block;
    at.v += rule_.velocity(i, b) * block;
  }
  at.a = x.segment(stage_at(arm, k, i), n_);
  at.T = x[time_at()];
}

// The feedback of (8): efforts of an arm that is not the first, less u_k.
Eigen::VectorXd Collocation::followed(const Eigen::VectorXd& x, int arm, int k, int i) const {
  ScaledForces::Place first, other;
  place(x, 0, k, i, first);
  place(x, arm, k, i, other);
  Eigen::VectorXd efforts(m_);
  for (int j = 0; j < m_; ++j) {
    const int c = task_.driven[static_cast<std::size_t>(j)];
    efforts[j] = task_.kp[j] * (first.q[c] - other.q[c]) + task_.kd[j] * (first.v[c] - other.v[c]) / first.T;
  }
  return efforts;
}

// What (7) is counted from.
Eigen::VectorXd Collocation::line(int arm, int k) const {
  const CollocatedArm& one = task_.arms[static_cast<std::size_t>(arm)];
  return one.start + (one.end - one.start) * (k * h_);
}

void Collocation::constraints(const Point& y, Eigen::Ref<Eigen::VectorXd> g) {
  const Eigen::VectorXd x = values(y);
  for (int a = 0; a < arms(); ++a) {
    for (int k = 0; k < N_; ++k) {
      for (int i = 0; i < s_; ++i) {  // (1)
        place(x, a, k, i, at_);
        forces_[static_cast<std::size_t>(a)].force(at_, f_);
        Eigen::VectorXd u = x.segment(effort_at(k), m_);
        if (a > 0) u += followed(x, a, k, i);
        g.segment(dynamics_at(a, k, i), n_) = f_ - task_.inputs * u;
      }
      Eigen::VectorXd q = -x.segment(position_at(a, k + 1), n_), v = -x.segment(velocity_at(a, k + 1), n_);
      for (int b = 0; b < 2 + s_; ++b) {  // (2)
        const auto block = x.segment(position_at(a, k) + b * n_, n_);
        q += rule_.end_position[b] * block;
        v += rule_.end_velocity[b] * block;
      }
      g.segment(continuity_at(a, k), n_) = q;
      g.segment(continuity_at(a, k) + n_, n_) = v;
    }
    for (int k = 1; k < N_; ++k)  // (4)
      for (int l = 0; l < static_cast<int>(limited_.size()); ++l) {
        const int c = limited_[static_cast<std::size_t>(l)], row = speed_row(a, k, l);
        const double most = task_.speed[c] * x[time_at()] * (is_relaxed() ? x[peak_at()] : 1.0);
        g[row] = x[velocity_at(a, k) + c] - most;
        g[row + 1] = x[velocity_at(a, k) + c] + most;
      }
  }
  if (task_.goal == CollocationGoal::deflection)
    for (int k = 1; k < N_; ++k) {  // (7)
      const Eigen::VectorXd e = x.segment(position_at(0, k), n_) - line(0, k);
      g[peak_row(k)] = e.dot(task_.strain * e) - x[peak_at()];
    }
  if (is_relaxed())
    for (int k = 0; k < N_; ++k)  // (10)
      for (int l = 0; l < static_cast<int>(bounded_.size()); ++l) {
        const int j = bounded_[static_cast<std::size_t>(l)], row = relaxed_row(k, l);
        g[row] = x[effort_at(k) + j] - task_.effort[j] * x[peak_at()];
        g[row + 1] = x[effort_at(k) + j] + task_.effort[j] * x[peak_at()];
      }
  if (resting() > 0) {  // (11)
    g.segment(resting_row(0), resting()) =
        task_.resting * (x.segment(position_at(0, N_), n_) - task_.arms.front().end);
    g.segment(resting_row(resting()), resting()) = task_.resting * x.segment(velocity_at(0, N_), n_);
  }
  for (int k = 0; k < N_ && utilisation_; ++k)
    for (int i = 0; i < s_; ++i) {  // (12)
      place(x, 0, k, i, at_);
      utilisation_->squares(at_, U2_);
      g.segment(stress_row(k, i), sections()) = U2_.array() - stress_allowed(x);
    }
  g.array() *= row_sizes_.array();
}

void Collocation::jacobian(const Point& y, SparseEntries& entries) {
  const Eigen::VectorXd x = values(y);
  const double T = x[time_at()];
  for (int a = 0; a < arms(); ++a) {
    for (int k = 0; k < N_; ++k) {
      for (int i = 0; i < s_; ++i) {
        const int row = dynamics_at(a, k, i);
        place(x, a, k, i, at_);
        forces_[static_cast<std::size_t>(a)].slopes(at_, slopes_);
        Eigen::VectorXd by_time = slopes_.dT;
        if (a > 0) {
          ScaledForces::Place first;
          place(x, 0, k, i, first);
          for (int j = 0; j < m_; ++j) {
            const int c = task_.driven[static_cast<std::size_t>(j)];
            const auto B = task_.inputs.col(j);
            slopes_.dq.col(c) += task_.kp[j] * B;
            slopes_.dv.col(c) += task_.kd[j] / T * B;
            by_time += task_.kd[j] * (first.v[c] - at_.v[c]) / (T * T) * B;
            for (int b = 0; b < 2 + s_; ++b) {
              const double gain = task_.kp[j] * rule_.position(i, b) + task_.kd[j] / T * rule_.velocity(i, b);
              for (int r = 0; r < n_; ++r)
                add(entries, row + r, position_at(0, k) + b * n_ + c, -gain * B[r]);
            }
          }
        }
        for (int b = 0; b < 2 + s_; ++b) {
          block_ = rule_.position(i, b) * slopes_.dq + rule_.velocity(i, b) * slopes_.dv;
          if (b == 2 + i) block_ += slopes_.da;
          for (int c = 0; c < n_; ++c)
            for (int r = 0; r < n_; ++r) add(entries, row + r, position_at(a, k) + b * n_ + c, block_(r, c));
        }
        for (int j = 0; j < m_; ++j)
          for (int r = 0; r < n_; ++r)
            if (task_.inputs(r, j) != 0.0) add(entries, row + r, effort_at(k) + j, -task_.inputs(r, j));
        for (int r = 0; r < n_; ++r) add(entries, row + r, time_at(), by_time[r]);
      }
      for (int r = 0; r < n_; ++r) {
        const int row = continuity_at(a, k) + r;
        for (int b = 0; b < 2 + s_; ++b) {
          add(entries, row, position_at(a, k) + b * n_ + r, rule_.end_position[b]);
          if (b > 0) add(entries, row + n_, position_at(a, k) + b * n_ + r, rule_.end_velocity[b]);
        }
        add(entries, row, position_at(a, k + 1) + r, -1.0);
        add(entries, row + n_, velocity_at(a, k + 1) + r, -1.0);
      }
    }
    for (int k = 1; k < N_; ++k)
      for (int l = 0; l < static_cast<int>(limited_.size()); ++l)
        for (const int side : {0, 1}) {
          const int c = limited_[static_cast<std::size_t>(l)], row = speed_row(a, k, l) + side;
          const double sign = side == 0 ? -1.0 : 1.0, r = is_relaxed() ? x[peak_at()] : 1.0;
          add(entries, row, velocity_at(a, k) + c, 1.0);
          add(entries, row, time_at(), sign * task_.speed[c] * r);
          if (is_relaxed()) add(entries, row, peak_at(), sign * task_.speed[c] * T);
        }
  }
  if (task_.goal == CollocationGoal::deflection)
    for (int k = 1; k < N_; ++k) {
      const Eigen::VectorXd slope = 2.0 * (task_.strain * (x.segment(position_at(0, k), n_) - line(0, k)));
      for (int c = 0; c < n_; ++c) add(entries, peak_row(k), position_at(0, k) + c, slope[c]);
      add(entries, peak_row(k), peak_at(), -1.0);
    }
  if (is_relaxed())
    for (int k = 0; k < N_; ++k)
      for (int l = 0; l < static_cast<int>(bounded_.size()); ++l)
        for (const int side : {0, 1}) {
          const int j = bounded_[static_cast<std::size_t>(l)], row = relaxed_row(k, l) + side;
          add(entries, row, effort_at(k) + j, 1.0);
          add(entries, row, peak_at(), side == 0 ? -task_.effort[j] : task_.effort[j]);
        }
  add_resting_rows(entries);
  add_stress_rows(x, entries);
}

void Collocation::add_resting_rows(SparseEntries& entries) const {
  for (int i = 0; i < resting(); ++i)
    for (int c = 0; c < n_; ++c) {
      if (task_.resting(i, c) == 0.0) continue;
      add(entries, resting_row(i), position_at(0, N_) + c, task_.resting(i, c));
      add(entries, resting_row(i + resting()), velocity_at(0, N_) + c, task_.resting(i, c));
    }
}

CollocatedMotion Collocation::motion(const Point& y) const {
  const Eigen::VectorXd x = values(y);
  CollocatedMotion all;
  const double T = x[time_at()];
  all.duration = T;
  all.q.resize(n_, N_ + 1);
  all.v.resize(n_, N_ + 1);
  all.a.resize(n_, N_ * s_);
  all.efforts.resize(m_, N_);
  for (int k = 0; k <= N_; ++k) {
    all.q.col(k) = x.segment(position_at(0, k), n_);
    all.v.col(k) = x.segment(velocity_at(0, k), n_) / T;
    if (k == N_) break;
    for (int i = 0; i < s_; ++i) all.a.col(k * s_ + i) = x.segment(stage_at(0, k, i), n_) / (T * T);
    all.efforts.col(k) = x.segment(effort_at(k), m_);
  }
  if (has_peak()) all.peak = x[peak_at()];
  return all;
}

}  // namespace limber
