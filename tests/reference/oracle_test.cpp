// SPDX-License-Identifier: BSD-3-Clause
// The oracle against closed forms: arms that fit on a sheet of paper.

#include "reference/oracle.hpp"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <Eigen/Geometry>
#include <cmath>

namespace {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using limber::JointType;
using limber::KinematicOrder;
using limber::LinkDescription;
using limber::ModelDescription;
using reference::evaluate;
using reference::Evaluation;
using reference::State;

constexpr double rounding = 1e-14;
const limber::InertiaElements no_inertia = limber::InertiaElements::Zero();

#define EXPECT_CLOSE(a, b, tolerance) \
  EXPECT_LT(((a) - (b)).norm(), (tolerance)) << "got\n" << (a) << "\nexpected\n" << (b)

Matrix3d skew(const Vector3d& a) {
  Matrix3d m;
  m << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
  return m;
}

VectorXd numbers(std::initializer_list<double> values) {
  VectorXd v(static_cast<Eigen::Index>(values.size()));
  std::copy(values.begin(), values.end(), v.begin());
  return v;
}

State state(std::initializer_list<double> q, std::initializer_list<double> v) {
  return {numbers(q), numbers(v), VectorXd::Zero(static_cast<Eigen::Index>(v.size())), {}};
}

LinkDescription rigid_link(const std::string& name, JointType type, double mass, const Vector3d& com,
                           const limber::InertiaElements& inertia, const Vector3d& tip) {
  LinkDescription link;
  link.name = name;
  link.joint.type = type;
  link.rigid = limber::RigidDescription{mass, com, inertia, {tip, Vector3d::Zero()}};
  return link;
}

limber::ModesDescription shapes(int count) {
  limber::ModesDescription modes;
  modes.shape = limber::ShapeFamily::polynomial;
  modes.count = count;
  return modes;
}

constexpr double L = 1.7, EI_y = 70.0, EI_z = 50.0, GJ = 20.0, EA = 900.0, line_mass = 1.3;
const Vector3d rotary(0.03, 0.02, 0.01);

/// A uniform beam, clamped to the ground.
ModelDescription cantilever(KinematicOrder order) {
  ModelDescription arm;
  arm.kinematics = order;
  LinkDescription link;
  link.name = "beam";
  link.joint.type = JointType::fixed;
  link.beam.emplace();
  link.beam->length = L;
  link.beam->section.emplace();
  link.beam->section->EI_y = EI_y;
  link.beam->section->EI_z = EI_z;
  link.beam->section->GJ = GJ;
  link.beam->section->EA = EA;
  link.beam->section->mass_per_length = line_mass;
  link.beam->section->rotary_inertia = rotary;
  arm.links.push_back(link);
  return arm;
}

TEST(Oracle, AgreesWithTheDoublePendulumOfTextbooks) {
  const double m1 = 1.2, m2 = 0.7, l1 = 0.9, c1 = 0.4, c2 = 0.35, I1 = 0.05, I2 = 0.03, g = 9.81;
  ModelDescription arm;
  arm.gravity = {0, -g, 0};
  limber::InertiaElements inertia;
  inertia << I1 / 2, I1 / 2, I1, 0, 0, 0;
  arm.links.push_back(rigid_link("upper", JointType::revolute, m1, {c1, 0, 0}, inertia, {l1, 0, 0}));
  inertia << I2 / 2, I2 / 2, I2, 0, 0, 0;
  arm.links.push_back(rigid_link("lower", JointType::revolute, m2, {c2, 0, 0}, inertia, {0, 0, 0}));

  const double q1 = 0.3, q2 = -0.8, w1 = 1.1, w2 = -0.4;
  State at = state({q1, q2}, {w1, w2});
  at.tau << 2.0, -0.3;
  const Evaluation result = evaluate(arm, at);

  const double a = I1 + I2 + m1 * c1 * c1 + m2 * (l1 * l1 + c2 * c2), b = m2 * l1 * c2, d = I2 + m2 * c2 * c2;
  Eigen::Matrix2d M;
  M << a + 2 * b * std::cos(q2), d + b * std::cos(q2), d + b * std::cos(q2), d;
  const double h = -b * std::sin(q2);
  const double weight2 = m2 * c2 * g * std::cos(q1 + q2);
  const Eigen::Vector2d gravity((m1 * c1 + m2 * l1) * g * std::cos(q1) + weight2, weight2);
  const Eigen::Vector2d coriolis(h * (2 * w1 * w2 + w2 * w2), -h * w1 * w1);
  EXPECT_CLOSE(result.M, M, rounding);
  EXPECT_CLOSE(result.gravity, gravity, rounding);
  EXPECT_CLOSE(result.bias, coriolis + gravity, rounding);
  EXPECT_CLOSE(result.acceleration, M.inverse() * (at.tau - coriolis - gravity), 1e-12);
  EXPECT_NEAR(result.gravity_energy,
              g * (m1 * c1 * std::sin(q1) + m2 * (l1 * std::sin(q1) + c2 * std::sin(q1 + q2))), rounding);
}

struct LooseBody {
  double m = 2.3;
  Vector3d c{0.2, -0.1, 0.3}, w{0.7, -1.1, 0.4}, v{0.5, 0.2, -0.6};
  Matrix3d I{{0.5, 0.02, -0.03}, {0.02, 0.4, 0.05}, {-0.03, 0.05, 0.3}};  // at the com
  Eigen::Quaterniond turn = Eigen::Quaterniond(0.3, -0.5, 0.7, 0.2).normalized();

