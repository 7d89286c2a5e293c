// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Large text files, line by line and number by number.

#include <charconv>
#include <filesystem>
#include <string>
#include <string_view>

namespace limber {

/// All of a file. Throws InputError where it cannot be read.
std::string read_large_text(const std::filesystem::path& file, const std::string& expected);

/// One line of a text after the other.
class TextLines {
 public:
  TextLines(std::string_view text, std::string file) : rest_(text), file_(std::move(file)) {}

  /// False at the end.
  bool next(std::string_view& line);
  /// `girder.inp:12`
  std::string place() const { return file_ + ":" + std::to_string(number_); }
  [[noreturn]] void refuse(const std::string& expected, const std::string& found,
                           const std::string& hint = "") const;

 private:
  std::string_view rest_;
  std::string file_;
  long number_ = 0;
};

/// What stands between blanks and commas; empty at the end of the line.
std::string_view next_word(std::string_view& line);

/// Whether the whole word is a number. Fortran's `D` exponents are none.
template <typename Number>
bool parse(std::string_view word, Number& value) {
  if (word.starts_with('+')) word.remove_prefix(1);
  const auto [end, failed] = std::from_chars(word.data(), word.data() + word.size(), value);
  return failed == std::errc{} && end == word.data() + word.size();
}

/// A word of a file as a message shows it.
std::string shown(std::string_view word);

}  // namespace limber
