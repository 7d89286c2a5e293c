// SPDX-License-Identifier: BSD-3-Clause
#include "limber/report/figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>
#include <set>

#include "limber/analysis/modes.hpp"
#include "limber/core/input_error.hpp"
#include "limber/model/field_rule.hpp"
#include "overlay.hpp"
#include "section_figures.hpp"
#include "spectrum.hpp"

namespace limber {
namespace {

using Eigen::VectorXd;

constexpr double millimetres = 1e3, degrees = 180.0 / std::numbers::pi;

Figure over_time(const RunRecord& record, const char* id, const char* title, const std::string& y_label,
                 FigureParts parts = FigureParts::whole) {
  return {.id = id,
          .title = title,
          .x_label = "time [s]",
          .y_label = y_label,
          .x = record.time(),
          .curves = {},
          .parts = parts};
}

/// A joint's coordinate that is a number of its own: none of a quaternion.
struct JointCoordinate {
  std::string name, joint;
  int q;
  bool turns;
};

std::vector<JointCoordinate> single_coordinates(const ArmOutline& arm) {
  std::vector<JointCoordinate> all;
  for (const OutlineLink& link : arm.links)
    for (int j = 0; j < link.joint.nv; ++j)
      if (!link.joint.has_quaternion())
        all.push_back({arm.coordinates[static_cast<std::size_t>(link.joint.v + j)], link.joint.name,
                       link.joint.q + j, link.joint.turns(j)});
  return all;
}

// "[rad]", "[m]", or both where an arm has both kinds of joints.
std::string unit_of_joints(const ArmOutline& arm, const Quantity& quantity) {
  bool turns = false, slides = false;
  for (const JointCoordinate& c : single_coordinates(arm)) (c.turns ? turns : slides) = true;
  if (turns && slides) return "[" + quantity.unit_text() + "]";
  return fmt::format("[{}]", slides && *quantity.sliding_unit ? quantity.sliding_unit : quantity.unit);
}

Curve of_joint(const JointCoordinate& c, VectorXd values) {
  return {c.name, std::move(values), c.joint, false, c.turns};
}

Figure of_joints(const RunRecord& record, const char* id, const char* title, const char* path) {
  return over_time(record, id, title, unit_of_joints(record.arm(), *find_quantity(path)),
                   FigureParts::joints);
}

Figure joints(const RunRecord& record) {
  Figure figure = of_joints(record, "joints", "Joint positions", "q");
  for (const JointCoordinate& c : single_coordinates(record.arm())) {
    figure.curves.push_back(of_joint(c, record.column("q", c.name)));
    if (VectorXd wanted = record.reference(c.name); wanted.size() > 0)
      figure.curves.push_back({c.name + " reference", std::move(wanted), c.joint, true, c.turns});
  }
  return figure;
}

Figure deviation(const RunRecord& record) {
  Figure figure = of_joints(record, "deviation", "Joint positions minus references", "references");
  for (const JointCoordinate& c : single_coordinates(record.arm()))
    if (const VectorXd wanted = record.reference(c.name); wanted.size() > 0)
      figure.curves.push_back(of_joint(c, record.column("q", c.name) - wanted));
  return figure;
}

Figure rates(const RunRecord& record) {
  Figure figure = of_joints(record, "rates", "Joint rates", "v");
  for (const JointCoordinate& c : single_coordinates(record.arm()))
    figure.curves.push_back(of_joint(c, record.column("v", c.name)));
  return figure;
}

// The joint to which a coordinate belongs; none: empty.
std::string joint_of(const ArmOutline& arm, const std::string& coordinate) {
  for (const OutlineLink& link : arm.links)
    for (int j = 0; j < link.joint.nv; ++j)
      if (arm.coordinates[static_cast<std::size_t>(link.joint.v + j)] == coordinate) return link.joint.name;
  return "";
}

/// A quantity that has its own figure: a curve for each of its numbers. Nothing where all of them are zero.
Figure plain(const RunRecord& record, const Quantity& quantity) {
  const bool is_of_joints = *quantity.sliding_unit != '\0';
  Figure figure =
      is_of_joints ? of_joints(record, quantity.figure, quantity.title, quantity.path)
                   : over_time(record, quantity.figure, quantity.title, fmt::format("[{}]", quantity.unit));
  if (!record.has(quantity.path)) return figure;
  const std::size_t label = std::string_view(quantity.label).size();
  for (const std::string& column : quantity.column_names(record.run.names)) {
    const std::string name = column.substr(label);
    figure.curves.push_back(
        {name, record.column(quantity.path, name), is_of_joints ? joint_of(record.arm(), name) : ""});
  }
  const bool all_zero = std::all_of(figure.curves.begin(), figure.curves.end(),
                                    [](const Curve& curve) { return curve.values.isZero(0.0); });
  if (is_of_joints && all_zero) figure.curves.clear();
  return figure;
}

/// A link as described: one of the outline's, or the row of its segments `<link>.1`, `<link>.2`, ...
struct WholeOutline {
  std::string name;
  std::vector<std::size_t> parts;
};
std::vector<WholeOutline> whole_links(const ArmOutline& arm) {
  std::vector<WholeOutline> whole;
  for (std::size_t l = 0; l < arm.links.size(); ++l) {
    const std::string name = arm.links[l].name.substr(0, arm.links[l].name.find('.'));
    if (whole.empty() || whole.back().name != name) whole.push_back({name, {}});
    whole.back().parts.push_back(l);
  }
  return whole;
}

/// One number of a link's tip over time, from its elastic coordinates: a component of its displacement (0 .. 2) or of its rotation
/// vector (3 .. 5), in the root frame.
VectorXd of_tip(const RunRecord& record, const WholeOutline& link, int component, double unit) {
  const ArmOutline& arm = record.arm();
  VectorXd values(record.table.values.rows());
  const int first = component < 3 ? 0 : 3;
  const auto q = record.table.of("q");
  for (Eigen::Index row = 0; row < values.size(); ++row) {
    if (link.parts.size() == 1) {
      const OutlineLink& only = arm.links[link.parts.front()];
      values[row] = unit * only.sum(first, only.tip(), only.eta(q.row(row).transpose()))[component - first];
      continue;
    }
    Pose bent, rest;
    for (const std::size_t part : link.parts) {
      const OutlineLink& segment = arm.links[part];
      bent = bent * segment.place(segment.tip(), segment.eta(q.row(row).transpose()));
      rest = rest * segment.place(segment.tip(), segment.eta(q.row(row).transpose()), 0.0);
    }
    const Eigen::Vector3d moved =
        first == 0 ? Eigen::Vector3d(bent.p - rest.p) : Eigen::Vector3d(log_rotation(bent.R));
    values[row] = unit * moved[component - first];
  }
  return values;
}

constexpr int along_y = 1, along_z = 2, about_x = 3;

Figure deflection(const RunRecord& record) {
  Figure figure = over_time(record, "deflection", "Tip deflection of each link", "[mm]", FigureParts::links);
  for (const WholeOutline& link : whole_links(record.arm()))
    for (const int axis :
         {along_y, along_z})  // second order couples the planes: torsion carries one into the other
      if (record.arm().links[link.parts.front()].has_any(axis))
        figure.curves.push_back({link.name + (axis == along_y ? " y" : " z"),
                                 of_tip(record, link, axis, millimetres), link.name});
  return figure;
}

Figure torsion(const RunRecord& record) {
  Figure figure = over_time(record, "torsion", "Tip torsion of each link", "[deg]", FigureParts::links);
  for (const WholeOutline& link : whole_links(record.arm()))
    if (record.arm().links[link.parts.front()].has_linear(about_x))
      figure.curves.push_back({link.name, of_tip(record, link, about_x, degrees), link.name});
  return figure;
}

Figure error(const RunRecord& record) {
  Figure figure = over_time(record, "error", "End effector: distance from where it should be", "[mm]");
  const ArmOutline& arm = record.arm();
  struct Target {
    int q;
    VectorXd wanted;
  };
  std::vector<Target> targets;
  for (const JointCoordinate& c : single_coordinates(arm))
    if (VectorXd wanted = record.reference(c.name); wanted.size() > 0)
      targets.push_back({c.q, std::move(wanted)});
  const Eigen::Index rows = figure.x.size();
  VectorXd from_reference(rows), from_rigid(rows);
  const auto tips = record.table.of("end_effector/position");
  for (Eigen::Index row = 0; row < rows; ++row) {
    const Eigen::Vector3d tip = tips.row(row);
    VectorXd q = record.configuration(row);
    from_rigid[row] = millimetres * (tip - arm.end_effector(q, 0.0).p).norm();
    for (const Target& target : targets) q[target.q] = target.wanted[row];
    from_reference[row] = millimetres * (tip - arm.end_effector(q, 0.0).p).norm();
  }
  if (!targets.empty()) figure.curves.push_back({"from the reference", std::move(from_reference)});
  figure.curves.push_back({"by bending alone", std::move(from_rigid)});
  return figure;
}

// Of each loop, by a on b, about b's origin in the world's axes.
Figure loop_forces(const RunRecord& record, const char* id, const char* title, const char* unit,
                   const std::vector<std::string>& components) {
  Figure figure = over_time(record, id, title, unit);
  if (!record.has("loops")) return figure;
  for (const std::string& loop : record.run.names.loops)
    for (const std::string& component : components)
      figure.curves.push_back({loop + " " + component, record.column("loops", loop + "." + component), loop});
  return figure;
}

Figure wrenches(const RunRecord& record, const char* id, const char* title, const char* unit,
                const std::vector<std::string>& components) {
  Figure figure = over_time(record, id, title, unit, FigureParts::joints);
  if (!record.has("wrenches")) return figure;
  for (const std::string& joint : record.run.names.joints)
    for (const std::string& component : components)
      figure.curves.push_back(
          {joint + " " + component, record.column("wrenches", joint + "." + component), joint});
  return figure;
}

Figure energy(const RunRecord& record) {
  Figure figure = over_time(record, "energy", "Energy: where it is and where it came from", "[J]");
  const Ledger& start = record.run.checkpoint.start;
  const auto add = [&](const char* name, const char* column, double at_start) {
    VectorXd values = record.column(std::string("energy/") + column).array() - at_start;
    const bool is_first = figure.curves.empty();  // of an arm at rest, one that says so
    if (is_first || !values.isZero(0.0)) figure.curves.push_back({name, std::move(values)});
  };
  add("kinetic", "kinetic", 0.0);
  add("strain", "strain", 0.0);
  add("gravity, change", "gravity", start.gravity);
  add("work of actuators", "work_actuators", 0.0);
  add("work of loads", "work_loads", 0.0);
  add("dissipated", "dissipated", 0.0);
  if (record.has("energy/friction")) add("of it by friction", "friction", 0.0);
  return figure;
}

Figure energy_error(const RunRecord& record) {
  Figure figure = over_time(record, "energy-error", "Energy that integration made or lost", "[J]");
  figure.curves.push_back({"error", record.column("energy/error")});
  return figure;
}

std::string unit_label(const std::string& unit) { return unit.empty() ? "[-]" : "[" + unit + "]"; }

bool is_an_angle(const std::string& unit) { return unit == "rad" || unit == "rad/s" || unit == "rad/s^2"; }

/// A curve and what it is counted in.
std::vector<CurveWithUnit> readings(const RunRecord& record) {
  std::vector<CurveWithUnit> all;
  const ResultNames& names = record.run.names;
  for (std::size_t i = 0; i < names.sensors.size(); ++i)
    all.push_back({{names.sensors[i], record.column("sensors", names.sensors[i]), names.sensors[i], false,
                    is_an_angle(names.sensor_units[i])},
                   unit_label(names.sensor_units[i])});
  return all;
}

/// A figure for each unit: what has the same one stands on the same axis.
std::vector<Figure> by_unit(const RunRecord& record, const char* id, const char* title,
                            const std::vector<CurveWithUnit>& curves) {
  std::vector<Figure> all;
  for (const CurveWithUnit& one : curves) {
    const std::string& label = one.unit;
    auto place = std::find_if(all.begin(), all.end(), [&](const Figure& f) { return f.y_label == label; });
    if (place == all.end()) {
      all.push_back(over_time(record, id, title, label));
      if (all.size() > 1) all.back().id += fmt::format("-{}", all.size());
      place = all.end() - 1;
    }
    place->curves.push_back(one.curve);
  }
  return all;
}

constexpr const char* of_each = "in the unit of each";

/// All of them in one, where curves say their units themselves.
Figure in_one(const RunRecord& record, const char* id, const char* title, std::vector<Figure> all) {
  if (all.size() == 1) return all.front();
  Figure figure = over_time(record, id, title, of_each);
  for (Figure& part : all)
    for (Curve& curve : part.curves) {
      curve.name += " " + part.y_label;
      curve.is_angle = false;
      figure.curves.push_back(std::move(curve));
    }
  return figure;
}

/// The other way round, where all that is left has one unit: it stands at the axis, as it does where nothing else was recorded.
void say_unit_at_axis(Figure& figure) {
  if (figure.y_label != of_each || figure.curves.empty()) return;
  const std::string first = figure.curves.front().name,
                    unit = first.substr(std::min(first.rfind(" ["), first.size()));
  const auto has_it = [&](const Curve& curve) { return curve.is_reference || curve.name.ends_with(unit); };
  if (unit.empty() || !std::all_of(figure.curves.begin(), figure.curves.end(), has_it)) return;
  figure.y_label = unit.substr(1);
  for (Curve& curve : figure.curves) {
    if (curve.name.ends_with(unit)) curve.name.resize(curve.name.size() - unit.size());
    curve.is_angle = is_an_angle(unit.substr(2, unit.size() - 3));
  }
}

constexpr const char* residual_title = "Residuals: measured minus simulated";

std::vector<Figure> sensors_by_unit(const RunRecord& record) {
  return by_unit(record, "sensors", "Sensors", readings(record));
}
std::vector<Figure> residuals_by_unit(const RunRecord& record) {
  return by_unit(record, "residuals", residual_title, residual_curves(record));
}

// Frequencies about the last row, where the arm rings, as `limber modes` names them.
void add_marks(const RunRecord& record, Figure& figure) {
  const double highest = figure.x.size() > 0 ? figure.x[figure.x.size() - 1] : 0.0;
  const auto add = [&](const std::vector<double>& frequencies, JointTreatment joints) {
    int number = 0;
    for (const double f : frequencies)
      if (++number; f <= highest) figure.marks.push_back({f, fmt::format("{} {}", name_of(joints), number)});
  };
  add(record.run.frequencies.held, JointTreatment::held);
  add(record.run.frequencies.as_modelled, JointTreatment::as_modelled);
}

Figure spectrum(const RunRecord& record) {
  Figure figure{.id = "spectrum",
                .title = "Amplitude spectra of tip deflections",
                .x_label = "frequency [Hz]",
                .y_label = "[mm]",
                .x = {},
                .over_time = false,
                .logarithmic = true,
                .curves = {},
                .parts = FigureParts::links};
  const VectorXd time = record.time();
  Eigen::Index rows = time.size();
  if (rows < 3) return figure;
  const double interval = time[1] - time[0];
  // The last row stands at the end of the run, whatever the rate.
  constexpr double rounding = 1e-6;  // of times beside their interval
  if (std::abs(time[rows - 1] - time[rows - 2] - interval) > rounding * interval) --rows;
  for (const Curve& curve : deflection(record).curves) {
    Spectrum found = amplitude_spectrum(curve.values.head(rows), interval);
    if (found.frequencies.size() == 0) continue;
    figure.x = found.frequencies;
    figure.curves.push_back({curve.name, std::move(found.amplitudes), curve.group});
  }
  if (!figure.curves.empty()) add_marks(record, figure);
  return figure;
}

// What else a name stands for in this figure: a link for its joint, or a joint for its link.
std::string partner(const std::string& name, const Figure& figure, const ArmOutline& arm) {
  for (const WholeOutline& whole : whole_links(arm)) {
    const OutlineLink& link = arm.links[whole.parts.front()];
    if (figure.parts == FigureParts::joints && whole.name == name) return link.joint.name;
    if (figure.parts == FigureParts::links && link.joint.name == name) return whole.name;
  }
  return name;
}

}  // namespace

// In the order of a report; quantities with a figure of their own that is not named here come before the energies.
const std::vector<std::string>& figure_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all = {
        "joints",      "deviation",    "rates",          "efforts",         "deflection",     "torsion",
        "error",       "end-effector", "sensors",        "residuals",       "forces",         "moments",
        "loop-forces", "loop-moments", "section-forces", "section-moments", "section-stress", "stress",
        "energy",      "energy-error", "spectrum"};
    for (const Quantity& quantity : all_quantities())
      if (*quantity.figure && std::find(all.begin(), all.end(), quantity.figure) == all.end())
        all.insert(std::find(all.begin(), all.end(), "energy"), quantity.figure);
    return all;
  }();
  return names;
}