  LinkDescription link(JointType type) const {
    limber::InertiaElements elements;
    elements << I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2);
    return rigid_link("body", type, m, c, elements, {0, 0, 0});
  }
  Matrix3d inertia_about_origin() const { return I - m * skew(c) * skew(c); }
};

TEST(Oracle, ObeysEulersEquationsOfALooseBody) {
  const LooseBody body;
  ModelDescription arm;
  arm.gravity = {1.0, -2.0, -9.0};
  arm.links.push_back(body.link(JointType::free));
  State at =
      state({0.1, 0.2, 0.3, body.turn.x(), body.turn.y(), body.turn.z(), body.turn.w()}, {0, 0, 0, 0, 0, 0});
  at.v << body.v, body.w;
  at.tau << 3.0, -1.0, 2.0, 0.4, -0.2, 0.1;
  const Evaluation result = evaluate(arm, at);

  // In body axes: m a_com = R^T m g + force, I w' + w x I w = moment about the com.
  const Vector3d force = at.tau.head<3>(), moment = at.tau.tail<3>() - body.c.cross(force);
  const Vector3d wd = body.I.inverse() * (moment - body.w.cross(body.I * body.w));
  const Vector3d a_com = body.turn.inverse() * arm.gravity + force / body.m;
  const Vector3d a_origin = a_com - wd.cross(body.c) - body.w.cross(body.w.cross(body.c));
  EXPECT_CLOSE(result.acceleration.tail<3>(), wd, 1e-13);
  EXPECT_CLOSE(result.acceleration.head<3>(), a_origin - body.w.cross(body.v), 1e-13);  // rate of components

  const Vector3d v_com = body.turn * (body.v + body.w.cross(body.c));
  const Vector3d com = Vector3d(0.1, 0.2, 0.3) + body.turn * body.c;
  EXPECT_CLOSE(result.center_of_mass, com, rounding);
  EXPECT_CLOSE(result.linear_momentum, body.m * v_com, rounding);
  EXPECT_CLOSE(result.angular_momentum, body.m * com.cross(v_com) + body.turn * (body.I * body.w), rounding);
  EXPECT_CLOSE(result.wrenches[0], at.tau, 1e-12);
}

