// SPDX-License-Identifier: BSD-3-Clause
#include "limber/beam/section.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "limber/math/quadrature.hpp"

namespace limber {
namespace {

constexpr double pi = std::numbers::pi;

// Saint-Venant's torsion constant of a rectangle with sides a >= b (Timoshenko & Goodier, Theory of
// Elasticity, 109):
//
//   J = a b^3 / 3 [1 - 192/pi^5 b/a Sum_odd tanh(n pi a / 2b) / n^5]                                     (1)
//
// The sum is that of 1/n^5, which is 31/32 zeta(5), less that of (1 - tanh)/n^5, which needs a dozen terms.
double rectangle_torsion_constant(double width, double height) {
  constexpr double zeta_5 = 1.0369277551433699263;
  const auto [b, a] = std::minmax(width, height);
  double sum = 31.0 / 32.0 * zeta_5;
  for (int n = 1;; n += 2) {
    const double term = 2.0 / (std::exp(n * pi * a / b) + 1.0) / std::pow(n, 5);
    sum -= term;
    if (term < std::numeric_limits<double>::epsilon() * sum) break;
  }
  return a * b * b * b / 3.0 * (1.0 - 192.0 / std::pow(pi, 5) * b / a * sum);
}

// What all sections by geometry share: I_y = Int z^2 dA, I_z = Int y^2 dA, torsion constant J.
Section geometric_section(double area, double I_y, double I_z, double J, const Material& material) {
  const auto& [E, G, density] = material;
  return {.EI_y = E * I_y,
          .EI_z = E * I_z,
          .GJ = G * J,
          .EA = E * area,
          .mass_per_length = density * area,
          .rotary_inertia = density * Eigen::Vector3d(I_y + I_z, I_y, I_z)};
}

// Cowper's factor k of kGA (G. R. Cowper, The shear coefficient in Timoshenko's beam theory, J. Appl. Mech. 33 (1966), 335-340), nu Poisson's ratio:
//
//   rod        6 (1 + nu) / (7 + 6 nu)                                                                   (2)
//   tube       6 (1 + nu)(1 + m^2)^2 / [(7 + 6 nu)(1 + m^2)^2 + (20 + 12 nu) m^2],  m = inner / outer     (3)
//   rectangle  10 (1 + nu) / (12 + 11 nu)                                                                (4)
//   box        10 (1 + nu)(1 + 3m)^2 / [12 + 72m + 150m^2 + 90m^3 + nu (11 + 66m + 135m^2 + 90m^3)
//                                       + 10 n^2 ((3 + nu) m + 3m^2)],  m = b t / h t, n = b / h          (5)
//
// of a box with thin walls, h and b the sizes of their middle line along and across the force; all walls are of one thickness, so that m = n.
double shear_factor(const SectionGeometry& section, double along, double across) {
  const double nu = 0.5 * section.material.E / section.material.G - 1.0;
  switch (section.shape) {
    case SectionShape::rod:
      return 6.0 * (1.0 + nu) / (7.0 + 6.0 * nu);
    case SectionShape::tube: {
      const double m = 1.0 - 2.0 * section.thickness / section.diameter, both = (1.0 + m * m) * (1.0 + m * m);
      return 6.0 * (1.0 + nu) * both / ((7.0 + 6.0 * nu) * both + (20.0 + 12.0 * nu) * m * m);
    }
    case SectionShape::rectangle:
      return 10.0 * (1.0 + nu) / (12.0 + 11.0 * nu);
    case SectionShape::box:
      break;
  }
  const double m = (across - section.thickness) / (along - section.thickness), m2 = m * m, m3 = m2 * m;
  return 10.0 * (1.0 + nu) * (1.0 + 3.0 * m) * (1.0 + 3.0 * m) /
         (12.0 + 72.0 * m + 150.0 * m2 + 90.0 * m3 + nu * (11.0 + 66.0 * m + 135.0 * m2 + 90.0 * m3) +
          10.0 * m2 * ((3.0 + nu) * m + 3.0 * m2));
}

Section interpolate(const Section& left, const Section& right, double t) {
  const auto mix = [t](double a, double b) { return (1.0 - t) * a + t * b; };
  const auto mix_shear = [&](double a, double b) {
    return std::isinf(a) || std::isinf(b) ? Section::rigid_in_shear : mix(a, b);
  };
  return {.EI_y = mix(left.EI_y, right.EI_y),
          .EI_z = mix(left.EI_z, right.EI_z),
          .GJ = mix(left.GJ, right.GJ),
          .EA = mix(left.EA, right.EA),
          .mass_per_length = mix(left.mass_per_length, right.mass_per_length),
          .rotary_inertia = (1.0 - t) * left.rotary_inertia + t * right.rotary_inertia,
          .kGA_y = mix_shear(left.kGA_y, right.kGA_y),
          .kGA_z = mix_shear(left.kGA_z, right.kGA_z),
          .center_of_mass = (1.0 - t) * left.center_of_mass + t * right.center_of_mass,
          .shear_center = (1.0 - t) * left.shear_center + t * right.shear_center};
}

SectionGeometry interpolate(const SectionGeometry& left, const SectionGeometry& right, double t) {
  const auto mix = [t](double a, double b) { return (1.0 - t) * a + t * b; };
  return {left.shape,
          mix(left.diameter, right.diameter),
          mix(left.width, right.width),
          mix(left.height, right.height),
          mix(left.thickness, right.thickness),
          {mix(left.material.E, right.material.E), mix(left.material.G, right.material.G),
           mix(left.material.density, right.material.density)},
          {},
          left.shear && right.shear,
          (1.0 - t) * left.center_of_mass + t * right.center_of_mass};
}

bool of_one_shape(const SectionProfile::Station& left, const SectionProfile::Station& right) {
  return left.geometry && right.geometry && left.geometry->shape == right.geometry->shape;
}

Section interpolate(const SectionProfile::Station& left, const SectionProfile::Station& right, double t) {
  Section section = interpolate(left.section, right.section, t);
  if (!of_one_shape(left, right)) return section;
  const bool states_rotary_inertia = left.geometry->rotary_inertia || right.geometry->rotary_inertia;
  const Eigen::Vector3d stated = section.rotary_inertia;
  section = make_section(interpolate(*left.geometry, *right.geometry, t));
  if (states_rotary_inertia) section.rotary_inertia = stated;
  return section;
}

// A station between two others, such that what lies on either side of it stays as it was.
SectionProfile::Station interpolated(const SectionProfile::Station& left,
                                     const SectionProfile::Station& right, double x) {
  if (x == left.x) return left;
  if (x == right.x) return right;
  const double t = (x - left.x) / (right.x - left.x);
  const Section section = interpolate(left, right, t);
  if (!of_one_shape(left, right)) return {x, section};
  SectionGeometry geometry = interpolate(*left.geometry, *right.geometry, t);
  if (left.geometry->rotary_inertia || right.geometry->rotary_inertia)
    geometry.rotary_inertia = section.rotary_inertia;
  return {x, geometry};
}

// Equal, where a stiffness that both lack (NaN) counts as equal.
bool same(const Section& left, const Section& right) {
  const auto same_number = [](double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); };
  return std::all_of(std::begin(all_directions), std::end(all_directions),
                     [&](Direction d) { return same_number(left.stiffness(d), right.stiffness(d)); }) &&
         left.mass_per_length == right.mass_per_length && left.rotary_inertia == right.rotary_inertia &&
         left.kGA_y == right.kGA_y && left.kGA_z == right.kGA_z &&
         left.center_of_mass == right.center_of_mass && left.shear_center == right.shear_center;
}

// Of a piece that is shorter by `chord_per_arc`: Int dm and Int dx/stiffness stay.
Section squeezed(Section section, double chord_per_arc) {
  for (double* stiffness :
       {&section.EI_y, &section.EI_z, &section.GJ, &section.EA, &section.kGA_y, &section.kGA_z})
    *stiffness *= chord_per_arc;
  section.mass_per_length /= chord_per_arc;
  section.rotary_inertia /= chord_per_arc;
  return section;
}

}  // namespace

