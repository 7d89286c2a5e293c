// SPDX-License-Identifier: BSD-3-Clause
#include <numbers>

#include "limber/analysis/modes.hpp"
#include "limber/core/computation_error.hpp"
#include "limber/model/detail/arguments.hpp"
#include "limber/results/result_file.hpp"

namespace limber {

EndFrequencies end_frequencies(const Scenario& scenario, const Eigen::VectorXd& q) {
  detail::Call{"end_frequencies", scenario.model}.require_position("q", q);
  if (scenario.model.nv() > most_coordinates_of_modes) return {};
  JointNames prescribed;
  for (const JointTarget& target : scenario.prescribed)
    prescribed.push_back(scenario.model.coordinates()[static_cast<std::size_t>(target.coordinate)]);
  const auto frequencies = [&](JointTreatment joints) {
    std::vector<double> some;
    try {
      for (const double omega :
           natural_modes(scenario.model, q, joints, 0, {}, prescribed).angular_frequencies) {
        const double f = omega / (2.0 * std::numbers::pi);
        constexpr double rigid_motion = 1e-4;  // Hz; a free joint's own mode
        if (f > rigid_motion && some.size() < most_end_frequencies) some.push_back(f);
      }
    } catch (const ComputationError&) {  // no mass somewhere: none to be had
    }
    return some;
  };
  return {frequencies(JointTreatment::held), frequencies(JointTreatment::as_modelled)};
}

}  // namespace limber
