// SPDX-License-Identifier: BSD-3-Clause
// The oracle against mechanics itself, on random arms: laws that hold whatever the arm is. Derivatives are
// taken by central differences of fourth order, f' = (8 (f(h) - f(-h)) - (f(2h) - f(-2h))) / (12 h).

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <Eigen/Geometry>
#include <cmath>
#include <set>
#include <string>

#include "reference/oracle.hpp"
#include "reference/random_arm.hpp"

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
using reference::q_size;
using reference::State;
using reference::v_size;

constexpr double bent = 0.05;  // deflections, as a share of the length

KinematicOrder order_of(unsigned seed) {
  return seed % 2 == 0 ? KinematicOrder::second : KinematicOrder::first;
}

struct Case {
  ModelDescription arm;
  State state;
};

Case random_case(unsigned seed, int links) {
  Case c{reference::random_arm(seed, links, order_of(seed)), {}};
  c.state = reference::random_state(c.arm, seed, bent);
  return c;
}

std::string named(const Case& c) { return c.arm.name + ", " + std::to_string(c.arm.links.size()) + " links"; }

// ---- motion ----

Eigen::Quaterniond turned(const Eigen::Vector4d& xyzw, const Vector3d& by) {
  const Eigen::Quaterniond q(xyzw);
  return by.isZero(0.0) ? q : q * Eigen::AngleAxisd(by.norm(), by.normalized());
}

/// q moved by the velocity components d (times 1): body axes for spherical and free joints, to first order in
/// d.
VectorXd moved(const ModelDescription& arm, const VectorXd& q, const VectorXd& d) {
  VectorXd result = q;
  int iq = 0, iv = 0;
  for (const LinkDescription& link : arm.links) {
    const JointType type = link.joint.type;
    if (type == JointType::spherical) {
      result.segment<4>(iq) = turned(q.segment<4>(iq), d.segment<3>(iv)).coeffs();
    } else if (type == JointType::free) {
      result.segment<3>(iq) += Eigen::Quaterniond(Eigen::Vector4d(q.segment<4>(iq + 3))) * d.segment<3>(iv);
      result.segment<4>(iq + 3) = turned(q.segment<4>(iq + 3), d.segment<3>(iv + 3)).coeffs();
    } else {
      result.segment(iq, q_size(type)) += d.segment(iv, v_size(type));
    }
    iq += q_size(type);
    iv += v_size(type);
    const int elastic = reference::elastic_size(link);
    result.segment(iq, elastic) += d.segment(iv, elastic);
    iq += elastic;
    iv += elastic;
  }
  return result;
}

template <typename Function>
auto derivative(double h, const Function& f) -> decltype(f(h)) {
  return (8 * (f(h) - f(-h)) - (f(2 * h) - f(-2 * h))) / (12 * h);
}

/// The state a moment later; the derivative at t = 0 needs the path's tangent only.
State later(const Case& c, const VectorXd& acceleration, double t) {
  State state = c.state;
  state.q = moved(c.arm, c.state.q, t * c.state.v);
  state.v += t * acceleration;
  return state;
}

Evaluation evaluate_at(const Case& c, const VectorXd& q) {
  State state = c.state;
  state.q = q;
  return evaluate(c.arm, state);
}

// ---- laws ----

TEST(OracleLaws, KineticEnergyIsTheQuadraticFormOfTheMassMatrix) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    const Case c = random_case(seed, 1 + static_cast<int>(seed % 8));
    SCOPED_TRACE(named(c));
    const Evaluation e = evaluate(c.arm, c.state);
    EXPECT_NEAR(e.kinetic, c.state.v.dot(e.M * c.state.v) / 2, 1e-13 * e.kinetic);
    EXPECT_EQ(Eigen::LLT<MatrixXd>(e.M).info(), Eigen::Success);
  }
}

TEST(OracleLaws, EnergyChangesByThePowerOfActuatorsLoadsAndDampers) {
  for (unsigned seed = 0; seed < 24; ++seed) {
    const Case c = random_case(seed, 1 + static_cast<int>(seed % 6));
    SCOPED_TRACE(named(c));
    const Evaluation e = evaluate(c.arm, c.state);
    const VectorXd& v = c.state.v;
    const double power = v.dot(c.state.tau + e.load_forces - e.damping * v);
    const double rate = derivative(1e-5, [&](double t) {
      const Evaluation at = evaluate(c.arm, later(c, e.acceleration, t));
      return at.kinetic + at.gravity_energy + at.strain;
    });
    const double exchanged = (e.M * e.acceleration).cwiseProduct(v).cwiseAbs().sum() + std::abs(power);
    EXPECT_NEAR(rate, power, 1e-7 * exchanged);
  }
}

