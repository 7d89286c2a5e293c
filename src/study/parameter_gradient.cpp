// SPDX-License-Identifier: BSD-3-Clause
#include "limber/study/parameter_gradient.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>

#include "channels.hpp"
#include "documents.hpp"
#include "limber/algorithms/energy.hpp"
#include "limber/algorithms/forward_dynamics.hpp"
#include "limber/analysis/derivatives.hpp"
#include "limber/core/computation_error.hpp"
#include "limber/core/input_error.hpp"
#include "limber/estimation/observer.hpp"
#include "limber/io/model_file.hpp"
#include "limber/io/path_target.hpp"
#include "limber/io/scenario_file.hpp"
#include "limber/io/study_choices.hpp"
#include "limber/model/field_rule.hpp"
#include "limber/model/friction.hpp"
#include "limber/simulation/run_adjoint.hpp"
#include "limber/simulation/run_sensitivity.hpp"
#include "study_base.hpp"

namespace limber {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
namespace fs = std::filesystem;

// e over p. Sixth order leaves e^6, rounding 1e-16/e.
constexpr double relative_step = 4e-3;

std::string text_of(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// A number of the file, and the values around it that the file may have.
struct Parameter {
  std::string path;
  double value = 0.0, unit = 0.0;
  DifferenceFormula formula;

  double at(std::size_t i) const { return value + formula.at[i] * unit; }
  double derivative(double own, const std::vector<double>& around) const {
    double sum = 0.0;
    for (std::size_t i = 0; i < around.size(); ++i) sum += formula.weights[i] * (around[i] - own);
    return sum / unit;
  }
  double coarse(double own, const std::vector<double>& around) const {
    double sum = 0.0;
    for (std::size_t i = 0; i < around.size(); ++i) sum += formula.coarse[i] * (around[i] - own);
    return sum / unit;
  }
};

/// The file, and what it becomes where numbers are others.
class Source {
 public:
  Source(fs::path file, const Settings& settings)
      : file_(std::move(file)), settings_(settings), is_scenario_(is_scenario(file_)) {
    if (is_scenario_)
      scenario_.emplace(read_scenario(file_, settings_));
    else
      model_.emplace(read_model(file_, settings_));
  }

  bool is_run() const { return is_scenario_; }
  const ScenarioFile& scenario() const { return *scenario_; }
  const Model& model() const { return is_scenario_ ? scenario_->model : *model_; }

  Settings with(const std::string& path, double value) const {
    Settings all = settings_;
    // The shortest text that is read as the same number again.
    all.push_back({is_scenario_ ? path : without_model(path), fmt::format("{}", value), {}});
    return all;
  }
  ScenarioFile scenario_at(const std::string& path, double value) const {
    return read_scenario(file_, with(path, value));
  }
  Model model_at(const std::string& path, double value) const {
    return is_scenario_ ? scenario_at(path, value).model : read_model(file_, with(path, value));
  }

  /// What stands at a path.
  double number_at(const std::string& path) const {
    const bool in_model = is_scenario_ && path.starts_with(model_prefix);
    const bool in_own_file = in_model && !scenario_->description.model_file.empty();
    Settings before;
    for (Setting setting : settings_) {
      if (is_scenario_ && setting.path.starts_with(model_prefix) != in_model) continue;
      if (in_own_file || !is_scenario_) setting.path = without_model(setting.path);
      before.push_back(setting);
    }
    std::string text, name = file_.string();
    if (in_own_file) {
      const auto source = std::find_if(
          scenario_->sources.begin(), scenario_->sources.end(),
          [&](const SourceText& other) { return other.name == scenario_->description.model_file; });
      text = source->text;
      name = source->name;
    } else {
      text = text_of(file_);
    }
    const std::string inner = in_own_file || !is_scenario_ ? without_model(path) : path;
    const PathTarget target = path_target(text, name, inner, before);
    if (!target.number)
      throw InputError(Problem{"by: " + path, "a number that stands in the file", "none",
                               fmt::format("`{}` of {} is a map, a list, a word, or not there: name a number "
                                           "that is, or add it with --set",
                                           target.path, name)});
    return *target.number;
  }

 private:
  fs::path file_;
  Settings settings_;
  bool is_scenario_;
  std::optional<ScenarioFile> scenario_;
  std::optional<Model> model_;
};

/// The values around a number that the file allows, and what `build` makes of them.
template <typename Built>
struct Around {
  Parameter parameter;
  std::vector<Built> built;
};
template <typename Build>
auto around(const Source& source, const std::string& path, Build&& build) {
  using Built = decltype(build(path, 0.0));
  Around<Built> result;
  result.parameter.path = path;
  const double value = result.parameter.value = source.number_at(path);
  const double unit = relative_step * (value == 0.0 ? 1.0 : std::abs(value));
  // Where smaller or larger values are none (a damping of zero), the other side alone.
  const std::pair<DifferenceFormula, double> tries[] = {{DifferenceFormula::central(), unit},
                                                        {DifferenceFormula::forward(), unit},
                                                        {DifferenceFormula::forward(), -unit}};
  std::optional<Problem> first;
  for (const auto& [formula, e] : tries) {
    result.parameter.formula = formula;
    result.parameter.unit = e;
    result.built.clear();
    try {
      for (std::size_t i = 0; i < formula.at.size(); ++i)
        result.built.push_back(build(path, result.parameter.at(i)));
      return result;
    } catch (const InputError& error) {
      if (!first && !error.problems().empty()) first = error.problems().front();
    }
  }
  throw InputError(
      Problem{"by: " + path, "a number that may be a little larger or smaller",
              fmt::format("{}, beside which the file expects {}, and finds {}", value,
                          first ? first->expected : "something else", first ? first->found : "a mistake"),
              "a number that is counted has no derivative"});
}

StudyDescription study_of(const GradientQuestion& question) {
  StudyDescription study;
  study.measure = question.of;
  study.state = question.state.string();
  study.settle = question.settle;
  study.joints = question.joints;
  study.outputs = question.outputs;
  study.count = 0;
  return study;
}

// Numbers of `limber eval`, which is no task of studies.
constexpr std::string_view eval_prefix = "eval.";
bool is_of_eval(const MeasureDescription& measure) {
  return !measure.task && measure.of.starts_with(eval_prefix);
}

nlohmann::ordered_json eval_document(Model model, const std::optional<SourceText>& text) {
  const State state = text ? parse_state(text->text, text->name, model) : neutral_state(model);
  const std::vector<Load> loads = place_loads(state.loads, model);
  const auto list = [](const VectorXd& vector) { return std::vector<double>(vector.begin(), vector.end()); };
  Workspace<double> work(model);
  VectorXd a(model.nv()), tau = state.tau;
  add_friction_forces(model, state.v, -1.0, tau);
  forward_dynamics(model, work, state.q, state.v, tau, a, loads);
  const Energy<double> all = energy(model, work, state.q, state.v);
  const VectorXd moving = state.acceleration.value_or(VectorXd::Zero(model.nv()));
  return {{"acceleration", list(a)},
          {"inverse_dynamics", list(required_forces(model, state.q, state.v, moving, loads))},
          {"energy", {{"kinetic", all.kinetic}, {"gravity", all.gravity}, {"strain", all.strain}}},
          {"mass", model.mass()}};
}

double eval_number(const nlohmann::ordered_json& document, MeasureDescription measure) {
  measure.of.erase(0, eval_prefix.size());
  return number_in(document, measure);
}

/// (1) of the header: what the measure's derivative is as a sum of those of rows.
VectorXd row_weights(MeasureKind what, const std::vector<double>& y) {
  const auto n = static_cast<Index>(y.size());
  const auto [least, most] = std::minmax_element(y.begin(), y.end());
  const Eigen::Map<const VectorXd> values(y.data(), n);
  VectorXd weights = VectorXd::Zero(n);
  switch (what) {
    case MeasureKind::peak_to_peak:
      weights[least - y.begin()] -= 1.0;
      [[fallthrough]];
    case MeasureKind::max:
      weights[most - y.begin()] += 1.0;
      break;
    case MeasureKind::min:
      weights[least - y.begin()] = 1.0;
      break;
    case MeasureKind::mean:
      weights.setConstant(1.0 / static_cast<double>(n));
      break;
    case MeasureKind::rms:
      if (const double rms = std::sqrt(values.squaredNorm() / static_cast<double>(n)); rms > 0.0)
        weights = values / (static_cast<double>(n) * rms);
      break;
    case MeasureKind::final:
    case MeasureKind::settling_time:
      weights[n - 1] = 1.0;
      break;
  }
  return weights;
}

class Gradients {
 public:
  Gradients(const fs::path& file, const GradientQuestion& question, const Settings& settings)
      : source_(file, settings), question_(question), study_(study_of(question)) {
    if (question.by.empty() || question.of.empty())
      throw InputError(Problem{question.by.empty() ? "by" : "of", "at least one", "none", ""});
    if (!question.state.empty())
      state_ = SourceText{question.state.string(), text_of(question.state), question.state};
    const auto rows = static_cast<Index>(question.of.size()),
               columns = static_cast<Index>(question.by.size());
    result_.paths = question.by;
    for (const MeasureDescription& measure : question.of) {
      check(measure);
      result_.measures.push_back(name_of(measure));
    }
    result_.values.setZero(rows);
    result_.parameters.setZero(columns);
    result_.gradient.setZero(rows, columns);
    result_.error.setZero(rows, columns);
    has_effect_.assign(question.by.size(), false);
    is_rough_.assign(question.by.size(), false);
  }

  ParameterGradients find() {
    if (std::any_of(question_.of.begin(), question_.of.end(),
                    [&](const auto& one) { return is_of_run(one); }))
      differentiate_run();
    if (std::any_of(question_.of.begin(), question_.of.end(),
                    [&](const auto& one) { return !is_of_run(one); }))
      differentiate_tasks();
    for (std::size_t j = 0; j < question_.by.size(); ++j)
      if (!has_effect_[j])
        throw InputError(
            Problem{"by: " + question_.by[j], "a number that changes something of what is asked for",
                    fmt::format("{}, which changes nothing", result_.parameters[static_cast<Index>(j)]),
                    "nothing in the arm or the run follows from it: another key decides"});
    for (std::size_t j = 0; j < question_.by.size(); ++j)
      if (is_rough_[j])
        result_.warnings.push_back(fmt::format(
            "a sampled controller decides at some sample, within 0.4 % of `{}` or a hundred-thousandth of "
            "the motion, whether a "
            "motor is at its limit: gradients by it may be far off. Compare with runs, or leave "
            "the limit out",
            question_.by[j]));
    return std::move(result_);
  }

 private:
  bool is_of_run(const MeasureDescription& measure) const {
    return source_.is_run() && !measure.task && !is_of_eval(measure);
  }

  std::string name_of(const MeasureDescription& measure) const {
    if (!measure.name.empty()) return measure.name;
    std::string name =
        measure.task ? fmt::format("{}.{}", choice_name(*measure.task), measure.of) : measure.of;
    if (measure.what) name += fmt::format(":{}", choice_name(*measure.what));
    return name;
  }

  void check(const MeasureDescription& measure) const {
    const std::string path = "of: " + name_of(measure);
    if (measure.what == MeasureKind::settling_time)
      throw InputError(Problem{path, "a measure that changes smoothly", "settling_time",
                               "it is the time of a row: take max, rms or final"});
    if (!source_.is_run() && !measure.task && !is_of_eval(measure))
      throw InputError(Problem{path,
                               "what a task finds of a model: modes.frequencies_hz[0], statics.sag.distance",
                               show_text(measure.of), "name the task, or give a scenario"});
    if (measure.task == StudyTask::simulate)
      throw InputError(Problem{path, "modes, statics, info, linearize or zeros", "simulate",
                               "channels of a run have no task before them"});
    if (is_of_run(measure) && measure.of.starts_with("energy."))
      throw InputError(Problem{path, "a channel of the motion", "one of the energy ledger",
                               "work is an integral that sensitivities do not follow"});
  }

  Scenario scenario_with(ScenarioFile file) const {
    const bool needs_wrenches = std::any_of(question_.of.begin(), question_.of.end(),
                                            [](const auto& one) { return one.of.starts_with("wrench."); });
    file.description.output.wrenches = needs_wrenches;
    return build_observed_scenario(file.description, file.model);
  }

  void differentiate_run() {
    std::vector<std::string> names;
    std::vector<std::size_t> rows;  // of `of`
    for (std::size_t i = 0; i < question_.of.size(); ++i)
      if (is_of_run(question_.of[i])) {
        names.push_back(question_.of[i].of);
        rows.push_back(i);
      }
    std::vector<ScenarioFamily> families;
    std::vector<Parameter> parameters;
    Scenario base = scenario_with(source_.scenario());
    require_channels(base, names);
    for (std::size_t j = 0; j < question_.by.size(); ++j) {
      auto found = around(source_, question_.by[j], [&](const std::string& path, double value) {
        return scenario_with(source_.scenario_at(path, value));
      });
      result_.parameters[static_cast<Index>(j)] = found.parameter.value;
      families.push_back(
          {"by: " + question_.by[j], found.parameter.unit, found.parameter.formula, std::move(found.built)});
      parameters.push_back(found.parameter);
    }
    if (goes_back(base, names.size()))
      go_back(std::move(base), std::move(families), parameters, names, rows);
    else
      go_forward(std::move(base), std::move(families), parameters, names, rows);
  }

  // Measured: as long as the way forward takes it with two numbers (two links that bend, rk4) to twelve (27 coordinates, radau9).
  bool goes_back(const Scenario& scenario, std::size_t measures) const {
    constexpr std::size_t few = 10;
    if (question_.way == GradientWay::forward) return false;
    if (question_.way == GradientWay::adjoint) {
      if (question_.histories)
        throw InputError(Problem{"way", "forward, where derivatives are asked for row by row", "adjoint",
                                 "it finds those of measures alone"});
      return true;
    }
    return !question_.histories && RunAdjoint::knows(scenario) &&
           question_.by.size() > std::max(few, 2 * measures);
  }

  void go_forward(Scenario base, std::vector<ScenarioFamily> families,
                  const std::vector<Parameter>& parameters, const std::vector<std::string>& names,
                  const std::vector<std::size_t>& rows) {
    RunSensitivity run(std::move(base), std::move(families));
    Channels own(run.scenario(), names);
    std::vector<std::vector<std::unique_ptr<Channels>>> varied(parameters.size());
    std::vector<std::vector<ResultSink*>> sinks(parameters.size());
    for (std::size_t j = 0; j < parameters.size(); ++j)
      for (std::size_t k = 0; k < parameters[j].formula.at.size(); ++k) {
        varied[j].push_back(std::make_unique<Channels>(run.scenario_of(j, k), names));
        sinks[j].push_back(varied[j].back().get());
      }
    run.run(own, sinks);
    result_.method = run.method();
    result_.steps = run.steps();
    const auto count = static_cast<Index>(own.times().size());
    if (question_.histories) {
      result_.times = Eigen::Map<const VectorXd>(own.times().data(), count);
      result_.courses.resize(count, static_cast<Index>(names.size()));
    }
    for (std::size_t c = 0; c < names.size(); ++c) {
      const std::vector<double>& y = own.values(c);
      const auto row = static_cast<Index>(rows[c]);
      const VectorXd weights = note_value(row, y, own.times());
      MatrixXd course(count, static_cast<Index>(parameters.size()));
      for (std::size_t j = 0; j < parameters.size(); ++j) {
        const auto column = static_cast<Index>(j);
        VectorXd fine(count), rough(count);
        for (Index t = 0; t < count; ++t) {
          std::vector<double> around_t;
          for (const auto& one : varied[j]) around_t.push_back(one->values(c)[static_cast<std::size_t>(t)]);
          const double here = y[static_cast<std::size_t>(t)];
          fine[t] = parameters[j].derivative(here, around_t);
          rough[t] = parameters[j].coarse(here, around_t);
        }
        result_.gradient(row, column) = weights.dot(fine);
        result_.error(row, column) = std::abs(weights.dot(rough) - result_.gradient(row, column));
        if (run.has_effect(j) || !fine.isZero(0.0)) has_effect_[j] = true;
        if (run.is_rough(j)) is_rough_[j] = true;
        course.col(column) = fine;
      }
      if (!question_.histories) continue;
      result_.courses.col(static_cast<Index>(c)) = Eigen::Map<const VectorXd>(y.data(), count);
      result_.gradients.push_back(std::move(course));
    }
  }

  void go_back(Scenario base, std::vector<ScenarioFamily> families, const std::vector<Parameter>& parameters,
               const std::vector<std::string>& names, const std::vector<std::size_t>& rows) {
    RunAdjoint run(std::move(base), std::move(families));
    Channels own(run.scenario(), names);
    std::vector<std::vector<RowReading>> varied(parameters.size());
    for (std::size_t j = 0; j < parameters.size(); ++j)
      for (std::size_t k = 0; k < parameters[j].formula.at.size(); ++k)
        varied[j].push_back([channels = std::make_shared<Channels>(run.scenario_of(j, k), names)](
                                const Sample& row) { return channels->read(row); });
    run.run(own);
    result_.method = run.method();
    result_.steps = run.steps();
    result_.way = GradientWay::adjoint;
    std::vector<MatrixXd> weights;
    for (std::size_t c = 0; c < names.size(); ++c) {
      const auto column = static_cast<Index>(c);
      weights.emplace_back(
          MatrixXd::Zero(static_cast<Index>(own.times().size()), static_cast<Index>(names.size())));
      weights.back().col(column) = note_value(static_cast<Index>(rows[c]), own.values(c), own.times());
    }
    const RunAdjoint::Gradient found = run.gradient(
        weights, [&](const Sample& row) { return own.read(row); }, varied);
    for (std::size_t c = 0; c < names.size(); ++c) {
      const auto row = static_cast<Index>(rows[c]), column = static_cast<Index>(c);
      result_.gradient.row(row) = found.by_number.row(column);
      result_.error.row(row) = (found.coarse - found.by_number).row(column).cwiseAbs();
    }
    for (std::size_t j = 0; j < parameters.size(); ++j) {
      if (run.has_effect(j)) has_effect_[j] = true;
      if (run.is_rough(j)) is_rough_[j] = true;
    }
  }

  // The value of a measure, and the weights of rows in its derivatives.
  VectorXd note_value(Index row, const std::vector<double>& y, const std::vector<double>& times) {
    const MeasureKind what = question_.of[static_cast<std::size_t>(row)].what.value_or(MeasureKind::final);
    result_.values[row] = reduced(what, y, times);
    return row_weights(what, y);
  }

  void require_channels(const Scenario& scenario, const std::vector<std::string>& names) const {
    try {
      const Channels attempt(scenario, names);
    } catch (const InputError& error) {
      std::vector<Problem> problems = error.problems();
      for (Problem& problem : problems) problem.path = "of";
      throw InputError(std::move(problems));
    }
  }

  void differentiate_tasks() {
    const auto numbers_of = [&](const Model& model) {
      TaskDocuments documents(study_, model, state_, beams_);
      VectorXd numbers = VectorXd::Zero(static_cast<Index>(question_.of.size()));
      std::optional<nlohmann::ordered_json> evaluated;
      for (std::size_t i = 0; i < question_.of.size(); ++i) {
        const MeasureDescription& one = question_.of[i];
        double& number = numbers[static_cast<Index>(i)];
        if (is_of_eval(one)) {
          if (!evaluated) evaluated = eval_document(model, state_);
          number = eval_number(*evaluated, one);
        } else if (!is_of_run(one)) {
          number = number_in(documents.of(*one.task), one);
        }
      }
      return numbers;
    };
    const VectorXd own = numbers_of(source_.model());
    for (std::size_t i = 0; i < question_.of.size(); ++i)
      if (!is_of_run(question_.of[i])) result_.values[static_cast<Index>(i)] = own[static_cast<Index>(i)];
    for (std::size_t j = 0; j < question_.by.size(); ++j) {
      const auto column = static_cast<Index>(j);
      const auto found = around(source_, question_.by[j], [&](const std::string& path, double value) {
        return numbers_of(source_.model_at(path, value));
      });
      result_.parameters[column] = found.parameter.value;
      for (std::size_t i = 0; i < question_.of.size(); ++i) {
        if (is_of_run(question_.of[i])) continue;
        const auto row = static_cast<Index>(i);
        std::vector<double> around_p;
        for (const VectorXd& numbers : found.built) around_p.push_back(numbers[row]);
        result_.gradient(row, column) = found.parameter.derivative(own[row], around_p);
        result_.error(row, column) =
            std::abs(found.parameter.coarse(own[row], around_p) - result_.gradient(row, column));
        if (std::any_of(around_p.begin(), around_p.end(), [&](double y) { return y != own[row]; }))
          has_effect_[j] = true;
      }
    }
  }

  Source source_;
  GradientQuestion question_;
  StudyDescription study_;
  std::optional<SourceText> state_;
  PreparedBeams beams_;
  ParameterGradients result_;
  std::vector<bool> has_effect_, is_rough_;
};

void warn_of_kinks(ParameterGradients& found) {
  constexpr double rough = 1e-5;  // of the gradient: fourth order leaves (4e-3)^4
  for (Index i = 0; i < found.gradient.rows(); ++i)
    for (Index j = 0; j < found.gradient.cols(); ++j) {
      const double size = std::max(
          std::abs(found.gradient(i, j)),
          1e-9 * std::abs(found.values[i] / (found.parameters[j] == 0.0 ? 1.0 : found.parameters[j])));
      if (found.error(i, j) > rough * size)
        found.warnings.push_back(
            fmt::format("`{}` is not smooth where `{}` is {}: its gradient is known to {:.1g} of it only. "
                        "Two frequencies "
                        "that cross, or a motor at its limit, make kinks",
                        found.measures[static_cast<std::size_t>(i)], found.paths[static_cast<std::size_t>(j)],
                        found.parameters[j], found.error(i, j) / size));
    }
}

}  // namespace

ParameterGradients parameter_gradients(const fs::path& file, const GradientQuestion& question,
                                       const Settings& settings) {
  ParameterGradients found = Gradients(file, question, settings).find();
  warn_of_kinks(found);
  return found;
}

MeasureDescription parse_measure(const std::string& text) {
  MeasureDescription measure;
  measure.of = text;
  if (const std::size_t colon = measure.of.rfind(':'); colon != std::string::npos) {
    const std::string word = measure.of.substr(colon + 1);
    measure.of.resize(colon);
    std::vector<std::string> names;
    for (const auto& choice : choices<MeasureKind>) {
      names.emplace_back(choice.name);
      if (word == choice.name) measure.what = choice.value;
    }
    if (!measure.what)
      throw InputError(Problem{"of: " + text,
                               "behind the colon one of " + fmt::format("{}", fmt::join(names, ", ")),
                               show_text(word), suggestion(word, names, "measures")});
  }
  const std::size_t dot = measure.of.find('.');
  for (const auto& choice : choices<StudyTask>)
    if (dot != std::string::npos && measure.of.substr(0, dot) == choice.name &&
        choice.value != StudyTask::simulate) {
      measure.task = choice.value;
      measure.of.erase(0, dot + 1);
      break;
    }
  if (measure.of.empty())
    throw InputError(Problem{"of", "a channel of a run, or a number that a task finds", "nothing", ""});
  return measure;
}

}  // namespace limber
