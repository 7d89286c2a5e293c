// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// How numbers that Limber finds change with numbers of a file: gradients of frequencies, sag, accelerations and measures of runs by stiffnesses, masses, lengths, damping and whatever else
// has a path (docs/sensitivity.md).
//
// Measures of runs: the run is differentiated step by step (simulation/run_sensitivity.hpp), and a measure of rows y_i with derivatives y'_i has
//
//   final: y'_last,   max, min: y' of that row,   peak_to_peak: their difference,   mean: mean of y',   rms: mean of y y' / rms                 (1)
//
// With many numbers and few measures the way back through the run is shorter (simulation/run_adjoint.hpp): by (1) a measure is a sum of weighted rows.
//
// Everything else is an explicit formula of the prepared arm, or the solution of equations that are solved to rounding, and differenced as a whole, by (2) there.

#include <filesystem>
#include <string>
#include <vector>

#include "limber/core/export.hpp"
#include "limber/io/setting.hpp"
#include "limber/io/study_file.hpp"
#include "limber/math/eigen.hpp"
#include "limber/model/choices.hpp"

namespace limber LIMBER_EXPORT {

/// How runs are differentiated.
enum class GradientWay {
  automatic,  ///< by what takes less time, where both can
  forward,    ///< a column for each number goes along with the run
  adjoint     ///< once back through the run, for all numbers
};

/// Their words.
template <>
inline constexpr auto choices<GradientWay> = std::to_array<Choice<GradientWay>>({
    {GradientWay::automatic, "auto"},
    {GradientWay::forward, "forward"},
    {GradientWay::adjoint, "adjoint"},
});

/// What is asked.
struct GradientQuestion {
  std::vector<std::string> by = {};  ///< paths of numbers in the file; of a scenario's model `model.links...`
  /// Of a scenario: channels as a study's `measure` has them, `what` none: final; or of a task. Of a model: numbers in the JSON of a task.
  std::vector<MeasureDescription> of = {};
  std::filesystem::path state = {};       ///< of a model: a state file; empty: q = 0
  bool settle = false;                    ///< modes, linearize, zeros: about the static equilibrium
  std::string joints = "held";            ///< modes
  std::vector<std::string> outputs = {};  ///< linearize, zeros
  bool histories = false;  ///< of runs: keep channels and their derivatives row by row; forward
  GradientWay way = GradientWay::automatic;  ///< of runs
};

/// What is found.
struct ParameterGradients {
  std::vector<std::string> measures, paths;  ///< names of rows and columns
  Eigen::VectorXd values;                    ///< of measures
  Eigen::VectorXd parameters;                ///< what stands in the file
  Eigen::MatrixXd gradient;  ///< measures x paths: units of the measure per unit of the number
  /// How far another formula of differences, of fourth order, is off: an upper bound of the error where all is smooth.
  Eigen::MatrixXd error;
  std::string method = {};                      ///< whose steps were differentiated; empty: no run
  long steps = 0;                               ///< of it
  GradientWay way = GradientWay::forward;       ///< that was taken
  Eigen::VectorXd times = {};                   ///< of rows, where histories were asked for
  Eigen::MatrixXd courses = {};                 ///< rows x measures that are channels of a run
  std::vector<Eigen::MatrixXd> gradients = {};  ///< of each such measure: rows x paths
  std::vector<std::string> warnings = {};       ///< what its user should know
};

/// `file`: a model or a scenario. Throws FileError and InputError with the place: paths that lead nowhere, to no number, or to one that changes nothing; measures that there are
/// not, or that have no derivative (settling times); ComputationError where something cannot be computed.
ParameterGradients parameter_gradients(const std::filesystem::path& file, const GradientQuestion& question,
                                       const Settings& settings = {});

/// From "end_effector.z:max" or "modes.frequencies_hz[0]": a channel or number, the task before it (modes, statics, info, linearize, zeros), and `what` behind a colon. Throws InputError.
MeasureDescription parse_measure(const std::string& text);

}  // namespace limber
