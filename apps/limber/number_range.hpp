// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Options that are numbers of one sign. CLI11's own checks of them print the largest double with all its digits.

#include <CLI/CLI.hpp>
#include <cmath>
#include <string>

namespace limber {

/// "expected a number > 0, found `-1`": `is_inside` of a finite number.
template <typename Inside>
CLI::Validator number_that(const char* expected, Inside is_inside) {
  return CLI::Validator(
      [expected, is_inside](std::string& text) {
        double value = 0.0;
        if (CLI::detail::lexical_cast(text, value) && std::isfinite(value) && is_inside(value))
          return std::string();
        return "expected " + std::string(expected) + ", found `" + text + "`";
      },
      "");
}

inline CLI::Validator above_zero() {
  return number_that("a number > 0", [](double value) { return value > 0.0; });
}
inline CLI::Validator not_below_zero() {
  return number_that("a number >= 0", [](double value) { return value >= 0.0; });
}

}  // namespace limber
