// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The words of plan files.

#include "limber/core/export.hpp"
#include "limber/io/plan_file.hpp"
#include "limber/model/choices.hpp"

namespace limber LIMBER_EXPORT {

/// Of what a motion should have little of.
template <>
inline constexpr auto choices<PlanGoal> = std::to_array<Choice<PlanGoal>>({
    {PlanGoal::time, "time"},
    {PlanGoal::effort, "effort"},
    {PlanGoal::vibration, "vibration"},
    {PlanGoal::deflection, "deflection"},
    {PlanGoal::stress, "stress"},
});

}  // namespace limber
