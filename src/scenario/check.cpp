// SPDX-License-Identifier: BSD-3-Clause
#include "limber/scenario/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "check_initial.hpp"
#include "limber/model/field_checker.hpp"
#include "limber/model/inner_loads.hpp"
#include "limber/model/lookup.hpp"
#include "limber/model/loops.hpp"
#include "limber/scenario/description_fields.hpp"
#include "limber/scenario/feedback.hpp"

namespace limber {
namespace {

const Joint& joint_of(const Model& model, int coordinate) {
  for (const Link& link : model.links())
    if (coordinate >= link.joint.v_index && coordinate < link.joint.v_index + link.joint.nv)
      return link.joint;
  return model.links().front().joint;
}

bool is_prescribed(const ActuationDescription& actuation) {
  return std::holds_alternative<actuations::Prescribed>(actuation.kind);
}

// A cylinder is the coordinate behind those of v, by its number (simulation/controller.hpp).
std::vector<int> actuated_by_name(const Model& model, const std::string& name) {
  const int cylinder = find_cylinder(model, name);
  return cylinder < 0 ? driven_coordinates_named(model, name) : std::vector{model.nv() + cylinder};
}

/// The rules of one scenario.
class Rules {
 public:
  Rules(const ScenarioDescription& scenario, const Model& model) : scenario_(scenario), model_(model) {}

  Problems all() {
    check_initial(scenario_, model_, problems_);
    for (const auto& [name, trajectory] : scenario_.trajectories) check_trajectory(name, trajectory);
    check_loops();
    for (std::size_t i = 0; i < scenario_.actuation.size(); ++i)
      check_actuation(scenario_.actuation[i], indexed("actuation", i));
    check_prescribed();
    for (std::size_t i = 0; i < scenario_.loads.size(); ++i)
      check_load(scenario_.loads[i], indexed("loads", i));
    for (Problem& problem : check_sensors(scenario_.sensors, model_)) problems_.push_back(std::move(problem));
    if (scenario_.observer) check_observer(*scenario_.observer);
    if (scenario_.stop_when) check_stop(*scenario_.stop_when);
    check_sample_counts();
    check_integrator();
    check_output();
    return std::move(problems_);
  }

 private:
  void add(std::string path, std::string expected, std::string found, std::string hint = "") {
    problems_.push_back({std::move(path), std::move(expected), std::move(found), std::move(hint)});
  }

  // ---- trajectories ----

  void check_trajectory(const std::string& name, const TrajectoryDescription& t) {
    const std::string path = join_path("trajectories", name);
    const std::vector<std::string> parts = parts_of(t);
    for (std::size_t i = 0; i < parts.size(); ++i)
      check_trajectory_name(parts[i],
                            parts.size() == 1 ? join_path(path, "of") : indexed(join_path(path, "of"), i));
    std::visit([&](const auto& held) { check_kind(path, held); }, t);
  }

  template <typename Kind>
  void check_kind(const std::string&, const Kind&) {}

  void check_kind(const std::string& path, const trajectories::Shaped& t) {
    if (!t.frequencies_hz.empty() || swinging_count() >= t.modes) return;
    add(path,
        fmt::format("an arm with at least {} coordinate{} that swing{} while its joints are held", t.modes,
                    t.modes == 1 ? "" : "s", t.modes == 1 ? "s" : ""),
        fmt::format("{}", swinging_count()), "give `frequencies_hz`, or fewer `modes`");
  }

  // What moves while joints are held: elastic coordinates, and joints on their springs.
  int swinging_count() const {
    int count = static_cast<int>(passive_coordinates(model_, scenario_.initial.hold).size());
    for (const Link& link : model_.links()) count += link.elastic_count;
    return count;
  }

  void check_kind(const std::string& path, const trajectories::Steps& t) {
    if (t.points.empty()) add(join_path(path, "points"), "at least one [time, value]", "none");
    for (std::size_t i = 1; i < t.points.size(); ++i)
      if (!(t.points[i][0] > t.points[i - 1][0]))
        add(indexed(join_path(path, "points"), i),
            fmt::format("a time > {}, that of the point before", show_number(t.points[i - 1][0])),
            show_number(t.points[i][0]));
  }

