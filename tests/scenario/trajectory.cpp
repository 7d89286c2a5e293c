// SPDX-License-Identifier: BSD-3-Clause
#include "limber/scenario/trajectory.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace limber {
namespace {

using std::numbers::pi;

TrajectoryPointer make(const TrajectoryDescription& description,
                       const std::vector<std::pair<std::string, TrajectoryPointer>>& others = {}) {
  return make_trajectory(description, [&](const std::string& name) {
    for (const auto& [other, trajectory] : others)
      if (other == name) return trajectory;
    return TrajectoryPointer();
  });
}

struct Case {
  const char* name;
  TrajectoryDescription description;
};

std::vector<Case> smooth_cases() {
  using namespace trajectories;
  return {
      {"quintic", Quintic{.from = 0.3, .to = -1.0, .start = 0.5, .duration = 1.5}},
      {"cycloidal", Cycloidal{.rate = 0.075, .period = 4.0}},
      {"trapezoidal",
       Trapezoidal{.from = 1.0, .to = -1.0, .start = 0.2, .velocity = 0.9, .acceleration = 1.5}},
      {"triangle", Trapezoidal{.from = 0.0, .to = 0.1, .start = 0.2, .velocity = 5.0, .acceleration = 1.5}},
      {"spin_up", SpinUp{.rate = 6.0, .duration = 2.0}},
      {"table", Table{.times = {0.0, 0.4, 1.0, 1.1, 2.5, 3.0}, .values = {0, 1, 0.5, 2, -1, 0}}}};
}

class Smooth : public testing::TestWithParam<Case> {};

// Velocity and acceleration are the derivatives of the position, on both sides of every corner.
TEST_P(Smooth, RatesAreDerivatives) {
  const auto trajectory = make(GetParam().description);
  constexpr double h = 1e-4;
  for (double t = 0.01; t < 4.0; t += 0.0371) {
    const auto at = [&](double time) { return trajectory->at(time, t); };
    const TrajectoryPoint m = at(t);
    const double velocity = (at(t + h).position - at(t - h).position) / (2.0 * h);
    const double acceleration = (at(t + h).velocity - at(t - h).velocity) / (2.0 * h);
    // A cubic or quintic with derivatives of order 100: h^2/6 times that. Pieces of the table meet inside.
    EXPECT_NEAR(m.velocity, velocity, 2e-5) << t;
    EXPECT_NEAR(m.acceleration, acceleration, 2e-2) << t;
  }
}

INSTANTIATE_TEST_SUITE_P(Trajectories, Smooth, testing::ValuesIn(smooth_cases()),
                         [](const auto& each) { return each.param.name; });

TEST(Trajectories, DoNotJumpInPositionAndVelocityAtCorners) {
  for (const Case& each : smooth_cases()) {
    if (std::holds_alternative<trajectories::Table>(each.description))
      continue;  // a spline may end with a velocity
    const auto trajectory = make(each.description);
    for (const double corner : trajectory->corners()) {
      const TrajectoryPoint before = trajectory->at(corner, corner - 1e-6),
                            after = trajectory->at(corner, corner + 1e-6);
      EXPECT_NEAR(before.position, after.position, 1e-12) << each.name << " at " << corner;
      EXPECT_NEAR(before.velocity, after.velocity, 1e-12) << each.name << " at " << corner;
    }
  }
}

TEST(Steps, HoldUntilTheNext) {
  const auto steps = make(trajectories::Steps{.points = {{0.0, 0.5}, {0.5, 1.0}, {2.0, -1.0}}});
  EXPECT_EQ(steps->at(-1.0).position, 0.5);
  EXPECT_EQ(steps->at(0.49).position, 0.5);
  EXPECT_EQ(steps->at(0.5).position, 1.0);        // right after the corner
  EXPECT_EQ(steps->at(0.5, 0.25).position, 0.5);  // at the end of the piece before it
  EXPECT_EQ(steps->at(3.0).position, -1.0);
  EXPECT_EQ(steps->corners(), (std::vector<double>{0.5, 2.0}));
  EXPECT_FALSE(steps->is_smooth());
}

TEST(Trapezoidal, HasTheSpeedAndArrives) {
  const auto ramp = make(
      trajectories::Trapezoidal{.from = 0.0, .to = 1.0, .start = 0.0, .velocity = 0.5, .acceleration = 1.0});
  EXPECT_DOUBLE_EQ(ramp->at(1.0).velocity, 0.5);
  EXPECT_DOUBLE_EQ(ramp->corners().back(), 2.5);  // 1/0.5 + 0.5/1
  EXPECT_DOUBLE_EQ(ramp->at(2.5).position, 1.0);
}

TEST(SpinUp, IsKanesFormula) {
  const auto spin = make(trajectories::SpinUp{.rate = 6.0, .duration = 15.0});
  const double t = 6.76, T = 15.0;
  EXPECT_NEAR(spin->at(t).position,
              6.0 / T * (t * t / 2.0 + std::pow(T / (2.0 * pi), 2) * (std::cos(2.0 * pi * t / T) - 1.0)),
              1e-13);
  EXPECT_DOUBLE_EQ(spin->at(20.0).velocity, 6.0);
  EXPECT_DOUBLE_EQ(spin->at(20.0).position, 45.0 + 30.0);
}

TEST(Table, ReproducesACubic) {
  const auto f = [](double t) { return 1.0 - 2.0 * t + 0.5 * t * t - 0.3 * t * t * t; };
  trajectories::Table d;
  for (const double t : {0.0, 0.3, 0.5, 1.2, 2.0}) {
    d.times.push_back(t);
    d.values.push_back(f(t));
  }
  const auto table = make(d);
  for (double t = 0.0; t < 2.0; t += 0.1) EXPECT_NEAR(table->at(t).position, f(t), 1e-13);
  EXPECT_NEAR(table->at(1.0).acceleration, 1.0 - 1.8, 1e-12);
  EXPECT_EQ(table->at(5.0).position, f(2.0));
}

TEST(Table, OfTwoPointsIsALine) {
  const auto table = make(trajectories::Table{.times = {0.0, 2.0}, .values = {1.0, 3.0}});
  EXPECT_NEAR(table->at(0.5).position, 1.5, 1e-15);
}

// Between points that are all zero the spline may have a hump (a knot that is none makes one cubic of the first two pieces): that is no
// rest. What rests in between as well may be passed at once.
TEST(Table, DoesNotHideAHumpBetweenPointsThatAreAlike) {
  trajectories::Table pulse;
  for (const double t : {0.0, 2.0, 2.1, 2.2, 2.3, 2.4, 2.5, 2.6, 6.0}) {
    pulse.times.push_back(t);
    pulse.values.push_back(t == 2.4 ? 1.0 : 0.0);
  }
  const auto table = make(pulse);
  double hump = 0.0;
  for (double t = 0.0; t < 2.0; t += 0.1) hump = std::max(hump, std::abs(table->at(t).position));
  EXPECT_GT(hump, 0.01);
  EXPECT_LE(table->pace(0.0).longest, table->pace(0.0).until);
  const auto rest = make(trajectories::Table{.times = {0.0, 1.0, 2.0, 3.0}, .values = {0.5, 0.5, 0.5, 0.5}});
  EXPECT_TRUE(std::isinf(rest->pace(0.0).longest));
}

TEST(Sum, AddsValuesAndCollectsCorners) {
  const auto quintic = make(trajectories::Quintic{.from = 0.0, .to = 1.0, .duration = 1.0});
  const auto spin = make(trajectories::SpinUp{.rate = 6.0, .duration = 15.0});
  const auto sum = make(trajectories::Sum{.of = {"a", "b"}}, {{"a", quintic}, {"b", spin}});
  EXPECT_DOUBLE_EQ(sum->at(0.7).acceleration, quintic->at(0.7).acceleration + spin->at(0.7).acceleration);
  EXPECT_EQ(sum->corners().size(), 4u);
}

// An undamped or damped oscillator that follows a shaped step has no vibration left after the last impulse.
TEST(Shaper, LeavesNoVibration) {
  for (const Shaper shaper : {Shaper::zv, Shaper::zvd})
    for (const double ratio : {0.0, 0.1}) {
      const double f = 1.7, w = 2.0 * pi * f, wd = w * std::sqrt(1.0 - ratio * ratio);
      double sum = 0.0, c = 0.0, s = 0.0;
      for (const Impulse& i : shaper_impulses(shaper, f, ratio)) {
        sum += i.amplitude;
        c += i.amplitude * std::exp(ratio * w * i.time) * std::cos(wd * i.time);
        s += i.amplitude * std::exp(ratio * w * i.time) * std::sin(wd * i.time);
      }
      EXPECT_NEAR(sum, 1.0, 1e-15);
      EXPECT_NEAR(c, 0.0, 1e-14);
      EXPECT_NEAR(s, 0.0, 1e-14);
    }
}

TEST(Shaper, DelaysTheTrajectoryInParts) {
  const auto step = make(trajectories::Steps{.points = {{0.0, 0.0}, {1.0, 1.0}}});
  const auto shaped = make(trajectories::Shaped{.of = "step", .shaper = Shaper::zv, .frequencies_hz = {2.0}},
                           {{"step", step}});
  EXPECT_DOUBLE_EQ(shaped->at(1.1).position, 0.5);
  EXPECT_DOUBLE_EQ(shaped->at(1.3).position, 1.0);
  EXPECT_FALSE(shaped->is_smooth());
}

}  // namespace
}  // namespace limber
