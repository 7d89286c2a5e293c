// SPDX-License-Identifier: BSD-3-Clause
// The dual-screw formulation against the literal one of tests/reference, against the nonlinear model that it truncates,
// and against published numbers.

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <numbers>
#include <random>

#include "allocations.hpp"
#include "limber/algorithms/inverse_dynamics.hpp"
#include "limber/algorithms/mass_matrix.hpp"
#include "limber/core/computation_error.hpp"
#include "limber/core/input_error.hpp"
#include "limber/formulations/formulation.hpp"
#include "limber/formulations/linear_arm.hpp"
#include "limber/formulations/truncated_arm.hpp"
#include "limber/io/model_file.hpp"
#include "limber/model/builder.hpp"
#include "reference/dual_screws.hpp"
#include "reference/random_arm.hpp"
#include "screw_chain.hpp"

namespace limber {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using reference::DualScrewChain;
using reference::ScrewLink;
using reference::ScrewShape;

constexpr double pi = std::numbers::pi;

Model crane(const std::string& variant = "") {
  return read_model(std::string(LIMBER_MODELS_DIR) + "/crane/crane" + variant + ".yaml");
}

double error(const MatrixXd& a, const MatrixXd& b) {
  return (a - b).cwiseAbs().maxCoeff() / std::max(1e-300, b.cwiseAbs().maxCoeff());
}

// ---- against the paper's own 12-vectors ----

struct Bent {
  VectorXd q, v;
};

/// Joints anywhere, elastic states of the given size.
Bent random_state(const Model& model, unsigned seed, double elastic) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  Bent state{neutral_configuration(model), VectorXd::Zero(model.nv())};
  for (const Link& link : model.links()) {
    for (int i = 0; i < link.joint.nv; ++i) {
      if (link.joint.nq == link.joint.nv) state.q[link.joint.q_index + i] = 1.5 * number(random);
      state.v[link.joint.v_index + i] = number(random);
    }
    for (int i = 0; i < link.elastic_count; ++i) {
      state.q[link.elastic_q_index + i] = elastic * number(random);
      state.v[link.elastic_v_index + i] = 5.0 * elastic * number(random);
    }
  }
  return state;
}

TEST(DualScrew, IsThePapersProductOfTwelveVectors) {
  for (unsigned seed = 0; seed < 12; ++seed) {
    SCOPED_TRACE(seed);
    const ScrewChain chain = random_screw_chain(seed);
    const Model model = build_model(chain.description);
    const Bent state = random_state(model, seed, 0.1);
    const DualScrewChain literal(chain.screws, model.gravity(), state.q, state.v);
    TruncatedArm arm(model, {});
    MatrixXd M(model.nv(), model.nv());
    VectorXd bias, gravity;
    const VectorXd zero = VectorXd::Zero(model.nv());
    arm.mass_matrix(state.q, M);
    arm.forces(state.q, state.v, zero, {}, bias);
    arm.forces(state.q, zero, zero, {}, gravity);
    EXPECT_LT(error(M, literal.M()), 1e-13);
    EXPECT_LT(error(gravity, -literal.gravity()), 1e-13);
    EXPECT_LT(error(bias - gravity, literal.C() * state.v), 1e-13);
  }
}

// (125) to (127): with its reaction about the turned end's axis, a motor does work on its own joint only.
TEST(DualScrew, MotorsWithTheirReactionsActOnTheirJointsAlone) {
  for (unsigned seed = 0; seed < 6; ++seed) {
    const ScrewChain chain = random_screw_chain(seed);
    const Model model = build_model(chain.description);
    const Bent state = random_state(model, seed, 0.1);
    const DualScrewChain literal(chain.screws, model.gravity(), state.q, state.v);
    VectorXd T = VectorXd::LinSpaced(static_cast<Eigen::Index>(chain.screws.size()), 1.0, 2.0);
    VectorXd expected = VectorXd::Zero(model.nv());
    for (std::size_t i = 0; i < chain.screws.size(); ++i)
      expected[model.links()[i].joint.v_index] = T[static_cast<Eigen::Index>(i)];
    EXPECT_LT(error(literal.torques(T), expected), 1e-13);
  }
}

