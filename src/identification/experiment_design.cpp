// SPDX-License-Identifier: BSD-3-Clause
#include "limber/identification/experiment_design.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

#include "experiment.hpp"
#include "fit_parameters.hpp"
#include "information.hpp"
#include "limber/core/computation_error.hpp"
#include "limber/core/interruption.hpp"
#include "limber/model/field_rule.hpp"
#include "limber/study/search.hpp"

namespace limber {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
constexpr double nothing = -std::numeric_limits<double>::infinity();

MatrixXd stacked(const MatrixXd& above, const MatrixXd& below) {
  MatrixXd all(above.rows() + below.rows(), below.cols());
  all << above, below;
  return all;
}

/// What an experiment tells and shows.
struct Told {
  MatrixXd triangle;     ///< R with R^T R = J^T J
  VectorXd beyond;       ///< of every limit, by how much of what is allowed it is left; <= 0: kept
  std::string scenario;  ///< its file
};

class Designer {
 public:
  Designer(const FitFile& file, const Settings& settings, const std::function<void(long, double)>& progress)
      : file_(file), settings_(settings), progress_(progress) {
    if (!file.description.design)
      throw file.located(
          {{"", "the key `design`: what could be measured", "none",
            "such as design: {outputs: [encoder], vary: {trajectories.push.values[1]: {lower: 0, "
            "upper: 1}}}; docs/measurements.md"}});
    prepare(planned(first_place(), first_scenario(), {}));
  }

  ExperimentDesign run() {
    if (description().vary.empty())
      choose();
    else
      search_values();
    report();
    return std::move(found_);
  }

 private:
  const ExperimentDesignDescription& description() const { return *file_.description.design; }

  std::string first_scenario() const {
    return description().candidates.empty() ? "" : description().candidates.front().scenario;
  }
  std::string first_place() const {
    return description().candidates.empty() ? "design" : "design.candidates[0]";
  }

  PlannedExperiment planned(std::string place, std::string scenario, const Settings& own) const {
    PlannedExperiment one{std::move(scenario), std::move(place), settings_};
    one.settings.insert(one.settings.end(), own.begin(), own.end());
    return one;
  }

  // Parameters, and what was measured already.
  void prepare(const PlannedExperiment& first) {
    Experiment experiment(file_, first);
    parameters_ = parameters_of(file_, experiment);
    experiment.use(parameters_);
    check_start(file_, parameters_, experiment);
    sizes_.resize(static_cast<Index>(parameters_.size()));
    for (Index j = 0; j < sizes_.size(); ++j)
      sizes_[j] = size_of_parameter(parameters_[static_cast<std::size_t>(j)].start);
    measured_.resize(0, sizes_.size());
    for (std::size_t i = 0; i < file_.description.data.size(); ++i) {
      Experiment made(file_, i, settings_);
      if (!made.has_sigma())
        throw file_.located({{file_.place_of_data(i), "standard deviations of what was measured", "none",
                              "give `sigma`, or the sensors' `noise`"}});
      if (!made.unknown_starts().empty())
        throw file_.located({{file_.place_of_data(i) + ".initial", "known starts, beside `design`",
                              "some that are to be found", "leave this experiment out"}});
      measured_ = condensed(stacked(measured_, slopes_of(made, file_.place_of_data(i))));
    }
    if (measured_.rows() > 0)
      found_.measured_log_determinant = information(measured_, sizes_).log_determinant;
  }

  // J of one experiment, in units of the parameters' sizes.
  MatrixXd slopes_of(Experiment& experiment, const std::string& place, VectorXd* shown = nullptr) {
    experiment.use(parameters_);
    const VectorXd start = start_values(parameters_);
    if (differences_runs_)
      experiment.difference_runs();
    else if (std::string words = experiment.check_slopes(start, found_.evaluations); !words.empty()) {
      differences_runs_ = true;
      found_.warnings.push_back(std::move(words));
    }
    const Prediction prediction = experiment.predict(start);
    found_.evaluations += prediction.runs;
    if (shown) *shown = prediction.values;
    MatrixXd slopes = experiment.weighted(prediction).slopes;
    if (!slopes.allFinite()) throw ComputationError(place + ": what would be measured cannot be computed");
    for (Index j = 0; j < slopes.cols(); ++j)
      slopes.col(j) *= sizes_[j] / parameters_[static_cast<std::size_t>(j)].scale;
    return slopes;
  }

