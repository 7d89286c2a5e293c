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
bool is_worse(double excess, double worst) { return excess > worst * (1.0 + 1e-9); }

// The farthest place beyond a limit, and the first one at which a target rests more than a turn away: a target that keeps
// turning is no number that somebody wrote.
void add_target_warnings(const Model& model, const JointTarget& target, double duration, Warnings& all) {
  const int c = target.coordinate;
  const JointLimits& limits = limits_of(model, c);
  double worst_position = 0.0, worst_rate = 0.0;
  std::optional<std::string> position, rest, rate;
  for (const double t : times_of(*target.trajectory, duration)) {
    const Motion wanted = target.trajectory->at(t);
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

// A controller whose own motion is faster than this [1/s] is as a rule one in other units, and costs steps.
constexpr double fastest_gain = 1e4;

void add_gain_warnings(const Scenario& scenario, Warnings& all) {
  const Model& model = scenario.model;
  const int n = model.nv();
  if (n == 0 || scenario.controllers.empty()) return;
  Eigen::MatrixXd M(n, n), stiffness = Eigen::MatrixXd::Zero(n, n), damping = stiffness;
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
  for (const JointTarget& target : all_targets(scenario))
    add_target_warnings(scenario.model, target, scenario.duration, all);
  add_gain_warnings(scenario, all);
  return all;
}

LimitWatch::LimitWatch(Scenario& scenario, ResultSink* next) : scenario_(scenario), next_(next) {
  const std::vector<int> position = positions_of_coordinates(scenario.model);
  for (const Link& link : scenario.model.links()) {
    const JointLimits& limits = link.joint.limits;
    if (!limits.lower && !limits.upper && !limits.velocity && !limits.effort) continue;
    for (int j = 0; j < link.joint.nv; ++j) {
      const int c = link.joint.v_index + j;
      watched_.push_back({&limits, c, position[static_cast<std::size_t>(c)], {}, {}, {}, {}});
    }
  }
}

void LimitWatch::begin(const MethodChoice& choice) {
  if (next_) next_->begin(choice);
}

void LimitWatch::add(const Sample& sample) {
  note(sample.t, sample.q, sample.v, sample.efforts, sample.asked);
  if (next_) next_->add(sample);
}

void LimitWatch::step(const Checkpoint& checkpoint) {
  if (next_) next_->step(checkpoint);
}

void LimitWatch::note_stored(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                             const Eigen::VectorXd& efforts) {
  Eigen::VectorXd asked = Eigen::VectorXd::Zero(efforts.size());
  const Instant now{t, std::nextafter(t, std::numeric_limits<double>::infinity()), q, v};
  for (const auto& controller : scenario_.controllers)
    if (controller->memory_size() == 0) controller->add_efforts(now, asked);
  note(t, q, v, efforts, asked);
}

void LimitWatch::note(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                      const Eigen::VectorXd& efforts, const Eigen::VectorXd& asked) {
  const auto note_worst = [&](Worst& worst, double value, const std::optional<BrokenLimit>& broken) {
    if (broken && is_worse(broken->excess, worst.excess)) worst = {value, broken->excess, t};
  };
  for (Watched& joint : watched_) {
    const JointLimits& limits = *joint.limits;
    const double position = q[joint.position], rate = v[joint.coordinate], effort = efforts[joint.coordinate];
    const auto beyond = broken_by_position(limits, position);
    note_worst(beyond && position > beyond->limit ? joint.high : joint.low, position, beyond);
    note_worst(joint.rate, rate, broken_by_rate(limits, rate));
    // A motor in its limit does not show what it was asked for. What moves a prescribed joint has no limit.
    double wanted = effort;
    if (limits.effort && std::abs(effort) >= *limits.effort * (1.0 - tolerated_excess) &&
        std::abs(asked[joint.coordinate]) > std::abs(effort))
      wanted = asked[joint.coordinate];
    note_worst(joint.effort, wanted, broken_by_effort(limits, wanted));
  }
}

std::vector<std::string> LimitWatch::warnings() const {
  const Model& model = scenario_.model;
  Warnings all;
  const auto moved = [](const Worst& worst) {
    return worst.excess > 0.0 && worst.time > 0.0;
  };  // else: the start
  for (const Watched& joint : watched_) {
    const int c = joint.coordinate;
    for (const Worst* worst : {&joint.low, &joint.high})
      if (moved(*worst))
        all.push_back(*position_warning(model, c, worst->value, Occasion::motion, worst->time));
    if (moved(joint.rate))
      all.push_back(*rate_warning(model, c, joint.rate.value, Occasion::motion, joint.rate.time));
    if (joint.effort.excess > 0.0)
      all.push_back(*effort_warning(model, c, joint.effort.value, Occasion::motion, joint.effort.time));
  }
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
                                      const LimitWatch& watch, const std::vector<std::string>& doubts) {
  Warnings all = scenario_warnings(scenario);
  append(all, watch.warnings());
  if (reached.rows > 0) append(all, range_warnings(scenario, reached.peaks));
  append(all, doubts);
  if (ledger_is_off(reached)) all.push_back(ledger_warning(reached, type_name(scenario.integrator.method)));
  return all;
}

}  // namespace limber
