// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A chain of links that bend in both planes, two shapes each: five coordinates a link.

#include <string>

#include "limber/model/builder.hpp"

namespace limber {

inline Model flexible_chain(int links) {
  ModelBuilder builder("chain");
  for (int i = 0; i < links; ++i)
    builder.link("link" + std::to_string(i))
        .revolute(i % 2 == 0 ? Eigen::Vector3d::UnitZ() : Eigen::Vector3d::UnitY())
        .beam(1.0, {.EI_y = 1e3, .EI_z = 2e3, .mass_per_length = 3.0})
        .modes(Direction::y, 2)
        .modes(Direction::z, 2);
  return builder.build();
}

}  // namespace limber
