// SPDX-License-Identifier: BSD-3-Clause
// limber derive MODEL: the equations of motion as formulas or as code.

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "formulation_option.hpp"
#include "limber/core/input_error.hpp"
#include "limber/io/model_file.hpp"
#include "limber/io/whole_file.hpp"
#include "limber/model/friction.hpp"
#include "limber/symbolic/documents.hpp"
#include "output_file.hpp"
#include "point_option.hpp"
#include "progress.hpp"
#include "table.hpp"

namespace limber::app {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

struct DeriveOptions {
  std::string model, format = "text", parameters, only, at, folder, real = "double",
                     formulation = "recursive";
  DualScrewWords dual_screw;
  int digits = 10;
  long most_terms = 2000000;  // about 400 MB
  bool force = false, expand = false;
};

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

ParameterStyle style_of(const DeriveOptions& options) {
  if (options.parameters == "numbers") return ParameterStyle::numbers;
  if (options.parameters == "constants") return ParameterStyle::constants;
  if (options.parameters == "symbols") return ParameterStyle::symbols;
  return default_style(options.format);
}

// Before any work: a folder that can be written, or made in one that can.
void refuse_wrong_folder(const std::string& name) {
  fs::path folder = fs::absolute(name).lexically_normal();
  std::error_code failed;
  while (!fs::exists(folder, failed) && folder.has_relative_path()) folder = folder.parent_path();
  if (!fs::is_directory(folder, failed))
    throw InputError(Problem{"-o", "a folder, or the name of a new one", "`" + folder.string() + "`, a file",
                             "the files' own names follow from the model's"});
  const WholeFile attempt(folder / "equations");
}

void write(const std::vector<Document>& files, const DeriveOptions& options) {
  const fs::path folder = options.folder;
  const InputFiles inputs = files_of_model(options.model, "");
  std::error_code failed;
  fs::create_directories(folder, failed);
  for (const auto& [name, text] : files) {
    const fs::path file = folder / name;
    check_output({"-o", file.string(), {file.extension().string()}}, inputs, options.force);
  }
  for (const auto& [name, text] : files) write_whole_file(folder / name, text);
}

void run_derive(const DeriveOptions& options, const Common& common) {
  const auto start = Clock::now();
  if (!options.folder.empty()) refuse_wrong_folder(options.folder);
  Model model = read_model(options.model, settings(common));
  if (!options.at.empty()) {
    const Frame point = point_named(options.at, model);
    model = with_end_effector(model, point);
  }
  if (has_friction(model))
    warn(common,
         "friction is no part of the equations: their tau is what is left of the efforts after it "
         "(docs/friction.md)");
  // Signals end it at once: what was derived so far is lost in any case, and to give its memory back, term by term, would
  // only take long.
  StageDisplay progress("derive", common.quiet);
  EquationsOptions how;
  how.parameters = style_of(options);
  if (!options.only.empty()) how.only = parse_selection(options.only, model);
  how.digits = options.digits;
  how.form = options.expand ? FormulaForm::expanded : FormulaForm::shorter;
  how.most_terms = static_cast<std::size_t>(options.most_terms);
  how.progress = [&](const std::string& what, double part) { progress.show(what, part); };
  const FormulationOptions chosen =
      formulation_options(formulation_named(options.formulation), options.dual_screw, model);
  if (options.formulation == "dual-screw")
    how.linear = LinearEquations{chosen.consistent, {}, chosen.nonlinear_coordinates};
  Equations equations(model, how);
  const std::vector<Document> files =
      write_documents(equations, options.format,
                      options.real == "float" ? CodeReal::single_precision : CodeReal::double_precision);
  progress.clear();
  const EquationsReport& report = equations.report();
  if (!options.folder.empty()) write(files, options);
  if (common.json) {
    auto names = nlohmann::ordered_json::array();
    nlohmann::ordered_json text = nlohmann::ordered_json::object();
    for (const auto& [name, content] : files) {
      names.push_back(options.folder.empty() ? name : (fs::path(options.folder) / name).string());
      if (options.folder.empty()) text[name] = content;
    }
    nlohmann::ordered_json document = {
        {"name", model.name()},
        {"format", options.format},
        {"files", names},
        {"entries", report.entries},
        {"zero_entries", report.zero_entries},
        {"terms", report.terms},
        {"parts", report.parts},
        {"operations",
         {{"written_out", report.written_out}, {"shared", report.shared}, {"simplified", report.simplified}}},
        {"wall_s", seconds_since(start)}};
    if (options.folder.empty()) document["text"] = text;
    print_json(document);
    return;
  }
  if (options.folder.empty()) {
    fmt::print("{}", files.front().text);
  } else {
    for (const auto& file : files) fmt::print("{}\n", (fs::path(options.folder) / file.name).string());
  }
  if (!common.quiet)
    print_error_text(
        fmt::format("{} entries, {} of them zero; operations: {:.4g} written out, {} with common parts once, "
                    "{} as printed{}; {:.2g} s\n",
                    report.entries, report.zero_entries, report.written_out, report.shared, report.simplified,
                    report.parts == 0 ? "" : fmt::format(", {} parts", report.parts), seconds_since(start)));
}

}  // namespace

