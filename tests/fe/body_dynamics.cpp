// SPDX-License-Identifier: BSD-3-Clause
// How arms with links of finite elements move: against the nodes of the whole mesh, by every formulation, by finite differences, and in time beside
// their twins of beams.
#include <gtest/gtest.h>

#include <random>
#include <utility>

#include "body_arms.hpp"
#include "limber/algorithms/configuration.hpp"
#include "limber/algorithms/derivatives.hpp"
#include "limber/algorithms/energy.hpp"
#include "limber/algorithms/forward_dynamics.hpp"
#include "limber/algorithms/inverse_dynamics.hpp"
#include "limber/algorithms/mass_matrix.hpp"
#include "limber/formulations/formulation.hpp"
#include "limber/math/detail/decompositions.hpp"
#include "limber/model/lookup.hpp"
#include "simulation/runs.hpp"

namespace limber {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using namespace test;

VectorXd random(int size, double scale, unsigned seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<double> number(-scale, scale);
  return VectorXd::NullaryExpr(size, [&] { return number(generator); });
}

// The last three links hang on the three interfaces of the first, off its axis, with a body on its tip.
Model branched(KinematicOrder order) {
  ModelDescription arm = arm_of(body_link("boom"), body_link("fore"));
  arm.kinematics = order;
  arm.links[0].root.rpy = {0.3, -0.2, 0.1};
  arm.links[0].tip =
      TipDescription{2.0, {0.1, 0.0, 0.05}, (InertiaElements() << 0.1, 0.2, 0.25, 0.0, 0.0, 0.0).finished()};
  arm.links[0].body->damping = DampingDescription{0.01};
  arm.links[1].interface = "mount";
  arm.links[1].origin = FrameDescription{{0.0, 0.1, -0.05}, {0.4, 0.0, 0.9}};
  arm.links.push_back(beam_link("beam"));
  arm.links.back().parent = "boom";
  arm.links.back().interface = "lug";
  for (const Direction direction : all_directions) arm.links.back().beam->modes.of(direction)->count = 2;
  LinkDescription tool;
  tool.name = "tool";
  tool.parent = "boom";
  tool.joint.type = JointType::spherical;
  tool.rigid = RigidDescription{};
  tool.rigid->mass = 3.0;
  tool.rigid->com = {0.05, 0.02, 0.0};
  tool.rigid->inertia << 0.1, 0.2, 0.25, 0.0, 0.0, 0.0;
  arm.links.push_back(tool);
  return build_model(arm);
}

struct State {
  VectorXd q, v, tau;
};
State random_state(const Model& model, unsigned seed) {
  State state{neutral_configuration(model), random(model.nv(), 1.0, seed),
              random(model.nv(), 10.0, seed + 1)};
  VectorXd away = random(model.nv(), 1.0, seed + 2);
  // What is stiff moves less, as it would: differences of accelerations keep their digits.
  for (const Link& link : model.links())
    for (int j = 0; j < link.elastic_count; ++j) {
      const MatrixXd& K = link.elastic->integrals.stiffness;
      const double soft = K.diagonal().minCoeff() / K(j, j);
      away[link.elastic_v_index + j] *= 0.01 * soft;
      state.v[link.elastic_v_index + j] *= std::sqrt(soft);
    }
  VectorXd moved(model.nq());
  displace(model, state.q, away, moved);
  state.q = moved;
  return state;
}

// Kinetic energy of a body that swings in its first mode, from the velocities of all nodes of the mesh and its whole mass matrix. The mode is that of the
// dense eigenproblem, which the reduction has never seen.
TEST(BodyDynamics, KineticEnergyIsThatOfAllNodes) {
  BarOptions options;
  options.origin = {0.0, 0.0, 0.0};
  const Bar bar(options);
  const Mesh& mesh = bar.mesh();
  const auto body = std::make_shared<const ReducedBody>(
      reduce(mesh, bar.matrices(), {"ROOT", {{"tip", "TIP", Spider::averaging}}, 14}));
  ModelDescription description;
  LinkDescription link;
  link.name = "bar";
  link.joint.type = JointType::spherical;
  link.body = BodyDescription{"bar.h5", body, {}};
  description.links = {link};
  const Model arm = build_model(description);

  // Its own first mode: root held, all else free (an averaging interface adds no stiffness).
  std::vector<int> free;
  for (int i = 0; i < static_cast<int>(mesh.positions.cols()); ++i)
    if (mesh.positions(0, i) > 1e-9)
      for (int a = 0; a < 3; ++a) free.push_back(3 * i + a);
  const MatrixXd K = bar.K()(free, free), M = bar.M()(free, free);
  const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> modes(K, M);
  VectorXd phi = VectorXd::Zero(bar.M().rows());
  phi(free) = modes.eigenvectors().col(0);
  const Eigen::Map<const Eigen::Matrix3Xd> by_nodes(phi.data(), 3, mesh.positions.cols());
  Eigen::Index farthest = 0;
  by_nodes.colwise().norm().maxCoeff(&farthest);
  phi /= by_nodes.col(farthest).norm();
  EXPECT_NEAR(std::sqrt(modes.eigenvalues()[0]), body->frequencies[0], 1e-6 * body->frequencies[0]);
  Vector3d tip = Vector3d::Zero();
  for (const int node : mesh.sets.at("TIP")) tip += by_nodes.col(node) / double(mesh.sets.at("TIP").size());
  if (tip.dot(body->interfaces[0].Phi.col(0)) < 0.0) phi = -phi;

  const double eta = 0.03, rate = 0.7;
  const Vector3d w(0.4, -1.1, 0.8);
  VectorXd nodes(phi.size());
  for (int i = 0; i < static_cast<int>(mesh.positions.cols()); ++i) {
    const Vector3d p = mesh.positions.col(i) + eta * phi.segment<3>(3 * i);
    nodes.segment<3>(3 * i) = w.cross(p) + rate * phi.segment<3>(3 * i);
  }
  const double expected = 0.5 * nodes.dot(bar.M() * nodes);

  Workspace<double> work(arm);
  VectorXd q = neutral_configuration(arm), v = VectorXd::Zero(arm.nv());
  q[4] = eta;
  v.head<3>() = w;
  v[3] = rate;
  EXPECT_NEAR(energy<double>(arm, work, q, v).kinetic, expected, 1e-5 * expected);
  EXPECT_NEAR(energy<double>(arm, work, q, v).strain, 0.5 * eta * eta * phi.dot(bar.K() * phi),
              1e-5 * energy<double>(arm, work, q, v).strain);
}

TEST(BodyDynamics, FormulationsAgree) {
  for (const KinematicOrder order : {KinematicOrder::first, KinematicOrder::second})
    for (unsigned seed = 1; seed < 6; ++seed) {
      const Model arm = branched(order);
      const State state = random_state(arm, seed);
      const std::vector<Load> loads{
          {.link = 0, .node = node_index(arm, 0, "lug"), .force = {30.0, -20.0, 10.0}, .moment = {1, 2, 3}}};
      DynamicsOutput first;
      for (const char* name : {"recursive", "dense", "dae"}) {
        const auto formulation = make_formulation(formulation_named(name), arm);
        DynamicsOutput output;
        output.acceleration = VectorXd::Zero(arm.nv());
        formulation->evaluate({state.q, state.v, state.tau, loads}, output);
        if (first.acceleration.size() == 0) first = output;
        EXPECT_LT((output.acceleration - first.acceleration).norm(), 1e-9 * first.acceleration.norm())
            << name;
      }
    }
}

// To first order in what bends, the formulation that keeps no more is right: a hundredth of the state has a ten-thousandth of the difference.
TEST(BodyDynamics, LinearFormulationIsRightToFirstOrder) {
  const Model arm = branched(KinematicOrder::second);
  const State whole = random_state(arm, 3);
  const auto difference = [&](double part) {
    State state = whole;
    for (const Link& link : arm.links()) {
      state.q.segment(link.elastic_q_index, link.elastic_count) *= part;
      state.v.segment(link.elastic_v_index, link.elastic_count) *= part;
    }
    std::vector<VectorXd> found;
    for (const char* name : {"recursive", "dual-screw"}) {
      FormulationOptions options;
      options.consistent = true;
      const auto formulation = make_formulation(formulation_named(name), arm, options);
      DynamicsOutput output;
      output.acceleration = VectorXd::Zero(arm.nv());
      formulation->evaluate({state.q, state.v, state.tau, {}}, output);
      found.push_back(output.acceleration);
    }
    return (found[1] - found[0]).norm() / found[0].norm();
  };
  const double large = difference(1e-1), small = difference(1e-3);
  EXPECT_GT(large, 1e-6);
  EXPECT_LT(small, 2e-4 * large);
}

// Of forces, which have their digits (modes of small mass make M badly scaled); those of accelerations then follow from them.
TEST(BodyDynamics, DerivativesAreThoseOfFiniteDifferences) {
  const Model arm = branched(KinematicOrder::second);
  const State state = random_state(arm, 7);
  const int nv = arm.nv();
  const VectorXd a = random(nv, 5.0, 11);
  const auto forces = [&](const VectorXd& q, const VectorXd& v) {
    Workspace<double> work(arm);
    VectorXd tau(nv);
    inverse_dynamics<double>(arm, work, q, v, a, tau);
    return tau;
  };
  DerivativeWorkspace work(arm);
  ForceDerivatives found;
  force_derivatives(arm, work, state.q, state.v, a, found);
  const double h = 1e-6, lost = 1e-14 * forces(state.q, state.v).norm() / h;
  for (int i = 0; i < nv; ++i) {
    const VectorXd unit = VectorXd::Unit(nv, i);
    VectorXd ahead(arm.nq()), behind(arm.nq());
    displace(arm, state.q, h * unit, ahead);
    displace(arm, state.q, -h * unit, behind);
    const VectorXd by_q = (forces(ahead, state.v) - forces(behind, state.v)) / (2.0 * h),
                   by_v = (forces(state.q, state.v + h * unit) - forces(state.q, state.v - h * unit)) /
                          (2.0 * h);
    EXPECT_LT((found.dq.col(i) - by_q).norm(), 1e-8 * by_q.norm() + lost) << i;
    EXPECT_LT((found.dv.col(i) - by_v).norm(), 1e-8 * by_v.norm() + lost) << i;
  }

  DynamicsDerivatives of_motion;
  derivatives(arm, work, state.q, state.v, state.tau, of_motion);
  const VectorXd scale = found.da.diagonal().cwiseSqrt().cwiseInverse();
  for (const auto& [rows, columns] : {std::pair{&of_motion.dacceleration_dq, &of_motion.dforce_dq},
                                      std::pair{&of_motion.dacceleration_dv, &of_motion.dforce_dv}}) {
    const MatrixXd expected = scale.asDiagonal() * *columns;
    EXPECT_LT((scale.asDiagonal() * found.da * *rows + expected).norm(), 1e-8 * expected.norm());
  }
}

TEST(BodyDynamics, EnergyChangesAsForcesWork) {
  const Model arm = branched(KinematicOrder::second);
  const State state = random_state(arm, 9);
  Workspace<double> work(arm);
  VectorXd a(arm.nv());
  forward_dynamics<double>(arm, work, state.q, state.v, state.tau, a);
  const auto total = [&](double t) {
    VectorXd q(arm.nq());
    displace(arm, state.q, t * state.v + 0.5 * t * t * a, q);
    const VectorXd v = state.v + t * a;
    const Energy<double> e = energy<double>(arm, work, q, v);
    return e.kinetic + e.gravity + e.strain;
  };
  const double h = 1e-7, rate = (total(h) - total(-h)) / (2.0 * h);
  const double power = state.tau.dot(state.v) - state.v.dot(damping_matrix(arm) * state.v);
  EXPECT_NEAR(rate, power, 1e-3 * std::abs(power));
  MatrixXd M(arm.nv(), arm.nv());
  mass_matrix<double>(arm, work, state.q, M);
  EXPECT_NEAR(0.5 * state.v.dot(M * state.v), energy<double>(arm, work, state.q, state.v).kinetic,
              1e-12 * state.v.dot(M * state.v));
}

ScenarioDescription swing() {
  ScenarioDescription given;
  given.initial.q = {{"boom_joint", 0.4}, {"fore_joint", -0.7}};
  given.duration = 0.5;
  given.output.rate = 100.0;
  given.integrator.rtol = 1e-8;
  given.integrator.atol = 1e-11;
  return given;
}

// From rest under gravity: the arm falls, and bends as it falls.
TEST(BodyDynamics, SwingsInTimeAsItsTwinOfBeams) {
  const Model of_bodies = bodies(), of_beams = beams();
  const TestRun own = run(swing(), of_bodies), twin = run(swing(), of_beams);
  ASSERT_EQ(own.rows.size(), twin.rows.size());
  double farthest = 0.0, way = 0.0, bent = 0.0;
  const Vector3d start = twin.rows.front().end_effector_position;
  for (std::size_t i = 0; i < own.rows.size(); ++i) {
    const Vector3d there = twin.rows[i].end_effector_position;
    farthest = std::max(farthest, (own.rows[i].end_effector_position - there).norm());
    way = std::max(way, (there - start).norm());
    const Link& link = of_beams.links()[0];
    bent = std::max(
        bent,
        (link.nodes[0].field.Phi * twin.rows[i].q.segment(link.elastic_q_index, link.elastic_count)).norm());
  }
  EXPECT_GT(way, 1.0);
  EXPECT_GT(bent, 1e-4);
  EXPECT_LT(farthest, 2e-3 * way);
}

TEST(BodyDynamics, KeepsItsEnergy) {
  const TestRun done = run(swing(), bodies());
  double kinetic = 0.0;
  for (const Sample& row : done.rows) kinetic = std::max(kinetic, row.ledger.kinetic);
  EXPECT_GT(kinetic, 10.0);
  EXPECT_LT(std::abs(done.rows.back().ledger.error), 1e-6 * kinetic);
}

}  // namespace
}  // namespace limber
