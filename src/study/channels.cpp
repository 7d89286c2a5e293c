// SPDX-License-Identifier: BSD-3-Clause
#include "channels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "limber/algorithms/jacobian.hpp"
#include "limber/algorithms/kinematics.hpp"
#include "limber/core/input_error.hpp"
#include "limber/model/field_rule.hpp"
#include "limber/model/place_name.hpp"

namespace limber {
namespace {

const std::vector<std::string> components = {"x", "y", "z", "vx", "vy", "vz", "wx", "wy", "wz"};
constexpr int places = 3;

/// "boom@0.5.y": what stands before the last dot, and which component is behind it. -1: none.
std::pair<std::string, int> split(const std::string& name) {
  const std::size_t dot = name.rfind('.');
  if (dot == std::string::npos) return {name, -1};
  const auto found = std::find(components.begin(), components.end(), name.substr(dot + 1));
  return {name.substr(0, dot), found == components.end() ? -1 : static_cast<int>(found - components.begin())};
}

}  // namespace

Channels::Channels(const Scenario& scenario, const std::vector<std::string>& names)
    : layout_(scenario),
      is_used_(layout_.parts().size(), false),
      model_(scenario.model),
      values_(names.size()) {
  for (const RowLayout::Part& part : layout_.parts()) scratch_.emplace_back(part.width);
  std::vector<Problem> problems;
  for (std::size_t i = 0; i < names.size(); ++i) try {
      sources_.push_back(find(names[i]));
    } catch (const InputError& error) {
      Problem problem = error.problems().front();
      problem.path = fmt::format("names[{}]", i);
      problems.push_back(std::move(problem));
    }
  if (!problems.empty()) throw InputError(std::move(problems));
  if (!frames_.empty()) work_ = std::make_unique<Workspace<double>>(model_);
}

bool Channels::has(const Scenario& scenario, const std::string& name) {
  try {
    const Channels attempt(scenario, {name});
    return true;
  } catch (const InputError&) {
    return false;
  }
}

Channels::Source Channels::find(const std::string& name) {
  Source source{};
  // A sensor may be called as a coordinate is; its own name is the nearer one.
  for (const std::string& column : {name, "sensor." + name, "q." + name})
    if (find_column(column, source)) {
      is_used_[source.column.part] = true;
      return source;
    }
  constexpr std::string_view rate = ".rate";
  if (name.ends_with(rate) && find_column("v." + name.substr(0, name.size() - rate.size()), source)) {
    is_used_[source.column.part] = true;
    return source;
  }
  if (find_point(name, source)) return source;
  throw InputError(
      Problem{"", "what a run records: a coordinate, <coordinate>.rate, end_effector.x, LINK@0.5.y, a sensor",
              show_text(name), suggestion(name, known_names(), "names")});
}

bool Channels::find_column(const std::string& name, Source& source) const {
  for (std::size_t p = 0; p < layout_.parts().size(); ++p) {
    const auto columns = layout_.parts()[p].quantity->column_names(layout_.names());
    const auto found = std::find(columns.begin(), columns.end(), name);
    if (found == columns.end()) continue;
    source = {false, {p, static_cast<std::size_t>(found - columns.begin())}, {}};
    return true;
  }
  return false;
}

bool Channels::find_point(const std::string& name, Source& source) {
  const auto [place, component] = split(name);
  if (component < 0) return false;
  Frame at;
  if (place == "end_effector") {
    at = model_.end_effector();
  } else {
    if (place.find('@') == std::string::npos) return false;
    const LinkPlace there = place_named(model_, place, "");
    model_ = with_node(model_, there);
    at = frame(model_, there);
  }
  frames_.push_back(at);
  source = {true, {}, {frames_.size() - 1, component}};
  return true;
}

std::vector<std::string> Channels::known_names() const {
  std::vector<std::string> names = layout_.names().coordinates;
  for (const std::string& coordinate : layout_.names().coordinates) names.push_back(coordinate + ".rate");
  for (const std::string& component : components) names.push_back("end_effector." + component);
  names.insert(names.end(), layout_.names().sensors.begin(), layout_.names().sensors.end());
  for (const RowLayout::Part& part : layout_.parts()) {
    const auto columns = part.quantity->column_names(layout_.names());
    names.insert(names.end(), columns.begin(), columns.end());
  }
  return names;
}

void Channels::add(const Sample& sample) {
  const Eigen::VectorXd row = read(sample);
  times_.push_back(sample.t);
  for (std::size_t i = 0; i < values_.size(); ++i) values_[i].push_back(row[static_cast<Eigen::Index>(i)]);
}

Eigen::VectorXd Channels::read(const Sample& sample) {
  for (std::size_t p = 0; p < scratch_.size(); ++p)
    if (is_used_[p]) layout_.fill(layout_.parts()[p], sample, scratch_[p].data());
  if (work_) {
    update_velocities<double>(model_, *work_, sample.q, sample.v);
    update_world_poses(*work_);
  }
  Eigen::VectorXd row(static_cast<Eigen::Index>(sources_.size()));
  for (std::size_t i = 0; i < sources_.size(); ++i) {
    const Source& source = sources_[i];
    double& value = row[static_cast<Eigen::Index>(i)];
    if (!source.is_point) {
      value = scratch_[source.column.part][source.column.offset];
      continue;
    }
    const Frame& at = frames_[source.point.frame];
    const int c = source.point.component;
    value =
        c < places
            ? frame_pose<double>(model_, *work_, at).p[c]
            : frame_twist<double>(model_, *work_, at, MotionAxes::local_world_aligned).vector()[c - places];
  }
  return row;
}

}  // namespace limber
