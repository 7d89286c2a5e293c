// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// For which processors the fast kernels are compiled, and which of them run.
//
// The library runs on every processor of its kind. What takes time is compiled once more for each later level of x86-64 (the
// levels of the System V ABI), and the highest one that this machine has is used. LIMBER_PROCESSOR_LEVEL in the environment, or
// use_processor_level, chooses another: for comparisons, and for tests. Under valgrind the plain
// one is used.

#include <string>
#include <vector>

#include "limber/core/export.hpp"

namespace limber LIMBER_EXPORT {

/// A level of x86-64 that kernels are compiled for.
enum class ProcessorLevel {
  plain,      ///< whatever the compiler takes for granted
  x86_64_v3,  ///< AVX2 and fused multiplications
  x86_64_v4,  ///< AVX-512
};

/// "plain", "x86-64-v3", "x86-64-v4"
const char* name_of(ProcessorLevel level);

/// Those that were compiled and that this machine can run, the lowest first.
std::vector<ProcessorLevel> available_processor_levels();

/// The one that workspaces and integrators made from now on use. At first the highest available, or what LIMBER_PROCESSOR_LEVEL says; throws
/// InputError where that is none of them.
ProcessorLevel processor_level();

/// Throws InputError for a level that is not available.
void use_processor_level(ProcessorLevel level);

}  // namespace limber
