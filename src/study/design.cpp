// SPDX-License-Identifier: BSD-3-Clause
#include "limber/study/design.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/special_functions/erf.hpp>
#include <cmath>
#include <numbers>

#include "limber/core/input_error.hpp"
#include "limber/math/detail/decompositions.hpp"
#include "limber/model/field_rule.hpp"

namespace limber {
namespace {

constexpr double most_grid_variants = 2e9;

double normal_probability(double z) { return 0.5 * std::erfc(-z / std::numbers::sqrt2); }

Eigen::MatrixXd correlation_factor(const StudyDescription& study) {
  const auto count = static_cast<Eigen::Index>(study.vary.size());
  const auto number_of = [&](const std::string& path) {
    Eigen::Index i = 0;
    while (study.vary[static_cast<std::size_t>(i)].first != path) ++i;
    return i;
  };
  Eigen::MatrixXd R = Eigen::MatrixXd::Identity(count, count);
  for (const CorrelationDescription& one : study.correlation) {
    const Eigen::Index i = number_of(one.between[0]), j = number_of(one.between[1]);
    R(i, j) = R(j, i) = one.value;
  }
  const Eigen::LLT<Eigen::MatrixXd> factor(R);
  if (factor.info() != Eigen::Success)
    throw InputError(Problem{"correlation", "correlations that numbers can have",
                             "a matrix of them that is not positive definite",
                             "three values that go together cannot be pairwise opposed"});
  return factor.matrixL();
}

void correlate(const Eigen::MatrixXd& L, VariantTable& points) {
  for (Eigen::Index k = 0; k < points.rows(); ++k) {
    Eigen::VectorXd z = points.row(k).transpose().unaryExpr([](double u) { return normal_quantile(u); });
    z = (L * z).eval();
    points.row(k) = z.unaryExpr([](double x) { return normal_probability(x); }).transpose();
  }
}

// As many levels for each parameter without a number of its own as `samples` allows.
std::vector<int> grid_levels(const StudyDescription& study, const std::vector<Distribution>& distributions) {
  std::vector<int> levels;
  double given = 1.0;
  int open = 0;
  for (std::size_t i = 0; i < distributions.size(); ++i) {
    const int own = distributions[i].level_count();
    if (own > 0 && study.vary[i].second.levels)
      throw InputError(Problem{StudyFile::path_of(study.vary[i].first) + ".levels", "`levels`, or `values`",
                               "both", "`values` are the levels"});
    levels.push_back(own > 0 ? own : study.vary[i].second.levels.value_or(0));
    given *= std::max(levels.back(), 1);
    open += levels.back() == 0 ? 1 : 0;
  }
  if (open > 0 && !study.samples)
    throw InputError(
        Problem{"samples", "how many variants at most, or `levels` for each value", "neither", ""});
  if (study.samples && given > *study.samples)
    throw InputError(Problem{"samples", fmt::format("at least {:g}: all combinations of the levels", given),
                             std::to_string(*study.samples), "leave it out, or give fewer levels"});
  if (open > 0) {
    auto each = static_cast<int>(std::pow(*study.samples / given, 1.0 / open));
    while (given * std::pow(each + 1, open) <= *study.samples) ++each;  // the root was rounded down
    if (each < 2)
      throw InputError(Problem{
          "samples", fmt::format("at least {:g}: two levels of each value", given * std::pow(2, open)),
          std::to_string(*study.samples), ""});
    for (int& count : levels)
      if (count == 0) count = each;
  }
  double product = 1.0;
  for (const int count : levels) product *= count;
  if (product > most_grid_variants)
    throw InputError(Problem{"vary", fmt::format("a grid of at most {:g} variants", most_grid_variants),
                             fmt::format("{:g}", product), "give fewer levels, or another method"});
  return levels;
}

// The last parameter changes fastest.
void fill_grid(const std::vector<int>& levels, Design& design) {
  long count = 1;
  for (const int n : levels) count *= n;
  const auto width = static_cast<Eigen::Index>(levels.size());
  design.points.resize(count, width);
  design.parameters.resize(count, width);
  for (long k = 0; k < count; ++k) {
    long rest = k;
    for (Eigen::Index j = width; j-- > 0;) {
      const int n = levels[static_cast<std::size_t>(j)];
      const auto level = static_cast<int>(rest % n);
      rest /= n;
      design.points(k, j) = (level + 0.5) / n;
      design.parameters(k, j) = design.distributions[static_cast<std::size_t>(j)].level(level, n);
    }
  }
}

}  // namespace

// In double throughout: valgrind has no longer numbers, and where they are shorter than it thinks, boost ends the program.
double normal_quantile(double u) {
  using Double = boost::math::policies::policy<boost::math::policies::promote_double<false>>;
  return -std::numbers::sqrt2 * boost::math::erfc_inv(2.0 * u, Double());
}

Distribution::Distribution(const VariationDescription& variation, double file_value)
    : factor_(variation.scale ? file_value : 1.0) {
  const DistributionDescription& spread = variation.scale ? *variation.scale : variation.distribution;
  const auto take = [this](Kind kind, const Eigen::Vector2d& numbers) {
    kind_ = kind;
    a_ = numbers[0];
    b_ = numbers[1];
  };
  if (spread.uniform) take(Kind::uniform, *spread.uniform);
  if (spread.normal) take(Kind::normal, *spread.normal);
  if (spread.lognormal) take(Kind::lognormal, *spread.lognormal);
  if (!spread.values.empty()) kind_ = Kind::values;
  values_ = spread.values;
}

double Distribution::at(double u) const {
  switch (kind_) {
    case Kind::uniform:
      return factor_ * (a_ + (b_ - a_) * u);  // (1)
    case Kind::normal:
      return factor_ * (a_ + b_ * normal_quantile(u));  // (2)
    case Kind::lognormal:
      return factor_ * (a_ * std::exp(b_ * normal_quantile(u)));  // (3)
    case Kind::values:
      break;
  }
  const std::size_t last = values_.size() - 1;
  return factor_ *
         values_[std::min(last, static_cast<std::size_t>(u * static_cast<double>(values_.size())))];  // (4)
}

double Distribution::level(int level, int count) const {
  if (kind_ == Kind::uniform) return factor_ * (a_ + (b_ - a_) * level / (count - 1));
  return at((level + 0.5) / count);
}

Design make_design(const StudyDescription& study, const std::vector<std::optional<double>>& file_values) {
  Design design;
  std::vector<Problem> problems;
  for (std::size_t i = 0; i < study.vary.size(); ++i) {
    const auto& [path, variation] = study.vary[i];
    if (variation.scale && !file_values[i])
      problems.push_back({StudyFile::path_of(path) + ".scale",
                          "a number at this path in the file, to be multiplied", "none",
                          "give the distribution of the value itself"});
    design.distributions.emplace_back(variation, file_values[i].value_or(1.0));
  }
  if (!problems.empty()) throw InputError(std::move(problems));
  design.is_independent = study.correlation.empty();
  if (study.method == DesignMethod::grid) {
    design.levels = grid_levels(study, design.distributions);
    fill_grid(design.levels, design);
    return design;
  }
  const long count = study.samples.value_or(1);
  const auto width = static_cast<int>(study.vary.size());
  const auto seed = static_cast<std::uint64_t>(study.seed);
  if (study.method == DesignMethod::sobol)
    design.points = sobol_points(count, width, seed, study.scramble);
  else if (study.method == DesignMethod::random)
    design.points = random_points(count, width, seed);
  else
    design.points = latin_hypercube_points(count, width, seed);
  if (!design.is_independent) correlate(correlation_factor(study), design.points);
  design.parameters.resize(count, width);
  for (int j = 0; j < width; ++j) {
    const Distribution& distribution = design.distributions[static_cast<std::size_t>(j)];
    design.levels.push_back(distribution.level_count());
    for (long k = 0; k < count; ++k) design.parameters(k, j) = distribution.at(design.points(k, j));
  }
  return design;
}

}  // namespace limber
