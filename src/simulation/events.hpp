// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Where modes of a system end (switch.hpp), found on the values between the ends of a step.

#include <optional>
#include <vector>

#include "limber/simulation/integrator.hpp"

namespace limber {

struct Event {
  double t;
  std::vector<int> switches;  ///< whose modes end there
};

class Events {
 public:
  explicit Events(System& system)
      : system_(system), records_(static_cast<std::size_t>(system.switch_count())) {}

  /// A piece begins: at the start, or after a corner.
  void enter(double t, const Eigen::VectorXd& y);
  /// The first event within the integrator's last step, which began at `from`.
  std::optional<Event> find(Integrator& integrator, double from);
  /// Modes change; y is the state at the event. What changes to and fro with every few steps is softened, if that is because
  /// tolerances do not resolve it.
  void apply(const Event& event, const Eigen::VectorXd& y);

 private:
  /// Of a switch: how often in a row it has changed after a few steps.
  struct Record {
    int short_modes = 0;
    long changed_at = 0;
  };

  double root(Integrator& integrator, int which, double a, double b, double guard_a, double guard_b);

  System& system_;
  std::vector<Record> records_;
  Eigen::VectorXd before_, last_, now_, between_, y_;
  long steps_ = 0;
  double last_change_ = -1.0;
  int changes_at_once_ = 0;
};

}  // namespace limber
