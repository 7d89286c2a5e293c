// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What has been computed since the result was last written, variant by variant: a file beside the result, to which every variant is added in one write
// as soon as it is done. Whatever ends the program, it has all but what was under way. A record that was cut off is left out.

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "limber/study/study.hpp"

namespace limber {

/// A sum of all texts: whether two are the same study.
std::uint64_t sum_of(const std::vector<SourceText>& sources);

class Journal {
 public:
  /// Of this study; goes on where there is one of it, and begins anew where it is of another.
  Journal(std::filesystem::path file, const std::vector<SourceText>& sources, std::size_t width);
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  /// Throws ComputationError where the disk is full. By one thread at a time.
  void add(long variant, const VariantOutcome& outcome);
  /// What it had when it was opened.
  const std::vector<std::pair<long, VariantOutcome>>& found() const { return found_; }
  /// The result has it all.
  void remove();

  /// Beside a result.
  static std::filesystem::path beside(const std::filesystem::path& result);

 private:
  void read();
  void write(const std::string& bytes);

  std::filesystem::path file_;
  std::uint64_t study_;
  std::size_t width_;
  std::vector<std::pair<long, VariantOutcome>> found_;
  int descriptor_ = -1;
};

}  // namespace limber
