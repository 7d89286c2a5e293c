// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The formats of our files as data, collected from the description_fields.hpp of model and scenario: what the writers
// of documentation share.

#include <string>
#include <vector>

#include "limber/model/field_rule.hpp"

namespace limber {

/// A key of a block, with what its description's member says about it.
struct FormatKey {
  enum class Kind {
    version,
    number,
    integer,
    boolean,
    number_or_auto,
    text,
    choice,
    shape,
    place,  ///< a number, or the name of an interface
    list,
    list_of_lists,
    number_list,  ///< of any length
    pair_list,    ///< of [time, value]
    name_list,    ///< or one name
    numbers,      ///< one, a list, or by name
    numbers_by_name,
    texts_by_name,
    block,
    block_list,
    block_or_list,
    blocks_by_name,
    model
  };

  Field field;
  Kind kind;
  int size = 0;                         ///< of a list
  std::vector<std::string> names = {};  ///< to choose from
  std::string block = {};               ///< name of the block, or of those in the list
  std::vector<double> initial = {};     ///< default of a number or list; empty where there is none
  std::string initial_name = {};        ///< default of a choice
};

struct FormatGroup {
  std::vector<Alternative> alternatives;
  bool needed;  ///< exactly one of them; else at most one
};

struct FormatBlock {
  std::string name;
  std::string meaning;
  std::vector<FormatKey> keys;
  std::vector<FormatGroup> groups;
  /// What the last of `keys` chooses between: the name of each is the word that chooses it, its keys are those that it has besides.
  std::vector<FormatBlock> types = {};
};

/// All blocks of the model file, the file itself first, each before those it holds.
std::vector<FormatBlock> model_format_blocks();
/// The same of the scenario file; the model's own blocks are not among them.
std::vector<FormatBlock> scenario_format_blocks();
/// The same of the study file.
std::vector<FormatBlock> study_format_blocks();
/// The same of the plan file.
std::vector<FormatBlock> plan_format_blocks();
/// The same of the study file with `fit`.
std::vector<FormatBlock> fit_format_blocks();

}  // namespace limber
