// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What instruments on an arm show (model/sensors.hpp), and how that changes with position, velocity and effort (docs/sensors.md).
//
// With E the frame of a sensor (the deformed section at `at`, moved by `offset`), R_WE and p_WE its pose, w its angular velocity and a
// the true acceleration of its origin, n the sensor's axis, eta and etadd the link's elastic coordinates and their accelerations:
//
//   position, velocity, acceleration, effort    q_i, v_i, a_i, u_i                                            (1)
//   strain         Sum_j (axial: phi_j',  y: -y phi_j'',  z: -z phi_j'') eta_j                                  (2)
//   curvature      kappa_z = Sum phi_j'' eta_j (y),  kappa_y = -Sum phi_j'' eta_j (z),  x: Sum phi_j' eta_j     (3)
//   accelerometer  n . R_WE^T (a - g);  a alone with gravity: false                                             (4)
//   gyroscope      n . R_WE^T w                                                                                 (5)
//   point          n . p_WE,  relative: rigid  n . (p_WE(q) - p_WE(q with eta = 0))                             (6)
//   wrench         a component of the joint's wrench in B                                                        (7)
//
// Sections turn by exp[theta(eta)] in both kinematic orders, so (4), (5), (6) are those of the deflection field, with no small angles. (2)
// and (3) are linear in eta in both, for curvature and stretch are what the coordinates mean (beam/field.hpp).
//
// a in (1), (4) and (7) is the arm's acceleration. In a state it is known: y = y(q, v, a, u). For the derivatives it follows from the efforts
// by forward dynamics,
//
//   y = y(q, v, a(q, v, tau), u),    tau = tau_0 + B (u - u_0)                                                  (8)
//
// with B the input matrix. dy/dq, dy/dv and dy/du are exact to rounding: by the recursion that was differentiated by hand
// (src/algorithms/reading_slopes.hpp).

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "limber/core/export.hpp"
#include "limber/math/types.hpp"
#include "limber/model/load.hpp"
#include "limber/model/model.hpp"
#include "limber/model/sensors.hpp"

namespace limber LIMBER_EXPORT {

/// How readings change, with a row for each sensor.
struct MeasurementJacobian {
  Eigen::MatrixXd dq;       ///< along v's components: nv columns
  Eigen::MatrixXd dv;       ///< nv columns
  Eigen::MatrixXd deffort;  ///< a column for each effort, as input_matrix() has them
};

/// What a sensor's reading depends on at most. Whoever feeds back one that depends on efforts or accelerations, at once and not by samples, has an
/// algebraic loop.
enum class Dependence { positions, velocities, efforts, accelerations };

/// Evaluates sensors of an arm, again and again. It keeps a copy of the model and its scratch: nothing is allocated after the first
/// calls of evaluate() and jacobian(). One object serves one thread.
class Measurement {
 public:
  /// Throws InputError with what check_sensors() finds.
  Measurement(const Model& model, std::vector<SensorDescription> sensors);
  ~Measurement();
  ///@{
  /// Moved, not copied.
  Measurement(Measurement&&) noexcept;
  Measurement& operator=(Measurement&&) noexcept;
  ///@}

  /// How many sensors.
  int size() const { return static_cast<int>(sensors_.size()); }
  /// As they were given.
  const std::vector<SensorDescription>& sensors() const { return sensors_; }
  /// Of the sensors, in their order.
  const std::vector<std::string>& names() const { return names_; }
  /// Throws InputError where there is none of that name, with the closest one that there is.
  int index(std::string_view name) const;
  /// What sensor i's reading depends on at most.
  Dependence dependence(int i) const;

  /// What is there to measure, without delay, noise and quantum. `acceleration`: nv numbers; `efforts`: nv, of which the joints' rows count;
  /// `loads` that act besides (nodes of the model that this was made for). `values`: size() numbers.
  void evaluate(const Input<double>& q, const Input<double>& v, const Input<double>& acceleration,
                const Input<double>& efforts, const std::vector<Load>& loads, Output<double> values);

  /// (8) at a state: forward dynamics finds the acceleration. `tau`: nv generalized forces.
  void jacobian(const Input<double>& q, const Input<double>& v, const Input<double>& tau,
                const std::vector<Load>& loads, MeasurementJacobian& result);

 private:
  struct Parts;
  std::vector<SensorDescription> sensors_;
  std::vector<std::string> names_;
  std::unique_ptr<Parts> parts_;
};

}  // namespace limber
