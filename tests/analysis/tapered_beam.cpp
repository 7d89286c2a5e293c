// SPDX-License-Identifier: BSD-3-Clause
// Beams whose stations are of one shape: sizes vary linearly, stiffness and mass follow.

#include <gtest/gtest.h>

#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <cmath>

#include "limber/analysis/equilibrium.hpp"
#include "limber/analysis/modes.hpp"
#include "limber/model/builder.hpp"

namespace limber {
namespace {

using Eigen::VectorXd;

constexpr double L = 6.0, E = 2.1e11, G = 8.1e10, density = 7850.0;

// A box whose sizes are linear; formulas of its own, adaptive quadrature.
struct Box {
  double width, height, thickness;
};

struct TaperedBox {
  Box root, tip;

  Box at(double x) const {
    const auto mix = [share = x / L](double a, double b) { return a + share * (b - a); };
    return {mix(root.width, tip.width), mix(root.height, tip.height), mix(root.thickness, tip.thickness)};
  }
  double area(double x) const {
    const auto [w, h, t] = at(x);
    return w * h - (w - 2 * t) * (h - 2 * t);
  }
  double I_z(double x) const {
    const auto [w, h, t] = at(x);
    return (h * std::pow(w, 3) - (h - 2 * t) * std::pow(w - 2 * t, 3)) / 12;
  }
  double I_y(double x) const {
    const auto [w, h, t] = at(x);
    return (w * std::pow(h, 3) - (w - 2 * t) * std::pow(h - 2 * t, 3)) / 12;
  }
  double J(double x) const {
    const auto [w, h, t] = at(x);
    return 2 * t * std::pow((w - t) * (h - t), 2) / ((w - t) + (h - t));
  }
};

template <typename Function>
double integrate(const Function& f, double from = 0.0, double to = L) {
  return boost::math::quadrature::gauss_kronrod<double, 31>::integrate(f, from, to, 15, 1e-14);
}

SectionDescription described(const Box& box) {
  SectionDescription section;
  section.shape = SectionShape::box;
  section.width = box.width;
  section.height = box.height;
  section.thickness = box.thickness;
  section.material = MaterialDescription{.E = E, .G = G, .density = density};
  return section;
}

Model make_arm(const TaperedBox& box, int stations, ShapeFamily family, int count,
               KinematicOrder order = KinematicOrder::first) {
  std::vector<StationDescription> places;
  for (int i = 0; i < stations; ++i) {
    const double x = L * i / (stations - 1);
    places.push_back({x, described(box.at(x))});
  }
  ModelBuilder builder("boom");
  builder.kinematics(order).link("boom").fixed().beam(L, places);
  for (const Direction direction : all_directions) builder.modes(direction, count, family);
  return builder.build();
}

const TaperedBox usual{{0.3, 0.4, 0.010}, {0.15, 0.16, 0.006}};
const TaperedBox to_a_point{{0.3, 0.4, 0.010}, {0.003, 0.004, 0.0001}};

// With one polynomial each, (x/L)^2 and x/L, matrices are single integrals.
TEST(TaperedBox, IsIntegratedToRounding) {
  for (const TaperedBox& box : {usual, to_a_point}) {
    const Model model = make_arm(box, 2, ShapeFamily::polynomial, 1);
    const ShapeIntegrals& integrals = model.links()[0].beam->integrals;
    const Eigen::VectorXd K = integrals.stiffness.diagonal(), M = integrals.rest_inertia.diagonal();
    const auto expect = [](double found, double expected) {
      EXPECT_NEAR(found, expected, 1e-13 * std::abs(expected));
    };
    expect(integrals.mass, density * integrate([&](double x) { return box.area(x); }));
    expect(K[0], E * 4 / std::pow(L, 4) * integrate([&](double x) { return box.I_z(x); }));
    expect(K[1], E * 4 / std::pow(L, 4) * integrate([&](double x) { return box.I_y(x); }));
    expect(K[2], G / (L * L) * integrate([&](double x) { return box.J(x); }));
    expect(K[3], E / (L * L) * integrate([&](double x) { return box.area(x); }));
    const auto inertia = [&](double x, double I) {
      return density * (box.area(x) * std::pow(x / L, 4) + I * std::pow(2 * x / (L * L), 2));
    };
    expect(M[0], integrate([&](double x) { return inertia(x, box.I_z(x)); }));
    expect(M[1], integrate([&](double x) { return inertia(x, box.I_y(x)); }));
    expect(M[2],
           density * integrate([&](double x) { return (box.I_y(x) + box.I_z(x)) * std::pow(x / L, 2); }));
    expect(M[3], density * integrate([&](double x) { return box.area(x) * std::pow(x / L, 2); }));
    expect(model.mass(), density * integrate([&](double x) { return box.area(x); }));
    const Eigen::Matrix3d about_root = model.links()[0].rest_inertia().inertia;
    expect(about_root(1, 1), density * integrate([&](double x) { return box.area(x) * x * x + box.I_y(x); }));
  }
}

// Stations between two of them, where the sizes are linear anyway, change nothing.
TEST(TaperedBox, NeedsNoStationsBetween) {
  for (const ShapeFamily family : {ShapeFamily::craig_bampton, ShapeFamily::finite_element}) {
    const Model two = make_arm(usual, 2, family, 3, KinematicOrder::second);
    const Model eleven = make_arm(usual, 11, family, 3, KinematicOrder::second);
    const VectorXd sag_two = static_equilibrium(two, VectorXd::Zero(two.nq())).q;
    const VectorXd sag_eleven = static_equilibrium(eleven, VectorXd::Zero(eleven.nq())).q;
    EXPECT_LT((sag_two - sag_eleven).norm(), 1e-9 * sag_two.norm());
    const VectorXd rest = VectorXd::Zero(two.nq());
    const VectorXd f_two = natural_modes(two, rest).angular_frequencies;
    const VectorXd f_eleven = natural_modes(eleven, rest).angular_frequencies;
    EXPECT_LT(((f_two - f_eleven).array() / f_two.array()).abs().maxCoeff(), 1e-9);
  }
}

// Its tip sinks under its own weight by Int (L - x) M(x) / EI_y(x) dx, M(x) = Int_x^L (s - x) g density area(s) ds.
TEST(TaperedBox, SagsAsMuchAsTheBendingLineSays) {
  const Model model = make_arm(usual, 2, ShapeFamily::finite_element, 12);
  const VectorXd q = static_equilibrium(model, VectorXd::Zero(model.nq())).q;
  const double found = model.links()[0].nodes[0].field.position<double>(q).z();
  const auto moment = [&](double x) {
    return 9.81 * density * integrate([&](double s) { return (s - x) * usual.area(s); }, x, L);
  };
  const double expected = integrate([&](double x) { return (L - x) * moment(x) / (E * usual.I_y(x)); });
  EXPECT_NEAR(found, -expected, 1e-4 * expected);
  EXPECT_LT(std::abs(found), expected);  // Ritz is too stiff
}

// By stiffness nothing has changed: the mean of the two ends is in the middle.
TEST(TaperedBeam, GivenByStiffnessStaysLinearInStiffness) {
  ModelBuilder builder("boom");
  SectionDescription root, tip;
  root.EI_z = 100.0;
  root.mass_per_length = 4.0;
  tip.EI_z = 20.0;
  tip.mass_per_length = 1.0;
  builder.link("boom")
      .fixed()
      .beam(L, {{0.0, root}, {L, tip}})
      .modes(Direction::y, 1, ShapeFamily::polynomial);
  const Model model = builder.build();
  EXPECT_NEAR(model.links()[0].beam->integrals.stiffness(0, 0), 4 / std::pow(L, 3) * 60.0, 1e-13);
  EXPECT_NEAR(model.mass(), 2.5 * L, 1e-13);
  EXPECT_NEAR(model.links()[0].beam->basis.profile().at(L / 4).EI_z, 80.0, 1e-12);
}

}  // namespace
}  // namespace limber
