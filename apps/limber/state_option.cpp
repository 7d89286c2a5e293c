// SPDX-License-Identifier: BSD-3-Clause
#include "state_option.hpp"

#include <algorithm>

#include "limber/algorithms/beam_state.hpp"
#include "limber/algorithms/constraints.hpp"
#include "limber/algorithms/struts.hpp"
#include "limber/analysis/range.hpp"

namespace limber::app {
namespace {

// Coordinates that the file gives stay where they are, if loops can be closed so.
void close_loops(const Model& model, State& state) {
  const std::vector<std::string> names = position_names(model);
  const std::vector<int> positions = positions_of_coordinates(model);
  std::vector<int> kept;
  for (int c = 0; c < model.nv(); ++c) {
    const int position = positions[static_cast<std::size_t>(c)];
    if (position < 0) continue;
    const std::string& name = names[static_cast<std::size_t>(position)];
    if (std::find(state.given.begin(), state.given.end(), name) != state.given.end()) kept.push_back(c);
  }
  state.q = assemble(model, state.q, kept);
  LoopSolver(model).close(state.q, state.v);
}

}  // namespace

State read_state_or_neutral(const std::string& file, const Model& model) {
  State state = file.empty() ? neutral_state(model) : read_state(file, model);
  if (!model.loops().empty()) close_loops(model, state);
  require_cylinder_lengths(model, state.q);
  return state;
}

std::vector<SensorDescription> read_sensors_if_any(const std::string& file, const Model& model) {
  return file.empty() ? std::vector<SensorDescription>{} : read_sensors(file, model);
}

void warn_about_range(const Common& common, const Model& model, const Eigen::VectorXd& q) {
  std::vector<double> deflections, slopes;
  for (const Link& link : model.links()) {
    const TipState tip = tip_state(link, q);
    deflections.push_back(counted_deflection(link, tip.deflection));
    slopes.push_back(tip.slope.norm());
  }
  warn(common, deflection_warnings(model, deflections, slopes));
}

}  // namespace limber::app
