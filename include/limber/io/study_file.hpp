// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Study files: which values of a model or a scenario are varied, how, and what is measured; or which are to be chosen so that a measure becomes as small
// as it can be (docs/sweep.md, docs/study-file-reference.md). Here stands what such a file says; what is done with it is the layer `study`.

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "limber/core/export.hpp"
#include "limber/io/file_error.hpp"
#include "limber/io/source_text.hpp"
#include "limber/math/eigen.hpp"

namespace limber LIMBER_EXPORT {

/// What is computed for every variant.
enum class StudyTask { simulate, modes, statics, info, linearize, zeros };
/// How variants are chosen.
enum class DesignMethod { sobol, random, latin_hypercube, grid };
/// What becomes of a quantity over the time of a run; of a list, over its elements.
enum class MeasureKind { final, max, min, mean, peak_to_peak, rms, settling_time };
/// How the best is looked for (study/search.hpp).
enum class SearchMethod { automatic, gradient, derivative_free, global };

/// How a number is spread; exactly one of these.
struct DistributionDescription {
  std::optional<Eigen::Vector2d> uniform = {};    ///< [from, to]
  std::optional<Eigen::Vector2d> normal = {};     ///< [mean, standard deviation]
  std::optional<Eigen::Vector2d> lognormal = {};  ///< [median, standard deviation of the logarithm]
  std::vector<double> values = {};                ///< these, each as often
};

/// A value that is varied.
struct VariationDescription {
  DistributionDescription distribution = {};          ///< of the value itself; empty where `scale` is given
  std::optional<DistributionDescription> scale = {};  ///< of a factor on the file's value
  std::optional<int> levels = {};                     ///< of a grid
};

/// Two values that go together: the correlation of what they are as normal numbers (a Gaussian copula).
struct CorrelationDescription {
  std::vector<std::string> between = {};  ///< two paths of `vary`
  double value = 0.0;                     ///< -1 to 1, both excluded
};

/// One number per variant.
struct MeasureDescription {
  std::string name = {};                 ///< in results; default: `of`, and `what` behind it
  std::string of = {};                   ///< of what
  std::optional<MeasureKind> what = {};  ///< none: the number itself
  std::optional<StudyTask> task = {};    ///< that has it; none: the study's
};

/// A value that is to be chosen.
struct DesignVariableDescription {
  double lower = 0.0;                ///< smallest
  double upper = 0.0;                ///< largest
  std::optional<double> start = {};  ///< first; none: the file's value, or the middle
};

/// What a measure has to keep to; at least one of the two.
struct ConstraintDescription {
  std::string measure = {};          ///< its name
  std::optional<double> above = {};  ///< not less than this
  std::optional<double> below = {};  ///< not more than this
};

/// How the best is looked for.
struct SearchDescription {
  SearchMethod method = SearchMethod::automatic;  ///< by derivatives, without them, everywhere
  double tolerance = 1e-6;                        ///< of values, as parts of their ranges, and of measures
  int evaluations = 2000;                         ///< at most, of each search
  int points = 11;                                ///< of the front of two objectives
};

/// What is kept of a run's course.
struct HistoriesDescription {
  std::vector<std::string> of = {};  ///< names, as a measure's `of`
  int points = 101;                  ///< rows of each, evenly spread over the run's rows
};

/// The whole file.
struct StudyDescription {
  std::string scenario = {};                                            ///< its file; empty: `model` is given
  std::string model = {};                                               ///< its file
  StudyTask task = StudyTask::simulate;                                 ///< what is computed
  std::string state = {};                                               ///< a state file; empty: q = 0
  bool settle = false;                                                  ///< modes, linearize, zeros
  std::string joints = "held";                                          ///< modes
  int count = 10;                                                       ///< modes
  std::vector<std::string> outputs = {};                                ///< linearize, zeros
  std::vector<std::string> inputs = {};                                 ///< zeros
  std::vector<std::pair<std::string, VariationDescription>> vary = {};  ///< by path
  std::vector<CorrelationDescription> correlation = {};                 ///< none: all independent
  DesignMethod method = DesignMethod::sobol;                            ///< how variants are chosen
  std::optional<int> samples = {};                                      ///< how many; a grid may do without
  int seed = 1;                                                         ///< of everything random
  bool scramble = true;                                                 ///< sobol: Owen's scrambling
  std::vector<MeasureDescription> measure = {};                         ///< numbers per variant
  std::vector<std::pair<std::string, DesignVariableDescription>> optimise =
      {};                                               ///< by path; in place of `vary`
  std::vector<std::string> minimise = {};               ///< names of measures; with `maximise` one or two
  std::vector<std::string> maximise = {};               ///< likewise
  std::vector<ConstraintDescription> constraints = {};  ///< of designs
  SearchDescription search = {};                        ///< how designs are looked for
  std::optional<HistoriesDescription> histories = {};   ///< simulate; none: nothing is kept

  /// Whether it looks for the best.
  bool is_search() const { return !optimise.empty(); }
  /// Paths of the values that are varied or chosen.
  std::vector<std::string> paths() const;
  /// The task that has this measure.
  StudyTask task_of(const MeasureDescription& one) const { return one.task.value_or(task); }
};

/// A study as it was read, and where each part of it stands.
struct StudyFile {
  StudyDescription description;  ///< what it says
  std::string file;              ///< its name, for messages
  std::string text;              ///< all of it

  /// Problems with their places: at the part of the file that their paths lead to.
  FileError located(const std::vector<Problem>& problems) const;
  /// Of a value that is varied: `vary`, then its path.
  static std::string path_of(const std::string& varied);
  /// Of a value that is varied or chosen: `vary` or `optimise`, then its path.
  std::string place_of(const std::string& path) const;

  std::vector<std::pair<std::string, Mark>> places;  ///< of all paths in the file
};

///@{
/// Reads and checks what can be checked without the files that it names. Throws FileError with everything that is wrong.
StudyFile read_study(const std::filesystem::path& file);
StudyFile parse_study(const std::string& text, const std::string& file_name);
///@}

/// Whether a file looks like a study: it has the key `vary` or `optimise`. False for what cannot be read.
bool is_study(const std::filesystem::path& file);

}  // namespace limber
