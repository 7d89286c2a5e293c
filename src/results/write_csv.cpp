#include <fmt/format.h>

#include "limber/io/whole_file.hpp"
#include "limber/results/result_file.hpp"

namespace limber {

void write_csv(const ResultTable& table, const std::filesystem::path& file) {
  WholeFile out(file);
  std::string line;
  for (std::size_t i = 0; i < table.columns.size(); ++i) line += (i ? "," : "") + table.columns[i];
  out.write(line + "\n");
  for (Eigen::Index r = 0; r < table.values.rows(); ++r) {
    line.clear();
    for (Eigen::Index c = 0; c < table.values.cols(); ++c)
      fmt::format_to(std::back_inserter(line), "{}{}", c ? "," : "", table.values(r, c));
    out.write(line + "\n");
  }
  out.finish();
}

}  // namespace limber
