// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What to measure (docs/measurements.md): which of several experiments, or which values of an experiment's trajectories, tell most about parameters, before
// anything has been measured.
//
// With J_e = d(f/s)/dp of experiment e at what is thought of p, columns in units of the parameters' sizes, experiments E together have the information
//
//   F = F_0 + Sum_{e in E} J_e^T J_e,        F_0 = J_0^T J_0 of what was measured already                (1)
//
// and F^-1 is the covariance that their evaluation would reach (Cramer and Rao). The volume of the ellipsoid in which p then lies goes with det F^-1/2; the
// experiment that makes it smallest is D-optimal (V. V. Fedorov, Theory of Optimal Experiments, 1972):
//
//   largest log det F                                                                                    (2)
//
// It depends on no unit of p. Of candidates, as many as are to be made are chosen one after the other, each the one that adds most, and then exchanged, one by one, as
// long as that makes (2) larger (Fedorov's exchange); the same experiment may be made more than once. Values of trajectories are searched between their bounds by
// study/search.hpp, from where they are and from the best of a few points spread over all that is possible and of its corners, with limits on what outputs may show as constraints. All of it is true at the values of p that are given: p is what is sought.

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "limber/core/export.hpp"
#include "limber/identification/identify.hpp"
#include "limber/io/fit_file.hpp"
#include "limber/io/setting.hpp"
#include "limber/math/eigen.hpp"

namespace limber LIMBER_EXPORT {

/// A parameter as it would be known.
struct ExpectedParameter {
  std::string path;             ///< of the file
  double value = 0.0;           ///< at which everything is computed: `start`, or the file's
  double standard_error = 0.0;  ///< that is to be expected; infinite where nothing would tell it
};

/// An experiment that could be made.
struct CandidateExperiment {
  std::string name;      ///< as given, or its file's
  std::string scenario;  ///< its file, as seen from the study
  Settings settings;     ///< that make it
  double log_determinant =
      0.0;  ///< (2) of this one alone, with what was measured already; minus infinity where it leaves a direction open
  Eigen::VectorXd standard_errors;  ///< to be expected of this one alone
  bool keeps_limits = true;         ///< of outputs
  std::string trouble = {};         ///< why it cannot be computed; empty: it can
};

/// A value of a trajectory that was free.
struct DesignedValue {
  std::string path;    ///< of the scenario
  double start = 0.0;  ///< where the search began
  double value = 0.0;  ///< where it ended
};

/// What is best, and what it would tell.
struct ExperimentDesign {
  std::vector<ExpectedParameter> parameters;    ///< of all that is chosen, with what was measured already
  Eigen::MatrixXd correlation;                  ///< of their estimates
  double log_determinant = 0.0;                 ///< (2)
  std::vector<CandidateExperiment> candidates;  ///< all; of a search the one that it began with and the best
  std::vector<int> chosen;                      ///< which of them, in the order in which they add most
  std::vector<DesignedValue> values;            ///< of `vary`
  std::optional<double> measured_log_determinant =
      {};                                 ///< of what was measured already; none where nothing was
  long evaluations = 0;                   ///< simulations
  std::string end;                        ///< how the search ended; empty: there was none
  std::vector<UnclearDirection> unclear;  ///< directions that would stay open
  std::vector<std::string> warnings;      ///< sentences
};

/// Of a fit with `design`. `progress` is told after every experiment: how many simulations, and the best (2) so far. Throws what identify() throws; InputError where `vary` is given
/// and the library was built without NLopt; ComputationError where no experiment can be computed within its limits.
ExperimentDesign design_experiment(const FitFile& file, const Settings& settings = {},
                                   const std::function<void(long, double)>& progress = {});
/// The same of a file that is read first.
ExperimentDesign design_experiment(const std::filesystem::path& file, const Settings& settings = {},
                                   const std::function<void(long, double)>& progress = {});

}  // namespace limber
