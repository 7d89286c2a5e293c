#pragma once

#include <filesystem>
#include <string>

namespace limber {

/// A file that was read: its name as the text that names it has it, and its content.
struct SourceText {
  std::string name;
  std::string text;
  std::filesystem::path file = {};  ///< where it was read; empty for a text that was in memory
};

}  // namespace limber
