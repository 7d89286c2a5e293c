// SPDX-License-Identifier: BSD-3-Clause
#include "point_output.hpp"

#include <algorithm>
#include <vector>

#include "limber/analysis/linearize.hpp"
#include "limber/core/input_error.hpp"
#include "limber/model/field_rule.hpp"
#include "limber/model/place_name.hpp"

namespace limber {
namespace {

const std::string end_effector_prefix = "end_effector.";

// x, y, ... of outputs at a point are those of the end effector.
std::vector<std::string> end_effector_axes(const Model& model) {
  std::vector<std::string> axes;
  for (const std::string& name : output_names(model))
    if (name.rfind(end_effector_prefix, 0) == 0) axes.push_back(name.substr(end_effector_prefix.size()));
  return axes;
}

}  // namespace

PointOutput point_output(const Model& model, const std::string& name) {
  // the last dot parts the axis; the one before it belongs to the number
  const auto mark = name.find('@'), dot = name.rfind('.');
  if (dot == std::string::npos || dot < mark)
    throw InputError(Problem{"outputs",
                             "LINK@AT.AXIS with AT from 0 to 1, such as `" + name.substr(0, mark) + "@0.5.y`",
                             show_text(name), ""});
  const LinkPlace place = place_named(model, name.substr(0, dot), "outputs", name);
  const std::string axis = name.substr(dot + 1);
  const std::vector<std::string> axes = end_effector_axes(model);
  if (std::find(axes.begin(), axes.end(), axis) == axes.end())
    throw InputError(Problem{"outputs", "LINK@AT.AXIS with an axis of the end effector's outputs",
                             show_text(name), suggestion(axis, axes, "axes")});
  return {place, end_effector_prefix + axis};
}

}  // namespace limber
