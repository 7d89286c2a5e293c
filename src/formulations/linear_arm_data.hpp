// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The state of a LinearArm (linear_arm.hpp), which its forces (linear_arm.cpp) and its mass matrix
// (linear_mass_matrix.cpp) share.

#include <algorithm>

#include "limber/algorithms/kinematics.hpp"
#include "limber/formulations/linear_arm.hpp"
#include "linear_constants.hpp"

namespace limber {

using namespace detail;
namespace linear {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using V3 = Vec3<double>;
using Twist6 = LaneTwist<double>;
using Wrench6 = LaneWrench<double>;
using M3 = Mat3<double>;

/// real + eps dual
struct Pair3 {
  V3 r, d;
};
struct TwistPair {
  Twist6 r, d;
  LIMBER_INLINE Twist6 total() const { return r + d; }
};
struct WrenchPair {
  Wrench6 r, d;
  LIMBER_INLINE Wrench6 total() const { return r + d; }
};

LIMBER_INLINE void store(const V3& first, const V3& second, double* numbers) {
  for (int i = 0; i < 3; ++i) numbers[i] = first[i];
  for (int i = 0; i < 3; ++i) numbers[3 + i] = second[i];
}

/// A node of a flexible link at a state.
struct NodeState {
  V3 delta, theta;                  ///< dual parts of position and rotation
  std::vector<Twist6> screws_dual;  ///< of consistent screws
  Twist6 rate,
      acceleration;  ///< of the node relative to R: screws times etad (dual), screws times etadd (real)
  Twist6 acceleration_dual;
};

/// A rigid body whose moment and inertia bending changes.
struct Body {
  double mass;
  Pair3 h;
  M3 I_r, I_d;
};

struct LinkState {
  // Constants.
  int parent = -1, parent_node = -1;  ///< parent_node: of a flexible parent
  bool is_flexible = false;
  bool is_bent = false;  ///< by an ancestor: its frame has a dual part
  LinearBeam beam;
  int m = 0;
  // Of the position.
  V3 h_dual;
  M3 I_dual;
  std::vector<Wrench6> M_re_dual;
  std::vector<double> M_ee;  ///< lower triangle by rows, filled up
  std::vector<NodeState> nodes;
  // Of the motion.
  TwistPair V, A;
  WrenchPair f;
  std::vector<double> f_e, products;
  // Of the mass matrix.
  Body composite;
  std::vector<WrenchPair> M_re;
  std::vector<Twist6> ancestors;  ///< joint columns of ancestors in R, where no ancestor bends
  Wrench6 wrench;
};

// Moment and inertia about the parent's node, in its axes: shifted by d, then turned by 1 + eps [theta]x.
LIMBER_INLINE Body at_node(const M3& R, const M3& R_transposed, const V3& theta, const V3& d,
                           const Body& body) {
  const V3 h0 = R * body.h.r, h0_dual = R * body.h.d, h = h0 + d * body.mass;
  const M3 I =
      R * body.I_r * R_transposed + M3::scaled_identity(dot(h0, d, h, d)) - outer(h0, d) - outer(d, h);
  const M3 turn = cross_columns(theta, I);
  return {body.mass,
          {h, h0_dual + cross(theta, h)},
          I,
          R * body.I_d * R_transposed + M3::scaled_identity(2.0 * dot(h0_dual, d)) - outer(h0_dual, d) -
              outer(d, h0_dual) + turn + turn.transposed()};
}

// The same about a point from which the node lies at r.
LIMBER_INLINE void add_seen_from(const V3& r, const V3& r_dual, const Body& body, Body& to) {
  const V3 h = body.h.r + r * body.mass, h_dual = body.h.d + r_dual * body.mass;
  to.mass += body.mass;
  to.h.r += h;
  to.h.d += h_dual;
  to.I_r += body.I_r + M3::scaled_identity(dot(body.h.r, r, h, r)) - outer(body.h.r, r) - outer(r, h);
  to.I_d += body.I_d + M3::scaled_identity(dot(body.h.d, r, body.h.r, r_dual) + dot(h_dual, r, h, r_dual)) -
            outer(body.h.d, r) - outer(body.h.r, r_dual) - outer(r_dual, h) - outer(r, h_dual);
}

// Momentum of a real motion.
LIMBER_INLINE Wrench6 momentum(double mass, const V3& h, const M3& I, const Twist6& V) {
  return LaneInertia<double>{mass, h, I} * V;
}
LIMBER_INLINE WrenchPair momentum(const Body& body, const Twist6& V) {
  return {momentum(body.mass, body.h.r, body.I_r, V), momentum(0.0, body.h.d, body.I_d, V)};
}

// A wrench on a link as its parent feels it: turned, and seen from the parent's frame. What it does to the parent's elastic
// coordinates is added to `on_elastic`.
LIMBER_INLINE WrenchPair carried_to(const LinkState& parent, int parent_node, const LinkWork<double>& joint,
                                    const WrenchPair& on_link, double* on_elastic) {
  const V3 f = joint.R_PR * on_link.r.force, n = joint.R_PR * on_link.r.moment + cross(joint.p_NR_P, f);
  V3 f_d = joint.R_PR * on_link.d.force, n_d = joint.R_PR * on_link.d.moment + cross(joint.p_NR_P, f_d);
  if (parent_node < 0) return {{f, n}, {f_d, n_d}};
  const LinearNode& node = parent.beam.nodes[static_cast<std::size_t>(parent_node)];
  const NodeState& state = parent.nodes[static_cast<std::size_t>(parent_node)];
  f_d += cross(state.theta, f);
  n_d += cross(state.theta, n);
  double wrench[6];  // NOLINT
  store(f + f_d, n + n_d, wrench);
  node.to_elastic.add_to(on_elastic, wrench);
  if (!state.screws_dual.empty())
    for (int k = 0; k < parent.m; ++k) on_elastic[k] += dot(state.screws_dual[k], Wrench6{f, n});
  return {{f, n + cross(node.p0_RN, f)}, {f_d, n_d + cross(node.p0_RN, f_d) + cross(state.delta, f)}};
}

}  // namespace linear

using namespace linear;

struct LinearArm::Data {
  Data(const Model& given, bool consistent)
      : model(with_kinematics(given, consistent ? KinematicOrder::second : KinematicOrder::first)),
        joints(model) {
    links.resize(model.links().size());
    for (std::size_t i = 0; i < links.size(); ++i) set_constants(i, consistent);
    // Joints of the straight arm: its nodes are where they are at rest, and stay there.
    update_positions(model, joints, neutral_configuration(model));
    for (LinkWork<double>& link : joints.arm().links) link.flexible = false;
  }

