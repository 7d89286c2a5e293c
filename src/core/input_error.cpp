// SPDX-License-Identifier: BSD-3-Clause
#include "limber/core/input_error.hpp"

#include <utility>

namespace limber {
namespace {

std::string all_messages(const std::vector<Problem>& problems) {
  std::string text;
  for (const Problem& problem : problems) {
    if (!text.empty()) text += '\n';
    text += problem.message();
  }
  return text;
}

}  // namespace

std::string Problem::message() const {
  std::string text = path.empty() ? "" : path + ": ";
  text += "expected " + expected + ", found " + found;
  if (!hint.empty()) text += " (" + hint + ")";
  return text;
}

InputError::InputError(std::vector<Problem> problems)
    : std::runtime_error(all_messages(problems)), problems_(std::move(problems)) {}

std::string join_path(const std::string& parent, const std::string& child) {
  if (parent.empty()) return child;
  if (child.empty()) return parent;
  return child.front() == '[' ? parent + child : parent + "." + child;
}

}  // namespace limber
