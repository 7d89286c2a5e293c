// SPDX-License-Identifier: BSD-3-Clause
#include "limber/core/processor_level.hpp"

#include <atomic>
#include <cstdlib>

#include "limber/core/input_error.hpp"

#if defined(LIMBER_PROCESSOR_LEVELS)
#include <cpuid.h>
#endif

namespace limber {
namespace {

constexpr ProcessorLevel all_levels[] = {ProcessorLevel::plain, ProcessorLevel::x86_64_v3,  // NOLINT
                                         ProcessorLevel::x86_64_v4};

#if defined(LIMBER_PROCESSOR_LEVELS)
// The later features of a level; AVX and AVX-512 count only where the operating system keeps their registers, which
// __builtin_cpu_supports knows.
bool has_movbe_f16c_lzcnt() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  constexpr unsigned movbe = 1U << 22, f16c = 1U << 29, lzcnt = 1U << 5;
  if (__get_cpuid(1, &a, &b, &c, &d) == 0 || (c & movbe) == 0 || (c & f16c) == 0) return false;
  return __get_cpuid(0x80000001U, &a, &b, &c, &d) != 0 && (c & lzcnt) != 0;
}

bool runs(ProcessorLevel level) {
  __builtin_cpu_init();
  switch (level) {
    case ProcessorLevel::plain:
      return true;
    case ProcessorLevel::x86_64_v3:
      return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
             __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") && has_movbe_f16c_lzcnt();
    case ProcessorLevel::x86_64_v4:
      return runs(ProcessorLevel::x86_64_v3) && __builtin_cpu_supports("avx512f") &&
             __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512cd") &&
             __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
  }
  return false;
}
#else
bool runs(ProcessorLevel level) { return level == ProcessorLevel::plain; }
#endif

std::string available_names() {
  std::string names;
  for (const ProcessorLevel level : available_processor_levels())
    names += std::string(names.empty() ? "" : ", ") + name_of(level);
  return names;
}

[[noreturn]] void throw_unavailable(const std::string& place, const std::string& found) {
  throw InputError(Problem{
      place, "a level that was compiled and that this machine can run: " + available_names(), found, ""});
}

// Valgrind says that it has AVX2, but 3.19 does not know all of its encodings (vmovq between registers, as the assembler shortens it).
bool is_under_valgrind() {
  const char* preloaded = std::getenv("LD_PRELOAD");
  return preloaded != nullptr && std::string(preloaded).find("vgpreload") != std::string::npos;
}

ProcessorLevel first_choice() {
  const std::vector<ProcessorLevel> available = available_processor_levels();
  const char* wanted = std::getenv("LIMBER_PROCESSOR_LEVEL");
  if (wanted == nullptr || *wanted == '\0') return is_under_valgrind() ? available.front() : available.back();
  for (const ProcessorLevel level : available)
    if (std::string(wanted) == name_of(level)) return level;
  throw_unavailable("LIMBER_PROCESSOR_LEVEL", wanted);
}

// -1: nobody has chosen yet.
std::atomic<int> chosen{-1};

}  // namespace

const char* name_of(ProcessorLevel level) {
  switch (level) {
    case ProcessorLevel::plain:
      return "plain";
    case ProcessorLevel::x86_64_v3:
      return "x86-64-v3";
    case ProcessorLevel::x86_64_v4:
      return "x86-64-v4";
  }
  return "none";
}

std::vector<ProcessorLevel> available_processor_levels() {
  std::vector<ProcessorLevel> levels;
  for (const ProcessorLevel level : all_levels)
    if (runs(level)) levels.push_back(level);
  return levels;
}

ProcessorLevel processor_level() {
  const int level = chosen.load(std::memory_order_relaxed);
  if (level >= 0) return static_cast<ProcessorLevel>(level);
  const ProcessorLevel first = first_choice();
  int nobody = -1;
  chosen.compare_exchange_strong(nobody, static_cast<int>(first), std::memory_order_relaxed);
  return static_cast<ProcessorLevel>(chosen.load(std::memory_order_relaxed));
}

void use_processor_level(ProcessorLevel level) {
  if (!runs(level)) throw_unavailable("use_processor_level", name_of(level));
  chosen.store(static_cast<int>(level), std::memory_order_relaxed);
}

}  // namespace limber
