// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "apply_settings.hpp"
#include "limber/io/file_error.hpp"
#include "limber/io/model_notes.hpp"
#include "limber/io/source_text.hpp"
#include "limber/io/urdf_description.hpp"
#include "limber/model/description.hpp"
#include "yaml_tree.hpp"

namespace limber {

struct ReadContext;

/// A model in a file: what it describes, and where each part of it stands.
class ModelSource {
 public:
  /// Reads and checks the model; throws FileError with everything that is wrong. `tree` is the whole file, or
  /// the part at `path` that holds a model (as in a scenario); other files (a URDF, mode tables) are looked for in `directory`,
  /// and noted in `sources`; `stored` texts stand for them where they are given. `settings` change values first.
  ModelSource(YamlTree tree, std::string file, const std::filesystem::path& directory,
              const Settings& settings = {}, std::string path = "",
              std::vector<SourceText>* sources = nullptr, const std::vector<SourceText>* stored = nullptr)
      : ModelSource(std::move(tree), std::move(file), directory, settings, std::move(path), sources, stored,
                    nullptr) {}

  /// A whole file: a model in YAML, or a URDF.
  static ModelSource of_text(const std::string& text, const std::string& file,
                             const std::filesystem::path& directory, const Settings& settings = {},
                             std::vector<SourceText>* sources = nullptr,
                             const std::vector<SourceText>* stored = nullptr);

  const ModelDescription& description() const { return description_; }
  const ModelNotes& notes() const { return notes_; }

  /// Runs `action` and gives the problems that it throws their places in the file: for what only shows when
  /// the model is built.
  template <typename Action>
  auto locate(Action&& action) const {
    try {
      return action(description_);
    } catch (const FileError&) {
      throw;
    } catch (const InputError& error) {
      throw within_file(error.problems());
    }
  }

 private:
  ModelSource(YamlTree tree, std::string file, const std::filesystem::path& directory,
              const Settings& settings, std::string path, std::vector<SourceText>* sources,
              const std::vector<SourceText>* stored, const std::string* urdf_text);
  /// Puts the links of a URDF into the tree, in place of its name.
  void expand_urdf(ReadContext& context, const ModelFileDescription& given, const std::string* text);
  void add_visuals(const YamlNode& urdf, Mark mark);
  LocatedProblem located(Problem problem) const;
  const std::string& file_of(const std::string& path) const;
  FileError within_file(const std::vector<Problem>& problems) const;
  FileError within_file(std::vector<LocatedProblem> problems) const;

  YamlNode root_;
  std::string file_;
  std::string path_;
  std::vector<AppliedSetting> applied_;
  std::string urdf_file_;  ///< in which `links` stand; empty: in the file itself
  std::vector<std::pair<std::string, std::string>>
      other_paths_;  ///< `links[2].beam`: where it stands in the file
  ModelDescription description_;
  ModelNotes notes_;
};

}  // namespace limber
