#pragma once

// How the forces of inverse dynamics change with position and velocity, exact to rounding (by the dual scalar).

#include <memory>

#include "limber/algorithms/forward_dynamics.hpp"

namespace limber {

/// Partial derivatives of tau = inverse_dynamics(q, v, qdd) - loads, nv x nv each. `dq` is along v's components:
/// for spherical and free joints along body rates.
struct ForceDerivatives {
  Eigen::MatrixXd dq;
  Eigen::MatrixXd dv;
};

/// Differentiates again and again at the same arm: keeps its scratch.
class ForceDifferentiator {
 public:
  /// The model must outlive it. `gravity_factor` scales the model's gravity.
  explicit ForceDifferentiator(const Model& model, double gravity_factor = 1.0);
  ~ForceDifferentiator();
  ForceDifferentiator(ForceDifferentiator&&) noexcept;
  ForceDifferentiator& operator=(ForceDifferentiator&&) noexcept;

  void set_gravity_factor(double factor);

  /// d tau/dq, only the given columns (all others zero); nv x nv.
  Eigen::MatrixXd by_position(const Eigen::VectorXd& q, const Eigen::VectorXd& v, const Eigen::VectorXd& qdd,
                              const std::vector<ExternalWrench>& loads, const std::vector<int>& columns);
  /// d tau/dv, likewise.
  Eigen::MatrixXd by_velocity(const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                              const std::vector<int>& columns);
  /// The same into matrices that are there: nothing is allocated once they are nv x nv.
  void by_position(const Eigen::VectorXd& q, const Eigen::VectorXd& v, const Eigen::VectorXd& qdd,
                   const std::vector<ExternalWrench>& loads, const std::vector<int>& columns,
                   Eigen::MatrixXd& result);
  void by_velocity(const Eigen::VectorXd& q, const Eigen::VectorXd& v, const std::vector<int>& columns,
                   Eigen::MatrixXd& result);

 private:
  struct Scratch;
  std::unique_ptr<Scratch> scratch_;
};

/// All of them at one state.
ForceDerivatives force_derivatives(const Model& model, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                                   const Eigen::VectorXd& qdd, const std::vector<ExternalWrench>& loads = {});

/// 0, 1, ..., nv - 1.
std::vector<int> all_coordinates(const Model& model);
/// Indices in v of the elastic coordinates.
std::vector<int> elastic_coordinates(const Model& model);
/// Indices in v of the joints' coordinates.
std::vector<int> joint_coordinates(const Model& model);

}  // namespace limber
