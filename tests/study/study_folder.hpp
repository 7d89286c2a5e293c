// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A folder of its own for each test of studies.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "limber/io/file_error.hpp"
#include "limber/study/study.hpp"
#include "temporary_folder.hpp"

namespace limber::test {

class StudyFolder : public testing::Test {
 protected:
  Study study(const std::string& text) const { return open_study(folder_.write("study.yaml", text)); }
  std::filesystem::path path(const std::string& name) const { return folder_.path() / name; }
  std::string bytes(const std::string& name) const {
    std::ifstream stream(path(name), std::ios::binary);
    std::ostringstream text;
    text << stream.rdbuf();
    return text.str();
  }
  /// What is said of a study that is refused, from its name on.
  std::string refused(const std::string& text) const {
    try {
      study(text);
    } catch (const FileError& error) {
      const std::string message = error.what();
      return message.substr(message.find("study.yaml"));
    }
    return "nothing was thrown";
  }
  static std::string with(std::string text, const std::string& before, const std::string& after) {
    return text.replace(text.find(before), before.size(), after);
  }

  TemporaryFolder folder_;
};

}  // namespace limber::test
