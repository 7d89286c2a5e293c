// SPDX-License-Identifier: BSD-3-Clause
#include "limber/results/measured_writer.hpp"

#include <fmt/format.h>

#include "limber/core/input_error.hpp"

namespace limber {
namespace {

const std::filesystem::path& measured_file(const std::filesystem::path& file, const Scenario& scenario) {
  if (scenario.sensors.empty())
    throw InputError(Problem{"sensors", "at least one sensor: nothing else is measured", "none",
                             "docs/sensors.md says what there is"});
  return file;
}

}  // namespace

MeasuredWriter::MeasuredWriter(const std::filesystem::path& file, const Scenario& scenario)
    : file_(measured_file(file, scenario)) {
  std::string header = "t";
  for (const SensorDescription& sensor : scenario.sensors) header += "," + sensor.name;
  file_.write(header + "\n");
}

void MeasuredWriter::add(const Sample& sample) {
  std::string row = fmt::format("{}", sample.t);
  for (const double value : sample.sensors) row += fmt::format(",{}", value);
  file_.write(row + "\n");
}

}  // namespace limber
