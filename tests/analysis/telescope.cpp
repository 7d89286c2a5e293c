// SPDX-License-Identifier: BSD-3-Clause
// Beams that slide through a guide (docs/telescoping.md), against an oracle of position level: every particle of the arm is a formula in the coordinates, written
// as a Taylor polynomial in time with 64 bits of mantissa, and forces follow from Lagrange's equations.

#include <gtest/gtest.h>

#include <numbers>
#include <random>

#include "limber/algorithms/beam_state.hpp"
#include "limber/algorithms/coriolis_matrix.hpp"
#include "limber/algorithms/derivatives.hpp"
#include "limber/algorithms/energy.hpp"
#include "limber/algorithms/forward_dynamics.hpp"
#include "limber/algorithms/inverse_dynamics.hpp"
#include "limber/algorithms/jacobian.hpp"
#include "limber/algorithms/kinematics.hpp"
#include "limber/algorithms/mass_matrix.hpp"
#include "limber/analysis/derivatives.hpp"
#include "limber/analysis/equilibrium.hpp"
#include "limber/analysis/modal_damping.hpp"
#include "limber/analysis/modes.hpp"
#include "limber/core/input_error.hpp"
#include "limber/model/builder.hpp"
#include "limber/model/telescopes.hpp"
#include "poison.hpp"
#include "reference/jet.hpp"

namespace limber {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using reference::Jet;
using reference::Real;

constexpr double length = 2.0, behind = 0.7, EI_y = 40.0, EI_z = 30.0, GJ = 12.0, EA = 5000.0,
                 mass_per_length = 1.7;
const Vector3d rotary(0.02, 0.015, 0.01), root_rpy(0.2, -0.3, 0.5), root_across(0.0, 0.04, -0.03),
    base_axis(0.36, 0.48, 0.8), wrist_axis(0.0, 0.6, 0.8), tip_xyz(0.3, 0.1, -0.2), tip_rpy(0.1, 0.4, -0.2);

struct Body {
  double mass;
  Vector3d com, inertia;
};
const Body base_body{3.0, {0.1, 0.0, 0.05}, {0.1, 0.2, 0.15}},
    carriage{0.4, {-0.05, 0.02, 0.0}, {0.01, 0.02, 0.03}},
    payload{0.6, {0.03, -0.02, 0.01}, {0.004, 0.006, 0.005}},
    hand{0.5, {0.1, 0.05, 0.0}, {0.012, 0.01, 0.02}};

InertiaElements elements(const Body& body) {
  InertiaElements all = InertiaElements::Zero();
  all.head<3>() = body.inertia;
  return all;
}

ModesDescription powers(int count) {
  ModesDescription modes;
  modes.shape = ShapeFamily::polynomial;
  modes.count = count;
  return modes;
}

// A turret, a telescoping boom with a carriage and a payload, and a hand on its tip: q = [turret, slide, y1, y2, z1, torsion1, axial1, wrist].
ModelBuilder boom(KinematicOrder order) {
  ModelBuilder builder("boom");
  builder.kinematics(order).gravity({1.0, -2.0, -9.0});
  builder.link("turret")
      .revolute(base_axis, "turret")
      .rigid({base_body.mass, base_body.com, elements(base_body), {tip_xyz, tip_rpy}});
  const Eigen::Matrix3d R = rotation_from_rpy(root_rpy);
  JointDescription slide{.name = "slide", .type = JointType::prismatic, .axis = R.col(0)};
  slide.telescoping = true;
  slide.armature = 0.3;
  slide.stiffness = 20.0;
  slide.rest = 0.1;
  slide.damping = 2.0;
  builder.link("boom")
      .joint(slide)
      .root({R * (root_across - behind * Vector3d::UnitX()), root_rpy, carriage.mass, carriage.com,
             elements(carriage)})
      .beam(length, {.EI_y = EI_y,
                     .EI_z = EI_z,
                     .GJ = GJ,
                     .EA = EA,
                     .mass_per_length = mass_per_length,
                     .rotary_inertia = rotary})
      .modes(Direction::y, powers(2))
      .modes(Direction::z, powers(1))
      .modes(Direction::torsion, powers(1))
      .modes(Direction::axial, powers(1))
      .tip({payload.mass, payload.com, elements(payload)});
  builder.link("hand").revolute(wrist_axis, "wrist").rigid({hand.mass, hand.com, elements(hand), {}});
  return builder;
}

// ---- the oracle ----

Jet<Real> number(Real value) { return reference::constant(value); }
Jet<Real> inverse(const Jet<Real>& a) {
  const Real i = 1 / a.c0;
  return {i, -a.c1 * i * i, -a.c2 * i * i + a.c1 * a.c1 * i * i * i};
}
Jet<Real> power(const Jet<Real>& a, int n) {
  Jet<Real> result = number(1);
  for (int k = 0; k < n; ++k) result = result * a;
  return result;
}
Jet<reference::Vector3> vector(const Jet<Real>& x, const Jet<Real>& y, const Jet<Real>& z) {
  return {{x.c0, y.c0, z.c0}, {x.c1, y.c1, z.c1}, {x.c2, y.c2, z.c2}};
}

// Gauss's points on [0, 1] by Newton's method.
std::vector<std::pair<Real, Real>> gauss(int n) {
  std::vector<std::pair<Real, Real>> rule;
  for (int i = 0; i < n; ++i) {
    Real x = std::cos(std::numbers::pi_v<Real> * (i + 0.75L) / (n + 0.5L)), slope = 0;
    for (int step = 0; step < 60; ++step) {
      Real a = 1, b = x;
      for (int k = 2; k <= n; ++k) {
        const Real c = ((2 * k - 1) * x * b - (k - 1) * a) / k;
        a = b;
        b = c;
      }
      slope = n * (x * b - a) / (x * x - 1);
      x -= b / slope;
    }
    rule.emplace_back((1 + x) / 2, 1 / ((1 - x * x) * slope * slope));
  }
  return rule;
}

struct Particle {
  Real mass;
  Jet<reference::Vector3> place;
};

// A body as seven points: itself, and pairs along its axes that have its inertia.
void add_body(Real mass, const reference::Vector3& com, const reference::Vector3& I,
              const reference::Frame& frame, std::vector<Particle>& all) {
  const Real half = (I.x() + I.y() + I.z()) / 2;
  Real pairs = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const Real each = (half - I[axis]) / 2;
    pairs += 2 * each;
    for (const Real sign : {-1.0L, 1.0L})
      all.push_back({each, frame * reference::Vector3(com + sign * reference::Vector3::Unit(axis))});
  }
  all.push_back({mass - pairs, frame * com});
}
void add_body(const Body& body, const reference::Frame& frame, std::vector<Particle>& all) {
  add_body(body.mass, body.com.cast<Real>(), body.inertia.cast<Real>(), frame, all);
}