  void check_kind(const std::string& path, const trajectories::Table& t) {
    if (t.times.empty() && t.values.empty()) {
      if (!t.file) add(path, "the keys `times` and `values`, or `file`", "none", "a table needs them");
      return;
    }
    if (t.times.size() != t.values.size())
      add(join_path(path, "values"), fmt::format("{} numbers, as many as `times`", t.times.size()),
          fmt::format("{}", t.values.size()));
    if (t.times.size() < 2)
      add(join_path(path, "times"), "at least two times", fmt::format("{}", t.times.size()));
    for (std::size_t i = 1; i < t.times.size(); ++i)
      if (!(t.times[i] > t.times[i - 1]))
        add(indexed(join_path(path, "times"), i),
            fmt::format("a time > {}, the one before", show_number(t.times[i - 1])), show_number(t.times[i]));
  }

  void check_kind(const std::string& path, const trajectories::Cartesian& t) {
    if (t.file && (t.to || t.from || t.duration)) {
      add(join_path(path, "file"), "`file`, or a line with `to` and `duration`", "both",
          "remove one of them");
    } else if (!t.file && !(t.to && t.duration)) {
      add(path, "the keys `to` and `duration`, or `file`", t.to || t.duration ? "one of the two" : "none",
          "a way needs them");
    } else if (t.file) {
      const auto count = static_cast<std::size_t>(t.places.cols());
      if (t.times.size() != count || count < 2)
        return add(join_path(path, "file"), "at least two rows, with a column t",
                   fmt::format("{} rows, {} times", count, t.times.size()));
      for (std::size_t i = 1; i < count; ++i)
        if (!(t.times[i] > t.times[i - 1]))
          return add(join_path(path, "file"),
                     fmt::format("a time > {} in row {}", show_number(t.times[i - 1]), i + 1),
                     show_number(t.times[i]));
    }
  }

  // Whether it has a number for each joint, not one.
  bool is_way(const std::string& name) const {
    const TrajectoryDescription* t = has_loops_ ? nullptr : find_trajectory(name);
    if (!t) return false;
    if (std::holds_alternative<trajectories::Cartesian>(*t)) return true;
    const std::vector<std::string> parts = parts_of(*t);
    return std::any_of(parts.begin(), parts.end(), [&](const std::string& part) { return is_way(part); });
  }

  const TrajectoryDescription* find_trajectory(const std::string& name) const {
    for (const auto& [other, trajectory] : scenario_.trajectories)
      if (other == name) return &trajectory;
    return nullptr;
  }

  bool check_trajectory_name(const std::string& name, const std::string& path) {
    if (find_trajectory(name)) return true;
    std::vector<std::string> known;
    for (const auto& [other, trajectory] : scenario_.trajectories) known.push_back(other);
    add(path, "the name of a trajectory", show_text(name),
        known.empty() ? "there are no `trajectories` in this scenario"
                      : suggestion(name, known, "trajectories"));
    return false;
  }

  // A trajectory that is made of itself.
  void check_loops() {
    std::map<std::string, int> state;  // 1: being visited, 2: done
    for (const auto& [name, trajectory] : scenario_.trajectories) {
      std::set<std::string> reported;
      visit(name, state, reported);
    }
  }

  void visit(const std::string& name, std::map<std::string, int>& state, std::set<std::string>& reported) {
    const TrajectoryDescription* trajectory = find_trajectory(name);
    if (!trajectory || state[name] == 2) return;
    if (state[name] == 1) {
      has_loops_ = true;
      if (reported.insert(name).second)
        add(join_path(join_path("trajectories", name), "of"), "other trajectories",
            "one that is made of this one", "trajectories cannot be made of themselves");
      return;
    }
    state[name] = 1;
    for (const std::string& part : parts_of(*trajectory)) visit(part, state, reported);
    state[name] = 2;
  }

  // ---- observer ----

  // What it cannot follow is said by its filter (estimation/observer.hpp).
  void check_observer(const ObserverDescription& observer) {
    for (Problem& problem : check_observer_sensors(observer, scenario_.sensors))
      problems_.push_back(std::move(problem));
    for (std::size_t i = 0; i < scenario_.actuation.size(); ++i)
      if (std::holds_alternative<actuations::Lqg>(scenario_.actuation[i].kind))
        add(join_path(indexed("actuation", i), "type"),
            "a controller of the state: it is asked with the observer's",
            "`lqg`, which has a Kalman filter of its own", "take `lqr`, or leave out `observer`");
  }

