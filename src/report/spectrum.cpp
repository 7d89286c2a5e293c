// SPDX-License-Identifier: BSD-3-Clause
#include "spectrum.hpp"

#include <bit>
#include <cmath>
#include <complex>
#include <numbers>
#include <unsupported/Eigen/FFT>
#include <vector>

namespace limber {
namespace {

constexpr Eigen::Index most_lines = 4000;

// s minus its straight line of best fit.
Eigen::VectorXd without_trend(const Eigen::VectorXd& s) {
  const Eigen::VectorXd x = Eigen::VectorXd::LinSpaced(s.size(), -1.0, 1.0);
  return s.array() - s.mean() - (x.dot(s) / x.squaredNorm()) * x.array();
}

// Of neighbouring lines the highest, so that no peak is lost.
Spectrum without_neighbours(const Spectrum& full) {
  const Eigen::Index group = (full.frequencies.size() + most_lines - 1) / most_lines;
  if (group <= 1) return full;
  const Eigen::Index count = full.frequencies.size() / group;
  Spectrum result{Eigen::VectorXd(count), Eigen::VectorXd(count)};
  for (Eigen::Index i = 0; i < count; ++i) {
    Eigen::Index highest = 0;
    result.amplitudes[i] = full.amplitudes.segment(i * group, group).maxCoeff(&highest);
    result.frequencies[i] = full.frequencies[i * group + highest];
  }
  return result;
}

}  // namespace

Spectrum amplitude_spectrum(const Eigen::VectorXd& signal, double interval) {
  const Eigen::Index n = signal.size();
  constexpr Eigen::Index fewest = 16;
  if (n < fewest || !(interval > 0.0)) return {};
  // Twice as long with zeros: a peak between two lines loses little height.
  const auto size = static_cast<Eigen::Index>(2 * std::bit_ceil(static_cast<std::size_t>(n)));
  const Eigen::ArrayXd phase = Eigen::ArrayXd::LinSpaced(n, 0.0, 2.0 * std::numbers::pi);
  const Eigen::ArrayXd window = 0.5 - 0.5 * phase.cos();
  std::vector<double> padded(static_cast<std::size_t>(size), 0.0);
  Eigen::Map<Eigen::ArrayXd>(padded.data(), n) = window * without_trend(signal).array();
  std::vector<std::complex<double>> lines;
  Eigen::FFT<double> transform;
  transform.fwd(lines, padded);

  const Eigen::Index count = size / 2;
  Spectrum full{Eigen::VectorXd(count), Eigen::VectorXd(count)};
  const double scale = 2.0 / window.sum();
  for (Eigen::Index i = 0; i < count; ++i) {
    full.frequencies[i] = double(i + 1) / (double(size) * interval);
    full.amplitudes[i] = scale * std::abs(lines[static_cast<std::size_t>(i + 1)]);
  }
  return without_neighbours(full);
}

}  // namespace limber
