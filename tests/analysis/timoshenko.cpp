// SPDX-License-Identifier: BSD-3-Clause
// Beams that give way to shear (docs/shear.md) against closed forms and against Timoshenko's differential equations, integrated to their end here.

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>
#include <utility>

#include "limber/algorithms/beam_state.hpp"
#include "limber/analysis/equilibrium.hpp"
#include "limber/analysis/modes.hpp"
#include "limber/core/input_error.hpp"
#include "limber/model/builder.hpp"

namespace limber {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;

constexpr double pi = std::numbers::pi;

// Steel, 1 m long, 0.8 h wide along y and h high along z.
struct Bar {
  explicit Bar(double slenderness) : h(1.0 / slenderness) {}
  double h, L = 1.0, E = 2.1e11, nu = 0.3, density = 7850.0;
  double A() const { return 0.8 * h * h; }
  double I() const { return A() * h * h / 12.0; }  // about y: deflection along z
  double EI() const { return E * I(); }
  double kGA() const { return 10.0 * (1.0 + nu) / (12.0 + 11.0 * nu) * E / (2.0 * (1.0 + nu)) * A(); }
  double mass() const { return density * A(); }
  double rotary() const { return density * I(); }
};

// Lying on its side where it bends along y.
ModelDescription arm(const Bar& bar, ShapeFamily family, int count, bool shear = true,
                     Direction direction = Direction::z) {
  ModelBuilder builder("bar");
  builder.gravity(Vector3d::Zero()).link("bar").fixed();
  SectionDescription section;
  section.shape = SectionShape::rectangle;
  section.width = 0.8 * bar.h;
  section.height = bar.h;
  if (direction == Direction::y) std::swap(section.width, section.height);
  section.material = MaterialDescription{.E = bar.E, .nu = bar.nu, .density = bar.density};
  section.shear = shear;
  builder.beam(bar.L, section).modes(direction, count, family);
  return builder.description();
}

VectorXd frequencies(const ModelDescription& description, int count) {
  const Model model = build_model(description);
  return natural_modes(model, neutral_configuration(model), JointTreatment::locked, count)
      .angular_frequencies;
}

// (w, psi, M, Q)' = A (w, psi, M, Q): w' = psi + Q/kGA, psi' = M/EI, M' = -Q - j omega^2 psi, Q' = -m omega^2 w, from a clamped root to the tip.
// Zero where the tip can be free of moment and force. Taylor's series, squared up, in long double.
long double clamped_free(const Bar& bar, long double omega) {
  using Matrix = Eigen::Matrix<long double, 4, 4>;
  constexpr int halvings = 10, terms = 16;
  const long double L = bar.L, scale = 1.0L / (1 << halvings);
  // Lengths in L, forces in EI / L^2.
  const long double shear = bar.EI() / (bar.kGA() * L * L),
                    inertia = omega * omega * bar.mass() * L * L * L * L / bar.EI(),
                    rotary = omega * omega * bar.rotary() * L * L / bar.EI();
  Matrix A = Matrix::Zero();
  A(0, 1) = 1.0L;
  A(0, 3) = shear;
  A(1, 2) = 1.0L;
  A(2, 1) = -rotary;
  A(2, 3) = -1.0L;
  A(3, 0) = -inertia;
  A *= scale;
  Matrix term = Matrix::Identity(), sum = term;
  for (int k = 1; k < terms; ++k) {
    term = (term * A / static_cast<long double>(k)).eval();
    sum += term;
  }
  for (int k = 0; k < halvings; ++k) sum = (sum * sum).eval();
  return sum(2, 2) * sum(3, 3) - sum(2, 3) * sum(3, 2);
}

TEST(TimoshenkoBeam, HasItsFrequenciesClampedAndFree) {
  for (const double slenderness : {5.0, 10.0, 50.0}) {
    const Bar bar(slenderness);
    for (const ShapeFamily family :
         {ShapeFamily::craig_bampton, ShapeFamily::clamped_free, ShapeFamily::finite_element}) {
      const int count = family == ShapeFamily::craig_bampton ? 20 : 4;
      const VectorXd found = frequencies(arm(bar, family, count), 4);
      for (int mode = 0; mode < 4; ++mode) {
        const long double omega = found[mode];
        // Craig-Bampton's shapes converge with a power of their number; the families that fit the ends are there at once.
        const long double accuracy = family != ShapeFamily::craig_bampton ? 1e-8L : mode == 0 ? 1e-6L : 4e-4L;
        EXPECT_LT(clamped_free(bar, omega * (1.0L - accuracy)) * clamped_free(bar, omega * (1.0L + accuracy)),
                  0.0L)
            << "L/h = " << slenderness << ", mode " << mode + 1 << " of " << count << ": " << found[mode];
        // No root was passed over: the determinant has changed its sign once for each mode before.
        int changes = 0;
        constexpr int steps = 400;
        long double before = clamped_free(bar, 1e-6L * omega);
        for (int i = 1; i <= steps; ++i) {
          const long double now = clamped_free(bar, omega * (1.0L + 1e-6L) * i / steps);
          changes += now * before < 0.0L;
          before = now;
        }
        EXPECT_EQ(changes, mode + 1);
      }
    }
  }
}

TEST(TimoshenkoBeam, HasItsFrequenciesPinnedAtBothEnds) {
  for (const double slenderness : {5.0, 10.0, 50.0}) {
    const Bar bar(slenderness);
    const VectorXd found = frequencies(arm(bar, ShapeFamily::pinned_pinned, 4), 4);
    for (int n = 1; n <= 4; ++n) {
      // (m omega^2 - kGA k^2)(j omega^2 - EI k^2 - kGA) = (kGA k)^2, k = n pi / L: the smaller root
      const double k = n * pi / bar.L, m = bar.mass(), j = bar.rotary(), G = bar.kGA(), B = bar.EI() * k * k;
      const double a = m * j, b = m * (B + G) + j * G * k * k, c = G * k * k * B;
      const double exact = std::sqrt(2.0 * c / (b + std::sqrt(b * b - 4.0 * a * c)));
      EXPECT_NEAR(found[n - 1], exact, 1e-8 * exact) << "L/h = " << slenderness << ", mode " << n;
    }
  }
}

TEST(TimoshenkoBeam, SagsByBendingAndByShear) {
  const Bar bar(5.0);
  for (const int segments : {1, 3})
    for (const int count : {2, 5}) {
      ModelDescription description = arm(bar, ShapeFamily::craig_bampton, count);
      description.kinematics = KinematicOrder::first;
      description.links.front().beam->segments = segments;
      const Model model = build_model(description);
      const double P = 1e-3;  // so little that what segments turn by does not show
      const Load load{.link = segments - 1, .force = {0.0, 0.0, P}};
      const Equilibrium e =
          static_equilibrium(model, neutral_configuration(model), {load}, StaticModel::linear);
      const double exact = P / (3.0 * bar.EI()) + P / bar.kGA();
      const TipState tip = tip_state(model, whole_links(model).front(), e.q);
      EXPECT_NEAR(tip.deflection.z(), exact, 1e-10 * exact);
      EXPECT_NEAR(tip.slope.y(), -P / (2.0 * bar.EI()), 1e-10 * P / bar.EI())
          << "sections do not turn by shear";
      EXPECT_NEAR(beam_strain(model, whole_links(model).front(), e.q, 0.0).kappa_y, -P / bar.EI(),
                  1e-9 * P / bar.EI());
    }
}

TEST(TimoshenkoBeam, IsTheSameOnItsSide) {
  const Bar bar(5.0);
  for (const ShapeFamily family :
       {ShapeFamily::craig_bampton, ShapeFamily::clamped_free, ShapeFamily::clamped_pinned,
        ShapeFamily::pinned_pinned, ShapeFamily::finite_element}) {
    const VectorXd upright = frequencies(arm(bar, family, 4), 4);
    const VectorXd lying = frequencies(arm(bar, family, 4, true, Direction::y), 4);
    for (int mode = 0; mode < 4; ++mode) EXPECT_NEAR(lying[mode], upright[mode], 1e-10 * upright[mode]);
  }
  ModelDescription description = arm(bar, ShapeFamily::craig_bampton, 3, true, Direction::y);
  description.kinematics = KinematicOrder::first;
  const Model model = build_model(description);
  const double P = 1e-3, exact = P / (3.0 * bar.EI()) + P / bar.kGA();
  const Equilibrium e = static_equilibrium(model, neutral_configuration(model), {{.force = {0.0, P, 0.0}}},
                                           StaticModel::linear);
  const TipState tip = tip_state(model, whole_links(model).front(), e.q);
  EXPECT_NEAR(tip.deflection.y(), exact, 1e-10 * exact);
  EXPECT_NEAR(tip.slope.z(), P / (2.0 * bar.EI()), 1e-10 * P / bar.EI());
}

TEST(TimoshenkoBeam, IsEulersWhereItIsStiffInShear) {
  ModelBuilder builder("beam");
  builder.gravity(Vector3d::Zero())
      .link("beam")
      .fixed()
      .beam(2.0, {.EI_z = 50.0, .mass_per_length = 3.0, .kGA_y = 1e12 * 50.0 / 4.0});
  builder.modes(Direction::y, 6);
  ModelDescription stiff = builder.description(), euler = stiff;
  euler.links.front().beam->section->kGA_y.reset();
  const VectorXd a = frequencies(stiff, 6), b = frequencies(euler, 6);
  for (int i = 0; i < 6; ++i) EXPECT_NEAR(a[i], b[i], 1e-7 * b[i]) << i;
  const Model one = build_model(stiff), other = build_model(euler);
  const Eigen::Matrix2d K = one.links()[0].beam->integrals.stiffness.topLeftCorner(2, 2),
                        K_euler = other.links()[0].beam->integrals.stiffness.topLeftCorner(2, 2);
  EXPECT_LT((K - K_euler).norm(), 1e-9 * K_euler.norm());
}

TEST(TimoshenkoBeam, BucklesAsEngesserSays) {
  const double EI = 500.0, kGA = 2000.0, L = 2.0, euler = pi * pi * EI / (4.0 * L * L);
  ModelBuilder builder("column");
  builder.gravity(Vector3d::Zero())
      .link("column")
      .fixed()
      .beam(L, {.EI_z = EI, .mass_per_length = 3.0, .kGA_y = kGA});
  builder.modes(Direction::y, 12);
  const Model model = builder.build();
  const auto found =
      critical_load(model, neutral_configuration(model), {{.force = {-1.0, 0.0, 0.0}}}, 1000.0);
  ASSERT_TRUE(found.has_value());
  EXPECT_NEAR(found->factor, euler / (1.0 + euler / kGA), 1e-5 * euler);
}

TEST(TimoshenkoBeam, TapersWithItsSections) {
  // A cantilever whose shear stiffness falls from 2 to 1: statics by hand, Int P/kGA = P L ln 2 / (2 - 1) for kGA = 2 - x/L.
  ModelBuilder builder("taper");
  std::vector<StationDescription> stations(2);
  for (int i = 0; i < 2; ++i) {
    stations[static_cast<std::size_t>(i)].x = i * 1.0;
    SectionDescription& section = stations[static_cast<std::size_t>(i)].section;
    section.EI_z = 1e6;
    section.mass_per_length = 1.0;
    section.kGA_y = 2.0 - i;
  }
  builder.gravity(Vector3d::Zero())
      .kinematics(KinematicOrder::first)
      .link("taper")
      .fixed()
      .beam(1.0, stations);
  builder.modes(Direction::y, 12);
  const Model model = builder.build();
  const Equilibrium e = static_equilibrium(model, neutral_configuration(model), {{.force = {0.0, 1e-3, 0.0}}},
                                           StaticModel::linear);
  const double exact = 1e-3 * (std::log(2.0) + 1.0 / 3e6);
  EXPECT_NEAR(tip_state(model, whole_links(model).front(), e.q).deflection.y(), exact, 1e-4 * exact);
}

TEST(TimoshenkoBeam, RefusesShapesWithoutARotation) {
  try {
    build_model(arm(Bar(10.0), ShapeFamily::polynomial, 3));
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("links[0].beam.modes.z.shape"), std::string::npos)
        << error.what();
  }
}

