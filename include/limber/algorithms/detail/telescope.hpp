// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Links whose joint pulls their beam through a guide (docs/telescoping.md). To the sweeps such a link is one on a fixed joint, with R at the guide, whose
// first elastic coordinate is the joint's own q: of its field p(q, eta), theta(q, eta) at fixed points of the material the columns, velocities and what remains of
// the acceleration are found here, and all mass sits on nodes:
//
//   p = p0 + Phi eta + 1/2 eta^T Phi2 eta,    Phi, Phi2 by beam/telescope.hpp at l = l0 + q                              (1)
//   p_q = e_x + Phi' eta + 1/2 eta^T Phi2' eta,    p_j = Phi_j + Phi2_j eta,    and theta likewise                       (2)
//   d^2p/dt^2 = p_q qdd + Sum p_j etadd_j + (p_qq qd + Sum p_qj etad_j) qd + Sum (p_jq qd + Phi2_j etad) etad_j         (3)
//
// The free part is m l w_k at the points of a Gauss rule, which ride on the material that is there now; the part in the guide is two halves of its mass at the
// points of another. Products of two field numbers are polynomials that both rules integrate exactly: (1) to (3) give Lagrange's equations.
//
//   strain energy 1/2 eta^T K(l) eta + joint spring,  forces  K(l) eta  and  1/2 eta^T K'(l) eta in the joint's row     (4)

#include "limber/algorithms/detail/arm_work.hpp"

namespace limber::detail {

/// Numbers of one node: blocks of G, D_p G, ... as Phi, Psi, Phi2, Psi2, the last two by rows.
template <typename Scalar>
struct TelescopeForms {
  const Vec3<Scalar>* numbers;
  int n;      ///< shapes
  int block;  ///< numbers in a block

