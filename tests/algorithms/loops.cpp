// SPDX-License-Identifier: BSD-3-Clause
// Closed loops against the kinematics of four-bars and slider-cranks by hand, Lagrange's equation of one freedom, difference quotients, and the published motion of Andrews' mechanism.

#include <gtest/gtest.h>

#include <cmath>

#include "four_bar.hpp"
#include "limber/algorithms/configuration.hpp"
#include "limber/algorithms/constraints.hpp"
#include "limber/algorithms/energy.hpp"
#include "limber/algorithms/forward_dynamics.hpp"
#include "limber/algorithms/loop_rank.hpp"
#include "limber/algorithms/mass_matrix.hpp"
#include "limber/analysis/derivatives.hpp"
#include "limber/analysis/equilibrium.hpp"
#include "limber/analysis/linearize.hpp"
#include "limber/analysis/modes.hpp"
#include "limber/core/input_error.hpp"
#include "limber/formulations/formulation.hpp"
#include "limber/model/builder.hpp"

namespace limber {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

VectorXd accelerations(const Model& model, FormulationKind kind, const VectorXd& q, const VectorXd& v,
                       const VectorXd& tau, DynamicsOutput* whole = nullptr) {
  const auto formulation = make_formulation(kind, model);
  DynamicsOutput output;
  formulation->evaluate({q, v, tau, {}}, output);
  if (whole) *whole = output;
  return output.acceleration;
}

TEST(Loops, AssembleAFourBarWhereItsCrankIs) {
  const Model model = four_bar();
  for (const double crank : {0.2, 1.0, 2.5, 4.0, 6.0}) {
    const VectorXd expected = configuration(crank);
    const VectorXd start = expected + Eigen::Vector3d(0.0, 0.2, -0.15);
    const VectorXd found = assemble(model, start, {0});
    EXPECT_NEAR((found - expected).norm(), 0.0, 1e-12) << crank;
  }
}

TEST(Loops, RefusePlacesThatCannotMeet) {
  ModelDescription description = four_bar().description();
  description.links[2].origin->xyz = {3.0, 0, 0};  // beyond 0.3 + 0.9 + 0.7
  const Model model = build_model(description);
  try {
    assemble(model, VectorXd::Zero(3));
    FAIL() << "it met";
  } catch (const InputError& error) {
    EXPECT_EQ(error.problems().front().path, "loops[0]");
    EXPECT_NE(error.problems().front().found.find("1.1 m"), std::string::npos) << error.what();
  }
}

// A coupler that a second loop pins where it is: nothing moves, and loops and joints are named. As a beam it bends, and may be braced.
TEST(Loops, RefuseAMechanismThatTheyLock) {
  const VectorXd q = configuration(1.0);
  const Vector3d tip(d_ + c_ * std::cos(q[2]), c_ * std::sin(q[2]), 0.0),
      middle = 0.5 * (tip + a_ * Vector3d(std::cos(1.0), std::sin(1.0), 0.0));
  ModelDescription description = four_bar().description();
  const LoopDescription brace{.name = "brace",
                              .type = LoopType::spherical,
                              .a = {.link = "coupler", .xyz = {-0.5 * b_, 0, 0}},
                              .b = {.link = "base", .xyz = middle}};
  description.loops.push_back(brace);
  try {
    assemble(build_model(description), q);
    FAIL() << "it moves";
  } catch (const InputError& error) {
    EXPECT_EQ(error.problems().front().path, "loops[1]");
    EXPECT_EQ(error.problems().front().found,
              "loops `pin` and `brace`, which lock joints `crank_joint`, `coupler_joint` and `rocker_joint`: "
              "nothing there can move");
  }
  // One that stands beside a mechanism that moves is named alone.
  ModelDescription beside = four_bar().description();
  LinkDescription post = beside.links[2];
  post.name = "post";
  beside.links.push_back(post);
  beside.loops.push_back({.name = "tie",
                          .type = LoopType::spherical,
                          .a = {.link = "post"},
                          .b = {.link = "base", .xyz = {d_ + c_, 0, 0}}});
  try {
    assemble(build_model(beside), VectorXd(Eigen::Vector4d(q[0], q[1], q[2], 0.0)));
    FAIL() << "it moves";
  } catch (const InputError& error) {
    ASSERT_EQ(error.problems().size(), 1U);
    EXPECT_EQ(error.problems().front().found,
              "loop `tie`, which locks joint `post_joint`: nothing there can move");
  }
  // What bends is a frame.
  LinkDescription& coupler = description.links[1];
  coupler.rigid.reset();
  coupler.beam.emplace();
  coupler.beam->length = b_;
  coupler.beam->section =
      SectionDescription{.EI_y = 50.0, .EI_z = 80.0, .GJ = 10.0, .EA = 1e5, .mass_per_length = 2.0};
  coupler.beam->modes.of(Direction::y).emplace().count = 3;
  description.loops[1].a = {.link = "coupler", .at = 0.5};
  const Model frame = build_model(description);
  VectorXd all = VectorXd::Zero(frame.nq());
  all.head(2) = q.head(2);
  all.tail(1) = q.tail(1);
  for (const LoopGap& gap : loop_gaps(frame, assemble(frame, all))) EXPECT_LT(gap.distance, 1e-9);
}

// In a plane linkage one axis of a universal joint cannot turn. The others can, and that is enough.
TEST(Loops, LetAJointBeStillWhereOthersMove) {
  ModelDescription description = four_bar().description();
  description.links[1].joint.type = JointType::universal;
  description.links[1].joint.axis.reset();
  description.links[1].joint.axes = {z_axis, Vector3d::UnitX()};
  const Model model = build_model(description);
  const VectorXd q = configuration(1.0),
                 found = assemble(model, VectorXd(Eigen::Vector4d(q[0], q[1], 0.0, q[2])));
  EXPECT_NEAR(found[2], 0.0, 1e-12);
  LoopRank rank(model);
  rank.update(found);
  EXPECT_EQ(rank.rank(), 3);
  EXPECT_TRUE(rank.locked().empty());
}

TEST(Loops, NameRowsThatSayTheSameTwice) {
  const Model model = four_bar();
  LoopSolver solver(model);
  solver.update(configuration(1.0), VectorXd::Zero(3));
  EXPECT_EQ(solver.rank(), 2);
  EXPECT_EQ(solver.redundant_rows(), (std::vector<std::string>{"pin.z", "pin.turn1", "pin.turn2"}));
  EXPECT_EQ(independent_joints(model, configuration(1.0)), std::vector<int>{0});
  EXPECT_EQ(independent_joints(model, configuration(1.0), {2}), std::vector<int>{2});
}

TEST(Loops, VelocitiesOfAFourBarAreThoseByHand) {
  const Model model = four_bar();
  for (const double crank : {0.2, 1.0, 2.5, 4.0, 6.0}) {
    VectorXd q = configuration(crank), v = Eigen::Vector3d(2.0, 0.3, -0.7);
    LoopSolver solver(model);
    solver.prescribe({0});
    ASSERT_TRUE(solver.close(q, v));
    const FourBar k = rates(crank);
    EXPECT_NEAR(v[0], 2.0, 0.0);
    EXPECT_NEAR(v[1], 2.0 * (k.coupler - 1.0), 1e-12);
    EXPECT_NEAR(v[2], 2.0 * k.rocker, 1e-12);
  }
}

// I x'' + I' x'^2 / 2 + V' = torque
TEST(Loops, AFourBarMovesByLagrangesEquationOfItsFreedom) {
  for (const LoopType type : {LoopType::revolute, LoopType::spherical}) {
    const Model model = four_bar(type);
    for (const FormulationKind kind :
         {FormulationKind::recursive, FormulationKind::dense, FormulationKind::dae})
      for (const double crank : {0.2, 1.0, 2.5, 4.0, 6.0}) {
        const double rate = 3.0, torque = 5.0;
        const FourBar k = rates(crank);
        const VectorXd v = rate * Eigen::Vector3d(1.0, k.coupler - 1.0, k.rocker);
        const VectorXd a = accelerations(model, kind, configuration(crank), v, Eigen::Vector3d(torque, 0, 0));
        const double expected =
            (torque - fine_slope(height_energy, crank) - 0.5 * fine_slope(inertia, crank) * rate * rate) /
            inertia(crank);
        EXPECT_NEAR(a[0], expected, 2e-9 * std::max(1.0, std::abs(expected))) << crank << name_of(kind);
      }
  }
}

TEST(Loops, StaticsOfAFourBarIsVirtualWork) {
  const Model model = four_bar();
  for (const double crank : {0.2, 1.0, 2.5, 4.0, 6.0}) {
    const Equilibrium found = static_equilibrium(model, configuration(crank));
    EXPECT_NEAR((found.q - configuration(crank)).norm(), 0.0, 1e-12);
    EXPECT_NEAR(found.efforts[0], fine_slope(height_energy, crank), 1e-9);
    EXPECT_NEAR(found.efforts[1], 0.0, 1e-12);
    EXPECT_NEAR(found.efforts[2], 0.0, 1e-12);
    const Equilibrium by_rocker =
        static_equilibrium(model, configuration(crank), {}, StaticModel::exact, {}, {"rocker_joint"});
    EXPECT_NEAR(by_rocker.efforts[2], found.efforts[0] / rates(crank).rocker, 1e-9);
    EXPECT_NEAR(by_rocker.efforts[0], 0.0, 1e-12);
  }
}

// A crank with a spring: omega^2 = (k + V'') / I at the place where k (x - rest) = -V'.
TEST(Loops, SmallMotionsOfAFourBarAreThoseOfItsFreedom) {
  ModelDescription description = four_bar().description();
  const double crank = 1.0, k = 80.0;
  description.links[0].joint.stiffness = k;
  description.links[0].joint.rest = crank + fine_slope(height_energy, crank) / k;
  const Model model = build_model(description);
  const double curvature =
      fine_slope([](double x) { return fine_slope(height_energy, x, 8e-3); }, crank, 8e-3);
  const double omega = std::sqrt((k + curvature) / inertia(crank));
  const NaturalModes modes = natural_modes(model, configuration(crank), JointTreatment::as_modelled);
  ASSERT_EQ(modes.angular_frequencies.size(), 1);
  EXPECT_NEAR(modes.angular_frequencies[0], omega, 1e-7 * omega);
  EXPECT_NEAR(modes.shapes(2, 0) / modes.shapes(0, 0), rates(crank).rocker, 1e-11);

  const LinearModel linear =
      linearize(model, {configuration(crank), VectorXd::Zero(3), VectorXd::Zero(3), {}},
                {"crank_joint", "rocker_joint"});
  ASSERT_EQ(linear.states, (std::vector<std::string>{"crank_joint", "crank_joint.rate"}));
  EXPECT_NEAR(linear.A(1, 0), -omega * omega, 2e-7 * omega * omega);
  EXPECT_NEAR(linear.B(1, 0), 1.0 / inertia(crank), 1e-11);
  EXPECT_NEAR(linear.B(1, 2), rates(crank).rocker / inertia(crank), 1e-11);
  EXPECT_NEAR(linear.C(1, 0), rates(crank).rocker, 1e-11);
}

// ---- a slider-crank, x = r cos + sqrt(l^2 - r^2 sin^2) ----

TEST(Loops, ASliderFollowsItsCrank) {
  constexpr double r = 0.15, l = 0.5, omega = 7.0;
  for (const LoopType type : {LoopType::spherical, LoopType::revolute, LoopType::point_on_line}) {
    ModelBuilder builder("slider_crank");
    builder.gravity({0, -g_, 0}).link("crank").revolute(z_axis).rigid(rod(r, 0.5));
    builder.link("rod").revolute(z_axis).rigid(rod(l, 1.0));
    if (type == LoopType::point_on_line) {
      builder.loop({.type = type, .axis = Vector3d::UnitX(), .a = {.link = "base"}, .b = {.link = "rod"}});
    } else {
      builder.link("slider", "base").prismatic(Vector3d::UnitX()).rigid(rod(0.0, 0.8, 0.01, {0, 0, 0}));
      LoopDescription pin{.type = type, .a = {.link = "rod"}, .b = {.link = "slider"}};
      builder.loop(pin);
    }
    const Model model = builder.build();
    for (const double angle : {0.3, 1.2, 2.9, 4.4}) {
      const double s = r * std::sin(angle);
      const double x = r * std::cos(angle) + std::sqrt(l * l - s * s);
      VectorXd q = VectorXd::Zero(model.nv()), v = q;
      q.head<2>() << angle, -angle;
      if (type != LoopType::point_on_line) q[2] = l;
      q = assemble(model, q, {0});
      const double rod_angle = std::asin(-s / l);
      EXPECT_NEAR(q[1], rod_angle - angle, 1e-12);
      v[0] = omega;
      LoopSolver solver(model);
      solver.prescribe({0});
      ASSERT_TRUE(solver.close(q, v));
      const auto place = [&](double at) {
        return r * std::cos(at) + std::sqrt(l * l - r * r * std::sin(at) * std::sin(at));
      };
      const auto formulation = make_formulation(FormulationKind::recursive, model);
      formulation->prescribe({0});
      DynamicsOutput output;
      output.acceleration = VectorXd::Zero(model.nv());
      formulation->accelerate({q, v, VectorXd::Zero(model.nv()), {}}, output);
      if (type != LoopType::point_on_line) {
        EXPECT_NEAR(q[2], x, 1e-12);
        EXPECT_NEAR(v[2], omega * fine_slope(place, angle), 1e-10);
        const double second = fine_slope([&](double at) { return fine_slope(place, at); }, angle);
        EXPECT_NEAR(output.acceleration[2], omega * omega * second, 1e-7);
      }
      const auto turned = [&](double at) { return std::asin(-r * std::sin(at) / l); };
      const double second = fine_slope([&](double at) { return fine_slope(turned, at); }, angle);
      EXPECT_NEAR(output.acceleration[1], omega * omega * second, 1e-7);
    }
  }
}

// ---- flexible and spatial ----

// A parallelogram boom with two links that bend, its head hung by a loop that is twisted in space, and a point on a line.
Model bent(LoopType type) {
  const SectionDescription section{.EI_y = 2e3, .EI_z = 3e3, .GJ = 1e3, .mass_per_length = 4.0};
  ModelBuilder builder("bent");
  builder.gravity({0.3, -g_, 0.5}).link("lower").revolute({0.1, 0.05, 1.0}).beam(1.5, section);
  builder.modes(Direction::y, 2).modes(Direction::z, 2).modes(Direction::torsion, 1);
  builder.link("head").joint({.type = JointType::universal, .axes = {{z_axis, Vector3d::UnitY()}}});
  builder.rigid(rod(0.4, 3.0)).tip({.mass = 2.0});
  builder.link("upper", "base").origin({0, 0.4, 0}).joint({.type = JointType::spherical}).beam(1.5, section);
  builder.modes(Direction::y, 2).modes(Direction::z, 1);
  builder.loop({.name = "eye",
                .type = type,
                .axis = type == LoopType::revolute || type == LoopType::point_on_line
                            ? std::optional<Vector3d>({0.2, 0.1, 1.0})
                            : std::nullopt,
                .a = {.link = "upper", .xyz = {0.02, 0.0, 0.01}},
                .b = {.link = "head", .xyz = {0.0, 0.01, 0.0}, .rpy = {0.0, 0.0, -1.5}}});
  return builder.build();
}

struct State {
  VectorXd q, v, tau;
};
State some_state(const Model& model) {
  VectorXd q = neutral_configuration(model), step(model.nv()), v(model.nv()), tau(model.nv());
  for (int i = 0; i < model.nv(); ++i) {
    step[i] = 0.02 * std::sin(1.7 * i + 0.3);
    v[i] = 0.5 * std::cos(2.3 * i + 0.1);
    tau[i] = 3.0 * std::sin(0.9 * i + 1.0);
  }
  step[model.links()[1].joint.v_index] = 1.5;  // the head stands up
  VectorXd moved(model.nq());
  displace(model, q, step, moved);
  moved = assemble(model, moved);
  LoopSolver(model).close(moved, v);
  return {moved, v, tau};
}

class OfEveryType : public testing::TestWithParam<LoopType> {};

// c, A v and A a + gamma along a motion q(t): differences of fourth order.
TEST_P(OfEveryType, RowsAreThoseOfTheMotion) {
  const Model model = bent(GetParam());
  const State state = some_state(model);
  Workspace<double> work(model);
  LoopEquations<double> here, there;
  loop_equations<double>(model, work, state.q, state.v, here);
  const VectorXd rate = here.A * state.v, second = here.bias;
  const auto gaps = [&](double t, bool of_rates) {
    VectorXd q(model.nq());
    displace(model, state.q, t * state.v, q);  // constant body velocity
    loop_equations<double>(model, work, q, state.v, there);
    return VectorXd(of_rates ? VectorXd(there.A * state.v) : there.gaps);
  };
  const double rates_size = state.v.lpNorm<Eigen::Infinity>(), h = 1e-3 / rates_size;
  for (const bool of_rates : {false, true}) {
    const VectorXd difference =
        (8 * (gaps(h, of_rates) - gaps(-h, of_rates)) - (gaps(2 * h, of_rates) - gaps(-2 * h, of_rates))) /
        (12 * h);
    EXPECT_LT((difference - (of_rates ? second : rate)).lpNorm<Eigen::Infinity>(),
              1e-9 * rates_size * rates_size)
        << of_rates;
  }
}

TEST_P(OfEveryType, FormulationsAgreeAndKeepLoopsClosed) {
  const Model model = bent(GetParam());
  const State state = some_state(model);
  Workspace<double> work(model);
  LoopEquations<double> rows;
  loop_equations<double>(model, work, state.q, state.v, rows);
  EXPECT_LT(rows.gaps.lpNorm<Eigen::Infinity>(), 1e-12);
  EXPECT_LT((rows.A * state.v).lpNorm<Eigen::Infinity>(), 1e-12);
  DynamicsOutput recursive, dense, dae;
  accelerations(model, FormulationKind::recursive, state.q, state.v, state.tau, &recursive);
  accelerations(model, FormulationKind::dense, state.q, state.v, state.tau, &dense);
  accelerations(model, FormulationKind::dae, state.q, state.v, state.tau, &dae);
  const double size = recursive.acceleration.norm();
  EXPECT_LT((dense.acceleration - recursive.acceleration).norm(), 1e-9 * size);
  EXPECT_LT((dae.acceleration - recursive.acceleration).norm(), 1e-9 * size);
  for (std::size_t i = 0; i < recursive.wrenches.size(); ++i)
    EXPECT_LT((dae.wrenches[i].vector() - recursive.wrenches[i].vector()).norm(),
              1e-8 * recursive.wrenches[i].vector().norm());
  EXPECT_LT((rows.A * recursive.acceleration + rows.bias).lpNorm<Eigen::Infinity>(), 1e-9 * size);
  // Loops do no work: M a + h - tau is A^T lambda.
  const VectorXd left = required_forces(model, state.q, state.v, recursive.acceleration) - state.tau;
  const MatrixXd A_transposed = rows.A.transpose();
  const VectorXd lambda = A_transposed.colPivHouseholderQr().solve(left);
  EXPECT_LT((A_transposed * lambda - left).norm(), 1e-8 * left.norm());
}

// How accelerations change: by differences of what the formulation finds.
TEST_P(OfEveryType, TheTangentIsThatOfAccelerations) {
  const Model model = bent(GetParam());
  const State state = some_state(model);
  const int nv = model.nv();
  const auto formulation = make_formulation(FormulationKind::recursive, model);
  const auto found = [&](const VectorXd& dq, const VectorXd& dv) {
    VectorXd q(model.nq());
    displace(model, state.q, dq, q);
    DynamicsOutput output;
    formulation->accelerate({q, state.v + dv, state.tau, {}}, output);
    return output.acceleration;
  };
  const VectorXd zero = VectorXd::Zero(nv), a = found(zero, zero), lambda = formulation->loop_multipliers();
  MatrixXd M(nv, nv);
  Workspace<double> work(model);
  mass_matrix(model, work, state.q, M);
  const ForceDerivatives force = force_derivatives(model, state.q, state.v, a);
  MatrixXd K = elastic_stiffness(model) + force.dq, C = damping_matrix(model) + force.dv;
  LoopSolver solver(model);
  solver.constrain_tangent(state.q, state.v, a, lambda, C, K);
  const Eigen::LLT<MatrixXd> factor(M);
  const MatrixXd by_q = -factor.solve(K), by_v = -factor.solve(C);
  const double h = 2e-4;
  for (int i = 0; i < nv; ++i) {
    const VectorXd e = VectorXd::Unit(nv, i);
    const auto slope_along = [&](bool of_v) {
      const auto at = [&](double x) { return of_v ? found(zero, x * e) : found(x * e, zero); };
      return VectorXd((8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h));
    };
    EXPECT_LT((slope_along(false) - by_q.col(i)).norm(), 1e-5 * (by_q.norm() + 1.0)) << i;
    EXPECT_LT((slope_along(true) - by_v.col(i)).norm(), 1e-6 * (by_v.norm() + 1.0)) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Loops, OfEveryType,
                         testing::Values(LoopType::revolute, LoopType::spherical, LoopType::fixed,
                                         LoopType::point_on_line));

// ---- frames of beams ----

Model held_beam(LoopType type, int shapes) {
  const SectionDescription section{.EI_y = 50.0, .EI_z = 80.0, .GJ = 10.0, .mass_per_length = 2.0};
  ModelBuilder builder("held");
  builder.gravity(Vector3d::Zero()).kinematics(KinematicOrder::first).link("beam").fixed().beam(2.0, section);
  builder.modes(Direction::y, shapes);
  LoopDescription end{
      .name = "end", .type = type, .a = {.link = "beam"}, .b = {.link = "base", .xyz = {2.0, 0, 0}}};
  builder.loop(end);
  return builder.build();
}

// By 0.1 m of its 2 m, but not by 1.5 m.
TEST(Loops, BendABeamALittleToMeet) {
  ModelDescription description = held_beam(LoopType::spherical, 3).description();
  description.loops[0].b.xyz = {2.0, 0.1, 0.0};
  const Model near = build_model(description);
  EXPECT_LT(loop_gaps(near, assemble(near, VectorXd::Zero(3))).front().distance, 1e-9);
  description.loops[0].b.xyz = {2.0, 1.5, 0.0};
  try {
    assemble(build_model(description), VectorXd::Zero(3));
    FAIL() << "it met";
  } catch (const InputError& error) {
    EXPECT_NE(error.problems().front().found.find("1.5 m"), std::string::npos) << error.what();
  }
}

// Clamped at both ends cosh x cos x = 1, and pinned at one tanh x = tan x.
TEST(Loops, CloseABeamToOneThatIsHeldAtBothEnds) {
  const double unit = std::sqrt(80.0 / (2.0 * std::pow(2.0, 4)));
  const NaturalModes clamped = natural_modes(held_beam(LoopType::fixed, 5), VectorXd::Zero(5));
  ASSERT_EQ(clamped.angular_frequencies.size(), 3);
  EXPECT_NEAR(clamped.angular_frequencies[0] / unit, std::pow(4.730040744862704, 2), 1e-9);
  EXPECT_NEAR(clamped.angular_frequencies[1] / unit, std::pow(7.853204624095838, 2), 1e-8);
  const NaturalModes pinned = natural_modes(held_beam(LoopType::spherical, 8), VectorXd::Zero(8));
  ASSERT_EQ(pinned.angular_frequencies.size(), 7);
  EXPECT_NEAR(pinned.angular_frequencies[0] / unit, std::pow(3.926602312047919, 2), 1e-4);
}

// A beam held at both ends under its weight: q L^4 / (384 EI) at the middle, and half of the weight at each end.
TEST(Loops, SettleABeamThatIsHeldAtBothEnds) {
  ModelDescription description = held_beam(LoopType::fixed, 8).description();
  description.gravity = {0, -g_, 0};
  const Model model = with_node(build_model(description), 0, 0.5);
  const Equilibrium found = static_equilibrium(model, VectorXd::Zero(8));
  EXPECT_TRUE(found.stable);
  const BeamNode& middle = model.links()[0].nodes[static_cast<std::size_t>(node_index(model, 0, 0.5))].field;
  const double sag = (middle.Phi * found.q)[1];
  EXPECT_NEAR(sag, -2.0 * g_ * std::pow(2.0, 4) / (384 * 80.0), 5e-6);
  DynamicsOutput output;
  const auto formulation = make_formulation(FormulationKind::recursive, model);
  formulation->evaluate({found.q, VectorXd::Zero(8), VectorXd::Zero(8), {}}, output);
  EXPECT_LT(output.acceleration.norm(), 1e-8);
  LoopSolver solver(model);
  solver.update(found.q, VectorXd::Zero(8));
  const LoopForce force = solver.forces_of(formulation->loop_multipliers()).front();
  EXPECT_NEAR(force.force.y(), -0.5 * 4.0 * g_, 1e-8);  // by the beam on the ground
  EXPECT_NEAR(output.wrenches[0].force.y(), 0.5 * 4.0 * g_, 1e-8);
}

// ---- Bricard's mechanism: five rods along the edges of a cube, six hinges square to their neighbours (IFToMM benchmark of redundant constraints) ----

Model bricard() {
  const Vector3d x = Vector3d::UnitX(), y = Vector3d::UnitY(), z = Vector3d::UnitZ();
  const Vector3d axes[] = {y, z, x, y, z}, ways[] = {x, -y, z, -x, y};
  ModelBuilder builder("bricard");
  builder.gravity({0, -g_, 0});
  for (int i = 0; i < 5; ++i) {
    RigidDescription body;
    body.mass = 1.0;
    body.com = 0.5 * ways[i];
    body.inertia << (Vector3d::Ones() - ways[i].cwiseAbs()) / 12.0 + 1e-5 * ways[i].cwiseAbs(), 0, 0, 0;
    body.tip.xyz = ways[i];
    builder.link("rod" + std::to_string(i + 1)).revolute(axes[i]).rigid(body);
  }
  builder.loop({.name = "last",
                .type = LoopType::revolute,
                .axis = x,
                .a = {.link = "base", .xyz = {0, 0, 1}},
                .b = {.link = "rod5"}});
  return builder.build();
}

// By counting freedoms it is a truss: five joints and five rows. One of these follows from the others wherever it goes, and it moves.
TEST(Loops, BricardsMechanismMovesAlthoughCountingSaysItCannot) {
  const Model model = bricard();
  VectorXd q = VectorXd::Zero(5), v = VectorXd::Zero(5);
  const auto formulation = make_formulation(FormulationKind::recursive, model);
  LoopSolver solver(model);
  Workspace<double> work(model);
  DynamicsOutput output;
  const auto acceleration = [&](const VectorXd& at, const VectorXd& rate) {
    formulation->accelerate({at, rate, VectorXd::Zero(5), {}}, output);
    return output.acceleration;
  };
  const auto stored = [&] {
    const Energy<double> energy = limber::energy<double>(model, work, q, v);
    return energy.kinetic + energy.gravity;
  };
  const double at_start = stored(), h = 1e-3;
  double fastest = 0.0;
  for (int i = 0; i < 2000; ++i) {
    const VectorXd k1 = acceleration(q, v), v2 = v + 0.5 * h * k1, k2 = acceleration(q + 0.5 * h * v, v2);
    const VectorXd v3 = v + 0.5 * h * k2, k3 = acceleration(q + 0.5 * h * v2, v3);
    const VectorXd v4 = v + h * k3, k4 = acceleration(q + h * v3, v4);
    q += h / 6.0 * (v + 2.0 * v2 + 2.0 * v3 + v4);
    v += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
    ASSERT_TRUE(solver.close(q, v)) << i;
    fastest = std::max(fastest, v.lpNorm<Eigen::Infinity>());
    if (i % 100 != 0) continue;
    solver.update(q, v);
    ASSERT_EQ(solver.rank(), 4) << i;
    ASSERT_EQ(solver.redundant_rows().size(), 1U) << i;
  }
  EXPECT_GT(fastest, 1.0);
  EXPECT_NEAR(stored(), at_start, 1e-6);
  for (const LoopGap& gap : loop_gaps(model, q)) EXPECT_LT(gap.distance + gap.angle, 1e-10);
}

// ---- Andrews' squeezing mechanism: Hairer and Wanner, Solving ODEs II, VII.7; test set for IVP solvers (Bari) ----

struct Andrews {
  static constexpr double xa = -.06934, ya = -.00227, xb = -.03635, yb = .03273, xc = .014, yc = .072,
                          c0 = 4530;
  static constexpr double d = 28e-3, da = 115e-4, e = 2e-2, ea = 1421e-5, rr = 7e-3, ra = 92e-5, l0 = 7785e-5;
  static constexpr double ss = 35e-3, sa = 1874e-5, sb = 1043e-5, sc = 18e-3, sd = 2e-2, ta = 2308e-5,
                          tb = 916e-5;
  static constexpr double u = 4e-2, ua = 1228e-5, ub = 449e-5, zf = 2e-2, zt = 4e-2, fa = 1421e-5,
                          mom = 33e-3;

  static RigidDescription body(double mass, double inertia, const Vector3d& com, const Vector3d& tip) {
    RigidDescription result;
    result.mass = mass;
    result.com = com;
    result.inertia << inertia, inertia, inertia, 0, 0, 0;
    result.tip.xyz = tip;
    return result;
  }
  static Model model() {
    ModelBuilder arm("andrews");
    arm.gravity(Vector3d::Zero());
    arm.link("K1").revolute(z_axis).rigid(body(.04325, 2.194e-6, {ra, 0, 0}, {rr, 0, 0}));
    arm.link("K2").revolute(z_axis).rigid(body(.00365, 4.410e-7, {-da, 0, 0}, {-d, 0, 0}));
    arm.link("K3", "base")
        .origin({xb, yb, 0})
        .revolute(z_axis)
        .rigid(body(.02373, 5.255e-6, {sa, sb, 0}, {0, -ss, 0}));
    arm.link("K5", "base")
        .origin({xa, ya, 0})
        .revolute(z_axis)
        .rigid(body(.07050, 1.169e-5, {ta, tb, 0}, {zt, 0, 0}));
    arm.link("K4").revolute(z_axis).rigid(body(.00706, 5.667e-7, {0, -(e - ea), 0}, {0, -e, 0}));
    arm.link("K7", "base")
        .origin({xa, ya, 0})
        .revolute(z_axis)
        .rigid(body(.05498, 1.912e-5, {ua, ub, 0}, {0, -u, 0}));
    arm.link("K6").revolute(z_axis).rigid(body(.00706, 5.667e-7, {zf - fa, 0, 0}, {zf, 0, 0}));
    for (const char* other : {"K3", "K4", "K6"})
      arm.loop({.name = std::string("P_") + other,
                .type = LoopType::spherical,
                .a = {.link = "K2"},
                .b = {.link = other}});
    return arm.build();
  }
  // The drive on K1, and the spring from K3 to the ground, as what they do to the joints.
  static VectorXd torques(const VectorXd& q) {
    const double co = std::cos(q[2]), si = std::sin(q[2]);
    const double x = sd * co + sc * si + xb - xc, y = sd * si - sc * co + yb - yc, length = std::hypot(x, y);
    const double force = -c0 * (length - l0) / length;
    VectorXd tau = VectorXd::Zero(7);
    tau[0] = mom;
    tau[2] = force * (x * (sc * co - sd * si) + y * (sd * co + sc * si));
    return tau;
  }
};

TEST(Loops, AndrewsMechanismMovesAsPublished) {
  const Model model = Andrews::model();
  // beta, Theta, gamma, delta, Phi, epsilon, Omega
  VectorXd q(7), v = VectorXd::Zero(7);
  q << -0.0617138900142764496, 0.0, 0.455279819163070380, 0.487364979543842550, 0.222668390165885884,
      1.23054744454982119, -0.222668390165885884;
  for (const LoopGap& gap : loop_gaps(model, q)) EXPECT_LT(gap.distance, 1e-15);
  const auto formulation = make_formulation(FormulationKind::recursive, model);
  LoopSolver solver(model);
  DynamicsOutput output;
  const auto acceleration = [&](const VectorXd& at, const VectorXd& rate) {
    formulation->accelerate({at, rate, Andrews::torques(at), {}}, output);
    return output.acceleration;
  };
  const int steps = 6000;
  const double h = 0.03 / steps;
  for (int i = 0; i < steps; ++i) {
    const VectorXd k1 = acceleration(q, v), v2 = v + 0.5 * h * k1, k2 = acceleration(q + 0.5 * h * v, v2);
    const VectorXd v3 = v + 0.5 * h * k2, k3 = acceleration(q + 0.5 * h * v2, v3);
    const VectorXd v4 = v + h * k3, k4 = acceleration(q + h * v3, v4);
    q += h / 6.0 * (v + 2.0 * v2 + 2.0 * v3 + v4);
    v += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
    ASSERT_TRUE(solver.close(q, v));
  }
  const double published[] = {0.1581077e2, -0.1575637e2, 0.4082224e-1, 0.5244100,
                              -0.5347301,  0.1048081e1,  0.5347301};
  for (int i = 0; i < 7; ++i)
    EXPECT_NEAR(q[i], published[i],
                1.01 * 0.5e-6 * std::pow(10.0, std::ceil(std::log10(std::abs(published[i])))))
        << i;
}

}  // namespace
}  // namespace limber
