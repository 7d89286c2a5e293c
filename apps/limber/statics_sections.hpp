// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Forces and stress along all beams of an arm at rest, as `limber statics` shows them.

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "limber/analysis/equilibrium.hpp"
#include "limber/analysis/section_forces.hpp"
#include "limber/analysis/stress.hpp"
#include "limber/model/lookup.hpp"

namespace limber::app {

/// Of an arm in equilibrium.
class SectionsAtRest {
 public:
  SectionsAtRest(const Model& model, const Equilibrium& equilibrium, const std::vector<Load>& loads,
                 int points);

  /// Adds what there is to say about a link, over all its segments, to its entry.
  void add_to(nlohmann::ordered_json& document, const WholeLink& whole) const;
  /// Of all beams; none where no beam has a strength.
  std::optional<double> largest_utilisation() const;
  /// Stress beyond strength; shear of short beams, which von Mises' stress at the outer fibres does not show.
  std::vector<std::string> warnings() const;
  /// Two tables: the largest of each force, and stresses.
  std::string tables() const;

 private:
  const Link& link_of(const BeamSections& beam) const {
    return model_.links()[static_cast<std::size_t>(beam.link)];
  }
  std::optional<double> utilisation(std::size_t beam) const;

  Model model_;
  std::vector<BeamSections> beams_;
  std::vector<std::optional<BeamStress>> stress_;  ///< of the beams
};

}  // namespace limber::app
