// SPDX-License-Identifier: BSD-3-Clause
// Properties that hold for every arm, whatever its numbers: structure of the equations, conservation,
// scalars, memory.

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <Eigen/LU>

#include "allocations.hpp"
#include "flexible_chain.hpp"
#include "limber/algorithms/coriolis_matrix.hpp"
#include "limber/algorithms/energy.hpp"
#include "limber/algorithms/forward_dynamics.hpp"
#include "limber/algorithms/inverse_dynamics.hpp"
#include "limber/algorithms/jacobian.hpp"
#include "limber/algorithms/kinematics.hpp"
#include "limber/algorithms/mass_matrix.hpp"
#include "limber/core/computation_error.hpp"
#include "limber/math/counting.hpp"
#include "limber/math/dual.hpp"
#include "limber/model/builder.hpp"
#include "poison.hpp"
#include "reference/random_arm.hpp"

namespace limber {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

struct Arm {
  Model model;
  reference::State state;
};

Arm random_arm(unsigned seed) {
  const KinematicOrder order = seed % 2 == 0 ? KinematicOrder::first : KinematicOrder::second;
  const ModelDescription description = reference::random_arm(seed, 1 + static_cast<int>(seed % 6), order);
  return {build_model(description), reference::random_state(description, seed, 0.03)};
}

// The configuration after a small time, along constant velocity components, as numbers that carry d/dt in
// direction 0.
VectorX<Dual> moving_configuration(const Model& model, const VectorXd& q, const VectorXd& v) {
  VectorX<Dual> result = q.cast<Dual>();
  for (const Link& link : model.links()) {
    const Joint& joint = link.joint;
    for (int i = 0; i < link.elastic_count; ++i)
      result[link.elastic_q_index + i].derivatives()[0] = v[link.elastic_v_index + i];
    if (joint.nq == joint.nv) {
      for (int i = 0; i < joint.nv; ++i) result[joint.q_index + i].derivatives()[0] = v[joint.v_index + i];
      continue;
    }
    const int first = joint.q_index + joint.nq - 4;
    const Eigen::Vector3d w = v.segment<3>(joint.v_index + joint.nv - 3), u = q.segment<3>(first);
    const double s = q[first + 3];
    const Eigen::Vector3d u_rate = 0.5 * (s * w + u.cross(w));
    for (int i = 0; i < 3; ++i) result[first + i].derivatives()[0] = u_rate[i];
    result[first + 3].derivatives()[0] = -0.5 * u.dot(w);
    if (joint.type == JointType::free) {
      const Eigen::Vector3d e = v.segment<3>(joint.v_index);
      const Eigen::Vector3d rate = e + 2.0 * s * u.cross(e) + 2.0 * u.cross(u.cross(e));
      for (int i = 0; i < 3; ++i) result[joint.q_index + i].derivatives()[0] = rate[i];
    }
  }
  return result;
}

TEST(CoriolisMatrix, MakesMassMatrixRateMinusTwiceItSkewSymmetric) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(seed);
    const Arm arm = random_arm(seed);
    const int nv = arm.model.nv();
    PoisonedWorkspace<double> work(arm.model);
    PoisonedWorkspace<Dual> dual_work(arm.model);
    MatrixXd C(nv, nv), M_rate(nv, nv);
    MatrixX<Dual> M(nv, nv);
    coriolis_matrix(arm.model, work, arm.state.q, arm.state.v, C);
    mass_matrix(arm.model, dual_work, moving_configuration(arm.model, arm.state.q, arm.state.v), M);
    for (int i = 0; i < nv; ++i)
      for (int j = 0; j < nv; ++j) M_rate(i, j) = M(i, j).derivatives()[0];
    const MatrixXd N = M_rate - 2.0 * C;
    EXPECT_LT((N + N.transpose()).cwiseAbs().maxCoeff(), 1e-12 * (1.0 + M_rate.cwiseAbs().maxCoeff()));
  }
}

