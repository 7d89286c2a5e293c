// SPDX-License-Identifier: BSD-3-Clause
// Uniform beams of a model follow from one of unit length: they are what a beam's own shapes and quadrature give.

#include <gtest/gtest.h>

#include <cmath>

#include "limber/beam/shape_integrals.hpp"
#include "limber/model/builder.hpp"

namespace limber {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

struct UniformBeam {
  ShapeFamily family;
  KinematicOrder order;
  TipRotation tip_rotation;
  double length;
};

class UnitBeam : public testing::TestWithParam<UniformBeam> {};

const SectionDescription& uniform_section() {
  static const SectionDescription stated = [] {
    SectionDescription section{.EI_y = 2.3e4, .EI_z = 0.7e4, .GJ = 8e3, .EA = 3e6, .mass_per_length = 5.7};
    section.rotary_inertia = Vector3d(0.021, 0.013, 0.008);
    return section;
  }();
  return stated;
}

Model uniform_arm(const UniformBeam& one) {
  ModelBuilder builder("arm");
  builder.kinematics(one.order)
      .link("boom")
      .revolute(Vector3d::UnitZ())
      .beam(one.length, uniform_section())
      .modes(Direction::y, 4, one.family)
      .modes(Direction::z, 3, one.family)
      .modes(Direction::torsion, 2, one.family)
      .modes(Direction::axial, 2, one.family)
      .tip({.mass = 2.0, .com = {0.1, 0.02, 0.0}, .inertia = {0.1, 0.2, 0.3, 0.0, 0.0, 0.0}});
  builder.current_link().beam->tip_rotation = one.tip_rotation;
  return builder.build();
}

// Of the same shapes and sections, along the beam as it is.
BeamBasis basis_of(const Beam& beam) {
  BeamBasis basis(beam.basis.profile());
  for (const DirectionShapes& shapes : beam.directions)
    basis.add(shapes.request.direction, make_shapes(shapes.request, beam.basis.profile()));
  return basis;
}

// Lengths over which coordinates of bending and stretching are angles and strains, so that numbers of all of them are alike in size.
VectorXd sizes_of(const BeamBasis& basis) {
  VectorXd sizes(basis.size());
  for (int j = 0; j < basis.size(); ++j)
    sizes[j] = basis.coordinates()[static_cast<std::size_t>(j)].direction == Direction::torsion
                   ? 1.0
                   : basis.length();
  return sizes;
}

void expect_alike(const MatrixXd& found, const MatrixXd& wanted, const char* what) {
  constexpr double rounding = 3e-13;
  ASSERT_EQ(found.rows(), wanted.rows()) << what;
  ASSERT_EQ(found.cols(), wanted.cols()) << what;
  EXPECT_LE((found - wanted).lpNorm<Eigen::Infinity>(), rounding * wanted.lpNorm<Eigen::Infinity>()) << what;
}

void expect_alike(const BeamNode& found, const BeamNode& wanted, const VectorXd& sizes) {
  EXPECT_NEAR(found.x, wanted.x, 1e-15 * sizes[0]);
  const auto S = sizes.asDiagonal();
  expect_alike(found.Phi * S, wanted.Phi * S, "Phi");
  expect_alike(found.Psi * S, wanted.Psi * S, "Psi");
  ASSERT_EQ(found.is_second_order(), wanted.is_second_order());
  for (std::size_t axis = 0; found.is_second_order() && axis < 3; ++axis) {
    expect_alike(S * found.Phi2[axis] * S, S * wanted.Phi2[axis] * S, "Phi2");
    expect_alike(S * found.Psi2[axis] * S, S * wanted.Psi2[axis] * S, "Psi2");
  }
}

TEST_P(UnitBeam, GivesIntegralsOfEveryLength) {
  const Model model = uniform_arm(GetParam());
  const Link& link = model.links().front();
  const Beam& beam = *link.beam;
  const BeamBasis basis = basis_of(beam);
  const BeamNode tip = make_tip_node(basis, GetParam().order, GetParam().tip_rotation);
  const ShapeIntegrals wanted = make_shape_integrals(basis, GetParam().order, tip, link.tip_body),
                       &found = beam.integrals;
  const VectorXd sizes = sizes_of(basis);
  const auto S = sizes.asDiagonal();

  ASSERT_EQ(found.terms.size(), wanted.terms.size());
  VectorXd of_terms(wanted.moment.size());
  for (std::size_t a = 0; a < wanted.terms.size(); ++a) {
    ASSERT_EQ(found.terms[a], wanted.terms[a]);
    const auto& [axis, j, k] = wanted.terms[a];
    of_terms[static_cast<Eigen::Index>(a)] = (j < 0 ? 1.0 : sizes[j]) * (k < 0 ? 1.0 : sizes[k]);
  }
  const auto T = of_terms.asDiagonal();
  EXPECT_NEAR(found.mass, wanted.mass, 1e-14 * wanted.mass);
  expect_alike(T * found.moment, T * wanted.moment, "moment");
  expect_alike(T * found.gram * T, T * wanted.gram * T, "gram");
  expect_alike(S * found.stiffness * S, S * wanted.stiffness * S, "stiffness");
  expect_alike(S * found.rest_inertia * S, S * wanted.rest_inertia * S, "rest inertia");
  EXPECT_EQ(found.stiffness, found.stiffness.transpose());

  ASSERT_EQ(found.lumps.size(), wanted.lumps.size());
  for (std::size_t i = 0; i < found.lumps.size(); ++i) {
    expect_alike(found.lumps[i].node, wanted.lumps[i].node, sizes);
    EXPECT_EQ(found.lumps[i].body.mass, wanted.lumps[i].body.mass);
    EXPECT_EQ(found.lumps[i].body.moment, wanted.lumps[i].body.moment);
    expect_alike(found.lumps[i].body.inertia, wanted.lumps[i].body.inertia, "lump");
  }
  expect_alike(link.nodes.front().field, tip, sizes);
}

TEST_P(UnitBeam, GivesShapesOfEveryLength) {
  const Model model = uniform_arm(GetParam());
  const Beam& beam = *model.links().front().beam;
  const BeamBasis basis = basis_of(beam);
  EXPECT_NEAR(beam.basis.wavenumber(), basis.wavenumber(), 1e-14 * basis.wavenumber());
  EXPECT_EQ(beam.basis.breakpoints(), basis.breakpoints());
  const double L = basis.length();
  for (int j = 0; j < basis.size(); ++j) {
    const auto at = static_cast<std::size_t>(j);
    ASSERT_EQ(beam.basis.coordinates()[at].direction, basis.coordinates()[at].direction);
    for (const double part : {0.0, 0.01, 0.31, 0.77, 1.0}) {
      const Jet found = beam.basis.coordinates()[at].shape.at(part * L),
                wanted = basis.coordinates()[at].shape.at(part * L);
      for (std::size_t k = 0; k < found.size(); ++k)
        EXPECT_NEAR(found[k], wanted[k], 1e-13 * std::pow(basis.wavenumber(), static_cast<double>(k)));
    }
  }
  for (const DirectionShapes& shapes : beam.directions) {
    const VectorXd wanted = shape_frequencies(make_shapes(shapes.request, basis.profile()),
                                              shapes.request.direction, basis.profile(), shapes.request.tip);
    EXPECT_LE(((shapes.frequencies - wanted).array() / wanted.array()).abs().maxCoeff(), 1e-12);
  }
}

// Ends of the beam and foreshortening, by the shapes' values at the tip.
TEST_P(UnitBeam, GivesWhatIsStrungAlongEveryLength) {
  const Model model = uniform_arm(GetParam());
  const Beam& beam = *model.links().front().beam;
  const BeamBasis basis = basis_of(beam);
  const int m = basis.size();
  InnerShapes wanted{Eigen::Matrix3Xd::Zero(3, m), Eigen::Matrix2Xd::Zero(2, m), MatrixXd::Zero(m, m)};
  for (int j = 0; j < m; ++j) {
    const auto& [direction, shape] = basis.coordinates()[static_cast<std::size_t>(j)];
    const Jet root = shape.at(0.0), tip = shape.at(basis.length());
    if (direction == Direction::axial) wanted.strains(2, j) = tip[0] - root[0];
    if (direction == Direction::y) wanted.strains(1, j) = tip[1] - root[1];
    if (direction == Direction::z) wanted.strains(0, j) = root[1] - tip[1];
  }
  wanted.moments.row(0) = *uniform_section().EI_y * wanted.strains.row(0);
  wanted.moments.row(1) = *uniform_section().EI_z * wanted.strains.row(1);
  // -1/2 of it are in the axis, as a quadratic form.
  wanted.foreshortening = -make_tip_node(basis, KinematicOrder::second, TipRotation::slope).Phi2[0];
  const VectorXd sizes = sizes_of(basis);
  const auto S = sizes.asDiagonal();
  expect_alike(beam.inner.strains.topRows(2) * S, wanted.strains.topRows(2) * S, "bending");
  expect_alike(beam.inner.strains.row(2), wanted.strains.row(2), "stretching");
  expect_alike(beam.inner.moments * S, wanted.moments * S, "moments");
  expect_alike(S * beam.inner.foreshortening * S, S * wanted.foreshortening * S, "foreshortening");
}

std::vector<UniformBeam> uniform_beams() {
  std::vector<UniformBeam> all;
  for (const ShapeFamily family :
       {ShapeFamily::craig_bampton, ShapeFamily::clamped_free, ShapeFamily::polynomial})
    for (const KinematicOrder order : {KinematicOrder::first, KinematicOrder::second})
      for (const TipRotation rotation : {TipRotation::slope, TipRotation::chord})
        for (const double length : {0.07, 40.0}) all.push_back({family, order, rotation, length});
  return all;
}

INSTANTIATE_TEST_SUITE_P(FamiliesOrdersAndLengths, UnitBeam, testing::ValuesIn(uniform_beams()));

}  // namespace
}  // namespace limber
