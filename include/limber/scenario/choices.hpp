#pragma once

// The words of the scenario file for our enumerations.

#include "limber/model/choices.hpp"
#include "limber/scenario/description.hpp"

namespace limber {

template <>
inline constexpr auto choices<Shaper> = std::to_array<Choice<Shaper>>({
    {Shaper::zv, "zv"},
    {Shaper::zvd, "zvd"},
});

template <>
inline constexpr auto choices<GravityCompensation> = std::to_array<Choice<GravityCompensation>>({
    {GravityCompensation::none, "none"},
    {GravityCompensation::target, "target"},
    {GravityCompensation::measured, "measured"},
});

template <>
inline constexpr auto choices<LoadFrame> = std::to_array<Choice<LoadFrame>>({
    {LoadFrame::world, "world"},
    {LoadFrame::body, "body"},
    {LoadFrame::section, "section"},
});

template <>
inline constexpr auto choices<ConstraintCorrection> = std::to_array<Choice<ConstraintCorrection>>({
    {ConstraintCorrection::projection, "projection"},
    {ConstraintCorrection::baumgarte, "baumgarte"},
    {ConstraintCorrection::none, "none"},
});

}  // namespace limber
