// SPDX-License-Identifier: BSD-3-Clause
#include "limber/beam/shape_integrals.hpp"

#include <cassert>
#include <cmath>
#include <string>

#include "limber/beam/detail/own_integrals.hpp"
#include "limber/core/input_error.hpp"
#include "limber/math/detail/decompositions.hpp"

namespace limber {
namespace {

// Section properties along a grid, each times the quadrature weights.
struct WeightedSections {
  Eigen::VectorXd mass;
  Eigen::Matrix3Xd rotary;
  Eigen::Matrix2Xd moment;  // of the mass about the axis: y and z
};

WeightedSections weighted_sections(const BeamBasis& basis, const PanelGrid& grid) {
  const Eigen::Index count = grid.points().size();
  WeightedSections sections{Eigen::VectorXd(count), Eigen::Matrix3Xd(3, count), Eigen::Matrix2Xd(2, count)};
  for (Eigen::Index i = 0; i < count; ++i) {
    const Section section = basis.profile().at(grid.points()[i]);
    sections.mass[i] = grid.weights()[i] * section.mass_per_length;
    sections.rotary.col(i) = grid.weights()[i] * section.rotary_inertia;
    sections.moment.col(i) = sections.mass[i] * section.center_of_mass;
  }
  return sections;
}

// What turns with a section besides its mass on the axis. A mass m at c from the axis moves with v + w x c: its energy is that of m on the axis,
// and that of a body without mass, with first moment m c and the inertia about the axis.
RigidInertia turning_part(const WeightedSections& sections, Eigen::Index i) {
  RigidInertia body{0.0, Eigen::Vector3d::Zero(), sections.rotary.col(i).asDiagonal()};
  const Eigen::Vector2d& h = sections.moment.col(i);
  if (h.isZero(0.0)) return body;
  body.moment = {0.0, h.x(), h.y()};
  const Eigen::Vector3d c = body.moment / sections.mass[i];
  body.inertia += body.moment.dot(c) * Eigen::Matrix3d::Identity() - body.moment * c.transpose();
  return body;
}

// K = Int (EI_z v''^2 + EI_y w''^2 + GJ a'^2 + EA u'^2): directions do not couple. Where sections shear, v'' is their curvature b'', and
// Int kGA_y (v' - b')^2 (and likewise along z) comes to it.
Eigen::MatrixXd stiffness_matrix(const BeamBasis& basis, const PanelGrid& grid) {
  const int m = basis.size();
  Eigen::MatrixXd strain(grid.points().size(), m);    // v'', w'', a' or u'
  Eigen::MatrixXd weighted(grid.points().size(), m);  // the same times stiffness and weight
  const bool shears = basis.profile().shears(Direction::y) || basis.profile().shears(Direction::z);
  Eigen::MatrixXd shear = Eigen::MatrixXd::Zero(shears ? grid.points().size() : 0, m), weighted_shear = shear;
  for (Eigen::Index i = 0; i < grid.points().size(); ++i) {
    const double x = grid.points()[i];
    const Section section = basis.profile().at(x);
    for (int j = 0; j < m; ++j) {
      const auto& [direction, shape] = basis.coordinates()[j];
      const Jet bending = shape.bending_at(x);
      strain(i, j) = bending[is_bending(direction) ? 2 : 1];
      weighted(i, j) = grid.weights()[i] * section.stiffness(direction) * strain(i, j);
      if (!shape.bending) continue;
      shear(i, j) = shape.at(x)[1] - bending[1];
      weighted_shear(i, j) = grid.weights()[i] * section.shear_stiffness(direction) * shear(i, j);
    }
  }
  Eigen::MatrixXd K = Eigen::MatrixXd::Zero(m, m);
  for (int j = 0; j < m; ++j)
    for (int k = 0; k <= j; ++k)
      if (basis.coordinates()[j].direction == basis.coordinates()[k].direction)
        K(j, k) = K(k, j) = strain.col(k).dot(weighted.col(j)) + shear.col(k).dot(weighted_shear.col(j));
  return K;
}

Eigen::MatrixXd lump_rest_inertia(const Lump& lump);

// Int Psi^T I_s Psi on a grid: what the sections' rotary inertia (and their mass beside the axis) adds to M_ee at rest.
Eigen::MatrixXd rotary_rest_inertia(const BeamBasis& basis, const PanelGrid& grid) {
  if (basis.profile().is_offset()) {
    const WeightedSections sections = weighted_sections(basis, grid);
    const std::vector<BeamNode> nodes =
        make_nodes(basis, KinematicOrder::first, {grid.points().begin(), grid.points().end()});
    Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(basis.size(), basis.size());
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      // With the mass on the axis, so that every coordinate has a size to compare with.
      RigidInertia body = turning_part(sections, static_cast<Eigen::Index>(i));
      body.mass = sections.mass[static_cast<Eigen::Index>(i)];
      sum += lump_rest_inertia({nodes[i], body});
    }
    return sum;
  }
  const SampledTerms rotation = sample_field(basis, KinematicOrder::first, grid).rotation;
  const Eigen::Matrix3Xd I_s = weighted_sections(basis, grid).rotary;
  Eigen::MatrixXd M = Eigen::MatrixXd::Zero(basis.size(), basis.size());
  for (int axis = 0; axis < 3; ++axis) {
    std::vector<Eigen::Index> columns, coordinates;
    for (std::size_t a = 0; a < rotation.terms.size(); ++a)
      if (rotation.terms[a].axis == axis) {
        columns.push_back(static_cast<Eigen::Index>(a));
        coordinates.push_back(rotation.terms[a].j);
      }
    const Eigen::MatrixXd F = rotation.at_points(Eigen::all, columns);
    M(coordinates, coordinates) = F.transpose() * I_s.row(axis).asDiagonal() * F;
  }
  return M;
}

// Whether every element agrees in proportion to those on the diagonal: high modes turn much more than low ones.
bool agrees(const Eigen::MatrixXd& M, const Eigen::MatrixXd& exact, double tolerance) {
  const Eigen::VectorXd size = exact.diagonal().cwiseSqrt();
  return ((M - exact).array().abs() <= tolerance * (size * size.transpose()).array()).all();
}

// Whether anything of a section turns with it that is not on the axis.
bool has_turning_parts(const BeamBasis& basis) {
  for (const double x : basis.profile().breakpoints()) {
    const Section section = basis.profile().at(x);
    if (!section.rotary_inertia.isZero(0.0) || !section.center_of_mass.isZero(0.0)) return true;
  }
  return false;
}

// Points for the sections' rotary inertia: on panels of some waves the coarsest rule that gives Int Psi^T I_s Psi to rounding,
// and some points more for what bending adds to it, which is made of products of up to four shapes. Algorithms
// take four points at a time, so that on a beam of one panel their number is a multiple of four.
PanelGrid rotary_grid(const BeamBasis& basis, const PanelGrid& fine_grid) {
  constexpr double rounding = 2e-14;        // of a sum over some tens of points
  constexpr double phase_per_panel = 32.0;  // five waves, for which most_points are plenty
  constexpr int fewest_points = 3, spare_points = 5, most_points = 40;
  const std::vector<double>& ends = basis.breakpoints();
  const double pieces = std::max(1.0, std::ceil(basis.wavenumber() * basis.length() / phase_per_panel));
  const double longest = basis.length() / pieces;
  int points = 1;
  if (basis.size() > 0) {
    const Eigen::MatrixXd exact = rotary_rest_inertia(basis, fine_grid);
    points = fewest_points;
    while (!agrees(rotary_rest_inertia(basis, PanelGrid(ends, longest, points)), exact, rounding))
      if (++points > most_points)
        throw InputError(Problem{
            "modes", "shapes whose rotary inertia can be integrated along the beam to rounding",
            std::to_string(basis.size()) + " shapes that cannot", "take fewer of them, or another family"});
  }
  double widest = 0.0;
  for (std::size_t i = 1; i < ends.size(); ++i)
    widest = std::max(widest, std::min(longest, ends[i] - ends[i - 1]));
  points += std::max(spare_points, static_cast<int>(std::ceil(0.5 * basis.wavenumber() * widest)));
  if (ends.size() == 2 && pieces == 1.0) points = (points + 3) / 4 * 4;
  return PanelGrid(ends, longest, points);
}

std::vector<Lump> rotary_lumps(const BeamBasis& basis, KinematicOrder order, const PanelGrid& fine_grid) {
  const PanelGrid grid = rotary_grid(basis, fine_grid);
  const WeightedSections sections = weighted_sections(basis, grid);
  const std::vector<double> places(grid.points().begin(), grid.points().end());
  const std::vector<BeamNode> nodes = make_nodes(basis, order, places);
  std::vector<Lump> lumps;
  for (std::size_t i = 0; i < nodes.size(); ++i)
    lumps.push_back({nodes[i], turning_part(sections, static_cast<Eigen::Index>(i))});
  return lumps;
}

// A term's function at the tip.
double term_value(const FieldTerm& term, const BeamNode& node) {
  if (term.j < 0) return node.r0()[term.axis];
  if (term.k < 0) return node.Phi(term.axis, term.j);
  return node.Phi2[term.axis](term.j, term.k) * (term.j == term.k ? 0.5 : 1.0);
}

void add_point_mass(double mass, const BeamNode& node, ShapeIntegrals& integrals) {
  Eigen::VectorXd values(integrals.moment.size());
  for (std::size_t a = 0; a < integrals.terms.size(); ++a)
    values[static_cast<Eigen::Index>(a)] = term_value(integrals.terms[a], node);
  integrals.mass += mass;
  integrals.moment += mass * values;
  integrals.gram += mass * values * values.transpose();
}

// Int m Phi_j . Phi_k: the linear terms' part of the Gram matrix.
Eigen::MatrixXd axis_rest_inertia(const ShapeIntegrals& integrals, int m) {
  Eigen::MatrixXd M = Eigen::MatrixXd::Zero(m, m);
  for (std::size_t a = 0; a < integrals.terms.size(); ++a)
    for (std::size_t b = 0; b < integrals.terms.size(); ++b) {
      const FieldTerm &left = integrals.terms[a], &right = integrals.terms[b];
      const bool both_linear = left.j >= 0 && left.k < 0 && right.j >= 0 && right.k < 0;
      if (both_linear && left.axis == right.axis)
        M(left.j, right.j) += integrals.gram(static_cast<Eigen::Index>(a), static_cast<Eigen::Index>(b));
    }
  return M;
}

// M_ee of a lump at rest: [Phi; Psi]^T (mass matrix of the body about the node) [Phi; Psi].
Eigen::MatrixXd lump_rest_inertia(const Lump& lump) {
  const Eigen::Matrix3Xd& Phi = lump.node.Phi;
  const Eigen::Matrix3Xd& Psi = lump.node.Psi;
  const Eigen::Matrix3d H = skew<double>(lump.body.moment);  // linear momentum is m v - [h]x w
  const Eigen::MatrixXd coupling = Phi.transpose() * H * Psi;
  return lump.body.mass * Phi.transpose() * Phi - coupling - coupling.transpose() +
         Psi.transpose() * lump.body.inertia * Psi;
}

Eigen::MatrixXd rest_inertia_of(const std::vector<Lump>& lumps, int m) {
  Eigen::MatrixXd M = Eigen::MatrixXd::Zero(m, m);
  for (const Lump& lump : lumps) M += lump_rest_inertia(lump);
  return M;
}

// A mass on the axis moves with p alone; what turns stays a body of its own.
void add_lump(const BeamNode& node, const RigidInertia& body, ShapeIntegrals& integrals) {
  RigidInertia turning = body;
  if (body.moment.isZero(0.0)) {
    add_point_mass(body.mass, node, integrals);
    turning.mass = 0.0;
  }
  if (turning.mass != 0.0 || !turning.inertia.isZero(0.0)) integrals.lumps.push_back({node, turning});
}

void make_symmetric(Eigen::MatrixXd& M) { M = (0.5 * (M + M.transpose())).eval(); }

// mu_a and its derivatives with respect to eta, one column each.
struct Monomials {
  Eigen::VectorXd values;
  Eigen::MatrixXd derivatives;
};

Monomials evaluate_monomials(const std::vector<FieldTerm>& terms, const Eigen::VectorXd& eta) {
  const auto count = static_cast<Eigen::Index>(terms.size());
  Monomials mu{Eigen::VectorXd(count), Eigen::MatrixXd::Zero(count, eta.size())};
  for (Eigen::Index a = 0; a < count; ++a) {
    const auto& [axis, j, k] = terms[static_cast<std::size_t>(a)];
    mu.values[a] = (j < 0 ? 1.0 : eta[j]) * (k < 0 ? 1.0 : eta[k]);
    if (j >= 0) mu.derivatives(a, j) += k < 0 ? 1.0 : eta[k];
    if (k >= 0) mu.derivatives(a, k) += eta[j];
  }
  return mu;
}

}  // namespace

