// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string>

namespace limber {

/// Numbers as base64 of little-endian floats or doubles: a third of their text.
std::string packed_floats(const double* values, std::size_t count);
std::string packed_doubles(const double* values, std::size_t count);

}  // namespace limber
