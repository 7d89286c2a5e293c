// SPDX-License-Identifier: BSD-3-Clause
// limber simulate SCENARIO: the motion over time.

#include "limber/simulation/simulate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <numbers>
#include <optional>

#include "built_scenario.hpp"
#include "command.hpp"
#include "formulation_option.hpp"
#include "limber/analysis/section_forces.hpp"
#include "limber/core/computation_error.hpp"
#include "limber/core/input_error.hpp"
#include "limber/formulations/formulation.hpp"
#include "limber/io/mesh_file.hpp"
#include "limber/io/printable.hpp"
#include "limber/io/scenario_file.hpp"
#include "limber/model/coordinates.hpp"
#include "limber/model/friction.hpp"
#include "limber/results/measured_writer.hpp"
#include "limber/results/result_file.hpp"
#include "limber/results/summary_text.hpp"
#include "limber/scenario/choices.hpp"
#include "limber/simulation/metrics.hpp"
#include "limber/simulation/run_warnings.hpp"
#include "observer_option.hpp"
#include "output_file.hpp"
#include "progress.hpp"
#include "table.hpp"
#include "version.hpp"

namespace limber::app {
namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

struct Options {
  std::string scenario, output, csv, as_measured, formulation;
  bool resume = false, force = false;
  double flush_s = 0.5;
  ObserverOption observer;
};

// A result can only be continued by the scenario that began it.
Checkpoint checkpoint_of(const std::string& output, const Scenario& scenario,
                         const std::vector<SourceText>& now) {
  StoredRun stored = read_stored_run(output);
  const auto refuse = [&](const std::string& what) {
    throw InputError(Problem{"--resume", "the scenario that `" + output + "` was begun with", what,
                             "start anew with --force, or with another -o"});
  };
  if (stored.info.sources.size() != now.size()) refuse("one made of other files, or with other --set");
  for (std::size_t i = 0; i < now.size(); ++i)
    if (stored.info.sources[i].text != now[i].text) refuse("another text of `" + now[i].name + "`");
  if (const std::string formulation = name_of(scenario.formulation); stored.info.formulation != formulation)
    refuse("formulation " + formulation);
  require_fit(stored, scenario, output);
  return stored.checkpoint;
}

Json as_json(const Model& model, const RunSummary& run, const RunMetrics& metrics, const std::string& output,
             const std::string& status) {
  Json document = Json::parse(summary_text(model, run, metrics, status));
  document["result"] = output;
  return document;
}

std::string with_time(const Peak& peak) {
  return peak.value > 0.0 ? fmt::format("{} at {:.2f} s", number(peak.value), peak.time) : "";
}

// What the motion of the end effector was worth.
std::string in_words(const RunMetrics& metrics) {
  std::string words;
  if (metrics.settling_time) words = fmt::format("settled {} s", number(*metrics.settling_time));
  if (metrics.residual_vibration)
    words += fmt::format("{}vibrates by {} mm after {} s", words.empty() ? "" : ", ",
                         number(1e3 * *metrics.residual_vibration), number(*metrics.targets_end));
  return words;
}

// The largest of what passed through the sections of each beam.
void print_sections(const Model& model, const RunPeaks& peaks, const RunMetrics& metrics) {
  if (peaks.section_forces.empty()) return;
  using Align = Table::Align;
  std::vector<Table::Column> columns = {{"largest in sections of", ""}};
  for (std::size_t i = 0; i < std::size(section_force_names); ++i)
    columns.push_back({section_force_names[i], i < 3 ? "N" : "N m", Align::right});
  Table forces(columns);
  for (std::size_t l = 0; l < model.links().size(); ++l) {
    if (!model.links()[l].beam) continue;
    std::vector<std::string> row = {model.links()[l].name};
    for (std::size_t i = 0; i < std::size(section_force_names); ++i) {
      const Peak& peak = peaks.section_forces[6 * l + i];
      row.push_back(peak.value != 0.0 ? fmt::format("{} at {:.2f} s", number(peak.value), peak.time) : "0");
    }
    forces.add_row(row);
  }
  fmt::print("{}\n", forces.str());
  if (metrics.beams.empty()) return;
  constexpr double mega = 1e-6;
  Table stresses({{"link", ""},
                  {"largest stress", "MPa", Align::right},
                  {"of its strength", "", Align::right},
                  {"fatigue damage", "", Align::right}});
  for (const BeamMetrics& beam : metrics.beams)
    stresses.add_row({beam.link, with_time({mega * beam.largest_stress, beam.time}),
                      beam.utilisation ? number(*beam.utilisation) : "",
                      beam.damage ? number(*beam.damage) : ""});
  fmt::print("{}\n", stresses.str());
}

void print(const Scenario& scenario, const RunSummary& run, const RunMetrics& metrics,
           const std::string& output, const std::string& csv) {
  using Align = Table::Align;
  const Model& model = scenario.model;
  const Checkpoint& c = run.last;
  const double now = run.real_time_factor * run.wall_s;  // simulated since the program was started
  constexpr double nearly_all = 0.999;                   // but for rounding, it was all done now
  fmt::print("{}  {:g} s", styled(Style::bold, model.name()), run.end);
  if (now <= 0.0)
    fmt::print(": nothing was left to do\n\n");
  else
    fmt::print("{} in {:.3g} s: {:.3g} times as fast as real time\n\n",
               now < nearly_all * run.end ? fmt::format(", the last {:g} s of it", now) : "", run.wall_s,
               run.real_time_factor);
  Table joints({{"joint", ""},
                {"at the end", "rad or m", Align::right},
                {"largest deviation", "rad or m", Align::right},
                {"largest effort", "N m or N", Align::right}});
  for (const Link& link : model.links())
    for (int j = 0; j < link.joint.nv; ++j) {
      const int i = link.joint.v_index + j;
      joints.add_row({model.coordinates()[i],
                      link.joint.has_quaternion() ? "" : number(run.q[link.joint.q_index + j]),
                      with_time(c.peaks.deviation[static_cast<std::size_t>(i)]),
                      with_time(c.peaks.effort[static_cast<std::size_t>(i)])});
    }
  fmt::print("{}\n", joints.str());
  constexpr double millimetres = 1e3, degrees = 180.0 / std::numbers::pi;
  Table links(
      {{"link", ""}, {"largest deflection", "mm", Align::right}, {"largest slope", "deg", Align::right}});
  const std::vector<LinkPeaks> bending = link_peaks(model, c.peaks);
  for (const LinkPeaks& link : bending)
    links.add_row({link.name, with_time({millimetres * link.deflection.value, link.deflection.time}),
                   with_time({degrees * link.slope.value, link.slope.time})});
  if (!bending.empty()) fmt::print("{}\n", links.str());
  print_sections(model, c.peaks, metrics);
  const Ledger& e = run.ledger;
  const std::string by_friction =
      has_friction(model) ? fmt::format(" (friction {})", number(e.friction)) : std::string();
  fmt::print(
      "  energy      work {} J = kinetic {} + gravity {} + strain {} + dissipated {}{} J since the start; "
      "error {:.1e} J\n",
      number(e.work_actuators + e.work_loads), number(e.kinetic - c.start.kinetic),
      number(e.gravity - c.start.gravity), number(e.strain - c.start.strain), number(e.dissipated),
      by_friction, c.largest_error);
  fmt::print("  integrator  {}: {} steps ({} rejected), {} evaluations, {} Jacobians\n", run.integrator,
             c.steps, c.rejected, c.evaluations, c.tangents);
  if (const std::string words = in_words(metrics); !words.empty())
    fmt::print("  end effector {}; motors turned over {} J\n", words, number(metrics.energy));
  for (const Occurrence& occurrence : run.occurrences)
    fmt::print("  event       {} at {:.6g} s{}\n", occurrence.name, occurrence.t,
               run.stopped_by && &occurrence == &run.occurrences.back() ? ": stopped" : "");
  if (const auto& violation = run.constraint_violation)
    fmt::print("  joints      held together to {:.1e} m and {:.1e} rad\n", violation->position,
               violation->rotation);
  fmt::print("  result      {} ({} rows)\n", output, c.rows);
  if (!csv.empty()) fmt::print("  table       {}\n", csv);
}

bool continues(const Options& options, const std::string& output) {
  std::error_code failed;
  return options.resume && fs::exists(output, failed);
}

// Everything that can be wrong with -o and --csv, before any work is done; and nobody else writes there from now on.
ResultLock reserve_outputs(const Options& options, const std::string& output, const InputFiles& inputs) {
  const Output result{"-o", output, {".h5", ".hdf5"}, "--force replaces it, --resume continues it"};
  const Output table{"--csv", options.csv, {".csv"}};
  refuse_wrong_place(result, inputs);
  if (!options.csv.empty()) {
    require_two_files(table, result);
    refuse_wrong_place(table, inputs);
    refuse_existing(table, options.force);
  }
  if (const Output measured{"--as-measured", options.as_measured, {".csv"}}; !measured.file.empty()) {
    require_two_files(measured, result);
    if (!options.csv.empty()) require_two_files(measured, table);
    check_output(measured, inputs, options.force);
  }
  ResultLock lock(output);
  if (!continues(options, output)) refuse_existing(result, options.force);
  return lock;
}

/// Hands everything on to several sinks.
class Sinks : public ResultSink {
 public:
  void add(ResultSink& sink) { sinks_.push_back(&sink); }
  void begin(const MethodChoice& choice) override {
    for (ResultSink* sink : sinks_) sink->begin(choice);
  }
  void add(const Sample& sample) override {
    for (ResultSink* sink : sinks_) sink->add(sample);
  }
  void step(const Checkpoint& checkpoint) override {
    for (ResultSink* sink : sinks_) sink->step(checkpoint);
  }

