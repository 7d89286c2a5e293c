// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Files that the tests of the reader share.

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace limber::test {

inline const std::filesystem::path good_folder = std::string(LIMBER_TESTS_DIR) + "/io/good";
inline const std::filesystem::path bad_folder = std::string(LIMBER_TESTS_DIR) + "/io/bad";

inline std::string read_all(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// The files in a folder that end in `extension`, sorted by name.
inline std::vector<std::filesystem::path> files_in(const std::filesystem::path& folder,
                                                   const std::string& extension = ".yaml") {
  std::vector<std::filesystem::path> files;
  if (!std::filesystem::is_directory(folder)) return files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == extension) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// All valid model files: those of the tests and, if they are models and not scenarios, those in models/.
inline std::vector<std::filesystem::path> valid_models() {
  std::vector<std::filesystem::path> files = files_in(good_folder);
  std::vector<std::filesystem::path> arms;
  if (std::filesystem::is_directory(LIMBER_MODELS_DIR)) {
    for (const auto& entry : std::filesystem::directory_iterator(LIMBER_MODELS_DIR))
      arms.push_back(entry.path());
  }
  std::sort(arms.begin(), arms.end());
  for (const auto& arm : arms) {
    for (const auto& file : files_in(arm)) {
      if (("\n" + read_all(file)).find("\nlinks:") != std::string::npos) files.push_back(file);
    }
  }
  return files;
}

inline std::string name_of(const std::filesystem::path& file) {
  std::string name = file.stem().string();
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

}  // namespace limber::test
