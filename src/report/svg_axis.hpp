// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Numbers to pixels, and where ticks stand.

#include <string>
#include <vector>

namespace limber {

class SvgAxis {
 public:
  /// Linear: the range is widened to round numbers if `whole_ticks`. Logarithmic: low > 0.
  SvgAxis(double low, double high, double first_pixel, double last_pixel, bool logarithmic, bool whole_ticks);

  double pixel(double value) const;
  const std::vector<double>& ticks() const { return ticks_; }
  static std::string tick_text(double value);
  double low() const { return low_; }
  double high() const { return high_; }

 private:
  double low_, high_, first_, last_;
  bool logarithmic_;
  std::vector<double> ticks_;
};

}  // namespace limber
