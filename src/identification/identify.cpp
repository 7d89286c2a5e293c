// SPDX-License-Identifier: BSD-3-Clause
#include "limber/identification/identify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "experiment.hpp"
#include "limber/core/computation_error.hpp"
#include "limber/core/interruption.hpp"
#include "limber/math/detail/decompositions.hpp"
#include "limber/model/field_rule.hpp"

namespace limber {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
constexpr double infinite = std::numeric_limits<double>::infinity();

/// The probability that white noise has sample correlations as large as these (G. M. Ljung and G. E. P. Box, Biometrika 65 (1978), 297-303):
///
///   Q = n (n + 2) Sum r_k^2 / (n - k),  k = 1 ... m,  is chi-squared with m degrees of freedom         (3)
double whiteness_of(const VectorXd& residuals) {
  const Index n = residuals.size(), lags = std::min<Index>(20, n / 4);
  const VectorXd centred = residuals.array() - residuals.mean();
  const double power = centred.squaredNorm();
  if (lags < 1 || !(power > 0.0)) return 1.0;
  double q = 0.0;
  for (Index k = 1; k <= lags; ++k) {
    const double r = centred.head(n - k).dot(centred.tail(n - k)) / power;
    q += r * r / static_cast<double>(n - k);
  }
  q *= static_cast<double>(n) * static_cast<double>(n + 2);
  return boost::math::gamma_q(0.5 * static_cast<double>(lags), 0.5 * q);
}

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
    for (std::size_t i = 0; i < file.description.data.size(); ++i)
      experiments_.push_back(std::make_unique<Experiment>(file, i, settings));
    find_parameters();
    for (const auto& one : experiments_) one->use(parameters_);
    check_start();
    check_sizes();
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
      if (!may_fail && residuals && !has_unknown_starts()) refuse_idle(*residuals);
      if (progress && residuals) progress({count_of_runs(), rms(residuals->values)});
      return residuals;
    };
    const LeastSquaresOutcome outcome =
        least_squares(problem, {file_.description.tolerance, file_.description.iterations});
    refuse_idle(outcome.residuals);
    report(outcome);
    return std::move(found_);
  }

 private:
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
    std::vector<Problem> problems;
    for (const auto& [path, about] : file_.description.fit) {
      FitParameter one;
      one.path = one.setting = path;
      one.place = "fit." + path;
      std::optional<double> written;
      try {
        written = experiments_.front()->number_at(path);
      } catch (const FileError& error) {
        Problem problem = error.located().front().problem;
        problem.hint = fmt::format("{} of {}{}", problem.path.empty() ? "the top" : "`" + problem.path + "`",
                                   error.located().front().file,
                                   problem.hint.empty() ? "" : "; " + without_setting(problem.hint));
        problem.path = one.place;
        problems.push_back(std::move(problem));
        continue;
      }
      if (!about.start && !written) {
        problems.push_back(
            {one.place, "`start`, where the file has no number", "none", "such as start: 1e5"});
        continue;
      }
      one.start = about.start.value_or(written.value_or(0.0));
      one.lower = about.lower.value_or(-infinite);
      one.upper = about.upper.value_or(infinite);
      if (!about.start && !(one.start >= one.lower && one.start <= one.upper))
        problems.push_back({one.place, "a `start` between `lower` and `upper`",
                            "the file's value " + show_number(one.start), ""});
      const double range = one.upper - one.lower;
      one.scale = one.start != 0.0 ? std::abs(one.start) : std::isfinite(range) ? range : 1.0;
      parameters_.push_back(one);
    }
    if (!problems.empty()) throw file_.located(problems);
    for (const auto& experiment : experiments_)
      for (FitParameter& one : experiment->unknown_starts()) {
        one.lower = -infinite;
        one.upper = infinite;
        one.scale = one.start != 0.0 ? std::abs(one.start) : 1e-2;
        parameters_.push_back(one);
      }
  }

  static std::string without_setting(const std::string& hint) {
    const std::size_t set = hint.find("set by --set");
    std::string rest = hint.substr(0, set);
    if (set != std::string::npos && rest.ends_with("; ")) rest.resize(rest.size() - 2);
    return rest;
  }

  VectorXd start_values() const {
    VectorXd values(static_cast<Index>(parameters_.size()));
    for (std::size_t j = 0; j < parameters_.size(); ++j) values[static_cast<Index>(j)] = parameters_[j].start;
    return values;
  }

  // What the files' own rules say about the start.
  void check_start() const {
    for (const auto& experiment : experiments_) try {
        experiment->check(start_values());
      } catch (const InputError& error) {
        const Problem& first = error.problems().front();
        const auto about = std::find_if(parameters_.begin(), parameters_.end(), [&](const FitParameter& one) {
          return first.hint.find(one.setting + "=") != std::string::npos;
        });
        throw file_.located({{about != parameters_.end() ? about->place : "fit", first.expected, first.found,
                              without_setting(first.hint)}});
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
    std::vector<Prediction> predictions;
    Index size = 0;
    ++points_;
    try {
      for (const auto& one : experiments_) {
        predictions.push_back(one->predict(values));
        runs_ += predictions.back().runs;
        size += predictions.back().values.size();
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
    for (std::size_t i = 0; i < experiments_.size(); ++i) {
      Index first = 0;
      for (const FitChannel& channel : experiments_[i]->channels()) {
        const Index n = channel.measured.size();
        const auto weights = channel.sigma.cwiseInverse();
        all.values.segment(row, n) =
            (predictions[i].values.segment(first, n) - channel.measured).cwiseProduct(weights);
        all.slopes.middleRows(row, n) = weights.asDiagonal() * predictions[i].slopes.middleRows(first, n);
        first += n;
        row += n;
      }
    }
    for (Index j = 0; j < x.size(); ++j) all.slopes.col(j) *= parameters_[static_cast<std::size_t>(j)].scale;
    if (!all.values.allFinite() || !all.slopes.allFinite()) return std::nullopt;
    return all;
  }

  // An arm at rest may begin to move, and to tell something, when its start is found.
  bool has_unknown_starts() const {
    return std::any_of(parameters_.begin(), parameters_.end(),
                       [](const FitParameter& one) { return one.experiment >= 0; });
  }

  void refuse_idle(const Residuals& start) const {
    std::vector<Problem> problems;
    const double largest = start.slopes.colwise().norm().maxCoeff();
    constexpr double rounding = 1e-9;
    for (Index j = 0; j < start.slopes.cols(); ++j)
      if (!(start.slopes.col(j).norm() > rounding * largest))
        problems.push_back({parameters_[static_cast<std::size_t>(j)].place,
                            "a value that changes what was measured", "one that changes nothing",
                            "leave it out, or measure something that depends on it"});
    if (!problems.empty()) throw file_.located(problems);
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
        if (channel.times.size() > 1) channel.whiteness = whiteness_of(plain);
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
    const Index count = x.size();
    VectorXd units(count);
    for (Index j = 0; j < count; ++j) {
      const double size = std::abs(x[j]);
      units[j] = size > 1e-6 ? size : 1.0;
    }
    const Eigen::JacobiSVD<MatrixXd> svd(slopes * units.asDiagonal(), Eigen::ComputeThinV);
    const VectorXd& w = svd.singularValues();
    constexpr double rounding = 1e-9;
    MatrixXd covariance = MatrixXd::Zero(count, count);
    VectorXd hidden = VectorXd::Zero(count);  // parts of directions that nothing tells
    for (Index i = 0; i < count; ++i) {
      const VectorXd direction = svd.matrixV().col(i);
      const bool is_told = w[i] > rounding * w[0];
      const double deviation = is_told ? std::sqrt(variance) / w[i] : infinite;
      if (is_told)
        covariance += deviation * deviation * direction * direction.transpose();
      else
        hidden += direction.cwiseAbs2();
      if (deviation > 1.0) found_.unclear.push_back({deviation, direction});
    }
    VectorXd sizes(count);
    for (Index j = 0; j < count; ++j) sizes[j] = units[j] * parameters_[static_cast<std::size_t>(j)].scale;
    found_.covariance = sizes.asDiagonal() * covariance * sizes.asDiagonal();
    found_.correlation.resize(count, count);
    constexpr double part = 1e-6;
    for (Index i = 0; i < count; ++i)
      for (Index j = 0; j < count; ++j)
        found_.correlation(i, j) =
            hidden[i] > part || hidden[j] > part ? std::numeric_limits<double>::quiet_NaN()
            : i == j                             ? 1.0
                     : covariance(i, j) / std::sqrt(covariance(i, i) * covariance(j, j));
    for (Index j = 0; j < count; ++j) {
      const FitParameter& about = parameters_[static_cast<std::size_t>(j)];
      FoundParameter one;
      one.path = about.path;
      one.start = about.start;
      one.value = x[j] * about.scale;
      one.standard_error = hidden[j] > part ? infinite : std::sqrt(found_.covariance(j, j));
      const double near = 1e-9 * about.scale;
      one.is_at_bound = one.value <= about.lower + near || one.value >= about.upper - near;
      if (one.is_at_bound)
        found_.warnings.push_back(
            fmt::format("`{}` is held by its bound at {}", one.path, show_number(one.value)));
      found_.parameters.push_back(std::move(one));
    }
    for (const UnclearDirection& one : found_.unclear) found_.warnings.push_back(words(one));
  }

  // "... cannot be told from these data along 0.71 links.a.. - 0.71 links.b..: ..."
  std::string words(const UnclearDirection& one) const {
    std::string sum;
    for (Index j = 0; j < one.direction.size(); ++j) {
      constexpr double small = 0.05;
      if (std::abs(one.direction[j]) < small) continue;
      sum += fmt::format(
          "{}{:.2f} `{}`",
          sum.empty() ? (one.direction[j] < 0.0 ? "-" : "") : (one.direction[j] < 0.0 ? " - " : " + "),
          std::abs(one.direction[j]), parameters_[static_cast<std::size_t>(j)].path);
    }
    return fmt::format("the data do not tell {} (each in units of its size): {}", sum,
                       std::isfinite(one.standard_deviation)
                           ? fmt::format("its standard deviation is {:.3g}", one.standard_deviation)
                           : "it changes nothing");
  }

  const FitFile& file_;
  std::vector<std::unique_ptr<Experiment>> experiments_;
  std::vector<FitParameter> parameters_;
  Identified found_ = {};
  long runs_ = 0, points_ = 0;
};

}  // namespace

Identified identify(const FitFile& file, const Settings& settings,
                    const std::function<void(const IdentifyProgress&)>& progress) {
  return Identification(file, settings).run(progress);
}

Identified identify(const std::filesystem::path& file, const Settings& settings,
                    const std::function<void(const IdentifyProgress&)>& progress) {
  return identify(read_fit(file), settings, progress);
}

}  // namespace limber
