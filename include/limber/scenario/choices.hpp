// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The words of the scenario file for our enumerations.

#include "limber/core/export.hpp"
#include "limber/model/choices.hpp"
#include "limber/scenario/description.hpp"

namespace limber LIMBER_EXPORT {

template <>
inline constexpr auto choices<Shaper> = std::to_array<Choice<Shaper>>({
    {Shaper::zv, "zv"},
    {Shaper::zvd, "zvd"},
});

template <>
inline constexpr auto choices<ObserverMethod> = std::to_array<Choice<ObserverMethod>>({
    {ObserverMethod::ekf, "ekf"},
    {ObserverMethod::ukf, "ukf"},
});

template <>
inline constexpr auto choices<AtSingular> = std::to_array<Choice<AtSingular>>({
    {AtSingular::stop, "stop"},
    {AtSingular::pass, "pass"},
});

template <>
inline constexpr auto choices<Axes> = std::to_array<Choice<Axes>>({
    {Axes::world, "world"},
    {Axes::body, "body"},
    {Axes::section, "section"},
});

}  // namespace limber
