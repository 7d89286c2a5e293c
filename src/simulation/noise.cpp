// SPDX-License-Identifier: BSD-3-Clause
#include "limber/simulation/noise.hpp"

#include <cmath>

namespace limber {
namespace {

using Counter = std::array<std::uint32_t, 4>;

// Of Philox 4x32: multipliers of the rounds, and what the key grows by.
constexpr std::uint64_t multiplier_0 = 0xD2511F53, multiplier_1 = 0xCD9E8D57;
constexpr std::uint32_t weyl_0 = 0x9E3779B9, weyl_1 = 0xBB67AE85;
constexpr int rounds = 10;

std::uint32_t high(std::uint64_t x) { return static_cast<std::uint32_t>(x >> 32U); }
std::uint32_t low(std::uint64_t x) { return static_cast<std::uint32_t>(x); }

// FNV-1a of 32 bits.
std::uint32_t hash(std::string_view text) {
  std::uint32_t value = 2166136261U;
  for (const char c : text) value = (value ^ static_cast<unsigned char>(c)) * 16777619U;
  return value;
}

// In (-1, 1): odd multiples of 2^-52, so never an end, and never 0.
double uniform(std::uint32_t upper, std::uint32_t lower) {
  const std::uint64_t bits = (static_cast<std::uint64_t>(upper) << 32U | lower) >> 12U;  // 52 of them
  return std::ldexp(static_cast<double>(bits) + 0.5, -51) - 1.0;
}

// Of 0 < s < 1. |z| < 0.172, so that twelve terms leave less than 1e-19 of the sum.
double portable_log(double s) {
  constexpr double log_2 = 0.69314718055994530942, sqrt_half = 0.70710678118654752440;
  constexpr int terms = 12;
  int e = 0;
  double m = std::frexp(s, &e);
  if (m < sqrt_half) {
    m *= 2.0;
    --e;
  }
  const double z = (m - 1.0) / (m + 1.0), square = z * z;
  double sum = 0.0;
  for (int i = terms; i >= 0; --i) sum = sum * square + 1.0 / (2.0 * i + 1.0);
  return e * log_2 + 2.0 * z * sum;
}

}  // namespace

Counter philox(Counter c, std::array<std::uint32_t, 2> key) {
  for (int round = 0; round < rounds; ++round) {
    const std::uint64_t a = multiplier_0 * c[0], b = multiplier_1 * c[2];
    c = {high(b) ^ c[1] ^ key[0], low(b), high(a) ^ c[3] ^ key[1], low(a)};
    key[0] += weyl_0;
    key[1] += weyl_1;
  }
  return c;
}

NormalNoise::NormalNoise(std::uint32_t seed, std::string_view name) : key_{seed, hash(name)} {}

double NormalNoise::at(std::uint64_t counter) const {
  for (std::uint32_t attempt = 0;; ++attempt) {
    const Counter bits = philox({low(counter), high(counter), attempt, 0}, key_);
    const double x = uniform(bits[0], bits[1]), y = uniform(bits[2], bits[3]), s = x * x + y * y;
    if (s < 1.0 && s > 0.0) return x * std::sqrt(-2.0 * portable_log(s) / s);  // (1)
  }
}

}  // namespace limber
