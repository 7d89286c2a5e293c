// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Runs a study: on threads of this machine, and on whatever else takes variants (RemoteWorkers).
//
// A variant is a function of its number. Whoever is free takes the next one; outcomes go to their own rows. So the result is the same to the last bit
// whatever the number of threads, ranks and restarts.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "limber/core/export.hpp"
#include "limber/results/result_lock.hpp"
#include "limber/study/study.hpp"

namespace limber LIMBER_EXPORT {

/// How far a sweep is.
struct SweepProgress {
  long done = 0;        ///< variants, failed ones included
  long failed = 0;      ///< of these
  long total = 0;       ///< of the study, or of the part of it
  long computed = 0;    ///< since this program was started
  double wall_s = 0.0;  ///< seconds since then

  /// Variants per second.
  double rate() const { return wall_s > 0.0 ? static_cast<double>(computed) / wall_s : 0.0; }
  /// Seconds, at this rate; 0 while nothing is known.
  double left_s() const { return computed > 0 ? static_cast<double>(total - done) / rate() : 0.0; }
};

/// Where workers get variants, and where they bring outcomes. Any thread may call.
class VariantQueue {
 public:
  virtual ~VariantQueue() = default;
  /// The next ones, at most so many; none: there are no more, or somebody asked to stop.
  virtual std::vector<long> next(std::size_t most) = 0;
  /// One is done. Throws ComputationError where it cannot be kept.
  virtual void take(long variant, VariantOutcome outcome) = 0;
};

/// Workers elsewhere. Called by one thread, again and again.
class RemoteWorkers {
 public:
  virtual ~RemoteWorkers() = default;
  /// Answers whoever waits. True where nobody has anything under way any more.
  virtual bool serve(VariantQueue& queue) = 0;
};

/// A part of all variants: those whose number leaves `index` when it is divided by `count`.
struct SweepPart {
  long index = 0;  ///< 0 <= index < count
  long count = 1;  ///< 1: all
};

/// How to run.
struct SweepOptions {
  int threads = 0;      ///< 0: as many as the machine has cores
  SweepPart part = {};  ///< of the variants
  /// Called a few times per second; false stops in good order: what is under way is finished, or given up where somebody asked to stop (interruption.hpp).
  std::function<bool(const SweepProgress&)> progress = {};
  RemoteWorkers* remote = nullptr;  ///< none: this process alone
  double refresh_s =
      30.0;  ///< after which the result on disk is brought up to date; later where writing takes long
};

/// How it went.
struct SweepSummary {
  StudyResult result;      ///< as it stands in the file
  bool finished = true;    ///< all variants of the part are done
  SweepProgress progress;  ///< at the end
  int threads = 1;         ///< that were used
};

/// Runs a study; where that is a search, optimise() does. Goes on with `begun` (Study::empty_result, or what was read of an interrupted one), and with what a killed program left beside the file. Writes the result.
SweepSummary sweep(const Study& study, ResultLock file, StudyResult begun, const SweepOptions& options = {});

/// Threads that compute what a queue has, in a process that keeps nothing: RemoteWorkers' other end. Returns when there is no more.
void work_off(const Study& study, VariantQueue& queue, int threads);

/// Parts of one study in one result. Throws InputError where they are not of this study.
StudyResult merged(const Study& study, const std::vector<std::pair<std::string, StudyResult>>& parts,
                   std::string program);

/// Puts indices and the status into a result without waiting variants.
void complete(const Study& study, StudyResult& result);

}  // namespace limber
