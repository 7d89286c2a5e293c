// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Runs the program as a user would.

#include <sys/wait.h>

#include <cstdio>
#include <string>

namespace limber::test {

struct Outcome {
  int code;
  std::string output;  ///< standard output; standard error too when asked for
};

inline Outcome run(const std::string& arguments, bool with_errors = false) {
  const std::string command = std::string(LIMBER_PROGRAM) + " " + arguments +
                              (with_errors ? " 2>&1" : " 2>/dev/null") + " </dev/null";
  Outcome outcome{0, ""};
  FILE* pipe = popen(command.c_str(), "r");
  char buffer[4096];
  while (const std::size_t count = fread(buffer, 1, sizeof buffer, pipe))
    outcome.output.append(buffer, count);
  outcome.code = WEXITSTATUS(pclose(pipe));
  return outcome;
}

inline std::string model(const std::string& file) { return std::string(LIMBER_MODELS_DIR) + "/" + file; }

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace limber::test
