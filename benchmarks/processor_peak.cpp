// SPDX-License-Identifier: BSD-3-Clause
#include "processor_peak.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace limber::benchmarks {
namespace {

constexpr long rounds = 20000;

template <typename Loop>
double seconds(Loop&& loop) {
  const auto start = std::chrono::steady_clock::now();
  loop();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

#if defined(__x86_64__)

using Packet4 [[gnu::vector_size(32)]] = double;
using Packet8 [[gnu::vector_size(64)]] = double;

// Sums that do not wait for each other: more than a processor has in flight (two units with a latency of four or five), and few enough that they and
// what they are made of stay in sixteen registers.
constexpr int independent = 12;

// The empty statement keeps each sum in a register of its own: nothing is put together, and nothing left out.
#define LIMBER_FUSED_LOOP(name, target_name, Number)                                   \
  [[gnu::target(target_name)]] void name() {                                           \
    const Number factor = Number{} + 0.999, term = Number{} + 0.001;                   \
    Number s0 = term, s1 = term, s2 = term, s3 = term, s4 = term, s5 = term;           \
    Number s6 = term, s7 = term, s8 = term, s9 = term, s10 = term, s11 = term;         \
    for (long i = 0; i < rounds; ++i) {                                                \
      s0 = s0 * factor + term, s1 = s1 * factor + term, s2 = s2 * factor + term;       \
      s3 = s3 * factor + term, s4 = s4 * factor + term, s5 = s5 * factor + term;       \
      s6 = s6 * factor + term, s7 = s7 * factor + term, s8 = s8 * factor + term;       \
      s9 = s9 * factor + term, s10 = s10 * factor + term, s11 = s11 * factor + term;   \
      asm volatile("" : "+x"(s0), "+x"(s1), "+x"(s2), "+x"(s3), "+x"(s4), "+x"(s5));   \
      asm volatile("" : "+x"(s6), "+x"(s7), "+x"(s8), "+x"(s9), "+x"(s10), "+x"(s11)); \
    }                                                                                  \
  }
LIMBER_FUSED_LOOP(fused_1, "avx2,fma", double)
LIMBER_FUSED_LOOP(fused_4, "avx2,fma", Packet4)
LIMBER_FUSED_LOOP(fused_8, "avx512f,avx512vl,fma", Packet8)

// Each operation waits for the one before.
#define LIMBER_WAITING_LOOP(name, x, expression) \
  [[gnu::target("avx2,fma")]] void name() {      \
    double x = 1.5;                              \
    for (long i = 0; i < rounds; ++i) {          \
      x = expression;                            \
      asm volatile("" : "+x"(x));                \
      x = expression;                            \
      asm volatile("" : "+x"(x));                \
    }                                            \
  }
LIMBER_WAITING_LOOP(add_waiting, x, x + 0.25)
LIMBER_WAITING_LOOP(multiply_waiting, x, x * 0.9999)
LIMBER_WAITING_LOOP(fuse_waiting, x, x * 0.999 + 0.001)
LIMBER_WAITING_LOOP(divide_waiting, x, 3.1 / x)
LIMBER_WAITING_LOOP(root_waiting, x, __builtin_sqrt(x) * 1.7)  // and a multiplication

struct FusedLoop {
  const char* name;
  int lanes;
  bool is_possible;
  void (*run)();
};

std::vector<FusedLoop> fused_loops() {
  const bool has_fused = __builtin_cpu_supports("fma") && __builtin_cpu_supports("avx2");
  return {{"scalar", 1, has_fused, fused_1},
          {"256 bits", 4, has_fused, fused_4},
          {"512 bits", 8,
           has_fused && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl"), fused_8}};
}

void keep_smaller(double& fastest, void (*loop)(), double less = 0.0) {
  fastest = std::min(fastest, seconds(loop) / (2.0 * rounds) - less);
}

#endif

}  // namespace

void ProcessorPeak::measure() {
#if defined(__x86_64__)
  std::vector<FusedLoop> loops = fused_loops();
  std::erase_if(loops, [](const FusedLoop& loop) { return !loop.is_possible; });
  if (loops.empty()) return;
  if (rates_.empty())
    for (const FusedLoop& loop : loops) rates_.push_back({loop.name, loop.lanes, 0.0});
  for (std::size_t i = 0; i < loops.size(); ++i) {
    const double operations = 2.0 * independent * loops[i].lanes * rounds;
    rates_[i].per_second = std::max(rates_[i].per_second, operations / seconds(loops[i].run));
  }
  keep_smaller(latencies_.addition, add_waiting);
  keep_smaller(latencies_.multiplication, multiply_waiting);
  keep_smaller(latencies_.fused, fuse_waiting);
  keep_smaller(latencies_.division, divide_waiting);
  keep_smaller(latencies_.root, root_waiting, latencies_.multiplication);
#endif
}

}  // namespace limber::benchmarks
