// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Shapes of a beam that gives way to shear (docs/shear.md): every one is a deflection phi and the part b of it that bending makes.

#include <vector>

#include "closed_form_shapes.hpp"

namespace limber {

/// How an end of the beam is held. Its deflection is zero where it is pinned, and the section's rotation, too, where it is clamped.
enum class BeamEnd { free, pinned, clamped };

/// Raw shapes with what a quadrature has to know of them.
struct TimoshenkoShapes {
  std::vector<RawShape>
      shapes;  ///< in ascending order of frequency, modal mass 1 (with rotary inertia and the body on the tip)
  std::vector<double> breakpoints;  ///< 0, ..., length
  double wavenumber = 0.0;          ///< [rad/m]
};

/// The first `count` natural modes of the beam, its root pinned or clamped, with `tip` on its end, without those of a rigid body.
TimoshenkoShapes timoshenko_modes(Direction direction, int count, const SectionProfile& profile, BeamEnd root,
                                  BeamEnd end, const TipLoad& tip);

/// Clamped at the root: statically, (phi, b')(L) = (1, 0) and (0, 1/L). Of a tapered beam those of the uniform one with its mean flexibilities.
std::vector<RawShape> timoshenko_static_shapes(Direction direction, const SectionProfile& profile);

}  // namespace limber
