// SPDX-License-Identifier: BSD-3-Clause
#include "limber/io/study_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "limber/model/field_checker.hpp"
#include "map_reader.hpp"
#include "study_fields.hpp"
#include "study_places.hpp"
#include "text_file.hpp"
#include "yaml_tree.hpp"

namespace limber {
namespace {

void check(const DistributionDescription& spread, const std::string& path, std::vector<Problem>& problems) {
  const auto refuse = [&](const char* key, std::string expected, const Eigen::Vector2d& found) {
    problems.push_back({join_path(path, key), std::move(expected), show_list({found[0], found[1]}), ""});
  };
  if (spread.uniform && !((*spread.uniform)[0] < (*spread.uniform)[1]))
    refuse("uniform", "[from, to] with from < to", *spread.uniform);
  if (spread.normal && !((*spread.normal)[1] > 0.0))
    refuse("normal", "[mean, standard deviation] with a standard deviation > 0", *spread.normal);
  if (spread.lognormal && !((*spread.lognormal)[0] > 0.0 && (*spread.lognormal)[1] > 0.0))
    refuse("lognormal", "[median, standard deviation of the logarithm], both > 0", *spread.lognormal);
  std::vector<double> sorted = spread.values;
  std::sort(sorted.begin(), sorted.end());
  if (const auto twice = std::adjacent_find(sorted.begin(), sorted.end()); twice != sorted.end())
    problems.push_back({join_path(path, "values"), "each value once", show_number(*twice) + " twice", ""});
  if (!spread.uniform && !spread.normal && !spread.lognormal && spread.values.empty())
    problems.push_back({join_path(path, "values"), "at least one value", "none", ""});
}

void check_vary(const StudyDescription& study, std::vector<Problem>& problems) {
  if (study.vary.empty() && !study.is_search())
    problems.push_back(
        {"vary", "at least one value to vary", "none", "such as links.boom.beam.length: {uniform: [5, 7]}"});
  for (const auto& [varied, variation] : study.vary) {
    const std::string path = StudyFile::path_of(varied);
    if (variation.scale)
      check(*variation.scale, path + ".scale", problems);
    else
      check(variation.distribution, path, problems);
    if (variation.levels && study.method != DesignMethod::grid)
      problems.push_back({path + ".levels", "`method: grid`",
                          std::string("`method: ") + choice_name(study.method) + "`",
                          "other methods take all of a distribution"});
  }
}

void check_correlation(const StudyDescription& study, std::vector<Problem>& problems) {
  std::vector<std::string> paths;
  for (const auto& varied : study.vary) paths.push_back(varied.first);
  for (std::size_t i = 0; i < study.correlation.size(); ++i) {
    const CorrelationDescription& one = study.correlation[i];
    const std::string path = fmt::format("correlation[{}]", i);
    if (one.between.size() != 2 || one.between[0] == one.between[1])
      problems.push_back(
          {path + ".between", "two different paths of `vary`",
           fmt::format("{}", one.between.size()) + (one.between.size() == 2 ? ", both the same" : ""), ""});
    for (const std::string& name : one.between)
      if (std::find(paths.begin(), paths.end(), name) == paths.end())
        problems.push_back(
            {path + ".between", "paths of `vary`", show_text(name), suggestion(name, paths, "paths")});
    if (!(std::abs(one.value) < 1.0))
      problems.push_back(
          {path + ".value", "a number between -1 and 1, both excluded", show_number(one.value), ""});
    if (study.method == DesignMethod::grid)
      problems.push_back({path, "another method than `grid`", "`method: grid`",
                          "a grid has all combinations of its values"});
  }
}

/// Names of measures, or problems.
void check_names(const StudyDescription& study, const std::vector<std::string>& names,
                 const std::string& path, std::vector<Problem>& problems) {
  std::vector<std::string> known;
  for (const MeasureDescription& measure : study.measure) known.push_back(measure.name);
  for (const std::string& name : names)
    if (std::find(known.begin(), known.end(), name) == known.end())
      problems.push_back(
          {path, "the name of a measure", show_text(name), suggestion(name, known, "measures")});
}

void check_constraint(const ConstraintDescription& one, const std::string& path,
                      std::vector<Problem>& problems) {
  if (!one.above && !one.below)
    problems.push_back({path, "`above`, `below`, or both", "neither", "such as above: 3"});
  if (one.above && one.below && !(*one.above < *one.below))
    problems.push_back(
        {path, "`above` < `below`", show_number(*one.above) + " and " + show_number(*one.below), ""});
}

// Keys that mean something for designs are not taken silently by sweeps, nor the other way round.
void check_keys(const StudyDescription& study, const YamlNode& root, std::vector<Problem>& problems) {
  const bool is_search = study.is_search();
  const std::vector<std::string> of_search = {"minimise", "maximise", "constraints", "search"},
                                 of_sweep = {"correlation", "method", "samples", "scramble", "histories"};
  for (const std::string& key : is_search ? of_sweep : of_search)
    if (root.find(key))
      problems.push_back({key, is_search ? "a key that goes with `optimise`" : "a key that goes with `vary`",
                          show_text(key),
                          std::string("it goes with ") + (is_search ? "`vary`" : "`optimise`")});
}

void check_search(const StudyDescription& study, std::vector<Problem>& problems) {
  for (const auto& [path, variable] : study.optimise) {
    const std::string place = "optimise." + path;
    if (!(variable.lower < variable.upper))
      problems.push_back({place, "`lower` < `upper`",
                          show_number(variable.lower) + " and " + show_number(variable.upper), ""});
    else if (variable.start && !(*variable.start >= variable.lower && *variable.start <= variable.upper))
      problems.push_back(
          {place + ".start",
           "a number from " + show_number(variable.lower) + " to " + show_number(variable.upper),
           show_number(*variable.start), ""});
  }
  check_names(study, study.minimise, "minimise", problems);
  check_names(study, study.maximise, "maximise", problems);
  std::vector<std::string> goals = study.minimise;
  goals.insert(goals.end(), study.maximise.begin(), study.maximise.end());
  if (goals.empty() || goals.size() > 2)
    problems.push_back({goals.empty() ? "" : "minimise",
                        "one measure to `minimise` or to `maximise`, or two of them: their front",
                        goals.empty() ? "none" : fmt::format("{}", goals.size()),
                        goals.empty() ? "such as minimise: mass" : "make constraints of the others"});
  if (goals.size() == 2 && goals[0] == goals[1])
    problems.push_back({"minimise", "two different measures", show_text(goals[0]) + " twice", ""});
  for (std::size_t i = 0; i < study.constraints.size(); ++i) {
    const std::string path = fmt::format("constraints[{}]", i);
    check_names(study, {study.constraints[i].measure}, path + ".measure", problems);
    check_constraint(study.constraints[i], path, problems);
  }
}

void check_task(const StudyDescription& study, std::vector<Problem>& problems) {
  const bool runs = study.task == StudyTask::simulate;
  if (study.scenario.empty() == study.model.empty())
    problems.push_back(
        {"", "`scenario`, or `model` and `task`", study.scenario.empty() ? "neither" : "both", ""});
  else if (runs && study.scenario.empty())
    problems.push_back({"task", "modes, statics, info, linearize or zeros with a `model`", "simulate",
                        "a `scenario` is what can be simulated"});
  else if (!runs && study.model.empty())
    problems.push_back({"task", "simulate with a `scenario`", choice_name(study.task), "give its `model`"});
  if (!runs && study.histories)
    problems.push_back(
        {"histories", "`task: simulate`", std::string("`task: ") + choice_name(study.task) + "`", ""});
  const std::vector<std::string> treatments = {"held", "locked", "free", "as-modelled"};
  if (std::find(treatments.begin(), treatments.end(), study.joints) == treatments.end())
    problems.push_back({"joints", expected_choice(treatments), show_text(study.joints),
                        suggestion(study.joints, treatments, "choices")});
}

void check_measures(StudyDescription& study, std::vector<Problem>& problems) {
  if (study.measure.empty()) problems.push_back({"measure", "at least one measure", "none", ""});
  for (std::size_t i = 0; i < study.measure.size(); ++i) {
    MeasureDescription& measure = study.measure[i];
    if (measure.name.empty() && measure.what)
      measure.name = measure.of + " " + choice_name(*measure.what);
    else if (measure.name.empty())
      measure.name = measure.of;
    if (measure.task == StudyTask::simulate && study.scenario.empty())
      problems.push_back({fmt::format("measure[{}].task", i), "a task of a `model`", "simulate",
                          "a `scenario` is what can be simulated"});
    for (std::size_t j = 0; j < i; ++j)
      if (study.measure[j].name == measure.name)
        problems.push_back({fmt::format("measure[{}].name", i), "a name that no other measure has",
                            show_text(measure.name) + " twice", ""});
  }
}

}  // namespace

std::vector<std::string> StudyDescription::paths() const {
  std::vector<std::string> all;
  for (const auto& one : vary) all.push_back(one.first);
  for (const auto& one : optimise) all.push_back(one.first);
  return all;
}

std::string StudyFile::path_of(const std::string& varied) { return "vary." + varied; }

std::string StudyFile::place_of(const std::string& path) const {
  return description.is_search() ? "optimise." + path : path_of(path);
}

FileError StudyFile::located(const std::vector<Problem>& problems) const {
  return at_places(problems, file, places);
}

StudyFile parse_study(const std::string& text, const std::string& file_name) {
  YamlTree tree = parse_yaml(text, file_name);
  StudyFile study{{}, file_name, text, {}};
  note_places(tree.root, "", study.places);
  if (!tree.root.find("vary") && !tree.root.find("optimise") &&
      (tree.root.find("links") || tree.root.find("duration")))
    throw FileError({{{"", "a study file, with the keys `vary` (or `optimise`) and `measure`",
                       tree.root.find("links") ? "a model file" : "a scenario file", "docs/sweep.md"},
                      file_name,
                      tree.root.mark}});
  if (tree.root.find("fit"))
    throw FileError({{{"", "a study file, with the keys `vary` (or `optimise`) and `measure`",
                       "one with `fit`, for `limber identify`", "docs/measurements.md"},
                      file_name,
                      tree.root.mark}});
  ProblemList problems(file_name, std::move(tree.problems));
  ReadContext context{problems, {}, true, nullptr, nullptr};
  read_map(context, tree.root, "", study.description);
  if (!problems.empty()) throw FileError(problems.all());

  std::vector<Problem> wrong;
  if (tree.root.find("optimise") && !study.description.is_search())
    throw study.located({{"optimise", "at least one value to choose", "none",
                          "such as links.boom.beam.length: {lower: 5, upper: 7}"}});
  check_task(study.description, wrong);
  check_vary(study.description, wrong);
  check_correlation(study.description, wrong);
  check_measures(study.description, wrong);
  check_keys(study.description, tree.root, wrong);
  if (study.description.is_search()) check_search(study.description, wrong);
  const bool needs_none = study.description.method == DesignMethod::grid || study.description.is_search();
  if (!needs_none && !study.description.samples)
    wrong.push_back({"samples", "how many variants, >= 1", "nothing", "only a grid can do without"});
  if (!wrong.empty()) throw study.located(wrong);
  return study;
}

StudyFile read_study(const std::filesystem::path& file) {
  const FileContent content = read_text_file(file);
  if (!content.failure.empty())
    throw FileError(
        {{{"", "a readable study file, at most 16 MiB", content.failure, ""}, file.string(), {}}});
  return parse_study(content.text, file.string());
}

bool is_study(const std::filesystem::path& file) {
  try {
    const FileContent content = read_text_file(file);
    if (!content.failure.empty()) return false;
    const YamlTree tree = parse_yaml(content.text, file.string());
    return tree.root.find("vary") != nullptr || tree.root.find("optimise") != nullptr;
  } catch (const FileError&) {
    return false;
  }
}

}  // namespace limber
