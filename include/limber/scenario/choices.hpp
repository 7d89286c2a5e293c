#pragma once

// The words of the scenario file for our enumerations.

#include "limber/model/choices.hpp"
#include "limber/scenario/description.hpp"

namespace limber {

template <>
inline constexpr auto choices<TrajectoryType> = std::to_array<Choice<TrajectoryType>>({
    {TrajectoryType::steps, "steps"},
    {TrajectoryType::quintic, "quintic"},
    {TrajectoryType::cycloidal, "cycloidal"},
    {TrajectoryType::trapezoidal, "trapezoidal"},
    {TrajectoryType::spin_up, "spin-up"},
    {TrajectoryType::table, "table"},
    {TrajectoryType::constant, "constant"},
    {TrajectoryType::sum, "sum"},
    {TrajectoryType::shaped, "shaped"},
});

template <>
inline constexpr auto choices<Shaper> = std::to_array<Choice<Shaper>>({
    {Shaper::zv, "zv"},
    {Shaper::zvd, "zvd"},
});

template <>
inline constexpr auto choices<ActuationType> = std::to_array<Choice<ActuationType>>({
    {ActuationType::torque, "torque"},
    {ActuationType::pd, "pd"},
    {ActuationType::computed_torque, "computed-torque"},
    {ActuationType::rigid_inverse_dynamics, "rigid-inverse-dynamics"},
    {ActuationType::lqr, "lqr"},
    {ActuationType::prescribed, "prescribed"},
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
inline constexpr auto choices<IntegrationMethod> = std::to_array<Choice<IntegrationMethod>>({
    {IntegrationMethod::automatic, "auto"},
    {IntegrationMethod::radau, "radau"},
    {IntegrationMethod::radau9, "radau9"},
    {IntegrationMethod::bdf, "bdf"},
    {IntegrationMethod::ida, "ida"},
    {IntegrationMethod::adams, "adams"},
    {IntegrationMethod::erk, "erk"},
    {IntegrationMethod::rk4, "rk4"},
    {IntegrationMethod::rkmk4, "rkmk4"},
    {IntegrationMethod::generalized_alpha, "generalized-alpha"},
    {IntegrationMethod::euler, "euler"},
});

template <>
inline constexpr auto choices<ConstraintCorrection> = std::to_array<Choice<ConstraintCorrection>>({
    {ConstraintCorrection::projection, "projection"},
    {ConstraintCorrection::baumgarte, "baumgarte"},
    {ConstraintCorrection::none, "none"},
});

}  // namespace limber
