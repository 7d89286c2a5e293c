// SPDX-License-Identifier: BSD-3-Clause
#include "limber/algorithms/coriolis_matrix.hpp"

#include "limber/algorithms/detail/one_link.hpp"
#include "limber/algorithms/detail/telescope.hpp"
#include "limber/algorithms/kinematics.hpp"
#include "limber/model/detail/arguments.hpp"
#include "limber/model/detail/joint_kinds.hpp"

namespace limber {

using namespace detail;

namespace {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using Columns = Eigen::Matrix<double, 6, Eigen::Dynamic>;

Vector3d axial_of(const Matrix3d& X) { return {X(1, 2) - X(2, 1), X(2, 0) - X(0, 2), X(0, 1) - X(1, 0)}; }

// A frame's Jacobian (6 x nv, in the frame's axes) and the rate of its components.
struct JacobianAndRate {
  Columns J, J_rate;
};

// (3) for a rigid body about the frame's origin.
Eigen::Matrix<double, 6, 6> rigid_C(const LaneInertia<double>& body, const Vector3d& w) {
  const Vector3d moment = body.moment;
  const Matrix3d inertia = body.inertia, Q = 0.5 * inertia.trace() * Matrix3d::Identity() - inertia;
  Eigen::Matrix<double, 6, 6> C_link;
  C_link << body.mass * skew(w), -skew(w) * skew(moment), skew(moment) * skew(w), skew(Vector3d(Q * w));
  return C_link;
}

VectorXd vector_of(const Array<double>& values) {
  return Eigen::Map<const VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
}

// One column an element.
Matrix3X<double> matrix_of(const Array<Vec3<double>>& columns) {
  Matrix3X<double> result(3, static_cast<Eigen::Index>(columns.size()));
  for (Eigen::Index j = 0; j < result.cols(); ++j) result.col(j) = Vector3d(columns[j]);
  return result;
}

MatrixXd gram_matrix(const FieldWork<double>& field) {
  const auto count = static_cast<Eigen::Index>(field.terms.size());
  return Eigen::Map<const MatrixXd>(field.gram.data(), field.stride, count).topRows(count);
}

// Sum_k of a node's quadratic form: one column a row of it.
Matrix3X<double> form_times(const Array<Vec3<double>>& form, const VectorXd& values) {
  const auto m = values.size();
  Matrix3X<double> result = Matrix3X<double>::Zero(3, m);
  for (Eigen::Index j = 0; j < m; ++j)
    for (Eigen::Index k = 0; k < m; ++k) result.col(j) += Vector3d(form[j * m + k]) * values[k];
  return result;
}

// dmu_a/deta_j and its rate, dense: one row a term.
struct TermDerivatives {
  MatrixXd value, rate;
};

// B(x) of detail/field_coordinates.hpp, with a column for each coordinate.
MatrixXd slopes_at(const LinkWork<double>& link, const VectorXd& x) {
  const FieldCoordinates<double>& own = link.field.own;
  const int m = link.m;
  MatrixXd B = MatrixXd::Zero(m, m);
  for (int k = 0; k < own.stiffened; ++k)
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < own.stiffened; ++j) B(i, j) += own.A[(k * m + i) * own.stride + j] * x[k];
  return B;
}

TermDerivatives term_derivatives(const LinkWork<double>& link, const VectorXd& eta,
                                 const VectorXd& eta_rate) {
  const auto count = static_cast<Eigen::Index>(link.field.terms.size());
  TermDerivatives d{MatrixXd::Zero(count, link.m), MatrixXd::Zero(count, link.m)};
  for (Eigen::Index a = 0; a < count; ++a) {
    const FieldTerm& term = link.field.terms[static_cast<std::size_t>(a)];
    if (term.j < 0) continue;
    if (term.k < 0) {
      d.value(a, term.j) += 1.0;
      continue;
    }
    d.value(a, term.j) += eta[term.k];
    d.value(a, term.k) += eta[term.j];
    d.rate(a, term.j) += eta_rate[term.k];
    d.rate(a, term.k) += eta_rate[term.j];
  }
  if (link.field.own.stiffened > 0) {  // the terms are linear in z, and no rates are there so far
    d.rate = d.value * slopes_at(link, eta_rate);
    d.value += d.value * slopes_at(link, eta);
  }
  return d;
}

// Coefficients per term, split by axis: Int (first) (second)^T = split(first)^T gram split(second) with 3 columns
// each.
MatrixXd split_by_axis(const LinkWork<double>& link, const VectorXd& coefficients) {
  MatrixXd split = MatrixXd::Zero(coefficients.size(), 3);
  for (Eigen::Index a = 0; a < coefficients.size(); ++a)
    split(a, link.field.terms[static_cast<std::size_t>(a)].axis) = coefficients[a];
  return split;
}

// (3) for the distributed mass of a flexible link; the mass of the rigid root piece is in rigid_C.
MatrixXd field_C(const LinkWork<double>& link, const VectorXd& eta, const VectorXd& eta_rate,
                 double field_mass) {
  const FieldWork<double>& field = link.field;
  const Vector3d w = link.V_R.angular;
  const MatrixXd gram = gram_matrix(field);
  const VectorXd moment = vector_of(field.moment);
  const TermDerivatives d = term_derivatives(link, eta, eta_rate);
  const MatrixXd p = split_by_axis(link, vector_of(field.mu)),
                 p_rate = split_by_axis(link, d.value * eta_rate);
  const MatrixXd gram_p = gram * p, gram_p_rate = gram * p_rate;
  const Vector3d h = p.transpose() * moment, h_rate = p_rate.transpose() * moment;
  const Matrix3d Q = p.transpose() * gram_p, Qd = gram_p.transpose() * p_rate;

  const int m = link.m;
  MatrixXd C_link = MatrixXd::Zero(6 + m, 6 + m);
  C_link.block<3, 3>(0, 0) = field_mass * skew(w);
  C_link.block<3, 3>(0, 3) = -skew(w) * skew(h) - skew(h_rate);
  C_link.block<3, 3>(3, 0) = skew(h) * skew(w);
  C_link.block<3, 3>(3, 3) = skew(Vector3d(Q * w)) + Qd.trace() * Matrix3d::Identity() - Qd.transpose();
  for (int j = 0; j < m; ++j) {
    const MatrixXd p_j = split_by_axis(link, d.value.col(j)), p_j_rate = split_by_axis(link, d.rate.col(j));
    const Matrix3d Q_j = gram_p.transpose() * p_j, Q_of_rate = gram_p.transpose() * p_j_rate;
    const Matrix3d Qd_j = gram_p_rate.transpose() * p_j;
    const Vector3d h_j = p_j.transpose() * moment, h_j_rate = p_j_rate.transpose() * moment;
    C_link.block<3, 1>(0, 6 + j) = w.cross(h_j) + h_j_rate;
    C_link.block<3, 1>(3, 6 + j) = Q_j.trace() * w - Q_j.transpose() * w + axial_of(Q_of_rate);
    C_link.block<1, 3>(6 + j, 0) = h_j.cross(w).transpose();
    C_link.block<1, 3>(6 + j, 3) = (Q_j.transpose() * w - Q_j.trace() * w + axial_of(Qd_j)).transpose();
    for (int k = 0; k < m; ++k) {
      const Matrix3d p_k_p_j = split_by_axis(link, d.value.col(k)).transpose() * gram * p_j;  // Int p_k p_j^T
      const Matrix3d p_j_pdot_k =
          p_j.transpose() * gram * split_by_axis(link, d.rate.col(k));  // Int p_j pdot_k^T
      C_link(6 + j, 6 + k) = w.dot(axial_of(p_k_p_j)) + p_j_pdot_k.trace();
    }
  }
  return C_link;
}

// d/dt of p_eta and w_eta.
void node_rates(const NodeWork<double>& node, const VectorXd& eta, const VectorXd& eta_rate,
                Matrix3X<double>& p_eta_rate, Matrix3X<double>& w_eta_rate) {
  const auto m = eta.size();
  p_eta_rate.setZero(3, m);
  Matrix3X<double> theta_eta = matrix_of(node.Psi), theta_eta_rate = Matrix3X<double>::Zero(3, m);
  if (node.second_order) {
    p_eta_rate = form_times(node.Phi2, eta_rate);
    theta_eta += form_times(node.Psi2, eta);
    theta_eta_rate = form_times(node.Psi2, eta_rate);
  }
  const Vector3d theta = node.rotation.theta(), theta_rate = theta_eta * eta_rate;
  w_eta_rate = left_jacobian_rate<double>(theta, theta_rate) * theta_eta + Matrix3d(node.Jl) * theta_eta_rate;
}

// The same on a telescoping beam.
void telescope_node_rates(const LinkWork<double>& link, const NodeWork<double>& node, const VectorXd& own,
                          const VectorXd& own_rate, Matrix3X<double>& p_eta_rate,
                          Matrix3X<double>& w_eta_rate) {
  const auto i = static_cast<std::size_t>(&node - link.nodes.data());
  const auto m = own.size();
  p_eta_rate.resize(3, m);
  Matrix3X<double> theta_eta(3, m), theta_eta_rate(3, m);
  for (int c = 0; c < m; ++c) {
    const TelescopeColumn<double> column =
        telescope_column_rate(link, i, own.data() - link.elastic_q(), own_rate.data() - link.elastic_v(), c);
    p_eta_rate.col(c) = Vector3d(column.p);
    theta_eta.col(c) =
        Vector3d(link.telescope.theta_eta[i * static_cast<std::size_t>(m) + static_cast<std::size_t>(c)]);
    theta_eta_rate.col(c) = Vector3d(column.theta);
  }
  const Vector3d theta = node.rotation.theta(), theta_rate = theta_eta * own_rate;
  w_eta_rate = left_jacobian_rate<double>(theta, theta_rate) * theta_eta + Matrix3d(node.Jl) * theta_eta_rate;
}

// The Jacobian of a node, in its link's axes, from that of the link.
JacobianAndRate at_node(const LinkWork<double>& link, const NodeWork<double>& node,
                        const JacobianAndRate& frame, const VectorXd& eta, const VectorXd& eta_rate) {
  Matrix3X<double> p_eta_rate, w_eta_rate;
  if (link.telescopes)
    telescope_node_rates(link, node, eta, eta_rate, p_eta_rate, w_eta_rate);
  else
    node_rates(node, eta, eta_rate, p_eta_rate, w_eta_rate);
  JacobianAndRate result = frame;
  const Matrix3d p = skew(Vector3d(node.p_RN)), p_rate = skew(Vector3d(node.v_RN));
  result.J.topRows<3>() -= p * frame.J.bottomRows<3>();
  result.J_rate.topRows<3>() -= p * frame.J_rate.bottomRows<3>() + p_rate * frame.J.bottomRows<3>();
  const int first = link.v_index + link.joint_nv;
  result.J.block(0, first, 3, link.m) += matrix_of(node.p_eta);
  result.J.block(3, first, 3, link.m) += matrix_of(node.w_eta);
  result.J_rate.block(0, first, 3, link.m) += p_eta_rate;
  result.J_rate.block(3, first, 3, link.m) += w_eta_rate;
  return result;
}

// A section's theta, and dtheta/deta with its rate.
struct SectionSlopes {
  Vector3d theta = Vector3d::Zero();
  Matrix3X<double> by_eta, by_eta_rate;
};

SectionSlopes section_slopes(const SectionWork<double>& work, int point, const VectorXd& eta,
                             const VectorXd& eta_rate) {
  const auto m = eta.size();
  SectionSlopes result{Vector3d::Zero(), Matrix3X<double>::Zero(3, m), Matrix3X<double>::Zero(3, m)};
  const auto F = [&](std::size_t term) {
    return work.F[term * static_cast<std::size_t>(work.count) + point];
  };
  for (std::size_t t = 0; t < work.terms.size(); ++t) {
    const auto& [axis, j, k] = work.terms[t];
    result.theta[axis] += F(t) * eta[j] * (k < 0 ? 1.0 : eta[k]);
    result.by_eta(axis, j) += F(t) * (k < 0 ? 1.0 : eta[k]);
    if (k < 0) continue;
    result.by_eta(axis, k) += F(t) * eta[j];
    result.by_eta_rate(axis, j) += F(t) * eta_rate[k];
    result.by_eta_rate(axis, k) += F(t) * eta_rate[j];
  }
  return result;
}

// The same motion in axes that turn with `w_relative` against the given ones, R from the new axes to the
// given ones.
JacobianAndRate turned_axes(const JacobianAndRate& given, const Matrix3d& R, const Vector3d& w_relative) {
  JacobianAndRate result{Columns(6, given.J.cols()), Columns(6, given.J.cols())};
  for (const int row : {0, 3}) {
    result.J.middleRows(row, 3) = R.transpose() * given.J.middleRows(row, 3);
    result.J_rate.middleRows(row, 3) =
        R.transpose() * (given.J_rate.middleRows(row, 3) - skew(w_relative) * given.J.middleRows(row, 3));
  }
  return result;
}

// The link's frame from the node it sits on (in the parent's axes).
JacobianAndRate at_link(const LinkWork<double>& link, const JacobianAndRate& node, const Vector3d& w_PN,
                        const VectorXd& v) {
  const VectorXd rate = v.segment(link.v_index, link.joint_nv);
  Columns S(6, link.joint_nv);
  for (int j = 0; j < link.joint_nv; ++j) S.col(j) = link.S[j].vector();
  const Vector6<double> joint_motion = S * rate;
  const Vector3d v_J = joint_motion.head<3>(), w_J = joint_motion.tail<3>(), p_NR_P = link.p_NR_P;
  const Matrix3d R_PR = link.R_PR;
  const Vector3d p_NR_P_rate = w_PN.cross(p_NR_P) + R_PR * v_J;
  JacobianAndRate shifted = node;
  shifted.J.topRows<3>() -= skew(p_NR_P) * node.J.bottomRows<3>();
  shifted.J_rate.topRows<3>() -=
      skew(p_NR_P) * node.J_rate.bottomRows<3>() + skew(p_NR_P_rate) * node.J.bottomRows<3>();
  JacobianAndRate result = turned_axes(shifted, R_PR, w_PN + R_PR * w_J);
  result.J.middleCols(link.v_index, link.joint_nv) += S;
  with_joint_kind(link.joint_type, [&](auto kind) {
    if constexpr (kind.moving_columns > 0)
      for (int j = 0; j < kind.moving_columns; ++j)
        result.J_rate.col(link.v_index + j) += kind.column_rate(link, j, rate.data()).vector();
  });
  return result;
}

void add_rigid(const JacobianAndRate& frame, const Eigen::Matrix<double, 6, 6>& M,
               const Eigen::Matrix<double, 6, 6>& C_link, Eigen::Ref<MatrixXd> C) {
  C.noalias() += frame.J.transpose() * (C_link * frame.J + M * frame.J_rate);
}

// Sections have no mass, so that where they are does not matter.
void add_section(const LinkWork<double>& link, int point, const JacobianAndRate& frame, const VectorXd& eta,
                 const VectorXd& eta_rate, Eigen::Ref<MatrixXd> C) {
  const SectionSlopes slopes = section_slopes(link.sections, point, eta, eta_rate);
  const Matrix3d R_Rs = exp_rotation<double>(slopes.theta), Jl = left_jacobian<double>(slopes.theta);
  const Vector3d theta_rate = slopes.by_eta * eta_rate, w_Rs = Jl * theta_rate;
  JacobianAndRate section = frame;
  const int first = link.v_index + link.joint_nv;
  section.J.block(3, first, 3, link.m) += Jl * slopes.by_eta;
  section.J_rate.block(3, first, 3, link.m) +=
      left_jacobian_rate<double>(slopes.theta, theta_rate) * slopes.by_eta + Jl * slopes.by_eta_rate;
  const auto I_s = [&](int axis) { return link.sections.inertia[axis * link.sections.count + point]; };
  const LaneInertia<double> body{0.0, Vec3<double>::zero(),
                                 Matrix3d(Vector3d(I_s(0), I_s(1), I_s(2)).asDiagonal())};
  const Vector3d w = link.V_R.angular;
  add_rigid(turned_axes(section, R_Rs, w_Rs), body.matrix(), rigid_C(body, R_Rs.transpose() * (w + w_Rs)), C);
}

void add_flexible(const LinkWork<double>& link, const JacobianAndRate& frame, const VectorXd& eta,
                  const VectorXd& eta_rate, double field_mass, Eigen::Ref<MatrixXd> C) {
  const int m = link.m;
  MatrixXd J = MatrixXd::Zero(6 + m, C.cols()), J_rate = J, M(6 + m, 6 + m);
  J.topRows<6>() = frame.J;
  J_rate.topRows<6>() = frame.J_rate;
  J.block(6, link.v_index + link.joint_nv, m, m).setIdentity();
  Columns M_re(6, m);
  for (int j = 0; j < m; ++j) M_re.col(j) = link.M_re[j].vector();
  M << link.M_rr.matrix(), M_re, M_re.transpose(), Eigen::Map<const MatrixXd>(link.M_ee.data(), m, m);
  MatrixXd C_link = field_C(link, eta, eta_rate, field_mass);
  LaneInertia<double> root = link.rigid;
  root.mass -= field_mass;
  C_link.topLeftCorner<6, 6>() += rigid_C(root, link.V_R.angular);
  C.noalias() += J.transpose() * (C_link * J + M * J_rate);
}

// (5) of detail/telescope.hpp: with D = G+ - G- the matrix 1/2 (qd D + D v e_q^T - e_q v^T D).
void add_guide(const LinkWork<double>& link, const JacobianAndRate& frame, const VectorXd& eta,
               const VectorXd& eta_rate, const VectorXd& v, Eigen::Ref<MatrixXd> C) {
  const auto per_length = link.telescope.lumps.front().body.matrix();
  MatrixXd D = MatrixXd::Zero(C.rows(), C.cols());
  for (const int side : {0, 1}) {
    const NodeWork<double>& at = link.nodes[link.nodes.size() - 2 + static_cast<std::size_t>(side)];
    const Columns J = at_node(link, at, frame, eta, eta_rate).J;
    D += (side == 0 ? 1.0 : -1.0) * J.transpose() * per_length * J;
  }
  const int q = link.v_index;
  const VectorXd D_v = D * v;
  C += 0.5 * v[q] * D;
  C.col(q) += 0.5 * D_v;
  C.row(q) -= 0.5 * D_v.transpose();
}

}  // namespace

