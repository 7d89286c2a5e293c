// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Values of a model or a scenario from what was measured (docs/measurements.md).
//
// With y_i what was measured, f_i(p) what the arm with parameters p would have shown, and s_i the standard deviation of y_i, the estimate is
//
//   smallest   Sum ((f_i(p) - y_i) / s_i)^2    with   lower <= p <= upper                                (1)
//
// (maximum likelihood for normal noise). Derivatives of time histories go along with one run (simulation/reading_course.hpp); those of natural frequencies and of
// equilibria are differences of fourth order, of problems that take microseconds. With J = d(f/s)/dp at the estimate
//
//   covariance of p = (J^T J)^-1                                                                         (2)
//
// Cramer and Rao's bound, which the estimate reaches as noise becomes small. Where no s is given all of one output have the same, estimated by what is left
// over: (2) is multiplied by Sum r^2 / (number of data - number of parameters).
//
// What cannot be told from the data shows in the singular values of J with columns in units of the parameters' sizes: 1/w is the relative standard deviation
// of the parameters along the direction that belongs to w. Directions in which that is above 1 are named.

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "limber/core/export.hpp"
#include "limber/identification/least_squares.hpp"
#include "limber/io/fit_file.hpp"
#include "limber/io/setting.hpp"
#include "limber/math/eigen.hpp"

namespace limber LIMBER_EXPORT {

/// A value that was found.
struct FoundParameter {
  std::string path;             ///< of the file; of a start that is not known `initial.q.NAME`
  double start = 0.0;           ///< where the search began
  double value = 0.0;           ///< the estimate
  double standard_error = 0.0;  ///< root of (2)'s diagonal; infinite where nothing tells it
  bool is_at_bound = false;     ///< whether a bound holds it
};

/// What was measured by one instrument, and how well it is explained.
struct FitChannel {
  std::string name;          ///< output, `frequencies_hz`
  int experiment = 0;        ///< which of `data`
  Eigen::VectorXd times;     ///< [s]; none of frequencies and readings
  Eigen::VectorXd measured;  ///< y
  Eigen::VectorXd computed;  ///< f at the estimate
  Eigen::VectorXd sigma;     ///< s; of (1), as given or as taken
  double rms = 0.0;          ///< of f - y
  double fit_percent = 0.0;  ///< 100 (1 - |f - y| / |y - mean y|); of frequencies and readings |y| below
  double whiteness = 1.0;    ///< of f - y over time (residual_statistics.hpp)
  double normality = 1.0;    ///< of f - y over time
};

/// Parameters that cannot be told apart, or not at all.
struct UnclearDirection {
  double standard_deviation =
      0.0;  ///< of the parameters along it, relative to their sizes; infinite: nothing tells it
  Eigen::VectorXd direction;  ///< of unit length, parameters in units of their sizes
};

/// What came out.
struct Identified {
  std::vector<FoundParameter> parameters;  ///< in the order of `fit`, then starts that were not known
  Eigen::MatrixXd covariance;              ///< (2)
  Eigen::MatrixXd correlation;   ///< of the estimates; not a number where a standard error is infinite
  double residual_rms = 0.0;     ///< of f - y, in the data's unit
  double weighted_rms = 0.0;     ///< of (f - y) / s: about 1 where s is right
  double fit_percent = 0.0;      ///< of all channels, weighted by s
  int iterations = 0;            ///< of Levenberg and Marquardt's method
  long evaluations = 0;          ///< simulations, those of the check included; without time histories, points
  bool converged = false;        ///< whether it ended by the tolerance
  bool estimates_sigma = false;  ///< no standard deviations were given
  std::string end;               ///< why it ended, in words
  std::vector<FitChannel> channels;       ///< data
  std::vector<UnclearDirection> unclear;  ///< directions that the data do not tell
  std::vector<std::string> warnings;      ///< sentences
};

/// How far an identification is.
struct IdentifyProgress {
  long evaluations = 0;       ///< so far
  double weighted_rms = 0.0;  ///< at the last point
};

/// What a fit would look at.
struct FitOutline {
  std::vector<std::string> paths;  ///< of the parameters
  int experiments = 0;             ///< that were made
  long data = 0;                   ///< numbers that were measured
};

/// Reads everything that a fit names, and checks it, without computing anything. Throws as identify() does.
FitOutline check_fit(const FitFile& file, const Settings& settings = {});

/// `settings` change values of the files before anything else. `progress` is told after every point. Throws Interrupted where somebody asks
/// to stop, FileError for what is wrong with the files, and for a parameter that changes nothing; ComputationError where the arm cannot be computed at the start.
Identified identify(const FitFile& file, const Settings& settings = {},
                    const std::function<void(const IdentifyProgress&)>& progress = {});
/// The same of a file that is read first.
Identified identify(const std::filesystem::path& file, const Settings& settings = {},
                    const std::function<void(const IdentifyProgress&)>& progress = {});

}  // namespace limber