  Told tell(const PlannedExperiment& one) {
    stop_if_asked();
    Experiment experiment(file_, one);
    VectorXd shown;
    const MatrixXd slopes = slopes_of(experiment, one.place, &shown);
    return {condensed(slopes), beyond(experiment, shown),
            one.scenario.empty() ? file_.description.scenario : one.scenario};
  }

  // How far outputs leave their limits, in units of the width of these.
  VectorXd beyond(const Experiment& experiment, const VectorXd& shown) const {
    std::vector<double> all;
    for (const auto& [output, limits] : description().limits) {
      Index first = 0;
      for (const FitChannel& channel : experiment.channels()) {
        const Index n = channel.measured.size();
        const VectorXd course = shown.segment(first, n);
        first += n;
        if (channel.name != output) continue;
        const double width = limits.lower && limits.upper
                                 ? *limits.upper - *limits.lower
                                 : std::abs(limits.upper.value_or(limits.lower.value_or(1.0)));
        const double unit = width > 0.0 ? width : 1.0;
        if (limits.upper) all.push_back((course.maxCoeff() - *limits.upper) / unit);
        if (limits.lower) all.push_back((*limits.lower - course.minCoeff()) / unit);
      }
    }
    return Eigen::Map<const VectorXd>(all.data(), static_cast<Index>(all.size()));
  }

  static bool is_kept(const VectorXd& beyond) {
    constexpr double rounding = 1e-5;  // the search's own tolerance
    return beyond.size() == 0 || beyond.maxCoeff() <= rounding;
  }

  CandidateExperiment candidate(std::string name, const Settings& own, const Told& told) const {
    const Information alone = information(stacked(measured_, told.triangle), sizes_);
    return {std::move(name),       told.scenario,         own,
            alone.log_determinant, alone.standard_errors, is_kept(told.beyond)};
  }

  void tell_progress(double best) const {
    if (progress_) progress_(found_.evaluations, best);
  }

  // ---- candidates ----

  void choose() {
    std::vector<CandidateDescription> all = description().candidates;
    if (all.empty()) all.emplace_back();
    double best = nothing;
    for (std::size_t i = 0; i < all.size(); ++i) {
      const std::string place =
          description().candidates.empty() ? "design" : fmt::format("design.candidates[{}]", i);
      Settings own;
      for (const auto& [path, value] : all[i].set) own.push_back({path, value, {}});
      const std::string file = all[i].scenario.empty() ? file_.description.scenario : all[i].scenario;
      const std::string name = all[i].name.empty() ? file : all[i].name;
      try {
        const Told told = tell(planned(place, all[i].scenario, own));
        found_.candidates.push_back(candidate(name, own, told));
        triangles_.push_back(told.triangle);
      } catch (const ComputationError& error) {
        found_.candidates.push_back({name, file, own, nothing, {}, false, error.what()});
        triangles_.emplace_back(0, sizes_.size());
      } catch (const InputError& error) {
        if (!is_about_settings(error)) throw;
        throw file_.located({problem_at(error, place + ".set")});
      }
      best = std::max(best, found_.candidates.back().log_determinant);
      tell_progress(best);
    }
    refuse_idle_in(triangles_);
    exchange();
  }

  // A parameter that no experiment depends on.
  void refuse_idle_in(const std::vector<MatrixXd>& triangles) const {
    MatrixXd all = measured_;
    for (const MatrixXd& one : triangles) all = stacked(all, one);
    if (all.rows() > 0) refuse_idle(file_, parameters_, all);
  }

  double together(const std::vector<int>& chosen) const {
    MatrixXd all = measured_;
    for (const int i : chosen) all = stacked(all, triangles_[static_cast<std::size_t>(i)]);
    return log_determinant(all);
  }

  // As long as a direction is open, the one that leaves fewest of them: a determinant that treats these as barely told.
  double log_determinant(const MatrixXd& slopes) const {
    constexpr double barely = 1e-6;
    return information(stacked(slopes, barely * MatrixXd::Identity(sizes_.size(), sizes_.size())), sizes_)
        .log_determinant;
  }

  bool may_be_made(std::size_t i) const {
    return found_.candidates[i].trouble.empty() && found_.candidates[i].keeps_limits;
  }

