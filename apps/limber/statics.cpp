// SPDX-License-Identifier: BSD-3-Clause
// limber statics MODEL: where an arm comes to rest, and what holds it there.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <numbers>
#include <optional>
#include <vector>

#include "command.hpp"
#include "cylinders.hpp"
#include "json_numbers.hpp"
#include "limber/algorithms/beam_state.hpp"
#include "limber/algorithms/constraints.hpp"
#include "limber/algorithms/jacobian.hpp"
#include "limber/algorithms/kinematics.hpp"
#include "limber/analysis/equilibrium.hpp"
#include "limber/analysis/limits.hpp"
#include "limber/analysis/rigid_arm.hpp"
#include "limber/core/input_error.hpp"
#include "limber/io/model_file.hpp"
#include "limber/model/field_rule.hpp"
#include "limber/model/hydraulics.hpp"
#include "limber/model/lookup.hpp"
#include "state_option.hpp"
#include "statics_path.hpp"
#include "statics_sections.hpp"
#include "table.hpp"

namespace limber::app {
namespace {

using Json = nlohmann::ordered_json;
using Eigen::Vector3d;
using Eigen::VectorXd;

struct Gauge {
  std::string name;
  WholeLink link;
  double x;
};

struct Result {
  Equilibrium equilibrium;
  PoseOf<double> end_effector;
  Sag sag;
  std::optional<double> searched;        // the factor up to which
  std::optional<CriticalLoad> critical;  // was looked for
};

const char* way_to_fail(MotionKind kind) { return kind == MotionKind::flutter ? "flutter" : "divergence"; }

// LINK@X, X in metres from the root.
Gauge parse_gauge(const std::string& text, const Model& model) {
  const auto at = text.find('@');
  const std::string name = text.substr(0, at);
  std::string names;
  for (const WholeLink& link : whole_links(model)) {
    names += (names.empty() ? "" : ", ") + link.name;
    if (link.name != name) continue;
    if (model.links()[static_cast<std::size_t>(link.first)].body)
      throw InputError(Problem{"--gauge", "LINK@X with a link that is a beam",
                               "`" + name + "`, a body of finite elements", "such a body has no curvature"});
    double x = -1.0;
    try {
      if (at != std::string::npos) x = std::stod(text.substr(at + 1));
    } catch (const std::exception&) {
      x = -1.0;
    }
    const double length = beam_length(model, link);
    if (!(x >= 0.0 && x <= length))
      throw InputError(Problem{"--gauge", fmt::format("{}@X with X from 0 to {} m", name, length),
                               "`" + text + "`", "the place of the gauge from the root of the beam"});
    return {text, link, x};
  }
  throw InputError(Problem{"--gauge", "LINK@X with the name of a link", "`" + text + "`",
                           "the links of this arm are " + names});
}

// 3 numbers or 6. The parser takes what follows as well, and so perhaps the model.
std::vector<double> parse_reach(const std::vector<std::string>& words) {
  std::vector<double> numbers;
  const auto wanted = [&](const std::string& hint) {
    return InputError(Problem{"--reach", "3 numbers (a place) or 6 (and roll, pitch, yaw)",
                              show_text(fmt::format("{}", fmt::join(words, " "))), hint});
  };
  for (const std::string& word : words) {
    std::size_t used = 0;
    try {
      numbers.push_back(std::stod(word, &used));
    } catch (const std::logic_error&) {
      used = 0;
    }
    if (used != word.size() || !std::isfinite(numbers.back()))
      throw wanted("`" + word + "` is no number; a model stands before --reach");
  }
  if (numbers.size() != 3 && numbers.size() != 6) throw wanted("");
  return numbers;
}

Json curvature_json(const Model& model, const WholeLink& link, const VectorXd& q, int points) {
  Json rows = Json::array();
  const double length = beam_length(model, link, q);
  for (int i = 0; i < points && length > 0.0; ++i) {
    const BeamStrain s = beam_strain(model, link, q, length * i / (points - 1));
    rows.push_back({s.x, s.kappa_y, s.kappa_z, s.twist});
  }
  return rows;
}

// Of drives that hold, and of stops that are pressed.
VectorXd pushed_at_rest(Struts& struts, const Model& model, const Equilibrium& equilibrium) {
  struts.update(equilibrium.q, VectorXd::Zero(model.nv()));
  return struts.stop_forces() +
         (equilibrium.drives.size() > 0 ? equilibrium.drives : VectorXd(VectorXd::Zero(struts.count())));
}

Json cylinders_at_rest(const Model& model, const Equilibrium& equilibrium) {
  Struts struts(model);
  Json all = cylinders_json(model, equilibrium.q, VectorXd::Zero(model.nv()),
                            pushed_at_rest(struts, model, equilibrium));
  for (std::size_t i = 0; i < model.cylinders().size(); ++i) {
    const Cylinder& cylinder = model.cylinders()[i];
    if (!cylinder.hydraulics) continue;
    const double force =
        equilibrium.drives.size() > 0 ? equilibrium.drives[static_cast<Eigen::Index>(i)] : 0.0;
    const ChamberPressures p = holding_pressures(*cylinder.hydraulics, force);
    all[cylinder.name]["pressures"] = {p.a, p.b};
  }
  return all;
}

std::vector<LoopForce> loops_at_rest(const Model& model, const Equilibrium& equilibrium) {
  if (model.loops().empty()) return {};
  LoopSolver loops(model);
  loops.update(equilibrium.q, VectorXd::Zero(model.nv()));
  return loops.forces_of(equilibrium.multipliers);
}

Json as_json(const Model& model, const Result& result, const SectionsAtRest& sections,
             const std::vector<Gauge>& gauges, int points) {
  const VectorXd& q = result.equilibrium.q;
  Json efforts = Json::object(), links = Json::array(), readings = Json::array();
  for (const Link& link : model.links())
    for (int j = 0; j < link.joint.nv; ++j)
      efforts[model.coordinates()[link.joint.v_index + j]] =
          result.equilibrium.efforts[link.joint.v_index + j];
  for (const WholeLink& link : whole_links(model)) {
    const TipState tip = tip_state(model, link, q);
    links.push_back({{"name", link.name},
                     {"tip_deflection", vector_json(tip.deflection)},
                     {"tip_slope", vector_json(tip.slope)},
                     {"curvature", curvature_json(model, link, q, points)}});
    sections.add_to(links.back(), link);
  }
  for (const Gauge& gauge : gauges) {
    const BeamStrain s = beam_strain(model, gauge.link, q, gauge.x);
    readings.push_back({{"gauge", gauge.name},
                        {"link", gauge.link.name},
                        {"x", s.x},
                        {"kappa_y", s.kappa_y},
                        {"kappa_z", s.kappa_z},
                        {"twist", s.twist},
                        {"stretch", s.stretch}});
  }
  Json document = {
      {"name", model.name()},
      {"coordinates", model.coordinates()},
      {"q", vector_json(q)},
      {"joint_efforts", efforts},
      {"end_effector",
       {{"position", vector_json(result.end_effector.p)}, {"rotation", matrix_json(result.end_effector.R)}}},
      {"sag",
       {{"displacement", vector_json(result.sag.displacement)},
        {"distance", result.sag.displacement.norm()},
        {"rotation", vector_json(result.sag.rotation)},
        {"rigid_position", vector_json(result.sag.rigid.p)}}},
      {"links", links},
      {"gauges", readings},
      {"largest_utilisation",
       sections.largest_utilisation() ? Json(*sections.largest_utilisation()) : Json(nullptr)},
      {"stable", result.equilibrium.stable},
      {"iterations", result.equilibrium.iterations},
      {"load_steps", result.equilibrium.load_steps}};
  if (!model.cylinders().empty()) document["cylinders"] = cylinders_at_rest(model, result.equilibrium);
  for (const LoopForce& loop : loops_at_rest(model, result.equilibrium))
    document["loops"].push_back(
        {{"name", loop.name}, {"force", vector_json(loop.force)}, {"moment", vector_json(loop.moment)}});
  if (!result.searched) return document;
  document["critical_load_factor"] = nullptr;
  document["critical_load_searched_to"] = *result.searched;
  if (!result.critical) return document;
  document["critical_load_factor"] = result.critical->factor;
  document["critical_load_kind"] = way_to_fail(result.critical->kind);
  if (result.critical->kind == MotionKind::flutter)
    document["flutter_frequency_hz"] = result.critical->frequency / (2.0 * std::numbers::pi);
  return document;
}

std::string triple(const Vector3d& v) {
  return fmt::format("[{} {} {}]", number(v.x()), number(v.y()), number(v.z()));
}

void print(const Model& model, const Result& result, const SectionsAtRest& sections,
           const std::vector<Gauge>& gauges) {
  using Align = Table::Align;
  const VectorXd& q = result.equilibrium.q;
  fmt::print("{}\n\n", styled(Style::bold, model.name()));
  Table joints({{"joint", ""}, {"at", "rad or m", Align::right}, {"effort", "N m or N", Align::right}});
  for (const Link& link : model.links())
    for (int j = 0; j < link.joint.nv; ++j)
      joints.add_row({model.coordinates()[link.joint.v_index + j],
                      link.joint.has_quaternion() ? "" : number(q[link.joint.q_index + j]),
                      number(result.equilibrium.efforts[link.joint.v_index + j])});
  fmt::print("{}\n", joints.str());
  if (!model.cylinders().empty()) print_cylinders(cylinders_at_rest(model, result.equilibrium));
  if (!model.loops().empty()) {
    Table loops({{"loop", ""}, {"force by a on b", "N, world"}, {"moment", "N m"}});
    for (const LoopForce& loop : loops_at_rest(model, result.equilibrium))
      loops.add_row({loop.name, triple(loop.force), triple(loop.moment)});
    fmt::print("{}\n", loops.str());
  }
  constexpr double millimetres = 1e3, degrees = 180.0 / std::numbers::pi;
  Table links({{"link", ""},
               {"tip moves by", "mm"},
               {"turns by", "deg"},
               {"curvature at the root", "1/m: y, z, twist"}});
  for (const WholeLink& link : whole_links(model)) {
    if (model.links()[static_cast<std::size_t>(link.first)].elastic_count == 0) continue;
    const TipState tip = tip_state(model, link, q);
    std::string curvature = "-";
    if (beam_length(model, link) > 0.0) {
      const BeamStrain s = beam_strain(model, link, q, 0.0);
      curvature = triple({s.kappa_y, s.kappa_z, s.twist});
    }
    links.add_row({link.name, triple(millimetres * tip.deflection), triple(degrees * tip.slope), curvature});
  }
  fmt::print("{}\n", links.str());
  fmt::print("{}", sections.tables());
  if (!gauges.empty()) {
    Table readings({{"gauge", ""},
                    {"kappa y", "1/m", Align::right},
                    {"kappa z", "1/m", Align::right},
                    {"twist", "rad/m", Align::right},
                    {"stretch", "", Align::right}});
    for (const Gauge& gauge : gauges) {
      const BeamStrain s = beam_strain(model, gauge.link, q, gauge.x);
      readings.add_row(
          {gauge.name, number(s.kappa_y), number(s.kappa_z), number(s.twist), number(s.stretch)});
    }
    fmt::print("{}\n", readings.str());
  }
  fmt::print("  end effector  {} m\n", triple(result.end_effector.p));
  fmt::print("  sag           {} mm: the end effector by {} mm and {} deg from where the rigid arm has it\n",
             triple(millimetres * result.sag.displacement),
             number(millimetres * result.sag.displacement.norm()),
             number(degrees * result.sag.rotation.norm()));
  if (result.critical)
    fmt::print(
        "  becomes unstable at {} times gravity and loads: {}\n", number(result.critical->factor),
        result.critical->kind == MotionKind::flutter
            ? fmt::format("flutter at {} Hz", number(result.critical->frequency / (2.0 * std::numbers::pi)))
            : "divergence (it buckles or snaps)");
  else if (result.searched)
    fmt::print("  critical factor on gravity and loads: none up to {}\n", number(*result.searched));
  fmt::print("{}\n", styled(Style::dim,
                            "  Deflections in each link's root frame. --json has curvatures, section forces "
                            "and stress along the "
                            "beams."));
}

}  // namespace

void add_statics(CLI::App& app, Common& common) {
  struct Options {
    std::string model, state;
    bool linear = false;
    int points = 21;
    std::vector<std::string> gauges;
    std::vector<std::string> reach;
    std::optional<double> critical;
    PathOptions path;
  };
  auto options = std::make_shared<Options>();
  CLI::App* command = add_command(app, common, "statics",
                                  "Equilibrium with the joints held (those with a spring on it): sag, "
                                  "efforts, section forces, stress, gauges");
  command->add_option("MODEL", options->model, "Model file (*.yaml)")->required();
  add_set_option(*command, common);
  command->add_option("--state", options->state,
                      "State file: q of the joints, loads, `hold` (joints that are held although they have a "
                      "spring); without it q = 0 under gravity alone");
  command->add_flag("--linear", options->linear,
                    "One Newton step from the straight arm: linear in the elastic coordinates");
  command
      ->add_option("--points", options->points,
                   "Places along each beam in --json: curvature, section forces, stress (default 21)")
      ->check(CLI::Range(2, 100000));
  command
      ->add_option("--gauge", options->gauges, "Strain gauge: LINK@X, X in m from the root; may be repeated")
      ->allow_extra_args(false);
  command
      ->add_option(
          "--reach", options->reach,
          "Find the joints: the place of the end effector in the world [m], or place and attitude [rad]: "
          "3 numbers or 6")
      ->option_text("X Y Z [ROLL PITCH YAW]")
      ->expected(1, 6);
  command->add_option(
      "--path", options->path.file,
      "Find the joints along a path: a table (*.csv) with columns x, y, z [m], perhaps roll, pitch, "
      "yaw [rad], perhaps t [s]");
  command->add_option("-o,--output", options->path.folder,
                      "With --path: folder for a table of each joint, as a trajectory `table` reads it");
  command->add_flag("--force", options->path.force, "Write over existing files");
  command->add_option(
      "--critical", options->critical,
      "Find the factor on gravity and loads at which the arm becomes unstable (divergence or flutter), up to "
      "this one");
  command->callback([options, &common] {
    if (options->critical && !(*options->critical > 0.0 && std::isfinite(*options->critical)))
      throw InputError(
          Problem{"--critical", "a number > 0: the largest factor to try", number(*options->critical), ""});
    Model model = read_model(options->model, settings(common));
    const State state = read_state_or_neutral(options->state, model);
    const auto loads = place_loads(state.loads, model);
    if (options->path.file.empty() && !options->path.folder.empty())
      throw InputError(Problem{"-o", "--path FILE", "none", "tables are written of the joints along a path"});
    if (!options->path.file.empty()) {
      if (!options->reach.empty() || options->linear || options->critical)
        throw InputError(
            Problem{"--path", "--path without --reach, --linear and --critical", "one of them", ""});
      options->path.model_file = options->model;
      return run_path(model, state, loads, options->path, common);
    }
    std::vector<Gauge> gauges;
    for (const std::string& text : options->gauges) gauges.push_back(parse_gauge(text, model));

    Result result;
    if (options->reach.empty()) {
      result.equilibrium = static_equilibrium(
          model, state.q, loads, options->linear ? StaticModel::linear : StaticModel::exact, {}, state.hold);
    } else {
      const std::vector<double> r = parse_reach(options->reach);
      if (options->linear)
        throw InputError(Problem{"--reach", "the full statics", "--linear", "leave out --linear"});
      std::optional<Eigen::Matrix3d> rotation;
      if (r.size() == 6) rotation = rotation_from_rpy({r[3], r[4], r[5]});
      result.equilibrium = reach(model, state.q, {r[0], r[1], r[2]}, rotation, loads, state.hold);
    }
    const bool stable = result.equilibrium.stable;
    if (options->critical || (!stable && model.cylinders().empty())) {
      result.searched = options->critical.value_or(1.0);
      result.critical = critical_load(model, result.equilibrium.q, loads, *result.searched, state.hold);
    }
    Workspace<double> work(model);
    update_positions(model, work, result.equilibrium.q);
    update_world_poses(work);
    result.end_effector = frame_pose(model, work, end_effector_frame(model));
    // Joints that are asked for, or were found.
    result.sag = sag(model, result.equilibrium.q, options->reach.empty() ? state.q : result.equilibrium.q);

    if (!stable && !model.cylinders().empty())
      warn(common, "this equilibrium is unstable: the arm leaves it on its cylinders as they are");
    else if (!stable)
      warn(common, fmt::format("this equilibrium is unstable: the arm {} at {} times these loads",
                               result.critical && result.critical->kind == MotionKind::flutter ? "flutters"
                                                                                               : "buckles",
                               result.critical ? number(result.critical->factor) : "less than one"));
    warn_about_range(common, model, result.equilibrium.q);
    warn(common, state_warnings(model, result.equilibrium.q));
    warn(common, effort_warnings(model, result.equilibrium.efforts));
    warn(common, cylinder_warnings(model, result.equilibrium.q, result.equilibrium.drives));
    const SectionsAtRest sections(model, result.equilibrium, loads, options->points);
    warn(common, sections.warnings());
    if (common.json)
      print_json(as_json(model, result, sections, gauges, options->points));
    else
      print(model, result, sections, gauges);
  });
}

}  // namespace limber::app
