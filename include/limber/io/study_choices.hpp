// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The words of the study file for its enumerations.

#include "limber/core/export.hpp"
#include "limber/io/study_file.hpp"
#include "limber/model/choices.hpp"

namespace limber LIMBER_EXPORT {

/// Of tasks.
template <>
inline constexpr auto choices<StudyTask> = std::to_array<Choice<StudyTask>>({
    {StudyTask::simulate, "simulate"},
    {StudyTask::modes, "modes"},
    {StudyTask::statics, "statics"},
    {StudyTask::info, "info"},
    {StudyTask::linearize, "linearize"},
    {StudyTask::zeros, "zeros"},
});
/// Of methods.
template <>
inline constexpr auto choices<DesignMethod> = std::to_array<Choice<DesignMethod>>({
    {DesignMethod::sobol, "sobol"},
    {DesignMethod::random, "random"},
    {DesignMethod::latin_hypercube, "latin-hypercube"},
    {DesignMethod::grid, "grid"},
});
/// Of `what` of measures.
template <>
inline constexpr auto choices<MeasureKind> = std::to_array<Choice<MeasureKind>>({
    {MeasureKind::final, "final"},
    {MeasureKind::max, "max"},
    {MeasureKind::min, "min"},
    {MeasureKind::mean, "mean"},
    {MeasureKind::peak_to_peak, "peak_to_peak"},
    {MeasureKind::rms, "rms"},
    {MeasureKind::settling_time, "settling_time"},
});
/// Of ways to search.
template <>
inline constexpr auto choices<SearchMethod> = std::to_array<Choice<SearchMethod>>({
    {SearchMethod::automatic, "auto"},
    {SearchMethod::gradient, "gradient"},
    {SearchMethod::derivative_free, "derivative-free"},
    {SearchMethod::global, "global"},
});

}  // namespace limber
