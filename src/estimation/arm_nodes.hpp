// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Arms that are prepared at values of unknown parameters, and what their quantities weigh in between (stochastic_arm.hpp).

#include <array>
#include <memory>
#include <vector>

#include "limber/algorithms/measurement.hpp"
#include "limber/estimation/stochastic_arm.hpp"
#include "limber/simulation/instruments.hpp"
#include "limber/simulation/system.hpp"

namespace limber {

/// One prepared arm.
struct ArmNode {
  explicit ArmNode(Scenario from)
      : scenario(std::move(from)),
        system(scenario),
        instruments(scenario),
        measurement(scenario.model, scenario.sensors),
        work(scenario.model) {}

  Scenario scenario;
  System system;
  Instruments instruments;
  Measurement measurement;  ///< the same sensors, for derivatives
  Workspace<double> work;
  double weight = 1.0;     ///< of its quantities at p
  Eigen::VectorXd slopes;  ///< of that by each parameter
  // Scratch.
  Eigen::VectorXd missing, rates, shown;
  System::Tangent tangent;
  System::MemorySlopes memory;
  System::Forces forces;
  MeasurementJacobian jacobian;
  bool slopes_known = false;  ///< of the sensors, somewhere
};

/// The one at c, then four for each parameter.
class ArmNodes {
 public:
  explicit ArmNodes(Scenario scenario);
  ArmNodes(ScenarioAt scenario_at, const std::vector<UnknownParameter>& parameters);

  ArmNode& centre() { return *nodes_.front(); }
  const ArmNode& centre() const { return *nodes_.front(); }
  std::vector<std::unique_ptr<ArmNode>>& all() { return nodes_; }
  Eigen::Index parameter_count() const { return centre_.size(); }
  /// Anew where p is farther away than a distance between nodes. Throws ComputationError where there is no arm at p.
  void go_near(const Eigen::VectorXd& p);
  /// Sets weights and slopes.
  void weigh(const Eigen::VectorXd& p);

 private:
  void prepare(const Eigen::VectorXd& p);

  ScenarioAt scenario_at_;
  std::vector<std::string> names_;
  Eigen::VectorXd centre_, deviations_, distances_;
  std::vector<std::unique_ptr<ArmNode>> nodes_;
};

}  // namespace limber
