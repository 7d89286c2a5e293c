// SPDX-License-Identifier: BSD-3-Clause
#include "progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <utility>

#include "command.hpp"
#include "limber/io/whole_file.hpp"

namespace limber::app {
namespace {

using Clock = std::chrono::steady_clock;

volatile std::sig_atomic_t awaited = 0;     // how many look for a request to stop
volatile std::sig_atomic_t asked_at_s = 0;  // of the first request
constexpr unsigned longest_answer_s = 3;

void end_at_once(int signal) {
  remove_unfinished();
  _exit(exit_interrupted + signal);
}

// clock_gettime, alarm, unlink and _exit are among what handlers may call. Who asks again within a second is impatient; who
// does later gets no answer.
void note_signal(int signal) {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  const auto now_s = static_cast<std::sig_atomic_t>(now.tv_sec);
  if (awaited == 0 || (is_stop_asked_for() && now_s - asked_at_s > 1)) end_at_once(signal);
  if (is_stop_asked_for()) return;
  asked_at_s = now_s;
  ask_to_stop(signal);
  alarm(longest_answer_s);
}

void end_what_does_not_answer(int) { end_at_once(stop_signal); }

// Between two words about progress: as it goes along, and where all of them stay.
constexpr double on_terminal_s = 0.1, in_file_s = 5.0;

std::string as_time(double seconds) {
  constexpr long minute = 60, hour = 60 * minute;
  constexpr double most_seconds = 100.0, most_minutes = 100.0 * minute;  // two digits before the unit
  if (seconds < most_seconds) return fmt::format("{:.1f} s", seconds);
  const auto whole = static_cast<long>(seconds);
  return seconds < most_minutes ? fmt::format("{}:{:02} min", whole / minute, whole % minute)
                                : fmt::format("{}:{:02} h", whole / hour, whole / minute % 60);
}

}  // namespace

ProgressDisplay::ProgressDisplay(bool quiet)
    : quiet_(quiet), terminal_(isatty(STDERR_FILENO) != 0), last_(Clock::now()) {}
ProgressDisplay::~ProgressDisplay() { clear(); }

void ProgressDisplay::show(const Progress& progress) {
  if (quiet_) return;
  const auto now = Clock::now();
  const double interval = terminal_ ? on_terminal_s : in_file_s;
  if (std::chrono::duration<double>(now - last_).count() < interval) return;
  last_ = now;
  const double part = progress.t / progress.duration;
  const double speed = progress.wall_s > 0.0 ? progress.t / progress.wall_s : 0.0;
  const double left = part > 0.0 ? progress.wall_s * (1.0 - part) / part : 0.0;
  const std::string words = fmt::format("t = {:.3f} of {:g} s, {:.3g} x real time, {} left", progress.t,
                                        progress.duration, speed, as_time(left));
  if (!terminal_) {
    print_error_text(fmt::format("simulate: {:3.0f} %, {}, {} steps\n", 100.0 * part, words, progress.steps));
    return;
  }
  constexpr int width = 30;
  const int filled = std::clamp(static_cast<int>(part * width), 0, width);
  print_error_text(
      fmt::format("\r\033[K[{}{}] {:3.0f} %  {}", std::string(static_cast<std::size_t>(filled), '='),
                  std::string(static_cast<std::size_t>(width - filled), ' '), 100.0 * part, words));
  is_shown_ = true;
}

void ProgressDisplay::clear() {
  if (is_shown_) print_error_text("\r\033[K");
  is_shown_ = false;
}

StageDisplay::StageDisplay(std::string command, bool quiet)
    : command_(std::move(command)),
      quiet_(quiet),
      terminal_(isatty(STDERR_FILENO) != 0),
      last_(Clock::now()) {}
StageDisplay::~StageDisplay() { clear(); }

void StageDisplay::show(const std::string& what, double part) {
  stop_if_asked();
  const auto now = Clock::now();
  const double interval = terminal_ ? on_terminal_s : in_file_s;
  if (quiet_ || std::chrono::duration<double>(now - last_).count() < interval) return;
  last_ = now;
  const std::string words = fmt::format("{}: {:3.0f} %, {}", command_, 100.0 * part, what);
  print_error_text(terminal_ ? "\r\033[K" + words : words + "\n");
  is_shown_ = terminal_;
}

void StageDisplay::clear() {
  if (is_shown_) print_error_text("\r\033[K");
  is_shown_ = false;
}

void StageDisplay::show_preparation_of(FormulationOptions& formulation) {
  formulation.note = [this](const std::string& sentence) {
    if (!quiet_) print_error_text(sentence + "\n");
  };
  formulation.progress = [this](const std::string& what, double part) { show(what, part); };
}

void handle_signals() {
  struct sigaction action = {};
  sigemptyset(&action.sa_mask);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&action.sa_mask, signal);
  action.sa_flags = SA_RESTART;
  action.sa_handler = note_signal;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction before = {};
    sigaction(signal, nullptr, &before);
    // nohup asks for life after the terminal.
    if (signal == SIGHUP && before.sa_handler == SIG_IGN) continue;
    sigaction(signal, &action, nullptr);
  }
  action.sa_handler = end_what_does_not_answer;
  sigaction(SIGALRM, &action, nullptr);
  // A file that grows beyond `ulimit -f` is an error of write(), which is told as a full disk is; the signal would only kill.
  std::signal(SIGXFSZ, SIG_IGN);
}

Interruption::Interruption() { awaited = awaited + 1; }
Interruption::~Interruption() { awaited = awaited - 1; }

bool Interruption::is_asked_for() {
  if (!is_stop_asked_for()) return false;
  alarm(0);  // it is answered: putting things in order may take longer
  return true;
}

}  // namespace limber::app