namespace detail {

OwnIntegrals integrate_beam(const BeamBasis& basis, KinematicOrder order) {
  const PanelGrid grid = basis.grid();
  const SampledTerms position = sample_field(basis, order, grid).position;
  const Eigen::VectorXd mass = weighted_sections(basis, grid).mass;

  OwnIntegrals own;
  own.along.mass = mass.sum();
  own.along.terms = position.terms;
  own.along.moment = position.at_points.transpose() * mass;
  own.along.gram = position.at_points.transpose() * mass.asDiagonal() * position.at_points;
  make_symmetric(own.along.gram);
  own.along.stiffness = stiffness_matrix(basis, grid);
  own.along.rest_inertia = axis_rest_inertia(own.along, basis.size());
  if (has_turning_parts(basis)) own.rotary = rotary_lumps(basis, order, grid);
  own.rotary_inertia = rest_inertia_of(own.rotary, basis.size());
  return own;
}

ShapeIntegrals with_tip_body(const OwnIntegrals& own, const BeamNode& tip_node,
                             const RigidInertia& tip_body) {
  ShapeIntegrals integrals = own.along;
  add_lump(tip_node, tip_body, integrals);
  integrals.rest_inertia += own.rotary_inertia + lump_rest_inertia({tip_node, tip_body});
  integrals.lumps.insert(integrals.lumps.end(), own.rotary.begin(), own.rotary.end());
  return integrals;
}

}  // namespace detail

