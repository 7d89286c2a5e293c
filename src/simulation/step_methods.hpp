// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What step_derivatives.cpp is made of.

#include <Eigen/LU>
#include <memory>

#include "limber/simulation/step_derivatives.hpp"

namespace limber {

/// (3) of generalized_alpha.cpp.
struct GeneralizedAlphaNumbers {
  double alpha_m, alpha_f, gamma, beta;
};
GeneralizedAlphaNumbers generalized_alpha_numbers(const integrators::GeneralizedAlpha& method);

/// An arm at a stage of a step, and (1) to (3) of step_derivatives.hpp there.
class StageTangent {
 public:
  explicit StageTangent(System& system);

  StepStage stage;
  Eigen::VectorXd z_rate, memory_rate;  ///< of evaluate()
  Eigen::MatrixXd a_d, a_v, a_x;        ///< (1)
  Eigen::MatrixXd force, rates;         ///< of find_sources(): M^-1 g, and r

  /// At q_0 (+) z: stage, z_rate and memory_rate.
  void evaluate(double t, const Eigen::VectorXd& q0, const Eigen::VectorXd& z, const Eigen::VectorXd& v,
                const Eigen::VectorXd& x);
  /// There.
  void differentiate(const Eigen::VectorXd& z);
  /// The matrices of (2) and dz' of (3) at another z: arms with quaternions only.
  void find_maps(const Eigen::VectorXd& z);
  void find_sources(const StepSource& source, Eigen::Index columns);

  /// (2)
  Eigen::MatrixXd stage_displacement(const Eigen::Ref<const Eigen::MatrixXd>& d0,
                                     const Eigen::MatrixXd& dz) const;
  Eigen::MatrixXd z_rate_change(const Eigen::MatrixXd& dz, const Eigen::MatrixXd& dv) const;
  Eigen::MatrixXd acceleration_change(const Eigen::MatrixXd& d, const Eigen::MatrixXd& dv,
                                      const Eigen::MatrixXd& dx) const;
  Eigen::MatrixXd memory_change(const Eigen::MatrixXd& d, const Eigen::MatrixXd& dv,
                                const Eigen::MatrixXd& dx) const;
  /// Of [z'; a; x'] by [z; v; x], the beginning held.
  Eigen::MatrixXd jacobian() const;

 private:
  void find_tangent();
  const Eigen::VectorXd& forces_at(double along_q, double along_v, int coordinate);

  System& system_;
  int n_, m_;
  Eigen::VectorXd rates_;
  bool has_quaternions_;
  System::Tangent tangent_;
  System::MemorySlopes slopes_;
  std::shared_ptr<DerivativeWorkspace> work_;
  Eigen::MatrixXd stiffness_, damping_;
  Eigen::VectorXd moved_q_, moved_v_, moved_a_, forces_, way_;
  Eigen::PartialPivLU<Eigen::MatrixXd> M_;
  Eigen::MatrixXd P_, P_inverse_, P_back_, by_z_;
};

}  // namespace limber
