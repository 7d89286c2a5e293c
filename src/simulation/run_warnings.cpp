// SPDX-License-Identifier: BSD-3-Clause
#include "limber/simulation/run_warnings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "limber/algorithms/mass_matrix.hpp"
#include "limber/analysis/limits.hpp"
#include "limber/model/coordinates.hpp"
#include "rate_jumps.hpp"

namespace limber {
namespace {

using Warnings = std::vector<std::string>;

void append(Warnings& all, const Warnings& more) { all.insert(all.end(), more.begin(), more.end()); }

// Several controllers may follow one target: one of each coordinate is enough.
std::vector<JointTarget> all_targets(const Scenario& scenario) {
  std::vector<JointTarget> all = scenario.prescribed;
  for (const auto& controller : scenario.controllers)
    for (const JointTarget& target : controller->targets()) all.push_back(target);
  std::vector<JointTarget> once;
  for (const JointTarget& target : all)
    if (std::none_of(once.begin(), once.end(), [&](const JointTarget& other) {
          return other.coordinate == target.coordinate && other.trajectory == target.trajectory;
        }))
      once.push_back(target);
  return once;
}

const JointLimits& limits_of(const Model& model, int coordinate) {
  static const JointLimits none;
  for (const Link& link : model.links())
    if (coordinate >= link.joint.v_index && coordinate < link.joint.v_index + link.joint.nv)
      return link.joint.limits;
  return none;
}

// Times at which a target is looked at: evenly, and on both sides of its corners (of a few thousand of them).
std::vector<double> times_of(const Trajectory& trajectory, double duration) {
  constexpr std::size_t even = 1000, most_corners = 5000;
  std::vector<double> times;
  for (std::size_t i = 0; i <= even; ++i)
    times.push_back(duration * static_cast<double>(i) / static_cast<double>(even));
  const std::vector<double> corners = trajectory.corners();
  for (std::size_t i = 0; i < corners.size(); i += 1 + corners.size() / most_corners)
    for (const double t : {corners[i], std::nextafter(corners[i], 0.0)})
      if (t >= 0.0 && t <= duration) times.push_back(t);
  return times;
}

// Whether an excess is larger than the largest so far by more than rounding: of equal ones the first counts.
constexpr double rounding = 1e-9;
bool is_worse(double excess, double worst) { return excess > worst * (1.0 + rounding); }

// The farthest length beyond a limit.
void add_length_warnings(const Model& model, const JointTarget& target, double duration, Warnings& all) {
  const Cylinder& cylinder = model.cylinders()[static_cast<std::size_t>(target.coordinate - model.nv())];
  Peak shortest, longest;
  bool is_first = true;
  for (const double t : times_of(*target.trajectory, duration)) {
    const double length = target.trajectory->at(t).position;
    if (is_first) shortest = longest = {length, t};
    is_first = false;
    shortest.note_lower(length, t);
    longest.note(length, t);
  }
  for (const Peak& one : {shortest, longest})
    if (const auto warning = length_warning(cylinder, one.value, Occasion::target, one.time))
      all.push_back(*warning);
}

// The farthest place beyond a limit, and the first one at which a target rests more than a turn away: a target that keeps
// turning is no number that somebody wrote.
void add_target_warnings(const Model& model, const JointTarget& target, double duration, Warnings& all) {
  const int c = target.coordinate;
  if (c >= model.nv()) return add_length_warnings(model, target, duration, all);
  const JointLimits& limits = limits_of(model, c);
  double worst_position = 0.0, worst_rate = 0.0;
  std::optional<std::string> position, rest, rate;
  for (const double t : times_of(*target.trajectory, duration)) {
    const TrajectoryPoint wanted = target.trajectory->at(t);
    const auto beyond = broken_by_position(limits, wanted.position);
    if (beyond && is_worse(beyond->excess, worst_position)) {
      worst_position = beyond->excess;
      position = position_warning(model, c, wanted.position, Occasion::target, t);
    }
    const auto too_fast = broken_by_rate(limits, wanted.velocity);
    if (too_fast && is_worse(too_fast->excess, worst_rate)) {
      worst_rate = too_fast->excess;
      rate = rate_warning(model, c, wanted.velocity, Occasion::target, t);
    }
    if (!rest && !beyond && wanted.velocity == 0.0)
      rest = position_warning(model, c, wanted.position, Occasion::target, t);
  }
  for (const auto& warning : {position, position ? std::nullopt : rest, rate})
    if (warning) all.push_back(*warning);
}

// Every limit that the motion passed: by how much at most, and when. What is beyond it at the start was said of the start.
void add_motion_warnings(const Model& model, const RunPeaks& peaks, Warnings& all) {
  const auto add = [&](const std::optional<std::string>& warning) {
    if (warning) all.push_back(*warning);
  };
  for (const int c : joint_coordinates_named(model, "all")) {
    const auto i = static_cast<std::size_t>(c);
    for (const Peak* place : {&peaks.lowest[i], &peaks.highest[i]})
      if (place->time > 0.0) add(position_warning(model, c, place->value, Occasion::motion, place->time));
    if (peaks.rate[i].time > 0.0)
      add(rate_warning(model, c, peaks.rate[i].value, Occasion::motion, peaks.rate[i].time));
    add(effort_warning(model, c, peaks.asked[i].value, Occasion::motion, peaks.asked[i].time));
  }
  for (std::size_t k = 0; k < model.cylinders().size(); ++k) {
    const Cylinder& cylinder = model.cylinders()[k];
    const std::size_t i = static_cast<std::size_t>(model.nv()) + k;
    for (const Peak* place : {&peaks.lowest[i], &peaks.highest[i]})
      if (place->time > 0.0) add(length_warning(cylinder, place->value, Occasion::motion, place->time));
    add(force_warning(cylinder, peaks.asked[i].value, Occasion::motion, peaks.asked[i].time));
  }
}

bool is_angle(const Model& model, int coordinate) {
  for (const Link& link : model.links())
    if (coordinate >= link.joint.v_index && coordinate < link.joint.v_index + link.joint.nv)
      return link.joint.turns(coordinate - link.joint.v_index);
  return false;
}

// The first jump of each joint: few people want a table that begins or ends in motion.
void add_jump_warnings(const Scenario& scenario, Warnings& all) {
  std::vector<int> said;
  for (const RateJump& jump : rate_jumps(scenario)) {
    if (std::find(said.begin(), said.end(), jump.coordinate) != said.end()) continue;
    said.push_back(jump.coordinate);
    const auto c = static_cast<std::size_t>(jump.coordinate);
    all.push_back(
        fmt::format("the rate of prescribed `{}` jumps by {:.4g} {}/s at t = {:.6g} s, where its trajectory "
                    "begins or ends "
                    "in motion: the motor gives an impulse there",
                    scenario.model.coordinates()[c], jump.size,
                    is_angle(scenario.model, jump.coordinate) ? "rad" : "m", jump.t));
  }
}

// A controller whose own motion is faster than this [1/s] is as a rule one in other units, and costs steps.
constexpr double fastest_gain = 1e4;

void add_gain_warnings(const Scenario& scenario, Warnings& all) {
  const Model& model = scenario.model;
  const int n = model.nv();
  if (n == 0 || scenario.controllers.empty()) return;
  const Eigen::Index all_driven = n + static_cast<Eigen::Index>(model.cylinders().size());
  Eigen::MatrixXd M(n, n), stiffness = Eigen::MatrixXd::Zero(all_driven, all_driven), damping = stiffness;
  Workspace<double> work(model);
  mass_matrix(model, work, scenario.q, M);
  for (const auto& controller : scenario.controllers) {
    const Eigen::VectorXd nothing = Eigen::VectorXd::Zero(controller->memory_size());
    controller->add_gains({0.0, 0.0, scenario.q, scenario.v, {nothing.data(), nothing.size()}}, stiffness,
                          damping);
  }
  for (const int c : joint_coordinates_named(model, "all")) {
    const double frequency = std::sqrt(std::abs(stiffness(c, c)) / M(c, c)), rate = damping(c, c) / M(c, c);
    const std::string& name = model.coordinates()[static_cast<std::size_t>(c)];
    if (frequency > fastest_gain)
      all.push_back(fmt::format(
          "`{}`: a stiffness of {:.3g} (kp) on an inertia of {:.3g} swings with {:.2g} Hz, which no motor "
          "does and which takes very short steps: is the gain in N m/rad (N/m)?",
          name, stiffness(c, c), M(c, c), frequency / (2.0 * std::numbers::pi)));
    else if (rate > fastest_gain)
      all.push_back(fmt::format(
          "`{}`: a damping of {:.3g} (kd) on an inertia of {:.3g} acts within {:.2g} s, which no motor does "
          "and which takes very short steps: is the gain in N m s/rad (N s/m)?",
          name, damping(c, c), M(c, c), 1.0 / rate));
  }
}

}  // namespace

std::vector<std::string> scenario_warnings(const Scenario& scenario) {
  Warnings all = state_warnings(scenario.model, scenario.q, scenario.v, Occasion::start);
  append(all, cylinder_warnings(scenario.model, scenario.q, {}, Occasion::start));
  append(all, scenario.doubts);
  for (const JointTarget& target : all_targets(scenario))
    add_target_warnings(scenario.model, target, scenario.duration, all);
  add_jump_warnings(scenario, all);
  add_gain_warnings(scenario, all);
  return all;
}

std::string ledger_warning(const Checkpoint& reached, const std::string& integrator) {
  return fmt::format(
      "the energy ledger is off by {:.2g} J of {:.3g} J: {}", reached.largest_error, reached.energy_size,
      integrator == integrators::Euler::type
          ? "forward Euler makes energy; take auto"
          : "the method damps or excites fast modes; take a smaller rtol or step, or another method");
}

std::vector<std::string> run_warnings(const Scenario& scenario, const Checkpoint& reached,
                                      const std::vector<std::string>& doubts) {
  Warnings all = scenario_warnings(scenario);
  if (reached.rows > 0) {
    add_motion_warnings(scenario.model, reached.peaks, all);
    append(all, range_warnings(scenario, reached.peaks));
  }
  append(all, reached.notes);
  append(all, doubts);
  if (ledger_is_off(reached)) all.push_back(ledger_warning(reached, type_name(scenario.integrator.method)));
  return all;
}

}  // namespace limber
