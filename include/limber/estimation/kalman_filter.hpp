// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Where an arm is, from what its sensors show: the extended Kalman filter (R. E. Kalman, J. Basic Eng. 82 (1960), 35-45; A. H. Jazwinski, Stochastic Processes and
// Filtering Theory, 1970, ch. 8) on the arm's own equations of motion.
//
// The estimate is q, v and the covariance P of the error x = (displacement along v's components, v). Between samples the arm goes on by the implicit midpoint rule: with
// q_m = q + h/2 v_m, v_m = v + h/2 a,
//
//   F(q_m, v_m, a) = 0,    v+ = v + h a,    q+ = q (+) h v_m                                              (1)
//
// F the forces that are missing (System), solved by Newton's method with S = M + h/2 C + h^2/4 K of System's exact tangent. The same matrix has the transition of the
// error,
//
//   da = -S^-1 [K dq + (C + h/2 K) dv],   Phi = [1 + h^2/2 da/dq, h + h^2/2 da/dv;  h da/dq, 1 + h da/dv],   P+ = Phi P Phi^T + G W G^T h        (2)
//
// with W the spectral density of forces that nobody knows, on joints and elastic coordinates, and G = [h/2 S^-1; S^-1]. It is stable whatever the stiffness. A sample y
// with noise R and H = dy/dx moves the estimate by x = K (y - y(q, v)),
//
//   K = P H^T (H P H^T + R)^-1,   P+ = P - K H P - (K H P)^T + K (H P H^T + R) K^T                        (3)
//
// (Joseph's form (1 - K H) P (1 - K H)^T + K R K^T multiplied out: O(n^2) for each sensor, and right whatever rounding does to K), q by its displacement. H of sensors that depend on positions and velocities is Measurement's; others show what
// controllers do as well, and are differenced.

#include <memory>
#include <string>
#include <vector>

#include "limber/core/export.hpp"
#include "limber/math/eigen.hpp"
#include "limber/simulation/scenario.hpp"

namespace limber LIMBER_EXPORT {

/// What is known before anything is measured.
struct KalmanOptions {
  double position_deviation = 0.01;  ///< of the start's q: standard deviation of each joint [rad or m]
  double velocity_deviation = 0.01;  ///< of the start's v, of each joint [rad/s or m/s]
  double elastic_deviation = 1e-3;   ///< of elastic coordinates at the start; of their rates ten times that
  double process_noise = 0.0;  ///< W: spectral density of unknown efforts in joints [(N m)^2 s or N^2 s]
  double longest_step = 1e-3;  ///< h of (1) at most [s]
};

/// The place of the end effector.
struct TipEstimate {
  Eigen::Vector3d position;            ///< in the world [m]
  Eigen::Vector3d standard_deviation;  ///< of each of its coordinates [m]
};

/// Follows one arm. Controllers of the scenario act on the estimate.
class KalmanFilter {
 public:
  /// At the scenario's start. Throws InputError, with the sensor's place, where one has no noise, or a delay, and for sampled controllers.
  explicit KalmanFilter(Scenario scenario, const KalmanOptions& options = {});
  ~KalmanFilter();
  ///@{
  /// Moved, not copied.
  KalmanFilter(KalmanFilter&&) noexcept;
  KalmanFilter& operator=(KalmanFilter&&) noexcept;
  ///@}

  /// The arm.
  const Model& model() const;
  /// [s]
  double time() const;
  /// nq numbers.
  const Eigen::VectorXd& q() const;
  /// nv numbers.
  const Eigen::VectorXd& v() const;
  /// P, 2 nv x 2 nv.
  const Eigen::MatrixXd& covariance() const;
  /// Another start than the scenario's.
  void set_state(const Eigen::VectorXd& q, const Eigen::VectorXd& v, const Eigen::MatrixXd& covariance);

  /// (1) and (2), to a time that is not before the present one.
  void predict(double to);
  /// (3) by these sensors (their indices in the scenario) and what they show. What is left over in units of its standard deviations is returned: y - y(q, v) over
  /// the roots of the diagonal of H P H^T + R.
  Eigen::VectorXd update(const std::vector<int>& sensors, const Eigen::VectorXd& readings);
  /// Of the estimate.
  TipEstimate tip() const;

 private:
  struct Inside;
  std::unique_ptr<Inside> inside_;
};

/// x^T P^-1 x of the error of an estimate: on average 2 nv where P is right.
double normalized_error_squared(const KalmanFilter& filter, const Eigen::VectorXd& q,
                                const Eigen::VectorXd& v);

/// The standard deviation that a filter takes for a sensor: its noise, and what rounding to `quantum` adds.
double reading_deviation(const SensorDescription& sensor);

}  // namespace limber
