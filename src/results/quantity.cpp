// SPDX-License-Identifier: BSD-3-Clause
#include "limber/results/quantity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <iterator>

#include "limber/analysis/section_forces.hpp"
#include "limber/analysis/stress.hpp"
#include "limber/model/coordinates.hpp"
#include "limber/model/detail/arguments.hpp"
#include "limber/model/friction.hpp"

namespace limber {
namespace {

using Names = Quantity::Names;

template <typename Vector>
void copy(const Vector& values, double* row) {
  std::copy(values.data(), values.data() + values.size(), row);
}

std::vector<Quantity> make_quantities() {
  return {
      {.path = "time",
       .label = "time",
       .unit = "s",
       .fill = [](const RowSource& from, double* row) { *row = from.sample.t; }},
      {.path = "q",
       .label = "q.",
       .unit = "rad",
       .sliding_unit = "m",
       .columns = [](const ResultNames& names) { return names.positions; },
       .fill = [](const RowSource& from, double* row) { copy(from.sample.q, row); }},
      {.path = "v",
       .label = "v.",
       .unit = "rad/s",
       .sliding_unit = "m/s",
       .columns = [](const ResultNames& names) { return names.coordinates; },
       .fill = [](const RowSource& from, double* row) { copy(from.sample.v, row); }},
      {.path = "accelerations",
       .label = "acceleration.",
       .unit = "rad/s^2",
       .sliding_unit = "m/s^2",
       .columns = [](const ResultNames& names) { return names.coordinates; },
       .fill = [](const RowSource& from, double* row) { copy(from.sample.acceleration, row); }},
      {.path = "efforts",
       .label = "effort.",
       .unit = "N m",
       .sliding_unit = "N",
       .columns = [](const ResultNames& names) { return names.driven; },
       .fill =
           [](const RowSource& from, double* row) {
             for (const int c : from.driven) *row++ = from.sample.efforts[c];
           },
       .figure = "efforts",
       .title = "Joint efforts"},
      {.path = "power",
       .label = "power.",
       .unit = "W",
       .sliding_unit = "W",
       .columns = [](const ResultNames& names) { return names.driven; },
       .fill =
           [](const RowSource& from, double* row) {
             for (const int c : from.driven) *row++ = from.sample.power[c];
           },
       .figure = "power",
       .title = "Power of the joints' motors"},
      {.path = "friction",
       .label = "friction.",
       .unit = "N m",
       .sliding_unit = "N",
       .columns = [](const ResultNames& names) { return names.driven; },
       .fill =
           [](const RowSource& from, double* row) {
             for (const int c : from.driven) *row++ = from.sample.friction[c];
           },
       .is_asked_for = [](const Scenario& scenario) { return has_friction(scenario.model); },
       .figure = "friction",
       .title = "Friction of the joints, against their motion; at rest, what holds them"},
      {.path = "sensors",
       .label = "sensor.",
       .columns = [](const ResultNames& names) { return names.sensors; },
       .fill = [](const RowSource& from, double* row) { copy(from.sample.sensors, row); }},
      {.path = "references",
       .label = "reference.",
       .unit = "rad",
       .sliding_unit = "m",
       .columns = [](const ResultNames& names) { return names.targets; },
       .fill = [](const RowSource& from, double* row) { copy(from.sample.references, row); }},
      {.path = "end_effector/position",
       .label = "end_effector.",
       .unit = "m",
       .columns =
           [](const ResultNames&) {
             return Names{"x", "y", "z"};
           },
       .fill = [](const RowSource& from, double* row) { copy(from.sample.end_effector_position, row); },
       .figure = "end-effector",
       .title = "End effector"},
      {.path = "end_effector/quaternion",
       .label = "end_effector.q",
       .columns =
           [](const ResultNames&) {
             return Names{"x", "y", "z", "w"};
           },
       .fill = [](const RowSource& from, double* row) { copy(from.sample.end_effector_quaternion, row); }},
      {.path = "energy/kinetic",
       .label = "energy.kinetic",
       .unit = "J",
       .fill = [](const RowSource& from, double* row) { *row = from.sample.ledger.kinetic; }},
      {.path = "energy/gravity",
       .label = "energy.gravity",
       .unit = "J",
       .fill = [](const RowSource& from, double* row) { *row = from.sample.ledger.gravity; }},
      {.path = "energy/strain",
       .label = "energy.strain",
       .unit = "J",
       .fill = [](const RowSource& from, double* row) { *row = from.sample.ledger.strain; }},
      {.path = "energy/work_actuators",
       .label = "energy.work_actuators",
       .unit = "J",
       .fill = [](const RowSource& from, double* row) { *row = from.sample.ledger.work_actuators; }},
      {.path = "energy/work_loads",
       .label = "energy.work_loads",
       .unit = "J",
       .fill = [](const RowSource& from, double* row) { *row = from.sample.ledger.work_loads; }},
      {.path = "energy/dissipated",
       .label = "energy.dissipated",
       .unit = "J",
       .fill = [](const RowSource& from, double* row) { *row = from.sample.ledger.dissipated; }},
      {.path = "energy/friction",
       .label = "energy.friction",
       .unit = "J",
       .fill = [](const RowSource& from, double* row) { *row = from.sample.ledger.friction; },
       .is_asked_for = [](const Scenario& scenario) { return has_friction(scenario.model); }},
      {.path = "energy/error",
       .label = "energy.error",
       .unit = "J",
       .fill = [](const RowSource& from, double* row) { *row = from.sample.ledger.error; }},
      {.path = "wrenches",
       .label = "wrench.",
       .unit = "N, N m",
       .columns = [](const ResultNames& names) { return names.joints; },
       .components = {"fx", "fy", "fz", "mx", "my", "mz"},
       .fill =
           [](const RowSource& from, double* row) {
             for (const Wrench& wrench : from.sample.wrenches) {
               copy(wrench.vector(), row);
               row += 6;
             }
           },
       .is_asked_for = [](const Scenario& scenario) { return scenario.output.wrenches; }},
      {.path = "interaction_wrenches",
       .label = "interaction.",
       .unit = "N, N m",
       .columns = [](const ResultNames& names) { return names.joints; },
       .components = {"fx", "fy", "fz", "mx", "my", "mz"},
       .fill =
           [](const RowSource& from, double* row) {
             for (const Wrench& wrench : from.sample.interaction_wrenches) {
               copy(wrench.vector(), row);
               row += 6;
             }
           },
       .is_asked_for = [](const Scenario& scenario) { return scenario.output.interaction_wrenches; }},
      {.path = "loops",
       .label = "loop.",
       .unit = "N, N m",
       .columns = [](const ResultNames& names) { return names.loops; },
       .components = {"fx", "fy", "fz", "mx", "my", "mz"},
       .fill =
           [](const RowSource& from, double* row) {
             for (const LoopForce& loop : from.sample.loops) {
               copy(loop.force, row);
               copy(loop.moment, row + 3);
               row += 6;
             }
           }},
      {.path = "cylinders/length",
       .label = "cylinder.length.",
       .unit = "m",
       .columns = [](const ResultNames& names) { return names.cylinders; },
       .fill =
           [](const RowSource& from, double* row) {
             for (const CylinderState& cylinder : from.sample.cylinders) *row++ = cylinder.length;
           },
       .figure = "cylinder-lengths",
       .title = "Lengths of cylinders"},
      {.path = "cylinders/rate",
       .label = "cylinder.rate.",
       .unit = "m/s",
       .columns = [](const ResultNames& names) { return names.cylinders; },
       .fill =
           [](const RowSource& from, double* row) {
             for (const CylinderState& cylinder : from.sample.cylinders) *row++ = cylinder.rate;
           },
       .figure = "cylinder-rates",
       .title = "Rates of cylinders"},
      {.path = "cylinders/force",
       .label = "cylinder.force.",
       .unit = "N",
       .columns = [](const ResultNames& names) { return names.cylinders; },
       .fill =
           [](const RowSource& from, double* row) {
             for (const CylinderState& cylinder : from.sample.cylinders) *row++ = cylinder.force;
           },
       .figure = "cylinder-forces",
       .title = "Forces of cylinders, positive where they push"},
      {.path = "cylinders/pressure",
       .label = "cylinder.pressure.",
       .unit = "Pa",
       .columns = [](const ResultNames& names) { return names.chambers; },
       .fill =
           [](const RowSource& from, double* row) {
             for (const CylinderState& cylinder : from.sample.cylinders) {
               if (!cylinder.has_chambers) continue;
               *row++ = cylinder.pressure_a;
               *row++ = cylinder.pressure_b;
             }
           },
       .figure = "cylinder-pressures",
       .title = "Pressures of chambers: a at the piston, b around the rod"},
      {.path = "section_forces",
       .label = "section.",
       .unit = "N, N m",
       .columns = [](const ResultNames& names) { return names.beams; },
       .places = [](const ResultNames& names) { return names.places; },
       .components = {std::begin(section_force_names), std::end(section_force_names)},
       .fill = [](const RowSource& from, double* row) { copy(from.sample.section_forces, row); },
       .is_asked_for = [](const Scenario& scenario) { return scenario.output.section_forces; }},
      {.path = "stress",
       .label = "stress.",
       .unit = "Pa",
       .columns = [](const ResultNames& names) { return names.stressed; },
       .places = [](const ResultNames& names) { return names.places; },
       .fill = [](const RowSource& from, double* row) { copy(from.sample.stress, row); },
       .is_asked_for = [](const Scenario& scenario) { return scenario.output.section_forces; }},
  };
}

// `coordinates` are there already.
void add_link(const std::string& link, const std::string& joint, int v, int nv, ResultNames& names) {
  names.links.push_back(link);
  names.joints.push_back(joint);
  const auto first = names.coordinates.begin() + v;
  names.driven.insert(names.driven.end(), first, first + nv);
}

// Beams, and where on them.
void add_sections(const Model& model, int points, ResultNames& names) {
  for (const Link& link : model.links()) {
    if (link.beam) names.beams.push_back(link.name);
    if (has_stress(link)) names.stressed.push_back(link.name);
  }
  for (int i = 0; i < points && !names.beams.empty(); ++i)
    names.places.push_back(fmt::format("{:.6g}", static_cast<double>(i) / (points - 1)));
}

}  // namespace

std::vector<std::size_t> Quantity::shape(const ResultNames& names) const {
  if (!columns) return {};
  std::vector<std::size_t> extent = {columns(names).size()};
  if (places) extent.push_back(places(names).size());
  if (!components.empty()) extent.push_back(components.size());
  return extent;
}

std::size_t Quantity::width(const ResultNames& names) const {
  std::size_t product = 1;
  for (const std::size_t size : shape(names)) product *= size;
  return product;
}

Names Quantity::column_names(const ResultNames& names) const {
  if (!columns) return {label};
  Names all;
  const auto add = [&](const std::string& name) {
    if (components.empty()) all.push_back(label + name);
    for (const std::string& component : components) all.push_back(label + name + "." + component);
  };
  for (const std::string& name : columns(names)) {
    if (!places) add(name);
    if (places)
      for (const std::string& place : places(names)) add(name + "@" + place);
  }
  return all;
}

std::string Quantity::unit_text() const {
  const std::string turning = unit, sliding = sliding_unit;
  return sliding.empty() || sliding == turning ? turning : turning + " or " + sliding;
}

const std::vector<Quantity>& all_quantities() {
  static const std::vector<Quantity> all = make_quantities();
  return all;
}

const Quantity* find_quantity(std::string_view path) {
  for (const Quantity& quantity : all_quantities())
    if (quantity.path == path) return &quantity;
  return nullptr;
}

ResultNames names_of(const Scenario& scenario) {
  const Model& model = scenario.model;
  ResultNames names;
  names.positions = position_names(model);
  names.coordinates = model.coordinates();
  for (const Link& link : model.links())
    add_link(link.name, link.joint.name, link.joint.v_index, link.joint.nv, names);
  for (const JointTarget& target : joint_targets(scenario))
    names.targets.push_back(model.coordinates()[static_cast<std::size_t>(target.coordinate)]);
  for (const SensorDescription& sensor : scenario.sensors) {
    names.sensors.push_back(sensor.name);
    names.sensor_units.push_back(unit_of(sensor, model));
  }
  for (const Loop& loop : model.loops()) names.loops.push_back(loop.name);
  for (const Cylinder& cylinder : model.cylinders()) {
    names.cylinders.push_back(cylinder.name);
    if (!cylinder.hydraulics) continue;
    names.chambers.push_back(cylinder.name + ".a");
    names.chambers.push_back(cylinder.name + ".b");
  }
  if (scenario.output.section_forces) add_sections(model, scenario.output.section_points, names);
  return names;
}

ResultNames names_of(const ArmOutline& arm, const ResultNames& stored) {
  ResultNames names;
  names.positions = arm.positions;
  names.coordinates = arm.coordinates;
  for (const OutlineLink& link : arm.links)
    add_link(link.name, link.joint.name, link.joint.v, link.joint.nv, names);
  names.targets = stored.targets;
  names.sensors = stored.sensors;
  names.sensor_units = stored.sensor_units;
  names.loops = stored.loops;
  names.cylinders = stored.cylinders;
  names.chambers = stored.chambers;
  names.beams = stored.beams;
  names.stressed = stored.stressed;
  names.places = stored.places;
  return names;
}

RowLayout::RowLayout(const Scenario& scenario)
    : names_(names_of(scenario)), driven_(joint_coordinates_named(scenario.model, "all")) {
  for (const Quantity& quantity : all_quantities()) {
    const bool is_asked_for = !quantity.is_asked_for || quantity.is_asked_for(scenario);
    const std::size_t width = quantity.width(names_);
    if (!is_asked_for || width == 0) continue;
    names_.quantities.emplace_back(quantity.path);
    parts_.push_back({&quantity, width});
  }
}

std::size_t RowLayout::width() const {
  std::size_t total = 0;
  for (const Part& part : parts_) total += part.width;
  return total;
}

// What `fill` of the recorded quantities reads.
void RowLayout::require_fit(const char* function, const Sample& sample) const {
  // Asked for every row: paths are looked at where a number is not as expected only, and by their first letters.
  const auto is_at = [](const Part& part, const char* path) {
    return std::strcmp(part.quantity->path, path) == 0;
  };
  const auto require = [&](const char* path, const char* argument, std::size_t found, const Names& names) {
    if (found == names.size()) return;
    if (std::any_of(parts_.begin(), parts_.end(), [&](const Part& part) { return is_at(part, path); }))
      detail::throw_wrong_extent(function, argument, static_cast<Eigen::Index>(names.size()), 1,
                                 static_cast<Eigen::Index>(found), 1);
  };
  const auto require_width = [&](const char* path, const char* argument, Eigen::Index found) {
    for (const Part& part : parts_)
      if (static_cast<Eigen::Index>(part.width) != found && is_at(part, path))
        detail::throw_wrong_extent(function, argument, static_cast<Eigen::Index>(part.width), 1, found, 1);
  };
  const auto size = [](const Eigen::VectorXd& numbers) { return static_cast<std::size_t>(numbers.size()); };
  require("q", "sample.q", size(sample.q), names_.positions);
  require("v", "sample.v", size(sample.v), names_.coordinates);
  require("accelerations", "sample.acceleration", size(sample.acceleration), names_.coordinates);
  require("efforts", "sample.efforts", size(sample.efforts), names_.coordinates);
  require("friction", "sample.friction", size(sample.friction), names_.coordinates);
  require("power", "sample.power", size(sample.power), names_.coordinates);
  require("sensors", "sample.sensors", size(sample.sensors), names_.sensors);
  require("references", "sample.references", size(sample.references), names_.targets);
  require("wrenches", "sample.wrenches", sample.wrenches.size(), names_.joints);
  require("loops", "sample.loops", sample.loops.size(), names_.loops);
  require("cylinders/length", "sample.cylinders", sample.cylinders.size(), names_.cylinders);
  require("interaction_wrenches", "sample.interaction_wrenches", sample.interaction_wrenches.size(),
          names_.joints);
  require_width("section_forces", "sample.section_forces", sample.section_forces.size());
  require_width("stress", "sample.stress", sample.stress.size());
}

}  // namespace limber
