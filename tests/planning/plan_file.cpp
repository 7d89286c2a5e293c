// SPDX-License-Identifier: BSD-3-Clause
// Every file in tests/planning/bad is a plan that cannot be, and begins with the messages that a user must see, as those in tests/io/bad do.

#include <gtest/gtest.h>

#include <sstream>

#include "io/files.hpp"
#include "limber/io/plan_file.hpp"
#include "limber/planning/plan.hpp"

namespace limber {
namespace {

const std::filesystem::path folder = std::filesystem::path(LIMBER_TESTS_DIR) / "planning/bad";
constexpr std::string_view prefix = "# expect: ";

std::string expected_messages(const std::filesystem::path& file) {
  std::istringstream stream(test::read_all(file));
  std::string messages;
  for (std::string line; std::getline(stream, line) && line.starts_with(prefix);)
    messages += line.substr(prefix.size()) + "\n";
  return messages;
}

/// The messages about a file, without its name.
std::string found_messages(const std::filesystem::path& file) {
  const std::string name = file.filename().string() + ":";
  std::string messages;
  try {
    plan(open_plan(file.filename()));
  } catch (const FileError& error) {
    std::istringstream stream(error.what());
    for (std::string line; std::getline(stream, line);)
      messages += (line.starts_with(name) ? line.substr(name.size()) : line) + "\n";
  }
  return messages;
}

class BadPlan : public testing::TestWithParam<std::filesystem::path> {
 protected:
  static void SetUpTestSuite() { std::filesystem::current_path(folder); }
};

TEST_P(BadPlan, GetsItsMessages) {
  const std::string expected = expected_messages(GetParam());
  ASSERT_FALSE(expected.empty()) << "the file does not begin with `" << prefix << "`";
  EXPECT_EQ(found_messages(GetParam()), expected);
}

INSTANTIATE_TEST_SUITE_P(Planning, BadPlan, testing::ValuesIn(test::files_in(folder)),
                         [](const auto& instance) { return test::name_of(instance.param); });

TEST(PlanFile, IsToldFromOthers) {
  EXPECT_TRUE(is_plan(folder / "332_infeasible.yaml"));
  EXPECT_FALSE(is_plan(folder / "arms/boom.yaml"));
  EXPECT_FALSE(is_plan(folder / "none.yaml"));
  EXPECT_THROW(parse_plan("limber: 1\nmodel: a.yaml\nduration: 1\n", "plan.yaml"), FileError);
}

TEST(PlanFile, SaysWhatItIsFor) {
  std::filesystem::current_path(folder);
  const OpenedPlan opened =
      open_plan("332_infeasible.yaml", {{"links.boom.joint.limits.effort", "4000", {}}});
  EXPECT_EQ(opened.problem.model.coordinates()[0], "shoulder");
  EXPECT_DOUBLE_EQ(opened.problem.to[0], 0.8);
  EXPECT_DOUBLE_EQ(opened.problem.model.links()[0].joint.limits.effort.value(), 4000.0);
}

}  // namespace
}  // namespace limber
