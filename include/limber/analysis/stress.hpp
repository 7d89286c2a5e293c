// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Stress of sections by geometry, from the forces and moments that pass through them (docs/stress.md).
//
// At a fibre (y, z) of a section with area A and second moments I_y = Int z^2 dA, I_z = Int y^2 dA
//
//   sigma = N / A + My z / I_y - Mz y / I_z                                                                     (1)
//
// and Saint-Venant's torsion shears it by tau. The outer fibres decide, by von Mises' sqrt(sigma^2 + 3 tau^2):
//
//   rod, tube    |sigma| = |N|/A + sqrt(My^2 + Mz^2) r/I,  tau = |T| r / 2I                                     (2)
//   box          corners: |sigma| = |N|/A + |My| c_z/I_y + |Mz| c_y/I_z,  tau = |T| / (2 A_m t)  (Bredt)        (3)
//   rectangle    corners: |sigma| as of a box, tau = 0;
//                middles of sides: one of the two bendings only, tau of Saint-Venant's series there             (4)
//
// V shears as well, where bending does not stretch: its tau vanishes at the outer fibres of (2) and at a rectangle's corners. It is given apart,
// at its largest (Jourawski), and is no part of von_mises: in beams of a few heights' length it decides.

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "limber/analysis/section_forces.hpp"
#include "limber/beam/section.hpp"
#include "limber/core/export.hpp"
#include "limber/math/eigen.hpp"

namespace limber LIMBER_EXPORT {

/// How much of each force and moment becomes stress. All that a section's geometry has to say.
struct StressFactors {
  bool is_round = false;        ///< (2): bendings add as vectors
  double axial = 0.0;           ///< 1/A [1/m^2]
  double about_y = 0.0;         ///< c_z / I_y [1/m^3]
  double about_z = 0.0;         ///< c_y / I_z [1/m^3]
  double torsion_corner = 0.0;  ///< tau per torque at corners, and all around a round section [1/m^3]
  double torsion_y = 0.0;       ///< at the middles of the sides y = const [1/m^3]
  double torsion_z = 0.0;       ///< at the middles of the sides z = const [1/m^3]
  double shear_y = 0.0;         ///< largest tau per Vy [1/m^2]
  double shear_z = 0.0;         ///< largest tau per Vz [1/m^2]
  std::vector<Eigen::Vector2d> fibres =
      {};  ///< (y, z) of outer fibres: corners, or 16 around a round section [m]
};
/// Of a rod, tube, rectangle or box.
StressFactors stress_factors(const SectionGeometry& geometry);

/// At the outer fibres of a section [Pa].
struct SectionStress {
  double normal = 0.0;            ///< largest |sigma|, (1)
  double torsion = 0.0;           ///< largest tau of T
  double von_mises = 0.0;         ///< largest of both together, (2) to (4)
  double transverse_shear = 0.0;  ///< largest tau of Vy, Vz; not in von_mises
};
/// Of what passes through it: N, Vy, Vz, T, My, Mz.
SectionStress section_stress(const StressFactors& factors, const Vector6<double>& forces);
/// (1) at a fibre, of those of the factors [Pa].
double normal_stress(const StressFactors& factors, const Vector6<double>& forces,
                     const Eigen::Vector2d& fibre);

/// Whether all sections of a link are given by geometry, and none lies between two shapes.
bool has_stress(const Link& link);

/// Stress along a beam.
class BeamStress {
 public:
  /// None where the link has no stress (has_stress).
  static std::optional<BeamStress> of(const Model& model, const BeamSections& sections);

  /// From the forces of the last SectionForces::update().
  void update(const BeamSections& sections);
  /// At all its places [Pa].
  const std::vector<SectionStress>& at() const { return at_; }
  /// At all its places.
  const std::vector<StressFactors>& factors() const { return factors_; }
  /// Index of the place with the largest von Mises stress.
  int worst() const;

 private:
  std::vector<StressFactors> factors_;
  std::vector<SectionStress> at_;
};

/// What a user should know of the largest von Mises stress [Pa] of a link; `when`: "at t = 1.2 s" or "at x = 0 m". None where it is below the
/// beam's strength, or nobody gave one.
std::optional<std::string> strength_warning(const Link& link, double stress, const std::string& when);

/// Of each of N, Vy, Vz, T, My, Mz: the place where it is farthest from zero.
std::array<int, 6> largest_forces(const BeamSections& sections);

}  // namespace limber
