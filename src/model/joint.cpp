#include "limber/model/joint.hpp"

namespace limber {

int velocity_count(JointType type) {
  switch (type) {
    case JointType::revolute:
    case JointType::prismatic:
      return 1;
    case JointType::universal:
      return 2;
    case JointType::spherical:
      return 3;
    case JointType::free:
      return 6;
    case JointType::fixed:
      return 0;
  }
  return 0;
}

int position_count(JointType type) {
  const bool has_quaternion = type == JointType::spherical || type == JointType::free;
  return velocity_count(type) + (has_quaternion ? 1 : 0);
}

}  // namespace limber
