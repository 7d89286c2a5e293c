// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Where modes of a system end (switch.hpp), and what a run looks out for (watch.hpp), found on the values between the ends of a step.

#include <optional>
#include <vector>

#include "limber/simulation/integrator.hpp"

namespace limber {

struct Event {
  double t;
  std::vector<int> guards;  ///< which come to zero there: switches, then watches
  int refinements = 0;
};

class Events {
 public:
  Events(const Scenario& scenario, System& system);

  /// A piece begins: at the start, or after a corner.
  void enter(double t, const Eigen::VectorXd& y);
  /// The first event within the integrator's last step, which began at `from`.
  std::optional<Event> find(Integrator& integrator, double from);
  /// The integrator's last step, which began at `from`, ends at the event as it was found: looks at what is watched there. True where it is not
  /// there yet, or is past it: the event has another time then, and the step is to be made again.
  bool refine(Integrator& integrator, double from, double end, Event& event);
  /// What was watched, and has happened there, is noted.
  void note(const Event& event);
  /// Modes change; y is the state at the event. What changes to and fro with every few steps is softened, if that is because
  /// tolerances do not resolve it.
  void apply(const Event& event, const Eigen::VectorXd& y);

  /// Of a switch: how often in a row it has changed after a few steps.
  struct Record {
    int short_modes = 0;
    long changed_at = 0;
  };
  /// What the past means for what follows.
  struct Past {
    std::vector<Record> records;
    Eigen::VectorXd guards;  ///< where the next step begins
    long steps = 0;
    double last_change = -1.0;
    int changes_at_once = 0;
    std::vector<char> is_armed;           ///< watches that have been positive since they happened last
    std::vector<Occurrence> occurrences;  ///< what has happened
  };
  const Past& past() const { return past_; }
  void set_past(const Past& past) { past_ = past; }
  /// Whether what happened last, or at the same time, ends the run.
  bool has_stopped() const { return has_stopped_; }

 private:
  double root(Integrator& integrator, int which, double a, double b, double guard_a, double guard_b);

  bool is_watch(int guard) const { return guard >= system_.switch_count(); }
  std::size_t watch_of(int guard) const { return static_cast<std::size_t>(guard - system_.switch_count()); }

  const Scenario& scenario_;
  System& system_;
  Past past_;
  bool has_stopped_ = false;
  Eigen::VectorXd last_, now_, between_, y_;
};

}  // namespace limber
