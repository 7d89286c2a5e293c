// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <Eigen/Geometry>

#include "check_rules.hpp"
#include "limber/model/choices.hpp"
#include "limber/model/field_rule.hpp"

namespace limber {
namespace {

constexpr double shortest_axis = 1e-9;  // a zero vector, but for rounding
constexpr double smallest_sine_between_axes =
    1e-6;  // a universal joint divides by its square: rates keep four digits

std::string show_vector(const Eigen::Vector3d& v) { return show_list({v.x(), v.y(), v.z()}); }

/// The rules of one joint; `path` is that of the joint.
class JointChecker {
 public:
  JointChecker(const LinkDescription& link, const std::string& link_path, Problems& problems)
      : link_(link),
        joint_(link.joint),
        facts_(facts_of(link.joint.type)),
        link_path_(link_path),
        problems_(problems) {}

  void check() {
    check_who_gives_the_axes();
    if (joint_.axis) check_length("axis", *joint_.axis);
    if (joint_.axes) check_pair();
    check_parameters();
    check_springs();
    if (joint_.limits) check_limits(*joint_.limits);
    if (joint_.drive) check_drive(*joint_.drive);
    if (joint_.friction) check_friction(*joint_.friction);
  }

 private:
  void add(const char* key, std::string expected, std::string found, std::string hint = "") {
    problems_.push_back(
        {join_path(link_path_ + ".joint", key), std::move(expected), std::move(found), std::move(hint)});
  }

  std::string type_words() const { return fmt::format("a {} joint", choice_name(joint_.type)); }

  void refuse(const char* key, const std::string& where, std::string hint = "") {
    add(key, fmt::format("no `{}` {}", key, where), fmt::format("`{}`", key), std::move(hint));
  }

  void check_who_gives_the_axes() {
    const bool has_one = facts_.axis_count == 1, has_two = facts_.axis_count == 2;
    if (has_two && link_.dh) {
      problems_.push_back(
          {link_path_ + ".dh", "`origin` for " + type_words(), "`dh`", "`dh` has one axis only, z"});
    }
    if (has_two && !joint_.axes && !joint_.axis) {
      add("", "the key `axes` for " + type_words(), "none",
          "two directions, e.g. axes: [[0, 0, 1], [0, 1, 0]]");
    }
    if (joint_.axis && has_two)
      refuse("axis", "on " + type_words(), "give two directions, e.g. axes: [[0, 0, 1], [0, 1, 0]]");
    if (joint_.axis && facts_.axis_count == 0) refuse("axis", "on " + type_words());
    if (joint_.axes && !has_two) {
      refuse("axes", "on " + type_words(), has_one ? "give one `axis`" : "");
    }
    if (joint_.axis && has_one && link_.dh) {
      refuse("axis", "with `dh`", "the axis is z of the `dh` frame");
    }
  }

  bool check_length(const std::string& key, const Eigen::Vector3d& axis) {
    if (axis.norm() >= shortest_axis) return true;
    add(key.c_str(), "a direction", show_vector(axis), "singular: the axis has no length");
    return false;
  }

  void check_pair() {
    const auto& [first, second] = *joint_.axes;
    const bool first_is_good = check_length("axes[0]", first);
    const bool second_is_good = check_length("axes[1]", second);
    if (!first_is_good || !second_is_good) return;
    if (first.normalized().cross(second.normalized()).norm() < smallest_sine_between_axes) {
      add("axes", "two axes that are not parallel", show_vector(first) + " and " + show_vector(second),
          fmt::format("singular: use a {} joint, or turn one axis",
                      facts_.freedoms[0].turns ? "revolute" : "prismatic"));
    }
  }

  // Each kind's parameter is a key of its own, for that kind alone.
  void check_parameters() {
    const JointParameter& own = facts_.parameter;
    if (own.key && !(joint_.*own.value))
      add("", fmt::format("the key `{}` for {}", own.key, type_words()), "none",
          fmt::format("{} [{}]", own.meaning, own.unit));
    for (const JointTypeName& kind : joint_type_names) {
      const JointParameter& other = facts_of(kind.type).parameter;
      if (other.key && other.value != own.value && joint_.*other.value)
        refuse(other.key, "on " + type_words(), fmt::format("it belongs to a {} joint", kind.name));
    }
  }

  void check_springs() {
    if (!facts_.may_have_spring()) {
      refuse_nonzero("stiffness", joint_.stiffness);
      refuse_nonzero("rest", joint_.rest);
    }
    if (facts_.nv == 0) {
      refuse_nonzero("damping", joint_.damping);
      refuse_nonzero("armature", joint_.armature);
    }
  }

  void refuse_nonzero(const char* key, double value) {
    if (value != 0.0) add(key, fmt::format("no `{}` on {}", key, type_words()), show_number(value));
  }

  void check_limits(const JointLimits& limits) {
    if (!facts_.may_have_spring()) {
      refuse("limits", "on " + type_words());
    } else if (limits.lower && limits.upper && *limits.lower >= *limits.upper) {
      const char* unit = facts_.has_angles_only() ? "rad" : "m";
      add("limits", "`lower` < `upper`",
          fmt::format("{:.6g} and {:.6g} [{}]", *limits.lower, *limits.upper, unit));
    }
    check_stops(limits, link_path_ + ".joint.limits", problems_);
  }

  void check_drive(const DriveDescription& drive) {
    if (joint_.type != JointType::revolute && joint_.type != JointType::prismatic) {
      refuse("drive", "on " + type_words(), "revolute and prismatic joints may have one");
      return;
    }
    if (drive.stiffness && drive.rotor_inertia == 0.0)
      add("drive.rotor_inertia", "a number > 0 behind an elastic gear", show_number(drive.rotor_inertia),
          "the motor has a coordinate of its own, which something must resist; without `stiffness` the gear "
          "is "
          "rigid");
    if (!drive.stiffness && drive.damping != 0.0)
      add("drive.damping", "no `damping` of a rigid gear", show_number(drive.damping),
          "give the gear's `stiffness`; viscous friction of the joint is its own `damping`");
  }

  // A joint that sticks is held as a whole: so it has one coordinate.
  void check_friction(const FrictionDescription& friction) {
    if (facts_.nv != 1) {
      refuse("friction", "on " + type_words(), "joints with one coordinate may have it");
      return;
    }
    const double at_rest = friction.static_friction.value_or(friction.coulomb);
    if (at_rest < friction.coulomb)
      add("friction.static", fmt::format("at least `coulomb`, {}", show_number(friction.coulomb)),
          show_number(at_rest), "what holds at rest is no weaker than what resists motion");
    if (friction.transition_velocity && at_rest > friction.coulomb && !friction.stribeck_velocity)
      add("friction", "the key `stribeck_velocity` beside `static` and `transition_velocity`", "none",
          "the smooth law falls from `static` to `coulomb` over that speed");
  }

  const LinkDescription& link_;
  const JointDescription& joint_;
  const JointFacts& facts_;
  const std::string& link_path_;
  Problems& problems_;
};

}  // namespace

void check_joint(const LinkDescription& link, const std::string& path, Problems& problems) {
  JointChecker(link, path, problems).check();
}

}  // namespace limber
