// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The page of a study: distributions, scatter of measures over parameters, main effects, Sobol's indices, the worst variants and those that failed, each
// with the command that runs it again. One HTML file of text and vector graphics, without scripts.

#include <string>

#include "limber/core/export.hpp"
#include "limber/results/study_result.hpp"

namespace limber LIMBER_EXPORT {

/// `study_file` stands in the commands that run a variant again.
std::string study_page(const StudyResult& result, const std::string& study_file);

}  // namespace limber
