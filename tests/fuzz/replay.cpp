// SPDX-License-Identifier: BSD-3-Clause
// What libFuzzer's own main does with -runs=0 and folders: every file in them is an input.

#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <vector>

#include "fuzz/fuzz.hpp"

int main(int count, char** arguments) {
  int inputs = 0;
  for (const std::string& folder : std::vector<std::string>(arguments + 1, arguments + count)) {
    if (folder.starts_with('-')) continue;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      std::ifstream stream(entry.path(), std::ios::binary);
      const std::string text(std::istreambuf_iterator<char>(stream), {});
      std::cout << entry.path().filename().string() << std::endl;  // now, in case that it is the last one
      LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());  // NOLINT
      ++inputs;
    }
  }
  return inputs > 0 ? 0 : 1;
}
