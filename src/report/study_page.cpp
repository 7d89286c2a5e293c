// SPDX-License-Identifier: BSD-3-Clause
#include "limber/report/study_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "limber/io/scenario_file.hpp"
#include "limber/io/setting.hpp"
#include "limber/report/study_statistics.hpp"
#include "study_figures.hpp"
#include "svg_panel.hpp"

namespace limber {
namespace {

std::string number(double value) { return std::isfinite(value) ? fmt::format("{:.5g}", value) : "-"; }

std::string cell(const std::string& text) { return "<td>" + text + "</td>"; }

std::string measures_table(const StudyResult& result) {
  std::string rows =
      "<table><tr><th>measure</th><th>mean</th><th>std. dev.</th><th>smallest</th><th>5 "
      "%</th><th>median</th><th>95 %</th><th>largest</th></tr>\n";
  for (std::size_t m = 0; m < result.measures.size(); ++m) {
    const MeasureSummary s = summary(result.values.col(static_cast<Eigen::Index>(m)));
    rows += "<tr>" + cell(escaped(result.measures[m]));
    for (const double value :
         {s.mean, s.standard_deviation, s.smallest, s.percentile_5, s.median, s.percentile_95, s.largest})
      rows += cell(number(value));
    rows += "</tr>\n";
  }
  return rows + "</table>\n";
}

/// What was given besides the study, as words of a command.
std::string given_settings(const StudyResult& result) {
  const bool has_some = !result.sources.empty() && result.sources.back().name == settings_source;
  return has_some ? command_words(parse_settings_text(result.sources.back().text)) : "";
}

/// The command that computes a variant by itself; of a search, that of its task, for the file beside the study.
std::string replay_of(const StudyResult& result, const std::string& study_file, long variant) {
  if (result.optimum.goals.empty())
    return fmt::format("<code>{} --replay {}</code>",
                       escaped("limber sweep " + shell_word(study_file) + given_settings(result)), variant);
  std::string command = result.optimum.command;
  for (std::size_t j = 0; j < result.paths.size(); ++j)
    command += " --set " + shell_word(fmt::format("{}={}", result.paths[j],
                                                  result.parameters(variant, static_cast<Eigen::Index>(j))));
  return "<details><summary>command</summary><code>" + escaped(command) + "</code></details>";
}

/// What a search was asked for.
std::string goal_words(const StudyOptimum& optimum) {
  std::string words;
  for (std::size_t i = 0; i < optimum.goals.size(); ++i)
    words += (i > 0 ? ", " : "") + escaped(optimum.senses[i] + " " + optimum.goals[i]);
  for (std::size_t i = 0; i < optimum.limited.size(); ++i) {
    const auto row = optimum.limits.row(static_cast<Eigen::Index>(i));
    if (std::isfinite(row[0])) words += fmt::format("; {} &ge; {:g}", escaped(optimum.limited[i]), row[0]);
    if (std::isfinite(row[1])) words += fmt::format("; {} &le; {:g}", escaped(optimum.limited[i]), row[1]);
  }
  return words;
}

/// The best designs, with all their numbers.
std::string found_table(const StudyResult& result, const std::string& study_file) {
  if (result.optimum.found.empty())
    return "<p class=\"bad\">No design was found that keeps to all limits.</p>\n";
  std::string rows = "<table><tr><th>variant</th>";
  for (const std::string& name : result.measures) rows += "<th>" + escaped(name) + "</th>";
  for (const std::string& path : result.paths) rows += "<th>" + escaped(short_path(path)) + "</th>";
  rows += "<th>its own run</th></tr>\n";
  for (const FoundVariant& one : result.optimum.found) {
    rows += "<tr title=\"" + escaped(one.end) + "\">" + cell(std::to_string(one.variant));
    for (const double value : result.values.row(one.variant)) rows += cell(number(value));
    for (const double value : result.parameters.row(one.variant)) rows += cell(number(value));
    rows += "<td class=\"left\">" + replay_of(result, study_file, one.variant) + "</td></tr>\n";
  }
  return rows + "</table>\n<p class=\"dim\">" + escaped(result.optimum.found.front().end) + "</p>\n";
}

/// The variants at both ends of a measure.
std::string worst_table(const StudyResult& result, std::size_t measure, const std::string& study_file) {
  const Eigen::VectorXd values = result.values.col(static_cast<Eigen::Index>(measure));
  std::vector<long> order;
  for (Eigen::Index k = 0; k < values.size(); ++k)
    if (std::isfinite(values[k])) order.push_back(static_cast<long>(k));
  std::stable_sort(order.begin(), order.end(), [&](long a, long b) { return values[a] > values[b]; });
  constexpr std::size_t at_each_end = 5;
  if (order.size() > 2 * at_each_end)
    order.erase(order.begin() + at_each_end, order.end() - static_cast<std::ptrdiff_t>(at_each_end));
  std::string rows = fmt::format("<h3>{}</h3><table><tr><th>variant</th><th>{}</th>",
                                 escaped(result.measures[measure]), escaped(result.measures[measure]));
  constexpr std::size_t most_columns = 6;
  const std::size_t columns = std::min(most_columns, result.paths.size());
  for (std::size_t j = 0; j < columns; ++j) rows += "<th>" + escaped(short_path(result.paths[j])) + "</th>";
  rows += "<th>its own run</th></tr>\n";
  for (const long k : order) {
    rows += "<tr>" + cell(std::to_string(k)) + cell(number(values[k]));
    for (std::size_t j = 0; j < columns; ++j)
      rows += cell(number(result.parameters(k, static_cast<Eigen::Index>(j))));
    rows += "<td class=\"left\">" + replay_of(result, study_file, k) + "</td></tr>\n";
  }
  return rows + "</table>\n";
}

std::string failures(const StudyResult& result, const std::string& study_file) {
  if (result.failed.empty()) return "<p>None.</p>\n";
  constexpr std::size_t most = 50;
  std::string rows = fmt::format(
      "<p class=\"bad\">{} of {} variants failed{}.</p><table><tr><th>variant</th><th>reason</th><th>its own "
      "run</th></tr>\n",
      result.failed.size(), result.values.rows(),
      result.failed.size() > most ? fmt::format("; the first {}", most) : "");
  for (std::size_t i = 0; i < std::min(most, result.failed.size()); ++i)
    rows += "<tr>" + cell(std::to_string(result.failed[i].variant)) + "<td class=\"left\">" +
            escaped(result.failed[i].reason) + "</td><td class=\"left\">" +
            replay_of(result, study_file, result.failed[i].variant) + "</td></tr>\n";
  return rows + "</table>\n";
}

/// What takes the place of distributions and indices where the best was looked for.
std::string search_sections(const StudyResult& result, const std::string& study_file) {
  const bool is_front = result.optimum.goals.size() == 2;
  std::string page = std::string("<h2>") + (is_front ? "The front" : "The best") + "</h2>\n<p>" +
                     goal_words(result.optimum) + ".</p>\n";
  if (is_front) page += "<div class=\"figures\">" + front_svg(result) + "</div>\n";
  page += found_table(result, study_file);
  page +=
      "<h2>The search</h2>\n<p class=\"dim\">Variants in the order in which they were asked for; grey: "
      "beyond a "
      "limit; orange: what was found.</p>\n<div class=\"figures\">\n";
  constexpr std::size_t most = 12;
  for (std::size_t m = 0; m < std::min(most, result.measures.size()); ++m) page += search_svg(result, m);
  return page + "</div>\n<h2>Variants that failed</h2>\n" + failures(result, study_file);
}

std::string files(const StudyResult& result) {
  std::string page = "<h2>Files</h2>\n";
  for (const SourceText& source : result.sources)
    page += "<details><summary>" + escaped(source.name) + "</summary><pre>" + escaped(source.text) +
            "</pre></details>\n";
  return page;
}

}  // namespace

std::string study_page(const StudyResult& result, const std::string& study_file) {
  std::string page = plain_page_head(study_file);
  page +=
      fmt::format("<p>{} variants by {}, task {}; {} failed, {} not computed yet. {}, {}.</p>\n",
                  result.values.rows(), escaped(result.method), escaped(result.task), result.failed.size(),
                  result.waiting(), escaped(result.program), escaped(result.status));
  if (!result.optimum.goals.empty())
    return page + search_sections(result, study_file) + files(result) + "</body></html>\n";
  page += "<h2>Measures</h2>\n" + measures_table(result);

  page += "<h2>Distributions</h2>\n<div class=\"figures\">\n";
  constexpr std::size_t most_measures = 12, most_parameters = 12;
  const std::size_t measures = std::min(most_measures, result.measures.size()),
                    parameters = std::min(most_parameters, result.paths.size());
  for (std::size_t m = 0; m < measures; ++m) page += histogram_svg(result, m);
  page += "</div>\n";

  bool has_indices = false;
  std::string indices;
  for (std::size_t m = 0; m < measures && result.indices.first_order.rows() > 0; ++m) {
    const double explained = result.indices.explained[static_cast<Eigen::Index>(m)];
    if (!std::isfinite(explained)) continue;
    has_indices = true;
    indices +=
        "<figure>" + indices_svg(result, m) +
        fmt::format("<figcaption class=\"dim\">rest on {:.1f} % of the variance</figcaption></figure>\n",
                    100.0 * explained);
  }
  if (has_indices)
    page +=
        "<h2>What matters: Sobol's indices</h2>\n<p class=\"dim\">Blue: first order, the part of the "
        "variance that would be gone if this value "
        "were known. Orange: total, what would be left if all others were. Lines: 95 % bounds.</p>\n<div "
        "class=\"figures\">" +
        indices + "</div>\n";

  page +=
      "<h2>Measures over parameters</h2>\n<p class=\"dim\">A dot is a variant; orange: the mean of each "
      "part, with its 95 % interval (main "
      "effect).</p>\n<div class=\"figures\">\n";
  for (std::size_t m = 0; m < measures; ++m)
    for (std::size_t j = 0; j < parameters; ++j) page += scatter_svg(result, m, j);
  page += "</div>\n";
  if (measures > 1) {
    constexpr std::size_t most_pairs = 6;
    page += "<h2>Measures against each other</h2>\n<div class=\"figures\">\n";
    for (std::size_t i = 0; i < std::min(measures, most_pairs); ++i)
      for (std::size_t j = i + 1; j < std::min(measures, most_pairs); ++j) page += pair_svg(result, i, j);
    page += "</div>\n";
  }
  if (measures < result.measures.size() || parameters < result.paths.size())
    page += fmt::format("<p class=\"dim\">Shown: the first {} of {} measures, and {} of {} parameters.</p>\n",
                        measures, result.measures.size(), parameters, result.paths.size());

  page += "<h2>Variants at the ends</h2>\n";
  for (std::size_t m = 0; m < measures; ++m) page += worst_table(result, m, study_file);
  page += "<h2>Variants that failed</h2>\n" + failures(result, study_file);
  return page + files(result) + "</body></html>\n";
}

}  // namespace limber
