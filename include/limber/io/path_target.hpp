// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Where a path leads: what `--set PATH=VALUE` would change.

#include <optional>
#include <string>

#include "limber/core/export.hpp"
#include "limber/io/setting.hpp"

namespace limber LIMBER_EXPORT {

/// A value of a file.
struct PathTarget {
  std::string path;                   ///< in the spelling of messages: elements of lists by their index
  std::optional<double> number = {};  ///< what stands there; none: no number, or nothing yet
};

/// In a text of YAML, after `before` has been applied. Throws FileError, with the closest name, where the path leads nowhere.
PathTarget path_target(const std::string& text, const std::string& file_name, const std::string& path,
                       const Settings& before = {});

}  // namespace limber
