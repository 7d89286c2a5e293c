// SPDX-License-Identifier: BSD-3-Clause
// Motors behind elastic gears, in every formulation: Spong's equations are those of the plain arm, moved by the gears' torques, and of each rotor by
// itself.

#include <Eigen/Cholesky>

#include "geared_arm.hpp"
#include "limber/algorithms/coriolis_matrix.hpp"
#include "limber/algorithms/energy.hpp"
#include "limber/algorithms/input_matrix.hpp"
#include "limber/algorithms/inverse_dynamics.hpp"
#include "limber/algorithms/jacobian.hpp"
#include "limber/algorithms/kinematics.hpp"
#include "limber/algorithms/mass_matrix.hpp"
#include "limber/analysis/derivatives.hpp"
#include "limber/formulations/formulation.hpp"
#include "limber/literature/denoc.hpp"
#include "limber/literature/dual_screw_arm.hpp"
#include "limber/model/coordinates.hpp"

namespace limber {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double rotor_rate = 0.3, rounding = 1e-10;

struct Case {
  GearedArm arm;
  std::vector<Load> loads;
  VectorXd plain_q, plain_v, q, v, tau;

  explicit Case(unsigned seed, KinematicOrder order = KinematicOrder::second)
      : arm(random_geared_arm(seed, 2 + static_cast<int>(seed % 5), order)) {
    const reference::State state = reference::random_state(arm.plain.description(), seed, 0.03);
    plain_q = state.q;
    plain_v = state.v;
    q = arm.q_from(state.q);
    v = arm.v_from(state.v, rotor_rate);
    tau = arm.v_from(state.tau, 0.0);
    for (std::size_t i = 0; i < arm.v_gears.size(); ++i)
      tau[arm.v_gears[i].second] = 10.0 * std::sin(1.0 + static_cast<double>(i));
  }

