// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// An arm with elastic gears in some joints, beside the same arm without them. Spong's rotors have no share in the links' equations, so that the plain
// arm, with the gears' torques as efforts, is an oracle for the geared one: it knows nothing of gears.

#include <gtest/gtest.h>

#include "limber/model/model.hpp"
#include "reference/random_arm.hpp"

namespace limber {

struct GearedArm {
  Model geared, plain;
  std::vector<int> q_of_plain, v_of_plain;   ///< places of the plain arm's numbers in the geared arm's
  std::vector<std::pair<int, int>> q_gears;  ///< of joint and motor, in q
  std::vector<std::pair<int, int>> v_gears;  ///< in v
  std::vector<Gear> gears;

  explicit GearedArm(const ModelDescription& description)
      : geared(build_model(description)), plain(without(description)) {
    for (std::size_t i = 0; i < plain.links().size(); ++i) {
      const Link &of_plain = plain.links()[i], &of_geared = geared.links()[i];
      for (int k = 0; k < of_plain.joint.nq; ++k) q_of_plain.push_back(of_geared.joint.q_index + k);
      for (int k = 0; k < of_plain.joint.nv; ++k) v_of_plain.push_back(of_geared.joint.v_index + k);
      for (int k = 0; k < of_plain.elastic_count; ++k) {
        q_of_plain.push_back(of_geared.elastic_q_index + k);
        v_of_plain.push_back(of_geared.elastic_v_index + k);
      }
      if (of_geared.joint.nv == of_plain.joint.nv) continue;
      q_gears.emplace_back(of_geared.joint.q_index, of_geared.joint.q_index + 1);
      v_gears.emplace_back(of_geared.joint.v_index, of_geared.joint.v_index + 1);
      gears.push_back(of_geared.joint.gear);
    }
  }

  static Model without(ModelDescription description) {
    for (LinkDescription& link : description.links) link.joint.drive.reset();
    return build_model(description);
  }

  /// A state of the plain arm, with motors a little away from their joints.
  Eigen::VectorXd q_from(const Eigen::VectorXd& plain_q) const {
    Eigen::VectorXd q = neutral_configuration(geared);
    q(q_of_plain) = plain_q;
    for (std::size_t i = 0; i < q_gears.size(); ++i)
      q[q_gears[i].second] = q[q_gears[i].first] + 0.01 * std::sin(3.0 + static_cast<double>(i));
    return q;
  }
  Eigen::VectorXd v_from(const Eigen::VectorXd& plain_v, double motors) const {
    Eigen::VectorXd v = Eigen::VectorXd::Zero(geared.nv());
    v(v_of_plain) = plain_v;
    for (std::size_t i = 0; i < v_gears.size(); ++i)
      v[v_gears[i].second] = v[v_gears[i].first] + motors * std::cos(5.0 + static_cast<double>(i));
    return v;
  }
  /// What each gear does to its joint.
  double torque(std::size_t i, const Eigen::VectorXd& q, const Eigen::VectorXd& v) const {
    return gears[i].stiffness * (q[q_gears[i].second] - q[q_gears[i].first]) +
           gears[i].damping * (v[v_gears[i].second] - v[v_gears[i].first]);
  }
};

/// A random tree (reference/random_arm.hpp) with a drive in every revolute and prismatic joint, rigid ones among them.
inline ModelDescription random_geared_arm(unsigned seed, int links, KinematicOrder order) {
  ModelDescription description = reference::random_arm(seed, links, order);
  unsigned k = seed;
  for (LinkDescription& link : description.links) {
    if (link.joint.type != JointType::revolute && link.joint.type != JointType::prismatic) continue;
    link.joint.drive = DriveDescription{.ratio = 20.0 + 7.0 * (k % 5),
                                        .rotor_inertia = 1e-4 * (1 + k % 3),
                                        .stiffness = 800.0 * (1 + k % 4),
                                        .damping = k % 2 == 0 ? 3.0 : 0.0};
    ++k;
  }
  return description;
}

}  // namespace limber
