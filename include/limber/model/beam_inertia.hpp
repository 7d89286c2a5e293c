// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "limber/core/export.hpp"
#include "limber/math/spatial.hpp"
#include "limber/model/description.hpp"

namespace limber LIMBER_EXPORT {

/// The undeformed beam as a rigid body, in its root frame. The description has passed check().
RigidInertia undeformed_inertia(const BeamDescription& beam);

}  // namespace limber