 private:
  std::vector<ResultSink*> sinks_;
};

// What joints and end effector did in the part of a run that is there already.
void note_stored_rows(const ResultTable& table, const Model& model, MetricsRecorder& recorder) {
  const std::vector<int> driven = joint_coordinates_named(model, "all");
  Eigen::VectorXd efforts = Eigen::VectorXd::Zero(model.nv());
  for (Eigen::Index i = 0; i < table.values.rows(); ++i) {
    if (!driven.empty()) efforts(driven) = table.of("efforts").row(i).transpose();
    recorder.note(table.of("time")(i, 0), table.of("q").row(i), table.of("v").row(i), efforts,
                  table.of("end_effector/position").row(i).transpose());
    recorder.note_sections(table.of("section_forces").row(i).transpose());
  }
}

// Without what has been said before.
void warn_of_the_rest(const Common& common, const std::vector<std::string>& warnings,
                      const std::vector<std::string>& said) {
  for (const std::string& warning : warnings)
    if (std::find(said.begin(), said.end(), warning) == said.end())
      warn(common, warning);
    else
      note_warning(warning);
}

void simulate_file(const Options& options, const Common& common) {
  ScenarioFile file = read_scenario(options.scenario, settings(common));
  if (!options.formulation.empty())
    choose_formulation(formulation_named(options.formulation), file.description);
  const std::string output = output_name(options.output, options.scenario, ".h5");
  ResultLock lock = reserve_outputs(options, output, files_of_scenario(options.scenario, file.sources));
  const bool is_continued = continues(options, output);
  choose_observer(options.observer, file.description);
  Scenario scenario = scenario_of(file, options.scenario);
  const ResultOrigin origin{std::string("limber ") + version, file.sources};

  const bool is_loud = !common.quiet;
  Checkpoint reached;
  RunOptions run_options;
  if (is_continued) run_options.resume = checkpoint_of(output, scenario, file.sources);
  if (options.resume && !is_continued && is_loud)
    print_error_text("no " + output + " to continue: starting anew\n");
  run_options.last_good = &reached;
  ProgressDisplay display(common.quiet);
  std::vector<std::string> said = scenario_warnings(scenario);  // before a run that may be long
  warn(common, said);
  warn(common, undrawn_meshes(file.model.description()));
  run_options.log = [&](const std::string& sentence) {
    said.push_back(sentence);
    if (is_loud) print_error_text(printable(sentence) + "\n");
  };
  run_options.progress = [&](const Progress& progress) {
    display.show(progress);
    return !Interruption::is_asked_for();
  };
  prepare(scenario.formulation, scenario.model, scenario.formulation_options, "simulate", common);
  const auto writer = is_continued ? std::make_unique<ResultWriter>(std::move(lock), scenario, origin,
                                                                    run_options.resume->rows)
                                   : std::make_unique<ResultWriter>(std::move(lock), scenario, origin);
  writer->set_interval(options.flush_s);
  Sinks sinks;
  sinks.add(*writer);
  std::optional<CsvWriter> csv;
  if (!options.csv.empty()) sinks.add(csv.emplace(options.csv, scenario));
  std::optional<MeasuredWriter> measured;
  if (!options.as_measured.empty()) try {
      sinks.add(measured.emplace(options.as_measured, scenario));
    } catch (const InputError& error) {
      throw with_places(error, file, options.scenario);
    }
  MetricsRecorder recorder(scenario, &sinks);
  if (is_continued) {
    const ResultTable stored = read_result_table(output);
    note_stored_rows(stored, scenario.model, recorder);
    if (csv) csv->add(stored);
  }
  const Interruption interruption;
  RunSummary run;
  try {
    run = simulate(scenario, &recorder, run_options);
  } catch (const ComputationError& error) {
    display.clear();
    if (reached.rows == 0) throw;  // nothing to keep
    const std::vector<std::string> warnings = run_warnings(scenario, reached);
    warn_of_the_rest(common, warnings, said);
    writer->set_warnings(warnings);
    writer->set_metrics(recorder.metrics(reached.peaks).named(), {});
    writer->set_frequencies(end_frequencies(scenario, reached.integrator.y.head(scenario.model.nq())));
    writer->finish(reached, std::string("failed: ") + error.what());
    throw ComputationError(
        fmt::format("{}\n{} holds what was reached, {} rows", error.what(), output, reached.rows));
  }
  display.clear();
  const std::string status = run.finished ? "complete" : "interrupted";
  const std::vector<std::string> warnings = run_warnings(scenario, run.last, run.doubts);
  const RunMetrics metrics = recorder.metrics(run.last.peaks);
  writer->set_warnings(warnings);
  writer->set_metrics(metrics.named(), run.occurrences);
  writer->set_frequencies(end_frequencies(scenario, run.q));
  writer->finish(run.last, status);
  warn_of_the_rest(common, warnings, said);
  if (csv) csv->finish();
  if (measured) measured->finish();
  if (common.json)
    print_json(as_json(scenario.model, run, metrics, output, status));
  else
    print(scenario, run, metrics, output, options.csv);
  if (!run.finished) {
    if (is_loud)
      print_error_text(
          fmt::format("interrupted at t = {:.6g} s; `limber simulate {} -o {} --resume` continues\n", run.end,
                      options.scenario, output));
    throw Interrupted();
  }
}

}  // namespace

