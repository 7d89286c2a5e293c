// SPDX-License-Identifier: BSD-3-Clause
// Work that takes long, and that a user stops: derive, and the compiler of formulation `generated`.

#include <gtest/gtest.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <thread>

#include "apps/run_program.hpp"
#include "temporary_folder.hpp"

namespace {

using namespace limber::test;
namespace fs = std::filesystem;

// The program under `timeout`, which sends a signal after a second.
Outcome run_until(const std::string& signal, const std::string& arguments) {
  const std::string command =
      "timeout --preserve-status -s " + signal + " 1 " + LIMBER_PROGRAM + " " + arguments + " 2>&1";
  Outcome outcome{0, ""};
  FILE* pipe = popen(command.c_str(), "r");
  char buffer[4096];  // NOLINT
  while (const std::size_t count = fread(buffer, 1, sizeof buffer, pipe))
    outcome.output.append(buffer, count);
  outcome.code = WEXITSTATUS(pclose(pipe));
  return outcome;
}

// More terms than any machine can hold in a second, or in a year.
std::string endless_arm(const limber::TemporaryFolder& folder) {
  std::string text = "limber: 1\nname: endless\nlinks:\n";
  for (int i = 0; i < 8; ++i)
    text += "  - name: link" + std::to_string(i) + "\n    joint: {type: revolute, axis: [0, " +
            std::to_string(i % 2) + ", " + std::to_string(1 - i % 2) +
            "]}\n    beam: {length: 1, section: {EI_y: 1e3, EI_z: 2e3, GJ: 1e3, mass_per_length: 3}, "
            "modes: {y: {count: 2}, z: {count: 2}}}\n";
  return folder.write("endless.yaml", text).string();
}

class LongWork : public testing::Test {
 protected:
  void SetUp() override { setenv("LIMBER_CACHE", (folder_.path() / "cache").c_str(), 1); }
  void TearDown() override {
    for (const char* name : {"LIMBER_CACHE", "CXX"}) unsetenv(name);
  }
  // A compiler that does not end, and leaves a note while it lives.
  void use_endless_compiler() {
    const fs::path file =
        folder_.write("compiler", "#!/bin/sh\necho $$ > $(dirname $0)/pid\nexec sleep 1000\n");
    fs::permissions(file, fs::perms::owner_all);
    setenv("CXX", file.c_str(), 1);
  }
  bool compiler_lives() const {
    std::ifstream file(folder_.path() / "pid");
    std::string pid;
    if (!(file >> pid)) return false;
    for (int i = 0; i < 200 && fs::exists("/proc/" + pid); ++i)  // killing takes a moment
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    return fs::exists("/proc/" + pid);
  }

