// SPDX-License-Identifier: BSD-3-Clause
#include "limber/algorithms/evaluation.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "limber/algorithms/inverse_dynamics.hpp"
#include "limber/algorithms/kinematics.hpp"
#include "limber/algorithms/mass_matrix.hpp"
#include "limber/core/computation_error.hpp"
#include "limber/core/input_error.hpp"
#include "poison.hpp"
#include "reference/random_arm.hpp"

namespace limber {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

struct Arm {
  Model model;
  reference::State state, later;
};

Arm random_arm(unsigned seed) {
  const ModelDescription description =
      reference::random_arm(seed, 2 + static_cast<int>(seed % 4), KinematicOrder::second);
  return {build_model(description), reference::random_state(description, seed, 0.03),
          reference::random_state(description, seed + 100, 0.03)};
}

// Frames beside the end effector.
struct FrameOnTip {
  Frame frame;
  Frame at(double x) const {
    Frame moved = frame;
    moved.X_NE.p.x() += x;
    moved.X_NE.p.y() += x;
    return moved;
  }
};

// What the free functions say, each in a workspace of its own.
void expect_current(Evaluation& e, const reference::State& state) {
  const Model& model = e.model();
  const VectorXd &q = state.q, &v = state.v, &tau = state.tau;
  const Frame tip = end_effector_frame(model);
  {
    PoisonedWorkspace<double> work(model);
    VectorXd a(model.nv());
    forward_dynamics(model, work, q, v, tau, a);
    const auto last = static_cast<int>(model.links().size()) - 1;
    EXPECT_EQ(e.wrench(last), joint_wrench(model, work, last));
    EXPECT_EQ(e.acceleration(), a);
  }
  {
    PoisonedWorkspace<double> work(model);
    update_velocities(model, work, q, v);
    update_world_poses(work);
    // Another sweep places joints; products and sums may be fused otherwise there.
    constexpr double rounding = 1e-13;
    EXPECT_LT((e.pose(tip).p - frame_pose(model, work, tip).p).norm(), rounding);
    EXPECT_LT((e.pose(tip).R - frame_pose(model, work, tip).R).norm(), rounding);
    const Twist twist = frame_twist(model, work, tip, MotionAxes::local_world_aligned);
    EXPECT_LT((e.twist(tip).vector() - twist.vector()).norm(), rounding);
    Matrix6X<double> J(6, model.nv());
    for (const MotionAxes axes : {MotionAxes::local, MotionAxes::world}) {
      frame_jacobian(model, work, tip, axes, J);
      EXPECT_LT((e.jacobian(tip, axes) - J).norm(), rounding * J.norm());
    }
  }
  PoisonedWorkspace<double> work(model);
  MatrixXd M(model.nv(), model.nv());
  mass_matrix(model, work, q, M);
  EXPECT_EQ(e.mass_matrix(), M);
  VectorXd forces(model.nv());
  bias_forces(model, work, q, v, forces);
  EXPECT_EQ(e.bias(), forces);
  gravity_forces(model, work, q, forces);
  EXPECT_EQ(e.gravity(), forces);
  elastic_and_damping_forces(model, work, q, v, forces);
  EXPECT_EQ(e.elastic_and_damping_forces(), forces);
  const Energy<double> energy = limber::energy(model, work, q, v);
  EXPECT_EQ(e.energy().kinetic, energy.kinetic);
  EXPECT_EQ(e.energy().gravity, energy.gravity);
  EXPECT_EQ(e.energy().strain, energy.strain);
  EXPECT_EQ(e.momentum().linear, momentum(model, work, q, v).linear);
}

TEST(Evaluation, NeverAnswersWithAnOlderState) {
  for (unsigned seed = 0; seed < 12; ++seed) {
    const Arm arm = random_arm(seed);
    Evaluation e(arm.model);
    e.set(arm.state.q, arm.state.v, arm.state.tau);
    expect_current(e, arm.state);
    expect_current(e, arm.state);  // what is known already
    // One thing changes at a time, and every quantity is asked for.
    reference::State state = arm.state;
    state.tau = arm.later.tau;
    e.set(state.q, state.v, state.tau);
    expect_current(e, state);
    state.v = arm.later.v;
    e.set(state.q, state.v, state.tau);
    expect_current(e, state);
    state.q = arm.later.q;
    e.set(state.q, state.v, state.tau);
    expect_current(e, state);
  }
}

// Any order of questions: what one of them leaves in the workspace must not be taken for an answer to another.
TEST(Evaluation, AnswersInAnyOrder) {
  const Arm arm = random_arm(5);
  const Frame tip = end_effector_frame(arm.model);
  Evaluation fresh(arm.model);
  fresh.set(arm.state.q, arm.state.v, arm.state.tau);
  const Twist twist = fresh.twist(tip);
  const Eigen::Vector3d p = fresh.pose(tip).p;
  const auto ask = [&](int question, Evaluation& e) {
    switch (question) {
      case 0:
        e.gravity();
        break;
      case 1:
        e.mass_matrix();
        break;
      case 2:
        e.acceleration();
        break;
      case 3:
        e.bias();
        break;
      default:
        e.energy();
    }
  };
  for (int first = 0; first < 5; ++first)
    for (int second = 0; second < 5; ++second) {
      Evaluation e(arm.model);
      e.set(arm.later.q, arm.later.v, arm.later.tau);
      e.twist(tip);
      e.set(arm.state.q, arm.state.v, arm.state.tau);
      ask(first, e);
      ask(second, e);
      EXPECT_EQ(e.twist(tip), twist) << first << " " << second;
      EXPECT_EQ(e.pose(tip).p, p) << first << " " << second;
    }
}

TEST(Evaluation, KeepsItsJacobiansWhereTheyAre) {
  const Arm arm = random_arm(2);
  Evaluation first(arm.model);
  first.set(arm.state.q, arm.state.v, arm.state.tau);
  const FrameOnTip tip{end_effector_frame(arm.model)};
  first.jacobian(tip.at(0.0));
  Evaluation e = first;  // a copy has memory of its own
  const Matrix6X<double>& J = e.jacobian(tip.at(0.0));
  const Matrix6X<double> before = J;
  for (int i = 1; i < 100; ++i) e.jacobian(tip.at(0.01 * i));
  EXPECT_EQ(J, before);
  EXPECT_EQ(&e.jacobian(tip.at(0.0)), &J);
  EXPECT_NE(e.jacobian(tip.at(0.5)), before);
}

TEST(Evaluation, FollowsItsLoads) {
  const Arm arm = random_arm(3);
  Evaluation e(arm.model);
  e.set(arm.state.q, arm.state.v, arm.state.tau);
  const VectorXd before = e.acceleration();
  Load load;
  load.link = static_cast<int>(arm.model.links().size()) - 1;
  load.force = {1.0, 2.0, -3.0};
  e.set_loads({load});
  EXPECT_NE(e.acceleration(), before);
  PoisonedWorkspace<double> work(arm.model);
  VectorXd a(arm.model.nv());
  forward_dynamics(arm.model, work, arm.state.q, arm.state.v, arm.state.tau, a, {load});
  EXPECT_EQ(e.acceleration(), a);
  EXPECT_LT((e.required_forces(a) - arm.state.tau).cwiseAbs().maxCoeff(),
            1e-7 * (1.0 + arm.state.tau.norm()));
  e.set(arm.state.q, arm.state.v, arm.state.tau);
  EXPECT_EQ(e.acceleration(), before);
}

TEST(Evaluation, RefusesWhatIsNoState) {
  const Arm arm = random_arm(1);
  Evaluation e(arm.model);
  VectorXd q = arm.state.q;
  EXPECT_THROW(e.set(VectorXd::Zero(arm.model.nq() + 1)), InputError);
  EXPECT_THROW(e.wrench(99), InputError);
  q[0] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(e.set(q), ComputationError);
}

}  // namespace
}  // namespace limber
