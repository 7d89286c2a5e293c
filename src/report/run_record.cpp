#include "limber/report/run_record.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "limber/core/computation_error.hpp"
#include "limber/core/input_error.hpp"
#include "limber/formulations/formulation.hpp"
#include "limber/io/scenario_file.hpp"
#include "limber/scenario/choices.hpp"
#include "limber/simulation/system.hpp"

namespace limber {
namespace {

Scenario scenario_of(const StoredRun& run, const std::string& file) {
  if (run.info.sources.empty())
    throw InputError(Problem{file, "a result that carries its scenario and model", "none in it",
                             "ResultInfo::sources of the writer must hold their texts"});
  ScenarioFile stored = parse_scenario(run.info.sources, formulation_names());
  stored.description.formulation = run.info.formulation;
  return build_scenario(stored.description, std::move(stored.model));
}

// `auto` chooses the same again.
std::string method_of(RunRecord& record) {
  const std::string& asked = record.run.info.integrator;
  if (asked != choice_name(IntegrationMethod::automatic)) return asked;
  System system(record.scenario);
  return fmt::format("{} (auto)", choice_name(choose_method(system).method));
}

// Rows that do not fit are left out evenly, so that time stays evenly spaced.
long stride_to_read(long rows, int columns, double most_numbers) {
  return std::max(1L, std::lround(std::ceil(double(rows) * columns / most_numbers)));
}

}  // namespace

bool RunRecord::has(std::string_view name) const {
  return std::find(table.columns.begin(), table.columns.end(), name) != table.columns.end();
}

Eigen::VectorXd RunRecord::column(std::string_view name) const {
  const auto at = std::find(table.columns.begin(), table.columns.end(), name);
  if (at == table.columns.end())
    throw ComputationError(
        fmt::format("{} has no column `{}`: was it written by another program?", file, name));
  return table.values.col(at - table.columns.begin());
}

Eigen::VectorXd RunRecord::configuration(Eigen::Index row) const {
  // Columns: time, then q.
  return table.values.row(row).segment(1, model().nq);
}

std::vector<std::string> RunRecord::warnings() const {
  std::vector<std::string> all;
  const Checkpoint& c = run.checkpoint;
  if (run.status != "complete")
    all.push_back(fmt::format("The run is not complete: {} at t = {:.6g} s of {:g} s.", run.status,
                              c.integrator.t, scenario.duration));
  for (const std::string& warning : range_warnings(scenario, c.peaks)) all.push_back(warning);
  if (ledger_is_off(c))
    all.push_back(
        fmt::format("The energy ledger is off by {:.2g} J of {:.3g} J.", c.largest_error, c.energy_size));
  return all;
}

RunRecord read_run(const std::filesystem::path& file, double most_numbers) {
  RunRecord record;
  record.file = file.filename().string();
  record.run = read_stored_run(file);
  record.scenario = scenario_of(record.run, file.string());
  record.method = method_of(record);
  const long rows = record.run.checkpoint.rows;
  if (rows < 1)
    throw InputError(Problem{file.string(), "a result with rows", "none",
                             "let `limber simulate` run until it has written some"});
  const Model& model = record.model();
  const int columns = model.nq + 2 * model.nv + 16 + 6 * static_cast<int>(model.links.size());
  record.stride = stride_to_read(rows, columns, most_numbers);
  record.table = read_result_table(file, record.stride);
  return record;
}

std::vector<JointTarget> joint_targets(const Scenario& scenario) {
  std::vector<JointTarget> all = scenario.prescribed;
  for (const auto& controller : scenario.controllers)
    for (const JointTarget& target : controller->targets()) {
      const bool is_known = std::any_of(all.begin(), all.end(), [&](const JointTarget& other) {
        return other.coordinate == target.coordinate;
      });
      if (!is_known) all.push_back(target);
    }
  std::sort(all.begin(), all.end(),
            [](const JointTarget& a, const JointTarget& b) { return a.coordinate < b.coordinate; });
  return all;
}

}  // namespace limber
