#include "limber/algorithms/inertia.hpp"

#include "instantiate.hpp"

namespace limber {
namespace {

// Int a x b from X = Int a b^T.
template <typename Scalar>
Vector3<Scalar> axial(const Matrix3<Scalar>& X) {
  return {X(1, 2) - X(2, 1), X(2, 0) - X(0, 2), X(0, 1) - X(1, 0)};
}

template <typename Scalar>
void set_rigid_block(const Scalar& mass, const Vector3<Scalar>& moment, const Matrix3<Scalar>& inertia,
                     Matrix6<Scalar>& M) {
  const Matrix3<Scalar> H = skew<Scalar>(moment);
  M.template topLeftCorner<3, 3>() = Matrix3<Scalar>::Identity() * mass;
  M.template topRightCorner<3, 3>() = -H;
  M.template bottomLeftCorner<3, 3>() = H;
  M.template bottomRightCorner<3, 3>() = inertia;
}

// columns of `result`: gram * (values of one axis), Int (that axis of p) F_b.
template <typename Scalar>
void multiply_by_axis(const FieldWork<Scalar>& field, const VectorX<Scalar>& values,
                      Matrix3X<Scalar>& result) {
  const auto count = static_cast<Eigen::Index>(field.terms.size());
  result.setZero();
  for (Eigen::Index b = 0; b < count; ++b)
    for (Eigen::Index a = 0; a < count; ++a)
      result(field.terms[static_cast<std::size_t>(a)].axis, b) += field.gram(a, b) * values[a];
}

// Int (first) (second)^T, where `product` is gram times first.
template <typename Scalar>
Matrix3<Scalar> contract(const FieldWork<Scalar>& field, const Matrix3X<Scalar>& product,
                         const VectorX<Scalar>& second) {
  Matrix3<Scalar> X = Matrix3<Scalar>::Zero();
  for (std::size_t b = 0; b < field.terms.size(); ++b) {
    const auto column = static_cast<Eigen::Index>(b);
    X.col(field.terms[b].axis) += product.col(column) * second[column];
  }
  return X;
}

// dmu_a/deta_j for the one or two j that the term has: calls visit(a, j, value).
template <typename Scalar, typename Eta, typename Visit>
void for_each_derivative(const FieldWork<Scalar>& field, const Eta& eta, Visit&& visit) {
  for (std::size_t a = 0; a < field.terms.size(); ++a) {
    const FieldTerm& term = field.terms[a];
    const auto row = static_cast<Eigen::Index>(a);
    if (term.j < 0) continue;
    if (term.k < 0) {
      visit(row, term.j, Scalar(1));
    } else {
      visit(row, term.j, eta[term.k]);
      visit(row, term.k, eta[term.j]);
    }
  }
}

template <typename Scalar, typename Eta>
void set_monomials(FieldWork<Scalar>& field, const Eta& eta) {
  for (std::size_t a = 0; a < field.terms.size(); ++a) {
    const FieldTerm& term = field.terms[a];
    const auto row = static_cast<Eigen::Index>(a);
    field.mu[row] = term.j < 0   ? Scalar(1)
                    : term.k < 0 ? Scalar(eta[term.j])
                                 : Scalar(eta[term.j] * eta[term.k]);
  }
}

template <typename Scalar, typename Eta, typename Rate>
void set_monomial_rates(FieldWork<Scalar>& field, const Eta& eta, const Rate& rate) {
  for (std::size_t a = 0; a < field.terms.size(); ++a) {
    const FieldTerm& term = field.terms[a];
    const auto row = static_cast<Eigen::Index>(a);
    if (term.j < 0) {
      field.mu_rate[row] = field.mu_bias[row] = Scalar(0);
    } else if (term.k < 0) {
      field.mu_rate[row] = rate[term.j];
      field.mu_bias[row] = Scalar(0);
    } else {
      field.mu_rate[row] = rate[term.j] * eta[term.k] + eta[term.j] * rate[term.k];
      field.mu_bias[row] = Scalar(2) * rate[term.j] * rate[term.k];
    }
  }
}

template <typename Scalar>
Vector3<Scalar> sum_moments(const FieldWork<Scalar>& field, const VectorX<Scalar>& values) {
  Vector3<Scalar> sum = Vector3<Scalar>::Zero();
  for (std::size_t a = 0; a < field.terms.size(); ++a)
    sum[field.terms[a].axis] +=
        field.moment[static_cast<Eigen::Index>(a)] * values[static_cast<Eigen::Index>(a)];
  return sum;
}

// (1) of the distributed mass and the rigid root piece.
template <typename Scalar, typename Eta>
void set_field_mass(LinkWork<Scalar>& link, const Eta& eta) {
  FieldWork<Scalar>& field = link.field;
  set_monomials(field, eta);
  multiply_by_axis(field, field.mu, field.gram_mu);
  const Vector3<Scalar> h = link.rigid_moment + sum_moments(field, field.mu);
  const Matrix3<Scalar> Q = contract(field, field.gram_mu, field.mu);
  Matrix3<Scalar> I = link.rigid_inertia - Q;
  I.diagonal().array() += Q.trace();
  set_rigid_block<Scalar>(link.rigid_mass, h, I, link.M_rr);

  // Columns Int p_j and Int p x p_j = axial(W_j): W_j's column axis(b) gains gram_mu(:, b) dmu_b/deta_j.
  link.M_re.setZero();
  for_each_derivative(field, eta, [&](Eigen::Index b, int j, const Scalar& derivative) {
    const int axis = field.terms[static_cast<std::size_t>(b)].axis;
    const int next = (axis + 1) % 3, last = (axis + 2) % 3;
    link.M_re(axis, j) += field.moment[b] * derivative;
    link.M_re(3 + next, j) += field.gram_mu(last, b) * derivative;  // p x e_axis
    link.M_re(3 + last, j) -= field.gram_mu(next, b) * derivative;
  });

  link.M_ee.setZero();
  for_each_derivative(field, eta, [&](Eigen::Index a, int j, const Scalar& left) {
    for_each_derivative(field, eta, [&](Eigen::Index b, int k, const Scalar& right) {
      if (field.terms[static_cast<std::size_t>(a)].axis == field.terms[static_cast<std::size_t>(b)].axis)
        link.M_ee(j, k) += field.gram(a, b) * left * right;
    });
  });
}

// (2) to (4) of the distributed mass and the rigid root piece.
template <typename Scalar, typename Eta, typename Rate>
void set_field_forces(LinkWork<Scalar>& link, const Eta& eta, const Rate& rate) {
  FieldWork<Scalar>& field = link.field;
  set_monomial_rates(field, eta, rate);
  multiply_by_axis(field, field.mu_rate, field.gram_rate);
  multiply_by_axis(field, field.mu_bias, field.gram_bias);

  const Vector3<Scalar> w = link.V.template tail<3>();
  const Vector3<Scalar> h(link.M_rr(5, 1), link.M_rr(3, 2), link.M_rr(4, 0));  // of [h]x in M_rr
  const Matrix3<Scalar> I = link.M_rr.template bottomRightCorner<3, 3>();
  const Matrix3<Scalar> V = contract(field, field.gram_mu, field.mu_rate);
  link.p_r.template head<3>() = w.cross(w.cross(h)) + Scalar(2) * w.cross(sum_moments(field, field.mu_rate)) +
                                sum_moments(field, field.mu_bias);
  link.p_r.template tail<3>() = w.cross(I * w) + Scalar(2) * (w * V.trace() - V.transpose() * w) +
                                axial<Scalar>(contract(field, field.gram_mu, field.mu_bias));

  link.p_e.setZero();
  const Scalar w_squared = w.squaredNorm();
  for_each_derivative(field, eta, [&](Eigen::Index b, int j, const Scalar& derivative) {
    const int axis = field.terms[static_cast<std::size_t>(b)].axis;
    const int next = (axis + 1) % 3, last = (axis + 2) % 3;
    // w . (pdot x e_axis) = pdot . (e_axis x w)
    const Scalar coriolis = field.gram_rate(last, b) * w[next] - field.gram_rate(next, b) * w[last];
    const Scalar centrifugal = w.dot(field.gram_mu.col(b)) * w[axis] - w_squared * field.gram_mu(axis, b);
    link.p_e[j] += (centrifugal + Scalar(2) * coriolis + field.gram_bias(axis, b)) * derivative;
  });
}

// A rigid body's mass matrix about the node, in F's axes, when it is turned by E.
template <typename Scalar>
struct TurnedBody {
  Scalar mass;
  Vector3<Scalar> moment;
  Matrix3<Scalar> inertia;

