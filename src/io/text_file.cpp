// SPDX-License-Identifier: BSD-3-Clause
#include "text_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <system_error>

#include "limber/io/printable.hpp"

namespace limber {
namespace {

/// Bytes of the UTF-8 character at the front of `text`; 0 where there is none (RFC 3629, table 3-7 of
/// Unicode).
std::size_t character_size(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  const auto continues = [&](std::size_t i) { return i < text.size() && continues_character(text[i]); };
  const unsigned lead = byte(0);
  if (lead < 0x80) return 1;
  if (lead < 0xC2 || lead > 0xF4 || !continues(1)) return 0;
  if (lead < 0xE0) return 2;
  const bool overlong = (lead == 0xE0 && byte(1) < 0xA0) || (lead == 0xF0 && byte(1) < 0x90);
  const bool no_character = (lead == 0xED && byte(1) > 0x9F) || (lead == 0xF4 && byte(1) > 0x8F);
  if (overlong || no_character || !continues(2)) return 0;
  if (lead < 0xF0) return 3;
  return continues(3) ? 4 : 0;
}

bool is_control(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (byte < 0x20 && c != '\t' && c != '\n' && c != '\r') || byte == 0x7F;
}

}  // namespace

FileContent read_text_file(const std::filesystem::path& path) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) return {"", "no such file"};
  if (std::filesystem::is_directory(status)) return {"", "a directory"};
  if (!std::filesystem::is_regular_file(status)) return {"", "a device or pipe"};
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (error) return {"", "a file that cannot be read"};
  if (size > largest_text_file) return {"", fmt::format("{} bytes", size)};

  std::ifstream stream(path, std::ios::binary);
  FileContent content;
  content.text.resize(size);
  stream.read(content.text.data(), static_cast<std::streamsize>(size));
  if (!stream) return {"", "a file that cannot be read"};
  return content;
}

std::optional<ForeignByte> find_foreign_byte(std::string_view text) {
  Mark mark{1, 1};
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t size = character_size(text.substr(i));
    if (size == 0 || is_control(text[i])) {
      return ForeignByte{mark, fmt::format("the byte 0x{:02x}", static_cast<unsigned char>(text[i]))};
    }
    mark = text[i] == '\n' ? Mark{mark.line + 1, 1} : Mark{mark.line, mark.column + 1};
    i += size;
  }
  return std::nullopt;
}

std::string printable(std::string_view text) {
  std::string shown;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t size = character_size(text.substr(i));
    const auto byte = static_cast<unsigned char>(text[i]);
    // U+0080 to U+009F are control characters, too.
    const bool is_late_control = size == 2 && byte == 0xC2 && static_cast<unsigned char>(text[i + 1]) < 0xA0;
    if (size == 0 || is_control(text[i]) || text[i] == '\r' || is_late_control) {
      for (std::size_t j = 0; j < std::max<std::size_t>(size, 1); ++j)
        shown += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[i + j]));
    } else {
      shown += text.substr(i, size);
    }
    i += std::max<std::size_t>(size, 1);
  }
  return shown;
}

}  // namespace limber
