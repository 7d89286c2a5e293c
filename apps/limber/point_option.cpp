// SPDX-License-Identifier: BSD-3-Clause
#include "point_option.hpp"

#include "limber/model/place_name.hpp"

namespace limber::app {

Frame point_named(const std::string& text, Model& model) {
  if (text.empty()) return model.end_effector();
  const LinkPlace there = place_named(model, text, "--at");
  model = with_node(model, there);
  return frame(model, there);
}

}  // namespace limber::app