  limber::TemporaryFolder folder_;
};

TEST_F(LongWork, DeriveEndsWithTheSignalsExitCode) {
  const std::string arm = endless_arm(folder_);
  EXPECT_EQ(run_until("INT", "derive --expand --max-terms 1000000000 --only h " + arm).code, 130);
  EXPECT_EQ(run_until("TERM", "derive --expand --max-terms 1000000000 --only h " + arm).code, 143);
  EXPECT_EQ(run_until("HUP", "derive --expand --max-terms 1000000000 --only h " + arm).code, 129);
}

TEST_F(LongWork, DeriveGivesUpAtItsLimit) {
  const Outcome outcome = run("derive --expand --max-terms 20000 --only h " + endless_arm(folder_), true);
  EXPECT_EQ(outcome.code, 1);
  EXPECT_TRUE(contains(outcome.output, "20000 terms")) << outcome.output;
}

TEST_F(LongWork, CompilersEndWithTheProgramAndLeaveNothing) {
  const std::string arm = model("lin_lewis_rfr/lin_lewis_rfr.yaml");
  const fs::path scenario =
      folder_.write("run.yaml", "limber: 1\nmodel: " + arm + "\nduration: 0.1\nformulation: generated\n");
  const fs::path result = folder_.path() / "run.h5";
  use_endless_compiler();
  struct Case {
    std::string command, signal;
    int code;
  };
  for (const auto& [command, signal, code] :
       {Case{"eval --formulation generated " + arm, "INT", 130},
        Case{"simulate " + scenario.string() + " -o " + result.string(), "TERM", 143},
        Case{"compare " + scenario.string(), "INT", 130}, Case{"check " + scenario.string(), "TERM", 143}}) {
    SCOPED_TRACE(command);
    const Outcome outcome = run_until(signal, command);
    EXPECT_EQ(outcome.code, code) << outcome.output;
    EXPECT_FALSE(compiler_lives());
    EXPECT_TRUE(fs::is_empty(folder_.path() / "cache"));
    EXPECT_FALSE(fs::exists(result));
  }
}

TEST_F(LongWork, ReportAndPlotRunNoCompiler) {
  const fs::path scenario =
      folder_.write("run.yaml", "limber: 1\nmodel: " + model("lin_lewis_rfr/lin_lewis_rfr.yaml") +
                                    "\nduration: 0.1\nformulation: generated\n");
  const std::string result = (folder_.path() / "run.h5").string();
  ASSERT_EQ(run("simulate " + scenario.string() + " -o " + result).code, 0);
  setenv("LIMBER_CACHE", (folder_.path() / "another").c_str(), 1);
  use_endless_compiler();
  const Outcome report = run("report " + result + " -o " + (folder_.path() / "run.html").string(), true);
  EXPECT_EQ(report.code, 0) << report.output;
  EXPECT_EQ(run("plot " + result + " --what motion -o " + (folder_.path() / "run.svg").string(), true).code,
            0);
  EXPECT_FALSE(fs::exists(folder_.path() / "another"));
  EXPECT_FALSE(fs::exists(folder_.path() / "pid"));
}

TEST_F(LongWork, ArmsTooLargeForACompilerAreRefusedBeforeAResultIsBegun) {
  std::string text =
      "limber: 1\nduration: 0.001\nintegrator: {method: rk4, step: 1e-6}\nmodel:\n  limber: 1\n  name: "
      "long\n  links:\n";
  for (int i = 0; i < 40; ++i)
    text += "    - {name: link" + std::to_string(i) + ", joint: {type: revolute, axis: [0, " +
            std::to_string(i % 2) + ", " + std::to_string(1 - i % 2) +
            "]}, beam: {length: 1, section: {EI_y: 1e3, EI_z: 2e3, mass_per_length: 3}, modes: {y: {count: "
            "2}, z: {count: 2}}}}\n";
  const fs::path scenario = folder_.write("long.yaml", text);
  const fs::path result = folder_.path() / "long.h5";
  const Outcome outcome =
      run("simulate --formulation generated -o " + result.string() + " " + scenario.string(), true);
  EXPECT_EQ(outcome.code, 2);
  EXPECT_TRUE(contains(outcome.output, "operations, which a compiler would work at for about"))
      << outcome.output;
  EXPECT_TRUE(contains(outcome.output, "`recursive` needs no compiler")) << outcome.output;
  EXPECT_FALSE(fs::exists(result));
}

// ---- arms that cannot move ----

TEST_F(LongWork, ArmsThatCannotMoveAreDerivedAndEvaluated) {
  const std::string post =
      folder_
          .write("post.yaml",
                 "limber: 1\nname: post\nlinks:\n  - {name: post, joint: {type: fixed}, beam: {length: 1, "
                 "section: {EI_y: 1e3, EI_z: 1e3, mass_per_length: 2}}}\n")
          .string();
  for (const std::string command :
       {"derive ", "derive --format latex ", "derive --format cpp ", "derive --json ",
        "eval --formulation generated --json ", "eval --formulation dual-screw --json "}) {
    const Outcome outcome = run(command + post, true);
    EXPECT_EQ(outcome.code, 0) << command << outcome.output;
  }
}

// ---- eval: each model's own ----

TEST_F(LongWork, EvalGivesTheDualScrewModelsOwnPoseAndNoCoriolisMatrix) {
  const std::string crane = model("crane/crane.yaml");
  const fs::path state = folder_.write(
      "state.json", R"({"q": {"joint2": 0.5, "link2.y1": 0.02, "link2.z1": -0.01}, "v": {"joint2": 1}})");
  const auto evaluated = [&](const std::string& options) {
    return nlohmann::json::parse(
        run("eval --json --quiet --state " + state.string() + " " + options + " " + crane).output);
  };
  const auto linear = evaluated("--formulation dual-screw --nonlinear link3"), nonlinear = evaluated("");
  EXPECT_FALSE(linear.contains("coriolis_matrix"));
  EXPECT_TRUE(contains(linear["absent"]["coriolis_matrix"].get<std::string>(), "skew-symmetric"));
  EXPECT_TRUE(linear.contains("coriolis"));
  EXPECT_TRUE(nonlinear.contains("coriolis_matrix"));
  EXPECT_FALSE(nonlinear.contains("absent"));
  EXPECT_NE(linear["end_effector"]["position"], nonlinear["end_effector"]["position"]);
  EXPECT_NE(linear["jacobian"], nonlinear["jacobian"]);
  EXPECT_NE(linear["energy"]["gravity"], nonlinear["energy"]["gravity"]);
}

}  // namespace
