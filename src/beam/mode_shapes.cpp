// SPDX-License-Identifier: BSD-3-Clause
#include "limber/beam/mode_shapes.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "closed_form_shapes.hpp"
#include "energy_factors.hpp"
#include "finite_element_shapes.hpp"
#include "limber/core/input_error.hpp"
#include "message_number.hpp"
#include "piecewise_polynomial.hpp"
#include "shape_normalization.hpp"
#include "table_shapes.hpp"
#include "timoshenko_shapes.hpp"

namespace limber {
namespace {

constexpr int most_modes = 100;
constexpr int most_polynomials = 12;  // more have a mass matrix without a digit left

// What decides a shape's sign.
enum class SignRule { tip, root, keep };

// Shapes before they are normalised.
struct Candidates {
  std::vector<RawShape> shapes;
  std::vector<SignRule> signs;
  std::vector<double> breakpoints;
  double wavenumber = 0.0;

  void add(RawShape shape, SignRule sign) {
    shapes.push_back(std::move(shape));
    signs.push_back(sign);
  }
};

void check_count(const ShapeRequest& request) {
  const bool polynomial = request.family == ShapeFamily::polynomial;
  const int most = polynomial ? most_polynomials : most_modes;
  if (request.count < 1 || request.count > most)
    throw InputError({.path = "count",
                      .expected = "an integer from 1 to " + std::to_string(most),
                      .found = std::to_string(request.count),
                      .hint = polynomial ? "more polynomials are alike to rounding; use craig-bampton" : ""});
}

void check_tip(const TipLoad& tip) {
  const auto fail = [](const char* path, const std::string& expected, double found) {
    throw InputError({.path = path, .expected = expected, .found = message_number(found), .hint = ""});
  };
  if (!(tip.mass >= 0.0) || std::isinf(tip.mass)) fail("tip_mass", "a number >= 0 [kg]", tip.mass);
  if (!(tip.inertia >= 0.0) || std::isinf(tip.inertia))
    fail("tip_inertia", "a number >= 0 [kg m^2]", tip.inertia);
  const double largest_moment = std::sqrt(tip.mass) * std::sqrt(tip.inertia);
  constexpr double slack =
      1e-9;  // a point mass has the largest moment, but for the digits in which it is given
  if (!(std::abs(tip.static_moment) <= largest_moment * (1.0 + slack)))
    fail("tip_static_moment",
         "a body that exists: |static moment| <= sqrt(mass * inertia) = " + message_number(largest_moment),
         tip.static_moment);
}

// The tip body in units of the beam, as characteristic_roots takes it.
TipLoad dimensionless(const TipLoad& tip, Direction direction, const SectionProfile& profile) {
  const double inertia = profile.total_inertia(direction), L = profile.length();
  if (direction == Direction::torsion && tip.inertia > 0.0 && inertia == 0.0)
    throw InputError({.path = "shape",
                      .expected = "a beam with polar inertia, to which the tip's is compared",
                      .found = "rotary_inertia 0 about x",
                      .hint = "give the section a rotary_inertia, or use craig-bampton"});
  if (direction == Direction::torsion) return {0.0, 0.0, tip.inertia > 0.0 ? tip.inertia / inertia : 0.0};
  return {tip.mass / inertia, tip.static_moment / (inertia * L), tip.inertia / (inertia * L * L)};
}

// With coefficients of 1, x / length, (x / length)^2, ...
RawShape polynomial_shape(double length, const Eigen::VectorXd& coefficients) {
  return {std::make_shared<PiecewisePolynomial>(std::vector<double>{0.0, length}, coefficients)};
}

// x^p
Candidates polynomials(const ShapeRequest& request, double length) {
  Candidates result;
  const int first = is_bending(request.direction) ? 2 : 1;
  for (int power = first; power < first + request.count; ++power) {
    RawShape shape = polynomial_shape(length, Eigen::VectorXd::Unit(power + 1, power));
    shape.to_none = std::pow(length, power);
    result.add(std::move(shape), SignRule::tip);
    result.wavenumber = power / length;  // its relative growth at the tip
  }
  return result;
}

// The tip moved and turned by one, statically; then modes with the tip held.
Candidates craig_bampton(const ShapeRequest& request, double length) {
  const bool bends = is_bending(request.direction);
  std::vector<RawShape> static_shapes;
  if (bends) {
    static_shapes.push_back(polynomial_shape(length, Eigen::Vector4d(0.0, 0.0, 3.0, -2.0)));
    static_shapes.push_back(polynomial_shape(length, Eigen::Vector4d(0.0, 0.0, -1.0, 1.0)));
  } else {
    static_shapes.push_back(polynomial_shape(length, Eigen::Vector2d(0.0, 1.0)));
  }
  Candidates result;
  result.wavenumber = 3.0 / length;  // of cubics: about half a wave over the beam
  for (std::size_t i = 0; i < static_shapes.size() && static_cast<int>(i) < request.count; ++i)
    result.add(static_shapes[i], SignRule::keep);
  const int held_modes = request.count - static_cast<int>(result.shapes.size());
  for (const double root : characteristic_roots(request.family, request.direction, held_modes)) {
    result.add(bends ? clamped_held_shape(root, length) : sine_shape(root, length), SignRule::root);
    result.wavenumber = root / length;
  }
  return result;
}

Candidates uniform_beam_modes(const ShapeRequest& request, const SectionProfile& profile) {
  const ShapeFamily family = request.family;
  const bool bends = is_bending(request.direction),
             held = family == ShapeFamily::clamped_pinned || family == ShapeFamily::pinned_pinned;
  if (!bends && (held || family == ShapeFamily::pinned_free))
    throw InputError(
        {.path = "shape",
         .expected = "craig-bampton, clamped-free, clamped-mass, polynomial, finite-element or a table",
         .found = std::string("a family with a pinned end for ") + to_string(request.direction),
         .hint = "a pin holds neither twist nor stretch"});

  const double L = profile.length();
  const TipLoad tip = family == ShapeFamily::clamped_mass
                          ? dimensionless(request.tip, request.direction, profile)
                          : TipLoad{};
  const std::vector<double> roots = characteristic_roots(family, request.direction, request.count, tip);

  Candidates result;
  if (bends && (family == ShapeFamily::clamped_free || family == ShapeFamily::clamped_mass)) {
    result.shapes = clamped_mass_shapes(roots, L, tip);
  } else {
    const auto shape = !bends || family == ShapeFamily::pinned_pinned ? sine_shape
                       : family == ShapeFamily::pinned_free           ? pinned_free_shape
                                                                      : clamped_held_shape;
    for (const double root : roots) result.shapes.push_back(shape(root, L));
  }
  result.signs.assign(roots.size(), held ? SignRule::root : SignRule::tip);
  result.wavenumber = roots.back() / L;
  return result;
}

Candidates finite_elements(const ShapeRequest& request, const SectionProfile& profile) {
  FiniteElementModes modes = finite_element_modes(request.direction, request.count, profile, request.tip);
  Candidates result{{}, {}, std::move(modes.breakpoints), modes.wavenumber};
  for (ModeShape& mode : modes.modes) result.add({std::move(mode.function), mode.scale}, SignRule::tip);
  return result;
}

Candidates table(const ShapeRequest& request, const SectionProfile& profile) {
  if (!request.table)
    throw InputError({.path = "shape.table", .expected = "a table of shapes", .found = "none", .hint = ""});
  ShapeSet set = table_shapes(*request.table, request.direction, request.count, profile);
  Candidates result{{}, {}, std::move(set.breakpoints), set.wavenumber};
  for (ModeShape& mode : set.modes) {
    const double tip = mode.at(profile.length())[0];
    const bool held = std::abs(tip) < 1e-6 * peak_of(*mode.function, result.breakpoints, 0.0);
    const SignRule sign = request.normalize == Normalization::none ? SignRule::keep
                          : held                                   ? SignRule::root
                                                                   : SignRule::tip;
    result.add({std::move(mode.function), mode.scale}, sign);
  }
  return result;
}

// Families of a beam that gives way to shear: modes of the beam itself, tapered or not.
Candidates timoshenko(const ShapeRequest& request, const SectionProfile& profile) {
  const auto modes = [&](int count, BeamEnd root, BeamEnd end, const TipLoad& tip, SignRule sign) {
    TimoshenkoShapes found = timoshenko_modes(request.direction, count, profile, root, end, tip);
    Candidates result{{}, {}, std::move(found.breakpoints), found.wavenumber};
    for (RawShape& shape : found.shapes) result.add(std::move(shape), sign);
    return result;
  };
  switch (request.family) {
    case ShapeFamily::craig_bampton: {
      const std::vector<RawShape> static_shapes = timoshenko_static_shapes(request.direction, profile);
      const int held = request.count - static_cast<int>(static_shapes.size());
      const Candidates inner = modes(held, BeamEnd::clamped, BeamEnd::clamped, {}, SignRule::root);
      Candidates result{{}, {}, inner.breakpoints, std::max(inner.wavenumber, 3.0 / profile.length())};
      for (int i = 0; i < request.count && i < static_cast<int>(static_shapes.size()); ++i)
        result.add(static_shapes[static_cast<std::size_t>(i)], SignRule::keep);
      for (const RawShape& shape : inner.shapes) result.add(shape, SignRule::root);
      return result;
    }
    case ShapeFamily::clamped_free:
      return modes(request.count, BeamEnd::clamped, BeamEnd::free, {}, SignRule::tip);
    case ShapeFamily::clamped_mass:
    case ShapeFamily::finite_element:
      return modes(request.count, BeamEnd::clamped, BeamEnd::free, request.tip, SignRule::tip);
    case ShapeFamily::clamped_pinned:
      return modes(request.count, BeamEnd::clamped, BeamEnd::pinned, {}, SignRule::root);
    case ShapeFamily::pinned_pinned:
      return modes(request.count, BeamEnd::pinned, BeamEnd::pinned, {}, SignRule::root);
    case ShapeFamily::pinned_free:
      return modes(request.count, BeamEnd::pinned, BeamEnd::free, {}, SignRule::tip);
    case ShapeFamily::polynomial:
    case ShapeFamily::table:
      break;
  }
  throw InputError({.path = "shape",
                    .expected = "shapes that say how sections turn, on a beam that gives way to shear",
                    .found = request.family == ShapeFamily::table ? "a table of deflections" : "`polynomial`",
                    .hint = "take craig-bampton, or leave out kGA_y, kGA_z and `shear`"});
}

Candidates candidates(const ShapeRequest& request, const SectionProfile& profile) {
  if (profile.shears(request.direction)) return timoshenko(request, profile);
  switch (request.family) {
    case ShapeFamily::craig_bampton:
      return craig_bampton(request, profile.length());
    case ShapeFamily::polynomial:
      return polynomials(request, profile.length());
    case ShapeFamily::finite_element:
      return finite_elements(request, profile);
    case ShapeFamily::table:
      return table(request, profile);
    default:
      return uniform_beam_modes(request, profile);
  }
}

}  // namespace

ShapeSet make_shapes(const ShapeRequest& request, const SectionProfile& profile) {
  check_count(request);
  check_tip(request.tip);
  Candidates raw = candidates(request, profile);
  if (raw.breakpoints.empty()) raw.breakpoints = {0.0, profile.length()};

  ShapeSet set{{}, raw.breakpoints, raw.wavenumber};
  for (const RawShape& shape : raw.shapes) set.modes.push_back({shape.function, 1.0, shape.bending});
  Eigen::VectorXd modal_inertia;
  if (request.normalize == Normalization::mass)
    modal_inertia = inertia_factor(set, request.direction, profile, request.tip).colwise().norm();

  for (std::size_t j = 0; j < set.modes.size(); ++j) {
    ModeShape& mode = set.modes[j];
    const double peak = peak_of(*mode.function, set.breakpoints, set.wavenumber);
    switch (request.normalize) {
      case Normalization::peak:
        mode.scale = 1.0 / peak;
        break;
      case Normalization::mass:
        mode.scale = 1.0 / modal_inertia[static_cast<Eigen::Index>(j)];
        break;
      case Normalization::none:
        mode.scale = raw.shapes[j].to_none;
        break;
    }
    if (!std::isfinite(mode.scale))
      throw InputError({.path = "normalize",
                        .expected = "peak",
                        .found = request.normalize == Normalization::mass
                                     ? "mass, for a shape that moves no inertia"
                                     : "none, for a shape without curvature at the root",
                        .hint = ""});
    if (raw.signs[j] != SignRule::keep) {
      const double positive = raw.signs[j] == SignRule::tip
                                  ? mode.function->at(profile.length())[0]
                                  : sign_at_root(*mode.function, set.breakpoints, set.wavenumber, peak);
      mode.scale = std::copysign(mode.scale, positive);
    }
  }
  return set;
}

}  // namespace limber