// The section at a point s of the material, in the guide's frame: (3) and (4) of beam/field.hpp with v = y1 x^2 + y2 x^3, w = z1 x^2, a = t x, u = e x.
reference::Frame section(Real s, const std::vector<Jet<Real>>& q, KinematicOrder order) {
  const Jet<Real> l = number(length - behind) + q[1], X = number(s - length) + l;
  reference::Frame straight;
  straight.p = vector(X, number(0), number(0));
  if (X.c0 <= 0) return straight;
  const Jet<Real> i = inverse(l), x = X * i, &t = q[5], &e = q[6];
  struct Shape {
    Jet<Real> eta;
    int p;
  };
  const std::vector<Shape> y{{q[2], 2}, {q[3], 3}}, z{{q[4], 2}};
  Jet<Real> p[3] = {X + e * x, number(0), number(0)}, th[3] = {t * x, number(0), number(0)};
  const bool second = order == KinematicOrder::second;
  for (const auto* shapes : {&y, &z}) {
    const int axis = shapes == &y ? 1 : 2, other = 3 - axis;
    const Real sign = shapes == &y ? 1 : -1;
    for (const Shape& a : *shapes) {
      p[axis] = p[axis] + a.eta * power(x, a.p);
      th[other] = th[other] + (sign * a.p) * (a.eta * i * power(x, a.p - 1));
      if (!second) continue;
      for (const Shape& b : *shapes)
        p[0] = p[0] -
               (Real(a.p * b.p) / Real(2 * (a.p + b.p - 1))) * (a.eta * b.eta * i * power(x, a.p + b.p - 1));
      p[other] = p[other] + (sign * (a.p - 1) / (a.p + 1)) * (a.eta * t * power(x, a.p + 1));
      th[axis] = th[axis] + (Real(2 - a.p) / 2) * (t * a.eta * i * power(x, a.p));
    }
  }
  if (second)
    for (const Shape& a : y)
      for (const Shape& b : z)
        th[0] = th[0] + (Real(a.p * b.p * (b.p - a.p)) / Real(2 * (a.p + b.p - 2))) *
                            (a.eta * b.eta * i * i * power(x, a.p + b.p - 2));
  return {vector(p[0], p[1], p[2]), reference::exponential(vector(th[0], th[1], th[2]))};
}

