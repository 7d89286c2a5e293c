// SPDX-License-Identifier: BSD-3-Clause
// Loads that follow the arm: modes by the whole tangent, flutter and divergence, and the dynamic criterion of stability.

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <random>

#include "limber/algorithms/inverse_dynamics.hpp"
#include "limber/algorithms/mass_matrix.hpp"
#include "limber/analysis/derivatives.hpp"
#include "limber/analysis/equilibrium.hpp"
#include "limber/analysis/modes.hpp"
#include "limber/analysis/resolved_eigenvalues.hpp"
#include "limber/model/builder.hpp"
#include "reference/random_arm.hpp"

namespace limber {
namespace {

using Complex = std::complex<double>;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using std::numbers::pi;

constexpr double L = 2.0, EI = 500.0, mass_per_length = 3.0;
constexpr double force_unit = EI / (L * L);

Model column() {
  ModelBuilder builder("column");
  builder.gravity(Vector3d::Zero()).link("beam").fixed();
  builder.beam(L, {.EI_z = EI, .mass_per_length = mass_per_length})
      .modes(Direction::y, 8, ShapeFamily::polynomial);
  return builder.build();
}

// A push along the tip's axis: that of the section follows it.
std::vector<Load> push(double force, Axes axes) { return {{.axes = axes, .force = {-force, 0.0, 0.0}}}; }

// Beck's characteristic equation (Z. angew. Math. Phys. 3 (1952), 225-228) with p = P L^2/EI, w = omega L^2 sqrt(m/EI):
// p^2 + 2 w^2 + p w sin a sinh b + 2 w^2 cos a cosh b, a^2 and b^2 = sqrt(p^2/4 + w^2) +- p/2.
double beck(double p, double w) {
  const double root = std::sqrt(0.25 * p * p + w * w);
  const double a = std::sqrt(root + 0.5 * p), b = std::sqrt(root - 0.5 * p);
  return p * p + 2.0 * w * w + p * w * std::sin(a) * std::sinh(b) + 2.0 * w * w * std::cos(a) * std::cosh(b);
}

std::vector<double> beck_frequencies(double p, double up_to) {
  std::vector<double> roots;
  for (double w = 0.01; w < up_to; w += 0.01) {
    if (beck(p, w) * beck(p, w + 0.01) > 0.0) continue;
    double low = w, high = w + 0.01;
    for (int i = 0; i < 60; ++i) {
      const double middle = 0.5 * (low + high);
      (beck(p, low) * beck(p, middle) <= 0.0 ? high : low) = middle;
    }
    roots.push_back(low);
  }
  return roots;
}

TEST(FollowerLoad, GivesBecksColumnItsFrequencies) {
  const Model model = column();
  const double time_unit = L * L * std::sqrt(mass_per_length / EI);
  for (const double p : {1.0, 10.0, 18.0, 20.0}) {
    const std::vector<double> expected = beck_frequencies(p, 70.0);
    ASSERT_GE(expected.size(), 3u) << p;
    const NaturalModes modes = natural_modes(model, VectorXd::Zero(8), JointTreatment::locked, 3,
                                             push(p * force_unit, Axes::section));
    for (int k = 0; k < 3; ++k) {
      EXPECT_NEAR(modes.angular_frequencies[k] * time_unit, expected[static_cast<std::size_t>(k)], 2e-4) << p;
      EXPECT_EQ(modes.kinds[static_cast<std::size_t>(k)], MotionKind::vibration);
    }
    EXPECT_EQ(modes.quadrature.size(), 0);
  }
}

// Beyond its load the first two modes of Beck's column have met: a complex pair, and nothing has buckled.
TEST(FollowerLoad, MakesBecksColumnFlutterBeyondItsLoad) {
  const NaturalModes modes = natural_modes(column(), VectorXd::Zero(8), JointTreatment::locked, 3,
                                           push(22.0 * force_unit, Axes::section));
  const double time_unit = L * L * std::sqrt(mass_per_length / EI);
  ASSERT_EQ(modes.kinds[0], MotionKind::flutter);
  ASSERT_EQ(modes.kinds[1], MotionKind::flutter);
  EXPECT_EQ(modes.kinds[2], MotionKind::vibration);
  const Complex grows = modes.exponents[0], falls = modes.exponents[1];
  EXPECT_GT(grows.real(), 0.0);
  EXPECT_NEAR(std::abs(falls + std::conj(grows)), 0.0, 1e-12 * std::abs(grows));
  EXPECT_NEAR(modes.angular_frequencies[0], -std::abs(grows), 1e-12 * std::abs(grows));
  EXPECT_NEAR(modes.angular_frequencies[1], -std::abs(grows), 1e-12 * std::abs(grows));
  EXPECT_NEAR(grows.imag() * time_unit, 11.0, 1.0);
  EXPECT_GT(modes.quadrature.cwiseAbs().maxCoeff(), 0.01) << "the column moves as a travelling wave";
}

TEST(CriticalLoad, OfBecksColumnIsFlutter) {
  const auto found = critical_load(column(), VectorXd::Zero(8), push(1.0, Axes::section), 50.0 * force_unit);
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->kind, MotionKind::flutter);
  EXPECT_NEAR(found->factor / force_unit, 20.0509, 2e-3);
  EXPECT_NEAR(found->frequency * L * L * std::sqrt(mass_per_length / EI), 11.016, 5e-3);
}

TEST(CriticalLoad, OfADeadLoadIsEulersDivergence) {
  const auto found = critical_load(column(), VectorXd::Zero(8), push(1.0, Axes::world), 50.0 * force_unit);
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->kind, MotionKind::divergence);
  EXPECT_NEAR(found->factor / force_unit, 0.25 * pi * pi, 1e-5);
  const NaturalModes modes = natural_modes(column(), VectorXd::Zero(8), JointTreatment::locked, 1,
                                           push(2.6 * force_unit, Axes::world));
  EXPECT_EQ(modes.kinds[0], MotionKind::divergence);
  EXPECT_LT(modes.angular_frequencies[0], 0.0);
  EXPECT_EQ(modes.exponents[0].imag(), 0.0);
}

