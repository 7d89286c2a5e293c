// SPDX-License-Identifier: BSD-3-Clause
// limber jacobian MODEL --at LINK@X: how a point moves with the coordinates, in Piedboeuf's blocks and as a whole, and how it gives way.

#include "limber/algorithms/jacobian.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "command.hpp"
#include "json_numbers.hpp"
#include "limber/algorithms/kinematics.hpp"
#include "limber/analysis/endpoint.hpp"
#include "limber/analysis/equilibrium.hpp"
#include "limber/core/input_error.hpp"
#include "limber/io/model_file.hpp"
#include "limber/literature/piedboeuf.hpp"
#include "limber/model/lookup.hpp"
#include "paper_commands.hpp"
#include "point_option.hpp"
#include "state_option.hpp"
#include "table.hpp"

namespace limber::app {
namespace {

using Json = nlohmann::ordered_json;

struct JacobianOptions {
  std::string model, state, at;
  std::vector<std::string> gauges, components;
  bool settle = false;
};

constexpr const char* component_names[] = {"fx", "fy", "fz", "mx", "my", "mz"};

// LINK@X.kappa_z=READING or LINK@X.kappa_z=READING+-ERROR, X in metres from the root.
StrainGauge parse_gauge(const std::string& text, const Model& model) {
  const auto refuse = [&](const std::string& expected, const std::string& hint) {
    return InputError(Problem{"--gauge", expected, "`" + text + "`", hint});
  };
  const auto sign = text.find('@'), equals = text.find('=');
  const auto dot = text.rfind('.', equals);
  if (sign == std::string::npos || equals == std::string::npos || dot == std::string::npos || dot < sign)
    throw refuse("LINK@X.STRAIN=READING", "e.g. boom@0.1.kappa_z=0.02+-1e-4");
  constexpr std::pair<const char*, StrainKind> kinds[] = {{"kappa_y", StrainKind::kappa_y},
                                                          {"kappa_z", StrainKind::kappa_z},
                                                          {"twist", StrainKind::twist},
                                                          {"stretch", StrainKind::stretch}};
  const std::string kind = text.substr(dot + 1, equals - dot - 1);
  const auto* found =
      std::find_if(std::begin(kinds), std::end(kinds), [&](const auto& k) { return kind == k.first; });
  if (found == std::end(kinds)) throw refuse("LINK@X.STRAIN with kappa_y, kappa_z, twist or stretch", "");
  const auto number_in = [&](const std::string& digits) {
    char* end = nullptr;
    const double value = std::strtod(digits.c_str(), &end);
    if (digits.empty() || *end != '\0' || !std::isfinite(value))
      throw refuse("numbers", "`" + digits + "` is none");
    return value;
  };
  const double x = number_in(text.substr(sign + 1, dot - sign - 1));
  StrainGauge gauge;
  try {
    gauge = gauge_on(model, text.substr(0, sign), x);
  } catch (const InputError& error) {
    const Problem& problem = error.problems().front();
    throw problem.path == "x" ? refuse(problem.expected, "") : error;
  }
  gauge.strain = found->second;
  const std::string reading = text.substr(equals + 1);
  const auto about = reading.find("+-");
  gauge.reading = number_in(reading.substr(0, about));
  if (about != std::string::npos) gauge.error = number_in(reading.substr(about + 2));
  if (!(gauge.error >= 0.0)) throw refuse("an error of zero or more behind +-", "");
  return gauge;
}

std::vector<int> parse_components(const std::vector<std::string>& names) {
  std::vector<int> components;
  for (const std::string& name : names) {
    const auto* found = std::find(std::begin(component_names), std::end(component_names), name);
    if (found == std::end(component_names))
      throw InputError(Problem{"--components", "of fx, fy, fz, mx, my, mz", "`" + name + "`", ""});
    components.push_back(static_cast<int>(found - std::begin(component_names)));
  }
  return components;
}

// J_T = J_T0 + [eta^T J_Tx; eta^T J_Ty; eta^T J_Tz], J_R likewise, in the root frame of the link that carries the point.
Json local_json(const Model& model, const Frame& frame) {
  const Link& link = model.links()[static_cast<std::size_t>(frame.link)];
  if (link.elastic_count == 0) return nullptr;
  const LocalJacobians local = local_jacobians(link.nodes[static_cast<std::size_t>(frame.node)].field);
  std::vector<std::string> names;
  for (int j = 0; j < link.elastic_count; ++j)
    names.push_back(model.coordinates()[static_cast<std::size_t>(link.elastic_v_index + j)]);
  Json document = {{"link", link.name}, {"coordinates", names}};
  document["J_T0"] = matrix_json(local.J_T0);
  document["J_R0"] = matrix_json(local.J_R0);
  constexpr const char* axes[] = {"x", "y", "z"};
  for (std::size_t k = 0; k < 3; ++k) document[std::string("J_T") + axes[k]] = matrix_json(local.J_T[k]);
  for (std::size_t k = 0; k < 3; ++k) document[std::string("J_R") + axes[k]] = matrix_json(local.J_R[k]);
  return document;
}

struct Result {
  PoseOf<double> pose;
  Matrix6X<double> exact, first_order;
  EndpointCompliance compliance;
  std::optional<EndpointForce> force;  ///< where gauges were given
};

void print(const EndpointForce& force, const std::vector<int>& components) {
  using Align = Table::Align;
  Table table(
      {{"from the gauges", ""}, {"", "N, N m", Align::right}, {"at most wrong by", "", Align::right}});
  for (const int c : components)
    table.add_row({component_names[c], number(force.wrench[c]), number(force.bound[c])});
  fmt::print("\n{}", table.str());
  fmt::print("{}\n", styled(Style::dim, fmt::format("  the gauges are met to {}",
                                                    number(force.left_over.cwiseAbs().maxCoeff()))));
}

void print(const Model& model, const std::string& at, const Result& result) {
  using Align = Table::Align;
  Table table({{"coordinate", ""},
               {"x", "m per unit", Align::right},
               {"y", "", Align::right},
               {"z", "", Align::right},
               {"about x", "rad per unit", Align::right},
               {"about y", "", Align::right},
               {"about z", "", Align::right}});
  for (int i = 0; i < model.nv(); ++i) {
    std::vector<std::string> row = {model.coordinates()[static_cast<std::size_t>(i)]};
    for (int k = 0; k < 6; ++k) row.push_back(number(result.exact(k, i)));
    table.add_row(row);
  }
  fmt::print("{}, {} at ({}, {}, {}) m: columns of the Jacobian, world axes\n\n{}",
             styled(Style::bold, model.name()), at.empty() ? "end effector" : at, number(result.pose.p[0]),
             number(result.pose.p[1]), number(result.pose.p[2]), table.str());
  Table gives({{"compliance", ""},
               {"fx", "1 N", Align::right},
               {"fy", "1 N", Align::right},
               {"fz", "1 N", Align::right},
               {"mx", "1 N m", Align::right},
               {"my", "1 N m", Align::right},
               {"mz", "1 N m", Align::right}});
  constexpr const char* rows[] = {"x [m]",         "y [m]",         "z [m]",
                                  "about x [rad]", "about y [rad]", "about z [rad]"};
  for (int i = 0; i < 6; ++i) {
    std::vector<std::string> row = {rows[i]};
    for (int k = 0; k < 6; ++k) row.push_back(number(result.compliance.compliance(i, k)));
    gives.add_row(row);
  }
  fmt::print("\n{}", gives.str());
  if (!result.compliance.stiffness)
    fmt::print("{}\n", styled(Style::dim, fmt::format("  {} of 6 directions give way: no stiffness matrix",
                                                      result.compliance.rank)));
}

void run_jacobian(const JacobianOptions& options, const Common& common) {
  Model model = read_model(options.model, settings(common));
  State state = read_state_or_neutral(options.state, model);
  const std::vector<Load> loads = place_loads(state.loads, model);
  const Frame frame = point_named(options.at, model);
  if (options.settle)
    state.q = static_equilibrium(model, state.q, loads, StaticModel::exact, {}, state.hold).q;
  Workspace<double> work(model);
  Result result{{}, Matrix6X<double>(6, model.nv()), {}, {}, {}};
  const std::vector<int> components = parse_components(options.components);
  if (options.gauges.empty() != components.empty())
    throw InputError(Problem{options.gauges.empty() ? "--components" : "--gauge", "--gauge with --components",
                             "one of the two", "which components of the wrench the gauges shall tell"});
  if (components.size() > options.gauges.size())
    throw InputError(
        Problem{"--components", "at most as many as gauges",
                fmt::format("{}, with {} --gauge", fmt::join(options.components, ","), options.gauges.size()),
                "a gauge tells one number"});
  if (!options.gauges.empty()) {
    std::vector<StrainGauge> gauges;
    for (const std::string& text : options.gauges) gauges.push_back(parse_gauge(text, model));
    result.force = endpoint_force(model, state.q, frame, gauges, components, loads, state.hold);
    std::vector<Load> pushed = loads;
    pushed.push_back({frame.link, frame.node, Axes::world, result.force->wrench.head<3>(),
                      result.force->wrench.tail<3>(), frame.X_NE.p});
    warn_about_range(common, model,
                     static_equilibrium(model, state.q, pushed, StaticModel::exact, {}, state.hold).q);
  }
  update_positions(model, work, state.q);
  update_world_poses(work);
  result.pose = frame_pose(model, work, frame);
  frame_jacobian(model, work, frame, MotionAxes::local_world_aligned, result.exact);
  result.first_order = piedboeuf_jacobian(model, state.q, frame);
  result.compliance = endpoint_compliance(model, state.q, frame, loads, state.hold);
  if (!common.json) {
    print(model, options.at, result);
    if (result.force) print(*result.force, components);
    return;
  }
  Json document = {{"name", model.name()},
                   {"at", options.at.empty() ? "end_effector" : options.at},
                   {"coordinates", model.coordinates()},
                   {"q", vector_json(state.q)},
                   {"position", vector_json(result.pose.p)},
                   {"rotation", matrix_json(result.pose.R)},
                   {"jacobian", matrix_json(result.exact)},
                   {"piedboeuf", matrix_json(result.first_order)},
                   {"local", local_json(model, frame)},
                   {"compliance", matrix_json(result.compliance.compliance)},
                   {"stiffness", nullptr}};
  if (result.compliance.stiffness) document["stiffness"] = matrix_json(*result.compliance.stiffness);
  if (result.force)
    document["force"] = {{"wrench", vector_json(result.force->wrench)},
                         {"bound", vector_json(result.force->bound)},
                         {"left_over", vector_json(result.force->left_over)},
                         {"iterations", result.force->iterations}};
  print_json(document);
}

}  // namespace

void add_jacobian(CLI::App& app, Common& common) {
  auto options = std::make_shared<JacobianOptions>();
  CLI::App* command =
      add_command(app, common, "jacobian",
                  "Jacobian of any point, Piedboeuf's blocks of it, and how the point gives way");
  command->add_option("MODEL", options->model, "Model file (*.yaml)")->required();
  add_set_option(*command, common);
  command->add_option("--state", options->state, "State file (*.json)");
  command->add_option(
      "--at", options->at,
      "The point: LINK@X, X from 0 (root) to 1 (tip) of its length (default: the end effector)");
  command
      ->add_option("--gauge", options->gauges,
                   "What a strain gauge shows: LINK@X.kappa_z=READING, or ..=READING+-ERROR, X in m from the "
                   "root; kappa_y, "
                   "kappa_z, twist or stretch; may be repeated")
      ->allow_extra_args(false);
  command
      ->add_option("--components", options->components,
                   "With --gauge: what pushes at the point, of fx,fy,fz,mx,my,mz; the others are zero")
      ->delimiter(',')
      ->allow_extra_args(false);
  command->add_flag("--settle", options->settle, "First find the equilibrium under gravity and loads");
  command->callback([options, &common] { run_jacobian(*options, common); });
}

}  // namespace limber::app
