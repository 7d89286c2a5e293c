// SPDX-License-Identifier: BSD-3-Clause
// Sections' rotary inertia, many sections at a time, against the same sections as bodies at nodes one by one.

#include <gtest/gtest.h>

#include "limber/algorithms/coriolis_matrix.hpp"
#include "limber/algorithms/detail/arm_work.hpp"
#include "limber/algorithms/inverse_dynamics.hpp"
#include "limber/algorithms/mass_matrix.hpp"
#include "limber/math/dual.hpp"
#include "limber/model/builder.hpp"
#include "poison.hpp"

namespace limber {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// So much rotary inertia that it decides. An axial coordinate turns nothing.
Model thick_arm(KinematicOrder order) {
  ModelBuilder builder("thick");
  for (int i = 0; i < 2; ++i)
    builder.kinematics(order)
        .link("link" + std::to_string(i))
        .revolute(i == 0 ? Eigen::Vector3d::UnitZ() : Eigen::Vector3d::UnitY())
        .beam(1.0, {.EI_y = 1e3,
                    .EI_z = 2e3,
                    .GJ = 1e3,
                    .EA = 1e5,
                    .mass_per_length = 3.0,
                    .rotary_inertia = Eigen::Vector3d(2.0, 3.0, 4.0)})
        .modes(Direction::y, 2)
        .modes(Direction::z, 2)
        .modes(Direction::torsion, 1)
        .modes(Direction::axial, 1);
  return builder.build();
}

struct Case {
  KinematicOrder order;
  double deflection;  // the largest makes angles for which the short series do not suffice, at some points
};

class Sections : public testing::TestWithParam<Case> {
 protected:
  Sections() : model(thick_arm(GetParam().order)), q(model.nq()), v(model.nv()), qdd(model.nv()) {
    for (int i = 0; i < model.nv(); ++i) {
      q[i] = GetParam().deflection * std::sin(3.0 * i + 1.0);
      v[i] = std::cos(2.0 * i);
      qdd[i] = std::sin(5.0 * i);
    }
  }
  Model model;
  VectorXd q, v, qdd;
};
INSTANTIATE_TEST_SUITE_P(OrdersAndDeflections, Sections,
                         testing::Values(Case{KinematicOrder::first, 0.0}, Case{KinematicOrder::first, 1e-6},
                                         Case{KinematicOrder::first, 0.1}, Case{KinematicOrder::first, 0.7},
                                         Case{KinematicOrder::second, 0.0},
                                         Case{KinematicOrder::second, 1e-6},
                                         Case{KinematicOrder::second, 0.1},
                                         Case{KinematicOrder::second, 0.7}));

TEST_P(Sections, TogetherAddWhatTheyAddOneByOne) {
  PoisonedWorkspace<double> together(model), single(model, Kernels::plain);
  ASSERT_GT(together.arm().links[0].sections.count, 0);
  ASSERT_EQ(single.arm().links[0].sections.count, 0);
  MatrixXd M(model.nv(), model.nv()), M_single = M;
  mass_matrix(model, together, q, M);
  mass_matrix(model, single, q, M_single);
  EXPECT_LT((M - M_single).norm(), 1e-14 * M.norm());
  VectorXd forces(model.nv()), forces_single(model.nv());
  inverse_dynamics(model, together, q, v, qdd, forces);
  inverse_dynamics(model, single, q, v, qdd, forces_single);
  EXPECT_LT((forces - forces_single).norm(), 1e-14 * forces.norm());
  coriolis_matrix(model, together, q, v, M);
  coriolis_matrix(model, single, q, v, M_single);
  EXPECT_LT((M - M_single).norm(), 1e-14 * M.norm());
}

TEST_P(Sections, HaveTheDerivativesOfSingleOnes) {
  PoisonedWorkspace<Dual> together(model), single(model, Kernels::plain);
  VectorX<Dual> forces(model.nv()), forces_single(model.nv());
  // By positions, by rates, and by positions of one link only, where those of the other are constants.
  for (const auto& [by_q, by_v, first] : {std::tuple(true, false, 0), {false, true, 0}, {true, true, 7}}) {
    VectorX<Dual> q_dual = q.cast<Dual>(), v_dual = v.cast<Dual>(), qdd_dual = qdd.cast<Dual>();
    for (int i = first; i < model.nv(); ++i)
      for (int d = 0; d < Dual::direction_count; ++d) {
        if (by_q) q_dual[i].derivatives()[d] = std::sin(i + 7.0 * d);
        if (by_v) v_dual[i].derivatives()[d] = std::cos(i + 5.0 * d);
      }
    inverse_dynamics(model, together, q_dual, v_dual, qdd_dual, forces);
    inverse_dynamics(model, single, q_dual, v_dual, qdd_dual, forces_single);
    double largest = 0.0, error = 0.0;
    for (int i = 0; i < model.nv(); ++i) {
      largest = std::max(largest, forces_single[i].derivatives().abs().maxCoeff());
      error = std::max(error, (forces[i].derivatives() - forces_single[i].derivatives()).abs().maxCoeff());
    }
    EXPECT_LT(error, 1e-13 * largest);
  }
}

TEST_P(Sections, GiveTheSameInSinglePrecision) {
  PoisonedWorkspace<double> work(model);
  PoisonedWorkspace<float> work_float(model);
  VectorXd forces(model.nv());
  VectorX<float> forces_float(model.nv());
  inverse_dynamics(model, work, q, v, qdd, forces);
  inverse_dynamics<float>(model, work_float, q.cast<float>(), v.cast<float>(), qdd.cast<float>(),
                          forces_float);
  EXPECT_LT((forces - forces_float.cast<double>()).norm(), 1e-5 * forces.norm());
}

}  // namespace
}  // namespace limber
