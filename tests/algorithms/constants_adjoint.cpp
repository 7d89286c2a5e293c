// SPDX-License-Identifier: BSD-3-Clause
// Weighted forces by all constants at once, against differences of arms that have others.

#include "limber/algorithms/detail/constants_adjoint.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <iomanip>
#include <random>
#include <sstream>

#include "limber/algorithms/inverse_dynamics.hpp"
#include "limber/algorithms/workspace.hpp"
#include "limber/io/model_file.hpp"
#include "limber/io/setting.hpp"
#include "places.hpp"

namespace limber {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

const std::filesystem::path models = LIMBER_MODELS_DIR;

struct Case {
  const char* model;
  const char* path;
  double value;
};

class ForcesByAllConstants : public testing::TestWithParam<Case> {};

VectorXd forces(const Model& model, const VectorXd& q, const VectorXd& v, const VectorXd& a,
                const std::vector<Load>& loads) {
  Workspace<double> work(model);
  VectorXd f(model.nv()), passive(model.nv());
  inverse_dynamics<double>(model, work, q, v, a, f, loads);
  elastic_and_damping_forces<double>(model, work, q, v, passive);
  return f + passive;
}

// Of a length, a stiffness, a mass, a rotary inertia, a gear: first and second order, with and without sections that turn.
TEST_P(ForcesByAllConstants, AreThoseOfArmsThatHaveOthers) {
  const Case& one = GetParam();
  const auto arm_at = [&](double value) {
    std::ostringstream text;
    text << std::setprecision(17) << value;
    return read_model(models / one.model, {{one.path, text.str(), {}}});
  };
  const Model arm = arm_at(one.value);
  const auto adjoint = detail::ConstantsAdjoint::make(arm);
  ASSERT_TRUE(adjoint);
  std::mt19937 random(7);
  std::uniform_real_distribution<double> any(-1.0, 1.0);
  VectorXd q = neutral_configuration(arm), v(arm.nv()), a(arm.nv());
  MatrixXd weights(arm.nv(), 2);
  for (const Link& link : arm.links()) {
    for (int j = 0; j < link.joint.nq; ++j) q[link.joint.q_index + j] = any(random);
    for (int j = 0; j < link.elastic_count; ++j) q[link.elastic_q_index + j] = 0.02 * any(random);
  }
  for (auto* vector : {&v, &a})
    for (double& x : *vector) x = any(random);
  for (double& x : weights.reshaped()) x = any(random);
  Load load;
  load.link = static_cast<int>(arm.links().size()) - 1;
  load.force = {30.0, -20.0, 10.0};
  load.moment = {1.0, 2.0, -3.0};

  // dc/dp by differences of sixth order, as the wanted change.
  constexpr double relative = 1e-2;
  const double e = relative * one.value;
  const std::pair<int, double> formula[] = {{-3, -1.0}, {-2, 9.0}, {-1, -45.0},
                                            {1, 45.0},  {2, -9.0}, {3, 1.0}};
  const VectorXd own = *adjoint->constants(arm);
  VectorXd slope = VectorXd::Zero(own.size()), wanted = VectorXd::Zero(2);
  for (const auto& [k, weight] : formula) {
    const Model other = arm_at(one.value + k * e);
    slope += weight / (60.0 * e) * (*adjoint->constants(other) - own);
    wanted += weight / (60.0 * e) * weights.transpose() * forces(other, q, v, a, {load});
  }
  std::vector<int> selected;
  for (Index i = 0; i < own.size(); ++i)
    if (slope[i] != 0.0) selected.push_back(static_cast<int>(i));
  ASSERT_FALSE(selected.empty());
  adjoint->select(selected);
  MatrixXd sums = MatrixXd::Zero(static_cast<Index>(selected.size()), 2);
  for (int twice = 0; twice < 2; ++twice) adjoint->add(q, v, a, {load}, weights, sums);
  const VectorXd of_selected = slope(selected);
  VectorXd found = VectorXd::Zero(2);
  for (Index i = 0; i < sums.rows(); ++i)
    if (!sums.row(i).isZero(0.0)) found += of_selected[i] * sums.row(i).transpose();
  const double size = wanted.norm();
  ASSERT_GT(size, 1e-9);
  EXPECT_NEAR((0.5 * found - wanted).norm(), 0.0, 2e-10 * size);
}

INSTANTIATE_TEST_SUITE_P(
    OfEveryKind, ForcesByAllConstants,
    testing::Values(Case{"crane/crane.yaml", "links.link2.beam.length", 4.0},
                    Case{"crane/crane.yaml", "links.link3.beam.section.mass_per_length", 22.451},
                    Case{"crane/crane.yaml", "links.link4.rigid.mass", 100.0},
                    Case{"canadarm/canadarm_spatial.yaml", "links.link1.beam.length", 6.0},
                    Case{"lab_link/lab_link.yaml", "links.strip.beam.length", 0.8},
                    Case{"lab_link/lab_link.yaml", "links.strip.joint.armature", 0.02},
                    Case{"six_joint_arm/six_joint_arm.yaml", "links.upper_arm.joint.drive.stiffness", 2e4}));

TEST(ConstantsOfArms, OthersHaveNone) {
  const Model arm = read_model(models / "canadarm/canadarm.yaml"),
              other = read_model(models / "canadarm/canadarm_spatial.yaml"),
              telescope = read_model(models / "fire_ladder/fire_ladder.yaml");
  const auto adjoint = detail::ConstantsAdjoint::make(arm);
  EXPECT_FALSE(adjoint->constants(other));
  EXPECT_FALSE(detail::ConstantsAdjoint::make(telescope));
}

}  // namespace
}  // namespace limber