std::vector<Particle> particles(const std::vector<Jet<Real>>& q, KinematicOrder order) {
  using reference::Frame;
  std::vector<Particle> all;
  const reference::Vector3 zero = reference::Vector3::Zero();
  const Frame turret{reference::constant(zero), reference::turn(base_axis.cast<Real>(), q[0])};
  add_body(base_body, turret, all);
  const Frame J = turret * reference::fixed_frame(tip_xyz, tip_rpy);
  const Frame axes = reference::fixed_frame(Vector3d::Zero(), root_rpy);
  const reference::Vector3 along = axes.R.c0.col(0);
  Frame B = J;  // moves with the slide
  B.p = J.p + J.R * Jet<reference::Vector3>{along * q[1].c0, along * q[1].c1, along * q[1].c2};
  add_body(carriage, B, all);
  Frame guide = J * axes;
  guide.p = guide.p + guide.R * reference::constant(reference::Vector3(root_across.cast<Real>()));
  const Real inside = behind - q[1].c0;
  for (const auto& [from, to, count] : {std::tuple(Real(0), inside, 4), std::tuple(inside, Real(length), 30)})
    for (const auto& [x, weight] : gauss(count))
      add_body(weight * (to - from) * mass_per_length, zero, weight * (to - from) * rotary.cast<Real>(),
               guide * section(from + x * (to - from), q, order), all);
  const Frame tip = guide * section(length, q, order);
  add_body(payload, tip, all);
  add_body(hand, tip * Frame{reference::constant(zero), reference::turn(wrist_axis.cast<Real>(), q[7])}, all);
  return all;
}

// Forces of motion and weight by Lagrange's equations: d/dt dT/dv - d(T - V)/dq. The kinetic energy is a formula in places and rates; only it is differentiated.
constexpr Real armature = 0.3L;
struct Oracle {
  VectorXd forces;
  double kinetic = 0.0;
};
Oracle oracle(const VectorXd& q, const VectorXd& v, const VectorXd& a, KinematicOrder order,
              const Vector3d& gravity) {
  using Numbers = reference::VectorX;
  const auto n = q.size();
  const auto moving = [&](const Numbers& place, const Numbers& rate) {
    std::vector<Jet<Real>> all;
    for (Eigen::Index i = 0; i < n; ++i) all.push_back({place[i], rate[i], 0});
    return particles(all, order);
  };
  // T - V of weight, and momenta dT/dv_i = Sum m v . dr/dq_i.
  const auto lagrangian = [&](const Numbers& place, const Numbers& rate) {
    Real sum = armature * rate[1] * rate[1] / 2;
    for (const Particle& one : moving(place, rate))
      sum += one.mass * (one.place.c1.squaredNorm() / 2 + gravity.cast<Real>().dot(one.place.c0));
    return sum;
  };
  const auto momenta = [&](const Numbers& place, const Numbers& rate) {
    Numbers p = Numbers::Zero(n);
    p[1] = armature * rate[1];
    const std::vector<Particle> motion = moving(place, rate);
    for (Eigen::Index i = 0; i < n; ++i) {
      const std::vector<Particle> column = moving(place, Numbers::Unit(n, i));
      for (std::size_t k = 0; k < motion.size(); ++k)
        p[i] += motion[k].mass * motion[k].place.c1.dot(column[k].place.c1);
    }
    return p;
  };
  // Differences of fourth order: (8 (f(h) - f(-h)) - (f(2h) - f(-2h))) / 12h.
  constexpr Real h = 2e-4L;
  const Numbers at = q.cast<Real>(), rate = v.cast<Real>(), second = a.cast<Real>();
  const auto later = [&](Real t) { return momenta(at + t * rate + t * t / 2 * second, rate + t * second); };
  Numbers forces = (8 * (later(h) - later(-h)) - (later(2 * h) - later(-2 * h))) / (12 * h);
  for (Eigen::Index i = 0; i < n; ++i) {
    const auto moved = [&](Real t) { return lagrangian(at + t * Numbers::Unit(n, i), rate); };
    forces[i] -= (8 * (moved(h) - moved(-h)) - (moved(2 * h) - moved(-2 * h))) / (12 * h);
  }
  Oracle result{forces.cast<double>(), 0.0};
  Real kinetic = armature * rate[1] * rate[1] / 2;
  for (const Particle& particle : moving(at, rate))
    kinetic += particle.mass * particle.place.c1.squaredNorm() / 2;
  result.kinetic = static_cast<double>(kinetic);
  return result;
}

