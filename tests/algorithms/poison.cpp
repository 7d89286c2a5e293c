// SPDX-License-Identifier: BSD-3-Clause
// No algorithm reads what it, or one that it says it needs, has not written: in a workspace full of NaN everything comes out as in a new
// one, to the last bit.

#include "poison.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <functional>

#include "limber/algorithms/coriolis_matrix.hpp"
#include "limber/algorithms/energy.hpp"
#include "limber/algorithms/evaluation.hpp"
#include "limber/algorithms/forward_dynamics.hpp"
#include "limber/algorithms/free_bodies.hpp"
#include "limber/algorithms/inertia.hpp"
#include "limber/algorithms/inverse_dynamics.hpp"
#include "limber/algorithms/jacobian.hpp"
#include "limber/algorithms/kinematics.hpp"
#include "limber/algorithms/link_by_link.hpp"
#include "limber/algorithms/mass_matrix.hpp"
#include "limber/core/computation_error.hpp"
#include "reference/random_arm.hpp"

namespace limber {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// All numbers that come out, one after the other.
class Numbers {
 public:
  void add(double x) { values_.push_back(x); }
  void add(float x) { values_.push_back(x); }
  void add(const Counting& x) { values_.push_back(x.value()); }
  void add(const Dual& x) {
    values_.push_back(x.value());
    for (const double derivative : x.derivatives()) values_.push_back(derivative);
  }
  template <typename Derived>
  void add(const Eigen::MatrixBase<Derived>& M) {
    for (Eigen::Index j = 0; j < M.cols(); ++j)
      for (Eigen::Index i = 0; i < M.rows(); ++i) add(M(i, j));
  }
  bool are_finite() const {
    for (const double value : values_)
      if (!std::isfinite(value)) return false;
    return true;
  }
  bool operator==(const Numbers& other) const { return values_ == other.values_; }

