#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "limber/core/computation_error.hpp"
#include "limber/results/result_file.hpp"

namespace limber {

namespace fs = std::filesystem;

void write_csv(const ResultTable& table, const fs::path& file) {
  std::FILE* out = std::fopen(file.c_str(), "w");
  if (!out)
    throw ComputationError(fmt::format("{} could not be written: {}", file.string(), std::strerror(errno)));
  std::string line;
  for (std::size_t i = 0; i < table.columns.size(); ++i) line += (i ? "," : "") + table.columns[i];
  bool good = std::fprintf(out, "%s\n", line.c_str()) >= 0;
  for (Eigen::Index r = 0; r < table.values.rows() && good; ++r) {
    line.clear();
    for (Eigen::Index c = 0; c < table.values.cols(); ++c)
      fmt::format_to(std::back_inserter(line), "{}{}", c ? "," : "", table.values(r, c));
    good = std::fprintf(out, "%s\n", line.c_str()) >= 0;
  }
  if (std::fclose(out) != 0 || !good) {
    std::error_code ignored;
    fs::remove(file, ignored);
    throw ComputationError(fmt::format("{} could not be written: is the disk full?", file.string()));
  }
}

}  // namespace limber
