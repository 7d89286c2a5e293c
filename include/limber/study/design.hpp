// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// From points of the unit cube to values of parameters.
//
// A value is the quantile of its distribution at the point's coordinate u:
//
//   uniform [a, b]         a + (b - a) u                                                                 (1)
//   normal [m, s]          m + s z,  z = Phi^-1(u)                                                       (2)
//   lognormal [m, s]       m e^(s z)                                                                     (3)
//   values                 the one of number floor(n u)                                                  (4)
//   scale                  one of these, times the file's value
//
// Correlated values: with R the matrix of correlations and R = L L^T, z is replaced by L z and u by Phi of that: a Gaussian copula. Distributions of
// single values stay as they are; of normal ones R is the correlation itself, of lognormal ones that of their logarithms.
//
// A grid has all combinations of levels: of `values` these, of a uniform one n values from end to end, of others the quantiles in the middles
// of n parts of equal probability.

#include <optional>
#include <string>
#include <vector>

#include "limber/core/export.hpp"
#include "limber/io/study_file.hpp"
#include "limber/study/points.hpp"

namespace limber LIMBER_EXPORT {

/// How one parameter is spread.
class Distribution {
 public:
  /// `file_value` is what a `scale` multiplies.
  explicit Distribution(const VariationDescription& variation, double file_value = 1.0);

  /// The quantile at 0 < u < 1.
  double at(double u) const;
  /// Whether (2) or (3): in z it is smoother than in u.
  bool is_normal() const { return kind_ == Kind::normal || kind_ == Kind::lognormal; }
  /// How many different values there are; 0: any number.
  int level_count() const { return static_cast<int>(values_.size()); }
  /// Value number `level` of a grid with `count` of them.
  double level(int level, int count) const;

 private:
  enum class Kind { uniform, normal, lognormal, values };
  Kind kind_ = Kind::uniform;
  double a_ = 0.0, b_ = 1.0, factor_ = 1.0;
  std::vector<double> values_ = {};
};

/// z = Phi^-1(u), 0 < u < 1.
double normal_quantile(double u);

/// What a study varies, variant by variant.
struct Design {
  VariantTable points;      ///< in the unit cube; of what has levels, the middle of each level's part
  VariantTable parameters;  ///< their values
  std::vector<Distribution> distributions;  ///< of each parameter
  std::vector<int> levels;                  ///< how many different values each parameter has; 0: any number
  bool is_independent = true;               ///< no correlations
};

/// `file_values` of the paths of `vary`, in their order; only those with `scale` are looked at. Throws InputError, with paths of the study file, for
/// correlations that no numbers can have and for a grid that is too large.
Design make_design(const StudyDescription& study, const std::vector<std::optional<double>>& file_values);

}  // namespace limber
