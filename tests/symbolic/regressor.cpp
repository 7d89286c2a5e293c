// SPDX-License-Identifier: BSD-3-Clause
// The regressor: Y p is the equations of motion for all values of all symbols, and its parameters are those of textbooks.

#include "limber/symbolic/regressor.hpp"

#include <gtest/gtest.h>

#include "limber/core/input_error.hpp"
#include "limber/io/model_file.hpp"
#include "limber/model/lookup.hpp"
#include "limber/symbolic/equations.hpp"
#include "reference/random_arm.hpp"

namespace limber {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

Model arm(const std::string& name) {
  return build_model(
      read_model_description(std::string(LIMBER_MODELS_DIR) + "/" + name + "/" + name + ".yaml"));
}

EquationsOptions only(const Model& model, const std::string& what) {
  EquationsOptions options;
  options.only = parse_selection(what, model);
  return options;
}

std::string line_of(const std::string& text, const std::string& entry) {
  const auto at = text.find("\n" + entry + " = ");
  if (at == std::string::npos) return "0";
  const auto begin = at + entry.size() + 4;
  return text.substr(begin, text.find('\n', begin) - begin);
}

// Spong and Vidyasagar, 6.5: five numbers (their first one is the sum of our first and of I2 + m2 c2^2).
TEST(Regressor, OfTwoRigidLinksHasTheTextbooksFiveParameters) {
  const Model model = arm("lin_lewis_two_link");
  Equations equations(model, only(model, "Y"));
  const std::string text = equations.text();
  ASSERT_EQ(equations.quantity('P').rows(), 5) << text;
  std::vector<std::string> parameters;
  for (int i = 1; i <= 5; ++i) parameters.push_back(line_of(text, "p[" + std::to_string(i) + "]"));
  const auto column_of = [&](const std::string& parameter) {
    for (std::size_t i = 0; i < 5; ++i)
      if (parameters[i] == parameter) return std::to_string(i + 1);
    ADD_FAILURE() << parameter << "\n" << text;
    return std::string("0");
  };
  const std::string inertia = column_of("L1^2*m2 + I1zz + c1^2*m1"), outer = column_of("I2zz + c2^2*m2"),
                    coupling = column_of("L1*c2*m2"), weight = column_of("L1*m2 + c1*m1"),
                    outer_weight = column_of("c2*m2");
  EXPECT_EQ(line_of(text, "Y[1," + inertia + "]"), "qdd1");
  EXPECT_EQ(line_of(text, "Y[2," + inertia + "]"), "0");
  EXPECT_EQ(line_of(text, "Y[1," + outer + "]"), "qdd1 + qdd2");
  EXPECT_EQ(line_of(text, "Y[2," + outer + "]"), "qdd1 + qdd2");
  EXPECT_EQ(line_of(text, "Y[2," + coupling + "]"), "qdd1*cos(q2) + v1*w1*sin(q2)");
  EXPECT_EQ(line_of(text, "Y[1," + weight + "]"), "g*cos(q1)");
  EXPECT_EQ(line_of(text, "Y[2," + outer_weight + "]"), "g*cos(q1 + q2)");
}

// M a + C(q, v) w + D w + K (q - rest) + G - Y p vanishes, with C of Christoffel's symbols.
TEST(Regressor, IsTheEquationsOfMotionIdentically) {
  for (const char* name : {"lin_lewis_two_link", "lin_lewis_turret", "lin_lewis_rfr", "de_luca_siciliano"}) {
    SCOPED_TRACE(name);
    const Model model = arm(name);
    Equations equations(model, {});
    SymbolicArm& symbolic = equations.arm();
    const MatrixX<Expression> M = equations.quantity('M'), C = equations.quantity('C'),
                              K = equations.quantity('K'), D = equations.quantity('D'),
                              G = equations.quantity('G'), rest = equations.quantity('r'),
                              Y = equations.quantity('Y'), p = equations.quantity('P');
    Simplifier simplifier(*symbolic.graph, {});
    const UseGraph use(*symbolic.graph);
    for (int i = 0; i < model.nv(); ++i) {
      Expression left = G(i, 0);
      for (int j = 0; j < model.nv(); ++j)
        left += M(i, j) * symbolic.a[j] + (C(i, j) + D(i, j)) * symbolic.w[j] +
                K(i, j) * (symbolic.q[j] - rest(j, 0));
      for (int k = 0; k < p.rows(); ++k) left -= Y(i, k) * p(k, 0);
      EXPECT_TRUE(simplifier.is_identically_zero(left)) << i;
    }
  }
}

// In space functions of deflections stay in Y, and so do the lengths in them: what is left is linear in p all the same.
TEST(Regressor, IsThereForArmsInSpaceAndRandomTrees) {
  EXPECT_NO_THROW(Equations(arm("lin_lewis_turret"), {}).quantity('Y'));
  int derived = 0;
  for (unsigned seed = 0; seed < 12; ++seed) {
    SCOPED_TRACE(seed);
    const Model model = build_model(reference::random_arm(seed, 1, KinematicOrder::first));
    if (model.has_quaternions()) continue;
    EXPECT_NO_THROW(Equations(model, {}).quantity('Y'));  // compared inside with the numeric core
    ++derived;
  }
  EXPECT_GT(derived, 1);
}

TEST(Regressor, IsRefusedWithoutNamesAndForTruncatedEquations) {
  const Model model = arm("lin_lewis_rfr");
  EquationsOptions numbers, linear;
  numbers.parameters = ParameterStyle::numbers;
  linear.linear = LinearEquations{};
  EXPECT_THROW(Equations(model, numbers).quantity('Y'), InputError);
  EXPECT_THROW(Equations(model, linear).quantity('Y'), InputError);
  EXPECT_THROW(parse_selection("Y[1,1]", model), InputError);
}

// J of a point inside of a beam is the derivative of that point's place.
TEST(Jacobian, OfAnyPointIsTheDerivativeOfItsPlace) {
  Model model = with_node(arm("lin_lewis_rfr"), 1, 0.4);
  model = with_end_effector(model, frame(model, model.links()[1].name, 0.4));
  Equations equations(model, {});
  SymbolicArm& symbolic = equations.arm();
  const MatrixX<Expression> J = equations.quantity('J'), pose = equations.quantity('p');
  Simplifier simplifier(*symbolic.graph, {});
  const UseGraph use(*symbolic.graph);
  for (int k = 0; k < 3; ++k)
    for (int i = 0; i < model.nv(); ++i) {
      const Expression slope = symbolic.graph->derivatives({pose(k, 3)}, symbolic.q[i])[0];
      EXPECT_TRUE(simplifier.is_identically_zero(slope - J(k, i))) << k << i;
    }
  EXPECT_TRUE(J.col(3).unaryExpr([](const Expression& e) { return e.is_zero(); }).all());  // the next joint
  EXPECT_FALSE(simplifier.is_identically_zero(J(1, 2)));
}

// Another order of kinematics is the same arm with the same point.
TEST(Jacobian, KeepsItsPointWhereTheOrderOfKinematicsChanges) {
  Model model = with_node(arm("lin_lewis_rfr"), 1, 0.4);
  model = with_end_effector(model, frame(model, model.links()[1].name, 0.4));
  const Model other = with_kinematics(model, KinematicOrder::second);
  EXPECT_EQ(other.end_effector().link, model.end_effector().link);
  EXPECT_EQ(other.end_effector().node, model.end_effector().node);
}

}  // namespace
}  // namespace limber
