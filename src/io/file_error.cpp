// SPDX-License-Identifier: BSD-3-Clause
#include "limber/io/file_error.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace limber {
namespace {

constexpr std::size_t most_messages = 20;

std::vector<LocatedProblem> in_order(std::vector<LocatedProblem> problems) {
  std::stable_sort(problems.begin(), problems.end(), [](const LocatedProblem& a, const LocatedProblem& b) {
    return std::tie(a.file, a.mark.line, a.mark.column) < std::tie(b.file, b.mark.line, b.mark.column);
  });
  return problems;
}

std::string all_messages(const std::vector<LocatedProblem>& problems) {
  std::string text;
  for (std::size_t i = 0; i < std::min(problems.size(), most_messages); ++i) {
    text += (i > 0 ? "\n" : "") + problems[i].message();
  }
  if (problems.size() > most_messages) {
    text += "\n... and " + std::to_string(problems.size() - most_messages) + " more";
  }
  return text;
}

}  // namespace

std::vector<Problem> without_places(const std::vector<LocatedProblem>& located) {
  std::vector<Problem> problems;
  problems.reserve(located.size());
  for (const LocatedProblem& one : located) problems.push_back(one.problem);
  return problems;
}

std::string LocatedProblem::message() const {
  const std::string place =
      mark.line == 0 ? "" : ":" + std::to_string(mark.line) + ":" + std::to_string(mark.column);
  return file + place + ": " + problem.message();
}

FileError::FileError(std::vector<LocatedProblem> problems)
    : InputError(without_places(in_order(problems))),
      located_(in_order(std::move(problems))),
      text_(all_messages(located_)) {}

}  // namespace limber