void add_simulate(CLI::App& app, Common& common) {
  auto options = std::make_shared<Options>();
  CLI::App* command =
      add_command(app, common, "simulate", "The motion over time, with its energy ledger, as HDF5 and CSV");
  command->add_option("SCENARIO", options->scenario, "Scenario file (*.yaml)")->required();
  add_set_option(*command, common);
  command->add_option("-o,--output", options->output, "Result (HDF5); default: the scenario's name with .h5");
  command->add_option("--csv", options->csv, "Besides, a table of all rows as CSV");
  CLI::Option* const measured = command->add_option(
      "--as-measured", options->as_measured,
      "Besides, what the sensors show (with their noise) as CSV: for `identify` and `estimate`");
  command->add_option("--formulation", options->formulation,
                      "Instead of the scenario's: " + formulation_choices());
  command
      ->add_option("--flush", options->flush_s,
                   "Seconds after which the result on disk is brought up to date (default 0.5)")
      ->check(CLI::Range(0.001, 3600.0));
  add_observer_option(*command, options->observer);
  command->add_flag("--resume", options->resume, "Go on with a result that was interrupted")
      ->excludes(measured);
  command->add_flag("--force", options->force, "Replace files that exist");
  command->callback([options, &common] { simulate_file(*options, common); });
}

}  // namespace limber::app
