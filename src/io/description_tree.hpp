// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The way back: a description as the YAML tree that reads as the same description.

#include <filesystem>
#include <string>

#include "limber/model/description.hpp"
#include "yaml_tree.hpp"

namespace limber {

/// Keys whose values are the defaults are left out. Tables of shapes are named as seen from `directory` (empty: as they were
/// read). Throws InputError for a table that was in no file.
YamlNode tree_of(const ModelDescription& model, const std::filesystem::path& directory = {});

/// A node as YAML on one line.
std::string flow_text(const YamlNode& node);

/// A tree as YAML, short maps and lists on one line.
std::string yaml_text(const YamlNode& root);

}  // namespace limber
