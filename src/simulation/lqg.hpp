// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "limber/simulation/output_feedback.hpp"
#include "lqr_design.hpp"

namespace limber {

/// What the filter knows of sensors and disturbances.
struct LqgSettings {
  std::vector<int> sensors;  ///< in Scenario::sensors
  std::vector<std::optional<double>>
      process_noise;  ///< of each driven joint: standard deviation of unknown efforts [N m or N]
  double rate = 0.0;  ///< samples per second; 0: continuous
  std::string path;   ///< for messages
};

/// lqr's feedback of a Kalman filter's estimate (lqg.cpp). Throws InputError where sensors do not see a mode, and which.
OutputFeedbackController::Design design_lqg(const Model& model, const std::vector<LqrJoint>& joints,
                                            const std::vector<SensorDescription>& sensors,
                                            const LqrDesign& design, const LqgSettings& settings);

}  // namespace limber
