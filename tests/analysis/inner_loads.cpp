// SPDX-License-Identifier: BSD-3-Clause
// Loads from within beams, dampers at points and loss factors (docs/curved-beams.md, docs/cylinders.md) against closed forms.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <string>
#include <vector>

#include "limber/algorithms/beam_state.hpp"
#include "limber/algorithms/derivatives.hpp"
#include "limber/analysis/derivatives.hpp"
#include "limber/analysis/equilibrium.hpp"
#include "limber/analysis/linearize.hpp"
#include "limber/analysis/modal_damping.hpp"
#include "limber/analysis/modes.hpp"
#include "limber/core/computation_error.hpp"
#include "limber/core/input_error.hpp"
#include "limber/io/model_file.hpp"
#include "limber/io/state_file.hpp"
#include "limber/model/inner_loads.hpp"

namespace limber {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using Complex = std::complex<double>;

constexpr double pi = std::numbers::pi;
constexpr double L = 2.0, EI_z = 50.0, EI_y = 80.0, EA = 4e4, mass = 3.0;

Model parse(const std::string& text) { return build_model(parse_model_description(text, "arm.yaml", ".")); }

Model beam(const std::string& modes, const std::string& more = "", const std::string& order = "second") {
  return parse("limber: 1\ngravity: [0, 0, 0]\nkinematics: " + order +
               "\nlinks:\n  - name: beam\n    joint: {name: clamp, type: fixed}\n    beam:\n      length: "
               "2\n      section: {EI_y: 80, EI_z: 50, EA: 4e4, "
               "mass_per_length: 3}\n      modes: {" +
               modes + "}\n" + more);
}

// As a state file has them.
std::vector<Load> loads(Model& model, const std::string& text) {
  return place_loads(parse_state("{loads: [" + text + "]}", "state.yaml", model).loads, model);
}

TipState bent(Model model, const std::string& text) {
  const std::vector<Load> all = loads(model, text);
  const VectorXd q = static_equilibrium(model, neutral_configuration(model), all).q;
  return tip_state(model, whole_links(model).front(), q);
}

TEST(ThermalCurvature, BendsACantileverIntoAParabola) {
  const double ky = 3e-3, kz = 2e-3;  // kappa_y = -w''
  const Model model = beam("y: {count: 3}, z: {count: 2}", "", "first");
  const TipState tip = bent(model, "{link: beam, thermal_curvature: [3e-3, 2e-3]}");
  EXPECT_NEAR(tip.deflection.y(), kz * L * L / 2, 1e-14);
  EXPECT_NEAR(tip.deflection.z(), -ky * L * L / 2, 1e-14);
  EXPECT_NEAR(tip.slope.z(), kz * L, 1e-14);
}

TEST(ThermalCurvature, BendsSegmentsIntoACircle) {
  const double k = 1.2;
  const TipState tip =
      bent(beam("y: {count: 2}", "      segments: 16\n"), "{link: beam, thermal_curvature: [0, 1.2]}");
  EXPECT_NEAR(tip.slope.z(), k * L, 1e-9);
  EXPECT_NEAR(L + tip.deflection.x(), std::sin(k * L) / k, 2e-3);
  EXPECT_NEAR(tip.deflection.y(), (1.0 - std::cos(k * L)) / k, 2e-3);
}

// The moment EI k of a clamp at its tip holds it straight.
TEST(ThermalCurvature, IsHeldByTheMomentOfAClamp) {
  const TipState tip =
      bent(beam("y: {count: 3}, z: {count: 2}"),
           "{link: beam, thermal_curvature: [3e-3, 4e-3]}, {link: beam, moment: [0, -0.24, -0.2]}");
  EXPECT_LT(tip.deflection.norm(), 1e-14);
  EXPECT_LT(tip.slope.norm(), 1e-14);
}

// The force method: a pin under the tip of a clamped beam carries 3 EI k/(2 L), a weld the moment EI k alone. As straight as it is then the beam needs no length.
TEST(ThermalCurvature, PressesOnWhatHoldsItsTip) {
  const std::string load = "{link: beam, thermal_curvature: [3e-3, 4e-3]}";
  const auto held = [&](const std::string& modes, const std::string& loop) {
    Model model =
        beam(modes, "loops: [{name: pin, " + loop + "a: {link: beam}, b: {link: base, xyz: [2, 0, 0]}}]\n");
    const std::vector<Load> all = loads(model, load);
    return static_equilibrium(model, neutral_configuration(model), all).multipliers;
  };
  // Rows: force, then moment.
  const VectorXd pinned = held("y: {count: 3}, z: {count: 3}, axial: {count: 1}", "type: spherical, ");
  EXPECT_NEAR(std::abs(pinned[1]), 1.5 * EI_z * 4e-3 / L, 1e-5);
  EXPECT_NEAR(std::abs(pinned[2]), 1.5 * EI_y * 3e-3 / L, 1e-5);
  const VectorXd welded = held("y: {count: 3}, z: {count: 2}", "type: fixed, ");
  EXPECT_LE(welded.head<3>().norm(), 1e-10);
  EXPECT_NEAR(std::abs(welded[4]), EI_y * 3e-3, 1e-10);
  EXPECT_NEAR(std::abs(welded[5]), EI_z * 4e-3, 1e-10);
  // One that cannot be stretched would have to stay straight between its pins, by an axial force without bound.
  try {
    held("y: {count: 3}", "type: spherical, ");
    FAIL() << "an equilibrium";
  } catch (const ComputationError& error) {
    EXPECT_NE(std::string(error.what()).find("Give it `axial: {count: 1}`, or let one end slide"),
              std::string::npos)
        << error.what();
  }
}

TEST(Tendon, BendsAndShortensItsBeam) {
  const double T = 30.0, y = 0.02, z = -0.03;
  const Model model = beam("y: {count: 2}, z: {count: 2}, axial: {count: 1}", "", "first");
  const TipState tip = bent(model, "{link: beam, pretension: 30, offset: [0, 0.02, -0.03]}");
  EXPECT_NEAR(tip.deflection.x(), -T * L / EA, 1e-14);
  EXPECT_NEAR(tip.deflection.y(), T * y * L * L / 2 / EI_z, 1e-13);
  EXPECT_NEAR(tip.deflection.z(), T * z * L * L / 2 / EI_y, 1e-13);
  // It does not change how the beam swings.
  Model swinging = model;
  const std::vector<Load> all = loads(swinging, "{link: beam, pretension: 30}");
  const VectorXd q = neutral_configuration(model);
  const VectorXd with = natural_modes(swinging, q, JointTreatment::locked, 3, all).angular_frequencies,
                 without = natural_modes(swinging, q, JointTreatment::locked, 3).angular_frequencies;
  EXPECT_LT((with - without).norm(), 1e-9);
}

// Pinned beam under an axial force: omega^2 = (n pi/L)^4 EI/m (1 - T L^2/(n^2 pi^2 EI)); a cable that pulls its ends together pushes, T < 0 pulls it long.
TEST(Cable, TunesAPinnedBeam) {
  for (const char* order : {"first", "second"})
    for (const double T : {-400.0, 60.0}) {
      Model model = beam("y: {shape: pinned-pinned, count: 4}", "", order);
      const std::vector<Load> all =
          loads(model, "{link: beam, straight: true, pretension: " + std::to_string(T) + "}");
      const VectorXd found =
          natural_modes(model, neutral_configuration(model), JointTreatment::locked, 3, all)
              .angular_frequencies;
      for (int n = 1; n <= 3; ++n) {
        const double k = n * pi / L;
        EXPECT_NEAR(found[n - 1], std::sqrt(EI_z / mass * k * k * k * k * (1.0 - T / (EI_z * k * k))),
                    2e-9 * found[n - 1])
            << order << ", " << T << ", mode " << n;
      }
    }
}

// A force that points to the root: a cantilever buckles where a pinned column does.
TEST(Cable, BucklesACantileverAtEulersPinnedLoad) {
  const double critical = pi * pi * EI_z / (L * L);
  for (const auto& [share, stable] : {std::pair(0.999, true), std::pair(1.001, false)}) {
    Model model = beam("y: {count: 5}");
    const std::vector<Load> all =
        loads(model, "{link: beam, straight: true, pretension: " + std::to_string(share * critical) + "}");
    EXPECT_EQ(static_equilibrium(model, neutral_configuration(model), all).stable, stable) << share;
  }
}

// Exact derivatives of all inner loads against the dual scalar.
TEST(InnerLoads, AreDifferentiatedExactly) {
  Model model = beam("y: {count: 2}, z: {count: 2}, axial: {count: 1}");
  const std::vector<Load> all =
      loads(model,
            "{link: beam, straight: true, pretension: 300, offset: [0, 0.02, -0.03]}, {link: beam, "
            "thermal_curvature: [0.1, 0.2]}, {link: beam, pretension: 40, offset: [0, 0, 0.1]}");
  const VectorXd q = VectorXd::LinSpaced(model.nq(), 0.01, 0.05), zero = VectorXd::Zero(model.nv());
  const MatrixXd found = force_derivatives(model, q, zero, zero, all).dq;
  const MatrixXd dual = ForceDifferentiator(model).by_position(q, zero, zero, all, all_coordinates(model));
  EXPECT_LT((found - dual).norm(), 1e-10 * dual.norm());
  EXPECT_GT((dual - ForceDifferentiator(model).by_position(q, zero, zero, {}, all_coordinates(model))).norm(),
            1.0);
}

TEST(InnerLoads, SayWhatIsWrongWithThem) {
  Model model = beam("y: {count: 2}", "  - name: hand\n    joint: {name: wrist}\n    rigid: {mass: 1}\n");
  const auto refusal = [&](const std::string& text) {
    try {
      loads(model, text);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_NE(refusal("{link: hand, pretension: 3}").find("loads[0].link: expected a link with a beam"),
            std::string::npos);
  EXPECT_NE(
      refusal("{link: beam, straight: true}").find("loads[0].straight: expected `pretension` beside it"),
      std::string::npos);
  EXPECT_NE(
      refusal("{link: beam, pretension: 3, force: [0, 1, 0]}").find("loads[0].force: expected no `force`"),
      std::string::npos);
  EXPECT_NE(
      refusal("{link: beam, pretension: 3, thermal_curvature: [0, 1]}").find("one of `thermal_curvature`"),
      std::string::npos);
  EXPECT_NE(refusal("{link: beam, pretension: 3, offset: [1, 0, 0]}").find("loads[0].offset: expected 0"),
            std::string::npos);
  EXPECT_NE(refusal("{link: beam, thermal_curvature: 3}").find("a list of 2 numbers"), std::string::npos);
}

// ---- dampers ----

// EI b^3 (1 + cos bL cosh bL) / (sin bL cosh bL - cos bL sinh bL) is the tip's dynamic stiffness, b^4 = -m s^2/EI; with a damper there it is -c s.
Complex damped_root(double c, Complex s) {
  const auto f = [&](Complex at) {
    const Complex b = std::pow(-mass * at * at / EI_z, 0.25) * L;
    return EI_z / (L * L * L) * b * b * b * (1.0 + std::cos(b) * std::cosh(b)) /
               (std::sin(b) * std::cosh(b) - std::cos(b) * std::sinh(b)) +
           c * at;
  };
  for (int i = 0; i < 100; ++i) {
    const Complex h = 1e-6 * s;
    s -= f(s) / ((f(s + h) - f(s - h)) / (2.0 * h));
  }
  return s;
}

TEST(Damper, AtTheTipHasTheComplexEigenvaluesOfItsEquation) {
  const double c = 1.5;
  const Model model =
      beam("y: {count: 20}", "dampers: [{name: dashpot, link: beam, axis: [0, 1, 0], damping: 1.5}]\n");
  OperatingPoint about;
  about.q = neutral_configuration(model);
  about.v = about.tau = VectorXd::Zero(model.nv());
  const Eigen::VectorXcd found = Eigen::EigenSolver<MatrixXd>(linearize(model, about).A, false).eigenvalues();
  const VectorXd undamped =
      natural_modes(beam("y: {count: 20}"), about.q, JointTreatment::locked, 3).angular_frequencies;
  for (int n = 0; n < 3; ++n) {
    // A point mass m L/4 in the first mode, and likewise in all: the start of Newton's iteration.
    const Complex exact = damped_root(c, Complex(-2.0 * c / (mass * L), undamped[n]));
    double nearest = 1e300;
    for (const Complex& s : found) nearest = std::min(nearest, std::abs(s - exact));
    EXPECT_LT(nearest, 1e-5 * std::abs(exact)) << exact;
    EXPECT_LT(exact.real(), -0.1);
  }
}

TEST(Damper, HoldsNothingInStatics) {
  const std::string arm =
      "limber: 1\nlinks:\n  - name: beam\n    joint: {name: hinge, axis: [0, 1, 0], stiffness: 500}\n    "
      "beam:\n      length: 2\n      section: {EI_y: 80, mass_per_length: 3}\n"
      "      modes: {z: {count: 2}}\n";
  const Model plain = parse(arm),
              damped = parse(arm + "dampers: [{name: dashpot, link: beam, at: 0.5, damping: 20}]\n");
  const VectorXd q = neutral_configuration(plain);
  EXPECT_LT((static_equilibrium(plain, q).q - static_equilibrium(damped, q).q).norm(), 1e-12);
  const VectorXd a = natural_modes(plain, q, JointTreatment::held, 3).angular_frequencies,
                 b = natural_modes(damped, q, JointTreatment::held, 3).angular_frequencies;
  EXPECT_LT((a - b).norm(), 1e-9 * a.norm());
}

// ---- loss factor ----

TEST(LossFactor, IsTwiceTheRatioOfEveryModeAndInSegmentsOfTheFirst) {
  const Model whole = beam("y: {count: 4}", "      damping: {loss_factor: 0.04}\n");
  const VectorXd q = neutral_configuration(whole);
  const NaturalModes modes = natural_modes(whole, q, JointTreatment::locked, 3);
  for (const double ratio : damping_ratios(whole, q, modes)) EXPECT_NEAR(ratio, 0.02, 1e-9);
  const Model cut = beam("y: {count: 3}", "      segments: 4\n      damping: {loss_factor: 0.04}\n");
  const VectorXd p = neutral_configuration(cut);
  const VectorXd ratios = damping_ratios(cut, p, natural_modes(cut, p, JointTreatment::locked, 3));
  EXPECT_NEAR(ratios[0], 0.02, 1e-4);
  EXPECT_GT(ratios[1], ratios[0]);
}

}  // namespace
}  // namespace limber
