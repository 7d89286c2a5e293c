// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include "limber/results/result_file.hpp"

#include "limber/model/detail/arguments.hpp"

namespace limber {
namespace {

constexpr std::size_t most_waiting = 4'000'000;  // numbers in memory at once

}  // namespace

CsvWriter::CsvWriter(const std::filesystem::path& file, const Scenario& scenario)
    : layout_(scenario), file_(file) {
  std::string line;
  for (const RowLayout::Part& part : layout_.parts())
    for (const std::string& name : part.quantity->column_names(layout_.names()))
      line += (line.empty() ? "" : ",") + name;
  file_.write(line + "\n");
}

void CsvWriter::add(const Sample& sample) {
  layout_.require_fit("CsvWriter::add", sample);
  for (const RowLayout::Part& part : layout_.parts()) {
    waiting_.resize(waiting_.size() + part.width);
    layout_.fill(part, sample, waiting_.data() + waiting_.size() - part.width);
  }
  if (waiting_.size() > most_waiting) write_waiting();
}

void CsvWriter::add(const ResultTable& table) {
  detail::require_extent("CsvWriter::add", "table.values", table.values, table.values.rows(),
                         static_cast<Eigen::Index>(layout_.width()));
  for (Eigen::Index row = 0; row < table.values.rows(); ++row) {
    const Eigen::RowVectorXd values = table.values.row(row);
    waiting_.insert(waiting_.end(), values.begin(), values.end());
    if (waiting_.size() > most_waiting) write_waiting();
  }
}

void CsvWriter::finish() {
  write_waiting();
  file_.finish();
}

void CsvWriter::write_waiting() {
  std::string line;
  const std::size_t width = layout_.width();
  for (std::size_t i = 0; i < waiting_.size(); ++i) {
    fmt::format_to(std::back_inserter(line), "{}{}", waiting_[i], (i + 1) % width == 0 ? '\n' : ',');
    if ((i + 1) % width != 0) continue;
    file_.write(line);
    line.clear();
  }
  waiting_.clear();
}

}  // namespace limber
