// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A study that is ready to run: every variant of a sweep is a function of its number, and of nothing else. A search (`optimise`) has no variants of its
// own; it asks for what values make.

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "limber/core/export.hpp"
#include "limber/io/scenario_file.hpp"
#include "limber/io/setting.hpp"
#include "limber/io/study_file.hpp"
#include "limber/results/study_result.hpp"
#include "limber/study/design.hpp"

namespace limber LIMBER_EXPORT {

/// What became of a variant.
struct VariantOutcome {
  std::vector<double> numbers;  ///< measures, then histories; empty where it failed
  std::string failure = {};     ///< why; empty where it did not

  /// Whether there are no numbers.
  bool has_failed() const { return !failure.empty(); }
};

/// Reads all that a study needs, and checks it before anything is run. It is not changed afterwards: many threads may evaluate at once.
class Study {
 public:
  /// `settings` hold for all variants. Throws FileError, with the place in the study file, for paths that lead nowhere or to the same value, for
  /// values beyond what a key allows, and for measures that the task does not have; and with the place in scenario or model for what is wrong there.
  explicit Study(StudyFile file, const Settings& settings = {});
  ~Study();
  Study(Study&&) noexcept;             ///< moved, not copied
  Study& operator=(Study&&) noexcept;  ///< likewise

  /// As it was written; measures have their names.
  const StudyDescription& description() const { return file_.description; }
  /// How many variants; of a search none.
  long size() const { return static_cast<long>(design_.parameters.rows()); }
  /// What is varied.
  const Design& design() const { return design_; }
  /// Columns of the design.
  const std::vector<std::string>& paths() const { return paths_; }
  /// Numbers of an outcome: measures and histories.
  std::size_t width() const;

  /// Values of the paths.
  using Values = Eigen::Ref<const Eigen::RowVectorXd>;
  /// Those of a variant.
  Eigen::RowVectorXd values_of(long variant) const { return design_.parameters.row(variant); }
  /// Where a search begins.
  const Eigen::RowVectorXd& start() const { return start_; }

  /// `--set` that makes the file to this variant, the study's own settings included.
  Settings settings_at(const Values& values) const;
  /// The command that computes it by itself.
  std::string command_at(const Values& values) const;
  /// That of any, without its own values and for the study's folder.
  std::string command() const;
  /// Its scenario; only of the task `simulate`.
  ScenarioFile scenario_at(const Values& values) const;
  /// Computes it. What goes wrong in it is its failure, and thrown by nobody; Interrupted where somebody asked to stop.
  VariantOutcome evaluate_at(const Values& values) const;
  ///@{
  /// The same by a variant's number.
  Settings settings_of(long variant) const { return settings_at(values_of(variant)); }
  std::string command_of(long variant) const { return command_at(values_of(variant)); }
  ScenarioFile scenario_of(long variant) const { return scenario_at(values_of(variant)); }
  VariantOutcome evaluate(long variant) const { return evaluate_at(values_of(variant)); }
  ///@}

  /// A result without any variant yet.
  StudyResult empty_result(std::string program) const;
  /// All texts that were read, the study first.
  std::vector<SourceText> sources() const;
  /// The scenario, or the model, that it varies.
  const std::filesystem::path& subject() const;
  /// Files that are read, and must not be written.
  std::vector<std::filesystem::path> files() const;
  /// What its author may want to know before it runs.
  std::vector<std::string> doubts() const;

 private:
  void find_parameters();
  void set_start(const std::vector<std::optional<double>>& file_values);
  std::pair<double, double> ends_of(std::size_t path) const;
  double between(std::size_t path) const;
  void check_extremes() const;
  void check_measures() const;
  std::string command_for(const std::string& subject, const std::string& state,
                          const Settings& settings) const;
  ScenarioFile scenario_with(const Settings& settings) const;
  Model model_with(const Settings& settings) const;
  std::vector<double> run_with(const Settings& settings) const;
  std::vector<double> task_with(const Settings& settings) const;
  void add_tasks(const Model& model, std::vector<double>& numbers) const;

  StudyFile file_;
  Settings settings_;
  std::vector<std::string> paths_;      ///< as the study has them
  std::vector<std::string> set_paths_;  ///< as `--set` takes them
  std::vector<std::string> placed_;     ///< in the spelling of messages
  Design design_;
  Eigen::RowVectorXd start_;
  struct Base;
  std::unique_ptr<Base> base_;  ///< texts of scenario or model, and what can be prepared once
};

/// Reads a study file and all that it names.
Study open_study(const std::filesystem::path& file, const Settings& settings = {});

/// Indices of a complete result.
StudyIndices study_indices(const Design& design, const StudyTable& values);

/// Throws InputError, with the first line that differs, where a result was begun by something else than these texts.
void require_same_study(const StudyResult& begun, const std::vector<SourceText>& now,
                        const std::string& file);
/// Throws InputError where it has other variants than the study makes of these texts now: another version of the program wrote it.
void require_same_points(const StudyResult& begun, const Design& design, const std::string& file);

}  // namespace limber
