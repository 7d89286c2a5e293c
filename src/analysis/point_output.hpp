// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "limber/model/place_name.hpp"

namespace limber {

/// An output at a point of the arm: `LINK@AT.axis`, AT a fraction or an interface of a body.
struct PointOutput {
  LinkPlace place;
  std::string end_effector_name;  ///< `end_effector.axis`: what it is where the end effector is there
};

/// By its name. Throws InputError where it is none.
PointOutput point_output(const Model& model, const std::string& name);

}  // namespace limber
