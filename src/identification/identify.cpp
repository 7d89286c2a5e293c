// SPDX-License-Identifier: BSD-3-Clause
#include "limber/identification/identify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "experiment.hpp"
#include "fit_parameters.hpp"
#include "information.hpp"
#include "limber/core/computation_error.hpp"
#include "limber/core/interruption.hpp"
#include "limber/identification/residual_statistics.hpp"
#include "limber/model/field_rule.hpp"

namespace limber {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
constexpr double infinite = std::numeric_limits<double>::infinity();

/// What |y| is compared with: its mean where it is a course.
double size_of(const FitChannel& channel, const VectorXd& weights) {
  const double mean = channel.times.size() > 1 ? channel.measured.mean() : 0.0;
  return (channel.measured.array() - mean).matrix().cwiseProduct(weights).norm();
}

double percent(double left, double size) { return size > 0.0 ? 100.0 * (1.0 - left / size) : 0.0; }

class Identification {
 public:
  Identification(const FitFile& file, const Settings& settings) : file_(file) {
    if (const auto problem = why_no_least_squares()) throw file.located({*problem});
    if (file.description.data.empty())
      throw file.located(
          {{"data", "at least one experiment", "none", "--design looks at what `design` says"}});
    for (std::size_t i = 0; i < file.description.data.size(); ++i)
      experiments_.push_back(std::make_unique<Experiment>(file, i, settings));
    find_parameters();
    for (const auto& one : experiments_) one->use(parameters_);
    for (const auto& one : experiments_) check_start(file_, parameters_, *one);
    check_sizes();
    check_data();
  }

  FitOutline outline() const {
    FitOutline all{paths_of(parameters_), static_cast<int>(experiments_.size()), 0};
    for (const auto& one : experiments_) all.data += one->size();
    return all;
  }

  Identified run(const std::function<void(const IdentifyProgress&)>& progress) {
    LeastSquaresProblem problem;
    const auto count = static_cast<Index>(parameters_.size());
    problem.start.resize(count);
    problem.lower.resize(count);
    problem.upper.resize(count);
    for (Index j = 0; j < count; ++j) {
      const FitParameter& one = parameters_[static_cast<std::size_t>(j)];
      problem.start[j] = one.start / one.scale;
      problem.lower[j] = one.lower / one.scale;
      problem.upper[j] = one.upper / one.scale;
    }
    for (const auto& one : experiments_)
      if (std::string words = one->check_slopes(values_at(problem.start), runs_); !words.empty())
        found_.warnings.push_back(std::move(words));
    bool is_first = true;
    problem.evaluate = [&](const VectorXd& x) {
      const bool may_fail = !std::exchange(is_first, false);
      auto residuals = evaluate(x, may_fail);
      if (!may_fail && residuals && !has_unknown_starts()) refuse_idle(file_, parameters_, residuals->slopes);
      if (progress && residuals) progress({count_of_runs(), rms(residuals->values)});
      return residuals;
    };
    const LeastSquaresOutcome outcome =
        least_squares(problem, {file_.description.tolerance, file_.description.iterations});
    refuse_idle(file_, parameters_, outcome.residuals.slopes);
    report(outcome);
    return std::move(found_);
  }

 private:
  // Squares are added up.
  void check_data() const {
    constexpr double largest = 1e100;  // of y / s
    for (std::size_t i = 0; i < experiments_.size(); ++i)
      for (const FitChannel& channel : experiments_[i]->channels()) {
        Index row = 0;
        const double most = channel.measured.cwiseQuotient(channel.sigma).cwiseAbs().maxCoeff(&row);
        if (!(most < largest))
          throw file_.located(
              {{fmt::format("data[{}]", i), "measured values whose squares can be added up",
                fmt::format("{:.6g} of `{}`{}", channel.measured[row], channel.name, time_of(channel, row)),
                "take what is no measurement out of the file"}});
      }
  }
  static std::string time_of(const FitChannel& channel, Index row) {
    return row < channel.times.size() ? fmt::format(" at {:.6g} s", channel.times[row])
                                      : fmt::format(", number {} of its values", row + 1);
  }
  // One value that stands for all others: what is fitted then is that value.
  void warn_of_outlier(const VectorXd& weighted, const FitChannel& channel, double all) {
    constexpr Index few = 10;
    constexpr double nearly_all = 0.9;
    Index row = 0;
    const double most = weighted.cwiseAbs2().maxCoeff(&row);
    if (weighted.size() <= few || !(most > nearly_all * all)) return;
    found_.warnings.push_back(
        fmt::format("{:.0f} % of all that the fit leaves over is one value: {:.6g} of `{}`{}. If it is no "
                    "measurement, take "
                    "it out of the file",
                    100.0 * most / all, channel.measured[row], channel.name, time_of(channel, row)));
  }

