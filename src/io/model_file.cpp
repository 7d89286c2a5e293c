#include "limber/io/model_file.hpp"

#include "model_source.hpp"
#include "text_file.hpp"

namespace limber {
namespace {

ModelSource open_model(const std::filesystem::path& file) {
  const FileContent content = read_text_file(file);
  if (!content.failure.empty()) {
    throw FileError(
        {{{"", "a readable model file, at most 16 MiB", content.failure, ""}, file.string(), {}}});
  }
  return {parse_yaml(content.text, file.string()), file.string(), file.parent_path()};
}

}  // namespace

Model read_model(const std::filesystem::path& file) { return open_model(file).locate(build_model); }

ModelDescription read_model_description(const std::filesystem::path& file) {
  return open_model(file).description();
}

ModelDescription parse_model_description(const std::string& text, const std::string& file_name,
                                         const std::filesystem::path& directory_for_tables) {
  return ModelSource(parse_yaml(text, file_name), file_name, directory_for_tables).description();
}

}  // namespace limber
