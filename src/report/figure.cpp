#include "limber/report/figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>
#include <set>

#include "limber/analysis/modes.hpp"
#include "limber/analysis/rigid_arm.hpp"
#include "limber/core/computation_error.hpp"
#include "limber/core/input_error.hpp"
#include "limber/model/field_rule.hpp"
#include "limber/scenario/choices.hpp"
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
  int q, v;
  bool turns;
};

std::vector<JointCoordinate> single_coordinates(const Model& model) {
  std::vector<JointCoordinate> all;
  for (const Link& link : model.links)
    for (int j = 0; j < link.joint.nv; ++j) {
      if (link.joint.nq != link.joint.nv) continue;
      const int v = link.joint.v_index + j;
      all.push_back({model.coordinates[static_cast<std::size_t>(v)], link.joint.name, link.joint.q_index + j,
                     v, link.joint.type != JointType::prismatic});
    }
  return all;
}

// "rad", "m", or both where an arm has both kinds of joints.
std::string unit_of_joints(const Model& model, const std::string& turning, const std::string& sliding) {
  bool turns = false, slides = false;
  for (const JointCoordinate& c : single_coordinates(model)) (c.turns ? turns : slides) = true;
  return turns && slides ? turning + " or " + sliding : slides ? sliding : turning;
}

VectorXd reference(const JointTarget& target, const VectorXd& time) {
  return time.unaryExpr([&](double t) { return target.trajectory->at(t).position; });
}

Curve of_joint(const JointCoordinate& c, VectorXd values) {
  return {c.name, std::move(values), c.joint, false, c.turns};
}

Figure joints(const RunRecord& record) {
  const Model& model = record.model();
  Figure figure = over_time(record, "joints", "Joint positions",
                            fmt::format("[{}]", unit_of_joints(model, "rad", "m")), FigureParts::joints);
  const auto targets = joint_targets(record.scenario);
  for (const JointCoordinate& c : single_coordinates(model)) {
    figure.curves.push_back(of_joint(c, record.column("q." + c.name)));
    for (const JointTarget& target : targets)
      if (target.coordinate == c.v)
        figure.curves.push_back({c.name + " reference", reference(target, figure.x), c.joint, true, c.turns});
  }
  return figure;
}

Figure deviation(const RunRecord& record) {
  const Model& model = record.model();
  Figure figure = over_time(record, "deviation", "Joint positions minus references",
                            fmt::format("[{}]", unit_of_joints(model, "rad", "m")), FigureParts::joints);
  const auto targets = joint_targets(record.scenario);
  for (const JointCoordinate& c : single_coordinates(model))
    for (const JointTarget& target : targets)
      if (target.coordinate == c.v)
        figure.curves.push_back(of_joint(c, record.column("q." + c.name) - reference(target, figure.x)));
  return figure;
}

Figure rates(const RunRecord& record) {
  Figure figure =
      over_time(record, "rates", "Joint rates",
                fmt::format("[{}]", unit_of_joints(record.model(), "rad/s", "m/s")), FigureParts::joints);
  for (const JointCoordinate& c : single_coordinates(record.model()))
    figure.curves.push_back(of_joint(c, record.column("v." + c.name)));
  return figure;
}

Figure efforts(const RunRecord& record) {
  Figure figure =
      over_time(record, "efforts", "Joint efforts",
                fmt::format("[{}]", unit_of_joints(record.model(), "N m", "N")), FigureParts::joints);
  for (const Link& link : record.model().links)
    for (int j = 0; j < link.joint.nv; ++j) {
      const std::string& name = record.model().coordinates[static_cast<std::size_t>(link.joint.v_index + j)];
      if (record.has("effort." + name))
        figure.curves.push_back({name, record.column("effort." + name), link.joint.name});
    }
  const bool all_zero = std::all_of(figure.curves.begin(), figure.curves.end(),
                                    [](const Curve& curve) { return curve.values.isZero(0.0); });
  if (all_zero) figure.curves.clear();
  return figure;
}

bool bends(const Link& link, Direction direction) {
  if (!link.beam) return false;
  const auto& coordinates = link.beam->basis.coordinates();
  return std::any_of(coordinates.begin(), coordinates.end(),
                     [&](const BeamBasis::Coordinate& c) { return c.direction == direction; });
}

