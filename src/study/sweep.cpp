// SPDX-License-Identifier: BSD-3-Clause
#include "limber/study/sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <utility>

#include "crew.hpp"
#include "journal.hpp"
#include "limber/core/computation_error.hpp"
#include "limber/core/input_error.hpp"
#include "limber/core/interruption.hpp"
#include "limber/study/optimise.hpp"

namespace limber {
namespace {

using Clock = std::chrono::steady_clock;

double since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

void put(long variant, VariantOutcome outcome, StudyResult& result) {
  if (outcome.has_failed()) {
    result.failed.push_back({variant, std::move(outcome.failure)});
    return;
  }
  const auto row = static_cast<Eigen::Index>(variant);
  const Eigen::Index measures = result.values.cols(), courses = result.courses.cols();
  const Eigen::Map<const Eigen::RowVectorXd> numbers(outcome.numbers.data(), measures + courses);
  result.values.row(row) = numbers.head(measures);
  if (courses > 0) result.courses.row(row) = numbers.tail(courses);
}

void sort_failures(StudyResult& result) {
  std::sort(result.failed.begin(), result.failed.end(),
            [](const FailedVariant& a, const FailedVariant& b) { return a.variant < b.variant; });
}

// Takes variants until there are no more. What is thrown is kept for whoever waits.
void work(const Study& study, VariantQueue& queue, std::exception_ptr& failure, std::mutex& guard) {
  try {
    for (;;) {
      const std::vector<long> mine = queue.next(1);
      if (mine.empty()) return;
      queue.take(mine.front(), study.evaluate(mine.front()));
    }
  } catch (const Interrupted&) {
    return;  // what was under way is given up
  } catch (...) {
    const std::lock_guard lock(guard);
    if (!failure) failure = std::current_exception();
  }
}

/// The variants that are left, and where their outcomes go.
class Queue : public VariantQueue {
 public:
  Queue(std::vector<long> pending, StudyResult& result, Journal& journal, SweepProgress progress)
      : pending_(std::move(pending)),
        result_(result),
        journal_(journal),
        progress_(progress),
        start_(Clock::now()) {}

  std::vector<long> next(std::size_t most) override {
    if (is_stopped_ || is_stop_asked_for()) return {};
    const std::size_t first = next_.fetch_add(most);
    if (first >= pending_.size()) return {};
    const std::size_t last = std::min(first + most, pending_.size());
    return {pending_.begin() + static_cast<std::ptrdiff_t>(first),
            pending_.begin() + static_cast<std::ptrdiff_t>(last)};
  }

  void take(long variant, VariantOutcome outcome) override {
    const std::lock_guard lock(guard_);
    journal_.add(variant, outcome);
    ++progress_.done;
    ++progress_.computed;
    if (outcome.has_failed()) ++progress_.failed;
    put(variant, std::move(outcome), result_);
    if (progress_.done == progress_.total) changed_.notify_all();
  }

  void stop() { is_stopped_ = true; }
  bool is_stopped() const { return is_stopped_; }
  /// Waits for the last one, or a moment.
  SweepProgress wait(double seconds) {
    std::unique_lock lock(guard_);
    if (progress_.done < progress_.total) changed_.wait_for(lock, std::chrono::duration<double>(seconds));
    progress_.wall_s = since(start_);
    return progress_;
  }
  /// Nobody brings anything meanwhile.
  template <typename Action>
  void still(Action&& action) {
    const std::lock_guard lock(guard_);
    action();
  }

