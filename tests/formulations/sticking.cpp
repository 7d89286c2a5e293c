// SPDX-License-Identifier: BSD-3-Clause
// Which joints at rest stick: against looking at every combination, and at hanging arms against statics.

#include "limber/formulations/sticking.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <random>

#include "limber/model/friction.hpp"

namespace limber {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Joints at rest: a = W (f - F).
struct RestingJoints {
  MatrixXd W;
  VectorXd f, holds;
  std::vector<JointAtRest> joints;
  VectorXd friction, a;

  // With these sides: of those that stick a = 0.
  void find() {
    const auto n = f.size();
    std::vector<int> stuck;
    friction = VectorXd::Zero(n);
    for (int i = 0; i < n; ++i) {
      const int side = joints[static_cast<std::size_t>(i)].side;
      if (side == 0)
        stuck.push_back(i);
      else
        friction[i] = side * holds[i];
    }
    if (!stuck.empty()) {
      const MatrixXd W_ss = W(stuck, stuck);
      const VectorXd missing = (W * (f - friction))(stuck);
      const VectorXd held = W_ss.ldlt().solve(missing);
      friction(stuck) = held;
    }
    a = W * (f - friction);
    a(stuck).setZero();
  }
  bool is_solved() const {
    for (int i = 0; i < f.size(); ++i) {
      const int side = joints[static_cast<std::size_t>(i)].side;
      if (side == 0 && std::abs(friction[i]) > holds[i] * (1.0 + 2.0 * sticking_overlap)) return false;
      if (side * a[i] < 0.0) return false;
    }
    return true;
  }
};

RestingJoints random_problem(unsigned seed, int n) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  RestingJoints p;
  MatrixXd L(n, n);
  for (double& x : L.reshaped()) x = normal(random);
  p.W = L * L.transpose() + 0.1 * MatrixXd::Identity(n, n);
  p.f.resize(n);
  p.holds.resize(n);
  for (int i = 0; i < n; ++i) {
    p.f[i] = 2.0 * normal(random);
    p.holds[i] = 0.2 + std::abs(normal(random));
    p.joints.push_back({i, p.holds[i]});
  }
  return p;
}

TEST(JointsAtRest, FindTheOneSolutionThereIsAmongAllCombinations) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    const int n = 1 + static_cast<int>(seed % 5);
    RestingJoints p = random_problem(seed, n);
    settle_sides(p.joints, [&] {
      p.find();
      return FrictionAtRest{p.friction, p.a};
    });
    EXPECT_TRUE(p.is_solved()) << seed;
    // every combination of sticking, forwards and backwards
    RestingJoints other = p;
    int solutions = 0;
    const int combinations = static_cast<int>(std::lround(std::pow(3, n)));
    for (int k = 0; k < combinations; ++k) {
      for (int i = 0, rest = k; i < n; ++i, rest /= 3)
        other.joints[static_cast<std::size_t>(i)].side = rest % 3 - 1;
      other.find();
      if (!other.is_solved()) continue;
      ++solutions;
      EXPECT_LT((other.a - p.a).norm(), 1e-4 * (1.0 + p.a.norm())) << seed;
    }
    EXPECT_GE(solutions, 1) << seed;
  }
}

// Two level links hang on joints with friction: they hold what statics asks for, or not.
TEST(HangingArm, IsHeldWhereFrictionIsEnough) {
  const auto arm = [](double shoulder, double elbow) {
    ModelDescription description;
    description.name = "hanging";
    for (const double friction : {shoulder, elbow}) {
      LinkDescription& link = description.links.emplace_back();
      link.name = description.links.size() == 1 ? "upper" : "lower";
      link.joint.axis = -Eigen::Vector3d::UnitY();
      link.joint.friction = FrictionDescription{.coulomb = friction};
      link.rigid.emplace();
      link.rigid->mass = description.links.size() == 1 ? 2.0 : 1.0;
      link.rigid->com = 0.5 * Eigen::Vector3d::UnitX();
      link.rigid->inertia << 0.1, 0.1, 0.1, 0.0, 0.0, 0.0;
      link.rigid->tip.xyz = Eigen::Vector3d::UnitX();
    }
    return build_model(description);
  };
  constexpr double at_elbow = 9.81 * 0.5, at_shoulder = 9.81 * (2.0 * 0.5 + 1.5);
  const VectorXd zero = VectorXd::Zero(2);
  for (const FormulationKind kind : {FormulationKind::recursive, FormulationKind::dense, FormulationKind::dae,
                                     FormulationKind::dual_screw, FormulationKind::generated}) {
    const auto look = [&](const Model& model, DynamicsOutput& output) {
      return evaluate_with_friction(*make_formulation(kind, model), {zero, zero, zero, {}}, output);
    };
    DynamicsOutput output;
    StateFriction found = look(arm(30.0, 6.0), output);
    EXPECT_EQ(found.stuck, (std::vector<int>{0, 1}));
    EXPECT_EQ(output.acceleration, zero);
    EXPECT_NEAR(found.forces[0], -at_shoulder, 1e-12);  // without it, it would fall to -q
    EXPECT_NEAR(found.forces[1], -at_elbow, 1e-12);
    found = look(arm(30.0, 4.0), output);
    EXPECT_EQ(found.stuck, std::vector<int>{0});
    EXPECT_EQ(found.forces[1], -4.0);
    EXPECT_NEAR(output.acceleration[1], -(at_elbow - 4.0) / (0.1 + 0.25), 1e-12);
    EXPECT_EQ(output.acceleration[0], 0.0);
    found = look(arm(1.0, 1.0), output);
    EXPECT_LT(output.acceleration[0], 0.0);
  }
}

}  // namespace
}  // namespace limber
