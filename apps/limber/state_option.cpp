// SPDX-License-Identifier: BSD-3-Clause
#include "state_option.hpp"

namespace limber::app {

State read_state_or_neutral(const std::string& file, const Model& model) {
  return file.empty() ? neutral_state(model) : read_state(file, model);
}

std::vector<SensorDescription> read_sensors_if_any(const std::string& file, const Model& model) {
  return file.empty() ? std::vector<SensorDescription>{} : read_sensors(file, model);
}

}  // namespace limber::app
