// SPDX-License-Identifier: BSD-3-Clause
#include "limber/report/svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "limber/core/input_error.hpp"
#include "svg_axis.hpp"
#include "svg_parts.hpp"

namespace limber {
namespace {

// Okabe and Ito's colours, without yellow: told apart by everyone, and in print.
constexpr const char* palette[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                   "#56b4e9", "#e69f00", "#000000"};
constexpr const char* dashes[] = {"", "7 4", "2 3", "9 3 2 3"};

std::string color(std::size_t index) { return palette[index % std::size(palette)]; }

/// A line as it is drawn, in the picture and in its legend.
std::string line_style(const std::string& color, const std::string& dash, double width) {
  return fmt::format("fill=\"none\" stroke=\"{}\" stroke-width=\"{:g}\" stroke-linejoin=\"round\"{}", color,
                     width, dash.empty() ? "" : fmt::format(" stroke-dasharray=\"{}\"", dash));
}

constexpr const char* reference_dash = "4 3";
constexpr double line_width = 1.6, reference_width = 1.0;  // pixels

/// Of several results each has one colour and one dash: seven colours and four dashes tell 28 of them apart.
std::string run_style(std::size_t run) {
  return line_style(color(run), dashes[run % std::size(dashes)], line_width);
}

bool is_shown(double x, const SvgOptions& options) {
  return !(options.from && x < *options.from) && !(options.to && x > *options.to);
}

/// Corners of a curve; of the points that fall on one pixel only first, lowest, highest and last.
class Path {
 public:
  void add(double x, double y) {
    const double column = std::floor(x);
    if (count_ > 0 && column == column_) {
      low_ = std::min(low_, y);
      high_ = std::max(high_, y);
      last_x_ = x;
      last_y_ = y;
      ++count_;
      return;
    }
    flush();
    text(x, y);
    column_ = column;
    last_x_ = x;
    low_ = high_ = last_y_ = y;
    count_ = 1;
  }
  std::string str() {
    flush();
    return std::move(text_);
  }

 private:
  void text(double x, double y) {
    fmt::format_to(std::back_inserter(text_), "{}{:.2f} {:.2f}", text_.empty() ? "M" : "L", x, y);
  }
  void flush() {
    if (count_ > 3) {
      text(last_x_, low_);
      text(last_x_, high_);
    }
    if (count_ > 1) text(last_x_, last_y_);
    count_ = 0;
  }

