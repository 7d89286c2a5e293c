// SPDX-License-Identifier: BSD-3-Clause
// Scratch that formulations and differentiators keep from call to call: a state of NaN leaves nothing of itself behind. What comes next is as
// from a new object, to the last bit.

#include <gtest/gtest.h>

#include <cmath>

#include "limber/analysis/derivatives.hpp"
#include "limber/analysis/motion_bounds.hpp"
#include "limber/core/computation_error.hpp"
#include "limber/formulations/formulation.hpp"
#include "limber/formulations/linear_arm.hpp"
#include "limber/formulations/truncated_arm.hpp"
#include "reference/random_arm.hpp"

namespace limber {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

class StatesThatAreNone : public testing::TestWithParam<unsigned> {
 protected:
  template <typename Call>
  static void survive(Call&& call) {
    try {
      call();
    } catch (const ComputationError&) {  // that is what it should say
    }
  }
  unsigned seed = GetParam();
  ModelDescription description = reference::random_arm(
      seed, 1 + static_cast<int>(seed % 5), seed % 2 == 0 ? KinematicOrder::first : KinematicOrder::second);
  Model model = build_model(description);
  reference::State state = reference::random_state(description, seed, 1e-3);
  VectorXd bad_q = VectorXd::Constant(model.nq(), std::nan(""));
  VectorXd bad_v = VectorXd::Constant(model.nv(), std::nan(""));
  std::vector<Load> free;
};
INSTANTIATE_TEST_SUITE_P(Seeds, StatesThatAreNone, testing::Range(0u, 12u));

TEST_P(StatesThatAreNone, LeaveNothingInFormulations) {
  for (const FormulationKind kind : {FormulationKind::recursive, FormulationKind::dense,
                                     FormulationKind::dual_screw, FormulationKind::dae}) {
    SCOPED_TRACE(name_of(kind));
    const auto fresh = make_formulation(kind, model), used = make_formulation(kind, model);
    const DynamicsInput good{state.q, state.v, state.tau, free}, bad{bad_q, bad_v, bad_v, free};
    DynamicsOutput expected, found;
    VectorXd missing(model.nv()), missing_again(model.nv());
    Tangent tangent, tangent_again;
    survive([&] { used->accelerate(bad, found); });
    survive([&] { used->evaluate(bad, found); });
    survive([&] { used->missing_forces(bad, bad_v, missing_again); });
    survive([&] { used->tangent(bad, bad_v, tangent_again); });
    found = {};
    fresh->evaluate(good, expected);
    used->evaluate(good, found);
    EXPECT_TRUE(expected.acceleration.allFinite());
    EXPECT_EQ(found.acceleration, expected.acceleration);
    EXPECT_EQ(found.wrenches, expected.wrenches);
    const VectorXd& a = expected.acceleration;
    survive([&] { used->missing_forces(bad, bad_v, missing_again); });
    const bool has_missing_forces = fresh->missing_forces(good, a, missing);
    EXPECT_EQ(used->missing_forces(good, a, missing_again), has_missing_forces);
    if (has_missing_forces) {
      EXPECT_EQ(missing_again, missing);
    }
    survive([&] { used->tangent(bad, bad_v, tangent_again); });
    if (fresh->tangent(good, a, tangent) && used->tangent(good, a, tangent_again)) {
      EXPECT_EQ(tangent_again.M, tangent.M);
      EXPECT_EQ(tangent_again.K, tangent.K);
      EXPECT_EQ(tangent_again.C, tangent.C);
    }
  }
}

TEST_P(StatesThatAreNone, LeaveNothingInTheArmsOfDualScrews) {
  const auto numbers = [&](auto& arm) {
    MatrixXd M(model.nv(), model.nv());
    VectorXd tau(model.nv());
    arm.mass_matrix(state.q, M);
    arm.forces(state.q, state.v, state.tau, free, tau);
    EXPECT_TRUE(M.allFinite() && tau.allFinite());
    return std::pair(M, tau);
  };
  const auto use = [&](auto& arm) {
    MatrixXd M(model.nv(), model.nv());
    VectorXd tau(model.nv());
    arm.mass_matrix(bad_q, M);
    arm.forces(bad_q, bad_v, bad_v, free, tau);
  };
  TruncatedArm fresh_truncated(model, {}), used_truncated(model, {});
  use(used_truncated);
  EXPECT_EQ(numbers(used_truncated), numbers(fresh_truncated));
  for (const bool consistent : {false, true}) {
    LinearArm fresh_linear(model, consistent), used_linear(model, consistent);
    use(used_linear);
    EXPECT_EQ(numbers(used_linear), numbers(fresh_linear));
  }
}

TEST_P(StatesThatAreNone, LeaveNothingInDifferentiators) {
  const std::vector<int> all = all_coordinates(model);
  ForceDifferentiator fresh(model), used(model);
  const auto spoil = [&] {
    used.by_position(bad_q, bad_v, bad_v, free, all);
    used.by_velocity(bad_q, bad_v, all);
    VectorXd along;
    used.along(bad_q, bad_v, bad_v, free, bad_v, bad_v, along);
  };
  spoil();
  const MatrixXd expected = fresh.by_position(state.q, state.v, state.tau, free, all);
  EXPECT_TRUE(expected.allFinite());
  EXPECT_EQ(used.by_position(state.q, state.v, state.tau, free, all), expected);
  spoil();
  EXPECT_EQ(used.by_velocity(state.q, state.v, all), fresh.by_velocity(state.q, state.v, all));
  spoil();
  VectorXd along, along_again;
  fresh.along(state.q, state.v, state.tau, free, state.v, state.tau, along);
  used.along(state.q, state.v, state.tau, free, state.v, state.tau, along_again);
  EXPECT_EQ(along_again, along);
}

TEST_P(StatesThatAreNone, LeaveNothingInMotionOperators) {
  MotionOperators fresh(model, state.q, state.v, state.tau), used(model, state.q, state.v, state.tau);
  VectorXd found(model.nv()), expected(model.nv());
  used.stiffness_forces(bad_v, found);
  used.damping_forces(bad_v, found);
  survive([&] { used.accelerate(bad_v, found); });
  fresh.stiffness_forces(state.v, expected);
  used.stiffness_forces(state.v, found);
  EXPECT_EQ(found, expected);
  fresh.damping_forces(state.v, expected);
  used.damping_forces(state.v, found);
  EXPECT_EQ(found, expected);
  fresh.accelerate(state.v, expected);
  used.accelerate(state.v, found);
  EXPECT_EQ(found, expected);
}

}  // namespace
}  // namespace limber
