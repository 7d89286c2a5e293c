// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Reads a block of a YAML file into its description: the visitor of description_fields.hpp that fills in.
// Values of the wrong kind or out of range, unknown and missing keys go to a list; members that were not read
// keep their initial values.

#include <array>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "limber/io/source_text.hpp"
#include "limber/scenario/description_fields.hpp"
#include "number_text.hpp"
#include "problem_list.hpp"
#include "text_file.hpp"
#include "yaml_tree.hpp"

namespace limber {

struct ReadContext {
  ProblemList& problems;
  std::filesystem::path directory;             ///< in which the files stand that are named in the text
  bool needs_version = true;                   ///< whether the key with the format's version must be there
  std::vector<SourceText>* sources = nullptr;  ///< where to note the files that were read on the way
  const std::vector<SourceText>* stored =
      nullptr;  ///< texts that stand for the files, in the order of reading

  /// The file that a text names, and its note in `sources`.
  FileContent read_named(const std::string& name);
};

/// A value in the text and what its key allows.
struct Slot {
  const Field& field;
  const YamlNode& node;
  std::string path;
  bool in_degrees = false;

  Slot item(std::size_t index) const;
  std::string unit() const;
  /// In that unit.
  Range range() const;
};

/// Readers of single values: each fills `target`, or adds a problem and leaves it alone.
void read_value(ReadContext& context, const Slot& slot, double& target);
void read_value(ReadContext& context, const Slot& slot, int& target);
void read_value(ReadContext& context, const Slot& slot, bool& target);
void read_value(ReadContext& context, const Slot& slot, NumberOrAuto& target);
void read_value(ReadContext& context, const Slot& slot, std::string& target);
/// A shape family's name, or {table: file}.
void read_shape(ReadContext& context, const Slot& slot, ShapeFamily& family, std::optional<ModeTable>& table);
/// A fraction, or the name of an interface.
void read_place(ReadContext& context, const Slot& slot, double& at, std::string& interface);
/// The name of a reduced body's file, and what it holds.
void read_body_file(ReadContext& context, const Slot& slot, std::string& file,
                    std::shared_ptr<const ReducedBody>& reduced);
/// One name, or a list of names.
void read_value(ReadContext& context, const Slot& slot, std::vector<std::string>& target);
/// The value's index among `names`.
std::optional<std::size_t> read_choice(ReadContext& context, const Slot& slot,
                                       const std::vector<std::string>& names);
/// Whether the value is a list of `size` values (0: of any size); `expected` says what it should be.
bool is_list(ReadContext& context, const Slot& slot, std::size_t size, const std::string& expected);
/// Complains about a value where a map with these keys should be.
void refuse_no_map(ReadContext& context, const YamlNode& node, const std::string& path,
                   const std::vector<std::string>& keys);

template <typename Description>
void read_map(ReadContext& context, const YamlNode& node, const std::string& path, Description& target);

template <Named Enum>
void read_value(ReadContext& context, const Slot& slot, Enum& target) {
  if (const auto index = read_choice(context, slot, choice_names<Enum>()))
    target = choices<Enum>[*index].value;
}

template <int Size>
void read_value(ReadContext& context, const Slot& slot, Eigen::Matrix<double, Size, 1>& target) {
  if (!is_list(context, slot, Size, expected_list(Size, slot.range(), slot.unit()))) return;
  for (Eigen::Index i = 0; i < Size; ++i)
    read_value(context, slot.item(static_cast<std::size_t>(i)), target[i]);
}

template <std::size_t Size>
void read_value(ReadContext& context, const Slot& slot, std::array<Eigen::Vector3d, Size>& target) {
  if (!is_list(context, slot, Size, "two lists of 3 numbers")) return;
  for (std::size_t i = 0; i < Size; ++i) read_value(context, slot.item(i), target[i]);
}

template <typename T>
void read_value(ReadContext& context, const Slot& slot, std::optional<T>& target) {
  read_value(context, slot, target.emplace());
}

/// What a list of T is called.
template <typename T>
inline constexpr const char* list_words = "a list of maps, each begun with `-`";
template <>
inline constexpr const char* list_words<double> = "a list of numbers";
template <>
inline constexpr const char* list_words<Eigen::Vector2d> = "a list of [time, value]";

template <typename T>
void read_value(ReadContext& context, const Slot& slot, std::vector<T>& target) {
  if (!is_list(context, slot, 0, list_words<T>)) return;
  for (std::size_t i = 0; i < slot.node.items.size(); ++i) {
    read_value(context, slot.item(i), target.emplace_back());
  }
}

template <typename T>
void read_value(ReadContext& context, const Slot& slot, ByName<T>& target) {
  if (slot.node.kind != YamlNode::Kind::null && !slot.node.is_map()) {
    context.problems.add(slot.node.mark, {slot.path, "a map by name", show_node(slot.node), ""});
    return;
  }
  for (const YamlEntry& entry : slot.node.entries) {
    target.emplace_back(entry.key, T{});
    read_value(context, Slot{slot.field, entry.value, join_path(slot.path, path_step(entry.key))},
               target.back().second);
  }
}

template <typename Description>
void read_value(ReadContext& context, const Slot& slot, Description& target) {
  read_map(context, slot.node, slot.path, target);
}

/// Visitor: lists the keys of a block, those of all its types.
struct KeyLister {
  struct Key {
    std::string name;
    bool nullable;
    std::string plain;  ///< the same key in radians, where this one is in degrees
  };
  std::vector<Key> keys;

