// SPDX-License-Identifier: BSD-3-Clause
// The stacked equations of links taken apart: against the position-level oracle, against the recursion, and their
// elimination against Gauss elimination of the whole matrix.

#include <gtest/gtest.h>

#include "allocations.hpp"
#include "flexible_chain.hpp"
#include "limber/algorithms/configuration.hpp"
#include "limber/algorithms/free_bodies.hpp"
#include "limber/algorithms/inverse_dynamics.hpp"
#include "limber/algorithms/link_by_link.hpp"
#include "limber/core/computation_error.hpp"
#include "limber/core/input_error.hpp"
#include "limber/model/builder.hpp"
#include "node_on.hpp"
#include "poison.hpp"
#include "reference/oracle.hpp"
#include "reference/random_arm.hpp"

namespace limber {

using namespace detail;

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

struct Case {
  ModelDescription description;
  reference::State state;
  Model model;
  std::vector<Load> loads;
  std::vector<int> frames;  ///< somewhere along each beam
};

Case make_case(unsigned seed) {
  const KinematicOrder order = seed % 2 == 0 ? KinematicOrder::first : KinematicOrder::second;
  const ModelDescription arm = reference::random_arm(seed, 1 + static_cast<int>(seed / 2 % 8), order);
  Case c{arm, reference::random_state(arm, seed, seed % 3 == 0 ? 0.0 : 0.03), build_model(arm), {}, {}};
  for (const reference::Load& load : c.state.loads) {
    int link = 0;
    while (c.model.links()[link].name != load.link) ++link;
    c.loads.push_back(
        {link, node_on(c.model, link, load.at), static_cast<Axes>(load.axes), load.force, load.moment});
  }
  for (std::size_t i = 0; i < c.model.links().size(); ++i) {
    const bool bends = c.model.links()[i].elastic_count > 0;
    const double at = 0.1 + 0.8 * static_cast<double>((seed + 3 * i) % 7) / 6.0;
    c.frames.push_back(bends ? node_on(c.model, static_cast<int>(i), at) : LinkByLink::at_root);
  }
  return c;
}

struct Result {
  VectorXd qdd;
  std::vector<Vector6<double>> wrenches;
};

enum class Elimination { blocks, dense };

Result solve(const Case& c, const std::vector<int>& frames, Elimination elimination) {
  LinkByLink arm(c.model, frames);
  VectorXd qdd = VectorXd::Zero(c.model.nv());
  arm.update(c.state.q, c.state.v);
  arm.assemble(c.state.q, c.state.v, c.state.tau, qdd, c.loads);
  if (elimination == Elimination::blocks)
    arm.solve();
  else
    arm.solve_dense();
  arm.accelerations(qdd);
  Result result{qdd, {}};
  for (int i = 0; i < arm.system().link_count(); ++i) result.wrenches.push_back(arm.wrench(i).vector());
  return result;
}

void expect_same(const Result& got, const VectorXd& qdd, const std::vector<Vector6<double>>& wrenches,
                 double tolerance) {
  EXPECT_LT((got.qdd - qdd).cwiseAbs().maxCoeff(), tolerance * qdd.cwiseAbs().maxCoeff());
  double largest = 0.0;
  for (const auto& wrench : wrenches) largest = std::max(largest, wrench.cwiseAbs().maxCoeff());
  for (std::size_t i = 0; i < wrenches.size(); ++i)
    EXPECT_LT((got.wrenches[i] - wrenches[i]).cwiseAbs().maxCoeff(), tolerance * largest) << "link " << i;
}

class LinksOfRandomTrees : public testing::TestWithParam<unsigned> {};
INSTANTIATE_TEST_SUITE_P(Seeds, LinksOfRandomTrees, testing::Range(0u, 12u));

TEST_P(LinksOfRandomTrees, MoveAsTheOracleSays) {
  for (unsigned seed = 10 * GetParam(); seed < 10 * GetParam() + 10; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Case c = make_case(seed);
    const reference::Evaluation expected = reference::evaluate(c.description, c.state);
    for (const std::vector<int>& frames : {std::vector<int>{}, c.frames})
      for (const Elimination elimination : {Elimination::blocks, Elimination::dense})
        expect_same(solve(c, frames, elimination), expected.acceleration, expected.wrenches, 1e-9);
  }
}

TEST_P(LinksOfRandomTrees, MoveAsTheRecursionSays) {
  for (unsigned seed = 1000 + 10 * GetParam(); seed < 1010 + 10 * GetParam(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Case c = make_case(seed);
    PoisonedWorkspace<double> work(c.model);
    VectorXd qdd(c.model.nv());
    forward_dynamics(c.model, work, c.state.q, c.state.v, c.state.tau, qdd, c.loads);
    std::vector<Vector6<double>> wrenches;
    for (int i = 0; i < static_cast<int>(c.model.links().size()); ++i)
      wrenches.push_back(joint_wrench(c.model, work, i).vector());
    expect_same(solve(c, {}, Elimination::blocks), qdd, wrenches, 1e-9);
    expect_same(solve(c, c.frames, Elimination::blocks), qdd, wrenches, 1e-9);
  }
}

TEST(LinkByLink, KeepsPrescribedAccelerationsAndFindsTheirEfforts) {
  for (unsigned seed = 0; seed < 30; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Case c = make_case(seed);
    std::vector<int> prescribed;
    for (std::size_t i = 0; i < c.model.links().size(); i += 2) prescribed.push_back(static_cast<int>(i));
    PoisonedWorkspace<double> work(c.model);
    work.prescribe(prescribed);
    VectorXd expected = VectorXd::Constant(c.model.nv(), 0.7), efforts = VectorXd::Zero(c.model.nv()),
             got = expected, got_efforts = efforts;
    forward_dynamics(c.model, work, c.state.q, c.state.v, c.state.tau, expected, c.loads);
    for (const int link : prescribed)
      joint_efforts(c.model, work, link, c.state.q, c.state.v, expected, efforts);
    LinkByLink arm(c.model, c.frames);
    arm.prescribe(prescribed);
    arm.update(c.state.q, c.state.v);
    arm.assemble(c.state.q, c.state.v, c.state.tau, got, c.loads);
    arm.solve();
    arm.accelerations(got);
    arm.prescribed_efforts(c.state.tau, got, got_efforts);
    EXPECT_LT((got - expected).cwiseAbs().maxCoeff(), 1e-9 * (1.0 + expected.cwiseAbs().maxCoeff()));
    EXPECT_LT((got_efforts - efforts).cwiseAbs().maxCoeff(), 1e-9 * (1.0 + efforts.cwiseAbs().maxCoeff()));
  }
}

// What is missing is what inverse dynamics, springs and dampers ask for besides tau, whatever the accelerations.
TEST(LinkByLink, SaysWhatIsMissingWithoutSolving) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Case c = make_case(seed);
    PoisonedWorkspace<double> work(c.model);
    VectorXd a(c.model.nv()), forces(c.model.nv()), passive(c.model.nv()), got(c.model.nv());
    for (int i = 0; i < c.model.nv(); ++i) a[i] = std::sin(1.0 + i);
    inverse_dynamics(c.model, work, c.state.q, c.state.v, a, forces, c.loads);
    elastic_and_damping_forces(c.model, work, c.state.q, c.state.v, passive);
    LinkByLink arm(c.model);
    arm.update(c.state.q, c.state.v);
    arm.assemble(c.state.q, c.state.v, c.state.tau, a, c.loads);
    arm.missing_forces(a, got);
    const VectorXd expected = c.state.tau - forces - passive;
    EXPECT_LT((got - expected).cwiseAbs().maxCoeff(), 1e-10 * (1.0 + expected.cwiseAbs().maxCoeff()));
  }
}

