// SPDX-License-Identifier: BSD-3-Clause
#include "limber/io/path_target.hpp"

#include "apply_settings.hpp"
#include "number_text.hpp"
#include "yaml_tree.hpp"

namespace limber {

PathTarget path_target(const std::string& text, const std::string& file_name, const std::string& path,
                       const Settings& before) {
  YamlTree tree = parse_yaml(text, file_name);
  apply_settings(before, file_name, tree.root);
  YamlNode changed = tree.root;
  const std::string placed = apply_settings({{path, "0", {}}}, file_name, changed).front().path;
  const FoundNode found = find_nearest(tree.root, placed);
  if (!found.is_complete || !found.node->is_scalar()) return {placed, {}};
  return {placed, parse_number(*found.node).value};
}

}  // namespace limber
