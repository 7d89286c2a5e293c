// SPDX-License-Identifier: BSD-3-Clause
#include "parallel.hpp"

#include <pybind11/pybind11.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <limits>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "limber/core/computation_error.hpp"
#include "limber/core/input_error.hpp"

namespace limber::python {
namespace {

namespace py = pybind11;
using Clock = std::chrono::steady_clock;

constexpr std::size_t least_runs =
    2;  // for two threads; one takes about 20 us to start, ten of the shortest evaluations
constexpr auto signal_interval = std::chrono::milliseconds(100);  // between looks for Ctrl-C

std::atomic<int> chosen_count{0};

int default_count() {
  if (const char* text = std::getenv("LIMBER_THREADS"))
    if (const int asked = std::atoi(text); asked > 0) return asked;
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

/// The first failure in the order of the states.
class FirstFailure {
 public:
  void note(std::size_t index, std::exception_ptr thrown) {
    const std::lock_guard lock(mutex_);
    if (index >= index_) return;
    index_ = index;
    thrown_ = std::move(thrown);
  }
  /// Runs that begin behind it need not be worked through.
  bool is_before(std::size_t index) const { return index_ < index; }

  [[noreturn]] void rethrow() const {
    const std::string state = "states[" + std::to_string(index_) + "]";
    try {
      std::rethrow_exception(thrown_);
    } catch (const InputError&) {
      within_path(state, [this] { std::rethrow_exception(thrown_); });
    } catch (const ComputationError& error) {
      throw ComputationError(state + ": " + error.what());
    }
    std::abort();  // not reached: all branches throw
  }
  bool happened() const { return thrown_ != nullptr; }

 private:
  std::mutex mutex_;
  std::atomic<std::size_t> index_ = std::numeric_limits<std::size_t>::max();
  std::exception_ptr thrown_;
};

void look_for_signals() {
  const py::gil_scoped_acquire lock;
  if (PyErr_CheckSignals() != 0) throw py::error_already_set();
}

}  // namespace

int thread_count() {
  const int chosen = chosen_count.load(std::memory_order_relaxed);
  return chosen > 0 ? chosen : default_count();
}

void set_thread_count(int count) {
  constexpr int most = 1024;
  if (count < 0 || count > most)
    throw InputError(Problem{"count", "an integer from 0 to 1024", std::to_string(count),
                             "0: as many as the machine has cores"});
  chosen_count = count;
}

void for_each_run(std::size_t count, const WorkOnRun& work, std::size_t run_length) {
  std::atomic<std::size_t> next{0};
  std::atomic<bool> is_stopped{false};
  FirstFailure failure;
  const auto take_runs = [&](bool is_caller) {
    auto looked = Clock::now();
    while (!is_stopped) {
      const std::size_t first = next.fetch_add(run_length);
      if (first >= count || failure.is_before(first)) return;
      std::size_t i = first;
      try {
        work(i, std::min(first + run_length, count));
      } catch (...) {
        failure.note(i, std::current_exception());
        return;
      }
      if (!is_caller || Clock::now() - looked < signal_interval) continue;
      looked = Clock::now();
      look_for_signals();
    }
  };
  const auto most = static_cast<std::size_t>(thread_count());
  std::vector<std::thread> helpers;
  struct Joiner {  // also where a signal ends the caller's share
    std::vector<std::thread>& threads;
    std::atomic<bool>& is_stopped;
    bool is_done = false;
    ~Joiner() {
      if (!is_done) is_stopped = true;
      for (std::thread& thread : threads) thread.join();
    }
  };
  {
    Joiner joiner{helpers, is_stopped};
    if (count >= least_runs * run_length)
      for (std::size_t i = 1; i < std::min(most, count / run_length); ++i) {
        try {
          helpers.emplace_back(take_runs, false);
        } catch (const std::system_error&) {
          break;  // the system gives no more: fewer will do
        }
      }
    take_runs(true);
    joiner.is_done = true;
  }
  if (failure.happened()) failure.rethrow();
}

}  // namespace limber::python
