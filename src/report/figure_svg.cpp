#include "limber/report/svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

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

/// The picture of one figure, put together from the back to the front.
class FigurePicture {
 public:
  FigurePicture(const std::vector<Figure>& same, const std::vector<std::string>& labels,
                const SvgOptions& options)
      : figures_(same), labels_(labels), options_(options) {
    for (const Figure& figure : figures_)
      for (const Curve& curve : figure.curves) add_range(figure, curve);
    if (x_.is_empty() || y_.is_empty())
      throw InputError(Problem{figures_.front().id, "something to draw", "nothing",
                               "this result has no such quantity, or --from and --to leave nothing"});
    if (figures_.front().logarithmic) y_.low = std::max(y_.low, 1e-6 * y_.high);
    bottom_ = options_.height - 44.0;
    right_ = options_.width - legend_width();
  }

  std::string str() {
    const Figure& first = figures_.front();
    const SvgAxis x(x_.low, x_.high, left_, right_, first.logarithmic, false);
    const SvgAxis y(y_.low, y_.high, bottom_, top_, first.logarithmic, true);
    std::string title = first.title;
    if (labels_.size() == 1 && !labels_.front().empty()) title += ": " + labels_.front();
    out_ = svg_head(options_.width, options_.height, left_, title);
    out_ += svg_grid({left_, right_, top_, bottom_}, x, y, first.x_label, first.y_label);
    draw_marks(x);
    draw_curves(x, y);
    return out_ + "</svg>\n";
  }

 private:
  template <typename... Arguments>
  void put(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Arguments>(arguments)...);
  }

  void add_range(const Figure& figure, const Curve& curve) {
    for (Eigen::Index i = 0; i < figure.x.size(); ++i) {
      if (!is_shown(figure.x[i], options_)) continue;
      if (figure.logarithmic && !(curve.values[i] > 0.0 && figure.x[i] > 0.0)) continue;
      x_.add(figure.x[i]);
      y_.add(curve.values[i]);
    }
  }

  std::string name_of(std::size_t result, const Curve& curve) const {
    return labels_.size() > 1 ? curve.name + ", " + labels_[result] : curve.name;
  }

  double legend_width() const {
    std::size_t longest = 0;
    for (std::size_t r = 0; r < figures_.size(); ++r)
      for (const Curve& curve : figures_[r].curves) longest = std::max(longest, name_of(r, curve).size());
    return std::min(48.0 + 6.6 * double(longest), 0.45 * options_.width);
  }

  void draw_marks(const SvgAxis& x) {
    double last = -1e9;
    for (const AxisMark& mark : figures_.front().marks) {
      if (mark.x < x.low() || mark.x > x.high()) continue;
      const double at = x.pixel(mark.x);
      const bool is_locked = mark.name.starts_with("locked");
      put("<path d=\"M{:.1f} {:.1f}V{:.1f}\" stroke=\"#888\" stroke-dasharray=\"{}\"/>\n", at, top_, bottom_,
          is_locked ? "5 3" : "1 3");
      constexpr double room = 12.0;
      if (std::abs(at - last) < room) continue;
      put("<text x=\"{0:.1f}\" y=\"{1:.1f}\" fill=\"#666\" font-size=\"10\" transform=\"rotate(-90 {0:.1f} "
          "{1:.1f})\" text-anchor=\"end\">{2}</text>\n",
          at - 2.0, top_ + 3.0, escaped(mark.name));
      last = at;
    }
  }

  void draw_curves(const SvgAxis& x, const SvgAxis& y) {
    put("<clipPath id=\"frame\"><rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" "
        "height=\"{:.1f}\"/></clipPath>\n",
        left_, top_, right_ - left_, bottom_ - top_);
    double legend_y = top_ + 8.0;
    for (std::size_t r = 0; r < figures_.size(); ++r) {
      std::size_t index = 0;
      for (const Curve& curve : figures_[r].curves) {
        if (curve.is_reference && index > 0) --index;  // the colour of the curve before it
        const std::string style =
            fmt::format("fill=\"none\" stroke=\"{}\" stroke-width=\"{}\" stroke-linejoin=\"round\"{}",
                        color(index), curve.is_reference ? "1" : "1.6",
                        dash(curve.is_reference ? std::string("4 3") : dashes[r % std::size(dashes)]));
        put("<path clip-path=\"url(#frame)\" d=\"{}\" {}/>\n", corners(figures_[r], curve, x, y), style);
        put("<path d=\"M{:.1f} {:.1f}h22\" {}/><text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", right_ + 10.0,
            legend_y, style, right_ + 37.0, legend_y + 4.0, escaped(name_of(r, curve)));
        legend_y += 17.0;
        ++index;
      }
    }
  }

  static std::string dash(const std::string& pattern) {
    return pattern.empty() ? "" : fmt::format(" stroke-dasharray=\"{}\"", pattern);
  }

  std::string corners(const Figure& figure, const Curve& curve, const SvgAxis& x, const SvgAxis& y) const {
    Path path;
    for (Eigen::Index i = 0; i < figure.x.size(); ++i) {
      if (!is_shown(figure.x[i], options_) || !std::isfinite(curve.values[i])) continue;
      const double value = figure.logarithmic ? std::max(curve.values[i], y.low()) : curve.values[i];
      path.add(x.pixel(figure.x[i]), y.pixel(value));
    }
    return path.str();
  }

  const std::vector<Figure>& figures_;
  const std::vector<std::string>& labels_;
  const SvgOptions& options_;
  Range x_, y_;
  double left_ = 76.0, right_ = 0.0, top_ = 34.0, bottom_ = 0.0;
  std::string out_;
};

}  // namespace

std::string figure_svg(const std::vector<Figure>& same, const std::vector<std::string>& labels,
                       const SvgOptions& options) {
  return FigurePicture(same, labels, options).str();
}

}  // namespace limber