  // ---- stop_when ----

  void check_stop(const StopDescription& stop) {
    std::vector<std::string> known;
    for (const SensorDescription& sensor : scenario_.sensors) known.push_back(sensor.name);
    const auto found = std::find(known.begin(), known.end(), stop.sensor);
    if (found == known.end())
      return add("stop_when.sensor", "the name of a sensor", show_text(stop.sensor),
                 known.empty() ? "there are no `sensors` in this scenario"
                               : suggestion(stop.sensor, known, "sensors"));
    const SensorKind& kind = scenario_.sensors[static_cast<std::size_t>(found - known.begin())].kind;
    if (jumps_with_efforts(kind))
      add("stop_when.sensor", "a sensor of positions, velocities or bending, which do not jump",
          fmt::format("{}, of type {}", show_text(stop.sensor), type_name(kind)));
  }

  // ---- actuation ----

  void check_joints(const std::vector<std::string>& joints, const std::string& path) {
    std::set<int> seen;
    for (std::size_t i = 0; i < joints.size(); ++i) {
      const std::string place = joints.size() == 1 ? path : indexed(path, i);
      const std::vector<int> coordinates = actuated_by_name(model_, joints[i]);
      if (coordinates.empty()) {
        std::vector<std::string> known = names_of_joints(model_);
        for (const Cylinder& cylinder : model_.cylinders()) known.push_back(cylinder.name);
        add(place, "the name of a joint that moves, or `all`", show_text(joints[i]),
            suggestion(joints[i], known, "joints"));
      }
      for (const int coordinate : coordinates)
        if (!seen.insert(coordinate).second) {
          add(place, "each joint once", show_text(joints[i]));
          break;
        }
    }
    if (joints.empty()) add(path, "at least one joint", "none");
  }

  template <typename Kind>
  void check_kind(const std::string&, const std::vector<int>&, const Kind&) {}

  /// Of a controller that has samples, or is asked all the time.
  void check_input(const std::string& name, const std::string& path, bool is_sampled) {
    std::vector<std::string> known;
    for (const SensorDescription& sensor : scenario_.sensors) {
      known.push_back(sensor.name);
      if (sensor.name != name) continue;
      if (const std::string why = why_not_seen_all_the_time(sensor); !is_sampled && !why.empty())
        add(path, "a sensor that can be seen all the time, or a controller with a `rate`",
            show_text(name) + ", of type " + type_name(sensor.kind) + ", without a `rate`",
            why + ": give a `rate` to the sensor or to the controller");
      return;
    }
    for (const std::string& position : position_names(model_)) known.push_back(position);
    for (const std::string& coordinate : model_.coordinates()) known.push_back(coordinate + ".rate");
    if (std::find(known.begin(), known.end(), name) == known.end())
      add(path, "the name of a sensor, of a coordinate, or of its rate (`shoulder.rate`)", show_text(name),
          suggestion(name, known, "inputs"));
  }

  // Names and sizes; the places of numbers in the file are its reader's.
  void check_kind(const std::string& path, const std::vector<int>& coordinates,
                  const actuations::Linear& linear) {
    for (std::size_t i = 0; i < linear.inputs.size(); ++i)
      check_input(
          linear.inputs[i],
          linear.inputs.size() == 1 ? join_path(path, "inputs") : indexed(join_path(path, "inputs"), i),
          linear.rate.has_value());
    if (linear.inputs.empty()) add(join_path(path, "inputs"), "at least one", "none");
    if (linear.reference) check_signal(*linear.reference, join_path(path, "reference"));
    for (std::size_t i = 0; i < linear.references.size(); ++i)
      check_signal(linear.references[i], indexed(join_path(path, "references"), i));
    if (linear.references.size() > linear.inputs.size())
      add(join_path(path, "references"), fmt::format("at most {}, one for each input", linear.inputs.size()),
          fmt::format("{}", linear.references.size()));
    const auto is_free = [&](int c) {
      return std::none_of(scenario_.actuation.begin(), scenario_.actuation.end(), [&](const auto& other) {
        const std::vector<int> of = actuated_coordinates(model_, other.joint);
        return is_prescribed(other) && std::find(of.begin(), of.end(), c) != of.end();
      });
    };
    const auto outputs = static_cast<int>(std::count_if(coordinates.begin(), coordinates.end(), is_free));
    for (const Problem& problem : check_sizes(linear.law, static_cast<int>(linear.inputs.size()), outputs))
      add(join_path(path, "file"), fmt::format("{} of {}", problem.path, problem.expected), problem.found,
          linear.file.empty() ? "" : "in " + show_text(linear.file));
  }

