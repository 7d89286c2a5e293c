// SPDX-License-Identifier: BSD-3-Clause
#include "limber/literature/denoc.hpp"

#include "limber/algorithms/configuration.hpp"
#include "limber/algorithms/detail/arm_work.hpp"
#include "limber/algorithms/inertia.hpp"
#include "limber/algorithms/inverse_dynamics.hpp"
#include "limber/algorithms/kinematics.hpp"
#include "limber/math/detail/decompositions.hpp"
#include "limber/math/dual.hpp"
#include "limber/model/detail/arguments.hpp"
#include "limber/model/loops.hpp"
#include "limber/model/telescopes.hpp"

namespace limber {

using namespace detail;

namespace {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

// (8) in the link's and its parent's own axes: the parent's frame and shapes move the node, the node the link.
template <typename Scalar>
MatrixX<Scalar> propagation_from_parent(const LinkWork<Scalar>& link, const LinkWork<Scalar>& parent) {
  const Matrix3<Scalar> R_RP = link.R_RP;
  Vector3<Scalar> p_PR = link.p_NR_P;
  if (link.parent_node >= 0) p_PR += Vector3<Scalar>(parent.nodes[link.parent_node].p_RN);
  MatrixX<Scalar> A = MatrixX<Scalar>::Zero(6 + link.m, 6 + parent.m);
  A.template block<3, 3>(0, 0) = R_RP;
  A.template block<3, 3>(0, 3) = -R_RP * skew<Scalar>(p_PR);
  A.template block<3, 3>(3, 3) = R_RP;
  for (int j = 0; j < parent.m; ++j) {
    const NodeWork<Scalar>& node = parent.nodes[link.parent_node];
    A.template block<3, 1>(0, 6 + j) =
        Vector3<Scalar>(link.R_RP * (node.p_eta[j] + cross(node.w_eta[j], link.p_NR_P)));
    A.template block<3, 1>(3, 6 + j) = Vector3<Scalar>(link.R_RP * node.w_eta[j]);
  }
  return A;
}

template <typename Scalar>
MatrixX<Scalar> joint_and_amplitude(const LinkWork<Scalar>& link) {
  MatrixX<Scalar> P = MatrixX<Scalar>::Zero(6 + link.m, link.size());
  for (int j = 0; j < link.joint_nv; ++j) P.template block<6, 1>(0, j) = link.S[j].vector();
  P.bottomRightCorner(link.m, link.m).setIdentity();
  return P;
}

MatrixXd link_mass(const LinkWork<double>& link) {
  MatrixXd M(6 + link.m, 6 + link.m);
  M.topLeftCorner<6, 6>() = link.M_rr.matrix();
  for (int j = 0; j < link.m; ++j) {
    M.block<6, 1>(0, 6 + j) = link.M_re[j].vector();
    M.block<1, 6>(6 + j, 0) = M.block<6, 1>(0, 6 + j).transpose();
    for (int k = 0; k < link.m; ++k) M(6 + j, 6 + k) = link.M_ee[j * link.m + k];
  }
  return M;
}

// Where each link's block begins among all twists; last the total.
std::vector<int> twist_offsets(const std::vector<MatrixXd>& P) {
  std::vector<int> offsets{0};
  for (const MatrixXd& block : P) offsets.push_back(offsets.back() + static_cast<int>(block.rows()));
  return offsets;
}

// ... and among the coordinates.
std::vector<int> coordinate_offsets(const std::vector<MatrixXd>& P) {
  std::vector<int> offsets{0};
  for (const MatrixXd& block : P) offsets.push_back(offsets.back() + static_cast<int>(block.cols()));
  return offsets;
}

MatrixXd armature(const LinkWork<double>& link) {
  MatrixXd result = MatrixXd::Zero(link.size(), link.size());
  for (int j = 0; j < link.joint_nv; ++j) result(j, j) = link.armature[j];
  return result;
}

}  // namespace

MatrixXd DeNoc::propagation(int i, int j) const {
  for (const int link : {i, j})
    require_index("DeNoc::propagation", "link", static_cast<int>(parent.size()), link);
  MatrixXd result = MatrixXd::Identity(M[i].rows(), M[i].rows());
  for (; i != j; i = parent[i]) {
    if (parent[i] < 0) return MatrixXd::Zero(result.rows(), M[j].rows());
    result = (result * A[i]).eval();
  }
  return result;
}

VectorXd DeNoc::solve(const Input<double>& phi) const {
  require_extent("DeNoc::solve", "phi", phi, D.rows(), 1);
  const auto at = coordinate_offsets(P);
  const int count = static_cast<int>(P.size());
  std::vector<VectorXd> eta(count), mu(count), block(count);
  for (int i = 0; i < count; ++i) eta[i] = VectorXd::Zero(P[i].rows());
  for (int i = count - 1; i >= 0; --i) {  // step A, (39); eta-bar is collected from the children
    block[i] = phi.segment(at[i], P[i].cols()) - P[i].transpose() * eta[i];
    if (parent[i] >= 0) eta[parent[i]] += A[i].transpose() * (Psi[i] * block[i] + eta[i]);
  }
  VectorXd result(phi.size());
  for (int i = 0; i < count; ++i) {  // steps B and C, (40) to (42)
    const VectorXd mu_bar =
        parent[i] >= 0 ? VectorXd(A[i] * mu[parent[i]]) : VectorXd(VectorXd::Zero(P[i].rows()));
    const MatrixXd D_i = D.block(at[i], at[i], P[i].cols(), P[i].cols());
    const VectorXd qdd = D_i.llt().solve(block[i]) - Psi[i].transpose() * mu_bar;
    mu[i] = P[i] * qdd + mu_bar;
    result.segment(at[i], P[i].cols()) = qdd;
  }
  return result;
}

DeNoc make_denoc(const Model& model, Workspace<double>& work, const Input<double>& q) {
  require_plain_tree(model, "the recursion by DeNOC matrices");
  require_no_telescopes(model, "the DeNOC matrices");
  const Call call{"make_denoc", model};
  call.arm(work);
  call.require_position("q", q);
  update_positions(model, work, q);
  update_link_masses(model, work, q);
  DeNoc result;
  const int count = static_cast<int>(work.arm().links.size());
  for (const LinkWork<double>& link : work.arm().links) {
    result.parent.push_back(link.parent);
    result.A.push_back(link.parent < 0 ? MatrixXd()
                                       : propagation_from_parent(link, work.arm().links[link.parent]));
    result.P.push_back(joint_and_amplitude(link));
    result.M.push_back(link_mass(link));
  }

  result.M_composite = result.M_articulated = result.M;
  result.Psi.resize(count);
  result.D = MatrixXd::Zero(model.nv(), model.nv());
  const auto at = coordinate_offsets(result.P), twist_at = twist_offsets(result.P);
  for (int i = count - 1; i >= 0; --i) {
    const MatrixXd &P = result.P[i], &A = result.A[i];
    const MatrixXd M_P = result.M_articulated[i] * P;  // Psi^_i of (37)
    const MatrixXd D_i = P.transpose() * M_P + armature(work.arm().links[i]);
    result.D.block(at[i], at[i], P.cols(), P.cols()) = D_i;
    result.Psi[i] = D_i.llt().solve(M_P.transpose()).transpose();
    if (result.parent[i] < 0) continue;
    result.M_composite[result.parent[i]] += A.transpose() * result.M_composite[i] * A;
    result.M_articulated[result.parent[i]] +=
        A.transpose() * (result.M_articulated[i] - M_P * result.Psi[i].transpose()) * A;
  }

  result.N_l = MatrixXd::Identity(twist_at.back(), twist_at.back());
  result.N_d = MatrixXd::Zero(twist_at.back(), model.nv());
  result.inertia = MatrixXd::Zero(model.nv(), model.nv());
  result.U = MatrixXd::Identity(model.nv(), model.nv());
  for (int i = 0; i < count; ++i) {
    const MatrixXd& P = result.P[i];
    result.N_d.block(twist_at[i], at[i], P.rows(), P.cols()) = P;
    for (int j = i; j >= 0; j = result.parent[j]) {  // link i and all that carry it
      const MatrixXd A_ij = result.propagation(i, j), A_P = A_ij * result.P[j];
      MatrixXd block = P.transpose() * result.M_composite[i] * A_P;
      if (i == j) block += armature(work.arm().links[i]);
      result.inertia.block(at[i], at[j], block.rows(), block.cols()) = block;
      result.inertia.block(at[j], at[i], block.cols(), block.rows()) = block.transpose();
      if (i == j) continue;
      result.N_l.block(twist_at[i], twist_at[j], A_ij.rows(), A_ij.cols()) = A_ij;
      result.U.block(at[j], at[i], block.cols(), block.rows()) = A_P.transpose() * result.Psi[i];
    }
  }
  return result;
}

std::vector<std::string> denoc_rows(const Model& model) {
  std::vector<std::string> rows;
  for (const Link& link : model.links()) {
    for (const char* component : {"vx", "vy", "vz", "wx", "wy", "wz"})
      rows.push_back(link.name + "." + component);
    for (int j = 0; j < link.elastic_count; ++j)
      rows.push_back(model.coordinates()[static_cast<std::size_t>(link.elastic_v_index + j)] + ".rate");
  }
  return rows;
}

DeNocMotion make_denoc_motion(const Model& model, Workspace<double>& work, const DeNoc& denoc,
                              const Input<double>& q, const Input<double>& v, const Input<double>& tau,
                              const std::vector<Load>& loads) {
  const Call call{"make_denoc_motion", model};
  call.arm(work);
  call.require_position("q", q);
  call.require_velocity("v", v);
  call.require_velocity("tau", tau);
  call.require_loads(loads);
  require_extent("make_denoc_motion", "denoc", denoc.D, model.nv(), model.nv());

  // N_l and N_d again, at q + t dq/dt: numbers that carry d/dt.
  VectorXd q_rate(model.nq());
  configuration_rate(model, q, v, q_rate);
  VectorX<Dual> moving(model.nq());
  for (int k = 0; k < model.nq(); ++k) {
    moving[k] = Dual(q[k]);
    moving[k].derivatives()[0] = q_rate[k];
  }
  Workspace<Dual> rates(model);
  update_positions(model, rates, moving);
  const auto at = coordinate_offsets(denoc.P), twist_at = twist_offsets(denoc.P);
  MatrixX<Dual> N_l = MatrixX<Dual>::Identity(twist_at.back(), twist_at.back());
  MatrixX<Dual> N_d = MatrixX<Dual>::Zero(twist_at.back(), model.nv());
  for (std::size_t i = 0; i < denoc.P.size(); ++i) {
    const LinkWork<Dual>& link = rates.arm().links[i];
    const int row = twist_at[i], rows = 6 + link.m;
    N_d.block(row, at[i], rows, link.size()) = joint_and_amplitude(link);
    if (link.parent < 0) continue;
    const LinkWork<Dual>& parent = rates.arm().links[static_cast<std::size_t>(link.parent)];
    const int parent_row = twist_at[static_cast<std::size_t>(link.parent)];
    N_l.block(row, 0, rows, row) =
        propagation_from_parent(link, parent) * N_l.block(parent_row, 0, 6 + parent.m, row);
  }
  const auto rate = [](const Dual& x) { return x.derivatives()[0]; };
  DeNocMotion motion{N_l.unaryExpr(rate), N_d.unaryExpr(rate), VectorXd(twist_at.back()),
                     VectorXd(model.nv())};

  // The algorithms' accelerations are those of points: w x v more than the rates of the components.
  update_velocities_and_inertias(model, work, q, v);
  const VectorXd t_rate = (motion.N_l_rate * denoc.N_d + denoc.N_l * motion.N_d_rate) * v;
  VectorXd wrenches(twist_at.back());
  for (std::size_t i = 0; i < denoc.P.size(); ++i) {
    const LinkWork<double>& link = work.arm().links[i];
    const int row = twist_at[i], rows = 6 + link.m;
    VectorXd turning = VectorXd::Zero(rows), own(rows);
    turning.head<3>() = Vector3d(cross(link.V_R.angular, link.V_R.linear));
    own.head<6>() = link.f_r.vector();
    for (int j = 0; j < link.m; ++j) own[6 + j] = link.f_e[j];
    motion.gamma.segment(row, rows) = own + denoc.M[i] * turning;
    wrenches.segment(row, rows) = denoc.M[i] * t_rate.segment(row, rows) + motion.gamma.segment(row, rows);
  }
  VectorXd passive(model.nv()), loaded(model.nv());
  elastic_and_damping_forces(model, work, q, v, passive);
  const VectorXd rest = VectorXd::Zero(model.nv());
  inverse_dynamics(model, work, q, rest, rest, loaded, loads);  // gravity minus what loads do
  motion.phi = tau - passive - loaded - (denoc.N_l * denoc.N_d).transpose() * wrenches;
  return motion;
}

}  // namespace limber
