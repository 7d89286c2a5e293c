// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What drives joints, as its author writes it: each kind with its keys, and with the function that makes its controllers.
//
// A new kind is a struct and its describe() here, its name in ActuationKind, and a file of its own in src/simulation that defines
// add_controllers (controllers.hpp there); src/CMakeLists.txt names that file. Schema, reference, messages and checks of keys follow.

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "limber/core/export.hpp"
#include "limber/model/description.hpp"
#include "limber/model/variant_block.hpp"
#include "limber/scenario/linear_law.hpp"

namespace limber LIMBER_EXPORT {

// Of the layer that makes controllers.
struct ControllerSite;
template <typename Kind>
struct Driven;

/// What a controller follows: a trajectory, or a constant.
struct TargetDescription {
  std::optional<std::string> trajectory = {};  ///< its name; exactly one of trajectory and value
  std::optional<double> value = {};            ///< a constant [rad or m; of an effort N m or N]
};

/// What actuations::Pd adds against gravity: nothing, or what holds the rigid twin at the target's or at the measured position.
enum class GravityCompensation { none, target, measured };

namespace actuations {

struct Torque {
  static constexpr const char* type = "torque";
  static constexpr const char* meaning = "An effort over time.";
  TargetDescription signal = {};  ///< the effort [N m or N]
  /// Adds a controller for each of these coordinates.
  static void add_controllers(ControllerSite& site, const std::vector<Driven<Torque>>& driven);
};

struct Pd {
  static constexpr const char* type = "pd";
  static constexpr const char* meaning = "kp (target - q) + kd (its rate - v).";
  TargetDescription target = {};  ///< motion to follow [rad or m]
  double kp = not_given;          ///< effort per error of position [N m/rad or N/m]
  double kd = not_given;          ///< effort per error of velocity [N m s/rad or N s/m]
  /// What is added against gravity.
  GravityCompensation gravity_compensation = GravityCompensation::none;
  /// Adds a controller for each of these coordinates, and those that compensate gravity.
  static void add_controllers(ControllerSite& site, const std::vector<Driven<Pd>>& driven);
};

struct Pid {
  static constexpr const char* type = "pid";
  static constexpr const char* meaning =
      "kp (target - q) + ki (its integral) + kd (its rate); the integral rests while the motor is at its "
      "limit.";
  TargetDescription target = {};  ///< motion to follow [rad or m]
  double kp = not_given;          ///< effort per error of position [N m/rad or N/m]
  double ki = 0.0;                ///< effort per integral of it [N m/(rad s) or N/(m s)]
  double kd = 0.0;                ///< effort per error of velocity [N m s/rad or N s/m]
  double derivative_filter =
      0.0;  ///< time constant of a low-pass filter on the error of velocity [s]; 0: none
  std::optional<double> rate = {};  ///< samples per second, efforts held in between; none: continuous
  /// Adds a controller for each of these coordinates.
  static void add_controllers(ControllerSite& site, const std::vector<Driven<Pid>>& driven);
};

struct ComputedTorque {
  static constexpr const char* type = "computed-torque";
  static constexpr const char* meaning =
      "Inverse dynamics of the rigid twin where the joints are, for the target's acceleration and its "
      "errors.";
  TargetDescription target = {};  ///< motion to follow [rad or m]
  double kp = not_given;          ///< acceleration per error of position [1/s^2]
  double kd = not_given;          ///< acceleration per error of velocity [1/s]
  /// Adds one controller for all of these coordinates.
  static void add_controllers(ControllerSite& site, const std::vector<Driven<ComputedTorque>>& driven);
};

struct FlexibleFeedForward {
  static constexpr const char* type = "flexible-feed-forward";
  static constexpr const char* meaning =
      "What moves the joints of the flexible arm exactly along the target, however it bends on the way.";
  TargetDescription target = {};  ///< motion to follow [rad or m]
  /// Adds one controller for all of these coordinates.
  static void add_controllers(ControllerSite& site, const std::vector<Driven<FlexibleFeedForward>>& driven);
};

struct Linear {
  static constexpr const char* type = "linear";
  static constexpr const char* meaning =
      "A linear compensator from a file: x' = A x + B (inputs - references), efforts = C x + D (inputs - "
      "references) + u0.";
  std::string file = {};                            ///< JSON with A, B, C, D, u0
  LinearLaw law = {};                               ///< what stands in it
  std::vector<std::string> inputs = {};             ///< what it sees: sensors, coordinates, or their rates
  std::optional<TargetDescription> reference = {};  ///< of the first input
  std::vector<TargetDescription> references = {};   ///< of the first inputs, in their order
  std::optional<double> rate = {};                  ///< samples per second; then x+ = A x + B (y - r)
  /// Adds one controller for each entry of the scenario.
  static void add_controllers(ControllerSite& site, const std::vector<Driven<Linear>>& driven);
};

struct RigidInverseDynamics {
  static constexpr const char* type = "rigid-inverse-dynamics";
  static constexpr const char* meaning = "What moves the rigid twin along the target: feed-forward.";
  TargetDescription target = {};  ///< motion to follow [rad or m]
  /// Adds one controller for all of these coordinates.
  static void add_controllers(ControllerSite& site, const std::vector<Driven<RigidInverseDynamics>>& driven);
};

struct Lqr {
  static constexpr const char* type = "lqr";
  static constexpr const char* meaning =
      "What holds the settled arm at the target, and optimal feedback of the whole state about it.";
  std::optional<TargetDescription> target = {};  ///< motion to follow [rad or m]; none: the start
  /// Of the square of the joint's position error [J/rad^2 or J/m^2]; none: from the arm's first frequency and inertia.
  std::optional<double> position_weight = {};
  /// Of twice the kinetic and strain energy of the error; none: 1. The largest of all joints counts.
  std::optional<double> energy_weight = {};
  /// Of the square of the joint's effort [J/(N m)^2 or J/N^2]; none: from the other weights and the joint's effort limit.
  std::optional<double> effort_weight = {};
  /// Whether the integral of the joint's position error is fed back, too.
  bool integral = false;
  /// Adds one controller for all of these coordinates.
  static void add_controllers(ControllerSite& site, const std::vector<Driven<Lqr>>& driven);
};

struct Lqg {
  static constexpr const char* type = "lqg";
  static constexpr const char* meaning =
      "The feedback of lqr, of a state that a Kalman filter estimates from sensors.";
  std::optional<TargetDescription> target = {};  ///< motion to follow [rad or m]; none: the start
  ///@{
  /// As for Lqr.
  std::optional<double> position_weight = {};
  std::optional<double> energy_weight = {};
  std::optional<double> effort_weight = {};
  bool integral = false;
  ///@}
  std::vector<std::string> sensors = {};  ///< what it sees; those of all joints together
  /// Standard deviation of unknown efforts on the joint [N m or N]; none: from its inertia.
  std::optional<double> process_noise = {};
  std::optional<double> rate = {};  ///< samples per second, efforts held in between; none: continuous
  /// Adds one controller for all of these coordinates.
  static void add_controllers(ControllerSite& site, const std::vector<Driven<Lqg>>& driven);
};

struct Nmpc {
  static constexpr const char* type = "nmpc";
  static constexpr const char* meaning =
      "Nonlinear model predictive control: at each sample an optimal motion of the flexible arm over a "
      "horizon, within its limits.";
  std::optional<TargetDescription> target = {};  ///< motion to follow, seen ahead [rad or m]; none: the start
  ///@{
  /// As for Lqr.
  std::optional<double> position_weight = {};
  std::optional<double> energy_weight = {};
  std::optional<double> effort_weight = {};
  ///@}
  double rate = not_given;             ///< samples per second; efforts are held in between
  std::optional<double> horizon = {};  ///< how far it looks ahead [s]; none: twice the arm's slowest period
  int iterations = 1;                  ///< linearisations of the whole horizon at each sample
  /// Adds one controller for all of these coordinates.
  static void add_controllers(ControllerSite& site, const std::vector<Driven<Nmpc>>& driven);
};

struct Prescribed {
  static constexpr const char* type = "prescribed";
  static constexpr const char* meaning = "The joint moves along the target, and its effort is found.";
  TargetDescription target = {};  ///< motion to follow [rad or m]
  /// Adds none: what is prescribed needs no controller.
  static void add_controllers(ControllerSite& site, const std::vector<Driven<Prescribed>>& driven);
};

}  // namespace actuations

/// How a joint is driven.
using ActuationKind =
    std::variant<actuations::Torque, actuations::Pd, actuations::Pid, actuations::ComputedTorque,
                 actuations::RigidInverseDynamics, actuations::FlexibleFeedForward, actuations::Linear,
                 actuations::Lqr, actuations::Lqg, actuations::Nmpc, actuations::Prescribed>;

/// What drives a joint, or several. Several on one joint add up; joints without any are free.
struct ActuationDescription {
  std::vector<std::string> joint = {};  ///< joints, or single coordinates of them, or `all`
  ActuationKind kind = {};              ///< how they are driven

