// limber eval MODEL --state S.json: everything at one state.

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "formulation_option.hpp"
#include "json_numbers.hpp"
#include "limber/algorithms/coriolis_matrix.hpp"
#include "limber/algorithms/energy.hpp"
#include "limber/algorithms/inverse_dynamics.hpp"
#include "limber/algorithms/jacobian.hpp"
#include "limber/algorithms/kinematics.hpp"
#include "limber/algorithms/link_by_link.hpp"
#include "limber/algorithms/mass_matrix.hpp"
#include "limber/formulations/formulation.hpp"
#include "limber/io/model_file.hpp"
#include "state_option.hpp"
#include "table.hpp"

namespace limber::app {
namespace {

using Json = nlohmann::ordered_json;
using Eigen::MatrixXd;
using Eigen::VectorXd;

struct Evaluation {
  MatrixXd mass_matrix, coriolis_matrix, stiffness, damping;
  VectorXd bias, gravity;
  DynamicsOutput dynamics;
  std::vector<Vector6<double>> interaction_wrenches;  ///< of formulation dae
  Energy<double> energy;
  FramePose<double> end_effector;
  Matrix6X<double> jacobian;
  std::vector<std::string> doubts;
};

Evaluation evaluate(const Model& model, const State& state, const std::vector<ExternalWrench>& loads,
                    const std::string& name, const FormulationOptions& options) {
  const int nv = model.nv;
  Workspace<double> work(model);
  Evaluation e;
  e.mass_matrix.resize(nv, nv);
  e.coriolis_matrix.resize(nv, nv);
  e.stiffness = elastic_stiffness(model);
  e.damping = damping_matrix(model);
  e.bias.resize(nv);
  e.gravity.resize(nv);
  e.jacobian.resize(6, nv);
  const auto formulation = make_formulation(name, model, options);
  if (EquationTerms terms; formulation->equation_terms(state.q, state.v, terms)) {
    e.mass_matrix = terms.mass_matrix;
    e.coriolis_matrix = terms.coriolis_matrix;
    e.bias = terms.bias;
    e.gravity = terms.gravity;
  } else {
    mass_matrix(model, work, state.q, e.mass_matrix);
    coriolis_matrix(model, work, state.q, state.v, e.coriolis_matrix);
    bias_forces(model, work, state.q, state.v, e.bias);
    gravity_forces(model, work, state.q, e.gravity);
  }
  e.energy = energy(model, work, state.q, state.v);
  e.end_effector = frame_pose(model, work, end_effector_frame(model));
  frame_jacobian(model, work, end_effector_frame(model), MotionAxes::local_world_aligned, e.jacobian);
  formulation->evaluate({state.q, state.v, state.tau, loads}, e.dynamics);
  e.doubts = formulation->doubts();
  if (name == "dae") {
    LinkByLink arm(model);
    arm.update(state.q, state.v);
    arm.assemble(state.q, state.v, state.tau, e.dynamics.acceleration, loads);
    arm.solve();
    for (int i = 0; i < arm.system().link_count(); ++i)
      e.interaction_wrenches.push_back(arm.interaction_wrench(i));
  }
  return e;
}

Json as_json(const Model& model, const Evaluation& e, const std::string& formulation) {
  Json wrenches = Json::object();
  for (std::size_t i = 0; i < model.links.size(); ++i)
    wrenches[model.links[i].joint.name] = {{"force", vector_json(e.dynamics.wrenches[i].head<3>())},
                                           {"moment", vector_json(e.dynamics.wrenches[i].tail<3>())}};
  Json document = {
      {"formulation", formulation},
      {"coordinates", model.coordinates},
      {"mass_matrix", matrix_json(e.mass_matrix)},
      {"bias", vector_json(e.bias)},
      {"gravity", vector_json(e.gravity)},
      {"coriolis", vector_json(e.bias - e.gravity)},
      {"coriolis_matrix", matrix_json(e.coriolis_matrix)},
      {"stiffness", matrix_json(e.stiffness)},
      {"damping", matrix_json(e.damping)},
      {"acceleration", vector_json(e.dynamics.acceleration)},
      {"energy", {{"kinetic", e.energy.kinetic}, {"gravity", e.energy.gravity}, {"strain", e.energy.strain}}},
      {"end_effector",
       {{"position", vector_json(e.end_effector.p)}, {"rotation", matrix_json(e.end_effector.R)}}},
      {"jacobian", matrix_json(e.jacobian)},
      {"wrenches", wrenches}};
  // Yaqubi et al.'s: on the parent, without the motor, about the parent's frame and in its axes.
  for (std::size_t i = 0; i < e.interaction_wrenches.size(); ++i)
    document["interaction_wrenches"][model.links[i].joint.name] = {
        {"moment", vector_json(e.interaction_wrenches[i].head<3>())},
        {"force", vector_json(e.interaction_wrenches[i].tail<3>())}};
  return document;
}

std::string triple(const Eigen::Vector3d& v) {
  return fmt::format("[{} {} {}]", number(v.x()), number(v.y()), number(v.z()));
}

void print(const Model& model, const State& state, const Evaluation& e) {
  using Align = Table::Align;
  fmt::print("{}\n\n", styled(Style::bold, model.name));
  Table coordinates({{"coordinate", ""},
                     {"v", "", Align::right},
                     {"tau", "", Align::right},
                     {"gravity", "", Align::right},
                     {"coriolis", "", Align::right},
                     {"M diagonal", "", Align::right},
                     {"acceleration", "", Align::right}});
  for (int i = 0; i < model.nv; ++i)
    coordinates.add_row({model.coordinates[i], number(state.v[i]), number(state.tau[i]), number(e.gravity[i]),
                         number(e.bias[i] - e.gravity[i]), number(e.mass_matrix(i, i)),
                         number(e.dynamics.acceleration[i])});
  fmt::print("{}\n", coordinates.str());
  Table wrenches({{"joint", ""}, {"force", "N"}, {"moment", "N m"}});
  for (std::size_t i = 0; i < model.links.size(); ++i)
    wrenches.add_row({model.links[i].joint.name, triple(e.dynamics.wrenches[i].head<3>()),
                      triple(e.dynamics.wrenches[i].tail<3>())});
  fmt::print("{}\n", wrenches.str());
  fmt::print("  end effector  {} m\n", triple(e.end_effector.p));
  fmt::print("  energy        kinetic {} J, gravity {} J, strain {} J\n", number(e.energy.kinetic),
             number(e.energy.gravity), number(e.energy.strain));
  fmt::print("{}\n", styled(Style::dim, "  --json has the matrices too."));
}

}  // namespace

void add_eval(CLI::App& app, Common& common) {
  struct Options {
    std::string model, state, formulation = "recursive";
    bool consistent = false;
    std::vector<std::string> nonlinear;
  };
  auto options = std::make_shared<Options>();
  CLI::App* command =
      add_command(app, common, "eval", "Everything at one state: matrices, forces, accelerations, wrenches");
  command->add_option("MODEL", options->model, "Model file (*.yaml)")->required();
  command->add_option("--state", options->state,
                      "State file: q, v, tau, loads; without it the arm is at rest at q = 0");
  command->add_option("--formulation", options->formulation, formulation_choices() + "; default recursive");
  command->add_flag("--consistent", options->consistent,
                    "dual-screw: with the second-order part of the local screws");
  command
      ->add_option("--nonlinear", options->nonlinear,
                   "dual-screw: links whose elastic states are not truncated, separated by commas")
      ->delimiter(',')
      ->allow_extra_args(false);
  command->callback([options, &common] {
    Model model = read_model(options->model);
    const State state = read_state_or_neutral(options->state, model);
    const auto loads = place_loads(state.loads, model);
    const FormulationOptions chosen =
        formulation_options(options->formulation, options->consistent, options->nonlinear, model);
    const Evaluation evaluation = evaluate(model, state, loads, options->formulation, chosen);
    for (const std::string& doubt : evaluation.doubts) warn(common, doubt);
    if (common.json)
      print_json(as_json(model, evaluation, options->formulation));
    else
      print(model, state, evaluation);
  });
}

}  // namespace limber::app
