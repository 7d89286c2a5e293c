#include "limber/algorithms/forward_dynamics.hpp"

#include <cassert>
#include <limits>
#include <string>

#include "instantiate.hpp"
#include "limber/algorithms/inertia.hpp"
#include "limber/algorithms/kinematics.hpp"
#include "limber/core/computation_error.hpp"
#include "to_parent.hpp"

namespace limber {
namespace {

// L L^T = D in place (lower triangle). Returns the first row whose pivot is not positive, or -1.
template <typename Scalar>
int factorize(MatrixX<Scalar>& D) {
  using std::sqrt;
  const Scalar smallest(4.0 * std::numeric_limits<double>::epsilon());
  for (Eigen::Index j = 0; j < D.rows(); ++j) {
    const Scalar diagonal = D(j, j);
    for (Eigen::Index k = 0; k < j; ++k) D(j, j) -= D(j, k) * D(j, k);
    if (!(D(j, j) > diagonal * smallest)) return static_cast<int>(j);
    D(j, j) = sqrt(D(j, j));
    const Scalar inverse = Scalar(1) / D(j, j);
    for (Eigen::Index i = j + 1; i < D.rows(); ++i) {
      for (Eigen::Index k = 0; k < j; ++k) D(i, j) -= D(i, k) * D(j, k);
      D(i, j) *= inverse;
    }
  }
  return -1;
}

[[noreturn]] void throw_singular(const Model& model, int link, int row) {
  const Link& at = model.links[link];
  throw ComputationError(
      "the mass matrix is singular at coordinate `" + model.coordinates[at.joint.v_index + row] +
      "` of link `" + at.name +
      "`: nothing that it moves has mass or inertia in its direction. Give the link (or what hangs on "
      "it) an inertia about that axis, or the joint an armature");
}

// (1) and (2) into L, Zt, z.
template <typename Scalar>
void assemble(LinkWork<Scalar>& link, const VectorX<Scalar>& q, const VectorX<Scalar>& v,
              const VectorX<Scalar>& tau) {
  const int nj = link.joint_nv, m = link.m;
  for (int j = 0; j < nj; ++j) link.Zt.col(j).noalias() = link.M_rr * link.S.col(j);
  link.Zt.rightCols(m) = link.M_re;
  for (int j = 0; j < nj; ++j) {
    for (int i = j; i < nj; ++i) link.L(i, j) = link.S.col(i).dot(link.Zt.col(j));
    for (int i = 0; i < m; ++i) link.L(nj + i, j) = link.S.col(j).dot(link.M_re.col(i));
    link.L(j, j) += link.armature;
  }
  link.L.bottomRightCorner(m, m) = link.M_ee;

  const bool has_spring = nj == link.joint_nq;  // quaternion joints have none
  for (int j = 0; j < nj; ++j) {
    link.z[j] = tau[link.v_index + j] - link.damping * v[link.v_index + j] - link.S.col(j).dot(link.p_r);
    if (has_spring) link.z[j] -= link.stiffness * (q[link.q_index + j] - link.rest);
  }
  const auto eta = q.segment(link.q_index + link.joint_nq, m);
  const auto rate = v.segment(link.v_index + nj, m);
  for (int i = 0; i < m; ++i)
    link.z[nj + i] =
        tau[link.v_index + nj + i] - link.p_e[i] - link.K.col(i).dot(eta) - link.C.col(i).dot(rate);
}

// (3)
template <typename Scalar>
void eliminate(const Model& model, int index, LinkWork<Scalar>& link) {
  const int failed = factorize(link.L);
  if (failed >= 0) throw_singular(model, index, failed);
  const int n = link.size();
  for (int j = 0; j < n; ++j) {
    for (int k = 0; k < j; ++k) {
      link.Zt.col(j) -= link.Zt.col(k) * link.L(j, k);
      link.z[j] -= link.z[k] * link.L(j, k);
    }
    const Scalar inverse = Scalar(1) / link.L(j, j);
    link.Zt.col(j) *= inverse;
    link.z[j] *= inverse;
  }
  for (int k = 0; k < n; ++k) {
    link.M_rr.noalias() -= link.Zt.col(k) * link.Zt.col(k).transpose();  // M_rr is Ma from here on
    link.p_r += link.Zt.col(k) * link.z[k];                              // and p_r is pa
  }
}

// (4)
template <typename Scalar>
void carry_to_parent(Workspace<Scalar>& work, const LinkWork<Scalar>& link) {
  if (link.parent < 0) return;
  LinkWork<Scalar>& parent = work.links[link.parent];
  const Matrix6<Scalar> M = inertia_at_node(link, link.M_rr);
  const Vector6<Scalar> p = wrench_at_node<Scalar>(link, link.p_r + link.M_rr * link.c);
  if (link.parent_node >= 0) {
    const NodeWork<Scalar>& node = parent.nodes[link.parent_node];
    add_inertia(node, M, parent);
    add_wrench(node, p, parent);
  } else {
    parent.M_rr += M;
    parent.p_r += p;
  }
}

// (5)
template <typename Scalar>
void accelerate(Workspace<Scalar>& work, LinkWork<Scalar>& link, VectorX<Scalar>& qdd) {
  const Vector6<Scalar> incoming = incoming_acceleration(work, link, qdd);
  const int n = link.size();
  auto x = qdd.segment(link.v_index, n);
  for (int j = n - 1; j >= 0; --j) {
    Scalar value = link.z[j] - link.Zt.col(j).dot(incoming);
    for (int k = j + 1; k < n; ++k) value -= link.L(k, j) * x[k];
    x[j] = value / link.L(j, j);
  }
  link.wrench.noalias() = link.M_rr * incoming;
  link.wrench += link.p_r;
  link.A = incoming;
  for (int j = 0; j < link.joint_nv; ++j) link.A += link.S.col(j) * x[j];
}

template <typename Scalar>
Vector6<Scalar> load_in_link_axes(const Model& model, const LinkWork<Scalar>& link,
                                  const ExternalWrench& load) {
  (void)model;
  Vector3<Scalar> f = load.force.cast<Scalar>(), n = load.moment.cast<Scalar>();
  switch (load.axes) {
    case ExternalWrench::Axes::world:
      f = (link.R_W.transpose() * f).eval();
      n = (link.R_W.transpose() * n).eval();
      break;
    case ExternalWrench::Axes::body:
      f = (link.R_BF.transpose() * f).eval();
      n = (link.R_BF.transpose() * n).eval();
      break;
    case ExternalWrench::Axes::section:
      if (link.flexible) {
        f = (link.nodes[load.node].E * f).eval();
        n = (link.nodes[load.node].E * n).eval();
      } else {
        const Matrix3<Scalar> R_FN = model.links[load.link].nodes[load.node].X_RN.R.cast<Scalar>();
        f = (R_FN * f).eval();
        n = (R_FN * n).eval();
      }
      break;
  }
  Vector6<Scalar> wrench;
  wrench << f, n;
  return wrench;
}

}  // namespace

template <typename Scalar>
void apply_loads(const Model& model, Workspace<Scalar>& work, const std::vector<ExternalWrench>& loads) {
  if (loads.empty()) return;
  update_world_poses(work);
  for (const ExternalWrench& load : loads) {
    LinkWork<Scalar>& link = work.links[load.link];
    const Vector6<Scalar> wrench = -load_in_link_axes(model, link, load);
    if (link.flexible) {
      add_wrench(link.nodes[load.node], wrench, link);
    } else {
      const Vector3<Scalar> r = model.links[load.link].nodes[load.node].X_RN.p.template cast<Scalar>();
      link.p_r += wrench;
      link.p_r.template tail<3>() += r.cross(Vector3<Scalar>(wrench.template head<3>()));
    }
  }
}

template <typename Scalar>
void forward_dynamics(const Model& model, Workspace<Scalar>& work, const VectorX<Scalar>& q,
                      const VectorX<Scalar>& v, const VectorX<Scalar>& tau, VectorX<Scalar>& qdd,
                      const std::vector<ExternalWrench>& loads) {
  assert(tau.size() == model.nv && qdd.size() == model.nv);
  update_velocities(model, work, q, v);
  update_link_inertias(model, work, q, v);
  apply_loads(model, work, loads);
  for (int i = static_cast<int>(work.links.size()) - 1; i >= 0; --i) {
    LinkWork<Scalar>& link = work.links[i];
    assemble(link, q, v, tau);
    eliminate(model, i, link);
    carry_to_parent(work, link);
  }
  for (LinkWork<Scalar>& link : work.links) accelerate(work, link, qdd);
}

#define LIMBER_INSTANTIATE(Scalar)                                                                 \
  template void forward_dynamics(const Model&, Workspace<Scalar>&, const VectorX<Scalar>&,         \
                                 const VectorX<Scalar>&, const VectorX<Scalar>&, VectorX<Scalar>&, \
                                 const std::vector<ExternalWrench>&);                              \
  template void apply_loads(const Model&, Workspace<Scalar>&, const std::vector<ExternalWrench>&);
LIMBER_FOR_ALL_SCALARS(LIMBER_INSTANTIATE)

}  // namespace limber
