// SPDX-License-Identifier: BSD-3-Clause
// What pushes at a point, from strain gauges.

#include "limber/analysis/endpoint.hpp"

#include <gtest/gtest.h>

#include "limber/algorithms/beam_state.hpp"
#include "limber/algorithms/jacobian.hpp"
#include "limber/analysis/equilibrium.hpp"
#include "limber/core/computation_error.hpp"
#include "limber/core/input_error.hpp"
#include "limber/io/model_file.hpp"
#include "limber/model/builder.hpp"

namespace limber {
namespace {

using Eigen::VectorXd;

// A beam that bends in both planes and twists, held at its root.
Model boom(double gravity = 9.81) {
  ModelBuilder builder("boom");
  builder.gravity({0, 0, -gravity});
  builder.link("boom")
      .revolute({0, 0, 1})
      .beam(2.0, {.EI_y = 4e3,
                  .EI_z = 6e3,
                  .GJ = 2e3,
                  .mass_per_length = 3.0,
                  .rotary_inertia = {{0.01, 0.005, 0.005}}})
      .modes(Direction::y, 3)
      .modes(Direction::z, 3)
      .modes(Direction::torsion, 1)
      .tip({.mass = 1.0, .com = {0.1, 0, 0}});
  return builder.build();
}

std::vector<StrainGauge> gauges_shown(const Model& model, const VectorXd& q, double error) {
  std::vector<StrainGauge> gauges;
  for (const double x : {0.1, 0.7}) {
    const Link& link = model.links()[0];
    const BeamStrain s = beam_strain(link, q.segment(link.elastic_q_index, link.elastic_count), x);
    gauges.push_back({0, x, StrainKind::kappa_y, s.kappa_y, error});
    gauges.push_back({0, x, StrainKind::kappa_z, s.kappa_z, error});
    gauges.push_back({0, x, StrainKind::twist, s.twist, error});
  }
  return gauges;
}

TEST(EndpointForce, IsFoundFromWhatItDoesToTheGauges) {
  const Model model = boom();
  const Frame tip = end_effector_frame(model);
  VectorXd q = neutral_configuration(model);
  q[0] = 0.4;
  const std::vector<Load> load = {{.link = 0, .node = 0, .force = {10, 30, -40}, .moment = {5, 0, 0}}};
  const VectorXd bent = static_equilibrium(model, q, load).q;
  const EndpointForce found = endpoint_force(model, q, tip, gauges_shown(model, bent, 1e-5), {0, 1, 2, 3});
  Eigen::Matrix<double, 6, 1> expected;
  expected << 10, 30, -40, 5, 0, 0;
  EXPECT_LT((found.wrench - expected).cwiseAbs().maxCoeff(), 1e-6);
  EXPECT_LT(found.left_over.cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_GT(found.bound.head<4>().minCoeff(), 0.0);
  EXPECT_EQ(found.bound.tail<2>().cwiseAbs().maxCoeff(), 0.0);
}

// Any readings that are wrong by no more than was said stay within the bound; the worst ones reach it.
TEST(EndpointForce, IsWrongByNoMoreThanItsBound) {
  const Model model = boom();
  const Frame tip = end_effector_frame(model);
  const VectorXd q = neutral_configuration(model);
  const VectorXd bent = static_equilibrium(model, q, {{.link = 0, .node = 0, .force = {0, 20, 0}}}).q;
  const std::vector<StrainGauge> exact = gauges_shown(model, bent, 1e-6);
  const EndpointForce right = endpoint_force(model, q, tip, exact, {1, 2});
  double worst = 0.0;
  for (unsigned signs = 0; signs < 64; ++signs) {
    std::vector<StrainGauge> wrong = exact;
    for (std::size_t j = 0; j < wrong.size(); ++j) wrong[j].reading += (signs >> j & 1U) != 0 ? 1e-6 : -1e-6;
    const EndpointForce found = endpoint_force(model, q, tip, wrong, {1, 2});
    for (const int c : {1, 2}) {
      const double share = std::abs(found.wrench[c] - right.wrench[c]) / right.bound[c];
      EXPECT_LT(share, 1.001) << signs;
      worst = std::max(worst, share);
    }
  }
  EXPECT_GT(worst, 0.999);
}

TEST(EndpointForce, SaysWhatGaugesCannotTell) {
  const Model model = boom();
  const Frame tip = end_effector_frame(model);
  const VectorXd q = neutral_configuration(model);
  const std::vector<StrainGauge> one = {{0, 0.1, StrainKind::kappa_z, 0.01, 0.0}};
  EXPECT_THROW(endpoint_force(model, q, tip, one, {1, 5}), InputError);
  EXPECT_THROW(endpoint_force(model, q, tip, one, {}), InputError);
  EXPECT_THROW(endpoint_force(model, q, tip, one, {6}), InputError);
  const std::vector<StrainGauge> twins = {one[0], one[0]};
  EXPECT_THROW(endpoint_force(model, q, tip, twins, {1, 5}), ComputationError);  // a force and a moment alike
}

}  // namespace
}  // namespace limber
