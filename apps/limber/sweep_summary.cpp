// SPDX-License-Identifier: BSD-3-Clause
#include "sweep_summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "limber/model/field_rule.hpp"
#include "limber/report/study_statistics.hpp"
#include "table.hpp"

namespace limber::app {
namespace {

using Json = nlohmann::ordered_json;

Json number_or_null(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json summaries_json(const StudyResult& result) {
  Json all = Json::object();
  for (std::size_t m = 0; m < result.measures.size(); ++m) {
    const MeasureSummary s = summary(result.values.col(static_cast<Eigen::Index>(m)));
    all[result.measures[m]] = {
        {"mean", number_or_null(s.mean)},     {"standard_deviation", number_or_null(s.standard_deviation)},
        {"min", number_or_null(s.smallest)},  {"percentile_5", number_or_null(s.percentile_5)},
        {"median", number_or_null(s.median)}, {"percentile_95", number_or_null(s.percentile_95)},
        {"max", number_or_null(s.largest)},   {"min_variant", s.smallest_variant},
        {"max_variant", s.largest_variant}};
  }
  return all;
}

Json indices_json(const StudyResult& result) {
  const StudyIndices& indices = result.indices;
  Json all = Json::object();
  for (Eigen::Index m = 0; m < indices.first_order.rows(); ++m) {
    if (!std::isfinite(indices.explained[m])) continue;
    Json of = Json::object();
    for (Eigen::Index j = 0; j < indices.first_order.cols(); ++j)
      of[result.paths[static_cast<std::size_t>(j)]] = {
          {"first_order", indices.first_order(m, j)},
          {"first_order_bounds", {indices.first_lower(m, j), indices.first_upper(m, j)}},
          {"total", indices.total(m, j)},
          {"total_bounds", {indices.total_lower(m, j), indices.total_upper(m, j)}}};
    all[result.measures[static_cast<std::size_t>(m)]] = {{"explained", indices.explained[m]},
                                                         {"parameters", of}};
  }
  return all;
}

Json optimum_json(const StudyResult& result) {
  const StudyOptimum& optimum = result.optimum;
  Json goals = Json::object(), variants = Json::array(), constraints = Json::array();
  for (std::size_t i = 0; i < optimum.goals.size(); ++i) goals[optimum.goals[i]] = optimum.senses[i];
  for (std::size_t i = 0; i < optimum.limited.size(); ++i) {
    const auto row = optimum.limits.row(static_cast<Eigen::Index>(i));
    constraints.push_back({{"measure", optimum.limited[i]},
                           {"above", number_or_null(row[0])},
                           {"below", number_or_null(row[1])}});
  }
  for (const FoundVariant& one : optimum.found) {
    Json measures = Json::object();
    for (std::size_t m = 0; m < result.measures.size(); ++m)
      measures[result.measures[m]] = number_or_null(result.values(one.variant, static_cast<Eigen::Index>(m)));
    variants.push_back({{"variant", one.variant},
                        {"parameters", parameters_json(result, one.variant)},
                        {"measures", measures},
                        {"end", one.end}});
  }
  return {{"goals", goals}, {"constraints", constraints}, {"variants", variants}};
}

/// What a search has found: of two goals, of the front as many rows as a screen has.
void print_optimum(const StudyResult& result) {
  using Align = Table::Align;
  const StudyOptimum& optimum = result.optimum;
  std::string words;
  for (std::size_t i = 0; i < optimum.goals.size(); ++i)
    words += (i > 0 ? ", " : "") + optimum.senses[i] + " " + optimum.goals[i];
  for (std::size_t i = 0; i < optimum.limited.size(); ++i) {
    const auto row = optimum.limits.row(static_cast<Eigen::Index>(i));
    if (std::isfinite(row[0])) words += fmt::format("; {} above {:g}", optimum.limited[i], row[0]);
    if (std::isfinite(row[1])) words += fmt::format("; {} below {:g}", optimum.limited[i], row[1]);
  }
  fmt::print("  {}\n\n", words);
  if (optimum.found.size() == 1) {
    const FoundVariant& best = optimum.found.front();
    Table table({{"value", ""}, {"best", "", Align::right}});
    for (std::size_t j = 0; j < result.paths.size(); ++j)
      table.add_row({result.paths[j], number(result.parameters(best.variant, static_cast<Eigen::Index>(j)))});
    for (std::size_t m = 0; m < result.measures.size(); ++m)
      table.add_row({result.measures[m], number(result.values(best.variant, static_cast<Eigen::Index>(m)))});
    fmt::print("{}{}\n\n", table.str(),
               styled(Style::dim,
                      fmt::format("  variant {} of {}; {}", best.variant, result.values.rows(), best.end)));
    return;
  }
  std::vector<Table::Column> columns = {{"variant", "", Align::right}};
  for (const auto* names : {&result.measures, &result.paths})
    for (const std::string& name : *names) columns.push_back({name, "", Align::right});
  Table table(columns);
  for (const FoundVariant& one : optimum.found) {
    std::vector<std::string> row = {std::to_string(one.variant)};
    for (const double value : result.values.row(one.variant)) row.push_back(number(value));
    for (const double value : result.parameters.row(one.variant)) row.push_back(number(value));
    table.add_row(row);
  }
  fmt::print("{}\n", table.str());
}

}  // namespace

nlohmann::ordered_json parameters_json(const StudyResult& result, long variant) {
  Json parameters = Json::object();
  for (std::size_t j = 0; j < result.paths.size(); ++j)
    parameters[result.paths[j]] = result.parameters(variant, static_cast<Eigen::Index>(j));
  return parameters;
}

nlohmann::ordered_json sweep_json(const StudyResult& result, const std::string& output) {
  Json failed = Json::array();
  constexpr std::size_t most = 1000;
  for (std::size_t i = 0; i < std::min(most, result.failed.size()); ++i)
    failed.push_back({{"variant", result.failed[i].variant},
                      {"reason", result.failed[i].reason},
                      {"parameters", parameters_json(result, result.failed[i].variant)}});
  Json all = {{"status", result.status},
              {"task", result.task},
              {"method", result.method},
              {"samples", result.values.rows()},
              {"paths", result.paths},
              {"measures", summaries_json(result)},
              {"sensitivity", indices_json(result)},
              {"failed", failed},
              {"failed_count", result.failed.size()},
              {"waiting", result.waiting()},
              {"result", output}};
  if (!result.optimum.goals.empty()) all["optimum"] = optimum_json(result);
  return all;
}

void print_sweep(const StudyResult& result) {
  using Align = Table::Align;
  if (!result.optimum.goals.empty()) return print_optimum(result);
  Table measures({{"measure", ""},
                  {"mean", "", Align::right},
                  {"std. dev.", "", Align::right},
                  {"smallest", "", Align::right},
                  {"median", "", Align::right},
                  {"largest", "", Align::right},
                  {"in variant", "", Align::right}});
  for (std::size_t m = 0; m < result.measures.size(); ++m) {
    const MeasureSummary s = summary(result.values.col(static_cast<Eigen::Index>(m)));
    measures.add_row({result.measures[m], number(s.mean), number(s.standard_deviation), number(s.smallest),
                      number(s.median), number(s.largest), std::to_string(s.largest_variant)});
  }
  fmt::print("{}\n", measures.str());
  const StudyIndices& indices = result.indices;
  for (Eigen::Index m = 0; m < indices.first_order.rows(); ++m) {
    if (!std::isfinite(indices.explained[m])) continue;
    Table table({{result.measures[static_cast<std::size_t>(m)], "varies with"},
                 {"first order", "", Align::right},
                 {"95 %", "", Align::right},
                 {"total", "", Align::right},
                 {"95 %", "", Align::right}});
    for (Eigen::Index j = 0; j < indices.first_order.cols(); ++j)
      table.add_row({result.paths[static_cast<std::size_t>(j)],
                     fmt::format("{:.3f}", indices.first_order(m, j)),
                     fmt::format("{:.3f} - {:.3f}", indices.first_lower(m, j), indices.first_upper(m, j)),
                     fmt::format("{:.3f}", indices.total(m, j)),
                     fmt::format("{:.3f} - {:.3f}", indices.total_lower(m, j), indices.total_upper(m, j))});
    fmt::print("{}{}\n\n", table.str(),
               styled(Style::dim, fmt::format("  Sobol's indices; they rest on {:.1f} % of the variance",
                                              100.0 * indices.explained[m])));
  }
  if (result.failed.empty()) return;
  fmt::print("  {}\n", styled(Style::bad, fmt::format("{} of {} variants failed; the first ones:",
                                                      result.failed.size(), result.values.rows())));
  constexpr std::size_t shown = 3;
  for (std::size_t i = 0; i < std::min(shown, result.failed.size()); ++i)
    fmt::print("  {:6}  {}\n", result.failed[i].variant, show_text(result.failed[i].reason, 160));
}

}  // namespace limber::app
