// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Values of a file that are changed before it is checked: `--set PATH=VALUE`.
//
// A path names a value as errors do, an element of a list by its index or by its name: links[0].beam.length,
// links.boom.beam.length. In a scenario `model.links().boom.beam.length` reaches into the model, also where that stands
// in a file of its own. A key that the file does not have is added; whether the format knows it is then looked at as if
// it stood in the file.

#include <string>
#include <vector>

#include "limber/core/export.hpp"

namespace limber LIMBER_EXPORT {

/// One value that is changed.
struct Setting {
  std::string path;   ///< links.boom.beam.length
  std::string value;  ///< YAML
  std::string prefix =
      {};  ///< what its user wrote before `path`: `model.` where it leads into a scenario's model
};
/// Applied in order.
using Settings = std::vector<Setting>;

/// From `PATH=VALUE`, on one line. Throws InputError where there is no `=`, no path or no value.
Setting parse_setting(const std::string& text);

///@{
/// One `PATH=VALUE` on each line, and back: what a result embeds beside the texts of the files.
std::string settings_text(const Settings& settings);
Settings parse_settings_text(const std::string& text);
///@}

/// A word of a command line, in single quotes where a shell would take it apart.
std::string shell_word(const std::string& word);
/// ` --set PATH=VALUE` for each: what makes the same settings again.
std::string command_words(const Settings& settings);

}  // namespace limber
