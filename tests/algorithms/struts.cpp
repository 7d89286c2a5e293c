// SPDX-License-Identifier: BSD-3-Clause
// Cylinders against moments about a pivot by hand, difference quotients, Lagrange's equation of one freedom, and the same forces as loads.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "limber/algorithms/configuration.hpp"
#include "limber/algorithms/forward_dynamics.hpp"
#include "limber/algorithms/inverse_dynamics.hpp"
#include "limber/algorithms/jacobian.hpp"
#include "limber/algorithms/kinematics.hpp"
#include "limber/algorithms/mass_matrix.hpp"
#include "limber/algorithms/struts.hpp"
#include "limber/analysis/derivatives.hpp"
#include "limber/analysis/equilibrium.hpp"
#include "limber/analysis/linearize.hpp"
#include "limber/analysis/modes.hpp"
#include "limber/analysis/section_forces.hpp"
#include "limber/analysis/zeros.hpp"
#include "limber/core/computation_error.hpp"
#include "limber/core/input_error.hpp"
#include "limber/formulations/formulation.hpp"
#include "limber/model/builder.hpp"

namespace limber {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

constexpr double g = 9.81;

RigidDescription rod(double length, double mass) {
  const double inertia = mass * length * length / 12.0;
  RigidDescription body;
  body.mass = mass;
  body.com = {0.5 * length, 0, 0};
  body.inertia << 1e-3, inertia, inertia, 0, 0, 0;
  body.tip.xyz = {length, 0, 0};
  return body;
}

SectionDescription tube() { return {.EI_y = 4e5, .EI_z = 4e5, .GJ = 3e5, .mass_per_length = 30.0}; }

// ---- a boom in the plane y = 0, its pivot at the origin, lifted about -y: foot and eye of its cylinder ----

constexpr double length = 3.0, mass = 120.0, payload = 80.0;
const Vector3d foot(0.4, 0, -1.1), eye(-1.9, 0, -0.1);  // the eye in the tip's frame

CylinderDescription lift(double stiffness = 0.0, double rest = 0.0, double damping = 0.0) {
  return {.name = "lift",
          .from = {.link = "base", .xyz = foot},
          .to = {.link = "boom", .xyz = eye},
          .stiffness = stiffness,
          .rest = rest,
          .damping = damping};
}

Model rigid_boom(const CylinderDescription& cylinder) {
  ModelBuilder builder("boom");
  builder.gravity({0, 0, -g}).link("boom").revolute({0, -1, 0}).rigid(rod(length, mass));
  TipDescription tip;
  tip.mass = payload;
  builder.tip(tip);
  return builder.cylinder(cylinder).build();
}

// By hand, at an angle above the horizontal.
struct ByHand {
  double l, arm;  // length, and distance of its line from the pivot: dl/d(angle)
  double moment;  // of weights
};
ByHand by_hand(double angle) {
  const double x = length + eye.x(), z = eye.z();
  const double px = x * std::cos(angle) - z * std::sin(angle), pz = x * std::sin(angle) + z * std::cos(angle);
  const double dx = px - foot.x(), dz = pz - foot.z(), l = std::hypot(dx, dz);
  // r x e about -y: z px' - ...
  return {l, (px * dz - pz * dx) / l, g * std::cos(angle) * (0.5 * length * mass + length * payload)};
}

TEST(Cylinders, HoldABoomWithTheForceOfTheMomentBalance) {
  const Model boom = rigid_boom(lift());
  for (int k = 0; k < 10; ++k) {
    const double angle = -0.5 + 0.15 * k;
    const ByHand hand = by_hand(angle);
    const Equilibrium found = static_equilibrium(boom, VectorXd::Constant(1, angle));
    EXPECT_EQ(found.q[0], angle);
    EXPECT_NEAR(found.drives[0], hand.moment / hand.arm, 1e-12 * hand.moment / hand.arm) << angle;
    EXPECT_NEAR(found.efforts[0], 0.0, 1e-12 * hand.moment);
    EXPECT_TRUE(found.stable);
  }
  // The joint's own motor holds where it is asked to.
  const Equilibrium held =
      static_equilibrium(boom, VectorXd::Constant(1, 0.3), {}, StaticModel::exact, {}, {"boom_joint"});
  EXPECT_EQ(held.drives[0], 0.0);
  EXPECT_NEAR(held.efforts[0], by_hand(0.3).moment, 1e-9);
}

TEST(Cylinders, LengthRateAndForceAreThoseByHand) {
  const Model boom = rigid_boom(lift(5e4, 1.2, 300.0));
  Struts struts(boom);
  const double angle = 0.4, rate = -0.7;
  struts.update(VectorXd::Constant(1, angle), VectorXd::Constant(1, rate));
  const ByHand hand = by_hand(angle);
  EXPECT_NEAR(struts.lengths()[0], hand.l, 1e-14);
  EXPECT_NEAR(struts.rates()[0], hand.arm * rate, 1e-14);
  EXPECT_NEAR(struts.jacobian()(0, 0), hand.arm, 1e-14);
  EXPECT_NEAR(struts.passive_forces()[0], -5e4 * (hand.l - 1.2) - 300.0 * hand.arm * rate, 1e-9);
  EXPECT_NEAR(struts.energy(), 0.5 * 5e4 * std::pow(hand.l - 1.2, 2), 1e-9);
  EXPECT_NEAR(struts.dissipation(), 300.0 * std::pow(hand.arm * rate, 2), 1e-11);
}

// ---- in space, with beams: one strut from the ground to a beam, one between two links ----

Model spatial_arm(double stiffness = 3e3, double damping = 40.0) {
  ModelBuilder builder("spatial");
  builder.gravity({0, 0, -g});
  builder.link("column").revolute({0, 0, 1}).rigid(rod(0.5, 20.0));
  builder.link("boom").origin({0, 0, 0.2}).revolute({0, -1, 0}).beam(2.0, tube());
  builder.modes(Direction::y, 2).modes(Direction::z, 2);
  builder.link("jib").revolute({0, -1, 0}).beam(1.5, tube()).modes(Direction::z, 2);
  TipDescription tip;
  tip.mass = 15.0;
  builder.tip(tip);
  builder.cylinder({.name = "lift",
                    .from = {.link = "base", .xyz = {0.3, 0.2, -0.8}},
                    .to = {.link = "boom", .at = 0.4, .xyz = {0, 0.05, -0.1}},
                    .stiffness = stiffness,
                    .rest = 1.0,
                    .damping = damping});
  builder.cylinder({.name = "fold",
                    .from = {.link = "boom", .at = 0.6, .xyz = {0, 0, 0.15}},
                    .to = {.link = "jib", .at = 0.3, .xyz = {0, 0.02, 0.1}},
                    .stiffness = 0.5 * stiffness,
                    .rest = 0.9,
                    .damping = damping});
  return builder.build();
}

VectorXd some(int size, double scale, double phase) {
  VectorXd values(size);
  for (int i = 0; i < size; ++i) values[i] = scale * std::sin(1.7 * i + phase);
  return values;
}
VectorXd bent(const Model& model) {
  VectorXd q = some(model.nq(), 0.02, 0.4);
  q[0] = 0.3;
  return q;
}

VectorXd lengths_at(const Model& model, const VectorXd& q) {
  Struts struts(model);
  struts.update(q, VectorXd::Zero(model.nv()));
  return struts.lengths();
}

TEST(Cylinders, JacobianIsTheDerivativeOfLengths) {
  const Model model = spatial_arm();
  const VectorXd q = bent(model), v = some(model.nv(), 0.3, 1.1);
  Struts struts(model);
  struts.update(q, v);
  const MatrixXd J = struts.jacobian();
  EXPECT_LT((struts.rates() - J * v).norm(), 1e-13);
  constexpr double h = 1e-5;
  MatrixXd differences(2, model.nv());
  for (int i = 0; i < model.nv(); ++i) {
    const VectorXd step = h * VectorXd::Unit(model.nv(), i);
    differences.col(i) = (lengths_at(model, q + step) - lengths_at(model, q - step)) / (2 * h);
  }
  EXPECT_LT((J - differences).cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_GT(J.row(0).cwiseAbs().maxCoeff(), 0.1);
}

VectorXd acceleration_of(FormulationKind kind, const Model& model, const VectorXd& q, const VectorXd& v,
                         const VectorXd& tau, const VectorXd& drives) {
  DynamicsOutput output;
  output.acceleration = VectorXd::Zero(model.nv());
  make_formulation(kind, model)->evaluate({q, v, tau, {}, &drives}, output);
  return output.acceleration;
}

TEST(Cylinders, ActByTheTransposedJacobianInEveryFormulation) {
  const Model model = spatial_arm();
  ModelDescription without = model.description();
  without.cylinders.clear();
  const Model plain = build_model(without);
  const VectorXd q = bent(model), v = some(model.nv(), 0.3, 1.1), tau = some(model.nv(), 20.0, 0.2);
  const VectorXd drives = Eigen::Vector2d(700.0, -250.0);
  Struts struts(model);
  struts.update(q, v);
  // A second way: generalised forces on the arm without cylinders.
  Workspace<double> work(plain);
  VectorXd expected(model.nv());
  forward_dynamics(plain, work, q, v, VectorXd(tau + struts.jacobian().transpose() * struts.forces(drives)),
                   expected);
  for (const auto kind : {FormulationKind::recursive, FormulationKind::dense, FormulationKind::dae})
    EXPECT_LT((acceleration_of(kind, model, q, v, tau, drives) - expected).norm(), 1e-9 * expected.norm())
        << name_of(kind);
  EXPECT_GT((acceleration_of(FormulationKind::recursive, model, q, v, tau, drives) -
             acceleration_of(FormulationKind::recursive, plain, q, v, tau, {}))
                .norm(),
            1.0);
  EXPECT_THROW(make_formulation(FormulationKind::dual_screw, model), InputError);
  EXPECT_THROW(make_formulation(FormulationKind::generated, model), InputError);
}

// What is missing at an acceleration is what implicit integrators drive to zero.
TEST(Cylinders, MissingForcesVanishAtTheirOwnAcceleration) {
  const Model model = spatial_arm();
  const VectorXd q = bent(model), v = some(model.nv(), 0.3, 1.1), tau = some(model.nv(), 20.0, 0.2),
                 drives = Eigen::Vector2d(700.0, -250.0);
  const VectorXd a = acceleration_of(FormulationKind::recursive, model, q, v, tau, drives);
  const auto recursive = make_formulation(FormulationKind::recursive, model);
  VectorXd missing;
  ASSERT_TRUE(recursive->missing_forces({q, v, tau, {}, &drives}, a, missing));
  Workspace<double> work(model);
  MatrixXd M(model.nv(), model.nv());
  mass_matrix(model, work, q, M);
  EXPECT_LT(missing.norm(), 1e-12 * (M.cwiseAbs() * a.cwiseAbs()).norm());
}

TEST(Cylinders, LinearModelIsTheDerivativeOfAccelerations) {
  const Model model = spatial_arm();
  const int nv = model.nv();
  const VectorXd q = bent(model), v = some(nv, 0.3, 1.1), tau = some(nv, 20.0, 0.2);
  const VectorXd drives = Eigen::Vector2d(700.0, -250.0);
  const LinearModel linear =
      linearize(model, {q, v, tau, {}, drives}, {"lift", "fold", "lift.rate", "fold.rate"});
  ASSERT_EQ(linear.inputs.size(), 5u);
  EXPECT_EQ(linear.inputs[3], "lift");
  const auto acceleration = [&](const VectorXd& at_q, const VectorXd& at_v, const VectorXd& with) {
    return acceleration_of(FormulationKind::recursive, model, at_q, at_v, tau, with);
  };
  constexpr double h = 1e-5;
  const double size = linear.A.bottomRows(nv).cwiseAbs().maxCoeff();
  for (int i = 0; i < nv; ++i) {
    const VectorXd step = h * VectorXd::Unit(nv, i);
    const VectorXd by_q = (acceleration(q + step, v, drives) - acceleration(q - step, v, drives)) / (2 * h);
    const VectorXd by_v = (acceleration(q, v + step, drives) - acceleration(q, v - step, drives)) / (2 * h);
    EXPECT_LT((linear.A.col(i).tail(nv) - by_q).norm(), 1e-7 * size) << i;
    EXPECT_LT((linear.A.col(nv + i).tail(nv) - by_v).norm(), 1e-7 * size) << i;
  }
  for (int k = 0; k < 2; ++k) {
    const VectorXd more = drives + VectorXd::Unit(2, k);
    EXPECT_LT((linear.B.col(3 + k).tail(nv) - (acceleration(q, v, more) - acceleration(q, v, drives))).norm(),
              1e-8);
  }
  Struts struts(model);
  struts.update(q, v);
  EXPECT_LT((linear.C.topLeftCorner(2, nv) - struts.jacobian()).norm(), 1e-13);
  EXPECT_LT((linear.C.bottomRightCorner(2, nv) - struts.jacobian()).norm(), 1e-13);
  for (int i = 0; i < nv; ++i) {  // rates by q
    const VectorXd step = h * VectorXd::Unit(nv, i);
    struts.update(q + step, v);
    const VectorXd ahead = struts.rates();
    struts.update(q - step, v);
    EXPECT_LT((linear.C.col(i).tail(2) - (ahead - struts.rates()) / (2 * h)).norm(), 1e-8) << i;
  }
}

// ---- a pendulum on a spring: one freedom, V(angle) by hand ----

TEST(Cylinders, SmallOscillationsOfASpringAreThoseOfItsPotential) {
  constexpr double k = 2e4, rest = 1.0, damping = 120.0;
  const Model boom = rigid_boom(lift(k, rest, damping));
  // Statics finds where the spring carries the boom.
  const Equilibrium settled = static_equilibrium(boom, VectorXd::Constant(1, -0.2));
  const double angle = settled.q[0];
  const ByHand hand = by_hand(angle);
  EXPECT_NEAR(-k * (hand.l - rest) * hand.arm, hand.moment, 1e-8 * hand.moment);
  EXPECT_EQ(settled.drives[0], 0.0);
  EXPECT_TRUE(settled.stable);
  // V'' = k l'^2 + k (l - rest) l'' + the weights'; l'' by l^2 = c1 + c2 sin(angle + c3), whose second derivative is c1 - l^2.
  const double x = length + eye.x(), z = eye.z(), c1 = x * x + z * z + foot.squaredNorm();
  const double second = (0.5 * (c1 - hand.l * hand.l) - hand.arm * hand.arm) / hand.l;
  const double weights = -g * std::sin(angle) * (0.5 * length * mass + length * payload);
  const double inertia = mass * length * length / 3.0 + payload * length * length;
  const double stiffness = k * hand.arm * hand.arm + k * (hand.l - rest) * second + weights;
  const double omega = std::sqrt(stiffness / inertia);
  const NaturalModes held = natural_modes(boom, settled.q, JointTreatment::held);
  EXPECT_NEAR(held.angular_frequencies[0], omega, 1e-9 * omega);
  const NaturalModes modelled = natural_modes(boom, settled.q, JointTreatment::as_modelled);
  EXPECT_NEAR(modelled.angular_frequencies[0], omega, 1e-9 * omega);
  const LinearModel linear = linearize(boom, settled_point(boom, VectorXd::Constant(1, -0.2)));
  const auto poles_found = poles(linear);
  EXPECT_NEAR(std::norm(poles_found[0]), omega * omega, 1e-9 * omega * omega);
  EXPECT_NEAR(-2.0 * poles_found[0].real(), damping * hand.arm * hand.arm / inertia, 1e-10);
}

// ---- a boom that bends ----

Model bending_boom(double stiffness = 0.0) {
  ModelBuilder builder("bending");
  builder.gravity({0, 0, -g}).link("boom").revolute({0, -1, 0}).beam(length, tube()).modes(Direction::z, 3);
  TipDescription tip;
  tip.mass = payload;
  builder.tip(tip);
  builder.cylinder({.name = "lift",
                    .from = {.link = "base", .xyz = foot},
                    .to = {.link = "boom", .at = 0.4, .xyz = {0, 0, -0.1}},
                    .stiffness = stiffness,
                    .rest = 1.0});
  return builder.build();
}

TEST(Cylinders, HoldABoomThatBendsAsTheSameForceDoes) {
  const Model boom = bending_boom();
  VectorXd q = VectorXd::Zero(boom.nq());
  q[0] = 0.25;
  const Equilibrium found = static_equilibrium(boom, q);
  EXPECT_GT(found.drives[0], 1e3);
  EXPECT_NEAR(found.efforts.norm(), 0.0, 1e-7);
  EXPECT_TRUE(found.stable);
  // The same force as a load on an arm that knows of no cylinder.
  Struts struts(boom);
  struts.update(found.q, VectorXd::Zero(boom.nv()));
  std::vector<Load> loads;
  struts.add_loads(struts.forces(found.drives), loads);
  ASSERT_EQ(loads.size(), 1u);
  ModelDescription without = boom.description();
  without.cylinders.clear();
  Model plain = with_node(build_model(without), 0, 0.4);
  loads[0].node = node_index(plain, 0, 0.4);
  const Equilibrium pushed = static_equilibrium(plain, q, loads);
  EXPECT_LT((pushed.q - found.q).norm(), 1e-11);
  EXPECT_NEAR(pushed.efforts[0], 0.0, 1e-7);
}

// A pin carries no moment, and beyond the eye a boom carries what hangs there.
TEST(Cylinders, LoadTheSectionsOfABoom) {
  const Model boom = bending_boom();
  const Equilibrium found = static_equilibrium(boom, VectorXd::Zero(boom.nq()));
  const VectorXd rest = VectorXd::Zero(boom.nv());
  Struts struts(boom);
  struts.update(found.q, rest);
  SectionForces sections(boom);
  sections.update(found.q, rest, rest, {}, struts.forces(found.drives));
  const BeamSections& beam = sections.beam(0);
  constexpr double at = 0.4 * length, out = length - at;
  const double overhang = g * (payload * out + 0.5 * 30.0 * out * out);
  const auto moment = [&](double x, bool inner) {
    for (std::size_t i = 0; i < beam.places.size(); ++i)
      if (std::abs(beam.places[i].x - x) < 1e-9 && beam.places[i].inner_side == inner)
        return beam.forces(4, static_cast<Eigen::Index>(i));
    return std::nan("");
  };
  EXPECT_NEAR(beam.forces(4, 0), 0.0, 1e-9 * overhang);
  EXPECT_NEAR(std::abs(moment(at, false)), overhang, 1e-3 * overhang);
  // At the eye it jumps by the force's part along the boom, 0.1 m below its axis.
  const double dx = at - foot.x(), dz = -0.1 - foot.z();
  const double along = found.drives[0] * dx / std::hypot(dx, dz);
  EXPECT_NEAR(std::abs(moment(at, false) - moment(at, true)), 0.1 * along, 2e-2 * 0.1 * along);
}

// A drive that holds keeps the length: the boom swings about its pivot as it bends, as on a very stiff spring. Propped so much nearer to its tip it is faster than clamped at its root.
TEST(Cylinders, HeldAreAsStiffSprings) {
  const Model held = bending_boom();
  VectorXd q = VectorXd::Zero(held.nq());
  q[0] = 0.25;
  const Equilibrium found = static_equilibrium(held, q);
  const double on_length = natural_modes(held, found.q, JointTreatment::held).angular_frequencies[0];
  const double clamped = natural_modes(held, found.q, JointTreatment::locked).angular_frequencies[0];
  EXPECT_GT(on_length, 1.2 * clamped);
  constexpr double very_stiff = 1e12;
  Struts struts(held);
  struts.update(found.q, VectorXd::Zero(held.nv()));
  ModelDescription sprung = bending_boom(very_stiff).description();
  sprung.cylinders[0].rest = struts.lengths()[0] + found.drives[0] / very_stiff;  // carries the same
  const NaturalModes stiff = natural_modes(build_model(sprung), found.q, JointTreatment::as_modelled);
  EXPECT_NEAR(on_length, stiff.angular_frequencies[0], 1e-5 * on_length);
}

TEST(Cylinders, WithoutLengthAreRefused) {
  CylinderDescription nothing = lift();
  nothing.to.xyz = {foot.x() - length, foot.y(), foot.z()};
  const Model boom = rigid_boom(nothing);
  const VectorXd q = VectorXd::Zero(1);
  Struts struts(boom);
  EXPECT_THROW(struts.update(q, q), ComputationError);
  EXPECT_THROW(static_equilibrium(boom, q), InputError);
  EXPECT_THROW(natural_modes(boom, q, JointTreatment::held), InputError);
  EXPECT_NO_THROW(static_equilibrium(boom, VectorXd::Constant(1, 0.3)));
}

// A strut from the pivot along the boom: nobody is to believe that it holds, nor that the joint's motor does.
TEST(Cylinders, OnTheirDeadCentreHoldNothingAndSaySo) {
  for (const double stiffness : {0.0, 5e4}) {
    CylinderDescription along = lift(stiffness);
    along.from.xyz.setZero();
    along.to.xyz = {-1.0, 0, 0};
    const Model boom = rigid_boom(along);
    const VectorXd q = VectorXd::Zero(1);
    EXPECT_THROW(static_equilibrium(boom, q), ComputationError);
    EXPECT_THROW(natural_modes(boom, q, JointTreatment::held), ComputationError);
    const Equilibrium by_motor = static_equilibrium(boom, q, {}, StaticModel::exact, {}, {"boom_joint"});
    EXPECT_NEAR(by_motor.efforts[0], by_hand(0.0).moment, 1e-9);
  }
}

TEST(Cylinders, AreRefusedWhereTheyWouldBeForgotten) {
  const Model boom = rigid_boom(lift());
  const VectorXd q = VectorXd::Constant(1, 0.2);
  EXPECT_THROW(critical_load(boom, q, {}), InputError);
  EXPECT_THROW(reach(boom, q, {2.9, 0, 0.3}, {}), InputError);
  EXPECT_THROW(dynamics_derivatives(boom, q, q, q), InputError);
  EXPECT_THROW(static_equilibrium(boom, q, {}, StaticModel::linear), InputError);
}

}  // namespace
}  // namespace limber