  // The plain arm, moved by what acts on the links: efforts and gears.
  VectorXd plain_tau() const {
    VectorXd with_gears = tau;
    for (std::size_t i = 0; i < arm.gears.size(); ++i)
      with_gears[arm.v_gears[i].first] += arm.torque(i, q, v);
    return with_gears(arm.v_of_plain);
  }
  double rotor_acceleration(std::size_t i) const {
    return (tau[arm.v_gears[i].second] - arm.torque(i, q, v)) / arm.gears[i].rotor;
  }
};

class Drives : public testing::TestWithParam<FormulationKind> {};
INSTANTIATE_TEST_SUITE_P(Formulations, Drives,
                         testing::Values(FormulationKind::recursive, FormulationKind::dense,
                                         FormulationKind::dae, FormulationKind::dual_screw));

TEST_P(Drives, MoveThePlainArmByTheirGearsAndTheirRotorsByThemselves) {
  int gears = 0;
  for (unsigned seed = 0; seed < 30; ++seed) {
    SCOPED_TRACE(seed);
    const Case c(seed, seed % 2 == 0 ? KinematicOrder::second : KinematicOrder::first);
    gears += static_cast<int>(c.arm.gears.size());
    DynamicsOutput geared, plain;
    make_formulation(GetParam(), c.arm.geared)->evaluate({c.q, c.v, c.tau, c.loads}, geared);
    const VectorXd plain_tau = c.plain_tau();
    make_formulation(GetParam(), c.arm.plain)->evaluate({c.plain_q, c.plain_v, plain_tau, c.loads}, plain);
    const double size = plain.acceleration.norm();
    EXPECT_LT((geared.acceleration(c.arm.v_of_plain) - plain.acceleration).norm(), rounding * size);
    for (std::size_t i = 0; i < c.arm.gears.size(); ++i)
      EXPECT_NEAR(geared.acceleration[c.arm.v_gears[i].second], c.rotor_acceleration(i),
                  1e-12 * std::abs(c.rotor_acceleration(i)));
    for (std::size_t i = 0; i < plain.wrenches.size(); ++i)
      EXPECT_LT((geared.wrenches[i] - plain.wrenches[i]).vector().norm(),
                1e-8 * (1.0 + plain.wrenches[i].vector().norm()));
  }
  EXPECT_GT(gears, 20);
}

TEST_P(Drives, LeaveNoForcesMissingAtTheirAccelerations) {
  for (unsigned seed = 0; seed < 10; ++seed) {
    SCOPED_TRACE(seed);
    const Case c(seed);
    const auto formulation = make_formulation(GetParam(), c.arm.geared);
    DynamicsOutput output;
    formulation->evaluate({c.q, c.v, c.tau, c.loads}, output);
    VectorXd missing;
    if (!formulation->missing_forces({c.q, c.v, c.tau, c.loads}, output.acceleration, missing)) continue;
    EXPECT_LT(missing.norm(), 1e-8 * (1.0 + c.tau.norm() + output.acceleration.norm()));
  }
}

// A motor that is moved as it is told: its joint hangs on the gear all the same.
class PrescribedDrives : public testing::TestWithParam<FormulationKind> {};
INSTANTIATE_TEST_SUITE_P(Formulations, PrescribedDrives,
                         testing::Values(FormulationKind::recursive, FormulationKind::dense,
                                         FormulationKind::dae));

TEST_P(PrescribedDrives, MoveAsTheyAreTold) {
  for (unsigned seed = 0; seed < 10; ++seed) {
    SCOPED_TRACE(seed);
    const Case c(seed);
    if (c.arm.gears.empty()) continue;
    std::vector<int> links;
    for (std::size_t i = 0; i < c.arm.geared.links().size(); ++i)
      if (c.arm.geared.links()[i].joint.has_motor()) links.push_back(static_cast<int>(i));
    const auto formulation = make_formulation(GetParam(), c.arm.geared);
    formulation->prescribe(links);
    DynamicsOutput output, plain;
    output.acceleration = VectorXd::Constant(c.arm.geared.nv(), 0.7);
    formulation->evaluate({c.q, c.v, c.tau, c.loads}, output);
    const VectorXd plain_tau = c.plain_tau();
    make_formulation(FormulationKind::recursive, c.arm.plain)
        ->evaluate({c.plain_q, c.plain_v, plain_tau, c.loads}, plain);
    EXPECT_LT((output.acceleration(c.arm.v_of_plain) - plain.acceleration).norm(),
              rounding * plain.acceleration.norm());
    VectorXd efforts = VectorXd::Zero(c.arm.geared.nv());
    formulation->prescribed_efforts({c.q, c.v, c.tau, c.loads}, output, efforts);
    for (std::size_t i = 0; i < c.arm.gears.size(); ++i) {
      const int motor = c.arm.v_gears[i].second;
      EXPECT_EQ(output.acceleration[motor], 0.7);
      const double needed = 0.7 * c.arm.gears[i].rotor + c.arm.torque(i, c.q, c.v);
      EXPECT_NEAR(efforts[motor], needed, 1e-10 * (1.0 + std::abs(needed)));
    }
  }
}

TEST(GearedArm, HasRotorsOnTheDiagonalOfItsMassMatrixAndNowhereElse) {
  for (unsigned seed = 0; seed < 12; ++seed) {
    SCOPED_TRACE(seed);
    const Case c(seed);
    const Model &geared = c.arm.geared, &plain = c.arm.plain;
    const int n = geared.nv();
    Workspace<double> work(geared), plain_work(plain);
    MatrixXd M(n, n), plain_M(plain.nv(), plain.nv());
    mass_matrix(geared, work, c.q, M);
    mass_matrix(plain, plain_work, c.plain_q, plain_M);
    MatrixXd expected = MatrixXd::Zero(n, n);
    expected(c.arm.v_of_plain, c.arm.v_of_plain) = plain_M;
    for (std::size_t i = 0; i < c.arm.gears.size(); ++i)
      expected(c.arm.v_gears[i].second, c.arm.v_gears[i].second) = c.arm.gears[i].rotor;
    EXPECT_LT((M - expected).norm(), 1e-13 * expected.norm());

    // DeNOC's matrices and their solution
    const DeNoc denoc = make_denoc(geared, work, c.q);
    EXPECT_LT((denoc.inertia - M).norm(), 1e-11 * M.norm());
    const VectorXd b = VectorXd::LinSpaced(n, -1.0, 1.0);
    EXPECT_LT((M * denoc.solve(b) - b).norm(), 1e-7 * b.norm());

    // C v = coriolis, dM/dt - 2 C skew: rotors have no share in it
    MatrixXd C(n, n);
    coriolis_matrix(geared, work, c.q, c.v, C);
    for (const auto& [joint, motor] : c.arm.v_gears) {
      EXPECT_EQ(C.row(motor).norm(), 0.0);
      EXPECT_EQ(C.col(motor).norm(), 0.0);
    }
    Matrix6X<double> J(6, n);
    update_positions(geared, work, c.q);
    update_world_poses(work);
    frame_jacobian(geared, work, end_effector_frame(geared), MotionAxes::local_world_aligned, J);
    for (const auto& [joint, motor] : c.arm.v_gears) EXPECT_EQ(J.col(motor).norm(), 0.0);
  }
}

TEST(GearedArm, KeepsTheEnergyOfTwistedGearsAndSpinningRotors) {
  for (unsigned seed = 0; seed < 12; ++seed) {
    const Case c(seed);
    Workspace<double> work(c.arm.geared), plain_work(c.arm.plain);
    const Energy<double> geared = energy(c.arm.geared, work, c.q, c.v),
                         plain = energy(c.arm.plain, plain_work, c.plain_q, c.plain_v);
    double kinetic = plain.kinetic, strain = plain.strain;
    for (std::size_t i = 0; i < c.arm.gears.size(); ++i) {
      const double rate = c.v[c.arm.v_gears[i].second],
                   twist = c.q[c.arm.q_gears[i].second] - c.q[c.arm.q_gears[i].first];
      kinetic += 0.5 * c.arm.gears[i].rotor * rate * rate;
      strain += 0.5 * c.arm.gears[i].stiffness * twist * twist;
    }
    EXPECT_NEAR(geared.kinetic, kinetic, 1e-12 * kinetic);
    EXPECT_NEAR(geared.strain, strain, 1e-12 * strain);
    EXPECT_NEAR(geared.gravity, plain.gravity, 1e-12 * (1.0 + std::abs(plain.gravity)));
  }
}

// By numbers that carry derivatives, against the plain arm's.
TEST(GearedArm, HasTheDerivativesOfThePlainArmAndOfItsGears) {
  for (unsigned seed = 0; seed < 8; ++seed) {
    SCOPED_TRACE(seed);
    const Case c(seed);
    const DynamicsDerivatives geared = dynamics_derivatives(c.arm.geared, c.q, c.v, c.tau, c.loads),
                              plain = dynamics_derivatives(c.arm.plain, c.plain_q, c.plain_v, c.plain_tau(),
                                                           c.loads);
    const auto& at = c.arm.v_of_plain;
    EXPECT_LT((geared.dacceleration_dtau(at, at) - plain.dacceleration_dtau).norm(),
              1e-9 * plain.dacceleration_dtau.norm());
    // What a twist of a gear does to the links is what its stiffness times an effort would do.
    MatrixXd expected = plain.dacceleration_dq;
    for (std::size_t i = 0; i < c.arm.gears.size(); ++i) {
      const auto own =
          static_cast<Eigen::Index>(std::find(at.begin(), at.end(), c.arm.v_gears[i].first) - at.begin());
      expected.col(own) -= c.arm.gears[i].stiffness * plain.dacceleration_dtau.col(own);
      EXPECT_LT((geared.dacceleration_dq.col(c.arm.v_gears[i].second)(at) -
                 c.arm.gears[i].stiffness * plain.dacceleration_dtau.col(own))
                    .norm(),
                1e-9 * geared.dacceleration_dq.norm());
    }
    EXPECT_LT((geared.dacceleration_dq(at, at) - expected).norm(), 1e-9 * expected.norm());
  }
}

TEST(GearedArm, NamesItsMotorsAndIsDrivenByThem) {
  ModelDescription description = reference::random_arm(1, 1, KinematicOrder::first);
  description.links[0].joint = {.name = "shoulder", .type = JointType::revolute};
  description.links[0].joint.drive =
      DriveDescription{.ratio = 100.0, .rotor_inertia = 2e-4, .stiffness = 2e4, .damping = 10.0};
  const Model model = build_model(description);
  EXPECT_EQ(model.coordinates()[0], "shoulder");
  EXPECT_EQ(model.coordinates()[1], "shoulder.motor");
  EXPECT_EQ(position_names(model)[1], "shoulder.motor");
  EXPECT_EQ(joint_coordinates_named(model, "shoulder"), (std::vector<int>{0, 1}));
  EXPECT_EQ(driven_coordinates_named(model, "shoulder"), (std::vector<int>{1}));
  EXPECT_EQ(driven_coordinates_named(model, "all"), (std::vector<int>{1}));
  EXPECT_EQ(passive_coordinates(model), (std::vector<int>{0}));
  EXPECT_TRUE(passive_coordinates(model, {"shoulder"}).empty());
  EXPECT_EQ(input_matrix(model).cols(), 1);
  EXPECT_EQ(input_matrix(model)(1, 0), 1.0);
  EXPECT_EQ(input_matrix(model).norm(), 1.0);
  EXPECT_NEAR(model.links()[0].joint.gear.rotor, 2.0, 1e-15);

  description.links[0].joint.drive->stiffness.reset();
  description.links[0].joint.drive->damping = 0.0;
  description.links[0].joint.armature = 0.5;
  const Model rigid = build_model(description);
  EXPECT_EQ(rigid.coordinates()[0], "shoulder");
  EXPECT_EQ(rigid.nv(), model.nv() - 1);
  EXPECT_NEAR(rigid.links()[0].joint.armature, 2.5, 1e-15);
}

}  // namespace
}  // namespace limber
