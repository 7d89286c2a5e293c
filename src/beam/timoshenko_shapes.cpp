// SPDX-License-Identifier: BSD-3-Clause
// Natural modes of Timoshenko's beam, by finite elements of high degree.
//
// The deflection is phi = b + s: b that bending makes, with b' the rotation psi of the sections and b'' their curvature, and s that shear
// makes, with s' = phi' - psi the shear strain. The energies of a motion b(x, t), s(x, t) are
//
//   1/2 Int (EI b''^2 + kGA s'^2) dx,    1/2 Int (m (b. + s.)^2 + j b'.^2) dx                            (1)
//
// m the mass and j the rotary inertia per length. b has elements with continuous slope, s continuous ones; b(0) = s(0) = 0 takes the
// place of phi(0) = 0, since a constant may stand in either. Nothing locks: where kGA is large, s goes to zero, and b is Euler and Bernoulli's beam.

#include "timoshenko_shapes.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <memory>
#include <numbers>
#include <string>
#include <utility>

#include "hierarchical_element.hpp"
#include "limber/core/input_error.hpp"
#include "limber/math/detail/decompositions.hpp"
#include "limber/math/quadrature.hpp"
#include "piecewise_polynomial.hpp"

namespace limber {
namespace {

constexpr int degree = 12;
constexpr double phase_per_element =
    5.0;  // of the last mode's half waves, pi each: errors of 1e-8 in the shapes, 1e-15 in frequencies
constexpr int most_unknowns = 1600;  // some seconds

// Unknowns of b and of s on one mesh: all nodes' first (b, b', s at each), then all bubbles'.
class Mesh {
 public:
  Mesh(std::vector<double> ends, const HierarchicalElement& of_b, const HierarchicalElement& of_s)
      : ends_(std::move(ends)), b_(of_b), s_(of_s) {}

  const std::vector<double>& ends() const { return ends_; }
  int elements() const { return static_cast<int>(ends_.size()) - 1; }
  double length(int e) const {
    return ends_[static_cast<std::size_t>(e) + 1] - ends_[static_cast<std::size_t>(e)];
  }
  int unknowns() const { return at_node * (elements() + 1) + elements() * (b_.bubbles() + s_.bubbles()); }

  static constexpr int at_node = 3;
  int deflection(int node) const { return at_node * node; }
  int slope(int node) const { return at_node * node + 1; }
  int shear(int node) const { return at_node * node + 2; }

  std::vector<int> of_b(int e) const {
    std::vector<int> all = {deflection(e), slope(e), deflection(e + 1), slope(e + 1)};
    for (int i = 0; i < b_.bubbles(); ++i) all.push_back(bubble(e) + i);
    return all;
  }
  std::vector<int> of_s(int e) const {
    std::vector<int> all = {shear(e), shear(e + 1)};
    for (int i = 0; i < s_.bubbles(); ++i) all.push_back(bubble(e) + b_.bubbles() + i);
    return all;
  }

 private:
  int bubble(int e) const { return at_node * (elements() + 1) + e * (b_.bubbles() + s_.bubbles()); }

