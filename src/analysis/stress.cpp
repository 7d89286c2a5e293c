// SPDX-License-Identifier: BSD-3-Clause
#include "limber/analysis/stress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace limber {
namespace {

constexpr double pi = std::numbers::pi;

double von_mises(double sigma, double tau) { return std::sqrt(sigma * sigma + 3.0 * tau * tau); }

// Saint-Venant's torsion of a rectangle with half sides a <= b (Timoshenko & Goodier, Theory of Elasticity, 109): shear per twist G theta at the
// middles of the long sides and of the short ones,
//
//   tau_long  = 2 a [1 - 8/pi^2 Sum_odd 1 / (n^2 cosh(n pi b / 2a))]                                          (5)
//   tau_short = 16 a/pi^2 Sum_odd (-1)^((n-1)/2) tanh(n pi b / 2a) / n^2                                      (6)
//
// (6) is Catalan's constant but for the few terms in which tanh is not yet 1.
struct SideShear {
  double longer, shorter;
};
SideShear side_shear(double a, double b) {
  constexpr double catalan = 0.915965594177219015;
  double hidden = 0.0, alternating = catalan;
  for (int n = 1;; n += 2) {
    const double decay = std::exp(-n * pi * b / (2.0 * a)), square = static_cast<double>(n) * n;
    const double in_cosh = 2.0 * decay / (1.0 + decay * decay) / square;
    hidden += in_cosh;
    // 1 - tanh = 2 exp(-2x) / (1 + exp(-2x))
    alternating -= (n % 4 == 1 ? 1.0 : -1.0) * 2.0 * decay * decay / (1.0 + decay * decay) / square;
    if (in_cosh < std::numeric_limits<double>::epsilon()) break;
  }
  return {2.0 * a * (1.0 - 8.0 / (pi * pi) * hidden), 16.0 * a / (pi * pi) * alternating};
}

void add_corners(double half_width, double half_height, StressFactors& factors) {
  for (const double y : {-half_width, half_width})
    for (const double z : {-half_height, half_height}) factors.fibres.emplace_back(y, z);
}

// Largest shear of V by Jourawski, V Q / (I b): first moment Q of what lies beyond the neutral axis, width b of the material there.
void set_shear(const SectionGeometry& geometry, const Section& section, StressFactors& factors) {
  const double I_y = section.EI_y / geometry.material.E, I_z = section.EI_z / geometry.material.E;
  const double diameter = geometry.diameter, width = geometry.width, height = geometry.height,
               t = geometry.thickness;
  // Half of a rectangle, perhaps with a hole: `across` is its size along V.
  const auto half = [](double across, double along) { return along * across * across / 8.0; };
  switch (geometry.shape) {
    case SectionShape::rod:
    case SectionShape::tube: {
      const double outer = 0.5 * diameter, inner = geometry.shape == SectionShape::tube ? outer - t : 0.0;
      const double Q = 2.0 / 3.0 * (outer * outer * outer - inner * inner * inner);
      factors.shear_y = factors.shear_z = Q / (I_y * 2.0 * (outer - inner));
      break;
    }
    case SectionShape::rectangle:
      factors.shear_y = factors.shear_z = 1.5 * factors.axial;
      break;
    case SectionShape::box:
      factors.shear_y = (half(width, height) - half(width - 2.0 * t, height - 2.0 * t)) / (I_z * 2.0 * t);
      factors.shear_z = (half(height, width) - half(height - 2.0 * t, width - 2.0 * t)) / (I_y * 2.0 * t);
      break;
  }
}

}  // namespace

StressFactors stress_factors(const SectionGeometry& geometry) {
  const Section section = make_section(geometry);
  const double E = geometry.material.E, J = section.GJ / geometry.material.G;
  const double I_y = section.EI_y / E, I_z = section.EI_z / E;
  StressFactors factors;
  factors.axial = E / section.EA;
  switch (geometry.shape) {
    case SectionShape::rod:
    case SectionShape::tube: {
      const double r = 0.5 * geometry.diameter;
      factors.is_round = true;
      factors.about_y = factors.about_z = r / I_y;
      factors.torsion_corner = factors.torsion_y = factors.torsion_z = r / J;
      constexpr int around = 16;
      for (int i = 0; i < around; ++i) {
        const double angle = 2.0 * pi * i / around;
        factors.fibres.emplace_back(r * std::cos(angle), r * std::sin(angle));
      }
      break;
    }
    case SectionShape::rectangle: {
      const double y = 0.5 * geometry.width, z = 0.5 * geometry.height;
      factors.about_y = z / I_y;
      factors.about_z = y / I_z;
      // The sides y = const are as long as the height.
      const SideShear shear = side_shear(std::min(y, z), std::max(y, z));
      factors.torsion_y = (z >= y ? shear.longer : shear.shorter) / J;
      factors.torsion_z = (z >= y ? shear.shorter : shear.longer) / J;
      add_corners(y, z, factors);
      break;
    }
    case SectionShape::box: {
      const double y = 0.5 * geometry.width, z = 0.5 * geometry.height, t = geometry.thickness;
      factors.about_y = z / I_y;
      factors.about_z = y / I_z;
      const double enclosed = (geometry.width - t) * (geometry.height - t);
      factors.torsion_corner = factors.torsion_y = factors.torsion_z = 1.0 / (2.0 * enclosed * t);
      add_corners(y, z, factors);
      break;
    }
  }
  set_shear(geometry, section, factors);
  return factors;
}

