// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "limber/beam/section.hpp"
#include "limber/core/export.hpp"
#include "limber/math/eigen.hpp"

namespace limber LIMBER_EXPORT {

/// A shape's value and its first three derivatives with respect to x, the distance from the root in metres.
using Jet = std::array<double, 4>;

/// A shape phi(x) on 0 <= x <= length.
class ShapeFunction {
 public:
  virtual ~ShapeFunction() = default;
  /// At x [m] from the root.
  virtual Jet at(double x) const = 0;
};

/// A shape function and the factor that normalises it.
struct ModeShape {
  std::shared_ptr<const ShapeFunction> function;  ///< before scaling
  double scale = 1.0;                             ///< its factor
  /// Of a beam that gives way to shear the part b of the deflection that bending makes: sections turn by b', are curved by b'', and shear by
  /// phi' - b' (docs/shear.md). None: all of it is bending.
  std::shared_ptr<const ShapeFunction> bending = {};

  /// At x [m] from the root.
  Jet at(double x) const {
    Jet jet = function->at(x);
    for (double& derivative : jet) derivative *= scale;
    return jet;
  }
  /// What bending makes of it, at x [m] from the root: all of it without shear.
  Jet bending_at(double x) const {
    if (!bending) return at(x);
    Jet jet = bending->at(x);
    for (double& derivative : jet) derivative *= scale;
    return jet;
  }
};

/// Where shapes come from; docs/choosing-shapes.md says which is for what.
enum class ShapeFamily {
  craig_bampton,  ///< static tip shapes, then modes held at both ends: the default
  clamped_free,
  clamped_mass,  ///< clamped, with a rigid body (TipLoad) on the tip
  clamped_pinned,
  pinned_pinned,
  pinned_free,     ///< without its rigid-body mode
  polynomial,      ///< bending x^2, x^3, ...; torsion and axial x, x^2, ...
  finite_element,  ///< eigenmodes of the discretised beam with its TipLoad: the choice for tapered beams
  table            ///< the user's own
};

/// What makes a shape's size.
enum class Normalization {
  peak,  ///< largest |phi| on the beam is 1
  mass,  ///< Int m phi^2 + tip_mass phi(L)^2 + 2 static_moment phi phi'(L) + tip_inertia phi'(L)^2 = 1
  /// cosh - cos - s (sinh - sin), sin(kx), x^p; pinned-free sin + sin(l) sinh / sinh(l); a table as it is;
  /// finite-element as `mass`
  none
};

/// The rigid body that a shape family imagines on the beam's tip, for motion in the shape's own direction.
struct TipLoad {
  double mass = 0.0;           ///< [kg]
  double static_moment = 0.0;  ///< mass times the distance of its com ahead of the tip, along x [kg m]
  double inertia = 0.0;        ///< about the tip; for torsion the polar inertia [kg m^2]
};

/// Shapes as columns of numbers: values(i, j) is shape j at x(i). x ascends from 0 to the beam's length.
struct ModeTable {
  std::string source;      ///< for messages: the file's name
  Eigen::VectorXd x;       ///< [m]
  Eigen::MatrixXd values;  ///< x by shapes
};

/// Which shapes of one direction make_shapes() shall make.
struct ShapeRequest {
  Direction direction = Direction::y;               ///< of the beam
  ShapeFamily family = ShapeFamily::craig_bampton;  ///< where they come from
  int count = 1;                                    ///< how many
  TipLoad tip;                                      ///< for families that imagine one
  Normalization normalize = Normalization::peak;    ///< what makes their size
  std::optional<ModeTable> table;                   ///< for ShapeFamily::table
};

/// The shapes of one direction, with what a quadrature has to know to integrate their products to rounding.
struct ShapeSet {
  std::vector<ModeShape> modes;     ///< in ascending order
  std::vector<double> breakpoints;  ///< 0, ..., length: between two of them every shape is smooth
  double wavenumber = 0.0;  ///< the fastest oscillation (or exponential) in any of them [rad/m]; 0 for a
                            ///< table, which is a polynomial of degree 5 or less between breakpoints
};

/// The shapes of one direction of a beam. Sign, whatever the normalisation: positive at the tip; where the
/// tip is held, positive next to the root. (But Craig-Bampton's cubics keep (phi, phi')(L) = (1, 0) and (0,
/// 1/L), and a table that is not normalised keeps its signs.) The families with closed forms are those of a
/// uniform beam, used as shapes also on a tapered one of the same inertia. Throws InputError with the path
/// relative to the direction's entry: `count`, `normalize`, `shape`, `shape.table`, `tip_mass`,
/// `tip_inertia`, `tip_static_moment`.
ShapeSet make_shapes(const ShapeRequest& request, const SectionProfile& profile);

/// Natural frequencies [rad/s], ascending, of the beam in this direction alone, spanned by the given shapes
/// (Rayleigh-Ritz) with the body `tip` on its end. For the families with closed forms these are the family's
/// own frequencies. Infinite where the shapes move no inertia (torsion without polar inertia).
Eigen::VectorXd shape_frequencies(const ShapeSet& shapes, Direction direction, const SectionProfile& profile,
                                  const TipLoad& tip);

/// The first `count` roots of the characteristic equation of a uniform beam with a closed form, dimensionless
/// (wave number times length): for tests, documentation, and users who want them. None is skipped, however
/// close two of them are. `tip` in units of the beam: mass / (m L), static_moment / (m L^2), inertia / (m
/// L^3); for torsion inertia / (polar inertia of the beam), for axial mass / (m L). For craig_bampton they
/// are those of its modes with the tip held. Throws std::invalid_argument for a family without a closed form
/// in this direction.
std::vector<double> characteristic_roots(ShapeFamily family, Direction direction, int count,
                                         const TipLoad& tip = {});

}  // namespace limber
