#pragma once

// How far a run has come, on standard error: a bar that moves on a terminal, a line every few seconds in a log.

#include <chrono>
#include <string>

#include "limber/simulation/simulate.hpp"

namespace limber::app {

class ProgressDisplay {
 public:
  /// Says nothing where `quiet`.
  explicit ProgressDisplay(bool quiet);
  ~ProgressDisplay();
  ProgressDisplay(const ProgressDisplay&) = delete;
  ProgressDisplay& operator=(const ProgressDisplay&) = delete;

  void show(const Progress& progress);
  /// Removes the bar.
  void clear();

 private:
  bool quiet_, terminal_;
  bool is_shown_ = false;
  std::chrono::steady_clock::time_point last_;
};

/// Ctrl-C and kill set a flag instead of ending the program: for as long as this lives.
class Interruption {
 public:
  Interruption();
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;
  static bool is_asked_for();

 private:
  void (*old_interrupt_)(int);
  void (*old_terminate_)(int);
};

}  // namespace limber::app
