// SPDX-License-Identifier: BSD-3-Clause
#include "limber/math/spatial.hpp"

#include <gtest/gtest.h>

#include <concepts>

#include "limber/math/detail/lanes.hpp"

namespace limber {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

// ---- what means nothing does not compile ----

template <typename A, typename B>
concept Adds = requires(A a, const B& b) {
  a + b;
}
|| requires(A a, const B& b) { a += b; }
|| requires(A a, const B& b) { a - b; };
template <typename A, typename B>
concept HasPower = requires(const A& a, const B& b) {
  dot(a, b);
};
template <typename M, typename A>
concept Moves = requires(const M& inertia, const A& a) {
  inertia* a;
};
template <typename A>
concept TakesSixNumbersUnasked =
    std::convertible_to<Vector6<double>, A> || std::convertible_to<A, Vector6<double>>;

template <typename Twists, typename Wrenches, typename Inertia>
constexpr bool do_not_mix() {
  static_assert(Adds<Twists, Twists> && Adds<Wrenches, Wrenches>);
  static_assert(!Adds<Twists, Wrenches> && !Adds<Wrenches, Twists>);
  static_assert(!std::constructible_from<Twists, Wrenches> && !std::constructible_from<Wrenches, Twists>);
  static_assert(!std::is_assignable_v<Twists&, Wrenches> && !std::is_assignable_v<Wrenches&, Twists>);
  static_assert(HasPower<Twists, Wrenches> && HasPower<Wrenches, Twists>);
  static_assert(!HasPower<Twists, Twists> && !HasPower<Wrenches, Wrenches>);
  static_assert(Moves<Inertia, Twists> && !Moves<Inertia, Wrenches>);
  static_assert(std::same_as<decltype(Inertia() * Twists()), Wrenches>);
  static_assert(!TakesSixNumbersUnasked<Twists> && !TakesSixNumbersUnasked<Wrenches>);
  return true;
}

TEST(TwistsAndWrenches, DoNotMix) {
  EXPECT_TRUE((do_not_mix<Twist, Wrench, RigidInertia>()));
  using namespace detail;
  EXPECT_TRUE((do_not_mix<LaneTwist<double>, LaneWrench<double>, LaneInertia<double>>()));
  EXPECT_TRUE((do_not_mix<LaneTwist<double>, LaneWrench<double>, ArticulatedInertia<double>>()));
  EXPECT_TRUE((do_not_mix<LaneTwist<float>, LaneWrench<float>, LaneInertia<float>>()));
}

// ---- what they are ----

const Twist V{Vector3d(0.2, 0.5, -0.1), Vector3d(1.0, -2.0, 0.5)};
const Wrench f{Vector3d(3.0, -1.0, 2.0), Vector3d(0.7, 0.4, -5.0)};
const RigidInertia body =
    RigidInertia::about_com(5.0, Vector3d(0.1, -0.4, 0.7), Vector3d(2.0, 3.0, 4.0).asDiagonal());

TEST(TwistsAndWrenches, AreSixNumbersLinearPartFirst) {
  Vector6<double> expected;
  expected << 0.2, 0.5, -0.1, 1.0, -2.0, 0.5;
  EXPECT_EQ(V.vector(), expected);
  EXPECT_EQ(Twist::from(expected), V);
  EXPECT_EQ(Wrench::from(f.vector()), f);
  EXPECT_EQ(f.vector().head<3>(), f.force);
  EXPECT_EQ(Twist().vector(), Vector6<double>::Zero());
  EXPECT_EQ(Wrench().vector(), Vector6<double>::Zero());
}

TEST(TwistsAndWrenches, HaveTheirPowerAsProduct) {
  EXPECT_DOUBLE_EQ(dot(f, V), f.force.dot(V.linear) + f.moment.dot(V.angular));
  EXPECT_EQ(dot(V, f), dot(f, V));
}

TEST(RigidInertia, ActsAsItsMatrix) {
  EXPECT_LT(((body * V).vector() - body.matrix() * V.vector()).norm(), 1e-14);
  EXPECT_LT((body.matrix() - body.matrix().transpose()).norm(), 1e-14);
}

// Steiner, by a second way: the moments of the points of mass themselves.
TEST(RigidInertia, AboutItsCentreOfMassIsThatOfItsPoints) {
  const Vector3d com(0.1, -0.4, 0.7);
  Matrix3d at_com = Matrix3d::Zero(), about_origin = Matrix3d::Zero();
  for (const Vector3d& r : {Vector3d(0.3, 0.2, -0.6), Vector3d(-0.5, 0.1, 0.4), Vector3d(0.2, -0.3, 0.2)}) {
    const Matrix3d at = skew<double>(r), from_origin = skew<double>(Vector3d(com + r));
    at_com += 2.0 * at.transpose() * at;
    about_origin += 2.0 * from_origin.transpose() * from_origin;
  }
  const RigidInertia points = RigidInertia::about_com(6.0, com, at_com);
  EXPECT_LT((points.moment - 6.0 * com).norm(), 1e-14);
  EXPECT_LT((points.inertia - about_origin).norm(), 1e-14);
}

TEST(RigidInertia, IsTheSameInLanes) {
  using namespace detail;
  const LaneInertia<double> lanes{body.mass, body.moment, body.inertia};
  const LaneTwist<double> motion = LaneTwist<double>::from(V.vector());
  EXPECT_LT(((lanes * motion).vector() - (body * V).vector()).norm(), 1e-14);
  EXPECT_LT((lanes.matrix() - body.matrix()).norm(), 1e-15);
  EXPECT_NEAR(dot(lanes * motion, motion), dot(body * V, V), 1e-13);
}

}  // namespace
}  // namespace limber