  std::string text_;
  double column_ = 0.0, low_ = 0.0, high_ = 0.0, last_x_ = 0.0, last_y_ = 0.0;
  int count_ = 0;
};

struct Line {
  const Figure* figure;
  const Curve* curve;
  std::string style;
};

struct LegendEntry {
  std::string name, style;
};

/// What stands over one stretch of the y axis.
struct Panel {
  std::string title;
  std::vector<Line> lines;
};

struct Layout {
  std::vector<Panel> panels;
  std::vector<LegendEntry> legend;
};

/// One result: all curves in one panel, a colour each; a reference in the colour of the curve before it.
Layout layout_of_one(const Figure& figure) {
  Layout layout{{Panel{}}, {}};
  std::size_t index = 0;
  for (const Curve& curve : figure.curves) {
    if (curve.is_reference && index > 0) --index;
    const std::string style = curve.is_reference ? line_style(color(index), reference_dash, reference_width)
                                                 : line_style(color(index), "", line_width);
    layout.panels.front().lines.push_back({&figure, &curve, style});
    layout.legend.push_back({curve.note.empty() ? curve.name : curve.name + ": " + curve.note, style});
    ++index;
  }
  return layout;
}

bool are_same(const Line& line, const Figure& figure, const Curve& curve) {
  return line.curve->is_reference && line.figure->x.size() == figure.x.size() && line.figure->x == figure.x &&
         line.curve->values == curve.values;
}

/// Several: a panel for each quantity, in it a line for each result; a reference that all follow is drawn once.
Layout layout_of_several(const std::vector<Figure>& figures, const std::vector<std::string>& labels) {
  Layout layout;
  const std::string reference = line_style("#888", reference_dash, 1.0);
  bool has_reference = false;
  for (std::size_t r = 0; r < figures.size(); ++r) {
    layout.legend.push_back({labels[r], run_style(r)});
    Panel* panel = nullptr;
    for (const Curve& curve : figures[r].curves) {
      if (!curve.is_reference) {
        const auto at = std::find_if(layout.panels.begin(), layout.panels.end(),
                                     [&](const Panel& other) { return other.title == curve.name; });
        panel = at != layout.panels.end() ? &*at : &layout.panels.emplace_back(Panel{curve.name, {}});
        panel->lines.push_back({&figures[r], &curve, run_style(r)});
      } else if (panel && std::none_of(panel->lines.begin(), panel->lines.end(),
                                       [&](const Line& line) { return are_same(line, figures[r], curve); })) {
        panel->lines.push_back({&figures[r], &curve, reference});
        has_reference = true;
      }
    }
  }
  if (has_reference) layout.legend.push_back({"reference", reference});
  return layout;
}

/// The picture of one figure, put together from the back to the front.
class FigurePicture {
 public:
  FigurePicture(const std::vector<Figure>& same, const std::vector<std::string>& labels,
                const SvgOptions& options)
      : first_(same.front()),
        layout_(same.size() == 1 ? layout_of_one(first_) : layout_of_several(same, labels)),
        options_(options) {
    for (const Panel& panel : layout_.panels)
      for (const Line& line : panel.lines) add_range(line, x_, y_);
    if (x_.is_empty() || y_.is_empty())
      throw InputError(Problem{first_.id, "something to draw", "nothing",
                               "this result has no such quantity, or --from and --to leave nothing"});
    if (layout_.panels.size() > 1) top_ += 18.0;  // below the title a panel's own
    title_ = first_.title;
    if (labels.size() == 1 && !labels.front().empty()) title_ += ": " + labels.front();
    height_ = options_.height.value_or(usual_height());
    right_ = options_.width - legend_width();
  }

  std::string str() {
    out_ = svg_head(options_.width, height_, left_, title_);
    const SvgAxis x(x_.low, x_.high, left_, right_, first_.logarithmic, false);
    const double count = double(layout_.panels.size());
    const double each = (height_ - bottom_room_ - top_ - (count - 1.0) * gap_) / count;
    for (std::size_t i = 0; i < layout_.panels.size(); ++i) {
      const double top = top_ + double(i) * (each + gap_);
      draw_panel(layout_.panels[i], i, {left_, right_, top, top + each}, x);
    }
    draw_legend();
    return out_ + "</svg>\n";
  }

 private:
  template <typename... Arguments>
  void put(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Arguments>(arguments)...);
  }

  void add_range(const Line& line, SvgRange& x, SvgRange& y) const {
    const Figure& figure = *line.figure;
    for (Eigen::Index i = 0; i < figure.x.size(); ++i) {
      if (!is_shown(figure.x[i], options_)) continue;
      if (figure.logarithmic && !(line.curve->values[i] > 0.0 && figure.x[i] > 0.0)) continue;
      x.add(figure.x[i]);
      y.add(line.curve->values[i]);
    }
  }

  // Room for all panels, and for the legend.
  int usual_height() const {
    constexpr double one = 420.0, panel = 110.0;
    const double count = double(layout_.panels.size());
    const double panels = count > 1.0 ? top_ + count * panel + (count - 1.0) * gap_ + bottom_room_ : one;
    return static_cast<int>(std::max({one, panels, top_ + entry_height_ * double(layout_.legend.size())}));
  }

  double legend_width() const {
    std::size_t longest = 0;
    for (const LegendEntry& entry : layout_.legend) longest = std::max(longest, entry.name.size());
    constexpr double sample = 48.0, letter = 6.6, most = 0.45;  // pixels, pixels, of the picture
    return std::min(sample + letter * double(longest), most * options_.width);
  }

