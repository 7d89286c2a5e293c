// SPDX-License-Identifier: BSD-3-Clause
// dual-screw with the square that keeps M positive definite: (4) of truncated_arm.hpp.

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <random>

#include "limber/algorithms/configuration.hpp"
#include "limber/core/computation_error.hpp"
#include "limber/formulations/formulation.hpp"
#include "limber/formulations/truncated_arm.hpp"
#include "limber/io/model_file.hpp"

namespace limber {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

Model arm(const std::string& file) {
  return build_model(read_model_description(std::string(LIMBER_MODELS_DIR) + "/" + file + ".yaml"));
}

struct At {
  VectorXd q, v, tau;
};
At bent(const Model& model, double deflection, unsigned seed = 3) {
  std::mt19937 dice(seed);
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  const auto random = [&](int n) { return VectorXd(VectorXd::NullaryExpr(n, [&] { return number(dice); })); };
  At at{random(model.nq()), random(model.nv()), 100.0 * random(model.nv())};
  for (const Link& link : model.links()) {
    if (link.elastic_count == 0) continue;
    at.q.segment(link.elastic_q_index, link.elastic_count) *=
        deflection / at.q.segment(link.elastic_q_index, link.elastic_count).cwiseAbs().maxCoeff();
  }
  return at;
}

MatrixXd mass_matrix_of(const Model& model, const At& at, const FormulationOptions& options) {
  EquationTerms terms;
  EXPECT_TRUE(
      make_formulation(FormulationKind::dual_screw, model, options)->equation_terms(at.q, at.v, terms));
  return terms.mass_matrix;
}

// By its eigenvalues: 1 + s + s^2/2 in the basis that M0 and M1 are diagonal in.
TEST(DefiniteDualScrew, HasTheTaylorPolynomialOfAnExponential) {
  for (const bool consistent : {false, true}) {
    const Model model = arm("crane/crane");
    const At at = bent(model, 0.05);
    At straight = at;
    for (const Link& link : model.links())
      straight.q.segment(link.elastic_q_index, link.elastic_count).setZero();
    const MatrixXd M0 = mass_matrix_of(model, straight, {.consistent = consistent}),
                   M1 = mass_matrix_of(model, at, {.consistent = consistent}) - M0,
                   found = mass_matrix_of(model, at, {.consistent = consistent, .definite = true});
    const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> pair(M1, M0);  // V^T M0 V = 1
    const VectorXd s = pair.eigenvalues();
    const MatrixXd W = M0 * pair.eigenvectors();
    const MatrixXd expected =
        W * (VectorXd::Ones(s.size()) + s + 0.5 * s.cwiseAbs2()).asDiagonal() * W.transpose();
    EXPECT_LT((found - expected).cwiseAbs().maxCoeff(), 1e-11 * expected.cwiseAbs().maxCoeff());
    EXPECT_GE((Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd>(found, M0).eigenvalues().minCoeff()),
              0.5 - 1e-9);
  }
}

// Where the published matrix is gone the formulation goes on, says so, and its accelerations are those of its own equations.
TEST(DefiniteDualScrew, GoesOnWhereThePublishedOneStops) {
  const Model model = arm("crane/crane");
  const FormulationOptions plain{.consistent = true}, definite{.consistent = true, .definite = true};
  const At at = bent(model, 0.05);
  const std::vector<Load> loads;
  DynamicsOutput output;
  const auto published = make_formulation(FormulationKind::dual_screw, model, plain);
  EXPECT_THROW(published->evaluate({at.q, at.v, at.tau, loads}, output), ComputationError);
  const auto kept = make_formulation(FormulationKind::dual_screw, model, definite);
  kept->evaluate({at.q, at.v, at.tau, loads}, output);
  ASSERT_EQ(kept->doubts().size(), 1u);
  EXPECT_NE(kept->doubts()[0].find("`definite`"), std::string::npos);
  VectorXd missing;
  ASSERT_TRUE(kept->missing_forces({at.q, at.v, at.tau, loads}, output.acceleration, missing));
  const VectorXd size = mass_matrix_of(model, at, definite).cwiseAbs() * output.acceleration.cwiseAbs();
  EXPECT_LT(missing.cwiseAbs().maxCoeff(), 1e-9 * size.maxCoeff());
  // from M and the bias, by themselves
  EquationTerms terms;
  kept->equation_terms(at.q, at.v, terms);
  const VectorXd a = terms.mass_matrix.llt().solve(
      at.tau - terms.bias - elastic_stiffness(model) * VectorXd(at.q) - damping_matrix(model) * at.v);
  EXPECT_LT((a - output.acceleration).cwiseAbs().maxCoeff(), 1e-8 * a.cwiseAbs().maxCoeff());
}

// Small deflections: the difference is of second order.
TEST(DefiniteDualScrew, ChangesNothingOfFirstOrder) {
  const Model model = arm("canadarm/canadarm_spatial");
  double before = 0.0;
  for (const double deflection : {1e-2, 5e-3}) {
    const At at = bent(model, deflection);
    const double change =
        (mass_matrix_of(model, at, {.definite = true}) - mass_matrix_of(model, at, {})).cwiseAbs().maxCoeff();
    if (before > 0.0) {
      EXPECT_NEAR(before / change, 4.0, 1e-6);
    }
    before = change;
  }
}

// What moves a prescribed joint is found with the same matrix.
TEST(DefiniteDualScrew, PrescribesJoints) {
  const Model model = arm("canadarm/canadarm_spatial");
  At at = bent(model, 0.05);
  const std::vector<Load> loads;
  const auto free = make_formulation(FormulationKind::dual_screw, model, {.definite = true});
  const auto told = make_formulation(FormulationKind::dual_screw, model, {.definite = true});
  DynamicsOutput found, again;
  free->evaluate({at.q, at.v, at.tau, loads}, found);
  told->prescribe({0});
  const VectorXd efforts_before = at.tau;
  const int row = model.links()[0].joint.v_index;
  again.acceleration = found.acceleration;
  at.tau[row] = 0.0;
  told->evaluate({at.q, at.v, at.tau, loads}, again);
  EXPECT_LT((again.acceleration - found.acceleration).cwiseAbs().maxCoeff(),
            1e-9 * found.acceleration.cwiseAbs().maxCoeff());
  VectorXd efforts = VectorXd::Zero(model.nv());
  told->prescribed_efforts({at.q, at.v, at.tau, loads}, again, efforts);
  EXPECT_NEAR(efforts[row], efforts_before[row], 1e-6 * efforts_before.cwiseAbs().maxCoeff());
}

}  // namespace
}  // namespace limber
