// SPDX-License-Identifier: BSD-3-Clause
#include "limber/io/model_file.hpp"

#include "limber/io/model_notes.hpp"
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
  return ModelSource::of_text(content.text, file.string(), file.parent_path(), settings);
}

}  // namespace

Model read_model(const std::filesystem::path& file, const Settings& settings, ModelNotes& notes) {
  const ModelSource source = open_model(file, settings);
  notes = source.notes();
  return source.locate(build_model);
}

ModelDescription read_model_description(const std::filesystem::path& file, const Settings& settings,
                                        ModelNotes& notes) {
  const ModelSource source = open_model(file, settings);
  notes = source.notes();
  return source.description();
}

ModelDescription parse_model_description(const std::string& text, const std::string& file_name,
                                         const std::filesystem::path& directory_for_tables,
                                         const Settings& settings, ModelNotes& notes) {
  const ModelSource source = ModelSource::of_text(text, file_name, directory_for_tables, settings);
  notes = source.notes();
  return source.description();
}

FileError with_places(const InputError& error, const std::filesystem::path& file, const Settings& settings) {
  try {
    open_model(file, settings).locate([&](const ModelDescription&) { throw error; });
  } catch (const FileError& placed) {
    return placed;
  }
  return FileError({});
}

Model read_model(const std::filesystem::path& file, const Settings& settings) {
  ModelNotes unread;
  return read_model(file, settings, unread);
}

ModelDescription read_model_description(const std::filesystem::path& file, const Settings& settings) {
  ModelNotes unread;
  return read_model_description(file, settings, unread);
}

ModelDescription parse_model_description(const std::string& text, const std::string& file_name,
                                         const std::filesystem::path& directory_for_tables,
                                         const Settings& settings) {
  ModelNotes unread;
  return parse_model_description(text, file_name, directory_for_tables, settings, unread);
}

}  // namespace limber
