// SPDX-License-Identifier: BSD-3-Clause
// Pose, Jacobian and energies of the dual-screw formulation: of first order, as its equations are; and why it has no Coriolis matrix.

#include <gtest/gtest.h>

#include <random>

#include "limber/algorithms/configuration.hpp"
#include "limber/algorithms/energy.hpp"
#include "limber/algorithms/jacobian.hpp"
#include "limber/algorithms/kinematics.hpp"
#include "limber/formulations/formulation.hpp"
#include "limber/io/model_file.hpp"
#include "reference/random_arm.hpp"

namespace limber {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

struct Bent {
  VectorXd q, v;
};

Bent random_state(const Model& model, unsigned seed, double elastic) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  Bent state{neutral_configuration(model), VectorXd::Zero(model.nv())};
  for (int i = 0; i < model.nv(); ++i) state.v[i] = number(random);
  for (const Link& link : model.links()) {
    if (link.joint.nq == link.joint.nv)
      for (int i = 0; i < link.joint.nv; ++i) state.q[link.joint.q_index + i] = 1.5 * number(random);
    for (int i = 0; i < link.elastic_count; ++i) state.q[link.elastic_q_index + i] = elastic * number(random);
  }
  return state;
}

VectorXd with_deflections_times(const Model& model, VectorXd q, double factor) {
  for (const Link& link : model.links()) q.segment(link.elastic_q_index, link.elastic_count) *= factor;
  return q;
}

// Of the nonlinear arm: position, rotation and gravity energy in one column.
VectorXd nonlinear(const Model& model, const VectorXd& q) {
  Workspace<double> work(model);
  VectorXd all(13);
  all[12] = energy(model, work, q, VectorXd(VectorXd::Zero(model.nv()))).gravity;
  const PoseOf<double> pose = frame_pose(model, work, end_effector_frame(model));
  all.head<3>() = pose.p;
  all.segment<9>(3) = pose.R.reshaped();
  return all;
}

// The first two terms of the series in the size of the deflections, by differences of sixth order.
VectorXd first_order(const Model& model, const VectorXd& q) {
  constexpr double h = 0.02;
  const auto at = [&](double factor) { return nonlinear(model, with_deflections_times(model, q, factor)); };
  const VectorXd slope =
      (45.0 * (at(h) - at(-h)) - 9.0 * (at(2 * h) - at(-2 * h)) + (at(3 * h) - at(-3 * h))) / (60.0 * h);
  return at(0.0) + slope;
}

std::vector<Model> arms() {
  std::vector<Model> all;
  for (const char* name : {"crane", "crane_second"})
    all.push_back(read_model(std::string(LIMBER_MODELS_DIR) + "/crane/" + name + ".yaml"));
  for (unsigned seed = 0; seed < 8; ++seed)
    all.push_back(
        build_model(reference::random_arm(seed, 1 + static_cast<int>(seed % 4),
                                          seed % 2 == 0 ? KinematicOrder::first : KinematicOrder::second)));
  return all;
}

TEST(DualScrewMotion, IsTheTaylorPolynomialOfPoseAndGravityEnergy) {
  for (const Model& model : arms())
    for (const bool consistent : {false, true}) {
      SCOPED_TRACE(model.name());
      const Bent state = random_state(model, 3, 0.03);
      MotionTerms terms;
      ASSERT_TRUE(make_formulation(FormulationKind::dual_screw, model, {consistent, {}})
                      ->motion_terms(state.q, state.v, terms));
      const VectorXd expected = first_order(model, state.q);
      const double reach = 1.0 + expected.head<3>().norm();
      EXPECT_LT((terms.end_effector.p - expected.head<3>()).norm(), 1e-9 * reach);
      EXPECT_LT((terms.end_effector.R.reshaped() - expected.segment<9>(3)).norm(), 1e-9);
      EXPECT_NEAR(terms.energy.gravity, expected[12], 1e-9 * (1.0 + std::abs(expected[12])));
    }
}

// The nonlinear pose is another one: deflections of these sizes tell them apart.
TEST(DualScrewMotion, IsNotThatOfTheNonlinearModel) {
  const Model model = arms().front();
  const Bent state = random_state(model, 3, 0.03);
  MotionTerms terms;
  ASSERT_TRUE(make_formulation(FormulationKind::dual_screw, model)->motion_terms(state.q, state.v, terms));
  EXPECT_GT((terms.end_effector.p - nonlinear(model, state.q).head<3>()).norm(), 1e-4);
}