namespace {

Figure bare_figure(const RunRecord& record, const std::string& id) {
  if (id == "joints") return joints(record);
  if (id == "deviation") return deviation(record);
  if (id == "rates") return rates(record);
  if (id == "deflection") return deflection(record);
  if (id == "torsion") return torsion(record);
  if (id == "error") return error(record);
  if (id == "forces") return wrenches(record, "forces", "Forces in the joints", "[N]", {"fx", "fy", "fz"});
  if (id == "moments")
    return wrenches(record, "moments", "Moments in the joints", "[N m]", {"mx", "my", "mz"});
  if (id == "loop-forces")
    return loop_forces(record, "loop-forces", "Forces of the loops, in the world", "[N]", {"fx", "fy", "fz"});
  if (id == "loop-moments")
    return loop_forces(record, "loop-moments", "Moments of the loops, in the world", "[N m]",
                       {"mx", "my", "mz"});
  if (id == "sensors") return in_one(record, "sensors", "Sensors", sensors_by_unit(record));
  if (id == "residuals") return in_one(record, "residuals", residual_title, residuals_by_unit(record));
  if (auto sections = section_figure(record, id)) return std::move(*sections);
  if (id == "energy") return energy(record);
  if (id == "energy-error") return energy_error(record);
  for (const Quantity& quantity : all_quantities())
    if (id == quantity.figure) return plain(record, quantity);
  return spectrum(record);
}

// One, or one for each unit.
std::vector<Figure> figures_of(const RunRecord& record, const std::string& id) {
  if (id == "sensors") return sensors_by_unit(record);
  if (id == "residuals") return residuals_by_unit(record);
  return {bare_figure(record, id)};
}

}  // namespace