  // All entries of lqg are one controller.
  void check_kind(const std::string& path, const std::vector<int>& coordinates, const actuations::Lqg& lqg) {
    const std::string list = join_path(path, "sensors");
    if (lqg.sensors.empty()) add(list, "at least one sensor", "none");
    for (std::size_t i = 0; i < lqg.sensors.size(); ++i)
      check_estimated_from(lqg.sensors[i], lqg.sensors.size() == 1 ? list : indexed(list, i),
                           lqg.rate.has_value());
    std::vector<std::string> seen;
    for (const ActuationDescription& other : scenario_.actuation) {
      const auto* also = std::get_if<actuations::Lqg>(&other.kind);
      if (!also) continue;
      seen.insert(seen.end(), also->sensors.begin(), also->sensors.end());
      if (also->rate != lqg.rate)
        add(join_path(path, "rate"), "one rate of all joints under lqg, which are one controller", "several");
    }
    for (const int c : coordinates) {
      const auto measures = [&](const SensorDescription& sensor) {
        const auto* position = std::get_if<sensors::Position>(&sensor.kind);
        return position && sensed_coordinate(model_, position->joint) == c &&
               std::find(seen.begin(), seen.end(), sensor.name) != seen.end();
      };
      if (lqg.integral && std::none_of(scenario_.sensors.begin(), scenario_.sensors.end(), measures))
        add(join_path(path, "integral"),
            fmt::format("a sensor of the position of {} among `sensors`",
                        show_text(model_.coordinates()[static_cast<std::size_t>(c)])),
            "none", "what is integrated is the error that is measured");
    }
  }

  // All entries of nmpc are one controller; each is compared with those before it.
  void check_kind(const std::string& path, const std::vector<int>&, const actuations::Nmpc& nmpc) {
    for (const ActuationDescription& other : scenario_.actuation) {
      const auto* also = std::get_if<actuations::Nmpc>(&other.kind);
      if (also == &nmpc) break;
      if (!also) continue;
      for (const auto& [key, differs] :
           {std::pair{"rate", also->rate != nmpc.rate}, std::pair{"horizon", also->horizon != nmpc.horizon},
            std::pair{"iterations", also->iterations != nmpc.iterations}})
        if (differs)
          add(join_path(path, key),
              fmt::format("one `{}` of all joints under nmpc, which are one controller", key), "several");
    }
    for (const Link& link : model_.links())
      if (link.joint.has_quaternion())
        add(join_path(path, "type"), "for nmpc an arm whose joints are all one number each",
            show_text(link.joint.name) + ", whose position is a quaternion", "take lqr");
  }

  void check_estimated_from(const std::string& name, const std::string& path, bool is_sampled) {
    std::vector<std::string> known;
    for (const SensorDescription& sensor : scenario_.sensors) {
      known.push_back(sensor.name);
      if (sensor.name != name) continue;
      if (jumps_with_efforts(sensor.kind))
        add(path, "a sensor of positions, velocities or bending",
            show_text(name) + ", of type " + type_name(sensor.kind),
            "the filter of lqg takes no accelerations and no forces; type linear does, with a `rate`");
      else
        check_input(name, path, is_sampled);
      return;
    }
    add(path, "the name of a sensor", show_text(name),
        known.empty() ? "there are no `sensors` in this scenario" : suggestion(name, known, "sensors"));
  }

