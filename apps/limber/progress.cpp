#include "progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>

#include "command.hpp"

namespace limber::app {
namespace {

using Clock = std::chrono::steady_clock;

volatile std::sig_atomic_t interrupted = 0;

void note_interruption(int) { interrupted = 1; }

std::string as_time(double seconds) {
  if (seconds < 100.0) return fmt::format("{:.1f} s", seconds);
  const auto whole = static_cast<long>(seconds);
  return whole < 6000 ? fmt::format("{}:{:02} min", whole / 60, whole % 60)
                      : fmt::format("{}:{:02} h", whole / 3600, whole / 60 % 60);
}

}  // namespace

ProgressDisplay::ProgressDisplay(bool quiet)
    : quiet_(quiet), terminal_(isatty(STDERR_FILENO) != 0), last_(Clock::now()) {}
ProgressDisplay::~ProgressDisplay() { clear(); }

void ProgressDisplay::show(const Progress& progress) {
  if (quiet_) return;
  const auto now = Clock::now();
  const double interval = terminal_ ? 0.1 : 5.0;
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

Interruption::Interruption()
    : old_interrupt_(std::signal(SIGINT, note_interruption)),
      old_terminate_(std::signal(SIGTERM, note_interruption)) {
  interrupted = 0;
}
Interruption::~Interruption() {
  std::signal(SIGINT, old_interrupt_);
  std::signal(SIGTERM, old_terminate_);
}
bool Interruption::is_asked_for() { return interrupted != 0; }

}  // namespace limber::app
