// SPDX-License-Identifier: BSD-3-Clause
#include "mode_table.hpp"

#include <fmt/format.h>

#include <sstream>
#include <string_view>
#include <utility>
#include <vector>

#include "number_text.hpp"
#include "text_file.hpp"

namespace limber {
namespace {

constexpr std::string_view blanks = " \t\r";
constexpr int most_problems = 5;  // what is wrong in one row is often wrong in all

struct Cell {
  std::string_view text;
  int column;  // from 1
};

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

/// The values of a line between commas or, where it has none, between blanks.
std::vector<Cell> split(std::string_view line) {
  const bool has_commas = line.find(',') != std::string_view::npos;
  const std::string_view separators = has_commas ? "," : blanks;
  std::vector<Cell> cells;
  for (std::size_t at = 0; at <= line.size();) {
    const std::size_t end = std::min(line.find_first_of(separators, at), line.size());
    const std::string_view text = trimmed(line.substr(at, end - at));
    const std::size_t start = text.empty() ? at : static_cast<std::size_t>(text.data() - line.data());
    if (has_commas || !text.empty()) cells.push_back({text, static_cast<int>(start) + 1});
    at = end + 1;
  }
  return cells;
}

class TableReader {
 public:
  TableReader(ReadContext& context, const std::string& path, std::string file, const TableWords& words)
      : context_(context), path_(path), file_(std::move(file)), words_(words) {}

  std::optional<ModeTable> read(const std::string& text) {
    if (const auto foreign = find_foreign_byte(text)) {
      add(foreign->mark, "text in UTF-8", foreign->words, "is this a text file?");
      return std::nullopt;
    }
    std::istringstream stream(text);
    int number = 0;
    for (std::string line; problems_ < most_problems && std::getline(stream, line);) {
      read_line(line.substr(0, line.find('#')), ++number);
    }
    if (problems_ == 0 && rows_.empty())
      add({1, 1}, fmt::format("rows of numbers: {}, then one value per {}", words_.first, words_.other),
          "none");
    return problems_ == 0 ? std::optional(to_table()) : std::nullopt;
  }

 private:
  void add(Mark mark, std::string expected, std::string found, std::string hint = "") {
    context_.problems.add(file_, mark, {path_, std::move(expected), std::move(found), std::move(hint)});
    ++problems_;
  }

  void read_line(const std::string& line, int number) {
    if (trimmed(line).empty()) return;
    const std::vector<Cell> cells = split(line);
    const bool is_header = !std::exchange(is_begun_, true) && looks_like_header(cells.front());
    if (!is_header) read_row(cells, number);
  }

  static bool looks_like_header(const Cell& cell) {
    const NumberText number = parse_number(cell.text);
    const std::string_view starters = "0123456789+-.";
    return !number.value && !cell.text.empty() &&
           starters.find(cell.text.front()) == std::string_view::npos &&
           !number.found.starts_with("not-a-number") && !number.found.starts_with("infinity");
  }

  void read_row(const std::vector<Cell>& cells, int line) {
    std::vector<double> row;
    for (const Cell& cell : cells) {
      const auto value = read_cell(cell, line);
      if (!value) return;
      row.push_back(*value);
    }
    const std::size_t columns = rows_.empty() ? row.size() : rows_.front().size();
    if (row.size() < 2) {
      add({line, 1}, fmt::format("{} and at least one {}", words_.first, words_.other),
          fmt::format("{} value", row.size()));
    } else if (row.size() != columns) {
      add({line, 1}, fmt::format("{} values as in the first row", columns), std::to_string(row.size()));
    } else if (!rows_.empty() && row.front() <= rows_.back().front()) {
      add({line, cells.front().column},
          fmt::format("{} > {}, the row before", words_.first, rows_.back().front()),
          show_number(row.front()));
    } else {
      rows_.push_back(std::move(row));
    }
  }

  std::optional<double> read_cell(const Cell& cell, int line) {
    if (cell.text.empty()) {
      add({line, cell.column}, "a number", "nothing between the commas");
      return std::nullopt;
    }
    const NumberText number = parse_number(cell.text);
    const auto refused = number.value ? why_refused(any_number, *number.value) : std::optional(number.hint);
    if (!refused) return number.value;
    const bool has_semicolon = cell.text.find(';') != std::string_view::npos;
    add({line, cell.column}, "a number", number.value ? show_number(*number.value) : number.found,
        has_semicolon ? "separate values by commas or blanks" : *refused);
    return std::nullopt;
  }

  ModeTable to_table() const {
    const auto rows = static_cast<Eigen::Index>(rows_.size());
    const auto shapes = static_cast<Eigen::Index>(rows_.front().size()) - 1;
    ModeTable table{file_, Eigen::VectorXd(rows), Eigen::MatrixXd(rows, shapes)};
    for (Eigen::Index i = 0; i < rows; ++i) {
      const std::vector<double>& row = rows_[static_cast<std::size_t>(i)];
      table.x[i] = row.front();
      for (Eigen::Index j = 0; j < shapes; ++j) table.values(i, j) = row[static_cast<std::size_t>(j) + 1];
    }
    return table;
  }

  ReadContext& context_;
  const std::string& path_;
  std::string file_;
  const TableWords& words_;
  std::vector<std::vector<double>> rows_;
  bool is_begun_ = false;
  int problems_ = 0;
};

}  // namespace

std::optional<ModeTable> read_mode_table(ReadContext& context, const Slot& slot, const std::string& name,
                                         const TableWords& words) {
  const std::filesystem::path file = context.directory / name;
  const FileContent content = context.read_named(name);
  if (!content.failure.empty()) {
    context.problems.add(slot.node.mark, {slot.path, "a readable CSV file beside this file, at most 16 MiB",
                                          content.failure, "looked for " + show_text(file.string(), 500)});
    return std::nullopt;
  }
  return TableReader(context, slot.path, file.string(), words).read(content.text);
}

}  // namespace limber
