// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Where an arm is, from what its sensors show, reading by reading: a stochastic arm (stochastic_arm.hpp) and a filter on it  as one object.

#include <memory>
#include <string>
#include <vector>

#include "limber/core/export.hpp"
#include "limber/estimation/state_filter.hpp"
#include "limber/estimation/stochastic_arm.hpp"

namespace limber LIMBER_EXPORT {

/// By which filter or smoother.
enum class EstimationMethod {
  ekf,  ///< extended Kalman filter
  ukf,  ///< unscented Kalman filter
  mhe   ///< moving-horizon smoother
};

/// What is known of an arm at a time: means and their standard deviations.
struct ArmEstimate {
  double t = 0.0;                        ///< [s]
  Eigen::VectorXd q, v;                  ///< nq, nv
  Eigen::VectorXd q_deviation;           ///< nv: along v's components
  Eigen::VectorXd v_deviation;           ///< nv
  TipEstimate tip;                       ///< of the end effector
  Eigen::VectorXd parameters;            ///< those that are estimated, in their order
  Eigen::VectorXd parameter_deviations;  ///< likewise
};

/// From a point of the process and its covariance.
ArmEstimate arm_estimate(StochasticArm& arm, double t, const Eigen::VectorXd& x,
                         const Eigen::MatrixXd& covariance);

/// Follows one arm by the extended or the unscented Kalman filter. Controllers of the scenario act on the estimate.
class ArmEstimator {
 public:
  /// At the scenario's start. Throws InputError, with the sensor's place, where one has no noise; for closed loops; for method mhe, whose class is MovingHorizonSmoother.
  explicit ArmEstimator(Scenario scenario, EstimationMethod method = EstimationMethod::ekf,
                        const StochasticArmOptions& options = {});
  /// With parameters that nobody knows.
  ArmEstimator(ScenarioAt scenario_at, std::vector<UnknownParameter> parameters,
               EstimationMethod method = EstimationMethod::ekf, const StochasticArmOptions& options = {});
  ~ArmEstimator();
  ///@{
  /// Moved, not copied.
  ArmEstimator(ArmEstimator&&) noexcept;
  ArmEstimator& operator=(ArmEstimator&&) noexcept;
  ///@}

  /// The process that is followed.
  StochasticArm& arm() const;
  /// By which filter.
  StateFilter& filter() const;
  /// The arm.
  const Model& model() const;
  /// [s]
  double time() const;
  /// nq numbers.
  Eigen::VectorXd q() const;
  /// nv numbers.
  Eigen::VectorXd v() const;
  /// Of [displacement along v's components; v], 2 nv x 2 nv.
  Eigen::MatrixXd covariance() const;
  /// Everything at once.
  ArmEstimate estimate() const;
  /// Another state than the scenario's start, with another covariance of [displacement; v]; what belongs to the rest of the state stays as it is.
  void set_state(const Eigen::VectorXd& q, const Eigen::VectorXd& v, const Eigen::MatrixXd& covariance);

  /// To a time that is not before the present one.
  void predict(double to);
  /// By these sensors (their indices in the scenario) and what they show now. What is left over, in standard deviations.
  Eigen::VectorXd update(const std::vector<int>& sensors, const Eigen::VectorXd& readings);
  /// The same by names. Throws InputError for an unknown one, with the closest.
  Eigen::VectorXd update(const std::vector<std::string>& sensors, const Eigen::VectorXd& readings);

 private:
  void begin(EstimationMethod method);
  std::unique_ptr<StochasticArm> arm_;
  std::unique_ptr<StateFilter> filter_;
};

/// x^T P^-1 x of the error of an estimate's q and v: on average 2 nv where P is right.
double normalized_error_squared(const ArmEstimator& estimator, const Eigen::VectorXd& q,
                                const Eigen::VectorXd& v);

}  // namespace limber
