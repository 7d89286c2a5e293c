// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

#include "limber/core/export.hpp"

namespace limber LIMBER_EXPORT {

/// A text that may come from anywhere as a terminal can take it: what is no UTF-8, and control characters but for the
/// ends of lines and tabs, as `\x1b`.
std::string printable(std::string_view text);

}  // namespace limber
