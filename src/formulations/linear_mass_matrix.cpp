// SPDX-License-Identifier: BSD-3-Clause
#include "linear_arm_data.hpp"

namespace limber {

using namespace detail;

// (4), and what the child adds to M_re.
void LinearArm::Data::add_child_to_beam(LinkState& parent, int index, const Body& body) {
  const LinearNode& node = parent.beam.nodes[static_cast<std::size_t>(index)];
  const NodeState& state = parent.nodes[static_cast<std::size_t>(index)];
  const bool varies = !state.screws_dual.empty();
  const V3 h = body.h.r + body.h.d;
  const M3 I = body.I_r + body.I_d;
  const double products[] = {body.mass, h[0],    h[1],    h[2],    I[0][0],  // NOLINT
                             I[1][1],   I[2][2], I[1][0], I[2][0], I[2][1]};
  node.inertia_to_elastic.add_to(parent.M_ee.data(), products);
  for (int j = 0, at = 0; j < parent.m; ++j) {
    WrenchPair f = momentum(body, node.screws[j]);
    if (varies) {
      const Wrench6 changed = momentum(body.mass, body.h.r, body.I_r, state.screws_dual[j]);
      f.d += changed;
      for (int k = 0; k <= j; ++k, ++at)
        parent.M_ee[at] += dot(node.screws[k], changed) + dot(state.screws_dual[k], f.r);
    }
    parent.M_re[j].r += {f.r.force, f.r.moment + cross(node.p0_RN, f.r.force)};
    parent.M_re[j].d +=
        {f.d.force, f.d.moment + cross(node.p0_RN, f.d.force) + cross(state.delta, f.r.force)};
  }
}

// Momentum f of a coordinate of link `from` (column of M), for all coordinates of its ancestors.
void LinearArm::Data::spread(std::size_t from, WrenchPair f, int column, MatrixXd& M) {
  std::size_t i = from;
  while (links[i].is_bent) {
    const LinkState& link = links[i];
    const LinkWork<double>& joint = joints.arm().links[i];
    const LinkWork<double>& above = joints.arm().links[static_cast<std::size_t>(link.parent)];
    const LinkState& parent = links[static_cast<std::size_t>(link.parent)];
    std::fill(on_elastic.begin(), on_elastic.end(), 0.0);
    f = carried_to(parent, link.parent_node, joint, f, on_elastic.data());
    if (link.parent_node >= 0) {
      double* entry = M.data() + column + static_cast<Eigen::Index>(above.elastic_v()) * M.rows();
      for (int k = 0; k < parent.m; ++k) entry[k * M.rows()] = on_elastic[static_cast<std::size_t>(k)];
    }
    for (int j = 0; j < above.joint_nv; ++j) M(column, above.v_index + j) = dot(above.S[j], f.total());
    i = static_cast<std::size_t>(link.parent);
  }
  // Ancestors beyond do not bend: their joints are seen from here.
  const Wrench6 total = f.total();
  const LinkState& link = links[i];
  std::size_t at = 0;
  for (int p = link.parent; p >= 0; p = links[static_cast<std::size_t>(p)].parent) {
    const LinkWork<double>& above = joints.arm().links[static_cast<std::size_t>(p)];
    for (int j = 0; j < above.joint_nv; ++j) M(column, above.v_index + j) = dot(link.ancestors[at++], total);
  }
}

// Of the lower triangle; what lies above is zero.
void LinearArm::Data::assemble(const Input<double>& q, MatrixXd& M) {
  const int nv = model.nv();
  M.setZero(nv, nv);
  // Own bodies, and ancestors' joints.
  for (std::size_t i = 0; i < links.size(); ++i) {
    LinkState& link = links[i];
    const LinkWork<double>& work = joints.arm().links[i];
    if (link.is_flexible) {
      const LinearBeam& beam = link.beam;
      link.composite = {beam.mass, {beam.h0, link.h_dual}, beam.I0, link.I_dual};
      for (int k = 0; k < link.m; ++k) link.M_re[k] = {beam.M_re0[k], link.M_re_dual[k]};
      find_elastic_mass(link, q.data() + work.elastic_q());
    } else {
      link.composite = {work.rigid.mass, {work.rigid.moment, V3::zero()}, work.rigid.inertia, M3::zero()};
    }
    link.ancestors.clear();
    if (link.is_bent || link.parent < 0) continue;
    const auto add = [&](const Twist6& S) {
      link.ancestors.push_back(
          {work.R_RP * (S.linear + cross(S.angular, work.p_NR_P)), work.R_RP * S.angular});
    };
    const LinkWork<double>& parent = joints.arm().links[static_cast<std::size_t>(link.parent)];
    for (int j = 0; j < parent.joint_nv; ++j) add(parent.S[j]);
    for (const Twist6& S : links[static_cast<std::size_t>(link.parent)].ancestors) add(S);
  }
  for (std::size_t i = links.size(); i-- > 0;) {
    LinkState& link = links[i];
    const LinkWork<double>& work = joints.arm().links[i];
    const int first = work.v_index, elastic = work.elastic_v();
    for (int j = 0; j < work.joint_nv; ++j) {
      const WrenchPair f = momentum(link.composite, work.S[j]);
      const Wrench6 total = f.total();
      double* column = M.data() + static_cast<Eigen::Index>(first + j) * nv;
      for (int k = j; k < work.joint_nv; ++k) column[first + k] = dot(work.S[k], total);
      column[first + j] += work.armature[j];
      spread(i, f, first + j, M);
    }
    for (int e = 0, at = 0; e < link.m; ++e) {
      const WrenchPair& f = link.M_re[e];
      for (int j = 0; j < work.joint_nv; ++j) M(elastic + e, first + j) = dot(work.S[j], f.total());
      for (int k = 0; k <= e; ++k) M(elastic + e, elastic + k) = link.M_ee[at++];
      spread(i, f, elastic + e, M);
    }
    if (link.parent < 0) continue;
    LinkState& parent = links[static_cast<std::size_t>(link.parent)];
    const bool bends = link.parent_node >= 0;
    const V3 theta = bends ? parent.nodes[static_cast<std::size_t>(link.parent_node)].theta : V3::zero();
    const Body body = at_node(work.R_PR, work.R_RP, theta, work.p_NR_P, link.composite);
    if (bends) add_child_to_beam(parent, link.parent_node, body);
    const V3 r = bends ? parent.beam.nodes[static_cast<std::size_t>(link.parent_node)].p0_RN : V3::zero();
    const V3 delta = bends ? parent.nodes[static_cast<std::size_t>(link.parent_node)].delta : V3::zero();
    add_seen_from(r, delta, body, parent.composite);
  }
}

}  // namespace limber
