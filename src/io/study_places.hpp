// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Where the parts of a study stand in its text: keys of some of its blocks are paths, with dots in them.

#include <string>
#include <utility>
#include <vector>

#include "limber/io/file_error.hpp"
#include "yaml_tree.hpp"

namespace limber {

using StudyPlaces = std::vector<std::pair<std::string, Mark>>;

/// Notes the place of a node and of everything in it.
void note_places(const YamlNode& node, const std::string& path, StudyPlaces& places);

/// Each at the longest path in the file that its own begins with.
FileError at_places(const std::vector<Problem>& problems, const std::string& file, const StudyPlaces& places);

}  // namespace limber
