// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A step of a stochastic arm: (1) and (2) of stochastic_arm.hpp, and what goes along with it.

#include <vector>

#include "arm_nodes.hpp"
#include "limber/math/detail/decompositions.hpp"

namespace limber {

/// How many numbers points and errors have of each kind.
struct ArmLayout {
  explicit ArmLayout(const ArmNodes& nodes);

  Eigen::Index nq, nv, m, s, p;
  std::vector<int> held;  ///< of s: numbers that are efforts, and not memory

  Eigen::Index point() const { return nq + nv + m + s + p; }
  Eigen::Index error() const { return 2 * nv + m + s + p; }
  // Where they begin in an error.
  Eigen::Index memory_at() const { return 2 * nv; }
  Eigen::Index samples_at() const { return 2 * nv + m; }
  Eigen::Index parameters_at() const { return 2 * nv + m + s; }
};

/// A point by its parts.
struct ArmPoint {
  Eigen::VectorXd q, v, m, s, p;

  void set(const ArmLayout& layout, const Eigen::VectorXd& x);
  void write(const ArmLayout& layout, Eigen::VectorXd& x) const;
};

class ArmStep {
 public:
  /// Both must outlive it. `density`: W, nv.
  ArmStep(ArmNodes& nodes, const ArmLayout& layout, Eigen::VectorXd density);

  /// From t to t + h. Throws ComputationError where (1) has no solution, and InputError where the formulation cannot be asked.
  void take(double t, double h, ArmPoint& point, DiscreteProcess::Carried carried);
  /// Nodes have changed.
  void forget() { factor_of_ = 0.0; }

 private:
  /// dF/ds of the forces that are missing where they were last asked for: columns of layout.held.
  void find_sample_forces(ArmNode& node, double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                          const Eigen::VectorXd& integrals, const Eigen::VectorXd& a,
                          const Eigen::VectorXd& s, Eigen::MatrixXd& columns);
  void place(double h, const ArmPoint& point);
  void find_missing(double t);
  void find_tangent(double t, double h);
  void find_maps(double h);
  void solve(double t, double h, const ArmPoint& point);
  void find_slopes(double t, double h, const ArmPoint& point);
  void carry_covariance(double h, Eigen::MatrixXd& P);
  void carry_transition(double h, Eigen::MatrixXd& A);
  void disturb(double h, Eigen::MatrixXd& P);
  void fill_transition(double h);

  ArmNodes& nodes_;
  const ArmLayout& layout_;
  Eigen::VectorXd density_;
  bool is_disturbed_, has_quaternions_;
  std::vector<int> disturbed_;

  Eigen::VectorXd a_, r_;  ///< of the last step, where the next one begins to look
  Eigen::VectorXd q_m_, v_m_, integrals_, missing_, rates_, residual_, change_, way_;
  Eigen::MatrixXd M_, C_, K_, F_x_, X_q_, X_v_, X_x_, F_s_;
  Eigen::MatrixXd A_half_, B_half_, A_, B_;  ///< of displacements, where there are quaternions
  Eigen::MatrixXd J_, right_, G_, W_, V_, Phi_, product_, unit_;
  Eigen::PartialPivLU<Eigen::MatrixXd> factor_;
  double factor_of_ = 0.0;  ///< the h that it belongs to; 0: none
};

}  // namespace limber
