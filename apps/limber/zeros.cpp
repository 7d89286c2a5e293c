// SPDX-License-Identifier: BSD-3-Clause
// limber zeros MODEL: zero dynamics of chosen outputs, and what they mean; several mode families side by side.

#include "limber/analysis/zeros.hpp"

#include <fmt/format.h>

#include <cmath>
#include <complex>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "command.hpp"
#include "json_numbers.hpp"
#include "limber/analysis/limits.hpp"
#include "limber/analysis/zero_motion.hpp"
#include "limber/core/input_error.hpp"
#include "limber/io/model_file.hpp"
#include "limber/model/choices.hpp"
#include "limber/model/field_rule.hpp"
#include "state_option.hpp"
#include "table.hpp"

namespace limber::app {
namespace {

using Json = nlohmann::ordered_json;
using Names = std::vector<std::string>;

Json zeros_json(const ZeroDynamics& dynamics) {
  Json list = Json::array();
  for (const std::complex<double>& zero : dynamics.zeros) list.push_back({zero.real(), zero.imag()});
  return list;
}

Json as_json(const Model& model, const LinearModel& linear, const ZeroDynamics& dynamics) {
  Json sides = Json::array();
  for (const Side side : dynamics.sides) sides.push_back(name_of(side));
  return {{"name", model.name()},
          {"inputs", linear.inputs},
          {"outputs", linear.outputs},
          {"zeros", zeros_json(dynamics)},
          {"phase", name_of(dynamics.phase)},
          {"verdict", verdict(dynamics)},
          {"sides", sides},
          {"chain_at_zero", dynamics.chain_at_zero},
          {"surplus_inputs", dynamics.surplus_inputs},
          {"zero_dynamics",
           {{"states", linear.states},
            {"basis", matrix_json(dynamics.basis)},
            {"matrix", matrix_json(dynamics.matrix)}}}};
}

void print(const Model& model, const LinearModel& linear, const ZeroDynamics& dynamics) {
  using Align = Table::Align;
  Table table({{"zero", "", Align::right},
               {"real part", "1/s", Align::right},
               {"imaginary part", "rad/s", Align::right},
               {"", ""}});
  int count = 0;
  for (const std::complex<double>& s : dynamics.zeros) {
    if (s.imag() < 0.0) continue;  // one row for a conjugate pair
    const char* place = s.real() > 0.0 ? "right half-plane" : s.real() == 0.0 ? "on the axis" : "";
    table.add_row({std::to_string(++count), fmt::format("{:.9g}", s.real()),
                   s.imag() > 0.0 ? fmt::format("+-{:.9g}", s.imag()) : "", place});
  }
  fmt::print("{}\n\n{}\n", styled(Style::bold, model.name()), table.str());
  fmt::print("  outputs held at zero: {}\n  inputs: {}\n", fmt::join(linear.outputs, " "),
             fmt::join(linear.inputs, " "));
  const bool good =
      dynamics.phase == Phase::minimum || (dynamics.phase == Phase::marginal && dynamics.chain_at_zero < 2);
  const Style style = good ? Style::good : Style::bad;
  fmt::print("  {}\n", styled(style, verdict(dynamics)));
}

Json motion_json(const ZeroMotion& motion) {
  return {{"zero", {motion.zero.real(), motion.zero.imag()}},
          {"rate", motion.rate},
          {"times", vector_json(motion.times)},
          {"size", vector_json(motion.size)},
          {"q", matrix_json(motion.q.transpose())},
          {"efforts", matrix_json(motion.efforts.transpose())},
          {"largest_drift", motion.largest_drift},
          {"ended_early", motion.ended_early}};
}

void print(const ZeroMotion& motion) {
  const Eigen::Index last = motion.times.size() - 1;
  fmt::print(
      "\n  the arm itself, kicked along the zero {}{}: {} times as large after {} s, grows at {} 1/s\n"
      "  outputs drifted by {}\n",
      number(motion.zero.real()),
      motion.zero.imag() > 0.0 ? fmt::format(" +- {}j", number(motion.zero.imag())) : "",
      number(motion.size[last]), number(motion.times[last]), number(motion.rate),
      number(motion.largest_drift));
}

// The same arm with another family in bending: as many shapes, each scaled to its peak.
ModelDescription with_family(ModelDescription description, ShapeFamily family) {
  for (LinkDescription& link : description.links) {
    if (!link.beam) continue;
    for (auto* modes : {&link.beam->modes.y, &link.beam->modes.z}) {
      if (!*modes) continue;
      ModesDescription other;
      other.shape = family;
      other.count = (*modes)->count ? *(*modes)->count : 1;
      if (family == ShapeFamily::clamped_mass) other.tip_mass = other.tip_inertia = NumberOrAuto{true, 0.0};
      **modes = other;
    }
  }
  return description;
}

ShapeFamily family_named(const std::string& name) {
  const auto family = choice_named<ShapeFamily>(name);
  if (family && *family != ShapeFamily::table) return *family;
  Names names = choice_names<ShapeFamily>();
  std::erase(names, "table");
  throw InputError(
      Problem{"--compare", expected_choice(names), show_text(name), suggestion(name, names, "families")});
}

struct ZerosOptions {
  std::string model, state, sensors;
  Names outputs, inputs, families;
  bool settle = false, simulate = false;
  ZeroMotionOptions motion;
};

struct Result {
  LinearModel linear;
  ZeroDynamics dynamics;
  std::optional<ZeroMotion> motion;  ///< where it was asked for
};

Result compute(Model& model, const ZerosOptions& options, const Common& common) {
  const State state = read_state_or_neutral(options.state, model);
  warn(common, state_warnings(model, state.q, state.v));
  const auto loads = place_loads(state.loads, model);
  OperatingPoint point{state.q, state.v, state.tau, loads, state.drives};
  if (options.settle) point = settled_point(model, state.q, loads, {}, state.hold);
  const std::vector<SensorDescription> sensors = read_sensors_if_any(options.sensors, model);
  const HeldOutputs held = held_outputs(model, options.outputs, options.inputs, point.q);
  Result result{linearize_at_points(model, point, held.outputs, held.inputs, sensors), {}, {}};
  result.dynamics = zero_dynamics(result.linear);
  if (options.simulate) result.motion = zero_motion(model, point, held.outputs, held.inputs, options.motion);
  return result;
}

// One line of a comparison: "+-1.091j +-76.95j".
std::string listed(const ZeroDynamics& dynamics, std::size_t most) {
  Names texts;
  for (const std::complex<double>& s : dynamics.zeros) {
    // of +-s and its conjugates one is enough, where they are all there
    if (s.imag() < 0.0 || (s.real() < 0.0 && dynamics.phase == Phase::non_minimum)) continue;
    const std::string sign = s.real() == 0.0 || dynamics.phase != Phase::non_minimum ? "" : "+-";
    if (s == 0.0)
      texts.push_back("0");
    else if (s.real() == 0.0)
      texts.push_back(fmt::format("+-{:.6g}j", s.imag()));
    else if (s.imag() == 0.0)
      texts.push_back(fmt::format("{}{:.6g}", sign, s.real()));
    else
      texts.push_back(fmt::format("{}{:.6g}+-{:.6g}j", sign, s.real(), s.imag()));
  }
  const bool cut = texts.size() > most;
  if (cut) texts.resize(most);
  return fmt::format("{}{}", fmt::join(texts, " "), cut ? " ..." : "");
}

void compare_families(const ZerosOptions& options, const Common& common) {
  const ModelDescription description = read_model_description(options.model, settings(common));
  Table table({{"bending shapes", ""}, {"zeros", "1/s"}, {"phase", ""}});
  Json rows = Json::array();
  std::string name;
  for (const std::string& family : options.families) {
    Model model = build_model(with_family(description, family_named(family)));
    name = model.name();
    const Result result = compute(model, options, common);
    constexpr std::size_t most = 6;
    table.add_row({family, listed(result.dynamics, most), name_of(result.dynamics.phase)});
    Json row = as_json(model, result.linear, result.dynamics);
    row["shape"] = family;
    rows.push_back(row);
  }
  if (common.json)
    print_json({{"name", name}, {"families", rows}});
  else
    fmt::print("{}\n\n{}", styled(Style::bold, name), table.str());
}

}  // namespace

void add_zeros(CLI::App& app, Common& common) {
  auto options = std::make_shared<ZerosOptions>();
  CLI::App* command = add_command(
      app, common, "zeros", "Zero dynamics: what still moves inside the arm while outputs are held at zero");
  command->add_option("MODEL", options->model, "Model file (*.yaml)")->required();
  add_set_option(*command, common);
  command->add_option("--state", options->state,
                      "State file: q, v, tau, loads; without it the arm is at rest at q = 0");
  command->add_flag(
      "--settle", options->settle,
      "About the static equilibrium: joints with a spring where it holds them (unless the state's "
      "`hold` names them), all others where the state says");
  command
      ->add_option("--outputs", options->outputs,
                   "What is held: names, separated by commas or repeated. A coordinate, COORDINATE.rate, "
                   "end_effector.x y z rx ry rz vx ... az, any point of a link: LINK@0.5.y, or a sensor; "
                   "default: all joint coordinates")
      ->delimiter(',')
      ->allow_extra_args(false);
  command->add_option("--sensors", options->sensors,
                      fmt::format("{}: their names may stand in --outputs", sensors_help));
  command
      ->add_option(
          "--inputs", options->inputs,
          "Which joints' motors and cylinders act; the others are free. Default: those of the outputs if "
          "all are joints or cylinders, else all joints")
      ->delimiter(',')
      ->allow_extra_args(false);
  command
      ->add_option("--compare", options->families,
                   "Shape families to put in place of the file's in bending, side by side: "
                   "clamped-free,pinned-pinned,...")
      ->delimiter(',')
      ->allow_extra_args(false);
  command->add_flag("--simulate", options->simulate,
                    "Move the nonlinear arm with its outputs held, kicked along the zero that grows fastest "
                    "(or swings slowest)");
  command
      ->add_option("--kick", options->motion.kick,
                   "With --simulate: its largest displacement (default 1e-4 rad or m)")
      ->check(CLI::Range(1e-9, 1.0));
  command
      ->add_option("--duration", options->motion.duration,
                   "With --simulate: how long [s] (default: until it is 1000 times as large, or ten periods)")
      ->check(CLI::Range(1e-6, 1e6));
  command->callback([options, &common] {
    if (!options->families.empty() && options->simulate)
      throw InputError(
          Problem{"--simulate", "one family of shapes", "--compare", "leave out one of the two"});
    if (!options->families.empty()) return compare_families(*options, common);
    Model model = read_model(options->model, settings(common));
    const Result result = compute(model, *options, common);
    if (common.json) {
      Json document = as_json(model, result.linear, result.dynamics);
      if (result.motion) document["motion"] = motion_json(*result.motion);
      return print_json(document);
    }
    print(model, result.linear, result.dynamics);
    if (result.motion) print(*result.motion);
  });
}

}  // namespace limber::app