  static double rms(const VectorXd& values) {
    return values.norm() / std::sqrt(static_cast<double>(std::max<Index>(1, values.size())));
  }

  long count_of_runs() const { return runs_ > 0 ? runs_ : points_; }

  VectorXd values_at(const VectorXd& x) const {
    VectorXd values(x.size());
    for (Index j = 0; j < x.size(); ++j) values[j] = x[j] * parameters_[static_cast<std::size_t>(j)].scale;
    return values;
  }

  void find_parameters() {
    parameters_ = parameters_of(file_, *experiments_.front());
    for (const auto& experiment : experiments_)
      for (FitParameter& one : experiment->unknown_starts()) {
        one.lower = -infinite;
        one.upper = infinite;
        one.scale = one.start != 0.0 ? std::abs(one.start) : 1e-2;
        parameters_.push_back(one);
      }
  }

  void check_sizes() {
    Index data = 0;
    bool any = false, all = true;
    for (const auto& one : experiments_) {
      data += one->size();
      any = any || one->has_sigma();
      all = all && one->has_sigma();
    }
    const auto count = static_cast<Index>(parameters_.size());
    if (data < count)
      throw file_.located(
          {{"data", fmt::format("at least {} numbers: as many as there are parameters", count),
            fmt::format("{}", data), "measure more, or fit fewer values"}});
    if (any && !all)
      throw file_.located({{"data", "standard deviations for all that was measured, or for nothing",
                            "some of it has none", "give `sigma`, or the sensors' `noise`"}});
    if (!all && data <= count)
      throw file_.located(
          {{"data",
            fmt::format("more than {} numbers: what is left over tells the standard deviation", count),
            fmt::format("{}", data), "or give `sigma`"}});
    found_.estimates_sigma = !all;
  }

  // (f - y) / s, with parameters in units of their scales.
  std::optional<Residuals> evaluate(const VectorXd& x, bool may_fail) {
    stop_if_asked();
    const VectorXd values = values_at(x);
    std::vector<Residuals> parts;
    Index size = 0;
    ++points_;
    try {
      for (const auto& one : experiments_) {
        const Prediction prediction = one->predict(values);
        runs_ += prediction.runs;
        size += prediction.values.size();
        parts.push_back(one->weighted(prediction));
      }
    } catch (const ComputationError&) {
      if (!may_fail) throw;
      return std::nullopt;
    } catch (const InputError&) {
      if (!may_fail) throw;
      return std::nullopt;  // beyond what the file allows
    }
    Residuals all{VectorXd(size), MatrixXd(size, x.size())};
    Index row = 0;
    for (const Residuals& part : parts) {
      all.values.segment(row, part.values.size()) = part.values;
      all.slopes.middleRows(row, part.values.size()) = part.slopes;
      row += part.values.size();
    }
    if (!all.values.allFinite() || !all.slopes.allFinite()) return std::nullopt;
    return all;
  }

  // An arm at rest may begin to move, and to tell something, when its start is found.
  bool has_unknown_starts() const {
    return std::any_of(parameters_.begin(), parameters_.end(),
                       [](const FitParameter& one) { return one.experiment >= 0; });
  }

