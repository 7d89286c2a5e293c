// SPDX-License-Identifier: BSD-3-Clause
#include "limber/algorithms/detail/one_link.hpp"
#include "limber/model/detail/joint_kinds.hpp"
#include "limber/model/inner_loads.hpp"

#include "limber/model/detail/arguments.hpp"
#include "linear_arm_data.hpp"

namespace limber {

using namespace detail;

// ---- positions ----

void LinearArm::Data::place_beam(LinkState& link, const double* eta) {
  const LinearBeam& beam = link.beam;
  const int m = link.m;
  V3 h = V3::zero();
  M3 I = M3::zero();
  for (int j = 0; j < m; ++j) {
    h += beam.h[j] * eta[j];
    I += beam.I[j] * eta[j];
  }
  link.h_dual = h;
  link.I_dual = I;
  for (int k = 0; k < m; ++k) {
    Wrench6 sum = Wrench6::zero();
    for (int j = 0; j < m; ++j) sum += beam.M_re[k * m + j] * eta[j];
    link.M_re_dual[k] = sum;
  }
  for (std::size_t n = 0; n < link.nodes.size(); ++n) {
    const LinearNode& node = beam.nodes[n];
    NodeState& state = link.nodes[n];
    Twist6 dual = Twist6::zero();
    for (int j = 0; j < m; ++j) dual += node.screws[j] * eta[j];
    state.delta = dual.linear;
    state.theta = dual.angular;
    if (node.screw_changes.empty()) continue;
    for (int j = 0; j < m; ++j) {
      Twist6 change = Twist6::zero();
      for (int k = 0; k < m; ++k) change += node.screw_changes[j * m + k] * eta[k];
      state.screws_dual[j] = change;
    }
  }
}

void LinearArm::Data::place(const Input<double>& q) {
  update_positions(model, joints, q);
  for (std::size_t i = 0; i < links.size(); ++i)
    if (links[i].is_flexible) place_beam(links[i], q.data() + joints.arm().links[i].elastic_q());
}

// ---- forces ----

void LinearArm::Data::move_nodes(LinkState& link, const double* rate, const double* acceleration) {
  const int m = link.m;
  for (std::size_t n = 0; n < link.nodes.size(); ++n) {
    const LinearNode& node = link.beam.nodes[n];
    NodeState& state = link.nodes[n];
    Twist6 sum = Twist6::zero();
    for (int j = 0; j < m; ++j) sum += node.screws[j] * rate[j];
    state.rate = sum;
    if (acceleration == nullptr) continue;
    Twist6 real = Twist6::zero(), dual = Twist6::zero();
    for (int j = 0; j < m; ++j) real += node.screws[j] * acceleration[j];
    if (!state.screws_dual.empty())
      for (int j = 0; j < m; ++j) dual += state.screws_dual[j] * acceleration[j];
    state.acceleration = real;
    state.acceleration_dual = dual;
  }
}

// Twist and acceleration of the link's frame. With p_PR the way from the parent's, its rate e_v (dual), and e_w the
// node's own turning:  v = v_P + w x p_PR + e_v,  a = a_P + alpha x p_PR + w x (w x p_PR) + 2 w x e_v,  alpha += w x e_w.
void LinearArm::Data::move_link(std::size_t i, const Input<double>& v, const Input<double>& a,
                                bool elastic_accelerations) {
  LinkState& link = links[i];
  const LinkWork<double>& joint = joints.arm().links[i];
  const M3& R_RP = joint.R_RP;
  V3 v_r = V3::zero(), w_r = v_r, a_r = -joints.arm().gravity, alpha_r = v_r;
  V3 v_d = v_r, w_d = v_r, a_d = v_r, alpha_d = v_r;
  if (link.parent >= 0) {
    const LinkState& parent = links[static_cast<std::size_t>(link.parent)];
    const bool bends = link.parent_node >= 0;
    const V3 p_PR = bends ? parent.beam.nodes[static_cast<std::size_t>(link.parent_node)].p0_RN + joint.p_NR_P
                          : joint.p_NR_P;
    w_r = parent.V.r.angular;
    alpha_r = parent.A.r.angular;
    const V3 u_r = cross(w_r, p_PR);
    v_r = parent.V.r.linear + u_r;
    a_r = parent.A.r.linear + cross(alpha_r, p_PR) + cross(w_r, u_r);
    if (link.is_bent) {
      w_d = parent.V.d.angular;
      alpha_d = parent.A.d.angular;
      const V3 u_d = cross(w_d, p_PR);
      v_d = parent.V.d.linear + u_d;
      a_d = parent.A.d.linear + cross(alpha_d, p_PR) + cross(w_d, u_r) + cross(w_r, u_d);
    }
    if (bends) {
      const NodeState& node = parent.nodes[static_cast<std::size_t>(link.parent_node)];
      const V3 d_dual = cross(node.theta, joint.p_NR_P), p_PR_d = node.delta + d_dual;
      const V3 e_w = node.rate.angular, e_v = node.rate.linear + cross(e_w, joint.p_NR_P);
      const V3 u = cross(w_r, p_PR_d);
      v_d += u + e_v;
      a_d += cross(alpha_r, p_PR_d) + cross(w_r, u + e_v * 2.0);
      V3 alpha = cross(w_r, e_w);
      if (elastic_accelerations) {
        const Twist6 &real = node.acceleration, &dual = node.acceleration_dual;
        a_r += real.linear + cross(real.angular, joint.p_NR_P);
        alpha_r += real.angular;
        a_d += dual.linear + cross(dual.angular, joint.p_NR_P) + cross(real.angular, d_dual);
        alpha += dual.angular;
      }
      // (3)
      v_d -= cross(node.theta, v_r);
      a_d -= cross(node.theta, a_r);
      alpha_d += alpha - cross(node.theta, alpha_r);
      w_d += e_w - cross(node.theta, w_r);
    }
  }
  const double *rate = v.data() + joint.v_index, *acceleration = a.data() + joint.v_index;
  Twist6 V_J = Twist6::zero(), S_a = Twist6::zero();
  for (int j = 0; j < joint.joint_nv; ++j) {
    V_J += joint.S[j] * rate[j];
    S_a += joint.S[j] * acceleration[j];
  }
  with_joint_kind(joint.joint_type, [&](auto kind) {
    if constexpr (kind.moving_columns > 0)
      for (int j = 0; j < kind.moving_columns; ++j) S_a += kind.column_rate(joint, j, rate) * rate[j];
  });
  const V3 w_node = R_RP * w_r;
  link.V.r = Twist6{R_RP * v_r, w_node} + V_J;
  link.A.r = Twist6{R_RP * a_r + cross(w_node * 2.0 + V_J.angular, V_J.linear),
                    R_RP * alpha_r + cross(w_node, V_J.angular)} +
             S_a;
  if (!link.is_bent) return;
  const V3 w_node_d = R_RP * w_d;
  link.V.d = {R_RP * v_d, w_node_d};
  link.A.d = {R_RP * a_d + cross(w_node_d, V_J.linear) * 2.0, R_RP * alpha_d + cross(w_node_d, V_J.angular)};
}

// M_ee of (1).
void LinearArm::Data::find_elastic_mass(LinkState& link, const double* eta) {
  link.products[0] = 1.0;
  std::copy_n(eta, link.m, link.products.data() + 1);
  std::fill(link.M_ee.begin(), link.M_ee.end(), 0.0);
  link.beam.M_ee.add_to(link.M_ee.data(), link.products.data());
}

// Of the link's own inertia.
void LinearArm::Data::find_forces(std::size_t i, const Input<double>& q, const Input<double>& v,
                                  const Input<double>& a, bool elastic_accelerations) {
  LinkState& link = links[i];
  const LinkWork<double>& work = joints.arm().links[i];
  const LinearBeam& beam = link.beam;
  const double mass = link.is_flexible ? beam.mass : work.rigid.mass;
  const V3& h = link.is_flexible ? beam.h0 : work.rigid.moment;
  const M3& I = link.is_flexible ? beam.I0 : work.rigid.inertia;
  const Twist6 &A = link.A.r, &A_d = link.A.d;
  const V3 &w = link.V.r.angular, &w_d = link.V.d.angular;
  const V3 wh = cross(w, h), Iw = I * w;
  link.f.r = momentum(mass, h, I, A) + Wrench6{cross(w, wh), cross(w, Iw)};
  link.f.d = Wrench6::zero();
  if (link.is_bent)
    link.f.d = momentum(mass, h, I, A_d) +
               Wrench6{cross(w_d, wh) + cross(w, cross(w_d, h)), cross(w_d, Iw) + cross(w, I * w_d)};
  if (!link.is_flexible) return;

  const int m = link.m;
  const double *eta = q.data() + work.elastic_q(), *rate = v.data() + work.elastic_v();
  V3 h_rate = V3::zero(), n = V3::zero();
  for (int j = 0; j < m; ++j) {
    h_rate += beam.h[j] * rate[j];
    n += (beam.n_j[j] * w) * rate[j];
  }
  link.f.d += momentum(0.0, link.h_dual, link.I_dual, A) +
              Wrench6{cross(w, cross(w, link.h_dual) + h_rate * 2.0), cross(w, link.I_dual * w) + n};

  // (2), and M_re A
  using Products = ElasticProducts;
  double* products = link.products.data();
  double ww[6], A_r[6];  // NOLINT
  const Twist6 A_total = link.is_bent ? link.A.total() : A;
  store(A_total.linear, A_total.angular, products + Products::A);
  products_of(w, ww);
  std::copy_n(ww, 6, products + Products::ww);
  if (link.is_bent) {
    double* total = products + Products::ww;
    for (int c = 0; c < 3; ++c) total[c] += 2.0 * w[c] * w_d[c];
    total[3] += w[0] * w_d[1] + w_d[0] * w[1];
    total[4] += w[0] * w_d[2] + w_d[0] * w[2];
    total[5] += w[1] * w_d[2] + w_d[1] * w[2];
  }
  store(A.linear, A.angular, A_r);
  for (int j = 0; j < m; ++j) {
    for (int c = 0; c < 6; ++c) products[Products::eta_ww(m) + 6 * j + c] = eta[j] * ww[c];
    for (int c = 0; c < 3; ++c) products[Products::etad_w(m) + 3 * j + c] = rate[j] * w[c];
    for (int c = 0; c < 6; ++c) products[Products::eta_A(m) + 6 * j + c] = eta[j] * A_r[c];
  }
  std::fill(link.f_e.begin(), link.f_e.end(), 0.0);
  beam.forces.add_to(link.f_e.data(), products);
  if (!elastic_accelerations) return;

  const double* etadd = a.data() + work.elastic_v();
  find_elastic_mass(link, eta);
  for (int j = 0, at = 0; j < m; ++j) {
    link.f.r += beam.M_re0[j] * etadd[j];
    link.f.d += link.M_re_dual[j] * etadd[j];
    for (int k = 0; k < j; ++k, ++at) {
      link.f_e[j] += link.M_ee[at] * etadd[k];
      link.f_e[k] += link.M_ee[at] * etadd[j];
    }
    link.f_e[j] += link.M_ee[at++] * etadd[j];
  }
}

// Loads, as what acts against the links' inertia.
void LinearArm::Data::apply(const double* q, const std::vector<Load>& loads) {
  if (loads.empty()) return;
  world_R.resize(links.size());
  world_turn.resize(links.size());
  for (std::size_t i = 0; i < links.size(); ++i) {
    const LinkState& link = links[i];
    world_R[i] = joints.arm().links[i].R_PR;
    world_turn[i] = V3::zero();
    if (link.parent < 0) continue;
    const auto p = static_cast<std::size_t>(link.parent);
    world_R[i] = world_R[p] * world_R[i];
    world_turn[i] = world_turn[p];
    if (link.parent_node >= 0)
      world_turn[i] += world_R[p] * links[p].nodes[static_cast<std::size_t>(link.parent_node)].theta;
  }
  for (const Load& load : loads) {
    const auto i = static_cast<std::size_t>(load.link);
    LinkState& link = links[i];
    if (load.is_inner()) {
      const double* eta = q + joints.arm().links[i].elastic_q();
      for (int j = 0; j < link.m; ++j) {
        link.f_e[j] -= inner_force(model.links()[i], load, j);
        for (int k = 0; k < link.m; ++k)
          link.f_e[j] += inner_stiffness(model.links()[i], load, j, k) * eta[k];
      }
      continue;
    }
    const auto n = static_cast<std::size_t>(load.node);
    const Node& place = model.links()[i].nodes[n];
    const M3 section = Matrix3<double>(place.X_RN.R);
    const V3 theta = link.is_flexible ? link.nodes[n].theta : V3::zero();
    const V3 r = link.is_flexible ? link.beam.nodes[n].p0_RN : V3(place.X_RN.p);
    const V3 delta = link.is_flexible ? link.nodes[n].delta : V3::zero();
    const auto in_link = [&](const Eigen::Vector3d& x) -> Pair3 {
      const V3 given = x;
      if (load.axes == Axes::body) return {transposed_times(joints.arm().links[i].R_BR, given), V3::zero()};
      if (load.axes == Axes::world)
        return {transposed_times(world_R[i], given),
                -transposed_times(world_R[i], cross(world_turn[i], given))};
      return {section * given, cross(theta, section * given)};
    };
    const V3 offset = section * V3(load.offset);
    const Pair3 f = in_link(load.force);
    Pair3 n_node = in_link(load.moment);
    n_node.r += cross(offset, f.r);
    n_node.d += cross(offset, f.d) + cross(cross(theta, offset), f.r);
    link.f.r -= Wrench6{f.r, n_node.r + cross(r, f.r)};
    link.f.d -= Wrench6{f.d, n_node.d + cross(r, f.d) + cross(delta, f.r)};
    if (!link.is_flexible) continue;
    const Wrench6 real{f.r, n_node.r}, total{f.r + f.d, n_node.r + n_node.d};
    for (int j = 0; j < link.m; ++j) {
      link.f_e[j] -= dot(link.beam.nodes[n].screws[j], total);
      if (!link.nodes[n].screws_dual.empty()) link.f_e[j] -= dot(link.nodes[n].screws_dual[j], real);
    }
  }
}

void LinearArm::Data::collect(const Input<double>& a, VectorXd& tau) {
  for (std::size_t i = links.size(); i-- > 0;) {
    LinkState& link = links[i];
    const LinkWork<double>& joint = joints.arm().links[i];
    const Wrench6 total = link.f.total();
    link.wrench = total;
    for (int j = 0; j < joint.joint_nv; ++j)
      tau[joint.v_index + j] = dot(joint.S[j], total) + joint.armature[j] * a[joint.v_index + j];
    for (int k = 0; k < link.m; ++k) tau[joint.elastic_v() + k] = link.f_e[k];
    if (link.parent < 0) continue;
    LinkState& parent = links[static_cast<std::size_t>(link.parent)];
    const WrenchPair carried = carried_to(parent, link.parent_node, joint, link.f, parent.f_e.data());
    parent.f.r += carried.r;
    parent.f.d += carried.d;
  }
}

void LinearArm::Data::find_all_forces(const Input<double>& q, const Input<double>& v, const Input<double>& a,
                                      const std::vector<Load>& loads, bool elastic_accelerations,
                                      VectorXd& tau) {
  for (std::size_t i = 0; i < links.size(); ++i) {
    LinkState& link = links[i];
    const int elastic = joints.arm().links[i].elastic_v();
    move_link(i, v, a, elastic_accelerations);
    if (link.is_flexible)
      move_nodes(link, v.data() + elastic, elastic_accelerations ? a.data() + elastic : nullptr);
    find_forces(i, q, v, a, elastic_accelerations);
  }
  apply(q.data(), loads);
  tau.resize(model.nv());
  collect(a, tau);
}

// ---- all of it ----

LinearArm::LinearArm(const Model& model, bool consistent)
    : data_(std::make_unique<Data>(model, consistent)) {}
LinearArm::~LinearArm() = default;
LinearArm::LinearArm(LinearArm&&) noexcept = default;
LinearArm& LinearArm::operator=(LinearArm&&) noexcept = default;

namespace {

template <typename Data>
Data& require_state(const char* function, const std::unique_ptr<Data>& data, const Input<double>& q) {
  Data& d = detail::require_unmoved(function, "this", data);
  detail::Call{function, d.model}.require_position("q", q);
  return d;
}
template <typename Data>
Data& require_motion(const char* function, const std::unique_ptr<Data>& data, const Input<double>& q,
                     const Input<double>& v, const Input<double>& a, const std::vector<Load>& loads) {
  Data& d = require_state(function, data, q);
  const detail::Call call{function, d.model};
  call.require_velocity("v", v);
  call.require_velocity("a", a);
  call.require_loads(loads);
  return d;
}

}  // namespace

void LinearArm::mass_matrix(const Input<double>& q, MatrixXd& M) {
  Data& data = require_state("LinearArm::mass_matrix", data_, q);
  M.resize(data.model.nv(), data.model.nv());
  data.place(q);
  data.assemble(q, M);
  M = MatrixXd(M.selfadjointView<Eigen::Lower>());
}

void LinearArm::forces(const Input<double>& q, const Input<double>& v, const Input<double>& a,
                       const std::vector<Load>& loads, VectorXd& tau) {
  Data& data = require_motion("LinearArm::forces", data_, q, v, a, loads);
  data.place(q);
  data.find_all_forces(q, v, a, loads, true, tau);
}

void LinearArm::equations(const Input<double>& q, const Input<double>& v, const Input<double>& a,
                          const std::vector<Load>& loads, MatrixXd& M, VectorXd& tau) {
  Data& data = require_motion("LinearArm::equations", data_, q, v, a, loads);
  M.resize(data.model.nv(), data.model.nv());
  data.place(q);
  data.find_all_forces(q, v, a, loads, false, tau);
  data.assemble(q, M);
}

void LinearArm::wrenches(std::vector<Wrench>& wrenches) const {
  const Data& d = detail::require_unmoved("LinearArm::wrenches", "this", data_);
  wrenches.resize(d.links.size());
  for (std::size_t i = 0; i < d.links.size(); ++i) {
    const LinkWork<double>& work = d.joints.arm().links[i];
    const Wrench6 wrench = wrench_in_body(work, d.links[i].wrench);
    wrenches[i] = {wrench.force, wrench.moment};
  }
}

}  // namespace limber