LinkByLink chain_at_a_state(const Model& model) {
  VectorXd q(model.nv()), v(model.nv()), tau(model.nv());
  for (int i = 0; i < model.nv(); ++i) {
    const bool elastic = i % 5 != 0;
    q[i] = (elastic ? 0.01 : 0.3) * std::sin(1.7 * i);
    v[i] = (elastic ? 0.02 : 0.2) * std::cos(1.1 * i);
    tau[i] = elastic ? 0.0 : std::sin(0.5 * i);
  }
  LinkByLink arm(model);
  arm.update(q, v);
  arm.assemble(q, v, tau, tau, {});
  return arm;
}

class StackedChains : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Links, StackedChains, testing::Values(1, 2, 10, 50));

TEST_P(StackedChains, AreEliminatedBlockByBlockAsByGauss) {
  const Model model = flexible_chain(GetParam());
  const LinkByLink arm = chain_at_a_state(model);
  StackedSystem system = arm.system();
  VectorXd blocks;
  ASSERT_EQ(system.solve(blocks), -1);
  const VectorXd dense = system.solve_dense();
  EXPECT_LT((blocks - dense).cwiseAbs().maxCoeff(), 1e-12 * dense.cwiseAbs().maxCoeff());
}

TEST(StackedSystem, GrowsWithoutTouchingAnEntry) {
  const Model model = flexible_chain(4);
  const LinkByLink arm = chain_at_a_state(model);
  StackedSystem system;
  MatrixXd before(0, 0);
  for (int i = 0; i < arm.system().link_count(); ++i) {
    system.append(arm.system().block(i));
    const MatrixXd after = system.matrix();
    EXPECT_EQ(after.topLeftCorner(before.rows(), before.cols()), before);
    before = after;
  }
  EXPECT_EQ(before, arm.system().matrix());
}