SectionStress section_stress(const StressFactors& factors, const Vector6<double>& forces) {
  const double axial = std::abs(forces[0]) * factors.axial, T = std::abs(forces[3]);
  const double by_y = std::abs(forces[4]) * factors.about_y, by_z = std::abs(forces[5]) * factors.about_z;
  SectionStress stress;
  stress.normal = axial + (factors.is_round ? std::hypot(by_y, by_z) : by_y + by_z);
  stress.torsion = T * std::max({factors.torsion_corner, factors.torsion_y, factors.torsion_z});
  stress.von_mises = von_mises(stress.normal, T * factors.torsion_corner);
  if (!factors.is_round)
    stress.von_mises = std::max({stress.von_mises, von_mises(axial + by_z, T * factors.torsion_y),
                                 von_mises(axial + by_y, T * factors.torsion_z)});
  stress.transverse_shear = std::hypot(factors.shear_y * forces[1], factors.shear_z * forces[2]);
  return stress;
}

double normal_stress(const StressFactors& factors, const Vector6<double>& forces,
                     const Eigen::Vector2d& fibre) {
  // Fibres lie at c_y, c_z of the factors, or on the circle.
  const double c_y = factors.is_round ? fibre.norm() : std::abs(fibre.x());
  const double c_z = factors.is_round ? fibre.norm() : std::abs(fibre.y());
  return forces[0] * factors.axial + forces[4] * factors.about_y * (fibre.y() / c_z) -
         forces[5] * factors.about_z * (fibre.x() / c_y);
}

bool has_stress(const Link& link) {
  if (!link.beam) return false;
  const SectionProfile& profile = link.beam->basis.profile();
  const std::vector<double> ends = profile.breakpoints();
  for (std::size_t i = 1; i < ends.size(); ++i)
    if (!profile.geometry_at(0.5 * (ends[i - 1] + ends[i]))) return false;
  return true;
}

std::optional<BeamStress> BeamStress::of(const Model& model, const BeamSections& sections) {
  const Link& link = model.links()[static_cast<std::size_t>(sections.link)];
  if (!has_stress(link)) return std::nullopt;
  BeamStress stress;
  for (const SectionPlace& place : sections.places)
    stress.factors_.push_back(
        stress_factors(*link.beam->basis.profile().geometry_at(place.x, place.inner_side)));
  stress.at_.resize(sections.places.size());
  return stress;
}

void BeamStress::update(const BeamSections& sections) {
  for (std::size_t i = 0; i < at_.size(); ++i)
    at_[i] = section_stress(factors_[i], sections.forces.col(static_cast<Eigen::Index>(i)));
}

int BeamStress::worst() const {
  const auto largest = std::max_element(
      at_.begin(), at_.end(),
      [](const SectionStress& a, const SectionStress& b) { return a.von_mises < b.von_mises; });
  return static_cast<int>(largest - at_.begin());
}

std::optional<std::string> strength_warning(const Link& link, double stress, const std::string& when) {
  if (!link.beam || !link.beam->strength || !(stress > *link.beam->strength)) return std::nullopt;
  constexpr double mega = 1e-6;
  return fmt::format("`{}` is stressed beyond its strength: {:.4g} MPa {} is {:.3g} times {:.4g} MPa",
                     link.name, mega * stress, when, stress / *link.beam->strength,
                     mega * *link.beam->strength);
}

std::array<int, 6> largest_forces(const BeamSections& sections) {
  std::array<int, 6> places{};
  for (Eigen::Index row = 0; row < 6; ++row) {
    Eigen::Index at = 0;
    sections.forces.row(row).cwiseAbs().maxCoeff(&at);
    places[static_cast<std::size_t>(row)] = static_cast<int>(at);
  }
  return places;
}

}  // namespace limber
