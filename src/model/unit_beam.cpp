// SPDX-License-Identifier: BSD-3-Clause
#include "unit_beam.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

namespace limber {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// phi^(x / L)
class StretchedShape : public ShapeFunction {
 public:
  StretchedShape(std::shared_ptr<const ShapeFunction> unit, double length)
      : unit_(std::move(unit)), length_(length) {}

  Jet at(double x) const override {
    Jet jet = unit_->at(x / length_);
    double factor = 1.0;
    for (double& derivative : jet) {
      derivative *= factor;
      factor /= length_;
    }
    return jet;
  }

 private:
  std::shared_ptr<const ShapeFunction> unit_;
  double length_;
};

// In which direction a coordinate's rotary inertia turns: about x in torsion, about z where it bends along y.
int turning_axis(Direction direction) {
  return direction == Direction::torsion ? 0 : direction == Direction::y ? 2 : 1;
}

// From a unit beam to one of a length with a section.
class Stretch {
 public:
  Stretch(const BeamBasis& unit, const Section& section, double length)
      : L_(length), section_(section), inverse_(unit.size()) {
    for (const auto& [direction, shape] : unit.coordinates()) {
      inverse_[static_cast<Index>(directions_.size())] = direction == Direction::torsion ? 1.0 : 1.0 / length;
      directions_.push_back(direction);
    }
  }

  // (1)
  BeamNode node(const BeamNode& unit) const {
    BeamNode node{
        L_ * unit.x, L_ * unit.Phi * inverse_.asDiagonal(), unit.Psi * inverse_.asDiagonal(), {}, {}};
    if (!unit.is_second_order()) return node;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      node.Phi2[axis] = L_ * both_sides(unit.Phi2[axis]);
      node.Psi2[axis] = both_sides(unit.Psi2[axis]);
    }
    return node;
  }

  detail::OwnIntegrals integrals(const detail::OwnIntegrals& unit) const {
    detail::OwnIntegrals own;
    own.along.mass = section_.mass_per_length * L_ * unit.along.mass;
    own.along.terms = unit.along.terms;
    // (2)
    const VectorXd of_terms = inverse_of_terms(unit.along.terms);
    const double m_LL = section_.mass_per_length * L_ * L_;
    own.along.moment = m_LL * unit.along.moment.cwiseProduct(of_terms);
    own.along.gram = (m_LL * L_) * (of_terms.asDiagonal() * unit.along.gram * of_terms.asDiagonal());
    // (3)
    own.along.stiffness = both_sides(unit.along.stiffness);
    own.along.rest_inertia = (m_LL * L_) * both_sides(unit.along.rest_inertia);
    own.rotary_inertia = L_ * both_sides(unit.rotary_inertia);
    for (Index j = 0; j < inverse_.size(); ++j) {
      const Direction direction = directions_[static_cast<std::size_t>(j)];
      own.along.stiffness.col(j) *=
          section_.stiffness(direction) * (direction == Direction::axial ? L_ : 1.0 / L_);
      own.rotary_inertia.col(j) *= section_.rotary_inertia[turning_axis(direction)];
    }
    own.rotary.reserve(unit.rotary.size());
    for (const Lump& lump : unit.rotary) {
      const Eigen::Vector3d rotary = L_ * section_.rotary_inertia.cwiseProduct(lump.body.inertia.diagonal());
      own.rotary.push_back(
          {node(lump.node), {0.0, Eigen::Vector3d::Zero(), Eigen::Matrix3d(rotary.asDiagonal())}});
    }
    return own;
  }

  // Bendings are integrals of v'' and w'', strains of u', foreshortening of v'v' + w'w'.
  InnerShapes inner(const InnerShapes& unit) const {
    InnerShapes inner{unit.strains * inverse_.asDiagonal(), unit.moments * inverse_.asDiagonal(),
                      L_ * both_sides(unit.foreshortening)};
    inner.strains.row(2) *= L_;
    for (Index j = 0; j < inverse_.size(); ++j) {
      const Direction direction = directions_[static_cast<std::size_t>(j)];
      if (direction == Direction::y) inner.moments(1, j) *= section_.EI_z;
      if (direction == Direction::z) inner.moments(0, j) *= section_.EI_y;
    }
    return inner;
  }

