// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A sweep on several processes that send each other messages: rank 0 keeps the result and hands out variants, the others compute. Whoever is free asks for
// more, so that a variant that takes long holds nobody up; what is asked for at once is about a twentieth of a second's work.

#include <cstdint>
#include <memory>
#include <string>

#include "limber/core/export.hpp"
#include "limber/study/sweep.hpp"

namespace limber LIMBER_EXPORT {

/// How processes talk. MPI is one way (apps/mpi); one thread of each process uses it.
class Messenger {
 public:
  virtual ~Messenger() = default;
  virtual int rank() const = 0;  ///< 0 <= rank < size
  virtual int size() const = 0;  ///< processes
  /// Comes back when `bytes` may be forgotten.
  virtual void send(int to, const std::string& bytes) = 0;
  /// A message that has come, and from whom; false: there is none yet.
  virtual bool receive(int& from, std::string& bytes) = 0;
};

/// Rank 0's side.
class MessengerWorkers : public RemoteWorkers {
 public:
  /// Of all other ranks, which have to have the same study.
  MessengerWorkers(Messenger& messenger, const Study& study);
  /// Throws ComputationError where a rank has another one: its machine has other files.
  bool serve(VariantQueue& queue) override;

 private:
  Messenger& messenger_;
  std::uint64_t study_;  ///< a sum of its texts
  int released_ = 0;
};

/// The others' side: computes what rank 0 hands out until there is no more, or somebody asks to stop (Interrupted).
void work_for_rank_0(const Study& study, Messenger& messenger, int threads);

}  // namespace limber
