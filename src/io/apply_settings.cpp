// SPDX-License-Identifier: BSD-3-Clause
#include "apply_settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "limber/core/input_error.hpp"
#include "limber/model/field_rule.hpp"
#include "number_text.hpp"

namespace limber {
namespace {

constexpr std::string_view model_prefix = "model.";

/// The first step of a path: a key, `[2]`, or a key in back quotes, as messages write keys with dots in them.
struct Step {
  std::string text;
  bool is_index = false;
};

Step take_step(std::string_view& rest) {
  if (rest.starts_with('.')) rest.remove_prefix(1);
  if (rest.starts_with('`')) {
    const std::size_t end = rest.find('`', 1);
    Step step{std::string(rest.substr(1, end == std::string_view::npos ? end : end - 1))};
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    return step;
  }
  if (rest.starts_with('[')) {
    const std::size_t end = std::min(rest.find(']'), rest.size() - 1) + 1;
    Step step{std::string(rest.substr(0, end)), true};
    rest.remove_prefix(end);
    return step;
  }
  const std::size_t end = std::min(rest.find_first_of(".["), rest.size());
  Step step{std::string(rest.substr(0, end))};
  rest.remove_prefix(end);
  return step;
}

YamlEntry* find_entry(YamlNode& map, std::string_view key) {
  const auto found = std::find_if(map.entries.begin(), map.entries.end(),
                                  [&](const YamlEntry& entry) { return entry.key == key; });
  return found == map.entries.end() ? nullptr : &*found;
}

/// What an element of a list is called: `name`, or what it is about (`joint` of an actuation, `link` of a load).
std::string name_of(const YamlNode& element) {
  for (const char* key : {"name", "joint", "link"})
    if (const YamlNode* name = element.find(key); name && name->is_scalar()) return name->text;
  return "";
}

/// Values by the name of a coordinate, which may have dots in it (`boom.y1`).
bool holds_coordinates(const std::string& path) {
  return path == "initial.q" || path == "initial.v" || path == "initial.q_deg" || path == "initial.v_deg";
}

bool is_degrees(std::string_view key) { return key.size() > 4 && key.ends_with("_deg"); }

/// The same in the other unit: `upper_deg` for `upper`.
std::string in_other_unit(const std::string& key) {
  return is_degrees(key) ? key.substr(0, key.size() - 4) : degrees_key(key);
}

/// Follows one path through a tree and changes what stands at its end.
class Walk {
 public:
  Walk(const Setting& setting, const std::string& file, YamlNode& root)
      : setting_(setting), file_(file), rest_(setting.path), node_(&root) {}

  /// The path in the spelling of messages.
  std::string go(YamlNode value) {
    while (!rest_.empty()) {
      if (node_->kind == YamlNode::Kind::null) node_->kind = YamlNode::Kind::map;
      if (node_->is_sequence())
        enter_element();
      else if (node_->is_map())
        enter_key(value);
      else
        refuse("a map or a list there", show_node(*node_), "the path goes on behind a single value");
    }
    value.mark = node_->mark;
    set_marks(value, value.mark);
    *node_ = std::move(value);
    return path_;
  }

 private:
  [[noreturn]] void refuse(std::string expected, std::string found, std::string hint) const {
    Problem problem{path_, std::move(expected), std::move(found), std::move(hint)};
    problem.hint += (problem.hint.empty() ? "" : "; ") + words(setting_);
    throw FileError({{std::move(problem), file_, node_->mark}});
  }

  // Everything inside a value that was set stands where the value does.
  static void set_marks(YamlNode& node, Mark mark) {
    node.mark = mark;
    for (YamlNode& item : node.items) set_marks(item, mark);
    for (YamlEntry& entry : node.entries) {
      entry.key_mark = mark;
      set_marks(entry.value, mark);
    }
  }

  void enter_element() {
    const Step step = take_step(rest_);
    const std::size_t count = node_->items.size();
    std::size_t index = count;
    if (step.is_index) {
      const char *first = step.text.data() + 1, *last = step.text.data() + step.text.size() - 1;
      const auto [end, error] = std::from_chars(first, std::max(first, last), index);
      if (error != std::errc() || end != last || index >= count)
        refuse(
            count == 0 ? "an element of an empty list" : fmt::format("an index from [0] to [{}]", count - 1),
            step.text, "");
    } else {
      index = index_of(step.text);
    }
    path_ += fmt::format("[{}]", index);
    node_ = &node_->items[index];
  }

  std::size_t index_of(const std::string& name) const {
    std::vector<std::string> names;
    std::size_t found = node_->items.size();
    for (std::size_t i = 0; i < node_->items.size(); ++i) {
      names.push_back(name_of(node_->items[i]));
      if (names.back() != name) continue;
      if (found < node_->items.size())
        refuse("a name that one element has", "two of " + show_text(name), "give the element by its index");
      found = i;
    }
    if (found < node_->items.size()) return found;
    std::erase(names, "");
    refuse("an element by its index or by its name", show_text(name),
           names.empty() ? "these elements have no names" : suggestion(name, names, "names"));
  }