  /// What the joint should do; null where nobody says.
  const TargetDescription* target() const;
};

}  // namespace limber

// Their keys, for what reads, checks and documents files. Programs need the types alone, and C++17 for them.
#if __cplusplus >= 202002L

#include "limber/model/description_fields.hpp"

namespace limber LIMBER_EXPORT {

template <typename Visitor>
void describe(Visitor& v, Maybe<TargetDescription> auto& target) {
  v.block("target", "What is followed: a trajectory by name, or a constant value.");
  v.field({.key = "trajectory", .meaning = "name of a trajectory", .text = TextRule::reference},
          target.trajectory);
  v.field({.key = "value", .meaning = "a constant", .unit = "rad or m", .angle = true}, target.value);
  v.exactly_one_of({{"`trajectory`", {"trajectory"}}, {"`value`", {"value"}}});
}

template <>
inline constexpr auto choices<GravityCompensation> = std::to_array<Choice<GravityCompensation>>({
    {GravityCompensation::none, "none"},
    {GravityCompensation::target, "target"},
    {GravityCompensation::measured, "measured"},
});

namespace actuations {

template <typename Visitor>
void describe_target(Visitor& v, auto& target) {
  v.field({.key = "target", .meaning = "motion to follow", .required = true}, target);
}

template <typename Visitor>
void describe_gains(Visitor& v, const char* what, auto& kp, auto& kd) {
  v.field({.key = "kp", .meaning = what, .required = true, .range = non_negative}, kp);
  v.field(
      {.key = "kd", .meaning = "the same for the error of velocity", .required = true, .range = non_negative},
      kd);
}

template <typename Visitor>
void describe(Visitor& v, Maybe<Torque> auto& torque) {
  v.field({.key = "signal", .meaning = "effort over time", .required = true}, torque.signal);
}

template <typename Visitor>
void describe(Visitor& v, Maybe<Pd> auto& pd) {
  describe_target(v, pd.target);
  describe_gains(v, "effort per error", pd.kp, pd.kd);
  v.field({.key = "gravity_compensation",
           .meaning = "adds what holds the rigid twin, at the target's or at the measured position"},
          pd.gravity_compensation);
}

template <typename Visitor>
void describe_rate(Visitor& v, auto& rate) {
  v.field({.key = "rate",
           .meaning = "samples per second; efforts are held in between",
           .unit = "1/s",
           .range = positive,
           .otherwise = "continuous"},
          rate);
}

template <typename Visitor>
void describe(Visitor& v, Maybe<Pid> auto& pid) {
  describe_target(v, pid.target);
  v.field({.key = "kp", .meaning = "effort per error of position", .required = true, .range = non_negative},
          pid.kp);
  v.field({.key = "ki", .meaning = "effort per integral of the error over time", .range = non_negative},
          pid.ki);
  v.field({.key = "kd", .meaning = "effort per error of velocity", .range = non_negative}, pid.kd);
  v.field({.key = "derivative_filter",
           .meaning = "time constant of a low-pass filter on the error of velocity; 0: none",
           .unit = "s",
           .range = non_negative},
          pid.derivative_filter);
  describe_rate(v, pid.rate);
}

template <typename Visitor>
void describe(Visitor& v, Maybe<ComputedTorque> auto& computed) {
  describe_target(v, computed.target);
  describe_gains(v, "acceleration per error", computed.kp, computed.kd);
}

template <typename Visitor>
void describe(Visitor& v, Maybe<Linear> auto& linear) {
  v.field({.key = "file",
           .meaning = "JSON with the matrices A, B, C, D (lists of rows) and u0; without A a static gain D",
           .required = true},
          linear.file);
  v.field({.key = "inputs",
           .meaning = "what it sees: names of sensors, of coordinates (`shoulder`, `boom.y1`) and of their "
                      "rates (`shoulder.rate`)",
           .required = true,
           .text = TextRule::reference},
          linear.inputs);
  v.field({.key = "reference", .meaning = "what the first input should be", .otherwise = "0"},
          linear.reference);
  v.field(
      {.key = "references", .meaning = "what the first inputs should be, in their order", .otherwise = "0"},
      linear.references);
  describe_rate(v, linear.rate);
  v.at_most_one_of({{"`reference`", {"reference"}}, {"`references`", {"references"}}});
}

template <typename Visitor>
void describe(Visitor& v, Maybe<RigidInverseDynamics> auto& feed_forward) {
  describe_target(v, feed_forward.target);
}

template <typename Visitor>
void describe(Visitor& v, Maybe<FlexibleFeedForward> auto& feed_forward) {
  describe_target(v, feed_forward.target);
}

template <typename Visitor>
void describe_optimal_weights(Visitor& v, auto& lqr) {
  v.field({.key = "target", .meaning = "motion to follow", .otherwise = "the start"}, lqr.target);
  v.field({.key = "position_weight",
           .meaning = "of the square of this joint's position error",
           .range = positive,
           .otherwise = "from the arm's first frequency and inertia"},
          lqr.position_weight);
  v.field({.key = "energy_weight",
           .meaning = "of twice the kinetic and strain energy of the error",
           .range = non_negative,
           .otherwise = "1"},
          lqr.energy_weight);
  v.field({.key = "effort_weight",
           .meaning = "of the square of this joint's effort",
           .range = positive,
           .otherwise = "from these and the joint's effort limit"},
          lqr.effort_weight);
}

template <typename Visitor>
void describe_optimal_feedback(Visitor& v, auto& lqr) {
  describe_optimal_weights(v, lqr);
  v.field(
      {.key = "integral",
       .meaning = "also feeds back the integral of this joint's error, which ends at zero whatever load or "
                  "mass the controller does not know"},
      lqr.integral);
}

template <typename Visitor>
void describe(Visitor& v, Maybe<Lqr> auto& lqr) {
  describe_optimal_feedback(v, lqr);
}

template <typename Visitor>
void describe(Visitor& v, Maybe<Lqg> auto& lqg) {
  describe_optimal_feedback(v, lqg);
  v.field({.key = "sensors",
           .meaning = "what it sees: names of sensors of positions, velocities and bending, which together "
                      "see every mode",
           .required = true,
           .text = TextRule::reference},
          lqg.sensors);
  v.field({.key = "process_noise",
           .meaning = "standard deviation of efforts on this joint that nobody knows of",
           .unit = "N m or N",
           .range = positive,
           .otherwise = "what moves the joint by 0.01 rad or m"},
          lqg.process_noise);
  describe_rate(v, lqg.rate);
}

template <typename Visitor>
void describe(Visitor& v, Maybe<Nmpc> auto& nmpc) {
  describe_optimal_weights(v, nmpc);
  v.field({.key = "rate",
           .meaning = "samples per second; efforts are held in between",
           .required = true,
           .unit = "1/s",
           .range = positive},
          nmpc.rate);
  v.field({.key = "horizon",
           .meaning = "how far it looks ahead",
           .unit = "s",
           .range = positive,
           .otherwise = "twice the period of the arm's slowest vibration"},
          nmpc.horizon);
  v.field({.key = "iterations",
           .meaning = "how often the whole horizon is linearised at each sample",
           .range = {1.0, 1e3}},
          nmpc.iterations);
}

template <typename Visitor>
void describe(Visitor& v, Maybe<Prescribed> auto& prescribed) {
  describe_target(v, prescribed.target);
}

}  // namespace actuations

template <typename Visitor>
void describe(Visitor& v, Maybe<ActuationDescription> auto& actuation) {
  v.block("actuation", "What drives a joint. Several on one joint add up; joints without any are free.");
  v.field({.key = "joint",
           .meaning = "a joint, one coordinate of it (`shoulder.2`), a list of those, or `all`",
           .required = true,
           .text = TextRule::reference},
          actuation.joint);
  v.variant({.key = "type", .meaning = "the controller", .required = true}, actuation.kind);
}

}  // namespace limber

#endif