// 1/2 Sum eta_i eta_j EI Int phi_i'' phi_j'' / l^3 and its kin, and the spring of the joint.
double strain_energy(const VectorXd& q) {
  const double l = length - behind + q[1], l3 = l * l * l;
  const double bending_y = EI_z / l3 * (4.0 * q[2] * q[2] + 12.0 * q[2] * q[3] + 12.0 * q[3] * q[3]);
  return 0.5 * (bending_y + EI_y / l3 * 4.0 * q[4] * q[4] + GJ / l * q[5] * q[5] + EA / l * q[6] * q[6] +
                20.0 * (q[1] - 0.1) * (q[1] - 0.1));
}

struct Case {
  VectorXd q, v, a;
};
std::vector<Case> cases() {
  std::mt19937 random(5);  // NOLINT
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  const auto vector = [&](double size) {
    VectorXd x(8);
    for (double& value : x) value = size * unit(random);
    return x;
  };
  std::vector<Case> all;
  for (const double slide : {-0.9, 0.0, 0.35, 0.65}) {
    Case one{vector(0.3), vector(1.5), vector(3.0)};
    one.q[1] = slide;
    one.q[6] *= 0.1;
    all.push_back(one);
  }
  all.push_back({VectorXd::Zero(8), vector(2.0), vector(1.0)});
  return all;
}

class TelescopingArm : public ::testing::TestWithParam<KinematicOrder> {
 protected:
  Model model = boom(GetParam()).build();
  PoisonedWorkspace<double> work{model};
};
INSTANTIATE_TEST_SUITE_P(BothOrders, TelescopingArm,
                         ::testing::Values(KinematicOrder::first, KinematicOrder::second));

TEST_P(TelescopingArm, InverseDynamicsIsLagranges) {
  for (const Case& at : cases()) {
    const Oracle expected = oracle(at.q, at.v, at.a, GetParam(), model.gravity());
    VectorXd forces(8);
    inverse_dynamics<double>(model, work, at.q, at.v, at.a, forces);
    EXPECT_LT((forces - expected.forces).norm(), 1e-9 * expected.forces.norm())
        << forces.transpose() << "\n"
        << expected.forces.transpose();
  }
}

TEST_P(TelescopingArm, EnergyIsThatOfAllParticles) {
  for (const Case& at : cases()) {
    const Energy<double> found = energy<double>(model, work, at.q, at.v);
    const Oracle expected = oracle(at.q, at.v, at.a, GetParam(), model.gravity());
    EXPECT_NEAR(found.kinetic, expected.kinetic, 1e-12 * expected.kinetic);
    EXPECT_NEAR(found.strain, strain_energy(at.q), 1e-12 * strain_energy(at.q));
  }
}

TEST_P(TelescopingArm, ElasticForcesAreTheGradientOfStrainEnergy) {
  for (const Case& at : cases()) {
    VectorXd forces(8);
    const VectorXd rest = VectorXd::Zero(8);
    update_positions<double>(model, work, at.q);
    elastic_and_damping_forces<double>(model, work, at.q, rest, forces);
    for (int i = 0; i < 8; ++i) {
      constexpr double h = 1e-5;
      const VectorXd step = h * VectorXd::Unit(8, i);
      const double slope = (strain_energy(at.q + step) - strain_energy(at.q - step)) / (2.0 * h);
      EXPECT_NEAR(forces[i], slope, 1e-6 * (1.0 + std::abs(slope))) << i;
    }
    EXPECT_LT((elastic_stiffness_at(model, at.q) * (at.q - 0.1 * VectorXd::Unit(8, 1)) - forces).norm(),
              1e-11 * forces.norm() + 1e-12);
  }
}