 private:
  std::vector<double> values_;
};

template <typename Scalar>
struct Question {
  const char* name;
  std::function<void(Workspace<Scalar>&, Numbers&)> ask;
};

/// Every algorithm that has this scalar, with what it says it needs before.
template <typename Scalar>
std::vector<Question<Scalar>> questions(const Model& model, const reference::State& state) {
  using Work = Workspace<Scalar>;
  const VectorX<Scalar> q = state.q.cast<Scalar>(), v = state.v.cast<Scalar>(),
                        tau = state.tau.cast<Scalar>();
  const Frame frame = model.end_effector();
  const int nv = model.nv();
  const auto axes = MotionAxes::local_world_aligned;
  return {
      {"pose",
       [=](Work& work, Numbers& out) {
         update_positions(model, work, q);
         update_world_poses(work);
         const PoseOf<Scalar> X = frame_pose(model, work, frame);
         out.add(X.R);
         out.add(X.p);
         const PoseOf<Scalar> root = root_pose(model, work, frame.link);
         out.add(root.R);
         out.add(root.p);
       }},
      {"jacobian",
       [=](Work& work, Numbers& out) {
         update_positions(model, work, q);
         update_world_poses(work);
         Matrix6X<Scalar> J(6, nv);
         frame_jacobian(model, work, frame, axes, J);
         out.add(J);
       }},
      {"twist",
       [=](Work& work, Numbers& out) {
         update_velocities(model, work, q, v);
         update_world_poses(work);
         out.add(frame_twist(model, work, frame, axes).vector());
       }},
      {"bias acceleration",
       [=](Work& work, Numbers& out) {
         out.add(frame_bias_acceleration(model, work, frame, axes, q, v).vector());
       }},
      {"mass matrix",
       [=](Work& work, Numbers& out) {
         MatrixX<Scalar> M(nv, nv);
         mass_matrix(model, work, q, M);
         out.add(M);
       }},
      {"inverse dynamics",
       [=](Work& work, Numbers& out) {
         VectorX<Scalar> forces(nv);
         inverse_dynamics(model, work, q, v, tau, forces);
         out.add(forces);
         for (std::size_t i = 0; i < model.links().size(); ++i)
           out.add(joint_wrench(model, work, static_cast<int>(i)).vector());
       }},
      {"bias",
       [=](Work& work, Numbers& out) {
         VectorX<Scalar> forces(nv);
         bias_forces(model, work, q, v, forces);
         out.add(forces);
       }},
      {"gravity",
       [=](Work& work, Numbers& out) {
         VectorX<Scalar> forces(nv);
         gravity_forces(model, work, q, forces);
         out.add(forces);
       }},
      {"passive forces",
       [=](Work& work, Numbers& out) {
         VectorX<Scalar> forces(nv);
         elastic_and_damping_forces(model, work, q, v, forces);
         out.add(forces);
       }},
      {"forward dynamics",
       [=](Work& work, Numbers& out) {
         VectorX<Scalar> a(nv);
         forward_dynamics(model, work, q, v, tau, a);
         out.add(a);
         VectorX<Scalar> efforts = VectorX<Scalar>::Zero(nv);
         for (std::size_t i = 0; i < model.links().size(); ++i) {
           joint_efforts(model, work, static_cast<int>(i), q, v, a, efforts);
           out.add(joint_wrench(model, work, static_cast<int>(i)).vector());
         }
         out.add(efforts);
       }},
      {"energy",
       [=](Work& work, Numbers& out) {
         const Energy<Scalar> e = energy(model, work, q, v);
         for (const Scalar& part : {e.kinetic, e.gravity, e.strain}) out.add(part);
       }},
      {"momentum",
       [=](Work& work, Numbers& out) {
         const Momentum<Scalar> p = momentum(model, work, q, v);
         out.add(p.mass);
         for (const Vector3<Scalar>& part : {p.center_of_mass, p.linear, p.angular}) out.add(part);
       }},
  };
}

template <typename Scalar>
void expect_nothing_is_read_before_it_is_written(const Model& model, const reference::State& state,
                                                 Kernels kernels) {
  for (const Question<Scalar>& question : questions<Scalar>(model, state)) {
    SCOPED_TRACE(question.name);
    Workspace<Scalar> fresh(model, kernels);
    PoisonedWorkspace<Scalar> poisoned(model, kernels);
    Numbers expected, found;
    question.ask(fresh, expected);
    question.ask(poisoned, found);
    EXPECT_TRUE(expected.are_finite());
    EXPECT_TRUE(found == expected);
  }
}

class PoisonedWorkspaces : public testing::TestWithParam<unsigned> {
 protected:
  unsigned seed = GetParam();
  ModelDescription description = reference::random_arm(
      seed, 1 + static_cast<int>(seed % 6), seed % 2 == 0 ? KinematicOrder::first : KinematicOrder::second);
  Model model = build_model(description);
  reference::State state = reference::random_state(description, seed, 0.03);
};
INSTANTIATE_TEST_SUITE_P(Seeds, PoisonedWorkspaces, testing::Range(0u, 24u));

TEST_P(PoisonedWorkspaces, ShowInNoResultOfDoubles) {
  for (const Kernels kernels : {Kernels::fixed, Kernels::plain})
    expect_nothing_is_read_before_it_is_written<double>(model, state, kernels);
}
TEST_P(PoisonedWorkspaces, ShowInNoResultOfFloats) {
  expect_nothing_is_read_before_it_is_written<float>(model, state, Kernels::fixed);
}
TEST_P(PoisonedWorkspaces, ShowInNoResultOfDuals) {
  for (const Kernels kernels : {Kernels::fixed, Kernels::plain})
    expect_nothing_is_read_before_it_is_written<Dual>(model, state, kernels);
}
TEST_P(PoisonedWorkspaces, ShowInNoResultOfCountingNumbers) {
  expect_nothing_is_read_before_it_is_written<Counting>(model, state, Kernels::fixed);
}

TEST_P(PoisonedWorkspaces, ShowInNoCoriolisMatrix) {
  Workspace<double> fresh(model);
  PoisonedWorkspace<double> poisoned(model);
  MatrixXd expected(model.nv(), model.nv()), found(model.nv(), model.nv());
  coriolis_matrix(model, fresh, state.q, state.v, expected);
  coriolis_matrix(model, poisoned, state.q, state.v, found);
  EXPECT_TRUE(expected.allFinite());
  EXPECT_EQ(found, expected);
}

// The links taken apart keep scratch of their own beside a workspace, which a state that is none has gone through.
TEST_P(PoisonedWorkspaces, ShowInNoEquationsOfFreeBodies) {
  const auto solve = [&](LinkByLink& arm, const VectorXd& q) {
    VectorXd qdd = VectorXd::Zero(model.nv()), missing = qdd;
    arm.update(q, state.v);
    arm.assemble(q, state.v, state.tau, qdd, {});
    try {
      arm.solve();
      arm.accelerations(qdd);
    } catch (const ComputationError&) {
      qdd.setConstant(std::nan(""));
    }
    arm.missing_forces(state.tau, missing);
    return VectorXd(qdd + missing);
  };
  LinkByLink fresh(model), used(model);
  poison(used.workspace());
  solve(used, VectorXd::Constant(model.nq(), std::nan("")));
  poison(used.workspace());
  EXPECT_EQ(solve(used, state.q), solve(fresh, state.q));

  FreeBodies bodies(model), poisoned(model);
  VectorXd Q, V, Q_again, V_again;
  bodies.from_joints(state.q, state.v, Q, V);
  poison(poisoned.arm().workspace());
  poisoned.from_joints(state.q, state.v, Q_again, V_again);
  EXPECT_EQ(Q_again, Q);
  EXPECT_EQ(V_again, V);
  VectorXd q = state.q, v = state.v, q_again = q, v_again = v;
  bodies.measure(Q, V, q, v);
  bodies.find_gaps(q, v);
  poison(poisoned.arm().workspace());
  poisoned.measure(Q, V, q_again, v_again);
  poisoned.find_gaps(q_again, v_again);
  EXPECT_EQ(q_again, q);
  EXPECT_EQ(v_again, v);
  for (int i = 0; i < static_cast<int>(model.links().size()); ++i) {
    EXPECT_EQ(poisoned.gap(i), bodies.gap(i));
    EXPECT_EQ(poisoned.slip(i), bodies.slip(i));
  }
}

// A helper that poisons nothing would find nothing.
TEST(Poison, IsSeenWhereSomethingIsReadTooEarly) {
  const ModelDescription description = reference::random_arm(3, 4, KinematicOrder::second);
  const Model model = build_model(description);
  PoisonedWorkspace<double> work(model);
  EXPECT_FALSE(frame_pose(model, work, model.end_effector()).p.allFinite());
  EXPECT_FALSE(frame_twist(model, work, model.end_effector(), MotionAxes::local).linear.allFinite());
  EXPECT_FALSE(joint_wrench(model, work, 0).force.allFinite());
}

}  // namespace
}  // namespace limber
