// limber check FILE: is it a valid model, or a valid scenario?

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "check_dae.hpp"
#include "command.hpp"
#include "limber/core/computation_error.hpp"
#include "limber/formulations/formulation.hpp"
#include "limber/io/model_file.hpp"
#include "limber/io/scenario_file.hpp"
#include "limber/model/model.hpp"
#include "limber/simulation/simulate.hpp"
#include "table.hpp"

namespace limber::app {
namespace {

struct Doubts {
  std::vector<std::string> sentences;
  bool fails = false;  ///< the run did not come to its end
};

// What a scenario does is only known once it has been run: quickly, and not for long.
Doubts doubts_about(Scenario& scenario) {
  constexpr double coarse = 1e-3, longest_s = 20.0;
  if (!scenario.integrator.step) scenario.integrator.rtol = std::max(scenario.integrator.rtol, coarse);
  scenario.output.shape_points = 0;
  RunOptions options;
  options.progress = [](const Progress& progress) { return progress.wall_s < longest_s; };
  Checkpoint reached;
  options.last_good = &reached;
  Doubts doubts;
  try {
    const RunSummary run = simulate(scenario, nullptr, options);
    reached = run.last;
    doubts.sentences = run.doubts;
    if (!run.finished)
      doubts.sentences.push_back(
          fmt::format("only the first {:.3g} s were tried: the rest would take long", run.end));
    if (run.ledger_is_off && scenario.integrator.step)
      doubts.sentences.push_back("the energy ledger is off: take a shorter step, or method auto");
  } catch (const ComputationError& error) {
    doubts = {{error.what()}, true};
  }
  for (const std::string& warning : range_warnings(scenario, reached.peaks))
    doubts.sentences.push_back(warning);
  return doubts;
}

void check_scenario(const std::string& file, const Common& common) {
  const ScenarioFile read = read_scenario(file, formulation_names());
  Scenario scenario = build_scenario(read.description, read.model);
  std::vector<std::string> sentences = advice(read.model);
  const Doubts doubts = doubts_about(scenario);
  sentences.insert(sentences.end(), doubts.sentences.begin(), doubts.sentences.end());
  if (common.json) {
    print_json({{"valid", true},
                {"kind", "scenario"},
                {"name", read.model.name},
                {"nq", read.model.nq},
                {"nv", read.model.nv},
                {"duration", scenario.duration},
                {"fails", doubts.fails},
                {"warnings", sentences}});
    return;
  }
  for (const std::string& sentence : sentences) warn(common, sentence);
  fmt::print("{} {} is a valid scenario: {:g} s of {}, {} coordinates{}\n",
             doubts.fails ? styled(Style::bad, "fails") : styled(Style::good, "ok"), file, scenario.duration,
             read.model.name, read.model.nv, doubts.fails ? "; but its run does not come to its end" : "");
}

void check_file(const std::string& file, const Common& common) {
  if (is_scenario(file)) return check_scenario(file, common);
  const Model model = read_model(file);
  const auto sentences = advice(model);
  if (common.json) {
    print_json({{"valid", true},
                {"kind", "model"},
                {"name", model.name},
                {"nq", model.nq},
                {"nv", model.nv},
                {"warnings", sentences}});
    return;
  }
  for (const std::string& sentence : sentences) warn(common, sentence);
  fmt::print("{} {} is a valid model: {}, {} link{}, {} coordinate{}\n", styled(Style::good, "ok"), file,
             model.name, model.links.size(), model.links.size() == 1 ? "" : "s", model.nv,
             model.nv == 1 ? "" : "s");
}

}  // namespace

void add_check(CLI::App& app, Common& common) {
  CLI::App* command =
      add_command(app, common, "check", "Check a model or scenario file: every mistake with its place");
  struct Options {
    std::string file, state;
    bool dae = false;
    std::optional<double> step;
  };
  auto options = std::make_shared<Options>();
  command->add_option("FILE", options->file, "Model or scenario file (*.yaml)")->required();
  CLI::Option* dae =
      command->add_flag("--dae", options->dae,
                        "Are the stacked equations (formulation dae) well posed? Ranks, conditions, steps");
  command
      ->add_option("--state", options->state, "With --dae: the state of a model; without it at rest at q = 0")
      ->needs(dae);
  command->add_option("--step", options->step, "With --dae: a step [s] to compare with the fastest motion")
      ->needs(dae)
      ->check(CLI::PositiveNumber);
  command->callback([options, &common] {
    if (options->dae)
      report_dae(options->file, options->state, options->step, common);
    else
      check_file(options->file, common);
  });
}

}  // namespace limber::app
