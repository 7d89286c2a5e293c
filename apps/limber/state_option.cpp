// SPDX-License-Identifier: BSD-3-Clause
#include "state_option.hpp"

#include <utility>

namespace limber::app {

State read_state_or_neutral(const std::string& file, const Model& model) {
  return file.empty() ? neutral_state(model) : read_state(file, model);
}

std::vector<SensorDescription> read_sensors_if_any(const std::string& file, const Model& model) {
  return file.empty() ? std::vector<SensorDescription>{} : read_sensors(file, model);
}

std::vector<Load> place_loads(const std::vector<StateLoad>& loads, Model& model) {
  std::vector<Load> placed;
  for (const StateLoad& load : loads) {
    model = with_node(model, load.link, load.at);
    placed.push_back(
        {load.link, node_index(model, load.link, load.at), load.frame, load.force, load.moment, load.offset});
  }
  return placed;
}

}  // namespace limber::app