TEST(DualScrewMotion, HasTheJacobianOfItsPose) {
  for (const Model& model : arms()) {
    SCOPED_TRACE(model.name());
    const Bent state = random_state(model, 5, 0.02);
    const auto formulation = make_formulation(FormulationKind::dual_screw, model);
    MotionTerms terms, moved;
    ASSERT_TRUE(formulation->motion_terms(state.q, state.v, terms));
    constexpr double h = 1e-4;
    VectorXd delta = VectorXd::Zero(model.nv()), q(model.nq());
    const double size = terms.jacobian.norm();
    for (int j = 0; j < model.nv(); ++j) {
      Eigen::Vector3d slope = Eigen::Vector3d::Zero();
      for (const auto& [steps, weight] :
           {std::pair(1, 8.0), std::pair(-1, -8.0), std::pair(2, -1.0), std::pair(-2, 1.0)}) {
        delta[j] = steps * h;
        displace(model, state.q, delta, q);
        formulation->motion_terms(q, state.v, moved);
        slope += weight * moved.end_effector.p / (12.0 * h);
      }
      delta[j] = 0.0;
      EXPECT_LT((terms.jacobian.col(j).head<3>() - slope).norm(), 1e-8 * size) << model.coordinates()[j];
    }
  }
}

// Joint columns are the Taylor polynomial of the nonlinear ones, elastic columns those of the undeflected arm.
TEST(DualScrewMotion, HasTheJacobianOfThePapersTwist) {
  for (const Model& model : arms()) {
    SCOPED_TRACE(model.name());
    const Bent state = random_state(model, 5, 0.02);
    const auto jacobian = [&](double factor) {
      Workspace<double> work(model);
      update_positions(model, work, with_deflections_times(model, state.q, factor));
      update_world_poses(work);
      Matrix6X<double> J(6, model.nv());
      frame_jacobian(model, work, end_effector_frame(model), MotionAxes::local_world_aligned, J);
      return J;
    };
    constexpr double h = 0.02;
    const Matrix6X<double> slope =
        (45.0 * (jacobian(h) - jacobian(-h)) - 9.0 * (jacobian(2 * h) - jacobian(-2 * h)) +
         (jacobian(3 * h) - jacobian(-3 * h))) /
        (60.0 * h);
    Matrix6X<double> expected = jacobian(0.0);
    for (const Link& link : model.links())
      expected.middleCols(link.joint.v_index, link.joint.nv) +=
          slope.middleCols(link.joint.v_index, link.joint.nv);
    MotionTerms terms;
    ASSERT_TRUE(make_formulation(FormulationKind::dual_screw, model)->motion_terms(state.q, state.v, terms));
    EXPECT_LT((terms.jacobian - expected).norm(), 1e-9 * expected.norm());
  }
}

TEST(DualScrewMotion, HasTheKineticEnergyOfItsMassMatrixAndTheStrainOfTheBeams) {
  for (const Model& model : arms()) {
    const Bent state = random_state(model, 7, 0.02);
    const auto formulation = make_formulation(FormulationKind::dual_screw, model);
    MotionTerms motion;
    EquationTerms terms;
    ASSERT_TRUE(formulation->motion_terms(state.q, state.v, motion));
    ASSERT_TRUE(formulation->equation_terms(state.q, state.v, terms));
    const double kinetic = 0.5 * state.v.dot(terms.mass_matrix * state.v);
    EXPECT_NEAR(motion.energy.kinetic, kinetic, 1e-12 * std::abs(kinetic));
    Workspace<double> work(model);
    EXPECT_EQ(motion.energy.strain, energy(model, work, state.q, state.v).strain);
  }
}

// (3) of truncated_arm.hpp: what v (c - 1/2 dM/dt v) leaves over, in shares of v c. A matrix C needs it to be zero.
double power_left_over(const Model& model, const FormulationOptions& options, double elastic) {
  const Bent state = random_state(model, 11, elastic);
  const auto formulation = make_formulation(FormulationKind::dual_screw, model, options);
  EquationTerms terms, plus, minus;
  formulation->equation_terms(state.q, state.v, terms);
  constexpr double h = 1e-5;
  VectorXd q(model.nq());
  displace(model, state.q, VectorXd(h * state.v), q);
  formulation->equation_terms(q, state.v, plus);
  displace(model, state.q, VectorXd(-h * state.v), q);
  formulation->equation_terms(q, state.v, minus);
  const MatrixXd rate = (plus.mass_matrix - minus.mass_matrix) / (2.0 * h);
  const VectorXd c = terms.bias - terms.gravity;
  return std::abs(state.v.dot(c - 0.5 * rate * state.v)) / (state.v.cwiseAbs().dot(c.cwiseAbs()));
}

TEST(DualScrewMotion, AdmitsNoCoriolisMatrixAndSaysWhy) {
  const Model model = arms().front();
  for (const bool consistent : {false, true}) {
    EXPECT_GT(power_left_over(model, {consistent, {}}, 0.05), 1e-4);
    EXPECT_NE(
        make_formulation(FormulationKind::dual_screw, model, {consistent, {}})->why_no_coriolis_matrix(), "");
  }
  // where nothing is truncated the measure is zero: it is the truncation that it measures
  EXPECT_LT(power_left_over(model, {false, {1, 2}}, 0.05), 1e-7);
  EXPECT_EQ(make_formulation(FormulationKind::recursive, model)->why_no_coriolis_matrix(), "");
}

}  // namespace
}  // namespace limber
