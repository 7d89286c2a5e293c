// SPDX-License-Identifier: BSD-3-Clause
#include "limber/simulation/scenario.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "cartesian_path.hpp"
#include "controllers.hpp"
#include "limber/algorithms/constraints.hpp"
#include "limber/algorithms/measurement.hpp"
#include "limber/algorithms/struts.hpp"
#include "limber/analysis/equilibrium.hpp"
#include "limber/analysis/modes.hpp"
#include "limber/core/computation_error.hpp"
#include "limber/core/input_error.hpp"
#include "limber/formulations/formulation.hpp"
#include "limber/model/coordinates.hpp"
#include "limber/model/hydraulics.hpp"
#include "limber/model/inner_loads.hpp"
#include "limber/model/lookup.hpp"
#include "limber/scenario/check.hpp"
#include "limber/simulation/integrator.hpp"

namespace limber {
namespace {

using Eigen::VectorXd;

class Builder {
 public:
  Builder(const ScenarioDescription& description, const Model& model)
      : description_(description), scenario_(model), position_(positions_of_coordinates(model)) {
    // Cylinders come after the joints (controller.hpp).
    for (std::size_t i = 0; i < model.cylinders().size(); ++i)
      position_.push_back(model.nq() + static_cast<int>(i));
  }

  Scenario build() {
    scenario_.formulation = description_.formulation;
    set_formulation_options();
    scenario_.integrator = description_.integrator;
    scenario_.duration = description_.duration;
    scenario_.singular = description_.singular;
    scenario_.output = description_.output;
    scenario_.sensors = description_.sensors;
    set_start();
    for (const LoadDescription& load : description_.loads) add_load(load);
    add_prescribed();
    close_loops();
    check_cylinders();
    if (description_.initial.settle) settle();
    scenario_.pressures = start_pressures(scenario_.model, scenario_.q, loads_at_start(), held());
    make_controllers();
    if (description_.stop_when) add_stop(*description_.stop_when);
    doubt_driven_springs();
    doubt_swinging_tables();
    return std::move(scenario_);
  }

 private:
  void set_formulation_options() {
    FormulationOptions& options = scenario_.formulation_options;
    options.consistent = description_.consistent;
    options.definite = description_.definite;
    options.generated = description_.generated;
    options.body_frame = description_.body_frame;
    for (const std::string& name : description_.nonlinear)
      for (const int i : elastic_coordinates_named(scenario_.model, name))
        options.nonlinear_coordinates.push_back(i);
  }

  // Shapers take the arm's frequencies where it starts, and ways in space begin there, so trajectories are made when they are asked for. `position`: of
  // the joint that follows it, in q.
  TrajectoryPointer trajectory(const std::string& name, int position) {
    const std::pair<std::string, int> key{name, is_way(name) ? position : no_joint};
    if (const auto known = trajectories_.find(key); known != trajectories_.end()) return known->second;
    for (const auto& [other, entry] : description_.trajectories) {
      if (other != name) continue;
      if (const auto* way = std::get_if<trajectories::Cartesian>(&entry))
        return trajectories_[key] = position_along(*way, way_named(name, *way), position);
      TrajectoryDescription complete = entry;
      if (auto* shaped = std::get_if<trajectories::Shaped>(&complete);
          shaped && shaped->frequencies_hz.empty())
        shaped->frequencies_hz = own_frequencies(shaped->modes);
      TrajectoryPointer complete_with_parts =
          make_trajectory(complete, [&](const std::string& part) { return trajectory(part, position); });
      return trajectories_[key] = std::move(complete_with_parts);
    }
    throw InputError(limber::Problem{"trajectories", "the trajectory `" + name + "`", "none", ""});
  }

  bool is_way(const std::string& name) const {
    for (const auto& [other, entry] : description_.trajectories) {
      if (other != name) continue;
      const std::vector<std::string> parts = parts_of(entry);
      return std::holds_alternative<trajectories::Cartesian>(entry) ||
             std::any_of(parts.begin(), parts.end(),
                         [this](const std::string& part) { return is_way(part); });
    }
    return false;
  }

  // Found once for all joints.
  const Eigen::MatrixXd& way_named(const std::string& name, const trajectories::Cartesian& way) {
    if (const auto known = ways_.find(name); known != ways_.end()) return known->second;
    try {
      return ways_[name] = positions_along(way, scenario_.model, scenario_.q, loads_at_start(), held());
    } catch (const ComputationError& failed) {
      throw ComputationError(fmt::format("trajectory `{}`: {}", name, failed.what()));
    }
  }