TEST(Oracle, KnowsTheMotionOfEveryJoint) {
  const LooseBody body;
  const Matrix3d I = body.inertia_about_origin();
  ModelDescription arm;
  const auto inertia_of = [&](LinkDescription link, std::initializer_list<double> q, int nv) {
    link.joint.armature = 0.25;
    arm.links = {link};
    return evaluate(arm, {numbers(q), VectorXd::Zero(nv), VectorXd::Zero(nv), {}}).M;
  };
  const Vector3d axis(1.0, -2.0, 0.5), other(0.3, 1.0, 0.2);

  LinkDescription link = body.link(JointType::revolute);
  link.joint.axis = axis;
  EXPECT_NEAR(inertia_of(link, {0.6}, 1)(0, 0), axis.normalized().dot(I * axis.normalized()) + 0.25,
              rounding);

  link.joint.type = JointType::prismatic;
  EXPECT_NEAR(inertia_of(link, {0.6}, 1)(0, 0), body.m + 0.25, rounding);

  link = body.link(JointType::universal);
  link.joint.axes = {axis, other};
  Eigen::Matrix<double, 3, 2> S;  // exp(axis1 q1) exp(axis2 q2), seen from the body
  S << Eigen::AngleAxisd(-0.9, other.normalized()) * axis.normalized(), other.normalized();
  const MatrixXd two_rotors = 0.25 * MatrixXd::Identity(2, 2);
  EXPECT_CLOSE(inertia_of(link, {0.6, 0.9}, 2), MatrixXd(S.transpose() * I * S + two_rotors), rounding);

  link = body.link(JointType::spherical);
  const MatrixXd M = inertia_of(link, {body.turn.x(), body.turn.y(), body.turn.z(), body.turn.w()}, 3);
  EXPECT_CLOSE(M, MatrixXd(I + 0.25 * Matrix3d::Identity()), rounding);
}

TEST(Oracle, KnowsTheCantileversMatrices) {
  const double tip_mass = 0.6, Ixx = 0.05, Iyy = 0.04, Izz = 0.03;
  ModelDescription arm = cantilever(KinematicOrder::second);
  LinkDescription& link = arm.links[0];
  link.beam->modes = {shapes(2), shapes(3), shapes(2), shapes(2)};
  link.tip.emplace();
  link.tip->mass = tip_mass;
  link.tip->inertia << Ixx, Iyy, Izz, 0, 0, 0;

  struct Direction {
    int count, first_power;
    double mass, rotary, stiffness, tip_mass, tip_inertia;
  };
  const Direction directions[] = {{2, 2, line_mass, rotary.z(), EI_z, tip_mass, Izz},
                                  {3, 2, line_mass, rotary.y(), EI_y, tip_mass, Iyy},
                                  {2, 1, rotary.x(), 0, GJ, Ixx, 0},
                                  {2, 1, line_mass, 0, EA, tip_mass, 0}};
  MatrixXd M = MatrixXd::Zero(9, 9), K = M;
  int first = 0;
  for (const Direction& d : directions) {
    for (int j = 0; j < d.count; ++j) {
      for (int k = 0; k < d.count; ++k) {
        const double p = j + d.first_power, r = k + d.first_power;
        // phi = (x/L)^p: Int phi phi, Int phi' phi', phi'(L)^2, Int phi'' phi''
        M(first + j, first + k) = d.mass * L / (p + r + 1) + d.rotary * p * r / (L * (p + r - 1)) +
                                  d.tip_mass + d.tip_inertia * p * r / (L * L);
        K(first + j, first + k) =
            d.first_power == 2 ? d.stiffness * p * (p - 1) * r * (r - 1) / (std::pow(L, 3) * (p + r - 3))
                               : d.stiffness * p * r / (L * (p + r - 1));
      }
    }
    first += d.count;
  }
  const State rest{VectorXd::Zero(9), VectorXd::Zero(9), VectorXd::Zero(9), {}};
  Evaluation result = evaluate(arm, rest);
  EXPECT_CLOSE(result.M, M, rounding);
  EXPECT_CLOSE(result.stiffness, K, 1e-14 * K.norm());

  // Damping from the same M_ee: in modal form C M^-1 C = (2 ratio)^2 K.
  link.beam->damping.emplace().ratio = 0.03;
  result = evaluate(arm, rest);
  const MatrixXd CMC = result.damping * result.M.ldlt().solve(result.damping);
  EXPECT_CLOSE(CMC, 0.0036 * K, 1e-12 * K.norm());
  EXPECT_GT(result.damping.diagonal().minCoeff(), 0.0);
  *link.beam->damping = {std::nullopt, 0.4, 0.002};
  EXPECT_CLOSE(evaluate(arm, rest).damping, 0.4 * M + 0.002 * K, 1e-14 * K.norm());
}

