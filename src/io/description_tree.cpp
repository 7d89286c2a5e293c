// SPDX-License-Identifier: BSD-3-Clause
#include "description_tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <utility>
#include <variant>

#include "limber/model/description_fields.hpp"

namespace limber {
namespace {

using Kind = YamlNode::Kind;

YamlNode scalar(std::string text, bool quoted = false) {
  YamlNode node;
  node.kind = Kind::scalar;
  node.text = std::move(text);
  node.quoted = quoted;
  return node;
}

bool is_same(const YamlNode& a, const YamlNode& b) {
  return a.kind == b.kind && a.text == b.text &&
         std::equal(a.items.begin(), a.items.end(), b.items.begin(), b.items.end(), is_same) &&
         std::equal(a.entries.begin(), a.entries.end(), b.entries.begin(), b.entries.end(),
                    [](const YamlEntry& x, const YamlEntry& y) {
                      return x.key == y.key && is_same(x.value, y.value);
                    });
}

/// Words that YAML takes for something else.
bool is_plain_word(const std::string& text) {
  constexpr std::array taken = {"null", "Null", "NULL", "true", "True", "TRUE", "false", "False", "FALSE",
                                "yes",  "Yes",  "YES",  "no",   "No",   "NO",   "on",    "On",    "ON",
                                "off",  "Off",  "OFF",  "y",    "Y",    "n",    "N",     "~",     "_"};
  return obeys(TextRule::name, text) &&
         std::none_of(taken.begin(), taken.end(), [&](const char* word) { return text == word; });
}

/// Visitor of description_fields.hpp: every key of a block with its value; absent ones are left out.
class TreeWriter {
 public:
  explicit TreeWriter(std::filesystem::path directory) : directory_(std::move(directory)) {
    node.kind = Kind::map;
  }

  YamlNode node;
  std::vector<std::string> required;

  void block(const char*, const char*) {}
  void version(const Field& field) { add(field, scalar("1")); }
  void exactly_one_of(const std::vector<Alternative>&) {}
  void at_most_one_of(const std::vector<Alternative>&) {}

  template <typename T>
  void field(const Field& field, const T& member) {
    if (auto value = value_of(member)) add(field, std::move(*value));
  }

  /// The word that chooses, and the keys of what it chose.
  template <typename Variant>
  void variant(const Field& field, const Variant& member) {
    add(field, scalar(type_name(member)));
    YamlNode keys = std::visit([this](const auto& held) { return this->changed_keys(held); }, member);
    for (YamlEntry& entry : keys.entries) node.entries.push_back(std::move(entry));
  }

  void shape(const Field& field, ShapeFamily family, const std::optional<ModeTable>& table) {
    if (family != ShapeFamily::table) return add(field, scalar(choice_name(family)));
    const std::string source = table ? table->source : "";
    if (source.empty())
      throw InputError(Problem{field.key, "shapes of a file", "a table that was in no file",
                               "model files name tables: write it as CSV and read it"});
    std::filesystem::path name = source;
    if (!directory_.empty()) name = std::filesystem::proximate(source, directory_);
    YamlNode map;
    map.kind = Kind::map;
    map.entries.push_back({"table", {}, scalar(name.string(), true)});
    add(field, std::move(map));
  }

  void place(const Field& field, double at, const std::string& interface) {
    add(field, interface.empty() ? *value_of(at) : *value_of(interface));
  }

  void body(const Field& field, const std::string&, const std::shared_ptr<const ReducedBody>& reduced) {
    const std::string source = reduced ? reduced->source : "";
    if (reduced && source.empty())
      throw InputError(Problem{field.key, "a body of a file", "one that was in no file",
                               "model files name bodies: write it with write_body() and read it"});
    std::filesystem::path name = source;
    if (!directory_.empty() && !source.empty()) name = std::filesystem::proximate(source, directory_);
    add(field, scalar(name.string(), true));
  }

  /// The keys of a block that differ from those of one that nobody has filled in.
  template <typename Description>
  YamlNode changed_keys(const Description& description) const {
    TreeWriter writer(directory_), plain(directory_);
    const Description initial;
    describe(writer, description);
    describe(plain, initial);
    std::erase_if(writer.node.entries, [&](const YamlEntry& entry) {
      const YamlNode* const other = plain.node.find(entry.key);
      return other && is_same(entry.value, *other) && !is_required(writer, entry.key);
    });
    return std::move(writer.node);
  }

 private:
  static bool is_required(const TreeWriter& writer, const std::string& key) {
    return std::find(writer.required.begin(), writer.required.end(), key) != writer.required.end();
  }

