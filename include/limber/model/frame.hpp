// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "limber/core/export.hpp"
#include "limber/math/spatial.hpp"

namespace limber LIMBER_EXPORT {

/// A frame E fixed to a node N of a link: the end effector, a sensor, a point of interest. Default: the tip of the first link.
struct Frame {
  int link = 0;    ///< index into Model::links
  int node = 0;    ///< index into Link::nodes; 0 is the tip
  Pose X_NE = {};  ///< E in N, which moves and turns with the beam
};

}  // namespace limber
