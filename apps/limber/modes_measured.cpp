// SPDX-License-Identifier: BSD-3-Clause
#include "modes_measured.hpp"

#include <fmt/format.h>

#include "json_numbers.hpp"
#include "limber/core/input_error.hpp"
#include "limber/io/number_table.hpp"
#include "limber/math/units.hpp"
#include "table.hpp"

namespace limber::app {

using Json = nlohmann::ordered_json;

MeasuredModes read_measured_modes(const std::string& file) {
  const NumberTable table = read_number_table(file);
  MeasuredModes measured;
  measured.frequencies_hz = table.column("frequency_hz", "--measured");
  measured.shapes.resize(static_cast<Eigen::Index>(table.columns.size()) - 1, measured.frequencies_hz.size());
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    if (table.columns[c] == "frequency_hz") continue;
    measured.shapes.row(static_cast<Eigen::Index>(measured.points.size())) =
        table.values.col(static_cast<Eigen::Index>(c)).transpose();
    measured.points.push_back(table.columns[c]);
  }
  if (measured.points.size() < 2)
    throw InputError(Problem{"--measured",
                             "columns with the shapes at two points at least, such as boom@0.5.y",
                             fmt::format("{}", measured.points.size()), "one point is like every other"});
  return measured;
}

Json measured_modes(const std::string& file, const Model& model, const Eigen::VectorXd& q,
                    const NaturalModes& modes, const MeasuredModes& measured) {
  ModePairs pairs;
  try {
    pairs = pair_modes(model, q, modes, measured);
  } catch (const InputError& error) {
    Problem problem = error.problems().front();
    problem.path = "--measured " + file;
    throw InputError(std::move(problem));
  }
  Json all = Json::array();
  for (Eigen::Index i = 0; i < measured.frequencies_hz.size(); ++i) {
    const int mode = pairs.computed[static_cast<std::size_t>(i)];
    const double frequency = measured.frequencies_hz[i];
    Json one = {{"measured_hz", frequency}};
    if (mode >= 0) {
      const double computed = modes.angular_frequencies[mode] * hertz;
      one["computed_hz"] = computed;
      one["mode"] = mode + 1;
      one["difference_percent"] = 100.0 * (computed - frequency) / frequency;
      one["mac"] = pairs.assurance(i, mode);
    }
    one["mac_of_modes"] = vector_json(pairs.assurance.row(i).transpose());
    all.push_back(one);
  }
  return all;
}

void print_measured_modes(const Json& pairs) {
  using Align = Table::Align;
  Table table({{"measured", "Hz", Align::right},
               {"computed", "Hz", Align::right},
               {"mode", "", Align::right},
               {"difference", "%", Align::right},
               {"MAC", "", Align::right}});
  for (const Json& one : pairs) {
    if (!one.contains("mode")) {
      table.add_row({number(one["measured_hz"]), "none left", "", "", ""});
      continue;
    }
    table.add_row({number(one["measured_hz"]), number(one["computed_hz"]),
                   fmt::format("{}", one["mode"].get<int>()),
                   fmt::format("{:+.2f}", one["difference_percent"].get<double>()),
                   fmt::format("{:.3f}", one["mac"].get<double>())});
  }
  fmt::print("\n{}", table.str());
}

}  // namespace limber::app