  std::vector<double> own_frequencies(int count) {
    uses_own_frequencies_ = true;
    const NaturalModes modes =
        natural_modes(scenario_.model, scenario_.q, JointTreatment::held, count, {}, held());
    std::vector<double> frequencies;
    for (int i = 0; i < count; ++i) {
      const double omega = modes.angular_frequencies[i];
      if (!(omega > 0.0))
        throw InputError(limber::Problem{"trajectories", "positive frequencies for the input shaper",
                                         "an unstable mode where the arm starts", "give `frequencies_hz`"});
      frequencies.push_back(omega / (2.0 * std::numbers::pi));
    }
    return frequencies;
  }

  TrajectoryPointer follow(const TargetDescription& target, int position = no_joint) {
    return target.trajectory ? trajectory(*target.trajectory, position) : constant_trajectory(*target.value);
  }

  void set_start() {
    scenario_.q = neutral_configuration(scenario_.model);
    scenario_.v = VectorXd::Zero(scenario_.model.nv());
    const std::vector<std::string> names = position_names(scenario_.model);
    const auto index = [](const std::vector<std::string>& list, const std::string& name) {
      return static_cast<Eigen::Index>(std::find(list.begin(), list.end(), name) - list.begin());
    };
    for (const auto& [name, value] : description_.initial.q) scenario_.q[index(names, name)] = value;
    for (const auto& [name, value] : description_.initial.v)
      scenario_.v[index(scenario_.model.coordinates(), name)] = value;
    constexpr double degree = std::numbers::pi / 180.0;
    for (const auto& [name, value] : description_.initial.q_deg)
      scenario_.q[index(names, name)] = value * degree;
    for (const auto& [name, value] : description_.initial.v_deg)
      scenario_.v[index(scenario_.model.coordinates(), name)] = value * degree;
    std::vector<std::string> given;
    for (const auto* block : {&description_.initial.q, &description_.initial.q_deg})
      for (const auto& [name, value] : *block) given.push_back(name);
    complete_gears(scenario_.model, given, scenario_.q);
    given.clear();
    for (const auto* block : {&description_.initial.v, &description_.initial.v_deg})
      for (const auto& [name, value] : *block) given.push_back(name);
    complete_gears(scenario_.model, given, scenario_.v);
  }

  // Joints that the file puts somewhere stay there if loops can be closed so, prescribed ones before all others.
  void close_loops() {
    Model& model = scenario_.model;
    if (model.loops().empty()) return;
    if (scenario_.formulation == FormulationKind::dual_screw ||
        scenario_.formulation == FormulationKind::generated)
      throw InputError(Problem{"formulation", "recursive, dense or dae for an arm with closed loops",
                               std::string("`") + name_of(scenario_.formulation) + "`",
                               "it has no equations for them"});
    require_one_step(model, scenario_.integrator.method);
    const std::vector<std::string> names = position_names(model);
    std::vector<int> kept;
    for (const auto* block : {&description_.initial.q, &description_.initial.q_deg})
      for (const auto& [name, value] : *block)
        for (int c = 0; c < model.nv(); ++c) {
          const int position = position_[static_cast<std::size_t>(c)];
          if (position >= 0 && names[static_cast<std::size_t>(position)] == name) kept.push_back(c);
        }
    std::vector<int> told;
    for (const JointTarget& target : scenario_.prescribed) {
      scenario_.q[target.position] = target.trajectory->at(0.0).position;
      told.push_back(target.coordinate);
    }
    kept.insert(kept.end(), told.begin(), told.end());
    const VectorXd given = scenario_.q;
    const auto has_moved = [&](const JointTarget& target) {
      constexpr double nobody_sees = 1e-9;  // [rad or m]
      return std::abs(scenario_.q[target.position] - given[target.position]) > nobody_sees;
    };
    scenario_.q = within_path("model", [&] { return assemble(model, given, kept); });
    if (std::any_of(scenario_.prescribed.begin(), scenario_.prescribed.end(), has_moved))
      scenario_.q = within_path("model", [&] { return assemble(model, given, told); });
    for (const JointTarget& target : scenario_.prescribed)
      if (has_moved(target))
        throw InputError(Problem{"actuation", "prescribed joints that start where loops can be closed",
                                 "`" + model.coordinates()[static_cast<std::size_t>(target.coordinate)] +
                                     "`, which would have to start elsewhere",
                                 "the target at t = 0 is where it starts"});
    LoopSolver solver(model);
    solver.close(scenario_.q, scenario_.v);
  }

