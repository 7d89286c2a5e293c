// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Shapes as triangles, as results hold them.

#include <vector>

#include "limber/model/description.hpp"
#include "limber/results/arm_outline.hpp"

namespace limber {

/// How many triangles the mesh of a file may have in a result, where an arm has so many of them.
int triangles_per_mesh(std::size_t meshes);
/// Of an arm, on all its links and around it.
std::size_t count_meshes(const ModelDescription& arm);

/// Those that can be drawn.
std::vector<OutlineVisual> outline_visuals(const std::vector<VisualDescription>& visuals, int most_triangles);

}  // namespace limber
