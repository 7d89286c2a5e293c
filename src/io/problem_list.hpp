// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "limber/io/file_error.hpp"

namespace limber {

/// Collects what is wrong with one file, so that its author can mend everything at once.
class ProblemList {
 public:
  explicit ProblemList(std::string file, std::vector<LocatedProblem> problems = {})
      : file_(std::move(file)), problems_(std::move(problems)) {}

  void add(Mark mark, Problem problem) { add(file_, mark, std::move(problem)); }

  /// A problem in another file that this one names.
  void add(const std::string& file, Mark mark, Problem problem) {
    constexpr std::size_t most = 1000;  // a file this broken is no longer worth the memory
    if (problems_.size() < most) problems_.push_back({std::move(problem), file, mark});
  }

  const std::string& file() const { return file_; }
  bool empty() const { return problems_.empty(); }
  const std::vector<LocatedProblem>& all() const { return problems_; }

 private:
  std::string file_;
  std::vector<LocatedProblem> problems_;
};

}  // namespace limber