  void set_constants(std::size_t i, bool consistent) {
    LinkState& link = links[i];
    const LinkWork<double>& work = joints.arm().links[i];
    link.parent = work.parent;
    link.parent_node = work.parent_node;
    link.is_flexible = work.flexible;
    link.is_bent =
        link.parent >= 0 && (link.parent_node >= 0 || links[static_cast<std::size_t>(link.parent)].is_bent);
    link.V = link.A = {};
    if (!link.is_flexible) return;
    link.beam = make_linear_beam(model, static_cast<int>(i), !consistent);
    link.m = link.beam.m;
    const auto m = static_cast<std::size_t>(link.m);
    link.M_re_dual.resize(m);
    link.M_re.resize(m);
    link.M_ee.resize(static_cast<std::size_t>(link.beam.M_ee.padded()));
    link.f_e.resize(static_cast<std::size_t>(link.beam.forces.padded()));
    link.products.resize(static_cast<std::size_t>(ElasticProducts::count(link.m)));
    on_elastic.resize(std::max(on_elastic.size(), link.f_e.size()));
    link.nodes.resize(link.beam.nodes.size());
    for (std::size_t n = 0; n < link.nodes.size(); ++n)
      if (!link.beam.nodes[n].screw_changes.empty()) link.nodes[n].screws_dual.resize(m);
  }

  void place(const Input<double>& q);
  void place_beam(LinkState& link, const double* eta);
  void move_nodes(LinkState& link, const double* rate, const double* acceleration);
  void move_link(std::size_t i, const Input<double>& v, const Input<double>& a, bool elastic_accelerations);
  void find_forces(std::size_t i, const Input<double>& q, const Input<double>& v, const Input<double>& a,
                   bool elastic_accelerations);
  void apply(const double* q, const std::vector<Load>& loads);
  void collect(const Input<double>& a, VectorXd& tau);
  void find_all_forces(const Input<double>& q, const Input<double>& v, const Input<double>& a,
                       const std::vector<Load>& loads, bool elastic_accelerations, VectorXd& tau);
  void find_elastic_mass(LinkState& link, const double* eta);
  void assemble(const Input<double>& q, MatrixXd& M);
  void add_child_to_beam(LinkState& parent, int node, const Body& body);
  void spread(std::size_t from, WrenchPair f, int column, MatrixXd& M);

  Model model;
  Workspace<double> joints;
  std::vector<LinkState> links;
  std::vector<double> on_elastic;  ///< scratch of `spread`
  std::vector<M3> world_R;
  std::vector<V3> world_turn;
};

}  // namespace limber
