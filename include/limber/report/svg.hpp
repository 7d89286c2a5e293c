#pragma once

// Figures as clean vector graphics, for papers and for machines without a browser.

#include <optional>
#include <string>
#include <vector>

#include "limber/report/figure.hpp"

namespace limber {

struct SvgOptions {
  int width = 720, height = 420;             ///< [px]
  std::optional<double> from = {}, to = {};  ///< of the x axis
  int snapshots = 9;                         ///< of motion_svg
};

/// The same figure of one or several results; `labels` tell these apart. Throws InputError where there is nothing to draw.
std::string figure_svg(const std::vector<Figure>& same, const std::vector<std::string>& labels,
                       const SvgOptions& options = {});

/// The arm at several moments, its links bent as they are, seen along the direction in which it moves least.
std::string motion_svg(const RunRecord& record, const SvgOptions& options = {});

}  // namespace limber
