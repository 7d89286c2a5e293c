// SPDX-License-Identifier: BSD-3-Clause
#include "limber/symbolic/equations.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <regex>

#include "limber/algorithms/energy.hpp"
#include "limber/algorithms/mass_matrix.hpp"
#include "limber/algorithms/struts.hpp"
#include "limber/core/computation_error.hpp"
#include "limber/core/input_error.hpp"
#include "limber/io/model_file.hpp"
#include "limber/symbolic/derive.hpp"
#include "reference/random_arm.hpp"
#include "temporary_folder.hpp"

namespace limber {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

Model arm(const std::string& name) {
  return read_model(std::string(LIMBER_MODELS_DIR) + "/" + name + "/" + name + ".yaml");
}

EquationsOptions with(ParameterStyle style, const std::string& only = "", const Model* model = nullptr) {
  EquationsOptions options;
  options.parameters = style;
  if (!only.empty()) options.only = parse_selection(only, *model);
  return options;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// The formula after "M[1,1] = ".
std::string line_of(const std::string& text, const std::string& entry) {
  const auto at = text.find("\n" + entry + " = ");
  if (at == std::string::npos) return "0";
  const auto begin = at + entry.size() + 4;
  return text.substr(begin, text.find('\n', begin) - begin);
}

// Spong and Vidyasagar's equations, term by term.
TEST(LinAndLewis, TwoRigidLinksAreTheTextbooks) {
  const Model model = arm("lin_lewis_two_link");
  Equations equations(model, with(ParameterStyle::symbols));
  const std::string text = equations.text();
  EXPECT_EQ(line_of(text, "M[1,1]"), "L1^2*m2 + I1zz + c1^2*m1 + I2zz + c2^2*m2 + 2*L1*c2*m2*cos(q2)");
  EXPECT_EQ(line_of(text, "M[1,2]"), "I2zz + c2^2*m2 + L1*c2*m2*cos(q2)");
  EXPECT_EQ(line_of(text, "M[2,2]"), "I2zz + c2^2*m2");
  EXPECT_EQ(line_of(text, "C[1,1]"), "-L1*c2*m2*v2*sin(q2)");
  EXPECT_EQ(line_of(text, "C[1,2]"), "-L1*c2*m2*v1*sin(q2) - L1*c2*m2*v2*sin(q2)");
  EXPECT_EQ(line_of(text, "C[2,1]"), "L1*c2*m2*v1*sin(q2)");
  EXPECT_EQ(line_of(text, "C[2,2]"), "0");
  EXPECT_EQ(line_of(text, "G[1]"), "c2*m2*g*cos(q1 + q2) + g*(L1*m2 + c1*m1)*cos(q1)");
  EXPECT_EQ(line_of(text, "G[2]"), "c2*m2*g*cos(q1 + q2)");
}

// The appendix with the corrections of models/lin_lewis_rfr/README.md, our order (th1, th2, v, th3).
MatrixXd corrected_appendix(const VectorXd& q, double Ix1, double Ix3, double L1, double L2, double L3,
                            double Lc1, double Lc3, double ms1, double ms3, double mpd, double rA) {
  const double f = 0.5497897482078318, v = q[2], c2 = std::cos(q[1]), s2 = std::sin(q[1]);
  const double a = q[3] + f * v / L2, c3 = std::cos(a), s3 = std::sin(a), c23 = std::cos(q[1] + a);
  const double m = mpd + ms3, h = mpd * L3 + ms3 * Lc3, I = Ix3 + mpd * L3 * L3 + ms3 * Lc3 * Lc3;
  const double flexible =
      (0.3022687672344311 * m + 0.07147226535009999 * rA * L2) * v * v + 2 * f * h * s3 * v;
  MatrixXd M(4, 4);
  M(0, 0) = Ix1 + I + m * (L1 * L1 + L2 * L2 + 2 * c2 * L1 * L2) + 2 * h * (c23 * L1 + c3 * L2) +
            Lc1 * Lc1 * ms1 + rA * (L1 * L1 * L2 + c2 * L1 * L2 * L2 + L2 * L2 * L2 / 3) -
            (2 * f * m + 0.4133023861 * rA * L2) * L1 * s2 * v + flexible;
  M(0, 1) = I + m * (c2 * L1 * L2 + L2 * L2) + h * (c23 * L1 + 2 * c3 * L2) +
            rA * (c2 * L1 * L2 * L2 / 2 + L2 * L2 * L2 / 3) -
            (f * m + 0.20665119305 * rA * L2) * L1 * s2 * v + flexible;
  M(0, 3) = I + h * (c23 * L1 + c3 * L2 + f * s3 * v);
  M(0, 2) = f / L2 * (I + m * (c2 * L1 * L2 + L2 * L2) + h * (c23 * L1 + 2 * c3 * L2 + f * s3 * v)) +
            rA * (0.20665119305 * c2 * L1 * L2 + f * 0.2754985845918819 * L2 * L2);
  M(1, 1) = I + m * L2 * L2 + 2 * h * c3 * L2 + rA * L2 * L2 * L2 / 3 + flexible;
  M(1, 3) = I + h * (c3 * L2 + f * s3 * v);
  M(1, 2) =
      f / L2 * (I + m * L2 * L2 + 2 * h * c3 * L2 + f * h * s3 * v) + rA * f * 0.2754985845918819 * L2 * L2;
  M(3, 3) = I;
  M(2, 3) = f * h * c3 + f / L2 * I;
  M(2, 2) = f * f * m + 2 * f * f / L2 * h * c3 + f * f / L2 / L2 * I + 0.07147226535009999 * rA * L2;
  return M.selfadjointView<Eigen::Upper>();
}

double value_of(const SymbolicArm& symbolic, const std::string& name) {
  for (const Parameter& p : symbolic.parameters)
    if (p.name == name) return p.value;
  ADD_FAILURE() << name;
  return 0.0;
}

TEST(LinAndLewis, RigidFlexibleRigidIsTheCorrectedAppendix) {
  const Model model = arm("lin_lewis_rfr");
  Equations equations(model, with(ParameterStyle::symbols));
  const std::string text = equations.text();
  // coefficient by coefficient, and the angle sums
  EXPECT_EQ(
      line_of(text, "M[1,4]"),
      "L3^2*mp3 + I3zz + c3^2*m3 + L1*(L3*mp3 + c3*m3)*cos(q2 + 0.5497897482*q3/L2 + q4) + L2*(L3*mp3 + "
      "c3*m3)*cos(0.5497897482*q3/L2 + q4) + 0.5497897482*(L3*mp3 + c3*m3)*q3*sin(0.5497897482*q3/L2 + q4)");
  EXPECT_TRUE(contains(line_of(text, "M[1,1]"),
                       "(0.07147226535*L2*rhoA2 + 0.3022687672*m3 + 0.3022687672*mp3)*q3^2"));
  EXPECT_TRUE(contains(line_of(text, "M[1,1]"),
                       " - L1*(0.4133023861*L2*rhoA2 + 1.099579496*m3 + 1.099579496*mp3)*q3*sin(q2)"));
  EXPECT_TRUE(contains(line_of(text, "M[1,2]"),
                       " - L1*(0.2066511931*L2*rhoA2 + 0.5497897482*m3 + 0.5497897482*mp3)*q3*sin(q2)"));

  // with parameters that are not the model's, so that each term counts by itself
  SymbolicArm& symbolic = equations.arm();
  const MatrixX<Expression>& M = equations.quantity('M');
  double factor = 0.6;
  for (Parameter& p : symbolic.parameters) p.value *= factor, factor += 0.07;
  const VectorXd q = (VectorXd(4) << 0.3, 0.7, 0.2, -0.4).finished(), zero = VectorXd::Zero(4);
  const std::vector<double> nodes = symbolic.graph->evaluate(symbolic.values(q, zero, zero, zero));
  const auto p = [&](const char* name) { return value_of(symbolic, name); };
  const MatrixXd expected = corrected_appendix(q, p("I1zz"), p("I3zz"), p("L1"), p("L2"), p("L3"), p("c1"),
                                               p("c3"), p("m1"), p("m3"), p("mp3"), p("rhoA2"));
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      EXPECT_NEAR(nodes[static_cast<std::size_t>(M(i, j).node())], expected(i, j), 2e-9) << i << j;
}

// dM/dt - 2 C is skew, and C v + G is what Newton-Euler gives: for all values of all symbols.
class Structure : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Arms, Structure,
                         testing::Values("lin_lewis_two_link", "lin_lewis_turret", "lin_lewis_rfr",
                                         "de_luca_siciliano"));

TEST_P(Structure, HoldsIdentically) {
  const Model model = arm(GetParam());
  Equations equations(model, with(ParameterStyle::symbols));
  SymbolicArm& symbolic = equations.arm();
  const MatrixX<Expression> M = equations.quantity('M'), C = equations.quantity('C'),
                            h = equations.quantity('h'), G = equations.quantity('G');
  const MatrixX<Expression> rate = rate_of(symbolic, M);
  Simplifier simplifier(*symbolic.graph, {});
  const UseGraph use(*symbolic.graph);
  const int n = model.nv();
  for (int i = 0; i < n; ++i) {
    Expression rest = h(i, 0) - G(i, 0);
    for (int j = 0; j < n; ++j) {
      rest -= C(i, j) * symbolic.v[j];
      const Expression twice = rate(i, j) + rate(j, i) - Expression(2) * (C(i, j) + C(j, i));
      EXPECT_TRUE(simplifier.is_identically_zero(twice)) << i << " " << j;
    }
    EXPECT_TRUE(simplifier.is_identically_zero(rest)) << i;
  }
  EXPECT_FALSE(simplifier.is_identically_zero(C(0, 1)));  // the question can be answered with no
}

// A parameter is what it says: changed in the formula it gives what the model gives when it is changed in the file.
TEST(Parameters, MeanWhatTheModelFileMeans) {
  const std::string file = std::string(LIMBER_MODELS_DIR) + "/lin_lewis_turret/lin_lewis_turret.yaml";
  for (const KinematicOrder order : {KinematicOrder::first, KinematicOrder::second}) {
    ModelDescription description = read_model_description(file);
    description.kinematics = order;
    description.links[1].tip->com = {0.1, 0.02, 0.0};
    description.links[1].tip->inertia << 0.1, 0.2, 0.2, 0, 0, 0;
    description.links[1].root.xyz = {0.05, 0.0, 0.01};
    description.links[1].joint.armature = 0.3;
    const Model model = build_model(description);
    SymbolicArm symbolic(model, ParameterStyle::constants);
    const MatrixX<Expression> M = derive_mass_matrix(symbolic);

    ModelDescription changed = description;
    changed.links[0].rigid->mass *= 1.7;
    changed.links[0].rigid->tip.xyz[2] *= 1.3;
    changed.links[1].beam->length *= 0.8;
    changed.links[1].beam->section->mass_per_length = 2.2;
    changed.links[1].tip->mass = 1.1;
    changed.links[1].tip->com[1] = 0.05;
    changed.links[1].tip->inertia[2] = 0.25;
    changed.links[1].root.xyz[0] = 0.08;
    changed.links[1].joint.armature = 0.4;
    const auto set = [&](const char* name, double value) {
      for (Parameter& p : symbolic.parameters)
        if (p.name == name) return static_cast<void>(p.value = value);
      ADD_FAILURE() << name;
    };
    set("m1", changed.links[0].rigid->mass);
    set("L1z", changed.links[0].rigid->tip.xyz[2]);
    set("L2", changed.links[1].beam->length);
    set("rhoA2", 2.2);
    set("mp2", 1.1);
    set("cp2y", 0.05);
    set("Ip2zz", 0.25);
    set("b2x", 0.08);
    set("J2", 0.4);

    const Model other = build_model(changed);
    const VectorXd q = (VectorXd(6) << 0.4, 0.5, 0.03, -0.02, 0.05, 0.01).finished(),
                   zero = VectorXd::Zero(6);
    MatrixXd expected(6, 6);
    Workspace<double> work(other);
    mass_matrix(other, work, q, expected);
    const auto nodes = symbolic.graph->evaluate(symbolic.values(q, zero, zero, zero));
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 6; ++j)
        EXPECT_NEAR(nodes[static_cast<std::size_t>(M(i, j).node())], expected(i, j), 1e-12 * expected.norm())
            << i << j;
  }
}