  void block(const char*, const char*) {}
  void version(const Field& field) { add(field); }
  void field(const Field& field, const auto&) { add(field); }
  void numbers(const Field& field, const auto&) { add(field); }
  void one_or_more(const Field& field, const auto&) { add(field); }
  void shape(const Field& field, const auto&, const auto&) { add(field); }
  void place(const Field& field, const auto&, const auto&) { add(field); }
  void body(const Field& field, const auto&, const auto&) { add(field); }
  void model(const Field& field, const auto&, const auto&) { add(field); }
  void variant(const Field& field, const auto& member) {
    add(field);
    for_each_alternative(&member, [this](const auto& other) { describe(*this, other); });
  }
  void exactly_one_of(const std::vector<Alternative>&) {}
  void at_most_one_of(const std::vector<Alternative>&) {}

  std::vector<std::string> names() const;

 private:
  void add(const Field& field);
};

/// Visitor: the keys of one block.
class MapReader {
 public:
  MapReader(ReadContext& context, const YamlNode& map, std::string path);

  void block(const char*, const char*) {}
  void version(const Field& field);

  template <typename T>
  void field(const Field& field, T& member) {
    const auto slot = find(field);
    if (!slot) return;
    if (field.nullable && slot->node.kind == YamlNode::Kind::null) {
      if (field.required) miss(field);
      return;
    }
    read_value(context_, *slot, member);
  }

  ///@{
  /// One of several, and several: the tree has a map, and a list, in any case.
  void numbers(const Field& about, ByName<double>& member) { field(about, member); }
  template <typename T>
  void one_or_more(const Field& about, std::vector<T>& member) {
    field(about, member);
  }
  ///@}

  /// Where the type is not known, no key of any type is called unknown.
  template <typename... Alternatives>
  void variant(const Field& field, std::variant<Alternatives...>& member) {
    const auto slot = find(field);
    const auto chosen =
        slot ? read_choice(context_, *slot, type_names(&member)) : std::optional<std::size_t>();
    if (!chosen && (slot || field.required)) {
      for_each_alternative(&member, [this](const auto& other) {
        for (const KeyLister::Key& key : keys_of(other)) known_keys_.push_back(key.name);
      });
      return;
    }
    if (chosen) choose_alternative(member, *chosen);
    std::visit(
        [&](auto& held) {
          chooser_ = field.key;
          type_ = std::decay_t<decltype(held)>::type;
          const std::size_t common = known_keys_.size();
          describe(*this, held);
          own_keys_.assign(known_keys_.begin() + static_cast<std::ptrdiff_t>(common), known_keys_.end());
        },
        member);
    for_each_alternative(&member, [this](const auto& other) { note_foreign(other.type, keys_of(other)); });
  }

  /// Only where it stands: scenario_file.cpp reads the model itself.
  void model(const Field& field, const ModelDescription&, std::string& file) {
    const auto slot = find(field);
    if (slot && slot->node.is_scalar()) file = slot->node.text;
    if (slot && !slot->node.is_scalar() && !slot->node.is_map())
      context_.problems.add(slot->node.mark,
                            {slot->path, "the name of a model file, or a model", show_node(slot->node), ""});
  }

  void shape(const Field& field, ShapeFamily& family, std::optional<ModeTable>& table) {
    if (const auto slot = find(field)) read_shape(context_, *slot, family, table);
  }
  void place(const Field& field, double& at, std::string& interface) {
    if (const auto slot = find(field)) read_place(context_, *slot, at, interface);
  }
  void body(const Field& field, std::string& file, std::shared_ptr<const ReducedBody>& reduced) {
    if (const auto slot = find(field)) read_body_file(context_, *slot, file, reduced);
  }

  void exactly_one_of(std::vector<Alternative> alternatives) {
    groups_.push_back({std::move(alternatives), true});
  }
  void at_most_one_of(std::vector<Alternative> alternatives) {
    groups_.push_back({std::move(alternatives), false});
  }

  /// After the last field: unknown and missing keys, and those that exclude each other.
  void finish();

 private:
  struct Group {
    std::vector<Alternative> alternatives;
    bool needed;
  };

  struct Missing {
    std::string key;
    std::string hint;
  };

  std::optional<Slot> find(const Field& field, const std::string& hint_if_missing = "");
  void miss(const Field& field, const std::string& hint = "");
  void note_foreign(const char* type, const std::vector<KeyLister::Key>& keys);
  bool report_foreign(const YamlEntry& entry);
  void report_unknown_keys();
  void test(const Group& group);

  template <typename Description>
  static std::vector<KeyLister::Key> keys_of(const Description& description) {
    KeyLister lister;
    describe(lister, description);
    return lister.keys;
  }

  /// A key that other types have.
  struct Foreign {
    std::vector<std::string> types;
    bool nullable;
  };

  ReadContext& context_;
  const YamlNode& map_;
  std::string path_;
  std::vector<std::string> known_keys_;
  std::vector<std::string> present_keys_;  ///< and those that a misspelt key seems to mean
  std::vector<Missing> missing_;
  std::vector<Group> groups_;
  std::string chooser_, type_;  ///< the key that chooses a type, and what it chose; empty: there is none
  std::vector<std::string> own_keys_;  ///< of that type
  std::map<std::string, Foreign> foreign_;
};

template <typename Description>
void read_map(ReadContext& context, const YamlNode& node, const std::string& path, Description& target) {
  if (node.is_map()) {
    MapReader reader(context, node, path);
    describe(reader, target);
    reader.finish();
  } else {
    KeyLister lister;
    describe(lister, target);
    refuse_no_map(context, node, path, lister.names());
  }
}

}  // namespace limber