// The velocity of a point x of the crane's third link, (149) with (147), in the axes of frame 2. A dual number times a
// unit vector of a frame is a dual vector; what the paper calls k, r, theta, and their rates, is dual.
TEST(DualScrew, HasThePapersLinearVelocity) {
  using Kind = ScrewShape::Kind;
  std::vector<ScrewLink> links(3);
  links[0].mass = 1.0;
  links[0].end = {0, 0, 2};
  links[1].R = (Eigen::AngleAxisd(-pi / 2, Vector3d::UnitX()) * Eigen::AngleAxisd(-pi / 2, Vector3d::UnitZ()))
                   .toRotationMatrix();
  links[1].length = 4.0;
  links[2].length = 3.0;
  for (int i : {1, 2}) links[i].shapes = {{Kind::y, 2}, {Kind::z, 2}, {Kind::torsion, 1}};
  VectorXd q(9), u(9);
  q << 0.3, 0.7, 0.02, 0.03, 0.05, -1.1, 0.04, -0.02, 0.01;
  u << 0.9, -0.4, 0.3, 0.2, -0.1, 0.6, 0.25, 0.15, 0.35;
  const DualScrewChain chain(links, Vector3d::Zero(), q, u);
  const double x = 1.7, L2 = 4.0, slope = 2.0 / L2;
  const double share = x / 3.0 * x / 3.0;

  struct Number {
    double real, dual;
  };
  using reference::DualVector;
  const auto times = [](Number a, const DualVector& e) -> DualVector {
    DualVector result;
    result << a.real * e.head<3>(), a.real * e.tail<3>() + a.dual * e.head<3>();
    return result;
  };
  const auto fixed = [](const Vector3d& e) -> DualVector {
    return (DualVector() << e, Vector3d::Zero()).finished();
  };
  const double s2 = std::sin(q[1]), c2 = std::cos(q[1]), s3 = std::sin(q[5]), c3 = std::cos(q[5]);
  const double u1 = u[0], u2 = u[1], u3 = u[5];
  const double r2 = q[2], r3 = q[3], r2_rate = u[2], r3_rate = u[3];
  const double theta1 = q[4], theta2 = -slope * q[3], theta3 = slope * q[2];
  const double theta1_rate = u[4], theta2_rate = -slope * u[3], theta3_rate = slope * u[2];
  const double k2 = share * q[6], k3 = share * q[7], k2_rate = share * u[6], k3_rate = share * u[7];
  const DualVector x2 = fixed(Vector3d::UnitX()), y2 = fixed(Vector3d::UnitY()),
                   z2 = fixed(Vector3d::UnitZ());
  const DualVector x1 = fixed({s2, c2, 0.0}), y1 = z2;
  const reference::DualMatrix R23 = chain.rotation(1, 2);
  const DualVector x3 = R23 * x2, y3 = R23 * y2, z3 = R23 * z2;

  const DualVector v3 = times({0, r2_rate}, y2) + times({0, r3_rate}, z2) - times({0, u1 * r3}, x1) +
                        times({u1 * L2 * s2, u1 * r2 * c2}, z2) + times({u2 * L2, 0}, y2) -
                        times({0, u2 * r2}, x2);
  const DualVector v =
      v3 + times({0, k2_rate}, y3) + times({0, k3_rate}, z3) +
      times({0, u1 * x * (-s3 * theta1 + c3 * theta2)}, x1) +
      times({u1 * x * (c3 * s2 + s3 * c2), u1 * x * (c3 * c2 * theta3 - s3 * s2 * theta3)}, y1) +
      times({0, u1 * k2 * (c3 * c2 - s3 * s2)}, y1) - times({0, u1 * k3}, x1) +
      times({-u2 * x * s3, -u2 * x * c3 * theta3}, x2) + times({u2 * x * c3, -u2 * x * s3 * theta3}, y2) -
      times({0, u2 * k2 * c3}, x2) - times({0, u2 * k2 * s3}, y2) + times({u3 * x, 0}, y3) -
      times({0, u3 * k2}, x3) + times({0, theta1_rate * x * s3}, z2) - times({0, theta2_rate * x * c3}, z2) -
      times({0, theta3_rate * x * s3}, x2) + times({0, theta3_rate * x * c3}, y2);
  const DualVector literal = R23 * (chain.jacobian_form(2, x) * u).tail<6>();
  EXPECT_LT(error(literal, v), 1e-14);
}

