// limber plot RESULT...: one figure as SVG.

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "limber/core/input_error.hpp"
#include "limber/report/page.hpp"
#include "limber/report/svg.hpp"
#include "output_file.hpp"

namespace limber::app {
namespace {

struct Options {
  std::vector<std::string> results;
  std::string what, output;
  SvgOptions svg;
  bool force = false;
};

std::string choices() {
  std::string names = "motion";
  for (const std::string& name : figure_names()) names += ", " + name;
  return names;
}

std::string picture(const Options& options) {
  std::vector<RunRecord> records;
  for (const std::string& file : options.results) records.push_back(read_run(file));
  if (options.what == "motion") {
    if (records.size() > 1)
      throw InputError(Problem{"RESULT", "one result for --what motion", fmt::format("{}", records.size()),
                               "`limber report` shows several arms in one scene"});
    return motion_svg(records.front(), options.svg);
  }
  std::vector<Figure> same;
  for (const RunRecord& record : records) same.push_back(figure(record, options.what));
  const auto names =
      records.size() > 1 ? labels(records) : std::vector<std::string>{records.front().model().name};
  return figure_svg(same, names, options.svg);
}

void check_options(const Options& options) {
  const auto& names = figure_names();
  if (options.what != "motion" && std::find(names.begin(), names.end(), options.what) == names.end())
    throw InputError(Problem{"--what", "one of " + choices(), "`" + options.what + "`", ""});
  if (options.svg.from && options.svg.to && !(*options.svg.from < *options.svg.to))
    throw InputError(Problem{"--from, --to", "--from before --to",
                             fmt::format("{:g} and {:g}", *options.svg.from, *options.svg.to), ""});
}

}  // namespace

void add_plot(CLI::App& app, Common& common) {
  auto options = std::make_shared<Options>();
  CLI::App* command = add_command(app, common, "plot", "One figure of results as SVG, for papers");
  command
      ->add_option("RESULT", options->results,
                   "Results of `limber simulate` (*.h5); several are laid over each other")
      ->required();
  command->add_option("--what", options->what, "What to draw: " + choices())->required();
  command->add_option("-o,--output", options->output,
                      "The picture (SVG); default: the result's name with .svg");
  command->add_option("--from", options->svg.from, "Where the x axis begins (s, or Hz for spectrum)");
  command->add_option("--to", options->svg.to, "Where it ends");
  command->add_option("--width", options->svg.width, "Pixels (default 720)")->check(CLI::Range(240, 10000));
  command->add_option("--height", options->svg.height, "Pixels (default 420)")->check(CLI::Range(160, 10000));
  command
      ->add_option("--snapshots", options->svg.snapshots, "With --what motion: how many moments (default 9)")
      ->check(CLI::Range(1, 1000));
  command->add_flag("--force", options->force, "Replace the picture if it exists");
  command->callback([options, &common] {
    check_options(*options);
    const std::string output = output_name(options->output, options->results.front(), ".svg");
    if (const auto ending = std::filesystem::path(output).extension(); !ending.empty() && ending != ".svg")
      throw InputError(Problem{"-o", "a name that ends in .svg", "`" + output + "`", "pictures are SVG"});
    refuse_existing_output(output, options->force);
    const std::string svg = picture(*options);
    write_whole_file(output, svg);
    if (common.json)
      print_json({{"picture", output}, {"what", options->what}, {"bytes", svg.size()}});
    else
      fmt::print("{} ({:.0f} kB)\n", output, 1e-3 * double(svg.size()));
  });
}

}  // namespace limber::app
