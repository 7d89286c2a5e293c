// SPDX-License-Identifier: BSD-3-Clause
#include "limber/scenario/description.hpp"

namespace limber {

std::vector<std::string> parts_of(const TrajectoryDescription& trajectory) {
  if (const auto* sum = std::get_if<trajectories::Sum>(&trajectory)) return sum->of;
  if (const auto* shaped = std::get_if<trajectories::Shaped>(&trajectory)) return {shaped->of};
  return {};
}

const TargetDescription* ActuationDescription::target() const {
  return std::visit(
      [](const auto& held) -> const TargetDescription* {
        if constexpr (requires { held.target->value; })
          return held.target ? &*held.target : nullptr;
        else if constexpr (requires { held.target; })
          return &held.target;
        else
          return nullptr;
      },
      kind);
}

std::optional<double> fixed_step(const IntegrationMethod& method) {
  return std::visit(
      [](const auto& held) -> std::optional<double> {
        if constexpr (requires { held.step; })
          return held.step;
        else
          return std::nullopt;
      },
      method);
}

}  // namespace limber
