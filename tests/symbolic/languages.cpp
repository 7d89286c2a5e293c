// SPDX-License-Identifier: BSD-3-Clause
// Code in every language is run, and gives the numbers of the numeric core at ten states.

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "limber/core/input_error.hpp"
#include "limber/io/model_file.hpp"
#include "limber/symbolic/documents.hpp"
#include "reference/random_arm.hpp"
#include "temporary_folder.hpp"

namespace limber {
namespace {

Model arm(const std::string& name) {
  return build_model(
      read_model_description(std::string(LIMBER_MODELS_DIR) + "/" + name + "/" + name + ".yaml"));
}

// The arm's files in a folder of their own.
class Written {
 public:
  Written(const Model& model, ParameterStyle style) : model_(model), style_(style) {}

  std::string write(const std::string& format, CodeReal real = CodeReal::double_precision) {
    EquationsOptions options;
    options.parameters = style_;
    Equations equations(model_, options);
    const std::vector<Document> documents = write_documents(equations, format, real);
    for (const Document& document : documents) std::ofstream(folder_.path() / document.name) << document.text;
    return (folder_.path() / documents.front().name).string();
  }
  // Commands run there.
  int run(const std::string& command) const {
    return std::system(("cd " + folder_.path().string() + " && " + command).c_str());
  }

 private:
  Model model_;
  ParameterStyle style_;
  TemporaryFolder folder_;
};

// A beam that slides through a guide on a shoulder: its stiffness and damping change with the length that is out.
Model telescoping_boom() {
  return build_model(parse_model_description(R"(limber: 1
name: telescoping_boom
gravity: [0, -9.81, 0]
links:
  - name: mast
    joint: {name: lift, axis: [0, 0, 1]}
    rigid: {mass: 3, com: [0.1, 0, 0], tip: {xyz: [0.3, 0, 0]}}
  - name: boom
    joint: {name: slide, type: prismatic, telescoping: true, axis: [1, 0, 0]}
    root: {xyz: [-0.7, 0, 0]}
    beam: {length: 2, section: {EI_y: 40, EI_z: 30, mass_per_length: 1.7}, modes: {y: {count: 2}}, damping: {ratio: 0.01}}
    tip: {mass: 0.6}
)",
                                             "telescoping_boom.yaml", {}));
}

// An arm in the plane with all its names, one in space, one that cannot move, one whose beam telescopes, trees with every joint.
struct Case {
  std::string name;
  Model model;
  ParameterStyle style;
};
std::vector<Case> cases() {
  std::vector<Case> all = {{"lin_lewis_rfr", arm("lin_lewis_rfr"), ParameterStyle::symbols},
                           {"canadarm", arm("canadarm"), ParameterStyle::numbers},
                           {"lin_lewis_turret", arm("lin_lewis_turret"), ParameterStyle::constants},
                           {"telescoping_boom", telescoping_boom(), ParameterStyle::symbols}};
  // closed loops and cylinders, in the plane and in space
  for (const char* name : {"four_bar", "bricard", "boom_cylinder", "loader"})
    all.push_back({name, arm(name), ParameterStyle::numbers});
  for (const unsigned seed : {3u, 8u})
    all.push_back({"tree",
                   build_model(reference::random_arm(
                       seed, 2, seed % 2 == 0 ? KinematicOrder::first : KinematicOrder::second)),
                   ParameterStyle::symbols});
  return all;
}

TEST(C, GivesTheNumbersOfTheNumericCore) {
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.name);
    for (const CodeReal real : {CodeReal::double_precision, CodeReal::single_precision}) {
      Written files(c.model, c.style);
      const std::string header = files.write("c", real);
      const std::string stem = header.substr(0, header.size() - 2);
      ASSERT_EQ(files.run("cc -std=c99 -pedantic -O0 -Wall -Wextra -Wdouble-promotion -Werror " + stem +
                          "_test.c -o " + stem + " -lm"),
                0);
      EXPECT_EQ(files.run(stem), 0);
    }
  }
}

TEST(Python, GivesTheNumbersOfTheNumericCoreForOneStateAndForMany) {
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.name);
    Written files(c.model, c.style);
    const std::string module = files.write("python");
    EXPECT_EQ(files.run(LIMBER_PYTHON " " + module.substr(0, module.size() - 3) + "_test.py"), 0);
  }
}

TEST(Sympy, GivesTheNumbersOfTheNumericCore) {
  if (std::system(LIMBER_PYTHON " -c 'import sympy'") != 0) GTEST_SKIP() << "no sympy here";
  for (const char* name : {"lin_lewis_rfr", "lin_lewis_turret"}) {
    SCOPED_TRACE(name);
    Written files(arm(name), ParameterStyle::symbols);
    const std::string module = files.write("sympy");
    EXPECT_EQ(files.run(LIMBER_PYTHON " " + module.substr(0, module.size() - 3) + "_test.py"), 0);
  }
}

