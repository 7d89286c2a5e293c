// SPDX-License-Identifier: BSD-3-Clause
#include "shape_normalization.hpp"

#include <algorithm>
#include <boost/math/tools/roots.hpp>
#include <cmath>
#include <cstdint>
#include <numbers>

namespace limber {
namespace {

// Places close enough to each other to have at most one extremum between two of them.
std::vector<double> sampling_places(const std::vector<double>& breakpoints, double wavenumber) {
  constexpr int fewest_in_panel = 12, in_half_wave = 8;
  const double step = std::numbers::pi / in_half_wave / wavenumber;
  std::vector<double> places{breakpoints.front()};
  for (std::size_t i = 1; i < breakpoints.size(); ++i) {
    const double left = breakpoints[i - 1], width = breakpoints[i] - left;
    const int pieces = std::max(fewest_in_panel, static_cast<int>(std::ceil(width / step)));
    for (int piece = 1; piece < pieces; ++piece) places.push_back(left + width * piece / pieces);
    places.push_back(breakpoints[i]);
  }
  return places;
}

}  // namespace

double peak_of(const ShapeFunction& shape, const std::vector<double>& breakpoints, double wavenumber) {
  const auto slope = [&](double x) { return shape.at(x)[1]; };
  const std::vector<double> places = sampling_places(breakpoints, wavenumber);
  double peak = 0.0, left_slope = 0.0;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const Jet jet = shape.at(places[i]);
    peak = std::max(peak, std::abs(jet[0]));
    if (left_slope * jet[1] < 0.0) {
      // The extremum itself; near it, half of the digits of its place give all digits of its value.
      std::uintmax_t steps = 100;
      const auto [left, right] =
          boost::math::tools::toms748_solve(slope, places[i - 1], places[i], left_slope, jet[1],
                                            boost::math::tools::eps_tolerance<double>(40), steps);
      peak = std::max(peak, std::abs(shape.at(0.5 * (left + right))[0]));
    }
    left_slope = jet[1];
  }
  return peak;
}

double sign_at_root(const ShapeFunction& shape, const std::vector<double>& breakpoints, double wavenumber,
                    double peak) {
  constexpr double away_from_zero = 1e-3;  // of the peak: no rounding has a say in the sign
  for (const double x : sampling_places(breakpoints, wavenumber)) {
    const double value = shape.at(x)[0];
    if (std::abs(value) > away_from_zero * peak) return std::copysign(1.0, value);
  }
  return 1.0;
}

}  // namespace limber