  LIMBER_INLINE const Vec3<Scalar>& Phi(int order, int j) const { return numbers[order * block + j]; }
  LIMBER_INLINE const Vec3<Scalar>& Psi(int order, int j) const { return numbers[order * block + n + j]; }
  LIMBER_INLINE const Vec3<Scalar>& Phi2(int order, int j, int k) const {
    return numbers[order * block + 2 * n + j * n + k];
  }
  LIMBER_INLINE const Vec3<Scalar>& Psi2(int order, int j, int k) const {
    return numbers[order * block + 2 * n + n * n + j * n + k];
  }
};

template <typename Scalar>
TelescopeForms<Scalar> telescope_forms(const LinkWork<Scalar>& link, std::size_t node) {
  const TelescopeWork<Scalar>& t = link.telescope;
  return {t.forms.data() + node * 3 * static_cast<std::size_t>(t.block), link.m - 1, t.block};
}

/// (1) and (2) of all nodes, and the masses on them.
template <typename Scalar>
void place_telescope(LinkWork<Scalar>& link, const Scalar* q) {
  TelescopeWork<Scalar>& t = link.telescope;
  const int n = link.m - 1;
  const Scalar* eta = q + link.elastic_q() + 1;
  const Scalar l = t.free_length + q[link.elastic_q()];
  // powers[p + 1] is l^-p.
  Scalar powers[6] = {l, Scalar(1), Scalar(1) / l, Scalar(0), Scalar(0), Scalar(0)};  // NOLINT
  for (int p = 3; p < 6; ++p) powers[p] = powers[p - 1] * powers[2];
  for (std::size_t i = 0; i < link.nodes.size(); ++i) {
    NodeWork<Scalar>& node = link.nodes[i];
    const TelescopeNode<Scalar>& at = t.nodes[i];
    Vec3<Scalar> p = at.p0, theta = Vec3<Scalar>::zero();
    p += Vec3<Scalar>(at.per_length * l, Scalar(0), Scalar(0));
    Vec3<Scalar> p_q(Scalar(1), Scalar(0), Scalar(0)), theta_q = theta;
    if (at.bends) {
      const std::size_t first = i * 3 * static_cast<std::size_t>(t.block);
      for (int order = 0; order < 3; ++order)
        for (int e = 0; e < t.block; ++e) {
          const std::size_t number = first + static_cast<std::size_t>(order * t.block + e);
          t.forms[number] = t.units[number] * powers[t.power[static_cast<std::size_t>(e)] + order + 1];
        }
      const TelescopeForms<Scalar> f = telescope_forms(link, i);
      for (int j = 0; j < n; ++j) {
        Vec3<Scalar> p_j = f.Phi(0, j), theta_j = f.Psi(0, j);
        Vec3<Scalar> p_qj = f.Phi(1, j), theta_qj = f.Psi(1, j);
        const Scalar half = Scalar(0.5) * eta[j];
        p += p_j * eta[j];
        theta += theta_j * eta[j];
        p_q += p_qj * eta[j];
        theta_q += theta_qj * eta[j];
        for (int k = 0; t.second_order && k < n; ++k) {
          p_j += f.Phi2(0, j, k) * eta[k];
          theta_j += f.Psi2(0, j, k) * eta[k];
          p += f.Phi2(0, j, k) * (half * eta[k]);
          theta += f.Psi2(0, j, k) * (half * eta[k]);
          p_q += f.Phi2(1, j, k) * (half * eta[k]);
          theta_q += f.Psi2(1, j, k) * (half * eta[k]);
        }
        node.p_eta[j + 1] = p_j;
        t.theta_eta[i * static_cast<std::size_t>(link.m) + static_cast<std::size_t>(j + 1)] = theta_j;
      }
    }
    node.p_eta[0] = p_q;
    t.theta_eta[i * static_cast<std::size_t>(link.m)] = theta_q;
    node.p_RN = p;
    node.rotation = RotationAt<Scalar>(theta);
    node.Jl = node.rotation.left_jacobian();
    node.R_RN = node.rotation.exp();
    for (int c = 0; c < link.m; ++c)
      node.w_eta[c] =
          node.Jl * t.theta_eta[i * static_cast<std::size_t>(link.m) + static_cast<std::size_t>(c)];
  }
  for (std::size_t i = 0; i < link.lumps.size(); ++i) {
    const TelescopeLump<Scalar>& lump = t.lumps[i];
    const Scalar amount = lump.constant + lump.per_length * l;
    LaneInertia<Scalar>& body = link.lumps[i].body;
    body.mass = lump.body.mass * amount;
    body.moment = lump.body.moment * amount;
    body.inertia = lump.body.inertia * amount;
  }
}

/// How fast the columns p_c and theta_c of (2) change at a fixed point of the material.
template <typename Scalar>
struct TelescopeColumn {
  Vec3<Scalar> p, theta;
};
template <typename Scalar>
TelescopeColumn<Scalar> telescope_column_rate(const LinkWork<Scalar>& link, std::size_t i, const Scalar* q,
                                              const Scalar* v, int c) {
  const TelescopeWork<Scalar>& t = link.telescope;
  const int n = link.m - 1;
  const Scalar *eta = q + link.elastic_q() + 1, *rate = v + link.elastic_v() + 1;
  const Scalar& qd = v[link.elastic_v()];
  const Vec3<Scalar> zero = Vec3<Scalar>::zero();
  TelescopeColumn<Scalar> result{zero, zero};
  if (!t.nodes[i].bends) return result;
  const TelescopeForms<Scalar> f = telescope_forms(link, i);
  if (c > 0) {  // p_jq qd + Sum Phi2_jk etad_k
    const int j = c - 1;
    result = {f.Phi(1, j) * qd, f.Psi(1, j) * qd};
    for (int k = 0; t.second_order && k < n; ++k) {
      const Scalar along = qd * eta[k];
      result.p += f.Phi2(1, j, k) * along + f.Phi2(0, j, k) * rate[k];
      result.theta += f.Psi2(1, j, k) * along + f.Psi2(0, j, k) * rate[k];
    }
    return result;
  }
  for (int j = 0; j < n; ++j) {  // p_qq qd + Sum p_qj etad_j
    const Scalar along = qd * eta[j];
    result.p += f.Phi(2, j) * along + f.Phi(1, j) * rate[j];
    result.theta += f.Psi(2, j) * along + f.Psi(1, j) * rate[j];
    for (int k = 0; t.second_order && k < n; ++k) {
      const Scalar second = Scalar(0.5) * along * eta[k], first = rate[j] * eta[k];
      result.p += f.Phi2(2, j, k) * second + f.Phi2(1, j, k) * first;
      result.theta += f.Psi2(2, j, k) * second + f.Psi2(1, j, k) * first;
    }
  }
  return result;
}

/// What (3) has beside accelerations, the sum of columns' rates times rates; of theta likewise.
template <typename Scalar>
struct TelescopeMotion {
  Vec3<Scalar> theta_rate, p_bias, theta_bias;
};
template <typename Scalar>
TelescopeMotion<Scalar> telescope_motion(const LinkWork<Scalar>& link, std::size_t i, const Scalar* q,
                                         const Scalar* v) {
  const Vec3<Scalar> zero = Vec3<Scalar>::zero();
  TelescopeMotion<Scalar> motion{zero, zero, zero};
  for (int c = 0; c < link.m; ++c) {
    const Scalar& rate = v[link.elastic_v() + c];
    const TelescopeColumn<Scalar> column = telescope_column_rate(link, i, q, v, c);
    motion.theta_rate +=
        link.telescope.theta_eta[i * static_cast<std::size_t>(link.m) + static_cast<std::size_t>(c)] * rate;
    motion.p_bias += column.p * rate;
    motion.theta_bias += column.theta * rate;
  }
  return motion;
}

/// What leaves the guide changes its velocity there at once where sections turn or the beam stretches: of a straight and unstrained beam into that of
/// the free part. With G the kinetic metric of a metre of beam, G+ on the free side and G- in the guide, the mass matrix has the rate qd (G+ - G-) beside what
/// material at its place has, and Lagrange's equations
///
///   qd (G+ - G-) v   in all rows,   and  -1/2 v^T (G+ - G-) v  in the joint's                                         (5)
///
/// The last two nodes of a link are at the guide: on the free side, and inside.
template <typename Scalar>
LaneWrench<Scalar> guide_momentum(const LinkWork<Scalar>& link, const NodeWork<Scalar>& node) {
  return link.telescope.lumps.front().body * node.V_N;  // nothing is turned there
}
template <typename Scalar>
void add_guide_forces(LinkWork<Scalar>& link, const Scalar* v) {
  const std::size_t count = link.nodes.size();
  const Scalar& qd = v[link.elastic_v()];
  for (const int side : {0, 1}) {
    const NodeWork<Scalar>& node = link.nodes[count - 2 + static_cast<std::size_t>(side)];
    const LaneWrench<Scalar> momentum = guide_momentum(link, node) * Scalar(side == 0 ? 1.0 : -1.0);
    const LaneWrench<Scalar> flow = momentum * qd;
    link.f_r += LaneWrench<Scalar>{flow.force, flow.moment + cross(node.p_RN, flow.force)};
    for (int c = 0; c < link.m; ++c)
      link.f_e[c] += dot(LaneTwist<Scalar>{node.p_eta[c], node.w_eta[c]}, flow);
    link.f_e[0] -= Scalar(0.5) * dot(node.V_N, momentum);
  }
}

/// l^-power of each coordinate times the matrix' row i and `values`.
template <typename Scalar>
Scalar extended_row(const Array<Scalar>& at_one, int power, const Scalar& l, int i, const Scalar* values,
                    int n) {
  Scalar sum(0);
  for (int k = 0; k < n; ++k) sum += at_one[i * n + k] * values[k];
  for (int p = 0; p < power; ++p) sum = sum / l;
  return power < 0 ? Scalar(sum * l) : sum;
}

/// (4) and dampers: what holds against the effort of coordinate i, 0 that of the joint.
template <typename Scalar>
Scalar telescope_force(const LinkWork<Scalar>& link, const Scalar* q, const Scalar* v, int i) {
  const TelescopeWork<Scalar>& t = link.telescope;
  const int n = link.m - 1;
  const Scalar *eta = q + link.elastic_q() + 1, *rate = v + link.elastic_v() + 1;
  const Scalar l = t.free_length + q[link.elastic_q()];
  if (i > 0) {
    Scalar force = extended_row(t.K, t.K_power[i - 1], l, i - 1, eta, n);
    for (std::size_t part = 0; part < t.D.size(); ++part)
      force += extended_row(t.D[part], t.D_power[part][i - 1], l, i - 1, rate, n);
    return force;
  }
  Scalar force = link.stiffness * (q[link.elastic_q()] - link.rest) + link.damping * v[link.elastic_v()];
  for (int j = 0; j < n; ++j)
    force -= Scalar(0.5 * t.K_power[j]) / l * eta[j] * extended_row(t.K, t.K_power[j], l, j, eta, n);
  return force;
}

/// Strain energy, (4), and the kinetic energy of what turns with the joint.
template <typename Scalar>
void add_telescope_energy(const LinkWork<Scalar>& link, const Scalar* q, const Scalar* v, Scalar& strain,
                          Scalar& kinetic) {
  const TelescopeWork<Scalar>& t = link.telescope;
  const int n = link.m - 1;
  const Scalar half(0.5), *eta = q + link.elastic_q() + 1;
  const Scalar l = t.free_length + q[link.elastic_q()], stretch = q[link.elastic_q()] - link.rest;
  const Scalar& rate = v[link.elastic_v()];
  strain += half * link.stiffness * stretch * stretch;
  for (int j = 0; j < n; ++j) strain += half * eta[j] * extended_row(t.K, t.K_power[j], l, j, eta, n);
  kinetic += half * link.armature[0] * rate * rate;
}

/// Where the joint's acceleration is given: its row and column of the assembled equations leave, and what they do to the others is a force.
template <typename Scalar>
void hold_extension(LinkWork<Scalar>& link, const Scalar* qdd) {
  const int m = link.m;
  const Scalar given = qdd[link.elastic_v()];
  for (int i = 1; i < m; ++i) {
    link.z[i] -= link.M_ee[i * m] * given;
    link.L[i * m] = Scalar(0);
  }
  link.f_r += link.M_re[0] * given;
  link.Z[0] = LaneWrench<Scalar>::zero();
  link.L[0] = Scalar(1);
  link.z[0] = given;
}

/// What the joint's motor does, after forward dynamics.
template <typename Scalar>
Scalar telescope_effort(const LinkWork<Scalar>& link, const Scalar* q, const Scalar* v, const Scalar* qdd) {
  Scalar effort = link.f_e[0] + dot(link.A_R, link.M_re[0]) + telescope_force(link, q, v, 0);
  for (int c = 0; c < link.m; ++c) effort += link.M_ee[c] * qdd[link.elastic_v() + c];
  return effort;
}

}  // namespace limber::detail
