// SPDX-License-Identifier: BSD-3-Clause
// `limber reduce`, as a user meets it.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "apps/run_program.hpp"
#include "bar.hpp"

namespace limber {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using test::run;

class ReduceCommand : public testing::Test {
 protected:
  ReduceCommand() : folder_(fs::temp_directory_path() / ("limber_reduce_" + std::to_string(::getpid()))) {
    fs::create_directories(folder_);
    test::Bar({}).write(path("bar"));
  }
  ~ReduceCommand() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::string words(const std::string& root = "ROOT", const std::string& more = "") const {
    return "reduce --interface mount=MIDDLE " + path("bar.inp") + " --stiffness " + path("bar.sti") +
           " --mass " + path("bar.mas") + " --dofs " + path("bar.dof") + " --root " + root +
           " --tip TIP --modes 6 -o " + path("bar.h5") + " " + more;
  }

  void write(const std::string& name, const std::string& text) const { std::ofstream(path(name)) << text; }

  fs::path folder_;
};

TEST_F(ReduceCommand, WritesABodyAndSaysWhatItIs) {
  const auto done = run(words("ROOT", "--json"), true);
  ASSERT_EQ(done.code, 0) << done.output;
  const json body = json::parse(done.output);
  EXPECT_NEAR(body["mass"].get<double>(), 7850.0 * 0.1 * 0.06, 1e-6);
  EXPECT_NEAR(body["com"][0].get<double>(), 0.5, 1e-9);
  EXPECT_NEAR(body["inertia"][2].get<double>(), 47.1 / 12.0 * (1.0 + 0.01), 1e-6);
  EXPECT_EQ(body["inertia"].size(), 6u);
  ASSERT_EQ(body["origin"].size(), 3u);  // the bar begins at the origin of its mesh
  for (const auto& coordinate : body["origin"]) EXPECT_NEAR(coordinate.get<double>(), 0.0, 1e-12);
  EXPECT_EQ(body["frequencies_hz"].size(), 18u);
  EXPECT_EQ(body["modes"].size(), 18u);
  EXPECT_EQ(body["modes"][0]["name"], "m1");
  EXPECT_EQ(body["interfaces"][0]["name"], "tip");
  EXPECT_EQ(body["interfaces"][1]["name"], "mount");
  EXPECT_NEAR(body["interfaces"][1]["position"][0].get<double>(), 0.5, 1e-9);
  EXPECT_TRUE(fs::exists(path("bar.h5")));
  EXPECT_EQ(run(words(), true).code, 2);  // it is there already
  EXPECT_EQ(run(words("ROOT", "--force")).code, 0);
}

TEST_F(ReduceCommand, SaysWhatIsWrong) {
  const auto missing = run(words("FLANGE"), true);
  EXPECT_EQ(missing.code, 2);
  EXPECT_TRUE(test::contains(missing.output, "expected a set of nodes of")) << missing.output;
  EXPECT_TRUE(test::contains(missing.output, "found `FLANGE` (its sets: ALL, EDGE, MIDDLE, ROOT, TIP)"))
      << missing.output;
  EXPECT_EQ(run(words("ROOT", "--interface plain"), true).code, 2);
  EXPECT_EQ(run(words("ROOT", "--averaging other"), true).code, 2);
  EXPECT_FALSE(fs::exists(path("bar.h5")));
}

TEST_F(ReduceCommand, MakesLinksOfModelFiles) {
  ASSERT_EQ(run(words()).code, 0);
  write("arm.yaml",
        "limber: 1\nlinks:\n  - name: boom\n    joint: {axis: [0, 1, 0]}\n    body: {file: bar.h5, damping: "
        "{ratio: 0.01}}\n"
        "  - name: tool\n    attach: mount\n    joint: {axis: [0, 1, 0]}\n    rigid: {mass: 5, com: [0.1, 0, "
        "0], inertia: [0.1, 0.1, 0.1, 0, 0, 0]}\n"
        "end_effector: {link: boom, at: tip}\n");
  const auto checked = run("check " + path("arm.yaml"), true);
  EXPECT_EQ(checked.code, 0) << checked.output;
  const json info = json::parse(run("info --json " + path("arm.yaml")).output);
  EXPECT_EQ(info["nv"], 20);
  EXPECT_EQ(info["coordinates"][1], "boom.m1");
  EXPECT_EQ(info["links"][0]["frequencies_hz"]["body"].size(), 18u);
  EXPECT_EQ(run("modes " + path("arm.yaml")).code, 0);
  write("state.json", "{\"q\": {\"boom_joint\": 0.2}}");
  const json statics =
      json::parse(run("statics --json --state " + path("state.json") + " " + path("arm.yaml")).output);
  EXPECT_LT(statics["links"][0]["tip_deflection"][2].get<double>(), 0.0);
  EXPECT_EQ(run("linearize --state " + path("state.json") + " " + path("arm.yaml")).code, 0);
  for (const char* name : {"recursive", "dense", "dae", "dual-screw"})
    EXPECT_EQ(
        run("eval --json --state " + path("state.json") + " --formulation " + name + " " + path("arm.yaml"))
            .code,
        0)
        << name;
  const auto refused = run("derive " + path("arm.yaml") + " -o " + path("formulas"), true);
  EXPECT_EQ(refused.code, 2) << refused.output;
}

TEST_F(ReduceCommand, MakesArmsThatSwing) {
  ASSERT_EQ(run(words()).code, 0);
  write("swing.yaml",
        "limber: 1\nmodel:\n  limber: 1\n  links:\n    - name: boom\n      joint: {axis: [0, 1, 0]}\n      "
        "body: {file: bar.h5}\n"
        "initial: {q: {boom_joint: 0.5}}\nduration: 0.2\nintegrator: {rtol: 1e-8, atol: 1e-11}\n");
  const auto done = run("simulate --json " + path("swing.yaml") + " -o " + path("swing.h5"));
  ASSERT_EQ(done.code, 0) << done.output;
  const json summary = json::parse(done.output);
  EXPECT_LT(std::abs(summary["energy"]["error"].get<double>()), 1e-4);
  fs::remove(path("bar.h5"));  // the result holds the body
  const auto plot = run("plot " + path("swing.h5") + " --what motion -o " + path("swing.svg"), true);
  EXPECT_EQ(plot.code, 0) << plot.output;
}

}  // namespace
}  // namespace limber
