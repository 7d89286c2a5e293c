// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Noise that is the same on every machine and in every order of asking: the number that belongs to (seed, name, counter) is computed from
// these alone, by arithmetic that IEEE 754 fixes to the last bit.
//
// Bits: Philox 4x32 with ten rounds (Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011), key = (seed,
// FNV-1a of the name), counter = (counter's low and high half, attempt, 0). Numbers: with x, y uniform in (-1, 1), odd multiples of 2^-52, and
// s = x^2 + y^2, Marsaglia's polar method: attempts until 0 < s < 1, then
//
//   x sqrt(-2 log(s) / s)                                                                                 (1)
//
// log by its series (log s = e log 2 + 2 atanh((m - 1)/(m + 1)), s = m 2^e), for libraries of machines differ in the last digit of theirs.

#include <array>
#include <cstdint>
#include <string_view>

#include "limber/core/export.hpp"

namespace limber LIMBER_EXPORT {

/// The bits of a counter under a key.
std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key);

/// A stream of normal numbers with mean 0 and standard deviation 1.
class NormalNoise {
 public:
  /// Streams of other seeds or names are independent of it.
  NormalNoise(std::uint32_t seed, std::string_view name);
  /// Its number of that counter: always the same one.
  double at(std::uint64_t counter) const;

 private:
  std::array<std::uint32_t, 2> key_;
};

}  // namespace limber