  void check_target(const TargetDescription& target, const std::string& path) {
    if (target.trajectory) check_trajectory_name(*target.trajectory, join_path(path, "trajectory"));
  }
  // Of what is no joint's position.
  void check_signal(const TargetDescription& signal, const std::string& path) {
    check_target(signal, path);
    if (signal.trajectory && is_way(*signal.trajectory))
      add(join_path(path, "trajectory"), "a trajectory of one number",
          fmt::format("{}, a way in space, which has one for each joint", show_text(*signal.trajectory)),
          "it can be the `target` of joints");
  }

  void check_actuation(const ActuationDescription& actuation, const std::string& path) {
    const std::vector<int> coordinates = actuated_coordinates(model_, actuation.joint);
    check_joints(actuation.joint, join_path(path, "joint"));
    check_driven_cylinders(actuation, coordinates, join_path(path, "joint"));
    std::visit([&](const auto& held) { check_kind(path, coordinates, held); }, actuation.kind);
    if (const TargetDescription* target = actuation.target())
      check_target(*target, join_path(path, "target"));
    if (const auto* torque = std::get_if<actuations::Torque>(&actuation.kind)) {
      check_signal(torque->signal, join_path(path, "signal"));
      return;
    }
    for (const int coordinate : coordinates)
      if (coordinate < model_.nv() && joint_of(model_, coordinate).has_quaternion()) {
        add(join_path(path, "joint"), "a joint whose position is one number per freedom",
            fmt::format("`{}`, which carries a quaternion", joint_of(model_, coordinate).name),
            "drive it by type torque, coordinate by coordinate");
        break;
      }
  }

  // What drives one number by itself drives a cylinder's length.
  void check_driven_cylinders(const ActuationDescription& actuation, const std::vector<int>& coordinates,
                              const std::string& path) {
    const auto is_cylinder = [&](int coordinate) { return coordinate >= model_.nv(); };
    const auto driven = std::find_if(coordinates.begin(), coordinates.end(), is_cylinder);
    if (driven == coordinates.end()) return;
    const std::string& name = model_.cylinders()[static_cast<std::size_t>(*driven - model_.nv())].name;
    const auto* const pd = std::get_if<actuations::Pd>(&actuation.kind);
    const bool serves = pd || std::holds_alternative<actuations::Torque>(actuation.kind) ||
                        std::holds_alternative<actuations::Pid>(actuation.kind);
    if (!serves)
      add(path, "a joint, or type torque, pd or pid for a cylinder",
          fmt::format("cylinder {} under type {}", show_text(name), type_name(actuation.kind)),
          "these give a force, or one that follows its length");
    if (pd && pd->gravity_compensation != GravityCompensation::none)
      add(path, "joints for `gravity_compensation`", fmt::format("cylinder {}", show_text(name)),
          "its force depends on the arm's position; `pid` finds it");
    const TargetDescription* const target = actuation.target();
    if (target && target->trajectory && is_way(*target->trajectory))
      add(path, "joints for a way in space", fmt::format("cylinder {}", show_text(name)),
          "a length is one number: give it a trajectory of its own");
  }

  // A joint that is moved along a trajectory cannot be driven by efforts besides, nor in part.
  void check_prescribed() {
    std::vector<std::string> by(static_cast<std::size_t>(model_.nv()));
    const auto each = [&](auto&& visitor) {
      for (std::size_t i = 0; i < scenario_.actuation.size(); ++i)
        for (const int c : actuated_coordinates(model_, scenario_.actuation[i].joint))
          if (c < model_.nv())
            visitor(scenario_.actuation[i], indexed("actuation", i), static_cast<std::size_t>(c));
    };
    each([&](const ActuationDescription& actuation, const std::string& path, std::size_t c) {
      if (!is_prescribed(actuation)) return;
      if (!by[c].empty())
        add(join_path(path, "joint"), "a joint that is not yet prescribed",
            fmt::format("`{}`, prescribed by {}", model_.coordinates()[c], by[c]));
      by[c] = path;
      check_smooth(actuation, path);
      const TargetDescription* const target = actuation.target();
      if (target && target->trajectory && is_way(*target->trajectory)) return;  // its search begins there
      for (const auto* start : {&scenario_.initial.q, &scenario_.initial.q_deg})
        for (const auto& [name, value] : *start)
          if (name == model_.coordinates()[c] && value != 0.0)
            add(join_path(start == &scenario_.initial.q ? "initial.q" : "initial.q_deg", name),
                "no start value: the joint is prescribed", show_number(value),
                "its trajectory says where it starts");
    });
    each([&](const ActuationDescription& actuation, const std::string& path, std::size_t c) {
      if (is_prescribed(actuation) || by[c].empty() || actuation.joint.front() == "all") return;
      add(join_path(path, "joint"), "a joint that is free to follow efforts",
          fmt::format("`{}`, prescribed by {}", model_.coordinates()[c], by[c]));
    });
    for (const Link& link : model_.links()) {
      int prescribed = 0;
      const int count = link.joint.driven_count();
      for (int j = 0; j < count; ++j)
        if (!by[static_cast<std::size_t>(link.joint.driven_index() + j)].empty()) ++prescribed;
      if (prescribed > 0 && prescribed < count)
        add("actuation",
            fmt::format("all {} coordinates of `{}` prescribed, or none", count, link.joint.name),
            fmt::format("{}", prescribed));
    }
  }

