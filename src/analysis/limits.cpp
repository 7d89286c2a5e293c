// SPDX-License-Identifier: BSD-3-Clause
#include "limber/analysis/limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "limber/algorithms/loop_rank.hpp"
#include "limber/algorithms/struts.hpp"
#include "limber/model/coordinates.hpp"
#include "limber/model/detail/arguments.hpp"
#include "limber/model/hydraulics.hpp"

namespace limber {
namespace {

bool is_angle(const Joint& joint, int coordinate) { return joint.turns(coordinate - joint.v_index); }

const std::string& name_of(const Model& model, int coordinate) {
  return model.coordinates()[static_cast<std::size_t>(coordinate)];
}

std::optional<BrokenLimit> broken(const char* name, const std::optional<double>& limit, double beyond) {
  if (!limit) return std::nullopt;
  constexpr double least_size = 1e-3;  // of a limit: one of 0 has none
  const double size = std::max(std::abs(*limit), least_size);
  if (!(beyond > tolerated_excess * size)) return std::nullopt;
  return BrokenLimit{name, *limit, beyond};
}

std::string time_words(Occasion occasion, double time) {
  return occasion == Occasion::state ? "" : fmt::format(" at t = {:.4g} s", time);
}

// A number that was read as radians, and may have been meant in degrees. (Zero is the same in both.)
std::string degrees_words(double value, Occasion occasion) {
  if (value == 0.0) return "";
  return fmt::format(". Were degrees meant? {:.6g} deg are {:.4g} rad: write {}", value,
                     value * std::numbers::pi / 180.0,
                     occasion == Occasion::target ? "`to_deg` or `value_deg`" : "`q_deg`");
}

// Where a stop stands at the limit that is passed, it is pressed, and need not be wrong.
template <typename Limits>
const char* stop_words(const Limits& limits, Occasion occasion) {
  if (!limits.stop_stiffness) return "";
  return occasion == Occasion::target ? ", where its stop stands" : ", where it presses on its stop";
}

const char* position_verb(Occasion occasion) {
  switch (occasion) {
    case Occasion::state:
      return "is at";
    case Occasion::start:
      return "starts at";
    case Occasion::target:
      return "has its target at";
    case Occasion::motion:
      break;
  }
  return "moves to";
}

const char* rate_verb(Occasion occasion) {
  switch (occasion) {
    case Occasion::start:
      return "starts with";
    case Occasion::target:
      return "has a target that moves with";
    case Occasion::state:
    case Occasion::motion:
      break;
  }
  return "moves with";
}

}  // namespace

std::optional<BrokenLimit> broken_by_position(const JointLimits& limits, double position) {
  if (const auto upper = broken("upper", limits.upper, position - limits.upper.value_or(0.0))) return upper;
  return broken("lower", limits.lower, limits.lower.value_or(0.0) - position);
}

std::optional<BrokenLimit> broken_by_rate(const JointLimits& limits, double rate) {
  return broken("velocity", limits.velocity, std::abs(rate) - limits.velocity.value_or(0.0));
}

std::optional<BrokenLimit> broken_by_effort(const JointLimits& limits, double effort) {
  return broken("effort", limits.effort, std::abs(effort) - limits.effort.value_or(0.0));
}

std::optional<std::string> position_warning(const Model& model, int coordinate, double position,
                                            Occasion occasion, double time) {
  const Joint& joint =
      detail::Call{"position_warning", model}.require_joint_coordinate("coordinate", coordinate);
  const char* unit = is_angle(joint, coordinate) ? "rad" : "m";
  const bool is_written = occasion != Occasion::motion;  // by somebody who may have meant degrees
  const std::string what = fmt::format("`{}` {} {:.6g} {}{}", name_of(model, coordinate),
                                       position_verb(occasion), position, unit, time_words(occasion, time));
  if (const auto broken = broken_by_position(joint.limits, position))
    return fmt::format("{}: its limit `{}` is {:.6g} {}{}{}", what, broken->name, broken->limit, unit,
                       stop_words(joint.limits, occasion),
                       is_written && is_angle(joint, coordinate) ? degrees_words(position, occasion) : "");
  const bool has_limits = joint.limits.lower || joint.limits.upper;
  if (is_written && is_angle(joint, coordinate) && !has_limits && std::abs(position) > 2.0 * std::numbers::pi)
    return fmt::format("{}, more than a turn{}", what, degrees_words(position, occasion));
  return std::nullopt;
}

std::optional<std::string> rate_warning(const Model& model, int coordinate, double rate, Occasion occasion,
                                        double time) {
  const Joint& joint = detail::Call{"rate_warning", model}.require_joint_coordinate("coordinate", coordinate);
  const auto broken = broken_by_rate(joint.limits, rate);
  if (!broken) return std::nullopt;
  const char* unit = is_angle(joint, coordinate) ? "rad/s" : "m/s";
  return fmt::format("`{}` {} {:.6g} {}{}: its limit `{}` is {:.6g} {}", name_of(model, coordinate),
                     rate_verb(occasion), rate, unit, time_words(occasion, time), broken->name, broken->limit,
                     unit);
}

std::optional<std::string> effort_warning(const Model& model, int coordinate, double effort,
                                          Occasion occasion, double time) {
  const Joint& joint =
      detail::Call{"effort_warning", model}.require_joint_coordinate("coordinate", coordinate);
  const auto broken = broken_by_effort(joint.limits, effort);
  if (!broken) return std::nullopt;
  const char* unit = is_angle(joint, coordinate) ? "N m" : "N";
  return fmt::format("`{}` {} {:.6g} {}{}: its limit `{}` is {:.6g} {}", name_of(model, coordinate),
                     occasion == Occasion::state ? "takes" : "would need", effort, unit,
                     time_words(occasion, time), broken->name, broken->limit, unit);
}

std::vector<std::string> state_warnings(const Model& model, const Input<double>& q, const Eigen::VectorXd& v,
                                        Occasion occasion) {
  const detail::Call call{"state_warnings", model};
  call.require_position("q", q);
  call.require_velocity_or_none("v", v);
  std::vector<std::string> warnings = braced_frames(model, q);
  const auto add = [&](std::optional<std::string> warning) {
    if (warning) warnings.push_back(std::move(*warning));
  };
  for (const Link& link : model.links())
    for (int j = 0; j < link.joint.nv && !link.joint.has_quaternion(); ++j) {
      const int c = link.joint.v_index + j;
      add(position_warning(model, c, q[link.joint.q_index + j], occasion));
      if (v.size() > 0) add(rate_warning(model, c, v[c], occasion));
    }
  return warnings;
}

std::vector<std::string> effort_warnings(const Model& model, const Input<double>& efforts) {
  detail::Call{"effort_warnings", model}.require_velocity("efforts", efforts);
  std::vector<std::string> warnings;
  for (const int c : joint_coordinates_named(model, "all"))
    if (auto warning = effort_warning(model, c, efforts[c], Occasion::state))
      warnings.push_back(std::move(*warning));
  return warnings;
}

std::optional<std::string> length_warning(const Cylinder& cylinder, double length, Occasion occasion,
                                          double time) {
  JointLimits limits;
  limits.lower = cylinder.limits.lower;
  limits.upper = cylinder.limits.upper;
  const auto broken = broken_by_position(limits, length);
  if (!broken) return std::nullopt;
  return fmt::format("cylinder `{}` {} {:.6g} m{}: its limit `{}` is {:.6g} m{}", cylinder.name,
                     position_verb(occasion), length, time_words(occasion, time), broken->name, broken->limit,
                     stop_words(cylinder.limits, occasion));
}

std::optional<std::string> force_warning(const Cylinder& cylinder, double force, Occasion occasion,
                                         double time) {
  JointLimits limits;
  limits.effort = cylinder.limits.effort;
  const auto broken = broken_by_effort(limits, force);
  if (!broken) return std::nullopt;
  return fmt::format("cylinder `{}` {} {:.6g} N{}: its limit `{}` is {:.6g} N", cylinder.name,
                     occasion == Occasion::state ? "takes" : "would need", force, time_words(occasion, time),
                     broken->name, broken->limit);
}

std::vector<std::string> cylinder_warnings(const Model& model, const Input<double>& q,
                                           const Eigen::VectorXd& drives, Occasion occasion) {
  detail::Call{"cylinder_warnings", model}.require_position("q", q);
  if (model.cylinders().empty()) return {};
  Struts struts(model);
  struts.update(q, Eigen::VectorXd::Zero(model.nv()));
  std::vector<std::string> warnings;
  for (int i = 0; i < struts.count(); ++i) {
    const Cylinder& cylinder = model.cylinders()[static_cast<std::size_t>(i)];
    if (auto warning = length_warning(cylinder, struts.lengths()[i], occasion))
      warnings.push_back(std::move(*warning));
    if (drives.size() == 0) continue;
    if (auto warning = force_warning(cylinder, drives[i], occasion)) warnings.push_back(std::move(*warning));
    if (!cylinder.hydraulics) continue;
    const ChamberPressures p = holding_pressures(*cylinder.hydraulics, drives[i]);
    if (std::max(p.a, p.b) > cylinder.hydraulics->supply)
      warnings.push_back(
          fmt::format("cylinder `{}` takes {:.6g} Pa in chamber {}: its `supply` has {:.6g} Pa",
                      cylinder.name, std::max(p.a, p.b), p.a > p.b ? "a" : "b", cylinder.hydraulics->supply));
  }
  return warnings;
}

}  // namespace limber
