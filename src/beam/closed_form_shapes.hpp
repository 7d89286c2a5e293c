// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Eigenfunctions of uniform beams, evaluated without the cancellation that the textbook's forms suffer from
// mode 12 on.

#include <memory>
#include <vector>

#include "limber/beam/mode_shapes.hpp"

namespace limber {

/// A shape and the factor that brings it to the form that Normalization::none asks for.
struct RawShape {
  std::shared_ptr<const ShapeFunction> function;
  double to_none = 1.0;
  /// Of a beam that gives way to shear: ModeShape::bending.
  std::shared_ptr<const ShapeFunction> bending = {};
};

/// Bending, clamped at the root, held at the tip: phi(L) = 0 (clamped-pinned and clamped-clamped, by their
/// root).
RawShape clamped_held_shape(double root, double length);

/// Bending, clamped at the root, with the dimensionless body `tip` at the tip: one shape for each of its
/// characteristic roots. `to_none` is infinite for a shape without curvature at the root.
std::vector<RawShape> clamped_mass_shapes(const std::vector<double>& roots, double length,
                                          const TipLoad& tip);

/// Bending, pinned at the root, free at the tip: sin z + sin l sinh z / sinh l.
RawShape pinned_free_shape(double root, double length);

/// sin(root x / length).
RawShape sine_shape(double root, double length);

}  // namespace limber
