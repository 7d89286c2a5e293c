// SPDX-License-Identifier: BSD-3-Clause
// What was measured in an experiment, or would be.

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "experiment.hpp"
#include "limber/io/number_table.hpp"
#include "limber/model/field_rule.hpp"
#include "output_sensor.hpp"

namespace limber {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
namespace fs = std::filesystem;

/// A reading's own standard deviation: its noise, and what rounding adds.
std::optional<double> noise_of(const SensorDescription& sensor) {
  const double variance = sensor.noise * sensor.noise + sensor.quantum * sensor.quantum / 12.0;
  return variance > 0.0 ? std::optional(std::sqrt(variance)) : std::nullopt;
}

/// Rows that show a sample which no row before has shown: a slow sensor is held in between.
std::vector<Index> fresh_rows(const SensorDescription& sensor, const std::vector<double>& times) {
  std::vector<Index> rows;
  for (std::size_t i = 0; i < times.size(); ++i)
    if (i == 0 || sampled_at(sensor, times[i]) > sampled_at(sensor, times[i - 1]))
      rows.push_back(static_cast<Index>(i));
  return rows;
}

VectorXd as_vector(const std::vector<double>& numbers) {
  return Eigen::Map<const VectorXd>(numbers.data(), static_cast<Index>(numbers.size()));
}

}  // namespace

void Experiment::find_sensors(const std::vector<std::string>& names, const std::string& place) {
  const Prepared prepared = prepared_at({});
  const std::vector<SensorDescription> own =
      prepared.scenario ? prepared.scenario->description.sensors : std::vector<SensorDescription>();
  std::vector<Problem> problems;
  for (const std::string& name : names) try {
      SensorDescription sensor = output_sensor(name, own, prepared.arm());
      if (!sensor.name.starts_with("output.")) sensor.name = "output." + sensor.name;
      sensors_.push_back(std::move(sensor));
    } catch (const InputError& error) {
      Problem problem = error.problems().front();
      problem.path = join_path(place, name);
      problems.push_back(std::move(problem));
    }
  if (!problems.empty()) throw fit_.located(problems);
}

void Experiment::add_channel(const std::string& name, VectorXd times, VectorXd measured,
                             std::optional<double> noise) {
  for (const auto& [of, sigma] : data_.sigma)
    if (of == name || of == "all") noise = sigma;
  FitChannel channel;
  channel.name = name;
  channel.experiment = index_;
  channel.times = std::move(times);
  // Without a standard deviation, one that makes outputs of different units count alike.
  const double spread = channel.times.size() > 1
                            ? std::sqrt((measured.array() - measured.mean()).square().mean())
                            : measured.norm() / std::sqrt(static_cast<double>(measured.size()));
  channel.sigma.setConstant(measured.size(), noise.value_or(spread > 0.0 ? spread : 1.0));
  channel.measured = std::move(measured);
  has_sigma_ = has_sigma_ && noise.has_value();
  channels_.push_back(std::move(channel));
}

