// SPDX-License-Identifier: BSD-3-Clause
#include "limber/study/messenger.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <thread>
#include <utility>

#include "journal.hpp"
#include "limber/core/computation_error.hpp"
#include "limber/core/interruption.hpp"

namespace limber {
namespace {

// To rank 0: a sum of the study, how many variants are wanted next, then what was computed. From rank 0: numbers of variants; none: it is over.

template <typename T>
void put(std::string& bytes, const T& value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);  // NOLINT: bytes of plain numbers
}

class Reader {
 public:
  explicit Reader(const std::string& bytes) : bytes_(bytes) {}
  bool is_at_end() const { return at_ == bytes_.size(); }
  template <typename T>
  T take() {
    T value{};
    need(sizeof value);
    std::memcpy(&value, bytes_.data() + at_, sizeof value);
    at_ += sizeof value;
    return value;
  }
  std::string take_text(std::size_t length) {
    need(length);
    at_ += length;
    return bytes_.substr(at_ - length, length);
  }

 private:
  void need(std::size_t count) const {
    if (count > bytes_.size() - at_) throw ComputationError("a message between processes was cut off");
  }
  const std::string& bytes_;
  std::size_t at_ = 0;
};

void put_outcome(std::string& bytes, long variant, const VariantOutcome& outcome) {
  put(bytes, static_cast<std::int64_t>(variant));
  put(bytes, static_cast<std::uint64_t>(outcome.failure.size()));
  put(bytes, static_cast<std::uint64_t>(outcome.numbers.size()));
  bytes += outcome.failure;
  for (const double number : outcome.numbers) put(bytes, number);
}

std::pair<long, VariantOutcome> take_outcome(Reader& reader) {
  const auto variant = static_cast<long>(reader.take<std::int64_t>());
  const auto length = reader.take<std::uint64_t>(), count = reader.take<std::uint64_t>();
  VariantOutcome outcome;
  outcome.failure = reader.take_text(length);
  for (std::uint64_t i = 0; i < count; ++i) outcome.numbers.push_back(reader.take<double>());
  return {variant, std::move(outcome)};
}

/// What rank 0 has handed out, for the threads of this process.
class Handful : public VariantQueue {
 public:
  explicit Handful(std::vector<long> variants) : variants_(std::move(variants)) {}
  std::vector<long> next(std::size_t) override {
    const std::lock_guard lock(guard_);
    if (at_ == variants_.size() || is_stop_asked_for()) return {};
    return {variants_[at_++]};
  }
  void take(long variant, VariantOutcome outcome) override {
    const std::lock_guard lock(guard_);
    put_outcome(done_, variant, outcome);
  }
  const std::string& done() const { return done_; }

 private:
  std::vector<long> variants_;
  std::size_t at_ = 0;
  std::mutex guard_;
  std::string done_;
};

std::string wait_for_answer(Messenger& messenger) {
  constexpr std::chrono::microseconds moment(100);
  std::string bytes;
  for (int from = 0; !messenger.receive(from, bytes);) {
    stop_if_asked();
    std::this_thread::sleep_for(moment);
  }
  return bytes;
}

}  // namespace

MessengerWorkers::MessengerWorkers(Messenger& messenger, const Study& study)
    : messenger_(messenger), study_(sum_of(study.sources())) {}

bool MessengerWorkers::serve(VariantQueue& queue) {
  int from = 0;
  std::string bytes;
  while (messenger_.receive(from, bytes)) {
    Reader reader(bytes);
    if (reader.take<std::uint64_t>() != study_)
      throw ComputationError(fmt::format(
          "rank {} has another text of the study, its scenario or its model than rank 0: copy the files "
          "to its machine, or share their folder",
          from));
    const auto wanted = reader.take<std::uint64_t>();
    while (!reader.is_at_end()) {
      auto [variant, outcome] = take_outcome(reader);
      queue.take(variant, std::move(outcome));
    }
    const std::vector<long> handful = queue.next(static_cast<std::size_t>(wanted));
    std::string answer;
    for (const long variant : handful) put(answer, static_cast<std::int64_t>(variant));
    messenger_.send(from, answer);
    if (handful.empty()) ++released_;
  }
  return released_ == messenger_.size() - 1;
}

void work_for_rank_0(const Study& study, Messenger& messenger, int threads) {
  using Clock = std::chrono::steady_clock;
  constexpr double wanted_s = 0.05, most = 4096.0;  // of work at once
  const std::uint64_t study_sum = sum_of(study.sources());
  double wanted = std::max(1, threads);
  std::string results;
  for (;;) {
    std::string message;
    put(message, study_sum);
    put(message, static_cast<std::uint64_t>(wanted));
    messenger.send(0, message + results);
    const std::string answer = wait_for_answer(messenger);
    if (answer.empty()) return;
    std::vector<long> variants;
    for (Reader reader(answer); !reader.is_at_end();)
      variants.push_back(static_cast<long>(reader.take<std::int64_t>()));
    const auto count = static_cast<double>(variants.size());
    const auto start = Clock::now();
    Handful handful(std::move(variants));
    work_off(study, handful, threads);
    stop_if_asked();
    const double taken_s = std::chrono::duration<double>(Clock::now() - start).count();
    wanted = std::clamp(count * wanted_s / std::max(taken_s, 1e-6), static_cast<double>(std::max(1, threads)),
                        most);
    results = handful.done();
  }
}

}  // namespace limber
