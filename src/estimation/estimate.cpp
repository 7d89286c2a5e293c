// SPDX-License-Identifier: BSD-3-Clause
#include "limber/estimation/estimate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "limber/core/computation_error.hpp"
#include "limber/core/input_error.hpp"
#include "limber/estimation/extended_kalman_filter.hpp"
#include "limber/estimation/unscented_kalman_filter.hpp"
#include "limber/io/number_table.hpp"
#include "limber/io/path_target.hpp"
#include "limber/io/scenario_file.hpp"
#include "limber/model/coordinates.hpp"
#include "limber/model/field_rule.hpp"

namespace limber {
namespace {

namespace fs = std::filesystem;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// A sample that was seen.
struct Seen {
  double t;
  int sensor;  ///< of the scenario
  double value;
};

/// What was measured: rows, and the samples in them in the order of their time.
struct Measured {
  VectorXd times;
  std::vector<int> sensors;
  std::vector<Seen> samples;
};

// ---- the files ----

constexpr std::string_view model_prefix = "model.";

/// The scenario's files, as they were read once.
class Files {
 public:
  Files(const fs::path& file, Settings settings)
      : name_(file.string()), settings_(std::move(settings)), as_written_(read_scenario(file, settings_)) {
    sources_ = as_written_.sources;
    if (!settings_.empty()) sources_.pop_back();  // parameters come behind
  }

  const ScenarioFile& as_written() const { return as_written_; }

  Scenario build(const ScenarioFile& file) const {
    try {
      return build_scenario(file.description, file.model);
    } catch (const FileError&) {
      throw;
    } catch (const InputError& error) {
      throw with_places(error, file, name_);
    }
  }

  Scenario at(const std::vector<ParameterToFind>& parameters, const VectorXd& values) const {
    Settings all = settings_;
    for (std::size_t j = 0; j < parameters.size(); ++j)
      all.push_back({parameters[j].path, fmt::format("{}", values[static_cast<Index>(j)]), {}});
    std::vector<SourceText> sources = sources_;
    if (!all.empty()) sources.push_back({settings_source, settings_text(all), {}});
    return build(parse_scenario(sources));
  }

  /// The number that stands at a path. Throws with the closest name.
  double number_at(const std::string& path) const {
    const std::string& model_file = as_written_.description.model_file;
    const bool in_file = path.starts_with(model_prefix) && !model_file.empty();
    const SourceText* source = &sources_.front();
    if (in_file)
      source = &*std::find_if(sources_.begin(), sources_.end(),
                              [&](const SourceText& other) { return other.name == model_file; });
    const auto shortened = [&](const std::string& of) {
      return in_file ? of.substr(model_prefix.size()) : of;
    };
    Settings before;
    for (Setting setting : settings_) {
      if (setting.path.starts_with(model_prefix) != path.starts_with(model_prefix)) continue;
      setting.path = shortened(setting.path);
      before.push_back(setting);
    }
    const std::optional<double> number =
        path_target(source->text, source->name, shortened(path), before).number;
    // A key that the format does not know is told with the closest one that it does.
    if (!number) at({{path, 1.0}}, VectorXd::Ones(1));
    if (!number)
      throw InputError(Problem{"--find " + path, "a path to a number", "something else, or nothing",
                               "--set " + path + "=VALUE says where to begin"});
    return *number;
  }

  FileError placed(const InputError& error) const { return with_places(error, as_written_, name_); }

