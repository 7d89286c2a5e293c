// SPDX-License-Identifier: BSD-3-Clause
#include "point_option.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "command.hpp"
#include "limber/core/input_error.hpp"
#include "limber/model/lookup.hpp"

namespace limber::app {

Frame point_named(const std::string& text, Model& model) {
  if (text.empty()) return model.end_effector();
  const auto sign = text.find('@');
  const std::string name = text.substr(0, sign);
  const std::vector<std::string> names = link_names(model);
  if (std::find(names.begin(), names.end(), name) == names.end())
    throw InputError(Problem{"--at", fmt::format("LINK@X with a link, one of {}", fmt::join(names, ", ")),
                             "`" + text + "`", did_you_mean(name, names)});
  double at = 1.0;
  if (sign != std::string::npos) {
    const std::string digits = text.substr(sign + 1);
    char* end = nullptr;
    at = std::strtod(digits.c_str(), &end);
    if (digits.empty() || *end != '\0' || !(at >= 0.0 && at <= 1.0))
      throw InputError(Problem{"--at", "LINK@X with X from 0 (root) to 1 (tip) of the link's length",
                               "`" + text + "`", "e.g. " + text.substr(0, sign) + "@0.5"});
  }
  const LinkPlace there = place_on(model, name, at);
  model = with_node(model, there.link, there.at);
  return frame(model, name, at);
}

}  // namespace limber::app
