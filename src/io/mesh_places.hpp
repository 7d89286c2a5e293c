// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Names of meshes: files name them as seen from where they stand, descriptions as they are found from anywhere.

#include <filesystem>

#include "limber/model/description.hpp"

namespace limber {

/// The names in a file in `directory` become places.
void find_meshes(ModelDescription& arm, const std::filesystem::path& directory);
/// Places become names in a file in `directory`; empty: in the current one.
ModelDescription with_mesh_names(ModelDescription arm, const std::filesystem::path& directory);

}  // namespace limber