void Experiment::read_history() {
  const fs::path file = fs::path(fit_.file).parent_path() / data_.file;
  std::error_code failed;
  if (!fs::is_regular_file(file, failed))
    throw fit_.located({{place("file"), "a readable CSV file, relative to the study", show_text(data_.file),
                         "looked for " + show_text(file.string(), 500)}});
  const NumberTable table = read_number_table(file);
  std::vector<std::string> names;
  for (const auto& column : data_.columns) names.push_back(column.first);
  find_sensors(names, place("columns"));
  std::vector<VectorXd> columns;
  VectorXd all_times;
  try {
    all_times = table.column(data_.time, place("time"));
    for (const auto& [output, column] : data_.columns)
      columns.push_back(table.column(column, join_path(place("columns"), output)));
  } catch (const InputError& error) {
    throw fit_.located(error.problems());
  }
  std::vector<Index> rows;
  for (Index i = 0; i < all_times.size(); ++i) {
    if (i > 0 && !(all_times[i] > all_times[i - 1]))
      throw fit_.located(
          {{place("time"), "ascending times in column `" + data_.time + "` of " + data_.file,
            fmt::format("{} after {}, in row {}", all_times[i], all_times[i - 1], i + 1), ""}});
    if (all_times[i] >= data_.from.value_or(all_times[i]) && all_times[i] <= data_.to.value_or(all_times[i]))
      rows.push_back(i);
  }
  if (rows.empty())
    throw fit_.located(
        {{place(data_.from ? "from" : "to"), "a time within the data", "no row of " + data_.file, ""}});
  if (all_times[rows.front()] < 0.0)
    throw fit_.located(
        {{place("time"), "times from 0 on: the scenario begins there",
          fmt::format("{} s", all_times[rows.front()]), "`from: 0` leaves out what was before"}});
  const VectorXd times = all_times(rows);
  times_.assign(times.begin(), times.end());
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const VectorXd all = columns[c](rows);
    const std::vector<Index>& fresh = rows_.emplace_back(fresh_rows(sensors_[c], times_));
    add_channel(names[c], times(fresh), all(fresh), noise_of(sensors_[c]));
  }
  if (!is_smooth(scenario_at({}))) slopes_ = CourseSlopes::by_runs;
}

// Rows of an experiment that nobody has made yet.
void Experiment::plan_history() {
  const ExperimentDesignDescription& design = *fit_.description.design;
  find_sensors(design.outputs, "design.outputs");
  const Scenario scenario = scenario_at({});
  const double rate = design.rate.value_or(scenario.output.rate), end = design.to.value_or(scenario.duration);
  constexpr double most = 1e6, rounding = 1e-9;
  const double rows = std::floor(rate * end * (1.0 + rounding)) + 1.0;
  if (!(rows <= most))
    throw fit_.located({{design.rate ? "design.rate" : "design", fmt::format("at most {:g} rows", most),
                         fmt::format("{:g}: {} Hz for {} s", rows, rate, end), ""}});
  for (int i = 0; i < static_cast<int>(rows); ++i) times_.push_back(i / rate);
  const VectorXd times = as_vector(times_);
  for (std::size_t c = 0; c < design.outputs.size(); ++c) {
    const std::vector<Index>& fresh = rows_.emplace_back(fresh_rows(sensors_[c], times_));
    const VectorXd nothing = VectorXd::Zero(static_cast<Index>(fresh.size()));
    add_channel(design.outputs[c], times(fresh), nothing, noise_of(sensors_[c]));
    if (!has_sigma_)
      throw fit_.located({{"design.sigma", "a standard deviation of `" + design.outputs[c] + "`", "none",
                           "or give its sensor `noise`"}});
  }
  if (!is_smooth(scenario)) difference_runs();
}

void Experiment::read_frequencies() {
  const VectorXd measured = as_vector(data_.frequencies_hz);
  add_channel("frequencies_hz", {}, measured, std::nullopt);
  FitChannel& channel = channels_.back();
  if (!data_.sigma.empty() && data_.sigma.front().first != "all") {
    for (std::size_t i = 0; i < data_.sigma.size(); ++i)
      channel.sigma[static_cast<Index>(i)] = data_.sigma[i].second;
    has_sigma_ = true;
  } else if (data_.sigma.empty()) {
    channel.sigma = channel.measured;  // all to the same part of themselves
  }
  MatrixXd shapes;
  try {
    frequencies(prepared_at({}).arm(), shapes);
  } catch (const InputError& error) {
    throw fit_.located(error.problems());
  }
}

void Experiment::read_readings() {
  std::vector<std::string> names;
  for (const auto& reading : data_.readings) names.push_back(reading.first);
  find_sensors(names, place("readings"));
  for (std::size_t i = 0; i < names.size(); ++i)
    add_channel(names[i], {}, VectorXd::Constant(1, data_.readings[i].second), noise_of(sensors_[i]));
}

}  // namespace limber