  void add(const Field& field, YamlNode value) {
    node.entries.push_back({field.key, {}, std::move(value)});
    if (field.required) required.emplace_back(field.key);
  }

  // Numbers are written as shortly as they can be read again to the last bit.
  std::optional<YamlNode> value_of(double value) const { return scalar(fmt::format("{}", value)); }
  std::optional<YamlNode> value_of(int value) const { return scalar(std::to_string(value)); }
  std::optional<YamlNode> value_of(bool value) const { return scalar(value ? "true" : "false"); }
  std::optional<YamlNode> value_of(const NumberOrAuto& member) const {
    return member.automatic ? scalar("auto") : scalar(fmt::format("{}", member.value));
  }
  std::optional<YamlNode> value_of(const std::string& text) const {
    if (text.empty()) return std::nullopt;
    return scalar(text, !is_plain_word(text));
  }
  template <Named Enum>
  std::optional<YamlNode> value_of(const Enum& value) const {
    return scalar(choice_name(value));
  }
  template <int Size>
  std::optional<YamlNode> value_of(const Eigen::Matrix<double, Size, 1>& list) const {
    return sequence(list);
  }
  template <typename T, std::size_t Size>
  std::optional<YamlNode> value_of(const std::array<T, Size>& list) const {
    return sequence(list);
  }
  template <typename T>
  std::optional<YamlNode> value_of(const std::optional<T>& member) const {
    return member ? value_of(*member) : std::nullopt;
  }
  template <typename T>
  std::optional<YamlNode> value_of(const std::vector<T>& list) const {
    if (list.empty()) return std::nullopt;
    return sequence(list);
  }
  template <typename Description>
  std::optional<YamlNode> value_of(const Description& description) const {
    return changed_keys(description);
  }

  YamlNode sequence(const auto& list) const {
    YamlNode all;
    all.kind = Kind::sequence;
    for (const auto& item : list) all.items.push_back(*value_of(item));
    return all;
  }

  std::filesystem::path directory_;
};

// ---- text ----

constexpr std::size_t longest_line = 120;

std::string in_quotes(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + '"';
}

std::string key_text(const std::string& key) {
  return is_plain_word(key) || key == "y" ? key : in_quotes(key);
}

}  // namespace

std::string flow_text(const YamlNode& node) {
  std::string text;
  switch (node.kind) {
    case Kind::null:
      return "null";
    case Kind::scalar:
      // Texts that look like them are quoted already.
      if (!node.quoted && (node.text == "true" || node.text == "false")) return node.text;
      return node.quoted || (obeys(TextRule::name, node.text) && !is_plain_word(node.text))
                 ? in_quotes(node.text)
                 : node.text;
    case Kind::sequence:
      for (const YamlNode& item : node.items) text += (text.empty() ? "" : ", ") + flow_text(item);
      return "[" + text + "]";
    case Kind::map:
      for (const YamlEntry& entry : node.entries)
        text += (text.empty() ? "" : ", ") + key_text(entry.key) + ": " + flow_text(entry.value);
      return "{" + text + "}";
  }
  return text;
}

namespace {

bool is_list_of_maps(const YamlNode& node) {
  return node.is_sequence() && !node.items.empty() && node.items.front().is_map();
}

/// Whether a value goes on the line of its key.
bool is_short(const YamlNode& node, std::size_t column) {
  if (node.is_scalar() || node.kind == Kind::null || (node.is_sequence() && !is_list_of_maps(node)))
    return true;
  return !is_list_of_maps(node) && column + flow_text(node).size() <= longest_line;
}

std::string block_text(const YamlNode& map, std::size_t indent) {
  std::string text;
  for (const YamlEntry& entry : map.entries) {
    if (!text.empty()) text += std::string(indent, ' ');
    const std::string key = key_text(entry.key) + ":";
    text += key;
    if (is_short(entry.value, indent + key.size() + 1)) {
      text += " " + flow_text(entry.value) + "\n";
    } else if (entry.value.is_map()) {
      text += "\n" + std::string(indent + 2, ' ') + block_text(entry.value, indent + 2);
    } else {
      text += "\n";
      for (const YamlNode& item : entry.value.items)
        text += std::string(indent + 2, ' ') + "- " + block_text(item, indent + 4);
    }
  }
  return text;
}

}  // namespace

YamlNode tree_of(const ModelDescription& model, const std::filesystem::path& directory) {
  return TreeWriter(directory).changed_keys(model);
}

std::string yaml_text(const YamlNode& root) { return block_text(root, 0); }

}  // namespace limber
