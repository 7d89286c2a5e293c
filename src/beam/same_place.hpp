// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace limber {

/// Two places closer than this fraction of the beam's length are one panel end: they differ by rounding, and a panel between them would
/// have no digits.
inline constexpr double same_place = 1e-12;

}  // namespace limber
