// SPDX-License-Identifier: BSD-3-Clause
#include "journal.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

#include "limber/core/computation_error.hpp"

namespace limber {
namespace {

namespace fs = std::filesystem;

// A record: mark, variant, length of the reason, numbers (none where it failed), reason, sum over all of that. The first record is the study's own sum.
constexpr std::uint32_t record_mark = 0x4c4d4252;  // "LMBR"

/// Fowler, Noll and Vo's sum of bytes (FNV-1a).
std::uint64_t sum_of(const char* bytes, std::size_t count, std::uint64_t start = 0xCBF29CE484222325U) {
  for (std::size_t i = 0; i < count; ++i)
    start = (start ^ static_cast<unsigned char>(bytes[i])) * 0x100000001B3U;
  return start;
}

template <typename T>
void put(std::string& bytes, const T& value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);  // NOLINT: bytes of plain numbers
}

template <typename T>
bool take(const std::string& bytes, std::size_t& at, T& value) {
  if (at + sizeof value > bytes.size()) return false;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  at += sizeof value;
  return true;
}

}  // namespace

std::uint64_t sum_of(const std::vector<SourceText>& sources) {
  std::uint64_t sum = sum_of("", 0);
  for (const SourceText& source : sources) sum = sum_of(source.text.data(), source.text.size() + 1, sum);
  return sum;
}

fs::path Journal::beside(const fs::path& result) { return result.string() + ".part"; }

Journal::Journal(fs::path file, const std::vector<SourceText>& sources, std::size_t width)
    : file_(std::move(file)), study_(sum_of(sources)), width_(width) {
  read();
  const int mode = found_.empty() ? O_TRUNC : O_APPEND;
  descriptor_ = ::open(file_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | mode, 0666);  // NOLINT
  if (descriptor_ < 0)
    throw ComputationError(fmt::format("{} could not be written: {}", file_.string(), std::strerror(errno)));
  if (!found_.empty()) return;
  std::string first;
  put(first, study_);
  write(first);
}

Journal::~Journal() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void Journal::remove() {
  std::error_code ignored;
  fs::remove(file_, ignored);
}

void Journal::write(const std::string& bytes) {
  if (::write(descriptor_, bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size()))
    throw ComputationError(fmt::format("{} could not be written: disk full?", file_.string()));
}

void Journal::add(long variant, const VariantOutcome& outcome) {
  std::string bytes;
  put(bytes, record_mark);
  put(bytes, static_cast<std::int64_t>(variant));
  put(bytes, static_cast<std::uint32_t>(outcome.failure.size()));
  if (!outcome.has_failed())
    for (const double number : outcome.numbers) put(bytes, number);
  bytes += outcome.failure;
  put(bytes, sum_of(bytes.data(), bytes.size()));
  write(bytes);
}

// Up to the first record that is not whole; the file is cut there.
void Journal::read() {
  std::ifstream stream(file_, std::ios::binary);
  if (!stream) return;
  const std::string bytes((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
  std::size_t at = 0;
  std::uint64_t study = 0;
  if (!take(bytes, at, study) || study != study_) return;
  std::size_t good = at;
  for (;;) {
    const std::size_t start = at;
    std::uint32_t mark = 0, length = 0;
    std::int64_t variant = 0;
    VariantOutcome outcome;
    if (!take(bytes, at, mark) || mark != record_mark || !take(bytes, at, variant) ||
        !take(bytes, at, length))
      break;
    if (length == 0) outcome.numbers.resize(width_);
    bool is_whole = true;
    for (double& number : outcome.numbers) is_whole = is_whole && take(bytes, at, number);
    if (!is_whole || at + length > bytes.size()) break;
    outcome.failure = bytes.substr(at, length);
    at += length;
    const std::uint64_t expected = sum_of(bytes.data() + start, at - start);
    std::uint64_t sum = 0;
    if (!take(bytes, at, sum) || sum != expected) break;
    found_.emplace_back(static_cast<long>(variant), std::move(outcome));
    good = at;
  }
  std::error_code ignored;
  if (good < bytes.size()) fs::resize_file(file_, good, ignored);
}

}  // namespace limber
