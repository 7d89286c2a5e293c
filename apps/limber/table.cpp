// SPDX-License-Identifier: BSD-3-Clause
#include "table.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

namespace limber::app {
namespace {

bool colours(bool to_stderr) {
  return isatty(to_stderr ? STDERR_FILENO : STDOUT_FILENO) != 0 && std::getenv("NO_COLOR") == nullptr;
}

// Characters on the screen: continuation bytes of UTF-8 take no room.
std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::string padded(const std::string& text, std::size_t width, Table::Align align) {
  const std::string space(width - width_of(text), ' ');
  return align == Table::Align::left ? text + space : space + text;
}

}  // namespace

std::string styled(Style style, const std::string& text, bool to_stderr) {
  if (!colours(to_stderr)) return text;
  const char* code = "";
  switch (style) {
    case Style::bold:
      code = "1";
      break;
    case Style::dim:
      code = "2";
      break;
    case Style::good:
      code = "32";
      break;
    case Style::bad:
      code = "1;31";
      break;
    case Style::warning:
      code = "33";
      break;
  }
  return fmt::format("\033[{}m{}\033[0m", code, text);
}

void Table::add_row(std::vector<std::string> cells) {
  cells.resize(columns_.size());
  rows_.push_back(std::move(cells));
}

std::string Table::str() const {
  std::vector<std::size_t> widths;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    std::size_t width = std::max(width_of(columns_[c].title), width_of(columns_[c].unit));
    for (const auto& row : rows_) width = std::max(width, width_of(row[c]));
    widths.push_back(width);
  }
  const auto line = [&](auto&& cell) {
    std::string text;
    for (std::size_t c = 0; c < columns_.size(); ++c)
      text += "  " + padded(cell(c), widths[c], columns_[c].align);
    text.erase(text.find_last_not_of(' ') + 1);
    return text;
  };
  std::string text = styled(Style::bold, line([&](std::size_t c) { return columns_[c].title; })) + "\n";
  const bool has_units =
      std::any_of(columns_.begin(), columns_.end(), [](const Column& c) { return !c.unit.empty(); });
  if (has_units) text += styled(Style::dim, line([&](std::size_t c) { return columns_[c].unit; })) + "\n";
  for (const auto& row : rows_) text += line([&](std::size_t c) { return row[c]; }) + "\n";
  return text;
}

std::string number(double value) { return fmt::format("{:.4g}", value); }

}  // namespace limber::app
