// SPDX-License-Identifier: BSD-3-Clause
// limber report RESULT...: animation, plots and a summary of results in one HTML file.

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "limber/core/input_error.hpp"
#include "limber/io/whole_file.hpp"
#include "limber/report/page.hpp"
#include "limber/report/study_page.hpp"
#include "measured_option.hpp"
#include "output_file.hpp"

namespace limber::app {
namespace {

// A study has a page of its own, made of text and pictures.
void report_study(const std::vector<std::string>& results, const std::string& output, const Common& common) {
  if (results.size() > 1)
    throw InputError(Problem{"RESULT", "one result of a study, or several of runs", "a study among several",
                             "each study has its own page"});
  const StudyResult result = read_study_result(results.front());
  const std::string page =
      study_page(result, result.sources.empty() ? results.front() : result.sources.front().name);
  write_whole_file(output, page);
  if (common.json) return print_json({{"report", output}, {"bytes", page.size()}, {"results", results}});
  fmt::print("{} ({:.1f} MB): open it in a browser\n", output, 1e-6 * double(page.size()));
}

}  // namespace

void add_report(CLI::App& app, Common& common) {
  struct Options {
    std::vector<std::string> results;
    std::string output;
    bool force = false;
    MeasuredOptions measured;
  };
  auto options = std::make_shared<Options>();
  CLI::App* command = add_command(app, common, "report", "Animation and plots of results as one HTML file");
  command
      ->add_option("RESULT", options->results,
                   "Results of `limber simulate` (*.h5), several are laid over each other to be compared; or "
                   "the result of "
                   "a study (`limber sweep`)")
      ->required();
  command->add_option("-o,--output", options->output,
                      "The page (HTML); default: the first result's name with .html");
  command->add_flag("--force", options->force, "Replace the page if it exists");
  add_measured_options(*command, options->measured);
  command->footer(
      "The page needs no network and opens in any browser. It holds the texts of model and scenario.\n"
      "  limber simulate models/canadarm/manoeuvre.yaml -o canadarm.h5\n"
      "  limber report canadarm.h5 -o canadarm.html");
  command->callback([options, &common] {
    const std::string output = output_name(options->output, options->results.front(), ".html");
    check_output({"-o", output, {".html", ".htm"}}, {options->results.begin(), options->results.end()},
                 options->force);
    if (std::any_of(options->results.begin(), options->results.end(),
                    [](const std::string& file) { return is_study_result(file); }))
      return report_study(options->results, output, common);
    std::vector<RunRecord> records;
    for (const std::string& file : options->results) records.push_back(read_run(file));
    const std::vector<Residual> residuals = lay_over(options->measured, records);
    const std::string page = run_page(records);
    write_whole_file(output, page);
    for (const RunRecord& record : records)
      for (const std::string& warning : record.warnings()) warn(common, record.file + ": " + warning);
    nlohmann::ordered_json document = {
        {"report", output}, {"bytes", page.size()}, {"results", options->results}};
    if (!residuals.empty()) document["residuals"] = residuals_json(residuals);
    if (common.json) return print_json(document);
    print_residuals(residuals);
    fmt::print("{} ({:.1f} MB): open it in a browser\n", output, 1e-6 * double(page.size()));
  });
}

}  // namespace limber::app
