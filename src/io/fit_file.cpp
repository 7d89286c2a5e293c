// SPDX-License-Identifier: BSD-3-Clause
#include "limber/io/fit_file.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "description_tree.hpp"
#include "fit_fields.hpp"
#include "map_reader.hpp"
#include "study_places.hpp"
#include "text_file.hpp"
#include "yaml_tree.hpp"

namespace limber {
namespace {

constexpr const char* first_data = "data[0]";

YamlNode* find_value(YamlNode& map, std::string_view key) {
  const auto found = std::find_if(map.entries.begin(), map.entries.end(),
                                  [&](const YamlEntry& entry) { return entry.key == key; });
  return found == map.entries.end() ? nullptr : &found->value;
}

// `sigma: 0.1` and `sigma: [0.1, 0.2]` as maps.
void name_sigmas(YamlNode& data) {
  YamlNode* const sigma = find_value(data, "sigma");
  if (!sigma || sigma->is_map() || sigma->kind == YamlNode::Kind::null) return;
  YamlNode map;
  map.kind = YamlNode::Kind::map;
  map.mark = sigma->mark;
  if (sigma->is_scalar()) map.entries.push_back({"all", sigma->mark, *sigma});
  for (std::size_t i = 0; i < sigma->items.size(); ++i)
    map.entries.push_back({fmt::format("{}", i), sigma->items[i].mark, sigma->items[i]});
  *sigma = std::move(map);
}

// One experiment is a list of one. True where it was none.
bool make_list(YamlNode& root) {
  if (YamlNode* const design = find_value(root, "design")) name_sigmas(*design);
  YamlNode* const data = find_value(root, "data");
  if (!data) return false;
  const bool is_one = data->is_map();
  if (is_one) {
    YamlNode list;
    list.kind = YamlNode::Kind::sequence;
    list.mark = data->mark;
    list.items.push_back(std::move(*data));
    *data = std::move(list);
  }
  for (YamlNode& one : data->items) name_sigmas(one);
  return is_one;
}

// Values of `set` are YAML of any kind, which `--set` takes as text.
void keep_settings_as_text(YamlNode& root) {
  YamlNode* const design = find_value(root, "design");
  YamlNode* const candidates = design ? find_value(*design, "candidates") : nullptr;
  if (!candidates) return;
  for (YamlNode& candidate : candidates->items)
    if (YamlNode* const set = find_value(candidate, "set"))
      for (YamlEntry& entry : set->entries) {
        YamlNode text;
        text.kind = YamlNode::Kind::scalar;
        text.text = flow_text(entry.value);
        text.mark = entry.value.mark;
        entry.value = std::move(text);
      }
}

/// As its author wrote it.
std::string as_written(std::string path, bool has_one_data) {
  if (has_one_data && path.starts_with(first_data)) path.erase(4, 3);
  return path;
}

void check_values(const FitDescription& fit, std::vector<Problem>& problems) {
  if (fit.fit.empty())
    problems.push_back({"fit", "at least one value to find", "none",
                        "such as links.boom.beam.section.EI_z: {start: 1e5, lower: 1e3}"});
  for (const auto& [path, value] : fit.fit) {
    const std::string place = "fit." + path;
    if (value.lower && value.upper && !(*value.lower < *value.upper))
      problems.push_back(
          {place, "`lower` < `upper`", show_number(*value.lower) + " and " + show_number(*value.upper), ""});
    else if (value.start &&
             ((value.lower && *value.start < *value.lower) || (value.upper && *value.start > *value.upper)))
      problems.push_back(
          {place + ".start", "a number between `lower` and `upper`", show_number(*value.start), ""});
  }
}

void check_history(const DataDescription& one, const FitDescription& fit, const std::string& place,
                   std::vector<Problem>& problems) {
  if (one.columns.empty())
    problems.push_back(
        {place + ".columns", "which column is which output", "none", "such as columns: {imu: a_tip}"});
  if (fit.scenario.empty() && one.scenario.empty())
    problems.push_back(
        {place + ".file", "a `scenario`, which says what moved the arm", "a `model` alone", ""});
  if (one.from && one.to && !(*one.from < *one.to))
    problems.push_back({place + ".to", "a time behind `from`", show_number(*one.to), ""});
}

void check_frequencies(const DataDescription& one, const std::string& place, std::vector<Problem>& problems) {
  const auto count = one.frequencies_hz.size();
  if (!one.modes.empty() && one.modes.size() != count)
    problems.push_back({place + ".modes", fmt::format("{} numbers, one for each frequency", count),
                        fmt::format("{}", one.modes.size()), ""});
  const std::vector<std::string> treatments = {"held", "locked", "free", "as-modelled"};
  if (std::find(treatments.begin(), treatments.end(), one.joints) == treatments.end())
    problems.push_back({place + ".joints", expected_choice(treatments), show_text(one.joints),
                        suggestion(one.joints, treatments, "choices")});
}

// Names of `sigma` are those of what was measured.
void check_sigma(const DataDescription& one, const std::string& place, std::vector<Problem>& problems) {
  std::vector<std::string> names = {"all"};
  for (const auto& column : one.columns) names.push_back(column.first);
  for (const auto& reading : one.readings) names.push_back(reading.first);
  for (std::size_t i = 0; i < one.frequencies_hz.size(); ++i) names.push_back(fmt::format("{}", i));
  for (const auto& sigma : one.sigma)
    if (std::find(names.begin(), names.end(), sigma.first) == names.end())
      problems.push_back({place + ".sigma",
                          one.frequencies_hz.empty() ? "outputs that were measured"
                                                     : fmt::format("{} numbers", one.frequencies_hz.size()),
                          show_text(sigma.first), suggestion(sigma.first, names, "outputs")});
  if (!one.frequencies_hz.empty() && !one.sigma.empty() && one.sigma.front().first != "all" &&
      one.sigma.size() != one.frequencies_hz.size())
    problems.push_back({place + ".sigma",
                        fmt::format("{} numbers, one for each frequency", one.frequencies_hz.size()),
                        fmt::format("{}", one.sigma.size()), ""});
}

void check_design(const ExperimentDesignDescription& design, const FitDescription& fit,
                  std::vector<Problem>& problems) {
  if (design.outputs.empty())
    problems.push_back({"design.outputs", "at least one output", "none", "such as outputs: [encoder]"});
  const bool has_scenarios =
      !design.candidates.empty() && std::all_of(design.candidates.begin(), design.candidates.end(),
                                                [](const auto& one) { return !one.scenario.empty(); });
  if (fit.scenario.empty() && !has_scenarios)
    problems.push_back({"design", "a `scenario`, which says what moves the arm", "a `model` alone", ""});
  const auto check_names = [&](const auto& by_output, const char* place, bool takes_all) {
    for (const auto& one : by_output)
      if (std::find(design.outputs.begin(), design.outputs.end(), one.first) == design.outputs.end() &&
          !(takes_all && one.first == "all"))
        problems.push_back({join_path(place, one.first), "one of `outputs`", show_text(one.first),
                            suggestion(one.first, design.outputs, "outputs")});
  };
  check_names(design.sigma, "design.sigma", true);
  check_names(design.limits, "design.limits", false);
  for (const auto& [path, one] : design.vary) {
    const std::string place = "design.vary." + path;
    if (!one.lower || !one.upper || !(*one.lower < *one.upper))
      problems.push_back(
          {place, "`lower` < `upper`",
           one.lower && one.upper ? show_number(*one.lower) + " and " + show_number(*one.upper) : "no bounds",
           "what tells most lies at the end of what is possible as a rule"});
    else if (one.start && (*one.start < *one.lower || *one.start > *one.upper))
      problems.push_back(
          {place + ".start", "a number between `lower` and `upper`", show_number(*one.start), ""});
  }
  const int candidates = std::max<int>(1, static_cast<int>(design.candidates.size()));
  if (design.choose > candidates)
    problems.push_back({"design.choose",
                        fmt::format("at most {}: as many as there are candidates", candidates),
                        fmt::format("{}", design.choose), ""});
}

void check_data(const FitFile& file, std::vector<Problem>& problems) {
  const FitDescription& fit = file.description;
  if (fit.data.empty() && !fit.design)
    problems.push_back(
        {"data", "at least one experiment", "none", "or `design`, to find out what to measure"});
  for (std::size_t i = 0; i < fit.data.size(); ++i) {
    const DataDescription& one = fit.data[i];
    const std::string place = file.place_of_data(i);
    if (!one.file.empty()) check_history(one, fit, place, problems);
    check_frequencies(one, place, problems);
    check_sigma(one, place, problems);
  }
}

}  // namespace

std::string FitFile::place_of_data(std::size_t i) const {
  return has_one_data ? "data" : fmt::format("data[{}]", i);
}

FileError FitFile::located(const std::vector<Problem>& problems) const {
  return at_places(problems, file, places);
}

FitFile parse_fit(const std::string& text, const std::string& file_name) {
  YamlTree tree = parse_yaml(text, file_name);
  FitFile fit{{}, file_name, false, {}};
  note_places(tree.root, "", fit.places);
  if (!tree.root.find("fit") && (tree.root.find("links") || tree.root.find("duration") ||
                                 tree.root.find("vary") || tree.root.find("optimise")))
    throw FileError({{{"", "a study file with the keys `fit` and `data`",
                       tree.root.find("links")      ? "a model file"
                       : tree.root.find("duration") ? "a scenario file"
                                                    : "a study for `limber sweep`",
                       "docs/measurements.md"},
                      file_name,
                      tree.root.mark}});
  fit.has_one_data = make_list(tree.root);
  keep_settings_as_text(tree.root);
  ProblemList problems(file_name, std::move(tree.problems));
  ReadContext context{problems, {}, true, nullptr, nullptr};
  read_map(context, tree.root, "", fit.description);
  if (!problems.empty()) {
    std::vector<LocatedProblem> all = problems.all();
    for (LocatedProblem& one : all) one.problem.path = as_written(one.problem.path, fit.has_one_data);
    throw FileError(std::move(all));
  }
  std::vector<Problem> wrong;
  check_values(fit.description, wrong);
  check_data(fit, wrong);
  if (fit.description.design) check_design(*fit.description.design, fit.description, wrong);
  if (!wrong.empty()) throw fit.located(wrong);
  return fit;
}

FitFile read_fit(const std::filesystem::path& file) {
  const FileContent content = read_text_file(file);
  if (!content.failure.empty())
    throw FileError(
        {{{"", "a readable study file, at most 16 MiB", content.failure, ""}, file.string(), {}}});
  return parse_fit(content.text, file.string());
}

bool is_fit(const std::filesystem::path& file) {
  try {
    const FileContent content = read_text_file(file);
    return content.failure.empty() && parse_yaml(content.text, file.string()).root.find("fit") != nullptr;
  } catch (const FileError&) {
    return false;
  }
}

}  // namespace limber