TEST(OracleLaws, GravityIsTheGradientOfItsEnergyAndTheJacobianThatOfThePose) {
  for (unsigned seed = 0; seed < 8; ++seed) {
    const Case c = random_case(seed, 1 + static_cast<int>(seed % 4));
    SCOPED_TRACE(named(c));
    const Evaluation e = evaluate(c.arm, c.state);
    const auto nv = static_cast<int>(c.state.v.size());
    VectorXd gradient(nv);
    MatrixXd jacobian(6, nv);
    for (int i = 0; i < nv; ++i) {
      const VectorXd difference = derivative(1e-3, [&](double t) {
        const Evaluation at = evaluate_at(c, moved(c.arm, c.state.q, t * VectorXd::Unit(nv, i)));
        VectorXd all(13);
        all << at.gravity_energy, at.end_effector_position, at.end_effector_rotation.reshaped();
        return all;
      });
      const Matrix3d W = difference.tail<9>().reshaped(3, 3) * e.end_effector_rotation.transpose();
      gradient[i] = difference[0];
      jacobian.col(i) << difference.segment<3>(1), W(2, 1), W(0, 2), W(1, 0);
    }
    EXPECT_LT((gradient - e.gravity).norm(), 1e-9 * (1 + e.gravity.norm()));
    EXPECT_LT((jacobian - e.jacobian).norm(), 1e-9 * e.jacobian.norm());
  }
}

TEST(OracleLaws, CoriolisForcesAreLagranges) {
  // Where v is the rate of q: d/dt (M v) - 1/2 d(v^T M v)/dq at constant v.
  int arms = 0;
  for (unsigned seed = 0; arms < 4; ++seed) {
    const Case c = random_case(seed, 3);
    if (c.state.q.size() != c.state.v.size()) continue;
    ++arms;
    SCOPED_TRACE(named(c));
    const Evaluation e = evaluate(c.arm, c.state);
    const VectorXd& v = c.state.v;
    VectorXd coriolis =
        derivative(1e-3, [&](double t) -> VectorXd { return evaluate_at(c, c.state.q + t * v).M * v; });
    for (int i = 0; i < v.size(); ++i) {
      coriolis[i] -= derivative(1e-3, [&](double t) {
        return evaluate_at(c, c.state.q + t * VectorXd::Unit(v.size(), i)).kinetic;
      });
    }
    EXPECT_LT((coriolis - (e.bias - e.gravity)).norm(), 1e-9 * coriolis.norm());
  }
}

TEST(OracleLaws, JointsCarryWhatTheirOwnCoordinatesFeel) {
  // The wrench's components along a joint's freedom are all that acts there: tau - spring - damper -
  // armature.
  for (unsigned seed = 0; seed < 60; ++seed) {
    const Case c = random_case(seed, 1 + static_cast<int>(seed % 8));
    SCOPED_TRACE(named(c));
    const Evaluation e = evaluate(c.arm, c.state);
    int iq = 0, iv = 0;
    for (std::size_t l = 0; l < c.arm.links.size(); ++l) {
      const limber::JointDescription& joint = c.arm.links[l].joint;
      const int nq = q_size(joint.type), nv = v_size(joint.type);
      const Vector3d axis = joint.axis.value_or(Vector3d::UnitZ()).normalized();
      MatrixXd S = MatrixXd::Zero(6, nv);  // the child's twist in B's axes
      if (joint.type == JointType::revolute) S.bottomRows<3>() = axis;
      if (joint.type == JointType::prismatic) S.topRows<3>() = axis;
      if (joint.type == JointType::cylindrical) S << Vector3d::Zero(), axis, axis, Vector3d::Zero();
      if (joint.type == JointType::screw) S << joint.pitch.value() * axis, axis;
      if (joint.type == JointType::spherical) S.bottomRows<3>().setIdentity();
      if (joint.type == JointType::free) S.setIdentity();
      if (joint.type == JointType::universal) {
        const Vector3d first = (*joint.axes)[0].normalized(), second = (*joint.axes)[1].normalized();
        S.bottomRows<3>() << Eigen::AngleAxisd(-c.state.q[iq + 1], second) * first, second;
      }
      if (joint.type == JointType::planar) {
        const Vector3d first = (*joint.axes)[0].normalized(), second = (*joint.axes)[1].normalized();
        const Vector3d normal = first.cross(second).normalized();
        const Eigen::Matrix3d turn = Eigen::AngleAxisd(-c.state.q[iq + 2], normal).toRotationMatrix();
        S << turn * first, turn * second, Vector3d::Zero(), Vector3d::Zero(), Vector3d::Zero(), normal;
      }
      VectorXd felt = c.state.tau.segment(iv, nv) - joint.damping * c.state.v.segment(iv, nv) -
                      joint.armature * e.acceleration.segment(iv, nv);
      if (nq == nv) felt -= joint.stiffness * (c.state.q.segment(iq, nq).array() - joint.rest).matrix();
      const double scale = 1 + e.wrenches[l].norm() + felt.norm();
      EXPECT_LT((S.transpose() * e.wrenches[l] - felt).norm(), 1e-12 * scale) << "joint " << l;
      const int elastic = reference::elastic_size(c.arm.links[l]);
      iq += nq + elastic;
      iv += nv + elastic;
    }
  }
}