// ---- against the nonlinear model ----

struct Terms {
  MatrixXd M;
  VectorXd bias;
};

Terms dual_screw(const Model& model, const FormulationOptions& options, const Bent& state) {
  TruncatedArm arm(model, options);
  Terms terms{MatrixXd(model.nv(), model.nv()), {}};
  arm.mass_matrix(state.q, terms.M);
  arm.forces(state.q, state.v, VectorXd::Zero(model.nv()), {}, terms.bias);
  return terms;
}

Terms nonlinear(const Model& model, const Bent& state) {
  Workspace<double> work(model);
  Terms terms{MatrixXd(model.nv(), model.nv()), VectorXd(model.nv())};
  mass_matrix(model, work, state.q, terms.M);
  bias_forces(model, work, state.q, state.v, terms.bias);
  return terms;
}

Bent scaled(const Model& model, Bent state, double factor) {
  for (const Link& link : model.links()) {
    state.q.segment(link.elastic_q_index, link.elastic_count) *= factor;
    state.v.segment(link.elastic_v_index, link.elastic_count) *= factor;
  }
  return state;
}

// Value and derivatives at rest of the beams, one elastic coordinate at a time.
Terms taylor(const Model& model, const Bent& state) {
  const Bent straight = scaled(model, state, 0.0);
  Terms terms = nonlinear(model, straight);
  Workspace<Dual> work(model);
  VectorX<Dual> q = straight.q.cast<Dual>(), v = straight.v.cast<Dual>(), bias(model.nv());
  MatrixX<Dual> M(model.nv(), model.nv());
  const auto add = [&](Dual& coordinate, double value) {
    coordinate = Dual::variable(0.0, 2);
    mass_matrix(model, work, q, M);
    bias_forces(model, work, q, v, bias);
    for (int i = 0; i < model.nv(); ++i) {
      terms.bias[i] += value * bias[i].derivatives()[2];
      for (int j = 0; j < model.nv(); ++j) terms.M(i, j) += value * M(i, j).derivatives()[2];
    }
    coordinate = 0.0;
  };
  for (const Link& link : model.links())
    for (int i = 0; i < link.elastic_count; ++i) {
      add(q[link.elastic_q_index + i], state.q[link.elastic_q_index + i]);
      add(v[link.elastic_v_index + i], state.v[link.elastic_v_index + i]);
    }
  return terms;
}

std::vector<int> coordinates(const Model& model, bool elastic) {
  std::vector<int> list;
  for (const Link& link : model.links())
    for (int i = 0; i < (elastic ? link.elastic_count : link.joint.nv); ++i)
      list.push_back((elastic ? link.elastic_v_index : link.joint.v_index) + i);
  return list;
}

/// Errors of the blocks of M and bias: joints with joints, joints with elastic, elastic with elastic; joints, elastic.
std::array<double, 5> block_errors(const Model& model, const Terms& a, const Terms& b) {
  const std::vector<int> joints = coordinates(model, false), elastic = coordinates(model, true);
  const auto block = [&](const MatrixXd& x, const MatrixXd& y, const std::vector<int>& rows,
                         const std::vector<int>& columns) {
    if (rows.empty() || columns.empty()) return 0.0;
    return error(x(rows, columns), y(rows, columns));
  };
  const std::vector<int> one{0};
  return {block(a.M, b.M, joints, joints), block(a.M, b.M, joints, elastic),
          block(a.M, b.M, elastic, elastic), block(a.bias, b.bias, joints, one),
          block(a.bias, b.bias, elastic, one)};
}

