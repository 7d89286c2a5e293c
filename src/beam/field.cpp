// SPDX-License-Identifier: BSD-3-Clause
#include "limber/beam/field.hpp"

#include <algorithm>
#include <cassert>
#include <numbers>
#include <utility>

#include "same_place.hpp"

namespace limber {
namespace {

constexpr int x_axis = 0, y_axis = 1, z_axis = 2;

// Ascending union; places that agree to rounding are merged.
std::vector<double> merged(std::vector<double> a, const std::vector<double>& b, double length) {
  a.insert(a.end(), b.begin(), b.end());
  std::sort(a.begin(), a.end());
  std::vector<double> result;
  for (const double x : a)
    if (result.empty() || x - result.back() > same_place * length) result.push_back(x);
  return result;
}

// All shapes at some places: one column a coordinate. Without shear `turn` is the slope.
struct ShapeSamples {
  Eigen::MatrixXd phi, slope;       // deflection, and its derivative
  Eigen::MatrixXd turn, curvature;  // rotation of sections by bending, and its derivative
};

template <typename Places>
ShapeSamples sample_shapes(const BeamBasis& basis, const Places& places) {
  const auto count = static_cast<Eigen::Index>(places.size());
  ShapeSamples samples;
  for (Eigen::MatrixXd* numbers : {&samples.phi, &samples.slope, &samples.turn, &samples.curvature})
    numbers->resize(count, basis.size());
  for (int j = 0; j < basis.size(); ++j)
    for (Eigen::Index i = 0; i < count; ++i) {
      const ModeShape& shape = basis.coordinates()[j].shape;
      const Jet jet = shape.at(places[i]), bending = shape.bending ? shape.bending_at(places[i]) : jet;
      samples.phi(i, j) = jet[0];
      samples.slope(i, j) = jet[1];
      samples.turn(i, j) = bending[1];
      samples.curvature(i, j) = bending[2];
    }
  return samples;
}

// Collects the columns of one vector field.
class TermCollector {
 public:
  TermCollector(const PanelGrid& grid, int most_terms)
      : at_points_(grid.points().size(), most_terms), at_ends_(grid.panel_count() + 1, most_terms) {
    terms_.reserve(static_cast<std::size_t>(most_terms));
  }

  template <typename AtPoints, typename AtEnds>
  void add(FieldTerm term, const AtPoints& at_points, const AtEnds& at_ends) {
    const auto column = static_cast<Eigen::Index>(terms_.size());
    at_points_.col(column) = at_points;
    at_ends_.col(column) = at_ends;
    terms_.push_back(term);
  }

  SampledTerms finish() && {
    const auto count = static_cast<Eigen::Index>(terms_.size());
    at_points_.conservativeResize(Eigen::NoChange, count);
    at_ends_.conservativeResize(Eigen::NoChange, count);
    return {std::move(terms_), std::move(at_points_), std::move(at_ends_)};
  }

