// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Files that appear under their name only once they are complete, and what is left of them when a program has to end at
// once.

#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>

#include "limber/core/export.hpp"

namespace limber LIMBER_EXPORT {

/// A file that is being written under a hidden name beside its own.
class WholeFile {
 public:
  /// Throws InputError where nothing can be made there.
  explicit WholeFile(std::filesystem::path file);
  /// Without finish(), nothing is left.
  ~WholeFile();
  WholeFile(const WholeFile&) = delete;
  WholeFile& operator=(const WholeFile&) = delete;

  /// What cannot be written is told by finish().
  void write(std::string_view text);
  /// Gives the file its name. Throws ComputationError where the disk is full.
  void finish();

 private:
  std::filesystem::path file_, hidden_;
  std::FILE* stream_ = nullptr;
  bool is_good_ = true;
};

/// Writes a text, under its name only once it is complete.
void write_whole_file(const std::filesystem::path& file, std::string_view text);

/// Brings what was written to a file, or a folder, onto the disk. False where that failed.
bool synchronise(const std::filesystem::path& file);

///@{
/// Files that are to vanish when the program ends before its time. remove_unfinished() may be called by a handler of
/// signals.
void note_unfinished(const std::filesystem::path& file);
void forget_unfinished(const std::filesystem::path& file);
void remove_unfinished() noexcept;
///@}

}  // namespace limber