TEST_P(TelescopingArm, RecursiveAndDenseAgree) {
  for (const Case& at : cases()) {
    VectorXd tau = at.a, passive(8), bias(8), qdd(8);
    MatrixXd M(8, 8);
    forward_dynamics<double>(model, work, at.q, at.v, tau, qdd);
    mass_matrix<double>(model, work, at.q, M);
    bias_forces<double>(model, work, at.q, at.v, bias);
    elastic_and_damping_forces<double>(model, work, at.q, at.v, passive);
    const VectorXd expected = M.llt().solve(VectorXd(tau - bias - passive));
    EXPECT_LT((qdd - expected).norm(), 1e-10 * expected.norm());
    const double kinetic = energy<double>(model, work, at.q, at.v).kinetic;
    EXPECT_NEAR(0.5 * at.v.dot(M * at.v), kinetic, 1e-12 * kinetic);
  }
}

TEST_P(TelescopingArm, APrescribedExtensionTakesTheEffortOfInverseDynamics) {
  for (const Case& at : cases()) {
    Workspace<double> held(model);
    held.prescribe({1});
    VectorXd tau = at.a, qdd = at.a, forces(8), passive(8), efforts = VectorXd::Zero(8);
    forward_dynamics<double>(model, held, at.q, at.v, tau, qdd);
    EXPECT_EQ(qdd[1], at.a[1]);
    joint_efforts<double>(model, held, 1, at.q, at.v, qdd, efforts);
    inverse_dynamics<double>(model, work, at.q, at.v, qdd, forces);
    elastic_and_damping_forces<double>(model, work, at.q, at.v, passive);
    forces += passive;
    EXPECT_NEAR(efforts[1], forces[1], 1e-9 * (1.0 + std::abs(forces[1])));
    for (const int i : {0, 2, 3, 4, 5, 6, 7})
      EXPECT_NEAR(forces[i], tau[i], 1e-8 * (1.0 + forces.norm())) << i;
  }
}

TEST_P(TelescopingArm, CoriolisMatrixBelongsToTheRateOfTheMassMatrix) {
  for (const Case& at : cases()) {
    MatrixXd C(8, 8), before(8, 8), after(8, 8);
    coriolis_matrix(model, work, at.q, at.v, C);
    VectorXd bias(8), gravity(8);
    bias_forces<double>(model, work, at.q, at.v, bias);
    gravity_forces<double>(model, work, at.q, gravity);
    EXPECT_LT((C * at.v - (bias - gravity)).norm(), 1e-10 * (1.0 + bias.norm()));
    constexpr double h = 1e-5;
    mass_matrix<double>(model, work, at.q + h * at.v, after);
    mass_matrix<double>(model, work, at.q - h * at.v, before);
    const MatrixXd rate = (after - before) / (2.0 * h);
    EXPECT_LT((rate - C - C.transpose()).norm(), 1e-7 * (1.0 + rate.norm()));
  }
}

TEST_P(TelescopingArm, DerivativesAreThoseOfAllForces) {
  const Case at = cases()[1];
  const ForceDerivatives found = force_derivatives(model, at.q, at.v, at.a);
  const auto all_forces = [&](const VectorXd& q, const VectorXd& v) {
    return required_forces(model, q, v, at.a);
  };
  const MatrixXd K = found.dq + elastic_stiffness(model), D = found.dv + damping_matrix(model);
  constexpr double h = 1e-6;
  for (int i = 0; i < 8; ++i) {
    const VectorXd step = h * VectorXd::Unit(8, i);
    const VectorXd dq = (all_forces(at.q + step, at.v) - all_forces(at.q - step, at.v)) / (2.0 * h);
    const VectorXd dv = (all_forces(at.q, at.v + step) - all_forces(at.q, at.v - step)) / (2.0 * h);
    EXPECT_LT((K.col(i) - dq).norm(), 1e-6 * (1.0 + dq.norm())) << i;
    EXPECT_LT((D.col(i) - dv).norm(), 1e-6 * (1.0 + dv.norm())) << i;
  }
  MatrixXd M(8, 8);
  mass_matrix<double>(model, work, at.q, M);
  EXPECT_LT((found.da - M).norm(), 1e-12 * M.norm());
}

