// SPDX-License-Identifier: BSD-3-Clause
// When the stacked equations have one solution, what a step may be, and what the beam itself says at its ends.

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <complex>
#include <numbers>

#include "limber/algorithms/beam_state.hpp"
#include "limber/algorithms/link_by_link.hpp"
#include "limber/analysis/equilibrium.hpp"
#include "limber/analysis/well_posedness.hpp"
#include "limber/io/model_file.hpp"
#include "limber/model/builder.hpp"

namespace limber {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

Model shipped(const std::string& file) { return read_model(std::string(LIMBER_MODELS_DIR) + "/" + file); }

TEST(WellPosedness, HoldsForEveryArmThatIsShipped) {
  for (const char* file : {"ella/ella.yaml", "canadarm/canadarm_spatial.yaml", "crane/crane_second.yaml"}) {
    const Model model = shipped(file);
    const WellPosedness report =
        well_posedness(model, neutral_configuration(model), VectorXd::Zero(model.nv()));
    EXPECT_TRUE(report.solvable) << file;
    int constraints = 0;
    for (const Link& link : model.links()) constraints += 6 - link.joint.nv;
    EXPECT_EQ(report.constraints, constraints);
    EXPECT_EQ(report.rank, constraints);
    EXPECT_TRUE(report.redundant.empty());
    EXPECT_GT(report.smallest_inertia, 0.0);
    EXPECT_GT(report.constraint_condition, 1.0);
  }
}

// A straight beam of points has no inertia about its axis, whatever the paper's section 6 says.
TEST(WellPosedness, SeesThatAThinLinkIsANeedle) {
  const Model ella = shipped("ella/ella.yaml");
  const WellPosedness report = well_posedness(ella, neutral_configuration(ella), VectorXd::Zero(ella.nv()));
  EXPECT_EQ(report.needles, (std::vector<std::string>{"link1", "link2"}));
  EXPECT_TRUE(report.solvable);  // the joints hold that axis

  for (const double polar : {0.0, 1e-3}) {
    ModelBuilder builder("needle");
    SectionDescription section{.EI_y = 1e3, .EI_z = 1e3, .mass_per_length = 1.0};
    section.rotary_inertia = Eigen::Vector3d(polar, 0.0, 0.0);
    builder.link("needle").joint({.type = JointType::spherical}).beam(1.0, section).modes(Direction::y, 2);
    const Model model = builder.build();
    const WellPosedness needle =
        well_posedness(model, neutral_configuration(model), VectorXd::Zero(model.nv()));
    EXPECT_EQ(needle.solvable, polar > 0.0);
    EXPECT_EQ(needle.needles.size(), polar > 0.0 ? 0u : 1u);
    EXPECT_EQ(needle.lightest, "needle_joint.1");  // about x
  }
}

TEST(WellPosedness, NamesRowsThatFollowFromOthers) {
  MatrixXd A(5, 4);
  A << 1, 0, 0, 0, 0, 1, 0, 1, 2, -1, 0, -1, 0, 0, 3, 0, 1, 1, 1, 1;
  EXPECT_EQ(dependent_rows(A), (std::vector<int>{2, 4}));
  EXPECT_TRUE(dependent_rows(MatrixXd::Identity(3, 3)).empty());
  EXPECT_EQ(dependent_rows(MatrixXd::Ones(3, 1)), (std::vector<int>{1, 2}));
}

// Locked frequencies, joints held by their rows: accelerations for a unit force on each shape are the columns of M^-1.
TEST(StackedEquations, GiveEllasLockedFrequencies) {
  ModelDescription description = shipped("ella/ella_converged.yaml").description();
  description.gravity.setZero();
  const Model model = build_model(description);
  LinkByLink arm(model);
  arm.prescribe({0, 1});
  const VectorXd q = neutral_configuration(model), zero = VectorXd::Zero(model.nv());
  arm.update(q, zero);
  std::vector<int> elastic;
  for (const Link& link : model.links())
    for (int i = 0; i < link.elastic_count; ++i) elastic.push_back(link.elastic_v_index + i);
  const int n = static_cast<int>(elastic.size());
  MatrixXd inverse(n, n);
  for (int j = 0; j < n; ++j) {
    VectorXd qdd = zero;
    arm.assemble(q, zero, VectorXd::Unit(model.nv(), elastic[static_cast<std::size_t>(j)]), qdd, {});
    arm.solve();
    arm.accelerations(qdd);
    inverse.col(j) = qdd(elastic);
  }
  const MatrixXd K = elastic_stiffness(model)(elastic, elastic);
  const VectorXd squares =
      Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd>(K, inverse.inverse(), Eigen::EigenvaluesOnly)
          .eigenvalues();
  const double published[] = {2.758925, 3.629987, 15.489534, 20.379966};
  for (int i = 0; i < 4; ++i)
    EXPECT_NEAR(std::sqrt(squares[i]) / (2.0 * std::numbers::pi), published[i], 2e-6);
}

// (18) to (21) of Yaqubi et al., their signs put right: what the beam's own curvature carries at its ends is what the
// wrenches there ask for. With shapes this holds ever better the more of them there are; without the wrenches in the
// modal rows it would not hold at all.
TEST(NaturalBoundaryConditions, AreMetAsShapesAreAdded) {
  double worst_before = 1.0;
  for (const int shapes : {3, 5, 7}) {
    ModelBuilder builder("cantilever");
    builder.gravity({0, -9.81, 0});
    builder.link("beam")
        .fixed()
        .beam(2.0, {.EI_y = 1e3, .EI_z = 1e3, .mass_per_length = 3.0})
        .modes(Direction::y, shapes)
        .tip({.mass = 1.0});
    const Model model = builder.build();
    const VectorXd zero = VectorXd::Zero(model.nv());
    const Equilibrium rest = static_equilibrium(model, neutral_configuration(model));
    LinkByLink arm(model);
    arm.update(rest.q, zero);
    arm.assemble(rest.q, zero, zero, zero, {});
    arm.solve();
    VectorXd qdd(model.nv());
    arm.accelerations(qdd);
    EXPECT_LT(qdd.cwiseAbs().maxCoeff(), 1e-6);
    const double moment = arm.wrench(0).moment.z();  // the wall's, on the beam
    const double carried = -1e3 * beam_strain(model.links()[0], rest.q, 0.0).kappa_z;
    const double at_tip = 1e3 * beam_strain(model.links()[0], rest.q, 2.0).kappa_z;
    EXPECT_GT(moment, 0.0);
    const double worst = std::max(std::abs(carried - moment), std::abs(at_tip)) / moment;
    EXPECT_LT(worst, worst_before / 2.0) << shapes;
    worst_before = worst;
  }
  EXPECT_LT(worst_before, 0.02);
}

TEST(StepBounds, AreThoseOfTheMethodsThemselves) {
  using namespace std::complex_literals;
  Eigen::VectorXcd undamped(2), damped(2);
  undamped << 100.0i, -100.0i;
  damped << -10.0 + 100.0i, -10.0 - 100.0i;
  const StepBounds free = step_bounds(undamped), held = step_bounds(damped);
  EXPECT_NEAR(free.runge_kutta, 2.0 * std::sqrt(2.0) / 100.0, 1e-6);
  EXPECT_EQ(free.euler, 0.0);
  EXPECT_NEAR(free.central_differences, 0.02, 1e-12);
  EXPECT_NEAR(held.euler, 20.0 / 10100.0, 1e-9);
  Eigen::VectorXcd sluggish(1);
  sluggish << -100.0;
  EXPECT_NEAR(step_bounds(sluggish).runge_kutta, 0.02785, 1e-5);
  EXPECT_NEAR(step_bounds(sluggish).euler, 0.02, 1e-9);
}

}  // namespace
}  // namespace limber
