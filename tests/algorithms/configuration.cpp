// SPDX-License-Identifier: BSD-3-Clause
// The maps between configurations and velocities of a whole arm. Each kind of joint by itself: tests/model/joint_kinds.cpp.

#include "limber/algorithms/configuration.hpp"

#include <gtest/gtest.h>

#include "reference/random_arm.hpp"

namespace limber {
namespace {

using Eigen::VectorXd;

struct Arm {
  Model model;
  reference::State state;
};

Arm random_arm(unsigned seed) {
  const ModelDescription description =
      reference::random_arm(seed, 1 + static_cast<int>(seed % 6), KinematicOrder::first);
  return {build_model(description), reference::random_state(description, seed, 0.03)};
}

TEST(Configuration, DifferenceIsTheInverseOfDisplacement) {
  for (unsigned seed = 0; seed < 30; ++seed)
    for (const double size : {0.0, 1e-9, 1e-3, 1.0}) {
      const auto [model, state] = random_arm(seed);
      const VectorXd delta = size * state.v;
      VectorXd moved = VectorXd::Constant(model.nq(), std::nan("")),
               found = VectorXd::Constant(model.nv(), std::nan(""));
      displace(model, state.q, delta, moved);
      difference(model, state.q, moved, found);
      EXPECT_LT((found - delta).norm(), 1e-14 * (1.0 + delta.norm())) << "seed " << seed << ", size " << size;
    }
}

// The series up to the sixth power, which this was, is off by 1e-5 at these displacements.
TEST(Configuration, DisplacementRateIsExact) {
  constexpr double h = 1e-4;
  for (unsigned seed = 0; seed < 30; ++seed) {
    const auto [model, state] = random_arm(seed);
    const VectorXd delta = 0.9 * state.v, v = VectorXd::LinSpaced(model.nv(), -1.0, 1.0);
    VectorXd moved(model.nq()), rate = VectorXd::Constant(model.nv(), std::nan(""));
    displace(model, state.q, delta, moved);
    displacement_rate(model, delta, v, rate);
    const auto delta_after = [&, &q = state.q, &arm = model](double t) {
      VectorXd later(arm.nq()), found(arm.nv());
      displace(arm, moved, t * v, later);
      difference(arm, q, later, found);
      return found;
    };
    const VectorXd slope =
        (8.0 * (delta_after(h) - delta_after(-h)) - delta_after(2.0 * h) + delta_after(-2.0 * h)) /
        (12.0 * h);
    EXPECT_LT((rate - slope).norm(), 1e-10 * (1.0 + slope.norm())) << "seed " << seed;
  }
}

}  // namespace
}  // namespace limber
