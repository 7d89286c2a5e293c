// SPDX-License-Identifier: BSD-3-Clause
#include "limber/report/measured.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "limber/core/input_error.hpp"
#include "limber/model/field_rule.hpp"
#include "overlay.hpp"

namespace limber {
namespace {

using Eigen::VectorXd;

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

// Linear between points of ascending x; NaN outside.
double value_at(const VectorXd& x, const VectorXd& y, double at) {
  const double* const begin = x.data();
  const double* const end = begin + x.size();
  const double* const next = std::lower_bound(begin, end, at);
  if (next == end) return nothing;
  const auto i = static_cast<Eigen::Index>(next - begin);
  if (*next == at) return y[i];
  if (i == 0) return nothing;
  const double share = (at - x[i - 1]) / (x[i] - x[i - 1]);
  return (1.0 - share) * y[i - 1] + share * y[i];
}

VectorXd values_at(const VectorXd& x, const VectorXd& y, const VectorXd& places) {
  VectorXd values(places.size());
  for (Eigen::Index i = 0; i < places.size(); ++i) values[i] = value_at(x, y, places[i]);
  return values;
}

// All figures over time without what was measured, which would be found in them.
std::vector<Figure> bare_figures(const RunRecord& record) {
  RunRecord bare = record;
  bare.measured.clear();
  std::vector<Figure> all = figures(bare);
  std::erase_if(all, [](const Figure& figure) { return !figure.over_time; });
  return all;
}

const Curve* find_curve(const Figure& figure, const std::string& name) {
  for (const Curve& curve : figure.curves)
    if (!curve.is_reference && curve.name == name) return &curve;
  return nullptr;
}

struct FoundCurve {
  const Figure* figure;
  const Curve* curve;
};

// Sensors first: whoever measures has an instrument in mind.
FoundCurve find_curve(const std::vector<Figure>& all, const std::string& wanted) {
  std::vector<std::string> known;
  for (const bool sensors : {true, false})
    for (const Figure& figure : all) {
      if (figure.id.starts_with("sensors") != sensors) continue;
      for (const Curve& curve : figure.curves)
        if (!curve.is_reference) known.insert(known.end(), {curve.name, figure.id + "/" + curve.name});
      const std::string prefix = figure.id + "/";
      const std::string name = wanted.starts_with(prefix) ? wanted.substr(prefix.size()) : wanted;
      if (const Curve* curve = find_curve(figure, name)) return {&figure, curve};
    }
  throw InputError(Problem{"--columns", "the name of a curve of the result: a sensor, a joint, FIGURE/CURVE",
                           show_text(wanted), suggestion(wanted, known, "curves")});
}

// In which the signals stand.
const Curve& curve_of(const std::vector<Figure>& all, const MeasuredSignal& signal, std::string& unit) {
  for (const Figure& figure : all)
    if (figure.id == signal.figure)
      if (const Curve* curve = find_curve(figure, signal.curve)) {
        unit = figure.y_label;
        return *curve;
      }
  throw InputError(Problem{"--columns", "a curve of the result", show_text(signal.curve), ""});
}

std::string time_column(const NumberTable& table, const std::string& asked) {
  if (!asked.empty()) return asked;
  for (const char* usual : {"t", "time"})
    if (std::find(table.columns.begin(), table.columns.end(), usual) != table.columns.end()) return usual;
  return table.columns.front();
}

}  // namespace

void attach_measured(RunRecord& record, const NumberTable& table, const std::string& time,
                     const std::vector<MeasuredColumn>& columns) {
  const std::string time_name = time_column(table, time);
  const VectorXd t = table.column(time_name, "--time");
  for (Eigen::Index i = 1; i < t.size(); ++i)
    if (!(t[i] > t[i - 1]))
      throw InputError(Problem{table.file, fmt::format("times that ascend in column `{}`", time_name),
                               fmt::format("{:g} s after {:g} s", t[i], t[i - 1]), ""});
  const VectorXd run_time = record.time();
  const double end = run_time[run_time.size() - 1];
  if (t[0] > end || t[t.size() - 1] < run_time[0])
    throw InputError(Problem{
        table.file, fmt::format("times between {:g} s and {:g} s, those of the run", run_time[0], end),
        fmt::format("{:g} s to {:g} s", t[0], t[t.size() - 1]), "shift the times, or run longer"});
  const std::vector<Figure> all = bare_figures(record);
  for (const MeasuredColumn& wanted : columns) {
    const FoundCurve found = find_curve(all, wanted.curve);
    record.measured.push_back(
        {found.figure->id, found.curve->name, wanted.column, t, table.column(wanted.column, "--columns")});
  }
}

std::vector<Residual> residuals(const RunRecord& record) {
  const std::vector<Figure> all = record.measured.empty() ? std::vector<Figure>{} : bare_figures(record);
  const VectorXd time = record.time();
  std::vector<Residual> results;
  for (const MeasuredSignal& signal : record.measured) {
    Residual residual{signal.curve, ""};
    const Curve& curve = curve_of(all, signal, residual.unit);
    const VectorXd simulated = values_at(time, curve.values, signal.time);
    double sum = 0.0, squares = 0.0, misfit = 0.0;
    for (Eigen::Index k = 0; k < simulated.size(); ++k) {
      if (!std::isfinite(simulated[k])) continue;
      const double e = signal.values[k] - simulated[k];
      ++residual.samples;
      sum += signal.values[k];
      squares += signal.values[k] * signal.values[k];
      misfit += e * e;
      if (std::abs(e) > residual.largest) {
        residual.largest = std::abs(e);
        residual.largest_at = signal.time[k];
      }
    }
    const double n = std::max(1.0, static_cast<double>(residual.samples));
    const double spread = std::max(0.0, squares - sum * sum / n);
    residual.rms = std::sqrt(misfit / n);
    residual.fit_percent = spread > 0.0    ? 100.0 * (1.0 - std::sqrt(misfit / spread))
                           : misfit == 0.0 ? 100.0
                                           : 0.0;
    results.push_back(std::move(residual));
  }
  return results;
}

void add_measured(const RunRecord& record, Figure& figure) {
  for (const MeasuredSignal& signal : record.measured) {
    // `plot` has all sensors in one figure, whose curves have their unit in the name.
    const bool is_here =
        figure.id == signal.figure || (figure.id == "sensors" && signal.figure.starts_with("sensors"));
    if (!is_here) continue;
    const auto at = std::find_if(figure.curves.begin(), figure.curves.end(), [&](const Curve& curve) {
      return !curve.is_reference &&
             (curve.name == signal.curve || curve.name.starts_with(signal.curve + " ["));
    });
    if (at == figure.curves.end()) continue;
    Curve measured{signal.curve + " measured", values_at(signal.time, signal.values, figure.x), at->group,
                   true, at->is_angle};
    figure.curves.insert(at + 1, std::move(measured));
  }
}

std::vector<CurveWithUnit> residual_curves(const RunRecord& record) {
  const std::vector<Figure> all = record.measured.empty() ? std::vector<Figure>{} : bare_figures(record);
  const VectorXd time = record.time();
  std::vector<CurveWithUnit> curves;
  for (const MeasuredSignal& signal : record.measured) {
    std::string unit;
    const Curve& curve = curve_of(all, signal, unit);
    curves.push_back({{signal.curve, values_at(signal.time, signal.values, time) - curve.values, signal.curve,
                       false, curve.is_angle},
                      unit});
  }
  return curves;
}

}  // namespace limber
