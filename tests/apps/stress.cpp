// SPDX-License-Identifier: BSD-3-Clause
// Section forces, stress and fatigue as a user meets them: statics, simulate, plot.

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

#include "apps/run_program.hpp"
#include "temporary_folder.hpp"

namespace {

using namespace limber::test;
using Json = nlohmann::json;

constexpr const char* rod = R"(limber: 1
name: rod
gravity: [0, 0, 0]
links:
  - name: rod
    joint: {type: fixed}
    beam:
      length: 2
      section: {shape: rod, diameter: 0.1, material: {E: 210e9, nu: 0.3, density: 7850}}
      strength: 3e6
)";
constexpr const char* loaded =
    R"({"loads": [{"link": "rod", "force": [500, 0, -100], "moment": [30, 0, 0]}]})";

// A beam without shapes stays straight: textbook moments, 32 M / (pi d^3) and 16 T / (pi d^3).
TEST(StaticsOfSections, AreTheTextbooks) {
  const limber::TemporaryFolder folder;
  folder.write("rod.yaml", rod);
  folder.write("state.json", loaded);
  const std::string arguments =
      (folder.path() / "rod.yaml").string() + " --state " + (folder.path() / "state.json").string();
  const Outcome outcome = run("statics --json --points 5 " + arguments);
  ASSERT_EQ(outcome.code, 0);
  const Json all = Json::parse(outcome.output), &link = all["links"][0];
  const double cubed = std::numbers::pi * 1e-3, A = std::numbers::pi * 0.0025;
  ASSERT_EQ(link["section_forces"].size(), 5U);
  for (int i = 0; i < 5; ++i) {
    const Json &forces = link["section_forces"][i], &stress = link["stress"][i];
    const double x = 0.5 * i, sigma = 500 / A + 100 * (2 - x) * 32 / cubed, tau = 30 * 16 / cubed;
    EXPECT_NEAR(forces[0].get<double>(), x, 1e-12);
    EXPECT_NEAR(forces[1].get<double>(), 500, 1e-9);
    EXPECT_NEAR(forces[3].get<double>(), -100, 1e-9);
    EXPECT_NEAR(forces[4].get<double>(), 30, 1e-9);
    EXPECT_NEAR(forces[5].get<double>(), 100 * (2 - x), 1e-9);
    EXPECT_NEAR(stress[1].get<double>(), std::sqrt(sigma * sigma + 3 * tau * tau), 1e-4);
  }
  EXPECT_NEAR(link["largest_section_forces"]["My"]["value"].get<double>(), 200, 1e-9);
  EXPECT_EQ(link["largest_section_forces"]["My"]["x"], 0.0);
  const double largest = link["largest_stress"]["value"];
  EXPECT_NEAR(link["utilisation"].get<double>(), largest / 3e6, 1e-12);
  EXPECT_EQ(all["largest_utilisation"], link["utilisation"]);
  EXPECT_EQ(all["warnings"].size(), 0U);
  const Outcome weak = run("statics --set links.rod.beam.strength=1e6 " + arguments, true);
  EXPECT_EQ(weak.code, 0);
  EXPECT_TRUE(contains(weak.output, "`rod` is stressed beyond its strength")) << weak.output;
}

TEST(SimulateWithSections, TellsUtilisationAndDamage) {
  const limber::TemporaryFolder folder;
  const std::string result = (folder.path() / "lift.h5").string();
  const Outcome outcome =
      run("simulate --json --set duration=1 " + model("box_boom/lift.yaml") + " -o " + result);
  ASSERT_EQ(outcome.code, 0);
  const Json all = Json::parse(outcome.output), &boom = all["metrics"]["links"]["boom"];
  EXPECT_NEAR(boom["utilisation"].get<double>(),
              all["peaks"]["stress"]["boom"]["value"].get<double>() / 355e6, 1e-12);
  EXPECT_GE(all["metrics"]["largest_utilisation"], boom["utilisation"]);
  EXPECT_GT(boom["damage"], 0.0);
  EXPECT_TRUE(all["metrics"]["links"]["jib"]["damage"].is_null());
  EXPECT_GT(all["peaks"]["section_forces"]["boom"]["My"]["value"], 3e4);  // 33.6 kN m at rest
  for (const char* what : {"section-forces", "section-moments", "section-stress", "stress"})
    EXPECT_EQ(run("plot " + result + " --what " + what + " -o " + result + "." + what + ".svg").code, 0)
        << what;
}

}  // namespace
