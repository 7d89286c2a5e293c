// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "limber/core/export.hpp"
#include "limber/core/input_error.hpp"

namespace limber LIMBER_EXPORT {

/// A place in a text, as editors count: from 1. Line 0: the file as a whole.
struct Mark {
  int line = 0;    ///< from 1
  int column = 0;  ///< from 1
};

/// A problem and where it stands.
struct LocatedProblem {
  Problem problem;   ///< what
  std::string file;  ///< in which text
  Mark mark;         ///< where in it

  /// `arm.yaml:12:15: links[0].beam.length: expected a number > 0 [m], found -6`
  std::string message() const;
};

/// The problems alone.
std::vector<Problem> without_places(const std::vector<LocatedProblem>& located);

/// Bad input in a file: every problem that was found, in the order of the text. what() has one line for each
/// of the first 20, and says how many more there are.
class FileError : public InputError {
 public:
  /// All that were found.
  explicit FileError(std::vector<LocatedProblem> problems);

  /// In the order of the text.
  const std::vector<LocatedProblem>& located() const { return located_; }
  /// One line for each problem, with its place.
  const char* what() const noexcept override { return text_.c_str(); }

 private:
  std::vector<LocatedProblem> located_;
  std::string text_;
};

}  // namespace limber