TEST(Oracle, IntegratesTaperedBeamsAndRawPowers) {
  ModelDescription arm = cantilever(KinematicOrder::first);
  limber::BeamDescription& beam = *arm.links[0].beam;
  limber::SectionDescription root = *beam.section, middle = root, end = root;
  middle.mass_per_length = 3 * line_mass;  // up to the middle, then down to the start
  middle.EI_z = 3 * EI_z;
  beam.section.reset();
  beam.stations = {{0.0, root}, {L / 2, middle}, {L, end}};
  beam.modes.y = shapes(1);
  beam.modes.y->normalize = limber::Normalization::none;
  const Evaluation result = evaluate(arm, state({0}, {0}));

  // m(x) / line_mass = 1 + 4 x/L on the first half, 5 - 4 x/L on the second, times x^4
  const double half5 = 1.0 / 32, half6 = 1.0 / 64;
  const double m = half5 / 5 + 4 * half6 / 6 + 5 * (1 - half5) / 5 - 4 * (1 - half6) / 6;
  const double slopes = rotary.z() * 4 * std::pow(L, 3) / 3;  // phi' = 2x
  EXPECT_NEAR(result.M(0, 0), line_mass * std::pow(L, 5) * m + slopes, rounding * 10);
  EXPECT_NEAR(result.stiffness(0, 0), 4 * EI_z * L * 2, 1e-12);  // phi'' = 2, mean stiffness 2 EI_z
  EXPECT_NEAR(result.mass, 2 * line_mass * L, rounding);
}

TEST(Oracle, KnowsTheSecondOrderField) {
  // v = b (x/L)^3, w = c (x/L)^2 + f (x/L)^3, a = d x/L, u = e x/L
  const double b = 0.2, c = -0.15, f = 0.1, d = 0.3, e = 0.01;
  const auto evaluated = [&](KinematicOrder order, limber::TipRotation tip_rotation) {
    ModelDescription arm = cantilever(order);
    arm.links[0].beam->modes = {shapes(2), shapes(2), shapes(1), shapes(1)};
    arm.links[0].beam->tip_rotation = tip_rotation;
    return evaluate(arm, state({0, b, c, f, d, e}, {0, 0, 0, 0, 0, 0}));
  };
  const auto turned_by = [](const Vector3d& r) {
    return Matrix3d(Eigen::AngleAxisd(r.norm(), r.normalized()));
  };
  const Vector3d slope(d, -(2 * c + 3 * f) / L, 3 * b / L), chord(d, -(c + f) / L, b / L);

  const Evaluation first = evaluated(KinematicOrder::first, limber::TipRotation::slope);
  EXPECT_CLOSE(first.end_effector_position, Vector3d(L + e, b, c + f), rounding);
  EXPECT_CLOSE(first.end_effector_rotation, turned_by(slope), rounding);

  const double shortening = (9 * b * b / 5 + 4 * c * c / 3 + 3 * c * f + 9 * f * f / 5) / (2 * L);
  const Vector3d p(L + e - shortening, b - c * d / 3 - f * d / 2, c + f + b * d / 2);
  const Vector3d quadratic(-b * c / (L * L), -b * d / (2 * L), -f * d / (2 * L));
  const Evaluation second = evaluated(KinematicOrder::second, limber::TipRotation::slope);
  EXPECT_CLOSE(second.end_effector_position, p, rounding);
  EXPECT_CLOSE(second.end_effector_rotation, turned_by(slope + quadratic), rounding);

  const Evaluation by_chord = evaluated(KinematicOrder::second, limber::TipRotation::chord);
  EXPECT_CLOSE(by_chord.end_effector_position, p, rounding);
  EXPECT_CLOSE(by_chord.end_effector_rotation, turned_by(chord + quadratic), rounding);
}

