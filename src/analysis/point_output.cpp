// SPDX-License-Identifier: BSD-3-Clause
#include "point_output.hpp"

#include <algorithm>
#include <charconv>
#include <vector>

#include "limber/analysis/linearize.hpp"
#include "limber/core/input_error.hpp"
#include "limber/model/field_rule.hpp"
#include "limber/model/lookup.hpp"

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
  const auto mark = name.find('@'), dot = name.rfind('.');
  const std::string link = name.substr(0, mark);
  const auto names = link_names(model);
  if (std::find(names.begin(), names.end(), link) == names.end())
    throw InputError(Problem{"outputs", "the name of a link before `@`", "`" + link + "`",
                             suggestion(link, names, "links")});
  double at = 0.0;
  // the last dot parts the axis; the one before it belongs to the number
  const char *first = name.data() + mark + 1,
             *last = name.data() + (dot == std::string::npos || dot < mark ? name.size() : dot);
  const auto parsed = std::from_chars(first, last, at);
  if (parsed.ec != std::errc() || parsed.ptr != last || last == name.data() + name.size())
    throw InputError(Problem{"outputs", "LINK@AT.AXIS with AT from 0 to 1, such as `" + link + "@0.5.y`",
                             show_text(name), ""});
  const std::string axis = name.substr(dot + 1);
  const std::vector<std::string> axes = end_effector_axes(model);
  if (std::find(axes.begin(), axes.end(), axis) == axes.end())
    throw InputError(Problem{"outputs", "LINK@AT.AXIS with an axis of the end effector's outputs",
                             show_text(name), suggestion(axis, axes, "axes")});
  const LinkPlace place = place_on(model, link, at);
  return {place.link, place.at, end_effector_prefix + axis};
}

}  // namespace limber
