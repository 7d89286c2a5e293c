// SPDX-License-Identifier: BSD-3-Clause
#include "statics_path.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "json_numbers.hpp"
#include "limber/analysis/equilibrium.hpp"
#include "limber/analysis/rigid_arm.hpp"
#include "limber/core/input_error.hpp"
#include "limber/io/number_table.hpp"
#include "limber/io/path_table.hpp"
#include "limber/io/whole_file.hpp"
#include "output_file.hpp"
#include "table.hpp"

namespace limber::app {
namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

struct JointColumn {
  std::string name;
  int q_index;
};
std::vector<JointColumn> joint_columns(const Model& model) {
  std::vector<JointColumn> columns;
  for (const Link& link : model.links())
    for (int j = 0; j < link.joint.nv && !link.joint.has_quaternion(); ++j)
      columns.push_back(
          {model.coordinates()[static_cast<std::size_t>(link.joint.v_index + j)], link.joint.q_index + j});
  return columns;
}

void write_tables(const PathTable& path, const std::vector<Equilibrium>& found,
                  const std::vector<JointColumn>& columns, const PathOptions& options) {
  if (path.times.size() == 0)
    throw InputError(Problem{"-o", "a path with times, in a column t", "none in `" + options.file + "`",
                             "a trajectory is a function of time"});
  std::error_code failed;
  fs::create_directories(options.folder, failed);
  InputFiles inputs = files_of_model(options.model_file, "");
  inputs.push_back(options.file);
  const auto file_of = [&](const JointColumn& column) {
    return fs::path(options.folder) / (column.name + ".csv");
  };
  for (const JointColumn& column : columns)
    check_output({"-o", file_of(column).string(), {".csv"}}, inputs, options.force);
  for (const JointColumn& column : columns) {
    std::string text = "t," + column.name + "\n";
    for (std::size_t k = 0; k < found.size(); ++k)
      text += fmt::format("{},{}\n", path.times[static_cast<Eigen::Index>(k)], found[k].q[column.q_index]);
    write_whole_file(file_of(column), text);
  }
}

}  // namespace

void run_path(const Model& model, const State& state, const std::vector<Load>& loads,
              const PathOptions& options, const Common& common) {
  const PathTable path = path_of_table(read_number_table(options.file), "--path");
  const std::vector<Equilibrium> found =
      reach_along(model, state.q, path.positions, path.rotations, loads, state.hold);
  const std::vector<JointColumn> columns = joint_columns(model);
  if (!options.folder.empty()) write_tables(path, found, columns, options);
  if (common.json) {
    Json rows = Json::array();
    for (std::size_t k = 0; k < found.size(); ++k) {
      Json row = {{"position", vector_json(path.positions.col(static_cast<Eigen::Index>(k)))},
                  {"q", vector_json(found[k].q)},
                  {"efforts", vector_json(found[k].efforts)},
                  {"sag", vector_json(sag(model, found[k].q, found[k].q).displacement)},
                  {"stable", found[k].stable}};
      if (path.times.size() > 0) row["t"] = path.times[static_cast<Eigen::Index>(k)];
      rows.push_back(row);
    }
    print_json({{"name", model.name()}, {"coordinates", model.coordinates()}, {"path", rows}});
    return;
  }
  using Align = Table::Align;
  std::vector<Table::Column> heading = {{"", ""}};
  for (const JointColumn& column : columns) heading.push_back({column.name, "rad or m", Align::right});
  heading.push_back({"sag", "mm", Align::right});
  Table table(heading);
  constexpr double millimetres = 1e3;
  for (std::size_t k = 0; k < found.size(); ++k) {
    std::vector<std::string> row = {
        path.times.size() > 0 ? fmt::format("{} s", number(path.times[static_cast<Eigen::Index>(k)]))
                              : std::to_string(k + 1)};
    for (const JointColumn& column : columns) row.push_back(number(found[k].q[column.q_index]));
    row.push_back(number(millimetres * sag(model, found[k].q, found[k].q).displacement.norm()));
    table.add_row(row);
  }
  fmt::print("{}\n\n{}", styled(Style::bold, model.name()), table.str());
}

}  // namespace limber::app
