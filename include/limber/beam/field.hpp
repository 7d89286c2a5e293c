// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The deflection field of a beam (derivation: docs/deflection-field.md).
//
// In the frame at its root, x along the undeformed axis, the axis point x of the beam sits at p and its
// section is turned by exp[theta]:
//
//   p(x)     = r0(x) + Phi(x) eta + 1/2 eta^T Phi2(x) eta                                              (1)
//   theta(x) =         Psi(x) eta + 1/2 eta^T Psi2(x) eta                                              (2)
//
// With v, w the bending deflections along y and z, a the torsion angle, u the axial stretching, each its
// shapes times its coordinates, and primes for d/dx:
//
//   p     = [x + u - 1/2 Int(v'^2 + w'^2),  v - Int Int w'' a,  w + Int Int v'' a]                      (3)
//   theta = [a + 1/2 Int(v' w'' - v'' w'),  -w' + 1/2 Int(a' v' - a v''),  v' + 1/2 Int(a' w' - a w'')]  (4)
//
// KinematicOrder::first keeps the linear terms only. `second` is Piedboeuf's field ("The Jacobian matrix for
// a flexible manipulator", eqs 9-18): v'', w'', a' are then the curvatures and the twist of the bent beam, up
// to third order, so that the strain energy is quadratic in eta. Differs from the paper: his rotation matrix
// (16) is replaced by exp[theta], which agrees with it to third order and is a rotation at every amplitude.
//
// Where sections twist about a shear centre s = (0, y_s, z_s) beside the axis, v and w are deflections of the line of shear centres, and the axis is carried
// around it: p gains exp[theta](-s) + s along y and z. What foreshortens is the axis (u and EA are its own), with v + z_s a and w - y_s a in
// place of v and w. To second order, with theta_2 the quadratic part of theta's first number,
//
//   p_x += -Int(z_s v' a' - y_s w' a' + 1/2 (y_s^2 + z_s^2) a'^2)
//   p_y +=  z_s (a + theta_2) + 1/2 z_s v' w' + 1/2 y_s (a^2 + v'^2)                                    (5)
//   p_z += -y_s (a + theta_2) + 1/2 y_s v' w' + 1/2 z_s (a^2 + w'^2)

#include <array>
#include <vector>

#include "limber/beam/mode_shapes.hpp"
#include "limber/core/export.hpp"
#include "limber/math/eigen.hpp"
#include "limber/math/quadrature.hpp"
#include "limber/math/rotation.hpp"

namespace limber LIMBER_EXPORT {

/// Of the deflection field in the elastic coordinates; `second` has foreshortening and with it geometric stiffening.
enum class KinematicOrder { first, second };

/// How much the tip's section turns in bending: by the slope of the deflection (as every other section does),
/// or by the angle of the chord from root to tip, an approximation found in the literature.
enum class TipRotation { slope, chord };

/// A beam's shapes in all its directions; elastic coordinates stand in this order.
class BeamBasis {
 public:
  /// An elastic coordinate.
  struct Coordinate {
    Direction direction;  ///< in which it deflects
    ModeShape shape;      ///< phi(x) that it multiplies
  };

  /// Without shapes yet.
  explicit BeamBasis(SectionProfile profile);
  /// Appends the shapes of one direction; directions come in the order of all_directions.
  void add(Direction direction, const ShapeSet& shapes);

  /// The sections along the beam.
  const SectionProfile& profile() const { return profile_; }
  /// [m]
  double length() const { return profile_.length(); }
  /// In the order of eta.
  const std::vector<Coordinate>& coordinates() const { return coordinates_; }
  /// m, their number.
  int size() const { return static_cast<int>(coordinates_.size()); }
  /// 0, ..., length: between two of them every shape and section property is smooth.
  const std::vector<double>& breakpoints() const { return breakpoints_; }

  /// The fastest oscillation (or exponential) in any shape [rad/m].
  double wavenumber() const { return wavenumber_; }