// Octave itself, where it is installed.
TEST(Octave, GivesTheNumbersOfTheNumericCore) {
  if (std::system("command -v octave-cli > /dev/null 2>&1") != 0) GTEST_SKIP() << "no octave here";
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.name);
    Written files(c.model, c.style);
    const std::string file = files.write("octave");
    EXPECT_EQ(files.run("octave-cli --quiet --no-init-file " + file.substr(0, file.size() - 2) + "_test.m"),
              0);
  }
}

// By a reader of ours, which knows straight-line code of these languages and evaluates graphs.
class ReadByOurs : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Languages, ReadByOurs, testing::Values("octave", "julia", "json"));

TEST_P(ReadByOurs, GivesTheNumbersOfTheNumericCore) {
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.name);
    Written files(c.model, c.style);
    const std::string module = files.write("python");
    EXPECT_EQ(files.run(LIMBER_PYTHON " " + std::string(LIMBER_TESTS_DIR) + "/symbolic/read_code.py " +
                        files.write(GetParam()) + " " + module.substr(0, module.size() - 3) + "_test.py"),
              0);
  }
}

// Formulas with parts are formulas: each line is computed from those before it.
TEST(Parts, GiveTheNumbersOfTheNumericCore) {
  std::vector<Case> all = cases();
  std::erase_if(all, [](const Case& c) { return c.model.has_quaternions(); });
  all.push_back({"canadarm_spatial",
                 build_model(read_model_description(std::string(LIMBER_MODELS_DIR) +
                                                    "/canadarm/canadarm_spatial.yaml")),
                 ParameterStyle::symbols});
  for (const Case& c : all) {
    SCOPED_TRACE(c.name);
    Written files(c.model, c.style);
    const std::string module = files.write("python");
    EquationsOptions options;
    options.parameters = c.style;
    options.digits = 17;
    options.only = parse_selection(std::string("M,h,J") + (c.model.loops().empty() ? "" : ",c,A,gamma") +
                                       (c.model.cylinders().empty() ? "" : ",l,S"),
                                   c.model);
    options.form = FormulaForm::parts;
    Equations equations(c.model, options);
    const std::string text = module.substr(0, module.size() - 3) + ".txt";
    std::ofstream(text) << equations.text();
    EXPECT_GT(equations.report().parts, 0u);
    EXPECT_EQ(files.run(LIMBER_PYTHON " " + std::string(LIMBER_TESTS_DIR) + "/symbolic/read_code.py " + text +
                        " " + module.substr(0, module.size() - 3) + "_test.py"),
              0);
  }
}

// Where multiplying out is short it is done, else parts are named. Spatial arms need no higher limit.
TEST(Parts, AreNamedWhereFormulasAreLong) {
  EquationsOptions options;
  options.form = FormulaForm::shorter;
  Equations small(arm("lin_lewis_rfr"), options);
  EXPECT_NE(small.text().find("M[4,4] = L3^2*mp3 + I3zz + c3^2*m3\n"), std::string::npos);
  EXPECT_EQ(small.report().parts, 0u);
  for (const char* name : {"crane", "ella"}) {
    const Model model = arm(name);
    options.only = parse_selection("M", model);
    Equations large(model, options);
    EXPECT_NE(large.text().find("\nt1 = "), std::string::npos);
    EXPECT_NE(large.latex().find("$t_{1} = "), std::string::npos);
    // what is printed is hardly more than what is computed, where 1e7 operations were written out
    EXPECT_LT(static_cast<double>(large.report().simplified),
              1.3 * static_cast<double>(large.report().shared))
        << name;
  }
}

TEST(Documents, OfAFormThatIsNoneAreRefused) {
  Equations equations(arm("lin_lewis_rfr"), {});
  EXPECT_THROW(write_documents(equations, "fortran"), InputError);
  EXPECT_EQ(document_formats().front().name, "text");
  for (const DocumentFormat& format : document_formats())
    EXPECT_FALSE(write_documents(equations, format.name).front().text.empty()) << format.name;
}

// Whatever a link is called: comments end where they should.
TEST(Documents, StandNamesOfEveryKind) {
  ModelDescription description =
      read_model_description(std::string(LIMBER_MODELS_DIR) + "/lin_lewis_rfr/lin_lewis_rfr.yaml");
  description.name = "a \"\"\" b\\";
  const Model model = build_model(description);
  Written files(model, ParameterStyle::symbols);
  const std::string header = files.write("c"), module = files.write("python");
  const std::string stem = header.substr(0, header.size() - 2);
  EXPECT_EQ(files.run("cc -std=c99 -Wall -Wextra -Werror " + stem + "_test.c -o " + stem + " -lm && " + stem),
            0);
  EXPECT_EQ(files.run(LIMBER_PYTHON " " + stem + "_test.py"), 0);
  for (const char* format : {"octave", "julia", "json"})
    EXPECT_EQ(files.run(LIMBER_PYTHON " " + std::string(LIMBER_TESTS_DIR) + "/symbolic/read_code.py " +
                        files.write(format) + " " + stem + "_test.py"),
              0);
}

}  // namespace
}  // namespace limber
