// SPDX-License-Identifier: BSD-3-Clause
// limber modes MODEL: natural frequencies and shapes about a state.

#include "limber/analysis/modes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "command.hpp"
#include "json_numbers.hpp"
#include "limber/analysis/equilibrium.hpp"
#include "limber/analysis/limits.hpp"
#include "limber/analysis/modal_damping.hpp"
#include "limber/analysis/range.hpp"
#include "limber/core/input_error.hpp"
#include "limber/io/mesh_file.hpp"
#include "limber/io/model_file.hpp"
#include "limber/io/whole_file.hpp"
#include "limber/math/units.hpp"
#include "limber/report/page.hpp"
#include "modes_measured.hpp"
#include "output_file.hpp"
#include "state_option.hpp"
#include "table.hpp"

namespace limber::app {
namespace {

using Json = nlohmann::ordered_json;

const char* kind_name(MotionKind kind) {
  switch (kind) {
    case MotionKind::vibration:
      return "vibration";
    case MotionKind::drift:
      return "drift";
    case MotionKind::divergence:
      return "divergence";
    case MotionKind::flutter:
      break;
  }
  return "flutter";
}

// e^(st) of each mode: what it does, and s = growth rate + i angular frequency.
void add_exponents(const NaturalModes& modes, Json& document) {
  Json kinds = Json::array(), eigenvalues = Json::array(), growth = Json::array();
  for (Eigen::Index k = 0; k < modes.exponents.size(); ++k) {
    const std::complex<double> s = modes.exponents[k];
    kinds.push_back(kind_name(modes.kinds[static_cast<std::size_t>(k)]));
    eigenvalues.push_back({s.real(), s.imag()});
    growth.push_back(s.real());
  }
  document["kinds"] = kinds;
  document["eigenvalues"] = eigenvalues;
  document["growth_rates"] = growth;
}

// What grows, in words; empty for a stable arm.
std::vector<std::string> unstable_modes(const NaturalModes& modes) {
  std::vector<std::string> words;
  for (Eigen::Index k = 0; k < modes.exponents.size(); ++k) {
    const std::complex<double> s = modes.exponents[k];
    if (!(s.real() > 0.0)) continue;
    if (modes.kinds[static_cast<std::size_t>(k)] == MotionKind::divergence)
      words.push_back(
          fmt::format("mode {}: divergence (buckling), moves away as e^({} t)", k + 1, number(s.real())));
    else
      words.push_back(fmt::format("mode {}: flutter, swings at {} Hz and grows as e^({} t)", k + 1,
                                  number(s.imag() * hertz), number(s.real())));
  }
  return words;
}

Json as_json(const Model& model, const Eigen::VectorXd& q, const NaturalModes& modes,
             const Eigen::VectorXd& damping, const BasisError& basis) {
  Json shapes = Json::array(), participation = Json::array();
  for (Eigen::Index k = 0; k < modes.shapes.cols(); ++k) {
    shapes.push_back(vector_json(modes.shapes.col(k)));
    Json shares = Json::object();
    for (int i = 0; i < model.nv(); ++i) shares[model.coordinates()[i]] = modes.participation(i, k);
    participation.push_back(shares);
  }
  Json document = {{"name", model.name()},
                   {"coordinates", model.coordinates()},
                   {"q", vector_json(q)},
                   {"frequencies_hz", vector_json(modes.angular_frequencies * hertz)},
                   {"frequencies_rad_s", vector_json(modes.angular_frequencies)},
                   {"shapes", shapes},
                   {"participation", participation},
                   {"basis_error", basis.largest}};
  if (damping.size() > 0) document["damping_ratios"] = vector_json(damping);
  add_exponents(modes, document);
  if (modes.quadrature.size() > 0) {
    Json quadrature = Json::array();
    for (Eigen::Index k = 0; k < modes.quadrature.cols(); ++k)
      quadrature.push_back(vector_json(modes.quadrature.col(k)));
    document["shapes_in_quadrature"] = quadrature;
  }
  return document;
}

// JOINT=RATE, the joint by its coordinate's name.
SteadyRate parse_spin(const std::string& text, const Model& model) {
  const auto equals = text.find('=');
  const std::string name = text.substr(0, equals);
  const auto wanted = [&](const std::string& hint) {
    return InputError(Problem{"--spin", "JOINT=RATE with a joint's coordinate and a rate in rad/s (or m/s)",
                              "`" + text + "`", hint});
  };
  double rate = 0.0;
  try {
    std::size_t used = 0;
    const std::string number = equals == std::string::npos ? "" : text.substr(equals + 1);
    rate = std::stod(number, &used);
    if (used != number.size() || !std::isfinite(rate)) throw wanted("e.g. " + name + "=6.28");
  } catch (const std::logic_error&) {
    throw wanted("e.g. " + name + "=6.28");
  }
  std::string joints;
  for (const Link& link : model.links())
    for (int j = 0; j < link.joint.nv; ++j) {
      const int coordinate = link.joint.v_index + j;
      if (model.coordinates()[coordinate] == name) return {coordinate, rate};
      joints += (joints.empty() ? "" : ", ") + model.coordinates()[coordinate];
    }
  throw wanted("the joints of this arm are " + joints);
}

constexpr std::size_t most_participants = 3;

// Coordinates by their share of a mode's kinetic energy, largest first.
std::vector<int> by_participation(const Model& model, const NaturalModes& modes, Eigen::Index k) {
  std::vector<int> order(static_cast<std::size_t>(model.nv()));
  for (int i = 0; i < model.nv(); ++i) order[static_cast<std::size_t>(i)] = i;
  std::sort(order.begin(), order.end(), [&](int a, int b) {
    return std::abs(modes.participation(a, k)) > std::abs(modes.participation(b, k));
  });
  return order;
}

// What carries a mode, and what is left: "boom.y1 72 %, forearm.y1 25 %, others 3 %". All of it is 100 %.
std::string main_participants(const Model& model, const NaturalModes& modes, Eigen::Index k) {
  const auto order = by_participation(model, modes, k);
  std::string text;
  long left = 100;
  for (std::size_t n = 0; n < std::min(most_participants, order.size()); ++n) {
    const long share = std::lround(100.0 * modes.participation(order[n], k));
    if (share == 0) break;
    text += fmt::format("{}{} {} %", text.empty() ? "" : ", ", model.coordinates()[order[n]], share);
    left -= share;
  }
  if (text.empty()) return "many coordinates, each less than 1 %";
  if (std::abs(left) > 1) text += fmt::format(", others {} %", left);  // one is rounding
  return text;
}

// Shares that need an explanation: above the whole, or below nothing.
bool shares_are_odd(const NaturalModes& modes) {
  constexpr double shown = 0.005;
  return modes.participation.size() > 0 &&
         (modes.participation.minCoeff() < -shown || modes.participation.maxCoeff() > 1.0 + shown);
}

JointTreatment treatment_of(const std::string& joints) {
  std::vector<std::string> names;
  for (const JointTreatment treatment : all_joint_treatments) {
    names.push_back(name_of(treatment));
    if (joints == names.back()) return treatment;
  }
  throw InputError(Problem{"--joints", "held, locked, free or as-modelled", "`" + joints + "`",
                           did_you_mean(joints, names)});
}

void print(const Model& model, const std::string& about, const NaturalModes& modes,
           const Eigen::VectorXd& damping, const BasisError& basis) {
  using Align = Table::Align;
  std::vector<Table::Column> columns = {
      {"mode", "", Align::right}, {"frequency", "Hz", Align::right}, {"", "rad/s", Align::right}};
  if (damping.size() > 0) columns.push_back({"damping", "%", Align::right});
  columns.push_back({"moves", "of its kinetic energy"});
  Table table(columns);
  for (Eigen::Index k = 0; k < modes.angular_frequencies.size(); ++k) {
    std::vector<std::string> row = {std::to_string(k + 1), number(modes.angular_frequencies[k] * hertz),
                                    number(modes.angular_frequencies[k])};
    if (damping.size() > 0) row.push_back(std::isnan(damping[k]) ? "" : number(100.0 * damping[k]));
    row.push_back(main_participants(model, modes, k));
    table.add_row(row);
  }
  fmt::print("{}, {}\n\n{}", styled(Style::bold, model.name()), about, table.str());
  if (damping.size() > 0)
    fmt::print("{}\n", styled(Style::dim, "  damping: percent of critical damping, for small damping"));
  if (shares_are_odd(modes))
    fmt::print(
        "{}\n",
        styled(
            Style::dim,
            "  All shares of a mode add up to 100 %. Coordinates that move against each other share kinetic "
            "energy:\n  some count more than the whole then, others less than nothing. --json has all."));
  for (const std::string& words : unstable_modes(modes)) fmt::print("  {}\n", styled(Style::bad, words));
  fmt::print("{}\n", styled(Style::dim,
                            fmt::format("  basis error {:.2g} %: of the first frequencies, joints locked at "
                                        "q = 0, against a refined basis",
                                        100.0 * basis.largest)));
}

void warn_about_first_order_spin(const Common& common, const Model& model, const Eigen::VectorXd& rates) {
  const auto frequencies =
      natural_modes(model, neutral_configuration(model), JointTreatment::locked, 1).angular_frequencies;
  Eigen::Index fastest = 0;
  const double rate = rates.cwiseAbs().maxCoeff(&fastest);
  if (frequencies.size() == 0) return;
  const std::string& joint = model.coordinates()[static_cast<std::size_t>(fastest)];
  if (const auto warning = spin_warning(model, joint, rate, std::abs(frequencies[0]))) warn(common, *warning);
}

struct Options {
  std::string model, state, report, measured;
  std::string joints = "held";
  int count = 10;
  std::vector<std::string> spin;
  bool settle = false, no_gyroscopic = false, force = false;
};

// "joints held, settled, turning at shoulder=6.28": for titles.
std::string conditions(const Options& options) {
  std::string text = "joints " + options.joints;
  if (!options.state.empty()) text += " at " + std::filesystem::path(options.state).filename().string();
  if (options.settle) text += ", settled";
  for (const std::string& spin : options.spin) text += ", turning at " + spin;
  return text;
}

void write_report(const Options& options, const Model& model, const Eigen::VectorXd& q,
                  const NaturalModes& modes, const BasisError& basis, const MeasuredModes* measured) {
  std::vector<std::string> warnings = unstable_modes(modes);
  constexpr double tolerated = 0.02;
  if (basis.largest > tolerated)
    warnings.push_back(fmt::format(
        "The chosen shapes miss the first frequencies by {:.2g} % (joints locked at q = 0, against a refined "
        "basis): more shapes, or another family, would help.",
        100.0 * basis.largest));
  write_whole_file(options.report, modes_page(model, q, modes, conditions(options), warnings, measured));
}

}  // namespace

void add_modes(CLI::App& app, Common& common) {
  auto options = std::make_shared<Options>();
  CLI::App* command = add_command(app, common, "modes", "Natural frequencies and mode shapes about a state");
  command->add_option("MODEL", options->model, "Model file (*.yaml)")->required();
  add_set_option(*command, common);
  command->add_option("--state", options->state, "State file; without it q = 0");
  command->add_option(
      "--joints", options->joints,
      "held (default: joints with a spring move on it, unless the state's `hold` names them), "
      "locked (all held), free, or as-modelled (all move, with their springs)");
  command->add_option("--count", options->count, "How many modes (default 10)")
      ->check(CLI::Range(1, 1000000));
  command
      ->add_option("--spin", options->spin,
                   "JOINT=RATE: this joint turns at a constant rate (rad/s); may be repeated")
      ->allow_extra_args(false);
  command->add_flag("--no-gyroscopic", options->no_gyroscopic,
                    "With --spin: leave out the gyroscopic matrix, as some tables in the literature do");
  command->add_flag(
      "--settle", options->settle,
      "About the static equilibrium (and in steady rotation): joints with a spring where it holds them, all "
      "others where the state says");
  command->add_option("--report", options->report, "Besides, a page (HTML) on which the modes move");
  command->add_option(
      "--measured", options->measured,
      "CSV of measured modes: frequency_hz and the shape at coordinates or points (boom@0.5.y); "
      "paired by MAC, and moving beside the computed ones on the page");
  command->add_flag("--force", options->force, "Replace the page if it exists");
  command->callback([options, &common] {
    if (!options->report.empty())
      check_output({"--report", options->report, {".html", ".htm"}},
                   files_of_model(options->model, options->state), options->force);
    const JointTreatment joints = treatment_of(options->joints);
    Model model = read_model(options->model, settings(common));
    State state = read_state_or_neutral(options->state, model);
    warn(common, state_warnings(model, state.q));
    const auto loads = place_loads(state.loads, model);
    std::vector<SteadyRate> spin;
    Eigen::VectorXd rates = Eigen::VectorXd::Zero(model.nv());
    for (const std::string& text : options->spin) {
      spin.push_back(parse_spin(text, model));
      rates[spin.back().coordinate] = spin.back().rate;
      for (const Link& link : model.links())  // a motor and the joint on its gear turn together
        if (link.joint.has_motor() && (spin.back().coordinate == link.joint.v_index ||
                                       spin.back().coordinate == link.joint.driven_index()))
          rates.segment(link.joint.v_index, link.joint.nv).setConstant(spin.back().rate);
    }
    if (options->settle) {
      if (joints == JointTreatment::locked) state.hold = {"all"};
      const Equilibrium settled =
          static_equilibrium(model, state.q, loads, StaticModel::exact, rates, state.hold);
      state.q = settled.q;
      if (!settled.stable)
        warn(common, "the equilibrium is unstable: expect negative frequencies, of divergence or flutter");
    }
    const NaturalModes modes =
        spin.empty() ? natural_modes(model, state.q, joints, options->count, loads, state.hold)
                     : steady_rotation_modes(
                           model, state.q, spin, joints, options->count, loads,
                           options->no_gyroscopic ? Gyroscopic::left_out : Gyroscopic::included, state.hold);
    if (lacks_stiffening(model) && !spin.empty() && modes.angular_frequencies.size() > 0)
      warn_about_first_order_spin(common, model, rates);
    const Eigen::VectorXd damping = damping_ratios(model, state.q, modes);
    const BasisError basis = basis_error(model);
    std::optional<MeasuredModes> seen;
    Json measured;
    if (!options->measured.empty()) {
      seen = read_measured_modes(options->measured);
      measured = measured_modes(options->measured, model, state.q, modes, *seen);
    }
    if (!options->report.empty()) {
      warn(common, undrawn_meshes(model.description()));
      write_report(*options, model, state.q, modes, basis, seen ? &*seen : nullptr);
    }
    if (common.json) {
      Json document = as_json(model, state.q, modes, damping, basis);
      if (!measured.is_null()) document["measured"] = measured;
      print_json(document);
    } else {
      print(model, conditions(*options), modes, damping, basis);
      if (!measured.is_null()) print_measured_modes(measured);
    }
    if (!options->report.empty() && !common.json) fmt::print("  page  {}\n", options->report);
  });
}

}  // namespace limber::app
