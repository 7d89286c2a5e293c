// SPDX-License-Identifier: BSD-3-Clause
#include "measured_option.hpp"

#include <fmt/format.h>

#include "limber/core/input_error.hpp"
#include "limber/model/field_rule.hpp"
#include "table.hpp"

namespace limber::app {

void add_measured_options(CLI::App& command, MeasuredOptions& options) {
  CLI::Option* file =
      command.add_option("--measured", options.file,
                         "CSV with a header: what was measured, laid over the first result, with residuals");
  command
      .add_option(
          "--columns", options.columns,
          "CURVE=COLUMN, separated by commas or repeated: which column belongs to which sensor, joint or "
          "FIGURE/CURVE (imu=a_tip, efforts/hub=tau)")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->needs(file);
  command.add_option("--time", options.time, "The column of times in s (default: t, time, or the first)")
      ->needs(file);
}

std::vector<Residual> lay_over(const MeasuredOptions& options, std::vector<RunRecord>& records) {
  if (options.file.empty()) return {};
  if (options.columns.empty())
    throw InputError(
        Problem{"--columns", "CURVE=COLUMN: what was measured", "none", "e.g. --columns imu=a_tip"});
  std::vector<MeasuredColumn> columns;
  for (const std::string& text : options.columns) {
    const std::size_t sign = text.find('=');
    if (sign == 0 || sign == std::string::npos || sign + 1 == text.size())
      throw InputError(Problem{"--columns", "CURVE=COLUMN", show_text(text), "e.g. --columns imu=a_tip"});
    columns.push_back({text.substr(0, sign), text.substr(sign + 1)});
  }
  attach_measured(records.front(), read_number_table(options.file), options.time, columns);
  return residuals(records.front());
}

nlohmann::ordered_json residuals_json(const std::vector<Residual>& residuals) {
  nlohmann::ordered_json all = nlohmann::ordered_json::object();
  for (const Residual& r : residuals)
    all[r.curve] = {{"samples", r.samples},
                    {"rms", r.rms},
                    {"largest", r.largest},
                    {"largest_at", r.largest_at},
                    {"fit_percent", r.fit_percent}};
  return all;
}

void print_residuals(const std::vector<Residual>& residuals) {
  if (residuals.empty()) return;
  using Align = Table::Align;
  Table table({{"measured", ""},
               {"samples", "", Align::right},
               {"rms", "", Align::right},
               {"largest", "", Align::right},
               {"at", "s", Align::right},
               {"fit", "%", Align::right},
               {"unit", ""}});
  for (const Residual& r : residuals)
    table.add_row({r.curve, std::to_string(r.samples), number(r.rms), number(r.largest), number(r.largest_at),
                   fmt::format("{:.1f}", r.fit_percent), r.unit});
  fmt::print("{}\n", table.str());
}

}  // namespace limber::app
