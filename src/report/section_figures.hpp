// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Diagrams along beams: section forces and stress of a result, enveloped over time.

#include <optional>
#include <string>

#include "limber/report/figure.hpp"

namespace limber {

/// "section-forces", "section-moments", "section-stress" (along the beams) or "stress" (over time); none for another id. Without curves where the
/// result holds nothing of it.
std::optional<Figure> section_figure(const RunRecord& record, const std::string& id);

}  // namespace limber
