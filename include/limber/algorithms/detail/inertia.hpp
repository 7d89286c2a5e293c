// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// (1) to (5): limber/algorithms/inertia.hpp.

#include <utility>

#include "limber/algorithms/detail/one_link.hpp"
#include "limber/algorithms/detail/sections.hpp"
#include "limber/algorithms/detail/to_parent.hpp"

namespace limber::detail {
// Int a x b, where column i of X is Int a_i b.
template <typename Scalar>
LIMBER_INLINE Vec3<Scalar> axial(const Mat3<Scalar>& X) {
  return {X[1][2] - X[2][1], X[2][0] - X[0][2], X[0][1] - X[1][0]};
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

// The numbers of a lower triangle, filled up.
constexpr int triangle(int m) { return filled_up(m * (m + 1) / 2); }
template <int N>
Constant<triangle(int(N))> triangle(Constant<N>) {
  return {};
}

// gram_mu(i, b) = Sum over terms a of axis i of gram_ab mu_a = Int F_b (component i of the field).
template <typename Scalar, typename Stride>
LIMBER_INLINE void multiply_by_gram(FieldWork<Scalar>& field, Stride stride) {
  for (int i = 0; i < 3; ++i) {
    auto sums = numbers(field.gram_mu.data() + i * stride, stride);
    sums.setZero();
    for (int a = field.axis_begin[i]; a < field.axis_begin[i + 1]; ++a)
      sums += numbers(std::as_const(field.gram).data() + a * stride, stride) * field.mu[a];
  }
}

template <typename Scalar>
LIMBER_INLINE void set_monomials(FieldWork<Scalar>& field, const Scalar* eta) {
  for (int a = 0; a < field.axis_begin[3]; ++a) {
    const auto [_, j, k] = field.terms[a];
    if (j < 0)
      field.mu[a] = Scalar(1);
    else
      field.mu[a] = k < 0 ? eta[j] : Scalar(eta[j] * eta[k]);
  }
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
LIMBER_INLINE LaneWrench<Scalar> gyroscopic_forces(const LaneInertia<Scalar>& body, const Vec3<Scalar>& w) {
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
  set_monomials(field, eta);
  with_stride(link, [&](auto of_terms) { multiply_by_gram(field, of_terms); });
  Mat3<Scalar> Q;
  Scalar moment[3] = {Scalar(0), Scalar(0), Scalar(0)};  // NOLINT
  for (int axis = 0; axis < 3; ++axis) {
    Scalar sums[3] = {Scalar(0), Scalar(0), Scalar(0)};  // NOLINT
    for (int b = field.axis_begin[axis]; b < field.axis_begin[axis + 1]; ++b) {
      for (int i = 0; i < 3; ++i) sums[i] += field.gram_mu[i * stride + b] * field.mu[b];
      moment[axis] += field.moment[b] * field.mu[b];
    }
    Q[axis] = {sums[0], sums[1], sums[2]};
  }
  link.M_rr = {link.rigid.mass, link.rigid.moment + Vec3<Scalar>(moment[0], moment[1], moment[2]),
               link.rigid.inertia + Mat3<Scalar>::scaled_identity(Q.trace()) - Q};

  // M_re: Int p_j and Int p x p_j.
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
        link.M_re[term.j].moment += angular;
        continue;
      }
      const LaneWrench<Scalar> both{along_unit(axis, field.moment[b]), angular};
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

// How a link accelerates: its frame, and its elastic coordinates.
template <typename Scalar>
struct LinkAcceleration {
  LaneTwist<Scalar> A_R;
  const Scalar* etadd;
};
// It is not known, and stands for zero.
struct UnknownAcceleration {};

// (2) to (4) of the distributed mass and the rigid root piece, or, where the acceleration is known, (5). A point
// accelerates with a_R + Sum_a F_a accel_a, where A_R = [a_R; alpha_R], and
//
//   accel_a = (mu_a ([w]^2 + [alpha_R]) + 2 mudot_a [w] + mudd_a) e_axis(a).
//
// It takes the force f_b = Int F_b (acceleration) = moment_b a_R + Sum_a gram_ab accel_a to move F_b, and with p of
// inertia.hpp
//
//   f_v = m a_R + Sum_a moment_a accel_a,   f_w = Sum_b mu_b e_axis(b) x f_b,   f_j = Sum_b dmu_b/deta_j e_axis(b) . f_b.
template <typename Scalar, typename Acceleration, typename Size>
LIMBER_INLINE void set_field_forces(LinkWork<Scalar>& link, const Scalar* eta, const Scalar* rate,
                                    const Acceleration& acceleration, Size m) {
  constexpr bool is_known = std::is_same_v<Acceleration, LinkAcceleration<Scalar>>;
  FieldWork<Scalar>& field = link.field;
  const Vec3<Scalar> w = link.V_R.angular;
  const Mat3<Scalar> w_cross = Mat3<Scalar>::skew(w), w_cross_twice = w_cross * Scalar(2);
  Mat3<Scalar> of_place = cross_columns(w, w_cross);  // [w]^2 + [alpha_R]
  if constexpr (is_known) of_place += Mat3<Scalar>::skew(acceleration.A_R.angular);
  Vec3<Scalar> f_v = Vec3<Scalar>::zero();
  for_each_axis([&](auto axis) {
    for (int a = field.axis_begin[axis]; a < field.axis_begin[axis + 1]; ++a) {
      const auto [_, j, k] = field.terms[a];
      Vec3<Scalar>& accel = field.accel[a];
      accel = of_place[axis] * field.mu[a];
      if (j >= 0 && k < 0) {
        accel += w_cross_twice[axis] * rate[j];
        if constexpr (is_known) accel += along_unit<Scalar>(axis, acceleration.etadd[j]);
      } else if (j >= 0) {
        accel += w_cross_twice[axis] * Scalar(rate[j] * eta[k] + eta[j] * rate[k]);
        Scalar second = Scalar(2) * rate[j] * rate[k];
        if constexpr (is_known) second += acceleration.etadd[j] * eta[k] + eta[j] * acceleration.etadd[k];
        accel += along_unit<Scalar>(axis, second);
      }
      f_v += accel * field.moment[a];
    }
  });

  for (int j = 0; j < m; ++j) link.f_e[j] = Scalar(0);
  const int count = field.axis_begin[3];
  Mat3<Scalar> p_accel = Mat3<Scalar>::zero();  // column i: Int (component i of the field) (acceleration)
  for (int axis = 0; axis < 3; ++axis)
    for (int b = field.axis_begin[axis]; b < field.axis_begin[axis + 1]; ++b) {
      const Scalar* gram = field.gram.data() + b * field.stride;
      Vec3<Scalar> f_b = Vec3<Scalar>::zero();
      if constexpr (is_known) f_b = acceleration.A_R.linear * field.moment[b];
      for (int a = 0; a < count; ++a) f_b += field.accel[a] * gram[a];
      p_accel[axis] += f_b * field.mu[b];
      const auto [_, j, k] = field.terms[b];
      if (j >= 0 && k < 0) {
        link.f_e[j] += f_b[axis];
      } else if (j >= 0) {
        link.f_e[j] += f_b[axis] * eta[k];
        link.f_e[k] += f_b[axis] * eta[j];
      }
    }
  link.f_r = gyroscopic_forces(link.rigid, w);
  if constexpr (is_known) link.f_r += link.rigid * acceleration.A_R;
  link.f_r += {f_v, axial(p_accel)};
}

// The body about the node, in R's axes.
template <typename Scalar>
LIMBER_INLINE LaneInertia<Scalar> turned_body(const LinkWork<Scalar>& link, const LumpWork<Scalar>& lump) {
  const Mat3<Scalar>& R_RN = link.nodes[lump.node].R_RN;
  return lump.body.turned_by(R_RN, R_RN.transposed());
}

template <typename Scalar, typename Size>
LIMBER_INLINE void add_lump_forces(LinkWork<Scalar>& link, const NodeWork<Scalar>& node,
                                   const LaneInertia<Scalar>& body, const LaneTwist<Scalar>& A_N, Size m) {
  add_wrench(node, body * A_N + gyroscopic_forces(body, node.V_N.angular), link, m);
}

template <typename Scalar>
void update_link_masses(ArmWork<Scalar>& work, const Scalar* q) {
  for (LinkWork<Scalar>& link : work.links) {
    link.M_rr = link.rigid;
    if (!link.flexible) continue;
    with_elastic_size(link, [&](auto m) {
      const Scalar* eta = q + link.elastic_q();
      set_field_mass(link, eta, m);
      add_sections<Scalar>(link, eta, nullptr);
      for (const LumpWork<Scalar>& lump : link.lumps)
        add_inertia(link.nodes[lump.node], turned_body(link, lump), link, link.M_rr, m);
    });
  }
}

template <typename Scalar>
void update_inertia_of(LinkWork<Scalar>& link, const Scalar* q, const Scalar* v) {
  if (!link.flexible) {
    link.M_rr = link.rigid;
    link.f_r = gyroscopic_forces(link.rigid, link.V_R.angular);
    return;
  }
  const Scalar *eta = q + link.elastic_q(), *rate = v + link.elastic_v();
  with_elastic_size(link, [&](auto m) {
    set_field_mass(link, eta, m);
    set_field_forces(link, eta, rate, UnknownAcceleration(), m);
    add_sections(link, eta, rate);
    for (const LumpWork<Scalar>& lump : link.lumps) {
      const NodeWork<Scalar>& node = link.nodes[lump.node];
      const LaneInertia<Scalar> body = turned_body(link, lump);
      add_inertia(node, body, link, link.M_rr, m);
      add_lump_forces(link, node, body, node.A_bias, m);
    }
  });
}

template <typename Scalar>
void update_forces_of(LinkWork<Scalar>& link, const Scalar* q, const Scalar* v, const Scalar* qdd) {
  if (!link.flexible) {
    link.f_r = link.rigid * link.A_R + gyroscopic_forces(link.rigid, link.V_R.angular);
    return;
  }
  const Scalar *eta = q + link.elastic_q(), *rate = v + link.elastic_v(), *etadd = qdd + link.elastic_v();
  with_elastic_size(link, [&](auto m) {
    set_monomials(link.field, eta);
    set_field_forces(link, eta, rate, LinkAcceleration<Scalar>{link.A_R, etadd}, m);
    add_section_forces(link, eta, rate, etadd);
    for (const LumpWork<Scalar>& lump : link.lumps) {
      const NodeWork<Scalar>& node = link.nodes[lump.node];
      const LaneTwist<Scalar> A_N = motion_at(node, link.A_R, etadd, m) + node.A_bias;
      add_lump_forces(link, node, turned_body(link, lump), A_N, m);
    }
  });
}

// A point moves with v + Sum_a F_a veloc_a, veloc_a = (mu_a [w] + mudot_a) e_axis(a), [v; w] = V_R. Hence
//
//   kinetic energy of the distributed mass = 1/2 m v.v + v . Sum_a moment_a veloc_a + 1/2 Sum_ab gram_ab veloc_a . veloc_b.
template <typename Scalar>
LinkMotion<Scalar> motion_of(LinkWork<Scalar>& link, const Scalar* q, const Scalar* v) {
  const Scalar half(0.5);
  LinkMotion<Scalar> motion{half * dot(link.V_R, link.rigid * link.V_R), link.rigid.mass, link.rigid.moment};
  if (!link.flexible) return motion;
  FieldWork<Scalar>& field = link.field;
  const Scalar *eta = q + link.elastic_q(), *rate = v + link.elastic_v();
  set_monomials(field, eta);
  const Mat3<Scalar> w_cross = Mat3<Scalar>::skew(link.V_R.angular);
  for_each_axis([&](auto axis) {
    for (int a = field.axis_begin[axis]; a < field.axis_begin[axis + 1]; ++a) {
      const auto [_, j, k] = field.terms[a];
      Vec3<Scalar> veloc = w_cross[axis] * field.mu[a];
      if (j >= 0)
        veloc += along_unit<Scalar>(axis, k < 0 ? rate[j] : Scalar(rate[j] * eta[k] + eta[j] * rate[k]));
      // Every pair of terms once.
      const Scalar* gram = field.gram.data() + a * field.stride;
      Vec3<Scalar> others = link.V_R.linear * field.moment[a] + veloc * (half * gram[a]);
      for (int b = 0; b < a; ++b) others += field.accel[b] * gram[b];  // of velocities here
      motion.kinetic += dot(veloc, others);
      motion.moment += along_unit<Scalar>(axis, field.moment[a] * field.mu[a]);
      field.accel[a] = veloc;
    }
  });
  motion.kinetic += section_energy(link, eta, rate);
  for (const LumpWork<Scalar>& lump : link.lumps) {
    const NodeWork<Scalar>& node = link.nodes[lump.node];
    const LaneInertia<Scalar> body = turned_body(link, lump);
    motion.kinetic += half * dot(node.V_N, body * node.V_N);
    motion.mass += body.mass;
    motion.moment += body.moment + node.p_RN * body.mass;
  }
  return motion;
}

template <typename Scalar>
void update_velocities_and_inertias(ArmWork<Scalar>& work, const Scalar* q, const Scalar* v) {
  for (LinkWork<Scalar>& link : work.links) {
    update_velocities_of(work, link, q, v);
    update_inertia_of(link, q, v);
  }
}

template <typename Scalar>
void update_field_mass(LinkWork<Scalar>& link, const Scalar* eta) {
  set_field_mass(link, eta, link.m);
}

}  // namespace limber::detail
