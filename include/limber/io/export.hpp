// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// An arm for other programs: as rigid bodies. A beam is one body, or a row of rigid pieces with springs between them.

#include <string>
#include <vector>

#include "limber/core/export.hpp"
#include "limber/model/model.hpp"

namespace limber LIMBER_EXPORT {

/// Formats of other programs.
enum class ExportFormat {
  urdf,  ///< ROS and its kin; springs stand in elements for Gazebo
  mjcf   ///< MuJoCo
};

/// What other programs read, and what they will not find in it.
struct ExportedArm {
  std::string text;                ///< the file
  std::vector<std::string> notes;  ///< what could not be said in the format: sentences
};

/// The arm as rigid bodies. `pieces` = 0: every link is one body, its rigid twin. Otherwise each beam becomes so many elements
/// of equal length, each with springs at its centre (EI/h about y and z, GJ/h about x, EA/h along x) in the directions in which
/// the beam has modes. Throws InputError for joints that the format does not know.
ExportedArm export_arm(const Model& model, ExportFormat format, int pieces = 0);

}  // namespace limber
