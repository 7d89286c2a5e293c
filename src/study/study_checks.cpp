// SPDX-License-Identifier: BSD-3-Clause
// What a study asks for is looked at before anything runs: where its paths lead, whether keys allow its values, whether there is what it measures.

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <numbers>
#include <utility>

#include "documents.hpp"
#include "limber/core/computation_error.hpp"
#include "limber/estimation/observer.hpp"
#include "limber/io/path_target.hpp"
#include "limber/model/field_rule.hpp"
#include "limber/simulation/scenario.hpp"
#include "study_base.hpp"

namespace limber {
namespace {

bool is_below(const std::string& path, const std::string& above) {
  return path.starts_with(above) &&
         (path.size() == above.size() || path[above.size()] == '.' || path[above.size()] == '[');
}

/// An angle is one value, in radians and in degrees (`lower` and `lower_deg`).
std::string without_degrees(std::string path) {
  constexpr std::string_view degrees = "_deg";
  if (path.ends_with(degrees)) path.resize(path.size() - degrees.size());
  return path;
}

/// What a file's reader says, as it is said about a value of the study.
Problem about(const std::string& place, Problem problem, const std::string& where) {
  if (const std::size_t set = problem.hint.find("set by --set"); set != std::string::npos) {
    problem.hint.resize(set);
    if (problem.hint.ends_with("; ")) problem.hint.resize(set - 2);
  }
  problem.path = place;
  if (!where.empty()) problem.hint = where + (problem.hint.empty() ? "" : "; " + problem.hint);
  return problem;
}

/// "uniform: [-1, 2] reaches -1"
std::string reaches(const VariationDescription& variation, double value) {
  const DistributionDescription& spread = variation.scale ? *variation.scale : variation.distribution;
  std::string words = variation.scale ? "scale: " : "";
  if (spread.uniform) words += "uniform: " + show_list({(*spread.uniform)[0], (*spread.uniform)[1]});
  if (spread.normal) words += "normal: " + show_list({(*spread.normal)[0], (*spread.normal)[1]});
  if (spread.lognormal) words += "lognormal: " + show_list({(*spread.lognormal)[0], (*spread.lognormal)[1]});
  if (!spread.values.empty()) words += "values";
  return words + " reaches " + show_number(value);
}

/// How many variants a study asks for; of a grid, as far as its file says it.
double variants_of(const StudyDescription& study) {
  if (study.method != DesignMethod::grid || study.samples) return study.samples.value_or(1);
  double product = 1.0;
  for (const auto& one : study.vary)
    product *= std::max<double>(static_cast<double>(one.second.distribution.values.size()),
                                one.second.levels.value_or(1));
  return product;
}

/// Points, values and results of all variants stand in memory (docs/scale.md); a machine that has less would be brought to a halt.
void require_memory(const StudyDescription& study, std::size_t width, std::vector<Problem>& problems) {
  const double of_each = static_cast<double>(sizeof(double) * (2 * study.vary.size() + width));
  const double has =
      static_cast<double>(::sysconf(_SC_PHYS_PAGES)) * static_cast<double>(::sysconf(_SC_PAGESIZE));
  constexpr double giga = 1e9;
  if (const double needed = of_each * variants_of(study); needed > has)
    problems.push_back({"samples",
                        fmt::format("at most {:.3g} variants: as many as {:.0f} GB of memory hold",
                                    has / of_each, has / giga),
                        fmt::format("{:.3g}: {:.0f} GB", variants_of(study), needed / giga),
                        "several studies with other seeds"});
}

bool is_xml(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string::npos && text[first] == '<';
}

}  // namespace

// Which value each path leads to, and what stands there.
void Study::find_parameters() {
  const StudyDescription& study = file_.description;
  const bool is_scenario = study.task == StudyTask::simulate;
  std::vector<std::optional<double>> numbers;
  std::vector<Problem> problems;
  for (const std::string& path : study.paths()) {
    const bool in_model = is_scenario && path.starts_with(model_prefix);
    const bool in_model_file = in_model && !base_->model_file.empty();
    base_->varies_model = base_->varies_model || in_model;
    const SourceText* source = &base_->sources.front();
    if (in_model_file)
      source = &*std::find_if(base_->sources.begin(), base_->sources.end(),
                              [&](const SourceText& other) { return other.name == base_->model_file; });
    Settings before;
    for (Setting setting : settings_) {
      const bool is_there = !is_scenario || setting.path.starts_with(model_prefix) == in_model;
      if (in_model_file || !is_scenario) setting.path = without_model(setting.path);
      if (is_there) before.push_back(setting);
    }
    if (is_scenario && path == "model")
      problems.push_back({file_.place_of(path), "a number of the scenario, or one of its model's",
                          "`model`, which is an arm", "such as model.links.boom.beam.length"});
    paths_.push_back(path);
    set_paths_.push_back(is_scenario ? path : without_model(path));
    PathTarget target{set_paths_.back(), {}};
    try {
      if (!is_xml(source->text))
        target = path_target(source->text, source->name,
                             in_model_file ? without_model(path) : set_paths_.back(), before);
      const std::string same = without_degrees((in_model_file ? "model." : "") + target.path);
      for (std::size_t i = 0; i < placed_.size(); ++i)
        if (without_degrees(placed_[i]) == same)
          problems.push_back({file_.place_of(path), "each value once",
                              "the same value as `" + paths_[i] + "`", "remove one of them"});
    } catch (const FileError& error) {
      const LocatedProblem& first = error.located().front();
      problems.push_back(about(
          file_.place_of(path), first.problem,
          fmt::format("{} of {}", first.problem.path.empty() ? "the top" : "`" + first.problem.path + "`",
                      source->name)));
    }
    placed_.push_back((in_model_file ? "model." : "") + target.path);
    numbers.push_back(target.number);
  }
  if (!study.is_search()) require_memory(study, width(), problems);
  if (!problems.empty()) throw file_.located(problems);
  if (study.is_search()) return set_start(numbers);
  try {
    design_ = make_design(study, numbers);
  } catch (const InputError& error) {
    throw file_.located(error.problems());
  }
}

// What the file says is where its author stands.
void Study::set_start(const std::vector<std::optional<double>>& file_values) {
  const auto& variables = file_.description.optimise;
  design_.parameters.resize(0, static_cast<Eigen::Index>(variables.size()));
  start_.resize(static_cast<Eigen::Index>(variables.size()));
  for (std::size_t j = 0; j < variables.size(); ++j) {
    const DesignVariableDescription& one = variables[j].second;
    const double middle = 0.5 * (one.lower + one.upper), written = file_values[j].value_or(middle);
    const bool is_between = written >= one.lower && written <= one.upper;
    start_[static_cast<Eigen::Index>(j)] = one.start.value_or(is_between ? written : middle);
  }
}

// Between which numbers a value lies.
std::pair<double, double> Study::ends_of(std::size_t path) const {
  if (file_.description.is_search()) {
    const DesignVariableDescription& variable = file_.description.optimise[path].second;
    return {variable.lower, variable.upper};
  }
  const VariationDescription& variation = file_.description.vary[path].second;
  if (const auto& uniform = variation.distribution.uniform) return {(*uniform)[0], (*uniform)[1]};
  const auto column = design_.parameters.col(static_cast<Eigen::Index>(path));
  return {column.minCoeff(), column.maxCoeff()};
}

// One that lies between: what is a whole number in its file takes both ends, and none of these.
double Study::between(std::size_t path) const {
  if (file_.description.is_search()) {
    const auto [lower, upper] = ends_of(path);
    return lower + (upper - lower) / std::numbers::phi;
  }
  Eigen::VectorXd sorted = design_.parameters.col(static_cast<Eigen::Index>(path));
  const auto third = sorted.begin() + sorted.size() / 3;
  std::nth_element(sorted.begin(), third, sorted.end());
  return *third;
}

// The ends of every distribution and one between them, one at a time. What only goes wrong together with others fails in its variant.
void Study::check_extremes() const {
  std::vector<Problem> problems;
  for (std::size_t j = 0; j < paths_.size(); ++j) {
    const auto [smallest, largest] = ends_of(j);
    for (const double value : {smallest, largest, between(j)}) {
      Settings settings = settings_;
      settings.push_back({set_paths_[j], fmt::format("{}", value), {}});
      try {
        if (file_.description.task == StudyTask::simulate)
          scenario_with(settings);
        else
          model_with(settings);
      } catch (const InputError& error) {
        const std::string placed = without_model(placed_[j]);
        const auto inner =
            std::find_if(error.problems().begin(), error.problems().end(), [&](const Problem& problem) {
              const std::string path = without_model(problem.path);
              return is_below(path, placed) || (!path.empty() && is_below(placed, path));
            });
        if (inner == error.problems().end()) continue;
        problems.push_back(about(file_.place_of(paths_[j]), *inner,
                                 file_.description.is_search()
                                     ? (value == smallest  ? "at `lower`"
                                        : value == largest ? "at `upper`"
                                                           : "between `lower` and `upper`")
                                     : reaches(file_.description.vary[j].second, value)));
        break;
      } catch (const ComputationError&) {
        continue;  // such a variant fails, and others may not
      }
    }
  }
  if (!problems.empty()) throw file_.located(problems);
}

void Study::check_measures() const {
  const StudyDescription& study = file_.description;
  std::vector<Problem> problems;
  try {
    if (study.task == StudyTask::simulate) {
      ScenarioFile file = scenario_with(settings_);
      file.description.output.wrenches = base_->measures.needs_wrenches();
      problems = base_->measures.problems(build_observed_scenario(file.description, file.model));
    }
    TaskDocuments documents(study, *base_->model, base_->state, base_->beams);
    for (std::size_t i = 0; i < study.measure.size(); ++i) {
      const StudyTask task = study.task_of(study.measure[i]);
      if (task == StudyTask::simulate) continue;
      const nlohmann::ordered_json& document = documents.of(task);
      try {
        number_in(document, study.measure[i]);
      } catch (const InputError& error) {
        Problem problem = error.problems().front();
        problem.path = fmt::format("measure[{}].of", i);
        problems.push_back(std::move(problem));
      }
    }
  } catch (const ComputationError&) {
    return;  // the file as it is need not be among the variants
  }
  if (!problems.empty()) throw file_.located(problems);
}

}  // namespace limber