 private:
  std::vector<FieldTerm> terms_;
  Eigen::MatrixXd at_points_, at_ends_;
};

std::vector<int> coordinates_of(const BeamBasis& basis, Direction direction) {
  std::vector<int> indices;
  for (int j = 0; j < basis.size(); ++j)
    if (basis.coordinates()[j].direction == direction) indices.push_back(j);
  return indices;
}

// Shear centres at some places: columns y_s and z_s; empty where all of them are on the axis.
template <typename Places>
Eigen::MatrixX2d sample_shear_centers(const BeamBasis& basis, const Places& places) {
  const auto count = static_cast<Eigen::Index>(places.size());
  Eigen::MatrixX2d centers(count, 2);
  for (Eigen::Index i = 0; i < count; ++i) centers.row(i) = basis.profile().at(places[i]).shear_center;
  return centers.isZero(0.0) ? Eigen::MatrixX2d(0, 2) : centers;
}

// Linear parts of (5).
void add_twisted_axis(int j, const ShapeSamples& points, const ShapeSamples& ends, const Eigen::MatrixX2d& s,
                      const Eigen::MatrixX2d& s_ends, TermCollector& position) {
  position.add({y_axis, j}, s.col(1).cwiseProduct(points.phi.col(j)),
               s_ends.col(1).cwiseProduct(ends.phi.col(j)));
  position.add({z_axis, j}, -s.col(0).cwiseProduct(points.phi.col(j)),
               -s_ends.col(0).cwiseProduct(ends.phi.col(j)));
}

// Quadratic parts of (5).
void add_products_of_twisted_axis(const BeamBasis& basis, const PanelGrid& grid, const ShapeSamples& points,
                                  const ShapeSamples& ends, const Eigen::MatrixX2d& s,
                                  const Eigen::MatrixX2d& s_ends, TermCollector& position) {
  const auto y = coordinates_of(basis, Direction::y);
  const auto z = coordinates_of(basis, Direction::z);
  const auto torsion = coordinates_of(basis, Direction::torsion);
  const auto product = [](const Eigen::MatrixXd& shapes, int j, int k) -> Eigen::VectorXd {
    return shapes.col(j).cwiseProduct(shapes.col(k));
  };
  // Foreshortening of the axis around the shear centres.
  for (const auto& [bending, center, sign] : {std::tuple(y, 1, -1.0), std::tuple(z, 0, 1.0)})
    for (const int j : bending)
      for (const int k : torsion) {
        const auto integral =
            grid.running_integral(sign * s.col(center).cwiseProduct(product(points.slope, j, k)));
        position.add({x_axis, j, k}, integral.at_points, integral.at_ends);
      }
  const Eigen::VectorXd squares = s.rowwise().squaredNorm();
  for (std::size_t a = 0; a < torsion.size(); ++a)
    for (std::size_t b = a; b < torsion.size(); ++b) {
      const int j = torsion[a], k = torsion[b];
      const double factor = j == k ? -0.5 : -1.0;
      const auto integral = grid.running_integral(factor * squares.cwiseProduct(product(points.slope, j, k)));
      position.add({x_axis, j, k}, integral.at_points, integral.at_ends);
    }
  // The twist of two bendings, and their slopes.
  for (const int j : y)
    for (const int k : z) {
      const auto twist =
          grid.running_integral(0.5 * (points.turn.col(j).cwiseProduct(points.curvature.col(k)) -
                                       points.curvature.col(j).cwiseProduct(points.turn.col(k))));
      const Eigen::VectorXd slopes = 0.5 * product(points.turn, j, k),
                            slopes_ends = 0.5 * product(ends.turn, j, k);
      position.add({y_axis, j, k}, s.col(1).cwiseProduct(twist.at_points + slopes),
                   s_ends.col(1).cwiseProduct(twist.at_ends + slopes_ends));
      position.add({z_axis, j, k}, s.col(0).cwiseProduct(slopes - twist.at_points),
                   s_ends.col(0).cwiseProduct(slopes_ends - twist.at_ends));
    }
  // An arc around the shear centre: of slopes in their own plane, of torsion in both.
  const auto add_arc = [&](const std::vector<int>& of, const Eigen::MatrixXd& turns,
                           const Eigen::MatrixXd& turns_ends, int axis) {
    for (std::size_t a = 0; a < of.size(); ++a)
      for (std::size_t b = a; b < of.size(); ++b) {
        const double factor = a == b ? 0.5 : 1.0;
        const int center = axis - 1;
        position.add({axis, of[a], of[b]}, factor * s.col(center).cwiseProduct(product(turns, of[a], of[b])),
                     factor * s_ends.col(center).cwiseProduct(product(turns_ends, of[a], of[b])));
      }
  };
  add_arc(y, points.turn, ends.turn, y_axis);
  add_arc(z, points.turn, ends.turn, z_axis);
  add_arc(torsion, points.phi, ends.phi, y_axis);
  add_arc(torsion, points.phi, ends.phi, z_axis);
}

// Linear parts of (3) and (4).
void add_linear_terms(const BeamBasis& basis, const ShapeSamples& points, const ShapeSamples& ends,
                      TermCollector& position, TermCollector& rotation) {
  for (int j = 0; j < basis.size(); ++j) {
    switch (basis.coordinates()[j].direction) {
      case Direction::y:
        position.add({y_axis, j}, points.phi.col(j), ends.phi.col(j));
        rotation.add({z_axis, j}, points.turn.col(j), ends.turn.col(j));
        break;
      case Direction::z:
        position.add({z_axis, j}, points.phi.col(j), ends.phi.col(j));
        rotation.add({y_axis, j}, -points.turn.col(j), -ends.turn.col(j));
        break;
      case Direction::torsion:
        rotation.add({x_axis, j}, points.phi.col(j), ends.phi.col(j));
        break;
      case Direction::axial:
        position.add({x_axis, j}, points.phi.col(j), ends.phi.col(j));
        break;
    }
  }
}

// Quadratic parts of (3) and (4): products of shapes, integrated from the root.
void add_quadratic_terms(const BeamBasis& basis, const PanelGrid& grid, const ShapeSamples& shapes,
                         TermCollector& position, TermCollector& rotation) {
  const auto y = coordinates_of(basis, Direction::y);
  const auto z = coordinates_of(basis, Direction::z);
  const auto torsion = coordinates_of(basis, Direction::torsion);

  // Foreshortening -1/2 Int(v'^2 + w'^2): j and k commute, so each mixed pair counts twice.
  for (const auto& bending : {y, z})
    for (std::size_t a = 0; a < bending.size(); ++a)
      for (std::size_t b = a; b < bending.size(); ++b) {
        const int j = bending[a], k = bending[b];
        const double factor = j == k ? -0.5 : -1.0;
        const auto integral =
            grid.running_integral(factor * shapes.slope.col(j).cwiseProduct(shapes.slope.col(k)));
        position.add({x_axis, j, k}, integral.at_points, integral.at_ends);
      }

  // Bending that torsion carries into the other plane: -Int Int w'' a along y, +Int Int v'' a along z. Shear strains are carried along at once.
  for (const auto& [bending, axis, sign] : {std::tuple(z, y_axis, -1.0), std::tuple(y, z_axis, 1.0)})
    for (const int j : bending)
      for (const int k : torsion) {
        const auto once =
            grid.running_integral(sign * shapes.curvature.col(j).cwiseProduct(shapes.phi.col(k)));
        Eigen::VectorXd slope = once.at_points;
        if (basis.coordinates()[j].shape.bending)
          slope += sign * (shapes.slope.col(j) - shapes.turn.col(j)).cwiseProduct(shapes.phi.col(k));
        // Integrating a running integral: its values at panel ends follow from those at the points.
        const auto twice = grid.running_integral(slope);
        position.add({axis, j, k}, twice.at_points, twice.at_ends);
      }

  // Twist of two bendings: 1/2 Int(v' w'' - v'' w').
  for (const int j : y)
    for (const int k : z) {
      const auto integral =
          grid.running_integral(0.5 * (shapes.turn.col(j).cwiseProduct(shapes.curvature.col(k)) -
                                       shapes.curvature.col(j).cwiseProduct(shapes.turn.col(k))));
      rotation.add({x_axis, j, k}, integral.at_points, integral.at_ends);
    }

  // Slopes of a bent and twisted beam: 1/2 Int(a' v' - a v'') about y, 1/2 Int(a' w' - a w'') about z.
  for (const auto& [bending, axis] : {std::pair(y, y_axis), std::pair(z, z_axis)})
    for (const int j : bending)
      for (const int k : torsion) {
        const auto integral =
            grid.running_integral(0.5 * (shapes.slope.col(k).cwiseProduct(shapes.turn.col(j)) -
                                         shapes.phi.col(k).cwiseProduct(shapes.curvature.col(j))));
        rotation.add({axis, j, k}, integral.at_points, integral.at_ends);
      }
}

// Row `end` of sampled terms as linear and quadratic forms.
void assemble_forms(const SampledTerms& sampled, int end, Eigen::Matrix3Xd& linear,
                    std::array<Eigen::MatrixXd, 3>& quadratic) {
  for (std::size_t t = 0; t < sampled.terms.size(); ++t) {
    const auto& [axis, j, k] = sampled.terms[t];
    const double value = sampled.at_ends(end, static_cast<Eigen::Index>(t));
    if (j < 0) continue;
    if (k < 0) {
      linear(axis, j) += value;
    } else {  // F eta_j eta_k = 1/2 eta^T Q eta
      quadratic[axis](j, k) += value;
      quadratic[axis](k, j) += value;
    }
  }
}

}  // namespace

BeamBasis::BeamBasis(SectionProfile profile)
    : profile_(std::move(profile)), breakpoints_(profile_.breakpoints()) {}

void BeamBasis::add(Direction direction, const ShapeSet& shapes) {
  assert(coordinates_.empty() || coordinates_.back().direction < direction);
  for (const ModeShape& shape : shapes.modes) coordinates_.push_back({direction, shape});
  breakpoints_ = merged(breakpoints_, shapes.breakpoints, length());
  wavenumber_ = std::max(wavenumber_, shapes.wavenumber);
}

PanelGrid BeamBasis::grid(const std::vector<double>& places, int points_per_panel) const {
  // A quarter of a wave in each panel: with 20 points, products of four shapes are exact to rounding.
  const double longest =
      wavenumber_ > 0 ? std::min(length(), 0.5 * std::numbers::pi / wavenumber_) : length();
  const std::vector<double> ends = merged(breakpoints_, profile_.panel_ends(), length());
  return PanelGrid(merged(ends, places, length()), longest, points_per_panel);
}

SampledField sample_field(const BeamBasis& basis, KinematicOrder order, const PanelGrid& grid) {
  const ShapeSamples points = sample_shapes(basis, grid.points());
  const ShapeSamples ends = sample_shapes(basis, grid.ends());
  int of_position = 1 + basis.size(), of_rotation = basis.size();
  if (order == KinematicOrder::second) {
    const auto count = [&](Direction direction) {
      return static_cast<int>(coordinates_of(basis, direction).size());
    };
    const int y = count(Direction::y), z = count(Direction::z), torsion = count(Direction::torsion);
    of_position += y * (y + 1) / 2 + z * (z + 1) / 2 + (y + z) * torsion;
    of_rotation += y * z + (y + z) * torsion;
  }
  const Eigen::MatrixX2d centers = sample_shear_centers(basis, grid.points()),
                         centers_at_ends = sample_shear_centers(basis, grid.ends());
  const bool is_offset = centers.rows() > 0 && centers_at_ends.rows() > 0;
  if (is_offset) of_position = 3 * (of_position + basis.size() * basis.size());  // (5), at most
  TermCollector position(grid, of_position), rotation(grid, of_rotation);

  position.add({x_axis}, grid.points(),
               Eigen::Map<const Eigen::VectorXd>(grid.ends().data(), grid.panel_count() + 1));
  add_linear_terms(basis, points, ends, position, rotation);
  if (is_offset)
    for (const int j : coordinates_of(basis, Direction::torsion))
      add_twisted_axis(j, points, ends, centers, centers_at_ends, position);
  if (order == KinematicOrder::second) add_quadratic_terms(basis, grid, points, position, rotation);
  if (order == KinematicOrder::second && is_offset)
    add_products_of_twisted_axis(basis, grid, points, ends, centers, centers_at_ends, position);
  return {std::move(position).finish(), std::move(rotation).finish()};
}

std::vector<BeamNode> make_nodes(const BeamBasis& basis, KinematicOrder order,
                                 const std::vector<double>& places) {
  if (places.empty()) return {};
  // At first order nothing is integrated, and values at the places are all that is needed.
  const PanelGrid grid = order == KinematicOrder::first ? basis.grid(places, 1) : basis.grid(places);
  const SampledField field = sample_field(basis, order, grid);
  const int m = basis.size();
  std::vector<BeamNode> nodes;
  for (const double x : places) {
    assert(x >= 0 && x <= basis.length());
    BeamNode node{x, Eigen::Matrix3Xd::Zero(3, m), Eigen::Matrix3Xd::Zero(3, m), {}, {}};
    if (order == KinematicOrder::second) {
      node.Phi2.fill(Eigen::MatrixXd::Zero(m, m));
      node.Psi2.fill(Eigen::MatrixXd::Zero(m, m));
    }
    const int end = grid.nearest_end(x);
    assemble_forms(field.position, end, node.Phi, node.Phi2);
    assemble_forms(field.rotation, end, node.Psi, node.Psi2);
    nodes.push_back(std::move(node));
  }
  return nodes;
}

BeamNode make_tip_node(const BeamBasis& basis, KinematicOrder order, TipRotation tip_rotation) {
  BeamNode node = make_nodes(basis, order, {basis.length()}).front();
  if (tip_rotation == TipRotation::chord) {
    // The chord from (0, 0) to (L, v) turns by v / L about z, the one to (L, w) by -w / L about y.
    node.Psi.row(z_axis) = node.Phi.row(y_axis) / basis.length();
    node.Psi.row(y_axis) = -node.Phi.row(z_axis) / basis.length();
  }
  return node;
}

}  // namespace limber
