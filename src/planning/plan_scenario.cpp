// SPDX-License-Identifier: BSD-3-Clause
// A plan as a scenario, and as tables.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "limber/io/model_writer.hpp"
#include "limber/planning/plan.hpp"
#include "limber/scenario/choices.hpp"

namespace limber {
namespace {

std::string name_of_coordinate(const Model& model, int c) {
  return model.coordinates()[static_cast<std::size_t>(c)];
}

/// The joint by whose name the coordinate is actuated: a motor's joint, or one coordinate of several.
std::string actuated_name(const Model& model, int c) {
  for (const Link& link : model.links())
    if (link.joint.has_motor() && link.joint.driven_index() == c) return link.joint.name;
  return name_of_coordinate(model, c);
}

/// How long to look at what is left.
double rest_after(const MotionPlan& motion) {
  constexpr double periods = 3.0, part = 0.25;
  return std::max(periods * motion.slowest_period, part * motion.duration);
}

std::vector<double> list(const Eigen::Ref<const Eigen::VectorXd>& values) {
  return {values.begin(), values.end()};
}

std::string words(const std::vector<double>& values) {
  std::string text = "[";
  for (std::size_t i = 0; i < values.size(); ++i) text += fmt::format("{}{}", i == 0 ? "" : ", ", values[i]);
  return text + "]";
}

}  // namespace

ScenarioDescription plan_scenario(const PlanProblem& problem, const MotionPlan& motion) {
  const Model& model = problem.model;
  ScenarioDescription all;
  all.model = model.description();
  for (int c = 0; c < model.nv(); ++c)
    all.initial.q.emplace_back(name_of_coordinate(model, c), motion.q(c, 0));
  for (std::size_t j = 0; j < motion.driven.size(); ++j) {
    const auto row = static_cast<Eigen::Index>(j);
    const std::string joint = actuated_name(model, motion.driven[j]);
    trajectories::Steps steps;
    for (Eigen::Index k = 0; k < motion.efforts.cols(); ++k)
      steps.points.emplace_back(motion.times[k], motion.efforts(row, k));
    steps.points.emplace_back(motion.duration, motion.holding[row]);
    all.trajectories.emplace_back(joint + "_effort", steps);
    trajectories::Table path;
    path.times = list(motion.fine_times);
    path.values = list(motion.fine_q.row(motion.driven[j]).transpose());
    all.trajectories.emplace_back(joint + "_path", path);
    actuations::Torque torque;
    torque.signal.trajectory = joint + "_effort";
    actuations::Pd pd;
    pd.target.trajectory = joint + "_path";
    pd.kp = motion.kp[row];
    pd.kd = motion.kd[row];
    all.actuation.push_back({{joint}, torque});
    all.actuation.push_back({{joint}, pd});
  }
  for (const Load& load : problem.loads) {
    const Link& link = model.links()[static_cast<std::size_t>(load.link)];
    LoadDescription one;
    one.link = link.name;
    const Node& node = link.nodes[static_cast<std::size_t>(load.node)];
    one.interface = node.interface;
    if (one.interface.empty()) one.at = node.at;
    one.frame = load.axes;
    one.force = load.force;
    one.moment = load.moment;
    one.offset = load.offset;
    if (load.kind == LoadKind::thermal_curvature) one.thermal_curvature = load.moment.tail<2>();
    if (load.kind == LoadKind::tendon || load.kind == LoadKind::cable) one.pretension = load.force.x();
    one.straight = load.kind == LoadKind::cable;
    if (load.is_inner()) one.force = one.moment = Eigen::Vector3d::Zero();
    all.loads.push_back(one);
  }
  constexpr double rtol = 1e-8, atol = 1e-11, rows = 1000.0;
  all.integrator.rtol = rtol;
  all.integrator.atol = atol;
  all.duration = motion.duration + rest_after(motion);
  all.output.rate = std::max(1.0, std::ceil(rows / all.duration));
  return all;
}

std::string plan_scenario_text(const PlanProblem& problem, const MotionPlan& motion, const std::string& model,
                               const std::vector<std::string>& comments) {
  const ScenarioDescription all = plan_scenario(problem, motion);
  std::string text;
  for (const std::string& comment : comments) text += "# " + comment + "\n";
  text += "limber: 1\n";
  if (!model.empty()) {
    text += fmt::format("model: {}\n", model);
  } else {
    text += "model:\n";
    std::string inlined = model_file_text(problem.model.description());
    for (std::size_t at = 0; at < inlined.size();) {
      const std::size_t end = std::min(inlined.find('\n', at), inlined.size());
      text += "  " + inlined.substr(at, end - at) + "\n";
      at = end + 1;
    }
  }
  text += "initial:\n  q:\n";
  for (const auto& [name, value] : all.initial.q) text += fmt::format("    {}: {}\n", name, value);
  text += "actuation:\n";
  for (const ActuationDescription& one : all.actuation) {
    if (const auto* torque = std::get_if<actuations::Torque>(&one.kind))
      text += fmt::format("  - {{joint: {}, type: torque, signal: {{trajectory: {}}}}}\n", one.joint.front(),
                          *torque->signal.trajectory);
    else if (const auto* pd = std::get_if<actuations::Pd>(&one.kind))
      text += fmt::format("  - {{joint: {}, type: pd, kp: {}, kd: {}, target: {{trajectory: {}}}}}\n",
                          one.joint.front(), pd->kp, pd->kd, *pd->target.trajectory);
  }
  text += "trajectories:\n";
  for (const auto& [name, one] : all.trajectories) {
    if (const auto* steps = std::get_if<trajectories::Steps>(&one)) {
      text += fmt::format("  {}:\n    type: steps\n    points:\n", name);
      for (const Eigen::Vector2d& point : steps->points)
        text += fmt::format("      - [{}, {}]\n", point[0], point[1]);
    } else if (const auto* table = std::get_if<trajectories::Table>(&one)) {
      text += fmt::format("  {}:\n    type: table\n    times: {}\n    values: {}\n", name,
                          words(table->times), words(table->values));
    }
  }
  if (!all.loads.empty()) text += "loads:\n";
  const auto vector = [](const Eigen::Vector3d& value) { return words({value[0], value[1], value[2]}); };
  for (const LoadDescription& load : all.loads)
    if (load.thermal_curvature)
      text += fmt::format("  - {{link: {}, thermal_curvature: {}}}\n", load.link,
                          words({load.thermal_curvature->x(), load.thermal_curvature->y()}));
    else if (load.pretension)
      text += fmt::format("  - {{link: {}, pretension: {}, offset: {}, straight: {}}}\n", load.link,
                          *load.pretension, vector(load.offset), load.straight);
    else
      text += fmt::format("  - {{link: {}, at: {}, frame: {}, force: {}, moment: {}, offset: {}}}\n",
                          load.link, load.at, choice_name(load.frame), vector(load.force),
                          vector(load.moment), vector(load.offset));
  text += fmt::format("integrator: {{method: auto, rtol: {}, atol: {}}}\n", all.integrator.rtol,
                      all.integrator.atol);
  text += fmt::format("duration: {}\noutput: {{rate: {}}}\n", all.duration, all.output.rate);
  return text;
}

std::string plan_csv(const PlanProblem& problem, const MotionPlan& motion) {
  const std::vector<std::string>& names = problem.model.coordinates();
  std::string text = "time";
  for (const std::string& name : names) text += "," + name;
  for (const std::string& name : names) text += "," + name + ".rate";
  for (const int c : motion.driven) text += "," + name_of_coordinate(problem.model, c) + ".effort";
  text += "\n";
  for (Eigen::Index k = 0; k < motion.times.size(); ++k) {
    text += fmt::format("{}", motion.times[k]);
    for (const double value : motion.q.col(k)) text += fmt::format(",{}", value);
    for (const double value : motion.v.col(k)) text += fmt::format(",{}", value);
    const bool is_last = k == motion.efforts.cols();
    for (Eigen::Index j = 0; j < motion.holding.size(); ++j)
      text += fmt::format(",{}", is_last ? motion.holding[j] : motion.efforts(j, k));
    text += "\n";
  }
  return text;
}

}  // namespace limber
