// SPDX-License-Identifier: BSD-3-Clause
#include "arm_nodes.hpp"

#include <fmt/format.h>

#include <cmath>

#include "limber/core/computation_error.hpp"
#include "limber/core/input_error.hpp"

namespace limber {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

constexpr std::array<double, 4> beside = {-2.0, -1.0, 1.0, 2.0};  // in distances from c
constexpr std::array<double, 5> places = {0.0, -2.0, -1.0, 1.0, 2.0};

// Lagrange's polynomial of place k at u, and its derivative.
std::pair<double, double> lagrange(std::size_t k, double u) {
  double value = 1.0, slope = 0.0;
  for (std::size_t j = 0; j < places.size(); ++j) {
    if (j == k) continue;
    const double length = places[k] - places[j];
    slope = (slope * (u - places[j]) + value) / length;
    value *= (u - places[j]) / length;
  }
  return {value, slope};
}

}  // namespace

ArmNodes::ArmNodes(Scenario scenario) {
  nodes_.push_back(std::make_unique<ArmNode>(std::move(scenario)));
  nodes_.front()->slopes.resize(0);
}

ArmNodes::ArmNodes(ScenarioAt scenario_at, const std::vector<UnknownParameter>& parameters)
    : scenario_at_(std::move(scenario_at)) {
  const auto count = static_cast<Index>(parameters.size());
  VectorXd start(count);
  deviations_.resize(count);
  for (Index j = 0; j < count; ++j) {
    const UnknownParameter& one = parameters[static_cast<std::size_t>(j)];
    if (!(one.deviation > 0.0) || !std::isfinite(one.deviation) || !std::isfinite(one.value))
      throw InputError(Problem{one.name, "a value and its standard deviation > 0",
                               fmt::format("{} +- {}", one.value, one.deviation), ""});
    names_.push_back(one.name);
    start[j] = one.value;
    deviations_[j] = one.deviation;
  }
  prepare(start);
}

void ArmNodes::prepare(const VectorXd& p) {
  std::vector<std::unique_ptr<ArmNode>> nodes;
  nodes.push_back(std::make_unique<ArmNode>(scenario_at_(p)));
  VectorXd distances = deviations_;
  for (Index j = 0; j < p.size(); ++j) {
    // What cannot be on one side (a negative mass) brings all nearer.
    constexpr int most = 40;
    for (int attempt = 0;; ++attempt) try {
        std::vector<std::unique_ptr<ArmNode>> around;
        for (const double place : beside) {
          VectorXd there = p;
          there[j] += place * distances[j];
          around.push_back(std::make_unique<ArmNode>(scenario_at_(there)));
        }
        for (auto& node : around) nodes.push_back(std::move(node));
        break;
      } catch (const InputError&) {
        if (attempt == most) throw;
        distances[j] *= 0.5;
      }
  }
  nodes_ = std::move(nodes);
  centre_ = p;
  distances_ = distances;
  weigh(p);
}

void ArmNodes::go_near(const VectorXd& p) {
  if (p.size() == 0 || ((p - centre_).cwiseAbs().array() <= distances_.array()).all()) return;
  try {
    prepare(p);
  } catch (const InputError& error) {
    std::string values;
    for (Index j = 0; j < p.size(); ++j)
      values += fmt::format("{}{} = {:.6g}", j == 0 ? "" : ", ", names_[static_cast<std::size_t>(j)], p[j]);
    throw ComputationError(fmt::format(
        "the estimate has come to {}, where there is no such arm ({}): begin nearer, with a smaller "
        "deviation",
        values, error.problems().empty() ? error.what() : error.problems().front().expected));
  }
}

void ArmNodes::weigh(const VectorXd& p) {
  for (const auto& node : nodes_) {
    node->weight = 0.0;
    node->slopes.setZero(p.size());
  }
  centre().weight = 1.0;
  for (Index j = 0; j < p.size(); ++j) {
    const double u = (p[j] - centre_[j]) / distances_[j];
    for (std::size_t k = 0; k < places.size(); ++k) {
      const auto [value, slope] = lagrange(k, u);
      ArmNode& node = k == 0 ? centre() : *nodes_[4 * static_cast<std::size_t>(j) + k];
      node.weight += k == 0 ? value - 1.0 : value;
      node.slopes[j] += slope / distances_[j];
    }
  }
}

}  // namespace limber
