// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Reading model files as in model_file.hpp, with what else is known of them.

#include <filesystem>
#include <string>
#include <vector>

#include "limber/core/export.hpp"
#include "limber/io/setting.hpp"
#include "limber/model/description.hpp"
#include "limber/model/model.hpp"

namespace limber LIMBER_EXPORT {

/// What is known about a model file beside the arm that it describes.
struct ModelNotes {
  std::vector<std::string> sentences =
      {};  ///< what a URDF has and no arm takes over, or what had to be assumed
  std::vector<std::filesystem::path> files = {};  ///< what was read beside it: a URDF
};

///@{
/// As those of model_file.hpp.
Model read_model(const std::filesystem::path& file, const Settings& settings, ModelNotes& notes);
ModelDescription read_model_description(const std::filesystem::path& file, const Settings& settings,
                                        ModelNotes& notes);
ModelDescription parse_model_description(const std::string& text, const std::string& file_name,
                                         const std::filesystem::path& directory_for_tables,
                                         const Settings& settings, ModelNotes& notes);
///@}

}  // namespace limber
