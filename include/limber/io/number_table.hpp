// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Tables of numbers with a header line, as instruments and spreadsheets write them: CSV (commas, semicolons or blanks), comments after `#`.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "limber/core/export.hpp"
#include "limber/io/file_error.hpp"
#include "limber/math/eigen.hpp"

namespace limber LIMBER_EXPORT {

/// Named columns of numbers.
struct NumberTable {
  std::string file;                  ///< for messages
  std::vector<std::string> columns;  ///< from the header
  Eigen::MatrixXd values;            ///< rows x columns

  /// The numbers of a column. Throws InputError where there is none of that name, with the closest one that there is; `asked_by` is its path.
  Eigen::VectorXd column(std::string_view name, const std::string& asked_by) const;
};

///@{
/// Throws FileError with line and column of what is no number, and where there is no header or no row.
NumberTable read_number_table(const std::filesystem::path& file);
NumberTable parse_number_table(const std::string& text, const std::string& file_name);
///@}

}  // namespace limber