// What a user does with the header: no include of ours, no warning, and the numbers of the numeric core.
void compile_and_run(const Model& model, ParameterStyle style) {
  const TemporaryFolder folder;
  Equations equations(model, with(style));
  const std::string name = equations.identifier();
  const std::string header = equations.code();
  EXPECT_FALSE(contains(header, "limber/"));
  std::ofstream(folder.path() / (name + ".hpp")) << header;
  std::ofstream(folder.path() / (name + "_test.cpp")) << equations.code_test();
  const std::string stem = (folder.path() / name).string();
  ASSERT_EQ(
      std::system(("c++ -std=c++17 -O0 -Wall -Wextra -Werror " + stem + "_test.cpp -o " + stem).c_str()), 0);
  EXPECT_EQ(std::system(stem.c_str()), 0) << model.name();
}

TEST(GeneratedCode, GivesTheNumbersOfTheNumericCore) {
  compile_and_run(arm("canadarm"), ParameterStyle::numbers);
  compile_and_run(arm("lin_lewis_rfr"), ParameterStyle::symbols);
  compile_and_run(arm("piedboeuf"), ParameterStyle::symbols);  // a mass matrix near singular
}

TEST(GeneratedCode, IsRightForRandomTreesWithAllJoints) {
  for (const unsigned seed : {3u, 8u}) {
    const KinematicOrder order = seed % 2 == 0 ? KinematicOrder::first : KinematicOrder::second;
    Model model = build_model(reference::random_arm(seed, 2, order));
    compile_and_run(model, ParameterStyle::numbers);
  }
}