Figure figure(const RunRecord& record, const std::string& id) {
  Figure one = bare_figure(record, id);
  add_measured(record, one);
  return one;
}

std::vector<Figure> figures(const RunRecord& record) {
  std::vector<Figure> all;
  for (const std::string& id : figure_names())
    for (Figure& one : figures_of(record, id)) {
      add_measured(record, one);
      if (!one.curves.empty()) all.push_back(std::move(one));
    }
  return all;
}

Figure only(const Figure& figure, const std::vector<std::string>& names, const ArmOutline& arm) {
  std::set<std::string> known, wanted;
  for (const Curve& curve : figure.curves) {
    known.insert(curve.name);
    if (!curve.group.empty()) known.insert(curve.group);
  }
  for (const std::string& name : names) {
    const std::string other = partner(name, figure, arm);
    if (!known.contains(name) && !known.contains(other))
      throw InputError(Problem{"--only", fmt::format("a joint, a link or a curve of `{}`", figure.id),
                               show_text(name), suggestion(name, {known.begin(), known.end()}, "names")});
    wanted.insert({name, other});
  }
  Figure part = figure;
  part.curves.clear();
  bool is_kept = false;
  for (const Curve& curve : figure.curves) {
    if (!curve.is_reference) is_kept = wanted.contains(curve.name) || wanted.contains(curve.group);
    if (is_kept) part.curves.push_back(curve);
  }
  say_unit_at_axis(part);
  return part;
}

