// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <numbers>

#include "limber/model/field_rule.hpp"

namespace limber {

/// What a key in degrees allows whose own range is in radians.
inline Range degrees_range(const Range& range) {
  constexpr double degrees = 180.0 / std::numbers::pi;
  return {range.lower * degrees, range.upper * degrees, range.lower_open};
}

}  // namespace limber
