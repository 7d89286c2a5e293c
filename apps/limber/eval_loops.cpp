// SPDX-License-Identifier: BSD-3-Clause
#include "eval_loops.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "json_numbers.hpp"
#include "limber/algorithms/constraints.hpp"
#include "table.hpp"

namespace limber::app {

using Json = nlohmann::ordered_json;

Json loops_json(const Formulation& formulation, const State& state) {
  const Model& model = formulation.model();
  LoopSolver solver(model);
  solver.update(state.q, state.v);
  const Eigen::VectorXd multipliers = formulation.loop_multipliers();
  Json independent = Json::array();
  for (const int c : independent_joints(model, state.q))
    independent.push_back(model.coordinates()[static_cast<std::size_t>(c)]);
  Json loops = {{"rows", loop_row_names(model)},
                {"jacobian", matrix_json(solver.equations().A)},
                {"bias", vector_json(solver.equations().bias)},
                {"multipliers", vector_json(multipliers)},
                {"redundant", solver.redundant_rows()},
                {"independent", independent}};
  for (const LoopForce& force : solver.forces_of(multipliers))
    loops["forces"][force.name] = {{"force", vector_json(force.force)},
                                   {"moment", vector_json(force.moment)}};
  for (const LoopGap& gap : loop_gaps(model, state.q)) {
    loops["forces"][gap.name]["gap_m"] = gap.distance;
    loops["forces"][gap.name]["gap_rad"] = gap.angle;
  }
  return loops;
}

void print_loops(const Json& loops) {
  Table table(
      {{"loop", ""}, {"force on b", "N"}, {"moment on b", "N m"}, {"apart", "m", Table::Align::right}});
  const auto triple = [](const Json& v) {
    return fmt::format("[{} {} {}]", number(v[0].get<double>()), number(v[1].get<double>()),
                       number(v[2].get<double>()));
  };
  for (const auto& [name, loop] : loops["forces"].items())
    table.add_row({name, triple(loop["force"]), triple(loop["moment"]), number(loop["gap_m"].get<double>())});
  fmt::print("{}\n", table.str());
  const auto& redundant = loops["redundant"];
  if (!redundant.empty())
    fmt::print("  rows that follow from others  {}\n",
               fmt::join(redundant.get<std::vector<std::string>>(), ", "));
  fmt::print("  joints that tell all others   {}\n\n",
             fmt::join(loops["independent"].get<std::vector<std::string>>(), ", "));
}

}  // namespace limber::app