Figure in_degrees(Figure figure) {
  bool has_angles = false;
  for (Curve& curve : figure.curves) {
    if (!curve.is_angle) continue;
    curve.values *= degrees;
    curve.is_angle = false;
    has_angles = true;
  }
  const std::string radians = "rad";
  for (std::size_t at = 0; has_angles && (at = figure.y_label.find(radians, at)) != std::string::npos;)
    figure.y_label.replace(at, radians.size(), "deg");
  return figure;
}

std::vector<std::string> labels(const std::vector<RunRecord>& records) {
  const auto by = [&](auto&& name) {
    std::vector<std::string> all;
    for (const RunRecord& record : records) all.push_back(name(record));
    return all;
  };
  const auto differ = [](const std::vector<std::string>& names) {
    return std::set(names.begin(), names.end()).size() == names.size();
  };
  const std::vector<std::vector<std::string>> choices = {
      by([](const RunRecord& r) { return r.run.info.formulation; }), by([](const RunRecord& r) {
        return std::string(r.arm().kinematics == KinematicOrder::first ? "first" : "second") + " order";
      }),
      by([](const RunRecord& r) { return r.run.info.method_text(); }),
      by([](const RunRecord& r) { return r.arm().name; }),
      by([](const RunRecord& r) { return r.file.substr(0, r.file.rfind('.')); })};
  for (const auto& names : choices)
    if (differ(names)) return names;
  std::vector<std::string> numbered = choices.back();
  for (std::size_t i = 0; i < numbered.size(); ++i) numbered[i] += fmt::format(" ({})", i + 1);
  return numbered;
}

}  // namespace limber
