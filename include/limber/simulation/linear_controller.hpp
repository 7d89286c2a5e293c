// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "limber/core/export.hpp"
#include "limber/scenario/linear_law.hpp"
#include "limber/simulation/controller.hpp"

namespace limber LIMBER_EXPORT {

/// What a controller sees of the arm.
struct ControllerInput {
  /// Of a coordinate, or what a sensor shows.
  enum class Kind { position, velocity, sensor };
  Kind kind;       ///< what it is
  int index;       ///< in q, in v, or among sensors
  int coordinate;  ///< in v; -1: no coordinate's alone

  /// At a moment.
  double value(const Instant& now) const {
    return kind == Kind::position   ? now.q[index]
           : kind == Kind::velocity ? now.v[index]
                                    : now.measured[index];
  }
};

/// A linear compensator, with y its inputs and r what they should be:
///
///   x' = A x + B (y - r),   efforts = C x + D (y - r) + u0        sampled:  x_k+1 = A x_k + B (y_k - r_k)
class LinearController : public Controller {
 public:
  /// An input and what it should be.
  struct Input {
    ControllerInput from;         ///< y
    TrajectoryPointer reference;  ///< r; null: zero
  };
  /// `outputs`: coordinates of joints, in the order of C's rows. `rate`: samples per second; 0: continuous. Throws InputError where sizes do not
  /// fit.
  LinearController(LinearLaw law, std::vector<Input> inputs, std::vector<int> outputs, double rate);
  void add_efforts(const Instant& now, Eigen::VectorXd& efforts) override;
  void add_gains(const Instant& now, Eigen::MatrixXd& stiffness, Eigen::MatrixXd& damping) override;
  void add_sensor_gains(const Instant& now, Eigen::MatrixXd& gains) override;
  std::vector<int> sensors() const override;
  std::vector<TrajectoryPointer> signals() const override;
  double rate() const override { return rate_; }
  int memory_size() const override { return static_cast<int>(law_.A.rows()); }
  void memory_rate(const Instant& now, const Eigen::VectorXi& at_limit,
                   Eigen::Ref<Eigen::VectorXd> rate) override;
  void remember(const Instant& now, const Eigen::VectorXi& at_limit, Eigen::Ref<Eigen::VectorXd> x) override;

 private:
  void find_errors(const Instant& now);

  LinearLaw law_;
  std::vector<Input> inputs_;
  std::vector<int> outputs_;
  double rate_;
  Eigen::VectorXd errors_, effort_;
};

}  // namespace limber