  void check_smooth(const ActuationDescription& actuation, const std::string& path) {
    const TargetDescription* const target = actuation.target();
    if (!target || !target->trajectory || has_loops_) return;
    if (jumps(*target->trajectory))
      add(join_path(path, "target"), "a trajectory without jumps: a joint is moved along it",
          show_text(*target->trajectory) + ", which has steps", "take quintic or trapezoidal, or type pd");
  }

  bool jumps(const std::string& name) const {
    const TrajectoryDescription* t = find_trajectory(name);
    if (!t) return false;
    if (const auto* steps = std::get_if<trajectories::Steps>(t)) return steps->points.size() > 1;
    const std::vector<std::string> parts = parts_of(*t);
    return std::any_of(parts.begin(), parts.end(), [&](const std::string& part) { return jumps(part); });
  }

  // ---- loads ----

  void check_load(const LoadDescription& load, const std::string& path) {
    const std::vector<std::string> known = link_names(model_);
    const auto found = std::find(known.begin(), known.end(), load.link);
    if (found == known.end())
      add(join_path(path, "link"), "the name of a link", show_text(load.link),
          suggestion(load.link, known, "links"));
    else if (const auto problem = place_problem(model_, place_on(model_, load.link, load.at, load.interface)))
      add(join_path(path, "at"), problem->expected, problem->found, problem->hint);
    else if (const auto inner =
                 inner_load_problem(model_, load.link, load.thermal_curvature, load.pretension, load.straight,
                                    {0, 0, load.frame, load.force, load.moment, load.offset}))
      add(join_path(path, inner->path), inner->expected, inner->found, inner->hint);
    if (load.from && load.to && !(*load.to > *load.from))
      add(join_path(path, "to"), fmt::format("a time > {}, that of `from`", show_number(*load.from)),
          show_number(*load.to));
    if (load.factor) check_signal(*load.factor, join_path(path, "factor"));
  }

  // ---- integrator, output ----

  void check_integrator() {
    const IntegrationMethod& method = scenario_.integrator.method;
    if (std::holds_alternative<integrators::Rkmk4>(method) && scenario_.formulation != FormulationKind::dae)
      add("integrator.method", "`formulation: dae`, where every link has a pose of its own",
          fmt::format("method rkmk4 with formulation {}", choice_name(scenario_.formulation)),
          "or take method rk4");
    if (std::holds_alternative<integrators::Rkmk4>(method) && scenario_.body_frame != 0.0)
      add("body_frame", "0 with method rkmk4, which integrates the frames at the roots",
          show_number(scenario_.body_frame), "or take another method");
    const std::optional<double> step = fixed_step(method);
    if (!step) return;
    if (*step > scenario_.duration && scenario_.duration > 0.0)
      add("integrator.step", fmt::format("at most the duration, {} s", show_number(scenario_.duration)),
          show_number(*step));
    constexpr double most_steps = 1e10;
    if (scenario_.duration / *step > most_steps)
      add("integrator.step", fmt::format("at most {} steps", show_number(most_steps)),
          fmt::format("{}", show_number(scenario_.duration / *step)));
  }