  void check_cylinders() {
    const Model& model = scenario_.model;
    if (model.cylinders().empty()) return;
    if (scenario_.formulation == FormulationKind::dual_screw ||
        scenario_.formulation == FormulationKind::generated)
      throw InputError(Problem{"formulation", "recursive, dense or dae for an arm with cylinders",
                               std::string("`") + name_of(scenario_.formulation) + "`",
                               "it does not know what they do"});
    if (std::holds_alternative<integrators::Rkmk4>(scenario_.integrator.method))
      throw InputError(
          Problem{"integrator.method", "another method for an arm with cylinders", "`rkmk4`",
                  "it solves the equations of free bodies itself, and has no struts between them"});
    within_path("model", [&] {
      require_cylinder_lengths(model, scenario_.q);
      return 0;
    });
  }

  void add_load(const LoadDescription& load) {
    Model& model = scenario_.model;
    const TrajectoryPointer factor = load.factor ? follow(*load.factor) : nullptr;
    Load given{0, 0, load.frame, load.force, load.moment, load.offset};
    if (set_inner_kind(load.thermal_curvature, load.pretension, load.straight, given)) {
      for (const Load& one : inner_loads(model, load.link, given))
        scenario_.loads.push_back({one, load.from, load.to, factor});
      return;
    }
    const LinkPlace place = place_on(model, load.link, load.at, load.interface);
    model = with_node(model, place);
    scenario_.loads.push_back({load_on(model, place, given), load.from, load.to, factor});
  }

  /// Coordinates that are driven this way.
  template <typename Kind>
  std::vector<Driven<Kind>> driven_by() const {
    std::vector<Driven<Kind>> driven;
    for (std::size_t i = 0; i < description_.actuation.size(); ++i)
      if (const auto* how = std::get_if<Kind>(&description_.actuation[i].kind))
        for (const int c : actuated_coordinates(scenario_.model, description_.actuation[i].joint))
          driven.push_back({*how, c, position_[static_cast<std::size_t>(c)], i});
    return driven;
  }

  void add_prescribed() {
    for (const auto& joint : driven_by<actuations::Prescribed>()) {
      scenario_.prescribed.push_back(
          {joint.coordinate, joint.position, follow(joint.how.target, joint.position)});
      const TrajectoryPoint start = scenario_.prescribed.back().trajectory->at(0.0);
      scenario_.q[joint.position] = start.position;
      scenario_.v[joint.coordinate] = start.velocity;
    }
  }

  std::vector<Load> loads_at_start() const {
    std::vector<Load> loads;
    for (const TimedLoad& load : scenario_.loads) {
      constexpr double right_after_the_start = 1e-12;  // [s]: of steps there, the upper one
      if (!load.is_active(right_after_the_start)) continue;
      loads.push_back(load.wrench);
      const double factor = load.factor ? load.factor->at(0.0).position : 1.0;
      loads.back().force *= factor;
      loads.back().moment *= factor;
    }
    return loads;
  }

  void settle() {
    scenario_.q =
        static_equilibrium(scenario_.model, scenario_.q, loads_at_start(), StaticModel::exact, {}, held()).q;
  }

  // What the sensor looks at is a function of positions and velocities (check()).
  void add_stop(const StopDescription& stop) {
    const auto is_it = [&](const SensorDescription& sensor) { return sensor.name == stop.sensor; };
    const auto sensor = std::find_if(scenario_.sensors.begin(), scenario_.sensors.end(), is_it);
    const double limit = stop.below ? *stop.below : *stop.above, sign = stop.below ? 1.0 : -1.0;
    // Shared: what a std::function holds can be copied.
    const auto measurement = std::make_shared<Measurement>(scenario_.model, std::vector{*sensor});
    const VectorXd none = VectorXd::Zero(scenario_.model.nv());
    scenario_.watches.push_back(
        {fmt::format("{} {} {:g}", stop.sensor, stop.below ? "below" : "above", limit),
         [measurement, none, limit, sign, value = VectorXd(1)](const Instant& now) mutable {
           measurement->evaluate(now.q, now.v, none, none, {}, value);
           return sign * (value[0] - limit);
         },
         true});
  }

