// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A YAML text as a tree of our own, every part with its place. yaml-cpp stays inside yaml_tree.cpp.

#include <string>
#include <string_view>
#include <vector>

#include "limber/io/file_error.hpp"

namespace limber {

struct YamlEntry;

struct YamlNode {
  enum class Kind { null, scalar, sequence, map };

  Kind kind = Kind::null;
  std::string text;     ///< of a scalar
  bool quoted = false;  ///< a scalar in quotes (or a block text): never a number
  Mark mark;            ///< where to point: the value, or its key where the value starts on a later line
  bool is_incomplete = false;      ///< a map with more in it than we could read
  std::vector<YamlNode> items;     ///< of a sequence
  std::vector<YamlEntry> entries;  ///< of a map, in the order of the text

  bool is_scalar() const { return kind == Kind::scalar; }
  bool is_sequence() const { return kind == Kind::sequence; }
  bool is_map() const { return kind == Kind::map; }

  /// The value of a key; nullptr where there is none, or no map.
  const YamlNode* find(std::string_view key) const;
};

struct YamlEntry {
  std::string key;
  Mark key_mark;
  YamlNode value;
};

/// What a text holds, with what is wrong but did not stop the reading: keys that stand twice, tags, merge
/// keys.
struct YamlTree {
  YamlNode root;
  std::vector<LocatedProblem> problems;
};

/// The single document in `text`, aliases expanded. Throws FileError where the text is no YAML, or no YAML
/// that we take: binary, empty, several documents, nested too deeply, or exploding through its aliases.
YamlTree parse_yaml(const std::string& text, const std::string& file_name);

/// A key as a step of a path in a message: quoted and cut where it is no plain word.
std::string path_step(const std::string& key);

/// The node at a path such as `links[2].beam.length`, or as much of the path as exists. An angle `rpy` is
/// found where it was given as `rpy_deg`.
struct FoundNode {
  const YamlNode* node;
  std::string path;  ///< in the spelling of the file
  bool is_complete;  ///< whether all of the path exists
};
FoundNode find_nearest(const YamlNode& root, const std::string& path);

}  // namespace limber
