// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "format_blocks.hpp"
#include "limber/io/model_schema.hpp"

namespace limber {
namespace {

using Kind = FormatKey::Kind;

constexpr const char* introduction =
    "# Model file: reference\n"
    "\n"
    "<!-- Generated from include/limber/model/description_fields.hpp; a test keeps it so. Do not edit. -->\n"
    "\n"
    "A model file is YAML in UTF-8. SI units throughout; angles in radians, or in degrees where a key ends "
    "in `_deg`.\n"
    "Unknown keys are errors. Numbers are decimal, of magnitude at most 1e30. Every message names "
    "file:line:column,\n"
    "the path in the file, what was expected and what was found. `docs/model.schema.json` is the same format "
    "for editors.\n";

constexpr const char* scenario_introduction =
    "# Scenario file: reference\n"
    "\n"
    "<!-- Generated from include/limber/scenario/description_fields.hpp; a test keeps it so. Do not edit. "
    "-->\n"
    "\n"
    "A scenario file is YAML in UTF-8, with the rules of the [model file](model-file-reference.md). The keys "
    "of a\n"
    "trajectory, an actuation or an integrator depend on its type; [simulation.md](simulation.md) says what "
    "each does.\n"
    "`docs/scenario.schema.json` is the same format for editors.\n";

constexpr const char* study_introduction =
    "# Study file reference\n"
    "\n"
    "<!-- Generated from src/io/study_fields.hpp; a test keeps it so. Do not edit. -->\n"
    "\n"
    "A study file is YAML in UTF-8, with the rules of the [model file](model-file-reference.md). "
    "[sweep.md](sweep.md) shows how it is used.\n"
    "`docs/study.schema.json` is the same format for editors.\n";

constexpr const char* plan_introduction =
    "# Plan file reference\n"
    "\n"
    "<!-- Generated from src/io/plan_fields.hpp; a test keeps it so. Do not edit. -->\n"
    "\n"
    "A plan file is YAML in UTF-8, with the rules of the [model file](model-file-reference.md). "
    "[planning.md](planning.md) shows how it is used.\n"
    "`docs/plan.schema.json` is the same format for editors.\n";

constexpr const char* fit_introduction =
    "# Fit file reference\n"
    "\n"
    "<!-- Generated from src/io/fit_fields.hpp; a test keeps it so. Do not edit. -->\n"
    "\n"
    "A study file with `fit`, for `limber identify`: YAML in UTF-8, with the rules of the "
    "[model file](model-file-reference.md). [measurements.md](measurements.md) shows how it is used.\n"
    "`docs/fit.schema.json` is the same format for editors.\n";

/// GitHub's anchor of a heading.
std::string link_to(const std::string& block) {
  std::string anchor = block;
  std::replace(anchor.begin(), anchor.end(), ' ', '-');
  return fmt::format("[{}](#{})", block, anchor);
}

std::string choice_words(const std::vector<std::string>& names) {
  std::string words;
  for (const std::string& name : names) words += (words.empty() ? "`" : ", `") + name + "`";
  return words;
}

std::string without_article(const std::string& words) { return words.substr(words.find(' ') + 1); }

std::string type_words(const FormatKey& key) {
  const Range& range = key.field.range;
  switch (key.kind) {
    case Kind::version:
      return "`1`";
    case Kind::number:
      return without_article(expected_number(range, ""));
    case Kind::integer:
      return without_article(expected_number(range, "", true));
    case Kind::number_or_auto:
      return without_article(or_auto(expected_number(range, "")));
    case Kind::place:
      return without_article(expected_number(range, "")) + ", or name";
    case Kind::text:
      return key.field.text == TextRule::anything ? "text" : "name";
    case Kind::choice:
      return choice_words(key.names);
    case Kind::shape:
      return choice_words(key.names) + " or `{table: file.csv}`";
    case Kind::list:
      return without_article(expected_list(key.size, range, ""));
    case Kind::list_of_lists:
      return fmt::format("list of {} lists of 3 numbers", key.size);
    case Kind::boolean:
      return "`true`, `false`";
    case Kind::number_list:
      return "list of numbers" + expected_number(range, "").substr(std::string("a number").size());
    case Kind::pair_list:
      return "list of [time, value]";
    case Kind::name_list:
      return "name, or list of names";
    case Kind::numbers:
      return "number, list of numbers, or map of numbers by name";
    case Kind::texts_by_name:
      return "map of names or values by name";
    case Kind::numbers_by_name:
      return "map of numbers by name";
    case Kind::model:
      return "file name, or a [model](model-file-reference.md#model)";
    case Kind::blocks_by_name:
      return "map of " + link_to(key.block) + " by name";
    case Kind::block:
      return link_to(key.block);
    case Kind::block_list:
      return "list of " + link_to(key.block);
    case Kind::block_or_list:
      return link_to(key.block) + ", or list of them";
  }
  return "";
}

std::string default_words(const FormatKey& key) {
  if (key.field.required)
    return *key.field.unless ? fmt::format("**required**, unless `{}` is given", key.field.unless)
                             : "**required**";
  if (*key.field.otherwise) return key.field.otherwise;
  if (!key.initial_name.empty()) return "`" + key.initial_name + "`";
  if (key.kind == Kind::list && !key.initial.empty()) return show_list(key.initial);
  return key.initial.empty() ? "" : show_number(key.initial.front());
}

/// A bar would end the table's cell.
std::string escape_bars(const std::string& text) {
  std::string escaped;
  for (const char c : text) escaped += c == '|' ? "\\|" : std::string(1, c);
  return escaped;
}

std::string row(const FormatKey& key) {
  const Field& field = key.field;
  std::string names = fmt::format("`{}`", field.key), unit = field.unit, meaning = field.meaning;
  if (field.angle) {
    names += fmt::format(" or `{}`", degrees_key(field.key));
    unit += fmt::format(" ({})", degrees_unit(field.unit));
  }
  if (*field.wraps)
    meaning += fmt::format("; `{0}: {{{1}: ...}}` is the same as `{1}: ...`", field.key, field.wraps);
  return fmt::format("| {} | {} | {} | {} | {} |\n", names, type_words(key), unit, default_words(key),
                     escape_bars(meaning));
}

std::string group_line(const FormatGroup& group) {
  std::string labels;
  for (const Alternative& alternative : group.alternatives) {
    labels += (labels.empty() ? "" : " and ") + std::string(alternative.label);
  }
  return fmt::format("\n{} one of {}.\n", group.needed ? "Exactly" : "At most", labels);
}

std::string tables(const FormatBlock& block) {
  if (block.keys.empty()) return "";
  std::string text = "| key | type | unit | default | meaning |\n|---|---|---|---|---|\n";
  for (const FormatKey& key : block.keys) text += row(key);
  for (const FormatGroup& group : block.groups) text += group_line(group);
  return text;
}

std::string markdown(const char* begin, const std::vector<FormatBlock>& blocks) {
  std::string text = begin;
  for (const FormatBlock& block : blocks) {
    text += fmt::format("\n## {}\n\n{}\n\n", block.name, block.meaning) + tables(block);
    for (const FormatBlock& type : block.types)
      text += fmt::format("\n### {}: `{}`\n\n{}\n\n", block.name, type.name, type.meaning) + tables(type);
  }
  return text;
}

}  // namespace

std::string model_format_markdown() { return markdown(introduction, model_format_blocks()); }
std::string scenario_format_markdown() { return markdown(scenario_introduction, scenario_format_blocks()); }
std::string study_format_markdown() { return markdown(study_introduction, study_format_blocks()); }
std::string fit_format_markdown() { return markdown(fit_introduction, fit_format_blocks()); }
std::string plan_format_markdown() { return markdown(plan_introduction, plan_format_blocks()); }

}  // namespace limber
