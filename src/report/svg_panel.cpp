// SPDX-License-Identifier: BSD-3-Clause
#include "svg_panel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace limber {

SvgRange with_room(const SvgRange& range) {
  if (range.is_empty()) return {0.0, 1.0};
  constexpr double part = 0.03;
  const double room =
      range.high > range.low ? part * (range.high - range.low) : std::max(std::abs(range.low), 1.0) * part;
  return {range.low - room, range.high + room};
}

SvgPanel::SvgPanel(int w, int h, const SvgRange& across, const SvgRange& up)
    : width(w),
      height(h),
      frame{70.0, w - 12.0, 34.0, h - 46.0},
      x(across.low, across.high, frame.left, frame.right, false, false),
      y(up.low, up.high, frame.bottom, frame.top, false, true) {}

std::string SvgPanel::picture(const std::string& title, const std::string& x_label,
                              const std::string& y_label, const std::string& inside) const {
  return svg_head(width, height, frame.left, title) + svg_grid(frame, x, y, x_label, y_label) + inside +
         "</svg>\n";
}

std::string svg_line(double x1, double y1, double x2, double y2, const char* color, double width) {
  return fmt::format(
      "<path d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}\" stroke=\"{}\" stroke-width=\"{}\" fill=\"none\"/>\n", x1, y1,
      x2, y2, color, width);
}

std::string svg_box(double x, double y, double width, double height, const char* color, double opacity) {
  return fmt::format(
      "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\" "
      "fill-opacity=\"{}\"/>\n",
      x, y, width, height, color, opacity);
}

std::string svg_text(double x, double y, const std::string& words, const char* anchor) {
  return fmt::format(
      "<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"12\" fill=\"#1f2933\" text-anchor=\"{}\">{}</text>\n", x,
      y, anchor, escaped(words));
}

std::string svg_dot(double x, double y, double radius, const char* color, double opacity,
                    const std::string& name) {
  return fmt::format(
      "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\" fill=\"{}\" "
      "fill-opacity=\"{}\"><title>{}</title></circle>\n",
      x, y, radius, color, opacity, escaped(name));
}

std::string plain_page_head(const std::string& title) {
  constexpr const char* style = R"(<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<style>
body { font: 15px/1.45 system-ui, sans-serif; color: #1f2933; margin: 2rem auto; max-width: 1320px; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2.2rem; border-bottom: 1px solid #e4e7eb; }
table { border-collapse: collapse; } th, td { padding: .2rem .7rem; text-align: right; } th:first-child, td:first-child { text-align: left; }
th { color: #52606d; font-weight: 600; border-bottom: 1px solid #cbd2d9; } .figures { display: flex; flex-wrap: wrap; gap: 1rem; }
code { font: 13px ui-monospace, monospace; background: #f5f7fa; padding: .1rem .3rem; user-select: all; } .dim { color: #52606d; } .bad { color: #c2410c; }
details { margin: .6rem 0; } pre { background: #f5f7fa; padding: .8rem; overflow: auto; font-size: 12px; } td.left { text-align: left; }
</style>
)";
  const std::string name = escaped(title);
  return style + ("<title>" + name + "</title></head><body>\n<h1>" + name + "</h1>\n");
}

}  // namespace limber
