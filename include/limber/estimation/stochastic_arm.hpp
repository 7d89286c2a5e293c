// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A scenario's arm as a process that filters follow (discrete_process.hpp): its own equations of motion, controllers and sensors, seen through noise.
//
// **State.** A point is [q; v; m; s; p]: what continuous controllers remember and pressures of oil (m), what sampled controllers remember and hold (s), and unknown parameters (p), any
// values of the scenario's files. Errors are [displacement along v's components; v; m; s; p].
//
// **Time.** Between samples and corners the arm goes on by implicit midpoint steps. With v_m = v + h/2 a, q_m = q (+) h/2 v_m, m_m = m + h/2 r, unknown a and r of
//
//   F(q_m, v_m, m_m, s, a; p) = 0,    r = X(q_m, v_m, m_m; p);      q+ = q (+) h v_m,  v+ = v + h a,  m+ = m + h r                        (1)
//
// are found by Newton's method, F being the forces that are missing (System). It is stable whatever the stiffness. The step is differentiated as it stands: with the exact tangent M, K, C
// of F where (1) holds, F_x, X_q, X_v, X_x of System::memory_slopes, and the maps A, B of displacements (1 where there are no quaternions)
//
//   [M + h/2 C + h^2/4 K B, -h/2 F_x;  -h/2 (X_v + h/2 X_q B), 1 - h/2 X_x] [da; dr] =
//        [-K A dq - (C + h/2 K B) dv + F_x dm + F_s ds + F_p dp;  X_q A dq + (X_v + h/2 X_q B) dv + X_x dm + X_p dp]                       (2)
//
// so that Phi is that of the step itself, to rounding. With G = [da; dr] by all errors, Phi = T + L G has two sparse parts, and Phi P Phi^T takes the products G P and (G P) G^T only.
// Efforts in joints that nobody knows of, white with the spectral density W, add h g W g^T, g = [h/2 a; a; r] of a unit force in (2).
//
// **Samples.** Where sampled controllers have a sample, s+ = g(t, q, v, m, s), after all readings of that time; its derivatives are differences (controllers give none). They see sensors as
// `note_reading` said, where it is of that time, and else as the state would show them.
//
// **Parameters.** An arm is prepared for five values of each parameter, c and c +- d, c +- 2 d (d its deviation at first, or less where that cannot be); F, X, tangents and readings at p are
// interpolated between them by the polynomial of degree four, and differentiated with it (forces are linear in a payload's mass, but for modal damping). When the mean has moved by d, they are prepared anew
// around it. Several parameters add up.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "limber/core/export.hpp"
#include "limber/estimation/discrete_process.hpp"
#include "limber/simulation/reading_course.hpp"
#include "limber/simulation/scenario.hpp"

namespace limber LIMBER_EXPORT {

/// What is known before anything is measured, and how the arm is followed.
struct StochasticArmOptions {
  double position_deviation = 0.01;  ///< of the start's q: standard deviation of each joint [rad or m]
  double velocity_deviation = 0.01;  ///< of the start's v, of each joint [rad/s or m/s]
  double elastic_deviation = 1e-3;   ///< of elastic coordinates at the start; of their rates ten times that
  double process_noise = 0.0;  ///< W: spectral density of unknown efforts in joints [(N m)^2 s or N^2 s]
  double longest_step = 1e-3;  ///< h of (1) at most [s]
};

/// A value of the files that is estimated along with the state.
struct UnknownParameter {
  std::string name;        ///< for people
  double value = 0.0;      ///< at the start
  double deviation = 0.0;  ///< of it: standard deviation, > 0
};

/// The place of the end effector.
struct TipEstimate {
  Eigen::Vector3d position;            ///< in the world [m]
  Eigen::Vector3d standard_deviation;  ///< of each of its coordinates [m]
  Eigen::Vector3d unbent;              ///< where it would be if no link bent, with the same joints [m]
};

/// (1) and (2). One object serves one thread.
class StochasticArm : public DiscreteProcess {
 public:
  /// Of a scenario as it is. Throws InputError with what check_followed() finds.
  explicit StochasticArm(Scenario scenario, const StochasticArmOptions& options = {});
  /// With parameters that nobody knows. Throws what `scenario_at` throws at their start.
  StochasticArm(ScenarioAt scenario_at, std::vector<UnknownParameter> parameters,
                const StochasticArmOptions& options = {});
  ~StochasticArm() override;

  /// The arm, at the parameters around which it is prepared.
  const Model& model() const;
  /// Likewise.
  const Scenario& scenario() const;
  /// Those that are estimated, as they were given.
  const std::vector<UnknownParameter>& parameters() const;
  /// The scenario's start.
  Eigen::VectorXd start() const;
  /// ... and what is known of it.
  Eigen::MatrixXd start_covariance() const;
  /// A point with another position and velocity. Throws InputError for other sizes.
  Eigen::VectorXd with_state(const Eigen::VectorXd& x, const Eigen::VectorXd& q,
                             const Eigen::VectorXd& v) const;
  /// Where p begins in a point, and in an error.
  int parameters_at() const;
  /// The same of errors.
  int parameter_errors_at() const;
  /// Times that differ by less are one [s].
  double time_resolution() const;
  /// What a sensor was seen to show of the time t: sampled controllers see it then.
  void note_reading(int sensor, double t, double value);
  /// The end effector at a point, and its deviation.
  TipEstimate tip(const Eigen::VectorXd& x, const Eigen::MatrixXd& covariance);

  int point_size() const override;
  int error_size() const override;
  int reading_count() const override;
  int constant_count() const override;
  double variance(int sensor) const override;
  bool is_disturbed() const override;
  void displace(const Eigen::VectorXd& x, const Eigen::VectorXd& error, Eigen::VectorXd& result) override;
  void difference(const Eigen::VectorXd& from, const Eigen::VectorXd& to, Eigen::VectorXd& error) override;
  void expect(const Eigen::VectorXd& x) override;
  void predict(double from, double to, Eigen::VectorXd& x, Carried carried) override;
  void read(double t, const Eigen::VectorXd& x, const std::vector<int>& sensors, Eigen::VectorXd& readings,
            Eigen::MatrixXd* slopes) override;

 private:
  struct Inside;
  std::unique_ptr<Inside> inside_;
};

/// The standard deviation that filters take for a sensor: its noise, and what rounding to `quantum` adds.
double reading_deviation(const SensorDescription& sensor);

/// What is wrong with a scenario for filters, with places: closed loops, and continuous controllers that look at sensors which hold their samples.
std::vector<Problem> check_followed(const Scenario& scenario);
/// ... and with these of its sensors, from which it is to be estimated: some, each with noise or quantum.
std::vector<Problem> check_observed(const Scenario& scenario, const std::vector<int>& sensors);

}  // namespace limber
