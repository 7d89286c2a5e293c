// limber schema: the model file's format, from the same source as the reader.

#include <fmt/format.h>

#include <memory>

#include "command.hpp"
#include "limber/io/model_schema.hpp"

namespace limber::app {

void add_schema(CLI::App& app, Common& common) {
  CLI::App* command = add_command(app, common, "schema",
                                  "Print the model file's format: tables, or a JSON Schema with --json");
  command->callback(
      [&common] { fmt::print("{}", common.json ? model_json_schema() : model_format_markdown()); });
}

}  // namespace limber::app