TEST(StaticEquilibrium, IsStableUnderAFollowerUpToFlutter) {
  for (const auto& [p, stable] : {std::pair{19.9, true}, std::pair{20.2, false}})
    EXPECT_EQ(static_equilibrium(column(), VectorXd::Zero(8), push(p * force_unit, Axes::section)).stable,
              stable)
        << p;
}

// The two planes of a round bar have the same frequencies; symmetric to rounding, they must not look like flutter.
TEST(NaturalModes, OfARoundBarUnderAFollowerOnItsAxisAreRealPairs) {
  ModelBuilder builder("bar");
  builder.gravity(Vector3d::Zero()).link("beam").fixed();
  SectionDescription section{.EI_y = EI, .EI_z = EI, .GJ = 300.0, .mass_per_length = mass_per_length};
  section.rotary_inertia = Vector3d(0.1, 0.0, 0.0);
  builder.beam(L, section);
  builder.modes(Direction::y, 5).modes(Direction::z, 5).modes(Direction::torsion, 2);
  const Model model = builder.build();
  const NaturalModes modes = natural_modes(model, VectorXd::Zero(12), JointTreatment::locked, 0,
                                           push(5.0 * force_unit, Axes::section));
  for (const MotionKind kind : modes.kinds) EXPECT_EQ(kind, MotionKind::vibration);
  EXPECT_NEAR(modes.angular_frequencies[0], modes.angular_frequencies[1],
              1e-9 * modes.angular_frequencies[0]);
}

// Random arms under loads in all frames, against eigenvalues of M^-1 (K + finite differences of the forces).
TEST(NaturalModes, UnderFollowerLoadsAreThoseOfTheWholeTangent) {
  std::mt19937 dice(11);
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  double largest_skew = 0.0;
  for (unsigned seed = 0; seed < 10; ++seed) {
    SCOPED_TRACE(seed);
    const ModelDescription description = reference::random_arm(seed, 3, KinematicOrder::second);
    const Model model = build_model(description);
    const std::vector<int> moving = elastic_coordinates(model);
    if (moving.empty()) continue;
    const VectorXd q = reference::random_state(description, seed, 0.02).q, zero = VectorXd::Zero(model.nv());
    std::vector<Load> loads;
    for (const auto axes : {Axes::world, Axes::body, Axes::section}) {
      Load load{.link = static_cast<int>(model.links().size()) - 1, .axes = axes};
      for (int i = 0; i < 3; ++i) {
        load.force[i] = 5.0 * number(dice);
        load.moment[i] = 5.0 * number(dice);
      }
      loads.push_back(load);
    }
    std::vector<int> q_index;
    for (const Link& link : model.links())
      for (int j = 0; j < link.elastic_count; ++j) q_index.push_back(link.elastic_q_index + j);
    Workspace<double> work(model);
    MatrixXd M(model.nv(), model.nv()), K = elastic_stiffness(model)(moving, moving);
    mass_matrix(model, work, q, M);
    VectorXd plus(model.nv()), minus(model.nv());
    const double h = 1e-6;
    for (std::size_t j = 0; j < moving.size(); ++j) {
      VectorXd moved = q;
      moved[q_index[j]] += h;
      inverse_dynamics(model, work, moved, zero, zero, plus, loads);
      moved[q_index[j]] -= 2.0 * h;
      inverse_dynamics(model, work, moved, zero, zero, minus, loads);
      K.col(static_cast<Eigen::Index>(j)) += (plus - minus)(moving) / (2.0 * h);
    }
    largest_skew = std::max(largest_skew, (K - K.transpose()).norm() / K.norm());
    const Eigen::VectorXcd squares = MatrixXd(MatrixXd(M(moving, moving)).inverse() * K).eigenvalues();
    const NaturalModes modes = natural_modes(model, q, JointTreatment::locked, 0, loads);
    ASSERT_EQ(modes.exponents.size(), squares.size());
    const double scale = squares.cwiseAbs().maxCoeff();
    for (const Complex& s : modes.exponents)  // s^2 = -square
      EXPECT_LT((squares.array() + s * s).abs().minCoeff(), 1e-8 * scale);
    for (const Complex& square : squares)
      EXPECT_LT((modes.exponents.array().square() + square).abs().minCoeff(), 1e-8 * scale);
  }
  EXPECT_GT(largest_skew, 1e-6) << "the loads make a difference";
}

