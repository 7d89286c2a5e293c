// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A sum over numbers or texts, by which damage to a file shows:
//
//   h <- K h + b   mod 2^64,   b the bits of the next number                                                  (1)
//
// K is odd, so that no single change can leave h as it was. Numbers may be added in pieces: a file that grows is
// summed as it grows. It is no protection against somebody who means it.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace limber {

class CheckSum {
 public:
  CheckSum() = default;
  /// Goes on from what value() gave.
  explicit CheckSum(std::uint64_t value) : value_(value) {}

  void add(const double* numbers, std::size_t count) {
    // Four times (1) at once, so that the multiplications need not wait for each other.
    std::size_t i = 0;
    for (; i + 4 <= count; i += 4)
      value_ = K4 * value_ + (K3 * bits(numbers[i]) + K2 * bits(numbers[i + 1])) +
               (K * bits(numbers[i + 2]) + bits(numbers[i + 3]));
    for (; i < count; ++i) value_ = K * value_ + bits(numbers[i]);
  }
  void add(std::string_view text) {
    for (const char c : text) value_ = K * value_ + static_cast<unsigned char>(c) + 1U;
  }

  std::uint64_t value() const { return value_; }

 private:
  static constexpr std::uint64_t K = 0x9E3779B97F4A7C15U;  // 2^64 over the golden ratio
  static constexpr std::uint64_t K2 = K * K, K3 = K2 * K, K4 = K3 * K;
  static std::uint64_t bits(double number) { return std::bit_cast<std::uint64_t>(number); }

  std::uint64_t value_ = 0;
};

}  // namespace limber
