#include "limber/report/run_record.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "limber/core/input_error.hpp"
#include "limber/formulations/formulation.hpp"
#include "limber/io/scenario_file.hpp"
#include "limber/scenario/check.hpp"
#include "limber/scenario/choices.hpp"
#include "limber/simulation/run_warnings.hpp"
#include "limber/simulation/system.hpp"

namespace limber {
namespace {

Scenario scenario_of(const StoredRun& run, const std::string& file) {
  if (run.info.sources.empty())
    throw InputError(Problem{file, "a result that carries its scenario and model", "none in it",
                             "ResultInfo::sources of the writer must hold their texts"});
  ScenarioFile stored = parse_scenario(run.info.sources);
  stored.description.formulation = formulation_named(run.info.formulation);
  return build_scenario(stored.description, std::move(stored.model));
}

// `auto` chooses the same again. Code that was generated for the arm has the equations of `recursive`, and a report runs no compiler.
std::string method_of(RunRecord& record) {
  const std::string& asked = record.run.info.integrator;
  if (asked != integrators::Automatic::type) return asked;
  if (record.scenario.formulation == FormulationKind::generated)
    record.scenario.formulation = FormulationKind::recursive;
  System system(record.scenario);
  return fmt::format("{} (auto)", type_name(choose_method(system).method));
}

// Rows that do not fit are left out evenly, so that time stays evenly spaced.
long stride_to_read(long rows, int columns, double most_numbers) {
  return std::max(1L, std::lround(std::ceil(double(rows) * columns / most_numbers)));
}

// Those of q stand where configuration() looks for them, and all others are there.
void require_columns(const RunRecord& record) {
  std::vector<std::string> names = {"time"};
  for (const std::string& name : position_names(record.model())) names.push_back("q." + name);
  const auto& found = record.table.columns;
  if (found.size() < names.size() || !std::equal(names.begin(), names.end(), found.begin()))
    throw InputError(Problem{record.file, "columns of the arm in it", "others",
                             "was it damaged, or written by another program?"});
  for (const std::string& name : record.model().coordinates) record.column("v." + name);
}

}  // namespace

bool RunRecord::has(std::string_view name) const {
  return std::find(table.columns.begin(), table.columns.end(), name) != table.columns.end();
}

Eigen::VectorXd RunRecord::column(std::string_view name) const {
  const auto at = std::find(table.columns.begin(), table.columns.end(), name);
  if (at == table.columns.end())
    throw InputError(Problem{file, fmt::format("a result with the column `{}`", name), "none of that name",
                             "was it damaged, or written by another program?"});
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
  if (!run.warnings.empty()) {  // the run itself knew most
    all.insert(all.end(), run.warnings.begin(), run.warnings.end());
    return all;
  }
  // Written by another program, or not to its end.
  for (const std::string& warning : range_warnings(scenario, c.peaks)) all.push_back(warning);
  if (ledger_is_off(c)) all.push_back(ledger_warning(c, type_name(scenario.integrator.method)));
  return all;
}

RunRecord read_run(const std::filesystem::path& file, double most_numbers) {
  RunRecord record;
  record.file = file.filename().string();
  record.run = read_stored_run(file);
  record.scenario = scenario_of(record.run, file.string());
  require_fit(record.run, record.scenario, file);
  record.method = method_of(record);
  const long rows = record.run.checkpoint.rows;
  const Model& model = record.model();
  const int columns = model.nq + 2 * model.nv + 16 + 6 * static_cast<int>(model.links.size());
  record.stride = stride_to_read(rows, columns, most_numbers);
  record.table = read_result_table(file, record.stride);
  require_columns(record);
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
