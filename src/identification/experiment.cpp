// SPDX-License-Identifier: BSD-3-Clause
#include "experiment.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <utility>

#include "limber/algorithms/mass_matrix.hpp"
#include "limber/algorithms/measurement.hpp"
#include "limber/analysis/equilibrium.hpp"
#include "limber/analysis/modes.hpp"
#include "limber/core/computation_error.hpp"
#include "limber/estimation/observer.hpp"
#include "limber/io/model_file.hpp"
#include "limber/io/path_target.hpp"
#include "limber/math/units.hpp"
#include "limber/model/field_rule.hpp"
#include "limber/model/lookup.hpp"
#include "limber/simulation/scenario.hpp"

namespace limber {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
namespace fs = std::filesystem;

constexpr std::string_view model_prefix = "model.";

std::string without_model(const std::string& path) {
  return path.starts_with(model_prefix) ? path.substr(model_prefix.size()) : path;
}

JointTreatment treatment_of(const std::string& name) {
  for (const JointTreatment treatment : all_joint_treatments)
    if (name == name_of(treatment)) return treatment;
  return JointTreatment::held;  // the fit has been checked
}

std::string whole_text(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace

Experiment::Experiment(const FitFile& fit, std::size_t index, Settings settings)
    : fit_(fit),
      index_(static_cast<int>(index)),
      data_(fit.description.data[index]),
      place_(fit.place_of_data(index)),
      settings_(std::move(settings)) {
  read_files();
  if (!data_.file.empty())
    read_history();
  else if (!data_.frequencies_hz.empty())
    read_frequencies();
  else
    read_readings();
}

Experiment::Experiment(const FitFile& fit, const PlannedExperiment& planned)
    : fit_(fit), index_(-1), data_(), place_(planned.place), settings_(planned.settings) {
  data_.scenario = planned.scenario;
  data_.sigma = fit.description.design->sigma;
  read_files();
  plan_history();
}

void Experiment::read_files() {
  const fs::path directory = fs::path(fit_.file).parent_path();
  const bool has_own = !data_.scenario.empty();
  const std::string& scenario = has_own ? data_.scenario : fit_.description.scenario;
  is_scenario_ = !scenario.empty();
  const std::string& name = is_scenario_ ? scenario : fit_.description.model;
  const fs::path file = directory / name;
  std::error_code failed;
  if (!fs::is_regular_file(file, failed))
    throw fit_.located({{has_own        ? place("scenario")
                         : is_scenario_ ? "scenario"
                                        : "model",
                         "a readable file, relative to the study", show_text(name),
                         "looked for " + show_text(file.string(), 500)}});
  if (is_scenario_) {
    const ScenarioFile read = read_scenario(file, settings_);
    sources_ = read.sources;
    if (!settings_.empty()) sources_.pop_back();
    model_file_ = read.description.model_file;
  } else {
    read_model(file, settings_);
    sources_ = {{name, whole_text(file), file}};
  }
  if (data_.state.empty()) return;
  const fs::path state = directory / data_.state;
  if (!fs::is_regular_file(state, failed))
    throw fit_.located(
        {{place("state"), "a readable file, relative to the study", show_text(data_.state), ""}});
  state_ = {data_.state, whole_text(state), state};
}

std::optional<double> Experiment::number_at(const std::string& path) const {
  const bool in_model_file = is_scenario_ && path.starts_with(model_prefix) && !model_file_.empty();
  const SourceText* source = &sources_.front();
  if (in_model_file)
    source = &*std::find_if(sources_.begin(), sources_.end(),
                            [&](const SourceText& other) { return other.name == model_file_; });
  Settings before;
  for (Setting setting : settings_) {
    const bool in_model = setting.path.starts_with(model_prefix);
    if (is_scenario_ && in_model != path.starts_with(model_prefix)) continue;
    if (in_model_file || !is_scenario_) setting.path = without_model(setting.path);
    before.push_back(setting);
  }
  const bool is_short = in_model_file || !is_scenario_;
  return path_target(source->text, source->name, is_short ? without_model(path) : path, before).number;
}

std::vector<FitParameter> Experiment::unknown_starts() const {
  std::vector<FitParameter> all;
  if (data_.initial.empty()) return all;
  const Scenario scenario = scenario_at({});
  for (const std::string& name : data_.initial) {
    constexpr std::string_view rate = ".rate";
    const bool is_rate = name.ends_with(rate);
    const std::string coordinate = is_rate ? name.substr(0, name.size() - rate.size()) : name;
    int at = 0;
    try {
      at =
          is_rate ? coordinate_index(scenario.model, coordinate) : position_index(scenario.model, coordinate);
    } catch (const InputError& error) {
      Problem problem = error.problems().front();
      problem.path = place("initial");
      throw fit_.located({problem});
    }
    FitParameter parameter;
    parameter.setting = fmt::format("initial.{}.{}", is_rate ? "v" : "q", coordinate);
    parameter.path = fit_.has_one_data ? parameter.setting : fmt::format("{}.{}", place_, parameter.setting);
    parameter.place = place("initial");
    parameter.experiment = index_;
    parameter.start = is_rate ? scenario.v[at] : scenario.q[at];
    all.push_back(parameter);
  }
  return all;
}

void Experiment::use(const std::vector<FitParameter>& parameters) {
  parameters_ = parameters;
  for (FitParameter& parameter : parameters_)
    if (!is_scenario_) parameter.setting = without_model(parameter.setting);
}

Settings Experiment::settings_at(const VectorXd& values) const {
  Settings all = settings_;
  for (Index j = 0; j < values.size(); ++j) {
    const FitParameter& parameter = parameters_[static_cast<std::size_t>(j)];
    if (parameter.experiment < 0 || parameter.experiment == index_)
      all.push_back({parameter.setting, fmt::format("{}", values[j]), {}});
  }
  return all;
}

Experiment::Prepared Experiment::prepared_at(const VectorXd& values) const {
  const Settings settings = settings_at(values);
  Prepared prepared;
  if (is_scenario_) {
    std::vector<SourceText> sources = sources_;
    if (!settings.empty()) sources.push_back({settings_source, settings_text(settings), {}});
    prepared.scenario = parse_scenario(sources);
  } else {
    const SourceText& source = sources_.front();
    prepared.model = build_model(
        parse_model_description(source.text, source.file.string(), source.file.parent_path(), settings));
  }
  return prepared;
}

Scenario Experiment::scenario_at(const VectorXd& values) const {
  Prepared prepared = prepared_at(values);
  Scenario scenario = build_observed_scenario(prepared.scenario->description, prepared.scenario->model);
  // Controllers look at the scenario's own sensors; what was measured comes behind them.
  scenario.sensors.insert(scenario.sensors.end(), sensors_.begin(), sensors_.end());
  return scenario;
}

Index Experiment::size() const {
  Index all = 0;
  for (const FitChannel& channel : channels_) all += channel.measured.size();
  return all;
}

// ---- what an arm would have shown ----

// With `shapes` of a neighbouring arm, its modes: of this one those that are most like them.
VectorXd Experiment::frequencies(const Model& model, MatrixXd& shapes) const {
  Model arm = model;
  State state = state_ ? parse_state(state_->text, state_->file.string(), arm) : neutral_state(arm);
  const std::vector<Load> loads = place_loads(state.loads, arm);
  const JointTreatment joints = treatment_of(data_.joints);
  if (data_.settle) {
    if (joints == JointTreatment::locked) state.hold = {"all"};
    state.q = static_equilibrium(arm, state.q, loads, StaticModel::exact, {}, state.hold).q;
  }
  const NaturalModes modes = natural_modes(arm, state.q, joints, 0, loads, state.hold);
  Workspace<double> work(arm);
  MatrixXd M(arm.nv(), arm.nv());
  mass_matrix<double>(arm, work, state.q, M);
  const auto count = static_cast<Index>(data_.frequencies_hz.size());
  VectorXd found(count);
  MatrixXd taken(modes.shapes.rows(), count);
  for (Index i = 0; i < count; ++i) {
    const Index number =
        data_.modes.empty() ? i : static_cast<Index>(data_.modes[static_cast<std::size_t>(i)]) - 1;
    if (number >= modes.shapes.cols())
      throw InputError(Problem{place(data_.modes.empty() ? "frequencies_hz" : "modes"),
                               fmt::format("at most {} modes: as many as the arm has", modes.shapes.cols()),
                               fmt::format("mode {}", number + 1), "more shapes in the model's `modes`"});
    Index best = number;
    if (shapes.cols() == count) {
      const VectorXd like = (M * shapes.col(i)).transpose() * modes.shapes;
      const VectorXd sizes =
          (modes.shapes.transpose() * M * modes.shapes).diagonal().cwiseMax(1e-300).cwiseSqrt();
      like.cwiseAbs().cwiseQuotient(sizes).maxCoeff(&best);
    }
    found[i] = modes.angular_frequencies[best] * hertz;
    taken.col(i) = modes.shapes.col(best);
  }
  if (shapes.cols() != count) shapes = taken;
  return found;
}

VectorXd Experiment::readings(const Model& model) const {
  Model arm = model;
  State state = state_ ? parse_state(state_->text, state_->file.string(), arm) : neutral_state(arm);
  const std::vector<Load> loads = place_loads(state.loads, arm);
  const Equilibrium rest = static_equilibrium(arm, state.q, loads, StaticModel::exact, {}, state.hold);
  const VectorXd nothing = VectorXd::Zero(arm.nv());
  Measurement measurement(arm, sensors_);
  VectorXd values(measurement.size());
  measurement.evaluate(rest.q, nothing, nothing, rest.efforts, loads, values);
  return values;
}

template <typename Function>
Prediction Experiment::predict_by_differences(const VectorXd& values, Function&& at) const {
  Prediction prediction{at(values), {}, 0};
  prediction.slopes.setZero(prediction.values.size(), values.size());
  for (Index j = 0; j < values.size(); ++j) {
    const FitParameter& parameter = parameters_[static_cast<std::size_t>(j)];
    if (parameter.experiment >= 0 && parameter.experiment != index_) continue;
    const auto moved = [&](double offset) {
      VectorXd there = values;
      there[j] += offset;
      return there;
    };
    const DifferenceStencil stencil = difference_stencil(values[j], parameter.scale, [&](double offset) {
      try {
        prepared_at(moved(offset));
        return true;
      } catch (const InputError&) {
        return false;
      }
    });
    for (std::size_t k = 0; k < stencil.offsets.size(); ++k)
      prediction.slopes.col(j) += stencil.weights[k] * at(moved(stencil.offsets[k]));
  }
  return prediction;
}

Prediction Experiment::predict_history(const VectorXd& values) const {
  // Parameters of other experiments change nothing here, and cost nothing.
  std::vector<Index> own;
  for (std::size_t j = 0; j < parameters_.size(); ++j)
    if (parameters_[j].experiment < 0 || parameters_[j].experiment == index_)
      own.push_back(static_cast<Index>(j));
  VectorXd scales(static_cast<Index>(own.size()));
  for (std::size_t j = 0; j < own.size(); ++j)
    scales[static_cast<Index>(j)] = parameters_[static_cast<std::size_t>(own[j])].scale;
  const auto at = [&](const VectorXd& moved) {
    VectorXd all = values;
    all(own) = moved;
    return scenario_at(all);
  };
  const ReadingCourse course = reading_course(at, values(own), scales, times_, slopes_);
  const auto outputs = static_cast<Index>(sensors_.size());
  Prediction prediction{VectorXd(size()), MatrixXd::Zero(size(), values.size()), course.runs};
  Index first = 0;
  for (Index c = 0; c < outputs; ++c) {
    const std::vector<Index>& rows = rows_[static_cast<std::size_t>(c)];
    const auto count = static_cast<Index>(rows.size());
    const Index column = course.readings.cols() - outputs + c;
    prediction.values.segment(first, count) = course.readings.col(column)(rows);
    for (std::size_t j = 0; j < course.slopes.size(); ++j)
      prediction.slopes.col(own[j]).segment(first, count) = course.slopes[j].col(column)(rows);
    first += count;
  }
  return prediction;
}

Prediction Experiment::predict(const VectorXd& values) const {
  if (known_ && known_->first == values) return {known_->second.values, known_->second.slopes, 0};
  if (is_history()) return predict_history(values);
  if (!data_.readings.empty())
    return predict_by_differences(values,
                                  [&](const VectorXd& there) { return readings(prepared_at(there).arm()); });
  MatrixXd shapes;
  return predict_by_differences(
      values, [&](const VectorXd& there) { return frequencies(prepared_at(there).arm(), shapes); });
}

Residuals Experiment::weighted(const Prediction& prediction) const {
  Residuals all{prediction.values, prediction.slopes};
  Index first = 0;
  for (const FitChannel& channel : channels_) {
    const Index n = channel.measured.size();
    const VectorXd weights = channel.sigma.cwiseInverse();
    auto values = all.values.segment(first, n);
    values = (values - channel.measured).cwiseProduct(weights).eval();
    all.slopes.middleRows(first, n).array().colwise() *= weights.array();
    first += n;
  }
  for (Index j = 0; j < all.slopes.cols(); ++j)
    all.slopes.col(j) *= parameters_[static_cast<std::size_t>(j)].scale;
  return all;
}

Prediction Experiment::without_slopes(const VectorXd& values) {
  slopes_ = CourseSlopes::none;
  try {
    Prediction found = predict_history(values);
    slopes_ = CourseSlopes::variational;
    return found;
  } catch (...) {
    slopes_ = CourseSlopes::variational;
    throw;
  }
}

std::string Experiment::check_slopes(const VectorXd& values, long& runs) {
  if (!is_history() || slopes_ == CourseSlopes::by_runs) return "";
  // Along one direction that moves every parameter a little: a mode that goes through hundreds of radians is bent by more.
  VectorXd direction(values.size());
  for (Index j = 0; j < values.size(); ++j) {
    const FitParameter& parameter = parameters_[static_cast<std::size_t>(j)];
    constexpr double part = 1e-4;
    const double step = part * parameter.scale, up = values[j] + step, down = values[j] - step;
    direction[j] = up <= parameter.upper ? step : down >= parameter.lower ? -step : 0.0;
  }
  const Prediction here = predict(values);
  runs += here.runs;
  const VectorXd expected = here.slopes * direction;
  double error = 0.0;
  const auto agrees = [&](const VectorXd& change) {
    constexpr double tolerated = 0.05;
    ++runs;
    error = (expected - change).norm() / change.norm();
    return !(error > tolerated);  // a change of nothing agrees
  };
  try {
    // To one side; where that leaves a doubt, to both, which are not bent by second derivatives.
    const VectorXd ahead = without_slopes(values + direction).values;
    if (!agrees(ahead - here.values) && !agrees((ahead - without_slopes(values - direction).values) / 2.0)) {
      difference_runs();
      return fmt::format(
          "{}: the motion does not depend smoothly on the parameters (derivatives are off by {:.2g} of "
          "themselves): whole runs are differenced",
          place_, error);
    }
  } catch (const InputError&) {
    // at the edge of what the values may be
  }
  known_.emplace(values, here);
  return "";
}

}  // namespace limber
