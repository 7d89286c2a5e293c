// SPDX-License-Identifier: BSD-3-Clause
// limber export MODEL: the arm as rigid bodies, for other programs.

#include "limber/io/export.hpp"

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "limber/io/model_file.hpp"
#include "limber/io/whole_file.hpp"
#include "output_file.hpp"
#include "robot_commands.hpp"

namespace limber::app {
namespace {

struct ExportOptions {
  std::string model, format = "urdf", file;
  int pieces = 0;
  bool force = false;
};

void run_export(const ExportOptions& options, const Common& common) {
  const Model model = read_model(options.model, settings(common));
  if (!options.file.empty())
    check_output({"-o", options.file, {".urdf", ".xml"}}, files_of_model(options.model, ""), options.force);
  const ExportedArm arm =
      export_arm(model, options.format == "mjcf" ? ExportFormat::mjcf : ExportFormat::urdf, options.pieces);
  warn(common, arm.notes);
  if (!options.file.empty()) write_whole_file(options.file, arm.text);
  if (common.json) {
    nlohmann::ordered_json document = {
        {"name", model.name()}, {"format", options.format}, {"pieces", options.pieces}};
    if (options.file.empty())
      document["text"] = arm.text;
    else
      document["file"] = options.file;
    print_json(document);
  } else if (options.file.empty()) {
    fmt::print("{}", arm.text);
  } else {
    fmt::print("{}\n", options.file);
  }
}

}  // namespace

void add_export(CLI::App& app, Common& common) {
  auto options = std::make_shared<ExportOptions>();
  CLI::App* command = add_command(app, common, "export",
                                  "The arm as rigid bodies for other programs: URDF, or MuJoCo's MJCF");
  command->add_option("MODEL", options->model, "Model file (*.yaml, *.urdf)")->required();
  command->add_option("--format", options->format, "urdf or mjcf (default urdf)")
      ->check(CLI::IsMember({"urdf", "mjcf"}));
  command
      ->add_option(
          "--pieces", options->pieces,
          "Cut every beam into so many elements with springs (default 0: every link is one rigid body)")
      ->check(CLI::Range(0, 1000));
  command->add_option("-o,--output", options->file, "File to write; without it, it goes to standard output");
  command->add_flag("--force", options->force, "Write over an existing file");
  add_set_option(*command, common);
  command->callback([options, &common] { run_export(*options, common); });
}

}  // namespace limber::app
