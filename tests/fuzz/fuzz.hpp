#pragma once

// What every fuzzer does: whatever the bytes, the work is done or refused with an InputError in our own words. Anything
// else ends the program, which is a finding.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "library_words.hpp"
#include "limber/core/input_error.hpp"

namespace limber::fuzz {

template <typename Action>
void done_or_refused(Action&& action) {
  try {
    action();
  } catch (const InputError& error) {
    if (!test::library_words(error.what()).empty()) std::abort();
  }
}

inline std::string text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};  // NOLINT
}

}  // namespace limber::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
