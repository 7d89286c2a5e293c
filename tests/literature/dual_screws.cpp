// SPDX-License-Identifier: BSD-3-Clause
// The papers' dual screws of any arm: against the literal ones of tests/reference on the paper's chains, against the recursion with
// truncated numbers and the fast one on random trees.

#include "limber/literature/dual_screws.hpp"

#include <gtest/gtest.h>

#include "limber/formulations/linear_arm.hpp"
#include "limber/formulations/truncated_arm.hpp"
#include "limber/literature/dual_screw_arm.hpp"
#include "node_on.hpp"
#include "reference/random_arm.hpp"
#include "screw_chain.hpp"
#include "wrong_calls.hpp"

namespace limber {
namespace {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

double error(const MatrixXd& a, const MatrixXd& b) {
  return (a - b).cwiseAbs().maxCoeff() / std::max(1e-300, b.cwiseAbs().maxCoeff());
}

DualVector3 some_vector(double seed) {
  return dual_vector({std::sin(seed), 0.3, std::cos(2.0 * seed)}, {0.1 * seed, -0.2, std::sin(3.0 * seed)});
}
G1 some_rotation(double seed) { return G1::exp(real_form(some_vector(seed))); }
Vector12d some_screw(double seed) { return dual_screw(some_vector(seed), some_vector(seed + 1.0)); }

Matrix3d cross_matrix(const Vector3d& a) {
  Matrix3d A;
  A << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
  return A;
}

// ---- screws ----

TEST(DualScrews, AreTransformedByThePapersBlocks) {
  const DualVector3 p = some_vector(0.4);
  const Vector6d numbers = real_form(p);
  Matrix12d U = Matrix12d::Identity();  // (60), with (38)
  U.block<3, 3>(6, 0) = U.block<3, 3>(9, 3) = cross_matrix(numbers.head<3>());
  U.block<3, 3>(9, 0) = cross_matrix(numbers.tail<3>());
  EXPECT_LT((reference_change(p) - U).norm(), 1e-15);
  const G1 R = some_rotation(0.7);
  Matrix12d R_bar = Matrix12d::Zero();  // (63)
  R_bar.topLeftCorner<6, 6>() = R_bar.bottomRightCorner<6, 6>() = R.matrix();
  EXPECT_LT((coordinate_change(R) - R_bar).norm(), 1e-15);
  EXPECT_LT((screw_transformation(R, p) - R_bar * U).norm(), 1e-14);  // (66)
}

TEST(DualScrews, OfALineHaveAMomentAboutEveryPointBesideIt) {
  const DualVector3 axis = some_rotation(1.1).dual().col(2), point = some_vector(0.2), way = some_vector(2.0);
  EXPECT_LT(moment_of(dual_line(axis, DualVector3::Zero()))
                .unaryExpr([](const Truncated& x) { return std::abs(real_part(x)) + std::abs(dual_part(x)); })
                .sum(),
            1e-300);
  // along itself a line stays itself
  EXPECT_LT((dual_line(axis, point + axis * truncated(0.7, 0.3)) - dual_line(axis, point)).norm(), 1e-14);
  // from another point of reference
  EXPECT_LT((reference_change(way) * dual_line(axis, point) - dual_line(axis, point + way)).norm(), 1e-14);
}

TEST(DualScrews, DoTheSamePowerInEveryFrame) {
  const Vector12d wrench = some_screw(0.3), twist = some_screw(1.7);
  const Matrix12d V = screw_transformation(some_rotation(0.9), some_vector(0.6));
  const Truncated here = power(wrench, twist), there = power(V * wrench, V * twist);
  EXPECT_NEAR(real_part(there), real_part(here), 1e-14);
  EXPECT_NEAR(dual_part(there), dual_part(here), 1e-14);
  // and folded: the total of it
  EXPECT_NEAR(folded(wrench).dot(twist), total(here), 1e-14);
}

// ---- the paper's chains ----

struct Place {
  Frame frame;
  int link;
  double x;
};

/// The ends of beams and points on them, and centres of mass: where the literal chain has its columns.
std::vector<Place> places(Model& model, const std::vector<reference::ScrewLink>& screws) {
  std::vector<Place> list;
  for (int i = 0; i < static_cast<int>(screws.size()); ++i) {
    const reference::ScrewLink& screw = screws[static_cast<std::size_t>(i)];
    if (!screw.is_elastic()) {
      list.push_back({Frame{i, 0, {Matrix3d::Identity(), screw.com - screw.end}}, i, 0.0});
      continue;
    }
    list.push_back({Frame{i, 0, {}}, i, screw.length});
    model = with_node(model, i, 0.4);
    list.push_back({Frame{i, node_index(model, i, 0.4), {}}, i, 0.4 * screw.length});
  }
  return list;
}

reference::State chain_state(const Model& model, unsigned seed) {
  reference::State state;
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  state.q = state.v = VectorXd::Zero(model.nv());
  for (const Link& link : model.links()) {
    state.q[link.joint.v_index] = 1.5 * number(random);
    state.v[link.joint.v_index] = number(random);
    for (int i = 0; i < link.elastic_count; ++i) {
      state.q[link.elastic_v_index + i] = 0.1 * number(random);
      state.v[link.elastic_v_index + i] = 0.5 * number(random);
    }
  }
  return state;
}

TEST(DualScrewArm, HasThePapersProjectionMatricesAndTheirRates) {
  for (unsigned seed = 0; seed < 12; ++seed) {
    SCOPED_TRACE(seed);
    const ScrewChain chain = random_screw_chain(seed);
    Model model = build_model(chain.description);
    const std::vector<Place> all = places(model, chain.screws);
    const reference::State state = chain_state(model, seed);
    const reference::DualScrewChain literal(chain.screws, model.gravity(), state.q, state.v);
    const DualScrewArm arm(model, state.q, state.v);
    for (const Place& place : all) {
      EXPECT_LT(error(arm.jacobian_form(place.frame), literal.jacobian_form(place.link, place.x)), 1e-14);
      EXPECT_LT(error(arm.projecting_form(place.frame), literal.projecting_form(place.link, place.x)), 1e-14);
      EXPECT_LT(error(arm.jacobian_rate(place.frame), literal.jacobian_rate(place.link, place.x)), 1e-13);
      EXPECT_LT(error(arm.twist(place.frame), literal.jacobian_form(place.link, place.x) * state.v), 1e-13);
      const G1 R = arm.frame(0).rotation().inverse() * arm.frame(place.link).rotation();
      EXPECT_LT(error(R.matrix(), literal.rotation(0, place.link)), 1e-14);
    }
    EXPECT_LT(error(arm.mass_matrix(), literal.M()), 1e-12);
    EXPECT_LT(error(arm.coriolis_forces(), literal.C() * state.v), 1e-12);
    EXPECT_LT(error(arm.gravity_forces(), literal.gravity()), 1e-12);
  }
}

// (125) to (127): a motor and its reaction, as wrenches, act on their joint alone.
TEST(DualScrewArm, ProjectsAMotorWithItsReactionOnItsJoint) {
  const ScrewChain chain = random_screw_chain(4);
  Model model = build_model(chain.description);
  const int last = static_cast<int>(model.links().size()) - 1;
  int root = 0;  // on a rigid link a moment acts everywhere alike
  if (model.links().back().elastic_count > 0) root = node_on(model, last, 0.0);
  const reference::State state = chain_state(model, 4);
  const DualScrewArm arm(model, state.q, state.v);
  const DualVector3 zero = DualVector3::Zero();
  const DualVector3 moment = dual_vector({0, 0, 3.0}, Vector3d::Zero());
  const G1 R = arm.frame(last - 1).rotation().inverse() * arm.frame(last).rotation();
  const VectorXd forces = arm.project({last, root, {}}, dual_screw(zero, moment)) -
                          arm.project({last - 1, 0, {}}, dual_screw(zero, R.dual() * moment));
  VectorXd expected = VectorXd::Zero(model.nv());
  expected[model.links().back().joint.v_index] = 3.0;
  EXPECT_LT((forces - expected).norm(), 1e-13);
}

// ---- any arm ----

ModelDescription tree(unsigned seed) {
  ModelDescription description =
      reference::random_arm(seed, 1 + static_cast<int>(seed % 6), KinematicOrder::second);
  for (LinkDescription& link : description.links)  // a kind that random arms do not have
    if (link.joint.type == JointType::revolute && seed % 3 == 1) {
      link.joint.type = JointType::screw;
      link.joint.pitch = 0.2;
    }
  return description;
}

class DualScrewsOfRandomTrees : public testing::TestWithParam<unsigned> {
 protected:
  ModelDescription description = tree(GetParam());
  Model model = build_model(description);
  reference::State state = reference::random_state(description, GetParam(), 0.03);
};
INSTANTIATE_TEST_SUITE_P(Seeds, DualScrewsOfRandomTrees, testing::Range(0u, 24u));

TEST_P(DualScrewsOfRandomTrees, GiveTheEquationsOfTheTruncatedRecursion) {
  if (model.nv() == 0) GTEST_SKIP() << "nothing moves";
  const DualScrewArm screws(model, state.q, state.v);
  TruncatedArm truncated_arm(model, {});
  LinearArm linear_arm(model, false);
  MatrixXd M(model.nv(), model.nv()), fast(model.nv(), model.nv());
  VectorXd bias(model.nv()), gravity(model.nv());
  const VectorXd zero = VectorXd::Zero(model.nv());
  truncated_arm.mass_matrix(state.q, M);
  linear_arm.mass_matrix(state.q, fast);
  truncated_arm.forces(state.q, state.v, zero, {}, bias);
  truncated_arm.forces(state.q, zero, zero, {}, gravity);
  const MatrixXd found = screws.mass_matrix();
  EXPECT_LT(error(found, M), 1e-12);
  EXPECT_LT(error(found, fast), 1e-12);
  EXPECT_LT((screws.gravity_forces() + gravity).norm(), 1e-12 * (1.0 + gravity.norm()));
  EXPECT_LT((screws.coriolis_forces() - (bias - gravity)).norm(), 1e-12 * (1.0 + bias.norm()));
}

TEST_P(DualScrewsOfRandomTrees, HaveThePoseAndTheJacobianOfTheTruncatedRecursion) {
  if (model.nv() == 0) GTEST_SKIP() << "nothing moves";
  const DualScrewArm screws(model, state.q, state.v);
  TruncatedArm truncated_arm(model, {});
  PoseOf<double> pose;
  Matrix6X<double> jacobian(6, model.nv());
  truncated_arm.end_effector(state.q, pose, jacobian);
  const Frame& at = model.end_effector();
  const G2& X_WB = screws.frame(at.link);
  const G2 X_WE = X_WB * screws.section(at);
  const auto sum = [](const Truncated& x) { return total(x); };
  EXPECT_LT((X_WE.translation().unaryExpr(sum) - pose.p).norm(), 1e-13);
  EXPECT_LT((X_WE.rotation().dual().unaryExpr(sum) - pose.R).norm(), 1e-13);
  const Matrix12X P = coordinate_change(X_WB.rotation()) * screws.jacobian_form(at);
  EXPECT_LT((P.middleRows<3>(6) + P.bottomRows<3>() - jacobian.topRows<3>()).norm(), 1e-12);
  EXPECT_LT((P.topRows<3>() + P.middleRows<3>(3) - jacobian.bottomRows<3>()).norm(), 1e-12);
  EXPECT_LT((screws.jacobian_form(at) * state.v - screws.twist(at)).norm(), 1e-12);
}

TEST(WrongCallsOfDualScrews, SayWhich) {
  const Model model = one_boom("boom");
  const VectorXd q = VectorXd::Zero(3), wrong = VectorXd::Zero(2);
  const DualScrewArm arm(model, q, q);
  const Frame no_link{1, 0, {}}, no_node{0, -1, {}};
  const Vector12d wrench = Vector12d::Zero();
  expect_said({
      {"DualScrewArm: q", [&] { DualScrewArm(model, wrong, q); }},
      {"DualScrewArm: v", [&] { DualScrewArm(model, q, wrong); }},
      {"DualScrewArm::frame: link", [&] { arm.frame(1); }},
      {"DualScrewArm::twist: link", [&] { arm.twist(-1); }},
      {"DualScrewArm::joint_screws: link", [&] { arm.joint_screws(7); }},
      {"DualScrewArm::section: place", [&] { arm.section(no_link); }},
      {"DualScrewArm::twist: place", [&] { arm.twist(no_node); }},
      {"DualScrewArm::jacobian_form: place", [&] { arm.jacobian_form(no_link); }},
      {"DualScrewArm::projecting_form: place", [&] { arm.projecting_form(no_node); }},
      {"DualScrewArm::jacobian_rate: place", [&] { arm.jacobian_rate(no_link); }},
      {"DualScrewArm::project: place", [&] { arm.project(no_link, wrench); }},
  });
}

}  // namespace
}  // namespace limber
