// SPDX-License-Identifier: BSD-3-Clause
#include "limber/report/page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string_view>

#include "limber/core/computation_error.hpp"
#include "limber/math/units.hpp"
#include "limber/model/detail/arguments.hpp"
#include "limber/report/figure.hpp"
#include "packed_numbers.hpp"
#include "page_template.hpp"

namespace limber {
namespace {

using Json = nlohmann::ordered_json;
using Eigen::VectorXd;

constexpr std::string_view data_place = "<!--limber-data-->";

// Every `stride`-th number.
VectorXd thinned(const VectorXd& values, Eigen::Index stride) {
  const Eigen::Index count = (values.size() + stride - 1) / stride;
  VectorXd result(count);
  for (Eigen::Index i = 0; i < count; ++i) result[i] = values[i * stride];
  return result;
}

std::string floats(const VectorXd& values) {
  return packed_floats(values.data(), static_cast<std::size_t>(values.size()));
}
std::string doubles(const VectorXd& values) {
  return packed_doubles(values.data(), static_cast<std::size_t>(values.size()));
}

const char* name_of(FigureParts parts) {
  switch (parts) {
    case FigureParts::joints:
      return "joints";
    case FigureParts::links:
      return "links";
    case FigureParts::whole:
      break;
  }
  return "";
}

Json figure_json(const Figure& figure, Eigen::Index stride) {
  const Eigen::Index every = figure.over_time ? stride : 1;
  Json curves = Json::array(), marks = Json::array();
  for (const Curve& curve : figure.curves)
    curves.push_back({{"name", curve.name},
                      {"group", curve.group},
                      {"is_reference", curve.is_reference},
                      {"is_angle", curve.is_angle},
                      {"note", curve.note},
                      {"values", floats(thinned(curve.values, every))}});
  for (const AxisMark& mark : figure.marks) marks.push_back({{"x", mark.x}, {"name", mark.name}});
  Json json = {{"id", figure.id},
               {"title", figure.title},
               {"x_label", figure.x_label},
               {"y_label", figure.y_label},
               {"parts", name_of(figure.parts)},
               {"over_time", figure.over_time},
               {"logarithmic", figure.logarithmic},
               {"curves", curves},
               {"marks", marks}};
  if (!figure.over_time) json["x"] = doubles(figure.x);
  return json;
}

Json peak_json(const Peak& peak) { return {{"value", peak.value}, {"time", peak.time}}; }

// The largest force and moment in a joint.
Peak largest_norm(const RunRecord& record, const std::string& joint, const std::string& kind) {
  Peak peak;
  if (!record.has("wrenches")) return peak;
  const VectorXd time = record.time();
  const auto component = [&](const char* axis) {
    return record.column("wrenches", joint + "." + kind + axis).array().square().eval();
  };
  const Eigen::ArrayXd norms = (component("x") + component("y") + component("z")).sqrt();
  for (Eigen::Index i = 0; i < norms.size(); ++i) peak.note(norms[i], time[i]);
  return peak;
}

Json peaks_of_links(const RunRecord& record) {
  const RunPeaks& peaks = record.run.checkpoint.peaks;
  Json links = Json::array();
  for (std::size_t l = 0; l < record.arm().links.size(); ++l) {
    const OutlineLink& link = record.arm().links[l];
    links.push_back({{"name", link.name},
                     {"joint", link.joint.name},
                     {"bends", link.elastic_count > 0},
                     {"deflection", peak_json(peaks.deflection[l])},
                     {"slope", peak_json(peaks.slope[l])},
                     {"force", peak_json(largest_norm(record, link.joint.name, "f"))},
                     {"moment", peak_json(largest_norm(record, link.joint.name, "m"))}});
  }
  return links;
}

Json peaks_of_joints(const RunRecord& record) {
  const RunPeaks& peaks = record.run.checkpoint.peaks;
  Json joints = Json::array();
  for (const OutlineLink& link : record.arm().links)
    for (int j = 0; j < link.joint.nv; ++j) {
      const auto c = static_cast<std::size_t>(link.joint.v + j);
      joints.push_back({{"name", record.arm().coordinates[c]},
                        {"slides", !link.joint.turns(j)},
                        {"deviation", peak_json(peaks.deviation[c])},
                        {"effort", peak_json(peaks.effort[c])},
                        {"rate", peak_json(peaks.rate[c])}});
    }
  return joints;
}

Json arm_json(const ArmOutline& arm) { return Json::parse(outline_text(arm)); }

// Points along each beam of a page that shows no result.
constexpr int usual_points = 25;

// A result is thinned evenly, so that time stays evenly spaced.
Eigen::Index stride_to_show(const RunRecord& record, const std::vector<Figure>& all, double most_numbers) {
  double columns = record.arm().nq + 2.0;
  for (const Figure& figure : all)
    if (figure.over_time) columns += double(figure.curves.size());
  return std::max<Eigen::Index>(
      1, std::lround(std::ceil(columns * double(record.table.values.rows()) / most_numbers)));
}

std::string thinning_note(const RunRecord& record, Eigen::Index stride) {
  const long every = record.stride * static_cast<long>(stride);
  if (every == 1) return "";
  return fmt::format(
      "The result has {} rows; the curves show one row in {}, to keep this page small. Peaks of "
      "deflections, "
      "deviations and efforts in the tables above are those of all rows{}. `limber plot` draws single "
      "figures in full.",
      record.run.checkpoint.rows, every, record.stride == 1 ? ", and so are the spectra" : "");
}

Json run_json(const RunRecord& record, const std::string& label, double most_numbers) {
  const std::vector<Figure> all = figures(record);
  const Eigen::Index stride = stride_to_show(record, all, most_numbers);
  Json figure_list = Json::array(), sources = Json::array();
  for (const Figure& figure : all) figure_list.push_back(figure_json(figure, stride));
  for (const SourceText& source : record.run.info.sources)
    sources.push_back({{"name", source.name}, {"text", source.text}});

  Json metrics = Json::array(), events = Json::array();
  for (const auto& [name, value] : record.run.metrics) metrics.push_back({{"name", name}, {"value", value}});
  for (const Occurrence& event : record.run.occurrences)
    events.push_back({{"name", event.name}, {"time", event.t}});

  const VectorXd time = thinned(record.time(), stride);
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> q(time.size(), record.arm().nq);
  for (Eigen::Index i = 0; i < time.size(); ++i) q.row(i) = record.configuration(i * stride).transpose();

  const Checkpoint& c = record.run.checkpoint;
  const ResultInfo& info = record.run.info;
  return {{"label", label},
          {"file", record.file},
          {"model", record.arm().name},
          {"kinematics", record.arm().kinematics == KinematicOrder::first ? "first order" : "second order"},
          {"program", info.program},
          {"formulation", info.formulation},
          {"integrator", info.method_text()},
          {"rtol", info.rtol},
          {"atol", info.atol},
          {"step", info.step},
          {"steps", c.steps},
          {"rejected", c.rejected},
          {"wall_s", c.wall_s},
          {"status", record.run.status},
          {"duration", info.duration},
          {"end", c.integrator.t},
          {"rows", c.rows},
          {"coordinates", record.arm().nv},
          {"mass", record.arm().mass},
          {"energy_error", c.largest_error},
          {"energy_size", c.energy_size},
          {"warnings", record.warnings()},
          {"metrics", metrics},
          {"events", events},
          {"note", thinning_note(record, stride)},
          {"links", peaks_of_links(record)},
          {"joints", peaks_of_joints(record)},
          {"sources", sources},
          {"arm", arm_json(record.arm())},
          {"time", doubles(time)},
          {"q", packed_floats(q.data(), static_cast<std::size_t>(q.size()))},
          {"figures", figure_list}};
}

// Measured modes, scaled to their computed ones. Places that were seen along several axes are one point that moves along all of them.
Json measured_json(const Model& model, const VectorXd& q, const NaturalModes& modes,
                   const MeasuredModes& measured) {
  const ModePairs pairs = pair_modes(model, q, modes, measured);
  const std::vector<ShapePoint> points = shape_points(model, q, measured.points);
  std::vector<Eigen::Vector3d> places;
  std::vector<int> place_of;
  for (const ShapePoint& point : points) {
    constexpr double same = 1e-9;
    int at = -1;
    for (std::size_t i = 0; i < places.size(); ++i)
      if ((places[i] - point.p_W).norm() <= same) at = static_cast<int>(i);
    if (at < 0 && point.p_W.allFinite()) {
      at = static_cast<int>(places.size());
      places.push_back(point.p_W);
    }
    place_of.push_back(at);
  }
  Json place_list = Json::array(), mode_list = Json::array(), table = Json::array();
  for (const Eigen::Vector3d& place : places) place_list.push_back({place[0], place[1], place[2]});
  for (Eigen::Index i = 0; i < measured.frequencies_hz.size(); ++i) {
    const int mode = pairs.computed[static_cast<std::size_t>(i)];
    Eigen::Matrix3Xd moved = Eigen::Matrix3Xd::Zero(3, static_cast<Eigen::Index>(places.size()));
    for (std::size_t p = 0; p < points.size(); ++p)
      if (place_of[p] >= 0)
        moved.col(place_of[p]) +=
            pairs.scales[i] * measured.shapes(static_cast<Eigen::Index>(p), i) * points[p].axis;
    Json motions = Json::array(), row = Json::array();
    for (Eigen::Index p = 0; p < moved.cols(); ++p)
      motions.push_back({moved(0, p), moved(1, p), moved(2, p)});
    for (const double value : pairs.assurance.row(i)) row.push_back(value);
    table.push_back(row);
    mode_list.push_back({{"frequency_hz", measured.frequencies_hz[i]},
                         {"mode", mode},
                         {"mac", mode >= 0 ? Json(pairs.assurance(i, mode)) : Json(nullptr)},
                         {"motions", motions}});
  }
  return {{"points", measured.points}, {"places", place_list}, {"modes", mode_list}, {"mac", table}};
}

// In JSON no `<` is needed: without it no text can end the script block, or begin a comment in it.
std::string page_with(const Json& data) {
  if (!has_viewer())
    throw ComputationError(
        "this limber was built without its viewer, and can write no pages. Build it with "
        "-DLIMBER_WITH_VIEWER=ON, which "
        "needs Node.js and npm; `limber plot` works without");
  const std::string json = data.dump(-1, ' ', true, Json::error_handler_t::replace);
  const std::string_view page = page_template();
  const std::size_t place = page.find(data_place);
  std::string text(page.substr(0, place));
  const std::size_t escapes = json.size() / 64;  // room for more than there are as a rule
  text.reserve(page.size() + json.size() + escapes);
  text += "<script type=\"application/json\" id=\"limber-data\">";
  for (const char c : json) {
    if (c == '<')
      text += "\\u003c";
    else
      text += c;
  }
  text += "</script>";
  text += page.substr(place + data_place.size());
  return text;
}

}  // namespace

bool has_viewer() { return page_template().find(data_place) != std::string_view::npos; }

std::string run_page(const std::vector<RunRecord>& records, double most_numbers) {
  const std::vector<std::string> names = labels(records);
  Json runs = Json::array();
  for (std::size_t i = 0; i < records.size(); ++i)
    runs.push_back(run_json(records[i], names[i], most_numbers / double(records.size())));
  return page_with({{"kind", "run"}, {"runs", runs}});
}

std::string modes_page(const Model& model, const VectorXd& q, const NaturalModes& modes,
                       const std::string& conditions, const std::vector<std::string>& warnings,
                       const MeasuredModes* measured) {
  detail::Call{"modes_page", model}.require_position("q", q);
  const Eigen::Index count = modes.shapes.cols();
  detail::require_extent("modes_page", "modes.shapes", modes.shapes, model.nv(), count);
  detail::require_extent("modes_page", "modes.participation", modes.participation, model.nv(), count);
  detail::require_extent("modes_page", "modes.angular_frequencies", modes.angular_frequencies, count, 1);
  detail::require_extent("modes_page", "modes.exponents", modes.exponents, count, 1);
  if (modes.quadrature.size() > 0)
    detail::require_extent("modes_page", "modes.quadrature", modes.quadrature, model.nv(), count);
  detail::require_index("modes_page", "modes.kinds", static_cast<int>(modes.kinds.size()) + 1,
                        static_cast<int>(count));
  Json list = Json::array();
  for (Eigen::Index k = 0; k < modes.shapes.cols(); ++k) {
    const VectorXd shape = modes.shapes.col(k), shares = modes.participation.col(k);
    Json mode = {{"angular_frequency", modes.angular_frequencies[k]},
                 {"frequency_hz", hertz * modes.angular_frequencies[k]},
                 {"shape", std::vector<double>(shape.begin(), shape.end())},
                 {"participation", std::vector<double>(shares.begin(), shares.end())}};
    if (modes.kinds[static_cast<std::size_t>(k)] == MotionKind::flutter)
      mode["flutter"] = {{"growth_rate", modes.exponents[k].real()},
                         {"frequency_hz", hertz * modes.exponents[k].imag()}};
    if (modes.quadrature.size() > 0) {
      const VectorXd ahead = modes.quadrature.col(k);
      mode["quadrature"] = std::vector<double>(ahead.begin(), ahead.end());
    }
    list.push_back(std::move(mode));
  }
  Json page = {{"kind", "modes"},
               {"model", model.name()},
               {"conditions", conditions},
               {"warnings", warnings},
               {"arm", arm_json(outline_of(model, usual_points))},
               {"q", std::vector<double>(q.begin(), q.end())},
               {"modes", list}};
  if (measured) page["measured"] = measured_json(model, q, modes, *measured);
  return page_with(page);
}

}  // namespace limber
