// SPDX-License-Identifier: BSD-3-Clause
#include "limber/model/builder.hpp"

#include <utility>

#include "limber/core/input_error.hpp"

namespace limber {

LinkDescription& ModelBuilder::current_link() {
  if (description_.links.empty())
    throw InputError(Problem{"links", "a link to work on", "none", "call link(name) first"});
  return description_.links.back();
}

BeamDescription& ModelBuilder::current_beam() {
  LinkDescription& link = current_link();
  if (!link.beam)
    throw InputError(Problem{"links[" + std::to_string(description_.links.size() - 1) + "].beam",
                             "a beam to work on", "none", "call beam(length, section) first"});
  return *link.beam;
}

ModelBuilder& ModelBuilder::gravity(const Eigen::Vector3d& gravity) {
  description_.gravity = gravity;
  return *this;
}

ModelBuilder& ModelBuilder::kinematics(KinematicOrder order) {
  description_.kinematics = order;
  return *this;
}

ModelBuilder& ModelBuilder::loop(LoopDescription loop) {
  description_.loops.push_back(std::move(loop));
  return *this;
}

ModelBuilder& ModelBuilder::cylinder(CylinderDescription cylinder) {
  description_.cylinders.push_back(std::move(cylinder));
  return *this;
}

ModelBuilder& ModelBuilder::end_effector(EndEffectorDescription end_effector) {
  description_.end_effector = std::move(end_effector);
  return *this;
}

ModelBuilder& ModelBuilder::link(std::string name, std::string parent, double attach) {
  LinkDescription& link = description_.links.emplace_back();
  link.name = std::move(name);
  link.parent = std::move(parent);
  link.attach = attach;
  return *this;
}

ModelBuilder& ModelBuilder::origin(const Eigen::Vector3d& xyz, const Eigen::Vector3d& rpy) {
  current_link().origin = FrameDescription{xyz, rpy};
  return *this;
}

ModelBuilder& ModelBuilder::dh(const DenavitHartenberg& dh) {
  current_link().dh = dh;
  return *this;
}

ModelBuilder& ModelBuilder::joint(JointDescription joint) {
  current_link().joint = std::move(joint);
  return *this;
}

ModelBuilder& ModelBuilder::revolute(const Eigen::Vector3d& axis, std::string name) {
  return joint({.name = std::move(name), .type = JointType::revolute, .axis = axis});
}

ModelBuilder& ModelBuilder::prismatic(const Eigen::Vector3d& axis, std::string name) {
  return joint({.name = std::move(name), .type = JointType::prismatic, .axis = axis});
}

ModelBuilder& ModelBuilder::fixed(std::string name) {
  return joint({.name = std::move(name), .type = JointType::fixed});
}

ModelBuilder& ModelBuilder::root(RootDescription root) {
  current_link().root = std::move(root);
  return *this;
}

ModelBuilder& ModelBuilder::rigid(RigidDescription rigid) {
  current_link().rigid = std::move(rigid);
  return *this;
}

ModelBuilder& ModelBuilder::beam(double length, SectionDescription section) {
  BeamDescription& beam = current_link().beam.emplace();
  beam.length = length;
  beam.section = std::move(section);
  return *this;
}

ModelBuilder& ModelBuilder::beam(double length, std::vector<StationDescription> stations) {
  BeamDescription& beam = current_link().beam.emplace();
  beam.length = length;
  beam.stations = std::move(stations);
  return *this;
}

ModelBuilder& ModelBuilder::modes(Direction direction, int count, ShapeFamily shape) {
  ModesDescription description;
  description.shape = shape;
  description.count = count;
  return modes(direction, std::move(description));
}

ModelBuilder& ModelBuilder::modes(Direction direction, ModesDescription modes) {
  current_beam().modes.of(direction) = std::move(modes);
  return *this;
}

ModelBuilder& ModelBuilder::damping_ratio(double ratio) {
  current_beam().damping.emplace().ratio = ratio;
  return *this;
}

ModelBuilder& ModelBuilder::tip(TipDescription tip) {
  current_link().tip = std::move(tip);
  return *this;
}

}  // namespace limber
