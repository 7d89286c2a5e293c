// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <string_view>

#include "controllers.hpp"
#include "limber/core/input_error.hpp"
#include "limber/model/coordinates.hpp"
#include "limber/model/lookup.hpp"
#include "limber/simulation/linear_controller.hpp"

namespace limber {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

LinearController::LinearController(LinearLaw law, std::vector<Input> inputs, std::vector<int> outputs,
                                   double rate)
    : inputs_(std::move(inputs)), outputs_(std::move(outputs)), rate_(rate) {
  const int y = static_cast<int>(inputs_.size()), u = static_cast<int>(outputs_.size());
  if (std::vector<Problem> problems = check_sizes(law, y, u); !problems.empty())
    throw InputError(std::move(problems));
  law_ = completed(std::move(law), y, u);
  errors_.setZero(y);
  effort_.setZero(u);
}

void LinearController::find_errors(const Instant& now) {
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    double& error = errors_[static_cast<Index>(i)];
    error = inputs_[i].from.value(now);
    if (inputs_[i].reference) error -= inputs_[i].reference->at(now.t, now.within).position;
  }
}

void LinearController::add_efforts(const Instant& now, VectorXd& efforts) {
  find_errors(now);
  effort_ = law_.u0;
  effort_.noalias() += law_.C.lazyProduct(now.x);
  effort_.noalias() += law_.D.lazyProduct(errors_);
  for (std::size_t i = 0; i < outputs_.size(); ++i) efforts[outputs_[i]] += effort_[static_cast<Index>(i)];
}

void LinearController::add_gains(const Instant&, MatrixXd& stiffness, MatrixXd& damping) {
  for (std::size_t i = 0; i < outputs_.size(); ++i)
    for (std::size_t j = 0; j < inputs_.size(); ++j) {
      const ControllerInput& from = inputs_[j].from;
      if (from.coordinate < 0) continue;  // sensors: below
      MatrixXd& gain = from.kind == ControllerInput::Kind::position ? stiffness : damping;
      gain(outputs_[i], from.coordinate) -= law_.D(static_cast<Index>(i), static_cast<Index>(j));
    }
}

void LinearController::add_sensor_gains(const Instant&, MatrixXd& gains) {
  for (std::size_t j = 0; j < inputs_.size(); ++j) {
    if (inputs_[j].from.kind != ControllerInput::Kind::sensor) continue;
    for (std::size_t i = 0; i < outputs_.size(); ++i)
      gains(outputs_[i], inputs_[j].from.index) -= law_.D(static_cast<Index>(i), static_cast<Index>(j));
  }
}

std::vector<int> LinearController::sensors() const {
  std::vector<int> sensors;
  for (const Input& input : inputs_)
    if (input.from.kind == ControllerInput::Kind::sensor) sensors.push_back(input.from.index);
  return sensors;
}

void LinearController::memory_rate(const Instant& now, const Eigen::VectorXi&, Eigen::Ref<VectorXd> rate) {
  find_errors(now);
  rate.noalias() = law_.A.lazyProduct(now.x);
  rate.noalias() += law_.B.lazyProduct(errors_);
}

// `x` is a copy of what now.x shows.
void LinearController::remember(const Instant& now, const Eigen::VectorXi& at_limit, Eigen::Ref<VectorXd> x) {
  memory_rate(now, at_limit, x);
}

std::vector<TrajectoryPointer> LinearController::signals() const {
  std::vector<TrajectoryPointer> signals;
  for (const Input& input : inputs_)
    if (input.reference) signals.push_back(input.reference);
  return signals;
}

ControllerInput ControllerSite::input(const std::string& name) const {
  for (std::size_t i = 0; i < sensors.size(); ++i)
    if (sensors[i].name == name) return {ControllerInput::Kind::sensor, static_cast<int>(i), -1};
  const std::vector<int> position = positions_of_coordinates(model);
  constexpr std::string_view rate = ".rate";
  if (name.ends_with(rate)) {
    const int c = coordinate_index(model, name.substr(0, name.size() - rate.size()));
    return {ControllerInput::Kind::velocity, c, c};
  }
  const int index = position_index(model, name);
  const auto of = std::find(position.begin(), position.end(), index);
  return {ControllerInput::Kind::position, index,
          of == position.end() ? -1 : static_cast<int>(of - position.begin())};
}

// One for each entry of the file.
void actuations::Linear::add_controllers(ControllerSite& site, const std::vector<Driven<Linear>>& driven) {
  for (std::size_t i = 0; i < driven.size();) {
    const Linear& how = driven[i].how;
    std::vector<int> outputs;
    for (const std::size_t entry = driven[i].entry; i < driven.size() && driven[i].entry == entry; ++i)
      outputs.push_back(driven[i].coordinate);
    std::vector<LinearController::Input> inputs;
    for (std::size_t j = 0; j < how.inputs.size(); ++j) {
      TrajectoryPointer reference;
      if (j < how.references.size()) reference = site.follow(how.references[j], -1);
      if (j == 0 && how.reference) reference = site.follow(*how.reference, -1);
      inputs.push_back({site.input(how.inputs[j]), std::move(reference)});
    }
    site.controllers.push_back(std::make_unique<LinearController>(
        how.law, std::move(inputs), std::move(outputs), how.rate.value_or(0.0)));
  }
}

}  // namespace limber
