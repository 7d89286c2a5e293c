// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A tree of links as point masses: where every body frame is, as a jet along a motion.

#include <string>
#include <vector>

#include "limber/model/description.hpp"
#include "reference/body.hpp"

namespace reference {

/// A link in its tree. Its coordinates: the joint's, then the elastic ones.
struct ArmLink {
  limber::LinkDescription description;
  Body body;
  int parent;  // -1: the ground
  int q_index, v_index;
  int joint_q, joint_v, elastic;  // numbers of coordinates

  int elastic_q_index() const { return q_index + joint_q; }
  int elastic_v_index() const { return v_index + joint_v; }
  bool owns_elastic(int coordinate) const {
    return coordinate >= elastic_v_index() && coordinate < elastic_v_index() + elastic;
  }
};

/// A frame to follow: fixed in the node `at` of a link.
struct Follower {
  int link;
  Real at;
  Frame X_NF;
};

class Arm {
 public:
  explicit Arm(const limber::ModelDescription& description);

  const std::vector<ArmLink>& links() const { return links_; }
  int nq() const { return nq_; }
  int nv() const { return nv_; }
  int index_of(const std::string& link) const;
  Follower end_effector() const { return end_effector_; }
  /// Whether `link` is `ancestor` or sits beyond it.
  bool is_beyond(int link, int ancestor) const;
  /// The coordinates that move a link, ascending.
  std::vector<int> support(int link) const;

  ElasticState elastic_state(int link, const VectorX& q, const VectorX& v) const;
  /// Every body frame in the world along the motion of oracle.hpp (1).
  std::vector<Frame> body_frames(const VectorX& q, const VectorX& v) const;
  Frame follow(const Follower& follower, const std::vector<Frame>& body_frames, const VectorX& q,
               const VectorX& v) const;

 private:
  std::vector<ArmLink> links_;
  int nq_ = 0, nv_ = 0;
  Follower end_effector_;
};

}  // namespace reference
