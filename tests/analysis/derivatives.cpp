// SPDX-License-Identifier: BSD-3-Clause
// Derivatives of accelerations and forces, and inverse dynamics with everything that acts.

#include "limber/analysis/derivatives.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "limber/algorithms/configuration.hpp"
#include "limber/model/coordinates.hpp"
#include "reference/random_arm.hpp"

namespace limber {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

struct Case {
  Model model;
  VectorXd q, v, tau, a;
  std::vector<Load> loads;

  VectorXd acceleration(const VectorXd& at_q, const VectorXd& at_v, const VectorXd& at_tau) const {
    Workspace<double> work(model);
    VectorXd result(model.nv());
    forward_dynamics(model, work, at_q, at_v, at_tau, result, loads);
    return result;
  }
  VectorXd moved(int coordinate, double by) const {
    VectorXd result(model.nq());
    displace(model, q, by * VectorXd::Unit(model.nv(), coordinate), result);
    return result;
  }
};

Case random_case(unsigned seed) {
  const ModelDescription description = reference::random_arm(seed, 3, KinematicOrder::second);
  Case c{build_model(description), {}, {}, {}, {}, {}};
  const auto state = reference::random_state(description, seed, 0.5);
  c.q = state.q;
  c.v = state.v;
  const int nv = c.model.nv();
  c.tau = VectorXd::LinSpaced(nv, -3.0, 4.0);
  c.a = VectorXd::LinSpaced(nv, 2.0, -1.0);
  c.loads = {{.link = static_cast<int>(c.model.links().size()) - 1,
              .force = {1.0, -2.0, 3.0},
              .moment = {0.3, 0.1, -0.2}}};
  return c;
}

// Central differences: an error of h^2 times the third derivative, and of rounding over h.
template <typename Function>
MatrixXd differences(int n, Function&& function) {
  constexpr double h = 1e-5;
  MatrixXd result(n, n);
  for (int i = 0; i < n; ++i) result.col(i) = (function(i, h) - function(i, -h)) / (2.0 * h);
  return result;
}

void expect_near(const MatrixXd& found, const MatrixXd& expected, const char* what) {
  EXPECT_LT((found - expected).norm(), 1e-6 * (1.0 + expected.norm())) << what;
}

TEST(DynamicsDerivatives, AreThoseOfForwardAndInverseDynamics) {
  for (unsigned seed = 1; seed <= 8; ++seed) {
    const Case c = random_case(seed);
    const int nv = c.model.nv();
    const DynamicsDerivatives d = dynamics_derivatives(c.model, c.q, c.v, c.tau, c.loads, c.a);
    const auto along = [&](int i, double h) -> VectorXd { return h * VectorXd::Unit(nv, i); };
    expect_near(d.dacceleration_dq,
                differences(nv, [&](int i, double h) { return c.acceleration(c.moved(i, h), c.v, c.tau); }),
                "da/dq");
    expect_near(
        d.dacceleration_dv,
        differences(nv, [&](int i, double h) { return c.acceleration(c.q, c.v + along(i, h), c.tau); }),
        "da/dv");
    expect_near(
        d.dacceleration_dtau,
        differences(nv, [&](int i, double h) { return c.acceleration(c.q, c.v, c.tau + along(i, h)); }),
        "da/dtau");
    expect_near(
        d.dforce_dq,
        differences(
            nv, [&](int i, double h) { return required_forces(c.model, c.moved(i, h), c.v, c.a, c.loads); }),
        "df/dq");
    expect_near(d.dforce_dv,
                differences(nv,
                            [&](int i, double h) {
                              return required_forces(c.model, c.q, c.v + along(i, h), c.a, c.loads);
                            }),
                "df/dv");
  }
}

// Without an acceleration of its own, the forces are those of the state's.
TEST(DynamicsDerivatives, TakeTheStatesOwnAccelerationWhereNoneIsGiven) {
  const Case c = random_case(3);
  const VectorXd own = c.acceleration(c.q, c.v, c.tau);
  const DynamicsDerivatives given = dynamics_derivatives(c.model, c.q, c.v, c.tau, c.loads, own),
                            none = dynamics_derivatives(c.model, c.q, c.v, c.tau, c.loads);
  EXPECT_LT((given.dforce_dq - none.dforce_dq).norm(), 1e-12 * none.dforce_dq.norm());
}

// Inverse dynamics undoes forward dynamics, springs, dampers and loads included.
TEST(RequiredForces, MoveTheArmByTheAcceleration) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const Case c = random_case(seed);
    const VectorXd tau = required_forces(c.model, c.q, c.v, c.a, c.loads);
    EXPECT_LT((c.acceleration(c.q, c.v, tau) - c.a).norm(), 1e-7 * c.a.norm()) << seed;
  }
}

}  // namespace
}  // namespace limber
