// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <numbers>

namespace limber {

/// rad/s in Hz: angular frequencies times this are frequencies.
inline constexpr double hertz = 1.0 / (2.0 * std::numbers::pi);

}  // namespace limber