void add_derive(CLI::App& app, Common& common) {
  auto options = std::make_shared<DeriveOptions>();
  CLI::App* command =
      add_command(app, common, "derive", "Equations of motion as formulas (text, LaTeX) or as code");
  command->add_option("MODEL", options->model, "Model file (*.yaml)")->required();
  add_set_option(*command, common);
  std::vector<std::string> names, meanings;
  for (const DocumentFormat& format : document_formats()) {
    names.push_back(format.name);
    meanings.push_back(fmt::format("{} ({})", format.name, format.meaning));
  }
  command
      ->add_option("--format", options->format,
                   fmt::format("{}. Code comes with its test (default text)", fmt::join(meanings, ", ")))
      ->check(CLI::IsMember(names));
  command->add_option("--real", options->real, "Numbers of C: double or float (default double)")
      ->check(CLI::IsMember({"double", "float"}));
  command
      ->add_option("--parameters", options->parameters,
                   "symbols: lengths, masses, EI ... have names; constants: so do the shapes' integrals; "
                   "numbers (default: symbols; for code that computes numbers)")
      ->check(CLI::IsMember({"symbols", "constants", "numbers"}));
  command->add_option(
      "--only", options->only,
      "Part of M C K D G B h J rest T V pose Kt Y c A gamma l S, for text and LaTeX: M[1,1],G; linear: "
      "M,D,Kt,B; Y: the "
      "regressor; c, A, gamma: closed loops; l, S: cylinders");
  command->add_option("--at", options->at,
                      "J and pose of another point: LINK@X, X from 0 (root) to 1 (tip) of its length "
                      "(default: the end effector)");
  command->add_option("-o,--output", options->folder,
                      "Folder for the files; without it text goes to standard output");
  command->add_flag("--force", options->force, "Write over existing files");
  command
      ->add_option("--formulation", options->formulation,
                   "recursive (the nonlinear model, default) or dual-screw: of first order in elastic states")
      ->check(CLI::IsMember({"recursive", "dual-screw"}));
  add_dual_screw_options(*command, options->dual_screw);
  command->add_flag("--expand", options->expand,
                    "Formulas multiplied out, however long; else long ones have parts with names");
  command->add_option("--digits", options->digits, "Digits of numbers in formulas (default 10)")
      ->check(CLI::Range(3, std::numeric_limits<double>::max_digits10));
  command
      ->add_option("--max-terms", options->most_terms,
                   "Most terms that are held at a time, then it gives up (default 2000000, about 400 MB)")
      ->check(CLI::Range(1000L, 1000000000L));
  command->callback([options, &common] { run_derive(*options, common); });
}

}  // namespace limber::app
