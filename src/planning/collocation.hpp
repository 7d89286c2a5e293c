// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A motion as a nonlinear program: direct collocation.
//
// The time from 0 to 1 (scaled_forces.hpp) is cut into N equal intervals, in each of which the efforts u_k are constant and the motion is the polynomial of Gauss'
// collocation (gauss.hpp). Unknown are q_k and v'_k at the intervals' ends, a'_ki at the stages, u_k and the duration T:
//
//   f(q_ki, v'_ki, a'_ki, T) = B u_k            at every stage                                            (1)
//   q_k+1 = q+,  v'_k+1 = v'+                   (2) of gauss.hpp                                          (2)
//   q_0, v'_0 and q_N, v'_N                     at rest in static equilibrium: nothing swings afterwards  (3)
//   lower <= q_k <= upper,  |v'_k| <= velocity T,  |u_k| <= effort                                        (4)
//   U^2 <= utilisation^2                          at every stage and section, where it is limited          (12)
//
// Modes that the intervals do not resolve (w h > 4) cannot be brought to rest by efforts that change once in an interval: of these nothing is asked, they follow as springs
// would, and (3) is asked of driven coordinates and of all other modes alone, with phi_i those of the end and M phi_i in the row
//
//   phi_i^T M (q_N - end) = 0,   phi_i^T M v'_N = 0                                                       (11)
//
// (2) is linear, (4) too. What is to be small, each in units of what the first guess has:
//
//   time          T
//   effort        Int Sum (u_j/w_j)^2 dt = T/N Sum_k Sum_j (u_kj/w_j)^2                                   (5)
//                 (w: limits of efforts where all joints have one, else the root of the inertia that each moves)
//   vibration     Int d^T K d dt,  d = dq/dt less its mean: how fast what is elastic is stretched         (6)
//   deflection    the largest e^T K e, e = q less what lies on the line from the first equilibrium to the last: the strain that moving costs   (7)
//   stress        the largest U^2 of (1) of utilisation.hpp, at every stage and section                   (12)
//
// K of beams, gears and of springs of joints that nothing drives. Besides, a little of (5) makes u unique where the objective does not, and `smoothness` weighs
// Sum |u_k+1 - u_k|^2.
//
// **Other payloads.** The same motion is played back to arms that carry something else, with the feedback that a plan comes with:
//
//   f_s(...) = B (u_k + kp (q_driven - q_s,driven) + kd (v'_driven - v'_s,driven)/T)                       (8)
//
// They start in their own equilibrium, and the energy of their small motions about the one in which they end counts as a cost, (1/2) v^T M v + (1/2) e^T K_t e (9).
//
// **Limits that cannot be kept.** With `relaxed` the duration is fixed and the smallest r is looked for with |u| <= r effort, |v| <= r velocity, U <= r utilisation (10).

#include <optional>
#include <utility>
#include <vector>

#include "gauss.hpp"
#include "limber/planning/nonlinear_program.hpp"
#include "scaled_forces.hpp"
#include "utilisation.hpp"

namespace limber {

/// What is to be small.
enum class CollocationGoal { time, effort, vibration, deflection, stress, relaxed };

/// An arm that the efforts move.
struct CollocatedArm {
  Model model;
  Eigen::VectorXd start, end;  ///< its equilibria
  Eigen::MatrixXd M, K;        ///< of (9), at the end
};

/// What the program is made of.
struct CollocationTask {
  std::vector<CollocatedArm> arms;  ///< the first is planned for, the others come along
  std::vector<Load> loads;
  std::vector<int> driven;              ///< coordinates with efforts
  Eigen::MatrixXd inputs;               ///< B, n x driven
  Eigen::VectorXd kp, kd;               ///< of (8), per driven one
  Eigen::VectorXd lower, upper, speed;  ///< per coordinate; infinite where there is none
  Eigen::VectorXd effort;               ///< per driven one, infinite where there is none
  Eigen::VectorXd effort_units;         ///< w_j of (5)
  Eigen::MatrixXd strain;               ///< K of (6) and (7)
  Eigen::MatrixXd resting;              ///< rows of (11), each times q - end; empty: all of (3)
  Eigen::VectorXd resting_frequencies;  ///< of these modes [rad/s]
  struct Via {
    int node, coordinate;
    double position;
  };
  std::vector<Via> via;
  CollocationGoal goal = CollocationGoal::effort;
  double duration = 1.0;  ///< T, or where to begin
  bool is_free = false;   ///< whether T is unknown
  double smoothness = 0.0, payload_weight = 0.0;
  std::optional<double> utilisation;  ///< of (12)
  int intervals = 40, stages = 3;
};

/// A solution.
struct CollocatedMotion {
  double duration = 0.0;
  Eigen::MatrixXd q, v;     ///< n x (N + 1), v in real time
  Eigen::MatrixXd a;        ///< n x (N stages), in real time
  Eigen::MatrixXd efforts;  ///< driven x N
  double peak = 0.0;        ///< (7), (12), or r of (10)
};

class Collocation : public NonlinearProgram {
 public:
  explicit Collocation(CollocationTask task);

  Bounds bounds() const override;
  Eigen::VectorXd start() const override { return guess_.cwiseQuotient(sizes_); }
  double objective(const Point& x) override;
  void gradient(const Point& x, Eigen::Ref<Eigen::VectorXd> slopes) override;
  void constraints(const Point& x, Eigen::Ref<Eigen::VectorXd> g) override;
  void jacobian(const Point& x, SparseEntries& entries) override;
  void hessian(const Point& x, double factor, const Point& multipliers, SparseEntries& entries) override;

