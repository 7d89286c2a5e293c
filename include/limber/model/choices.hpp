// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The words of the model file for our enumerations: each stands here and nowhere else.

#include <array>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "limber/beam/field.hpp"
#include "limber/beam/mode_shapes.hpp"
#include "limber/core/export.hpp"
#include "limber/model/description.hpp"
#include "limber/model/formulation_kind.hpp"
#include "limber/model/joint.hpp"

namespace limber LIMBER_EXPORT {

template <typename Enum>
struct Choice {
  Enum value;
  const char* name;
};

/// All values of an enumeration with their names, in the order in which documentation lists them.
template <typename Enum>
inline constexpr std::array<Choice<Enum>, 0> choices = {};

template <>
inline constexpr auto choices<FormulationKind> = std::to_array<Choice<FormulationKind>>({
    {FormulationKind::recursive, "recursive"},
    {FormulationKind::dense, "dense"},
    {FormulationKind::dual_screw, "dual-screw"},
    {FormulationKind::dae, "dae"},
    {FormulationKind::generated, "generated"},
});

template <>
inline constexpr auto choices<JointType> = [] {
  std::array<Choice<JointType>, std::size(joint_type_names)> kinds{};
  for (std::size_t i = 0; i < kinds.size(); ++i)
    kinds[i] = {joint_type_names[i].type, joint_type_names[i].name};
  return kinds;
}();

template <>
inline constexpr auto choices<ShapeFamily> = std::to_array<Choice<ShapeFamily>>({
    {ShapeFamily::craig_bampton, "craig-bampton"},
    {ShapeFamily::clamped_free, "clamped-free"},
    {ShapeFamily::clamped_mass, "clamped-mass"},
    {ShapeFamily::clamped_pinned, "clamped-pinned"},
    {ShapeFamily::pinned_pinned, "pinned-pinned"},
    {ShapeFamily::pinned_free, "pinned-free"},
    {ShapeFamily::polynomial, "polynomial"},
    {ShapeFamily::finite_element, "finite-element"},
    {ShapeFamily::table, "table"},  // in a file: {table: modes.csv}
});

template <>
inline constexpr auto choices<Normalization> = std::to_array<Choice<Normalization>>({
    {Normalization::peak, "peak"},
    {Normalization::mass, "mass"},
    {Normalization::none, "none"},
});

template <>
inline constexpr auto choices<TipRotation> = std::to_array<Choice<TipRotation>>({
    {TipRotation::slope, "slope"},
    {TipRotation::chord, "chord"},
});

template <>
inline constexpr auto choices<KinematicOrder> = std::to_array<Choice<KinematicOrder>>({
    {KinematicOrder::first, "first"},
    {KinematicOrder::second, "second"},
});

template <>
inline constexpr auto choices<SectionShape> = std::to_array<Choice<SectionShape>>({
    {SectionShape::rod, "rod"},
    {SectionShape::tube, "tube"},
    {SectionShape::rectangle, "rectangle"},
    {SectionShape::box, "box"},
});

template <>
inline constexpr auto choices<LoopType> = std::to_array<Choice<LoopType>>({
    {LoopType::revolute, "revolute"},
    {LoopType::spherical, "spherical"},
    {LoopType::fixed, "fixed"},
    {LoopType::point_on_line, "point-on-line"},
});

/// An enumeration whose values have names in the file.
template <typename T>
concept Named = !choices<T>.empty();

/// The name of `value`; nullptr for a number that was cast into the enumeration and is none of its values.
template <Named Enum>
constexpr const char* choice_name(Enum value) {
  for (const Choice<Enum>& choice : choices<Enum>) {
    if (choice.value == value) return choice.name;
  }
  return nullptr;
}

/// All names, in order.
template <Named Enum>
std::vector<std::string> choice_names() {
  std::vector<std::string> names;
  names.reserve(choices<Enum>.size());
  for (const Choice<Enum>& choice : choices<Enum>) names.emplace_back(choice.name);
  return names;
}

template <Named Enum>
constexpr std::optional<Enum> choice_named(std::string_view name) {
  for (const Choice<Enum>& choice : choices<Enum>) {
    if (name == choice.name) return choice.value;
  }
  return std::nullopt;
}

}  // namespace limber
