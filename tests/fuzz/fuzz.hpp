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
#include "limber/io/printable.hpp"

namespace limber::fuzz {

inline std::string text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};  // NOLINT
}

/// Whether a message can have words because it quotes its input: libFuzzer sees what we compare with, and tries it. The input has them as they stand,
/// as they are shown (the byte 0x1b before "asic_string" reads `\x1basic_string`), or spelled with escapes.
inline bool can_quote(const std::string& input, std::string_view words) {
  return input.find(words) != std::string::npos || printable(input).find(words) != std::string::npos ||
         input.find('\\') != std::string::npos;
}

/// Ends the program where an InputError has words of the C++ library.
template <typename Action>
void done_or_refused(const std::string& input, Action&& action) {
  try {
    action();
  } catch (const InputError& error) {
    const std::string_view words = test::library_words(error.what());
    if (words.empty() || can_quote(input, words)) return;
    std::fprintf(stderr, "the message is\n%s\n", error.what());
    std::abort();
  }
}

}  // namespace limber::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
