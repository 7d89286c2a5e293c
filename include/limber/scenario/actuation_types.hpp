#pragma once

// What drives joints, as its author writes it. A new kind stands here, and in src/simulation (controllers.hpp there).

#include <optional>
#include <string>
#include <variant>

#include "limber/model/variant_block.hpp"

namespace limber {

/// What a controller follows: a trajectory, or a constant.
struct TargetDescription {
  std::optional<std::string> trajectory = {};
  std::optional<double> value = {};
};

enum class GravityCompensation { none, target, measured };

namespace actuations {

struct Torque {
  static constexpr const char* type = "torque";
  static constexpr const char* meaning = "An effort over time.";
  TargetDescription signal = {};
};

struct Pd {
  static constexpr const char* type = "pd";
  static constexpr const char* meaning = "kp (target - q) + kd (its rate - v).";
  TargetDescription target = {};
  double kp = not_given;
  double kd = not_given;
  GravityCompensation gravity_compensation = GravityCompensation::none;
};

struct ComputedTorque {
  static constexpr const char* type = "computed-torque";
  static constexpr const char* meaning =
      "Inverse dynamics of the rigid twin where the joints are, for the target's acceleration and its "
      "errors.";
  TargetDescription target = {};
  double kp = not_given;
  double kd = not_given;
};

struct RigidInverseDynamics {
  static constexpr const char* type = "rigid-inverse-dynamics";
  static constexpr const char* meaning = "What moves the rigid twin along the target: feed-forward.";
  TargetDescription target = {};
};

struct Lqr {
  static constexpr const char* type = "lqr";
  static constexpr const char* meaning =
      "What holds the settled arm at the target, and optimal feedback of the whole state about it.";
  std::optional<TargetDescription> target = {};
  std::optional<double> position_weight = {};
  std::optional<double> energy_weight = {};
  std::optional<double> effort_weight = {};
  bool integral = false;
};

struct Prescribed {
  static constexpr const char* type = "prescribed";
  static constexpr const char* meaning = "The joint moves along the target, and its effort is found.";
  TargetDescription target = {};
};

}  // namespace actuations

using ActuationKind = std::variant<actuations::Torque, actuations::Pd, actuations::ComputedTorque,
                                   actuations::RigidInverseDynamics, actuations::Lqr, actuations::Prescribed>;

struct ActuationDescription {
  std::string joint = {};  ///< a joint, one coordinate of it, or `all`
  ActuationKind kind = {};

  /// What the joint should do; null where nobody says.
  const TargetDescription* target() const;
};

}  // namespace limber
