// SPDX-License-Identifier: BSD-3-Clause
// Every file in tests/io/bad is wrong, and begins with the messages that a user must see:
//   # expect: LINE:COLUMN: path: expected ..., found ... (hint)

#include <gtest/gtest.h>

#include <sstream>

#include "io/files.hpp"
#include "limber/io/model_file.hpp"

namespace limber {
namespace {

constexpr std::string_view prefix = "# expect: ";

std::string expected_messages(const std::filesystem::path& file) {
  std::istringstream stream(test::read_all(file));
  std::string messages;
  for (std::string line; std::getline(stream, line) && line.starts_with(prefix);) {
    messages += line.substr(prefix.size()) + "\n";
  }
  return messages;
}

/// The messages about a file, without its name.
std::string found_messages(const std::filesystem::path& file) {
  const std::string name = file.filename().string() + ":";
  std::string messages;
  try {
    read_model_description(file.filename());
  } catch (const FileError& error) {
    std::istringstream stream(error.what());
    for (std::string line; std::getline(stream, line);) {
      messages += (line.starts_with(name) ? line.substr(name.size()) : line) + "\n";
    }
  }
  return messages;
}

class BadFile : public testing::TestWithParam<std::filesystem::path> {
 protected:
  // Messages name files as they were given, so that they do not depend on where the tests stand.
  static void SetUpTestSuite() { std::filesystem::current_path(test::bad_folder); }
};

TEST_P(BadFile, GetsItsMessages) {
  const std::string expected = expected_messages(GetParam());
  ASSERT_FALSE(expected.empty()) << "the file does not begin with `" << prefix << "`";
  EXPECT_EQ(found_messages(GetParam()), expected);
}

INSTANTIATE_TEST_SUITE_P(Io, BadFile, testing::ValuesIn(test::files_in(test::bad_folder)),
                         [](const auto& instance) { return test::name_of(instance.param); });

TEST(BadFiles, AreMany) { EXPECT_GE(test::files_in(test::bad_folder).size(), 200u); }

}  // namespace
}  // namespace limber
