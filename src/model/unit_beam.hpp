// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Uniform beams without a body on their tip are one beam, seen in other units: shapes and integrals are made for length 1, mass 1 and stiffnesses 1,
// and those of a length and a section follow.
//
// With xi = x / L a shape is phi(x) = phi^(xi), whatever L is. Coordinates of bending and stretching are lengths, eta_j = L eta^_j, those of torsion
// are angles: eta_j = s_j eta^_j, with s_j = L or 1. The deflection field (field.hpp) is p = L p^(xi, eta^), theta = theta^(xi, eta^), so that
//
//   Phi_j = L Phi^_j / s_j,   Psi_j = Psi^_j / s_j,   Phi2_jk = L Phi2^_jk / (s_j s_k),   Psi2_jk = Psi2^_jk / (s_j s_k)        (1)
//
// and, with m the mass per length and s_a the product of s over the coordinates of term a (shape_integrals.hpp),
//
//   moment_a = m L^2 moment^_a / s_a,   gram_ab = m L^3 gram^_ab / (s_a s_b)                                                   (2)
//   K_jk = k K^_jk / (s_j s_k),   I = L rho I^                                                                               (3)
//
// with k = EI / L in bending, GJ / L in torsion and EA L where the beam stretches, and a lump I of rotary inertia whose sections have rho.

#include <string>
#include <vector>

#include "beam_shelf.hpp"

namespace limber {

/// Whether a beam follows from one of unit length.
bool follows_from_unit_beam(const std::vector<ShapeRequest>& requests, const SectionProfile& profile);

/// Of length 1; inertias and stiffnesses are 1 where those of `profile` are not 0 or none.
SectionProfile unit_profile(const SectionProfile& profile);

/// Everything that prepares the unit beam.
std::string content_of_unit_beam(const std::vector<ShapeRequest>& requests, const SectionProfile& profile,
                                 KinematicOrder order, TipRotation tip_rotation);

/// (1) to (3): from the unit beam to the one with those sections.
PreparedBeam stretched(const PreparedBeam& unit, const SectionProfile& profile);

}  // namespace limber