TEST(OracleLaws, MomentumChangesByTheForcesFromOutside) {
  for (unsigned seed = 0; seed < 16; ++seed) {
    // Everything hangs on the first link, which is fixed to the world with B at its origin; one load acts on
    // the end effector, in world axes.
    Case c{reference::random_arm(seed, 2 + static_cast<int>(seed % 4), order_of(seed)), {}};
    LinkDescription& first = c.arm.links.front();
    first.joint = {};
    first.joint.type = JointType::fixed;
    first.origin.reset();
    first.dh.reset();
    for (LinkDescription& link : c.arm.links)
      if (link.parent == "base" && &link != &first) link.parent = first.name;
    c.arm.end_effector.reset();
    if (v_size(c.arm) == 0) continue;
    c.state = reference::random_state(c.arm, seed, bent);
    const Vector3d force(10, -20, 5), moment(2, 1, -3);
    c.state.loads = {{c.arm.links.back().name, 1.0, reference::LoadAxes::world, force, moment}};
    SCOPED_TRACE(named(c));

    const Evaluation e = evaluate(c.arm, c.state);
    const VectorXd rates = derivative(1e-5, [&](double t) {
      const Evaluation at = evaluate(c.arm, later(c, e.acceleration, t));
      VectorXd all(9);
      all << at.linear_momentum, at.angular_momentum, at.mass * at.center_of_mass;
      return all;
    });
    VectorXd outside = e.wrenches[0];
    const Vector3d weight = e.mass * c.arm.gravity;
    outside.head<3>() += weight + force;
    outside.tail<3>() += e.center_of_mass.cross(weight) + e.end_effector_position.cross(force) + moment;
    EXPECT_LT((rates.head<6>() - outside).norm(), 1e-7 * (1 + e.wrenches[0].norm()));
    EXPECT_LT((rates.tail<3>() - e.linear_momentum).norm(), 1e-8 * (1 + e.linear_momentum.norm()));
  }
}

TEST(OracleLaws, SpringsAreTheGradientOfStrainEnergy) {
  for (unsigned seed = 0; seed < 4; ++seed) {
    const Case c = random_case(seed, 2);
    SCOPED_TRACE(named(c));
    Case still = c;
    still.state.v.setZero();
    still.state.tau.setZero();
    still.state.loads.clear();
    const Evaluation e = evaluate(still.arm, still.state);
    const VectorXd springs = -(e.M * e.acceleration + e.bias);  // what remains of (4)
    VectorXd gradient(springs.size());
    for (int i = 0; i < springs.size(); ++i) {
      gradient[i] = derivative(1e-2, [&](double t) {
        return evaluate_at(still, moved(c.arm, c.state.q, t * VectorXd::Unit(springs.size(), i))).strain;
      });
    }
    EXPECT_LT((springs - gradient).norm(), 1e-9 * (1 + gradient.norm()));
  }
}

TEST(RandomArm, HasEverythingSomewhere) {
  std::set<JointType> joints;
  std::set<reference::LoadAxes> axes;
  std::set<std::string> features;
  const auto note = [&](bool holds, const char* feature) {
    if (holds) features.insert(feature);
  };
  for (unsigned seed = 0; seed < 200; ++seed) {
    const Case c = random_case(seed, 8);
    for (const reference::Load& load : c.state.loads) axes.insert(load.axes);
    for (const LinkDescription& link : c.arm.links) {
      joints.insert(link.joint.type);
      note(link.dh.has_value(), "dh");
      note(link.origin.has_value(), "origin");
      note(link.rigid.has_value(), "rigid");
      note(link.joint.armature > 0, "armature");
      note(link.joint.stiffness > 0 && link.joint.rest != 0, "spring");
      note(link.joint.damping > 0, "damper");
      note(link.root.mass > 0, "root piece");
      note(link.tip.has_value(), "tip body");
      note(link.attach != 1.0, "attach");
      if (!link.beam) continue;
      note(!link.beam->stations.empty(), "stations");
      note(link.beam->tip_rotation == limber::TipRotation::chord, "chord");
      note(link.beam->damping && link.beam->damping->ratio, "ratio");
      note(link.beam->damping && link.beam->damping->alpha, "alpha");
      note(link.beam->modes.y && link.beam->modes.z && link.beam->modes.torsion && link.beam->modes.axial,
           "all four");
      note(link.beam->section && link.beam->section->rotary_inertia, "rotary inertia");
      note(reference::elastic_size(link) == 0, "a beam that does not bend");
    }
  }
  EXPECT_EQ(joints.size(), 9u);
  EXPECT_EQ(axes.size(), 3u);
  EXPECT_EQ(features.size(), 16u) << ::testing::PrintToString(features);
}

}  // namespace