  void check_sample_counts() {
    constexpr double most_samples = 1e9;
    for (std::size_t i = 0; i < scenario_.sensors.size(); ++i)
      if (const double count = scenario_.sensors[i].rate.value_or(0.0) * scenario_.duration;
          count > most_samples)
        add(join_path(indexed("sensors", i), "rate"),
            fmt::format("at most {} samples", show_number(most_samples)), show_number(count),
            "lower the rate");
  }

  void check_output() {
    constexpr double most_rows = 1e9;
    if (scenario_.output.rate * scenario_.duration > most_rows)
      add("output.rate", fmt::format("at most {} rows", show_number(most_rows)),
          show_number(scenario_.output.rate * scenario_.duration), "lower the rate");
  }

  const ScenarioDescription& scenario_;
  const Model& model_;
  Problems problems_;
  bool has_loops_ = false;
};

// What only the dae formulation knows.
void check_dae(const ScenarioDescription& scenario, Problems& problems) {
  if (scenario.body_frame != 0.0 && scenario.formulation != FormulationKind::dae)
    problems.push_back({"body_frame", "`formulation: dae`, whose option this is",
                        fmt::format("`formulation: {}`", choice_name(scenario.formulation)), ""});
}

// What only the dual-screw formulation knows.
void check_dual_screw(const ScenarioDescription& scenario, const Model& model, Problems& problems) {
  const bool is_dual_screw = scenario.formulation == FormulationKind::dual_screw;
  const auto refuse = [&](const char* key) {
    problems.push_back({key, "`formulation: dual-screw`, whose option this is",
                        fmt::format("`formulation: {}`", choice_name(scenario.formulation)), ""});
  };
  if (scenario.consistent && !is_dual_screw) refuse("consistent");
  if (scenario.definite && !is_dual_screw) refuse("definite");
  if (scenario.generated && !is_dual_screw) refuse("generated");
  if (!scenario.nonlinear.empty() && !is_dual_screw) refuse("nonlinear");
  std::vector<std::string> flexible;
  for (const Link& link : model.links())
    if (link.elastic_count > 0) flexible.push_back(link.name);
  for (std::size_t i = 0; i < scenario.nonlinear.size(); ++i) {
    const std::string& name = scenario.nonlinear[i];
    if (!elastic_coordinates_named(model, name).empty()) continue;
    problems.push_back(
        {fmt::format("nonlinear[{}]", i),
         flexible.empty() ? "nothing: no link bends" : "a link that bends, or one of its states",
         show_text(name), suggestion(name, flexible, "links that bend")});
  }
}

}  // namespace

std::vector<Problem> check_observer_sensors(const ObserverDescription& observer,
                                            const std::vector<SensorDescription>& sensors) {
  std::vector<std::string> known;
  for (const SensorDescription& sensor : sensors) known.push_back(sensor.name);
  Problems problems;
  const std::string list = "observer.sensors";
  for (std::size_t i = 0; i < observer.sensors.size(); ++i) {
    const std::string& name = observer.sensors[i];
    const std::string path = observer.sensors.size() == 1 ? list : indexed(list, i);
    if (std::find(known.begin(), known.end(), name) == known.end())
      problems.push_back(
          {path, "the name of a sensor", show_text(name),
           known.empty() ? "there are no `sensors` in this scenario" : suggestion(name, known, "sensors")});
    else if (std::count(observer.sensors.begin(), observer.sensors.begin() + static_cast<std::ptrdiff_t>(i),
                        name) > 0)
      problems.push_back({path, "each sensor once", show_text(name), ""});
  }
  return problems;
}

std::vector<int> actuated_coordinates(const Model& model, const std::vector<std::string>& joint) {
  std::vector<int> coordinates;
  for (const std::string& name : joint)
    for (const int coordinate : actuated_by_name(model, name)) coordinates.push_back(coordinate);
  return coordinates;
}

std::vector<Problem> check_rules(const ScenarioDescription& scenario, const Model& model) {
  Problems problems = Rules(scenario, model).all();
  check_dual_screw(scenario, model, problems);
  check_dae(scenario, problems);
  return problems;
}

std::vector<Problem> check(const ScenarioDescription& scenario, const Model& model) {
  Problems problems;
  FieldChecker checker("", problems);
  describe(checker, scenario);
  const Problems rules = check_rules(scenario, model);
  problems.insert(problems.end(), rules.begin(), rules.end());
  return problems;
}

}  // namespace limber