TEST(DualScrew, ConsistentIsTheTaylorPolynomialOfTheSecondOrderModelInEveryBlock) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(seed);
    const Model model =
        build_model(reference::random_arm(seed, 1 + static_cast<int>(seed % 5), KinematicOrder::second));
    const Bent state = random_state(model, seed, 0.05);
    for (const double e :
         block_errors(model, dual_screw(model, {.consistent = true}, state), taylor(model, state)))
      EXPECT_LT(e, 1e-12);
  }
}

// As published, blocks of joints are; the others where no section turns about two axes.
TEST(DualScrew, AsPublishedIsTheTaylorPolynomialOfTheFirstOrderModelInBlocksOfJoints) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(seed);
    ModelDescription description =
        reference::random_arm(seed, 1 + static_cast<int>(seed % 5), KinematicOrder::first);
    const bool is_planar = seed % 2 == 0;
    if (is_planar)
      for (LinkDescription& link : description.links)
        if (link.beam) link.beam->modes.z.reset(), link.beam->modes.torsion.reset();
    if (reference::v_size(description) == 0) continue;
    const Model model = build_model(description);
    const Bent state = random_state(model, seed, 0.05);
    const auto errors = block_errors(model, dual_screw(model, {}, state), taylor(model, state));
    EXPECT_LT(errors[0], 1e-12);
    EXPECT_LT(errors[3], 1e-12);
    for (const double e : errors) EXPECT_TRUE(!is_planar || e < 1e-12) << e;
  }
}

// Against the crane bent in all directions: what is left falls by 4 where the first order is right, by 2 where a term of
// first order is missing: in elastic rows as published, 1/2 theta x Psi and the foreshortening.
TEST(DualScrew, ErrorsFallByFourWhenElasticStatesHalve) {
  const Model first = crane(), second = crane("_second");
  const Bent bent = scaled(first, random_state(first, 3, 0.02), 0.5), half = scaled(first, bent, 0.5);
  const auto ratios = [&](const Model& exact, const FormulationOptions& options) {
    const auto a = block_errors(first, dual_screw(first, options, bent), nonlinear(exact, bent));
    const auto b = block_errors(first, dual_screw(first, options, half), nonlinear(exact, half));
    std::array<double, 5> r{};
    for (std::size_t i = 0; i < r.size(); ++i) r[i] = a[i] / b[i];
    return r;
  };
  for (const double ratio : ratios(second, {.consistent = true})) EXPECT_NEAR(ratio, 4.0, 0.25);
  const auto published = ratios(first, {});
  for (const int i : {0, 3}) EXPECT_NEAR(published[static_cast<std::size_t>(i)], 4.0, 0.25);
  for (const int i : {1, 2, 4}) EXPECT_NEAR(published[static_cast<std::size_t>(i)], 2.0, 0.25);
}

// ---- the crane ----

TEST(DualScrew, GivesTheCranesStateA) {
  const Model model = crane("_normalize_none");
  VectorXd q = VectorXd::Zero(model.nq());
  const auto at = [&](const std::string& name) {
    return std::find(model.coordinates().begin(), model.coordinates().end(), name) -
           model.coordinates().begin();
  };
  q[at("joint2")] = pi / 6;
  q[at("joint3")] = 2 * pi / 3;
  q[at("joint4")] = pi / 6;
  const VectorXd zero = VectorXd::Zero(model.nv());
  const auto formulation = make_formulation(FormulationKind::dual_screw, model);
  EquationTerms terms;
  ASSERT_TRUE(formulation->equation_terms(q, zero, terms));
  EXPECT_NEAR(terms.mass_matrix(0, 0), 2012.44418, 5e-6);
  EXPECT_NEAR(terms.mass_matrix(1, 1), 3018.02719, 5e-6);
  EXPECT_NEAR(terms.mass_matrix.trace(), 13548.01346, 5e-6);
  EXPECT_NEAR(terms.gravity[1], -6883.095757, 6e-7);
  DynamicsOutput output;
  formulation->evaluate({q, zero, zero, {}}, output);
  EXPECT_NEAR(output.acceleration[at("joint2")], 13.61177707, 5e-9);
  EXPECT_NEAR(output.acceleration[at("joint3")], 22.98874317, 5e-9);
  EXPECT_NEAR(output.acceleration[at("joint4")], -4.281884183, 5e-9);
}

