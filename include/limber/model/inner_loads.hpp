// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Loads from within a beam (docs/curved-beams.md): temperature, tendons, cables. They push the beam's own elastic coordinates and nothing else.
//
// A free beam would take the curvatures k_y, k_z: its strain energy is then 1/2 Int EI (kappa - k)^2, and the force on coordinate j is
//
//   g_j = k_y Int EI_y dkappa_y/deta_j + k_z Int EI_z dkappa_z/deta_j                                                  (1)
//
// A tendon with tension T that the beam guides at (y, z) of its sections has the length Int(1 + u' - y kappa_z + z kappa_y) dx, kappa_y = -w'':
//
//   g_j = -T a_j,   a_j = Int(du' - y dkappa_z + z dkappa_y)/deta_j                                                    (2)
//
// It does not bend a bent beam further: what it presses on its guides holds what its ends push. A cable that runs straight from the root's section to
// the tip's does. Its length is, to second order in eta, with n_y, n_z the tip anchor's deflections across x and L the beam's length,
//
//   L + a . eta + 1/2 eta^T G eta,   G = (n_y n_y^T + n_z n_z^T)/L - Int(v' v'^T + w' w'^T)                            (3)
//   g = -T (a + G eta)                                                                                                 (4)
//
// so that a cantilever under it buckles at T = pi^2 EI/L^2, its load pointing to its root.

#include <optional>
#include <string_view>
#include <vector>

#include "limber/core/export.hpp"
#include "limber/model/load.hpp"
#include "limber/model/lookup.hpp"
#include "limber/model/model.hpp"

namespace limber LIMBER_EXPORT {

///@{
/// Of a load with is_inner() on its link's elastic coordinates: g = g_0 - K eta. Number j of g_0; element (j, k) of K, which is zero but for cables.
double inner_force(const Link& link, const Load& load, int j);
double inner_stiffness(const Link& link, const Load& load, int j, int k);
///@}

/// Makes a load an inner one where its author says so (keys `thermal_curvature`, `pretension`, `straight` of loads); false: it stays a wrench.
bool set_inner_kind(const std::optional<Eigen::Vector2d>& thermal_curvature,
                    const std::optional<double>& pretension, bool straight, Load& load);
/// What is wrong with such keys beside a load's others: with the key's name as path. None: nothing.
std::optional<Problem> inner_load_problem(const Model& model, std::string_view link,
                                          const std::optional<Eigen::Vector2d>& thermal_curvature,
                                          const std::optional<double>& pretension, bool straight,
                                          const Load& load);
/// A load of that kind on all of a link as its author named it: one for each segment.
std::vector<Load> inner_loads(const Model& model, std::string_view link, const Load& load);
/// A wrench that is given in the axes of the section at a place (with its offset), in those of the node that stands for it.
Load in_node_axes(const LinkPlace& place, Load load);
/// The same with its link and node. `load`: all but these.
Load load_on(const Model& model, const LinkPlace& place, Load load);

}  // namespace limber