/// One number of a link's tip over time, from its elastic coordinates.
template <typename Function>
VectorXd of_tip(const RunRecord& record, const Link& link, Function&& function) {
  const BeamNode& tip = link.nodes.front().field;
  VectorXd values(record.table.values.rows()), eta;
  for (Eigen::Index row = 0; row < values.size(); ++row) {
    eta = record.table.values.row(row).segment(1 + link.elastic_q_index, link.elastic_count);
    values[row] = function(tip, eta);
  }
  return values;
}

Figure deflection(const RunRecord& record) {
  Figure figure = over_time(record, "deflection", "Tip deflection of each link", "[mm]", FigureParts::links);
  for (const Link& link : record.model().links)
    for (const int axis : {1, 2}) {
      // Second order couples the planes: torsion carries bending in one of them into the other.
      const bool moves = bends(link, axis == 1 ? Direction::y : Direction::z) ||
                         (record.model().kinematics == KinematicOrder::second &&
                          bends(link, Direction::torsion) && link.elastic_count > 0);
      if (!moves) continue;
      figure.curves.push_back({link.name + (axis == 1 ? " y" : " z"),
                               of_tip(record, link,
                                      [axis](const BeamNode& tip, const VectorXd& eta) {
                                        return millimetres * tip.position<double>(eta)[axis];
                                      }),
                               link.name});
    }
  return figure;
}

Figure torsion(const RunRecord& record) {
  Figure figure = over_time(record, "torsion", "Tip torsion of each link", "[deg]", FigureParts::links);
  for (const Link& link : record.model().links)
    if (bends(link, Direction::torsion))
      figure.curves.push_back({link.name,
                               of_tip(record, link,
                                      [](const BeamNode& tip, const VectorXd& eta) {
                                        return degrees * tip.rotation_vector<double>(eta).x();
                                      }),
                               link.name});
  return figure;
}

Figure end_effector(const RunRecord& record) {
  Figure figure = over_time(record, "end-effector", "End effector", "[m]");
  for (const char* axis : {"x", "y", "z"})
    figure.curves.push_back({axis, record.column(std::string("end_effector.") + axis)});
  return figure;
}

Figure error(const RunRecord& record) {
  Figure figure = over_time(record, "error", "End effector: distance from where it should be", "[mm]");
  const auto targets = joint_targets(record.scenario);
  RigidArm rigid(record.model());
  const Eigen::Index rows = figure.x.size();
  VectorXd from_reference(rows), from_rigid(rows);
  const VectorXd x = record.column("end_effector.x"), y = record.column("end_effector.y"),
                 z = record.column("end_effector.z");
  for (Eigen::Index row = 0; row < rows; ++row) {
    const Eigen::Vector3d tip(x[row], y[row], z[row]);
    VectorXd q = record.configuration(row);
    from_rigid[row] = millimetres * (tip - rigid.end_effector(q).p).norm();
    for (const JointTarget& target : targets)
      q[target.position] = target.trajectory->at(figure.x[row]).position;
    from_reference[row] = millimetres * (tip - rigid.end_effector(q).p).norm();
  }
  if (!targets.empty()) figure.curves.push_back({"from the reference", std::move(from_reference)});
  figure.curves.push_back({"by bending alone", std::move(from_rigid)});
  return figure;
}

Figure wrenches(const RunRecord& record, const char* id, const char* title, const char* unit,
                const std::vector<std::string>& components) {
  Figure figure = over_time(record, id, title, unit, FigureParts::joints);
  for (const Link& link : record.model().links)
    for (const std::string& component : components) {
      const std::string column = fmt::format("wrench.{}.{}", link.joint.name, component);
      if (record.has(column))
        figure.curves.push_back({link.joint.name + " " + component, record.column(column), link.joint.name});
    }
  return figure;
}

Figure energy(const RunRecord& record) {
  Figure figure = over_time(record, "energy", "Energy: where it is and where it came from", "[J]");
  const Ledger& start = record.run.checkpoint.start;
  const auto add = [&](const char* name, const char* column, double at_start) {
    VectorXd values = record.column(std::string("energy.") + column).array() - at_start;
    const bool is_first = figure.curves.empty();  // of an arm at rest, one that says so
    if (is_first || !values.isZero(0.0)) figure.curves.push_back({name, std::move(values)});
  };
  add("kinetic", "kinetic", 0.0);
  add("strain", "strain", 0.0);
  add("gravity, change", "gravity", start.gravity);
  add("work of actuators", "work_actuators", 0.0);
  add("work of loads", "work_loads", 0.0);
  add("dissipated", "dissipated", 0.0);
  return figure;
}

