// SPDX-License-Identifier: BSD-3-Clause
#include "cylinders.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "json_numbers.hpp"
#include "table.hpp"

namespace limber::app {

using Json = nlohmann::ordered_json;

Json cylinders_json(const Model& model, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                    const Eigen::VectorXd& drives) {
  require_cylinder_lengths(model, q);
  Struts struts(model);
  struts.update(q, v);
  const Eigen::MatrixXd& J = struts.jacobian();
  Json all = Json::object();
  Eigen::Index row = 0;
  for (const CylinderState& cylinder : struts.states(drives))
    all[cylinder.name] = {{"length", cylinder.length},
                          {"rate", cylinder.rate},
                          {"force", cylinder.force},
                          {"jacobian", vector_json(J.row(row++).transpose())}};
  return all;
}

void print_cylinders(const Json& cylinders) {
  using Align = Table::Align;
  Table table({{"cylinder", ""},
               {"length", "m", Align::right},
               {"rate", "m/s", Align::right},
               {"force", "N", Align::right}});
  for (const auto& [name, cylinder] : cylinders.items())
    table.add_row({name, number(cylinder["length"].get<double>()), number(cylinder["rate"].get<double>()),
                   number(cylinder["force"].get<double>())});
  fmt::print("{}\n", table.str());
  Table pressures({{"chambers of", ""},
                   {"a, at the piston", "Pa", Align::right},
                   {"b, around the rod", "Pa", Align::right}});
  bool has_any = false;
  for (const auto& [name, cylinder] : cylinders.items()) {
    if (!cylinder.contains("pressures")) continue;
    has_any = true;
    pressures.add_row({name, number(cylinder["pressures"][0].get<double>()),
                       number(cylinder["pressures"][1].get<double>())});
  }
  if (has_any) fmt::print("{}\n", pressures.str());
}

}  // namespace limber::app
