// SPDX-License-Identifier: BSD-3-Clause
#include "readings_check.hpp"

#include <cmath>

#include "limber/core/input_error.hpp"

namespace limber::detail {
namespace {

std::string extent(Eigen::Index rows, Eigen::Index columns) {
  return std::to_string(rows) + " x " + std::to_string(columns);
}

}  // namespace

void require_state(const DiscreteProcess& process, const char* function_name, double t,
                   const Eigen::VectorXd& x, const Eigen::MatrixXd& covariance) {
  const int n = process.error_size();
  if (x.size() != process.point_size())
    throw InputError(Problem{std::string(function_name) + ": x",
                             std::to_string(process.point_size()) + " numbers", std::to_string(x.size()),
                             ""});
  if (covariance.rows() != n || covariance.cols() != n)
    throw InputError(Problem{std::string(function_name) + ": covariance", extent(n, n),
                             extent(covariance.rows(), covariance.cols()), ""});
  if (!std::isfinite(t) || !x.allFinite() || !covariance.allFinite())
    throw InputError(
        Problem{function_name, "finite numbers", "numbers that are infinite or not numbers", ""});
  if (!(covariance.diagonal().array() >= 0.0).all())
    throw InputError(
        Problem{std::string(function_name) + ": covariance", "variances >= 0", "negative ones", ""});
}

void require_readings(const DiscreteProcess& process, const char* function_name,
                      const std::vector<int>& sensors, const Eigen::VectorXd& readings) {
  if (readings.size() != static_cast<Eigen::Index>(sensors.size()))
    throw InputError(Problem{std::string(function_name) + ": readings",
                             std::to_string(sensors.size()) + " numbers, one for each sensor",
                             std::to_string(readings.size()), ""});
  for (const int sensor : sensors)
    if (sensor < 0 || sensor >= process.reading_count())
      throw InputError(Problem{std::string(function_name) + ": sensors",
                               "indices from 0 to " + std::to_string(process.reading_count() - 1),
                               std::to_string(sensor), ""});
  for (const int sensor : sensors)
    if (!(process.variance(sensor) > 0.0))
      throw InputError(Problem{std::string(function_name) + ": sensors",
                               "instruments with noise: readings are weighed by it",
                               "none of instrument " + std::to_string(sensor), ""});
  if (!readings.allFinite())
    throw InputError(Problem{std::string(function_name) + ": readings", "finite numbers",
                             "numbers that are infinite or not numbers", "leave out what was not measured"});
}

}  // namespace limber::detail
