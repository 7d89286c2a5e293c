// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What the blocks of a model file share (description_fields.hpp).

#include <concepts>
#include <type_traits>

#include "limber/core/export.hpp"
#include "limber/model/choices.hpp"
#include "limber/model/description.hpp"
#include "limber/model/field_rule.hpp"

namespace limber LIMBER_EXPORT {

/// `Description` itself, or const: readers fill descriptions, checks only look at them.
template <typename T, typename Description>
concept Maybe = std::same_as<std::remove_const_t<T>, Description>;

template <typename Visitor>
void describe_frame(Visitor& v, auto& xyz, auto& rpy) {
  v.field({.key = "xyz", .meaning = "translation", .unit = "m"}, xyz);
  v.field({.key = "rpy",
           .meaning = "roll, pitch, yaw: R = Rz(yaw) Ry(pitch) Rx(roll)",
           .unit = "rad",
           .angle = true},
          rpy);
}

template <typename Visitor>
void describe_inertia(Visitor& v, const char* com_meaning, auto& com, auto& inertia) {
  v.field({.key = "com", .meaning = com_meaning, .unit = "m"}, com);
  v.field({.key = "inertia",
           .meaning = "elements ixx iyy izz ixy ixz iyz of the inertia tensor at the com (ixy = -Int x y dm)",
           .unit = "kg m^2"},
          inertia);
}

}  // namespace limber