TEST(StackedSystem, RefusesLoopsAndSizesThatDoNotFit) {
  const Model model = flexible_chain(2);
  const LinkByLink arm = chain_at_a_state(model);
  StackedSystem system;
  system.append(arm.system().block(0));
  LinkBlock loop = arm.system().block(1);
  loop.parent = 1;
  try {
    system.append(loop);
    FAIL() << "a link on itself";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("closed loops are not supported"), std::string::npos);
  }
  LinkBlock short_of_columns = arm.system().block(1);
  short_of_columns.H.conservativeResize(6, 7);
  EXPECT_THROW(system.append(short_of_columns), InputError);
}

// A straight beam without rotary inertia has no inertia about its axis. Where the joint holds that axis this is no
// matter; where it does not, nothing says how the beam turns.
TEST(LinkByLink, NamesTheLinkThatNothingHolds) {
  for (const bool held : {true, false}) {
    ModelBuilder builder("needle");
    builder.link("needle");
    if (held)
      builder.revolute(Eigen::Vector3d::UnitZ());
    else
      builder.joint({.type = JointType::spherical});
    builder.beam(1.0, {.EI_y = 1e3, .EI_z = 1e3, .mass_per_length = 1.0}).modes(Direction::y, 2);
    const Model model = builder.build();
    LinkByLink arm(model);
    const VectorXd q = neutral_configuration(model), zero = VectorXd::Zero(model.nv());
    arm.update(q, zero);
    arm.assemble(q, zero, zero, zero, {});
    if (held) {
      EXPECT_NO_THROW(arm.solve());
      continue;
    }
    try {
      arm.solve();
      FAIL() << "a needle on a spherical joint";
    } catch (const ComputationError& error) {
      EXPECT_NE(std::string(error.what()).find("`needle`"), std::string::npos);
    }
  }
}

// Poses and twists of every link on its own hold all that joint coordinates hold.
TEST(FreeBodies, AreMeasuredAsTheyWereMadeAndAccelerateAsTheOracleSays) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Case c = make_case(seed);
    FreeBodies bodies(c.model);
    VectorXd Q, V, q = c.state.q, v = VectorXd::Zero(c.model.nv()), qdd = v;
    bodies.from_joints(c.state.q, c.state.v, Q, V);
    bodies.measure(Q, V, q, v);
    EXPECT_LT((q - c.state.q).cwiseAbs().maxCoeff(), 1e-12);
    EXPECT_LT((v - c.state.v).cwiseAbs().maxCoeff(), 1e-11 * (1.0 + c.state.v.cwiseAbs().maxCoeff()));
    bodies.find_gaps(q, v);
    EXPECT_LT(bodies.largest_violation().position, 1e-13);
    EXPECT_LT(bodies.largest_violation().rotation, 1e-13);
    bodies.arm().assemble(q, v, c.state.tau, qdd, c.loads);
    bodies.arm().solve();
    bodies.arm().accelerations(qdd);
    const VectorXd expected = reference::evaluate(c.description, c.state).acceleration;
    EXPECT_LT((qdd - expected).cwiseAbs().maxCoeff(), 1e-9 * expected.cwiseAbs().maxCoeff());
  }
}

// The rate of V's components, by differences along the motion that starts with it.
TEST(FreeBodies, ChangeTheirTwistsAtTheirRates) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Case c = make_case(seed);
    FreeBodies bodies(c.model);
    VectorXd Q, V, q = c.state.q, v = c.state.v, qdd = VectorXd::Zero(c.model.nv()), rate, before, after;
    bodies.from_joints(q, v, Q, V);
    bodies.measure(Q, V, q, v);
    bodies.arm().assemble(q, v, c.state.tau, qdd, c.loads);
    bodies.arm().solve();
    bodies.arm().accelerations(qdd);
    bodies.rates(rate);
    constexpr double h = 1e-5;
    VectorXd there(c.model.nq());
    for (const double sign : {-1.0, 1.0}) {
      displace(c.model, c.state.q, sign * h * c.state.v + 0.5 * h * h * qdd, there);
      bodies.from_joints(there, c.state.v + sign * h * qdd, Q, sign < 0 ? before : after);
    }
    const VectorXd difference = (after - before) / (2.0 * h);
    EXPECT_LT((difference - rate).cwiseAbs().maxCoeff(), 1e-5 * (1.0 + rate.cwiseAbs().maxCoeff()));
  }
}