  void report(const LeastSquaresOutcome& outcome) {
    found_.iterations = outcome.iterations;
    found_.converged = outcome.converged;
    found_.end = outcome.end;
    found_.evaluations = count_of_runs();
    const Residuals& last = outcome.residuals;
    const auto data = static_cast<double>(last.values.size()), count = static_cast<double>(outcome.x.size());
    found_.weighted_rms = rms(last.values);
    const double variance =
        found_.estimates_sigma ? last.values.squaredNorm() / std::max(1.0, data - count) : 1.0;
    report_channels(last.values);
    report_parameters(outcome.x, last.slopes, variance);
    if (!outcome.converged)
      found_.warnings.push_back(fmt::format("the fit has not converged: {}", outcome.end));
  }

  void report_channels(const VectorXd& residuals) {
    double left = 0.0, size = 0.0, squares = 0.0;
    Index row = 0;
    for (const auto& experiment : experiments_)
      for (FitChannel channel : experiment->channels()) {
        const Index n = channel.measured.size();
        const VectorXd weighted = residuals.segment(row, n), plain = weighted.cwiseProduct(channel.sigma);
        channel.computed = channel.measured + plain;
        channel.rms = rms(plain);
        const VectorXd ones = VectorXd::Ones(n), weights = channel.sigma.cwiseInverse();
        channel.fit_percent = percent(plain.norm(), size_of(channel, ones));
        if (channel.times.size() > 1) {
          const ResidualStatistics statistics = residual_statistics(plain);
          channel.whiteness = statistics.whiteness;
          channel.normality = statistics.normality;
        }
        warn_of_outlier(weighted, channel, residuals.squaredNorm());
        left += weighted.squaredNorm();
        size += std::pow(size_of(channel, weights), 2);
        squares += plain.squaredNorm();
        row += n;
        found_.channels.push_back(std::move(channel));
      }
    found_.residual_rms = std::sqrt(squares / static_cast<double>(std::max<Index>(1, row)));
    found_.fit_percent = percent(std::sqrt(left), std::sqrt(size));
  }

  // (2), in units of the parameters' sizes.
  void report_parameters(const VectorXd& x, const MatrixXd& slopes, double variance) {
    VectorXd units(x.size()), sizes(x.size());
    for (Index j = 0; j < x.size(); ++j) {
      units[j] = size_of_parameter(x[j]);
      sizes[j] = units[j] * parameters_[static_cast<std::size_t>(j)].scale;
    }
    Information told = information(slopes * units.asDiagonal(), sizes, variance);
    for (Index j = 0; j < x.size(); ++j) {
      const FitParameter& about = parameters_[static_cast<std::size_t>(j)];
      FoundParameter one;
      one.path = about.path;
      one.start = about.start;
      one.value = x[j] * about.scale;
      one.standard_error = told.standard_errors[j];
      const double near = 1e-9 * about.scale;
      one.is_at_bound = one.value <= about.lower + near || one.value >= about.upper - near;
      if (one.is_at_bound)
        found_.warnings.push_back(
            fmt::format("`{}` is held by its bound at {}", one.path, show_number(one.value)));
      found_.parameters.push_back(std::move(one));
    }
    const std::vector<std::string> paths = paths_of(parameters_);
    for (const UnclearDirection& one : told.unclear) found_.warnings.push_back(words(one, paths));
    found_.covariance = std::move(told.covariance);
    found_.correlation = std::move(told.correlation);
    found_.unclear = std::move(told.unclear);
  }

  const FitFile& file_;
  std::vector<std::unique_ptr<Experiment>> experiments_;
  std::vector<FitParameter> parameters_;
  Identified found_ = {};
  long runs_ = 0, points_ = 0;
};

}  // namespace

FitOutline check_fit(const FitFile& file, const Settings& settings) {
  return Identification(file, settings).outline();
}

Identified identify(const FitFile& file, const Settings& settings,
                    const std::function<void(const IdentifyProgress&)>& progress) {
  return Identification(file, settings).run(progress);
}

Identified identify(const std::filesystem::path& file, const Settings& settings,
                    const std::function<void(const IdentifyProgress&)>& progress) {
  return identify(read_fit(file), settings, progress);
}

}  // namespace limber
