// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "limber/beam/mode_shapes.hpp"

namespace limber {

/// The largest |phi| on the beam, ends included, to rounding. `wavenumber` tells how closely to look, between
/// the breakpoints where the shape is smooth.
double peak_of(const ShapeFunction& shape, const std::vector<double>& breakpoints, double wavenumber);

/// The sign of a shape next to the root: that of its first value above a thousandth of `peak`.
double sign_at_root(const ShapeFunction& shape, const std::vector<double>& breakpoints, double wavenumber,
                    double peak);

}  // namespace limber