// Random trees of every kind: each quantity is compared inside with the numeric core.
TEST(Derivation, AgreesWithTheNumericCoreOnRandomTrees) {
  for (unsigned seed = 0; seed < 12; ++seed) {
    SCOPED_TRACE(seed);
    const KinematicOrder order = seed % 2 == 0 ? KinematicOrder::first : KinematicOrder::second;
    const Model model = build_model(reference::random_arm(seed, 1 + static_cast<int>(seed % 4), order));
    for (const ParameterStyle style :
         {ParameterStyle::numbers, ParameterStyle::symbols, ParameterStyle::constants}) {
      Equations equations(model, with(style));
      for (const char quantity : std::string("MhGKDBJa"))
        EXPECT_NO_THROW(equations.quantity(quantity)) << quantity;
    }
  }
}

TEST(Equations, SayWhatIsWrongWithAChoice) {
  const Model model = arm("lin_lewis_rfr");
  for (const char* bad : {"X", "M[1]", "M[0,1]", "M[5,1]", "G[1,1]", "M[1,1", "", "M,,G", "M[a,b]"})
    EXPECT_THROW(parse_selection(bad, model), InputError) << bad;
  EXPECT_EQ(parse_selection("M[1,2],G, C", model).size(), 3u);
  Equations one(model, with(ParameterStyle::symbols, "M[4,4]", &model));
  EXPECT_TRUE(contains(one.text(), "M[4,4] = L3^2*mp3 + I3zz + c3^2*m3\n"));
}