  // A joint that is moved along a trajectory is held by that, whatever its spring.
  JointNames held() const {
    JointNames names = description_.initial.hold;
    for (const ActuationDescription& actuation : description_.actuation)
      if (std::holds_alternative<actuations::Prescribed>(actuation.kind))
        for (const int c : actuated_coordinates(scenario_.model, actuation.joint))
          names.push_back(scenario_.model.coordinates()[static_cast<std::size_t>(c)]);
    return names;
  }

  // Statics knows of no controller: a joint with a spring and a controller is settled on its spring alone, and shapers take the frequency at
  // which it swings there.
  void doubt_driven_springs() {
    const bool settles = description_.initial.settle;
    if (!settles && !uses_own_frequencies_) return;
    const std::vector<int> passive = passive_coordinates(scenario_.model, held());
    for (const JointTarget& target : joint_targets(scenario_)) {
      if (std::find(passive.begin(), passive.end(), target.coordinate) == passive.end()) continue;
      const std::string& name = scenario_.model.coordinates()[static_cast<std::size_t>(target.coordinate)];
      const double start = scenario_.q[target.position], wanted = target.trajectory->at(0.0).position;
      constexpr double nobody_sees = 1e-6;  // [rad or m]
      if (settles && std::abs(start - wanted) > nobody_sees)
        scenario_.doubts.push_back(
            fmt::format("`{}` has a spring and a controller, and `settle` knows of the spring alone: it "
                        "starts at {:.6g}, "
                        "its target at {:.6g}. Name it in `hold` of `initial` for it to start where `q` says",
                        name, start, wanted));
      if (uses_own_frequencies_)
        scenario_.doubts.push_back(
            fmt::format("`{}` has a spring and a controller, and the input shaper's frequencies are those of "
                        "the spring alone. "
                        "Name it in `hold` of `initial` if its controller holds it, or give `frequencies_hz`",
                        name));
    }
  }

  // A spline is C2 at any price: between points of which some are close and others far apart it may swing far beyond them.
  void doubt_swinging_tables() {
    constexpr double far_beyond = 1.0;  // the table's own range
    for (const auto& [name, kind] : description_.trajectories) {
      const auto* const table = std::get_if<trajectories::Table>(&kind);
      const auto made = trajectories_.find({name, no_joint});
      if (table == nullptr || made == trajectories_.end()) continue;
      const auto [low, high] = std::minmax_element(table->values.begin(), table->values.end());
      double worst = 0.0, value = 0.0, time = 0.0;
      for (std::size_t i = 1; i < table->times.size(); ++i) {
        const double halfway = 0.5 * (table->times[i - 1] + table->times[i]);
        const double y = made->second->at(halfway).position, beyond = std::max(*low - y, y - *high);
        if (beyond > worst) {
          worst = beyond;
          value = y;
          time = halfway;
        }
      }
      if (worst > far_beyond * (*high - *low))
        scenario_.doubts.push_back(
            fmt::format("trajectory `{}` comes to {:.4g} at t = {:.6g} s, between points from {:.4g} to "
                        "{:.4g}: a table is a cubic "
                        "spline, which swings where points are far apart beside others. Add points there, or "
                        "write the jumps as `steps`",
                        name, value, time, *low, *high));
    }
  }

  bool is_prescribed(int coordinate) const {
    return std::any_of(scenario_.prescribed.begin(), scenario_.prescribed.end(),
                       [&](const JointTarget& p) { return p.coordinate == coordinate; });
  }

  void make_controllers() {
    ControllerSite site{
        scenario_.model,
        scenario_.q,
        scenario_.v,
        scenario_.duration,
        scenario_.prescribed,
        scenario_.sensors,
        [this](const TargetDescription& target, int position) { return follow(target, position); },
        [this](const std::vector<JointTarget>& driven) { return other_targets(driven); },
        scenario_.controllers,
        scenario_.doubts};
    const ActuationKind* const kinds = nullptr;
    for_each_alternative(kinds, [&]<typename Kind>(const Kind&) {
      std::vector<Driven<Kind>> driven = driven_by<Kind>();
      std::erase_if(driven, [&](const Driven<Kind>& joint) { return is_prescribed(joint.coordinate); });
      if (!driven.empty()) Kind::add_controllers(site, driven);
    });
  }

