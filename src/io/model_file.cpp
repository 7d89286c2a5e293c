// SPDX-License-Identifier: BSD-3-Clause
#include "limber/io/model_file.hpp"

#include "model_source.hpp"
#include "text_file.hpp"

namespace limber {
namespace {

ModelSource open_model(const std::filesystem::path& file, const Settings& settings) {
  const FileContent content = read_text_file(file);
  if (!content.failure.empty()) {
    throw FileError(
        {{{"", "a readable model file, at most 16 MiB", content.failure, ""}, file.string(), {}}});
  }
  return {parse_yaml(content.text, file.string()), file.string(), file.parent_path(), settings};
}

}  // namespace

Model read_model(const std::filesystem::path& file, const Settings& settings) {
  return open_model(file, settings).locate(build_model);
}

ModelDescription read_model_description(const std::filesystem::path& file, const Settings& settings) {
  return open_model(file, settings).description();
}

ModelDescription parse_model_description(const std::string& text, const std::string& file_name,
                                         const std::filesystem::path& directory_for_tables,
                                         const Settings& settings) {
  return ModelSource(parse_yaml(text, file_name), file_name, directory_for_tables, settings).description();
}

}  // namespace limber
