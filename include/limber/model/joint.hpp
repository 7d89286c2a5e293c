// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Kinds of joints, as plain facts: what a file, a table or a message has to know of them. Their mechanics stands beside these facts,
// one file for each kind, in model/detail/joints/.

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "limber/core/export.hpp"

namespace limber LIMBER_EXPORT {

/// Kinds of joints; docs/model-file.md says what each does. The last two have no word in files: a revolute or prismatic joint becomes one
/// when its drive has an elastic gear (docs/drives.md).
enum class JointType {
  revolute,
  prismatic,
  universal,
  spherical,
  free,
  fixed,
  screw,
  cylindrical,
  planar,
  geared_revolute,
  geared_prismatic
};

/// A kind and its word.
struct JointTypeName {
  JointType type;    ///< the kind
  const char* name;  ///< its word in files
};

/// The words of the model file, in the order in which documentation lists them.
inline constexpr JointTypeName joint_type_names[] = {
    // NOLINT: the number of kinds follows from them
    {JointType::revolute, "revolute"},   {JointType::prismatic, "prismatic"},
    {JointType::universal, "universal"}, {JointType::spherical, "spherical"},
    {JointType::free, "free"},           {JointType::fixed, "fixed"},
    {JointType::screw, "screw"},         {JointType::cylindrical, "cylindrical"},
    {JointType::planar, "planar"},
};

struct JointDescription;

/// What one of a joint's velocities does.
struct JointFreedom {
  int axis = -1;       ///< about, or along, which of the joint's axes; 2: their normal; -1: one of B's own
  bool turns = false;  ///< the velocity is an angular one [rad/s]
  bool slides =
      false;  ///< ... a linear one [m/s]; where it turns too, by the joint's parameter for every radian
  bool motor = false;  ///< ... that of the motor behind an elastic gear, which moves no link
};

/// A number that a kind needs in addition to its axes: a key of the model file.
struct JointParameter {
  const char* key = nullptr;                                 ///< null: the kind has none
  const char* unit = "";                                     ///< e.g. "m/rad"
  const char* symbol = "";                                   ///< in formulas, followed by the link's number
  const char* meaning = "";                                  ///< in words, of a joint: "advance per radian"
  std::optional<double> JointDescription::*value = nullptr;  ///< where a description has it
};

/// What is the same for all joints of a kind.
struct JointFacts {
  int nv;              ///< numbers in v
  int axis_count = 0;  ///< directions that a description gives: one (`axis`) or two (`axes`)
  std::array<JointFreedom, 6> freedoms = {};  ///< one for each number in v
  int quaternion = -1;            ///< of the unit quaternion (x, y, z, w) among its numbers in q; -1: none
  JointParameter parameter = {};  ///< none for most kinds

  /// Without a quaternion q and v number the joint's coordinates alike, and dq/dt = v.
  constexpr bool has_quaternion() const { return quaternion >= 0; }
  /// Numbers in q.
  constexpr int nq() const { return nv + (has_quaternion() ? 1 : 0); }
  /// Velocities that move the link: all but that of a motor behind an elastic gear, which comes last.
  constexpr int moving() const {
    return nv > 0 && freedoms[static_cast<std::size_t>(nv - 1)].motor ? nv - 1 : nv;
  }
  /// Whether its last coordinate is that of a motor behind an elastic gear.
  constexpr bool has_motor() const { return moving() < nv; }
  /// Whether any of its velocities is an angular one.
  constexpr bool turns() const { return count_turning() > 0; }
  /// Whether its first coordinate is the angle about its only axis.
  constexpr bool turns_about_axis() const { return axis_count == 1 && freedoms[0].turns; }
  /// Joints whose coordinates are all angles: files may give them in degrees.
  constexpr bool has_angles_only() const { return nv > 0 && !has_quaternion() && count_turning() == nv; }
  /// Joints whose coordinates are plain numbers of one unit: one spring, or one pair of limits, can stand for all of them.
  constexpr bool may_have_spring() const {
    return nv > 0 && !has_quaternion() && (count_turning() == nv || count_turning() == 0);
  }

 private:
  constexpr int count_turning() const {
    int count = 0;
    for (const JointFreedom& freedom : freedoms) count += freedom.turns ? 1 : 0;
    return count;
  }
};

/// Of a kind.
const JointFacts& facts_of(JointType type);

/// The kind as a file names it: that of a joint with an elastic gear without it.
JointType described_type(JointType type);

/// The names of those kinds for which `property` holds, in order.
std::vector<std::string> joint_types_with(bool (JointFacts::*property)() const);

}  // namespace limber