TEST(Oracle, StiffensASpinningBeamAtSecondOrderOnly) {
  // Hub radius r, v = b (x/L)^2, shortening s(x) = 2 b^2 x^3 / (3 L^4): the bias of b is
  // -spin^2 Int m (v dv/db - (r + x - s) ds/db) dx.
  const double r = 0.3, b = 0.1, spin = 2.0;
  for (const KinematicOrder order : {KinematicOrder::first, KinematicOrder::second}) {
    ModelDescription arm = cantilever(order);
    arm.gravity.setZero();
    arm.links[0].joint.type = JointType::revolute;
    arm.links[0].root.xyz = {r, 0, 0};
    arm.links[0].beam->modes.y = shapes(1);
    const Evaluation result = evaluate(arm, state({0.4, b}, {spin, 0}));
    const double centrifugal = b * L / 5;
    const double stiffening = 4 * b / 3 * (r / 4 + L / 5 - 2 * b * b / (21 * L));
    const double expected =
        -spin * spin * line_mass * (centrifugal - (order == KinematicOrder::second ? stiffening : 0.0));
    EXPECT_NEAR(result.bias[1], expected, rounding);
  }
}

TEST(Oracle, CarriesAHangingChainAtRest) {
  // A rigid link with its com off the line, a beam below it, a payload: x of every link points down.
  ModelDescription arm = cantilever(KinematicOrder::second);
  LinkDescription upper = rigid_link("upper", JointType::fixed, 1.5, {0.2, 0.1, 0}, no_inertia, {0.5, 0, 0});
  upper.origin = limber::FrameDescription{{0, 0, 0}, {0, M_PI / 2, 0}};
  LinkDescription beam = arm.links[0];
  beam.joint.type = JointType::revolute;
  beam.beam->modes = {shapes(2), shapes(2), std::nullopt, std::nullopt};
  beam.tip.emplace();
  beam.tip->mass = 0.8;
  arm.links = {upper, beam};
  State at{VectorXd::Zero(5), VectorXd::Zero(5), VectorXd::Zero(5), {}};
  Evaluation result = evaluate(arm, at);

  const double g = 9.81, below = 0.8 + line_mass * L;
  EXPECT_CLOSE(result.acceleration, VectorXd::Zero(5), 1e-12);
  Eigen::Matrix<double, 6, 1> expected;
  expected << -g * below, 0, 0, 0, 0, 0;
  EXPECT_CLOSE(result.wrenches[1], expected, 1e-12);
  expected << -g * (below + 1.5), 0, 0, 0, 0, 1.5 * g * 0.1;
  EXPECT_CLOSE(result.wrenches[0], expected, 1e-12);

  // A load is carried too: section axes at the middle of the beam; in equilibrium only along the chain.
  at.loads.push_back({"beam", 0.5, reference::LoadAxes::section, {7.0, 0, 0}, {3.0, 0, 0}});
  result = evaluate(arm, at);
  expected << -g * below - 7.0, 0, 0, -3.0, 0, 0;
  EXPECT_CLOSE(result.acceleration, VectorXd::Zero(5), 1e-12);
  EXPECT_CLOSE(result.wrenches[1], expected, 1e-12);
}

