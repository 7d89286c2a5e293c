// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdlib>
#include <vector>

#include "limber/io/scenario_file.hpp"
#include "limber/scenario/trajectory.hpp"

namespace limber::fuzz {

/// Makes all trajectories that are not made of others, and looks at them at a few times, where something happens among others.
inline void follow_trajectories(const ScenarioFile& file) {
  for (const auto& [name, description] : file.description.trajectories) {
    if (!parts_of(description).empty()) continue;
    const TrajectoryPointer made = make_trajectory(description, nullptr);
    std::vector<double> times = {-1.0, 0.0, 0.3, 1e9};
    const std::vector<double> corners = made->corners();
    for (std::size_t i = 0; i < corners.size() && i < 10; ++i) times.push_back(corners[i]);
    for (const double t : times) {
      made->at(t);
      if (made->pace(t).until < t) std::abort();
    }
  }
}

}  // namespace limber::fuzz
