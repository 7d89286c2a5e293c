// SPDX-License-Identifier: BSD-3-Clause
// limber plot RESULT...: one figure as SVG.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <memory>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "limber/core/input_error.hpp"
#include "limber/io/whole_file.hpp"
#include "limber/model/field_rule.hpp"
#include "limber/report/page.hpp"
#include "limber/report/svg.hpp"
#include "measured_option.hpp"
#include "output_file.hpp"

namespace limber::app {
namespace {

struct PlotOptions {
  std::vector<std::string> results, only;
  std::string what, output, plane;
  SvgOptions svg;
  bool degrees = false, force = false;
  MeasuredOptions measured;
};

std::vector<std::string> drawable() {
  std::vector<std::string> names = {"motion"};
  names.insert(names.end(), figure_names().begin(), figure_names().end());
  return names;
}

std::string picture(const PlotOptions& options) {
  std::vector<RunRecord> records;
  for (const std::string& file : options.results) records.push_back(read_run(file));
  lay_over(options.measured, records);
  if (options.what == "motion") {
    if (records.size() > 1)
      throw InputError(Problem{"RESULT", "one result for --what motion", fmt::format("{}", records.size()),
                               "`limber report` shows several arms in one scene"});
    return motion_svg(records.front(), options.svg);
  }
  std::vector<Figure> same;
  for (const RunRecord& record : records) {
    same.push_back(figure(record, options.what));
    if (!options.only.empty()) same.back() = only(same.back(), options.only, record.arm());
    if (options.degrees) same.back() = in_degrees(std::move(same.back()));
  }
  const auto names =
      records.size() > 1 ? labels(records) : std::vector<std::string>{records.front().arm().name};
  return figure_svg(same, names, options.svg);
}

// Two different axes, the first to the right: `xz`.
std::array<int, 2> plane_of(const std::string& text) {
  constexpr std::string_view axes = "xyz";
  if (text.size() == 2 && text[0] != text[1])
    if (const auto right = axes.find(text[0]), up = axes.find(text[1]); right != axes.npos && up != axes.npos)
      return {static_cast<int>(right), static_cast<int>(up)};
  throw InputError(Problem{"--plane", "two of x, y and z, the first to the right: xz", show_text(text), ""});
}

void check_options(PlotOptions& options) {
  const auto names = drawable();
  if (std::find(names.begin(), names.end(), options.what) == names.end())
    throw InputError(Problem{"--what", "one of " + fmt::format("{}", fmt::join(names, ", ")),
                             show_text(options.what), did_you_mean(options.what, names)});
  const bool is_motion = options.what == "motion";
  if (!options.plane.empty()) {
    options.svg.plane = plane_of(options.plane);
    if (!is_motion)
      throw InputError(Problem{"--plane", "--what motion", show_text(options.what), "leave out --plane"});
  }
  if (is_motion && !options.only.empty())
    throw InputError(
        Problem{"--only", "a figure with curves", "--what motion", "it shows the arm as a whole"});
  if (options.svg.from && options.svg.to && !(*options.svg.from < *options.svg.to))
    throw InputError(Problem{"--from, --to", "--from before --to",
                             fmt::format("{:g} and {:g}", *options.svg.from, *options.svg.to), ""});
}

}  // namespace

void add_plot(CLI::App& app, Common& common) {
  auto options = std::make_shared<PlotOptions>();
  CLI::App* command = add_command(app, common, "plot", "One figure of results as SVG, for papers");
  command
      ->add_option("RESULT", options->results,
                   "Results of `limber simulate` (*.h5); several are laid over each other")
      ->required();
  command->add_option("--what", options->what, fmt::format("What to draw: {}", fmt::join(drawable(), ", ")))
      ->required();
  command
      ->add_option("--only", options->only,
                   "These joints, links or curves alone, separated by commas; may be repeated")
      ->delimiter(',')
      ->allow_extra_args(false);
  add_measured_options(*command, options->measured);
  command->add_flag("--degrees", options->degrees, "Angles in degrees (default: radians)");
  command->add_option("-o,--output", options->output,
                      "The picture (SVG); default: the result's name with .svg");
  command->add_option("--from", options->svg.from, "Where the x axis begins (s, or Hz for spectrum)");
  command->add_option("--to", options->svg.to, "Where it ends");
  command->add_option("--width", options->svg.width, "Pixels (default 720)")->check(CLI::Range(240, 10000));
  command
      ->add_option("--height", options->svg.height,
                   "Pixels (default 420, more for the panels of several results)")
      ->check(CLI::Range(160, 10000));
  command
      ->add_option("--snapshots", options->svg.snapshots, "With --what motion: how many moments (default 9)")
      ->check(CLI::Range(1, 1000));
  command->add_option(
      "--plane", options->plane,
      "With --what motion: two axes, the first to the right, e.g. xz (default: the plane in which "
      "the links sweep most)");
  command->add_flag("--force", options->force, "Replace the picture if it exists");
  command->callback([options, &common] {
    check_options(*options);
    const std::string output = output_name(options->output, options->results.front(), ".svg");
    if (const auto ending = std::filesystem::path(output).extension(); !ending.empty() && ending != ".svg")
      throw InputError(Problem{"-o", "a name that ends in .svg", "`" + output + "`", "pictures are SVG"});
    check_output({"-o", output, {".svg"}}, {options->results.begin(), options->results.end()},
                 options->force);
    const std::string svg = picture(*options);
    write_whole_file(output, svg);
    if (common.json)
      print_json({{"picture", output}, {"what", options->what}, {"bytes", svg.size()}});
    else
      fmt::print("{} ({:.0f} kB)\n", output, 1e-3 * double(svg.size()));
  });
}

}  // namespace limber::app
