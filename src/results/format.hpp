#pragma once

// What says that a file is ours.

namespace limber {

inline constexpr const char* format_name = "limber-result";
inline constexpr int format_version = 2;

}  // namespace limber
