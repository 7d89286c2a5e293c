// SPDX-License-Identifier: BSD-3-Clause
#include "section_figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "limber/analysis/section_forces.hpp"

namespace limber {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

constexpr double megapascals = 1e-6;

// Rows x places of one component of one beam: every `step`-th column from `first` on.
Eigen::MatrixXd along(const RunRecord& record, const char* path, Index first, Index step) {
  const auto all = record.table.of(path);
  const auto places = static_cast<Index>(record.run.names.places.size());
  Eigen::MatrixXd values(all.rows(), places);
  for (Index i = 0; i < places; ++i) values.col(i) = all.col(first + i * step);
  return values;
}

/// One component of one beam over all rows: its envelope, and where and when it is farthest from zero.
struct Envelope {
  std::string link, name;
  VectorXd highest, lowest;
  double largest;
  Index row, place;
};

Envelope envelope(const std::string& link, std::string name, const Eigen::MatrixXd& values) {
  Envelope found{link, std::move(name), values.colwise().maxCoeff(), values.colwise().minCoeff(), 0.0, 0, 0};
  values.cwiseAbs().maxCoeff(&found.row, &found.place);
  found.largest = values(found.row, found.place);
  return found;
}

Figure diagram(const RunRecord& record, std::string id, std::string title, std::string unit) {
  const std::vector<std::string>& places = record.run.names.places;
  Figure figure{.id = std::move(id),
                .title = std::move(title),
                .x_label = "place, from root (0) to tip (1) of each beam",
                .y_label = "[" + unit + "]",
                .x = VectorXd::LinSpaced(static_cast<Index>(places.size()), 0.0, 1.0),
                .over_time = false,
                .curves = {},
                .parts = FigureParts::links};
  return figure;
}

// The highest values drawn through, the lowest dashed; of each the largest, where and when it was.
void draw(const RunRecord& record, const std::vector<Envelope>& all, const char* unit, Figure& figure) {
  double size = 0.0;
  for (const Envelope& one : all) size = std::max(size, std::abs(one.largest));
  constexpr double nothing = 1e-9;  // beside the largest: rounding
  for (const Envelope& one : all) {
    if (!(std::abs(one.largest) > nothing * size)) continue;
    figure.curves.push_back({one.name, one.highest, one.link, false, false,
                             fmt::format("{:.4g} {} at {:.4g} L, {:.4g} s", one.largest, unit,
                                         figure.x[one.place], record.time()[one.row])});
    if (!(one.highest - one.lowest).isZero(nothing * size))
      figure.curves.push_back({one.name + ", lowest", one.lowest, one.link, true});
  }
}

// Three of the six, from `first` on.
Figure forces(const RunRecord& record, const char* id, const char* title, const char* unit, Index first) {
  Figure figure = diagram(record, id, title, unit);
  if (!record.has("section_forces")) return figure;
  const std::vector<std::string>& beams = record.run.names.beams;
  const auto places = static_cast<Index>(record.run.names.places.size());
  std::vector<Envelope> all;
  for (std::size_t b = 0; b < beams.size(); ++b)
    for (Index k = first; k < first + 3; ++k)
      all.push_back(envelope(beams[b], beams[b] + " " + section_force_names[k],
                             along(record, "section_forces", 6 * places * static_cast<Index>(b) + k, 6)));
  draw(record, all, unit, figure);
  return figure;
}

Figure stress_along(const RunRecord& record) {
  Figure figure = diagram(record, "section-stress", "Largest von Mises stress along the beams", "MPa");
  if (!record.has("stress")) return figure;
  const auto places = static_cast<Index>(record.run.names.places.size());
  std::vector<Envelope> all;
  for (std::size_t b = 0; b < record.run.names.stressed.size(); ++b) {
    const std::string& link = record.run.names.stressed[b];
    all.push_back(
        envelope(link, link, megapascals * along(record, "stress", places * static_cast<Index>(b), 1)));
    all.back().lowest = all.back().highest;  // the lowest says nothing
  }
  draw(record, all, "MPa", figure);
  return figure;
}

Figure stress_over_time(const RunRecord& record) {
  Figure figure{.id = "stress",
                .title = "Largest von Mises stress of each link",
                .x_label = "time [s]",
                .y_label = "[MPa]",
                .x = record.time(),
                .curves = {},
                .parts = FigureParts::links};
  if (!record.has("stress")) return figure;
  const auto places = static_cast<Index>(record.run.names.places.size());
  for (std::size_t b = 0; b < record.run.names.stressed.size(); ++b) {
    const std::string& link = record.run.names.stressed[b];
    const Eigen::MatrixXd values = along(record, "stress", places * static_cast<Index>(b), 1);
    figure.curves.push_back({link, megapascals * values.rowwise().maxCoeff(), link});
  }
  return figure;
}

}  // namespace

std::optional<Figure> section_figure(const RunRecord& record, const std::string& id) {
  if (id == "section-forces")
    return forces(record, "section-forces", "Forces along the beams: highest and lowest over time", "N", 0);
  if (id == "section-moments")
    return forces(record, "section-moments", "Moments along the beams: highest and lowest over time", "N m",
                  3);
  if (id == "section-stress") return stress_along(record);
  if (id == "stress") return stress_over_time(record);
  return std::nullopt;
}

}  // namespace limber