  /// The first arm's motion at a point.
  CollocatedMotion motion(const Point& x) const;
  /// (5), (6) and (7) of a motion, in their own units.
  double effort_of(const CollocatedMotion& motion) const;

  /// A quintic from start to end (through `via`, at rest there), at s from 0 to 1: position, v', a' of a coordinate of the first arm.
  static Eigen::Vector3d quintic(const CollocationTask& task, const CollocatedArm& arm, int coordinate,
                                 double s);

 private:
  // Where things stand in x.
  int position_at(int arm, int k) const { return arm * per_arm_ + k * per_interval_; }
  int velocity_at(int arm, int k) const { return position_at(arm, k) + n_; }
  int stage_at(int arm, int k, int i) const { return position_at(arm, k) + (2 + i) * n_; }
  int effort_at(int k) const { return arms() * per_arm_ + k * m_; }
  int time_at() const { return arms() * per_arm_ + N_ * m_; }
  int peak_at() const { return time_at() + 1; }
  // And in g.
  int dynamics_at(int arm, int k, int i) const {
    return arm * rows_per_arm_ + k * rows_per_interval_ + i * n_;
  }
  int continuity_at(int arm, int k) const { return dynamics_at(arm, k, s_); }
  int speed_row(int arm, int k, int limited) const {
    return arms() * rows_per_arm_ +
           2 * ((arm * (N_ - 1) + k - 1) * static_cast<int>(limited_.size()) + limited);
  }
  int peak_row(int k) const { return after_speeds_ + k - 1; }
  int resting_row(int i) const { return after_relaxed_ + i; }
  int stress_row(int k, int i) const { return after_resting_ + (k * s_ + i) * sections(); }
  int relaxed_row(int k, int j) const {
    return after_peaks_ + 2 * (k * static_cast<int>(bounded_.size()) + j);
  }

  int arms() const { return static_cast<int>(task_.arms.size()); }
  bool is_relaxed() const { return task_.goal == CollocationGoal::relaxed; }
  int resting() const { return static_cast<int>(task_.resting.rows()); }
  bool has_peak() const {
    return task_.goal == CollocationGoal::deflection || task_.goal == CollocationGoal::stress || is_relaxed();
  }
  /// What U^2 may be in (12), as far as it is unknown: the peak, or (r utilisation)^2.
  double stress_allowed(const Eigen::VectorXd& x) const;
  int sections() const { return utilisation_ ? utilisation_->count() : 0; }
  Eigen::VectorXd values(const Point& x) const { return x.cwiseProduct(sizes_); }
  void place(const Eigen::VectorXd& x, int arm, int k, int i, ScaledForces::Place& at) const;
  Eigen::VectorXd followed(const Eigen::VectorXd& x, int arm, int k, int i) const;
  void look_at_quintic(const CollocatedArm& arm, double s, ScaledForces::Place& at) const;
  void set_sizes();
  void set_guess();
  Eigen::VectorXd line(int arm, int k) const;
  void add(SparseEntries& entries, int row, int column, double value) const {
    entries.add(row, column, value * row_sizes_[row] * sizes_[column]);
  }
  void add_second(SparseEntries& entries, int i, int j, double value) const {
    entries.add(std::max(i, j), std::min(i, j), value * sizes_[i] * sizes_[j]);
  }
  void add_resting_rows(SparseEntries& entries) const;
  void add_stage_curvature(const Eigen::VectorXd& x, int arm, int k, const Point& multipliers,
                           SparseEntries& entries);
  void add_objective_curvature(const Eigen::VectorXd& x, double factor, SparseEntries& entries) const;
  void add_effort_curvature(const Eigen::VectorXd& x, double factor, SparseEntries& entries) const;
  void add_payload_curvature(const Eigen::VectorXd& x, double factor, SparseEntries& entries) const;
  double effort_sum(const Eigen::VectorXd& x) const;
  double strain_rate_sum(const Eigen::VectorXd& x) const;

  CollocationTask task_;
  int n_, m_, s_, N_;
  double h_;
  GaussCollocation rule_;
  int per_interval_, per_arm_, rows_per_interval_, rows_per_arm_, after_speeds_, after_peaks_, after_relaxed_,
      after_resting_;
  std::vector<int> limited_, bounded_;  ///< coordinates with a limit of speed; driven ones with one of effort
  Eigen::VectorXd q_sizes_, v_sizes_;
  Eigen::VectorXd sizes_, row_sizes_;  ///< x = sizes y, and rows of g times row_sizes
  Eigen::VectorXd guess_;
  double effort_weight_ = 0.0, rate_weight_ = 0.0, peak_weight_ = 0.0, time_weight_ = 0.0,
         energy_weight_ = 0.0, smooth_weight_ = 0.0;
  Eigen::VectorXd effort_sizes_;
  void add_stress_rows(const Eigen::VectorXd& x, SparseEntries& entries);
  void add_stress_curvature(const Eigen::VectorXd& x, const Point& multipliers, SparseEntries& entries);
  double largest_stress_of_guess();
  std::vector<ScaledForces> forces_;
  std::optional<Utilisation> utilisation_;  ///< where anybody asks for it
  ScaledForces::Place at_;
  ScaledForces::Slopes slopes_;
  Eigen::VectorXd f_, U2_;
  Eigen::MatrixXd H_, block_, U2_slopes_;
};

}  // namespace limber
