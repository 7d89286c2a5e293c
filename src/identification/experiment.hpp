// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// One experiment of a fit: what was measured, and what an arm with given parameters would have shown.

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "limber/identification/identify.hpp"
#include "limber/io/scenario_file.hpp"
#include "limber/io/state_file.hpp"
#include "limber/model/sensors.hpp"
#include "limber/simulation/reading_course.hpp"

namespace limber {

/// A parameter as experiments see it.
struct FitParameter {
  std::string path;     ///< for people
  std::string setting;  ///< what --set would be told
  std::string place;    ///< in the fit
  int experiment = -1;  ///< that alone it belongs to; -1: to all
  double start = 0.0, lower = 0.0, upper = 0.0, scale = 1.0;
};

/// What an arm would have shown, and how that changes with the parameters.
struct Prediction {
  Eigen::VectorXd values;
  Eigen::MatrixXd slopes;  ///< a column for each parameter
  long runs = 0;           ///< simulations
};

/// An experiment that could be made, of those that `design` has.
struct PlannedExperiment {
  std::string scenario;  ///< its file; empty: the study's
  std::string place;     ///< in the fit
  Settings settings;     ///< of the scenario
};

class Experiment {
 public:
  /// One that was made. Reads its files. Throws FileError, with places in the fit.
  Experiment(const FitFile& fit, std::size_t index, Settings settings);
  /// One that could be made: of what `design` reads, nothing has been measured (all is 0).
  Experiment(const FitFile& fit, const PlannedExperiment& planned);

  /// Where the values of `path` stands in its files: the number, where it is one. Throws FileError.
  std::optional<double> number_at(const std::string& path) const;
  /// What is not known of its start, as parameters.
  std::vector<FitParameter> unknown_starts() const;
  /// From now on these; those of other experiments are left out.
  void use(const std::vector<FitParameter>& parameters);
  /// Throws InputError where the values cannot be, with the file's own words.
  void check(const Eigen::VectorXd& values) const { prepared_at(values); }

  /// Looks once whether derivatives by (1) of reading_course.hpp are those of runs; if not, runs are differenced from then on. A sentence about that, or nothing.
  std::string check_slopes(const Eigen::VectorXd& values, long& runs);
  /// From now on.
  void difference_runs() { slopes_ = CourseSlopes::by_runs; }
  Prediction predict(const Eigen::VectorXd& values) const;
  /// (f - y) / s, and its derivatives by the parameters in units of their scales.
  Residuals weighted(const Prediction& prediction) const;

  /// Data without what is computed.
  const std::vector<FitChannel>& channels() const { return channels_; }
  bool has_sigma() const { return has_sigma_; }
  Eigen::Index size() const;

 private:
  struct Prepared {
    std::optional<ScenarioFile> scenario;
    std::optional<Model> model;
    const Model& arm() const { return scenario ? scenario->model : *model; }
  };
  Settings settings_at(const Eigen::VectorXd& values) const;
  Prepared prepared_at(const Eigen::VectorXd& values) const;
  Scenario scenario_at(const Eigen::VectorXd& values) const;
  void read_files();
  void read_history();
  void plan_history();
  void read_frequencies();
  void read_readings();
  void find_sensors(const std::vector<std::string>& names, const std::string& place);
  Prediction without_slopes(const Eigen::VectorXd& values);
  void add_channel(const std::string& name, Eigen::VectorXd times, Eigen::VectorXd measured,
                   std::optional<double> noise);
  Eigen::VectorXd frequencies(const Model& model, Eigen::MatrixXd& shapes) const;
  Eigen::VectorXd readings(const Model& model) const;
  Prediction predict_history(const Eigen::VectorXd& values) const;
  template <typename Function>
  Prediction predict_by_differences(const Eigen::VectorXd& values, Function&& at) const;
  bool is_history() const { return !times_.empty(); }
  std::string place(const std::string& key) const { return place_ + "." + key; }

  const FitFile& fit_;
  int index_;  ///< of the data; -1: none of them
  DataDescription data_;
  std::string place_;
  Settings settings_;
  std::vector<SourceText> sources_ = {};  ///< of the scenario, or the model
  std::string model_file_ = {};           ///< as the scenario names it; empty: the model stands in it
  bool is_scenario_ = false;
  std::optional<SourceText> state_ = {};
  std::vector<SensorDescription> sensors_ = {};  ///< of outputs that are measured
  std::vector<double> times_ = {};
  std::vector<std::vector<Eigen::Index>> rows_ =
      {};  ///< of times_, by output: those with a sample of their own
  std::vector<FitChannel> channels_ = {};
  bool has_sigma_ = true;
  std::vector<FitParameter> parameters_ = {};
  CourseSlopes slopes_ = CourseSlopes::variational;
  std::optional<std::pair<Eigen::VectorXd, Prediction>> known_ = {};  ///< where slopes were checked
};

}  // namespace limber
