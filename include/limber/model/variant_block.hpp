// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A block of a file whose keys depend on its type: a std::variant of descriptions, each with
//
//   static constexpr const char* type = "quintic";      the word that chooses it
//   static constexpr const char* meaning = "...";       one line of documentation
//
// and a describe() of its own that names its keys and nothing else. What may stand in the file, its schema, its documentation and
// the messages about keys of other types follow from that.

#include <cstddef>
#include <limits>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "limber/core/export.hpp"

namespace limber LIMBER_EXPORT {

/// The initial value of a number that must be given: checks refuse it.
inline constexpr double not_given = std::numeric_limits<double>::quiet_NaN();

/// The word of the alternative that it holds.
template <typename... Alternatives>
const char* type_name(const std::variant<Alternatives...>& variant) {
  return std::visit([](const auto& held) { return std::decay_t<decltype(held)>::type; }, variant);
}

/// Calls `visitor` with one default-made object of each alternative.
template <typename... Alternatives, typename Visitor>
void for_each_alternative(const std::variant<Alternatives...>*, Visitor&& visitor) {
  (visitor(Alternatives{}), ...);
}

template <typename... Alternatives>
std::vector<std::string> type_names(const std::variant<Alternatives...>*) {
  return {Alternatives::type...};
}

/// Makes it hold the alternative with this index.
template <typename... Alternatives>
void choose_alternative(std::variant<Alternatives...>& variant, std::size_t index) {
  std::size_t at = 0;
  ((at++ == index ? static_cast<void>(variant = Alternatives{}) : void()), ...);
}

}  // namespace limber
