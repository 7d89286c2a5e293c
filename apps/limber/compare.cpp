// SPDX-License-Identifier: BSD-3-Clause
// limber compare SCENARIO: the same motion by every formulation.

#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <vector>

#include "command.hpp"
#include "errors.hpp"
#include "formulation_option.hpp"
#include "limber/estimation/observer.hpp"
#include "limber/formulations/formulation.hpp"
#include "limber/io/scenario_file.hpp"
#include "limber/model/choices.hpp"
#include "limber/simulation/run_warnings.hpp"
#include "progress.hpp"
#include "table.hpp"

namespace limber::app {
namespace {

using Json = nlohmann::ordered_json;
using Eigen::VectorXd;

/// Keeps what is compared.
class History : public ResultSink {
 public:
  void add(const Sample& sample) override {
    q.push_back(sample.q);
    v.push_back(sample.v);
    wrenches.push_back(sample.wrenches);
  }
  std::vector<VectorXd> q, v;
  std::vector<std::vector<Wrench>> wrenches;
};

struct Difference {
  double q = 0.0, v = 0.0, wrench = 0.0;
  int worst = 0;  ///< in v
};

struct Outcome {
  std::string formulation;
  RunSummary run;
  Difference difference;  ///< from the first
  std::string failure;
};

double microseconds_per_evaluation(const RunSummary& run) {
  constexpr double microseconds = 1e6;
  return microseconds * run.wall_s / static_cast<double>(run.last.evaluations);
}

Difference difference_of(const Model& model, const History& first, const History& other) {
  Difference d;
  for (std::size_t row = 0; row < std::min(first.q.size(), other.q.size()); ++row) {
    if (model.nq() > 0) d.q = std::max(d.q, (first.q[row] - other.q[row]).cwiseAbs().maxCoeff());
    for (int i = 0; i < model.nv(); ++i) {
      const double v = std::abs(first.v[row][i] - other.v[row][i]);
      if (!(v > d.v)) continue;
      d.v = v;
      d.worst = i;
    }
    for (std::size_t l = 0; l < first.wrenches[row].size() && l < model.links().size(); ++l)
      d.wrench = std::max(d.wrench,
                          (first.wrenches[row][l] - other.wrenches[row][l]).vector().cwiseAbs().maxCoeff());
  }
  return d;
}

Json as_json(const Model& model, const std::vector<Outcome>& outcomes) {
  Json list = Json::array();
  for (const Outcome& o : outcomes) {
    if (!o.failure.empty()) {
      list.push_back({{"formulation", o.formulation}, {"error", o.failure}});
      continue;
    }
    list.push_back({{"formulation", o.formulation},
                    {"steps", o.run.last.steps},
                    {"rhs_evaluations", o.run.last.evaluations},
                    {"wall_s", o.run.wall_s},
                    {"real_time_factor", o.run.real_time_factor},
                    {"us_per_evaluation", microseconds_per_evaluation(o.run)},
                    {"energy_error", o.run.last.largest_error},
                    {"largest_difference",
                     {{"q", o.difference.q},
                      {"v", o.difference.v},
                      {"coordinate", model.nv() > 0 ? model.coordinates()[o.difference.worst] : ""},
                      {"wrench", o.difference.wrench}}}});
  }
  return {{"name", model.name()}, {"reference", outcomes.front().formulation}, {"formulations", list}};
}

void print(const Model& model, const std::vector<Outcome>& outcomes) {
  using Align = Table::Align;
  fmt::print("{}: differences from {}\n\n", styled(Style::bold, model.name()), outcomes.front().formulation);
  Table table({{"formulation", ""},
               {"in q", "rad or m", Align::right},
               {"in v", "1/s", Align::right},
               {"most of it in", ""},
               {"in wrenches", "N, N m", Align::right},
               {"steps", "", Align::right},
               {"wall", "s", Align::right},
               {"per evaluation", "us", Align::right},
               {"energy error", "J", Align::right}});
  for (const Outcome& o : outcomes) {
    if (!o.failure.empty()) {
      table.add_row({o.formulation, "failed"});
      continue;
    }
    table.add_row({o.formulation, number(o.difference.q), number(o.difference.v),
                   o.difference.v > 0.0 ? model.coordinates()[o.difference.worst] : "",
                   number(o.difference.wrench), fmt::format("{}", o.run.last.steps), number(o.run.wall_s),
                   number(microseconds_per_evaluation(o.run)), number(o.run.last.largest_error)});
  }
  fmt::print("{}", table.str());
}

// A formulation may name itself in what it says, and in the middle of it; here it is named once, in front.
std::string named(const std::string& formulation, std::string message) {
  const std::string name = formulation + ": ";
  for (std::size_t at = 0; (at = message.find(name, at)) != std::string::npos;)
    message.erase(at, name.size());
  return name + message;
}

void compare_file(const std::string& name, const Common& common) {
  ScenarioFile file = read_scenario(name, settings(common));
  std::vector<Outcome> outcomes;
  std::vector<History> histories;
  std::set<std::string> said;  // what all formulations find is said of the first
  const Interruption interruption;
  for (const auto& [kind, formulation] : choices<FormulationKind>) {
    const bool has_loops = kind != FormulationKind::dual_screw && kind != FormulationKind::generated;
    if (!has_loops && !file.model.loops().empty()) {
      warn(common, named(formulation, "left out: it has no equations for closed loops"));
      continue;
    }
    if (!has_loops && !file.model.cylinders().empty()) {
      warn(common, named(formulation, "left out: it does not know what cylinders do"));
      continue;
    }
    ScenarioDescription description = file.description;
    choose_formulation(kind, description);
    Scenario scenario = build_observed_scenario(description, file.model);
    ProgressDisplay display(common.quiet);
    RunOptions options;
    options.progress = [&](const Progress& progress) {
      display.show(progress);
      return !Interruption::is_asked_for();
    };
    Outcome outcome{formulation, {}, {}, {}};
    histories.emplace_back();
    try {
      prepare(scenario.formulation, scenario.model, scenario.formulation_options, "compare", common);
      outcome.run = simulate(scenario, &histories.back(), options);
      for (const std::string& warning : run_warnings(scenario, outcome.run.last, outcome.run.doubts))
        if (said.insert(warning).second) warn(common, named(formulation, warning));
    } catch (const std::exception& error) {
      outcome.failure = message_of(error);
      warn(common, named(formulation, outcome.failure));
    }
    if (outcome.failure.empty() && !outcome.run.finished) throw Interrupted();
    outcome.difference = difference_of(file.model, histories.front(), histories.back());
    outcomes.push_back(std::move(outcome));
  }
  if (common.json)
    print_json(as_json(file.model, outcomes));
  else
    print(file.model, outcomes);
}

}  // namespace

void add_compare(CLI::App& app, Common& common) {
  auto name = std::make_shared<std::string>();
  CLI::App* command = add_command(app, common, "compare", "The same scenario by every formulation");
  command->add_option("SCENARIO", *name, "Scenario file (*.yaml)")->required();
  add_set_option(*command, common);
  command->callback([name, &common] { compare_file(*name, common); });
}

}  // namespace limber::app
