// SPDX-License-Identifier: BSD-3-Clause
#include "limber/model/field_rule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace limber {
namespace {

std::string unit_suffix(std::string_view unit) { return unit.empty() ? "" : fmt::format(" [{}]", unit); }

/// " > 0", " from 0 to 1", " > -1 and <= 0.5", or nothing
std::string range_words(const Range& range) {
  const bool has_lower = std::isfinite(range.lower), has_upper = std::isfinite(range.upper);
  if (has_lower && has_upper && !range.lower_open)
    return fmt::format(" from {} to {}", range.lower, range.upper);
  std::string words;
  if (has_lower) words += fmt::format(" {} {}", range.lower_open ? ">" : ">=", range.lower);
  if (has_lower && has_upper) words += " and";
  if (has_upper) words += fmt::format(" <= {}", range.upper);
  return words;
}

bool is_ascii_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_utf8_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }

bool is_name(std::string_view text) {
  if (text.empty() || is_digit(text.front()) || text.front() == '-') return false;
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return is_ascii_letter(c) || is_digit(c) || c == '_' || c == '-'; });
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

/// Insertions, deletions, replacements and swaps of neighbours that turn `a` into `b`.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last(b.size() + 1), last(b.size() + 1), current(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    current[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      current[j] = std::min({last[j] + 1, current[j - 1] + 1, replaced});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) current[j] = std::min(current[j], before_last[j - 2] + 1);
    }
    std::swap(before_last, last);
    std::swap(last, current);
  }
  return last[b.size()];
}

}  // namespace

std::string degrees_key(const std::string& key) { return key + "_deg"; }

std::string degrees_unit(std::string_view unit) {
  std::string degrees(unit.substr(0, unit.find(" or ")));
  const std::size_t at = degrees.find("rad");
  if (at != std::string::npos) degrees.replace(at, 3, "deg");
  return degrees;
}

std::string show_number(double value) { return fmt::format("{}", value); }

std::string show_list(const std::vector<double>& values) {
  std::string text;
  for (const double value : values) text += (text.empty() ? "" : ", ") + show_number(value);
  return "[" + text + "]";
}

std::string show_text(std::string_view text, std::size_t longest) {
  if (text.empty()) return "an empty text";
  std::size_t end = std::min(text.size(), longest);
  while (end < text.size() && end > 0 && is_utf8_continuation(text[end])) --end;
  std::string shown;
  for (const char c : text.substr(0, end)) {
    shown += is_control(c) ? fmt::format("\\x{:02x}", static_cast<unsigned char>(c)) : std::string(1, c);
  }
  return "`" + shown + (end < text.size() ? "..." : "") + "`";
}

std::string show_names(const std::vector<std::string>& names, std::string_view last_word) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 == names.size() ? fmt::format(" {} ", last_word) : ", ";
    text += show_text(names[i]);
  }
  return text;
}

std::string expected_number(const Range& range, std::string_view unit, bool integer) {
  return (integer ? "an integer" : "a number") + range_words(range) + unit_suffix(unit);
}

std::string or_auto(const std::string& expected) { return expected + " or `auto`"; }

std::string expected_list(int size, const Range& range, std::string_view unit) {
  return fmt::format("a list of {} numbers", size) + range_words(range) + unit_suffix(unit);
}

std::string expected_choice(const std::vector<std::string>& names) { return show_names(names, "or"); }

std::string expected_text(TextRule rule) {
  switch (rule) {
    case TextRule::name:
      return "a name of letters, digits, _ and -, beginning with a letter or _";
    case TextRule::reference:
      return "a name";
    case TextRule::anything:
      break;
  }
  return "a text on one line";
}

std::optional<std::string> why_refused(const Range& range, double value) {
  if (!std::isfinite(value)) return "";
  if (std::abs(value) > largest_magnitude) return fmt::format("beyond {}: check the unit", largest_magnitude);
  const bool too_low = range.lower_open ? value <= range.lower : value < range.lower;
  if (too_low || value > range.upper) return "";
  const bool must_be_positive = range.lower_open && range.lower == 0.0;
  if (must_be_positive && value < smallest_positive)
    return fmt::format("below {}: check the unit", smallest_positive);
  return std::nullopt;
}

bool obeys(TextRule rule, std::string_view text) {
  if (rule == TextRule::name) return is_name(text);
  if (std::any_of(text.begin(), text.end(), is_control)) return false;
  return rule == TextRule::anything || !text.empty();
}

std::optional<Problem> alternatives_problem(const std::vector<Alternative>& alternatives, bool needed,
                                            const std::vector<std::string>& present_keys) {
  std::string labels;
  std::vector<std::string> chosen;  // the first key that is present in each alternative
  for (const Alternative& alternative : alternatives) {
    const bool is_last = &alternative == &alternatives.back();
    labels += (labels.empty() ? "" : is_last ? " and " : ", ") + std::string(alternative.label);
    const auto key = std::find_first_of(alternative.keys.begin(), alternative.keys.end(),
                                        present_keys.begin(), present_keys.end());
    if (key != alternative.keys.end()) chosen.emplace_back(*key);
  }
  if (chosen.size() == 1 || (chosen.empty() && !needed)) return std::nullopt;
  const std::string expected = (needed ? "exactly one of " : "at most one of ") + labels;
  if (chosen.empty()) return Problem{"", expected, "none", ""};
  return Problem{chosen.back(), expected, show_names(chosen), "remove one of them"};
}

std::optional<std::string> nearest_name(std::string_view word, const std::vector<std::string>& names) {
  constexpr std::size_t longest = 64;
  if (word.size() > longest) return std::nullopt;
  const std::string meant = lower_case(word);
  std::size_t nearest = std::min<std::size_t>((meant.size() + 1) / 3, 3) + 1;  // this far is too far
  std::optional<std::string> best;
  for (const std::string& name : names) {
    if (name.size() > longest) continue;
    const std::size_t distance = edit_distance(meant, lower_case(name));
    if (distance < nearest) {
      nearest = distance;
      best = name;
    }
  }
  return best;
}

std::string suggestion(std::string_view word, const std::vector<std::string>& names, std::string_view what) {
  if (const auto name = nearest_name(word, names)) return "did you mean `" + *name + "`?";
  constexpr std::size_t most = 30;
  const std::vector<std::string> shown(names.begin(), names.begin() + std::min(names.size(), most));
  return fmt::format("known {}: {}{}", what, show_names(shown), names.size() > most ? ", ..." : "");
}

}  // namespace limber