  /// Panels inside of which every shape and section property is smooth and slow enough for products of four
  /// shapes to be integrated to rounding. `places` become panel ends too.
  PanelGrid grid(const std::vector<double>& places = {}, int points_per_panel = 20) const;

 private:
  SectionProfile profile_;
  std::vector<Coordinate> coordinates_;
  std::vector<double> breakpoints_;
  double wavenumber_ = 0.0;
};

/// The field at one place of the beam: (1) and (2) as constant, linear and quadratic forms in eta.
struct BeamNode {
  double x = 0.0;                       ///< [m] from the root
  Eigen::Matrix3Xd Phi;                 ///< 3 x m
  Eigen::Matrix3Xd Psi;                 ///< 3 x m
  std::array<Eigen::MatrixXd, 3> Phi2;  ///< m x m for each axis, symmetric; empty for first order
  std::array<Eigen::MatrixXd, 3> Psi2;  ///< likewise
  double y = 0.0, z = 0.0;              ///< [m] off the axis: of a body of finite elements

  /// Whether Phi2 and Psi2 are there.
  bool is_second_order() const { return Phi2[0].size() > 0; }
  /// Where it is at rest, in R.
  Eigen::Vector3d r0() const { return {x, y, z}; }

  /// p of (1), in R.
  template <typename Scalar>
  Vector3<Scalar> position(const Eigen::Matrix<Scalar, Eigen::Dynamic, 1>& eta) const;
  /// The rotation vector theta of the section.
  template <typename Scalar>
  Vector3<Scalar> rotation_vector(const Eigen::Matrix<Scalar, Eigen::Dynamic, 1>& eta) const;
};

/// Nodes at the given places, 0 <= x <= length, each computed with all integrals from the root up to it.
std::vector<BeamNode> make_nodes(const BeamBasis& basis, KinematicOrder order,
                                 const std::vector<double>& places);

/// The node at the tip, where TipRotation has a say (it replaces the linear part Psi only).
BeamNode make_tip_node(const BeamBasis& basis, KinematicOrder order, TipRotation tip_rotation);

/// One product of coordinates in the field: `axis` of p or theta gains F(x) eta_j eta_k.
struct FieldTerm {
  int axis;    ///< 0, 1, 2: x, y, z of R
  int j = -1;  ///< -1: the term is constant
  int k = -1;  ///< -1: the term is linear
  /// The same product on the same axis.
  bool operator==(const FieldTerm& other) const { return axis == other.axis && j == other.j && k == other.k; }
};

/// The terms of p or of theta with their functions F at places: one column a term.
struct SampledTerms {
  std::vector<FieldTerm> terms;  ///< one for each column
  Eigen::MatrixXd at_points;     ///< rows: the grid's points
  Eigen::MatrixXd at_ends;       ///< rows: the grid's panel ends
};

/// (3) and (4), term by term, on a grid. The only place where these formulas stand.
struct SampledField {
  SampledTerms position;  ///< p, (3)
  SampledTerms rotation;  ///< theta, (4)
};
/// At the points and at the panel ends of `grid`.
SampledField sample_field(const BeamBasis& basis, KinematicOrder order, const PanelGrid& grid);

template <typename Scalar>
Vector3<Scalar> BeamNode::position(const Eigen::Matrix<Scalar, Eigen::Dynamic, 1>& eta) const {
  Vector3<Scalar> p = r0().template cast<Scalar>() + Phi.template cast<Scalar>() * eta;
  if (is_second_order())
    for (int axis = 0; axis < 3; ++axis) p[axis] += 0.5 * eta.dot(Phi2[axis].template cast<Scalar>() * eta);
  return p;
}

template <typename Scalar>
Vector3<Scalar> BeamNode::rotation_vector(const Eigen::Matrix<Scalar, Eigen::Dynamic, 1>& eta) const {
  Vector3<Scalar> theta = Psi.template cast<Scalar>() * eta;
  if (is_second_order())
    for (int axis = 0; axis < 3; ++axis)
      theta[axis] += 0.5 * eta.dot(Psi2[axis].template cast<Scalar>() * eta);
  return theta;
}

}  // namespace limber