 private:
  std::string name_;
  Settings settings_;
  ScenarioFile as_written_;
  std::vector<SourceText> sources_;
};

// ---- the table ----

std::vector<std::string> names_of(const std::vector<SensorDescription>& sensors) {
  std::vector<std::string> names;
  for (const SensorDescription& sensor : sensors) names.push_back(sensor.name);
  return names;
}

/// Sensors and the columns that show them.
std::map<int, std::string> columns_of(const NumberTable& table, const std::vector<SensorDescription>& sensors,
                                      const EstimateRequest& request) {
  const std::vector<std::string> names = names_of(sensors);
  std::map<int, std::string> columns;
  for (const auto& [name, column] : request.columns) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end())
      throw InputError(Problem{"--column " + name, "the name of a sensor of the scenario", show_text(name),
                               suggestion(name, names, "sensors")});
    table.column(column, "--column " + name);
    columns[static_cast<int>(found - names.begin())] = column;
  }
  if (!request.columns.empty()) return columns;
  for (std::size_t i = 0; i < names.size(); ++i)
    if (std::find(table.columns.begin(), table.columns.end(), names[i]) != table.columns.end())
      columns[static_cast<int>(i)] = names[i];
  // A column that is nearly the name of a sensor which has none was meant to be it.
  for (const std::string& column : table.columns) {
    if (column == request.time_column || std::find(names.begin(), names.end(), column) != names.end())
      continue;
    const std::optional<std::string> meant = nearest_name(column, names);
    if (meant && std::find(table.columns.begin(), table.columns.end(), *meant) == table.columns.end())
      throw InputError(Problem{
          "--data", "columns of " + table.file + " named as sensors: " + show_names(names), show_text(column),
          "did you mean `" + *meant + "`? --column " + *meant + "=" + column + " takes it for that sensor"});
  }
  if (columns.empty())
    throw InputError(Problem{
        "--data", "a column named as one of the scenario's sensors: " + show_names(names),
        show_names(table.columns),
        "`limber simulate --as-measured` writes such a file; --column SENSOR=COLUMN says what is what"});
  return columns;
}

VectorXd times_of(const NumberTable& table, const EstimateRequest& request) {
  const VectorXd times = table.column(request.time_column, "--time");
  for (Index i = 1; i < times.size(); ++i)
    if (!(times[i] > times[i - 1]))
      throw InputError(Problem{
          "--data", fmt::format("ascending times in column `{}` of {}", request.time_column, table.file),
          fmt::format("{} after {}, in row {}", times[i], times[i - 1], i + 1), ""});
  if (times[0] < 0.0)
    throw InputError(
        Problem{"--data", "times from 0 on: the scenario begins there", fmt::format("{}", times[0]), ""});
  return times;
}

Measured measured(const fs::path& data, const std::vector<SensorDescription>& sensors,
                  const EstimateRequest& request) {
  const NumberTable table = read_number_table(data);
  Measured all{times_of(table, request), {}, {}};
  for (const auto& [sensor, column] : columns_of(table, sensors, request)) {
    all.sensors.push_back(sensor);
    const SensorDescription& about = sensors[static_cast<std::size_t>(sensor)];
    const VectorXd values = table.column(column, "--data");
    for (Index i = 0; i < all.times.size(); ++i) {
      const double t = sampled_at(about, all.times[i]);
      if (i == 0 || t > sampled_at(about, all.times[i - 1])) all.samples.push_back({t, sensor, values[i]});
    }
  }
  std::stable_sort(all.samples.begin(), all.samples.end(),
                   [](const Seen& a, const Seen& b) { return a.t < b.t; });
  return all;
}

// ---- the estimate ----

/// A time at which something is shown, or somebody wants to know.
struct Moment {
  double t;
  std::vector<int> sensors;
  VectorXd readings;
  bool is_row;
};

std::vector<Moment> moments_of(const Measured& data, double resolution) {
  std::vector<Moment> moments;
  std::size_t next = 0;
  Index row = 0;
  while (next < data.samples.size() || row < data.times.size()) {
    const double sample = next < data.samples.size() ? data.samples[next].t : INFINITY,
                 look = row < data.times.size() ? data.times[row] : INFINITY;
    Moment moment{std::min(sample, look), {}, {}, look <= sample + resolution};
    if (moment.is_row) moment.t = data.times[row++];
    std::vector<double> values;
    for (; next < data.samples.size() && data.samples[next].t <= moment.t + resolution; ++next) {
      moment.sensors.push_back(data.samples[next].sensor);
      values.push_back(data.samples[next].value);
    }
    moment.readings = VectorXd::Map(values.data(), static_cast<Index>(values.size()));
    moments.push_back(std::move(moment));
  }
  return moments;
}

/// Goes through all moments, and keeps the rows.
class Course {
 public:
  Course(StochasticArm& arm, const EstimateRequest& request, const std::function<void()>& looks,
         EstimatedCourse& result)
      : arm_(arm), request_(request), looks_(looks), result_(result) {}

  void run(const std::vector<Moment>& moments) {
    if (request_.method == EstimationMethod::mhe)
      smooth(moments);
    else
      filter(moments);
    result_.innovation_rms = std::sqrt(squares_ / static_cast<double>(std::max(1L, result_.readings)));
    if (!std::isfinite(result_.innovation_rms))
      throw ComputationError(
          "readings differ from what is expected by more than numbers can say: see that units and columns "
          "are those of "
          "the sensors, and that the scenario starts as the arm did");
  }

