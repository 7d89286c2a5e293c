// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A beam with polynomial shapes, straight from its description: the deflection field by exact arithmetic with
// polynomials in x, everything else by so many Gauss points that nothing is left to ask.

#include <array>
#include <vector>

#include "limber/model/description.hpp"
#include "reference/jet.hpp"

namespace reference {

/// Elastic coordinates as functions of time.
using ElasticState = std::vector<Jet<Real>>;

/// The deflection at one elastic state, in the root frame. With v, w the bending deflections along y and z, a
/// the torsion angle, u the stretching:
///
///   p = [x + u - 1/2 Int(v'^2 + w'^2),  v - Int Int w'' a,  w + Int Int v'' a]  (1)
///
///   theta = [ a  + 1/2 Int(v' w'' - v'' w'),
///            -w' + 1/2 Int(a' v' - a v''),
///             v' + 1/2 Int(a' w' - a w'')]  (2)
///
/// of which first-order kinematics keeps what is linear.
class DeflectionField {
 public:
  DeflectionField(const Jet<Polynomial>& v, const Jet<Polynomial>& w, const Jet<Polynomial>& a,
                  const Jet<Polynomial>& u, limber::KinematicOrder order);
  /// The section at x.
  Frame section(Real x) const;
  /// The section at the tip, turned by the chord's angles v/L, -w/L instead of the slope's (linear part
  /// only).
  Frame chord_tip(Real length) const;

 private:
  Jet<Polynomial> v_, w_;
  std::array<Jet<Polynomial>, 3> position_, linear_rotation_, quadratic_rotation_;
};

struct SectionProperties {
  Real EI_y, EI_z, GJ, EA, mass_per_length;
  Vector3 rotary_inertia;
};

/// A quadrature point.
struct BeamPoint {
  Real x, weight;
  SectionProperties section;
};

class Beam {
 public:
  Beam(const limber::BeamDescription& description, limber::KinematicOrder order);

  int elastic_count() const { return static_cast<int>(coordinates_.size()); }
  const std::vector<BeamPoint>& points() const { return points_; }
  DeflectionField field(const ElasticState& eta) const;
  Frame node(const DeflectionField& field, Real at) const;
  /// K_jk = Int EI phi_j'' phi_k'', Int GJ phi_j' phi_k' or Int EA phi_j' phi_k', by direction.
  MatrixX stiffness() const;

 private:
  struct Coordinate {
    limber::Direction direction;
    Polynomial shape;
  };
  void add_shapes(limber::Direction direction, const std::optional<limber::ModesDescription>& modes);
  void add_points(const limber::BeamDescription& description);

  Real length_;
  limber::KinematicOrder order_;
  limber::TipRotation tip_rotation_;
  std::vector<Coordinate> coordinates_;
  std::vector<BeamPoint> points_;
};

}  // namespace reference
