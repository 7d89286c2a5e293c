#pragma once

namespace limber {

enum class JointType { revolute, prismatic, universal, spherical, free, fixed };

/// Numbers in q: a spherical or free joint carries a unit quaternion (x, y, z, w).
int position_count(JointType type);
/// Numbers in v.
int velocity_count(JointType type);

}  // namespace limber
