// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "limber/model/model.hpp"

namespace limber::app {

/// The point that --at names: LINK@X, X a fraction of the link's length or an interface of its body; its tip without X; the end effector without anything. The model gets a node there.
Frame point_named(const std::string& text, Model& model);

}  // namespace limber::app
