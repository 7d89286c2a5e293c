// SPDX-License-Identifier: BSD-3-Clause
// Motors behind elastic gears: closed forms of two inertias, of Spong's one-link arm, and of a beam on a gear, and six of them on an arm that bends.

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>

#include "geared_arm.hpp"
#include "limber/algorithms/forward_dynamics.hpp"
#include "limber/algorithms/mass_matrix.hpp"
#include "limber/analysis/equilibrium.hpp"
#include "limber/analysis/linearize.hpp"
#include "limber/analysis/modes.hpp"
#include "limber/analysis/rigid_arm.hpp"
#include "limber/analysis/zeros.hpp"
#include "limber/io/model_file.hpp"
#include "limber/model/builder.hpp"

namespace limber {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double g = 9.81;

RigidDescription bar(double mass, double com, double inertia) {
  RigidDescription body;
  body.mass = mass;
  body.com = {com, 0.0, 0.0};
  body.inertia << 0.0, inertia, inertia, 0.0, 0.0, 0.0;
  body.tip.xyz = {2.0 * com, 0.0, 0.0};
  return body;
}

constexpr DriveDescription drive{.ratio = 100.0, .rotor_inertia = 2e-4, .stiffness = 2e4, .damping = 10.0};
constexpr double rotor = 2.0;  // ratio^2 rotor_inertia

Model one_link(const DriveDescription& with = drive, double gravity = g) {
  ModelBuilder builder("one_link");
  builder.gravity({0.0, -gravity, 0.0}).link("arm").revolute({0, 0, 1}, "shoulder").rigid(bar(5.0, 0.4, 0.3));
  builder.current_link().joint.drive = with;
  return builder.build();
}
constexpr double inertia = 0.3 + 5.0 * 0.16;  // of the link about its joint

// Spun about its own axis a link feels nothing of it: it swings on its gear as it does at rest, whichever of its two coordinates names the joint.
TEST(SpunGear, LetsARigidLinkSwingAsAtRest) {
  const Model model = one_link(drive, 0.0);
  for (const int coordinate : {0, 1}) {
    const VectorXd spun =
        steady_rotation_modes(model, VectorXd::Zero(2), {{coordinate, 30.0}}).angular_frequencies;
    ASSERT_EQ(spun.size(), 1);
    EXPECT_NEAR(spun[0], std::sqrt(*drive.stiffness / inertia), 1e-11 * spun[0]);
  }
}

// A blade that is spun stiffens; on a gear that hardly gives it has the frequencies of the blade without one, in the plane and out of it.
TEST(SpunGear, StiffensItsBladeLikeAPlainJoint) {
  const auto frequencies = [](const std::optional<DriveDescription>& with) -> VectorXd {
    ModelBuilder builder("spun");
    builder.gravity({0.0, 0.0, 0.0})
        .link("blade")
        .revolute({0, 0, 1}, "hub")
        .beam(2.0, {.EI_y = 100.0, .EI_z = 150.0, .mass_per_length = 1.0})
        .modes(Direction::y, 4)
        .modes(Direction::z, 4);
    builder.current_link().joint.drive = with;
    const Model model = builder.build();
    return steady_rotation_modes(model, VectorXd::Zero(model.nq()), {{0, 20.0}}).angular_frequencies.head(4);
  };
  const VectorXd plain = frequencies(std::nullopt);
  const auto on_gear = [](double stiffness) {
    return DriveDescription{.ratio = 10.0, .rotor_inertia = 0.1, .stiffness = stiffness};
  };
  const VectorXd stiff = frequencies(on_gear(1e8)), soft = frequencies(on_gear(300.0));
  EXPECT_LT((stiff - plain).cwiseQuotient(plain).norm(), 1e-4);
  EXPECT_GT(plain[1], 20.0);  // the first out of the plane: a spun blade is faster there than its rate
  EXPECT_LT(soft[0], 0.9 * plain[0]);
  EXPECT_NEAR(soft[1], plain[1], 0.2 * plain[1]);
}

// Link and rotor swing against each other with k (1/I + 1/J); with the rotor held the link swings alone.
TEST(TwoInertias, SwingWithTheFrequenciesOfTheClosedForm) {
  const Model model = one_link(drive, 0.0);
  const VectorXd q = VectorXd::Zero(2);
  const double k = *drive.stiffness;
  const VectorXd free = natural_modes(model, q, JointTreatment::free).angular_frequencies;
  EXPECT_NEAR(free[0], 0.0, 1e-5);
  EXPECT_NEAR(free[1], std::sqrt(k * (1.0 / inertia + 1.0 / rotor)), 1e-11 * free[1]);
  const VectorXd held = natural_modes(model, q, JointTreatment::held).angular_frequencies;
  ASSERT_EQ(held.size(), 1);
  EXPECT_NEAR(held[0], std::sqrt(k / inertia), 1e-11 * held[0]);
  EXPECT_EQ(natural_modes(model, q, JointTreatment::locked).angular_frequencies.size(), 0);
}

// M. W. Spong, Modeling and control of elastic joint robots, ASME J. Dyn. Sys. 109 (1987):
//   I q'' + m g l cos q + k (q - m) + d (q' - m') = 0,   J m'' - k (q - m) - d (q' - m') = u
TEST(OneLinkArm, FollowsSpongsEquations) {
  const Model model = one_link();
  Workspace<double> work(model);
  for (int i = 0; i < 20; ++i) {
    const double joint = std::sin(1.0 + i), motor = joint + 0.02 * std::cos(3.0 * i),
                 u = 50.0 * std::sin(2.0 * i);
    const VectorXd q = (VectorXd(2) << joint, motor).finished();
    const VectorXd v = (VectorXd(2) << std::cos(0.7 * i), std::sin(0.3 * i)).finished();
    const VectorXd tau = (VectorXd(2) << 0.0, u).finished();
    VectorXd a(2);
    forward_dynamics(model, work, q, v, tau, a);
    const double gear = *drive.stiffness * (joint - motor) + drive.damping * (v[0] - v[1]);
    EXPECT_NEAR(a[0], (-gear - 5.0 * g * 0.4 * std::cos(joint)) / inertia, 1e-9);
    EXPECT_NEAR(a[1], (gear + u) / rotor, 1e-9);
  }
}

// The motor stands; the link sags on the gear: k (q - m) = -m g l cos q. The motor holds what the gear hands on.
TEST(OneLinkArm, SagsOnItsGearWhileItsMotorStands) {
  const Model model = one_link();
  const double weight = 5.0 * g * 0.4, k = *drive.stiffness, at = 0.5;
  double angle = at;
  for (int i = 0; i < 60; ++i) angle = at - weight / k * std::cos(angle);
  const VectorXd q = VectorXd::Constant(2, at);
  for (const StaticModel kind : {StaticModel::exact, StaticModel::linear}) {
    const Equilibrium found = static_equilibrium(model, q, {}, kind);
    const double tolerance = kind == StaticModel::exact ? 1e-12 : 1e-6;
    EXPECT_EQ(found.q[1], at);
    EXPECT_NEAR(found.q[0], angle, tolerance);
    EXPECT_NEAR(found.efforts[0], 0.0, 1e-8);
    EXPECT_NEAR(found.efforts[1], k * (at - angle), k * tolerance);
  }
  const Equilibrium held = static_equilibrium(model, q, {}, StaticModel::exact, {}, {"shoulder"});
  EXPECT_EQ(held.q, q);
  EXPECT_NEAR(sag(model, static_equilibrium(model, q).q, q).rotation.z(), angle - at, 1e-12);
}

// An end effector is brought to a place through gears that give: the motors lead.
TEST(OneLinkArm, ReachesAPlaceThroughItsGear) {
  const Model model = one_link();
  const double wanted = 0.3;
  const Equilibrium found =
      reach(model, VectorXd::Zero(2), {0.8 * std::cos(wanted), 0.8 * std::sin(wanted), 0.0}, {});
  EXPECT_NEAR(found.q[0], wanted, 1e-9);
  EXPECT_NEAR(found.q[1], wanted + 5.0 * g * 0.4 * std::cos(wanted) / *drive.stiffness, 1e-9);
}

// ---- a beam on a gear ----

constexpr double length = 1.0, EI = 300.0, per_length = 2.0, hub = 0.05;
constexpr DriveDescription soft{.ratio = 50.0, .rotor_inertia = 8e-5, .stiffness = 900.0};
constexpr double soft_rotor = 50.0 * 50.0 * 8e-5;

Model beam_on_gear(int shapes) {
  ModelBuilder builder("beam");
  RootDescription root;
  root.mass = 1.0;
  root.inertia << hub, hub, hub, 0.0, 0.0, 0.0;
  builder.gravity({0, 0, 0})
      .kinematics(KinematicOrder::first)  // straight and at rest there is no difference
      .link("beam")
      .revolute({0, 0, 1}, "hub")
      .root(root)
      .beam(length, {.EI_z = EI, .mass_per_length = per_length})
      .modes(Direction::y, shapes);
  builder.current_link().joint.drive = soft;
  return builder.build();
}

// EI w''(0) / w'(0) = num / den of a free beam that is pinned at its root and swings at omega. With w = a sin + b sinh + c (cos - cosh) of beta x,
// the two conditions at the tip and c = 1 give a and b; w'(0) = beta (a + b), w''(0) = -2 beta^2; and with x = beta L
//   den = 1 + cos x cosh x,   num = EI beta (sin x cosh x - cos x sinh x).
struct RootImpedance {
  double num, den;
  explicit RootImpedance(double omega) {
    const double beta = std::sqrt(omega * std::sqrt(per_length / EI)), x = beta * length;
    den = 1.0 + std::cos(x) * std::cosh(x);
    num = EI * beta * (std::sin(x) * std::cosh(x) - std::cos(x) * std::sinh(x));
  }
};

// Of the link on its gear while the motor stands: zero at the antiresonances.
double held_motor(double omega) {
  const RootImpedance Z(omega);
  return (*soft.stiffness - hub * omega * omega) * Z.den - Z.num;
}
// ... while it is free: zero at the resonances.
double free_motor(double omega) {
  const double k = *soft.stiffness;
  return (k - soft_rotor * omega * omega) * held_motor(omega) - k * k * RootImpedance(omega).den;
}
// From the motor's torque to its angle.
double exact_compliance(double omega) { return held_motor(omega) / free_motor(omega); }

std::vector<double> roots_of(double (*f)(double)) {
  std::vector<double> roots;
  constexpr int steps = 4000;
  constexpr double from = 1.0, to = 1500.0;  // rad/s
  for (int i = 0; i < steps; ++i) {
    const double a = from + (to - from) * i / steps, b = from + (to - from) * (i + 1) / steps;
    if (f(a) * f(b) >= 0.0) continue;
    std::uintmax_t most = 100;
    const auto is_narrow = [](double l, double r) { return r - l < 1e-12 * r; };
    roots.push_back(boost::math::tools::toms748_solve(f, a, b, is_narrow, most).first);
  }
  return roots;
}

TEST(BeamOnAGear, HasTheResonancesAndAntiresonancesOfTheExactTransferFunction) {
  const Model model = beam_on_gear(24);  // Ritz's frequencies come from above: 1e-5 with 10 shapes
  const VectorXd zero = VectorXd::Zero(model.nv());
  const LinearModel linear = linearize(model, {zero, zero, zero, {}}, {"hub.motor"});
  ASSERT_EQ(linear.inputs, std::vector<std::string>{"hub.motor"});
  const std::vector<double> antiresonances = roots_of(held_motor), resonances = roots_of(free_motor);
  const Eigen::VectorXcd zeros = zero_dynamics(linear).zeros, found = poles(linear);
  ASSERT_GE(antiresonances.size(), 3U);
  ASSERT_GE(resonances.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    const auto pair = static_cast<Eigen::Index>(2 * i);
    EXPECT_NEAR(zeros[pair].imag(), antiresonances[i], 1e-6 * antiresonances[i]);
    EXPECT_NEAR(found[pair + 2].imag(), resonances[i], 1e-6 * resonances[i]);  // after the double one at 0
  }
  for (const double omega : {5.0, 40.0, 90.0, 200.0, 333.0}) {
    const std::complex<double> G = frequency_response(linear, omega)(0, 0);
    EXPECT_NEAR(G.real(), exact_compliance(omega), 1e-5 * std::abs(exact_compliance(omega)));
  }
}

// ---- six gears and links that bend ----

ModelDescription ur10_with_drives(double stiffness) {
  ModelDescription description = read_model(std::string(LIMBER_MODELS_DIR) + "/ur10/ur10.yaml").description();
  for (LinkDescription& link : description.links)
    if (link.joint.type == JointType::revolute)
      link.joint.drive = DriveDescription{.ratio = 101.0, .rotor_inertia = 1.5e-4, .stiffness = stiffness};
  return description;
}

TEST(SixGears, SwingWithTheBeamsOfAnArm) {
  const GearedArm arm(ur10_with_drives(2.5e4));
  ASSERT_EQ(arm.gears.size(), 6U);
  const VectorXd q = VectorXd::Zero(arm.geared.nq()), plain_q = VectorXd::Zero(arm.plain.nq());
  // By hand: the plain arm's joints, now free, on a spring each.
  Workspace<double> work(arm.plain);
  MatrixXd M(arm.plain.nv(), arm.plain.nv());
  mass_matrix(arm.plain, work, plain_q, M);
  MatrixXd K = tangent_stiffness(arm.plain, plain_q);
  for (std::size_t i = 0; i < arm.gears.size(); ++i) {
    const auto own = std::find(arm.v_of_plain.begin(), arm.v_of_plain.end(), arm.v_gears[i].first) -
                     arm.v_of_plain.begin();
    K(own, own) += arm.gears[i].stiffness;
  }
  const VectorXd squares =
      Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd>(0.5 * (K + K.transpose()), M).eigenvalues();
  const VectorXd held = natural_modes(arm.geared, q, JointTreatment::held, 8).angular_frequencies;
  for (int i = 0; i < 8; ++i) EXPECT_NEAR(held[i], std::sqrt(squares[i]), 1e-9 * held[i]);
  // Gears and beams each alone swing faster than both together.
  const VectorXd beams = natural_modes(arm.plain, plain_q, JointTreatment::locked, 1).angular_frequencies;
  EXPECT_LT(held[0], 0.8 * beams[0]);
}

TEST(SixGears, ThatHardlyGiveAreArmatures) {
  const GearedArm stiff(ur10_with_drives(1e11));
  ModelDescription description = stiff.geared.description();
  for (LinkDescription& link : description.links)
    if (link.joint.drive) link.joint.drive->stiffness.reset();
  const Model rigid = build_model(description);
  const VectorXd q = VectorXd::Zero(stiff.geared.nq()), plain_q = VectorXd::Zero(rigid.nq());
  const VectorXd found = natural_modes(stiff.geared, q, JointTreatment::free, 14).angular_frequencies,
                 expected = natural_modes(rigid, plain_q, JointTreatment::free, 14).angular_frequencies;
  for (int i = 6; i < 14; ++i) EXPECT_NEAR(found[i], expected[i], 1e-4 * expected[i]);
  const Equilibrium sagged = static_equilibrium(stiff.geared, q),
                    straight = static_equilibrium(rigid, plain_q);
  EXPECT_LT((sagged.q(stiff.q_of_plain) - straight.q).norm(), 1e-7);
}

}  // namespace
}  // namespace limber
