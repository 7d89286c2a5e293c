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

}  // namespace
}  // namespace limber