 private:
  const std::vector<long> pending_;
  std::atomic<std::size_t> next_ = 0;
  std::atomic<bool> is_stopped_ = false;
  StudyResult& result_;
  Journal& journal_;
  std::mutex guard_;
  std::condition_variable changed_;
  SweepProgress progress_;
  Clock::time_point start_;
};

/// Where something is thrown, nobody begins another variant.
struct StopAtEnd {
  Queue& queue;
  ~StopAtEnd() { queue.stop(); }
};

}  // namespace

void work_off(const Study& study, VariantQueue& queue, int threads) {
  std::exception_ptr failure;
  std::mutex guard;
  Crew crew;
  crew.start(static_cast<std::size_t>(crew_size(threads) - 1), [&] { work(study, queue, failure, guard); });
  work(study, queue, failure, guard);
  crew.join();
  if (failure) std::rethrow_exception(failure);
}

void complete(const Study& study, StudyResult& result) {
  result.status = "complete";
  result.indices = study_indices(study.design(), result.values);
}

SweepSummary sweep(const Study& study, ResultLock file, StudyResult begun, const SweepOptions& options) {
  if (study.description().is_search()) return optimise(study, std::move(file), std::move(begun), options);
  SweepSummary summary{std::move(begun), true, {}, crew_size(options.threads)};
  StudyResult& result = summary.result;
  Journal journal(Journal::beside(file.file()), result.sources, study.width());
  std::vector<bool> done = result.done();
  for (const auto& [variant, outcome] : journal.found()) {
    if (variant < 0 || variant >= study.size() || done[static_cast<std::size_t>(variant)]) continue;
    put(variant, outcome, result);
    done[static_cast<std::size_t>(variant)] = true;
  }
  std::vector<long> pending;
  SweepProgress progress;
  for (long k = options.part.index; k < study.size(); k += options.part.count) {
    ++progress.total;
    if (done[static_cast<std::size_t>(k)])
      ++progress.done;
    else
      pending.push_back(k);
  }
  progress.failed = static_cast<long>(result.failed.size());
  const auto write = [&] {
    sort_failures(result);
    write_study_result(file.file(), result);
  };
  result.status = "running";
  write();  // so that there is something to go on with

  Queue queue(std::move(pending), result, journal, progress);
  std::exception_ptr failure;
  std::mutex guard;
  Crew crew;
  crew.start(static_cast<std::size_t>(summary.threads), [&] { work(study, queue, failure, guard); });
  summary.threads = static_cast<int>(crew.size());
  if (summary.threads == 0) throw ComputationError("no thread could be started: the system has no more");
  const StopAtEnd stop{queue};

  constexpr double moment_s = 0.05, served_s = 2e-4;  // between looks; where others wait for an answer
  auto written = Clock::now(), shown = written;
  double writing_s = 0.0;
  bool is_served = options.remote == nullptr, has_failed = false;
  for (;;) {
    summary.progress = queue.wait(options.remote ? served_s : moment_s);
    if (options.remote) is_served = options.remote->serve(queue);
    if (since(shown) >= moment_s || summary.progress.done == summary.progress.total) {
      shown = Clock::now();
      if (options.progress && !options.progress(summary.progress)) queue.stop();
    }
    {
      const std::lock_guard lock(guard);
      has_failed = failure != nullptr;
    }
    if (has_failed || is_stop_asked_for()) break;
    if (summary.progress.done == summary.progress.total && is_served) break;
    if (queue.is_stopped()) break;
    constexpr double part_of_time = 50.0;  // at most a fiftieth of it is spent with writing
    if (since(written) > std::max(options.refresh_s, part_of_time * writing_s)) {
      const auto begin = Clock::now();
      queue.still(write);
      writing_s = since(begin);
      written = Clock::now();
    }
  }
  queue.stop();
  crew.join();
  summary.progress = queue.wait(0.0);
  summary.finished = summary.progress.done == summary.progress.total;
  sort_failures(result);
  if (summary.finished && options.part.count == 1)
    complete(study, result);
  else
    result.status = summary.finished
                        ? fmt::format("part {} of {}", options.part.index + 1, options.part.count)
                        : "interrupted";
  write();
  journal.remove();
  if (failure) std::rethrow_exception(failure);
  return summary;
}

StudyResult merged(const Study& study, const std::vector<std::pair<std::string, StudyResult>>& parts,
                   std::string program) {
  StudyResult all = study.empty_result(std::move(program));
  std::vector<bool> done(static_cast<std::size_t>(study.size()), false);
  for (const auto& part : parts) {
    require_same_study(part.second, all.sources, part.first);
    require_same_points(part.second, study.design(), part.first);
    for (long k = 0; k < study.size(); ++k) {
      const auto row = static_cast<Eigen::Index>(k);
      if (done[static_cast<std::size_t>(k)] || !part.second.values.row(row).allFinite()) continue;
      all.values.row(row) = part.second.values.row(row);
      if (all.courses.cols() > 0) all.courses.row(row) = part.second.courses.row(row);
      done[static_cast<std::size_t>(k)] = true;
    }
    for (const FailedVariant& one : part.second.failed) {
      if (done[static_cast<std::size_t>(one.variant)]) continue;
      all.failed.push_back(one);
      done[static_cast<std::size_t>(one.variant)] = true;
    }
  }
  sort_failures(all);
  if (all.waiting() == 0)
    complete(study, all);
  else
    all.status = "interrupted";
  return all;
}

}  // namespace limber
