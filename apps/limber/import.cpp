// SPDX-License-Identifier: BSD-3-Clause
// limber import ROBOT.urdf: the model file that describes the same arm.

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "limber/io/mesh_file.hpp"
#include "limber/io/model_file.hpp"
#include "limber/io/model_notes.hpp"
#include "limber/io/model_writer.hpp"
#include "output_file.hpp"
#include "robot_commands.hpp"

namespace limber::app {
namespace {

struct ImportOptions {
  std::string robot, base, file;
  bool force = false;
};

void run_import(const ImportOptions& options, const Common& common) {
  Settings all = settings(common);
  if (!options.base.empty()) all.push_back({"base", options.base});
  if (!options.file.empty())
    check_output({"-o", options.file, {".yaml", ".yml"}}, files_of_model(options.robot, ""), options.force);
  ModelNotes notes;
  const ModelDescription description = read_model_description(options.robot, all, notes);
  for (std::string& sentence : undrawn_meshes(description)) notes.sentences.push_back(std::move(sentence));
  warn(common, notes.sentences);
  if (!options.file.empty()) write_model(options.file, description, notes.sentences);
  if (common.json) {
    nlohmann::ordered_json links = nlohmann::ordered_json::array();
    for (const LinkDescription& link : description.links) links.push_back(link.name);
    nlohmann::ordered_json document = {{"name", description.name}, {"links", links}};
    if (options.file.empty())
      document["text"] = model_file_text(description, {}, notes.sentences);
    else
      document["file"] = options.file;
    print_json(document);
  } else if (options.file.empty()) {
    fmt::print("{}", model_file_text(description, {}, notes.sentences));
  } else {
    fmt::print("{}\n", options.file);
  }
}

}  // namespace

void add_import(CLI::App& app, Common& common) {
  auto options = std::make_shared<ImportOptions>();
  CLI::App* command = add_command(app, common, "import", "The model file of a robot described as URDF");
  command->add_option("ROBOT", options->robot, "URDF file, or a model file with the key `urdf`")->required();
  command->add_option("-o,--output", options->file,
                      "Model file to write; without it, it goes to standard output");
  command
      ->add_option(
          "--base", options->base,
          "fixed: the root link is the ground; free: it moves freely (default: as the file says, else fixed)")
      ->check(CLI::IsMember({"fixed", "free"}));
  command->add_flag("--force", options->force, "Write over an existing file");
  add_set_option(*command, common);
  command->callback([options, &common] { run_import(*options, common); });
}

}  // namespace limber::app