TEST(Oracle, AppliesLoadsWhereTheyAre) {
  ModelDescription arm = cantilever(KinematicOrder::first);
  arm.links[0].origin = limber::FrameDescription{{0, 0, 0}, {0, 0, 0.3}};
  arm.links[0].beam->modes.y = shapes(2);
  State at = state({0.1, 0}, {0, 0});
  const auto expect_force_along_y = [&](reference::LoadAxes axes, double force) {
    at.loads = {{"beam", 0.5, axes, {5.0, 3.0, 0}, {0, 0, 0.7}}};
    // phi(L/2) = 1/4, 1/8; phi'(L/2) = 1/L, 3/(4L)
    const Eigen::Vector2d expected(force / 4 + 0.7 / L, force / 8 + 0.7 * 0.75 / L);
    EXPECT_CLOSE(evaluate(arm, at).load_forces, expected, rounding);
  };
  const double slope = 0.1 / L;
  expect_force_along_y(reference::LoadAxes::world, -5.0 * std::sin(0.3) + 3.0 * std::cos(0.3));
  expect_force_along_y(reference::LoadAxes::body, 3.0);
  expect_force_along_y(reference::LoadAxes::section, 5.0 * std::sin(slope) + 3.0 * std::cos(slope));
}

TEST(Oracle, PlacesFramesAsTheContractSays) {
  // origin = Rx(alpha) Tx(a) Rz(theta) Tz(d), then the joint about z
  ModelDescription arm;
  LinkDescription link = rigid_link("dh", JointType::revolute, 1.0, {0, 0, 0}, no_inertia, {0.2, 0.3, 0.4});
  link.rigid->inertia << 1, 1, 1, 0, 0, 0;
  link.dh = limber::DenavitHartenberg{0.5, 0.7, -0.2, 1.1};
  link.rigid->tip.rpy = {0.3, -0.4, 0.5};
  arm.links = {link};
  arm.end_effector = limber::EndEffectorDescription{"dh", {0.1, 0, 0}, {0, 0, 0.6}};
  const auto about = [](const Vector3d& axis, double angle) {
    return Eigen::Isometry3d(Eigen::AngleAxisd(angle, axis));
  };
  const auto along = [](double x, double y, double z) {
    return Eigen::Isometry3d(Eigen::Translation3d(x, y, z));
  };
  const Vector3d X = Vector3d::UnitX(), Y = Vector3d::UnitY(), Z = Vector3d::UnitZ();
  Eigen::Isometry3d pose = about(X, 0.7) * along(0.5, 0, 0) * about(Z, 1.1) * along(0, 0, -0.2) *
                           about(Z, 0.9) * along(0.2, 0.3, 0.4) * about(Z, 0.5) * about(Y, -0.4) *
                           about(X, 0.3) * along(0.1, 0, 0) * about(Z, 0.6);
  Evaluation result = evaluate(arm, state({0.9}, {0}));
  EXPECT_CLOSE(result.end_effector_position, pose.translation(), rounding);
  EXPECT_CLOSE(result.end_effector_rotation, pose.linear(), rounding);

  // A child on a quarter of a bent beam: axis point (L/4, b/16), section turned by the slope b/(2L); root
  // offset before.
  arm = cantilever(KinematicOrder::first);
  arm.links[0].beam->modes.y = shapes(1);
  arm.links[0].root.xyz = {0.1, 0.2, 0.3};
  arm.links[0].root.rpy = {0, 0, M_PI / 2};
  link = rigid_link("child", JointType::prismatic, 1.0, {0, 0, 0}, no_inertia, {0, 0, 0});
  link.attach = 0.25;
  link.joint.axis = Vector3d(0, 2, 0);
  arm.links.push_back(link);
  const double b = 0.2, s = b / (2 * L);
  result = evaluate(arm, state({b, 0.5}, {0, 0}));
  const Vector3d on_beam(L / 4 - 0.5 * std::sin(s), b / 16 + 0.5 * std::cos(s), 0);
  EXPECT_CLOSE(result.end_effector_position, Vector3d(0.1 - on_beam.y(), 0.2 + on_beam.x(), 0.3), rounding);
}

TEST(Oracle, RefusesWhatItDoesNotUnderstand) {
  ModelDescription arm = cantilever(KinematicOrder::first);
  arm.links[0].beam->modes.y = shapes(1);
  EXPECT_THROW(evaluate(arm, state({0, 0}, {0})), std::invalid_argument);
  arm.links[0].beam->modes.y->shape = limber::ShapeFamily::clamped_free;
  EXPECT_THROW(evaluate(arm, state({0}, {0})), std::invalid_argument);
}

}  // namespace
