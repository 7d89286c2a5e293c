// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>

namespace limber {

struct Spectrum {
  Eigen::VectorXd frequencies;  ///< [Hz], without zero
  Eigen::VectorXd amplitudes;   ///< in the signal's unit
};

/// Of a signal sampled every `interval` seconds; see figure.hpp. Empty for fewer than 16 samples.
Spectrum amplitude_spectrum(const Eigen::VectorXd& signal, double interval);

}  // namespace limber