// The horizontal crane slewing at a constant rate, joints held: the squares of its frequencies without gyroscopic
// forces, from the stiffness of forces that are linear in the elastic states.
VectorXd slewing(const FormulationOptions& options, double rate) {
  const Model model = crane();
  TruncatedArm arm(model, options);
  const std::vector<int> elastic = coordinates(model, true);
  VectorXd q = VectorXd::Zero(model.nq()), v = q, at_rest, bent;
  q[1] = pi / 2;
  v[0] = rate;
  const VectorXd zero = VectorXd::Zero(model.nv());
  MatrixXd M(model.nv(), model.nv()), K = elastic_stiffness(model);
  arm.mass_matrix(q, M);
  arm.forces(q, v, zero, {}, at_rest);
  for (const int j : elastic) {
    q[j] = 1.0;
    arm.forces(q, v, zero, {}, bent);
    q[j] = 0.0;
    K.col(j) += bent - at_rest;
  }
  const MatrixXd K_ee = K(elastic, elastic), M_ee = M(elastic, elastic);
  const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> modes(0.5 * (K_ee + K_ee.transpose()), M_ee);
  return modes.eigenvalues();
}

TEST(DualScrew, IsBlindToStiffeningUnlessConsistent) {
  EXPECT_NEAR(std::sqrt(slewing({}, 5.0)[0]), 13.47, 0.005);
  EXPECT_NEAR(std::sqrt(slewing({.consistent = true}, 5.0)[0]), 13.86, 0.005);
  // Where it turns unstable as published: between two rates that differ by the last digit.
  EXPECT_GT(slewing({}, 23.4570)[0], 0.0);
  EXPECT_LT(slewing({}, 23.4575)[0], 0.0);
  EXPECT_GT(slewing({.consistent = true}, 23.457)[0], 300.0);
}

// ---- the fast implementation ----

TEST(LinearArm, GivesWhatTheTruncatedScalarGives) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    const Model model =
        build_model(reference::random_arm(seed, 1 + static_cast<int>(seed % 6), KinematicOrder::second));
    const Bent state = random_state(model, seed, 0.05);
    const VectorXd a = VectorXd::LinSpaced(model.nv(), -1.0, 2.0);
    std::vector<Load> loads;
    using Axes = Axes;
    for (std::size_t i = 0; i < model.links().size(); ++i)
      loads.push_back({.link = static_cast<int>(i),
                       .node = static_cast<int>(model.links()[i].nodes.size()) - 1,
                       .axes = std::array{Axes::world, Axes::body, Axes::section}[i % 3],
                       .force = {1.0, -2.0, 3.0},
                       .moment = {0.1, 0.2, 0.3},
                       .offset = {0.01, 0.05, -0.02}});
    for (const bool consistent : {false, true}) {
      SCOPED_TRACE(consistent);
      TruncatedArm truncated(model, {consistent, {}});
      LinearArm linear(model, consistent);
      MatrixXd M(model.nv(), model.nv()), M_linear;
      VectorXd tau, tau_linear;
      truncated.mass_matrix(state.q, M);
      linear.mass_matrix(state.q, M_linear);
      EXPECT_LT(error(M_linear, M), 1e-13);
      truncated.forces(state.q, state.v, a, loads, tau);
      linear.forces(state.q, state.v, a, loads, tau_linear);
      EXPECT_LT(error(tau_linear, tau), 1e-13);
      std::vector<Wrench> wrenches, wrenches_linear;
      truncated.wrenches(wrenches);
      linear.wrenches(wrenches_linear);
      for (std::size_t i = 0; i < wrenches.size(); ++i)
        EXPECT_LT(error(wrenches_linear[i].vector(), wrenches[i].vector()), 1e-12);
      // Both at once, with accelerations of joints only.
      VectorXd joints_only = a;
      for (const Link& link : model.links())
        joints_only.segment(link.elastic_v_index, link.elastic_count).setZero();
      truncated.forces(state.q, state.v, joints_only, loads, tau);
      linear.equations(state.q, state.v, joints_only, loads, M_linear, tau_linear);
      EXPECT_LT(error(MatrixXd(M_linear.triangularView<Eigen::Lower>()),
                      MatrixXd(M.triangularView<Eigen::Lower>())),
                1e-13);
      EXPECT_LT(error(tau_linear, tau), 1e-13);
    }
  }
}

