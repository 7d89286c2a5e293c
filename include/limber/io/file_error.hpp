#pragma once

#include <string>
#include <vector>

#include "limber/core/input_error.hpp"

namespace limber {

/// A place in a text, as editors count: from 1. Line 0: the file as a whole.
struct Mark {
  int line = 0;
  int column = 0;
};

/// A problem and where it stands.
struct LocatedProblem {
  Problem problem;
  std::string file;
  Mark mark;

  /// `arm.yaml:12:15: links[0].beam.length: expected a number > 0 [m], found -6`
  std::string message() const;
};

std::vector<Problem> without_places(const std::vector<LocatedProblem>& located);

/// Bad input in a file: every problem that was found, in the order of the text. what() has one line for each
/// of the first 20, and says how many more there are.
class FileError : public InputError {
 public:
  explicit FileError(std::vector<LocatedProblem> problems);

  const std::vector<LocatedProblem>& located() const { return located_; }
  const char* what() const noexcept override { return text_.c_str(); }

 private:
  std::vector<LocatedProblem> located_;
  std::string text_;
};

}  // namespace limber
