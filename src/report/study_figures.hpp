// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Figures of a study, as SVG.

#include <string>

#include "limber/results/study_result.hpp"

namespace limber {

/// How often a measure lies where.
std::string histogram_svg(const StudyResult& result, std::size_t measure);
/// A measure over a parameter, a dot for each variant (of many, some), and the mean of its parts with 95 % intervals.
std::string scatter_svg(const StudyResult& result, std::size_t measure, std::size_t parameter);
/// Two measures against each other.
std::string pair_svg(const StudyResult& result, std::size_t across, std::size_t up);
/// First-order and total indices of a measure as bars, with their bounds.
std::string indices_svg(const StudyResult& result, std::size_t measure);
/// Of a search for two measures: all variants in their plane, grey where they do not keep to the limits, and the front.
std::string front_svg(const StudyResult& result);
/// Of a search: a measure over the variants in the order in which they were asked for, and the best.
std::string search_svg(const StudyResult& result, std::size_t measure);

/// A path by its last part, and the names before it as far as they tell paths apart.
std::string short_path(const std::string& path);

}  // namespace limber
