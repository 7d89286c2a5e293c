// SPDX-License-Identifier: BSD-3-Clause
#include "limber/io/model_schema.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "degrees.hpp"
#include "format_blocks.hpp"

namespace limber {
namespace {

using Json = nlohmann::ordered_json;
using Kind = FormatKey::Kind;

/// Whole numbers without a decimal point.
Json to_json(double value) {
  constexpr double all_digits_count = 1e15;  // above, neighbouring doubles are no neighbouring integers
  const auto whole = static_cast<std::int64_t>(std::abs(value) < all_digits_count ? value : 0.0);
  return static_cast<double>(whole) == value ? Json(whole) : Json(value);
}

Json reference(const std::string& block) {
  std::string name = block;
  std::replace(name.begin(), name.end(), ' ', '_');
  return {{"$ref", "#/$defs/" + name}};
}

Json number_schema(const Range& range, const char* type) {
  Json schema{{"type", type}};
  if (range.lower_open) {
    schema["exclusiveMinimum"] = to_json(range.lower);
  } else {
    schema["minimum"] = to_json(std::max(range.lower, -largest_magnitude));
  }
  schema["maximum"] = to_json(std::min(range.upper, largest_magnitude));
  return schema;
}

Json list_schema(Json items, int size) {
  return {{"type", "array"}, {"items", std::move(items)}, {"minItems", size}, {"maxItems", size}};
}

Json text_schema(TextRule rule) {
  if (rule == TextRule::name) return {{"type", "string"}, {"pattern", "^[A-Za-z_][A-Za-z0-9_-]*$"}};
  if (rule == TextRule::reference) return {{"type", "string"}, {"minLength", 1}};
  return {{"type", "string"}};
}

Json object_with(const std::string& key, Json schema) {
  return {{"type", "object"},
          {"properties", {{key, std::move(schema)}}},
          {"required", {key}},
          {"additionalProperties", false}};
}

Json value_schema(const FormatKey& key) {
  Json number = number_schema(key.field.range, "number");
  switch (key.kind) {
    case Kind::version:
      return {{"const", 1}};
    case Kind::number:
      return number;
    case Kind::integer:
      return number_schema(key.field.range, "integer");
    case Kind::number_or_auto:
      return {{"anyOf", {number, {{"const", "auto"}}}}};
    case Kind::place:
      return {{"anyOf", {number, text_schema(TextRule::name)}}};
    case Kind::text:
      return text_schema(key.field.text);
    case Kind::choice:
      return {{"enum", key.names}};
    case Kind::shape:
      return {{"anyOf", {{{"enum", key.names}}, object_with("table", text_schema(TextRule::reference))}}};
    case Kind::list:
      return list_schema(number, key.size);
    case Kind::list_of_lists:
      return list_schema(list_schema(number, 3), key.size);
    case Kind::boolean:
      return {{"type", "boolean"}};
    case Kind::number_list:
      return {{"type", "array"}, {"items", number}};
    case Kind::pair_list:
      return {{"type", "array"}, {"items", list_schema(number, 2)}};
    case Kind::name_list:
      return {{"anyOf", {{{"type", "string"}}, {{"type", "array"}, {"items", {{"type", "string"}}}}}}};
    case Kind::numbers:
      return {{"anyOf",
               {number,
                {{"type", "array"}, {"items", number}},
                {{"type", "object"}, {"additionalProperties", number}}}}};
    case Kind::texts_by_name:  // of any kind: what they are is said by what they name
      return {{"type", {"object", "null"}}};
    case Kind::numbers_by_name:
      return {{"type", {"object", "null"}}, {"additionalProperties", number}};
    case Kind::model:
      return {{"anyOf", {{{"type", "string"}}, {{"type", "object"}}}}};
    case Kind::blocks_by_name:
      return {{"type", {"object", "null"}}, {"additionalProperties", reference(key.block)}};
    case Kind::block:
      return reference(key.block);
    case Kind::block_list:
      return {{"type", "array"}, {"items", reference(key.block)}};
    case Kind::block_or_list:
      return {{"anyOf", {reference(key.block), {{"type", "array"}, {"items", reference(key.block)}}}}};
  }
  return {};
}

std::string describe_in_words(const Field& field, const std::string& unit) {
  std::string words = field.meaning;
  if (!unit.empty()) words += " [" + unit + "]";
  if (*field.otherwise) words += "; default: " + std::string(field.otherwise);
  return words;
}

void add_default(const FormatKey& key, Json& schema) {
  if (key.field.required || *key.field.otherwise) return;
  if (key.kind == Kind::boolean)
    schema["default"] = key.initial_name == "true";
  else if (!key.initial_name.empty())
    schema["default"] = key.initial_name;
  if (key.initial.empty()) return;
  Json values = Json::array();
  for (const double value : key.initial) values.push_back(to_json(value));
  schema["default"] = key.kind == Kind::list ? values : values.front();
}

/// Whether any of the alternative's keys is there.
Json is_chosen(const Alternative& alternative) {
  Json any = Json::array();
  for (const char* key : alternative.keys) any.push_back({{"required", {key}}});
  return any.size() == 1 ? any.front() : Json{{"anyOf", any}};
}

Json group_schema(const FormatGroup& group) {
  Json chosen = Json::array();
  for (const Alternative& alternative : group.alternatives) chosen.push_back(is_chosen(alternative));
  return group.needed ? Json{{"oneOf", chosen}} : Json{{"not", {{"allOf", chosen}}}};
}

/// The schema of `key`, or of the other key that it may wrap.
Json with_wrapped(const FormatBlock& block, const FormatKey& key) {
  Json schema = value_schema(key);
  for (const FormatKey& other : block.keys) {
    if (other.field.key != std::string(key.field.wraps)) continue;
    schema = {{"anyOf", {schema, object_with(other.field.key, value_schema(other))}}};
  }
  return schema;
}

Json plain_block_schema(const FormatBlock& block) {
  Json properties = Json::object(), required = Json::array(), groups = Json::array();
  for (const FormatKey& key : block.keys) {
    Json schema = with_wrapped(block, key);
    if (key.field.nullable) schema = {{"anyOf", {schema, {{"type", "null"}}}}};
    schema["description"] = describe_in_words(key.field, key.field.unit);
    add_default(key, schema);
    properties[key.field.key] = schema;
    const std::string in_degrees = degrees_key(key.field.key);
    const std::string instead = key.field.angle ? in_degrees : key.field.unless;
    if (key.field.required && !instead.empty())
      groups.push_back({{"anyOf", {{{"required", {key.field.key}}}, {{"required", {instead}}}}}});
    else if (key.field.required)
      required.push_back(key.field.key);
    if (!key.field.angle) continue;
    FormatKey turned = key;
    turned.field.range = degrees_range(key.field.range);
    Json degrees = with_wrapped(block, turned);
    degrees["description"] = describe_in_words(key.field, degrees_unit(key.field.unit));
    properties[in_degrees] = degrees;
    groups.push_back({{"not", {{"required", {key.field.key, in_degrees}}}}});
  }
  for (const FormatGroup& group : block.groups) groups.push_back(group_schema(group));
  Json schema{{"type", "object"}, {"description", block.meaning}, {"properties", properties}};
  if (!required.empty()) schema["required"] = required;
  if (!groups.empty()) schema["allOf"] = groups;
  schema["additionalProperties"] = false;
  return schema;
}

/// A block whose keys depend on its type is one of several: each has the common keys, its own, and the word that chooses it. Only the
/// default may do without that.
Json block_schema(const FormatBlock& block) {
  if (block.types.empty()) return plain_block_schema(block);
  const FormatKey& chooser = block.keys.back();
  Json any = Json::array();
  for (const FormatBlock& type : block.types) {
    FormatBlock whole = type;
    whole.keys.insert(whole.keys.begin(), block.keys.begin(), block.keys.end());
    FormatKey& word = whole.keys[block.keys.size() - 1];
    word.names = {type.name};
    word.field.required = type.name != chooser.initial_name;
    any.push_back(plain_block_schema(whole));
  }
  return {{"description", block.meaning}, {"oneOf", any}};
}

std::string json_schema(const char* title, const std::vector<FormatBlock>& blocks) {
  Json definitions = Json::object();
  for (const FormatBlock& block : blocks) {
    const std::string pointer = reference(block.name)["$ref"];
    definitions[pointer.substr(pointer.rfind('/') + 1)] = block_schema(block);
  }
  const Json schema{{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                    {"title", title},
                    {"$ref", reference(blocks.front().name)["$ref"]},
                    {"$defs", definitions}};
  return schema.dump(2) + "\n";
}

}  // namespace

std::string model_json_schema() { return json_schema("Limber model file", model_format_blocks()); }
std::string scenario_json_schema() { return json_schema("Limber scenario file", scenario_format_blocks()); }
std::string study_json_schema() { return json_schema("Limber study file", study_format_blocks()); }
std::string fit_json_schema() { return json_schema("Limber fit file", fit_format_blocks()); }
std::string plan_json_schema() { return json_schema("Limber plan file", plan_format_blocks()); }

}  // namespace limber
