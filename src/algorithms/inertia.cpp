#include "limber/algorithms/inertia.hpp"

#include <cassert>
#include <utility>

#include "instantiate.hpp"
#include "one_link.hpp"
#include "sections.hpp"
#include "to_parent.hpp"

namespace limber {
namespace {

// Int a x b from X = Int a b^T.
template <typename Scalar>
LIMBER_INLINE Vec3<Scalar> axial(const Mat3<Scalar>& X) {
  return {X[2][1] - X[1][2], X[0][2] - X[2][0], X[1][0] - X[0][1]};
}

// Calls kernel(stride): a constant for all but very many terms.
template <typename Scalar, typename Kernel>
LIMBER_INLINE void with_stride(const LinkWork<Scalar>& link, Kernel&& kernel) {
  if constexpr (std::is_same_v<Scalar, double>) {
    if (link.fixed_sizes) switch (link.field.stride) {
        case 4:
          return kernel(Constant<4>{});
        case 8:
          return kernel(Constant<8>{});
        case 12:
          return kernel(Constant<12>{});
        case 16:
          return kernel(Constant<16>{});
        case 20:
          return kernel(Constant<20>{});
        case 24:
          return kernel(Constant<24>{});
        case 28:
          return kernel(Constant<28>{});
        default:
          break;
      }
  }
  kernel(link.field.stride);
}

// So many numbers of an array, to add and to scale as one; unrolled where their number is a constant.
template <typename Count>
constexpr int size_of = Eigen::Dynamic;
template <int N>
constexpr int size_of<Constant<N>> = N;
template <typename Scalar, typename Count>
using Numbers = Eigen::Array<Scalar, size_of<Count>, 1>;
template <typename Scalar, typename Count>
LIMBER_INLINE auto numbers(const Scalar* data, Count count) {
  return Eigen::Map<const Numbers<Scalar, Count>>(data, count);
}
template <typename Scalar, typename Count>
LIMBER_INLINE auto numbers(Scalar* data, Count count) {
  return Eigen::Map<Numbers<Scalar, Count>>(data, count);
}

inline int square(int m) { return m * m; }
template <int N>
Constant<N * N> square(Constant<N>) {
  return {};
}

// The numbers of a lower triangle, rounded up to a multiple of four.
constexpr int triangle(int m) { return (m * (m + 1) / 2 + 3) / 4 * 4; }
template <int N>
Constant<triangle(int(N))> triangle(Constant<N>) {
  return {};
}

// result(i, b) = Sum over terms a of axis i of gram_ab values_a = Int F_b (component i of the field with these
// values).
template <typename Scalar, typename Stride>
LIMBER_INLINE void multiply_by_gram(const FieldWork<Scalar>& field, const Array<Scalar>& values,
                                    Array<Scalar>& result, Stride stride) {
  for (int i = 0; i < 3; ++i) {
    auto sums = numbers(result.data() + i * stride, stride);
    sums.setZero();
    for (int a = field.axis_begin[i]; a < field.axis_begin[i + 1]; ++a)
      sums += numbers(field.gram.data() + a * stride, stride) * values[a];
  }
}

// The same for values that only quadratic terms have, and only for terms b of axis i: four of them at once.
template <typename Scalar>
LIMBER_INLINE void multiply_quadratic_by_gram(const FieldWork<Scalar>& field, const Array<Scalar>& values,
                                              Array<Scalar>& result) {
  constexpr Constant<4> four{};
  for (int i = 0; i < 3; ++i)
    for (int b = field.axis_begin[i] / 4 * 4; b < field.axis_begin[i + 1]; b += 4) {
      Numbers<Scalar, Constant<4>> sums = Numbers<Scalar, Constant<4>>::Zero();
      for (int a = field.quadratic_begin[i]; a < field.axis_begin[i + 1]; ++a)
        sums += numbers(field.gram.data() + a * field.stride + b, four) * values[a];
      numbers(result.data() + i * field.stride + b, four) = sums;
    }
}

// Int (first) (second)^T, where `product` is gram times first.
template <typename Scalar>
LIMBER_INLINE Mat3<Scalar> contract(const FieldWork<Scalar>& field, const Array<Scalar>& product,
                                    const Array<Scalar>& second) {
  Mat3<Scalar> X;
  for (int axis = 0; axis < 3; ++axis) {
    Scalar sums[3] = {Scalar(0), Scalar(0), Scalar(0)};  // NOLINT
    for (int b = field.axis_begin[axis]; b < field.axis_begin[axis + 1]; ++b)
      for (int i = 0; i < 3; ++i) sums[i] += product[i * field.stride + b] * second[b];
    X[axis] = {sums[0], sums[1], sums[2]};
  }
  return X;
}

// Sum_a moment_a values_a e_axis(a)
template <typename Scalar>
LIMBER_INLINE Vec3<Scalar> sum_moments(const FieldWork<Scalar>& field, const Array<Scalar>& values) {
  Scalar sums[3] = {Scalar(0), Scalar(0), Scalar(0)};  // NOLINT
  for (int axis = 0; axis < 3; ++axis)
    for (int a = field.axis_begin[axis]; a < field.axis_begin[axis + 1]; ++a)
      sums[axis] += field.moment[a] * values[a];
  return {sums[0], sums[1], sums[2]};
}

// mu and what gram makes of it.
template <typename Scalar>
LIMBER_INLINE void update_monomials(LinkWork<Scalar>& link, const Scalar* eta) {
  FieldWork<Scalar>& field = link.field;
  const int count = field.axis_begin[3];
  for (int a = 0; a < count; ++a) {
    const FieldTerm& term = field.terms[a];
    if (term.j < 0)
      field.mu[a] = Scalar(1);
    else
      field.mu[a] = term.k < 0 ? eta[term.j] : Scalar(eta[term.j] * eta[term.k]);
  }
  with_stride(link, [&](auto stride) { multiply_by_gram(field, field.mu, field.gram_mu, stride); });
}

// The same for the rates, and at second order for what is quadratic in them.
template <typename Scalar>
LIMBER_INLINE void update_monomial_rates(LinkWork<Scalar>& link, const Scalar* eta, const Scalar* rate) {
  FieldWork<Scalar>& field = link.field;
  const int count = field.axis_begin[3];
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
  with_stride(link, [&](auto stride) { multiply_by_gram(field, field.mu_rate, field.gram_rate, stride); });
  if (field.second_order) multiply_quadratic_by_gram(field, field.mu_bias, field.gram_bias);
}

template <typename Visit>
LIMBER_INLINE void for_each_axis(Visit&& visit) {
  visit(Constant<0>{});
  visit(Constant<1>{});
  visit(Constant<2>{});
}

// value e_axis
template <typename Scalar, int axis>
LIMBER_INLINE Vec3<Scalar> along_unit(Constant<axis>, const Scalar& value) {
  const Scalar o(0);
  return {axis == 0 ? value : o, axis == 1 ? value : o, axis == 2 ? value : o};
}

// (x, y, z) x e_axis
template <typename Scalar, int axis>
LIMBER_INLINE Vec3<Scalar> cross_with_unit(Constant<axis>, const Scalar& x, const Scalar& y,
                                           const Scalar& z) {
  const Scalar o(0);
  if constexpr (axis == 0) return {o, z, -y};
  if constexpr (axis == 1) return {-z, o, x};
  if constexpr (axis == 2) return {y, -x, o};
}

// Of a rigid body that turns with w about the origin.
template <typename Scalar>
LIMBER_INLINE Vec6<Scalar> gyroscopic_forces(const BodyInertia<Scalar>& body, const Vec3<Scalar>& w) {
  return {cross(w, cross(w, body.moment)), cross(w, body.inertia * w)};
}

// M_ee at second order. Where m is a constant the sum stays in registers.
template <typename Scalar, typename Size>
LIMBER_INLINE void set_elastic_mass(LinkWork<Scalar>& link, const Scalar* eta, Size m) {
  FieldWork<Scalar>& field = link.field;
  const auto size = triangle(m);
  const auto add_blocks = [&](auto&& sum) {
    const Scalar* block = field.M_ee_blocks.data();
    sum = numbers(block, size);
    for (const FieldTerm& monomial : field.M_ee_monomials) {
      block += size;
      sum += numbers(block, size) *
             (monomial.k < 0 ? eta[monomial.j] : Scalar(eta[monomial.j] * eta[monomial.k]));
    }
    for (int j = 0, at = 0; j < m; ++j)
      for (int k = 0; k <= j; ++k, ++at) link.M_ee[j * m + k] = link.M_ee[k * m + j] = sum[at];
  };
  if constexpr (size_of<decltype(triangle(m))> == Eigen::Dynamic)
    add_blocks(numbers(field.M_ee_sum.data(), size));
  else
    add_blocks(Numbers<Scalar, decltype(triangle(m))>());
}

// (1) of the distributed mass and the rigid root piece.
template <typename Scalar, typename Size>
LIMBER_INLINE void set_field_mass(LinkWork<Scalar>& link, const Scalar* eta, Size m) {
  FieldWork<Scalar>& field = link.field;
  const int stride = field.stride;
  update_monomials(link, eta);
  const Mat3<Scalar> Q = contract(field, field.gram_mu, field.mu);
  link.body = {link.rigid.mass, link.rigid.moment + sum_moments(field, field.mu),
               link.rigid.inertia + Mat3<Scalar>::scaled_identity(Q.trace()) - Q};

  // Columns Int p_j and Int p x p_j.
  const bool second_order = field.second_order;
  for (int j = 0; j < m; ++j)
    link.M_re[j] = {second_order ? Vec3<Scalar>::zero() : field.M_re_linear[j], Vec3<Scalar>::zero()};
  for_each_axis([&](auto axis) {
    for (int b = field.axis_begin[axis]; b < field.axis_begin[axis + 1]; ++b) {
      const FieldTerm& term = field.terms[b];
      if (term.j < 0) continue;
      const Scalar* g = field.gram_mu.data() + b;
      const Vec3<Scalar> angular = cross_with_unit<Scalar>(axis, g[0], g[stride], g[2 * stride]);
      if (!second_order) {
        link.M_re[term.j].angular += angular;
        continue;
      }
      const Vec6<Scalar> both{along_unit(axis, field.moment[b]), angular};
      if (term.k < 0) {
        link.M_re[term.j] += both;
      } else {
        link.M_re[term.j] += both * eta[term.k];
        link.M_re[term.k] += both * eta[term.j];
      }
    }
  });

  if (second_order)
    set_elastic_mass(link, eta, m);
  else
    numbers(link.M_ee.data(), square(m)) = numbers(std::as_const(field.M_ee).data(), square(m));
}

// (2) to (4) of the distributed mass and the rigid root piece, whose own (1) stands in link.body.
template <typename Scalar, typename Size>
LIMBER_INLINE void set_field_forces(LinkWork<Scalar>& link, const Scalar* eta, const Scalar* rate, Size m) {
  FieldWork<Scalar>& field = link.field;
  const int stride = field.stride;
  update_monomial_rates(link, eta, rate);

  const Vec3<Scalar> w = link.V.angular;
  const Mat3<Scalar> V = contract(field, field.gram_mu, field.mu_rate);
  link.p_r.linear = cross(w, cross(w, link.body.moment) + sum_moments(field, field.mu_rate) * Scalar(2));
  link.p_r.angular = cross(w, link.body.inertia * w) + (w * V.trace() - transposed_times(V, w)) * Scalar(2);
  if (field.second_order) {
    link.p_r.linear += sum_moments(field, field.mu_bias);
    link.p_r.angular += axial(contract(field, field.gram_mu, field.mu_bias));
  }

  // (4) for one term: e_axis . (w x (w x g) + 2 w x g_rate + g_bias), g = Int p F_b. Row `axis` of [w]x^2 is its
  // column, and that of 2 [w]x minus its column.
  const Mat3<Scalar> W = Mat3<Scalar>::skew(w);
  const Mat3<Scalar> W_squared = cross_columns(w, W), W_rows = W * Scalar(-2);
  for (int j = 0; j < m; ++j) link.p_e[j] = Scalar(0);
  for (int axis = 0; axis < 3; ++axis) {
    const Vec3<Scalar> A = W_squared[axis], B = W_rows[axis];
    for (int b = field.axis_begin[axis]; b < field.axis_begin[axis + 1]; ++b) {
      const FieldTerm& term = field.terms[b];
      if (term.j < 0) continue;
      const Scalar *g = field.gram_mu.data() + b, *g_rate = field.gram_rate.data() + b;
      Scalar force = A[0] * g[0] + A[1] * g[stride] + A[2] * g[2 * stride] + B[0] * g_rate[0] +
                     B[1] * g_rate[stride] + B[2] * g_rate[2 * stride];
      if (field.second_order) force += field.gram_bias[axis * stride + b];
      if (term.k < 0) {
        link.p_e[term.j] += force;
      } else {
        link.p_e[term.j] += force * eta[term.k];
        link.p_e[term.k] += force * eta[term.j];
      }
    }
  }
}

// (5) of the distributed mass and the rigid root piece. A point accelerates with a_0 + Sum_a F_a alpha_a, where a_0 is the
// frame's linear acceleration, wdot its angular one, and
//
//   alpha_a = (mu_a ([w]^2 + [wdot]) + 2 mudot_a [w] + mudd_a) e_axis(a).
//
// It takes the force Z_b = Int F_b (acceleration) = moment_b a_0 + Sum_a gram_ab alpha_a to move F_b, and with p of inertia.hpp
//
//   f_v = m a_0 + Sum_a moment_a alpha_a,   f_w = Sum_b mu_b e_axis(b) x Z_b,   f_j = Sum_b dmu_b/deta_j e_axis(b) . Z_b.
template <typename Scalar, typename Size>
LIMBER_INLINE void set_whole_field_forces(LinkWork<Scalar>& link, const Scalar* eta, const Scalar* rate,
                                          const Scalar* etadd, Size m) {
  FieldWork<Scalar>& field = link.field;
  const Vec6<Scalar> A = link.A;
  const Mat3<Scalar> W = Mat3<Scalar>::skew(link.V.angular), W_twice = W * Scalar(2);
  const Mat3<Scalar> W_squared = cross_columns(link.V.angular, W) + Mat3<Scalar>::skew(A.angular);
  Vec3<Scalar> f_v = Vec3<Scalar>::zero();
  for_each_axis([&](auto axis) {
    for (int a = field.axis_begin[axis]; a < field.axis_begin[axis + 1]; ++a) {
      const FieldTerm& term = field.terms[a];
      Scalar mu(1), mu_rate(0), mu_second(0);
      if (term.j >= 0 && term.k < 0) {
        mu = eta[term.j];
        mu_rate = rate[term.j];
        mu_second = etadd[term.j];
      } else if (term.j >= 0) {
        mu = eta[term.j] * eta[term.k];
        mu_rate = rate[term.j] * eta[term.k] + eta[term.j] * rate[term.k];
        mu_second = etadd[term.j] * eta[term.k] + Scalar(2) * rate[term.j] * rate[term.k] +
                    eta[term.j] * etadd[term.k];
      }
      field.mu[a] = mu;
      field.alpha[a] = W_squared[axis] * mu + W_twice[axis] * mu_rate + along_unit<Scalar>(axis, mu_second);
      f_v += field.alpha[a] * field.moment[a];
    }
  });

  for (int j = 0; j < m; ++j) link.p_e[j] = Scalar(0);
  const int count = field.axis_begin[3];
  Mat3<Scalar> X = Mat3<Scalar>::zero();  // column i: Int (component i of the field) (acceleration)
  for (int axis = 0; axis < 3; ++axis)
    for (int b = field.axis_begin[axis]; b < field.axis_begin[axis + 1]; ++b) {
      const Scalar* gram = field.gram.data() + b * field.stride;
      Vec3<Scalar> Z = A.linear * field.moment[b];
      for (int a = 0; a < count; ++a) Z += field.alpha[a] * gram[a];
      X[axis] += Z * field.mu[b];
      const FieldTerm& term = field.terms[b];
      if (term.j >= 0 && term.k < 0) {
        link.p_e[term.j] += Z[axis];
      } else if (term.j >= 0) {
        link.p_e[term.j] += Z[axis] * eta[term.k];
        link.p_e[term.k] += Z[axis] * eta[term.j];
      }
    }
  link.p_r = link.rigid * A + gyroscopic_forces(link.rigid, link.V.angular);
  link.p_r += {f_v, -axial(X)};
}

// The body about the node, in F's axes.
template <typename Scalar>
LIMBER_INLINE BodyInertia<Scalar> turned_body(const LinkWork<Scalar>& link, const LumpWork<Scalar>& lump) {
  const Mat3<Scalar>& E = link.nodes[lump.node].E;
  return lump.body.turned_by(E, E.transposed());
}

template <typename Scalar, typename Size>
LIMBER_INLINE void add_lump_forces(LinkWork<Scalar>& link, const NodeWork<Scalar>& node,
                                   const BodyInertia<Scalar>& body, const Vec6<Scalar>& acceleration,
                                   Size m) {
  add_wrench(node, body * acceleration + gyroscopic_forces(body, node.w), link, m);
}

}  // namespace

template <typename Scalar>
void update_link_masses(const Model&, Workspace<Scalar>& work, const VectorX<Scalar>& q) {
  for (LinkWork<Scalar>& link : work.links) {
    link.body = link.rigid;
    if (!link.flexible) continue;
    with_elastic_size(link, [&](auto m) {
      const Scalar* eta = q.data() + link.elastic_q();
      set_field_mass(link, eta, m);
      add_sections<Scalar>(link, eta, nullptr);
      for (const LumpWork<Scalar>& lump : link.lumps)
        add_inertia(link.nodes[lump.node], turned_body(link, lump), link, link.body, m);
    });
  }
}

template <typename Scalar>
void update_inertia_of(LinkWork<Scalar>& link, const Scalar* q, const Scalar* v) {
  if (!link.flexible) {
    link.body = link.rigid;
    link.p_r = gyroscopic_forces(link.rigid, link.V.angular);
    return;
  }
  const Scalar *eta = q + link.elastic_q(), *rate = v + link.elastic_v();
  with_elastic_size(link, [&](auto m) {
    set_field_mass(link, eta, m);
    set_field_forces(link, eta, rate, m);
    add_sections(link, eta, rate);
    for (const LumpWork<Scalar>& lump : link.lumps) {
      const NodeWork<Scalar>& node = link.nodes[lump.node];
      const BodyInertia<Scalar> body = turned_body(link, lump);
      add_inertia(node, body, link, link.body, m);
      add_lump_forces(link, node, body, {node.a_bias, node.alpha_bias}, m);
    }
  });
}

template <typename Scalar>
void update_forces_of(LinkWork<Scalar>& link, const Scalar* q, const Scalar* v, const Scalar* qdd) {
  if (!link.flexible) {
    link.p_r = link.rigid * link.A + gyroscopic_forces(link.rigid, link.V.angular);
    return;
  }
  const Scalar *eta = q + link.elastic_q(), *rate = v + link.elastic_v(), *etadd = qdd + link.elastic_v();
  with_elastic_size(link, [&](auto m) {
    set_whole_field_forces(link, eta, rate, etadd, m);
    add_section_forces(link, eta, rate, etadd);
    for (const LumpWork<Scalar>& lump : link.lumps) {
      const NodeWork<Scalar>& node = link.nodes[lump.node];
      const Vec6<Scalar> bias{node.a_bias, node.alpha_bias};
      add_lump_forces(link, node, turned_body(link, lump), motion_at(node, link.A, etadd, m) + bias, m);
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
  set_field_mass(link, eta.data(), link.m);
}

#define LIMBER_INSTANTIATE(Scalar)                                                                       \
  template void update_field_mass(LinkWork<Scalar>&, const VectorX<Scalar>&);                            \
  template void update_link_masses(const Model&, Workspace<Scalar>&, const VectorX<Scalar>&);            \
  template void update_velocities_and_inertias(const Model&, Workspace<Scalar>&, const VectorX<Scalar>&, \
                                               const VectorX<Scalar>&);                                  \
  template void update_inertia_of(LinkWork<Scalar>&, const Scalar*, const Scalar*);                      \
  template void update_forces_of(LinkWork<Scalar>&, const Scalar*, const Scalar*, const Scalar*);
LIMBER_FOR_ALL_SCALARS(LIMBER_INSTANTIATE)

}  // namespace limber
