// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "limber/io/file_error.hpp"

namespace limber {

inline constexpr std::size_t largest_text_file = std::size_t{16} << 20;

/// The content of a file, or why there is none: "no such file", "a directory", ...
struct FileContent {
  std::string text;
  std::string failure;  ///< empty when the file was read
};
FileContent read_text_file(const std::filesystem::path& path);

/// The first thing in `text` that is not plain UTF-8 text (binary data, another encoding, control
/// characters).
struct ForeignByte {
  Mark mark;
  std::string words;  ///< e.g. "the byte 0x00"
};
std::optional<ForeignByte> find_foreign_byte(std::string_view text);

/// A byte that continues a character of UTF-8: it takes no column of its own.
inline bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

}  // namespace limber