  explicit TurnedBody(const LumpWork<Scalar>& lump)
      : mass(lump.mass),
        moment(lump.node.E * lump.moment),
        inertia(lump.node.E * lump.inertia * lump.node.E.transpose()) {}
};

template <typename Scalar>
void add_lump_mass(LinkWork<Scalar>& link, const LumpWork<Scalar>& lump) {
  const TurnedBody<Scalar> body(lump);
  const NodeWork<Scalar>& node = lump.node;
  const Matrix3<Scalar> H = skew<Scalar>(body.moment), r = skew<Scalar>(node.r);

  // rr: the body's inertia shifted from the node to F's origin.
  const Vector3<Scalar> h = body.moment + node.r * body.mass;
  const Matrix3<Scalar> rH = r * H;
  const Matrix3<Scalar> I = body.inertia - rH - rH.transpose() - r * r * body.mass;
  link.M_rr.template topLeftCorner<3, 3>().diagonal().array() += body.mass;
  link.M_rr.template topRightCorner<3, 3>() -= skew<Scalar>(h);
  link.M_rr.template bottomLeftCorner<3, 3>() += skew<Scalar>(h);
  link.M_rr.template bottomRightCorner<3, 3>() += I;

  // Momentum about the node per etad_j, then shifted to F; and its work on eta_k.
  for (int j = 0; j < link.m; ++j) {
    const Vector3<Scalar> linear = node.r_eta.col(j) * body.mass + node.T.col(j).cross(body.moment);
    const Vector3<Scalar> angular = body.moment.cross(node.r_eta.col(j)) + body.inertia * node.T.col(j);
    link.M_re.col(j).template head<3>() += linear;
    link.M_re.col(j).template tail<3>() += angular + node.r.cross(linear);
    for (int k = 0; k < link.m; ++k)
      link.M_ee(k, j) += node.r_eta.col(k).dot(linear) + node.T.col(k).dot(angular);
  }
}

template <typename Scalar>
void add_lump_forces(LinkWork<Scalar>& link, const LumpWork<Scalar>& lump) {
  const TurnedBody<Scalar> body(lump);
  const NodeWork<Scalar>& node = lump.node;
  const Vector3<Scalar> f =
      node.a_bias * body.mass + node.alpha_bias.cross(body.moment) + node.w.cross(node.w.cross(body.moment));
  const Vector3<Scalar> n =
      body.moment.cross(node.a_bias) + body.inertia * node.alpha_bias + node.w.cross(body.inertia * node.w);
  link.p_r.template head<3>() += f;
  link.p_r.template tail<3>() += n + node.r.cross(f);
  for (int j = 0; j < link.m; ++j) link.p_e[j] += node.r_eta.col(j).dot(f) + node.T.col(j).dot(n);
}

template <typename Scalar>
void set_link_mass(LinkWork<Scalar>& link, const VectorX<Scalar>& q) {
  if (!link.flexible) {
    set_rigid_block<Scalar>(link.rigid_mass, link.rigid_moment, link.rigid_inertia, link.M_rr);
    return;
  }
  set_field_mass(link, q.segment(link.q_index + link.joint_nq, link.m));
  for (const LumpWork<Scalar>& lump : link.lumps) add_lump_mass(link, lump);
}

template <typename Scalar>
void set_link_forces(LinkWork<Scalar>& link, const VectorX<Scalar>& q, const VectorX<Scalar>& v) {
  if (!link.flexible) {
    const Vector3<Scalar> w = link.V.template tail<3>();
    link.p_r.template head<3>() = w.cross(w.cross(link.rigid_moment));
    link.p_r.template tail<3>() = w.cross(link.rigid_inertia * w);
    return;
  }
  set_field_forces(link, q.segment(link.q_index + link.joint_nq, link.m),
                   v.segment(link.v_index + link.joint_nv, link.m));
  for (const LumpWork<Scalar>& lump : link.lumps) add_lump_forces(link, lump);
}

}  // namespace

template <typename Scalar>
void update_link_masses(const Model&, Workspace<Scalar>& work, const VectorX<Scalar>& q) {
  for (LinkWork<Scalar>& link : work.links) set_link_mass(link, q);
}

template <typename Scalar>
void update_link_inertias(const Model&, Workspace<Scalar>& work, const VectorX<Scalar>& q,
                          const VectorX<Scalar>& v) {
  for (LinkWork<Scalar>& link : work.links) {
    if (!link.flexible) {
      set_link_mass(link, q);
      set_link_forces(link, q, v);
      continue;
    }
    // Forces of the field use the field's own M_rr, before the lumps are added to it.
    set_field_mass(link, q.segment(link.q_index + link.joint_nq, link.m));
    set_link_forces(link, q, v);
    for (const LumpWork<Scalar>& lump : link.lumps) add_lump_mass(link, lump);
  }
}

template <typename Scalar>
void update_field_mass(LinkWork<Scalar>& link, const VectorX<Scalar>& eta) {
  set_field_mass(link, eta);
}

#define LIMBER_INSTANTIATE(Scalar)                                                             \
  template void update_field_mass(LinkWork<Scalar>&, const VectorX<Scalar>&);                  \
  template void update_link_masses(const Model&, Workspace<Scalar>&, const VectorX<Scalar>&);  \
  template void update_link_inertias(const Model&, Workspace<Scalar>&, const VectorX<Scalar>&, \
                                     const VectorX<Scalar>&);
LIMBER_FOR_ALL_SCALARS(LIMBER_INSTANTIATE)

}  // namespace limber
