// SPDX-License-Identifier: BSD-3-Clause
// What derive writes, for arms that people bring: names of every kind, springs, tapers, scaled shapes, arms that cannot move.

#include <gtest/gtest.h>

#include <cstdlib>
#include <numbers>
#include <regex>

#include "flexible_chain.hpp"
#include "limber/algorithms/mass_matrix.hpp"
#include "limber/core/computation_error.hpp"
#include "limber/core/interruption.hpp"
#include "limber/io/model_file.hpp"
#include "limber/symbolic/equations.hpp"
#include "temporary_folder.hpp"

namespace limber {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
constexpr double pi = std::numbers::pi;

ModelDescription described(const std::string& name) {
  return read_model_description(std::string(LIMBER_MODELS_DIR) + "/" + name + "/" + name + ".yaml");
}

EquationsOptions with(ParameterStyle style, int digits = 10) {
  EquationsOptions options;
  options.parameters = style;
  options.digits = digits;
  return options;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// ---- K (q - rest) ----

TEST(Rest, IsGivenWhereSpringsAreRelaxed) {
  ModelDescription description = described("lin_lewis_two_link");
  EXPECT_TRUE(
      contains(Equations(build_model(description), with(ParameterStyle::symbols)).text(), "rest = 0\n"));
  description.links[1].joint.stiffness = 30.0;
  description.links[1].joint.rest = -0.25;
  const Model model = build_model(description);
  Equations equations(model, with(ParameterStyle::symbols));
  const std::string text = equations.text();
  EXPECT_TRUE(contains(text, "\nK[2,2] = k2\n")) << text;
  EXPECT_TRUE(contains(text, "\nrest[2] = rest2\n")) << text;
  EXPECT_TRUE(contains(text, "# rest2 = -0.25 rad: position at which the spring of ")) << text;
  EXPECT_TRUE(contains(equations.latex(), "\\mathrm{rest}_{2} = {}& \\mathit{rest}_{2}"))
      << equations.latex();
  EXPECT_TRUE(contains(equations.code(), "inline void rest(double* rest")) << equations.code();
  EquationsOptions only = with(ParameterStyle::numbers);
  only.only = parse_selection("rest[2],rest", model);
  EXPECT_TRUE(contains(Equations(model, only).text(), "\nrest[2] = -1/4\n"));
}

// ---- what a symbol means on a tapered beam ----

TEST(TaperedBeam, SaysWhereItsSymbolsHold) {
  ModelDescription description = described("lin_lewis_rfr");
  BeamDescription& beam = *description.links[1].beam;
  const auto meanings = [&] {
    return Equations(build_model(description), with(ParameterStyle::symbols)).text();
  };
  const std::string uniform = meanings();
  EXPECT_TRUE(contains(uniform, "bending stiffness about z of link2\n")) << uniform;
  EXPECT_TRUE(contains(uniform, " mass per length of link2\n"));
  auto thin = *beam.section;
  *thin.EI_z *= 0.5;
  *thin.mass_per_length *= 0.5;
  beam.stations = {{0.0, *beam.section}, {beam.length, thin}};
  beam.section.reset();
  const std::string tapered = meanings();
  EXPECT_TRUE(contains(tapered, "bending stiffness about z of link2 at its root, x = 0\n")) << tapered;
  EXPECT_TRUE(contains(tapered, ": mean mass per length of link2\n")) << tapered;
}

// ---- numbers ----

// An arm of right angles and thirds, given as decimals. All that is 0, 1 and 1/2 in it is exactly that.
Model right_angled() {
  ModelDescription description = described("lin_lewis_turret");
  description.links[1].origin = FrameDescription{{}, {pi / 2.0, pi / 3.0, -pi / 2.0}};
  description.links[1].root.rpy = {0.0, pi / 2.0, pi};
  description.links[1].root.xyz = {0.05, 0.0, 0.01};
  description.links[0].rigid->tip.rpy = {pi, 0.0, pi / 2.0};
  return build_model(description);
}

TEST(Numbers, AreThoseThatPeopleWouldWrite) {
  for (const Model& model : {right_angled(), build_model(described("de_luca_siciliano"))})
    for (const ParameterStyle style : {ParameterStyle::symbols, ParameterStyle::constants}) {
      const std::string text = Equations(model, with(style, 17)).text();
      const std::string formulas = std::regex_replace(text, std::regex("#[^\n]*\n"), "");
      std::smatch found;
      EXPECT_FALSE(std::regex_search(formulas, found, std::regex("[0-9.]+e-(1[5-9]|[2-9][0-9])")))
          << found.str();
      EXPECT_FALSE(std::regex_search(formulas, found, std::regex("[^A-Za-z0-9.^/_]1\\*"))) << found.str();
      EXPECT_FALSE(std::regex_search(formulas, found, std::regex("\\.[0-9]*(99999999999|00000000000)[0-9]*")))
          << found.str();
    }
}

// What sections weigh as they turn is added up point by point, and cancels where shapes are orthogonal.
TEST(Numbers, ThatCancelAreNothing) {
  const std::string text =
      Equations(build_model(described("lab_link")), with(ParameterStyle::symbols)).text();
  const std::string formulas = std::regex_replace(text, std::regex("#[^\n]*\n"), "");
  std::smatch found;
  EXPECT_FALSE(std::regex_search(formulas, found, std::regex("[0-9.]+e-(1[5-9]|[2-9][0-9])"))) << found.str();
}

TEST(Numbers, StayThoseOfTheModel) {
  // derive compares every quantity with the numeric core: nothing that matters was rounded away
  const Model model = right_angled();
  Equations equations(model, with(ParameterStyle::numbers));
  for (const char quantity : std::string("MhGKDBJar"))
    EXPECT_NO_THROW(equations.quantity(quantity)) << quantity;
}

// ---- shapes that are not scaled to a peak ----

double largest_difference(SymbolicArm& symbolic, const MatrixX<Expression>& found, const MatrixXd& expected) {
  const int nv = symbolic.model.nv();
  const VectorXd q = VectorXd::Constant(nv, 0.02), zero = VectorXd::Zero(nv);
  const auto nodes = symbolic.graph->evaluate(symbolic.values(q, zero, zero, zero));
  double largest = 0.0;
  for (Eigen::Index i = 0; i < expected.size(); ++i)
    largest = std::max(
        largest, std::abs(nodes[static_cast<std::size_t>(found.data()[i].node())] - expected.data()[i]));
  return largest / expected.cwiseAbs().maxCoeff();
}

// The formula with another length, mass and stiffness is that of the model with these, whatever the shapes are scaled by.
TEST(ScaledShapes, KeepTheirSymbols) {
  struct Case {
    ShapeFamily family;
    Normalization normalize;
  };
  for (const auto& [family, normalize] : {Case{ShapeFamily::clamped_free, Normalization::mass},
                                          Case{ShapeFamily::craig_bampton, Normalization::mass},
                                          Case{ShapeFamily::polynomial, Normalization::none},
                                          Case{ShapeFamily::clamped_free, Normalization::peak}})
    for (const KinematicOrder order : {KinematicOrder::first, KinematicOrder::second}) {
      SCOPED_TRACE(std::to_string(static_cast<int>(family)) + " " +
                   std::to_string(static_cast<int>(normalize)));
      const auto arm = [&, shape = family, scaling = normalize](double length, double mass, double EI,
                                                                double EA) {
        ModelBuilder builder("arm");
        builder.kinematics(order);
        builder.link("boom")
            .revolute(Eigen::Vector3d::UnitZ())
            .beam(length, {.EI_y = 2.0 * EI, .EI_z = EI, .EA = EA, .mass_per_length = mass})
            .modes(Direction::y, {.shape = shape, .count = 2, .normalize = scaling})
            .modes(Direction::z, {.shape = shape, .count = 1, .normalize = scaling})
            .modes(Direction::axial, {.shape = shape, .count = 1, .normalize = scaling});
        return builder.build();
      };
      const Model model = arm(1.5, 3.0, 1e3, 1e6), other = arm(2.0, 2.2, 1.7e3, 3e6);
      SymbolicArm symbolic(model, ParameterStyle::symbols);
      const MatrixX<Expression> M = derive_mass_matrix(symbolic), K = derive_stiffness(symbolic);
      for (Parameter& p : symbolic.parameters) {
        if (p.name == "L1") p.value = 2.0;
        if (p.name == "rhoA1") p.value = 2.2;
        if (p.name == "EIz1") p.value = 1.7e3;
        if (p.name == "EIy1") p.value = 3.4e3;
        if (p.name == "EA1") p.value = 3e6;
      }
      MatrixXd expected(other.nv(), other.nv());
      Workspace<double> work(other);
      mass_matrix(other, work, VectorXd(VectorXd::Constant(other.nv(), 0.02)), expected);
      EXPECT_LT(largest_difference(symbolic, M, expected), 1e-12);
      EXPECT_LT(largest_difference(symbolic, K, elastic_stiffness(other)), 1e-12);
    }
}

// Roots come in pairs where two shapes are multiplied, and are none then.
TEST(ScaledShapes, HaveNoRootsInTheirOwnMassAndStiffness) {
  ModelBuilder builder("arm");
  builder.kinematics(KinematicOrder::first)
      .link("boom")
      .revolute(Eigen::Vector3d::UnitZ())
      .beam(1.5, {.EI_z = 1e3, .mass_per_length = 3.0})
      .modes(Direction::y,
             {.shape = ShapeFamily::clamped_free, .count = 2, .normalize = Normalization::mass});
  const std::string text = Equations(builder.build(), with(ParameterStyle::symbols)).text();
  EXPECT_TRUE(contains(text, "\nM[2,2] = 1\n")) << text;
  EXPECT_TRUE(contains(text, "\nK[2,2] = 12.36236337*EIz1/L1^4/rhoA1\n")) << text;
  EXPECT_TRUE(contains(text, "# root_1 = sqrt(L1*rhoA1)")) << text;
  EXPECT_FALSE(contains(text, "root_1^")) << text;
}

// ---- names ----

const char* const odd_names[] = {"double",
                                 "main",
                                 "sin",
                                 "gamma",
                                 "NAN",
                                 "M_PI",
                                 "size_t",
                                 "std",
                                 "nv",
                                 "linux",
                                 "2nd arm",
                                 "",
                                 "__FILE__",

                                 "slash\\",
                                 "*/ // /*",
                                 "\xE8\xB5\xB7",
                                 "\xE2\x80\xAE"
                                 "mirror",
                                 "operator",
                                 "\"quoted\""};

TEST(OddNames, GiveCodeThatCompiles) {
  const TemporaryFolder folder;
  const auto compiles = [&](const std::string& file) {
    return std::system(("cd " + folder.path().string() +
                        " && c++ -std=c++17 -fsyntax-only -Wall -Wextra -Werror " + file)
                           .c_str()) == 0;
  };
  ModelDescription description = described("lin_lewis_two_link");
  std::string all;
  for (const std::string name : odd_names) {
    SCOPED_TRACE(name);
    description.name = name;
    const Model model = build_model(description);
    Equations equations(model, with(ParameterStyle::symbols));
    const std::string header = equations.identifier() + ".hpp";
    std::ofstream(folder.path() / header) << equations.code();
    all += "#include \"" + header + "\"\n";
    const std::string text = equations.text();
    for (const char c : text) EXPECT_TRUE(c == '\n' || static_cast<unsigned char>(c) >= 0x20);
    if (name != "double" && name != "main" && name != "nv") continue;
    std::ofstream(folder.path() / "test.cpp") << equations.code_test();
    EXPECT_TRUE(compiles("test.cpp"));
  }
  std::ofstream(folder.path() / "all.cpp") << all;
  EXPECT_TRUE(compiles("all.cpp"));
}

TEST(OddNames, LeaveGoodOnesAlone) {
  for (const char* name : {"crane", "lin_lewis_rfr", "canadarm", "arm2", "UpperArm"}) {
    ModelDescription description = described("lin_lewis_two_link");
    description.name = name;
    const Model model = build_model(description);
    EXPECT_EQ(Equations(model, {}).identifier(), name);
  }
}

// No name that the C library's headers use, in whatever way, is left as it is.
TEST(OddNames, AvoidAllOfTheHeaders) {
  const TemporaryFolder folder;
  const std::string at = folder.path().string();
  std::ofstream(folder.path() / "names.cpp") << "#include <algorithm>\n#include <cmath>\n#include <cstdio>\n";
  ASSERT_EQ(
      std::system(("cd " + at +
                   " && (c++ -std=c++17 -E -dM names.cpp; c++ -std=c++17 -E names.cpp | grep -v '^#') | "
                   "grep -oE '\\b[A-Za-z][A-Za-z0-9_]*' | sort -u > words")
                      .c_str()),
      0);
  ModelDescription description = described("lin_lewis_two_link");
  std::ifstream words(folder.path() / "words");
  std::string all = "#include <algorithm>\n#include <cmath>\n#include <cstdio>\n";
  int count = 0;
  for (std::string word; words >> word; ++count) {
    description.name = word;
    const Model model = build_model(description);
    all += "namespace " + Equations(model, {}).identifier() + " { constexpr int nq = 1; }\n";
  }
  EXPECT_GT(count, 1000);
  std::ofstream(folder.path() / "all.cpp") << all;
  EXPECT_EQ(std::system(("cd " + at + " && c++ -std=c++17 -fsyntax-only all.cpp").c_str()), 0);
}

// ---- LaTeX ----

// What TeX would stumble over in formulas: brackets without partners, two subscripts or superscripts in a row.
class TexReader {
 public:
  explicit TexReader(const std::string& text) {
    std::string last;  // what a further sub- or superscript would belong to: "", "_", "^" or "_^"
    for (std::size_t i = 0; i < text.size(); ++i) {
      const char c = text[i];
      if (c == '\\') {
        ++i;
        while (i + 1 < text.size() && std::isalpha(static_cast<unsigned char>(text[i])) &&
               std::isalpha(static_cast<unsigned char>(text[i + 1])))
          ++i;
        last.clear();
      } else if (c == '{') {
        outside_.push_back(last);
        last.clear();
      } else if (c == '}') {
        if (outside_.empty()) {
          complain("a } without a {", text, i);
          return;
        }
        last = outside_.back();
        outside_.pop_back();
      } else if (c == '_' || c == '^') {
        if (last.find(c) != std::string::npos) {
          complain("double sub- or superscript", text, i);
          return;
        }
        last += c;
        if (i + 1 < text.size() && text[i + 1] != '{') ++i;
      } else if (c != ' ' || !outside_.empty()) {
        last.clear();
      }
    }
    if (!outside_.empty()) complaint = "a { without a }";
  }
  std::string complaint;

 private:
  void complain(const std::string& what, const std::string& text, std::size_t at) {
    complaint = what + ": " + text.substr(at < 40 ? 0 : at - 40, 80);
  }
  std::vector<std::string> outside_;
};

TEST(TexReader, SeesWhatTexStumblesOver) {
  EXPECT_EQ(TexReader("\\phi_{2,1}^{2} \\frac{a_1}{b}").complaint, "");
  EXPECT_NE(TexReader("phi_{2_1_1}").complaint, "");
  EXPECT_NE(TexReader("{a").complaint, "");
  EXPECT_NE(TexReader("a}").complaint, "");
}

// The formulas of C grow with the third power of the coordinates, and add nothing that the others do not have.
TEST(Latex, IsRightForEveryShippedArmAndStyle) {
  const TemporaryFolder folder;
  const bool has_tex = std::system("command -v pdflatex > /dev/null 2>&1") == 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(LIMBER_MODELS_DIR)) {
    if (entry.path().extension() != ".yaml") continue;
    std::ifstream file(entry.path());
    const std::string content{std::istreambuf_iterator<char>(file), {}};
    if (!std::regex_search(content, std::regex("(^|\n)links:"))) continue;  // a scenario
    SCOPED_TRACE(entry.path().string());
    const Model model = read_model(entry.path().string());
    std::string closing = model.loops().empty() ? "" : ",c[1]";
    if (!model.cylinders().empty()) closing += ",l[1]";
    for (const ParameterStyle style : {ParameterStyle::symbols, ParameterStyle::constants}) {
      EquationsOptions options = with(style);
      options.only = parse_selection((model.nv() <= 4 ? "M,K,D,G,B,C" : "M[1,1],K,D,B") + closing, model);
      options.most_terms = 10000;
      std::string tex;
      try {
        tex = Equations(model, options).latex();
      } catch (const ComputationError&) {  // too long for a formula, and says so
        options.only = parse_selection("K,D,B", model);
        tex = Equations(model, options).latex();
      }
      EXPECT_EQ(TexReader(tex).complaint, "");
      if (!has_tex) continue;
      std::ofstream(folder.path() / "arm.tex") << tex;
      EXPECT_EQ(
          std::system(("cd " + folder.path().string() + " && pdflatex -halt-on-error arm.tex > log").c_str()),
          0);
    }
  }
}

// An entry of 22,000 lines in one environment does not fit into TeX's memory.
TEST(Latex, BreaksLongFormulasIntoSeveralEnvironments) {
  const Model model = read_model(std::string(LIMBER_MODELS_DIR) + "/ella/ella_clamped_free.yaml");
  EquationsOptions options = with(ParameterStyle::symbols);
  options.only = parse_selection("M[1,1]", model);
  std::istringstream tex(Equations(model, options).latex());
  int lines = 0, longest = 0, environments = 0;
  for (std::string line; std::getline(tex, line);) {
    lines = line == "\\begin{align*}" ? 0 : lines + 1;
    if (line == "\\end{align*}") longest = std::max(longest, lines), ++environments;
  }
  EXPECT_LE(longest, 201);
  EXPECT_GT(environments, 1);
}

TEST(Latex, ShowsNamesAsTheyAre) {
  ModelDescription description = described("lin_lewis_two_link");
  description.name = "\\input{/etc/passwd} 50% #1 $x$ a_b c^d ~ {x} \"q\" m^2 \xC3\xA9 \xE8\xB5\xB7";
  const Model model = build_model(description);
  const std::string tex = Equations(model, with(ParameterStyle::symbols)).latex();
  EXPECT_TRUE(contains(
      tex,
      "\\section*{\\textbackslash{}input\\{/etc/passwd\\} 50\\% \\#1 \\$x\\$ a\\_b c\\textasciicircum{}d "
      "\\textasciitilde{} \\{x\\} ''q'' m$^{2}$ \xC3\xA9 U+8D77: equations of motion}"))
      << tex;
  EXPECT_FALSE(contains(tex, "\\input"));
  EXPECT_EQ(TexReader(tex).complaint, "");
}

// ---- arms that cannot move ----

TEST(FixedArm, HasEquationsWithoutEntries) {
  ModelBuilder builder("post");
  builder.link("post").fixed().beam(1.0, {.EI_y = 1e3, .EI_z = 2e3, .mass_per_length = 3.0});
  const Model model = builder.build();
  ASSERT_EQ(model.nv(), 0);
  Equations equations(model, with(ParameterStyle::symbols));
  EXPECT_TRUE(contains(equations.text(), "post: equations of motion"));
  EXPECT_EQ(TexReader(equations.latex()).complaint, "");
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "post.hpp") << equations.code();
  std::ofstream(folder.path() / "test.cpp") << equations.code_test();
  EXPECT_EQ(std::system(("cd " + folder.path().string() +
                         " && c++ -std=c++17 -Wall -Wextra -Werror test.cpp -o test && ./test > out")
                            .c_str()),
            0);
}

