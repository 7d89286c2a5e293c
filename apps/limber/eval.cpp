// SPDX-License-Identifier: BSD-3-Clause
// limber eval MODEL --state S.json: everything at one state.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "command.hpp"
#include "cylinders.hpp"
#include "eval_derivatives.hpp"
#include "eval_loops.hpp"
#include "eval_papers.hpp"
#include "formulation_option.hpp"
#include "json_numbers.hpp"
#include "limber/algorithms/coriolis_matrix.hpp"
#include "limber/algorithms/energy.hpp"
#include "limber/algorithms/inverse_dynamics.hpp"
#include "limber/algorithms/jacobian.hpp"
#include "limber/algorithms/kinematics.hpp"
#include "limber/algorithms/link_by_link.hpp"
#include "limber/algorithms/mass_matrix.hpp"
#include "limber/algorithms/measurement.hpp"
#include "limber/analysis/limits.hpp"
#include "limber/core/input_error.hpp"
#include "limber/formulations/formulation.hpp"
#include "limber/formulations/sticking.hpp"
#include "limber/io/model_file.hpp"
#include "limber/model/friction.hpp"
#include "limber/model/loops.hpp"
#include "limber/model/telescopes.hpp"
#include "state_option.hpp"
#include "table.hpp"

namespace limber::app {
namespace {

using Json = nlohmann::ordered_json;
using Eigen::MatrixXd;
using Eigen::VectorXd;

struct Evaluation {
  MatrixXd mass_matrix, stiffness, damping;
  MatrixXd coriolis_matrix;  ///< none where `why_no_coriolis_matrix` says why
  std::string why_no_coriolis_matrix;
  VectorXd bias, gravity;
  StateFriction friction;  ///< of joints; empty where none has any
  DynamicsOutput dynamics;
  std::vector<Wrench> interaction_wrenches;  ///< of formulation dae
  Energy<double> energy;
  PoseOf<double> end_effector;
  Matrix6X<double> jacobian;
  std::vector<std::string> doubts;
  std::optional<VectorXd> inverse_dynamics;        ///< at the state's acceleration, where it has one
  std::optional<DynamicsDerivatives> derivatives;  ///< where they were asked for
  std::optional<EndEffectorDerivatives>
      end_effector_derivatives;            ///< likewise, but for simplified kinematics
  Json papers = Json::object();            ///< keys of the papers' own objects
  std::string why_no_dual_screws;          ///< where they would not be those of the formulation
  std::vector<SensorDescription> sensors;  ///< where there are any
  VectorXd readings;                       ///< of each, without rate, delay, noise and quantum
  Json loops;                              ///< of an arm that has any
  Json cylinders;                          ///< likewise
};

// What was asked for by --only; without it everything.
class Wanted {
 public:
  explicit Wanted(const std::vector<std::string>& keys) : keys_(keys) {
    static const std::vector<std::string> known = {"coordinates",      "mass_matrix", "bias",
                                                   "gravity",          "coriolis",    "coriolis_matrix",
                                                   "stiffness",        "damping",     "friction",
                                                   "acceleration",     "energy",      "end_effector",
                                                   "jacobian",         "wrenches",    "interaction_wrenches",
                                                   "inverse_dynamics", "dual_twists", "projections",
                                                   "sensors",          "loops",       "q",
                                                   "cylinders",
                                                   "formulation",  // these two are always there
                                                   "warnings"};
    for (const std::string& key : keys)
      if (std::find(known.begin(), known.end(), key) == known.end())
        throw InputError(Problem{"--only",
                                 fmt::format("keys of the JSON document: {}", fmt::join(known, ", ")),
                                 "`" + key + "`", ""});
  }
  bool has(const std::string& key) const {
    return keys_.empty() || std::find(keys_.begin(), keys_.end(), key) != keys_.end();
  }
  bool has_any(std::initializer_list<const char*> keys) const {
    return std::any_of(keys.begin(), keys.end(), [this](const char* key) { return has(key); });
  }