TEST_P(TelescopingArm, JacobianIsTheDerivativeOfTheTip) {
  for (const Case& at : cases()) {
    Matrix6X<double> J(6, 8);
    update_positions<double>(model, work, at.q);
    update_world_poses<double>(work);
    const Frame end = model.end_effector();
    frame_jacobian<double>(model, work, end, MotionAxes::local_world_aligned, J);
    constexpr double h = 1e-6;
    for (int i = 0; i < 8; ++i) {
      Workspace<double> other(model);
      const auto place = [&](double step) {
        update_positions<double>(model, other, at.q + step * VectorXd::Unit(8, i));
        update_world_poses<double>(other);
        return frame_pose<double>(model, other, end).p;
      };
      EXPECT_LT((J.col(i).head<3>() - (place(h) - place(-h)) / (2.0 * h)).norm(), 1e-8) << i;
    }
  }
}

// ---- closed forms ----

constexpr double rho = 7.5, EI = 900.0;

ModelBuilder single(double whole, double in_guide, int modes) {
  ModelBuilder builder("single");
  JointDescription slide{.name = "slide", .type = JointType::prismatic, .axis = Vector3d::UnitX()};
  slide.telescoping = true;
  builder.gravity(Vector3d::Zero())
      .link("beam")
      .joint(slide)
      .root({.xyz = {-in_guide, 0.0, 0.0}})
      .beam(whole, {.EI_z = EI, .mass_per_length = rho})
      .modes(Direction::y, modes);
  return builder;
}

TEST(TelescopingBeam, FrozenHasTheFrequenciesOfACantileverOfItsFreeLength) {
  ModelBuilder builder = single(3.0, 1.0, 3);
  builder.current_link().beam->modes.y->shape = ShapeFamily::clamped_free;
  const Model model = builder.build();
  for (const double slide : {-1.2, -0.3, 0.0, 1.0}) {
    VectorXd q = VectorXd::Zero(model.nq());
    q[0] = slide;
    const double l = 2.0 + slide;
    const NaturalModes found = natural_modes(model, q, JointTreatment::held, 2);
    const double unit = std::sqrt(EI / (rho * l * l * l * l));
    EXPECT_NEAR(found.angular_frequencies[0], 1.8751040687119611 * 1.8751040687119611 * unit,
                1e-6 * found.angular_frequencies[0]);
    EXPECT_NEAR(found.angular_frequencies[1], 4.694091132974175 * 4.694091132974175 * unit,
                1e-5 * found.angular_frequencies[1]);
  }
}

TEST(TelescopingBeam, GivesWayAsACantileverOfItsFreeLength) {
  const Model model = single(3.0, 1.0, 2).build();
  for (const double slide : {-1.2, 0.0, 1.0}) {
    VectorXd q = VectorXd::Zero(model.nq());
    q[0] = slide;
    const double l = 2.0 + slide, P = 0.5;
    const Equilibrium found =
        static_equilibrium(model, q, {{.link = 0, .node = 0, .axes = Axes::world, .force = {0.0, P, 0.0}}});
    const TipState tip = tip_state(model.links()[0], found.q);
    EXPECT_NEAR(tip.deflection.y(), P * l * l * l / (3.0 * EI), 1e-6 * tip.deflection.y());
    EXPECT_NEAR(tip.slope.z(), P * l * l / (2.0 * EI), 1e-6 * tip.slope.z());
    // The load leans on the bent tip and pulls the beam out: what holds it in is -dV/dl at a fixed load, (P l)^2 / (2 EI), inwards.
    EXPECT_NEAR(found.efforts[0], -P * P * l * l / (2.0 * EI), 1e-5 * P * P * l * l / (2.0 * EI));
    const WholeLink whole = whole_links(model)[0];
    EXPECT_NEAR(beam_strain(model, whole, found.q, 0.0).kappa_z, P * l / EI, 1e-5 * P * l / EI);
    EXPECT_NEAR(beam_length(model, whole, found.q), l, 1e-14);
  }
}

TEST(TelescopingBeam, KeepsItsDampingRatioAtEveryLength) {
  ModelBuilder builder = single(3.0, 1.0, 3);
  const Model model = builder.damping_ratio(0.02).build();
  for (const double slide : {-1.5, 0.0, 1.0}) {
    VectorXd q = VectorXd::Zero(model.nq());
    q[0] = slide;
    const NaturalModes modes = natural_modes(model, q, JointTreatment::held, 3);
    const VectorXd ratios = damping_ratios(model, q, modes);
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(ratios[k], 0.02, 1e-9) << slide;
  }
}

