// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A picture with two axes, and what is drawn inside: what pages of text and pictures share.

#include <string>

#include "svg_parts.hpp"

namespace limber {

inline constexpr const char *svg_blue = "#0b6e99", *svg_orange = "#c2410c", *svg_grey = "#52606d";

/// A range of one number gets some room around it.
SvgRange with_room(const SvgRange& range);

/// The axes of a picture.
struct SvgPanel {
  int width, height;
  SvgFrame frame;
  SvgAxis x, y;

  SvgPanel(int w, int h, const SvgRange& across, const SvgRange& up);

  std::string picture(const std::string& title, const std::string& x_label, const std::string& y_label,
                      const std::string& inside) const;
};

///@{
/// In pixels.
std::string svg_line(double x1, double y1, double x2, double y2, const char* color, double width);
std::string svg_box(double x, double y, double width, double height, const char* color, double opacity = 1.0);
std::string svg_text(double x, double y, const std::string& words, const char* anchor = "start");
/// `name`: what is told to whoever points at it.
std::string svg_dot(double x, double y, double radius, const char* color, double opacity,
                    const std::string& name);
///@}

/// The beginning of a page of text and pictures, up to its first heading.
std::string plain_page_head(const std::string& title);

}  // namespace limber
