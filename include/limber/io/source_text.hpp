#pragma once

#include <string>

namespace limber {

/// A file that was read: its name as the text that names it has it, and its content.
struct SourceText {
  std::string name;
  std::string text;
};

}  // namespace limber
