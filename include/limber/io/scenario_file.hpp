// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Scenario files: YAML, described in docs/scenario-file-reference.md. What is wrong with one, with the model or a
// table that it names, is thrown as FileError, all of it at once where possible, each problem with
// file:line:column.

#include <filesystem>
#include <string>
#include <vector>

#include "limber/core/export.hpp"
#include "limber/io/file_error.hpp"
#include "limber/io/setting.hpp"
#include "limber/io/source_text.hpp"
#include "limber/model/model.hpp"
#include "limber/scenario/description.hpp"

namespace limber LIMBER_EXPORT {

class PreparedBeams;

/// A scenario as it was read.
struct ScenarioFile {
  ScenarioDescription description;  ///< as it was written
  Model model;                      ///< built from it
  /// Everything that was read, the scenario first, settings last: what a result embeds.
  std::vector<SourceText> sources;
};

/// The name of the source that holds the settings, where there are any.
inline constexpr const char* settings_source = "--set";

/// `settings` change values before they are
/// checked, in the model too (`model.links()...`).
ScenarioFile read_scenario(const std::filesystem::path& file, const Settings& settings = {});

/// The same for a text in memory: `file_name` is for messages, `directory` where other files are looked for.
ScenarioFile parse_scenario(const std::string& text, const std::string& file_name,
                            const std::filesystem::path& directory, const Settings& settings = {});

/// Once more from what ScenarioFile::sources kept: no other file is read.
ScenarioFile parse_scenario(const std::vector<SourceText>& sources);
/// The same with a model that has been built from them before, where settings do not touch it: nothing of it is read or built again.
ScenarioFile parse_scenario(const std::vector<SourceText>& sources, const Model& model);
/// The same with a model that is built with beams of others (limber/model/prepared_beams.hpp).
ScenarioFile parse_scenario(const std::vector<SourceText>& sources, PreparedBeams& kept);

/// What is found wrong with a scenario only when it is built (build_scenario), with its places in the text. `file_name` is for messages.
FileError with_places(const InputError& error, const ScenarioFile& file, const std::string& file_name);

/// Whether a file looks like a scenario and not like a model: it has the key `model`, and no `links`. False for
/// what cannot be read.
bool is_scenario(const std::filesystem::path& file);

}  // namespace limber
