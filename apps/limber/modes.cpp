// limber modes MODEL: natural frequencies and shapes about a state.

#include "limber/analysis/modes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <numbers>
#include <vector>

#include "command.hpp"
#include "json_numbers.hpp"
#include "limber/io/model_file.hpp"
#include "state_option.hpp"
#include "table.hpp"

namespace limber::app {
namespace {

using Json = nlohmann::ordered_json;

constexpr double hertz = 1.0 / (2.0 * std::numbers::pi);

Json as_json(const Model& model, const NaturalModes& modes, const BasisError& basis) {
  Json shapes = Json::array(), participation = Json::array();
  for (Eigen::Index k = 0; k < modes.shapes.cols(); ++k) {
    shapes.push_back(vector_json(modes.shapes.col(k)));
    Json shares = Json::object();
    for (int i = 0; i < model.nv; ++i) shares[model.coordinates[i]] = modes.participation(i, k);
    participation.push_back(shares);
  }
  return {{"name", model.name},
          {"coordinates", model.coordinates},
          {"frequencies_hz", vector_json(modes.angular_frequencies * hertz)},
          {"frequencies_rad_s", vector_json(modes.angular_frequencies)},
          {"shapes", shapes},
          {"participation", participation},
          {"basis_error", basis.largest}};
}

// The coordinates that carry most of a mode's kinetic energy: "boom.y1 72 %, forearm.y1 25 %".
std::string main_participants(const Model& model, const NaturalModes& modes, Eigen::Index k) {
  std::vector<int> order(static_cast<std::size_t>(model.nv));
  for (int i = 0; i < model.nv; ++i) order[static_cast<std::size_t>(i)] = i;
  std::sort(order.begin(), order.end(), [&](int a, int b) {
    return std::abs(modes.participation(a, k)) > std::abs(modes.participation(b, k));
  });
  std::string text;
  for (std::size_t n = 0; n < std::min<std::size_t>(3, order.size()); ++n) {
    const double share = modes.participation(order[n], k);
    if (std::abs(share) < 0.005) break;
    text +=
        fmt::format("{}{} {:.0f} %", text.empty() ? "" : ", ", model.coordinates[order[n]], 100.0 * share);
  }
  return text;
}

void print(const Model& model, const NaturalModes& modes, const BasisError& basis) {
  using Align = Table::Align;
  Table table({{"mode", "", Align::right},
               {"frequency", "Hz", Align::right},
               {"", "rad/s", Align::right},
               {"moves", ""}});
  for (Eigen::Index k = 0; k < modes.angular_frequencies.size(); ++k)
    table.add_row({std::to_string(k + 1), number(modes.angular_frequencies[k] * hertz),
                   number(modes.angular_frequencies[k]), main_participants(model, modes, k)});
  fmt::print("{}\n\n{}", styled(Style::bold, model.name), table.str());
  fmt::print("{}\n", styled(Style::dim,
                            fmt::format("  basis error {:.2g} %: of the first frequencies, joints locked at "
                                        "q = 0, against a refined basis",
                                        100.0 * basis.largest)));
}

}  // namespace

void add_modes(CLI::App& app, Common& common) {
  struct Options {
    std::string model, state;
    JointTreatment joints = JointTreatment::locked;
    int count = 10;
  };
  auto options = std::make_shared<Options>();
  CLI::App* command = add_command(app, common, "modes", "Natural frequencies and mode shapes about a state");
  command->add_option("MODEL", options->model, "Model file (*.yaml)")->required();
  command->add_option("--state", options->state, "State file; without it q = 0");
  command
      ->add_option("--joints", options->joints, "locked (default), free, or as-modelled (with their springs)")
      ->transform(CLI::CheckedTransformer(
          std::map<std::string, JointTreatment>{{"locked", JointTreatment::locked},
                                                {"free", JointTreatment::free},
                                                {"as-modelled", JointTreatment::as_modelled}}));
  command->add_option("--count", options->count, "How many modes (default 10)")
      ->check(CLI::Range(1, 1000000));
  command->callback([options, &common] {
    Model model = read_model(options->model);
    const State state = read_state_or_neutral(options->state, model);
    const auto loads = place_loads(state.loads, model);
    const NaturalModes modes = natural_modes(model, state.q, options->joints, options->count, loads);
    const BasisError basis = basis_error(model);
    if (common.json)
      print_json(as_json(model, modes, basis));
    else
      print(model, modes, basis);
  });
}

}  // namespace limber::app
