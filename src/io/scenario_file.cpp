// SPDX-License-Identifier: BSD-3-Clause
#include "limber/io/scenario_file.hpp"

#include <fmt/format.h>

#include <utility>

#include "limber/io/path_table.hpp"
#include "limber/model/field_checker.hpp"
#include "limber/model/prepared_beams.hpp"
#include "limber/scenario/check.hpp"
#include "linear_law.hpp"
#include "map_reader.hpp"
#include "mode_table.hpp"
#include "model_source.hpp"
#include "number_text.hpp"
#include "text_file.hpp"

namespace limber {
namespace {

void refuse_model(const YamlNode& root, const std::string& file) {
  if (!(root.find("links") || root.find("urdf")) || root.find("model")) return;
  throw FileError({{{"", "a scenario file, with the key `model`", "a model file, with `links`",
                     "write a scenario that names it: docs/simulation.md"},
                    file,
                    root.mark}});
}

/// `trajectories.ref.file`: the table is read beside the scenario.
void read_tables(ReadContext& context, const YamlNode& root, ByName<TrajectoryDescription>& trajectories) {
  static constexpr Field field{.key = "file", .meaning = ""};
  static constexpr TableWords words{"time", "value"};
  for (auto& [name, trajectory] : trajectories) {
    const YamlNode* const node = root.find("trajectories")->find(name);
    const YamlNode* const file = node ? node->find("file") : nullptr;
    auto* const given = std::get_if<trajectories::Table>(&trajectory);
    if (!file || !given || !given->file) continue;
    const std::string path = join_path("trajectories", path_step(name)) + ".file";
    if (!given->times.empty() || !given->values.empty()) {
      context.problems.add(file->mark,
                           {path, "`file`, or `times` and `values`", "both", "remove one of them"});
      continue;
    }
    const auto table = read_mode_table(context, Slot{field, *file, path}, *given->file, words);
    if (!table) continue;
    if (table->values.cols() != 1) {
      context.problems.add(file->mark, {path, "a table with two columns: time and value",
                                        fmt::format("{} columns", table->values.cols() + 1), ""});
      continue;
    }
    given->times.assign(table->x.begin(), table->x.end());
    given->values.assign(table->values.col(0).begin(), table->values.col(0).end());
  }
}

/// `trajectories.way.file` of a way in space.
void read_ways(ReadContext& context, const YamlNode& root, ByName<TrajectoryDescription>& trajectories) {
  for (auto& [name, trajectory] : trajectories) {
    const YamlNode* const node = root.find("trajectories")->find(name);
    const YamlNode* const file = node ? node->find("file") : nullptr;
    auto* const given = std::get_if<trajectories::Cartesian>(&trajectory);
    if (!file || !given || !given->file) continue;
    const std::string path = join_path("trajectories", path_step(name)) + ".file";
    const FileContent content = context.read_named(*given->file);
    if (!content.failure.empty()) {
      context.problems.add(file->mark, {path, "a readable file, relative to this one", content.failure, ""});
      continue;
    }
    try {
      const PathTable way =
          path_of_table(parse_number_table(content.text, (context.directory / *given->file).string()), path);
      given->times.assign(way.times.begin(), way.times.end());
      given->places = way.positions;
      given->rotations = way.rotations;
    } catch (const InputError& wrong) {
      for (const Problem& problem : wrong.problems()) context.problems.add(file->mark, problem);
    }
  }
}

/// `actuation[0].file`: the compensator is read beside the scenario.
void read_laws(ReadContext& context, const YamlNode& root, std::vector<ActuationDescription>& actuation) {
  static constexpr Field field{.key = "file", .meaning = ""};
  const YamlNode* const list = root.find("actuation");
  for (std::size_t i = 0; list && i < actuation.size() && i < list->items.size(); ++i) {
    const YamlNode* const file = list->items[i].find("file");
    auto* const linear = std::get_if<actuations::Linear>(&actuation[i].kind);
    if (!file || !linear || linear->file.empty()) continue;
    const Slot slot{field, *file, join_path(indexed("actuation", i), "file")};
    if (auto law = read_linear_law(context, slot, linear->file)) linear->law = std::move(*law);
  }
}

/// The model, wherever it stands.
ModelSource open_model(const ScenarioDescription& scenario, const YamlNode& root,
                       const std::string& file_name, const Settings& settings, ReadContext& context) {
  const YamlNode& node = *root.find("model");
  if (node.is_map())
    return ModelSource({node, {}}, file_name, context.directory, settings, "model", context.sources,
                       context.stored);
  const std::filesystem::path file = context.directory / scenario.model_file;
  const FileContent content = context.read_named(scenario.model_file);
  if (!content.failure.empty())
    throw FileError({{{"model", "a readable model file, relative to the scenario", content.failure,
                       "looked for " + show_text(file.string(), 500)},
                      file_name,
                      node.mark}});
  return ModelSource::of_text(content.text, file.string(), file.parent_path(), settings, context.sources,
                              context.stored);
}

ScenarioFile parse(const std::string& text, const std::string& file_name,
                   const std::filesystem::path& directory, const Settings& settings,
                   const std::vector<SourceText>* stored, const Model* prepared = nullptr,
                   PreparedBeams* kept = nullptr) {
  YamlTree tree = parse_yaml(text, file_name);
  const YamlNode& root = tree.root;
  refuse_model(root, file_name);
  Settings of_scenario = settings;
  const Settings of_model = take_model_settings(of_scenario);
  const std::vector<AppliedSetting> applied = apply_settings(of_scenario, file_name, tree.root);

  ScenarioDescription description;
  std::vector<SourceText> sources = {{std::filesystem::path(file_name).filename().string(), text}};
  ProblemList problems(file_name, std::move(tree.problems));
  ReadContext context{problems, directory, true, &sources, stored};
  read_map(context, root, "", description);
  if (root.find("trajectories")) {
    read_tables(context, root, description.trajectories);
    read_ways(context, root, description.trajectories);
  }
  read_laws(context, root, description.actuation);
  // Names can only be looked up once the rest has been read.
  const YamlNode* const model_node = root.find("model");
  const bool has_model = model_node && (model_node->is_map() || model_node->is_scalar());
  const auto refuse = [&] {
    std::vector<LocatedProblem> all = problems.all();
    mention_settings(applied, all);
    throw FileError(std::move(all));
  };
  if (!has_model || !problems.empty()) refuse();

  Model model = prepared ? *prepared : [&] {
    const ModelSource source = open_model(description, root, file_name, of_model, context);
    return source.locate(
        [&](const ModelDescription& arm) { return kept ? build_model(arm, *kept) : build_model(arm); });
  }();
  description.model = model.description();
  for (Problem& problem : check_rules(description, model)) {
    const FoundNode found = find_nearest(root, problem.path);
    if (found.is_complete) problem.path = found.path;
    problems.add(found.node->mark, std::move(problem));
  }
  if (!problems.empty()) refuse();
  if (!settings.empty()) sources.push_back({settings_source, settings_text(settings)});
  return {std::move(description), std::move(model), std::move(sources)};
}

ScenarioFile parse_stored(const std::vector<SourceText>& sources, const Model* prepared,
                          PreparedBeams* kept) {
  if (sources.empty()) throw InputError(Problem{"", "the text of a scenario", "none", ""});
  Settings settings;
  if (sources.back().name == settings_source) settings = parse_settings_text(sources.back().text);
  return parse(sources.front().text, sources.front().name, {}, settings, &sources, prepared, kept);
}

}  // namespace

ScenarioFile parse_scenario(const std::string& text, const std::string& file_name,
                            const std::filesystem::path& directory, const Settings& settings) {
  return parse(text, file_name, directory, settings, nullptr);
}

ScenarioFile parse_scenario(const std::vector<SourceText>& sources) {
  return parse_stored(sources, nullptr, nullptr);
}

ScenarioFile parse_scenario(const std::vector<SourceText>& sources, const Model& model) {
  return parse_stored(sources, &model, nullptr);
}

ScenarioFile parse_scenario(const std::vector<SourceText>& sources, PreparedBeams& kept) {
  return parse_stored(sources, nullptr, &kept);
}

ScenarioFile read_scenario(const std::filesystem::path& file, const Settings& settings) {
  const FileContent content = read_text_file(file);
  if (!content.failure.empty())
    throw FileError(
        {{{"", "a readable scenario file, at most 16 MiB", content.failure, ""}, file.string(), {}}});
  return parse_scenario(content.text, file.string(), file.parent_path(), settings);
}

// What a path does not lead to has no place but the file.
FileError with_places(const InputError& error, const ScenarioFile& file, const std::string& file_name) {
  std::vector<LocatedProblem> all;
  YamlTree tree = parse_yaml(file.sources.empty() ? "" : file.sources.front().text, file_name);
  if (!file.sources.empty() && file.sources.back().name == settings_source) {
    Settings settings = parse_settings_text(file.sources.back().text);
    take_model_settings(settings);
    apply_settings(settings, file_name, tree.root);
  }
  for (Problem problem : error.problems()) {
    const FoundNode found = find_nearest(tree.root, problem.path);
    if (found.is_complete) problem.path = found.path;
    const Mark mark = found.node == &tree.root ? Mark{} : found.node->mark;
    all.push_back({std::move(problem), file_name, mark});
  }
  return FileError(std::move(all));
}

bool is_scenario(const std::filesystem::path& file) {
  try {
    const FileContent content = read_text_file(file);
    if (!content.failure.empty()) return false;
    const YamlTree tree = parse_yaml(content.text, file.string());
    return tree.root.find("model") && !tree.root.find("links") && !tree.root.find("urdf");
  } catch (const FileError&) {
    return false;
  }
}

}  // namespace limber
