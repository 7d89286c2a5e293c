// SPDX-License-Identifier: BSD-3-Clause
// Equations of first order in the elastic states as formulas: what dual-screw computes with numbers.

#include <gtest/gtest.h>

#include <random>

#include "limber/algorithms/configuration.hpp"
#include "limber/core/input_error.hpp"
#include "limber/formulations/truncated_arm.hpp"
#include "limber/io/model_file.hpp"
#include "limber/model/lookup.hpp"
#include "limber/symbolic/documents.hpp"
#include "limber/symbolic/first_order.hpp"
#include "reference/random_arm.hpp"

namespace limber {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

Model arm(const std::string& file) {
  return build_model(read_model_description(std::string(LIMBER_MODELS_DIR) + "/" + file + ".yaml"));
}

void expect_what_the_truncated_arm_computes(const Model& model, bool consistent, std::vector<int> nonlinear,
                                            std::vector<int> coordinates = {}) {
  EquationsOptions options;
  options.parameters = ParameterStyle::symbols;
  options.linear = LinearEquations{consistent, nonlinear, coordinates};
  Equations equations(model, options);
  const MatrixX<Expression> M = equations.quantity('M'), h = equations.quantity('h');
  FormulationOptions numbers;
  numbers.consistent = consistent;
  numbers.nonlinear_links = nonlinear;
  numbers.nonlinear_coordinates = coordinates;
  TruncatedArm truncated(model, numbers);
  std::mt19937 dice(5);
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  const auto random = [&](int n) { return VectorXd(VectorXd::NullaryExpr(n, [&] { return number(dice); })); };
  for (int k = 0; k < 3; ++k) {
    VectorXd q = neutral_configuration(model) + 0.7 * random(model.nq());
    const VectorXd v = random(model.nv()), zero = VectorXd::Zero(model.nv());
    for (const Link& link : model.links()) {
      q.segment(link.elastic_q_index, link.elastic_count) *= 0.1;
      if (link.joint.has_quaternion()) q.segment(link.joint.quaternion_index(), 4).normalize();
    }
    MatrixXd expected_M(model.nv(), model.nv());
    VectorXd expected_h(model.nv());
    truncated.mass_matrix(q, expected_M);
    truncated.forces(q, v, zero, {}, expected_h);
    const std::vector<double> nodes =
        equations.arm().graph->evaluate(equations.arm().values(q, v, zero, zero));
    const auto value = [&](Expression e) { return nodes[static_cast<std::size_t>(e.node())]; };
    for (int i = 0; i < model.nv(); ++i) {
      EXPECT_NEAR(value(h(i, 0)), expected_h[i], 1e-11 * expected_h.cwiseAbs().maxCoeff()) << i;
      for (int j = 0; j < model.nv(); ++j)
        EXPECT_NEAR(value(M(i, j)), expected_M(i, j), 1e-12 * expected_M.cwiseAbs().maxCoeff())
            << i << " " << j;
    }
  }
}

TEST(LinearEquations, AreWhatDualScrewComputes) {
  for (const bool consistent : {false, true}) {
    SCOPED_TRACE(consistent);
    expect_what_the_truncated_arm_computes(arm("canadarm/canadarm_spatial"), consistent, {});
    expect_what_the_truncated_arm_computes(arm("canadarm/canadarm_spatial"), consistent, {1});
    expect_what_the_truncated_arm_computes(arm("ella/ella_polynomial"), consistent, {});
    expect_what_the_truncated_arm_computes(arm("crane/crane"), consistent, {});  // sections with inertia
    expect_what_the_truncated_arm_computes(arm("crane/crane"), consistent, {2});
  }
}

// Single states of a link are left as they are, the others are of first order: in a plane, where formulas have every derivative.
TEST(LinearEquations, LeaveSingleStatesAsTheyAre) {
  const Model model = arm("canadarm/canadarm");
  const int state = coordinate_index(model, "link2.y1");
  for (const bool consistent : {false, true})
    expect_what_the_truncated_arm_computes(model, consistent, {}, {state});
  // all of them is the link
  const Link& link = model.links()[1];
  std::vector<int> all;
  for (int j = 0; j < link.elastic_count; ++j) all.push_back(link.elastic_v_index + j);
  EXPECT_EQ(elastic_coordinates_named(model, link.name), all);
  EXPECT_EQ(elastic_coordinates_named(model, "link2.y1"), std::vector<int>{state});
  EXPECT_TRUE(elastic_coordinates_named(model, model.links()[1].joint.name).empty());
  TruncatedArm by_link(model, {.nonlinear_links = {1}}), by_state(model, {.nonlinear_coordinates = all});
  const VectorXd q = VectorXd::LinSpaced(model.nq(), -0.1, 0.2);
  MatrixXd one(model.nv(), model.nv()), other(model.nv(), model.nv());
  by_link.mass_matrix(q, one);
  by_state.mass_matrix(q, other);
  EXPECT_EQ(one, other);
  EXPECT_THROW(TruncatedArm(model, {.nonlinear_coordinates = {0}}), InputError);  // a joint's
}

// Where a link turns about two axes, derivatives of the small-angle functions' derivatives would be needed: said, not found out by a crash.
TEST(LinearEquations, SayThatSingleStatesOfABeamInSpaceHaveNoBias) {
  const Model model = arm("canadarm/canadarm_spatial");
  EquationsOptions options;
  options.linear =
      LinearEquations{true, {}, {elastic_coordinates_named(model, model.links()[1].name).front()}};
  Equations equations(model, options);
  EXPECT_NO_THROW(equations.quantity('M'));
  EXPECT_THROW(equations.quantity('h'), InputError);
}

TEST(LinearEquations, AreWhatDualScrewComputesOnRandomTrees) {
  for (unsigned seed = 0; seed < 8; ++seed) {
    SCOPED_TRACE(seed);
    expect_what_the_truncated_arm_computes(
        build_model(reference::random_arm(seed, 1 + static_cast<int>(seed % 4), KinematicOrder::first)), true,
        {});
  }
}

// Nothing is left that is of second order in elastic states.
TEST(LinearEquations, AreOfFirstOrder) {
  const Model model = arm("canadarm/canadarm_spatial");
  EquationsOptions options;
  options.linear = LinearEquations{};
  Equations equations(model, options);
  const MatrixX<Expression> M = equations.quantity('M');
  Graph& graph = *equations.arm().graph;
  const UseGraph use(graph);
  std::vector<Expression> small;
  for (const Link& link : model.links())
    for (int j = 0; j < link.elastic_count; ++j) small.push_back(equations.arm().q[link.elastic_q_index + j]);
  const std::vector<Expression> again = first_order(graph, {M.data(), M.data() + M.size()}, small);
  Simplifier simplifier(graph, {});
  for (Eigen::Index i = 0; i < M.size(); ++i)
    EXPECT_TRUE(simplifier.is_identically_zero(again[static_cast<std::size_t>(i)] - M.data()[i])) << i;
}

TEST(LinearEquations, AreCodeWithoutAccelerations) {
  EquationsOptions options;
  options.parameters = ParameterStyle::numbers;
  options.linear = LinearEquations{true, {}};
  Equations equations(arm("crane/crane"), options);
  const std::vector<Document> documents = write_documents(equations, "cpp");
  ASSERT_EQ(documents.size(), 1u);
  EXPECT_NE(documents[0].text.find("inline void mass_matrix("), std::string::npos);
  EXPECT_EQ(documents[0].text.find("accelerations("), std::string::npos);
  EXPECT_EQ(documents[0].text.find("SmallAngle"), std::string::npos);  // small angles are small
}

}  // namespace
}  // namespace limber