TEST(ShearFactor, IsCowpers) {
  const double nu = 0.3;
  const Material material{2.6, 1.0, 1.0};  // E = 2 (1 + nu) G
  const auto factor = [&](SectionGeometry geometry) {
    geometry.shear = true;
    const Section section = make_section(geometry);
    return std::array{section.kGA_y / (section.EA / 2.6), section.kGA_z / (section.EA / 2.6)};
  };
  EXPECT_NEAR(factor({SectionShape::rod, 0.1, 0, 0, 0, material})[0], 6.0 * 1.3 / (7.0 + 6.0 * nu), 1e-14);
  EXPECT_NEAR(factor({SectionShape::rectangle, 0, 0.1, 0.3, 0, material})[1], 13.0 / 15.3, 1e-14);
  // Cowper's own special cases: thin round tube 2 (1 + nu) / (4 + 3 nu), thin square tube 20 (1 + nu) / (48 + 39 nu).
  EXPECT_NEAR(factor({SectionShape::tube, 1.0, 0, 0, 1e-7, material})[0], 2.6 / 4.9, 1e-6);
  EXPECT_NEAR(factor({SectionShape::box, 0, 1.0, 1.0, 1e-7, material})[0], 26.0 / 59.7, 1e-6);
  const auto flat = factor({SectionShape::box, 0, 2.0, 1.0, 0.01, material});
  EXPECT_GT(flat[0], flat[1]) << "along its longer side more of it stands in the way";
}

}  // namespace
}  // namespace limber
