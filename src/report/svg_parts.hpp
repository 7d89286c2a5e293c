// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What all pictures share.

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "svg_axis.hpp"

namespace limber {

/// The range of numbers, without those that are none.
struct SvgRange {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  void add(double value) {
    if (!std::isfinite(value)) return;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  bool is_empty() const { return low > high; }
};

/// Text in XML.
std::string escaped(const std::string& text);

/// The beginning of a picture, up to its title.
std::string svg_head(int width, int height, double title_x, const std::string& title);

/// Grid lines and numbers of both axes inside the frame, and their names. Without a name the x axis has no numbers either: those
/// of a panel below stand for both.
struct SvgFrame {
  double left, right, top, bottom;
};
std::string svg_grid(const SvgFrame& frame, const SvgAxis& x, const SvgAxis& y, const std::string& x_label,
                     const std::string& y_label);

}  // namespace limber