// ---- the formulation ----

TEST(DualScrew, WithAllLinksNonlinearIsTheNonlinearModel) {
  const Model model = crane();
  const Bent state = random_state(model, 5, 0.02);
  for (const auto& [options, exact] : {std::pair(FormulationOptions{false, {1, 2}}, crane()),
                                       std::pair(FormulationOptions{true, {1, 2}}, crane("_second"))})
    for (const double e : block_errors(model, dual_screw(model, options, state), nonlinear(exact, state)))
      EXPECT_LT(e, 1e-12);
}

// One link exact: what is left is of second order in the other one's states alone.
TEST(DualScrew, KeepsAllOrdersOfNonlinearLinks) {
  const Model model = crane(), second = crane("_second");
  const Bent state = random_state(model, 5, 0.02);
  Bent only_link2 = state;
  only_link2.q.segment(model.links()[2].elastic_q_index, 6).setZero();
  only_link2.v.segment(model.links()[2].elastic_v_index, 6).setZero();
  for (const double e :
       block_errors(model, dual_screw(model, {true, {1}}, only_link2), nonlinear(second, only_link2)))
    EXPECT_LT(e, 1e-12);
  const auto partly = block_errors(model, dual_screw(model, {true, {1}}, state), nonlinear(second, state)),
             linear = block_errors(model, dual_screw(model, {true, {}}, state), nonlinear(second, state));
  EXPECT_GT(partly[0], 1e-9);
  EXPECT_LT(partly[0], linear[0]);
}

TEST(DualScrew, RefusesToTreatARigidLinkAsNonlinear) {
  EXPECT_THROW(make_formulation(FormulationKind::dual_screw, crane(), {false, {0}}), InputError);
  EXPECT_THROW(make_formulation(FormulationKind::dual_screw, crane(), {false, {7}}), InputError);
}

TEST(DualScrew, SolvesItsOwnEquations) {
  for (unsigned seed = 0; seed < 30; ++seed) {
    SCOPED_TRACE(seed);
    const ModelDescription description =
        reference::random_arm(seed, 1 + static_cast<int>(seed % 5), KinematicOrder::second);
    const Model model = build_model(description);
    const Bent state = random_state(model, seed, 0.001);
    const VectorXd tau = VectorXd::LinSpaced(model.nv(), -1.0, 1.0);
    const std::vector<Load> loads{{.link = static_cast<int>(model.links().size()) - 1,
                                   .axes = Axes::section,
                                   .force = {1.0, -2.0, 3.0},
                                   .moment = {0.1, 0.2, 0.3}}};
    for (const bool consistent : {false, true}) {
      const FormulationOptions options{consistent, {}};
      const auto formulation = make_formulation(FormulationKind::dual_screw, model, options);
      const DynamicsInput input{state.q, state.v, tau, loads};
      DynamicsOutput output, quick;
      formulation->evaluate(input, output);
      formulation->accelerate(input, quick);
      VectorXd missing;
      ASSERT_TRUE(formulation->missing_forces(input, output.acceleration, missing));
      EquationTerms terms;
      ASSERT_TRUE(formulation->equation_terms(state.q, state.v, terms));
      const double size = (terms.mass_matrix * output.acceleration).norm() + tau.norm();
      EXPECT_LT(missing.norm(), 1e-11 * size);
      EXPECT_LT((quick.acceleration - output.acceleration).norm(), 1e-9 * output.acceleration.norm());
      // What the first joint carries moves: its wrench does the first joint's part of the forces.
      const auto& joint = model.links()[0].joint;
      if (joint.type != JointType::revolute) continue;
      EXPECT_NEAR(output.wrenches[0].moment.dot(joint.axes[0]) + joint.armature * output.acceleration[0] +
                      joint.damping * state.v[0] + joint.stiffness * (state.q[0] - joint.rest),
                  tau[0], 1e-10 * size);
    }
  }
}

