// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// How thick links are drawn. Sections by geometry have their own size; those by stiffness get one from it, a slender
// beam's thickness being about the fourth root of EI. What would be too thin to see is drawn thicker.

#include <Eigen/Core>
#include <vector>

#include "limber/model/model.hpp"

namespace limber {

struct LinkSize {
  bool is_round = true;
  std::vector<double> places;            ///< fractions of the length, ascending
  std::vector<Eigen::Vector2d> half_at;  ///< half the width (along y) and half the height (along z) there [m]

  Eigen::Vector2d at(double fraction) const;
};

/// The length of all links one after the other, the longest way from the base to a tip [m].
double reach(const Model& model);

std::vector<LinkSize> link_sizes(const Model& model);

}  // namespace limber
