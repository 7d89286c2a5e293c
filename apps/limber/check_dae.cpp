// SPDX-License-Identifier: BSD-3-Clause
#include "check_dae.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "limber/analysis/well_posedness.hpp"
#include "limber/core/input_error.hpp"
#include "limber/estimation/observer.hpp"
#include "limber/formulations/formulation.hpp"
#include "limber/io/model_file.hpp"
#include "limber/io/scenario_file.hpp"
#include "limber/simulation/system.hpp"
#include "state_option.hpp"
#include "table.hpp"

namespace limber::app {
namespace {

struct Report {
  std::string name;
  WellPosedness posed;
  StepBounds bounds;
  std::optional<double> step;
  bool controlled = false;  ///< whether the eigenvalues know of controllers
  bool moves = true;        ///< whether the arm has coordinates at all
};

Report of_model(const std::string& file, const std::string& state_file, std::optional<double> step,
                const Settings& set) {
  const Model model = read_model(file, set);
  const State state = read_state_or_neutral(state_file, model);
  Report report{model.name(), well_posedness(model, state.q, state.v), {}, step, false, model.nv() > 0};
  if (report.posed.solvable && report.moves) report.bounds = step_bounds(motion_eigenvalues(model, state.q));
  return report;
}

Report of_scenario(const std::string& file, std::optional<double> step, const Settings& set) {
  const ScenarioFile read = read_scenario(file, set);
  Scenario scenario = build_observed_scenario(read.description, read.model);
  Report report{
      read.model.name(),      well_posedness(scenario.model, scenario.q, scenario.v), {}, step, true,
      scenario.model.nv() > 0};
  if (!report.step) report.step = fixed_step(scenario.integrator.method);
  if (!report.posed.solvable || !report.moves) return report;
  System system(scenario);
  Eigen::VectorXd q = scenario.q, v = scenario.v, a(system.nv()), rates;
  const Eigen::VectorXd integrals = system.initial_state().tail(system.integral_count());
  system.accelerate(0.0, q, v, integrals, a, rates);
  System::Tangent tangent;
  system.tangent(0.0, q, v, integrals, a, tangent);
  report.bounds = step_bounds(motion_eigenvalues(tangent.M, tangent.C, tangent.K));
  return report;
}

nlohmann::ordered_json as_json(const Report& r) {
  nlohmann::ordered_json document = {{"name", r.name},
                                     {"well_posed", r.posed.solvable},
                                     {"unknowns", r.posed.unknowns},
                                     {"constraints", r.posed.constraints},
                                     {"constraint_rank", r.posed.rank},
                                     {"constraint_condition", r.posed.constraint_condition},
                                     {"redundant_joints", r.posed.redundant},
                                     {"smallest_inertia", r.posed.smallest_inertia},
                                     {"largest_inertia", r.posed.largest_inertia},
                                     {"lightest_coordinate", r.posed.lightest},
                                     {"links_without_inertia_about_an_axis", r.posed.needles},
                                     {"system_condition", r.posed.system_condition}};
  if (!r.posed.solvable || !r.moves) return document;
  document["largest_eigenvalue"] = r.bounds.fastest;
  document["longest_step"] = {{"euler", r.bounds.euler},
                              {"rk4", r.bounds.runge_kutta},
                              {"central_differences", r.bounds.central_differences}};
  if (r.step) document["eigenvalue_times_step"] = r.bounds.fastest * *r.step;
  return document;
}

std::string step_text(double step) {
  return step > 0.0 ? fmt::format("{} s", number(step)) : std::string("none: it excites undamped vibration");
}

void print(const Report& r) {
  const WellPosedness& p = r.posed;
  fmt::print("{}: stacked equations of {} unknowns\n\n", styled(Style::bold, r.name), p.unknowns);
  fmt::print("  constraints   {} rows, rank {}, condition {}\n", p.constraints, p.rank,
             number(p.constraint_condition));
  if (!p.redundant.empty()) fmt::print("  redundant     {}\n", fmt::join(p.redundant, ", "));
  if (r.moves)
    fmt::print("  inertia       {} to {} on their null space; the smallest moves {}\n",
               number(p.smallest_inertia), number(p.largest_inertia), p.lightest);
  else
    fmt::print("  inertia       nothing moves: the arm has no coordinates\n");
  if (!p.needles.empty())
    fmt::print("  needles       {}: no inertia about an axis of its own, which its joint must hold\n",
               fmt::join(p.needles, ", "));
  fmt::print("  whole matrix  condition {} after scaling\n", number(p.system_condition));
  if (p.solvable && r.moves) {
    fmt::print("  fastest       |lambda| = {} 1/s{}\n", number(r.bounds.fastest),
               r.controlled ? ", controllers included" : ", without controllers");
    if (r.step)
      fmt::print("  step          {} s: |lambda| h = {}\n", number(*r.step),
                 number(r.bounds.fastest * *r.step));
    fmt::print("  longest step  rk4, rkmk4 {}; euler {}; (central differences {})\n",
               step_text(r.bounds.runge_kutta), step_text(r.bounds.euler),
               step_text(r.bounds.central_differences));
  }
  if (p.solvable)
    fmt::print("\n{} well posed\n", styled(Style::good, "ok"));
  else
    fmt::print("\nnot well posed: {}\n",
               p.rank < p.constraints
                   ? fmt::format("the constraints of {} follow from others", fmt::join(p.redundant, ", "))
                   : fmt::format(
                         "nothing that {} moves has mass or inertia in its direction; give the link (or what "
                         "hangs on it) an inertia about that axis, or the joint an armature",
                         p.lightest));
}

}  // namespace

void report_dae(const std::string& file, const std::string& state, std::optional<double> step,
                const Common& common) {
  const bool scenario = is_scenario(file);
  if (scenario && !state.empty())
    throw InputError(Problem{"--state", "a model: a scenario says itself where it starts", file, ""});
  const Settings set = settings(common);
  const Report report = scenario ? of_scenario(file, step, set) : of_model(file, state, step, set);
  if (common.json)
    print_json(as_json(report));
  else
    print(report);
}

}  // namespace limber::app
