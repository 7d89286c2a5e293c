// SPDX-License-Identifier: BSD-3-Clause
#include "model_names.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <sstream>

namespace limber {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// The language's own words, macros, types and templates of <cmath> and <cstdio>, and the words of the test that goes with the code.
constexpr const char* taken_words =
    "alignas alignof and and_eq asm auto bitand bitor bool break case catch char class compl concept const "
    "const_cast "
    "consteval constexpr constinit continue co_await co_return co_yield decltype default delete do double "
    "dynamic_cast "
    "else enum explicit export extern false float for friend goto if inline int long mutable namespace new "
    "noexcept not "
    "not_eq nullptr operator or or_eq private protected public register reinterpret_cast requires return "
    "short signed "
    "sizeof static static_assert static_cast struct switch template this thread_local throw true try typedef "
    "typeid "
    "typename union unsigned using virtual void volatile while xor xor_eq "
    "alloca assert errno i386 isfinite isinf isnan isnormal iscanonical iseqsig issignaling iszero linux "
    "math_errhandling "
    "signbit unix at_quick_exit atexit drand48_data fd_mask fd_set obstack random_data timespec timeval "
    "u_char u_int u_long u_short uint ulong ushort va_list std main "
    "nq nv Case cases difference force_difference some";

bool is_word(const std::string& name) {
  std::istringstream words(taken_words);
  for (std::string word; words >> word;)
    if (word == name) return true;
  return false;
}

// Capitals may be a macro (NAN, M_PI), and what ends in _t a type.
bool may_be_macro_or_type(const std::string& name) {
  const bool no_small_letter =
      std::none_of(name.begin(), name.end(), [](char c) { return c >= 'a' && c <= 'z'; });
  const bool has_prefix = name.size() > 1 && name[1] == '_' && name[0] >= 'A' && name[0] <= 'Z';
  const bool is_type = name.size() > 2 && name.compare(name.size() - 2, 2, "_t") == 0;
  return no_small_letter || has_prefix || is_type;
}

// Functions and variables of the C library: this program runs with it, and so knows them all.
bool is_in_the_c_library(const std::string& name) { return dlsym(RTLD_DEFAULT, name.c_str()) != nullptr; }

// The next character of UTF-8, and where it ends. What is no UTF-8 counts byte by byte.
std::uint32_t next_character(const std::string& text, std::size_t& at) {
  const auto byte = [&](std::size_t i) {
    return static_cast<std::uint32_t>(static_cast<unsigned char>(text[i]));
  };
  const std::uint32_t first = byte(at++);
  const int more = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : first >= 0xC0 ? 1 : 0;
  if (more == 0 || at + static_cast<std::size_t>(more) > text.size()) return first;
  std::uint32_t code = first & (0x3FU >> more);
  for (int i = 0; i < more; ++i) {
    if ((byte(at) & 0xC0U) != 0x80U) return first;
    code = (code << 6U) | (byte(at++) & 0x3FU);
  }
  return code;
}

bool is_control(std::uint32_t c) { return c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0x2028 || c == 0x2029; }
bool turns_direction(std::uint32_t c) {
  return c == 0x061C || c == 0x200E || c == 0x200F || (c >= 0x202A && c <= 0x202E) ||
         (c >= 0x2066 && c <= 0x2069);
}

// In every font of TeX.
bool is_western_letter(std::uint32_t c) {
  return c >= 0xC0 && c <= 0xFF && c != 0xD0 && c != 0xD7 && c != 0xDE && c != 0xF0 && c != 0xF7 && c != 0xFE;
}

const char* latex_sign(char c) {
  switch (c) {
    case '\\':
      return "\\textbackslash{}";
    case '~':
      return "\\textasciitilde{}";
    case '^':
      return "\\textasciicircum{}";
    case '<':
      return "$<$";
    case '>':
      return "$>$";
    case '|':
      return "$|$";
    case '"':
      return "''";
    default:
      return nullptr;
  }
}

}  // namespace

std::string identifier_of(const std::string& name) {
  std::string result;
  for (const char c : name) result += is_letter(c) || is_digit(c) ? c : '_';
  const bool starts_well = !result.empty() && is_letter(result.front());
  if (starts_well && !is_word(result) && !may_be_macro_or_type(result) && !is_in_the_c_library(result))
    return result;
  return "arm_" + result;
}

std::string comment_text(const std::string& text) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    const std::uint32_t c = next_character(text, at);
    result += is_control(c) || turns_direction(c) ? std::string(" ") : text.substr(begin, at - begin);
  }
  // a backslash at its end would make the next line part of the comment
  if (!result.empty() && result.back() == '\\') result += '.';
  return result;
}

std::string latex_text(const std::string& text) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    const std::uint32_t c = next_character(text, at);
    const char sign = text[begin];
    if (c == '^' && at < text.size() && is_digit(text[at])) {
      result += fmt::format("$^{{{}}}$", text[at++]);
    } else if (is_control(c)) {
      result += ' ';
    } else if (c >= 0x80) {
      const bool is_one = at - begin > 1;  // and no stray byte
      result += is_one && is_western_letter(c) ? text.substr(begin, at - begin) : fmt::format("U+{:04X}", c);
    } else if (const char* spelled = latex_sign(sign)) {
      result += spelled;
    } else {
      if (std::string("_%&#${}").find(sign) != std::string::npos) result += '\\';
      result += sign;
    }
  }
  return result;
}

}  // namespace limber