TEST(FrameBiasAcceleration, IsTheRateOfTheJacobianTimesVelocity) {
  for (unsigned seed = 0; seed < 20; ++seed)
    for (const MotionAxes axes : {MotionAxes::local, MotionAxes::local_world_aligned, MotionAxes::world}) {
      SCOPED_TRACE(seed);
      const Arm arm = random_arm(seed);
      PoisonedWorkspace<double> work(arm.model);
      PoisonedWorkspace<Dual> dual_work(arm.model);
      const Frame frame = end_effector_frame(arm.model);
      Matrix6X<Dual> J(6, arm.model.nv());
      update_positions(arm.model, dual_work, moving_configuration(arm.model, arm.state.q, arm.state.v));
      update_world_poses(dual_work);
      frame_jacobian(arm.model, dual_work, frame, axes, J);
      Vector6<double> expected = Vector6<double>::Zero();
      for (int i = 0; i < 6; ++i)
        for (int j = 0; j < arm.model.nv(); ++j) expected[i] += J(i, j).derivatives()[0] * arm.state.v[j];
      const Vector6<double> got =
          frame_bias_acceleration(arm.model, work, frame, axes, arm.state.q, arm.state.v).vector();
      EXPECT_LT((got - expected).norm(), 1e-11 * (1.0 + expected.norm()));
    }
}

TEST(Algorithms, DoNotUseTheHeapAfterSetUp) {
  for (unsigned seed = 0; seed < 12; ++seed) {
    const Arm arm = random_arm(seed);
    PoisonedWorkspace<double> work(arm.model);
    VectorXd qdd(arm.model.nv()), tau(arm.model.nv());
    MatrixXd M(arm.model.nv(), arm.model.nv());
    Matrix6X<double> J(6, arm.model.nv());
    const Frame frame = end_effector_frame(arm.model);
    const test::AllocationCounter counter;
    forward_dynamics(arm.model, work, arm.state.q, arm.state.v, arm.state.tau, qdd);
    inverse_dynamics(arm.model, work, arm.state.q, arm.state.v, qdd, tau);
    mass_matrix(arm.model, work, arm.state.q, M);
    energy(arm.model, work, arm.state.q, arm.state.v);
    frame_jacobian(arm.model, work, frame, MotionAxes::local, J);
    EXPECT_EQ(counter.count(), 0) << "seed " << seed;
  }
}

TEST(AllocationCounter, SeesWhatEigenAndTheStandardLibraryAllocate) {
  const test::AllocationCounter counter;
  const VectorXd vector = VectorXd::Zero(100);
  const std::vector<double> numbers(100, vector[0]);
  EXPECT_EQ(counter.count(), 2) << numbers[0];
}

TEST(Algorithms, GiveTheSameNumbersWithEveryScalar) {
  for (unsigned seed = 0; seed < 10; ++seed) {
    SCOPED_TRACE(seed);
    const Arm arm = random_arm(seed);
    const int nv = arm.model.nv();
    PoisonedWorkspace<double> work(arm.model);
    VectorXd qdd(nv);
    forward_dynamics(arm.model, work, arm.state.q, arm.state.v, arm.state.tau, qdd);

    PoisonedWorkspace<Dual> dual_work(arm.model);
    VectorX<Dual> dual_qdd(nv);
    forward_dynamics<Dual>(arm.model, dual_work, arm.state.q.cast<Dual>(), arm.state.v.cast<Dual>(),
                           arm.state.tau.cast<Dual>(), dual_qdd);
    PoisonedWorkspace<Counting> counting_work(arm.model);
    VectorX<Counting> counting_qdd(nv);
    Counting::reset();
    forward_dynamics<Counting>(arm.model, counting_work, arm.state.q.cast<Counting>(),
                               arm.state.v.cast<Counting>(), arm.state.tau.cast<Counting>(), counting_qdd);
    EXPECT_GT(Counting::operations().multiplications, 100);
    for (int i = 0; i < nv; ++i) {
      EXPECT_NEAR(dual_qdd[i].value(), qdd[i], 1e-9 * (1.0 + qdd.cwiseAbs().maxCoeff()));
      EXPECT_NEAR(counting_qdd[i].value(), qdd[i], 1e-9 * (1.0 + qdd.cwiseAbs().maxCoeff()));
    }
  }
}