// ---- limits and stops ----

TEST(Limits, AreKept) {
  const Model model = flexible_chain(2);
  EquationsOptions options = with(ParameterStyle::symbols);
  options.only = parse_selection("h", model);
  std::size_t needed = 0;
  for (const std::size_t most : {1000u, 4000u, 16000u, 64000u}) {
    options.most_terms = most;
    Equations equations(model, options);
    try {
      equations.text();
      needed = equations.report().terms;
      EXPECT_LE(needed, most);
    } catch (const ComputationError& error) {
      EXPECT_TRUE(contains(error.what(), "--max-terms")) << error.what();
    }
  }
  // a Simplifier that gives up has not held more either
  SymbolicArm symbolic(model, ParameterStyle::symbols);
  const VectorX<Expression> h = derive_bias(symbolic);
  Simplifier simplifier(*symbolic.graph, {.most_terms = 3000});
  EXPECT_THROW(for (int i = 0; i < model.nv(); ++i) simplifier.formula(h[i]), ComputationError);
  EXPECT_GT(simplifier.most_held(), 1000u);
  EXPECT_LE(simplifier.most_held(), 6000u);  // a sum is made before it is counted
}

// Whoever asks gets an answer from wherever the work is: deriving, multiplying out, writing.
TEST(Stop, IsAnsweredFromEveryStage) {
  const Model model = flexible_chain(2);
  EquationsOptions options = with(ParameterStyle::symbols);
  ask_to_stop();
  EXPECT_THROW(Equations(model, options).quantity('M'), Interrupted);
  forget_stop();
  SymbolicArm symbolic(model, ParameterStyle::symbols);
  const VectorX<Expression> h = derive_bias(symbolic);
  Simplifier simplifier(*symbolic.graph, {});
  ask_to_stop();
  EXPECT_THROW(simplifier.formula(h[0]), Interrupted);
  forget_stop();
  // between two terms of one product, after which nothing else is asked
  std::size_t pauses = 0;
  Simplifier stopped(*symbolic.graph, {.pause = [&] {
    if (++pauses == 20) ask_to_stop();
  }});
  EXPECT_THROW(stopped.formula(h[0]), Interrupted);
  EXPECT_EQ(pauses, 20u);
  forget_stop();
}

}  // namespace
}  // namespace limber