TEST(TelescopingBeam, WithoutModesIsAnOrdinaryLinkOnItsJoint) {
  ModelBuilder telescoping = single(3.0, 1.0, 2);
  telescoping.current_link().beam->modes = {};
  ModelBuilder ordinary = telescoping;
  ordinary.current_link().joint.telescoping = false;
  const Model one = telescoping.build(), other = ordinary.build();
  EXPECT_EQ(one.nv(), 1);
  EXPECT_FALSE(one.has_telescopes());
  EXPECT_DOUBLE_EQ(one.mass(), other.mass());
}

TEST(TelescopingBeam, HasAllItsMassWhereverItIs) {
  const Model model = single(3.0, 1.0, 2).build();
  EXPECT_NEAR(model.mass(), 3.0 * rho, 1e-12);
  Workspace<double> work(model);
  for (const double slide : {-1.9, 0.0, 1.0}) {
    VectorXd q = VectorXd::Zero(model.nq());
    q[0] = slide;
    const Momentum<double> of = momentum<double>(model, work, q, VectorXd::Unit(model.nv(), 0));
    EXPECT_NEAR(of.mass, 3.0 * rho, 1e-12);
    EXPECT_NEAR(of.linear.x(), 3.0 * rho, 1e-12);  // all of it moves with the joint
    EXPECT_NEAR(of.center_of_mass.x(), 0.5 + slide, 1e-12);
  }
}

// ---- motions, by Runge and Kutta's classical method on forward dynamics alone ----

struct Motion {
  VectorXd q, v;
};
// `held`: the joint's place is extension(t) with its two derivatives; else it is free.
template <typename Extension>
void advance(const Model& model, Workspace<double>& work, bool held, Extension&& extension, double duration,
             int steps, Motion& at) {
  const double h = duration / steps;
  const VectorXd tau = VectorXd::Zero(model.nv());
  const auto rate = [&](double t, Motion state) {
    VectorXd a = VectorXd::Zero(model.nv());
    if (held) {
      const Vector3d e = extension(t);
      state.q[0] = e[0];
      state.v[0] = e[1];
      a[0] = e[2];
    }
    forward_dynamics<double>(model, work, state.q, state.v, tau, a);
    return Motion{state.v, a};
  };
  const auto moved = [&](const Motion& by, double part) {
    return Motion{at.q + part * by.q, at.v + part * by.v};
  };
  for (int i = 0; i < steps; ++i) {
    const double t = i * h;
    const Motion k1 = rate(t, at), k2 = rate(t + 0.5 * h, moved(k1, 0.5 * h)),
                 k3 = rate(t + 0.5 * h, moved(k2, 0.5 * h)), k4 = rate(t + h, moved(k3, h));
    at.q += h / 6.0 * (k1.q + 2.0 * k2.q + 2.0 * k3.q + k4.q);
    at.v += h / 6.0 * (k1.v + 2.0 * k2.v + 2.0 * k3.v + k4.v);
  }
  if (!held) return;
  at.q[0] = extension(duration)[0];
  at.v[0] = extension(duration)[1];
}

double stored(const Model& model, Workspace<double>& work, const Motion& at) {
  const Energy<double> energy = limber::energy<double>(model, work, at.q, at.v);
  return energy.kinetic + energy.strain + energy.gravity;
}

// Bent and let go, it pushes itself out of its guide, and keeps its energy.
TEST(TelescopingBeam, KeepsItsEnergyWhileItSlides) {
  ModelBuilder builder = single(3.0, 1.0, 2);
  const Model model = builder.gravity({0.3, -0.5, 0.0}).build();
  Workspace<double> work(model);
  Motion at{VectorXd::Zero(3), VectorXd::Zero(3)};
  at.q[1] = 0.3;
  at.v[0] = -0.2;
  const double before = stored(model, work, at);
  advance(
      model, work, false, [](double) { return Vector3d(Vector3d::Zero()); }, 0.5, 2000, at);
  EXPECT_NEAR(stored(model, work, at), before, 1e-7 * before);
  EXPECT_GT(at.v[0], -0.1);
}

