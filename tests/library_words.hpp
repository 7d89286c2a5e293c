// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>

namespace limber::test {

/// The first words in a message that come from the C++ library, or from a library below us, and help no user; empty where
/// there are none.
inline std::string_view library_words(std::string_view message) {
  for (const std::string_view words :
       {"std::", "bad_alloc", "vector::", "map::at", "basic_string", "_M_", "filesystem error", "[json.",
        "stod", "stol", "yaml-cpp", "YAML::", "terminate called", "did not think of"})
    if (message.find(words) != std::string_view::npos) return words;
  return {};
}

}  // namespace limber::test
