// SPDX-License-Identifier: BSD-3-Clause
// Cylinders as a user of the program meets them: what knows them, and what refuses them, by their place in the file.

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "apps/program_fixture.hpp"
#include "apps/run_program.hpp"

namespace {

using namespace limber::test;
using Json = nlohmann::json;

const std::string boom = model("boom_cylinder/boom_cylinder.yaml"), lift = model("boom_cylinder/lift.yaml");

class CylindersOfTheProgram : public ProgramFixture {
 protected:
  std::string out(const std::string& name) const { return (folder_.path() / name).string(); }
};

// mass_matrix * acceleration + bias + damping * v + stiffness * q = jacobian^T * force, where nothing else acts.
TEST_F(CylindersOfTheProgram, EvalHasThem) {
  for (const char* formulation : {"recursive", "dense", "dae"}) {
    const Json e =
        ask("eval --json " + boom + " --formulation " + formulation + " --state " +
            state(R"({"q": {"pivot": 0.1, "boom.z1": 0.01}, "v": {"pivot": 0.2}, "tau": {"lift": 5e3}})"));
    const Json& cylinder = e["cylinders"]["lift"];
    EXPECT_NEAR(cylinder["length"].get<double>(), 1.78, 0.03);
    const double rate = cylinder["rate"].get<double>(), force = cylinder["force"].get<double>();
    EXPECT_NEAR(force, 5e3 - 2e3 * rate, 1e-9);
    const std::vector<double> q{0.1, 0.01, 0, 0, 0}, v{0.2, 0, 0, 0, 0};
    for (std::size_t i = 0; i < 5; ++i) {
      double left = e["bias"][i].get<double>();
      for (std::size_t j = 0; j < 5; ++j)
        left += e["mass_matrix"][i][j].get<double>() * e["acceleration"][j].get<double>() +
                e["damping"][i][j].get<double>() * v[j] + e["stiffness"][i][j].get<double>() * q[j];
      EXPECT_NEAR(left, cylinder["jacobian"][i].get<double>() * force, 1e-6) << formulation;
    }
  }
}

TEST_F(CylindersOfTheProgram, StaticsFindsTheForceThatHolds) {
  const Json held = ask("statics --json " + boom);
  EXPECT_NEAR(held["joint_efforts"]["pivot"].get<double>(), 0.0, 1e-6);
  // Moments about the pivot of the boom as it sags: little less than those of the straight one.
  const double weight = 9.81 * (500.0 * 4.0 + 0.5 * 16.0 * 7850.0 * (0.12 * 0.2 - 0.108 * 0.188));
  const double dx = 1.4 - 0.3, dz = -0.15 + 1.4, l = std::hypot(dx, dz), arm = (1.4 * dz + 0.15 * dx) / l;
  EXPECT_NEAR(held["cylinders"]["lift"]["length"].get<double>(), l, 0.01);
  EXPECT_NEAR(held["cylinders"]["lift"]["force"].get<double>(), weight / arm, 0.01 * weight / arm);
  EXPECT_TRUE(held["stable"].get<bool>());
  const Json by_motor = ask("statics --json " + boom + " --state " + state(R"({"hold": ["pivot"]})"));
  EXPECT_GT(by_motor["joint_efforts"]["pivot"].get<double>(), 1e4);
  EXPECT_EQ(by_motor["cylinders"]["lift"]["force"].get<double>(), 0.0);
}

TEST_F(CylindersOfTheProgram, OtherCommandsHaveThem) {
  EXPECT_EQ(ask("modes --json " + boom)["frequencies_hz"].size(), 4U);  // the pivot follows the length
  const Json linear = ask("linearize --settle --json " + boom + " --outputs lift,lift.rate,end_effector.z");
  EXPECT_EQ(linear["inputs"], Json({"pivot", "lift"}));
  EXPECT_GT(linear["equilibrium"]["cylinders"]["lift"].get<double>(), 1e4);
  EXPECT_LT(linear["equilibrium"]["residual"].get<double>(), 1e-8);
  EXPECT_EQ(run("zeros --settle --json " + boom + " --outputs lift --inputs lift").code, 0);
  EXPECT_EQ(run("info --json " + boom).code, 0);
  EXPECT_EQ(run("check " + lift).code, 0);
}

TEST_F(CylindersOfTheProgram, ResultsTablesAndFiguresHaveThem) {
  ASSERT_EQ(run("simulate " + lift + " -o " + out("lift.h5") + " --csv " + out("lift.csv"), true).code, 0);
  std::ifstream table(out("lift.csv"));
  std::string header;
  while (std::getline(table, header) && header.starts_with("#")) {
  }
  for (const char* column : {"cylinder.length.lift", "cylinder.rate.lift", "cylinder.force.lift"})
    EXPECT_TRUE(contains(header, column)) << header;
  for (const char* figure : {"cylinder-lengths", "cylinder-rates", "cylinder-forces"})
    EXPECT_EQ(
        run("plot " + out("lift.h5") + " --what " + figure + " -o " + out("figure.svg") + " --force", true)
            .code,
        0)
        << figure;
  ASSERT_EQ(run("report " + out("lift.h5") + " -o " + out("lift.html"), true).code, 0);
  std::ifstream file(out("lift.html"));
  const std::string page{std::istreambuf_iterator<char>(file), {}};
  EXPECT_TRUE(contains(page, "\"cylinders\":[{\"name\":\"lift\""));
}

TEST_F(CylindersOfTheProgram, ThoseThatWouldForgetThemSaySo) {
  for (const std::string& command :
       {"derive " + boom + " --formulation dual-screw --format c -o " + out("code"),
        "derive " + boom + " --only Kt", "export " + boom + " -o " + out("boom.urdf"), "count " + boom,
        "eval " + boom + " --formulation dual-screw", "eval " + boom + " --formulation generated",
        "eval " + boom + " --derivatives", "eval " + boom + " --denoc", "eval " + boom + " --pde",
        "modes " + boom + " --spin pivot=1", "statics " + boom + " --critical 10",
        "statics " + boom + " --linear", "statics " + boom + " --reach 3 0 2",
        "jacobian " + boom + " --at boom@1"}) {
    const Outcome outcome = run(command, true);
    EXPECT_EQ(outcome.code, 2) << command;
    EXPECT_TRUE(
        contains(outcome.output, "boom_cylinder.yaml:18:1: cylinders: expected an arm without cylinders"))
        << command << outcome.output;
  }
}

TEST_F(CylindersOfTheProgram, DeriveHasTheirLengthsAndTheirJacobian) {
  const Outcome outcome = run("derive " + boom + " --only l,S");
  ASSERT_EQ(outcome.code, 0) << outcome.output;
  for (const char* part :
       {"= B u + S^T f,", "# l[1] = length of lift", "# l: lengths of cylinders", "\nl[1] = ", "\nS[1,1] = "})
    EXPECT_TRUE(contains(outcome.output, part)) << part << outcome.output;
  const Outcome tex = run("derive " + boom + " --format latex --only l,S -o " + out("tex"), true);
  EXPECT_EQ(tex.code, 0) << tex.output;
  const Outcome none = run("derive " + model("canadarm/canadarm.yaml") + " --only S", true);
  EXPECT_EQ(none.code, 2);
  EXPECT_TRUE(contains(none.output, "expected an arm with cylinders")) << none.output;
}

TEST_F(CylindersOfTheProgram, WithoutLengthHaveTheirPlaceInTheFile) {
  const Outcome outcome = run("eval " + boom + " --set 'cylinders.lift.from.xyz=[1.4, 0, 1.85]'", true);
  EXPECT_EQ(outcome.code, 2);
  EXPECT_TRUE(contains(outcome.output, "cylinders[0]: expected two places that are apart")) << outcome.output;
}

}  // namespace
