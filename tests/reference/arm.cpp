// SPDX-License-Identifier: BSD-3-Clause
#include "reference/arm.hpp"

#include <stdexcept>

#include "reference/oracle.hpp"

namespace reference {

using limber::JointType;

// ---- numbers of coordinates ----

int v_size(JointType type) {
  switch (type) {
    case JointType::revolute:
    case JointType::prismatic:
    case JointType::screw:
      return 1;
    case JointType::universal:
    case JointType::cylindrical:
      return 2;
    case JointType::spherical:
    case JointType::planar:
      return 3;
    case JointType::free:
      return 6;
    case JointType::geared_revolute:  // of models; no description has them
    case JointType::geared_prismatic:
    case JointType::fixed:
      return 0;
  }
  throw std::logic_error("reference: unknown joint type");
}

int q_size(JointType type) {
  return v_size(type) + (type == JointType::spherical || type == JointType::free ? 1 : 0);
}

int elastic_size(const limber::LinkDescription& link) {
  int size = 0;
  if (link.beam) {
    const limber::BeamModesDescription& modes = link.beam->modes;
    for (const auto* direction : {&modes.y, &modes.z, &modes.torsion, &modes.axial})
      if (*direction) size += (*direction)->count.value();
  }
  return size;
}

int q_size(const limber::ModelDescription& description) {
  int size = 0;
  for (const auto& link : description.links) size += q_size(link.joint.type) + elastic_size(link);
  return size;
}

int v_size(const limber::ModelDescription& description) {
  int size = 0;
  for (const auto& link : description.links) size += v_size(link.joint.type) + elastic_size(link);
  return size;
}

namespace {

// ---- joints ----

/// The joint frame in the attach frame.
Frame origin_frame(const limber::LinkDescription& link) {
  if (link.origin) return fixed_frame(link.origin->xyz, link.origin->rpy);
  if (!link.dh) return {};
  const limber::DenavitHartenberg& dh = *link.dh;
  return fixed_frame({0, 0, 0}, {dh.alpha, 0, 0}) * fixed_frame({dh.a, 0, 0}, {0, 0, 0}) *
         fixed_frame({0, 0, 0}, {0, 0, dh.theta}) * fixed_frame({0, 0, dh.d}, {0, 0, 0});
}

Matrix3 rotation_of_quaternion(const Eigen::Matrix<Real, 4, 1>& xyzw) {
  const Eigen::Matrix<Real, 4, 1> unit = xyzw.normalized();
  const Vector3 u = unit.head<3>();
  const Real w = unit[3];
  return (w * w - u.squaredNorm()) * Matrix3::Identity() + 2 * u * u.transpose() + 2 * w * cross_matrix(u);
}

/// R exp([omega]x t)
Jet<Matrix3> spinning(const Matrix3& R, const Vector3& omega) {
  return constant(R) * exponential({Vector3::Zero(), omega, Vector3::Zero()});
}

/// The body frame in the joint frame: oracle.hpp (1).
Frame joint_frame(const limber::JointDescription& joint, const VectorX& q, const VectorX& v) {
  const auto unit = [](const Eigen::Vector3d& axis) -> Vector3 { return axis.cast<Real>().normalized(); };
  const Vector3 axis = unit(joint.axis.value_or(Eigen::Vector3d::UnitZ()));
  Frame X;
  switch (joint.type) {
    case JointType::revolute:
      X.R = turn(axis, {q[0], v[0], 0});
      break;
    case JointType::screw:
      X.R = turn(axis, {q[0], v[0], 0});
      X.p = {axis * (joint.pitch.value() * q[0]), axis * (joint.pitch.value() * v[0]), Vector3::Zero()};
      break;
    case JointType::cylindrical:
      X.R = turn(axis, {q[0], v[0], 0});
      X.p = {axis * q[1], axis * v[1], Vector3::Zero()};
      break;
    case JointType::prismatic:
      X.p = {axis * q[0], axis * v[0], Vector3::Zero()};
      break;
    case JointType::universal:
      X.R =
          turn(unit(joint.axes.value()[0]), {q[0], v[0], 0}) * turn(unit((*joint.axes)[1]), {q[1], v[1], 0});
      break;
    case JointType::planar: {
      const Vector3 first = unit(joint.axes.value()[0]), second = unit((*joint.axes)[1]);
      X.p = {first * q[0] + second * q[1], first * v[0] + second * v[1], Vector3::Zero()};
      X.R = turn(first.cross(second).normalized(), {q[2], v[2], 0});
      break;
    }
    case JointType::spherical:
      X.R = spinning(rotation_of_quaternion(q.head<4>()), v.head<3>());
      break;
    case JointType::free: {
      const Matrix3 R = rotation_of_quaternion(q.tail<4>());
      const Vector3 linear = v.head<3>(), omega = v.tail<3>();
      X.R = spinning(R, omega);
      X.p = {q.head<3>(), R * linear, R * omega.cross(linear) / 2};
      break;
    }
    case JointType::geared_revolute:  // of models; no description has them
    case JointType::geared_prismatic:
    case JointType::fixed:
      break;
  }
  return X;
}

}  // namespace

// ---- the tree ----

Arm::Arm(const limber::ModelDescription& description) {
  for (const limber::LinkDescription& link : description.links) {
    int parent = static_cast<int>(links_.size()) - 1;
    if (link.parent == "base")
      parent = -1;
    else if (!link.parent.empty())
      parent = index_of(link.parent);
    links_.push_back({link, Body(link, description.kinematics), parent, nq_, nv_, q_size(link.joint.type),
                      v_size(link.joint.type), elastic_size(link)});
    nq_ += links_.back().joint_q + links_.back().elastic;
    nv_ += links_.back().joint_v + links_.back().elastic;
  }
  end_effector_ = {static_cast<int>(links_.size()) - 1, 1, {}};
  if (const auto& given = description.end_effector)
    end_effector_ = {index_of(given->link), 1, fixed_frame(given->xyz, given->rpy)};
}

int Arm::index_of(const std::string& link) const {
  for (std::size_t i = 0; i < links_.size(); ++i)
    if (links_[i].description.name == link) return static_cast<int>(i);
  throw std::invalid_argument("reference: no link `" + link + "` so far");
}

bool Arm::is_beyond(int link, int ancestor) const {
  while (link > ancestor) link = links_[link].parent;
  return link == ancestor;
}

std::vector<int> Arm::support(int link) const {
  std::vector<int> coordinates;
  for (int i = 0; i <= link; ++i) {
    if (!is_beyond(link, i)) continue;
    for (int k = 0; k < links_[i].joint_v + links_[i].elastic; ++k)
      coordinates.push_back(links_[i].v_index + k);
  }
  return coordinates;
}

ElasticState Arm::elastic_state(int link, const VectorX& q, const VectorX& v) const {
  const ArmLink& it = links_[link];
  ElasticState eta;
  for (int k = 0; k < it.elastic; ++k)
    eta.push_back({q[it.elastic_q_index() + k], v[it.elastic_v_index() + k], 0});
  return eta;
}

std::vector<Frame> Arm::body_frames(const VectorX& q, const VectorX& v) const {
  std::vector<Frame> frames;
  for (const ArmLink& link : links_) {
    Frame X_WN;
    if (link.parent >= 0) {
      X_WN = frames[link.parent] *
             links_[link.parent].body.node(link.description.attach, elastic_state(link.parent, q, v));
    }
    frames.push_back(X_WN * origin_frame(link.description) *
                     joint_frame(link.description.joint, q.segment(link.q_index, link.joint_q),
                                 v.segment(link.v_index, link.joint_v)));
  }
  return frames;
}

Frame Arm::follow(const Follower& follower, const std::vector<Frame>& body_frames, const VectorX& q,
                  const VectorX& v) const {
  return body_frames[follower.link] *
         links_[follower.link].body.node(follower.at, elastic_state(follower.link, q, v)) * follower.X_NF;
}

}  // namespace reference
