#pragma once

// The kinds of functions of time, as their author writes them. A new one stands here, and in trajectory.cpp.

#include <Eigen/Core>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "limber/model/variant_block.hpp"

namespace limber {

enum class Shaper { zv, zvd };

namespace trajectories {

struct Constant {
  static constexpr const char* type = "constant";
  static constexpr const char* meaning = "The same value at all times.";
  double value = not_given;
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
  double from = not_given;
  double to = not_given;
  double start = 0.0;
  double duration = not_given;
};

struct Cycloidal {
  static constexpr const char* type = "cycloidal";
  static constexpr const char* meaning = "rate (t - period/pi sin(pi t/period)), for all t.";
  double rate = not_given;
  double period = not_given;
};

struct Trapezoidal {
  static constexpr const char* type = "trapezoidal";
  static constexpr const char* meaning =
      "Constant acceleration, constant speed, constant deceleration; without the middle where the way is "
      "short.";
  double from = not_given;
  double to = not_given;
  double start = 0.0;
  double velocity = not_given;
  double acceleration = not_given;
};

struct SpinUp {
  static constexpr const char* type = "spin-up";
  static constexpr const char* meaning =
      "rate/T [t^2/2 + (T/2pi)^2 (cos(2 pi t/T) - 1)] until T, then at that rate.";
  double rate = not_given;
  double duration = not_given;
};

struct Table {
  static constexpr const char* type = "table";
  static constexpr const char* meaning =
      "A cubic spline through points, given by `times` and `values` or by `file`; holds its end values "
      "outside.";
  std::vector<double> times = {};
  std::vector<double> values = {};
  std::optional<std::string> file = {};  ///< what times and values were read from
};

struct Sum {
  static constexpr const char* type = "sum";
  static constexpr const char* meaning = "Of other trajectories.";
  std::vector<std::string> of = {};
};

struct Shaped {
  static constexpr const char* type = "shaped";
  static constexpr const char* meaning =
      "Another trajectory through an input shaper, which cancels vibration.";
  std::string of = {};
  Shaper shaper = Shaper::zv;
  int modes = 1;                            ///< how many of the arm's own frequencies
  std::vector<double> frequencies_hz = {};  ///< these instead of the arm's own
  double damping_ratio = 0.0;               ///< of those frequencies
};

}  // namespace trajectories

/// A function of time.
using TrajectoryDescription =
    std::variant<trajectories::Constant, trajectories::Steps, trajectories::Quintic, trajectories::Cycloidal,
                 trajectories::Trapezoidal, trajectories::SpinUp, trajectories::Table, trajectories::Sum,
                 trajectories::Shaped>;

/// The trajectories that it is made of.
std::vector<std::string> parts_of(const TrajectoryDescription& trajectory);

}  // namespace limber
