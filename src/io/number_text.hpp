// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "yaml_tree.hpp"

namespace limber {

/// A text as a number: decimal, as in YAML 1.2 (`6`, `-1.5e3`, `.5`). Where it is none: what it is, for a
/// message.
struct NumberText {
  std::optional<double> value;
  std::string found = {};
  std::string hint = {};
};

NumberText parse_number(std::string_view text);
/// The same for a value in YAML, where text in quotes, lists and maps are no numbers.
NumberText parse_number(const YamlNode& node);

/// What stands at a node, for messages: "a map", "a list of 2 values", "`steel`", "nothing".
std::string show_node(const YamlNode& node);

}  // namespace limber