const char* to_string(Direction direction) {
  switch (direction) {
    case Direction::y:
      return "y";
    case Direction::z:
      return "z";
    case Direction::torsion:
      return "torsion";
    case Direction::axial:
      return "axial";
  }
  return "?";
}

double Section::stiffness(Direction direction) const {
  switch (direction) {
    case Direction::y:
      return EI_z;
    case Direction::z:
      return EI_y;
    case Direction::torsion:
      return GJ;
    case Direction::axial:
      return EA;
  }
  return std::numeric_limits<double>::quiet_NaN();
}

double Section::inertia(Direction direction) const {
  if (direction != Direction::torsion) return mass_per_length;
  return rotary_inertia.x() + mass_per_length * (center_of_mass - shear_center).squaredNorm();
}

Section rod_section(double diameter, const Material& material) {
  const double area = 0.25 * pi * diameter * diameter;
  const double I = area * diameter * diameter / 16.0;
  return geometric_section(area, I, I, 2.0 * I, material);
}

Section tube_section(double outer_diameter, double thickness, const Material& material) {
  assert(2.0 * thickness < outer_diameter);
  const double inner_diameter = outer_diameter - 2.0 * thickness;
  const double area = pi * thickness * (outer_diameter - thickness);
  const double I = area * (outer_diameter * outer_diameter + inner_diameter * inner_diameter) / 16.0;
  return geometric_section(area, I, I, 2.0 * I, material);
}

