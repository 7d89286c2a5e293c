// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Tests that ask the program for JSON, about states that they write.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "apps/run_program.hpp"
#include "temporary_folder.hpp"

namespace limber::test {

class ProgramFixture : public testing::Test {
 protected:
  /// What a command that must succeed prints.
  nlohmann::json ask(const std::string& command) {
    const Outcome outcome = run(command);
    EXPECT_EQ(outcome.code, 0) << command;
    return nlohmann::json::parse(outcome.output);
  }
  /// A state file with that text.
  std::string state(const std::string& text) { return folder_.write("state.json", text).string(); }
  TemporaryFolder folder_;
};

}  // namespace limber::test