ShapeIntegrals make_shape_integrals(const BeamBasis& basis, KinematicOrder order, const BeamNode& tip_node,
                                    const RigidInertia& tip_body) {
  return detail::with_tip_body(detail::integrate_beam(basis, order), tip_node, tip_body);
}

void add_body(const BeamNode& node, const RigidInertia& body, ShapeIntegrals& integrals) {
  add_lump(node, body, integrals);
  make_symmetric(integrals.gram);
  integrals.rest_inertia = axis_rest_inertia(integrals, static_cast<int>(integrals.stiffness.rows())) +
                           rest_inertia_of(integrals.lumps, static_cast<int>(integrals.stiffness.rows()));
}

FieldMoments field_moments(const ShapeIntegrals& integrals, const Eigen::VectorXd& eta) {
  const auto m = eta.size();
  const auto count = static_cast<Eigen::Index>(integrals.terms.size());
  const Monomials mu = evaluate_monomials(integrals.terms, eta);
  const auto axis_of = [&](Eigen::Index a) { return integrals.terms[static_cast<std::size_t>(a)].axis; };

  FieldMoments moments{Eigen::Vector3d::Zero(), Eigen::Matrix3d::Zero(), Eigen::Matrix3Xd::Zero(3, m),
                       std::vector<Eigen::Matrix3d>(static_cast<std::size_t>(m), Eigen::Matrix3d::Zero()),
                       Eigen::MatrixXd::Zero(m, m)};
  for (Eigen::Index a = 0; a < count; ++a) {
    moments.first[axis_of(a)] += integrals.moment[a] * mu.values[a];
    moments.first_derivatives.row(axis_of(a)) += integrals.moment[a] * mu.derivatives.row(a);
    for (Eigen::Index b = 0; b < count; ++b) {
      const double gram = integrals.gram(a, b);
      moments.second(axis_of(a), axis_of(b)) += gram * mu.values[a] * mu.values[b];
      for (Eigen::Index j = 0; j < m; ++j)
        moments.mixed[static_cast<std::size_t>(j)](axis_of(a), axis_of(b)) +=
            gram * mu.values[a] * mu.derivatives(b, j);
      if (axis_of(a) == axis_of(b))
        moments.derivatives += gram * mu.derivatives.row(a).transpose() * mu.derivatives.row(b);
    }
  }
  return moments;
}

// With M_ee u = s K u, u^T K u = 1 (s = 1 / omega^2), U = u / sqrt(s) and M_ee u = s K u, the definition
// becomes D = Sum 2 ratio sqrt(s) (K u)(K u)^T, which needs no division where s = 0.
Eigen::MatrixXd modal_damping(const Eigen::MatrixXd& stiffness, const Eigen::MatrixXd& inertia,
                              double ratio) {
  if (stiffness.size() == 0) return stiffness;
  const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> solver(inertia, stiffness);
  const Eigen::MatrixXd KU = stiffness * solver.eigenvectors();
  const Eigen::VectorXd factors = 2.0 * ratio * solver.eigenvalues().cwiseMax(0.0).cwiseSqrt();
  return KU * factors.asDiagonal() * KU.transpose();
}

}  // namespace limber
