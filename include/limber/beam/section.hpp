// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <limits>
#include <optional>
#include <vector>

#include "limber/core/export.hpp"
#include "limber/math/eigen.hpp"

namespace limber LIMBER_EXPORT {

/// The ways in which a beam deforms. `y` is deflection along y (bending about z), `z` deflection along z
/// (bending about y), `torsion` rotation about x, `axial` stretching along x. Coordinates come in this order.
enum class Direction { y, z, torsion, axial };
/// In the order of coordinates.
inline constexpr Direction all_directions[] = {Direction::y, Direction::z, Direction::torsion,
                                               Direction::axial};
/// "y", "z", "torsion", "axial": the words of the model file.
const char* to_string(Direction direction);
/// Whether shapes have a slope that turns sections: y and z.
inline bool is_bending(Direction direction) { return direction == Direction::y || direction == Direction::z; }

/// What a beam's cross-section at one place brings to the equations. A stiffness that was not given is NaN:
/// the beam is then rigid in that direction, and using it would be our mistake.
struct Section {
  double EI_y;                     ///< bending about y: deflection along z [N m^2]
  double EI_z;                     ///< bending about z: deflection along y [N m^2]
  double GJ;                       ///< torsion [N m^2]
  double EA;                       ///< axial [N]
  double mass_per_length;          ///< [kg/m]
  Eigen::Vector3d rotary_inertia;  ///< mass moment of inertia per length about x, y, z [kg m]
  double kGA_y = rigid_in_shear;   ///< shear along y [N]; infinite: sections stay across the axis
  double kGA_z = rigid_in_shear;   ///< shear along z [N]; likewise
  /// Where its mass sits, y and z from the axis [m]; rotary_inertia is about it.
  Eigen::Vector2d center_of_mass = Eigen::Vector2d::Zero();
  /// About which it twists, and through which a force bends without twisting: y and z from the axis [m].
  Eigen::Vector2d shear_center = Eigen::Vector2d::Zero();

  /// That of a beam whose sections stay across its axis (Euler and Bernoulli's).
  static constexpr double rigid_in_shear = std::numeric_limits<double>::infinity();

  /// kGA_y or kGA_z: what resists shear where the beam deflects in a bending direction.
  double shear_stiffness(Direction direction) const { return direction == Direction::y ? kGA_y : kGA_z; }
  /// The stiffness that resists deformation in `direction`: EI_z, EI_y, GJ or EA.
  double stiffness(Direction direction) const;
  /// The inertia that the deformation's own coordinate moves: mass per length, for torsion the polar
  /// inertia per length about the shear centre. (Rotary inertia in bending is a correction that shape integrals add.)
  double inertia(Direction direction) const;
  /// Whether its mass centre or its shear centre lies beside the axis.
  bool is_offset() const { return !center_of_mass.isZero(0.0) || !shear_center.isZero(0.0); }
};

/// Isotropic and linearly elastic.
struct Material {
  double E;        ///< Young's modulus [Pa]
  double G;        ///< shear modulus [Pa]
  double density;  ///< [kg/m^3]
};

///@{
/// Sections by geometry. Width is along y, height along z. Torsion constant: rod and tube exact, rectangle by
/// Saint-Venant's series, box by Bredt's formula. Rotary inertia is density * (Iy + Iz, Iy, Iz).
/// Arguments must be positive, and thickness less than half of the outer size; the model's checks see to it.
Section rod_section(double diameter, const Material& material);
Section tube_section(double outer_diameter, double thickness, const Material& material);
Section rectangle_section(double width, double height, const Material& material);
Section box_section(double width, double height, double thickness, const Material& material);
///@}

/// Outlines that sections by geometry may have.
enum class SectionShape { rod, tube, rectangle, box };

/// A section by shape, sizes and material. Sizes that the shape does not have are 0.
struct SectionGeometry {
  SectionShape shape;                                  ///< outline
  double diameter = 0.0;                               ///< of a rod; the outer one of a tube [m]
  double width = 0.0, height = 0.0, thickness = 0.0;   ///< outer sizes along y and z; of the wall [m]
  Material material;                                   ///< what it is made of
  std::optional<Eigen::Vector3d> rotary_inertia = {};  ///< instead of what follows from shape and density
  bool shear = false;                                  ///< whether it gives way to shear, by Cowper's factors
  Eigen::Vector2d center_of_mass =
      Eigen::Vector2d::Zero();  ///< Section's: what it carries sits beside the axis
};
/// By rod_section() and its kin.
Section make_section(const SectionGeometry& geometry);

/// A section along the beam: constant, or tapered between stations. Between two stations of one geometric shape its sizes
/// (and what the material is made of) are linear, and stiffness and mass follow from them; between all others every property
/// is linear. A rotary inertia that one of them states is linear in any case.
class SectionProfile {
 public:
  /// A section at one place.
  struct Station {
    /// By stiffness.
    Station(double place, const Section& there) : x(place), section(there) {}
    /// By geometry.
    Station(double place, const SectionGeometry& there)
        : x(place), section(make_section(there)), geometry(there) {}

    double x;                                 ///< [m] from the beam's root
    Section section;                          ///< right there
    std::optional<SectionGeometry> geometry;  ///< none: given by stiffness
  };

  /// The same section all along [m].
  SectionProfile(double length, const Section& section);
  /// The same section by geometry all along [m].
  SectionProfile(double length, const SectionGeometry& geometry);
  /// Stations in ascending x, the first at 0, the last at the beam's length. Two at the same x are a step:
  /// the section is the left one's before it, and the right one's from there on.
  explicit SectionProfile(std::vector<Station> stations);

  /// [m]
  double length() const { return stations_.back().x; }
  /// Whether the section is the same everywhere.
  bool is_uniform() const { return uniform_; }
  /// Whether it gives way to shear in a bending direction (Timoshenko's beam).
  bool shears(Direction direction) const;
  /// At x [m] from the root.
  Section at(double x) const;
  /// Piece number `piece` (from 0 on) of so many of equal length, as a profile of its own.
  SectionProfile piece(int piece, int count) const;
  /// The same beam on a chord of that length [m], which stands for a piece with a curved axis: stations move with it, and mass and flexibility of
  /// every part of the arc stay what they were.
  SectionProfile on_chord(double chord) const;
  /// Whether the mass centre or the shear centre of any section lies beside the axis.
  bool is_offset() const;
  /// Its geometry there; at a step that of the outer side, or of the inner one. None where the section is given by stiffness, and between
  /// stations of two shapes.
  std::optional<SectionGeometry> geometry_at(double x, bool inner_side = false) const;
  /// Places where the properties have a kink, with both ends: 0, ..., length. Between them inertias are polynomials up to
  /// degree 5, and so are stiffnesses but for torsion.
  std::vector<double> breakpoints() const;
  /// The same and places between them, such that no size more than doubles from one to the next: a quadrature that ends its
  /// panels there also integrates the torsional stiffness of a tapered box or rectangle, which has a pole where the beam
  /// would come to a point.
  std::vector<double> panel_ends() const;
  /// Integral of the mass per length (torsion: of the polar inertia per length) over the beam.
  double total_inertia(Direction direction) const;

 private:
  Section on_arc(double x) const;

  std::vector<Station> stations_;
  bool uniform_;
  double chord_per_arc_ = 1.0;  // on_chord()
};

}  // namespace limber
