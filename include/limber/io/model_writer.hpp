// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The way back: a description as a model file.

#include <filesystem>
#include <string>
#include <vector>

#include "limber/core/export.hpp"
#include "limber/model/description.hpp"

namespace limber LIMBER_EXPORT {

/// A model file that reads as the same description, number by number. Keys with their default values are left out. Tables of
/// shapes are named as seen from `directory`; where that is empty, as they were read. Throws InputError for a table that was in
/// no file. `comments` stand at its beginning.
std::string model_file_text(const ModelDescription& description, const std::filesystem::path& directory = {},
                            const std::vector<std::string>& comments = {});

/// The same in a file, which appears under its name once it is complete.
void write_model(const std::filesystem::path& file, const ModelDescription& description,
                 const std::vector<std::string>& comments = {});

}  // namespace limber
