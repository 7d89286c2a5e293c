// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A joint's limits (JointLimits) against what it is asked to do: sentences for whoever asked.

#include <optional>
#include <string>
#include <vector>

#include "limber/core/export.hpp"
#include "limber/math/eigen.hpp"
#include "limber/math/types.hpp"
#include "limber/model/model.hpp"

namespace limber LIMBER_EXPORT {

/// Where a number of a joint comes from.
enum class Occasion {
  state,   ///< a state file, an equilibrium
  start,   ///< the start of a run
  target,  ///< what a controller follows
  motion   ///< what a run did
};

/// By how much a limit may be passed before it is worth a word: rounding, and what integrators tolerate.
inline constexpr double tolerated_excess = 1e-6;

/// The limit that a position, a rate or an effort breaks, and by how much; nothing where it keeps them all.
struct BrokenLimit {
  const char* name;  ///< `upper`
  double limit;      ///< that was passed
  double excess;     ///< > 0
};
///@{
/// Of one coordinate of a joint.
std::optional<BrokenLimit> broken_by_position(const JointLimits& limits, double position);
std::optional<BrokenLimit> broken_by_rate(const JointLimits& limits, double rate);
std::optional<BrokenLimit> broken_by_effort(const JointLimits& limits, double effort);
///@}

/// What to say about the position of a joint's coordinate (in v): beyond its limits, or, without limits, an angle of more than a turn that a start or a
/// target names; with the value that the number would have as degrees. `time` is left out of states.
std::optional<std::string> position_warning(const Model& model, int coordinate, double position,
                                            Occasion occasion, double time = 0.0);
/// The same about its rate [rad/s or m/s].
std::optional<std::string> rate_warning(const Model& model, int coordinate, double rate, Occasion occasion,
                                        double time = 0.0);
/// `occasion` state: what an equilibrium takes; motion: what a run would have needed.
std::optional<std::string> effort_warning(const Model& model, int coordinate, double effort,
                                          Occasion occasion, double time = 0.0);

/// Positions (nq) and rates (nv; empty: at rest) of all joints.
std::vector<std::string> state_warnings(const Model& model, const Input<double>& q,
                                        const Eigen::VectorXd& v = {}, Occasion occasion = Occasion::state);
/// Efforts (nv) of all joints.
std::vector<std::string> effort_warnings(const Model& model, const Input<double>& efforts);

/// The same of a cylinder's length [m] ...
std::optional<std::string> length_warning(const Cylinder& cylinder, double length, Occasion occasion,
                                          double time = 0.0);
/// ... and of the force of its drive [N].
std::optional<std::string> force_warning(const Cylinder& cylinder, double force, Occasion occasion,
                                         double time = 0.0);
/// Lengths of all cylinders at q, and forces of their drives (empty: none).
std::vector<std::string> cylinder_warnings(const Model& model, const Input<double>& q,
                                           const Eigen::VectorXd& drives = {},
                                           Occasion occasion = Occasion::state);

}  // namespace limber