// T = 1/2 v^T M v, dV/dq = K (q - rest) + G, the pose's columns move as J says, Kt = d(G + K q)/dq: for all values of all symbols.
TEST_P(Structure, OfEnergiesPoseAndStiffnessHoldsIdentically) {
  const Model model = arm(GetParam());
  Equations equations(model, with(ParameterStyle::symbols));
  SymbolicArm& symbolic = equations.arm();
  const MatrixX<Expression> M = equations.quantity('M'), G = equations.quantity('G'),
                            K = equations.quantity('K'), T = equations.quantity('T'),
                            V = equations.quantity('V'), Kt = equations.quantity('t'),
                            J = equations.quantity('J'), pose = equations.quantity('p');
  Simplifier simplifier(*symbolic.graph, {});
  const UseGraph use(*symbolic.graph);
  const int n = model.nv();
  Expression twice = Expression(2) * T(0, 0);
  for (int i = 0; i < n; ++i) {
    Expression force = G(i, 0);
    for (int j = 0; j < n; ++j) {
      twice -= symbolic.v[i] * M(i, j) * symbolic.v[j];
      force += K(i, j) * symbolic.q[j];
    }
    EXPECT_TRUE(
        simplifier.is_identically_zero(symbolic.graph->derivatives({V(0, 0)}, symbolic.q[i])[0] - force))
        << i;
    for (int j = 0; j < n; ++j)
      EXPECT_TRUE(
          simplifier.is_identically_zero(symbolic.graph->derivatives({force}, symbolic.q[j])[0] - Kt(i, j)))
          << i << j;
    for (int k = 0; k < 3; ++k)
      EXPECT_TRUE(simplifier.is_identically_zero(symbolic.graph->derivatives({pose(k, 3)}, symbolic.q[i])[0] -
                                                 J(k, i)))
          << i << k;
  }
  EXPECT_TRUE(simplifier.is_identically_zero(twice));
  EXPECT_FALSE(simplifier.is_identically_zero(T(0, 0)));
}

TEST(Equations, HaveEnergiesAndAPoseInDocuments) {
  const Model model = arm("lin_lewis_two_link");
  Equations equations(model, with(ParameterStyle::symbols, "T,V,pose[1,4],linear", &model));
  const std::string text = equations.text();
  for (const char* line : {"\nT = ", "\nV = ", "\npose[1,4] = ", "\nKt[1,1] = "})
    EXPECT_TRUE(contains(text, line)) << text;
  EXPECT_TRUE(contains(equations.latex(), "\\mathrm{pose}_{1,4} = {}& "));
  for (const char* bad : {"p", "t", "r", "pose[4,1]", "Kt[1]", "linear[1,1]"})
    EXPECT_THROW(parse_selection(bad, model), InputError) << bad;
}

