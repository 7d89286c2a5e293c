// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Where an arm was, from a table of what its sensors showed: `limber estimate`.
//
// A row of the table counts for a sensor where it shows a new sample of it, and at the time of that sample: late readings (`delay`) take their place before others. An estimate of a row knows all
// samples up to its time; that of the smoother, those of the rows in its window as well.

#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "limber/core/export.hpp"
#include "limber/estimation/arm_estimator.hpp"
#include "limber/estimation/moving_horizon_smoother.hpp"
#include "limber/io/setting.hpp"

namespace limber LIMBER_EXPORT {

/// A value of the files that is estimated, too.
struct ParameterToFind {
  std::string path;        ///< model.links.strip.tip.mass
  double deviation = 0.0;  ///< of what stands there: standard deviation
};

/// What is to be done.
struct EstimateRequest {
  EstimationMethod method = EstimationMethod::ekf;  ///< filter or smoother
  StochasticArmOptions arm = {};                    ///< what is known before
  SmootherOptions smoother = {};                    ///< of mhe
  std::vector<ParameterToFind> parameters = {};     ///< estimated along with the state
  std::string time_column = "t";                    ///< of the table
  std::vector<std::pair<std::string, std::string>> columns =
      {};  ///< sensor: column; none: columns named as sensors
};

/// What was found.
struct EstimatedCourse {
  std::string name;                          ///< of the arm
  std::vector<std::string> coordinates;      ///< of v
  std::vector<std::string> positions;        ///< of q
  std::vector<std::string> sensors;          ///< that were used
  std::vector<UnknownParameter> parameters;  ///< their paths and what was known before
  std::vector<ArmEstimate> rows;             ///< for each row of the table
  long readings = 0;                         ///< how many counted
  double innovation_rms =
      0.0;  ///< what readings differ from what was expected of them, in standard deviations: 1 where all is as assumed
  long iterations = 0;  ///< of the smoother
};

/// Reads scenario (after `settings`) and table. Throws FileError with places for what is wrong with them; ComputationError where the estimate is lost. `looks` is called between rows.
EstimatedCourse estimate(const std::filesystem::path& scenario, const std::filesystem::path& data,
                         const EstimateRequest& request = {}, const Settings& settings = {},
                         const std::function<void()>& looks = {});

/// A line for each row: time, positions, velocities, end effector, parameters, and the standard deviation of each (`sd.` before its name).
std::string estimates_csv(const EstimatedCourse& course);

/// The same as datasets of an HDF5 file: time, q, v, end_effector, parameters and sd_ of each, with names of columns as attributes.
void write_estimates_h5(const std::filesystem::path& file, const EstimatedCourse& course);

}  // namespace limber
