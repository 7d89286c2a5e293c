// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A few threads that share work whose pieces do not depend on each other.

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace limber {

/// How many threads: what was asked for, or (0) as many as the machine has cores.
inline int crew_size(int asked) {
  return asked > 0 ? asked : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

/// Threads that are waited for, whatever is thrown meanwhile.
class Crew {
 public:
  Crew() = default;
  ~Crew() { join(); }
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  /// So many, or as many as the system gives.
  template <typename Work>
  void start(std::size_t count, const Work& work) {
    try {
      for (std::size_t i = 0; i < count; ++i) threads_.emplace_back(work);
    } catch (const std::system_error&) {
      return;
    }
  }
  std::size_t size() const { return threads_.size(); }
  void join() {
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
  }

 private:
  std::vector<std::thread> threads_;
};

/// action(0) ... action(count - 1), each by whoever is free. The first exception is thrown once all have ended; what had not begun is left out.
template <typename Action>
void for_all(std::size_t count, int threads, Action&& action) {
  std::atomic<std::size_t> next = 0;
  std::exception_ptr failure;
  std::mutex guard;
  const auto work = [&] {
    try {
      for (std::size_t i = next++; i < count; i = next++) action(i);
    } catch (...) {
      next = count;
      const std::lock_guard lock(guard);
      if (!failure) failure = std::current_exception();
    }
  };
  Crew crew;
  const std::size_t wanted = std::min(count, static_cast<std::size_t>(std::max(1, threads)));
  if (wanted > 1) crew.start(wanted - 1, work);
  work();  // this one helps
  crew.join();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace limber
