// SPDX-License-Identifier: BSD-3-Clause
#include "packed_numbers.hpp"

#include <bit>
#include <cstring>
#include <string_view>

namespace limber {
namespace {

static_assert(std::endian::native == std::endian::little, "browsers read little-endian numbers");

std::string base64(std::string_view bytes) {
  static constexpr std::string_view digits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const auto byte = [&](std::size_t k) {
      return k < bytes.size() ? static_cast<unsigned>(static_cast<unsigned char>(bytes[k])) : 0u;
    };
    // Three bytes are four digits of six bits.
    const unsigned group = byte(i) << 16 | byte(i + 1) << 8 | byte(i + 2);
    text += digits[group >> 18];
    text += digits[group >> 12 & 63];
    text += i + 1 < bytes.size() ? digits[group >> 6 & 63] : '=';
    text += i + 2 < bytes.size() ? digits[group & 63] : '=';
  }
  return text;
}

template <typename Number>
std::string packed(const double* values, std::size_t count) {
  std::string bytes(count * sizeof(Number), '\0');
  for (std::size_t i = 0; i < count; ++i) {
    const auto value = static_cast<Number>(values[i]);
    std::memcpy(bytes.data() + i * sizeof(Number), &value, sizeof(Number));
  }
  return base64(bytes);
}

}  // namespace

std::string packed_floats(const double* values, std::size_t count) { return packed<float>(values, count); }
std::string packed_doubles(const double* values, std::size_t count) { return packed<double>(values, count); }

}  // namespace limber