Section rectangle_section(double width, double height, const Material& material) {
  const double area = width * height;
  return geometric_section(area, area * height * height / 12.0, area * width * width / 12.0,
                           rectangle_torsion_constant(width, height), material);
}

Section box_section(double width, double height, double thickness, const Material& material) {
  assert(2.0 * thickness < std::min(width, height));
  const double inner_width = width - 2.0 * thickness, inner_height = height - 2.0 * thickness;
  const double area = width * height, inner_area = inner_width * inner_height;
  const double I_y = (area * height * height - inner_area * inner_height * inner_height) / 12.0;
  const double I_z = (area * width * width - inner_area * inner_width * inner_width) / 12.0;
  // Bredt: J = 4 A^2 t / s, with the area A and the circumference s of the walls' middle line.
  const double w = width - thickness, h = height - thickness;
  const double J = 4.0 * (w * h) * (w * h) * thickness / (2.0 * (w + h));
  return geometric_section(2.0 * thickness * (w + h), I_y, I_z, J, material);
}

Section make_section(const SectionGeometry& geometry) {
  const auto& [shape, diameter, width, height, thickness, material, rotary_inertia, shear, center_of_mass] =
      geometry;
  Section section{};
  switch (shape) {
    case SectionShape::rod:
      section = rod_section(diameter, material);
      break;
    case SectionShape::tube:
      section = tube_section(diameter, thickness, material);
      break;
    case SectionShape::rectangle:
      section = rectangle_section(width, height, material);
      break;
    case SectionShape::box:
      section = box_section(width, height, thickness, material);
      break;
  }
  if (rotary_inertia) section.rotary_inertia = *rotary_inertia;
  section.center_of_mass = center_of_mass;
  if (shear) {
    const double GA = section.EA * material.G / material.E;
    section.kGA_y = shear_factor(geometry, width, height) * GA;
    section.kGA_z = shear_factor(geometry, height, width) * GA;
  }
  return section;
}

SectionProfile::SectionProfile(double length, const Section& section)
    : stations_{{0.0, section}, {length, section}}, uniform_(true) {
  assert(length > 0.0);
}

SectionProfile::SectionProfile(double length, const SectionGeometry& geometry)
    : stations_{{0.0, geometry}, {length, geometry}}, uniform_(true) {
  assert(length > 0.0);
}

SectionProfile::SectionProfile(std::vector<Station> stations)
    : stations_(std::move(stations)), uniform_(true) {
  assert(stations_.size() >= 2 && stations_.front().x == 0.0 && length() > 0.0);
  for (std::size_t i = 1; i < stations_.size(); ++i) {
    assert(stations_[i - 1].x <= stations_[i].x);
    uniform_ = uniform_ && same(stations_[i - 1].section, stations_[i].section);
  }
}

SectionProfile SectionProfile::piece(int piece, int count) const {
  assert(piece >= 0 && piece < count);
  const double from = length() * piece / count, to = length() * (piece + 1) / count;
  if (uniform_) {
    std::vector<Station> ends{stations_.front(), stations_.front()};
    ends.back().x = length() / count;
    return SectionProfile(std::move(ends));
  }
  // A step that lies at an end: this piece begins with the right one's section, and ends with the left one's.
  std::vector<Station> stations;
  for (std::size_t i = 1; i < stations_.size(); ++i) {
    const Station &left = stations_[i - 1], &right = stations_[i];
    if (right.x <= from || left.x >= to || left.x == right.x) continue;
    for (const double x : {std::max(left.x, from), std::min(right.x, to)}) {
      Station cut = interpolated(left, right, x);
      cut.x = x - from;
      // Neighbours share a station, but for a step.
      if (!stations.empty() && stations.back().x == cut.x && same(stations.back().section, cut.section))
        stations.pop_back();
      stations.push_back(std::move(cut));
    }
  }
  stations.front().x = 0.0;
  stations.back().x = length() / count;
  return SectionProfile(std::move(stations));
}