  // Of stiffness over inertia: 1 / L^4 in bending, else 1 / L^2.
  DirectionShapes direction(const DirectionShapes& unit) const {
    const Direction direction = unit.request.direction;
    const double along = is_bending(direction) ? L_ * L_ : L_;
    return {
        unit.request,
        unit.frequencies * (std::sqrt(section_.stiffness(direction) / section_.inertia(direction)) / along)};
  }

 private:
  MatrixXd both_sides(const MatrixXd& unit) const {
    return inverse_.asDiagonal() * unit * inverse_.asDiagonal();
  }
  VectorXd inverse_of_terms(const std::vector<FieldTerm>& terms) const {
    VectorXd inverse(static_cast<Index>(terms.size()));
    for (Index a = 0; a < inverse.size(); ++a) {
      const auto& [axis, j, k] = terms[static_cast<std::size_t>(a)];
      inverse[a] = (j < 0 ? 1.0 : inverse_[j]) * (k < 0 ? 1.0 : inverse_[k]);
    }
    return inverse;
  }

  double L_;
  const Section& section_;
  VectorXd inverse_;  // 1 / s
  std::vector<Direction> directions_;
};

}  // namespace

bool follows_from_unit_beam(const std::vector<ShapeRequest>& requests, const SectionProfile& profile) {
  if (!profile.is_uniform() || profile.is_offset()) return false;
  return std::all_of(requests.begin(), requests.end(), [&](const ShapeRequest& request) {
    const TipLoad& tip = request.tip;
    // Tables and finite elements know their beam's length.
    return request.family != ShapeFamily::table && request.family != ShapeFamily::finite_element &&
           request.normalize == Normalization::peak && tip.mass == 0.0 && tip.static_moment == 0.0 &&
           tip.inertia == 0.0 && !profile.shears(request.direction);
  });
}

SectionProfile unit_profile(const SectionProfile& profile) {
  const Section given = profile.at(0.0);
  const auto one = [](double number) { return std::isnan(number) ? number : 1.0; };
  Section section{one(given.EI_y), one(given.EI_z), one(given.GJ), one(given.EA), 1.0, {}};
  for (int axis = 0; axis < 3; ++axis)
    section.rotary_inertia[axis] = given.rotary_inertia[axis] == 0.0 ? 0.0 : 1.0;
  return {1.0, section};
}

std::string content_of_unit_beam(const std::vector<ShapeRequest>& requests, const SectionProfile& profile,
                                 KinematicOrder order, TipRotation tip_rotation) {
  std::string content =
      std::to_string(static_cast<int>(order)) + std::to_string(static_cast<int>(tip_rotation));
  const Section section = profile.at(0.0);
  for (const double inertia : section.rotary_inertia) content += inertia == 0.0 ? '0' : '1';
  for (const ShapeRequest& request : requests)
    for (const int number :
         {static_cast<int>(request.direction), static_cast<int>(request.family), request.count})
      content += ' ' + std::to_string(number);
  return content;
}

PreparedBeam stretched(const PreparedBeam& unit, const SectionProfile& profile) {
  const Section section = profile.at(0.0);
  const double L = profile.length();
  const Stretch stretch(unit.basis, section, L);
  PreparedBeam beam{BeamBasis(profile),
                    {},
                    stretch.node(unit.tip_node),
                    stretch.integrals(unit.integrals),
                    stretch.inner(unit.inner)};
  std::size_t next = 0;
  for (const DirectionShapes& shapes : unit.directions) {
    const Direction direction = shapes.request.direction;
    ShapeSet set{{}, {0.0, L}, unit.basis.wavenumber() / L};
    for (; next < unit.basis.coordinates().size() && unit.basis.coordinates()[next].direction == direction;
         ++next) {
      const ModeShape& shape = unit.basis.coordinates()[next].shape;
      set.modes.push_back({std::make_shared<StretchedShape>(shape.function, L), shape.scale});
    }
    beam.basis.add(direction, set);
    beam.directions.push_back(stretch.direction(shapes));
  }
  return beam;
}

}  // namespace limber
