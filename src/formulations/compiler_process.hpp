// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A compiler as a child of this process: watched while it works, and ended with all that it has started when it takes too long, when
// somebody asks to stop (limber/core/interruption.hpp), or when whoever watches throws.

#include <filesystem>
#include <functional>
#include <string>

namespace limber {

struct CompilerRun {
  std::string command;                                        ///< a line for the shell
  std::filesystem::path log;                                  ///< what it says goes here
  std::filesystem::path scratch;                              ///< its folder for temporary files
  double most_seconds = 600.0;                                ///< then it is ended
  std::function<void(double seconds)> watch = [](double) {};  ///< called often: may throw to stop
};

enum class CompilerEnd { success, failure, too_slow };

/// Returns when the compiler has ended. Throws Interrupted where somebody asked to stop.
CompilerEnd run_compiler(const CompilerRun& run);

}  // namespace limber
