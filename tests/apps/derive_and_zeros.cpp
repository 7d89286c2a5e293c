// SPDX-License-Identifier: BSD-3-Clause
// limber derive and limber zeros as a user meets them.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "apps/run_program.hpp"
#include "temporary_folder.hpp"

namespace {

using namespace limber::test;

const std::string one_link = model("lin_lewis_one_link/lin_lewis_one_link_pinned_pinned.yaml");
const std::string rfr = model("lin_lewis_rfr/lin_lewis_rfr.yaml");

TEST(Zeros, HaveTheKeysOfTheContractAndAVerdict) {
  const auto zeros = nlohmann::json::parse(run("zeros --json --outputs joint " + one_link, true).output);
  ASSERT_EQ(zeros["zeros"].size(), 4u);
  EXPECT_NEAR(std::abs(zeros["zeros"][0][0].get<double>()), 56.42398464, 1e-7);
  EXPECT_EQ(zeros["phase"], "non-minimum");
  EXPECT_EQ(zeros["zero_dynamics"]["matrix"].size(), 4u);
  EXPECT_TRUE(contains(run("zeros " + one_link, true).output, "non-minimum phase"));
}

TEST(Zeros, CompareFamiliesInOneTable) {
  const Outcome outcome = run("zeros --compare clamped-free,pinned-pinned " + one_link, true);
  EXPECT_EQ(outcome.code, 0);
  EXPECT_TRUE(contains(outcome.output, "+-1.09144j +-76.9535j  marginal")) << outcome.output;
  EXPECT_TRUE(contains(outcome.output, "+-56.424 +-163.961     non-minimum")) << outcome.output;
  const Outcome wrong = run("zeros --compare clamped-fre " + one_link, true);
  EXPECT_EQ(wrong.code, 2);
  EXPECT_TRUE(contains(wrong.output, "did you mean `clamped-free`?")) << wrong.output;
}

TEST(Derive, PrintsFormulasAndCountsOperations) {
  const Outcome outcome = run("derive --only 'M[4,4],K' " + rfr, true);
  EXPECT_EQ(outcome.code, 0);
  EXPECT_TRUE(contains(outcome.output, "M[4,4] = L3^2*mp3 + I3zz + c3^2*m3\n")) << outcome.output;
  EXPECT_TRUE(contains(outcome.output, "K[3,3] = 0.906883185*EIz2/L2^3\n")) << outcome.output;
  const auto json = nlohmann::json::parse(run("derive --json --quiet " + rfr, true).output);
  EXPECT_LT(json["operations"]["simplified"].get<double>(), json["operations"]["written_out"].get<double>());
}

TEST(Derive, WritesFilesAndKeepsThoseThatAreThere) {
  const limber::TemporaryFolder folder;
  const std::string command = "derive --format cpp -o " + folder.path().string() + " " + rfr;
  EXPECT_EQ(run(command, true).code, 0);
  EXPECT_TRUE(std::filesystem::exists(folder.path() / "lin_lewis_rfr.hpp"));
  EXPECT_TRUE(std::filesystem::exists(folder.path() / "lin_lewis_rfr_test.cpp"));
  EXPECT_EQ(run(command, true).code, 2);
  EXPECT_EQ(run(command + " --force", true).code, 0);
}

TEST(Derive, RefusesWhatItCannotDo) {
  EXPECT_EQ(run("derive --format pdf " + rfr, true).code, 2);
  EXPECT_EQ(run("derive --only 'M[9,9]' " + rfr, true).code, 2);
  const Outcome long_one =
      run("derive --expand --max-terms 1000 --only h " + model("canadarm/canadarm.yaml"), true);
  EXPECT_EQ(long_one.code, 1);
  EXPECT_TRUE(contains(long_one.output, "--format cpp")) << long_one.output;
}

}  // namespace
