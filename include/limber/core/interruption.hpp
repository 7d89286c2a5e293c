// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Asking long work to stop. Whoever may ask (a signal handler, another thread, a window with a button) sets one flag; every
// loop that can last longer than a moment looks at it, in whatever layer it stands:
//
//   for (...) {
//     stop_if_asked();
//     ...
//   }
//
// A look costs as much as reading a number. The flag is one for the process; who asks also forgets it, once what was asked for has happened.

#include <atomic>
#include <csignal>

#include "limber/core/export.hpp"

namespace limber LIMBER_EXPORT {

/// 0, or the signal that asked (SIGINT where it was none).
extern std::atomic<int> stop_signal;
static_assert(std::atomic<int>::is_always_lock_free, "signal handlers may write nothing else");

/// Safe in signal handlers and from other threads.
inline void ask_to_stop(int signal = SIGINT) noexcept {
  stop_signal.store(signal, std::memory_order_relaxed);
}
/// What was asked for has happened.
inline void forget_stop() noexcept { stop_signal.store(0, std::memory_order_relaxed); }
/// Whether somebody has asked, and nobody has forgotten it since.
inline bool is_stop_asked_for() noexcept { return stop_signal.load(std::memory_order_relaxed) != 0; }

/// What ends work that was asked to stop. No std::exception, on purpose: who catches those tries something else instead or
/// notes a failure, and nobody should here.
struct Interrupted {
  /// Who asked: SIGINT, SIGTERM, ...
  int signal = is_stop_asked_for() ? stop_signal.load(std::memory_order_relaxed) : SIGINT;
};

/// Throws Interrupted where somebody has asked.
inline void stop_if_asked() {
  if (is_stop_asked_for()) throw Interrupted();
}

}  // namespace limber
