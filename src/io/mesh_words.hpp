// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The words of a mesh in a text file, one after the other, with their lines.

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>

#include "limber/io/file_error.hpp"

namespace limber {

class MeshWords {
 public:
  explicit MeshWords(std::string_view text) : text_(text) {}

  /// Empty at the end of the text.
  std::string_view next() {
    for (std::string_view word;;) {
      word = next_in_line();
      if (!word.empty() || at_ >= text_.size()) return word;
      skip_line();
    }
  }

  /// Empty at the end of the line; what stands after `#` is none.
  std::string_view next_in_line() {
    while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
    if (at_ >= text_.size() || text_[at_] == '\n' || text_[at_] == '#') return {};
    const std::size_t begin = at_;
    while (at_ < text_.size() && text_[at_] != '\n' && !is_blank(text_[at_])) ++at_;
    return text_.substr(begin, at_ - begin);
  }

  void skip_line() {
    at_ = text_.find('\n', at_);
    if (at_ == text_.npos) {
      at_ = text_.size();
    } else {
      ++at_;
      ++line_;
    }
  }

  Mark mark() const { return {line_, 1}; }

  static std::optional<double> number(std::string_view word) { return parsed<double>(word); }
  static std::optional<std::int64_t> integer(std::string_view word) { return parsed<std::int64_t>(word); }

 private:
  static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

  template <typename Number>
  static std::optional<Number> parsed(std::string_view word) {
    if (word.starts_with('+')) word.remove_prefix(1);
    Number number{};
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (error != std::errc() || end != word.data() + word.size()) return std::nullopt;
    return number;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int line_ = 1;
};

}  // namespace limber
