// SPDX-License-Identifier: BSD-3-Clause
// From a plan file to the problem that it stands for.

#include <fmt/format.h>

#include <algorithm>
#include <numbers>

#include "limber/io/model_file.hpp"
#include "limber/io/scenario_file.hpp"
#include "limber/model/field_rule.hpp"
#include "limber/planning/plan.hpp"
#include "limber/scenario/check.hpp"
#include "limber/simulation/scenario.hpp"

namespace limber {
namespace {

namespace fs = std::filesystem;

/// Names of coordinates that a plan can send somewhere: joints', not motors' and not elastic ones.
std::vector<std::string> joint_coordinate_names(const Model& model) {
  std::vector<std::string> names;
  for (const Link& link : model.links())
    for (int i = 0; i < (link.joint.has_motor() ? link.joint.facts().moving() : link.joint.nv); ++i)
      names.push_back(model.coordinates()[static_cast<std::size_t>(link.joint.v_index + i)]);
  return names;
}

/// Reads positions by name into q. What is wrong goes to `problems`.
class Positions {
 public:
  Positions(const Model& model, std::vector<Problem>& problems)
      : model_(model),
        problems_(problems),
        names_(joint_coordinate_names(model)),
        angular_(angular_positions(model)) {}

  /// [coordinate, position] of every name.
  std::vector<std::pair<int, double>> read(const ByName<double>& values, const ByName<double>& degrees,
                                           const std::string& path) {
    std::vector<std::pair<int, double>> all;
    std::vector<std::string> given;
    for (const bool in_degrees : {false, true})
      for (const auto& [name, value] : in_degrees ? degrees : values) {
        const std::string place = (in_degrees ? degrees_key(path) : path) + "." + name;
        const int c = index(name, place);
        if (c < 0) continue;
        if (std::find(given.begin(), given.end(), name) != given.end())
          problems_.push_back(
              {place, "each joint once", show_text(name) + " twice", "in radians or in degrees"});
        if (in_degrees && std::find(angular_.begin(), angular_.end(), c) == angular_.end())
          problems_.push_back({place, "a joint that turns", show_text(name) + ", which slides", ""});
        given.push_back(name);
        constexpr double degree = std::numbers::pi / 180.0;
        all.emplace_back(c, in_degrees ? value * degree : value);
      }
    return all;
  }
  void set(const std::vector<std::pair<int, double>>& values, Eigen::VectorXd& q) const {
    std::vector<std::string> given;
    for (const auto& [c, value] : values) {
      q[c] = value;
      given.push_back(model_.coordinates()[static_cast<std::size_t>(c)]);
    }
    complete_gears(model_, given, q);
  }

 private:
  int index(const std::string& name, const std::string& place) {
    if (std::find(names_.begin(), names_.end(), name) == names_.end()) {
      problems_.push_back({place, "a joint of the arm", show_text(name), suggestion(name, names_, "joints")});
      return -1;
    }
    const auto& all = model_.coordinates();
    return static_cast<int>(std::find(all.begin(), all.end(), name) - all.begin());
  }

