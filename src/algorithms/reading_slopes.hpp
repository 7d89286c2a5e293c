// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// (8) of measurement.hpp from the recursion that was differentiated by hand: columns of frame_derivatives.hpp about the sensor's own place, and rows of derivatives.hpp
// for accelerations. With y = y(q, v, a, u), and M a + f(q, v) = tau,
//
//   dy/dq = y_q - z df/dq,   dy/dv = y_v - z df/dv,   dy/du = z B + y_u,   z M = y_a                         (1)
//
// df at the state's own acceleration.
//
// n the sensor's axis in the world, J, U and W those of derivatives.hpp about E's origin, v its velocity and f = a - g what it feels (W contains -g as f does):
//
//                   y_q                                       y_v                        y_a
//   point           n . J_v                                   0                          0
//   gyroscope       n . U_w                                   n . J_w                    0
//   accelerometer   n . (W_v + 2 U_w x v)                     n . (W_v + 2 J_w x v)      n . J_v              (2)
//
// since the axis turns with E: of what E's turning does to a vector, J_w x, nothing is seen in E's own axes. Without gravity a = f + g is shown, of which g stays behind:
// - n . (J_w x g) comes in addition.
//
// Wrenches are not among them: z is known to as many digits as M's condition leaves, and a component along an axis that is free, which the recursion has from the joint's effort,
// would be that of (1) a difference of inertia forces. Theirs are those of reading_duals.hpp.

#include "limber/algorithms/derivatives.hpp"
#include "limber/math/detail/lanes.hpp"
#include "readings.hpp"

namespace limber {

class ReadingSlopes {
 public:
  /// Model and readings must outlive it.
  ReadingSlopes(const Model& model, const std::vector<Reading>& readings, Dependence most, bool compares);

  /// `inputs`: the input matrix at q. Matrices have their sizes, and hold zeros.
  void find(const Input<double>& q, const Input<double>& v, const Input<double>& tau,
            const std::vector<Load>& loads, const Eigen::MatrixXd& inputs, MeasurementJacobian& result);

 private:
  /// Readings that look from one frame.
  struct Place {
    Frame frame;
    std::vector<int> rows;
  };

  void gather_places();
  const detail::ArmWork<double>& arm() const;
  void find_moving(const Place& place, MeasurementJacobian& result);
  void find_point(int row, const PointReading& reading, MeasurementJacobian& result);

  const Model& model_;
  const std::vector<Reading>& readings_;
  Dependence most_;
  bool compares_;
  MeasuredState<double> state_;
  std::unique_ptr<DerivativeWorkspace> work_;  ///< where accelerations count
  DynamicsDerivatives dynamics_;
  std::vector<Place> places_;
  std::vector<int> joint_rows_;
  Eigen::MatrixXd by_a_, z_;  ///< y_a, and z of (1)
  Matrix6X<double> J_;
};

}  // namespace limber
