// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Model files: YAML, described in docs/model-file-reference.md. What is wrong with a file is thrown as
// FileError, all of it at once, each problem with file:line:column.

#include <filesystem>
#include <string>

#include "limber/core/export.hpp"
#include "limber/io/file_error.hpp"
#include "limber/io/setting.hpp"
#include "limber/model/description.hpp"
#include "limber/model/model.hpp"

namespace limber LIMBER_EXPORT {

/// Reads and checks a model file, and prepares the model. `settings` change values before they are checked.
Model read_model(const std::filesystem::path& file, const Settings& settings = {});

/// What is found wrong with a model only when it is used (closed loops that cannot be closed), with its places in the file.
FileError with_places(const InputError& error, const std::filesystem::path& file,
                      const Settings& settings = {});

/// Reads and checks a model file. Mode tables are looked for beside it.
ModelDescription read_model_description(const std::filesystem::path& file, const Settings& settings = {});

/// The same for a text that is already in memory: `file_name` is for messages.
ModelDescription parse_model_description(const std::string& text, const std::string& file_name,
                                         const std::filesystem::path& directory_for_tables,
                                         const Settings& settings = {});

}  // namespace limber
