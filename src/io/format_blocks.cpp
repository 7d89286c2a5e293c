// SPDX-License-Identifier: BSD-3-Clause
#include "format_blocks.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <utility>

#include "fit_fields.hpp"
#include "limber/scenario/description_fields.hpp"
#include "model_file_fields.hpp"
#include "plan_fields.hpp"
#include "study_fields.hpp"

namespace limber {
namespace {

using Kind = FormatKey::Kind;

/// Visitor: notes the keys of one block, and visits the blocks that they hold.
class BlockCollector {
 public:
  explicit BlockCollector(std::vector<FormatBlock>& blocks, FormatBlock* type = nullptr)
      : blocks_(blocks), type_(type), is_new_(type != nullptr) {}

  void block(const char* name, const char* meaning) {
    is_new_ =
        std::none_of(blocks_.begin(), blocks_.end(), [&](const FormatBlock& b) { return b.name == name; });
    name_ = name;
    index_ = blocks_.size();
    if (is_new_) blocks_.push_back({name, meaning, {}, {}});
  }

  void version(const Field& field) { add({.field = field, .kind = Kind::version}); }

  void shape(const Field& field, ShapeFamily family, const std::optional<ModeTable>&) {
    std::vector<std::string> names = choice_names<ShapeFamily>();
    std::erase(names, choice_name(ShapeFamily::table));
    add({.field = field,
         .kind = Kind::shape,
         .names = std::move(names),
         .initial_name = choice_name(family)});
  }

  void place(const Field& field, double at, const std::string&) {
    add({.field = field, .kind = Kind::place, .initial = {at}});
  }
  void body(const Field& field, const std::string&, const std::shared_ptr<const ReducedBody>&) {
    add({.field = field, .kind = Kind::text});
  }

  void field(const Field& field, double value) {
    add({.field = field, .kind = Kind::number, .initial = {value}});
  }
  void field(const Field& field, int value) {
    add({.field = field, .kind = Kind::integer, .initial = {static_cast<double>(value)}});
  }
  void field(const Field& field, bool value) {
    add({.field = field, .kind = Kind::boolean, .initial_name = value ? "true" : "false"});
  }
  void model(const Field& field, const ModelDescription&, const std::string&) {
    add({.field = field, .kind = Kind::model});
  }
  void field(const Field& field, const std::vector<double>&) {
    add({.field = field, .kind = Kind::number_list});
  }
  void field(const Field& field, const std::vector<Eigen::Vector2d>&) {
    add({.field = field, .kind = Kind::pair_list});
  }
  void field(const Field& field, const std::vector<std::string>&) {
    add({.field = field, .kind = Kind::name_list});
  }
  void field(const Field& field, const ByName<double>&) {
    add({.field = field, .kind = Kind::numbers_by_name});
  }
  void field(const Field& field, const ByName<std::string>&) {
    add({.field = field, .kind = Kind::texts_by_name});
  }
  void numbers(const Field& field, const ByName<double>&) { add({.field = field, .kind = Kind::numbers}); }
  template <typename T>
  void one_or_more(const Field& field, const std::vector<T>&) {
    add_block(field, T{}, Kind::block_or_list);
  }
  template <typename T>
  void field(const Field& member_field, const ByName<T>&) {
    add_block(member_field, T{}, Kind::blocks_by_name);
  }
  void field(const Field& field, const NumberOrAuto&) { add({.field = field, .kind = Kind::number_or_auto}); }
  void field(const Field& field, const std::string&) { add({.field = field, .kind = Kind::text}); }

  template <Named Enum>
  void field(const Field& field, const Enum& value) {
    add({.field = field,
         .kind = Kind::choice,
         .names = choice_names<Enum>(),
         .initial_name = choice_name(value)});
  }

  template <int Size>
  void field(const Field& field, const Eigen::Matrix<double, Size, 1>& list) {
    add({.field = field, .kind = Kind::list, .size = Size, .initial = {list.begin(), list.end()}});
  }

  template <std::size_t Size>
  void field(const Field& field, const std::array<Eigen::Vector3d, Size>&) {
    add({.field = field, .kind = Kind::list_of_lists, .size = static_cast<int>(Size)});
  }

  /// What is optional has no initial value.
  template <typename T>
  void field(const Field& member_field, const std::optional<T>&) {
    if (!is_new_) return;
    field(member_field, T{});
    FormatKey& key = target().keys.back();
    key.initial.clear();
    key.initial_name.clear();
  }

  template <typename T>
  void field(const Field& member_field, const std::vector<T>&) {
    add_block(member_field, T{}, Kind::block_list);
  }

  template <typename Description>
  void field(const Field& member_field, const Description& description) {
    add_block(member_field, description, Kind::block);
  }

  template <typename Variant>
  void variant(const Field& field, const Variant& member) {
    if (!is_new_) return;
    add({.field = field,
         .kind = Kind::choice,
         .names = type_names(&member),
         .initial_name = field.required ? "" : type_name(member)});
    for_each_alternative(&member, [this](const auto& alternative) {
      FormatBlock type{alternative.type, alternative.meaning, {}, {}};
      BlockCollector collector(blocks_, &type);
      describe(collector, alternative);
      blocks_[index_].types.push_back(std::move(type));
    });
  }

  void exactly_one_of(const std::vector<Alternative>& alternatives) { add_group({alternatives, true}); }
  void at_most_one_of(const std::vector<Alternative>& alternatives) { add_group({alternatives, false}); }

 private:
  void add(FormatKey key) {
    if (is_new_) target().keys.push_back(std::move(key));
  }

  void add_group(FormatGroup group) {
    if (is_new_) target().groups.push_back(std::move(group));
  }

  FormatBlock& target() { return type_ ? *type_ : blocks_[index_]; }

  template <typename Description>
  void add_block(const Field& member_field, const Description& description, Kind kind) {
    BlockCollector inner(blocks_);
    describe(inner, description);
    add({.field = member_field, .kind = kind, .block = inner.name_});
  }

  std::vector<FormatBlock>& blocks_;
  FormatBlock* type_;  ///< whose keys they are, where they are those of one type of a block
  std::string name_;
  std::size_t index_ = 0;
  bool is_new_;  // a block that several others hold is noted once
};

template <typename Description>
std::vector<FormatBlock> blocks_of() {
  std::vector<FormatBlock> blocks;
  BlockCollector collector(blocks);
  const Description description;
  describe(collector, description);
  return blocks;
}

}  // namespace

std::vector<FormatBlock> model_format_blocks() { return blocks_of<ModelFileDescription>(); }
std::vector<FormatBlock> scenario_format_blocks() { return blocks_of<ScenarioDescription>(); }
std::vector<FormatBlock> study_format_blocks() { return blocks_of<StudyDescription>(); }
std::vector<FormatBlock> plan_format_blocks() { return blocks_of<PlanDescription>(); }
std::vector<FormatBlock> fit_format_blocks() { return blocks_of<FitDescription>(); }

}  // namespace limber
