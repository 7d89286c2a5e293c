// SPDX-License-Identifier: BSD-3-Clause
#include "model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "../problem_list.hpp"
#include "limber/math/detail/decompositions.hpp"
#include "limber/math/rotation.hpp"
#include "limber/model/check.hpp"
#include "limber/model/field_rule.hpp"
#include "outline.hpp"

namespace limber::urdf {
namespace {

constexpr const char* ground = "base";

// Links of a model have mass. This one is lost beside any other, in every sum.
constexpr double no_mass = smallest_positive;

/// Our name of a link: its own, but that of the ground is taken.
std::string our_name(const std::string& name) { return name == ground ? "base_" : name; }

bool is_zero(const FrameDescription& frame) { return frame.xyz.isZero(0.0) && frame.rpy.isZero(0.0); }

// I_B = R_BC I_C R_BC^T; exactly I_C where the axes are not turned.
InertiaElements inertia_in_link(const Inertial& given) {
  Eigen::Matrix3d I = given.inertia_C;
  if (!given.origin.rpy.isZero(0.0)) {
    const Eigen::Matrix3d R_BC = rotation_from_rpy(given.origin.rpy);
    I = R_BC * I * R_BC.transpose();
  }
  InertiaElements elements;
  elements << I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2);
  return elements;
}

RigidDescription make_rigid(const Link& link) {
  RigidDescription rigid;
  rigid.mass = no_mass;
  if (!link.inertial) return rigid;
  rigid.mass = link.inertial->mass == 0.0 ? no_mass : link.inertial->mass;
  rigid.com = link.inertial->origin.xyz;
  rigid.inertia = inertia_in_link(*link.inertial);
  return rigid;
}

/// Makes descriptions of joints, and notes what they leave out.
class JointMaker {
 public:
  explicit JointMaker(std::vector<std::string>& notes) : notes_(notes) {}

  JointDescription make(const Joint& given) {
    JointDescription joint;
    joint.name = given.name;
    joint.type = given.type;
    if (facts_of(given.type).axis_count == 1) joint.axis = given.axis;
    if (given.type == JointType::fixed) return joint;
    joint.damping = given.damping;
    if (given.friction != 0.0) add_friction(given, joint);
    if (facts_of(given.type).may_have_spring()) joint.limits = make_limits(given);
    return joint;
  }

 private:
  void add_friction(const Joint& given, JointDescription& joint) {
    if (facts_of(given.type).nv == 1)
      joint.friction = FrictionDescription{.coulomb = given.friction};
    else
      notes_.push_back(
          fmt::format("{}: the URDF's friction of {:g} is left out: joints with one coordinate may have it",
                      given.name, given.friction));
  }

  // Exporters write zeros for what they do not know, and urdfdom reads them where nothing is written.
  std::optional<JointLimits> make_limits(const Joint& given) {
    JointLimits limits = given.limits;
    std::string dropped;
    const auto drop_zero = [&](std::optional<double>& value, const char* name) {
      if (!value || *value != 0.0) return;
      value.reset();
      dropped += (dropped.empty() ? "" : ", ") + std::string(name);
    };
    drop_zero(limits.effort, "effort");
    drop_zero(limits.velocity, "velocity");
    if (limits.lower && limits.upper && *limits.lower == *limits.upper) {
      limits.lower.reset();
      limits.upper.reset();
      dropped += dropped.empty() ? "lower = upper" : ", lower = upper";
    }
    if (!dropped.empty())
      notes_.push_back(fmt::format("{}: limits of 0 are taken as none ({})", given.name, dropped));
    const bool has_any = limits.lower || limits.upper || limits.effort || limits.velocity;
    return has_any ? std::optional(limits) : std::nullopt;
  }

  std::vector<std::string>& notes_;
};

/// Walks from the root outwards, among the links whose parents are there in the order of the file.
class Builder {
 public:
  Builder(const Robot& robot, BaseKind base) : robot_(robot), is_free_(base == BaseKind::free) {
    for (const Joint& joint : robot.joints) carrier_[joint.child] = &joint;
  }

  UrdfModel build() {
    model_.description.name = robot_.name;
    std::set<std::string> done;
    while (done.size() < robot_.links.size())
      for (const Link& link : robot_.links) {
        const auto carrier = carrier_.find(link.name);
        const Joint* const joint = carrier == carrier_.end() ? nullptr : carrier->second;
        if (done.contains(link.name) || (joint && !done.contains(joint->parent))) continue;
        done.insert(link.name);
        joint ? add(link, *joint) : add_root(link);
      }
    note_missing();
    return std::move(model_);
  }

 private:
  void note(std::string sentence) { model_.notes.push_back(std::move(sentence)); }

  void add_root(const Link& link) {
    root_ = link.name;
    if (!is_free_) model_.description.visuals = visuals_of(link, robot_, model_.notes);
    if (is_free_) {
      LinkDescription root;
      root.parent = ground;
      root.joint.type = JointType::free;
      root.joint.name = free_joint_name(link);
      add(link, nullptr, std::move(root));
    } else if (link.inertial && link.inertial->mass != 0.0) {
      note(
          fmt::format("{}: the root link is the ground: its inertia has no effect (with `base: free` it has)",
                      link.name));
    }
  }

