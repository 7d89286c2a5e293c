// SPDX-License-Identifier: BSD-3-Clause
#include <charconv>

#include "limber/model/field_rule.hpp"
#include "yaml_tree.hpp"

namespace limber {
namespace {

/// Takes the first step off a path: `links[2].beam` -> `links`, then `[2]`, then `beam`.
std::string_view next_step(std::string_view& path) {
  if (path.starts_with('.')) path.remove_prefix(1);
  const std::size_t end = path.find_first_of(".[", 1);
  const std::string_view step = path.substr(0, end);
  path.remove_prefix(step.size());
  return step;
}

const YamlNode* item_at(const YamlNode& node, std::string_view step) {
  std::size_t index = 0;
  const auto [end, error] = std::from_chars(step.data() + 1, step.data() + step.size(), index);
  if (error != std::errc() || *end != ']' || index >= node.items.size()) return nullptr;
  return &node.items[index];
}

}  // namespace

const YamlNode* YamlNode::find(std::string_view key) const {
  for (const YamlEntry& entry : entries) {
    if (entry.key == key) return &entry.value;
  }
  return nullptr;
}

std::string path_step(const std::string& key) {
  constexpr std::size_t longest = 40;
  return key.size() <= longest && obeys(TextRule::name, key) ? key : show_text(key);
}

FoundNode find_nearest(const YamlNode& root, const std::string& path) {
  FoundNode found{&root, "", true};
  std::string_view rest = path;
  while (!rest.empty()) {
    const std::string step(next_step(rest));
    const bool is_index = step.starts_with('[');
    std::string spelling = step;
    const YamlNode* next = is_index ? item_at(*found.node, step) : found.node->find(step);
    if (!next && !is_index) {
      spelling = degrees_key(step);
      next = found.node->find(spelling);
    }
    if (!next) return {found.node, found.path, false};
    found = {next, join_path(found.path, spelling), true};
  }
  return found;
}

}  // namespace limber
