// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <utility>

#include "limber/model/model.hpp"

namespace limber {

/// A node of a model that gets one where it has none.
inline int node_on(Model& model, int link, double at) {
  model = with_node(model, link, at);
  return node_index(model, link, at);
}

}  // namespace limber
