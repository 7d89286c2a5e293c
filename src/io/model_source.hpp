// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "apply_settings.hpp"
#include "limber/io/file_error.hpp"
#include "limber/io/source_text.hpp"
#include "limber/model/description.hpp"
#include "yaml_tree.hpp"

namespace limber {

/// A model in a file: what it describes, and where each part of it stands.
class ModelSource {
 public:
  /// Reads and checks the model; throws FileError with everything that is wrong. `tree` is the whole file, or
  /// the part at `path` that holds a model (as in a scenario); mode tables are looked for in `directory`,
  /// and noted in `sources`; `stored` texts stand for them where they are given. `settings` change values first.
  ModelSource(YamlTree tree, std::string file, const std::filesystem::path& directory,
              const Settings& settings = {}, std::string path = "",
              std::vector<SourceText>* sources = nullptr, const std::vector<SourceText>* stored = nullptr);

  const ModelDescription& description() const { return description_; }

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
  LocatedProblem located(Problem problem) const;
  FileError within_file(const std::vector<Problem>& problems) const;
  FileError within_file(std::vector<LocatedProblem> problems) const;

  YamlNode root_;
  std::string file_;
  std::string path_;
  std::vector<AppliedSetting> applied_;
  ModelDescription description_;
};

}  // namespace limber
