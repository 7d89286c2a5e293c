// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "limber/io/file_error.hpp"
#include "limber/io/setting.hpp"
#include "yaml_tree.hpp"

namespace limber {

/// A setting as it was applied: its path in the spelling of messages (elements by index).
struct AppliedSetting {
  Setting setting;
  std::string path;
};

/// Changes the tree. Throws FileError, at the last part of the path that exists, where a path leads nowhere.
std::vector<AppliedSetting> apply_settings(const Settings& settings, const std::string& file, YamlNode& root);

/// Problems with a value that was set say by what.
void mention_settings(const std::vector<AppliedSetting>& applied, std::vector<LocatedProblem>& problems);

/// Takes those off that lead into the model of a scenario, `model.` removed from their paths.
Settings take_model_settings(Settings& settings);

}  // namespace limber
