// SPDX-License-Identifier: BSD-3-Clause
#include "limber/io/number_table.hpp"

#include <algorithm>
#include <sstream>

#include "limber/model/field_rule.hpp"
#include "number_text.hpp"
#include "problem_list.hpp"
#include "text_file.hpp"

namespace limber {
namespace {

constexpr std::string_view blanks = " \t\r";
constexpr std::size_t most_problems = 5;  // what is wrong in one row is often wrong in all

struct Cell {
  std::string text;
  int column;  // from 1
};

// Between commas, semicolons or tabs; where there are none, between blanks. Quotes around a cell are dropped.
std::vector<Cell> cells_of(const std::string& line) {
  std::string_view separators = blanks;
  for (const std::string_view candidate : {",", ";", "\t"})
    if (line.find(candidate) != std::string::npos) {
      separators = candidate;
      break;
    }
  std::vector<Cell> cells;
  for (std::size_t at = 0; at <= line.size();) {
    const std::size_t end = std::min(line.find_first_of(separators, at), line.size());
    std::size_t first = at, last = end;
    while (first < last && (blanks.find(line[first]) != std::string_view::npos || line[first] == '"'))
      ++first;
    while (last > first && (blanks.find(line[last - 1]) != std::string_view::npos || line[last - 1] == '"'))
      --last;
    if (separators != blanks || last > first)
      cells.push_back({line.substr(first, last - first), static_cast<int>(first) + 1});
    at = end + 1;
  }
  return cells;
}

bool is_blank(const std::string& line) { return line.find_first_not_of(blanks) == std::string::npos; }

/// Reads line by line.
class TableReader {
 public:
  explicit TableReader(const std::string& file) : problems_(file) { table_.file = file; }

  NumberTable read(const std::string& text) {
    if (const auto foreign = find_foreign_byte(text))
      problems_.add(foreign->mark, {"", "text in UTF-8", foreign->words, "is this a text file?"});
    std::istringstream stream(text);
    int number = 0;
    for (std::string line; problems_.all().size() < most_problems && std::getline(stream, line);) {
      ++number;
      line = line.substr(0, line.find('#'));
      if (!is_blank(line)) read_line(cells_of(line), number);
    }
    if (problems_.empty() && rows_.empty())
      problems_.add({1, 1}, {"", "a line with the columns' names, then rows of numbers",
                             table_.columns.empty() ? "nothing" : "the names alone", ""});
    if (!problems_.empty()) throw FileError(problems_.all());
    table_.values.resize(static_cast<Eigen::Index>(rows_.size()),
                         static_cast<Eigen::Index>(table_.columns.size()));
    for (std::size_t i = 0; i < rows_.size(); ++i)
      for (std::size_t j = 0; j < rows_[i].size(); ++j)
        table_.values(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) = rows_[i][j];
    return std::move(table_);
  }

 private:
  void read_line(const std::vector<Cell>& cells, int line) {
    if (table_.columns.empty()) return read_header(cells, line);
    if (cells.size() != table_.columns.size()) {
      problems_.add({line, 1},
                    {"", std::to_string(table_.columns.size()) + " values, as many as the header has names",
                     std::to_string(cells.size()), ""});
      return;
    }
    std::vector<double> row;
    for (const Cell& cell : cells) {
      const NumberText number = parse_number(cell.text);
      if (!number.value) {
        problems_.add({line, cell.column},
                      {"", "a number", cell.text.empty() ? "nothing" : number.found, number.hint});
        return;
      }
      row.push_back(*number.value);
    }
    rows_.push_back(std::move(row));
  }

  void read_header(const std::vector<Cell>& cells, int line) {
    for (const Cell& cell : cells) {
      if (cell.text.empty() || parse_number(cell.text).value)
        problems_.add({line, cell.column},
                      {"", "the name of a column", cell.text.empty() ? "nothing" : show_text(cell.text),
                       "the first line says what the columns are: t,a_tip"});
      else if (std::find(table_.columns.begin(), table_.columns.end(), cell.text) != table_.columns.end())
        problems_.add({line, cell.column}, {"", "each column once", show_text(cell.text) + " again", ""});
      table_.columns.push_back(cell.text);
    }
  }

  ProblemList problems_;
  NumberTable table_;
  std::vector<std::vector<double>> rows_;
};

}  // namespace

Eigen::VectorXd NumberTable::column(std::string_view name, const std::string& asked_by) const {
  const auto found = std::find(columns.begin(), columns.end(), name);
  if (found == columns.end())
    throw InputError(Problem{asked_by, "the name of a column of " + file, show_text(name),
                             suggestion(name, columns, "columns")});
  return values.col(found - columns.begin());
}

NumberTable parse_number_table(const std::string& text, const std::string& file_name) {
  return TableReader(file_name).read(text);
}

NumberTable read_number_table(const std::filesystem::path& file) {
  const FileContent content = read_text_file(file);
  if (!content.failure.empty())
    throw FileError({{{"", "a readable CSV file, at most 16 MiB", content.failure, ""}, file.string(), {}}});
  return parse_number_table(content.text, file.string());
}

}  // namespace limber
