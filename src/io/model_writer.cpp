// SPDX-License-Identifier: BSD-3-Clause
#include "limber/io/model_writer.hpp"

#include "description_tree.hpp"
#include "limber/io/printable.hpp"
#include "limber/io/whole_file.hpp"
#include "mesh_places.hpp"

namespace limber {

std::string model_file_text(const ModelDescription& description, const std::filesystem::path& directory,
                            const std::vector<std::string>& comments) {
  std::string text;
  for (const std::string& note : comments) text += "# " + printable(note) + "\n";
  return text + yaml_text(tree_of(with_mesh_names(description, directory), directory));
}

void write_model(const std::filesystem::path& file, const ModelDescription& description,
                 const std::vector<std::string>& comments) {
  const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : ".";
  write_whole_file(file, model_file_text(description, folder, comments));
}

}  // namespace limber
