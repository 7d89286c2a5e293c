// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What a key of one of our files allows, and the words in which we say so. Readers, checks and documentation
// share these, so that a file and a description built in C++ get the same messages.

#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "limber/core/export.hpp"
#include "limber/core/input_error.hpp"

namespace limber LIMBER_EXPORT {

/// Numbers beyond these are refused: they are slips, and their squares and products would overflow.
inline constexpr double largest_magnitude = 1e30;
inline constexpr double smallest_positive = 1e-30;

struct Range {
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
  bool lower_open = false;  ///< `lower` itself is not allowed
};

inline constexpr Range any_number{};
inline constexpr Range positive{0.0, std::numeric_limits<double>::infinity(), true};
inline constexpr Range non_negative{0.0};

/// What a text must be.
enum class TextRule {
  anything,
  name,      ///< letters, digits, _ and -, beginning with a letter or _
  reference  ///< the name of something else in the file; the rules between fields look it up
};

/// One key of a file.
struct Field {
  const char* key;
  const char* meaning;  ///< one line of documentation
  bool required = false;
  const char* unit = "";  ///< e.g. "kg m^2"; empty where there is none
  Range range = {};       ///< of a number, or of each number in a list
  bool angle = false;     ///< may be given as `<key>_deg` in degrees instead
  TextRule text = TextRule::anything;
  const char* otherwise =
      "";                    ///< the default in words, where the description's initial value does not say it
  bool nullable = false;     ///< `null` is the same as leaving the key out
  const char* example = "";  ///< of a value, for messages: "[0, 0, -9.81]"
  const char* unless = "";   ///< another key of the block: where that is given, this one is not required
  const char* wraps = "";    ///< another key of the block: `key: {wraps: ...}` stands for `wraps: ...`
};

/// Keys of which any one selects an alternative; see description_fields.hpp.
struct Alternative {
  const char* label;  ///< how messages call it, e.g. "`beam`"
  std::vector<const char*> keys;
};

/// `key` as it is written for degrees: `rpy_deg`.
std::string degrees_key(const std::string& key);
/// "rad or m" -> "deg", "rad/s or m/s" -> "deg/s"
std::string degrees_unit(std::string_view unit);

/// Numbers and texts as messages show them: `-6`, `[0, 0, 1]`; text in back quotes, cut when long.
std::string show_number(double value);
std::string show_list(const std::vector<double>& values);
std::string show_text(std::string_view text, std::size_t longest = 60);
/// "`a`, `b` and `c`" (or any other last word).
std::string show_names(const std::vector<std::string>& names, std::string_view last_word = "and");

/// "a number > 0 [m]", "an integer from 1 to 100"
std::string expected_number(const Range& range, std::string_view unit, bool integer = false);
/// "a number >= 0 [kg] or `auto`"
std::string or_auto(const std::string& expected);
/// "a list of 3 numbers >= 0 [kg m]"
std::string expected_list(int size, const Range& range, std::string_view unit);
/// "revolute, prismatic or fixed"
std::string expected_choice(const std::vector<std::string>& names);
std::string expected_text(TextRule rule);

/// Nothing when `value` is allowed; else a hint for the message, often empty.
std::optional<std::string> why_refused(const Range& range, double value);
bool obeys(TextRule rule, std::string_view text);

/// The complaint about a group of keys of which exactly one alternative (`needed`), or at most one, may be
/// present; its path is relative to the block.
std::optional<Problem> alternatives_problem(const std::vector<Alternative>& alternatives, bool needed,
                                            const std::vector<std::string>& present_keys);

/// The name nearest to `word`, where one is near enough to have been meant.
std::optional<std::string> nearest_name(std::string_view word, const std::vector<std::string>& names);
/// "did you mean `length`?", or "known <what>: `a`, `b`, ..." where no name is near.
std::string suggestion(std::string_view word, const std::vector<std::string>& names, std::string_view what);

}  // namespace limber
