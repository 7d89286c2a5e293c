// SPDX-License-Identifier: BSD-3-Clause
#include "solid_element.hpp"

#include <Eigen/LU>
#include <array>
#include <cmath>

#include "limber/core/input_error.hpp"
#include "limber/math/dual.hpp"

// In natural coordinates r, s, t. Tetrahedra: 0 <= r, s, t and r + s + t <= 1, with areal coordinates L = (1 - r - s - t, r, s, t). Wedges: a triangle in
// r, s, and t from -1 to 1. Hexahedra: a cube from -1 to 1. Elements with midside nodes are those of the serendipity family.

namespace limber {
namespace {

using Kind = MeshElement::Kind;
using Natural = std::array<Dual, 3>;
using Shapes = std::vector<Dual>;

struct Edge {
  int from, to;
};

Shapes tetrahedron(const Natural& x, bool quadratic) {
  const std::array<Dual, 4> L{1.0 - x[0] - x[1] - x[2], x[0], x[1], x[2]};
  Shapes N;
  for (const Dual& l : L) N.push_back(quadratic ? l * (2.0 * l - 1.0) : l);
  constexpr std::array<Edge, 6> edges{{{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}}};
  for (std::size_t e = 0; quadratic && e < edges.size(); ++e)
    N.push_back(4.0 * L[static_cast<std::size_t>(edges[e].from)] * L[static_cast<std::size_t>(edges[e].to)]);
  return N;
}

Shapes wedge(const Natural& x, bool quadratic) {
  const std::array<Dual, 3> L{1.0 - x[0] - x[1], x[0], x[1]};
  const Dual& t = x[2];
  const std::array<Dual, 2> level{1.0 - t, 1.0 + t};
  const Dual bulge = 1.0 - t * t;
  Shapes N;
  for (const Dual& h : level)
    for (const Dual& l : L) N.push_back(quadratic ? 0.5 * l * ((2.0 * l - 1.0) * h - bulge) : 0.5 * l * h);
  if (!quadratic) return N;
  for (const Dual& h : level)
    for (std::size_t i = 0; i < 3; ++i) N.push_back(2.0 * L[i] * L[(i + 1) % 3] * h);
  for (const Dual& l : L) N.push_back(l * bulge);
  return N;
}

Shapes hexahedron(const Natural& x, bool quadratic) {
  constexpr std::array<std::array<int, 3>, 20> nodes{
      {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1},  {-1, 1, -1}, {-1, -1, 1}, {1, -1, 1}, {1, 1, 1},
       {-1, 1, 1},   {0, -1, -1}, {1, 0, -1},  {0, 1, -1},  {-1, 0, -1}, {0, -1, 1}, {1, 0, 1},
       {0, 1, 1},    {-1, 0, 1},  {-1, -1, 0}, {1, -1, 0},  {1, 1, 0},   {-1, 1, 0}}};
  Shapes N;
  for (std::size_t i = 0; i < (quadratic ? 20u : 8u); ++i) {
    Dual value(i < 8 ? 0.125 : 0.25), sum(-2.0);
    for (std::size_t a = 0; a < 3; ++a) {
      const double at = nodes[i][a];
      value *= at == 0.0 ? 1.0 - x[a] * x[a] : 1.0 + at * x[a];
      sum += at * x[a];
    }
    N.push_back(quadratic && i < 8 ? value * sum : value);
  }
  return N;
}

// A rule: natural coordinates and weights.
struct RulePoint {
  std::array<double, 3> at;
  double weight;
};
using Rule = std::vector<RulePoint>;

// Gauss' rule on [-1, 1].
std::vector<std::pair<double, double>> gauss(int points) {
  if (points == 1) return {{0.0, 2.0}};
  const double two = 1.0 / std::sqrt(3.0), three = std::sqrt(0.6);
  if (points == 2) return {{-two, 1.0}, {two, 1.0}};
  return {{-three, 5.0 / 9.0}, {0.0, 8.0 / 9.0}, {three, 5.0 / 9.0}};
}

Rule rule_of(const MeshElement& element) {
  const bool quadratic = !element.midsides.empty();
  Rule rule;
  if (element.kind == Kind::tetrahedron) {
    if (!quadratic) return {{{0.25, 0.25, 0.25}, 1.0 / 6.0}};
    const double b = (5.0 - std::sqrt(5.0)) / 20.0, a = 1.0 - 3.0 * b;  // exact for squares
    for (const auto& at : {std::array{b, b, b}, {a, b, b}, {b, a, b}, {b, b, a}})
      rule.push_back({at, 1.0 / 24.0});
    return rule;
  }
  if (element.kind == Kind::wedge) {
    const std::vector<std::array<double, 2>> corners =
        quadratic ? std::vector<std::array<double, 2>>{{1.0 / 6.0, 1.0 / 6.0},
                                                       {2.0 / 3.0, 1.0 / 6.0},
                                                       {1.0 / 6.0, 2.0 / 3.0}}
                  : std::vector<std::array<double, 2>>{{1.0 / 3.0, 1.0 / 3.0}};
    for (const auto& [t, weight] : gauss(quadratic ? 3 : 2))
      for (const auto& at : corners)
        rule.push_back({{at[0], at[1], t}, 0.5 * weight / static_cast<double>(corners.size())});
    return rule;
  }
  const auto line = gauss(quadratic && !element.reduced ? 3 : 2);
  for (const auto& [t, of_t] : line)
    for (const auto& [s, of_s] : line)
      for (const auto& [r, of_r] : line) rule.push_back({{r, s, t}, of_r * of_s * of_t});
  return rule;
}

// Derivatives of all shapes by the natural coordinates, one column a node.
Eigen::Matrix3Xd slopes(const MeshElement& element, const std::array<double, 3>& at) {
  const Natural x{Dual::variable(at[0], 0), Dual::variable(at[1], 1), Dual::variable(at[2], 2)};
  const bool quadratic = !element.midsides.empty();
  const Shapes N = element.kind == Kind::tetrahedron ? tetrahedron(x, quadratic)
                   : element.kind == Kind::wedge     ? wedge(x, quadratic)
                                                     : hexahedron(x, quadratic);
  Eigen::Matrix3Xd result(3, static_cast<Eigen::Index>(N.size()));
  for (Eigen::Index n = 0; n < result.cols(); ++n)
    result.col(n) = N[static_cast<std::size_t>(n)].derivatives().head<3>().matrix();
  return result;
}

// Of each kind of element once: rules and slopes do not depend on where its nodes are.
struct Reference {
  Rule rule;
  std::vector<Eigen::Matrix3Xd> slopes;
};
const Reference& reference_of(const MeshElement& element) {
  static const std::array<Reference, 12> all = [] {
    std::array<Reference, 12> made;
    for (std::size_t i = 0; i < made.size(); ++i) {
      MeshElement like{static_cast<Kind>(i / 4), {}, {}, i % 2 == 1};
      if (i % 4 >= 2) like.midsides.push_back(0);
      made[i].rule = rule_of(like);
      for (const RulePoint& point : made[i].rule) made[i].slopes.push_back(limber::slopes(like, point.at));
    }
    return made;
  }();
  return all[4 * static_cast<std::size_t>(element.kind) + (element.midsides.empty() ? 0 : 2) +
             (element.reduced ? 1 : 0)];
}

}  // namespace

std::vector<ElementPoint> integration_points(const Mesh& mesh, const MeshElement& element,
                                             std::size_t number) {
  const Reference& reference = reference_of(element);
  Eigen::Matrix3Xd places(3, static_cast<Eigen::Index>(element.corners.size() + element.midsides.size()));
  Eigen::Index n = 0;
  for (const std::vector<int>* nodes : {&element.corners, &element.midsides})
    for (const int node : *nodes) places.col(n++) = mesh.positions.col(node);
  std::vector<ElementPoint> points;
  for (std::size_t i = 0; i < reference.rule.size(); ++i) {
    const Eigen::Matrix3d J = reference.slopes[i] * places.transpose();  // row a: dx/d(natural a)
    const double volume = J.determinant();
    if (!(volume > 0.0))
      throw InputError(Problem{mesh.source, "elements whose nodes stand in the order of CalculiX",
                               "element number " + std::to_string(number + 1) +
                                   " of the file, which is turned inside out or has no volume",
                               ""});
    points.push_back({volume * reference.rule[i].weight, J.inverse() * reference.slopes[i]});
  }
  return points;
}

}  // namespace limber