  // (2): each the one that adds most, then exchanged.
  void exchange() {
    const auto best_at = [&](std::vector<int> chosen, std::size_t slot) {
      int best = -1;
      double largest = nothing;
      for (std::size_t i = 0; i < triangles_.size(); ++i) {
        if (!may_be_made(i)) continue;
        chosen[slot] = static_cast<int>(i);
        const double value = together(chosen);
        if (best >= 0 && !(value > largest)) continue;
        largest = value;
        best = static_cast<int>(i);
      }
      if (best < 0)
        throw ComputationError("no candidate can be computed, or keeps to the limits of its outputs");
      return std::pair(best, largest);
    };
    std::vector<int>& chosen = found_.chosen;
    double reached = nothing;
    while (static_cast<int>(chosen.size()) < description().choose) {
      chosen.push_back(0);
      std::tie(chosen.back(), reached) = best_at(chosen, chosen.size() - 1);
    }
    constexpr double gain = 1e-9;
    for (bool has_changed = true; has_changed;) {
      has_changed = false;
      for (std::size_t slot = 0; slot < chosen.size(); ++slot) {
        const auto [best, value] = best_at(chosen, slot);
        if (!(value > reached + gain)) continue;
        chosen[slot] = best;
        reached = value;
        has_changed = true;
      }
    }
  }

  // ---- values of trajectories ----

  Settings settings_at(const VectorXd& x) const {
    Settings own;
    for (std::size_t i = 0; i < description().vary.size(); ++i) {
      const auto& [path, about] = description().vary[i];
      const double value = *about.lower + x[static_cast<Index>(i)] * (*about.upper - *about.lower);
      own.push_back({path, fmt::format("{}", value), {}});
    }
    return own;
  }

  VectorXd start_of_search() const {
    const Experiment first(file_, planned("design", "", {}));
    VectorXd x(static_cast<Index>(description().vary.size()));
    std::vector<Problem> problems;
    for (std::size_t i = 0; i < description().vary.size(); ++i) {
      const auto& [path, about] = description().vary[i];
      std::optional<double> written;
      try {
        written = first.number_at(path);
      } catch (const FileError& error) {
        problems.push_back(problem_at(error, "design.vary." + path));
        continue;
      }
      const double middle = 0.5 * (*about.lower + *about.upper);
      const double start =
          std::clamp(about.start.value_or(written.value_or(middle)), *about.lower, *about.upper);
      x[static_cast<Index>(i)] = (start - *about.lower) / (*about.upper - *about.lower);
    }
    if (!problems.empty()) throw file_.located(problems);
    return x;
  }

  SearchValue value_of(const Told& told) const {
    return {-information(stacked(measured_, told.triangle), sizes_).log_determinant, told.beyond};
  }

  void search_values() {
    if (const auto problem = why_no_search()) {
      Problem here = *problem;
      here.path = "design.vary";
      throw file_.located({here});
    }
    SearchProblem problem;
    problem.start = start_of_search();
    const auto told_at = [&](const VectorXd& x) { return tell(planned("design", "", settings_at(x))); };
    const Told first = first_of(problem.start, told_at);
    if (!std::isfinite(value_of(first).objective)) {
      constexpr double elsewhere = 0.37;  // an arm at rest may begin to move there
      refuse_idle_in({first.triangle, told_at(VectorXd::Constant(problem.start.size(), elsewhere)).triangle});
    }
    problem.constraints = first.beyond.size();
    double best = nothing;
    problem.evaluate = [&](const std::vector<VectorXd>& points) {
      std::vector<std::optional<SearchValue>> values;
      for (const VectorXd& x : points) {
        values.emplace_back();
        try {
          const SearchValue value = value_of(told_at(x));
          if (std::isfinite(value.objective)) values.back() = value;
          if (is_kept(value.constraints)) best = std::max(best, -value.objective);
        } catch (const ComputationError&) {
          // an experiment that cannot be made
        } catch (const InputError&) {
          // values that the scenario does not allow together
        }
        tell_progress(best);
      }
      return values;
    };
    SearchOptions options;
    options.method = description().method == SearchMethod::automatic ? SearchMethod::derivative_free
                                                                     : description().method;
    options.tolerance = 1e-5;
    options.evaluations = description().evaluations;
    options.seed = static_cast<std::uint64_t>(description().seed);
    const SearchOutcome outcome = best_of(problem, options);
    if (!outcome.value || !outcome.is_feasible)
      throw ComputationError(
          "no experiment between the bounds of `vary` was found that can be computed, tells something, "
          "and keeps to the limits of its outputs");
    found_.end = outcome.end;
    const Told last = told_at(outcome.x);
    found_.candidates = {candidate("at the start", settings_at(problem.start), first),
                         candidate("the best", settings_at(outcome.x), last)};
    triangles_ = {first.triangle, last.triangle};
    found_.chosen = {1};
    for (std::size_t i = 0; i < description().vary.size(); ++i) {
      const auto& [path, about] = description().vary[i];
      const double width = *about.upper - *about.lower;
      const auto at = static_cast<Index>(i);
      found_.values.push_back(
          {path, *about.lower + problem.start[at] * width, *about.lower + outcome.x[at] * width});
    }
  }

