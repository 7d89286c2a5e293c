// SPDX-License-Identifier: BSD-3-Clause
#include "limber/study/study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <utility>

#include "documents.hpp"
#include "limber/core/interruption.hpp"
#include "limber/estimation/observer.hpp"
#include "limber/io/model_file.hpp"
#include "limber/io/state_file.hpp"
#include "limber/io/study_choices.hpp"
#include "limber/model/field_rule.hpp"
#include "limber/simulation/scenario.hpp"
#include "limber/study/search.hpp"
#include "limber/study/sensitivity.hpp"
#include "study_base.hpp"

namespace limber {
namespace {

namespace fs = std::filesystem;
constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

SourceText read_source(const fs::path& directory, const std::string& name, const StudyFile& study,
                       const char* key) {
  const fs::path file = directory / name;
  std::error_code failed;
  std::FILE* const stream = fs::is_regular_file(file, failed) ? std::fopen(file.c_str(), "rb") : nullptr;
  if (!stream)
    throw study.located({{key, "a readable file, relative to the study", show_text(name),
                          "looked for " + show_text(file.string(), 500)}});
  std::string text;
  char buffer[65536];  // NOLINT
  while (const std::size_t count = std::fread(buffer, 1, sizeof buffer, stream)) text.append(buffer, count);
  std::fclose(stream);
  return {name, text, file};
}

const char* first_line(const std::string& text, std::size_t number, std::string& line) {
  std::size_t at = 0;
  for (std::size_t i = 0; i < number && at != std::string::npos; ++i) {
    at = text.find('\n', at);
    if (at != std::string::npos) ++at;
  }
  if (at == std::string::npos || at >= text.size()) return nullptr;
  line = text.substr(at, text.find('\n', at) - at);
  return line.c_str();
}

/// "line 7: `samples: 64`, was `samples: 32`"
std::string first_difference(const std::string& before, const std::string& now) {
  std::string old_line, new_line;
  for (std::size_t i = 0;; ++i) {
    const char* const was = first_line(before, i, old_line);
    const char* const is = first_line(now, i, new_line);
    if (!was && !is) return "other line ends";
    if (was && is && old_line == new_line) continue;
    return fmt::format("line {}: {}, was {}", i + 1, is ? show_text(new_line) : "nothing",
                       was ? show_text(old_line) : "nothing");
  }
}

}  // namespace

Study::~Study() = default;
Study::Study(Study&&) noexcept = default;
Study& Study::operator=(Study&&) noexcept = default;

Study::Study(StudyFile file, const Settings& settings)
    : file_(std::move(file)), settings_(settings), base_(std::make_unique<Base>(file_.description)) {
  const StudyDescription& study = file_.description;
  if (const auto problem = why_no_search(); problem && study.is_search()) throw file_.located({*problem});
  const fs::path directory = fs::path(file_.file).parent_path();
  if (study.task == StudyTask::simulate) {
    const SourceText itself = read_source(directory, study.scenario, file_, "scenario");
    const ScenarioFile scenario = read_scenario(itself.file, settings_);
    base_->sources = scenario.sources;
    if (!settings_.empty()) base_->sources.pop_back();  // each variant has settings of its own
    base_->sources.front() = itself;
    base_->model_file = scenario.description.model_file;
    base_->model = scenario.model;
  } else {
    base_->sources.push_back(read_source(directory, study.model, file_, "model"));
    base_->model = read_model(base_->sources.front().file, settings_);
  }
  if (!study.state.empty()) {
    base_->state = read_source(directory, study.state, file_, "state");
    parse_state(base_->state->text, base_->state->file.string(), *base_->model);
  }
  find_parameters();
  check_extremes();
  check_measures();
}

std::size_t Study::width() const {
  const StudyDescription& study = file_.description;
  const std::size_t points =
      study.histories ? static_cast<std::size_t>(study.histories->points) * study.histories->of.size() : 0;
  return study.measure.size() + points;
}

Settings Study::settings_at(const Values& values) const {
  Settings all = settings_;
  for (std::size_t j = 0; j < set_paths_.size(); ++j)
    // The shortest text that is read as the same number again.
    all.push_back({set_paths_[j], fmt::format("{}", values[static_cast<Eigen::Index>(j)]), {}});
  return all;
}

std::string Study::command_at(const Values& values) const {
  const std::string state = base_->state ? base_->state->file.string() : "";
  return command_for(subject().string(), state, settings_at(values));
}

// As the study names its files: a result is the same from whichever folder it was asked for.
std::string Study::command() const {
  return command_for(base_->sources.front().name, file_.description.state, settings_);
}

// What stands behind --set may follow: later ones go on from those before.
std::string Study::command_for(const std::string& subject, const std::string& state,
                               const Settings& settings) const {
  const StudyDescription& study = file_.description;
  std::string command = fmt::format("limber {} {}", choice_name(study.task), shell_word(subject));
  if (study.task != StudyTask::simulate) {
    if (!state.empty()) command += " --state " + shell_word(state);
    if (study.settle) command += " --settle";
    if (study.task == StudyTask::modes)
      command += fmt::format(" --joints {} --count {}", study.joints, study.count);
    for (const std::string& output : study.outputs) command += " --outputs " + shell_word(output);
    for (const std::string& input : study.inputs) command += " --inputs " + shell_word(input);
  }
  return command + command_words(settings);
}

ScenarioFile Study::scenario_at(const Values& values) const { return scenario_with(settings_at(values)); }

ScenarioFile Study::scenario_with(const Settings& settings) const {
  std::vector<SourceText> sources = base_->sources;
  if (!settings.empty()) sources.push_back({settings_source, settings_text(settings), {}});
  return base_->varies_model ? parse_scenario(sources, base_->beams) : parse_scenario(sources, *base_->model);
}

Model Study::model_with(const Settings& settings) const {
  const SourceText& source = base_->sources.front();
  return build_model(
      parse_model_description(source.text, source.file.string(), source.file.parent_path(), settings),
      base_->beams);
}

VariantOutcome Study::evaluate_at(const Values& values) const {
  VariantOutcome outcome;
  try {
    const Settings settings = settings_at(values);
    outcome.numbers =
        file_.description.task == StudyTask::simulate ? run_with(settings) : task_with(settings);
    for (std::size_t i = 0; i < file_.description.measure.size(); ++i)
      if (!std::isfinite(outcome.numbers[i]))
        outcome.failure = fmt::format("measure `{}` is no finite number: {}",
                                      file_.description.measure[i].name, outcome.numbers[i]);
  } catch (const std::exception& error) {
    outcome.failure = error.what();
    if (outcome.failure.empty()) outcome.failure = "failed without a word";
  }
  if (outcome.has_failed()) outcome.numbers.clear();
  return outcome;
}

std::vector<double> Study::run_with(const Settings& settings) const {
  ScenarioFile file = scenario_with(settings);
  std::vector<double> numbers(file_.description.measure.size(), nothing);
  if (base_->measures.needs_run()) {
    file.description.output.wrenches = base_->measures.needs_wrenches();
    Scenario scenario = build_observed_scenario(file.description, file.model);
    numbers = base_->measures.run(scenario);
  }
  add_tasks(file.model, numbers);
  return numbers;
}

std::vector<double> Study::task_with(const Settings& settings) const {
  std::vector<double> numbers(file_.description.measure.size(), nothing);
  add_tasks(model_with(settings), numbers);
  return numbers;
}

// Measures of tasks other than a run.
void Study::add_tasks(const Model& model, std::vector<double>& numbers) const {
  const StudyDescription& study = file_.description;
  TaskDocuments documents(study, model, base_->state, base_->beams);
  for (std::size_t i = 0; i < study.measure.size(); ++i)
    if (const StudyTask task = study.task_of(study.measure[i]); task != StudyTask::simulate)
      numbers[i] = number_in(documents.of(task), study.measure[i]);
}

StudyResult Study::empty_result(std::string program) const {
  const StudyDescription& study = file_.description;
  StudyResult result;
  result.program = std::move(program);
  result.status = "running";
  result.task = choice_name(study.task);
  result.method = study.is_search() ? "optimise" : choice_name(study.method);
  result.paths = paths_;
  for (const MeasureDescription& measure : study.measure) result.measures.push_back(measure.name);
  result.parameters = design_.parameters;
  result.values.setConstant(size(), static_cast<Eigen::Index>(study.measure.size()), nothing);
  if (study.histories) {
    result.histories = study.histories->of;
    result.history_points = study.histories->points;
    result.courses.setConstant(size(), static_cast<Eigen::Index>(width() - study.measure.size()), nothing);
  }
  result.sources = sources();
  return result;
}

std::vector<SourceText> Study::sources() const {
  std::vector<SourceText> all = {{fs::path(file_.file).filename().string(), file_.text, file_.file}};
  all.insert(all.end(), base_->sources.begin(), base_->sources.end());
  if (base_->state) all.push_back(*base_->state);
  if (!settings_.empty()) all.push_back({settings_source, settings_text(settings_), {}});
  return all;
}

const fs::path& Study::subject() const { return base_->sources.front().file; }

std::vector<fs::path> Study::files() const {
  std::vector<fs::path> all;
  for (const SourceText& source : sources())
    if (!source.file.empty()) all.push_back(source.file);
  return all;
}

std::vector<std::string> Study::doubts() const {
  std::vector<std::string> all;
  const long count = size();
  if (!file_.description.is_search() && file_.description.method == DesignMethod::sobol &&
      (count & (count - 1)) != 0)
    all.push_back(fmt::format(
        "samples: {} is no power of two; Sobol's points are evenly spread over 2, 4, 8, 16 ... of them",
        count));
  return all;
}

Study open_study(const fs::path& file, const Settings& settings) { return Study(read_study(file), settings); }

StudyIndices study_indices(const Design& design, const StudyTable& values) {
  const Eigen::Index measures = values.cols(), paths = design.parameters.cols();
  StudyIndices all;
  for (StudyTable* table :
       {&all.first_order, &all.first_lower, &all.first_upper, &all.total, &all.total_lower, &all.total_upper})
    table->setConstant(measures, paths, nothing);
  all.explained.setConstant(measures, nothing);
  const auto found = sobol_indices(design, values);
  for (Eigen::Index m = 0; m < measures; ++m) {
    const auto& one = found[static_cast<std::size_t>(m)];
    if (!one) continue;
    all.explained[m] = one->explained;
    for (Eigen::Index j = 0; j < paths; ++j) {
      const SensitivityIndex &first = one->first_order[static_cast<std::size_t>(j)],
                             &total = one->total[static_cast<std::size_t>(j)];
      all.first_order(m, j) = first.value;
      all.first_lower(m, j) = first.lower;
      all.first_upper(m, j) = first.upper;
      all.total(m, j) = total.value;
      all.total_lower(m, j) = total.lower;
      all.total_upper(m, j) = total.upper;
    }
  }
  return all;
}

void require_same_study(const StudyResult& begun, const std::vector<SourceText>& now,
                        const std::string& file) {
  const auto refuse = [&](const std::string& what) {
    throw InputError(Problem{"--resume", "the study that `" + file + "` was begun with", what,
                             "start anew with --force, or with another -o"});
  };
  for (std::size_t i = 0; i < std::min(begun.sources.size(), now.size()); ++i)
    if (begun.sources[i].text != now[i].text)
      refuse(fmt::format("another text of `{}`, {}", now[i].name,
                         first_difference(begun.sources[i].text, now[i].text)));
  if (begun.sources.size() != now.size()) refuse("one made of other files, or with other --set");
}

void require_same_points(const StudyResult& begun, const Design& design, const std::string& file) {
  // Processors of another kind may round them differently.
  constexpr double rounding = 1e-9;
  const VariantTable& now = design.parameters;
  bool is_same = begun.parameters.rows() == now.rows() && begun.parameters.cols() == now.cols();
  if (is_same && now.size() > 0)
    is_same = ((begun.parameters - now).array().abs() <= rounding * now.array().abs()).all();
  if (!is_same)
    throw InputError(Problem{"--resume", "the variants that the study has now",
                             "`" + file + "` with others, written by " + begun.program,
                             "start anew with --force, or with another -o"});
}

}  // namespace limber
