// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What every fuzzer does: whatever the bytes, the work is done or refused with an InputError in our own words. Anything
// else ends the program, which is a finding.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "library_words.hpp"
#include "limber/core/input_error.hpp"

namespace limber::fuzz {

inline std::string text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};  // NOLINT
}

/// Messages may quote such words where the input has them: libFuzzer sees what we compare with, and tries it.
template <typename Action>
void done_or_refused(const std::string& input, Action&& action) {
  try {
    action();
  } catch (const InputError& error) {
    const std::string_view words = test::library_words(error.what());
    if (words.empty() || input.find(words) != std::string::npos) return;
    std::fprintf(stderr, "the message is\n%s\n", error.what());
    std::abort();
  }
}

}  // namespace limber::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
