#include "limber/algorithms/inertia.hpp"

#include <cassert>

#include "instantiate.hpp"
#include "one_link.hpp"
#include "to_parent.hpp"

namespace limber {
namespace {

// Int a x b from X = Int a b^T.
template <typename Scalar>
LIMBER_INLINE Vec3<Scalar> axial(const Mat3<Scalar>& X) {
  return {X[2][1] - X[1][2], X[0][2] - X[2][0], X[1][0] - X[0][1]};
}

// Calls kernel(count) with the number of terms: a constant in the usual case of one constant term and one for
// each coordinate.
template <typename Scalar, typename Size, typename Kernel>
LIMBER_INLINE void with_term_count(const FieldWork<Scalar>& field, Size m, Kernel&& kernel) {
  const int count = static_cast<int>(field.terms.size());
  if constexpr (!std::is_same_v<Size, int>)
    if (count == m + 1) return kernel(Constant<Size::value + 1>{});
  (void)m;
  kernel(count);
}

// result_b = Sum_a gram_ba values_a e_axis(a) = Int F_b (the field with these values).
template <typename Scalar, typename Count>
LIMBER_INLINE void multiply_by_gram(const FieldWork<Scalar>& field, const Array<Scalar>& values,
                                    Array<Vec3<Scalar>>& result, Count count) {
  const Vec3<Scalar>* row = field.gram.data();
  for (int b = 0; b < count; ++b, row += count) {
    Vec3<Scalar> sum = row[0] * values[0];
    for (int a = 1; a < count; ++a) sum += row[a] * values[a];
    result[b] = sum;
  }
}

// Int (first) (second)^T, where `product` is gram times first.
template <typename Scalar, typename Count>
LIMBER_INLINE Mat3<Scalar> contract(const FieldWork<Scalar>& field, const Array<Vec3<Scalar>>& product,
                                    const Array<Scalar>& second, Count count) {
  Mat3<Scalar> X = Mat3<Scalar>::zero();
  for (int b = 0; b < count; ++b) X[field.terms[b].axis] += product[b] * second[b];
  return X;
}

// Sum_a moment_a values_a e_axis(a)
template <typename Scalar, typename Count>
LIMBER_INLINE Vec3<Scalar> sum_moments(const FieldWork<Scalar>& field, const Array<Scalar>& values,
                                       Count count) {
  Vec3<Scalar> sum = Vec3<Scalar>::zero();
  for (int a = 0; a < count; ++a) sum += field.moment[a] * values[a];
  return sum;
}

// dmu_b/deta_j for the one or two j that the term has: calls visit(b, axis, j, value).
template <typename Scalar, typename Count, typename Visit>
LIMBER_INLINE void for_each_derivative(const FieldWork<Scalar>& field, const Scalar* eta, Count count,
                                       Visit&& visit) {
  for (int b = 0; b < count; ++b) {
    const FieldTerm& term = field.terms[b];
    if (term.j < 0) continue;
    if (term.k < 0) {
      visit(b, term.axis, term.j, Scalar(1));
    } else {
      visit(b, term.axis, term.j, eta[term.k]);
      visit(b, term.axis, term.k, eta[term.j]);
    }
  }
}

template <typename Scalar, typename Count>
LIMBER_INLINE void set_monomials(FieldWork<Scalar>& field, const Scalar* eta, Count count) {
  for (int a = 0; a < count; ++a) {
    const FieldTerm& term = field.terms[a];
    if (term.j < 0)
      field.mu[a] = Scalar(1);
    else
      field.mu[a] = term.k < 0 ? eta[term.j] : Scalar(eta[term.j] * eta[term.k]);
  }
}

template <typename Scalar, typename Count>
LIMBER_INLINE void set_monomial_rates(FieldWork<Scalar>& field, const Scalar* eta, const Scalar* rate,
                                      Count count) {
  for (int a = 0; a < count; ++a) {
    const FieldTerm& term = field.terms[a];
    if (term.j < 0) continue;  // zero since the workspace was made
    if (term.k < 0) {
      field.mu_rate[a] = rate[term.j];
    } else {
      field.mu_rate[a] = rate[term.j] * eta[term.k] + eta[term.j] * rate[term.k];
      field.mu_bias[a] = Scalar(2) * rate[term.j] * rate[term.k];
    }
  }
}

// e_axis x p, from p's components.
template <typename Scalar>
LIMBER_INLINE Vec3<Scalar> unit_cross(int axis, const Vec3<Scalar>& p) {
  const Scalar o(0);
  if (axis == 0) return {o, -p[2], p[1]};
  if (axis == 1) return {p[2], o, -p[0]};
  return {-p[1], p[0], o};
}

// (1) of the distributed mass and the rigid root piece.
template <typename Scalar, typename Size, typename Count>
LIMBER_INLINE void set_field_mass(LinkWork<Scalar>& link, const Scalar* eta, Size m, Count count) {
  FieldWork<Scalar>& field = link.field;
  set_monomials(field, eta, count);
  multiply_by_gram(field, field.mu, field.gram_mu, count);
  const Mat3<Scalar> Q = contract(field, field.gram_mu, field.mu, count);
  link.body = {link.rigid.mass, link.rigid.moment + sum_moments(field, field.mu, count),
               link.rigid.inertia + Mat3<Scalar>::scaled_identity(Q.trace()) - Q};

  // Columns Int p_j and Int p x p_j.
  if (!field.second_order) {
    for (int j = 0; j < m; ++j) link.M_re[j] = {field.M_re_linear[j], Vec3<Scalar>::zero()};
    for_each_derivative(field, eta, count, [&](int b, int axis, int j, const Scalar&) {
      link.M_re[j].angular -= unit_cross(axis, field.gram_mu[b]);
    });
    for (int i = 0; i < m * m; ++i) link.M_ee[i] = field.M_ee[i];
    return;
  }
  for (int j = 0; j < m; ++j) link.M_re[j] = Vec6<Scalar>::zero();
  for_each_derivative(field, eta, count, [&](int b, int axis, int j, const Scalar& derivative) {
    link.M_re[j] += Vec6<Scalar>{field.moment[b], -unit_cross(axis, field.gram_mu[b])} * derivative;
  });
  for (int i = 0; i < m * m; ++i) link.M_ee[i] = Scalar(0);
  for_each_derivative(field, eta, count, [&](int a, int axis, int j, const Scalar& left) {
    for_each_derivative(field, eta, count, [&](int b, int other_axis, int k, const Scalar& right) {
      if (axis == other_axis) link.M_ee[j * m + k] += field.gram[a * count + b][axis] * left * right;
    });
  });
}

// (2) to (4) of the distributed mass and the rigid root piece, whose own (1) stands in link.body.
template <typename Scalar, typename Size, typename Count>
LIMBER_INLINE void set_field_forces(LinkWork<Scalar>& link, const Scalar* eta, const Scalar* rate, Size m,
                                    Count count) {
  FieldWork<Scalar>& field = link.field;
  set_monomial_rates(field, eta, rate, count);
  multiply_by_gram(field, field.mu_rate, field.gram_rate, count);

  const Vec3<Scalar> w = link.V.angular;
  const Mat3<Scalar> V = contract(field, field.gram_mu, field.mu_rate, count);
  link.p_r.linear =
      cross(w, cross(w, link.body.moment) + sum_moments(field, field.mu_rate, count) * Scalar(2));
  link.p_r.angular = cross(w, link.body.inertia * w) + (w * V.trace() - transposed_times(V, w)) * Scalar(2);
  if (field.second_order) {
    multiply_by_gram(field, field.mu_bias, field.gram_bias, count);
    link.p_r.linear += sum_moments(field, field.mu_bias, count);
    link.p_r.angular += axial(contract(field, field.gram_mu, field.mu_bias, count));
  }

  // (4) for one term: e_axis . (w x (w x g) + 2 w x g_rate + g_bias), g = Int p F_b; the rows of [w]x^2 and
  // of 2 [w]x are its columns, and minus its columns.
  const Mat3<Scalar> W = Mat3<Scalar>::skew(w);
  const Mat3<Scalar> W_squared = cross_columns(w, W), W_rows = W * Scalar(-2);
  for (int j = 0; j < m; ++j) link.p_e[j] = Scalar(0);
  for_each_derivative(field, eta, count, [&](int b, int axis, int j, const Scalar& derivative) {
    Scalar force = dot(W_squared[axis], field.gram_mu[b], W_rows[axis], field.gram_rate[b]);
    if (field.second_order) force = (force + field.gram_bias[b][axis]) * derivative;
    link.p_e[j] += force;
  });
}

// The body about the node, in F's axes.
template <typename Scalar>
LIMBER_INLINE BodyInertia<Scalar> turned_body(const LumpWork<Scalar>& lump) {
  return lump.body.turned_by(lump.node.E, lump.node.E.transposed());
}

template <typename Scalar, typename Size>
LIMBER_INLINE void add_lump_forces(LinkWork<Scalar>& link, const LumpWork<Scalar>& lump,
                                   const BodyInertia<Scalar>& body, Size m) {
  const NodeWork<Scalar>& node = lump.node;
  Vec6<Scalar> force = body * Vec6<Scalar>{node.a_bias, node.alpha_bias};
  force.linear += cross(node.w, cross(node.w, body.moment));
  force.angular += cross(node.w, body.inertia * node.w);
  add_wrench(node, force, link, m);
}

}  // namespace

template <typename Scalar>
void update_link_masses(const Model&, Workspace<Scalar>& work, const VectorX<Scalar>& q) {
  for (LinkWork<Scalar>& link : work.links) {
    link.body = link.rigid;
    if (!link.flexible) continue;
    with_elastic_size(link, [&](auto m) {
      with_term_count(link.field, m,
                      [&](auto count) { set_field_mass(link, q.data() + link.elastic_q(), m, count); });
      for (const LumpWork<Scalar>& lump : link.lumps)
        add_inertia(lump.node, turned_body(lump), link, link.body, m);
    });
  }
}

template <typename Scalar>
void update_inertia_of(LinkWork<Scalar>& link, const Scalar* q, const Scalar* v) {
  if (!link.flexible) {
    const Vec3<Scalar> w = link.V.angular;
    link.body = link.rigid;
    link.p_r = {cross(w, cross(w, link.rigid.moment)), cross(w, link.rigid.inertia * w)};
    return;
  }
  const Scalar *eta = q + link.elastic_q(), *rate = v + link.elastic_v();
  with_elastic_size(link, [&](auto m) {
    with_term_count(link.field, m, [&](auto count) {
      set_field_mass(link, eta, m, count);
      set_field_forces(link, eta, rate, m, count);
    });
    for (const LumpWork<Scalar>& lump : link.lumps) {
      const BodyInertia<Scalar> body = turned_body(lump);
      add_inertia(lump.node, body, link, link.body, m);
      add_lump_forces(link, lump, body, m);
    }
  });
}

template <typename Scalar>
void update_velocities_and_inertias(const Model& model, Workspace<Scalar>& work, const VectorX<Scalar>& q,
                                    const VectorX<Scalar>& v) {
  assert(q.size() == model.nq && v.size() == model.nv);
  (void)model;
  for (LinkWork<Scalar>& link : work.links) {
    update_velocities_of(work, link, q.data(), v.data());
    update_inertia_of(link, q.data(), v.data());
  }
}

template <typename Scalar>
void update_field_mass(LinkWork<Scalar>& link, const VectorX<Scalar>& eta) {
  set_field_mass(link, eta.data(), link.m, static_cast<int>(link.field.terms.size()));
}

#define LIMBER_INSTANTIATE(Scalar)                                                                       \
  template void update_field_mass(LinkWork<Scalar>&, const VectorX<Scalar>&);                            \
  template void update_link_masses(const Model&, Workspace<Scalar>&, const VectorX<Scalar>&);            \
  template void update_velocities_and_inertias(const Model&, Workspace<Scalar>&, const VectorX<Scalar>&, \
                                               const VectorX<Scalar>&);                                  \
  template void update_inertia_of(LinkWork<Scalar>&, const Scalar*, const Scalar*);
LIMBER_FOR_ALL_SCALARS(LIMBER_INSTANTIATE)

}  // namespace limber
