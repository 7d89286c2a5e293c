// SPDX-License-Identifier: BSD-3-Clause
// Equations of beams that slide through a guide, as formulas and as code (docs/telescoping.md).

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "limber/core/input_error.hpp"
#include "limber/formulations/formulation.hpp"
#include "limber/model/builder.hpp"
#include "limber/model/telescopes.hpp"
#include "limber/symbolic/equations.hpp"
#include "temporary_folder.hpp"

namespace limber {
namespace {

using Eigen::Vector3d;

constexpr double length = 2.0, behind = 0.7;

ModesDescription powers(int count) {
  ModesDescription modes;
  modes.shape = ShapeFamily::polynomial;
  modes.count = count;
  return modes;
}

JointDescription slide() {
  JointDescription joint{.name = "slide", .type = JointType::prismatic, .axis = Vector3d::UnitX()};
  joint.telescoping = true;
  return joint;
}

// Without rotary inertia all that is summed along the beam is polynomials.
SectionDescription slender() {
  return {.EI_y = 40.0, .EI_z = 30.0, .GJ = 12.0, .EA = 5000.0, .mass_per_length = 1.7};
}

// A beam with one shape x^2 and a point mass on its tip, clear of gravity.
Model single() {
  ModelBuilder builder("single");
  builder.kinematics(KinematicOrder::first).gravity(Vector3d::Zero());
  builder.link("boom")
      .joint(slide())
      .root({Vector3d(-behind, 0.0, 0.0), Vector3d::Zero(), 0.0, Vector3d::Zero(), InertiaElements::Zero()})
      .beam(length, slender())
      .modes(Direction::y, powers(1))
      .tip({0.6, Vector3d::Zero(), InertiaElements::Zero()});
  return builder.build();
}

// On a shoulder that lifts it, with a carriage, a spring in the joint and a payload; `turns`: in space, its sections with rotary inertia.
Model boom(KinematicOrder order, bool turns = false) {
  ModelBuilder builder("boom");
  builder.kinematics(order).gravity({0.0, -9.81, 0.0});
  builder.link("mast")
      .revolute(Vector3d::UnitZ(), "lift")
      .rigid({3.0, {0.1, 0.0, 0.0}, InertiaElements::Zero(), {}});
  JointDescription joint = slide();
  joint.armature = 0.3;
  joint.stiffness = 20.0;
  joint.rest = 0.1;
  joint.damping = 2.0;
  SectionDescription section = slender();
  if (turns) section.rotary_inertia = Vector3d(0.02, 0.015, 0.01);
  InertiaElements carriage = InertiaElements::Zero(), payload = InertiaElements::Zero();
  carriage.head<3>() << 0.01, 0.02, 0.03;
  payload.head<3>() << 0.004, 0.006, 0.005;
  builder.link("boom")
      .joint(joint)
      .root({Vector3d(-behind, 0.04, 0.0), Vector3d::Zero(), 0.4, {-0.05, 0.02, 0.0}, carriage})
      .beam(length, section)
      .modes(Direction::y, powers(2))
      .tip({0.6, {0.03, -0.02, 0.0}, payload});
  if (turns)
    builder.modes(Direction::z, powers(1))
        .modes(Direction::torsion, powers(1))
        .modes(Direction::axial, powers(1));
  return builder.build();
}

EquationsOptions only(const std::string& what, const Model& model) {
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

// With phi = x^2, x = X/l: a fixed point of the beam has y = phi eta, dy/dl = 2 x (1 - x) eta/l. Integrals over the free part by hand:
//   M = [m L + mp + m l Int (2 x (1 - x) eta/l)^2, m Int 2 x^3 (1 - x) eta; ., m l Int x^4 + mp],  V = 1/2 4 EI/l^3 eta^2.
TEST(TelescopeFormulas, OfOneShapeAreThoseByHand) {
  const Model model = single();
  const std::string text = Equations(model, only("M,K,V,Kt", model)).text();
  EXPECT_EQ(line_of(text, "l1"), "L1 - c1 + q1") << text;
  EXPECT_EQ(line_of(text, "M[1,1]"), "L1*rhoA1 + mp1 + 2/15*rhoA1*q2^2/l1") << text;
  EXPECT_EQ(line_of(text, "M[1,2]"), "1/10*rhoA1*q2") << text;
  EXPECT_EQ(line_of(text, "M[2,2]"), "1/5*l1*rhoA1 + mp1") << text;
  EXPECT_EQ(line_of(text, "V"), "2*EIz1*q2^2/l1^3") << text;
  EXPECT_EQ(line_of(text, "K[2,2]"), "4*EIz1/l1^3") << text;
  EXPECT_EQ(line_of(text, "K[1,2]"), "-6*EIz1*q2/l1^4") << text;  // and not K[2,1]
  EXPECT_NE(text.find("# K: stiffness. Entries that are not shown are zero.\n"), std::string::npos) << text;
  EXPECT_EQ(line_of(text, "Kt[1,2]"), line_of(text, "Kt[2,1]")) << text;
  EXPECT_EQ(line_of(text, "Kt[1,1]"), "24*EIz1*q2^2/l1^5") << text;
  const std::string latex = Equations(model, only("M", model)).latex();
  EXPECT_NE(latex.find("$\\ell_{1} = L_{1} - c_{1} + q_{1}$: free length of boom"), std::string::npos)
      << latex;
}

// For all values of all symbols: dM/dt - 2 C skew, C v + G = h, T = 1/2 v^T M v, dV/dq = K (q - rest) + G, Kt its derivative.
TEST(TelescopeFormulas, HoldIdentically) {
  for (const KinematicOrder order : {KinematicOrder::first, KinematicOrder::second}) {
    const Model model = boom(order);
    Equations equations(model, {});
    SymbolicArm& arm = equations.arm();
    const MatrixX<Expression> M = equations.quantity('M'), C = equations.quantity('C'),
                              h = equations.quantity('h'), G = equations.quantity('G'),
                              K = equations.quantity('K'), T = equations.quantity('T'),
                              V = equations.quantity('V'), Kt = equations.quantity('t'),
                              rest = equations.quantity('r'), rate = rate_of(arm, M);
    Simplifier::Options options;
    for (const FreeLength& free : arm.free_lengths)
      options.abbreviations.emplace(free.sum.node(), (*arm.graph)[free.symbol].a);
    Simplifier simplifier(*arm.graph, options);
    const UseGraph use(*arm.graph);
    const auto slope = [&](Expression of, int by) { return arm.graph->derivatives({of}, arm.q[by])[0]; };
    Expression twice = Expression(2) * T(0, 0);
    for (int i = 0; i < model.nv(); ++i) {
      Expression left = h(i, 0) - G(i, 0), force = G(i, 0);
      for (int j = 0; j < model.nv(); ++j) {
        left -= C(i, j) * arm.v[j];
        twice -= arm.v[i] * M(i, j) * arm.v[j];
        force += K(i, j) * (arm.q[j] - rest(j, 0));
        EXPECT_TRUE(
            simplifier.is_identically_zero(rate(i, j) + rate(j, i) - Expression(2) * (C(i, j) + C(j, i))))
            << i << j;
      }
      EXPECT_TRUE(simplifier.is_identically_zero(left)) << i;
      EXPECT_TRUE(simplifier.is_identically_zero(slope(V(0, 0), i) - force)) << i;
      for (int j = 0; j < model.nv(); ++j)
        EXPECT_TRUE(simplifier.is_identically_zero(slope(force, j) - Kt(i, j))) << i << j;
    }
    EXPECT_TRUE(simplifier.is_identically_zero(twice));
    EXPECT_FALSE(simplifier.is_identically_zero(K(1, 2) - K(2, 1)));  // the question can be answered with no
  }
}

// Every quantity is compared with the numeric core where it is derived; code by its own test, at ten states.
TEST(TelescopeFormulas, GiveTheNumbersOfTheNumericCoreAsCode) {
  const TemporaryFolder folder;
  for (const auto& [turns, style] : {std::pair{true, ParameterStyle::numbers},
                                     {false, ParameterStyle::symbols},
                                     {false, ParameterStyle::constants}}) {
    const Model model = boom(KinematicOrder::second, turns);
    EquationsOptions options;
    options.parameters = style;
    Equations equations(model, options);
    const std::string quantities = style == ParameterStyle::numbers ? "JrTVpt" : "JrTVptYP";
    for (const char quantity : quantities) EXPECT_NO_THROW(equations.quantity(quantity)) << quantity;
    const std::string stem = (folder.path() / "test").string();
    std::ofstream(folder.path() / "boom.hpp") << equations.code();
    std::ofstream(stem + ".cpp") << equations.code_test();
    ASSERT_EQ(std::system(("c++ -std=c++17 -O0 -Wall -Wextra -Werror " + stem + ".cpp -o " + stem).c_str()),
              0);
    EXPECT_EQ(std::system(stem.c_str()), 0);
  }
}

TEST(TelescopeFormulas, MoveTheArmAsTheRecursionDoes) {
  const TemporaryFolder cache;
  setenv("LIMBER_CACHE", cache.path().c_str(), 1);
  const Model model = boom(KinematicOrder::first);
  const Eigen::VectorXd q = (Eigen::VectorXd(4) << 0.4, 0.5, 0.03, -0.02).finished(), v = 2.0 * q,
                        tau = 10.0 * q;
  DynamicsOutput found, expected;
  make_formulation(FormulationKind::generated, model)->evaluate({q, v, tau, {}}, found);
  make_formulation(FormulationKind::recursive, model)->evaluate({q, v, tau, {}}, expected);
  EXPECT_LT((found.acceleration - expected.acceleration).norm(), 1e-12 * expected.acceleration.norm());
  unsetenv("LIMBER_CACHE");
}

TEST(TelescopeFormulas, OfFirstOrderAreRefused) {
  EquationsOptions linear;
  linear.linear = LinearEquations{};
  EXPECT_THROW(Equations(single(), linear), InputError);
}

}  // namespace
}  // namespace limber
