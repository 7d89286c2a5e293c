// SPDX-License-Identifier: BSD-3-Clause
// limber check FILE: is it a valid model, or a valid scenario?

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "built_scenario.hpp"
#include "check_dae.hpp"
#include "command.hpp"
#include "errors.hpp"
#include "formulation_option.hpp"
#include "limber/algorithms/constraints.hpp"
#include "limber/algorithms/inverse_dynamics.hpp"
#include "limber/algorithms/loop_rank.hpp"
#include "limber/algorithms/struts.hpp"
#include "limber/analysis/equilibrium.hpp"
#include "limber/analysis/limits.hpp"
#include "limber/core/computation_error.hpp"
#include "limber/core/input_error.hpp"
#include "limber/formulations/formulation.hpp"
#include "limber/identification/identify.hpp"
#include "limber/io/fit_file.hpp"
#include "limber/io/mesh_file.hpp"
#include "limber/io/model_file.hpp"
#include "limber/io/model_notes.hpp"
#include "limber/io/plan_choices.hpp"
#include "limber/io/scenario_file.hpp"
#include "limber/io/study_file.hpp"
#include "limber/model/coordinates.hpp"
#include "limber/planning/plan.hpp"
#include "limber/simulation/run_warnings.hpp"
#include "limber/study/study.hpp"
#include "number_range.hpp"
#include "table.hpp"