Figure energy_error(const RunRecord& record) {
  Figure figure = over_time(record, "energy-error", "Energy that integration made or lost", "[J]");
  figure.curves.push_back({"error", record.column("energy.error")});
  return figure;
}

// Frequencies about the last row, where the arm rings, as `limber modes` finds and names them: joints held (those with a spring
// swing on it, unless they are prescribed), and all joints as modelled.
void add_marks(const RunRecord& record, Figure& figure) {
  constexpr int most = 8;
  const VectorXd q = record.configuration(record.table.values.rows() - 1);
  const double highest = figure.x.size() > 0 ? figure.x[figure.x.size() - 1] : 0.0;
  JointNames prescribed;
  for (const JointTarget& target : record.scenario.prescribed)
    prescribed.push_back(record.model().coordinates[static_cast<std::size_t>(target.coordinate)]);
  for (const JointTreatment joints : {JointTreatment::held, JointTreatment::as_modelled}) {
    VectorXd frequencies;
    try {
      frequencies = natural_modes(record.model(), q, joints, most + record.model().nv, {}, prescribed)
                        .angular_frequencies;
    } catch (const ComputationError&) {
      continue;  // no mass somewhere: nothing to mark
    }
    int number = 0;
    for (const double omega : frequencies) {
      const double f = omega / (2.0 * std::numbers::pi);
      constexpr double rigid_motion = 1e-4;  // Hz; a free joint's own mode
      if (!(f > rigid_motion)) continue;
      if (f > highest || ++number > most) break;
      figure.marks.push_back({f, fmt::format("{} {}", name_of(joints), number)});
    }
  }
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
  if (std::abs(time[rows - 1] - time[rows - 2] - interval) > 1e-6 * interval) --rows;
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
std::string partner(const std::string& name, const Figure& figure, const Model& model) {
  for (const Link& link : model.links) {
    if (figure.parts == FigureParts::joints && link.name == name) return link.joint.name;
    if (figure.parts == FigureParts::links && link.joint.name == name) return link.name;
  }
  return name;
}

}  // namespace

const std::vector<std::string>& figure_names() {
  static const std::vector<std::string> names = {
      "joints",       "deviation", "rates",   "efforts", "deflection",   "torsion", "error",
      "end-effector", "forces",    "moments", "energy",  "energy-error", "spectrum"};
  return names;
}

Figure figure(const RunRecord& record, const std::string& id) {
  if (id == "joints") return joints(record);
  if (id == "deviation") return deviation(record);
  if (id == "rates") return rates(record);
  if (id == "efforts") return efforts(record);
  if (id == "deflection") return deflection(record);
  if (id == "torsion") return torsion(record);
  if (id == "end-effector") return end_effector(record);
  if (id == "error") return error(record);
  if (id == "forces") return wrenches(record, "forces", "Forces in the joints", "[N]", {"fx", "fy", "fz"});
  if (id == "moments")
    return wrenches(record, "moments", "Moments in the joints", "[N m]", {"mx", "my", "mz"});
  if (id == "energy") return energy(record);
  if (id == "energy-error") return energy_error(record);
  return spectrum(record);
}

std::vector<Figure> figures(const RunRecord& record) {
  std::vector<Figure> all;
  for (const std::string& id : figure_names()) {
    Figure one = figure(record, id);
    if (!one.curves.empty()) all.push_back(std::move(one));
  }
  return all;
}

Figure only(const Figure& figure, const std::vector<std::string>& names, const Model& model) {
  std::set<std::string> known, wanted;
  for (const Curve& curve : figure.curves) {
    known.insert(curve.name);
    if (!curve.group.empty()) known.insert(curve.group);
  }
  for (const std::string& name : names) {
    const std::string other = partner(name, figure, model);
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
        return std::string(r.model().kinematics == KinematicOrder::first ? "first" : "second") + " order";
      }),
      by([](const RunRecord& r) { return r.method; }), by([](const RunRecord& r) { return r.model().name; }),
      by([](const RunRecord& r) { return r.file.substr(0, r.file.rfind('.')); })};
  for (const auto& names : choices)
    if (differ(names)) return names;
  std::vector<std::string> numbered = choices.back();
  for (std::size_t i = 0; i < numbered.size(); ++i) numbered[i] += fmt::format(" ({})", i + 1);
  return numbered;
}

}  // namespace limber
