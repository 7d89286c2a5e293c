// SPDX-License-Identifier: BSD-3-Clause
// Closed loops as a user of the program meets them: what has equations for them, and what refuses them, by its place in the file.

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

#include "apps/program_fixture.hpp"
#include "apps/run_program.hpp"

namespace {

using namespace limber::test;
using Json = nlohmann::json;

const std::string four_bar = model("four_bar/four_bar.yaml"), loader = model("loader/loader.yaml");

class LoopsOfTheProgram : public ProgramFixture {};

// mass_matrix * acceleration + bias = jacobian^T * multipliers, and jacobian * acceleration + bias = 0
TEST_F(LoopsOfTheProgram, EvalHasThem) {
  for (const char* formulation : {"recursive", "dense", "dae"}) {
    const Json e = ask("eval --json " + four_bar + " --formulation " + formulation + " --state " +
                       state(R"({"q": {"crank": 1.0}, "v": {"crank": 2.0}})"));
    const Json& loops = e["loops"];
    EXPECT_NEAR(e["q"][0].get<double>(), 1.0, 1e-15);
    EXPECT_EQ(loops["redundant"], Json({"pin.z", "pin.turn1", "pin.turn2"}));
    EXPECT_EQ(loops["independent"], Json({"crank"}));
    EXPECT_LT(loops["forces"]["pin"]["gap_m"].get<double>(), 1e-12);
    for (std::size_t i = 0; i < 3; ++i) {
      double left = e["bias"][i].get<double>(), right = 0.0;
      for (std::size_t j = 0; j < 3; ++j)
        left += e["mass_matrix"][i][j].get<double>() * e["acceleration"][j].get<double>();
      for (std::size_t k = 0; k < 5; ++k)
        right += loops["jacobian"][k][i].get<double>() * loops["multipliers"][k].get<double>();
      EXPECT_NEAR(left, right, 1e-9) << formulation;
    }
    for (std::size_t k = 0; k < 5; ++k) {
      double second = loops["bias"][k].get<double>();
      for (std::size_t i = 0; i < 3; ++i)
        second += loops["jacobian"][k][i].get<double>() * e["acceleration"][i].get<double>();
      EXPECT_NEAR(second, 0.0, 1e-10) << formulation;
    }
  }
}

TEST_F(LoopsOfTheProgram, OtherCommandsHaveThem) {
  const Json held =
      ask("statics --json " + loader + " --state " + state(R"({"q": {"lift": 0.3}, "hold": ["lift"]})"));
  EXPECT_GT(held["joint_efforts"]["lift"].get<double>(), 1e4);
  EXPECT_NEAR(held["joint_efforts"]["boom"].get<double>(), 0.0, 1e-6);
  const Json modes = ask("modes --json " + loader);
  EXPECT_EQ(modes["frequencies_hz"].size(), 4U);  // four shapes; two joints follow
  const Json linear = ask("linearize --json " + four_bar);
  EXPECT_EQ(linear["A"].size(), 2U);
  EXPECT_EQ(ask("zeros --json " + four_bar + " --outputs crank")["zeros"].size(), 0U);
  EXPECT_TRUE(ask("info --json " + loader).contains("basis_error"));
  EXPECT_EQ(run("check " + model("loader/lift.yaml")).code, 0);
}

// By hand: d - a cos(q1) - b cos(q1 + q2) + c cos(q3) along x; its derivatives.
TEST_F(LoopsOfTheProgram, DeriveHasTheirEquationsAndTheirJacobian) {
  const Outcome outcome = run("derive " + four_bar + " --only c,A");
  ASSERT_EQ(outcome.code, 0);
  for (const char* line :
       {"= B u + A^T lambda,   c(q) = 0", "c[1] = a3 - L1*cos(q1) - 9/10*cos(q1 + q2) + 7/10*cos(q3)\n",
        "c[2] = -L1*sin(q1) - 9/10*sin(q1 + q2) + 7/10*sin(q3)\n",
        "A[1,1] = L1*sin(q1) + 9/10*sin(q1 + q2)\n", "A[2,3] = 7/10*cos(q3)\n"})
    EXPECT_TRUE(contains(outcome.output, line)) << line << outcome.output;
  const Outcome code = run("derive " + four_bar + " --format c --json");
  ASSERT_EQ(code.code, 0);
  for (const char* function : {"four_bar_loop_gaps(const double *q, double *c)",
                               "four_bar_loop_bias(const double *q, const double *v, double *gamma)",
                               "A a + gamma = 0", "Accelerations of the open tree"})
    EXPECT_TRUE(contains(code.output, function)) << function;
  const Outcome none = run("derive " + model("canadarm/canadarm.yaml") + " --only A", true);
  EXPECT_EQ(none.code, 2);
  EXPECT_TRUE(contains(none.output, "expected an arm with closed loops")) << none.output;
}

TEST_F(LoopsOfTheProgram, ThoseWithoutEquationsForThemSaySo) {
  const std::string out = (folder_.path() / "out").string();
  for (const std::string& command :
       {"derive " + four_bar + " --formulation dual-screw --format c -o " + out,
        "derive " + four_bar + " --only Kt", "export " + four_bar + " -o " + out + ".urdf",
        "count " + four_bar, "eval " + four_bar + " --formulation dual-screw",
        "eval " + four_bar + " --formulation generated", "eval " + four_bar + " --derivatives",
        "eval " + four_bar + " --denoc", "eval " + four_bar + " --pde",
        "eval " + four_bar + " --state " + state(R"({"acceleration": {"crank": 1}})"),
        "modes " + four_bar + " --spin crank=1", "statics " + four_bar + " --critical 10"}) {
    const Outcome outcome = run(command, true);
    EXPECT_EQ(outcome.code, 2) << command;
    EXPECT_TRUE(contains(outcome.output, "four_bar.yaml:21:1: loops: expected an arm without closed loops"))
        << command << outcome.output;
  }
}

TEST_F(LoopsOfTheProgram, PlacesThatCannotMeetHaveTheirPlaceInTheFile) {
  const Outcome outcome = run("eval " + four_bar + " --set 'links.rocker.origin.xyz=[3, 0, 0]'", true);
  EXPECT_EQ(outcome.code, 2);
  EXPECT_TRUE(contains(
      outcome.output, "loops[0]: expected places `a` and `b` of loop `pin` that can meet, found 1.1 m apart"))
      << outcome.output;
}

TEST_F(LoopsOfTheProgram, AMechanismThatIsLockedIsRefused) {
  const std::string stay =
      " --set 'loops=[{name: pin, type: revolute, axis: [0, 0, 1], a: {link: coupler}, b: {link: rocker}}, "
      "{name: stay, type: spherical, a: {link: crank}, b: {link: base, xyz: [0, 0.3, 0]}}]'";
  for (const char* command : {"eval ", "statics ", "check ", "modes ", "linearize "}) {
    const Outcome outcome = run(command + four_bar + stay, true);
    EXPECT_EQ(outcome.code, 2) << command << outcome.output;
    EXPECT_TRUE(
        contains(outcome.output,
                 "loops[1]: expected loops that leave the mechanism a freedom, found loops `pin` and `stay`, "
                 "which lock joints `crank`, `elbow` and `rocker`: nothing there can move"))
        << command << outcome.output;
  }
}

// A run that ends in one keeps its rows; one that passes says so wherever warnings stand, also after it was interrupted.
TEST_F(LoopsOfTheProgram, ASingularConfigurationEndsTheRunOrIsSaid) {
  const std::string turn = model("two_four_bars/turn.yaml"), out = (folder_.path() / "turn.h5").string();
  const std::string said =
      "at t = 0.714356 s the loops come to a singular configuration (loops `pin1` and `pin2`), in which 2 "
      "freedoms appear: "
      "with `first` held, `top1`, `middle`, `top2` and `last` can move in 2 ways";
  const Outcome stopped = run("simulate " + turn + " --set singular=stop -o " + out, true);
  EXPECT_EQ(stopped.code, 1);
  EXPECT_TRUE(contains(stopped.output, said)) << stopped.output;
  EXPECT_TRUE(contains(stopped.output, "holds what was reached, 72 rows")) << stopped.output;
  const Json passed = ask("simulate --json " + turn + " --set duration=1 -o " + out + " --force");
  ASSERT_EQ(passed["warnings"].size(), 1U) << passed["warnings"];
  EXPECT_EQ(passed["warnings"][0], said);
  const Outcome typo = run("check " + turn + " --set singular=past", true);
  EXPECT_EQ(typo.code, 2);
  EXPECT_TRUE(contains(typo.output, "did you mean `pass`?")) << typo.output;
}

}  // namespace