namespace limber::app {
namespace {

using Json = nlohmann::ordered_json;

struct Doubts {
  std::vector<std::string> sentences;
  bool fails = false;  ///< the run did not come to its end
};

// What a scenario does is only known once it has been run: quickly, and not for long.
Doubts doubts_about(Scenario& scenario, const Common& common) {
  constexpr double coarse = 1e-3, longest_s = 20.0;
  const bool finds_steps = !fixed_step(scenario.integrator.method);
  if (finds_steps) scenario.integrator.rtol = std::max(scenario.integrator.rtol, coarse);
  scenario.output.shape_points = 0;
  RunOptions options;
  options.progress = [](const Progress& progress) { return progress.wall_s < longest_s; };
  std::vector<std::string> about_equations;
  Checkpoint reached;
  options.last_good = &reached;
  Doubts doubts;
  try {
    prepare(scenario.formulation, scenario.model, scenario.formulation_options, "check", common);
    const RunSummary run = simulate(scenario, nullptr, options);
    reached = run.last;
    about_equations = run.doubts;
    if (!run.finished)
      doubts.sentences.push_back(
          fmt::format("only the first {:.3g} s were tried: the rest would take long", run.end));
    if (finds_steps) reached.largest_error = 0.0;  // tolerances were coarse
  } catch (const ComputationError& error) {
    doubts = {{error.what()}, true};
  }
  for (const std::string& warning : run_warnings(scenario, reached, about_equations))
    doubts.sentences.push_back(warning);
  return doubts;
}

// What was found, for --json; as text it is printed here.
Json check_scenario(const std::string& file, const Common& common) {
  const ScenarioFile read = read_scenario(file, settings(common));
  Scenario scenario = scenario_of(read, file);
  std::vector<std::string> sentences = advice(read.model);
  for (std::string& sentence : undrawn_meshes(read.model.description()))
    sentences.push_back(std::move(sentence));
  const Doubts doubts = doubts_about(scenario, common);
  sentences.insert(sentences.end(), doubts.sentences.begin(), doubts.sentences.end());
  const Json found = {{"valid", true},         {"kind", "scenario"},    {"name", read.model.name()},
                      {"nq", read.model.nq()}, {"nv", read.model.nv()}, {"duration", scenario.duration},
                      {"fails", doubts.fails}, {"warnings", sentences}};
  if (common.json) return found;
  for (const std::string& sentence : sentences) warn(common, sentence);
  fmt::print("{} {} is a valid scenario: {:g} s of {}, {} coordinates{}\n",
             doubts.fails ? styled(Style::bad, "fails") : styled(Style::good, "ok"), file, scenario.duration,
             read.model.name(), read.model.nv(),
             doubts.fails ? "; but its run does not come to its end" : "");
  return found;
}

// The same of an arm that cylinders hold, or whose loops share what it carries, as it sags.
std::vector<std::string> weak_machine(const Model& model, const Eigen::VectorXd& q) {
  std::vector<std::string> sentences;
  try {
    require_cylinder_lengths(model, q);
    const Equilibrium held = static_equilibrium(model, q);
    sentences = cylinder_warnings(model, held.q, held.drives);
    for (const std::string& sentence : effort_warnings(model, held.efforts)) sentences.push_back(sentence);
  } catch (const InputError&) {
    return {"at q = 0 a cylinder has no length: begin with other joint positions"};
  } catch (const ComputationError& error) {
    if (model.cylinders().empty())
      return {};  // loops are closed somewhere near q = 0, where it may well be nobody's to hold them
    return {fmt::format("nothing holds the arm at q = 0: {}", error.what())};
  }
  for (std::string& sentence : sentences) sentence += " (to be held at q = 0)";
  return sentences;
}

// What gravity asks of the joints of the unbent arm at q = 0, where they can be there.
std::vector<std::string> weak_joints(const Model& model) {
  const Eigen::VectorXd q = neutral_configuration(model);
  if (!model.cylinders().empty() || !model.loops().empty()) return weak_machine(model, assemble(model, q));
  if (!state_warnings(model, q).empty()) return {};
  Workspace<double> work(model);
  Eigen::VectorXd efforts(model.nv());
  gravity_forces(model, work, q, efforts);
  for (const Link& link : model.links())  // a motor holds its joint through the gear
    if (link.joint.has_motor()) efforts[link.joint.driven_index()] = efforts[link.joint.v_index];
  for (const int c : passive_coordinates(model)) efforts[c] = 0.0;
  std::vector<std::string> sentences;
  for (const std::string& sentence : effort_warnings(model, efforts))
    sentences.push_back(sentence + " (to be held at q = 0)");
  return sentences;
}

Json check_study(const std::string& file, const Common& common) {
  const Study study = open_study(file, settings(common));
  const std::vector<std::string> sentences = study.doubts();
  const Json found = {{"valid", true},
                      {"kind", "study"},
                      {"variants", study.size()},
                      {"paths", study.paths()},
                      {"warnings", sentences}};
  if (common.json) return found;
  warn(common, sentences);
  fmt::print("{} {} is a valid study: {} {} value{}\n", styled(Style::good, "ok"), file,
             study.description().is_search() ? "a search for" : fmt::format("{} variants of", study.size()),
             study.paths().size(), study.paths().size() == 1 ? "" : "s");
  return found;
}

Json check_plan(const std::string& file, const Common& common) {
  const OpenedPlan opened = open_plan(file, settings(common));
  const Model& model = opened.problem.model;
  const Json found = {{"valid", true},
                      {"kind", "plan"},
                      {"name", model.name()},
                      {"minimise", choice_name(opened.problem.minimise)},
                      {"intervals", opened.problem.intervals},
                      {"warnings", Json::array()}};
  if (common.json) return found;
  fmt::print("{} {} is a valid plan: least {} of {} in {} intervals\n", styled(Style::good, "ok"), file,
             choice_name(opened.problem.minimise), model.name(), opened.problem.intervals);
  return found;
}

Json check_parameters(const std::string& file, const Common& common) {
  const FitFile fit = read_fit(file);
  const FitOutline outline = fit.description.data.empty() ? FitOutline{} : check_fit(fit, settings(common));
  Json paths = Json::array();
  for (const auto& one : fit.description.fit) paths.push_back(one.first);
  const Json found = {{"valid", true},
                      {"kind", "fit"},
                      {"paths", paths},
                      {"experiments", outline.experiments},
                      {"data", outline.data},
                      {"design", fit.description.design.has_value()},
                      {"warnings", Json::array()}};
  if (common.json) return found;
  fmt::print("{} {} is a valid fit: {} value{} from {} numbers{}\n", styled(Style::good, "ok"), file,
             fit.description.fit.size(), fit.description.fit.size() == 1 ? "" : "s", outline.data,
             fit.description.design ? ", and a design" : "");
  return found;
}

Json check_file(const std::string& file, const Common& common) {
  if (is_fit(file)) return check_parameters(file, common);
  if (is_plan(file)) return check_plan(file, common);
  if (is_study(file)) return check_study(file, common);
  if (is_scenario(file)) return check_scenario(file, common);
  ModelNotes notes;
  const Model model = read_model(file, settings(common), notes);
  std::vector<std::string> sentences = std::move(notes.sentences);
  for (std::string& sentence : undrawn_meshes(model.description())) sentences.push_back(std::move(sentence));
  try {
    // Loops that cannot be closed, or lock the mechanism.
    const Eigen::VectorXd closed = assemble(model, neutral_configuration(model));
    for (std::string& sentence : braced_frames(model, closed)) sentences.push_back(std::move(sentence));
  } catch (const InputError& error) {
    throw with_places(error, file, settings(common));
  }
  for (std::string& sentence : advice(model)) sentences.push_back(std::move(sentence));
  for (std::string& sentence : weak_joints(model)) sentences.push_back(std::move(sentence));
  const Json found = {{"valid", true},    {"kind", "model"},  {"name", model.name()},
                      {"nq", model.nq()}, {"nv", model.nv()}, {"warnings", sentences}};
  if (common.json) return found;
  for (const std::string& sentence : sentences) warn(common, sentence);
  fmt::print("{} {} is a valid model: {}, {} link{}, {} coordinate{}\n", styled(Style::good, "ok"), file,
             model.name(), model.description().links.size(), model.description().links.size() == 1 ? "" : "s",
             model.nv(), model.nv() == 1 ? "" : "s");
  return found;
}

// Several files: each is checked, whatever is wrong with those before it.
void check_files(const std::vector<std::string>& files, const Common& common) {
  Json all = Json::array();
  int exit_code = 0;
  for (const std::string& file : files) {
    Json entry = {{"file", file}};
    try {
      entry.update(check_file(file, common));
    } catch (const std::exception& error) {
      exit_code = std::max(exit_code, exit_code_of(error));
      entry.update({{"valid", false}, {"errors", error_entries(error)}});
      if (!common.json || !common.quiet) print_error(error);
    }
    all.push_back(std::move(entry));
  }
  if (common.json) print_json({{"valid", exit_code == 0}, {"files", all}});
  if (exit_code != 0) throw Reported{exit_code};
}

}  // namespace

void add_check(CLI::App& app, Common& common) {
  CLI::App* command = add_command(app, common, "check",
                                  "Check model, scenario and study files: every mistake with its place");
  struct Options {
    std::vector<std::string> files;
    std::string state;
    bool dae = false;
    std::optional<double> step;
  };
  auto options = std::make_shared<Options>();
  command->add_option("FILE", options->files, "Model and scenario files (*.yaml)")->required();
  add_set_option(*command, common);
  CLI::Option* dae =
      command->add_flag("--dae", options->dae,
                        "Are the stacked equations (formulation dae) well posed? Ranks, conditions, steps");
  command
      ->add_option("--state", options->state, "With --dae: the state of a model; without it at rest at q = 0")
      ->needs(dae);
  command->add_option("--step", options->step, "With --dae: a step [s] to compare with the fastest motion")
      ->needs(dae)
      ->check(above_zero());
  command->callback([options, &common] {
    const std::string& first = options->files.front();
    if (options->dae && options->files.size() > 1)
      throw InputError(Problem{"FILE", "one file with --dae", fmt::format("{}", options->files.size()), ""});
    if (options->dae)
      report_dae(first, options->state, options->step, common);
    else if (options->files.size() > 1)
      check_files(options->files, common);
    else if (const Json found = check_file(first, common); common.json)
      print_json(found);
  });
}

}  // namespace limber::app