 private:
  void note(const Moment& moment, const VectorXd& innovations) {
    squares_ += innovations.squaredNorm();
    result_.readings += innovations.size();
    for (std::size_t i = 0; i < moment.sensors.size(); ++i)
      arm_.note_reading(moment.sensors[i], moment.t, moment.readings[static_cast<Index>(i)]);
    if (looks_) looks_();
  }

  void filter(const std::vector<Moment>& moments) {
    std::unique_ptr<StateFilter> filter;
    if (request_.method == EstimationMethod::ekf)
      filter = std::make_unique<ExtendedKalmanFilter>(arm_, 0.0, arm_.start(), arm_.start_covariance());
    else
      filter = std::make_unique<UnscentedKalmanFilter>(arm_, 0.0, arm_.start(), arm_.start_covariance());
    for (const Moment& moment : moments) {
      filter->predict(moment.t);
      filter->update(moment.sensors, moment.readings);
      note(moment, filter->innovations());
      if (moment.is_row)
        result_.rows.push_back(arm_estimate(arm_, moment.t, filter->x(), filter->covariance()));
    }
  }

  void smooth(const std::vector<Moment>& moments) {
    MovingHorizonSmoother smoother(arm_, 0.0, arm_.start(), arm_.start_covariance(), request_.smoother);
    std::size_t oldest = 0;
    const auto keep = [&](const SmoothedPoint& point) {
      if (moments[oldest++].is_row)
        result_.rows.push_back(arm_estimate(arm_, point.t, point.x, point.covariance));
    };
    for (const Moment& moment : moments) {
      if (const auto gone = smoother.add(moment.t, moment.sensors, moment.readings)) keep(*gone);
      note(moment, smoother.innovations());
    }
    for (const SmoothedPoint& point : smoother.window()) keep(point);
    result_.iterations = smoother.iterations();
  }

  StochasticArm& arm_;
  const EstimateRequest& request_;
  const std::function<void()>& looks_;
  EstimatedCourse& result_;
  double squares_ = 0.0;
};

}  // namespace

EstimatedCourse estimate(const fs::path& scenario_file, const fs::path& data, const EstimateRequest& request,
                         const Settings& settings, const std::function<void()>& looks) {
  const Files files(scenario_file, settings);
  const ScenarioDescription& description = files.as_written().description;
  if (description.sensors.empty())
    throw files.placed(InputError(Problem{"sensors", "at least one sensor in the scenario", "none",
                                          "docs/sensors.md says what there is"}));
  const Measured seen = measured(data, description.sensors, request);

  EstimatedCourse result;
  VectorXd start(static_cast<Index>(request.parameters.size()));
  for (std::size_t j = 0; j < request.parameters.size(); ++j) {
    const ParameterToFind& one = request.parameters[j];
    if (!(one.deviation > 0.0) || !std::isfinite(one.deviation))
      throw InputError(Problem{"--find " + one.path, "PATH=DEVIATION with a standard deviation > 0",
                               fmt::format("{}", one.deviation), ""});
    const auto is_same = [&](const UnknownParameter& other) { return other.name == one.path; };
    if (std::any_of(result.parameters.begin(), result.parameters.end(), is_same))
      throw InputError(Problem{"--find " + one.path, "each number once", "it twice", ""});
    start[static_cast<Index>(j)] = files.number_at(one.path);
    result.parameters.push_back({one.path, start[static_cast<Index>(j)], one.deviation});
  }
  std::optional<StochasticArm> arm;
  try {
    Scenario as_written = files.build(files.as_written());
    if (auto problems = check_observed(as_written, seen.sensors); !problems.empty())
      throw InputError(std::move(problems));
    if (request.parameters.empty())
      arm.emplace(std::move(as_written), request.arm);
    else
      arm.emplace([&](const VectorXd& values) { return files.at(request.parameters, values); },
                  result.parameters, request.arm);
  } catch (const FileError&) {
    throw;
  } catch (const InputError& error) {
    throw files.placed(error);
  }
  result.name = arm->model().name();
  result.coordinates = arm->model().coordinates();
  result.positions = position_names(arm->model());
  for (const int i : seen.sensors)
    result.sensors.push_back(description.sensors[static_cast<std::size_t>(i)].name);
  Course(*arm, request, looks, result).run(moments_of(seen, arm->time_resolution()));
  return result;
}

}  // namespace limber
