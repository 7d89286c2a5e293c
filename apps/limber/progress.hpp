// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// How far a run has come, on standard error: a bar that moves on a terminal, a line every few seconds in a log.

#include <chrono>
#include <csignal>
#include <string>

#include "limber/core/interruption.hpp"
#include "limber/formulations/formulation.hpp"
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

/// What is being done and how far it is, for work in stages: once it takes longer than a moment.
class StageDisplay {
 public:
  /// Lines begin with `command`. Says nothing where `quiet`.
  StageDisplay(std::string command, bool quiet);
  ~StageDisplay();
  StageDisplay(const StageDisplay&) = delete;
  StageDisplay& operator=(const StageDisplay&) = delete;

  /// Throws Interrupted where somebody asked to stop.
  void show(const std::string& what, double part);
  /// Removes what stands on the terminal.
  void clear();
  /// What a formulation has to say before it can be used comes here, for as long as this lives.
  void show_preparation_of(FormulationOptions& formulation);

 private:
  std::string command_;
  bool quiet_, terminal_;
  bool is_shown_ = false;
  std::chrono::steady_clock::time_point last_;
};

/// From here on Ctrl-C, kill and a terminal that closes end the program with 128 plus the signal's number, and leave nothing
/// unfinished behind.
void handle_signals();

/// For as long as this lives, they ask to stop instead (limber/core/interruption.hpp): a command that looks comes to an end in
/// good order. One that does not look for a few seconds, or is asked again after a second, is ended as above.
class Interruption {
 public:
  Interruption();
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;
  static bool is_asked_for();
};

}  // namespace limber::app
