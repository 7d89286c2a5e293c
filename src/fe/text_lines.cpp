// SPDX-License-Identifier: BSD-3-Clause
#include "text_lines.hpp"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <system_error>

#include "limber/core/input_error.hpp"

namespace limber {
namespace {

bool is_separator(char c) { return c == ' ' || c == '\t' || c == ',' || c == '\r'; }

}  // namespace

std::string read_large_text(const std::filesystem::path& file, const std::string& expected) {
  const auto refuse = [&](const std::string& found) {
    throw InputError(Problem{file.string(), expected, found, ""});
  };
  std::error_code failed;
  if (!std::filesystem::exists(file, failed)) refuse("no such file");
  if (!std::filesystem::is_regular_file(file, failed)) refuse("something that is no file");
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> stream(std::fopen(file.c_str(), "rb"), std::fclose);
  if (!stream) refuse("a file that cannot be opened");
  std::string text(std::filesystem::file_size(file, failed), '\0');
  if (failed || std::fread(text.data(), 1, text.size(), stream.get()) != text.size())
    refuse("a file that cannot be read");
  return text;
}

bool TextLines::next(std::string_view& line) {
  if (rest_.empty()) return false;
  const std::size_t end = std::min(rest_.find('\n'), rest_.size());
  line = rest_.substr(0, end);
  rest_.remove_prefix(std::min(end + 1, rest_.size()));
  ++number_;
  return true;
}

void TextLines::refuse(const std::string& expected, const std::string& found, const std::string& hint) const {
  throw InputError(Problem{place(), expected, found, hint});
}

std::string_view next_word(std::string_view& line) {
  std::size_t first = 0;
  while (first < line.size() && is_separator(line[first])) ++first;
  std::size_t end = first;
  while (end < line.size() && !is_separator(line[end])) ++end;
  const std::string_view word = line.substr(first, end - first);
  line.remove_prefix(end);
  return word;
}

std::string shown(std::string_view word) {
  constexpr std::size_t longest = 40;
  if (word.empty()) return "nothing";
  std::string text = "`";
  for (const char c : word.substr(0, longest)) text += c >= ' ' && c < '\x7f' ? c : '?';
  return text + (word.size() > longest ? "...`" : "`");
}

}  // namespace limber