TEST(Equations, StopBeforeTheyGetTooLong) {
  const Model model = arm("canadarm");
  EquationsOptions options = with(ParameterStyle::symbols);
  options.most_terms = 1000;
  Equations equations(model, options);
  EXPECT_THROW(equations.text(), ComputationError);
  EquationsOptions stopped = with(ParameterStyle::symbols);
  stopped.progress = [](const std::string&, double) { throw std::runtime_error("stop"); };
  EXPECT_THROW(Equations(model, stopped).text(), std::runtime_error);
}

TEST(Latex, CompilesWhereThereIsATex) {
  if (std::system("command -v pdflatex > /dev/null 2>&1") != 0) GTEST_SKIP() << "no TeX here";
  const TemporaryFolder folder;
  for (const char* name : {"lin_lewis_rfr", "lin_lewis_turret"}) {
    const Model model = arm(name);
    std::ofstream(folder.path() / "arm.tex") << Equations(model, with(ParameterStyle::symbols)).latex();
    EXPECT_EQ(
        std::system(("cd " + folder.path().string() + " && pdflatex -halt-on-error arm.tex > log").c_str()),
        0);
  }
}

// An eye at (x, 0, z) on a boom that lifts about -y at (0, 0, 2), a foot at (0.3, 0, 0.6); and the beam of the shipped one, which bends.
TEST(Cylinders, HaveTheirClosedFormAndTheNumbersOfTheAlgorithms) {
  const Model rigid = build_model(parse_model_description(R"(limber: 1
links:
  - {name: boom, origin: {xyz: [0, 0, 2]}, joint: {name: pivot, type: revolute, axis: [0, -1, 0]},
     rigid: {mass: 10, inertia: [1, 1, 1, 0, 0, 0], tip: {xyz: [1.4, 0, -0.15]}}}
cylinders:
  - {name: lift, from: {link: base, xyz: [0.3, 0, 0.6]}, to: {link: boom}, stiffness: 1.0e+4, rest: 1.5}
)",
                                                          "boom.yaml", {}));
  const auto numbers = [](SymbolicArm& symbols, const MatrixX<Expression>& A, const VectorXd& q) {
    const VectorXd zero = VectorXd::Zero(symbols.model.nv());
    const std::vector<double> nodes = symbols.graph->evaluate(symbols.values(q, zero, zero, zero));
    MatrixXd values(A.rows(), A.cols());
    for (Eigen::Index i = 0; i < A.size(); ++i)
      values.data()[i] = nodes[static_cast<std::size_t>(A.data()[i].node())];
    return values;
  };
  SymbolicArm symbols(rigid, ParameterStyle::symbols);
  const VectorX<Expression> l = derive_cylinder_lengths(symbols);
  const MatrixX<Expression> S = derive_cylinder_jacobian(symbols), V = derive_potential_energy(symbols);
  for (const double angle : {-0.4, 0.0, 0.9}) {
    const VectorXd q = VectorXd::Constant(1, angle);
    const double c = std::cos(angle), s = std::sin(angle), x = 1.4, z = -0.15;
    const double dx = x * c - z * s - 0.3, dz = 2.0 + x * s + z * c - 0.6, length = std::hypot(dx, dz);
    EXPECT_NEAR(numbers(symbols, l, q)(0, 0), length, 1e-14);
    EXPECT_NEAR(numbers(symbols, S, q)(0, 0), (dx * (-x * s - z * c) + dz * (x * c - z * s)) / length, 1e-14);
    EXPECT_NEAR(numbers(symbols, V, q)(0, 0), 10 * 9.81 * 2.0 + 0.5e4 * std::pow(length - 1.5, 2), 1e-10);
  }

  const Model bends = arm("boom_cylinder");
  SymbolicArm of_beam(bends, ParameterStyle::symbols);
  const VectorX<Expression> length = derive_cylinder_lengths(of_beam);
  const MatrixX<Expression> along = derive_cylinder_jacobian(of_beam);
  VectorXd q = 0.02 * VectorXd::LinSpaced(bends.nq(), -1.0, 1.0);
  q[0] = 0.3;
  Struts struts(bends);
  struts.update(q, VectorXd::Zero(bends.nv()));
  EXPECT_NEAR(numbers(of_beam, length, q)(0, 0), struts.lengths()[0], 1e-13);
  EXPECT_LT((numbers(of_beam, along, q) - struts.jacobian()).cwiseAbs().maxCoeff(), 1e-12);
}

}  // namespace
}  // namespace limber
