// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Figures as clean vector graphics, for papers and for machines without a browser.

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "limber/core/export.hpp"
#include "limber/report/figure.hpp"

namespace limber LIMBER_EXPORT {

/// How a figure is drawn.
struct SvgOptions {
  int width = 720;                               ///< [px]
  std::optional<int> height = {};                ///< [px]; absent: 420, and more where what is shown needs it
  std::optional<double> from = {}, to = {};      ///< of the x axis
  int snapshots = 9;                             ///< of motion_svg
  std::optional<std::array<int, 2>> plane = {};  ///< of motion_svg: the axes to the right and upwards
};

/// The same figure of one or several results; `labels` tell these apart. Curves of one result have a colour each. Several
/// results have one colour and one dash each, and every quantity gets a panel of its own, all above one time axis. Throws
/// InputError where there is nothing to draw.
std::string figure_svg(const std::vector<Figure>& same, const std::vector<std::string>& labels,
                       const SvgOptions& options = {});

/// The arm at several moments, its links bent as they are: in the plane of `options`, or else in that plane of two axes in which
/// its links sweep the largest area from moment to moment.
std::string motion_svg(const RunRecord& record, const SvgOptions& options = {});

}  // namespace limber
