// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The kinds of functions of time, as their author writes them. A new one stands here, and in trajectory.cpp.

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "limber/core/export.hpp"
#include "limber/math/eigen.hpp"
#include "limber/model/variant_block.hpp"

namespace limber LIMBER_EXPORT {

/// Input shapers: zero vibration, or also zero derivative of it with respect to the frequency (robust).
enum class Shaper { zv, zvd };

namespace trajectories {

struct Constant {
  static constexpr const char* type = "constant";
  static constexpr const char* meaning = "The same value at all times.";
  double value = not_given;  ///< [rad or m; of an effort N m or N]
};

struct Steps {
  static constexpr const char* type = "steps";
  static constexpr const char* meaning = "Values that hold until the next; the first holds before, too.";
  std::vector<Eigen::Vector2d> points = {};  ///< [time, value]
};

struct Quintic {
  static constexpr const char* type = "quintic";
  static constexpr const char* meaning =
      "From one value to another, with velocity and acceleration zero at both ends.";
  double from = not_given;      ///< value before
  double to = not_given;        ///< value after
  double start = 0.0;           ///< when it begins [s]
  double duration = not_given;  ///< how long it takes [s]
};

struct Cycloidal {
  static constexpr const char* type = "cycloidal";
  static constexpr const char* meaning = "rate (t - period/pi sin(pi t/period)), for all t.";
  double rate = not_given;    ///< mean rate [rad/s or m/s]
  double period = not_given;  ///< half of a turn [s]
};

struct Trapezoidal {
  static constexpr const char* type = "trapezoidal";
  static constexpr const char* meaning =
      "Constant acceleration, constant speed, constant deceleration; without the middle where the way is "
      "short.";
  double from = not_given;          ///< value before
  double to = not_given;            ///< value after
  double start = 0.0;               ///< when it begins [s]
  double velocity = not_given;      ///< largest speed [rad/s or m/s]
  double acceleration = not_given;  ///< of speeding up and slowing down [rad/s^2 or m/s^2]
};

struct SpinUp {
  static constexpr const char* type = "spin-up";
  static constexpr const char* meaning =
      "rate/T [t^2/2 + (T/2pi)^2 (cos(2 pi t/T) - 1)] until T, then at that rate.";
  double rate = not_given;      ///< final rate [rad/s or m/s]
  double duration = not_given;  ///< T [s]
};

struct Table {
  static constexpr const char* type = "table";
  static constexpr const char* meaning =
      "A cubic spline through points, given by `times` and `values` or by `file`; holds its end values "
      "outside.";
  std::vector<double> times = {};        ///< ascending, at least two [s]
  std::vector<double> values = {};       ///< as many as times
  std::optional<std::string> file = {};  ///< what times and values were read from
};

struct Sum {
  static constexpr const char* type = "sum";
  static constexpr const char* meaning = "Of other trajectories.";
  std::vector<std::string> of = {};  ///< their names
};

struct Shaped {
  static constexpr const char* type = "shaped";
  static constexpr const char* meaning =
      "Another trajectory through an input shaper, which cancels vibration.";
  std::string of = {};                      ///< its name
  Shaper shaper = Shaper::zv;               ///< which
  int modes = 1;                            ///< how many of the arm's own frequencies
  std::vector<double> frequencies_hz = {};  ///< these instead of the arm's own
  double damping_ratio = 0.0;               ///< of those frequencies
};

/// Not one number but one for each joint: those that follow it.
struct Cartesian {
  static constexpr const char* type = "cartesian";
  static constexpr const char* meaning =
      "The end effector along a way in space. Each joint that follows it moves as that takes, with the arm's "
      "sag compensated: straight to `to`, from rest to rest, or through the places of `file`.";
  std::optional<Eigen::Vector3d> from = {};     ///< [m], world axes; none: where it is at the start
  std::optional<Eigen::Vector3d> to = {};       ///< [m], world axes
  double start = 0.0;                           ///< when it begins [s]
  std::optional<double> duration = {};          ///< how long it takes [s]
  int points = 101;                             ///< places of the line at which joints are found
  std::optional<std::string> file = {};         ///< with columns t, x, y, z and perhaps roll, pitch, yaw
  std::vector<double> times = {};               ///< of the file [s]
  Eigen::Matrix3Xd places = {};                 ///< of the file [m]
  std::vector<Eigen::Matrix3d> rotations = {};  ///< of the file; none: any attitude
};

}  // namespace trajectories

/// A function of time.
using TrajectoryDescription =
    std::variant<trajectories::Constant, trajectories::Steps, trajectories::Quintic, trajectories::Cycloidal,
                 trajectories::Trapezoidal, trajectories::SpinUp, trajectories::Table, trajectories::Sum,
                 trajectories::Shaped, trajectories::Cartesian>;

/// The trajectories that it is made of.
std::vector<std::string> parts_of(const TrajectoryDescription& trajectory);

}  // namespace limber