  void draw_panel(const Panel& panel, std::size_t index, const SvgFrame& frame, const SvgAxis& x) {
    SvgRange x_range, range;
    for (const Line& line : panel.lines) add_range(line, x_range, range);
    if (range.is_empty()) range = y_;
    constexpr double decades = 1e-6;  // what is smaller beside the largest is noise
    if (first_.logarithmic) range.low = std::max(range.low, decades * range.high);
    const SvgAxis y(range.low, range.high, frame.bottom, frame.top, first_.logarithmic, true);
    const bool is_last = index + 1 == layout_.panels.size();
    out_ += svg_grid(frame, x, y, is_last ? first_.x_label : "", first_.y_label);
    draw_marks(x, frame, index == 0);
    if (!panel.title.empty() && layout_.panels.size() > 1)
      put("<text x=\"{:.1f}\" y=\"{:.1f}\" font-weight=\"bold\">{}</text>\n", frame.left, frame.top - 6.0,
          escaped(panel.title));
    put("<clipPath id=\"frame{}\"><rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" "
        "height=\"{:.1f}\"/></clipPath>\n",
        index, frame.left, frame.top, frame.right - frame.left, frame.bottom - frame.top);
    for (const Line& line : panel.lines)
      put("<path clip-path=\"url(#frame{})\" d=\"{}\" {}/>\n", index, corners(line, x, y), line.style);
  }

  void draw_marks(const SvgAxis& x, const SvgFrame& frame, bool are_named) {
    double last = -std::numeric_limits<double>::infinity();
    for (const AxisMark& mark : first_.marks) {
      if (mark.x < x.low() || mark.x > x.high()) continue;
      const double at = x.pixel(mark.x);
      const bool is_held = mark.name.starts_with("held");
      put("<path d=\"M{:.1f} {:.1f}V{:.1f}\" stroke=\"#888\" stroke-dasharray=\"{}\"/>\n", at, frame.top,
          frame.bottom, is_held ? "5 3" : "1 3");
      constexpr double room = 12.0;
      if (!are_named || std::abs(at - last) < room) continue;
      put("<text x=\"{0:.1f}\" y=\"{1:.1f}\" fill=\"#666\" font-size=\"10\" transform=\"rotate(-90 {0:.1f} "
          "{1:.1f})\" text-anchor=\"end\">{2}</text>\n",
          at - 2.0, frame.top + 3.0, escaped(mark.name));
      last = at;
    }
  }

  void draw_legend() {
    double y = top_ + 8.0;
    for (const LegendEntry& entry : layout_.legend) {
      put("<path d=\"M{:.1f} {:.1f}h22\" {}/><text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", right_ + 10.0, y,
          entry.style, right_ + 37.0, y + 4.0, escaped(entry.name));
      y += entry_height_;
    }
  }

  std::string corners(const Line& line, const SvgAxis& x, const SvgAxis& y) const {
    Path path;
    const Figure& figure = *line.figure;
    for (Eigen::Index i = 0; i < figure.x.size(); ++i) {
      double value = line.curve->values[i];
      if (!is_shown(figure.x[i], options_) || !std::isfinite(value)) continue;
      if (figure.logarithmic) value = std::max(value, y.low());
      path.add(x.pixel(figure.x[i]), y.pixel(value));
    }
    return path.str();
  }

  static constexpr double left_ = 76.0, bottom_room_ = 44.0, gap_ = 26.0, entry_height_ = 17.0;
  const Figure& first_;
  const Layout layout_;
  const SvgOptions& options_;
  SvgRange x_, y_;
  std::string title_;
  int height_ = 0;
  double top_ = 34.0, right_ = 0.0;
  std::string out_;
};

}  // namespace

std::string figure_svg(const std::vector<Figure>& same, const std::vector<std::string>& labels,
                       const SvgOptions& options) {
  return FigurePicture(same, labels, options).str();
}

}  // namespace limber
