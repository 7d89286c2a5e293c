// SPDX-License-Identifier: BSD-3-Clause
#include "statics_sections.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <numbers>

#include "limber/algorithms/constraints.hpp"
#include "limber/algorithms/struts.hpp"
#include "table.hpp"

namespace limber::app {
namespace {

using Json = nlohmann::ordered_json;

std::string at_place(double x) { return fmt::format("at x = {} m", number(x)); }

// The larger of all places' transverse shear.
double largest_transverse_shear(const BeamStress& stress) {
  double largest = 0.0;
  for (const SectionStress& at : stress.at()) largest = std::max(largest, at.transverse_shear);
  return largest;
}

}  // namespace

SectionsAtRest::SectionsAtRest(const Model& model, const Equilibrium& equilibrium,
                               const std::vector<Load>& loads, int points)
    : model_(model) {
  SectionForces forces(model, points);
  const Eigen::VectorXd rest = Eigen::VectorXd::Zero(model.nv());
  Eigen::VectorXd cylinders;
  if (!model.cylinders().empty()) {
    Struts struts(model);
    struts.update(equilibrium.q, rest);
    cylinders = struts.forces(equilibrium.drives) + struts.stop_forces();
  }
  std::vector<Load> of_loops;
  if (!model.loops().empty()) {
    LoopSolver loops(model);
    loops.update(equilibrium.q, rest);
    of_loops = loops.loads_of(equilibrium.multipliers);
  }
  forces.update(equilibrium.q, rest, rest, loads, cylinders, of_loops);
  beams_ = forces.beams();
  for (const BeamSections& beam : beams_) {
    stress_.push_back(BeamStress::of(model, beam));
    if (stress_.back()) stress_.back()->update(beam);
  }
}

std::optional<double> SectionsAtRest::utilisation(std::size_t beam) const {
  const std::optional<double>& strength = link_of(beams_[beam]).beam->strength;
  if (!stress_[beam] || !strength) return std::nullopt;
  return stress_[beam]->at()[static_cast<std::size_t>(stress_[beam]->worst())].von_mises / *strength;
}

std::optional<double> SectionsAtRest::largest_utilisation() const {
  std::optional<double> largest;
  for (std::size_t b = 0; b < stress_.size(); ++b)
    if (const auto used = utilisation(b)) largest = std::max(largest.value_or(0.0), *used);
  return largest;
}

void SectionsAtRest::add_to(Json& document, const WholeLink& whole) const {
  Json rows = Json::array(), stresses = Json::array(), largest = Json::object();
  std::array<double, 6> size{};
  double before = 0.0, worst_stress = -1.0;  // segments inboard of this one; of the whole link
  const auto json_of = [](const auto& number) { return number ? Json(*number) : Json(nullptr); };
  for (std::size_t b = 0; b < beams_.size(); ++b) {
    const BeamSections& beam = beams_[b];
    if (beam.link < whole.first || beam.link >= whole.first + whole.count) continue;
    for (std::size_t i = 0; i < beam.places.size(); ++i) {
      const double x = before + beam.places[i].x;
      Json row = {x};
      for (const double value : beam.forces.col(static_cast<Eigen::Index>(i))) row.push_back(value);
      rows.push_back(std::move(row));
      if (!stress_[b]) continue;
      const SectionStress& at = stress_[b]->at()[i];
      stresses.push_back({x, at.von_mises, at.normal, at.torsion, at.transverse_shear});
    }
    const std::array<int, 6> places = largest_forces(beam);
    for (std::size_t k = 0; k < places.size(); ++k) {
      const double value = beam.forces(static_cast<Eigen::Index>(k), places[k]);
      Json& entry = largest[section_force_names[k]];
      if (!entry.is_null() && std::abs(value) <= size[k]) continue;
      size[k] = std::abs(value);
      entry = {{"value", value}, {"x", before + beam.places[static_cast<std::size_t>(places[k])].x}};
    }
    if (stress_[b]) {
      const auto worst = static_cast<std::size_t>(stress_[b]->worst());
      if (const double value = stress_[b]->at()[worst].von_mises; value > worst_stress) {
        worst_stress = value;
        document["largest_stress"] = {{"value", value}, {"x", before + beam.places[worst].x}};
        document["utilisation"] = json_of(utilisation(b));
      }
    }
    before += link_of(beam).beam->basis.length();
  }
  if (rows.empty()) return;
  document["section_forces"] = rows;
  document["largest_section_forces"] = largest;
  if (!stresses.empty()) document["stress"] = stresses;
}

std::vector<std::string> SectionsAtRest::warnings() const {
  std::vector<std::string> all;
  for (std::size_t b = 0; b < beams_.size(); ++b) {
    if (!stress_[b]) continue;
    const Link& link = link_of(beams_[b]);
    const auto worst = static_cast<std::size_t>(stress_[b]->worst());
    const double stress = stress_[b]->at()[worst].von_mises;
    if (auto warning = strength_warning(link, stress, at_place(beams_[b].places[worst].x)))
      all.push_back(*warning);
    const double shear = std::numbers::sqrt3 * largest_transverse_shear(*stress_[b]);
    constexpr double mega = 1e-6;
    if (link.beam->strength && shear > stress)
      all.push_back(
          fmt::format("`{}` is so short that shear decides: its forces across make {:.4g} MPa (von Mises) at "
                      "the neutral axis, "
                      "more than the {:.4g} MPa at its outer fibres which utilisation is taken of",
                      link.name, mega * shear, mega * stress));
  }
  return all;
}

std::string SectionsAtRest::tables() const {
  using Align = Table::Align;
  if (beams_.empty()) return "";
  std::vector<Table::Column> columns = {{"largest in sections of", ""}};
  for (std::size_t k = 0; k < std::size(section_force_names); ++k)
    columns.push_back({section_force_names[k], k < 3 ? "N" : "N m", Align::right});
  Table forces(columns);
  Table stresses({{"link", ""},
                  {"largest stress", "MPa", Align::right},
                  {"at", "m", Align::right},
                  {"of its strength", "", Align::right}});
  bool has_stresses = false;
  for (std::size_t b = 0; b < beams_.size(); ++b) {
    const std::array<int, 6> places = largest_forces(beams_[b]);
    std::vector<std::string> row = {link_of(beams_[b]).name};
    for (std::size_t k = 0; k < places.size(); ++k) {
      const double value = beams_[b].forces(static_cast<Eigen::Index>(k), places[k]);
      row.push_back(value != 0.0
                        ? fmt::format("{} at {} m", number(value),
                                      number(beams_[b].places[static_cast<std::size_t>(places[k])].x))
                        : "0");
    }
    forces.add_row(row);
    if (!stress_[b]) continue;
    has_stresses = true;
    const auto worst = static_cast<std::size_t>(stress_[b]->worst());
    const auto used = utilisation(b);
    constexpr double mega = 1e-6;
    stresses.add_row({link_of(beams_[b]).name, number(mega * stress_[b]->at()[worst].von_mises),
                      number(beams_[b].places[worst].x), used ? number(*used) : ""});
  }
  return forces.str() + "\n" + (has_stresses ? stresses.str() + "\n" : "");
}

}  // namespace limber::app
