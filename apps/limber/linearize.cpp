// SPDX-License-Identifier: BSD-3-Clause
// limber linearize MODEL: the linear model about a state, its poles and its frequency response.

#include "limber/analysis/linearize.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <memory>
#include <nlohmann/json.hpp>
#include <numbers>
#include <vector>

#include "command.hpp"
#include "json_numbers.hpp"
#include "limber/algorithms/constraints.hpp"
#include "limber/algorithms/input_matrix.hpp"
#include "limber/algorithms/inverse_dynamics.hpp"
#include "limber/algorithms/struts.hpp"
#include "limber/analysis/derivatives.hpp"
#include "limber/analysis/limits.hpp"
#include "limber/analysis/zeros.hpp"
#include "limber/core/input_error.hpp"
#include "limber/io/model_file.hpp"
#include "limber/io/whole_file.hpp"
#include "limber/math/units.hpp"
#include "limber/model/friction.hpp"
#include "output_file.hpp"
#include "state_option.hpp"
#include "table.hpp"

namespace limber::app {
namespace {

using Json = nlohmann::ordered_json;
using Eigen::VectorXcd;
using Eigen::VectorXd;

struct ResponseOptions {
  std::string file;
  double from = 0.01, to = 100.0;  // Hz
  int points = 400;
  bool force = false;
};

// What the state leaves over: its acceleration, and the forces behind it, in parts of the forces that act.
struct Residual {
  VectorXd acceleration;
  double relative_force;
};

Residual residual_of(const Model& model, const OperatingPoint& point) {
  Workspace<double> work(model);
  Residual residual{VectorXd(model.nv()), 0.0};
  VectorXd moving = point.tau;
  add_friction_forces(model, point.v, -1.0, moving);
  std::vector<Load> loads = point.loads;
  if (!model.cylinders().empty()) {
    Struts struts(model);
    struts.update(point.q, point.v);
    struts.add_loads(struts.forces(point.drives), loads);
  }
  forward_dynamics(model, work, point.q, point.v, moving, residual.acceleration, loads);
  VectorXd forces(model.nv()), passive(model.nv());
  const VectorXd still = VectorXd::Zero(model.nv());
  inverse_dynamics(model, work, point.q, point.v, still, forces, loads);
  elastic_and_damping_forces(model, work, point.q, point.v, passive);
  add_friction_forces(model, point.v, 1.0, passive);
  // the weight: forces that balance leave rounding errors of its size
  const double largest = std::max({point.tau.cwiseAbs().maxCoeff(), forces.cwiseAbs().maxCoeff(),
                                   passive.cwiseAbs().maxCoeff(), model.mass() * model.gravity().norm()});
  VectorXd left = point.tau - forces - passive;
  if (!model.loops().empty()) {
    LoopSolver loops(model);
    loops.update(point.q, point.v);
    residual.acceleration += loops.acceleration_of(loops.multipliers(residual.acceleration));
    left = loops.moving_part(left);
  }
  if (largest > 0.0) residual.relative_force = left.cwiseAbs().maxCoeff() / largest;
  return residual;
}

OperatingPoint settle(const Common& common, const Model& model, const State& state,
                      const std::vector<Load>& loads) {
  VectorXd rates = state.v;
  rates(elastic_coordinates(model)).setZero();
  const OperatingPoint point = settled_point(model, state.q, loads, rates, state.hold);
  // Holding efforts act on the joints' coordinates alone; motors would bend pinned roots as well.
  const Eigen::MatrixXd inputs = input_matrix(model, point.q);
  const std::vector<int> joints = joint_coordinates(model), elastic = elastic_coordinates(model);
  const VectorXd bending = inputs(elastic, Eigen::all) * point.tau(joints);
  constexpr double nothing = 1e-8;  // of the efforts
  if (bending.size() > 0 && bending.cwiseAbs().maxCoeff() > nothing * point.tau.cwiseAbs().maxCoeff())
    warn(common,
         "this arm has shapes that turn at the root: the equilibrium is that of held joint coordinates, not "
         "of "
         "motors that hold the root sections");
  return point;
}

// No straight line is near to what holds a joint at rest.
void warn_about_sticking(const Common& common, const Model& model, const OperatingPoint& point) {
  std::string joints;
  for (const Link& link : model.links())
    if (link.joint.friction && sticks(*link.joint.friction) && point.v[link.joint.driven_index()] == 0.0)
      joints += (joints.empty() ? "`" : ", `") + link.joint.name + "`";
  if (!joints.empty())
    warn(common,
         fmt::format("dry friction of joints at rest is left out: {}. Held joints are `modes`; with a "
                     "`transition_velocity` friction has a slope",
                     joints));
}

void warn_about_state(const Common& common, const Model& model, const OperatingPoint& point,
                      const Residual& residual) {
  warn_about_sticking(common, model, point);
  constexpr double rounding = 1e-8;
  if (residual.relative_force > rounding) {
    Eigen::Index largest = 0;
    residual.acceleration.cwiseAbs().maxCoeff(&largest);
    warn(common,
         fmt::format("the state is no equilibrium: `{}` accelerates with {}. The model is that of this "
                     "instant; --settle linearizes about the equilibrium with held joints",
                     model.coordinates()[static_cast<std::size_t>(largest)],
                     number(residual.acceleration[largest])));
  } else if (!point.v.isZero(0.0)) {
    warn(common, "the arm moves: the model is that of this instant");
  }
}

Json complex_json(const VectorXcd& values) {
  Json list = Json::array();
  for (const std::complex<double>& value : values) list.push_back({value.real(), value.imag()});
  return list;
}

Json as_json(const Model& model, const OperatingPoint& point, const Residual& residual,
             const LinearModel& linear, const VectorXcd& roots, const ResponseOptions& response) {
  Json efforts = Json::object();
  for (const int i : joint_coordinates(model)) efforts[model.coordinates()[i]] = point.tau[i];
  Json document = {{"name", model.name()},
                   {"states", linear.states},
                   {"inputs", linear.inputs},
                   {"outputs", linear.outputs},
                   {"A", matrix_json(linear.A)},
                   {"B", matrix_json(linear.B)},
                   {"C", matrix_json(linear.C)},
                   {"D", matrix_json(linear.D)},
                   {"poles", complex_json(roots)},
                   {"equilibrium",
                    {{"q", vector_json(point.q)},
                     {"v", vector_json(point.v)},
                     {"efforts", efforts},
                     {"acceleration", vector_json(residual.acceleration)},
                     {"residual", residual.relative_force}}}};
  for (Eigen::Index i = 0; i < point.drives.size(); ++i)
    document["equilibrium"]["cylinders"][model.cylinders()[static_cast<std::size_t>(i)].name] =
        point.drives[i];
  if (!response.file.empty()) document["frequency_response"] = response.file;
  return document;
}

std::string listed(const std::vector<std::string>& names) { return fmt::format("{}", fmt::join(names, " ")); }

std::string counted(std::size_t count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

// One row for a pair of conjugate poles.
void print(const Model& model, const LinearModel& linear, const VectorXcd& roots,
           const ResponseOptions& response) {
  using Align = Table::Align;
  Table table({{"pole", "", Align::right},
               {"frequency", "Hz", Align::right},
               {"damping ratio", "", Align::right},
               {"rate", "1/s", Align::right},
               {"", ""}});
  constexpr double digits = 1e-13;  // to which poles are known, beside the fastest
  const double rounding = roots.size() > 0 ? digits * roots.cwiseAbs().maxCoeff() : 0.0;
  int count = 0;
  for (const std::complex<double>& s : roots) {
    if (s.imag() < 0.0) continue;
    const double rate = std::abs(s.real()) <= rounding ? 0.0 : s.real();
    const bool swings = s.imag() > 0.0;
    table.add_row({std::to_string(++count), swings ? number(std::abs(s) * hertz) : "",
                   swings ? number(rate == 0.0 ? 0.0 : -rate / std::abs(s)) : "", number(rate),
                   rate > 0.0               ? "unstable"
                   : !swings && rate == 0.0 ? "drifts"
                                            : ""});
  }
  fmt::print("{}\n\n{}\n", styled(Style::bold, model.name()), table.str());
  fmt::print("  {} states: displacements and rates of the {} coordinates\n", linear.states.size(),
             model.nv());
  fmt::print("  {}: {}\n", counted(linear.inputs.size(), "input"), listed(linear.inputs));
  fmt::print("  {}: {}\n", counted(linear.outputs.size(), "output"), listed(linear.outputs));
  if (!response.file.empty())
    fmt::print("  frequency response: {} frequencies from {} to {} Hz in {}\n", response.points,
               number(response.from), number(response.to), response.file);
  fmt::print("{}\n", styled(Style::dim, "  --json has A, B, C, D."));
}

void check(const ResponseOptions& response) {
  std::vector<Problem> problems;
  if (!(std::isfinite(response.from) && response.from > 0.0))
    problems.push_back({"--from", "a frequency > 0 [Hz]", number(response.from), ""});
  if (!(std::isfinite(response.to) && response.to > response.from))
    problems.push_back({"--to",
                        fmt::format("a frequency > {} [Hz], where --from begins", number(response.from)),
                        number(response.to), ""});
  constexpr int most_points = 1000000;  // some hundred megabytes of CSV
  if (response.points < 2 || response.points > most_points)
    problems.push_back(
        {"--points", fmt::format("2 to {}", most_points), std::to_string(response.points), ""});
  if (!problems.empty()) throw InputError(std::move(problems));
}

std::string csv_header(const LinearModel& linear) {
  std::string header = "frequency_hz";
  for (const std::string& output : linear.outputs)
    for (const std::string& input : linear.inputs)
      header += fmt::format(",|{0}/{1}|,phase({0}/{1})_deg", output, input);
  return header;
}

// Rows of frequencies, equally far apart on a logarithmic scale.
void write_response(const LinearModel& linear, const ResponseOptions& options) {
  constexpr double degrees = 180.0 / std::numbers::pi;
  const FrequencyResponse response(linear);
  std::string text = csv_header(linear) + "\n";
  for (int i = 0; i < options.points; ++i) {
    const double frequency = options.from * std::pow(options.to / options.from, i / (options.points - 1.0));
    const Eigen::MatrixXcd G = response.at(frequency / hertz);
    text += fmt::format("{}", frequency);
    for (const auto& row : G.rowwise())
      for (const std::complex<double>& g : row)
        text += fmt::format(",{},{}", std::abs(g), std::arg(g) * degrees);
    text += "\n";
  }
  write_whole_file(options.file, text);
}

}  // namespace

void add_linearize(CLI::App& app, Common& common) {
  struct Options {
    std::string model, state, sensors;
    std::vector<std::string> outputs;
    bool settle = false;
    ResponseOptions response;
  };
  auto options = std::make_shared<Options>();
  ResponseOptions& response = options->response;
  CLI::App* command = add_command(app, common, "linearize",
                                  "Linear model A, B, C, D about a state; poles and frequency response");
  command->add_option("MODEL", options->model, "Model file (*.yaml)")->required();
  add_set_option(*command, common);
  command->add_option("--state", options->state,
                      "State file: q, v, tau, loads; without it the arm is at rest at q = 0");
  command->add_flag(
      "--settle", options->settle,
      "About the static equilibrium: joints with a spring where it holds them (unless the state's "
      "`hold` names them), all others where the state says; holding efforts replace its tau");
  command
      ->add_option(
          "--outputs", options->outputs,
          "Names, separated by commas or repeated: a coordinate, COORDINATE.rate, end_effector.x y z "
          "rx ry rz vx vy vz wx wy wz ax ay az, the same of any point of a link: LINK@0.5.y, a sensor; "
          "default: "
          "joints and the end effector's place, with --sensors all sensors")
      ->delimiter(',')
      ->allow_extra_args(false);
  command->add_option("--sensors", options->sensors, fmt::format("{}: outputs by their names", sensors_help));
  CLI::Option* file =
      command->add_option("--frequency-response", response.file,
                          "Write gains and phases of every output over every input to this CSV");
  command->add_option("--from", response.from, "First frequency in Hz (default 0.01)")->needs(file);
  command->add_option("--to", response.to, "Last frequency in Hz (default 100)")->needs(file);
  command->add_option("--points", response.points, "How many frequencies (default 400)")->needs(file);
  command->add_flag("--force", response.force, "Write over an existing CSV")->needs(file);
  command->callback([options, file, &common] {
    const bool wants_response = file->count() > 0;
    if (wants_response) {
      check(options->response);
      check_output({"--frequency-response", options->response.file, {".csv"}},
                   files_of_model(options->model, options->state), options->response.force);
    }
    Model model = read_model(options->model, settings(common));
    const State state = read_state_or_neutral(options->state, model);
    warn(common, state_warnings(model, state.q, state.v));
    const auto loads = place_loads(state.loads, model);
    const OperatingPoint point = options->settle
                                     ? settle(common, model, state, loads)
                                     : OperatingPoint{state.q, state.v, state.tau, loads, state.drives};
    const LinearModel linear =
        linearize_at_points(model, point, options->outputs, {}, read_sensors_if_any(options->sensors, model));
    const Residual residual = residual_of(model, point);
    const VectorXcd roots = poles(linear);
    if (wants_response) write_response(linear, options->response);
    warn_about_state(common, model, point, residual);
    if (common.json)
      print_json(as_json(model, point, residual, linear, roots, options->response));
    else
      print(model, linear, roots, options->response);
  });
}

}  // namespace limber::app
