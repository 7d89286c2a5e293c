// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Where a beam that slides through a guide is at q = 0, as its description says.

#include "limber/model/description.hpp"

namespace limber {

struct TelescopeGeometry {
  Eigen::Vector3d axis;      ///< of the joint, in B
  Eigen::Vector3d beam;      ///< x of the root frame, in B
  double behind = 0.0;       ///< how much of the beam is in the guide [m]
  double free_length = 0.0;  ///< how much is out [m]
};

/// Of a link with a beam.
TelescopeGeometry telescope_geometry(const LinkDescription& link);

/// Whether the beam has any shapes.
bool has_modes(const BeamDescription& beam);

/// Whether the link's free length is a matter of its equations: a telescoping joint of a beam that bends. Without modes the beam slides as a whole.
bool is_telescope(const LinkDescription& link);

}  // namespace limber
