// SPDX-License-Identifier: BSD-3-Clause
#include "svg_axis.hpp"

#include <fmt/format.h>

#include <cmath>

namespace limber {
namespace {

constexpr double little = 1e-9;     // of a step: ticks that differ by less are one
constexpr double rounding = 1e-12;  // of a range beside its ends

// 1, 2 or 5 times a power of ten, so that about `count` of them fit.
double round_step(double range, int count) {
  const double raw = range / count;
  const double power = std::pow(10.0, std::floor(std::log10(raw)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (raw <= factor * power * (1.0 + little)) return factor * power;
  return 10.0 * power;
}

}  // namespace

SvgAxis::SvgAxis(double low, double high, double first_pixel, double last_pixel, bool logarithmic,
                 bool whole_ticks)
    : low_(low), high_(high), first_(first_pixel), last_(last_pixel), logarithmic_(logarithmic) {
  if (logarithmic) {
    for (int p = static_cast<int>(std::floor(std::log10(low_))); p <= std::ceil(std::log10(high_)); ++p)
      ticks_.push_back(std::pow(10.0, p));
    if (whole_ticks) {
      low_ = ticks_.front();
      high_ = ticks_.back();
    }
  } else {
    // A constant gets a range of its own size.
    if (!(high_ - low_ > rounding * std::max(std::abs(low_), std::abs(high_)))) {
      const double size = std::max(std::abs(low_), rounding);
      low_ -= 0.5 * size;
      high_ += 0.5 * size;
    }
    constexpr double pixels_per_tick = 60.0;
    const int fewest = last_ < first_ ? 4 : 2;  // upwards numbers need less room than side by side
    const int count = std::max(fewest, static_cast<int>(std::abs(last_ - first_) / pixels_per_tick));
    const double step = round_step(high_ - low_, count);
    if (whole_ticks) {
      low_ = step * std::floor(low_ / step + little);
      high_ = step * std::ceil(high_ / step - little);
    }
    const double first = std::ceil(low_ / step - little);
    for (int i = 0; (first + i) * step <= high_ + little * step; ++i) ticks_.push_back((first + i) * step);
  }
  std::erase_if(ticks_, [&](double tick) {
    return tick < low_ - little * (high_ - low_) || tick > high_ + little * (high_ - low_);
  });
}

double SvgAxis::pixel(double value) const {
  const double share =
      logarithmic_ ? std::log(value / low_) / std::log(high_ / low_) : (value - low_) / (high_ - low_);
  return first_ + share * (last_ - first_);
}

std::string SvgAxis::tick_text(double value) {
  constexpr double nothing = 1e-14;  // what is left over of a tick at 0
  return fmt::format("{:.6g}", std::abs(value) < nothing ? 0.0 : value);
}

}  // namespace limber