TEST(FreeBodies, AreProjectedBackOntoTheirJoints) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Case c = make_case(seed);
    FreeBodies bodies(c.model);
    VectorXd Q, V, q = c.state.q, v = c.state.v, zero = VectorXd::Zero(c.model.nv()), disturbed;
    bodies.from_joints(q, v, Q, V);
    VectorXd disturbance(bodies.apart().nv());
    for (int i = 0; i < disturbance.size(); ++i) disturbance[i] = 1e-6 * std::sin(1.0 + 2.0 * i);
    disturbed = Q;
    displace(bodies.apart(), Q, disturbance, disturbed);
    V += disturbance;
    const auto look = [&] {
      bodies.measure(disturbed, V, q, v);
      bodies.find_gaps(q, v);
    };
    look();
    bodies.arm().assemble(q, v, zero, zero, {});
    for (int pass = 0; pass < 3; ++pass) {
      bodies.project_poses(disturbed);
      look();
    }
    bodies.project_twists(V);
    look();
    EXPECT_LT(bodies.largest_violation().position, 1e-13);
    EXPECT_LT(bodies.largest_violation().rotation, 1e-13);
    for (int i = 0; i < static_cast<int>(c.model.links().size()); ++i)
      EXPECT_LT(bodies.slip(i).vector().cwiseAbs().maxCoeff(), 1e-9);
  }
}

// Newton's third law, and virtual power: W_{i-1} of the paper takes nothing from what the joint lets through.
TEST(LinkByLink, GivesThePapersWrenchesToo) {
  ModelBuilder builder("hanging");
  builder.gravity({0, 0, -10});
  builder.link("first").fixed().rigid(
      {.mass = 2.0, .com = {0.5, 0, 0}, .inertia = {1, 1, 1, 0, 0, 0}, .tip = {.xyz = {1, 0, 0}}});
  builder.link("second").revolute({0, 1, 0}).rigid(
      {.mass = 3.0, .com = {0.25, 0, 0}, .inertia = {1, 1, 1, 0, 0, 0}, .tip = {}});
  const Model model = builder.build();
  LinkByLink arm(model);
  const VectorXd q = neutral_configuration(model), zero = VectorXd::Zero(model.nv());
  const VectorXd holding = VectorXd::Constant(1, -3.0 * 10.0 * 0.25);  // about +y, against gravity
  arm.update(q, zero);
  arm.assemble(q, zero, holding, zero, {});
  arm.solve();
  // The parent holds the link up; the link pulls the parent down, by its weight, one metre from the parent's frame. What
  // the motor does is not part of it.
  EXPECT_LT((arm.wrench(1).vector() - (Vector6<double>() << 0, 0, 30, 0, -7.5, 0).finished()).norm(), 1e-12);
  EXPECT_LT(
      (arm.interaction_wrench(1).vector() - (Vector6<double>() << 0, 0, -30, 0, 30, 0).finished()).norm(),
      1e-12);
  EXPECT_LT(
      (arm.interaction_wrench(0).vector() - (Vector6<double>() << 0, 0, -50, 0, 47.5, 0).finished()).norm(),
      1e-12);
}

TEST(LinkByLink, DoesNotUseTheHeapAfterSetUp) {
  for (unsigned seed = 0; seed < 12; ++seed) {
    const Case c = make_case(seed);
    LinkByLink arm(c.model);
    VectorXd qdd = VectorXd::Zero(c.model.nv());
    long count = -1;
    for (int pass = 0; pass < 2; ++pass) {
      const test::AllocationCounter counter;
      arm.update(c.state.q, c.state.v);
      arm.assemble(c.state.q, c.state.v, c.state.tau, qdd, c.loads);
      arm.solve();
      arm.accelerations(qdd);
      count = counter.count();
    }
    EXPECT_EQ(count, 0) << "seed " << seed;
  }
}

}  // namespace
}  // namespace limber