  // Of a local search without derivatives: from the start, and from the best of a few points that are spread over all that is possible, and of its corners, where what
  // tells most often lies.
  SearchOutcome best_of(const SearchProblem& problem, SearchOptions options) const {
    SearchOutcome outcome = search(problem, options);
    const int left = options.evaluations - outcome.evaluations;
    constexpr int spread = 16;
    std::vector<VectorXd> points = spread_points(problem.start.size(), spread);
    for (const VectorXd& corner : corners(problem.start.size())) points.push_back(corner);
    const int count = static_cast<int>(points.size());
    if (description().method != SearchMethod::automatic || left <= 2 * count) return outcome;
    const auto values = problem.evaluate(points);
    SearchProblem again = problem;
    double best = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < points.size(); ++i)
      if (values[i] && is_kept(values[i]->constraints) && values[i]->objective < best) {
        best = values[i]->objective;
        again.start = points[i];
      }
    if (!std::isfinite(best)) return outcome;
    options.evaluations = left - count;
    const SearchOutcome second = search(again, options);
    if (!second.value || !second.is_feasible) return outcome;
    const bool is_better =
        !outcome.value || !outcome.is_feasible || second.value->objective < outcome.value->objective;
    return is_better ? second : outcome;
  }

  // Of few dimensions; of many there are too many.
  static std::vector<VectorXd> corners(Index size) {
    constexpr Index most = 4;
    std::vector<VectorXd> points;
    for (int bits = 0; size <= most && bits < (1 << size); ++bits) {
      VectorXd x(size);
      for (Index j = 0; j < size; ++j) x[j] = (bits >> j) & 1 ? 1.0 : 0.0;
      points.push_back(x);
    }
    return points;
  }

  // Evenly, in any number of dimensions d: multiples of 1/g, 1/g^2, ..., g^(d+1) = g + 1 (M. Roberts' generalisation of the golden ratio), modulo 1.
  static std::vector<VectorXd> spread_points(Index size, int count) {
    double g = 2.0;
    for (int i = 0; i < 60; ++i) g = std::pow(1.0 + g, 1.0 / static_cast<double>(size + 1));
    std::vector<VectorXd> points;
    for (int k = 1; k <= count; ++k) {
      VectorXd x(size);
      for (Index j = 0; j < size; ++j)
        x[j] = std::fmod(0.5 + k * std::pow(g, -static_cast<double>(j + 1)), 1.0);
      points.push_back(x);
    }
    return points;
  }

  // What is wrong with the scenario at the start is said as a search never would.
  template <typename Function>
  Told first_of(const VectorXd& start, Function&& told_at) {
    try {
      return told_at(start);
    } catch (const InputError& error) {
      if (!is_about_settings(error)) throw;
      throw file_.located({problem_at(error, "design.vary")});
    }
  }

  static bool is_about_settings(const InputError& error) {
    return error.problems().front().hint.find("set by --set") != std::string::npos;
  }

  void report() {
    MatrixXd all = measured_;
    for (const int i : found_.chosen) all = stacked(all, triangles_[static_cast<std::size_t>(i)]);
    Information told = information(all, sizes_);
    found_.log_determinant = told.log_determinant;
    for (std::size_t j = 0; j < parameters_.size(); ++j)
      found_.parameters.push_back(
          {parameters_[j].path, parameters_[j].start, told.standard_errors[static_cast<Index>(j)]});
    const std::vector<std::string> paths = paths_of(parameters_);
    for (const UnclearDirection& one : told.unclear) found_.warnings.push_back(words(one, paths));
    found_.correlation = std::move(told.correlation);
    found_.unclear = std::move(told.unclear);
  }

  const FitFile& file_;
  Settings settings_;
  const std::function<void(long, double)>& progress_;
  std::vector<FitParameter> parameters_ = {};
  VectorXd sizes_ = {};
  MatrixXd measured_ = {};  ///< R of what was measured already
  std::vector<MatrixXd> triangles_ = {};
  bool differences_runs_ = false;
  ExperimentDesign found_ = {};
};

}  // namespace

ExperimentDesign design_experiment(const FitFile& file, const Settings& settings,
                                   const std::function<void(long, double)>& progress) {
  return Designer(file, settings, progress).run();
}

ExperimentDesign design_experiment(const std::filesystem::path& file, const Settings& settings,
                                   const std::function<void(long, double)>& progress) {
  return design_experiment(read_fit(file), settings, progress);
}

}  // namespace limber
