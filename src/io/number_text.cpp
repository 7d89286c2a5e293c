// SPDX-License-Identifier: BSD-3-Clause
#include "number_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "limber/model/field_rule.hpp"

namespace limber {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::size_t count_digits(std::string_view text) {
  return static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), is_digit) - text.begin());
}

/// Characters at the front of `text` that make a number: [-+]? (digits [. digits?]? | . digits) ([eE] [-+]?
/// digits)?
std::size_t number_size(std::string_view text) {
  std::size_t at = text.starts_with('-') || text.starts_with('+') ? 1 : 0;
  const std::size_t whole = count_digits(text.substr(at));
  at += whole;
  std::size_t decimals = 0;
  if (at < text.size() && text[at] == '.') {
    decimals = count_digits(text.substr(at + 1));
    if (whole + decimals == 0) return 0;
    at += 1 + decimals;
  }
  if (whole + decimals == 0) return 0;
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    const std::size_t sign = at + 1 < text.size() && (text[at + 1] == '-' || text[at + 1] == '+') ? 1 : 0;
    const std::size_t exponent = count_digits(text.substr(std::min(at + 1 + sign, text.size())));
    if (exponent > 0) at += 1 + sign + exponent;
  }
  return at;
}

std::string_view without_sign(std::string_view text) {
  return text.starts_with('-') || text.starts_with('+') ? text.substr(1) : text;
}

/// "infinity" or "not a number" where the text says so, with or without YAML's dot.
std::optional<std::string> special_value(std::string_view text) {
  std::string word(without_sign(text));
  std::transform(word.begin(), word.end(), word.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; });
  if (word.starts_with('.')) word.erase(0, 1);
  if (word == "inf" || word == "infinity") return "infinity, " + show_text(text);
  if (word == "nan") return "not-a-number, " + show_text(text);
  return std::nullopt;
}

std::string hint_for_text(std::string_view text) {
  const std::string_view digits = without_sign(text);
  if (digits.starts_with("0x") || digits.starts_with("0o") || digits.starts_with("0b"))
    return "write it in decimal";
  const std::size_t size = number_size(text);
  if (size == 0)
    return text.find_first_of("*/+(") != std::string_view::npos ? "formulas are not evaluated" : "";
  switch (text[size]) {
    case ',':
      return "decimals follow a point";
    case '_':
      return "write the digits without `_`";
    case '*':
    case '/':
    case '+':
      return "formulas are not evaluated";
    default:
      return "write the number alone; units are fixed";
  }
}

}  // namespace

NumberText parse_number(std::string_view text) {
  if (const auto special = special_value(text)) return {std::nullopt, *special};
  const std::string_view digits = without_sign(text);
  if (text.empty() || number_size(text) != text.size())
    return {std::nullopt, show_text(text), hint_for_text(text)};
  if (count_digits(digits) > 1 && digits.front() == '0' && count_digits(digits) == digits.size()) {
    return {std::nullopt, show_text(text), "write it without the leading 0, which can mean octal"};
  }
  double value = 0.0;
  const std::from_chars_result result = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (result.ec == std::errc::result_out_of_range) {
    const bool is_small = digits.find("e-") != std::string_view::npos ||
                          digits.find("E-") != std::string_view::npos || digits.front() == '0' ||
                          digits.front() == '.';
    return {std::nullopt, show_text(text),
            is_small ? "too close to 0 for a computer" : "too large for a computer"};
  }
  return {text.front() == '-' ? -value : value};
}

NumberText parse_number(const YamlNode& node) {
  if (!node.is_scalar()) return {std::nullopt, show_node(node)};
  if (node.quoted) {
    const bool is_number = parse_number(node.text).value.has_value();
    return {std::nullopt, "the text " + show_text(node.text), is_number ? "remove the quotes" : ""};
  }
  return parse_number(node.text);
}

std::string show_node(const YamlNode& node) {
  switch (node.kind) {
    case YamlNode::Kind::null:
      return "nothing";
    case YamlNode::Kind::map:
      return "a map";
    case YamlNode::Kind::sequence:
      return fmt::format("a list of {} value{}", node.items.size(), node.items.size() == 1 ? "" : "s");
    case YamlNode::Kind::scalar:
      break;
  }
  return show_text(node.text);
}

}  // namespace limber
