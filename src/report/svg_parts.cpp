// SPDX-License-Identifier: BSD-3-Clause
#include "svg_parts.hpp"

#include <fmt/format.h>

namespace limber {

std::string escaped(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    if (c == '<')
      safe += "&lt;";
    else if (c == '>')
      safe += "&gt;";
    else if (c == '&')
      safe += "&amp;";
    else if (c == '"')
      safe += "&quot;";
    else
      safe += c;
  }
  return safe;
}

std::string svg_head(int width, int height, double title_x, const std::string& title) {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" "
      "role=\"img\" "
      "font-family=\"Helvetica, Arial, 'DejaVu Sans', sans-serif\" font-size=\"12\">\n<title>{2}</title>\n"
      "<rect width=\"{0}\" height=\"{1}\" fill=\"white\"/>\n"
      "<text x=\"{3:.1f}\" y=\"20\" font-size=\"14\" font-weight=\"bold\">{2}</text>\n",
      width, height, escaped(title), title_x);
}

std::string svg_grid(const SvgFrame& frame, const SvgAxis& x, const SvgAxis& y, const std::string& x_label,
                     const std::string& y_label) {
  // Pixels from the frame to the numbers, and to the name of the axis; half of a digit's height.
  constexpr double beside = 6.0, below = 16.0, name_below = 35.0, half_digit = 4.0;
  std::string out;
  for (const double tick : y.ticks())
    out += fmt::format(
        "<path d=\"M{:.1f} {:.1f}H{:.1f}\" stroke=\"#ddd\"/>"
        "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>\n",
        frame.left, y.pixel(tick), frame.right, frame.left - beside, y.pixel(tick) + half_digit,
        SvgAxis::tick_text(tick));
  for (const double tick : x.ticks()) {
    out += fmt::format("<path d=\"M{:.1f} {:.1f}V{:.1f}\" stroke=\"#eee\"/>\n", x.pixel(tick), frame.top,
                       frame.bottom);
    if (!x_label.empty())
      out += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n", x.pixel(tick),
                         frame.bottom + below, SvgAxis::tick_text(tick));
  }
  const double mid_y = 0.5 * (frame.top + frame.bottom);
  out += fmt::format(
      "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n"
      "<text x=\"14\" y=\"{:.1f}\" text-anchor=\"middle\" transform=\"rotate(-90 14 {:.1f})\">{}</text>\n",
      0.5 * (frame.left + frame.right), frame.bottom + name_below, escaped(x_label), mid_y, mid_y,
      escaped(y_label));
  return out;
}

}  // namespace limber
