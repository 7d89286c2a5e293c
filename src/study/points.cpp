// SPDX-License-Identifier: BSD-3-Clause
#include "limber/study/points.hpp"

#include <fmt/format.h>

#include <boost/random/sobol.hpp>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include "limber/core/input_error.hpp"

namespace limber {
namespace {

constexpr int bits = 53;  // of a coordinate: all that a double keeps
constexpr int dropped = 64 - bits;

/// The middle of the interval that 53 bits stand for: never 0 nor 1.
double as_coordinate(std::uint64_t top_bits) {
  constexpr double interval = 0x1p-53;
  const double u = (static_cast<double>(top_bits) + 0.5) * interval;
  return u < 1.0 ? u : 1.0 - interval;  // the last middle rounds to 1
}

/// Steele, Lea and Flood's mixing of 64 bits (SplitMix, OOPSLA 2014).
std::uint64_t mixed(std::uint64_t x) {
  x += 0x9E3779B97F4A7C15U;
  x = (x ^ (x >> 30U)) * 0xBF58476D1CE4E5B9U;
  x = (x ^ (x >> 27U)) * 0x94D049BB133111EBU;
  return x ^ (x >> 31U);
}

/// (1), of the topmost `bits` bits.
std::uint64_t scrambled(std::uint64_t x, std::uint64_t dimension_seed) {
  std::uint64_t turned = 0;
  for (int i = 0; i < bits; ++i) {
    // The bits before, behind a leading 1 that says how many they are.
    const std::uint64_t before =
        (std::uint64_t{1} << static_cast<unsigned>(i)) | (i == 0 ? 0U : x >> static_cast<unsigned>(64 - i));
    const std::uint64_t turn = mixed(dimension_seed ^ mixed(before)) & 1U;
    turned |= turn << static_cast<unsigned>(63 - i);
  }
  return x ^ turned;
}

/// A whole number from 0 to n - 1: the high half of a product (Lemire), the same on every machine.
std::uint64_t below(std::mt19937_64& random, std::uint64_t n) {
  __extension__ using Wide = unsigned __int128;
  return static_cast<std::uint64_t>((static_cast<Wide>(random()) * n) >> 64U);
}

void require_size(const char* function, long count, int dimensions) {
  if (count < 1 || dimensions < 1)
    throw InputError(Problem{function, "at least one point and one dimension",
                             fmt::format("{} points, {} dimensions", count, dimensions), ""});
}

}  // namespace

VariantTable sobol_points(long count, int dimensions, std::uint64_t seed, bool scramble) {
  require_size("sobol_points", count, dimensions);
  if (dimensions > most_sobol_dimensions)
    throw InputError(Problem{"method",
                             fmt::format("at most {} values that are varied", most_sobol_dimensions),
                             std::to_string(dimensions), "latin-hypercube and random take any number"});
  boost::random::sobol sequence(static_cast<std::size_t>(dimensions));
  std::vector<std::uint64_t> seeds;
  for (int j = 0; j < dimensions; ++j) seeds.push_back(mixed(mixed(seed) + static_cast<std::uint64_t>(j)));
  VariantTable points(count, dimensions);
  for (long k = 0; k < count; ++k)
    for (int j = 0; j < dimensions; ++j) {
      std::uint64_t x = k == 0 ? 0 : sequence();  // Boost begins behind the origin
      if (scramble) x = scrambled(x, seeds[static_cast<std::size_t>(j)]);
      points(k, j) = as_coordinate(x >> static_cast<unsigned>(dropped));
    }
  return points;
}

VariantTable random_points(long count, int dimensions, std::uint64_t seed) {
  require_size("random_points", count, dimensions);
  std::mt19937_64 random(seed);
  VariantTable points(count, dimensions);
  for (long k = 0; k < count; ++k)
    for (int j = 0; j < dimensions; ++j)
      points(k, j) = as_coordinate(random() >> static_cast<unsigned>(dropped));
  return points;
}

VariantTable latin_hypercube_points(long count, int dimensions, std::uint64_t seed) {
  require_size("latin_hypercube_points", count, dimensions);
  std::mt19937_64 random(seed);
  VariantTable points(count, dimensions);
  std::vector<long> order(static_cast<std::size_t>(count));
  for (int j = 0; j < dimensions; ++j) {
    std::iota(order.begin(), order.end(), 0L);
    for (std::size_t k = order.size(); k > 1; --k) std::swap(order[k - 1], order[below(random, k)]);
    for (long k = 0; k < count; ++k) {
      const double inside = as_coordinate(random() >> static_cast<unsigned>(dropped));
      points(k, j) =
          (static_cast<double>(order[static_cast<std::size_t>(k)]) + inside) / static_cast<double>(count);
    }
  }
  // A middle that rounds up would leave the cube.
  return points.cwiseMin(1.0 - 0x1p-53);
}

}  // namespace limber
