// SPDX-License-Identifier: BSD-3-Clause
#include "fit_parameters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "limber/model/field_rule.hpp"

namespace limber {
namespace {

using Eigen::Index;
constexpr double unbounded = std::numeric_limits<double>::infinity();

/// Nobody has written --set.
std::string without_setting(const std::string& hint) {
  const std::size_t set = hint.find("set by --set");
  std::string rest = hint.substr(0, set);
  if (set != std::string::npos && rest.ends_with("; ")) rest.resize(rest.size() - 2);
  return rest;
}

}  // namespace

Problem problem_at(const InputError& error, std::string place) {
  const Problem& first = error.problems().front();
  return {std::move(place), first.expected, first.found, without_setting(first.hint)};
}

std::vector<FitParameter> parameters_of(const FitFile& file, const Experiment& experiment) {
  std::vector<FitParameter> parameters;
  std::vector<Problem> problems;
  for (const auto& [path, about] : file.description.fit) {
    FitParameter one;
    one.path = one.setting = path;
    one.place = "fit." + path;
    std::optional<double> written;
    try {
      written = experiment.number_at(path);
    } catch (const FileError& error) {
      Problem problem = error.located().front().problem;
      problem.hint = fmt::format("{} of {}{}", problem.path.empty() ? "the top" : "`" + problem.path + "`",
                                 error.located().front().file,
                                 problem.hint.empty() ? "" : "; " + without_setting(problem.hint));
      problem.path = one.place;
      problems.push_back(std::move(problem));
      continue;
    }
    if (!about.start && !written) {
      problems.push_back({one.place, "`start`, where the file has no number", "none", "such as start: 1e5"});
      continue;
    }
    one.start = about.start.value_or(written.value_or(0.0));
    one.lower = about.lower.value_or(-unbounded);
    one.upper = about.upper.value_or(unbounded);
    if (!about.start && !(one.start >= one.lower && one.start <= one.upper))
      problems.push_back({one.place, "a `start` between `lower` and `upper`",
                          "the file's value " + show_number(one.start), ""});
    const double range = one.upper - one.lower;
    one.scale = one.start != 0.0 ? std::abs(one.start) : std::isfinite(range) ? range : 1.0;
    parameters.push_back(one);
  }
  if (!problems.empty()) throw file.located(problems);
  return parameters;
}

Eigen::VectorXd start_values(const std::vector<FitParameter>& parameters) {
  Eigen::VectorXd values(static_cast<Index>(parameters.size()));
  for (std::size_t j = 0; j < parameters.size(); ++j) values[static_cast<Index>(j)] = parameters[j].start;
  return values;
}

std::vector<std::string> paths_of(const std::vector<FitParameter>& parameters) {
  std::vector<std::string> paths;
  for (const FitParameter& one : parameters) paths.push_back(one.path);
  return paths;
}

void check_start(const FitFile& file, const std::vector<FitParameter>& parameters,
                 const Experiment& experiment) {
  try {
    experiment.check(start_values(parameters));
  } catch (const InputError& error) {
    const std::string& hint = error.problems().front().hint;
    const auto about = std::find_if(parameters.begin(), parameters.end(), [&](const FitParameter& one) {
      return hint.find(one.setting + "=") != std::string::npos;
    });
    throw file.located({problem_at(error, about != parameters.end() ? about->place : "fit")});
  }
}

void refuse_idle(const FitFile& file, const std::vector<FitParameter>& parameters,
                 const Eigen::MatrixXd& slopes) {
  std::vector<Problem> problems;
  const double largest = slopes.colwise().norm().maxCoeff();
  constexpr double rounding = 1e-9;
  for (Index j = 0; j < slopes.cols(); ++j)
    if (!(slopes.col(j).norm() > rounding * largest))
      problems.push_back({parameters[static_cast<std::size_t>(j)].place,
                          "a value that changes what was measured", "one that changes nothing",
                          "leave it out, or measure something that depends on it"});
  if (!problems.empty()) throw file.located(problems);
}

}  // namespace limber