// Residual of M qdd + bias + K q = tau: tells the error of the recursion without trusting a dense solve.
double recursive_residual(int links) {
  const Model model = flexible_chain(links);
  VectorXd q(model.nv()), v(model.nv()), qdd(model.nv()), tau(model.nv()), passive(model.nv());
  for (int i = 0; i < model.nv(); ++i) {
    const bool elastic = i % 5 != 0;
    q[i] = elastic ? 0.01 * std::sin(3.0 * i) : 0.3 * std::sin(1.7 * i);
    v[i] = elastic ? 0.02 * std::cos(2.0 * i) : 0.2 * std::cos(1.1 * i);
  }
  PoisonedWorkspace<double> work(model);
  const VectorXd zero = VectorXd::Zero(model.nv());
  forward_dynamics(model, work, q, v, zero, qdd);
  inverse_dynamics(model, work, q, v, qdd, tau);
  elastic_and_damping_forces(model, work, q, v, passive);
  return (tau + passive).cwiseAbs().maxCoeff() / passive.cwiseAbs().maxCoeff();
}

// Momenta are turned once for all ancestors where these are many, and once for each where they are few or numbers are not double.
TEST(MassMatrix, OfManyAncestorsIsThatOfEachByItself) {
  for (unsigned seed = 0; seed < 12; ++seed) {
    const ModelDescription description =
        reference::random_arm(seed, 12 + 6 * static_cast<int>(seed % 4),
                              seed % 2 == 0 ? KinematicOrder::first : KinematicOrder::second);
    const Model model = build_model(description);
    const VectorXd q = reference::random_state(description, seed, 0.03).q;
    PoisonedWorkspace<double> work(model);
    Workspace<Dual> twin(model);
    MatrixXd M(model.nv(), model.nv());
    MatrixX<Dual> expected(model.nv(), model.nv());
    mass_matrix<double>(model, work, q, M);
    mass_matrix<Dual>(model, twin, q.cast<Dual>(), expected);
    const VectorXd scale = M.diagonal().cwiseSqrt();
    for (int i = 0; i < model.nv(); ++i)
      for (int j = 0; j < model.nv(); ++j)
        EXPECT_NEAR(M(i, j), expected(i, j).value(), 1e-13 * scale[i] * scale[j]) << "seed " << seed;
  }
}

TEST(ForwardDynamics, DoesNotLoseDigitsOnLongChains) {
  for (const int links : {1, 10, 30, 60, 100})
    EXPECT_LT(recursive_residual(links), 1e-9) << links << " links";
}

