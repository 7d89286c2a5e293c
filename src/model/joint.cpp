// SPDX-License-Identifier: BSD-3-Clause
#include "limber/model/joint.hpp"

#include "limber/model/detail/joint_kinds.hpp"

namespace limber {

using namespace detail;

const JointFacts& facts_of(JointType type) {
  return with_joint_kind(type, [](auto kind) -> const JointFacts& { return decltype(kind)::facts; });
}

JointType described_type(JointType type) {
  if (type == JointType::geared_revolute) return JointType::revolute;
  if (type == JointType::geared_prismatic) return JointType::prismatic;
  return type;
}

std::vector<std::string> joint_types_with(bool (JointFacts::*property)() const) {
  std::vector<std::string> names;
  for (const JointTypeName& kind : joint_type_names)
    if ((facts_of(kind.type).*property)()) names.emplace_back(kind.name);
  return names;
}

}  // namespace limber
