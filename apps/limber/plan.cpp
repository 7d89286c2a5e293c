// SPDX-License-Identifier: BSD-3-Clause
// limber plan STUDY: a motion that is optimal for the flexible arm.

#include "limber/planning/plan.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "limber/io/plan_choices.hpp"
#include "limber/io/whole_file.hpp"
#include "output_file.hpp"
#include "progress.hpp"
#include "study_commands.hpp"
#include "table.hpp"
#include "version.hpp"

namespace limber::app {
namespace {

namespace fs = std::filesystem;

struct PlanCommandOptions {
  std::string study, output, csv;
  bool force = false;
};

nlohmann::ordered_json margins_json(const JointMetrics& joint) {
  nlohmann::ordered_json all = nlohmann::ordered_json::object();
  if (joint.position_margin) all["position"] = *joint.position_margin;
  if (joint.velocity_margin) all["velocity"] = *joint.velocity_margin;
  if (joint.effort_margin) all["effort"] = *joint.effort_margin;
  return all;
}

nlohmann::ordered_json run_json(const PlanRun& run) {
  nlohmann::ordered_json margins = nlohmann::ordered_json::object(), bent = nlohmann::ordered_json::object();
  for (const JointMetrics& joint : run.metrics.joints)
    if (nlohmann::ordered_json one = margins_json(joint); !one.empty()) margins[joint.name] = std::move(one);
  for (const auto& [link, most] : run.metrics.largest_deflection) bent[link] = most;
  nlohmann::ordered_json used = nlohmann::ordered_json::object();
  for (const BeamMetrics& beam : run.metrics.beams)
    if (beam.utilisation) used[beam.link] = *beam.utilisation;
  nlohmann::ordered_json document = {{"residual_vibration", run.residual_vibration},
                                     {"largest_error", run.largest_error},
                                     {"largest_deflection", bent},
                                     {"margins", margins}};
  if (!used.empty()) document["utilisation"] = used;
  return document;
}

nlohmann::ordered_json numbers(const Eigen::Ref<const Eigen::VectorXd>& values) {
  return std::vector<double>(values.begin(), values.end());
}

nlohmann::ordered_json plan_json(const OpenedPlan& opened, const MotionPlan& motion) {
  const Model& model = opened.problem.model;
  nlohmann::ordered_json q = nlohmann::ordered_json::object(), v = nlohmann::ordered_json::object(),
                         efforts = nlohmann::ordered_json::object();
  for (int c = 0; c < model.nv(); ++c) {
    const std::string& name = model.coordinates()[static_cast<std::size_t>(c)];
    q[name] = numbers(motion.q.row(c).transpose());
    v[name] = numbers(motion.v.row(c).transpose());
  }
  for (std::size_t j = 0; j < motion.driven.size(); ++j)
    efforts[model.coordinates()[static_cast<std::size_t>(motion.driven[j])]] =
        numbers(motion.efforts.row(static_cast<Eigen::Index>(j)).transpose());
  nlohmann::ordered_json document = {{"minimise", choice_name(opened.problem.minimise)},
                                     {"duration", motion.duration},
                                     {"cost", motion.cost},
                                     {"iterations", motion.iterations},
                                     {"wall_s", motion.wall_s},
                                     {"end", motion.end},
                                     {"slowest_period", motion.slowest_period}};
  document.update(run_json(motion.runs.front()));
  nlohmann::ordered_json payloads = nlohmann::ordered_json::array();
  for (std::size_t i = 1; i < motion.runs.size(); ++i) {
    nlohmann::ordered_json set = nlohmann::ordered_json::object();
    for (const auto& [path, value] : opened.file.description.plan.payloads[i - 1].set) set[path] = value;
    nlohmann::ordered_json one = {{"set", set}};
    one.update(run_json(motion.runs[i]));
    payloads.push_back(std::move(one));
  }
  document["payloads"] = payloads;
  document["time"] = numbers(motion.times);
  document["q"] = q;
  document["v"] = v;
  document["efforts"] = efforts;
  document["warnings"] = motion.warnings;
  return document;
}

const char* cost_unit(const PlanProblem& problem) {
  switch (problem.minimise) {
    case PlanGoal::time:
      return "s";
    case PlanGoal::effort:
      return "s of (effort/limit)^2; without limits W, of effort^2/inertia";
    case PlanGoal::vibration:
      return "J/s, integral of K (dq/dt)^2";
    case PlanGoal::deflection:
      return "J, largest strain energy that moving adds";
    case PlanGoal::stress:
      return "of the strength, at most";
  }
  return "";
}

void print_run(const PlanRun& run) {
  fmt::print("  residual    {} m, end effector, peak to peak after the motion\n",
             number(run.residual_vibration));
  for (const auto& [link, most] : run.metrics.largest_deflection)
    fmt::print("  deflection  {} m at most, tip of `{}`\n", number(most), link);
  for (const BeamMetrics& beam : run.metrics.beams)
    if (beam.utilisation)
      fmt::print("  stress      {} of its strength at most, `{}`\n", number(*beam.utilisation), beam.link);
  for (const JointMetrics& joint : run.metrics.joints) {
    std::string words;
    if (joint.position_margin) words += fmt::format(", position {}", number(*joint.position_margin));
    if (joint.velocity_margin) words += fmt::format(", velocity {}", number(*joint.velocity_margin));
    if (joint.effort_margin) words += fmt::format(", effort {}", number(*joint.effort_margin));
    if (!words.empty()) fmt::print("  margins     `{}`: {}\n", joint.name, words.substr(2));
  }
}

void print_plan(const PlanCommandOptions& options, const OpenedPlan& opened, const MotionPlan& motion) {
  fmt::print("{}  least {}: {} s, {} intervals\n\n", styled(Style::bold, options.study),
             choice_name(opened.problem.minimise), number(motion.duration), opened.problem.intervals);
  fmt::print("  cost        {} {}\n", number(motion.cost), cost_unit(opened.problem));
  fmt::print("  solver      {}, {} iterations, {:.3g} s\n", motion.end, motion.iterations, motion.wall_s);
  if (motion.slowest_period > 0.0)
    fmt::print(
        "  period      {} s, the arm's slowest with its joints held: the motion takes {:.3g} of them\n",
        number(motion.slowest_period), motion.duration / motion.slowest_period);
  fmt::print("\nas simulated\n");
  print_run(motion.runs.front());
  for (std::size_t i = 1; i < motion.runs.size(); ++i) {
    std::string set;
    for (const auto& [path, value] : opened.file.description.plan.payloads[i - 1].set)
      set += fmt::format("{}{}={}", set.empty() ? "" : ", ", path, value);
    fmt::print("\nwith {}\n", set);
    print_run(motion.runs[i]);
  }
}

/// As the plan's scenario names the model: relative to itself. Nothing where values were set: then the arm itself stands there.
std::string model_name(const OpenedPlan& opened, const std::string& output, const Common& common) {
  if (opened.model_file.empty() || !common.set.empty()) return "";
  std::error_code failed;
  const fs::path folder = fs::absolute(fs::path(output)).parent_path(),
                 name = fs::relative(fs::absolute(opened.model_file), folder, failed);
  return failed || name.empty() ? fs::absolute(opened.model_file).string() : name.string();
}

void run_plan_command(const PlanCommandOptions& options, const Common& common) {
  const OpenedPlan opened = open_plan(options.study, settings(common));
  InputFiles inputs(opened.files.begin(), opened.files.end());
  if (!options.output.empty()) check_output({"-o", options.output, {".yaml", ".yml"}}, inputs, options.force);
  if (!options.csv.empty()) check_output({"--csv", options.csv, {".csv"}}, inputs, options.force);
  StageDisplay display("plan", common.quiet);
  const Interruption interruption;
  PlanOptions how;
  how.progress = [&](const std::string& what, double part) { display.show(what, part); };
  const MotionPlan motion = plan(opened, how);
  display.clear();
  for (const std::string& warning : motion.warnings) warn(common, warning);
  if (!options.output.empty())
    write_whole_file(
        options.output,
        plan_scenario_text(opened.problem, motion, model_name(opened, options.output, common),
                           {fmt::format("Written by limber {} plan: least {}, {:.6g} s.", version,
                                        choice_name(opened.problem.minimise), motion.duration),
                            "Efforts as steps, and feedback about the planned motion."}));
  if (!options.csv.empty()) write_whole_file(options.csv, plan_csv(opened.problem, motion));
  if (common.json) return print_json(plan_json(opened, motion));
  print_plan(options, opened, motion);
  if (!options.output.empty())
    fmt::print("\n  scenario    {0}: `limber simulate {0}` runs it\n", options.output);
  if (!options.csv.empty()) fmt::print("  table       {}\n", options.csv);
}

}  // namespace

void add_plan(CLI::App& app, Common& common) {
  auto options = std::make_shared<PlanCommandOptions>();
  CLI::App* command =
      add_command(app, common, "plan",
                  "A motion that is optimal for the flexible arm: time, effort, vibration, deflection");
  command->add_option("STUDY", options->study, "Plan file (*.yaml)")->required();
  add_set_option(*command, common);
  command->add_option("-o,--output", options->output,
                      "Write the plan as a scenario: efforts as steps, feedback about the planned motion");
  command->add_option("--csv", options->csv, "Besides, a table: time, coordinates, their rates, efforts");
  command->add_flag("--force", options->force, "Replace files that exist");
  command->footer(
      "Begins and ends at rest in static equilibrium, keeps to the model's limits, and is simulated before "
      "it is "
      "shown. docs/planning.md\n"
      "  limber plan studies/lab_link_plan.yaml -o slew.yaml\n"
      "  limber simulate slew.yaml -o slew.h5");
  command->callback([options, &common] { run_plan_command(*options, common); });
}

}  // namespace limber::app
