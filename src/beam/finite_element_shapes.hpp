// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>
#include <vector>

#include "limber/beam/mode_shapes.hpp"

namespace limber {

struct FiniteElementModes {
  std::vector<ModeShape> modes;     ///< with kinetic energy 1/2 at unit rate
  std::vector<double> breakpoints;  ///< ends of the elements
  Eigen::VectorXd frequencies;      ///< [rad/s]
  double wavenumber;                ///< the largest, local, of the last mode [rad/m]
};

/// The lowest `count` modes of a beam, clamped at the root, with the body `tip` on its end, from elements
/// refined until all their frequencies have settled. Throws InputError if there are fewer modes with inertia,
/// or if the frequencies do not settle.
FiniteElementModes finite_element_modes(Direction direction, int count, const SectionProfile& profile,
                                        const TipLoad& tip);

}  // namespace limber