// A whirling shaft whose tip is pushed along, or not: gyroscopic and follower forces, against the pencil's own eigenvalues. That a shape
// belongs to s and not to its conjugate says which way it travels.
TEST(SmallMotions, WithGyroscopicAndFollowerForcesAreThePencilsEigenvalues) {
  std::mt19937 dice(4);
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  for (int trial = 0; trial < 40; ++trial) {
    const bool follows = trial % 2 == 0;
    constexpr int n = 5;
    const auto random = [&] { return MatrixXd(MatrixXd::NullaryExpr(n, n, [&] { return number(dice); })); };
    const MatrixXd a = random(), b = random(), c = random();
    const MatrixXd M = a * a.transpose() + MatrixXd::Identity(n, n), G = b - b.transpose();
    const MatrixXd K = 3.0 * MatrixXd::Identity(n, n) + (follows ? c : MatrixXd(c * c.transpose()));
    MatrixXd A = MatrixXd::Zero(2 * n, 2 * n);
    A << MatrixXd::Zero(n, n), MatrixXd::Identity(n, n), -M.inverse() * K, -M.inverse() * G;
    const Eigen::VectorXcd expected = A.eigenvalues();
    for (const SmallMotion& motion : small_motions(M, G, K)) {
      EXPECT_LT((expected.array() - motion.s).abs().minCoeff(), 1e-9 * expected.cwiseAbs().maxCoeff());
      const Eigen::VectorXcd force =
          (motion.s * motion.s * M.cast<Complex>() + motion.s * G.cast<Complex>() + K.cast<Complex>()) *
          motion.shape;
      EXPECT_LT(force.norm(),
                1e-8 * motion.shape.norm() * (M.norm() + G.norm() + K.norm()) * (1.0 + std::norm(motion.s)));
      EXPECT_EQ(motion.kind == MotionKind::flutter || motion.kind == MotionKind::divergence,
                motion.frequency() < 0.0);
    }
  }
}

// ---- which eigenvalues rounding can have moved ----

TEST(ResolvedEigenvalues, TellsASlowDampedPairFromAnUndampedOneBesideAFastOne) {
  MatrixXd A = MatrixXd::Zero(6, 6);  // 1e6 rad/s; 1 rad/s with a damping of 1e-6; 1.5 rad/s without any
  A.block<2, 2>(0, 0) << 0.0, 1e6, -1e6, -1e3;
  A.block<2, 2>(2, 2) << 0.0, 1.0, -1.0, -2e-6;
  A.block<2, 2>(4, 4) << 0.0, 1.5, -1.5, 0.0;
  std::mt19937 dice(1);
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  const MatrixXd Q =
      MatrixXd(MatrixXd::NullaryExpr(6, 6, [&] { return number(dice); })).householderQr().householderQ();
  const ResolvedEigenvalues spectrum(Q.transpose() * A * Q);
  const auto is_off_axis = [&](int k) {
    const Complex s = spectrum.values()[k];
    return spectrum.is_apart(s, {0.0, s.imag()});
  };
  EXPECT_TRUE(is_off_axis(0));
  EXPECT_FALSE(is_off_axis(2));
  EXPECT_TRUE(is_off_axis(4));
}

TEST(ResolvedEigenvalues, CountsTheChainsOfZero) {
  std::mt19937 dice(2);
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  const MatrixXd T = MatrixXd::NullaryExpr(5, 5, [&] { return number(dice); });
  for (int steps = 0; steps <= 3; ++steps) {
    MatrixXd J = VectorXd{{1.0, 2.0, 3.0, 4.0, 5.0}}.asDiagonal();
    for (int i = 0; i < steps; ++i) J(i, i) = 0.0;
    for (int i = 0; i + 1 < steps; ++i) J(i, i + 1) = 1.0;
    const ResolvedEigenvalues spectrum(T * J * T.inverse(), 1e-14);
    EXPECT_EQ(spectrum.longest_chain_at_zero(), steps);
    int zeros = 0;
    for (const Complex& s : spectrum.values()) zeros += spectrum.is_apart(s, 0.0) ? 0 : 1;
    EXPECT_EQ(zeros, steps);
  }
}

}  // namespace
}  // namespace limber
