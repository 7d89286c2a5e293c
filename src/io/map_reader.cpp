// SPDX-License-Identifier: BSD-3-Clause
#include "map_reader.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "degrees.hpp"
#include "mode_table.hpp"
#include "number_text.hpp"

namespace limber {
namespace {

constexpr int format_version = 1;

void add_problem(ReadContext& context, const Slot& slot, std::string expected, std::string found,
                 std::string hint = "") {
  context.problems.add(slot.node.mark, {slot.path, std::move(expected), std::move(found), std::move(hint)});
}

/// A hint for a value that is absent, as in a line `modes:` without anything below it.
std::string hint_for_nothing(const Slot& slot) {
  if (slot.node.kind != YamlNode::Kind::null) return "";
  return slot.field.required ? "give a value" : "give a value, or remove the key";
}

/// The number as the text has it, where it is one.
std::optional<double> read_plain_number(ReadContext& context, const Slot& slot, const std::string& expected) {
  NumberText number = parse_number(slot.node);
  if (number.value) return number.value;
  if (number.hint.empty()) number.hint = hint_for_nothing(slot);
  add_problem(context, slot, expected, number.found, number.hint);
  return std::nullopt;
}

/// The number in SI units, where it is one and allowed.
std::optional<double> read_allowed_number(ReadContext& context, const Slot& slot,
                                          const std::string& expected) {
  const auto number = read_plain_number(context, slot, expected);
  if (!number) return std::nullopt;
  const double value = slot.in_degrees ? *number * (std::numbers::pi / 180.0) : *number;
  const auto hint = why_refused(slot.field.range, value);
  if (!hint) return value;
  add_problem(context, slot, expected, show_number(*number), *hint);
  return std::nullopt;
}

bool is_plain_text(const YamlNode& node, std::string_view text) {
  return node.is_scalar() && !node.quoted && node.text == text;
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

Slot Slot::item(std::size_t index) const {
  return {field, node.items[index], path + "[" + std::to_string(index) + "]", in_degrees};
}

Range Slot::range() const { return in_degrees ? degrees_range(field.range) : field.range; }

std::string Slot::unit() const { return in_degrees ? degrees_unit(field.unit) : field.unit; }

void read_value(ReadContext& context, const Slot& slot, double& target) {
  const std::string expected = expected_number(slot.range(), slot.unit());
  if (const auto number = read_allowed_number(context, slot, expected)) target = *number;
}

void read_value(ReadContext& context, const Slot& slot, int& target) {
  const std::string expected = expected_number(slot.range(), slot.unit(), true);
  const auto number = read_allowed_number(context, slot, expected);
  if (!number) return;
  if (std::floor(*number) != *number) {
    add_problem(context, slot, expected, show_number(*number));
  } else {
    target = static_cast<int>(*number);
  }
}

void read_value(ReadContext& context, const Slot& slot, bool& target) {
  if (is_plain_text(slot.node, "true") || is_plain_text(slot.node, "false"))
    target = slot.node.text == "true";
  else
    add_problem(context, slot, "true or false", show_node(slot.node), hint_for_nothing(slot));
}

void read_value(ReadContext& context, const Slot& slot, std::vector<std::string>& target) {
  if (!slot.node.is_sequence()) {
    read_value(context, slot, target.emplace_back());
    return;
  }
  for (std::size_t i = 0; i < slot.node.items.size(); ++i)
    read_value(context, slot.item(i), target.emplace_back());
}

void read_value(ReadContext& context, const Slot& slot, NumberOrAuto& target) {
  target.automatic = is_plain_text(slot.node, "auto");
  if (target.automatic) return;
  const std::string expected = or_auto(expected_number(slot.range(), slot.unit()));
  if (const auto number = read_allowed_number(context, slot, expected)) target.value = *number;
}

void read_value(ReadContext& context, const Slot& slot, std::string& target) {
  if (!slot.node.is_scalar() || !obeys(slot.field.text, slot.node.text)) {
    add_problem(context, slot, expected_text(slot.field.text), show_node(slot.node), hint_for_nothing(slot));
  } else {
    target = slot.node.text;
  }
}

std::optional<std::size_t> read_choice(ReadContext& context, const Slot& slot,
                                       const std::vector<std::string>& names) {
  const auto name = std::find(names.begin(), names.end(), slot.node.text);
  if (slot.node.is_scalar() && name != names.end()) return static_cast<std::size_t>(name - names.begin());
  std::string hint = hint_for_nothing(slot);
  if (slot.node.is_scalar() && nearest_name(slot.node.text, names))
    hint = suggestion(slot.node.text, names, "");
  add_problem(context, slot, expected_choice(names), show_node(slot.node), hint);
  return std::nullopt;
}

void read_shape(ReadContext& context, const Slot& slot, ShapeFamily& family,
                std::optional<ModeTable>& table) {
  const YamlNode* const file = slot.node.find("table");
  if (slot.node.is_map() && file && slot.node.entries.size() == 1) {
    const Slot file_slot{slot.field, *file, slot.path + ".table"};
    if (file->is_scalar() && obeys(TextRule::reference, file->text)) {
      table = read_mode_table(context, file_slot, file->text);
    } else {
      add_problem(context, file_slot, "the name of a CSV file", show_node(*file));
    }
    family = ShapeFamily::table;
  } else if (slot.node.is_scalar() && slot.node.text != choice_name(ShapeFamily::table)) {
    std::vector<std::string> names = choice_names<ShapeFamily>();
    std::erase(names, choice_name(ShapeFamily::table));
    if (const auto index = read_choice(context, slot, names))
      family = *choice_named<ShapeFamily>(names[*index]);
  } else {
    add_problem(context, slot, "the name of a shape family or {table: file}", show_node(slot.node));
  }
}

void read_place(ReadContext& context, const Slot& slot, double& at, std::string& interface) {
  if (slot.node.is_scalar() && obeys(TextRule::name, slot.node.text) && !parse_number(slot.node.text).value)
    interface = slot.node.text;
  else
    read_value(context, slot, at);
}

// A single value where a vector should be: an axis by its letter, or an example of what was meant.
static std::string hint_for_single_value(const Slot& slot) {
  if (!slot.node.is_scalar()) return hint_for_nothing(slot);
  const std::string key = slot.path.substr(slot.path.rfind('.') + 1);
  const bool is_minus = slot.node.text.starts_with('-'),
             is_signed = is_minus || slot.node.text.starts_with('+');
  const std::string letter = slot.node.text.substr(is_signed ? 1 : 0);
  for (int i = 0; i < 3; ++i) {
    if (letter != std::string(1, "xyz"[i]) && letter != std::string(1, "XYZ"[i])) continue;
    std::vector<double> axis(3, 0.0);
    axis[static_cast<std::size_t>(i)] = is_minus ? -1.0 : 1.0;
    return "write " + key + ": " + show_list(axis);
  }
  return *slot.field.example == '\0' ? "" : "it has a direction, as in " + key + ": " + slot.field.example;
}

bool is_list(ReadContext& context, const Slot& slot, std::size_t size, const std::string& expected) {
  if (slot.node.is_sequence() && (size == 0 || slot.node.items.size() == size)) return true;
  add_problem(context, slot, expected, show_node(slot.node), hint_for_single_value(slot));
  return false;
}

void refuse_no_map(ReadContext& context, const YamlNode& node, const std::string& path,
                   const std::vector<std::string>& keys) {
  context.problems.add(
      node.mark, {path, "a map of keys and values", show_node(node), "known keys: " + show_names(keys)});
}

MapReader::MapReader(ReadContext& context, const YamlNode& map, std::string path)
    : context_(context), map_(map), path_(std::move(path)) {}

void MapReader::version(const Field& field) {
  Field key = field;
  key.required = context_.needs_version;
  const std::string version = std::to_string(format_version);
  const auto slot = find(key, "add the line `limber: " + version + "`");
  if (!slot) return;
  const std::string expected = version + ", the version of the format that this program reads";
  const auto number = read_plain_number(context_, *slot, expected);
  if (!number || *number == format_version) return;
  // What else looks wrong may be right in that other version.
  throw FileError(
      {{{slot->path, expected, show_number(*number), ""}, context_.problems.file(), slot->node.mark}});
}

std::optional<Slot> MapReader::find(const Field& field, const std::string& hint_if_missing) {
  const YamlNode* const plain = map_.find(field.key);
  known_keys_.emplace_back(field.key);
  const YamlNode* degrees = nullptr;
  if (field.angle) {
    known_keys_.push_back(degrees_key(field.key));
    degrees = map_.find(known_keys_.back());
  }
  if (plain && degrees) {
    const std::string other = degrees_key(field.key);
    context_.problems.add(degrees->mark, {join_path(path_, other), "the angle once",
                                          show_names({field.key, other}), "remove one of them"});
  }
  if (!plain && !degrees) {
    if (field.required && !(*field.unless && map_.find(field.unless))) miss(field, hint_if_missing);
    return std::nullopt;
  }
  present_keys_.emplace_back(field.key);
  const std::string key = plain ? field.key : degrees_key(field.key);
  return Slot{field, plain ? *plain : *degrees, join_path(path_, key), !plain};
}

void MapReader::miss(const Field& field, const std::string& hint) {
  std::erase(present_keys_, field.key);
  missing_.push_back(
      {field.key, hint.empty() && !type_.empty() ? chooser_ + " " + type_ + " needs it" : hint});
}

void MapReader::test(const Group& group) {
  auto problem = alternatives_problem(group.alternatives, group.needed, present_keys_);
  if (!problem) return;
  const YamlNode* const last = map_.find(problem->path);
  problem->path = join_path(path_, problem->path);
  context_.problems.add(last ? last->mark : map_.mark, std::move(*problem));
}

void MapReader::finish() {
  report_unknown_keys();
  if (map_.is_incomplete) return;
  for (const Missing& missing : missing_) {
    if (contains(present_keys_, missing.key)) continue;  // misspelt, and said so above
    context_.problems.add(map_.mark, {path_, "the key `" + missing.key + "`", "none", missing.hint});
  }
  for (const Group& group : groups_) test(group);
}

// What users look for and will not find here.
static std::optional<std::string> not_supported(const std::string& key) {
  if (key == "loop" || key == "loop_joints" || key == "closed_loops")
    return "what closes a chain of links stands in the list `loops`";
  return std::nullopt;
}

void MapReader::note_foreign(const char* type, const std::vector<KeyLister::Key>& keys) {
  for (const KeyLister::Key& key : keys) {
    if (contains(known_keys_, key.name)) continue;
    Foreign& foreign = foreign_[key.name];
    foreign.types.emplace_back(type);
    foreign.nullable = key.nullable;
  }
}

// A key that this type has not, but others have.
bool MapReader::report_foreign(const YamlEntry& entry) {
  const auto found = foreign_.find(entry.key);
  if (found == foreign_.end()) return false;
  if (found->second.nullable && entry.value.kind == YamlNode::Kind::null) return true;
  context_.problems.add(
      entry.key_mark,
      {join_path(path_, path_step(entry.key)), "a key of " + chooser_ + " " + type_, show_text(entry.key),
       "it knows " + show_names(own_keys_) + "; `" + entry.key + "` is for " + chooser_ + " " +
           show_names(found->second.types, "or")});
  return true;
}

std::vector<std::string> KeyLister::names() const {
  std::vector<std::string> all;
  for (const Key& key : keys)
    if (key.plain.empty()) all.push_back(key.name);
  return all;
}

void KeyLister::add(const Field& field) {
  const auto is_it = [&](const Key& key) { return key.name == field.key; };
  if (std::any_of(keys.begin(), keys.end(), is_it)) return;
  keys.push_back({field.key, field.nullable, ""});
  if (field.angle) keys.push_back({degrees_key(field.key), field.nullable, field.key});
}

void MapReader::report_unknown_keys() {
  for (const YamlEntry& entry : map_.entries) {
    if (contains(known_keys_, entry.key) || report_foreign(entry)) continue;
    const auto meant = nearest_name(entry.key, known_keys_);
    if (meant && !contains(present_keys_, *meant)) present_keys_.push_back(*meant);
    const auto refused = not_supported(entry.key);
    context_.problems.add(entry.key_mark,
                          {join_path(path_, path_step(entry.key)), "a known key", show_text(entry.key),
                           refused ? *refused : suggestion(entry.key, known_keys_, "keys")});
  }
}

FileContent ReadContext::read_named(const std::string& name) {
  FileContent content;
  if (!stored)
    content = read_text_file(directory / name);
  else if (const std::size_t at = sources->size(); at < stored->size() && (*stored)[at].name == name)
    content.text = (*stored)[at].text;
  else
    content.failure = "a text that was not stored";
  if (sources && content.failure.empty()) sources->push_back({name, content.text, directory / name});
  return content;
}

}  // namespace limber