  const Model& model_;
  std::vector<Problem>& problems_;
  std::vector<std::string> names_;
  std::vector<int> angular_;
};

fs::path existing(const PlanFile& plan, const std::string& name, const char* key) {
  const fs::path file = fs::path(plan.file).parent_path() / name;
  std::error_code failed;
  if (!fs::is_regular_file(file, failed))
    throw plan.located({{key, "a readable file, relative to the plan", show_text(name),
                         "looked for " + show_text(file.string(), 500)}});
  return file;
}

Settings with_payload(Settings settings, const PlanPayloadDescription& payload, const std::string& prefix) {
  for (const auto& [path, value] : payload.set)
    settings.push_back({prefix + path, fmt::format("{}", value), {}});
  return settings;
}

/// Loads that always act.
std::vector<Load> constant_loads(const PlanFile& plan, const Scenario& scenario) {
  std::vector<Load> loads;
  for (const TimedLoad& load : scenario.loads) {
    if (load.from || load.to || load.factor)
      throw plan.located({{"scenario", "loads that are constant", "one that begins, ends or changes", ""}});
    loads.push_back(load.wrench);
  }
  return loads;
}

void add_gains(const ScenarioDescription& scenario, PlanProblem& problem) {
  for (const ActuationDescription& one : scenario.actuation)
    if (const auto* pd = std::get_if<actuations::Pd>(&one.kind))
      for (const int c : actuated_coordinates(problem.model, one.joint))
        problem.gains.push_back({c, pd->kp, pd->kd});
}

void set_motion(const PlanFile& file, PlanProblem& problem) {
  const MotionDescription& plan = file.description.plan;
  std::vector<Problem> problems;
  Positions positions(problem.model, problems);
  positions.set(positions.read(plan.from, plan.from_deg, "plan.from"), problem.from);
  problem.to = problem.from;
  positions.set(positions.read(plan.to, plan.to_deg, "plan.to"), problem.to);
  for (std::size_t i = 0; i < plan.via.size(); ++i)
    problem.via.push_back(
        {plan.via[i].at, positions.read(plan.via[i].q, plan.via[i].q_deg, fmt::format("plan.via[{}].q", i))});
  for (std::size_t i = 0; i < plan.hold.size(); ++i)
    if (joint_coordinates_named(problem.model, plan.hold[i]).empty())
      problems.push_back({plan.hold.size() == 1 ? "plan.hold" : fmt::format("plan.hold[{}]", i),
                          "joints of the arm", show_text(plan.hold[i]),
                          suggestion(plan.hold[i], names_of_joints(problem.model), "joints")});
  if (!problems.empty()) throw file.located(problems);
  problem.minimise = plan.minimise;
  problem.duration = plan.duration;
  problem.intervals = plan.intervals;
  problem.smoothness = plan.smoothness;
  problem.share = plan.share;
  problem.utilisation = plan.utilisation;
  problem.hold.insert(problem.hold.end(), plan.hold.begin(), plan.hold.end());
  problem.feedback = plan.feedback;
  problem.solver.iterations = plan.iterations;
  problem.solver.tolerance = plan.tolerance;
}

OpenedPlan open_scenario(const PlanFile& plan, const Settings& settings) {
  const fs::path file = existing(plan, plan.description.scenario, "scenario");
  const ScenarioFile read = read_scenario(file, settings);
  const Scenario scenario = build_scenario(read.description, read.model);
  OpenedPlan all{plan, PlanProblem(scenario.model), {}, {fs::path(plan.file), file}};
  if (!read.description.model_file.empty()) {
    all.model_file = file.parent_path() / read.description.model_file;
    all.files.push_back(all.model_file);
  }
  all.problem.from = scenario.q;
  all.problem.loads = constant_loads(plan, scenario);
  all.problem.hold = read.description.initial.hold;
  add_gains(read.description, all.problem);
  for (const PlanPayloadDescription& payload : plan.description.plan.payloads) {
    const ScenarioFile other = read_scenario(file, with_payload(settings, payload, "model."));
    all.problem.payloads.push_back(build_scenario(other.description, other.model).model);
  }
  return all;
}

OpenedPlan open_model(const PlanFile& plan, const Settings& settings) {
  const fs::path file = existing(plan, plan.description.model, "model");
  OpenedPlan all{plan, PlanProblem(read_model(file, settings)), file, {fs::path(plan.file), file}};
  for (const PlanPayloadDescription& payload : plan.description.plan.payloads)
    all.problem.payloads.push_back(read_model(file, with_payload(settings, payload, "")));
  return all;
}

}  // namespace

OpenedPlan open_plan(const std::filesystem::path& file, const Settings& settings) {
  const PlanFile plan = read_plan(file);
  OpenedPlan all =
      plan.description.scenario.empty() ? open_model(plan, settings) : open_scenario(plan, settings);
  set_motion(plan, all.problem);
  return all;
}

MotionPlan plan(const OpenedPlan& opened, const PlanOptions& options) {
  try {
    return plan(opened.problem, options);
  } catch (const FileError&) {
    throw;
  } catch (const InputError& error) {
    throw opened.file.located(error.problems());
  }
}

}  // namespace limber