void coriolis_matrix(const Model& model, Workspace<double>& work, const Input<double>& q,
                     const Input<double>& v, MatrixOutput<double> C) {
  Call{"coriolis_matrix", model}.require_matrix("C", C, model.nv());
  update_velocities(model, work, q, v);
  C.setZero();
  std::vector<JacobianAndRate> frames;
  const JacobianAndRate ground{Columns::Zero(6, model.nv()), Columns::Zero(6, model.nv())};
  for (std::size_t i = 0; i < work.arm().links.size(); ++i) {
    LinkWork<double>& link = work.arm().links[i];
    const VectorXd eta = q.segment(link.q_index + link.joint_nq, link.m);
    const VectorXd eta_rate = v.segment(link.v_index + link.joint_nv, link.m);
    JacobianAndRate node = link.parent < 0 ? ground : frames[static_cast<std::size_t>(link.parent)];
    Vector3d w_PN = Vector3d::Zero();
    if (link.parent_node >= 0) {
      const LinkWork<double>& parent = work.arm().links[link.parent];
      const NodeWork<double>& at = parent.nodes[link.parent_node];
      node = at_node(parent, at, node, q.segment(parent.q_index + parent.joint_nq, parent.m),
                     v.segment(parent.v_index + parent.joint_nv, parent.m));
      w_PN = at.w_RN;
    }
    frames.push_back(at_link(link, node, w_PN, v));
    const JacobianAndRate& frame = frames.back();
    if (!link.flexible) {
      add_rigid(frame, link.rigid.matrix(), rigid_C(link.rigid, link.V_R.angular), C);
      continue;
    }
    if (link.telescopes) add_guide(link, frame, eta, eta_rate, v, C);
    update_field_mass(link, eta.data());
    add_flexible(link, frame, eta, eta_rate, link.telescopes ? 0.0 : model.links()[i].elastic->integrals.mass,
                 C);
    for (int point = 0; point < link.sections.count; ++point)
      add_section(link, point, frame, eta, eta_rate, C);
    for (const LumpWork<double>& lump : link.lumps) {
      const NodeWork<double>& at = link.nodes[lump.node];
      const JacobianAndRate section = turned_axes(at_node(link, at, frame, eta, eta_rate), at.R_RN, at.w_RN);
      add_rigid(section, lump.body.matrix(), rigid_C(lump.body, transposed_times(at.R_RN, at.V_N.angular)),
                C);
    }
  }
}

}  // namespace limber
