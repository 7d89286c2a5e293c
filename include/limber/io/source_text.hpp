// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string>

#include "limber/core/export.hpp"

namespace limber LIMBER_EXPORT {

/// A file that was read: its name as the text that names it has it, and its content.
struct SourceText {
  std::string name;                 ///< as the text that names it has it
  std::string text;                 ///< all of it
  std::filesystem::path file = {};  ///< where it was read; empty for a text that was in memory
};

}  // namespace limber
