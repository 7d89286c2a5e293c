// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

namespace limber::test {

/// What MuJoCo makes of a file in its format: mass matrix in the configuration zero, springs, names of joints.
struct MujocoArm {
  int nv;
  std::vector<double> M;          ///< nv x nv
  std::vector<double> stiffness;  ///< of every coordinate; joints have one each
  std::vector<std::string> joints;
  double mass;
};

/// Throws std::runtime_error with what MuJoCo says.
MujocoArm read_by_mujoco(const std::string& mjcf);

}  // namespace limber::test