// Half the length, four times the frequency: drawn in slowly, a beam has four times the energy in the end.
TEST(TelescopingBeam, KeepsEnergyOverFrequencyWhileItIsDrawnInSlowly) {
  ModelBuilder builder = single(3.0, 1.0, 1);
  builder.current_link().beam->modes.y->shape = ShapeFamily::clamped_free;
  const Model model = builder.build();
  Workspace<double> work(model);
  work.prescribe({0});
  constexpr double duration = 10.0;
  const auto quintic = [&](double t) {
    const double x = t / duration;
    return Vector3d(-x * x * x * (10.0 + x * (6.0 * x - 15.0)),
                    -30.0 * x * x * (1.0 - x) * (1.0 - x) / duration,
                    -60.0 * x * (1.0 - x) * (1.0 - 2.0 * x) / (duration * duration));
  };
  Motion at{VectorXd::Zero(2), VectorXd::Zero(2)};
  at.q[1] = 0.02;
  const double before = stored(model, work, at);
  // A first mode with unit deflection of its tip moves a quarter of the beam's mass.
  EXPECT_NEAR(before, 0.5 * 0.02 * 0.02 * 0.25 * 12.3623633 * EI / 8.0, 1e-6 * before);
  advance(model, work, true, quintic, duration, 4000, at);
  EXPECT_NEAR(stored(model, work, at) / before, 4.0, 0.02);
}

// ---- what is refused ----

void expect_problem(const ModelBuilder& builder, const std::string& path) {
  try {
    builder.build();
    FAIL() << "built, although " << path << " is wrong";
  } catch (const InputError& error) {
    EXPECT_EQ(error.problems().front().path, path) << error.what();
  }
}

TEST(TelescopingBeam, SaysWhatItCannotBe) {
  const ModelBuilder good = single(3.0, 1.0, 2);
  const auto with = [&](auto&& change) {
    ModelBuilder builder = good;
    change(builder.current_link());
    return builder;
  };
  using Link = LinkDescription;
  expect_problem(with([](Link& link) { link.joint.type = JointType::revolute; }),
                 "links[0].joint.telescoping");
  expect_problem(with([](Link& link) { link.joint.axis = Vector3d::UnitY(); }), "links[0].joint.axis");
  expect_problem(with([](Link& link) { link.root.xyz.x() = -3.0; }), "links[0].root.xyz");
  expect_problem(with([](Link& link) { link.root.xyz.x() = 0.1; }), "links[0].root.xyz");
  expect_problem(with([](Link& link) { link.beam->section->kGA_y = 1e5; }), "links[0].beam.section");
  expect_problem(with([](Link& link) { link.beam->segments = 2; }), "links[0].beam.segments");
  expect_problem(with([](Link& link) { link.beam->section->center_of_mass.x() = 0.1; }),
                 "links[0].beam.section");
  expect_problem(with([](Link& link) {
                   link.beam->length = 0.0;
                   link.beam->curve = CurveDescription{3.0, 1.0};
                 }),
                 "links[0].beam.curve");
  expect_problem(with([](Link& link) { link.beam->modes.y->shape = ShapeFamily::pinned_free; }),
                 "links[0].beam.modes.y.shape");
  expect_problem(with([](Link& link) { link.beam->modes.y->normalize = Normalization::mass; }),
                 "links[0].beam.modes.y.normalize");
  expect_problem(with([](Link& link) { link.joint.limits = JointLimits{.upper = 1.5}; }),
                 "links[0].joint.limits.upper");
  expect_problem(with([](Link& link) {
                   link.joint.drive = DriveDescription{1.0, 1.0, 1e3};
                 }),
                 "links[0].joint.drive.stiffness");
  ModelBuilder child = good;
  child.link("child", "beam", 0.5).fixed().rigid({1.0, Vector3d::Zero(), InertiaElements::Zero(), {}});
  expect_problem(child, "links[1].attach");
  const Model model = good.build();
  VectorXd q = VectorXd::Zero(model.nq());
  for (const double slide : {-2.0, 1.01}) {
    q[0] = slide;
    EXPECT_THROW(require_free_lengths(model, q), InputError);
  }
  EXPECT_THROW(require_no_telescopes(model, "this"), InputError);
}

}  // namespace
}  // namespace limber
