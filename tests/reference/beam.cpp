// SPDX-License-Identifier: BSD-3-Clause
#include "reference/beam.hpp"

#include <numbers>
#include <utility>

namespace reference {
namespace {

using limber::Direction;
using limber::KinematicOrder;

// ---- Gauss-Legendre quadrature ----

// So many points on every panel between stations: exact for polynomials of degree 79, and for the sections'
// rotary inertia, where exp[theta] comes in, to rounding while sections turn by less than a radian or so.
constexpr int points_per_panel = 40;

struct GaussRule {
  std::vector<Real> x, weight;  // on [0, 1]
};

/// Roots of the Legendre polynomial P_n by Newton's method; weights 2 / ((1 - x^2) P_n'(x)^2), halved for [0,
/// 1].
GaussRule gauss_rule(int n) {
  GaussRule rule;
  for (int i = 0; i < n; ++i) {
    Real x = std::cos(std::numbers::pi_v<Real> * (i + 0.75L) / (n + 0.5L)), slope = 0;
    for (int iteration = 0; iteration < 10; ++iteration) {
      Real before = 1, P = x;
      for (int k = 2; k <= n; ++k) before = std::exchange(P, ((2 * k - 1) * x * P - (k - 1) * before) / k);
      slope = n * (x * P - before) / (x * x - 1);
      x -= P / slope;
    }
    rule.x.push_back((1 + x) / 2);
    rule.weight.push_back(1 / ((1 - x * x) * slope * slope));
  }
  return rule;
}

// ---- sections ----

SectionProperties properties(const limber::SectionDescription& section) {
  // Stiffness that is absent belongs to a direction without modes: nobody asks for it.
  const Eigen::Vector3d rotary = section.rotary_inertia.value_or(Eigen::Vector3d::Zero());
  return {section.EI_y.value_or(0.0), section.EI_z.value_or(0.0),      section.GJ.value_or(0.0),
          section.EA.value_or(0.0),   section.mass_per_length.value(), rotary.cast<Real>()};
}

SectionProperties between(const SectionProperties& a, const SectionProperties& b, Real share) {
  const auto mixed = [share](const auto& first, const auto& second) {
    return evaluated((1 - share) * first + share * second);
  };
  return {mixed(a.EI_y, b.EI_y),
          mixed(a.EI_z, b.EI_z),
          mixed(a.GJ, b.GJ),
          mixed(a.EA, b.EA),
          mixed(a.mass_per_length, b.mass_per_length),
          mixed(a.rotary_inertia, b.rotary_inertia)};
}

Real stiffness_in(const SectionProperties& section, Direction direction) {
  switch (direction) {
    case Direction::y:
      return section.EI_z;
    case Direction::z:
      return section.EI_y;
    case Direction::torsion:
      return section.GJ;
    case Direction::axial:
      return section.EA;
  }
  throw std::logic_error("reference: unknown direction");
}

// ---- jets of polynomials ----

Jet<Polynomial> derivative(const Jet<Polynomial>& a) {
  return {a.c0.derivative(), a.c1.derivative(), a.c2.derivative()};
}
Jet<Polynomial> integral(const Jet<Polynomial>& a) {
  return {a.c0.integral(), a.c1.integral(), a.c2.integral()};
}
Jet<Real> at(const Jet<Polynomial>& a, Real x) { return {a.c0(x), a.c1(x), a.c2(x)}; }

Jet<Vector3> vector(const Jet<Real>& x, const Jet<Real>& y, const Jet<Real>& z) {
  return {Vector3(x.c0, y.c0, z.c0), Vector3(x.c1, y.c1, z.c1), Vector3(x.c2, y.c2, z.c2)};
}
Jet<Vector3> at(const std::array<Jet<Polynomial>, 3>& a, Real x) {
  return vector(at(a[0], x), at(a[1], x), at(a[2], x));
}

}  // namespace

// ---- deflection field ----

DeflectionField::DeflectionField(const Jet<Polynomial>& v, const Jet<Polynomial>& w, const Jet<Polynomial>& a,
                                 const Jet<Polynomial>& u, KinematicOrder order)
    : v_(v), w_(w) {
  const Jet<Polynomial> x{Polynomial{{0, 1}}, {}, {}};
  const auto v1 = derivative(v), w1 = derivative(w), a1 = derivative(a);
  position_ = {x + u, v, w};
  linear_rotation_ = {a, -1.0L * w1, v1};
  if (order == KinematicOrder::first) return;

  // (1) and (2), the quadratic terms
  const auto v2 = derivative(v1), w2 = derivative(w1);
  position_[0] = position_[0] - 0.5L * integral(v1 * v1 + w1 * w1);
  position_[1] = position_[1] - integral(integral(w2 * a));
  position_[2] = position_[2] + integral(integral(v2 * a));
  quadratic_rotation_ = {0.5L * integral(v1 * w2 - v2 * w1), 0.5L * integral(a1 * v1 - a * v2),
                         0.5L * integral(a1 * w1 - a * w2)};
}

Frame DeflectionField::section(Real x) const {
  return {at(position_, x), exponential(at(linear_rotation_, x) + at(quadratic_rotation_, x))};
}

Frame DeflectionField::chord_tip(Real length) const {
  const Jet<Vector3> chord =
      vector(at(linear_rotation_[0], length), (-1 / length) * at(w_, length), (1 / length) * at(v_, length));
  return {at(position_, length), exponential(chord + at(quadratic_rotation_, length))};
}

// ---- beam ----

Beam::Beam(const limber::BeamDescription& description, KinematicOrder order)
    : length_(description.length), order_(order), tip_rotation_(description.tip_rotation) {
  add_shapes(Direction::y, description.modes.y);
  add_shapes(Direction::z, description.modes.z);
  add_shapes(Direction::torsion, description.modes.torsion);
  add_shapes(Direction::axial, description.modes.axial);
  add_points(description);
}

void Beam::add_shapes(Direction direction, const std::optional<limber::ModesDescription>& modes) {
  if (!modes) return;
  if (modes->shape != limber::ShapeFamily::polynomial || modes->normalize == limber::Normalization::mass)
    throw std::invalid_argument("reference: only polynomial shapes, normalized by peak or none");
  const bool bends = direction == Direction::y || direction == Direction::z;
  for (int i = 0; i < modes->count.value(); ++i) {
    const int power = i + (bends ? 2 : 1);
    const Real unit = modes->normalize == limber::Normalization::peak ? length_ : Real{1};
    Polynomial shape{{1}};
    for (int k = 0; k < power; ++k) shape = shape * Polynomial{{0, 1 / unit}};
    coordinates_.push_back({direction, shape});
  }
}

void Beam::add_points(const limber::BeamDescription& description) {
  static const GaussRule rule = gauss_rule(points_per_panel);
  std::vector<std::pair<Real, SectionProperties>> stations;
  if (description.section) {
    stations = {{0, properties(*description.section)}, {length_, properties(*description.section)}};
  } else {
    for (const auto& station : description.stations)
      stations.emplace_back(station.x, properties(station.section));
  }
  for (std::size_t i = 0; i + 1 < stations.size(); ++i) {
    const auto& [begin, first] = stations[i];
    const auto& [end, second] = stations[i + 1];
    for (std::size_t k = 0; k < rule.x.size(); ++k) {
      points_.push_back({begin + (end - begin) * rule.x[k], (end - begin) * rule.weight[k],
                         between(first, second, rule.x[k])});
    }
  }
}

DeflectionField Beam::field(const ElasticState& eta) const {
  std::array<Jet<Polynomial>, 4> deflection;  // by direction
  for (std::size_t j = 0; j < coordinates_.size(); ++j) {
    Jet<Polynomial>& sum = deflection.at(static_cast<std::size_t>(coordinates_[j].direction));
    const Polynomial& shape = coordinates_[j].shape;
    sum = sum + Jet<Polynomial>{eta[j].c0 * shape, eta[j].c1 * shape, eta[j].c2 * shape};
  }
  const auto in = [&](Direction direction) { return deflection.at(static_cast<std::size_t>(direction)); };
  return {in(Direction::y), in(Direction::z), in(Direction::torsion), in(Direction::axial), order_};
}

Frame Beam::node(const DeflectionField& field, Real at) const {
  const bool is_chord = at == 1 && tip_rotation_ == limber::TipRotation::chord;
  return is_chord ? field.chord_tip(length_) : field.section(at * length_);
}

MatrixX Beam::stiffness() const {
  const int m = elastic_count();
  MatrixX K = MatrixX::Zero(m, m);
  std::vector<Polynomial> strain;  // curvature, twist or stretch of a unit coordinate
  for (const Coordinate& coordinate : coordinates_) {
    const bool bends = coordinate.direction == Direction::y || coordinate.direction == Direction::z;
    const Polynomial slope = coordinate.shape.derivative();
    strain.push_back(bends ? slope.derivative() : slope);
  }
  for (const BeamPoint& point : points_) {
    for (int j = 0; j < m; ++j) {
      for (int k = 0; k < m; ++k) {
        const Direction direction = coordinates_[j].direction;
        if (coordinates_[k].direction != direction) continue;
        K(j, k) +=
            point.weight * stiffness_in(point.section, direction) * strain[j](point.x) * strain[k](point.x);
      }
    }
  }
  return K;
}

}  // namespace reference
