// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>

namespace limber {

/// The built viewer, one HTML file; empty where the library was built without it.
std::string_view page_template();

}  // namespace limber