SectionProfile SectionProfile::on_chord(double chord) const {
  SectionProfile shorter = *this;
  const double factor = chord / length();
  for (Station& station : shorter.stations_) station.x *= factor;
  shorter.stations_.back().x = chord;
  shorter.chord_per_arc_ = chord_per_arc_ * factor;
  return shorter;
}

bool SectionProfile::is_offset() const {
  return std::any_of(stations_.begin(), stations_.end(),
                     [](const Station& station) { return station.section.is_offset(); });
}

Section SectionProfile::at(double x) const {
  return chord_per_arc_ == 1.0 ? on_arc(x) : squeezed(on_arc(x), chord_per_arc_);
}

Section SectionProfile::on_arc(double x) const {
  if (uniform_) return stations_.front().section;
  // The last interval that begins at or before x, but never one behind the last station.
  const auto right = std::upper_bound(stations_.begin() + 1, stations_.end() - 1, x,
                                      [](double place, const Station& station) { return place < station.x; });
  const auto left = right - 1;
  if (right->x == left->x) return right->section;
  return interpolate(*left, *right, (x - left->x) / (right->x - left->x));
}

std::optional<SectionGeometry> SectionProfile::geometry_at(double x, bool inner_side) const {
  const auto first = stations_.begin() + 1, last = stations_.end() - 1;
  const auto right =
      inner_side
          ? std::lower_bound(first, last, x, [](const Station& s, double place) { return s.x < place; })
          : std::upper_bound(first, last, x, [](double place, const Station& s) { return place < s.x; });
  const auto left = right - 1;
  if (right->x == left->x) return right->geometry;
  const double t = (x - left->x) / (right->x - left->x);
  if (of_one_shape(*left, *right)) return interpolate(*left->geometry, *right->geometry, t);
  if (t <= 0.0) return left->geometry;
  if (t >= 1.0) return right->geometry;
  return std::nullopt;
}

std::vector<double> SectionProfile::breakpoints() const {
  if (uniform_) return {0.0, length()};
  std::vector<double> places;
  for (const Station& station : stations_)
    if (places.empty() || station.x > places.back()) places.push_back(station.x);
  return places;
}

std::vector<double> SectionProfile::panel_ends() const {
  std::vector<double> places = breakpoints();
  if (uniform_) return places;
  for (std::size_t i = 1; i < stations_.size(); ++i) {
    const Station &left = stations_[i - 1], &right = stations_[i];
    if (!of_one_shape(left, right)) continue;
    const SectionGeometry &a = *left.geometry, &b = *right.geometry;
    for (const auto& [first, last] : {std::pair(a.width, b.width), std::pair(a.height, b.height)}) {
      if (!(first > 0.0) || first == last) continue;
      // Where a linear size has grown by equal factors of at most two; a whole power of two that rounding has raised stays one.
      constexpr double rounding = 1e-9;
      const double ratio = last / first;
      const int pieces = static_cast<int>(std::ceil(std::abs(std::log2(ratio)) - rounding));
      for (int piece = 1; piece < pieces; ++piece) {
        const double share = (std::pow(ratio, static_cast<double>(piece) / pieces) - 1.0) / (ratio - 1.0);
        places.push_back(left.x + share * (right.x - left.x));
      }
    }
  }
  std::sort(places.begin(), places.end());
  // Places of width and height that a person would call the same.
  constexpr double same = 1e-9;
  const auto together = [this](double a, double b) { return b - a < same * length(); };
  places.erase(std::unique(places.begin(), places.end(), together), places.end());
  places.back() = length();
  return places;
}

bool SectionProfile::shears(Direction direction) const {
  return is_bending(direction) &&
         std::all_of(stations_.begin(), stations_.end(), [&](const Station& station) {
           return std::isfinite(station.section.shear_stiffness(direction));
         });
}

double SectionProfile::total_inertia(Direction direction) const {
  const PanelGrid grid(breakpoints(), length(), 3);  // exact up to degree 5
  double total = 0.0;
  for (Eigen::Index i = 0; i < grid.points().size(); ++i)
    total += grid.weights()[i] * at(grid.points()[i]).inertia(direction);
  return total;
}

}  // namespace limber
