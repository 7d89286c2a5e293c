// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "limber/core/export.hpp"

namespace limber LIMBER_EXPORT {

/// One thing that is wrong with what a user gave us: where, what was expected, what was found.
struct Problem {
  std::string path;      ///< place in the model, e.g. `links[2].beam.length`; empty for the whole input
  std::string expected;  ///< e.g. "a number > 0 [m]"
  std::string found;     ///< e.g. "-6"
  std::string hint;      ///< what to do about it; may be empty

  /// `links[2].beam.length: expected a number > 0 [m], found -6 (hint)`
  std::string message() const;
};

/// Thrown for bad input: never for our own broken invariants. Carries every problem that was found, so that
/// a user can mend them all at once. what() is the messages, one per line.
class InputError : public std::runtime_error {
 public:
  /// All that was found.
  explicit InputError(std::vector<Problem> problems);
  /// A single problem.
  explicit InputError(Problem problem) : InputError(std::vector<Problem>{std::move(problem)}) {}

  /// All of them, in the order in which they were found.
  const std::vector<Problem>& problems() const { return problems_; }

 private:
  std::vector<Problem> problems_;
};

/// The same problem seen from further out: `beam` + `length` -> `beam.length`, `links` + `[2]` -> `links[2]`.
std::string join_path(const std::string& parent, const std::string& child);

/// Runs `action` and puts `parent` in front of the path of every problem that it throws.
template <typename Action>
auto within_path(const std::string& parent, Action&& action) {
  try {
    return action();
  } catch (const InputError& error) {
    std::vector<Problem> problems = error.problems();
    for (Problem& problem : problems) problem.path = join_path(parent, problem.path);
    throw InputError(std::move(problems));
  }
}

}  // namespace limber
