#include <fmt/format.h>

#include <Eigen/Geometry>

#include "check_rules.hpp"
#include "limber/model/choices.hpp"
#include "limber/model/field_rule.hpp"

namespace limber {
namespace {

constexpr double shortest_axis = 1e-9;
constexpr double smallest_sine_between_axes = 1e-6;

std::string show_vector(const Eigen::Vector3d& v) { return show_list({v.x(), v.y(), v.z()}); }

bool has_one_axis(JointType type) { return type == JointType::revolute || type == JointType::prismatic; }
/// Joints whose positions are plain numbers: only these have springs and limits.
bool has_plain_positions(JointType type) { return has_one_axis(type) || type == JointType::universal; }

/// The rules of one joint; `path` is that of the joint.
class JointChecker {
 public:
  JointChecker(const LinkDescription& link, const std::string& link_path, Problems& problems)
      : link_(link), joint_(link.joint), link_path_(link_path), problems_(problems) {}

  void check() {
    check_who_gives_the_axes();
    if (joint_.axis) check_length("axis", *joint_.axis);
    if (joint_.axes) check_pair();
    check_springs();
    if (joint_.limits) check_limits(*joint_.limits);
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
    const bool is_universal = joint_.type == JointType::universal;
    if (is_universal && link_.dh) {
      problems_.push_back(
          {link_path_ + ".dh", "`origin` for a universal joint", "`dh`", "`dh` has one axis only, z"});
    }
    if (is_universal && !joint_.axes && !joint_.axis) {
      add("", "the key `axes` for a universal joint", "none",
          "two directions, e.g. axes: [[0, 0, 1], [0, 1, 0]]");
    }
    if (joint_.axis && is_universal)
      refuse("axis", "on a universal joint", "give two directions, e.g. axes: [[0, 0, 1], [0, 1, 0]]");
    if (joint_.axis && !has_plain_positions(joint_.type)) refuse("axis", "on " + type_words());
    if (joint_.axes && !is_universal) {
      refuse("axes", "on " + type_words(), has_one_axis(joint_.type) ? "give one `axis`" : "");
    }
    if (joint_.axis && has_one_axis(joint_.type) && link_.dh) {
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
          "singular: use a revolute joint, or turn one axis");
    }
  }

  void check_springs() {
    if (!has_plain_positions(joint_.type)) {
      refuse_nonzero("stiffness", joint_.stiffness);
      refuse_nonzero("rest", joint_.rest);
    }
    if (joint_.type == JointType::fixed) {
      refuse_nonzero("damping", joint_.damping);
      refuse_nonzero("armature", joint_.armature);
    }
  }

  void refuse_nonzero(const char* key, double value) {
    if (value != 0.0) add(key, fmt::format("no `{}` on {}", key, type_words()), show_number(value));
  }

  void check_limits(const JointLimits& limits) {
    if (!has_plain_positions(joint_.type)) {
      refuse("limits", "on " + type_words());
    } else if (limits.lower && limits.upper && *limits.lower >= *limits.upper) {
      const char* unit = joint_.type == JointType::prismatic ? "m" : "rad";
      add("limits", "`lower` < `upper`",
          fmt::format("{:.6g} and {:.6g} [{}]", *limits.lower, *limits.upper, unit));
    }
  }

  const LinkDescription& link_;
  const JointDescription& joint_;
  const std::string& link_path_;
  Problems& problems_;
};

}  // namespace

void check_joint(const LinkDescription& link, const std::string& path, Problems& problems) {
  JointChecker(link, path, problems).check();
}

}  // namespace limber