  std::vector<double> ends_;
  const HierarchicalElement &b_, &s_;
};

std::vector<double> mesh_ends(const SectionProfile& profile, int count) {
  std::vector<double> ends{0.0};
  const double wave = count * std::numbers::pi / profile.length();
  for (const double to : profile.panel_ends()) {
    if (to <= 0.0) continue;
    const double from = ends.back();
    const int pieces = std::max(1, static_cast<int>(std::ceil((to - from) * wave / phase_per_element)));
    for (int i = 1; i <= pieces; ++i) ends.push_back(i == pieces ? to : from + (to - from) * i / pieces);
  }
  return ends;
}

struct Matrices {
  Eigen::MatrixXd K, M;
};

// b' at the element's points, as values and strains are given there.
Eigen::MatrixXd slopes(const HierarchicalElement& element) {
  Eigen::MatrixXd result(element.points.size(), element.functions());
  for (Eigen::Index i = 0; i < element.points.size(); ++i)
    for (int f = 0; f < element.functions(); ++f) {
      double slope = 0.0;  // Horner
      for (Eigen::Index p = element.powers.rows() - 1; p > 0; --p)
        slope = slope * element.points[i] + static_cast<double>(p) * element.powers(p, f);
      result(i, f) = slope;
    }
  return result;
}

// (1)
Matrices assemble(Direction direction, const SectionProfile& profile, const TipLoad& tip, const Mesh& mesh,
                  const HierarchicalElement& of_b, const HierarchicalElement& of_s) {
  const int n = mesh.unknowns(), turning_axis = direction == Direction::y ? 2 : 1;
  Matrices result{Eigen::MatrixXd::Zero(n, n), Eigen::MatrixXd::Zero(n, n)};
  const Eigen::MatrixXd b_slopes = slopes(of_b);
  for (int e = 0; e < mesh.elements(); ++e) {
    const double h = mesh.length(e);
    const Eigen::Index points = of_b.points.size();
    Eigen::VectorXd EI(points), kGA(points), m(points), j(points);
    for (Eigen::Index i = 0; i < points; ++i) {
      const Section section = profile.at(mesh.ends()[static_cast<std::size_t>(e)] + h * of_b.points[i]);
      const double weight = h * of_b.weights[i];
      EI[i] = weight * section.stiffness(direction);
      kGA[i] = weight * section.shear_stiffness(direction);
      m[i] = weight * section.mass_per_length;
      j[i] = weight * section.rotary_inertia[turning_axis];
    }
    const Eigen::VectorXd scales = of_b.scales(h);
    const Eigen::MatrixXd b = of_b.values * scales.asDiagonal(), turn = b_slopes * scales.asDiagonal() / h,
                          curvature = of_b.strains * scales.asDiagonal() / (h * h);
    const Eigen::MatrixXd &s = of_s.values, shear = of_s.strains / h;
    const std::vector<int> bs = mesh.of_b(e), ss = mesh.of_s(e);
    result.K(bs, bs) += curvature.transpose() * EI.asDiagonal() * curvature;
    result.K(ss, ss) += shear.transpose() * kGA.asDiagonal() * shear;
    result.M(bs, bs) += b.transpose() * m.asDiagonal() * b + turn.transpose() * j.asDiagonal() * turn;
    const Eigen::MatrixXd mixed = b.transpose() * m.asDiagonal() * s;
    result.M(bs, ss) += mixed;
    result.M(ss, bs) += mixed.transpose();
    result.M(ss, ss) += s.transpose() * m.asDiagonal() * s;
  }
  // The body on the tip moves by b + s and turns by b'.
  const int last = mesh.elements();
  const std::vector<int> at_tip = {mesh.deflection(last), mesh.slope(last), mesh.shear(last)};
  const Eigen::Matrix3d body{{tip.mass, tip.static_moment, tip.mass},
                             {tip.static_moment, tip.inertia, tip.static_moment},
                             {tip.mass, tip.static_moment, tip.mass}};
  result.M(at_tip, at_tip) += body;
  return result;
}

// Columns: what the ends leave free, each in terms of all unknowns.
Eigen::MatrixXd free_motions(const Mesh& mesh, BeamEnd root, BeamEnd end) {
  const int last = mesh.elements();
  std::vector<bool> held(static_cast<std::size_t>(mesh.unknowns()), false);
  const auto hold = [&](int unknown) { held[static_cast<std::size_t>(unknown)] = true; };
  hold(mesh.deflection(0));
  hold(mesh.shear(0));
  if (root == BeamEnd::clamped) hold(mesh.slope(0));
  if (end == BeamEnd::clamped) hold(mesh.slope(last));
  if (end != BeamEnd::free) hold(mesh.shear(last));  // s = -b there
  Eigen::MatrixXd T = Eigen::MatrixXd::Zero(mesh.unknowns(), std::count(held.begin(), held.end(), false));
  Eigen::Index column = 0;
  for (int i = 0; i < mesh.unknowns(); ++i)
    if (!held[static_cast<std::size_t>(i)]) T(i, column++) = 1.0;
  if (end != BeamEnd::free) T.row(mesh.shear(last)) = -T.row(mesh.deflection(last));
  return T;
}

RawShape shape_of(const Eigen::VectorXd& unknowns, const Mesh& mesh, const HierarchicalElement& of_b,
                  const HierarchicalElement& of_s) {
  Eigen::MatrixXd b = Eigen::MatrixXd::Zero(degree + 1, mesh.elements()), s = b;
  for (int e = 0; e < mesh.elements(); ++e) {
    b.col(e) = of_b.powers * of_b.scales(mesh.length(e)).cwiseProduct(unknowns(mesh.of_b(e)));
    s.col(e).head(of_s.powers.rows()) = of_s.powers * unknowns(mesh.of_s(e));
  }
  RawShape shape{std::make_shared<PiecewisePolynomial>(mesh.ends(), b + s)};
  shape.bending = std::make_shared<PiecewisePolynomial>(mesh.ends(), b);
  return shape;
}

// Mean of 1/k along the beam.
template <typename Stiffness>
double mean_flexibility(const SectionProfile& profile, Stiffness&& stiffness) {
  const PanelGrid grid(profile.panel_ends(), profile.length());
  double total = 0.0;
  for (Eigen::Index i = 0; i < grid.points().size(); ++i)
    total += grid.weights()[i] / stiffness(profile.at(grid.points()[i]));
  return total / profile.length();
}

}  // namespace

TimoshenkoShapes timoshenko_modes(Direction direction, int count, const SectionProfile& profile, BeamEnd root,
                                  BeamEnd end, const TipLoad& tip) {
  assert(root != BeamEnd::free && profile.shears(direction));
  TimoshenkoShapes result{{}, {0.0, profile.length()}, 0.0};
  if (count <= 0) return result;
  const int rigid_modes = root == BeamEnd::pinned && end == BeamEnd::free ? 1 : 0;
  const HierarchicalElement of_b(2, degree), of_s(1, degree);
  const Mesh mesh(mesh_ends(profile, count + rigid_modes), of_b, of_s);
  if (mesh.unknowns() > most_unknowns)
    throw InputError(
        {.path = "count",
         .expected = "modes that are found with " + std::to_string(most_unknowns) + " unknowns or less",
         .found = std::to_string(count) + " modes of a beam that shears, with " +
                  std::to_string(mesh.unknowns()) + " unknowns",
         .hint = "ask for fewer modes, or use fewer stations"});

  // M v = nu (K + a M) v, as finite_element_shapes.cpp has it: the lowest modes come out to rounding, however far apart they are, and what has no
  // mass has nu = 0. `a` is about omega^2 of the last one.
  const Eigen::MatrixXd T = free_motions(mesh, root, end);
  const Matrices all = assemble(direction, profile, tip, mesh, of_b, of_s);
  const Eigen::MatrixXd K = T.transpose() * all.K * T, M = T.transpose() * all.M * T;
  const double EI =
      1.0 / mean_flexibility(profile, [&](const Section& at) { return at.stiffness(direction); });
  const double mass = profile.total_inertia(direction) / profile.length();
  const double shift = std::pow(count * std::numbers::pi / profile.length(), 4) * EI / mass;
  const Eigen::MatrixXd shifted = K + shift * M;
  const Eigen::VectorXd scale = shifted.diagonal().cwiseSqrt().cwiseInverse();
  const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> solver(
      scale.asDiagonal() * M * scale.asDiagonal(), scale.asDiagonal() * shifted * scale.asDiagonal());
  for (int mode = rigid_modes; mode < count + rigid_modes; ++mode) {
    const Eigen::Index column = solver.eigenvectors().cols() - 1 - mode;
    const Eigen::VectorXd v = scale.asDiagonal() * solver.eigenvectors().col(column);
    result.shapes.push_back(shape_of(T * v / std::sqrt(solver.eigenvalues()[column]), mesh, of_b, of_s));
  }
  result.breakpoints = mesh.ends();
  result.wavenumber = (count + rigid_modes) * std::numbers::pi / profile.length();
  return result;
}

// With t = x / L and f = 12 EI / (kGA L^2), EI b''' + kGA s' = 0 and s' constant:
//
//   phi(L) = 1, b'(L) = 0:      b = (3 t^2 - 2 t^3) / (1 + f),            s = f t / (1 + f)
//   phi(L) = 0, b'(L) = 1/L:    b = (t^3 - (1 - f/2) t^2) / (1 + f),      s = -f/2 t / (1 + f)              (2)
std::vector<RawShape> timoshenko_static_shapes(Direction direction, const SectionProfile& profile) {
  const double L = profile.length();
  const double bends = mean_flexibility(profile, [&](const Section& at) { return at.stiffness(direction); });
  const double shears =
      mean_flexibility(profile, [&](const Section& at) { return at.shear_stiffness(direction); });
  const double f = 12.0 * shears / (bends * L * L);
  const auto shape = [&](const Eigen::Vector4d& b, double s) {
    const std::vector<double> knots{0.0, L};
    RawShape raw{
        std::make_shared<PiecewisePolynomial>(knots, (b + Eigen::Vector4d(0.0, s, 0.0, 0.0)) / (1.0 + f))};
    raw.bending = std::make_shared<PiecewisePolynomial>(knots, b / (1.0 + f));
    return raw;
  };
  return {shape({0.0, 0.0, 3.0, -2.0}, f), shape({0.0, 0.0, 0.5 * f - 1.0, 1.0}, -0.5 * f)};
}

}  // namespace limber
