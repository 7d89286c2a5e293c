// SPDX-License-Identifier: BSD-3-Clause
#include "build_beam.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "limber/core/input_error.hpp"
#include "limber/math/detail/decompositions.hpp"
#include "limber/math/quadrature.hpp"
#include "limber/model/beam_inertia.hpp"
#include "unit_beam.hpp"

namespace limber {
namespace {

constexpr double not_given = std::numeric_limits<double>::quiet_NaN();

SectionGeometry make_geometry(const SectionDescription& description) {
  const MaterialDescription& given = *description.material;
  const double G = given.G ? *given.G : given.E / (2.0 * (1.0 + *given.nu));
  const bool is_tube = *description.shape == SectionShape::tube;
  return {*description.shape,
          (is_tube ? description.outer_diameter : description.diameter).value_or(0.0),
          description.width.value_or(0.0),
          description.height.value_or(0.0),
          description.thickness.value_or(0.0),
          {given.E, G, given.density},
          description.rotary_inertia,
          description.shear,
          description.center_of_mass};
}

SectionProfile::Station make_station(double x, const SectionDescription& description) {
  if (description.shape) return {x, make_geometry(description)};
  return {x, Section{description.EI_y.value_or(not_given), description.EI_z.value_or(not_given),
                     description.GJ.value_or(not_given), description.EA.value_or(not_given),
                     description.mass_per_length.value(),
                     description.rotary_inertia.value_or(Eigen::Vector3d::Zero()),
                     description.kGA_y.value_or(Section::rigid_in_shear),
                     description.kGA_z.value_or(Section::rigid_in_shear), description.center_of_mass,
                     description.shear_center}};
}

double number_or(const std::optional<NumberOrAuto>& given, double automatic) {
  if (!given) return 0.0;
  return given->automatic ? automatic : given->value;
}

// `auto` for motion in one direction: the body's mass, its first moment ahead of the tip, and its inertia
// about the axis that the direction turns about. A static moment that is not given follows the mass and the
// inertia when these two are automatic, because they describe one body.
TipLoad make_tip_load(const ModesDescription& modes, Direction direction, const RigidInertia& hanging) {
  const int turning_axis = direction == Direction::y ? 2 : direction == Direction::z ? 1 : 0;
  TipLoad tip;
  tip.mass = number_or(modes.tip_mass, hanging.mass);
  tip.inertia = number_or(modes.tip_inertia, hanging.inertia(turning_axis, turning_axis));
  const bool whole_body = modes.tip_mass && modes.tip_mass->automatic && modes.tip_inertia &&
                          modes.tip_inertia->automatic && is_bending(direction);
  if (modes.tip_static_moment || whole_body)
    tip.static_moment =
        number_or(modes.tip_static_moment.value_or(NumberOrAuto{true, 0.0}), hanging.moment.x());
  return tip;
}

// Shapes that are (nearly) combinations of each other would give a stiffness matrix without digits.
void require_independence(const ShapeIntegrals& integrals, int first, int count) {
  constexpr double fewest_digits = 1e-13;  // three left of sixteen, in the worst direction
  const Eigen::MatrixXd K = integrals.stiffness.block(first, first, count, count);
  const Eigen::VectorXd scale = K.diagonal().cwiseSqrt().cwiseInverse();
  const Eigen::MatrixXd scaled = scale.asDiagonal() * K * scale.asDiagonal();
  const double smallest =
      Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(scaled, Eigen::EigenvaluesOnly).eigenvalues()[0];
  if (!(smallest > fewest_digits))
    throw InputError(Problem{"count", "shapes that are linearly independent",
                             std::to_string(count) + " shapes of which one nearly repeats the others",
                             "take fewer of them, or another family"});
}

Eigen::MatrixXd damping_of(const std::optional<DampingDescription>& damping,
                           const ShapeIntegrals& integrals) {
  const Eigen::MatrixXd &K = integrals.stiffness, &M = integrals.rest_inertia;
  if (!damping) return Eigen::MatrixXd::Zero(K.rows(), K.cols());
  if (const auto ratio = damping->modal_ratio()) return modal_damping(K, M, *ratio);
  return damping->alpha.value_or(0.0) * M + damping->beta.value_or(0.0) * K;
}

// At second order the field has a term for every product of two bending shapes of a plane, and of a bending with a torsion
// shape; its integrals grow with the square of their number. The mass matrix is a sum of blocks, one for each product of any
// two of these shapes' coordinates.
void require_few_products(const std::vector<DirectionShapes>& directions) {
  constexpr int most_products = 1000, most_numbers = 10'000'000;
  int bending = 0, torsion = 0, axial = 0, products = 0;
  for (const auto& [request, frequencies] : directions) {
    if (request.direction == Direction::torsion) torsion += request.count;
    if (request.direction == Direction::axial) axial += request.count;
    if (!is_bending(request.direction)) continue;
    bending += request.count;
    products += request.count * (request.count + 1) / 2;
  }
  products += bending * torsion;
  if (products > most_products)
    throw InputError(Problem{
        "modes",
        "at most " + std::to_string(most_products) + " products of two shapes with kinematics: second",
        std::to_string(products), "take fewer modes, or kinematics: first"});
  const int turning = bending + torsion, all = turning + axial;
  const int numbers = (turning + 1) * (turning + 2) / 2 * (all * (all + 1) / 2);
  if (numbers > most_numbers)
    throw InputError(Problem{"modes",
                             "at most " + std::to_string(most_numbers) +
                                 " numbers in the mass matrix's blocks with kinematics: second",
                             std::to_string(numbers), "take fewer modes, or kinematics: first"});
}

// What loads from within need of the shapes, on a grid on which products of two of them are exact.
InnerShapes inner_shapes(const BeamBasis& basis) {
  const PanelGrid grid = basis.grid();
  const int m = basis.size();
  InnerShapes inner{Eigen::Matrix3Xd::Zero(3, m), Eigen::Matrix2Xd::Zero(2, m), Eigen::MatrixXd::Zero(m, m)};
  Eigen::MatrixXd slopes_y = Eigen::MatrixXd::Zero(grid.points().size(), m), slopes_z = slopes_y;
  for (Eigen::Index i = 0; i < grid.points().size(); ++i) {
    const double x = grid.points()[i], weight = grid.weights()[i];
    const Section section = basis.profile().at(x);
    for (int j = 0; j < m; ++j) {
      const auto& [direction, shape] = basis.coordinates()[static_cast<std::size_t>(j)];
      const double slope = shape.at(x)[1], curvature = shape.bending_at(x)[2];
      if (direction == Direction::y) {
        inner.strains(1, j) += weight * curvature;
        inner.moments(1, j) += weight * section.EI_z * curvature;
        slopes_y(i, j) = slope;
      } else if (direction == Direction::z) {
        inner.strains(0, j) -= weight * curvature;
        inner.moments(0, j) -= weight * section.EI_y * curvature;
        slopes_z(i, j) = slope;
      } else if (direction == Direction::axial) {
        inner.strains(2, j) += weight * slope;
      }
    }
  }
  const auto weights = Eigen::Map<const Eigen::VectorXd>(grid.weights().data(), grid.weights().size());
  inner.foreshortening = slopes_y.transpose() * weights.asDiagonal() * slopes_y +
                         slopes_z.transpose() * weights.asDiagonal() * slopes_z;
  return inner;
}

std::vector<ShapeRequest> requests_of(const BeamDescription& description, const RigidInertia& hanging) {
  std::vector<ShapeRequest> requests;
  for (const Direction direction : all_directions) {
    const auto& modes = description.modes.of(direction);
    if (!modes) continue;
    const int count = modes->count ? *modes->count : static_cast<int>(modes->table->values.cols());
    requests.push_back({direction, modes->shape, count, make_tip_load(*modes, direction, hanging),
                        modes->normalize, modes->table});
  }
  return requests;
}

PreparedBeam prepare(const std::vector<ShapeRequest>& requests, KinematicOrder order,
                     const SectionProfile& profile, TipRotation tip_rotation) {
  PreparedBeam beam{BeamBasis(profile), {}, {}, {}, {}};
  const auto in_direction = [](const ShapeRequest& request, const auto& action) {
    within_path(std::string("modes.") + to_string(request.direction), action);
  };
  for (const ShapeRequest& request : requests)
    in_direction(request, [&] {
      const ShapeSet shapes = make_shapes(request, profile);
      beam.basis.add(request.direction, shapes);
      beam.directions.push_back(
          {request, shape_frequencies(shapes, request.direction, profile, request.tip)});
    });

  if (order == KinematicOrder::second) require_few_products(beam.directions);
  beam.tip_node = make_tip_node(beam.basis, order, tip_rotation);
  beam.integrals = detail::integrate_beam(beam.basis, order);
  int first = 0;
  for (const ShapeRequest& request : requests) {
    in_direction(request, [&] { require_independence(beam.integrals.along, first, request.count); });
    first += request.count;
  }
  beam.inner = inner_shapes(beam.basis);
  return beam;
}

}  // namespace

Eigen::Matrix3d inertia_tensor(const InertiaElements& elements) {
  const double ixx = elements[0], iyy = elements[1], izz = elements[2];
  const double ixy = elements[3], ixz = elements[4], iyz = elements[5];
  Eigen::Matrix3d tensor;
  tensor << ixx, ixy, ixz, ixy, iyy, iyz, ixz, iyz, izz;
  return tensor;
}

SectionProfile make_profile(const BeamDescription& beam) {
  const double length = beam.axis_length();
  if (beam.section && beam.section->shape) return {length, make_geometry(*beam.section)};
  if (beam.section) return {length, make_station(0.0, *beam.section).section};
  std::vector<SectionProfile::Station> stations;
  // The ends are at 0 and at the length up to rounding: check() saw to it.
  for (const StationDescription& station : beam.stations)
    stations.push_back(make_station(std::clamp(station.x, 0.0, length), station.section));
  stations.front().x = 0.0;
  stations.back().x = length;
  return SectionProfile(std::move(stations));
}

RigidInertia undeformed_inertia(const SectionProfile& profile) {
  // Mass is a polynomial up to degree 3 between stations, times x^2; inertia one up to degree 5: three points are exact.
  const PanelGrid grid(profile.breakpoints(), profile.length(), 3);
  RigidInertia total;
  for (Eigen::Index i = 0; i < grid.points().size(); ++i) {
    const Section section = profile.at(grid.points()[i]);
    const Eigen::Vector3d r(grid.points()[i], section.center_of_mass.x(), section.center_of_mass.y());
    const double mass = grid.weights()[i] * section.mass_per_length;
    const Eigen::Matrix3d rotary = (grid.weights()[i] * section.rotary_inertia).asDiagonal();
    total += RigidInertia::about_com(mass, r, rotary);
  }
  return total;
}

RigidInertia undeformed_inertia(const BeamDescription& beam) {
  return undeformed_inertia(make_profile(beam));
}

BuiltBeam build_beam(const BeamDescription& description, KinematicOrder order, const SectionProfile& profile,
                     const BeamOrigin& origin, const RigidInertia& hanging, const RigidInertia& tip_body,
                     PreparedBeams& kept) {
  const std::vector<ShapeRequest> requests = requests_of(description, hanging);
  const TipRotation tip_rotation = description.tip_rotation;
  PreparedBeams::Shelf& shelf = kept.shelf();
  const auto prepared = shelf.beams.find_or_make(content_of(origin, order, profile.length(), requests), [&] {
    if (!follows_from_unit_beam(requests, profile)) return prepare(requests, order, profile, tip_rotation);
    const auto unit = shelf.units.find_or_make(
        content_of_unit_beam(requests, profile, order, tip_rotation),
        [&] { return prepare(requests, order, unit_profile(profile), tip_rotation); });
    return stretched(*unit, profile);
  });
  Beam beam{{detail::with_tip_body(prepared->integrals, prepared->tip_node, tip_body), {}, prepared->inner},
            prepared->basis,
            description.tip_rotation,
            prepared->directions,
            description.strength,
            description.sn_curve};
  beam.damping = damping_of(description.damping, beam.integrals);
  return {std::move(beam), prepared->tip_node};
}

ElasticBody build_body(const BodyDescription& description, KinematicOrder order,
                       const RigidInertia& tip_body) {
  within_path("file", [&] { require_valid(*description.reduced); });
  ElasticBody body{{}, description.reduced};
  body.integrals = make_shape_integrals(*description.reduced, order, tip_body);
  body.damping = damping_of(description.damping, body.integrals);
  return body;
}

}  // namespace limber