 private:
  std::vector<std::string> keys_;
};

void evaluate_terms(const Model& model, const State& state, const Wanted& wanted, Formulation& formulation,
                    Workspace<double>& work, Evaluation& e) {
  const int nv = model.nv();
  const bool forces = wanted.has_any({"bias", "gravity", "coriolis"});
  if (!forces && !wanted.has_any({"mass_matrix", "coriolis_matrix"})) return;
  // at rest it is zero, by every formulation
  if (!state.v.isZero(0.0)) e.why_no_coriolis_matrix = formulation.why_no_coriolis_matrix();
  if (wanted.has("coriolis_matrix") && e.why_no_coriolis_matrix.empty()) {
    e.coriolis_matrix.resize(nv, nv);
    coriolis_matrix(model, work, state.q, state.v, e.coriolis_matrix);
  }
  if (EquationTerms terms; formulation.equation_terms(state.q, state.v, terms)) {
    e.mass_matrix = terms.mass_matrix;
    e.bias = terms.bias;
    e.gravity = terms.gravity;
    return;
  }
  if (wanted.has("mass_matrix")) {
    e.mass_matrix.resize(nv, nv);
    mass_matrix(model, work, state.q, e.mass_matrix);
  }
  if (forces) {
    e.bias.resize(nv);
    e.gravity.resize(nv);
    bias_forces(model, work, state.q, state.v, e.bias);
    gravity_forces(model, work, state.q, e.gravity);
  }
}

void evaluate_motion(const Model& model, const State& state, const Wanted& wanted, Formulation& formulation,
                     Workspace<double>& work, Evaluation& e) {
  if (MotionTerms terms; formulation.motion_terms(state.q, state.v, terms)) {
    e.energy = terms.energy;
    e.end_effector = terms.end_effector;
    e.jacobian = terms.jacobian;
    return;
  }
  e.energy = energy(model, work, state.q, state.v);
  e.energy.strain += cylinder_energy(model, state.q);
  e.end_effector = frame_pose(model, work, end_effector_frame(model));
  if (!wanted.has("jacobian")) return;
  e.jacobian.resize(6, model.nv());
  frame_jacobian(model, work, end_effector_frame(model), MotionAxes::local_world_aligned, e.jacobian);
}

// At the acceleration that the formulation found.
void read_instruments(const Model& model, const State& state, const std::vector<Load>& loads,
                      std::vector<SensorDescription> sensors, Evaluation& e) {
  Measurement measurement(model, sensors);
  e.sensors = std::move(sensors);
  e.readings.resize(measurement.size());
  measurement.evaluate(state.q, state.v, e.dynamics.acceleration, state.tau, loads, e.readings);
}

Evaluation evaluate(const Model& model, const State& state, const std::vector<Load>& loads,
                    const std::string& name, const FormulationOptions& options, const Wanted& wanted,
                    const std::vector<SensorDescription>& sensors, bool derivatives, bool denoc, bool pde) {
  Workspace<double> work(model);
  Evaluation e;
  if (wanted.has("stiffness")) e.stiffness = elastic_stiffness_at(model, state.q);
  if (wanted.has("damping")) e.damping = damping_matrix_at(model, state.q);
  const auto formulation = make_formulation(formulation_named(name), model, options);
  evaluate_terms(model, state, wanted, *formulation, work, e);
  evaluate_motion(model, state, wanted, *formulation, work, e);
  const bool measures = !sensors.empty() && wanted.has("sensors");
  if (derivatives || measures || pde ||
      wanted.has_any({"acceleration", "friction", "wrenches", "interaction_wrenches", "loops"}))
    e.friction = evaluate_with_friction(
        *formulation, {state.q, state.v, state.tau, loads, state.drives.size() > 0 ? &state.drives : nullptr},
        e.dynamics);
  if (!model.loops().empty()) {
    if (state.acceleration) require_no_loops(model, "inverse dynamics");
    if (derivatives) require_no_loops(model, "`eval --derivatives`");
    if (pde) require_no_loops(model, "`eval --pde`");
    if (wanted.has_any({"acceleration", "wrenches", "loops"})) e.loops = loops_json(*formulation, state);
  }
  if (!model.cylinders().empty()) {
    if (derivatives) require_no_cylinders(model, "`eval --derivatives`");
    if (pde) require_no_cylinders(model, "`eval --pde`");
    e.cylinders = cylinders_json(model, state.q, state.v, state.drives);
  }
  if (measures) read_instruments(model, state, loads, sensors, e);
  e.doubts = formulation->doubts();
  if (state.acceleration && wanted.has("inverse_dynamics"))
    e.inverse_dynamics = inverse_dynamics_of(*formulation, model, state, loads);
  if (derivatives)
    e.derivatives = derivatives_of(*formulation, model, state, loads, e.dynamics.acceleration, e.friction);
  if (MotionTerms terms; derivatives && !formulation->motion_terms(state.q, state.v, terms))
    e.end_effector_derivatives = end_effector_derivatives(model, state, e.dynamics.acceleration);
  if (name == "dual-screw" && wanted.has_any({"dual_twists", "projections"})) {
    if (options.consistent || !options.nonlinear_coordinates.empty())
      e.why_no_dual_screws =
          "the paper's own screws are those of dual-screw as published: without --consistent and --nonlinear";
    else if (std::any_of(model.links().begin(), model.links().end(),
                         [](const Link& link) { return link.body != nullptr; }))
      e.why_no_dual_screws =
          "the paper's own screws are those of beams: this arm has a body of finite elements";
    else
      e.papers = dual_screws_json(model, state);
  }
  if (denoc) e.papers["denoc"] = denoc_json(model, state, loads);
  if (pde) e.papers["pde"] = section_loads_json(model, state, e.dynamics.acceleration, loads);
  if (name == "dae" && wanted.has("interaction_wrenches") && model.loops().empty()) {
    LinkByLink arm = link_by_link(model, options.body_frame);
    arm.update(state.q, state.v);
    std::vector<Load> all = loads;
    if (!model.cylinders().empty()) {
      Struts struts(model);
      struts.update(state.q, state.v);
      struts.add_loads(struts.forces(state.drives), all);
    }
    arm.assemble(state.q, state.v, state.tau - e.friction.forces, e.dynamics.acceleration, all);
    arm.solve();
    for (int i = 0; i < arm.system().link_count(); ++i)
      e.interaction_wrenches.push_back(arm.interaction_wrench(i));
  }
  return e;
}

Json as_json(const Model& model, const State& state, const Evaluation& e, const std::string& formulation,
             const Wanted& wanted) {
  Json wrenches = Json::object();
  for (std::size_t i = 0; i < e.dynamics.wrenches.size(); ++i)
    wrenches[model.links()[i].joint.name] = {{"force", vector_json(e.dynamics.wrenches[i].force)},
                                             {"moment", vector_json(e.dynamics.wrenches[i].moment)}};
  Json document = {
      {"formulation", formulation},
      {"coordinates", model.coordinates()},
      {"mass_matrix", matrix_json(e.mass_matrix)},
      {"bias", vector_json(e.bias)},
      {"gravity", vector_json(e.gravity)},
      {"coriolis", vector_json(e.bias - e.gravity)},
      {"coriolis_matrix", matrix_json(e.coriolis_matrix)},
      {"stiffness", matrix_json(e.stiffness)},
      {"damping", matrix_json(e.damping)},
      {"friction", vector_json(e.friction.forces)},
      {"acceleration", vector_json(e.dynamics.acceleration)},
      {"energy", {{"kinetic", e.energy.kinetic}, {"gravity", e.energy.gravity}, {"strain", e.energy.strain}}},
      {"end_effector",
       {{"position", vector_json(e.end_effector.p)}, {"rotation", matrix_json(e.end_effector.R)}}},
      {"jacobian", matrix_json(e.jacobian)},
      {"wrenches", wrenches}};
  if (!has_friction(model)) document.erase("friction");
  if (!e.why_no_coriolis_matrix.empty()) {
    document.erase("coriolis_matrix");
    document["absent"]["coriolis_matrix"] = e.why_no_coriolis_matrix;
  }
  for (const auto& [key, value] : e.papers.items()) document[key] = value;
  if (!e.why_no_dual_screws.empty())
    for (const char* key : {"dual_twists", "projections"}) document["absent"][key] = e.why_no_dual_screws;
  // Yaqubi et al.'s: on the parent, without the motor, about the parent's frame and in its axes.
  for (std::size_t i = 0; i < e.interaction_wrenches.size(); ++i)
    document["interaction_wrenches"][model.links()[i].joint.name] = {
        {"moment", vector_json(e.interaction_wrenches[i].moment)},
        {"force", vector_json(e.interaction_wrenches[i].force)}};
  if (!e.loops.is_null()) {
    document["q"] = vector_json(state.q);  // where loops are closed
    document["loops"] = e.loops;
  }
  if (!e.cylinders.is_null()) document["cylinders"] = e.cylinders;
  if (e.inverse_dynamics) document["inverse_dynamics"] = vector_json(*e.inverse_dynamics);
  for (std::size_t i = 0; i < e.sensors.size(); ++i)
    document["sensors"][e.sensors[i].name] = e.readings[static_cast<Eigen::Index>(i)];
  if (e.derivatives)
    document["derivatives"] = {{"dacceleration_dq", matrix_json(e.derivatives->dacceleration_dq)},
                               {"dacceleration_dv", matrix_json(e.derivatives->dacceleration_dv)},
                               {"dacceleration_dtau", matrix_json(e.derivatives->dacceleration_dtau)},
                               {"dforce_dq", matrix_json(e.derivatives->dforce_dq)},
                               {"dforce_dv", matrix_json(e.derivatives->dforce_dv)}};
  if (e.end_effector_derivatives)
    document["derivatives"]["end_effector"] = end_effector_json(*e.end_effector_derivatives);
  const auto stays = [&](const std::string& key) {
    return key == "formulation" || key == "derivatives" || key == "denoc" || key == "pde" || wanted.has(key);
  };
  for (auto entry = document.begin(); entry != document.end();)
    entry = stays(entry.key()) ? std::next(entry) : document.erase(entry);
  return document;
}

std::string triple(const Eigen::Vector3d& v) {
  return fmt::format("[{} {} {}]", number(v.x()), number(v.y()), number(v.z()));
}

void print_coordinates(const Model& model, const State& state, const Evaluation& e) {
  using Align = Table::Align;
  const auto element = [](const VectorXd& values, int i) {
    return values.size() > 0 ? number(values[i]) : std::string();
  };
  Table coordinates({{"coordinate", ""},
                     {"v", "", Align::right},
                     {"tau", "", Align::right},
                     {"gravity", "", Align::right},
                     {"coriolis", "", Align::right},
                     {"M diagonal", "", Align::right},
                     {"acceleration", "", Align::right}});
  const VectorXd coriolis = e.bias - e.gravity, inertia = e.mass_matrix.diagonal();
  for (int i = 0; i < model.nv(); ++i)
    coordinates.add_row({model.coordinates()[i], number(state.v[i]), number(state.tau[i]),
                         element(e.gravity, i), element(coriolis, i), element(inertia, i),
                         element(e.dynamics.acceleration, i)});
  fmt::print("{}\n", coordinates.str());
}

void print_friction(const Model& model, const StateFriction& friction) {
  Table table({{"joint", ""}, {"friction", "", Table::Align::right}, {"", ""}});
  for (const Link& link : model.links()) {
    if (!link.joint.friction) continue;
    const int c = link.joint.driven_index();
    const bool sticks = std::find(friction.stuck.begin(), friction.stuck.end(), c) != friction.stuck.end();
    table.add_row({model.coordinates()[c], number(friction.forces[c]), sticks ? "sticks" : "slips"});
  }
  fmt::print("{}\n", table.str());
}

void print_forces(const Model& model, const State& state, const Evaluation& e) {
  using Align = Table::Align;
  Table forces({{"coordinate", ""}, {"asked for", "", Align::right}, {"takes", "", Align::right}});
  for (int i = 0; i < model.nv(); ++i)
    forces.add_row(
        {model.coordinates()[i], number((*state.acceleration)[i]), number((*e.inverse_dynamics)[i])});
  fmt::print("{}\n", forces.str());
}

// What is in a beam's sections at its root, and how far its deflection is from the beam's equation.
void print_beams(const Json& beams) {
  using Align = Table::Align;
  Table table({{"beam", ""},
               {"force at the root", "N"},
               {"moment at the root", "N m"},
               {"as it bends", "N m"},
               {"residual", "", Align::right}});
  const auto first = [](const Json& rows) {
    return triple({rows[0][0].get<double>(), rows[1][0].get<double>(), rows[2][0].get<double>()});
  };
  for (const auto& [name, beam] : beams.items())
    table.add_row({name, first(beam["force"]), first(beam["moment"]), first(beam["elastic_moment"]),
                   number(beam["residual"].get<double>())});
  fmt::print("{}\n", table.str());
}

void print(const Model& model, const State& state, const Evaluation& e, const Wanted& wanted) {
  fmt::print("{}\n\n", styled(Style::bold, model.name()));
  if (wanted.has_any({"coordinates", "mass_matrix", "gravity", "coriolis", "acceleration"}))
    print_coordinates(model, state, e);
  if (has_friction(model) && e.friction.forces.size() > 0) print_friction(model, e.friction);
  if (e.inverse_dynamics) print_forces(model, state, e);
  if (wanted.has("wrenches")) {
    Table wrenches({{"joint", ""}, {"force", "N"}, {"moment", "N m"}});
    for (std::size_t i = 0; i < model.links().size(); ++i)
      wrenches.add_row({model.links()[i].joint.name, triple(e.dynamics.wrenches[i].force),
                        triple(e.dynamics.wrenches[i].moment)});
    fmt::print("{}\n", wrenches.str());
  }
  if (!e.sensors.empty() && wanted.has("sensors")) {
    Table sensors({{"sensor", ""}, {"type", ""}, {"reading", "", Table::Align::right}, {"", ""}});
    for (std::size_t i = 0; i < e.sensors.size(); ++i)
      sensors.add_row({e.sensors[i].name, type_name(e.sensors[i].kind),
                       number(e.readings[static_cast<Eigen::Index>(i)]), unit_of(e.sensors[i], model)});
    fmt::print("{}\n", sensors.str());
  }
  if (!e.loops.is_null()) print_loops(e.loops);
  if (!e.cylinders.is_null() && wanted.has("cylinders")) print_cylinders(e.cylinders);
  if (e.papers.contains("pde")) print_beams(e.papers["pde"]);
  if (wanted.has("end_effector")) fmt::print("  end effector  {} m\n", triple(e.end_effector.p));
  if (wanted.has("energy"))
    fmt::print("  energy        kinetic {} J, gravity {} J, strain {} J\n", number(e.energy.kinetic),
               number(e.energy.gravity), number(e.energy.strain));
  fmt::print("{}\n", styled(Style::dim, "  --json has the matrices too."));
}

}  // namespace

void add_eval(CLI::App& app, Common& common) {
  struct Options {
    std::string model, state, sensors, formulation = "recursive";
    bool derivatives = false, denoc = false, pde = false;
    DualScrewWords dual_screw;
    double body_frame = 0.0;
    std::vector<std::string> only;
  };
  auto options = std::make_shared<Options>();
  CLI::App* command =
      add_command(app, common, "eval", "Everything at one state: matrices, forces, accelerations, wrenches");
  command->add_option("MODEL", options->model, "Model file (*.yaml)")->required();
  add_set_option(*command, common);
  command->add_option(
      "--state", options->state,
      "State file: q, v, tau, loads; with `acceleration` also inverse dynamics; without a file the "
      "arm is at rest at q = 0");
  command->add_option("--sensors", options->sensors,
                      fmt::format("{}: what each shows at the state, as `sensors`", sensors_help));
  command->add_flag("--derivatives", options->derivatives,
                    "Derivatives of accelerations and forces with respect to q, v and tau (in --json)");
  command->add_flag(
      "--denoc", options->denoc,
      "Matrices of Mohan and Saha's paper: N_l, N_d, their rates, M, I, U, D, gamma, phi (in --json)");
  command->add_flag(
      "--pde", options->pde,
      "Forces and moments in the sections of each beam from equilibrium, beside what its deflection "
      "carries: how far it is from the beam's equation (table; all of it in --json)");
  command->add_option("--formulation", options->formulation, formulation_choices() + "; default recursive");
  add_dual_screw_options(*command, options->dual_screw);
  command->add_flag("--definite", options->dual_screw.definite,
                    "dual-screw: with the square that keeps the mass matrix positive definite");
  command->add_flag("--generated", options->dual_screw.generated,
                    "dual-screw: accelerations by code that is derived for this arm, and compiled");
  command
      ->add_option("--body-frame", options->body_frame,
                   "dae: where the frames of links that bend ride, from 0 (root, default) to 1 (tip) of each "
                   "beam; interaction_wrenches are about the parent's")
      ->check(CLI::Range(0.0, 1.0));
  command
      ->add_option(
          "--only", options->only,
          "Keys of the JSON document, separated by commas: nothing else is computed (acceleration,wrenches "
          "takes a moment for a thousand links)")
      ->delimiter(',')
      ->allow_extra_args(false);
  command->callback([options, &common] {
    const Wanted wanted(options->only);
    Model model = read_model(options->model, settings(common));
    const State state = read_state_or_neutral(options->state, model);
    const auto loads = place_loads(state.loads, model);
    FormulationOptions chosen =
        formulation_options(formulation_named(options->formulation), options->dual_screw, model);
    if (options->body_frame != 0.0 && options->formulation != "dae")
      throw InputError(Problem{"--body-frame", "--formulation dae", "`" + options->formulation + "`",
                               "it is an option of that formulation"});
    chosen.body_frame = options->body_frame;
    prepare(formulation_named(options->formulation), model, chosen, "eval", common);
    const Evaluation evaluation = evaluate(model, state, loads, options->formulation, chosen, wanted,
                                           read_sensors_if_any(options->sensors, model), options->derivatives,
                                           options->denoc, options->pde);
    warn(common, evaluation.doubts);
    warn(common, state_warnings(model, state.q, state.v));
    warn(common, effort_warnings(model, state.tau));
    if (common.json)
      print_json(as_json(model, state, evaluation, options->formulation, wanted));
    else
      print(model, state, evaluation, wanted);
  });
}

}  // namespace limber::app