// Free floating, without gravity, springs and dampers: integrated with RK4, energy and momentum stay.
TEST(FreeFloatingTree, KeepsEnergyAndMomentum) {
  ModelBuilder builder("satellite");
  RigidDescription bus;
  bus.mass = 20.0;
  bus.com = {0.1, 0.0, 0.05};
  bus.inertia << 3.0, 4.0, 5.0, 0.1, -0.2, 0.3;
  bus.tip.xyz = {0.5, 0.0, 0.0};
  JointDescription floating;
  floating.name = "floating";
  floating.type = JointType::free;
  builder.gravity(Eigen::Vector3d::Zero()).link("bus").joint(floating).rigid(bus);
  builder.link("boom").revolute({0, 0, 1}).beam(2.0, {.EI_y = 60.0,
                                                      .EI_z = 80.0,
                                                      .GJ = 50.0,
                                                      .mass_per_length = 1.0,
                                                      .rotary_inertia = Eigen::Vector3d(0.01, 0.005, 0.005)});
  builder.modes(Direction::y, 2).modes(Direction::z, 2).modes(Direction::torsion, 1);
  TipDescription payload;
  payload.mass = 1.5;
  payload.com = {0.05, 0.1, 0.0};
  payload.inertia << 0.02, 0.02, 0.03, 0, 0, 0;
  builder.tip(payload);
  builder.link("arm", "bus").origin({-0.5, 0, 0}, {0, 0, 2.5}).revolute({0, 1, 0});
  builder.beam(1.0, {.EI_y = 40.0, .EI_z = 40.0, .mass_per_length = 0.8})
      .modes(Direction::y, 2)
      .modes(Direction::z, 2);
  const Model model = builder.build();

  VectorXd q = neutral_configuration(model), v(model.nv());
  for (int i = 0; i < model.nv(); ++i) v[i] = 0.2 * std::sin(1.0 + 2.0 * i);
  const VectorXd zero = VectorXd::Zero(model.nv());
  PoisonedWorkspace<double> work(model);
  const auto start_energy = energy(model, work, q, v);
  const auto start = momentum(model, work, q, v);

  struct Rates {
    VectorXd q, v;
  };
  const auto rates = [&](const VectorXd& at_q, const VectorXd& at_v) {
    Rates r{VectorXd(model.nq()), VectorXd(model.nv())};
    const VectorX<Dual> moving = moving_configuration(model, at_q, at_v);
    for (int i = 0; i < model.nq(); ++i) r.q[i] = moving[i].derivatives()[0];
    forward_dynamics(model, work, at_q, at_v, zero, r.v);
    return r;
  };
  const double h = 4e-5;
  for (int step = 0; step < 50000; ++step) {
    const Rates k1 = rates(q, v), k2 = rates(q + h / 2 * k1.q, v + h / 2 * k1.v);
    const Rates k3 = rates(q + h / 2 * k2.q, v + h / 2 * k2.v), k4 = rates(q + h * k3.q, v + h * k3.v);
    q += h / 6 * (k1.q + 2 * k2.q + 2 * k3.q + k4.q);
    v += h / 6 * (k1.v + 2 * k2.v + 2 * k3.v + k4.v);
    q.segment<4>(3).normalize();
  }
  const auto end_energy = energy(model, work, q, v);
  const auto end = momentum(model, work, q, v);
  const double total = start_energy.kinetic + start_energy.strain;
  EXPECT_NEAR(end_energy.kinetic + end_energy.strain, total, 1e-10 * total);
  EXPECT_GT(std::abs(end_energy.strain - start_energy.strain), 1e-3 * total);  // something did happen
  EXPECT_LT((end.linear - start.linear).norm(), 1e-10 * start.linear.norm());
  EXPECT_LT((end.angular - start.angular).norm(), 1e-10 * start.angular.norm());
}

TEST(ForwardDynamics, NamesTheCoordinateThatMovesNothing) {
  RigidDescription rod;
  rod.mass = 1.0;
  rod.com = {1.0, 0.0, 0.0};  // on the joint's axis, and without inertia about it
  ModelBuilder builder("spinner");
  builder.link("rod").revolute({1, 0, 0}, "spin").rigid(rod);
  const Model model = builder.build();
  PoisonedWorkspace<double> work(model);
  VectorXd zero = VectorXd::Zero(1), qdd(1);
  try {
    forward_dynamics(model, work, zero, zero, zero, qdd);
    FAIL() << "no error; qdd = " << qdd;
  } catch (const ComputationError& error) {
    EXPECT_NE(std::string(error.what()).find("`spin` of link `rod`"), std::string::npos) << error.what();
  }
}

// A beam made ten times stiffer, ten times over, hangs ever closer to a rigid one: held by its joint, its sag
// under gravity is in proportion to 1/EI.
TEST(StiffBeam, TendsToTheRigidArm) {
  double previous = 0.0;
  for (double EI = 1e2; EI < 2e12; EI *= 10.0) {
    ModelBuilder builder("cantilever");
    builder.gravity({0, -9.81, 0}).link("rod").fixed();
    builder.beam(2.0, {.EI_z = EI, .mass_per_length = 1.5}).modes(Direction::y, 3);
    const Model model = builder.build();
    PoisonedWorkspace<double> work(model);
    VectorXd gravity(model.nv());
    const VectorXd straight = VectorXd::Zero(model.nv());
    gravity_forces(model, work, straight, gravity);
    const VectorXd eta = -elastic_stiffness(model).ldlt().solve(gravity);
    const double sag = model.links()[0].nodes[0].field.position<double>(eta).y();
    EXPECT_NEAR(sag, -1.5 * 9.81 * 16.0 / (8.0 * EI),
                1e-10 * 1.5 * 9.81 * 16.0 / (8.0 * EI));  // q L^4 / 8 EI
    if (previous != 0.0) {
      EXPECT_NEAR(sag / previous, 0.1, 1e-9);
    }
    previous = sag;
  }
}

}  // namespace
}  // namespace limber