TEST(DualScrew, MovesPrescribedJointsAsTold) {
  const Model model = crane();
  const Bent state = random_state(model, 2, 0.005);
  VectorXd tau = VectorXd::LinSpaced(model.nv(), -100.0, 100.0);
  tau[1] = 0.0;
  const auto formulation = make_formulation(FormulationKind::dual_screw, model);
  formulation->prescribe({1});
  const DynamicsInput input{state.q, state.v, tau, {}};
  DynamicsOutput output;
  output.acceleration = VectorXd::Constant(model.nv(), 0.7);
  formulation->evaluate(input, output);
  EXPECT_DOUBLE_EQ(output.acceleration[1], 0.7);
  VectorXd efforts = tau, missing;
  formulation->prescribed_efforts(input, output, efforts);
  ASSERT_TRUE(formulation->missing_forces({state.q, state.v, efforts, {}}, output.acceleration, missing));
  EXPECT_LT(missing.norm(), 1e-10 * efforts.norm());
}

TEST(DualScrew, DoesNotUseTheHeapAfterSetUp) {
  const Model model = crane();
  const Bent state = random_state(model, 2, 0.002);
  const VectorXd tau = VectorXd::Zero(model.nv());
  const std::vector<Load> loads{{.link = 3, .force = {1.0, 2.0, 3.0}}};
  for (const bool consistent : {false, true}) {
    const auto formulation = make_formulation(FormulationKind::dual_screw, model, {consistent, {}});
    const DynamicsInput input{state.q, state.v, tau, loads};
    DynamicsOutput output;
    VectorXd missing(model.nv());
    formulation->evaluate(input, output);
    const test::AllocationCounter counter;
    formulation->accelerate(input, output);
    formulation->missing_forces(input, output.acceleration, missing);
    EXPECT_EQ(counter.count(), 0);
  }
}

// A deflection that grows: first a doubt, then an error that names the state.
TEST(DualScrew, DoubtsAndThenRefusesAMassMatrixThatLosesItsDefiniteness) {
  const Model model = crane();
  const int bent = model.links()[1].elastic_q_index;
  const VectorXd zero = VectorXd::Zero(model.nv());
  bool doubted = false;
  for (double deflection = 0.0; deflection < 20.0; deflection += 0.005) {
    VectorXd q = VectorXd::Zero(model.nq());
    q[1] = 1.0;
    q[2] = 2.0;
    q[bent] = deflection;
    const auto formulation = make_formulation(FormulationKind::dual_screw, model);
    DynamicsOutput output;
    try {
      formulation->evaluate({q, zero, zero, {}}, output);
    } catch (const ComputationError& failure) {
      EXPECT_TRUE(doubted);
      EXPECT_NE(std::string(failure.what()).find("`link2.y1` = "), std::string::npos) << failure.what();
      TruncatedArm arm(model, {});
      MatrixXd M(model.nv(), model.nv());
      arm.mass_matrix(q, M);
      EXPECT_FALSE(M.llt().info() == Eigen::Success);
      return;
    }
    const auto doubts = formulation->doubts();
    EXPECT_TRUE(!doubted || !doubts.empty());
    doubted = doubted || !doubts.empty();
  }
  FAIL() << "never indefinite";
}

}  // namespace
}  // namespace limber
