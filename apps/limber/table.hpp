// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Aligned tables and colours for a terminal.

#include <string>
#include <vector>

namespace limber::app {

/// Marks text as what it is; plain text where standard output is not a terminal, or NO_COLOR is set.
enum class Style { bold, dim, good, bad, warning };
std::string styled(Style style, const std::string& text, bool to_stderr = false);

/// A table of text with a header, a line of units, and columns as wide as they need to be.
class Table {
 public:
  enum class Align { left, right };
  struct Column {
    std::string title;
    std::string unit;  ///< shown below the title; empty where there is none
    Align align = Align::left;
  };

  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}
  void add_row(std::vector<std::string> cells);
  /// Two spaces before every line and between columns.
  std::string str() const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

/// Four significant digits, without a tail of zeros: 0.5123, 12.34, 1.2e-05.
std::string number(double value);

}  // namespace limber::app