  // `<link>_joint`, as joints without a name are called, unless the URDF calls another one so: `world_joint` often fixes an arm to `world`.
  std::string free_joint_name(const Link& link) const {
    std::string name = our_name(link.name) + "_joint";
    const auto is_taken = [&](const Joint& joint) { return joint.name == name; };
    if (std::none_of(robot_.joints.begin(), robot_.joints.end(), is_taken)) return "";
    do name += "_free";
    while (std::any_of(robot_.joints.begin(), robot_.joints.end(), is_taken));
    return name;
  }

  void add(const Link& link, const Joint& joint) {
    LinkDescription result;
    result.parent = !is_free_ && joint.parent == root_ ? ground : our_name(joint.parent);
    result.joint = JointMaker(model_.notes).make(joint);
    if (!is_zero(joint.origin)) result.origin = joint.origin;
    add(link, &joint, std::move(result));
  }

  void add(const Link& link, const Joint* joint, LinkDescription result) {
    result.name = our_name(link.name);
    if (result.name != link.name)
      note(
          fmt::format("{}: this link is called {} here: `{}` is the ground", link.name, result.name, ground));
    result.rigid = make_rigid(link);
    result.visuals = visuals_of(link, robot_, model_.notes);
    if (!link.inertial) without_inertial_ += (without_inertial_.empty() ? "" : ", ") + link.name;
    model_.description.links.push_back(std::move(result));
    model_.sources.push_back({&link, joint});
  }

  void note_missing() {
    if (!without_inertial_.empty())
      note(fmt::format("links without <inertial> have no mass ({:g} kg): {}", no_mass, without_inertial_));
  }

  const Robot& robot_;
  bool is_free_;
  std::map<std::string, const Joint*> carrier_;  // the joint that carries a link
  std::string root_, without_inertial_;
  UrdfModel model_;
};

/// Negative moments, by how much; what else no body has, check() says.
void check_inertials(const Robot& robot, ProblemList& problems) {
  for (const Link& link : robot.links) {
    if (!link.inertial) continue;
    const Eigen::Vector3d moments =
        Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(link.inertial->inertia_C, Eigen::EigenvaluesOnly)
            .eigenvalues();
    constexpr double slack = 1e-9;  // of the largest: rounding
    if (moments[0] >= -slack * moments.cwiseAbs().maxCoeff()) continue;
    problems.add(
        link.inertial->mark,
        {"link." + path_word(link.name) + ".inertial.inertia", "a positive definite tensor",
         fmt::format("principal moments [{:.6g}, {:.6g}, {:.6g}]", moments[0], moments[1], moments[2]),
         fmt::format("the smallest is {:.3g} kg m^2 below zero", -moments[0])});
  }
}

/// Whatever moves carries mass.
void check_masses(const UrdfModel& model, ProblemList& problems) {
  const std::vector<LinkDescription>& links = model.description.links;
  std::set<std::string> carries;  // links that have mass, or carry one that has
  for (std::size_t i = links.size(); i-- > 0;) {
    const LinkDescription& link = links[i];
    if (link.rigid->mass > no_mass || carries.contains(link.name)) {
      carries.insert(link.name);
      carries.insert(link.parent);
    } else if (facts_of(link.joint.type).nv > 0) {
      problems.add(
          model.sources[i].link->mark,
          {"link." + path_word(model.sources[i].link->name), "a link with mass, or one that carries mass",
           "none", "its joint moves: give it an <inertial>, or make the joint `fixed`"});
    }
  }
}

}  // namespace

LocatedProblem UrdfModel::located(Problem problem, const Robot& robot) const {
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const std::string prefix = "links[" + std::to_string(i) + "]";
    if (!problem.path.starts_with(prefix)) continue;
    std::string rest = problem.path.substr(prefix.size());
    const auto& [link, joint] = sources[i];
    if (joint && rest.starts_with(".joint")) {
      problem.path = "joint." + path_word(joint->name) + rest.substr(std::string(".joint").size());
      return {std::move(problem), robot.file, joint->mark};
    }
    if (rest.starts_with(".rigid")) rest.replace(0, std::string(".rigid").size(), ".inertial");
    problem.path = "link." + path_word(link->name) + rest;
    return {std::move(problem), robot.file,
            link->inertial && rest.starts_with(".inertial") ? link->inertial->mark : link->mark};
  }
  return {std::move(problem), robot.file, {1, 1}};
}

UrdfModel make_model(const Robot& robot, BaseKind base) {
  ProblemList problems(robot.file);
  check_inertials(robot, problems);
  UrdfModel model = Builder(robot, base).build();
  if (problems.empty() && model.description.links.empty())
    problems.add({1, 1}, {"", "a joint, or `base: free`", "a root link alone", "nothing could move"});
  if (problems.empty())
    for (const Problem& problem : check(model.description)) {
      LocatedProblem one = model.located(problem, robot);
      problems.add(one.mark, std::move(one.problem));
    }
  if (problems.empty()) check_masses(model, problems);
  if (!problems.empty()) throw FileError(problems.all());
  return model;
}

}  // namespace limber::urdf
