// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What `limber eval` gives for readers of the papers: their own matrices and screws (limber/literature).

#include <nlohmann/json.hpp>

#include "limber/io/state_file.hpp"
#include "limber/model/load.hpp"
#include "limber/model/model.hpp"

namespace limber::app {

/// `dual_twists` of every link's tip, and `projections`, its P^ and P˘ (Cibicik & Egeland): [angular real, angular dual, linear real, linear
/// dual], in the axes of the link's B, at the tip.
nlohmann::ordered_json dual_screws_json(const Model& model, const State& state);

/// N_l, N_d, their rates, M, I, U, D, gamma and phi (Mohan & Saha), and the names of the twists' rows.
nlohmann::ordered_json denoc_json(const Model& model, const State& state, const std::vector<Load>& loads);

/// Of every link that bends: forces and moments of its sections from equilibrium at accelerations a, beside what its deflection carries (section_loads.hpp).
nlohmann::ordered_json section_loads_json(const Model& model, const State& state, const Eigen::VectorXd& a,
                                          const std::vector<Load>& loads);

}  // namespace limber::app
