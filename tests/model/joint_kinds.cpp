// SPDX-License-Identifier: BSD-3-Clause
// Every kind of joint, by properties that its functions must have together: no kind is named here, so that a new one is tested by being
// registered.

#include "limber/model/detail/joint_kinds.hpp"

#include <gtest/gtest.h>

#include <random>

namespace {

using namespace limber;          // NOLINT
using namespace limber::detail;  // NOLINT
using Eigen::Matrix3d;
using Eigen::Vector3d;
using Eigen::VectorXd;
using joint_kinds::JointPlace;
using joint_kinds::Matrix6d;
using Vector6d = Eigen::Matrix<double, 6, 1>;

class Dice {
 public:
  double between(double lower, double upper) {
    return lower + (upper - lower) * (static_cast<double>(engine_()) / 4294967296.0);
  }
  VectorXd vector(int n, double size) {
    return VectorXd::NullaryExpr(n, [&] { return between(-size, size); });
  }
  Matrix3d rotation() { return exp_rotation<double>(Vector3d(vector(3, 1.5))); }

 private:
  std::mt19937 engine_{7};
};

// use(kind, name) for every kind.
template <typename Use>
void for_each_kind(const Use& use) {
  for (const JointTypeName& kind : joint_type_names) {
    SCOPED_TRACE(kind.name);
    with_joint_kind(kind.type, use);
  }
}

template <typename Kind>
VectorXd displaced(Kind kind, const VectorXd& q, const VectorXd& delta) {
  VectorXd result(q.size());
  kind.displace(q.data(), delta.data(), result.data());
  return result;
}

template <typename Kind>
VectorXd difference(Kind kind, const VectorXd& from, const VectorXd& to) {
  VectorXd delta(kind.facts.nv);
  kind.difference(from.data(), to.data(), delta.data());
  return delta;
}

template <typename Kind>
VectorXd random_configuration(Kind kind, Dice& dice) {
  VectorXd q(kind.facts.nq());
  kind.set_neutral(q.data());
  return displaced(kind, q, dice.vector(kind.facts.nv, 1.5));
}

JointWork<double> random_work(Dice& dice) {
  JointWork<double> joint;
  joint.R_NR0 = dice.rotation();
  joint.R_BR = dice.rotation();
  joint.p_NJ = Vector3d(dice.vector(3, 1.0));
  joint.p_BR_R = Vector3d(dice.vector(3, 1.0));
  for (Vec3<double>& axis : joint.axes) axis = Vector3d(dice.rotation() * Vector3d::UnitZ());
  joint.parameter = dice.between(-0.5, 0.5);
  return joint;
}

// R in the node's axes.
struct FramePlace {
  Matrix3d R;
  Vector3d p;
};
template <typename Kind>
FramePlace place(Kind kind, JointWork<double>& joint, const VectorXd& q) {
  Mat3<double> R;
  Vec3<double> p = joint.p_NJ;
  turn(kind, joint, q.data());
  kind.place(joint, q.data(), R, p);
  return {R, Vector3d(p + R * joint.p_BR_R)};
}

// S in B's axes, about B's origin.
template <typename Kind>
Matrix6d subspace_in_body(Kind kind, const JointWork<double>& joint) {
  Matrix6d S = Matrix6d::Zero();
  const Matrix3d R = joint.R_BR;
  for (int j = 0; j < kind.facts.nv; ++j) {
    const Vector3d w = joint.S[j].angular, v = Vector3d(joint.S[j].linear) - w.cross(Vector3d(joint.p_BR_R));
    S.col(j) << R * v, R * w;
  }
  return S;
}

const double sizes[] = {0.0, 1e-9, 1e-4, 0.1, 1.7};  // NOLINT: of displacements

TEST(JointKinds, FactsAgreeWithTheSubspace) {
  Dice dice;
  for_each_kind([&](auto kind) {
    JointWork<double> joint = random_work(dice);
    kind.prepare(joint);
    place(kind, joint, random_configuration(kind, dice));
    const Matrix6d S = subspace_in_body(kind, joint);
    for (int j = 0; j < 6; ++j) {
      const JointFreedom& freedom = kind.facts.freedoms[static_cast<std::size_t>(j)];
      EXPECT_EQ(freedom.turns || freedom.slides, j < kind.facts.nv);
      EXPECT_NEAR(S.col(j).template tail<3>().norm(), freedom.turns ? 1.0 : 0.0, 1e-14);
      const double slide = !freedom.slides ? 0.0 : freedom.turns ? std::abs(joint.parameter) : 1.0;
      EXPECT_NEAR(S.col(j).template head<3>().norm(), slide, 1e-14);
      EXPECT_LE(freedom.axis, kind.facts.axis_count);
    }
  });
}

// Without a quaternion a joint is its freedoms one after the other: what the page shows.
TEST(JointKinds, PlaceIsTheProductOfTheFreedoms) {
  Dice dice;
  for_each_kind([&](auto kind) {
    if (kind.facts.has_quaternion()) return;
    JointWork<double> joint = random_work(dice);
    kind.prepare(joint);
    const VectorXd q = random_configuration(kind, dice);
    const FramePlace found = place(kind, joint, q);
    Matrix3d R = joint.R_NR0;
    Vector3d p = joint.p_NJ;
    for (int j = 0; j < kind.facts.nv; ++j) {
      const JointFreedom& freedom = kind.facts.freedoms[static_cast<std::size_t>(j)];
      const Vector3d normal = Vector3d(joint.axes[0]).cross(Vector3d(joint.axes[1])).normalized();
      const Vector3d axis = freedom.axis < 2 ? Vector3d(joint.axes[freedom.axis]) : normal;
      if (freedom.slides) p += R * axis * (freedom.turns ? joint.parameter * q[j] : q[j]);
      if (freedom.turns) R = R * Eigen::AngleAxisd(q[j], axis);
    }
    EXPECT_LT((found.R - R).norm(), 1e-14);
    EXPECT_LT((found.p - p - R * Vector3d(joint.p_BR_R)).norm(), 1e-14);
  });
}

TEST(JointKinds, SubspaceIsTheDerivativeOfThePlace) {
  constexpr double h = 1e-5;
  Dice dice;
  for_each_kind([&](auto kind) {
    JointWork<double> joint = random_work(dice);
    kind.prepare(joint);
    const VectorXd q = random_configuration(kind, dice);
    const FramePlace at = place(kind, joint, q);
    const JointWork<double> here = joint;
    for (int j = 0; j < kind.facts.nv; ++j) {
      const VectorXd step = h * VectorXd::Unit(kind.facts.nv, j);
      const FramePlace ahead = place(kind, joint, displaced(kind, q, step));
      const FramePlace behind = place(kind, joint, displaced(kind, q, -step));
      const Vector3d v = at.R.transpose() * (ahead.p - behind.p) / (2.0 * h);
      const Vector3d w = log_rotation(behind.R.transpose() * ahead.R) / (2.0 * h);
      EXPECT_LT((v - Vector3d(here.S[j].linear)).norm(), 1e-9);
      EXPECT_LT((w - Vector3d(here.S[j].angular)).norm(), 1e-9);
    }
  });
}

TEST(JointKinds, OnlyMovingColumnsMoveAndAtTheirRates) {
  constexpr double h = 1e-5;
  Dice dice;
  for_each_kind([&](auto kind) {
    JointWork<double> joint = random_work(dice);
    kind.prepare(joint);
    const VectorXd q = random_configuration(kind, dice), v = dice.vector(kind.facts.nv, 2.0);
    const auto S_after = [&](double t) {
      place(kind, joint, displaced(kind, q, t * v));
      Matrix6d S = Matrix6d::Zero();
      for (int j = 0; j < kind.facts.nv; ++j)
        S.col(j) << Vector3d(joint.S[j].linear), Vector3d(joint.S[j].angular);
      return S;
    };
    const Matrix6d rate = (S_after(h) - S_after(-h)) / (2.0 * h);
    S_after(0.0);
    if constexpr (kind.moving_columns > 0) {
      for (int j = 0; j < kind.moving_columns; ++j)
        EXPECT_LT((rate.col(j) - kind.column_rate(joint, j, v.data()).vector()).norm(), 1e-8);
    }
    EXPECT_EQ(rate.rightCols(6 - kind.moving_columns).norm(), 0.0);
  });
}

TEST(JointKinds, MeasuringIsTheInverseOfPlacing) {
  Dice dice;
  for_each_kind([&](auto kind) {
    for (int i = 0; i < 20; ++i) {
      JointWork<double> joint = random_work(dice);
      kind.prepare(joint);
      const VectorXd q = displaced(kind, random_configuration(kind, dice), dice.vector(kind.facts.nv, 20.0));
      const FramePlace at = place(kind, joint, q);
      const Matrix3d R_R0N = Matrix3d(joint.R_NR0).transpose();
      const JointPlace found{R_R0N * at.R,
                             R_R0N * (at.p - Vector3d(joint.p_NJ) - at.R * Vector3d(joint.p_BR_R))};
      VectorXd measured = displaced(kind, q, dice.vector(kind.facts.nv, 0.5));  // angles within half a turn
      kind.measure(joint, found, measured.data());
      EXPECT_LT((measured - q).norm(), 1e-12) << measured.transpose() << " != " << q.transpose();
    }
  });
}

TEST(JointKinds, ConstrainedDirectionsCompleteTheSubspace) {
  Dice dice;
  for_each_kind([&](auto kind) {
    JointWork<double> joint = random_work(dice);
    kind.prepare(joint);
    place(kind, joint, random_configuration(kind, dice));
    const int nv = kind.facts.nv;
    const Matrix6d S = subspace_in_body(kind, joint);
    Matrix6d N = Matrix6d::Zero(), S_plus = Matrix6d::Zero();
    kind.set_constrained(S, N);
    kind.set_rate_rows(S, S_plus);
    EXPECT_EQ(N.leftCols(nv).norm(), 0.0);
    const auto own = N.rightCols(6 - nv);
    EXPECT_LT((own.transpose() * own - Eigen::MatrixXd::Identity(6 - nv, 6 - nv)).norm(), 1e-14);
    EXPECT_LT((S.transpose() * N).norm(), 1e-14);
    const Eigen::MatrixXd rates = S_plus.topRows(nv) * S.leftCols(nv);
    EXPECT_LT((rates - Eigen::MatrixXd::Identity(nv, nv)).norm(), 1e-13);
    EXPECT_LT((S_plus.topRows(nv) * N).norm(), 1e-13);
  });
}

TEST(JointKinds, RatesAreTheDerivativesOfDisplacements) {
  constexpr double h = 1e-5;
  Dice dice;
  for_each_kind([&](auto kind) {
    const VectorXd q = random_configuration(kind, dice), v = dice.vector(kind.facts.nv, 2.0);
    VectorXd rate(q.size()), back(v.size());
    kind.rate(q.data(), v.data(), rate.data());
    kind.velocity(q.data(), rate.data(), back.data());
    const VectorXd slope = (displaced(kind, q, h * v) - displaced(kind, q, -h * v)) / (2.0 * h);
    EXPECT_LT((rate - slope).norm(), 1e-9);
    EXPECT_LT((back - v).norm(), 1e-14);
  });
}

TEST(JointKinds, DifferenceIsTheInverseOfDisplacement) {
  Dice dice;
  for_each_kind([&](auto kind) {
    for (const double size : sizes) {
      const VectorXd q = random_configuration(kind, dice), delta = dice.vector(kind.facts.nv, size);
      const VectorXd moved = displaced(kind, q, delta);
      EXPECT_LT((difference(kind, q, moved) - delta).norm(), 1e-15 + 4e-15 * (1.0 + size));
      // also from the other quaternion of the same rotation
      VectorXd other = moved;
      if (kind.facts.has_quaternion()) other.segment(kind.facts.quaternion, 4) *= -1.0;
      EXPECT_LT((difference(kind, q, other) - delta).norm(), 1e-15 + 4e-15 * (1.0 + size));
      EXPECT_LT((displaced(kind, q, difference(kind, q, moved)) - moved).norm(), 1e-14);
    }
  });
}

// d/dt delta, where q (+) delta moves with v: what is left to do after a small step, against the closed form.
TEST(JointKinds, DisplacementRateIsExactAlsoForLargeDisplacements) {
  constexpr double h = 1e-4;
  Dice dice;
  for_each_kind([&](auto kind) {
    for (const double size : sizes) {
      const VectorXd q = random_configuration(kind, dice), delta = dice.vector(kind.facts.nv, size);
      const VectorXd v = dice.vector(kind.facts.nv, 1.0);
      VectorXd rate(v.size());
      kind.displacement_rate(delta.data(), v.data(), rate.data());
      const auto delta_after = [&](double t) {
        return difference(kind, q, displaced(kind, displaced(kind, q, delta), t * v));
      };
      // fourth order: the step costs 1e-16 / h
      const VectorXd slope =
          (8.0 * (delta_after(h) - delta_after(-h)) - delta_after(2.0 * h) + delta_after(-2.0 * h)) /
          (12.0 * h);
      EXPECT_LT((rate - slope).norm(), 1e-10) << "size " << size;
    }
  });
}

// [v, delta]: how displacements along a motion change, d/dt delta = w - N(v) delta for neighbours of a configuration that moves with v.
TEST(JointKinds, BracketIsTheSecondOrderOfDisplacements) {
  constexpr double h = 1e-4;
  Dice dice;
  for_each_kind([&](auto kind) {
    const int nv = kind.facts.nv;
    const VectorXd q = random_configuration(kind, dice), a = dice.vector(nv, 1.0), b = dice.vector(nv, 1.0);
    Matrix6d N = Matrix6d::Zero();
    kind.set_bracket(a.data(), N);
    // (q (+) h a (+) h b) against (q (+) h b (+) h a), to second order
    const VectorXd there = displaced(kind, displaced(kind, q, h * a), h * b);
    const VectorXd other = displaced(kind, displaced(kind, q, h * b), h * a);
    const VectorXd gap = difference(kind, other, there) / (h * h);
    EXPECT_LT((gap - N.topLeftCorner(nv, nv) * b).norm(), 1e-3);
  });
}

}  // namespace
