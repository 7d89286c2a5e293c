// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Goes from step to step through a scenario: what simulate() and Simulator have in common. A run is smooth pieces. A piece ends at a corner (of a
// trajectory, of a load, a sample of a controller), or where somebody outside changes an input; within it, events change modes (events.hpp).

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "asking.hpp"
#include "events.hpp"
#include "limber/simulation/instruments.hpp"
#include "limber/simulation/integrator.hpp"
#include "rate_jumps.hpp"
#include "singular_watch.hpp"

namespace limber {

/// What is taken for `auto`, and steps that are no longer than `longest`. Refuses what would not end. `log` hears of choices.
struct ChosenMethod {
  IntegratorDescription description;
  std::string reason;  ///< why `auto` took it; else empty
};
ChosenMethod choose_integrator(const Scenario& scenario, System& system, double longest,
                               const std::function<void(const std::string&)>& log);

class Stepper {
 public:
  /// Scenario, system and instruments must outlive it. Samples are taken where somebody looks: controllers, or whoever says so by
  /// Readings::expect_looks().
  Stepper(const Scenario& scenario, System& system, Instruments& instruments,
          const IntegratorDescription& description);

  /// Begins at a state. `readings`: samples of instruments that can still be seen there (Readings::write_state); none: nothing is known of what
  /// was before.
  void begin(IntegratorState state, const std::vector<double>& readings = {});
  /// Enters the piece that begins where the state is: samples are taken, modes entered. step() does so by itself; until somebody does,
  /// the state belongs to the piece before.
  void enter();
  /// Takes one step, up to the end of the piece or to `stop` at most. Where an event is found within it the state may not move, and
  /// the next steps go there. Throws ComputationError, and says what moves, and what to do.
  void step(double stop);
  /// The same by parts, for a method that asks (asking.hpp): null for others. Whoever calls them answers its questions after begin_start, if it needs one, and after
  /// begin_step; whatever is thrown on the way is a ComputationError for explain().
  AskingIntegrator* asking() { return asking_; }
  void begin_start();
  void begin_step(double stop);
  void end_step();
  [[noreturn]] void explain(const std::string& reason);
  /// An input has changed from outside: the next step begins anew.
  void inputs_changed() { is_anew_ = true; }

  const IntegratorState& state() const { return state_; }
  /// Whether the state is where a piece ends, and the next one has not been entered.
  bool is_at_corner() const { return !is_entered_; }
  /// y within the last step.
  void interpolate(double t, Eigen::VectorXd& y) { integrator_->interpolate(t, y); }
  const char* method_name() const { return integrator_->name(); }
  IntegratorStatistics statistics() const { return integrator_->statistics(); }

  /// What was watched, and has happened.
  const std::vector<Occurrence>& occurrences() const { return events_.past().occurrences; }
  /// Whether the last step ended because of it, for good.
  bool has_stopped() const { return has_stopped_; }

  /// What its user should know of what happened, as sentences: singular configurations of loops that it passed.
  const std::vector<std::string>& notes() const { return notes_; }

  /// All that the past means for what follows; whoever goes on from it begins anew there, so that all who do get the same, to the last bit.
  struct Saved {
    IntegratorState state;
    System::Past past;
    Events::Past events;
    bool is_entered = false;
    double end = 0.0, within = 0.0;  ///< of the piece
    std::vector<double> readings;
  };
  Saved save();
  void restore(const Saved& saved);

  /// Samples of instruments up to where the state is: step() does so by itself, but for those of the start.
  void take_samples();

 private:
  void look();
  void limit_steps(double stop);
  void begin_steps(double stop);
  bool ends_by(double event);
  void go_on_by_event();
  void change_modes();
  void start();
  bool come_nearer(double stop);
  void look_at_loops();
  [[noreturn]] void end_at_singular(const std::string& sentence);

  const Scenario& scenario_;
  System& system_;
  Instruments& instruments_;
  IntegrationMethod method_;
  std::unique_ptr<Integrator> integrator_;
  AskingIntegrator* asking_;
  Events events_;
  RateJumps rate_jumps_;
  std::unique_ptr<SingularWatch> loops_;  ///< none where there are no loops
  double fails_by_;                       ///< steps up to this time have failed
  std::vector<std::string> notes_;
  std::optional<Event> event_;    ///< found within a step, and not passed yet
  std::optional<Event> changes_;  ///< where the state is, and modes have not changed yet
  Pace pace_{-1.0, 0.0};          ///< of the inputs; until before the start: not known yet
  IntegratorState state_;
  double end_ = 0.0, within_ = 0.0;  ///< of the piece
  bool is_entered_ = false, is_anew_ = false, needs_start_ = false, has_stopped_ = false;
  Eigen::VectorXd eta_;  ///< scratch
};

}  // namespace limber
