#pragma once

// Where a command writes what it was asked for.

#include <filesystem>
#include <string>

#include "limber/core/input_error.hpp"

namespace limber::app {

/// What -o says, or the input's name with another ending, in the current folder.
inline std::string output_name(const std::string& option, const std::string& input,
                               const std::string& ending) {
  return option.empty() ? std::filesystem::path(input).stem().string() + ending : option;
}

/// Nothing that exists is replaced unless asked for; a missing folder is said before any work is done.
inline void refuse_existing_output(const std::string& file, bool force, const std::string& option = "-o",
                                   const std::string& hint = "--force replaces it") {
  const std::filesystem::path folder = std::filesystem::path(file).parent_path();
  if (!folder.empty() && !std::filesystem::is_directory(folder))
    throw InputError(Problem{option, "a file in a folder that exists", file, "make the folder"});
  if (!force && std::filesystem::exists(file))
    throw InputError(Problem{option, "a file that does not exist yet", "`" + file + "`", hint});
}

}  // namespace limber::app
