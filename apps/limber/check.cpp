// limber check FILE: is it a valid model?

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "limber/io/model_file.hpp"
#include "limber/model/model.hpp"
#include "table.hpp"

namespace limber::app {
namespace {

void check_file(const std::string& file, const Common& common) {
  const Model model = read_model(file);
  const auto sentences = advice(model);
  if (common.json) {
    print_json({{"valid", true},
                {"kind", "model"},
                {"name", model.name},
                {"nq", model.nq},
                {"nv", model.nv},
                {"warnings", sentences}});
    return;
  }
  for (const std::string& sentence : sentences) warn(common, sentence);
  fmt::print("{} {} is a valid model: {}, {} link{}, {} coordinate{}\n", styled(Style::good, "ok"), file,
             model.name, model.links.size(), model.links.size() == 1 ? "" : "s", model.nv,
             model.nv == 1 ? "" : "s");
}

}  // namespace

void add_check(CLI::App& app, Common& common) {
  CLI::App* command = add_command(app, common, "check", "Check a model file: every mistake with its place");
  auto file = std::make_shared<std::string>();
  command->add_option("FILE", *file, "Model file (*.yaml)")->required();
  command->callback([file, &common] { check_file(*file, common); });
}

}  // namespace limber::app