  // A key that is not there yet is made; the reader of the file says whether there is such a key. On the way to a value,
  // a key that is nearly the same as one in the file was meant to be that one.
  void enter_key(const YamlNode& value) {
    const bool by_coordinate = holds_coordinates(path_);
    Step step;
    if (by_coordinate && !rest_.starts_with(".`"))
      step.text = std::string(std::exchange(rest_, {}).substr(1));
    else
      step = take_step(rest_);
    if (step.text.empty()) refuse("a key", "none", "");
    if (step.is_index) refuse("a key: there is a map", step.text, known_keys());
    YamlEntry* entry = find_entry(*node_, step.text);
    if (!entry && !rest_.empty()) refuse_misspelt(step.text);
    if (!entry) {
      if (rest_.empty() && !value.is_map())
        std::erase_if(node_->entries,
                      [&](const YamlEntry& other) { return other.key == in_other_unit(step.text); });
      node_->entries.push_back({step.text, node_->mark, {}});
      entry = &node_->entries.back();
      entry->value.mark = node_->mark;
    }
    path_ = join_path(path_, path_step(step.text));
    node_ = &entry->value;
  }

  void refuse_misspelt(const std::string& key) const {
    std::vector<std::string> keys;
    for (const YamlEntry& entry : node_->entries) keys.push_back(entry.key);
    if (nearest_name(key, keys)) refuse("a key of this block", show_text(key), suggestion(key, keys, "keys"));
  }

  std::string known_keys() const {
    std::vector<std::string> keys;
    for (const YamlEntry& entry : node_->entries) keys.push_back(entry.key);
    return keys.empty() ? "" : "keys there: " + show_names(keys);
  }

 public:
  static std::string words(const Setting& setting) {
    constexpr std::size_t longest = 100;
    return "set by --set " + show_text(setting.prefix + setting.path + "=" + setting.value, longest);
  }

 private:
  const Setting& setting_;
  const std::string& file_;
  std::string_view rest_;
  YamlNode* node_;
  std::string path_ = {};
};

YamlNode parse_value(const Setting& setting) {
  YamlTree tree = parse_yaml(setting.value, "--set " + setting.path);
  if (!tree.problems.empty()) throw FileError(std::move(tree.problems));
  return std::move(tree.root);
}

/// With a coordinate set in degrees, the same in radians is gone, and the other way round.
void drop_other_unit(const std::string& path, YamlNode& root) {
  for (const std::string key : {"q", "v", "q_deg", "v_deg"}) {
    const std::string prefix = "initial." + key + ".";
    if (!path.starts_with(prefix)) continue;
    std::string name = path.substr(prefix.size());
    if (name.starts_with('`')) name = name.substr(1, name.size() - 2);
    YamlEntry* const initial = find_entry(root, "initial");
    YamlEntry* const other = find_entry(initial->value, in_other_unit(key));
    if (other) std::erase_if(other->value.entries, [&](const YamlEntry& entry) { return entry.key == name; });
  }
}

}  // namespace

Setting parse_setting(const std::string& text) {
  const std::size_t equals = text.find('=');
  const auto refuse = [&](const char* hint) {
    throw InputError(Problem{"--set", "PATH=VALUE, such as links.boom.beam.length=6", show_text(text), hint});
  };
  if (equals == std::string::npos) refuse("there is no `=`");
  Setting setting{text.substr(0, equals), text.substr(equals + 1), {}};
  if (setting.path.find_first_not_of(" .") == std::string::npos) refuse("there is no path before `=`");
  if (setting.value.find_first_not_of(" \t\r\n") == std::string::npos) refuse("there is no value behind `=`");
  if (text.find('\n') != std::string::npos) refuse("lists and maps on one line: [1, 2], {a: 1}");
  return setting;
}

std::string settings_text(const Settings& settings) {
  std::string text;
  for (const Setting& setting : settings) text += setting.path + "=" + setting.value + "\n";
  return text;
}

Settings parse_settings_text(const std::string& text) {
  Settings settings;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    if (end > at) settings.push_back(parse_setting(text.substr(at, end - at)));
    at = end + 1;
  }
  return settings;
}

std::string shell_word(const std::string& word) {
  const bool is_plain =
      !word.empty() &&
      word.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=+,:@%") ==
          std::string::npos;
  if (is_plain) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return quoted + "'";
}

std::string command_words(const Settings& settings) {
  std::string words;
  for (const Setting& setting : settings) words += " --set " + shell_word(setting.path + "=" + setting.value);
  return words;
}

std::vector<AppliedSetting> apply_settings(const Settings& settings, const std::string& file,
                                           YamlNode& root) {
  std::vector<AppliedSetting> applied;
  for (const Setting& setting : settings) {
    const std::string path = Walk(setting, file, root).go(parse_value(setting));
    drop_other_unit(path, root);
    applied.push_back({setting, path});
  }
  return applied;
}

void mention_settings(const std::vector<AppliedSetting>& applied, std::vector<LocatedProblem>& problems) {
  for (LocatedProblem& one : problems)
    for (const AppliedSetting& set : applied) {
      const std::string& path = one.problem.path;
      const bool is_inside =
          path.starts_with(set.path) &&
          (path.size() == set.path.size() || path[set.path.size()] == '.' || path[set.path.size()] == '[');
      if (!is_inside) continue;
      std::string& hint = one.problem.hint;
      hint += (hint.empty() ? "" : "; ") + Walk::words(set.setting);
      break;
    }
}

Settings take_model_settings(Settings& settings) {
  Settings of_model;
  for (const Setting& setting : settings)
    if (setting.path.starts_with(model_prefix))
      of_model.push_back(
          {setting.path.substr(model_prefix.size()), setting.value, std::string(model_prefix)});
  std::erase_if(settings, [](const Setting& setting) { return setting.path.starts_with(model_prefix); });
  return of_model;
}

}  // namespace limber
