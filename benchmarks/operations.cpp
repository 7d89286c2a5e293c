// SPDX-License-Identifier: BSD-3-Clause
// Multiplications and additions of one evaluation, to be read beside Mohan and Saha's Table 1: a chain of n
// links with m modes in each of two planes. Reported as counters; the time means nothing here.

#include <benchmark/benchmark.h>

#include <algorithm>

#include "arms.hpp"
#include "limber/literature/operation_counts.hpp"

namespace {

using namespace limber;

void count(benchmark::State& state, const char* algorithm) {
  const Model model =
      limber::benchmarks::bending_chain(static_cast<int>(state.range(0)), static_cast<int>(state.range(1)));
  for (auto _ : state) {
    const std::vector<AlgorithmCount> all = count_algorithms(model);
    const auto one = std::find_if(all.begin(), all.end(),
                                  [&](const AlgorithmCount& a) { return a.name == std::string(algorithm); });
    state.counters["multiplications"] = static_cast<double>(one->operations.multiplications);
    state.counters["additions"] = static_cast<double>(one->operations.additions);
  }
}

BENCHMARK_CAPTURE(count, recursive, "recursive")
    ->Name("operations/recursive")
    ->Args({16, 2})
    ->ArgsProduct({{8}, {1, 2, 3, 4, 5, 6, 8}})
    ->Iterations(1);
BENCHMARK_CAPTURE(count, dense, "dense")->Name("operations/dense")->Args({8, 2})->Iterations(1);

}  // namespace
