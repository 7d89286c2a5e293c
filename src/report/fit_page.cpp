// SPDX-License-Identifier: BSD-3-Clause
#include "limber/report/fit_page.hpp"

#include <fmt/format.h>

#include <cmath>

#include "fit_figures.hpp"
#include "svg_panel.hpp"

namespace limber {
namespace {

using Eigen::Index;

std::string table_cell(const std::string& text) { return "<td>" + text + "</td>"; }
std::string figure_of(double value, const char* otherwise) {
  return std::isfinite(value) ? fmt::format("{:.5g}", value) : otherwise;
}

std::string parameters_table(const Identified& found) {
  std::string rows =
      "<table><tr><th>parameter</th><th>value</th><th>standard "
      "error</th><th>%</th><th>start</th><th></th></tr>\n";
  for (const FoundParameter& one : found.parameters)
    rows += "<tr>" + table_cell("<code>" + escaped(one.path) + "</code>") +
            table_cell(fmt::format("{:.7g}", one.value)) +
            table_cell(figure_of(one.standard_error, "not told")) +
            table_cell(one.value != 0.0 && std::isfinite(one.standard_error)
                           ? fmt::format("{:.2g}", 100.0 * one.standard_error / std::abs(one.value))
                           : "") +
            table_cell(fmt::format("{:.5g}", one.start)) + table_cell(one.is_at_bound ? "at its bound" : "") +
            "</tr>\n";
  return rows + "</table>\n";
}

/// Cells are the darker, the closer two parameters hang together.
std::string correlation_table(const Identified& found) {
  std::string rows = "<table><tr><th></th>";
  for (std::size_t j = 0; j < found.parameters.size(); ++j) rows += fmt::format("<th>{}</th>", j + 1);
  rows += "</tr>\n";
  for (Index i = 0; i < found.correlation.rows(); ++i) {
    rows += fmt::format("<tr><td>{} <code>{}</code></td>", i + 1,
                        escaped(found.parameters[static_cast<std::size_t>(i)].path));
    for (const double value : found.correlation.row(i))
      rows += std::isfinite(value)
                  ? fmt::format("<td style=\"background: rgba({}, {:.2f})\">{:.3f}</td>",
                                value < 0.0 ? "194, 65, 12" : "11, 110, 153", 0.6 * std::abs(value), value)
                  : "<td>-</td>";
    rows += "</tr>\n";
  }
  return rows + "</table>\n";
}

std::string channels_table(const Identified& found) {
  std::string rows =
      "<table><tr><th>measured</th><th>experiment</th><th>data</th><th>residual, rms</th><th>in standard "
      "deviations</th><th>fit [%]</th><th>whiteness p</th><th>normality p</th></tr>\n";
  for (const FitChannel& one : found.channels) {
    const bool is_course = one.times.size() > 1;
    const double weighted = ((one.computed - one.measured).array() / one.sigma.array()).matrix().norm() /
                            std::sqrt(static_cast<double>(one.measured.size()));
    rows += "<tr>" + table_cell(escaped(one.name)) + table_cell(fmt::format("{}", one.experiment + 1)) +
            table_cell(fmt::format("{}", one.measured.size())) + table_cell(fmt::format("{:.4g}", one.rms)) +
            table_cell(found.estimates_sigma ? "" : fmt::format("{:.3f}", weighted)) +
            table_cell(fmt::format("{:.2f}", one.fit_percent)) +
            table_cell(is_course ? fmt::format("{:.2g}", one.whiteness) : "") +
            table_cell(is_course ? fmt::format("{:.2g}", one.normality) : "") + "</tr>\n";
  }
  return rows + "</table>\n";
}

/// Numbers that were measured once: frequencies, readings at rest.
std::string numbers_table(const FitChannel& channel) {
  std::string rows =
      "<table><tr><th></th><th>measured</th><th>computed</th><th>difference</th><th>in standard "
      "deviations</th></tr>\n";
  for (Index i = 0; i < channel.measured.size(); ++i) {
    const double left = channel.computed[i] - channel.measured[i];
    rows += "<tr>" + table_cell(fmt::format("{}", i + 1)) +
            table_cell(fmt::format("{:.6g}", channel.measured[i])) +
            table_cell(fmt::format("{:.6g}", channel.computed[i])) +
            table_cell(fmt::format("{:+.3g}", left)) +
            table_cell(fmt::format("{:+.2f}", left / channel.sigma[i])) + "</tr>\n";
  }
  return rows + "</table>\n";
}

std::string channel_section(const FitChannel& channel, bool has_several) {
  std::string page = "<h2>" + escaped(channel.name) +
                     (has_several ? fmt::format(", experiment {}", channel.experiment + 1) : "") + "</h2>\n";
  if (channel.times.size() < 2) return page + numbers_table(channel);
  const ResidualStatistics statistics = residual_statistics(channel.computed - channel.measured);
  page += "<div class=\"figures\">\n" + fitted_svg(channel);
  if (statistics.autocorrelation.size() > 0)
    page += residual_svg(channel, statistics) + autocorrelation_svg(channel, statistics) +
            distribution_svg(channel, statistics);
  return page + "</div>\n";
}

}  // namespace

std::string fit_page(const Identified& found, const std::string& title) {
  std::string page = plain_page_head(title);
  page += fmt::format("<p>{}: {} iterations, {} evaluations; fit {:.2f} %{}.</p>\n", escaped(found.end),
                      found.iterations, found.evaluations, found.fit_percent,
                      found.estimates_sigma
                          ? "; standard deviations of the data are estimated from what is left over"
                          : fmt::format("; residuals of {:.3f} standard deviations", found.weighted_rms));
  for (const std::string& sentence : found.warnings)
    page += "<p class=\"bad\">" + escaped(sentence) + "</p>\n";
  page += "<h2>Parameters</h2>\n" + parameters_table(found);
  if (found.parameters.size() > 1)
    page += "<h2>Correlation of the estimates</h2>\n" + correlation_table(found);
  page += "<h2>What was measured</h2>\n" + channels_table(found);
  page +=
      "<p class=\"dim\">Whiteness and normality: probabilities that noise which is white, or normal, looks "
      "as "
      "much unlike it by chance. Small ones say that the model misses something. Grey lines: 95 of 100 "
      "residuals lie between. Blue band: 95 of 100 correlations of white noise do. Orange curve of a "
      "distribution: the normal one.</p>\n";
  bool has_several = false;
  for (const FitChannel& channel : found.channels) has_several = has_several || channel.experiment > 0;
  for (const FitChannel& channel : found.channels) page += channel_section(channel, has_several);
  return page + "</body></html>\n";
}

}  // namespace limber