  // What the joints are meant to do that the rigid twin does not drive: their own target, or to stay.
  std::vector<JointTarget> other_targets(const std::vector<JointTarget>& driven) {
    std::vector<JointTarget> others;
    for (const int c : actuated_coordinates(scenario_.model, {"all"})) {
      const int position = position_[static_cast<std::size_t>(c)];
      const auto is_c = [&](const JointTarget& t) { return t.coordinate == c; };
      if (position < 0 || std::any_of(driven.begin(), driven.end(), is_c)) continue;
      TrajectoryPointer wanted = constant_trajectory(scenario_.q[position]);
      for (const ActuationDescription& a : description_.actuation) {
        const std::vector<int> of = actuated_coordinates(scenario_.model, a.joint);
        if (a.target() && std::find(of.begin(), of.end(), c) != of.end())
          wanted = follow(*a.target(), position);
      }
      others.push_back({c, position, wanted});
    }
    return others;
  }

  const ScenarioDescription& description_;
  Scenario scenario_;
  std::vector<int> position_;
  bool uses_own_frequencies_ = false;  ///< some shaper does
  static constexpr int no_joint = -1;
  std::map<std::pair<std::string, int>, TrajectoryPointer> trajectories_;  ///< by name, and joint of ways
  std::map<std::string, Eigen::MatrixXd> ways_;  ///< in space, as positions of the arm
};

}  // namespace

Eigen::VectorXd start_pressures(const Model& model, const Input<double>& q, const std::vector<Load>& loads,
                                const JointNames& hold) {
  std::vector<double> pressures;
  VectorXd drives;
  for (std::size_t i = 0; i < model.cylinders().size(); ++i) {
    const auto& oil = model.cylinders()[i].hydraulics;
    if (!oil) continue;
    if (!oil->pressures && !model.loops().empty())
      throw InputError(
          Problem{fmt::format("cylinders[{}].hydraulics", i), "the key `pressures`", "none",
                  "statics of an arm with closed loops does not find the pressures that hold it"});
    if (!oil->pressures && drives.size() == 0)
      drives = static_equilibrium(model, q, loads, StaticModel::exact, {}, hold).drives;
    const ChamberPressures p = oil->pressures ? ChamberPressures{(*oil->pressures)[0], (*oil->pressures)[1]}
                                              : holding_pressures(*oil, drives[static_cast<Eigen::Index>(i)]);
    pressures.insert(pressures.end(), {p.a, p.b});
  }
  return VectorXd::Map(pressures.data(), static_cast<Eigen::Index>(pressures.size()));
}

int memory_size(const Scenario& scenario) {
  int size = 0;
  for (const auto& controller : scenario.controllers)
    if (!(controller->rate() > 0.0)) size += controller->memory_size();
  for (const Cylinder& cylinder : scenario.model.cylinders())
    if (cylinder.hydraulics) size += 2;
  return size;
}

int sample_count(const Scenario& scenario) {
  int size = 0;
  for (const auto& controller : scenario.controllers)
    if (controller->rate() > 0.0)
      size += controller->memory_size() + scenario.model.nv() +
              static_cast<int>(scenario.model.cylinders().size());
  return size;
}

std::vector<JointTarget> joint_targets(const Scenario& scenario) {
  std::vector<JointTarget> all = scenario.prescribed;
  for (const auto& controller : scenario.controllers)
    for (const JointTarget& target : controller->targets()) {
      if (target.coordinate >= scenario.model.nv()) continue;  // a cylinder's
      const bool is_known = std::any_of(all.begin(), all.end(), [&](const JointTarget& other) {
        return other.coordinate == target.coordinate;
      });
      if (!is_known) all.push_back(target);
    }
  std::sort(all.begin(), all.end(),
            [](const JointTarget& a, const JointTarget& b) { return a.coordinate < b.coordinate; });
  return all;
}

Scenario build_scenario(const ScenarioDescription& description, const Model& model) {
  auto problems = check(description, model);
  if (description.observer)
    problems.push_back(
        {"observer", "controllers that see the state itself", "an observer",
         "runs, sweeps and fits know it (build_observed_scenario); leave it out here, and give "
         "`--observer RATE` to `limber simulate` where it is wanted"});
  if (!problems.empty()) throw InputError(std::move(problems));
  return Builder(description, model).build();
}

}  // namespace limber
