// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// (1) to (5): limber/algorithms/inertia.hpp.

#include <array>
#include <utility>

#include "limber/algorithms/detail/field_coordinates.hpp"
#include "limber/algorithms/detail/one_link.hpp"
#include "limber/algorithms/detail/sections.hpp"
#include "limber/algorithms/detail/telescope.hpp"
#include "limber/algorithms/detail/to_parent.hpp"
#include "limber/algorithms/detail/weighted_rows.hpp"

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

// mu_a
template <typename Scalar>
LIMBER_INLINE void set_monomials(FieldWork<Scalar>& field, const Scalar* z) {
  for (int a = 0; a < field.axis_begin[3]; ++a) {
    const auto [_, j, k] = field.terms[a];
    if (j < 0)
      field.mu[a] = Scalar(1);
    else
      field.mu[a] = k < 0 ? z[j] : Scalar(z[j] * z[k]);
  }
}

// mudot_a
template <typename Scalar>
LIMBER_INLINE void set_rates(FieldWork<Scalar>& field, const Scalar* z, const Scalar* rate) {
  for (int a = 0; a < field.axis_begin[3]; ++a) {
    const auto [_, j, k] = field.terms[a];
    if (j < 0)
      field.mu_rate[a] = Scalar(0);
    else
      field.mu_rate[a] = k < 0 ? rate[j] : Scalar(rate[j] * z[k] + z[j] * rate[k]);
  }
}

// The terms of one axis: their rows of gram, and their place in arrays of one element per term.
template <typename Scalar>
LIMBER_INLINE NumberRows<Scalar> gram_of_axis(const FieldWork<Scalar>& field, int axis) {
  const int first = field.axis_begin[axis];
  return {field.gram.data() + first * field.stride, field.axis_begin[axis + 1] - first, field.stride};
}

// gram_mu(i, b) = Sum over terms a of axis i of gram_ab mu_a = Int F_b (component i of the field).
template <typename Scalar>
LIMBER_INLINE void multiply_by_gram(LinkWork<Scalar>& link) {
  FieldWork<Scalar>& field = link.field;
  with_stride(link, [&](auto stride) {
    for (int i = 0; i < 3; ++i)
      sum_rows(gram_of_axis(field, i), stride,
               std::array{WeightedSum<Scalar>{field.mu.data() + field.axis_begin[i],
                                              field.gram_mu.data() + i * stride}});
  });
}

// ... and gram_rate(i, b), of its rate.
template <typename Scalar>
LIMBER_INLINE void multiply_rates_by_gram(LinkWork<Scalar>& link) {
  FieldWork<Scalar>& field = link.field;
  with_stride(link, [&](auto stride) {
    for (int i = 0; i < 3; ++i) {
      const int first = field.axis_begin[i];
      sum_rows(
          gram_of_axis(field, i), stride,
          std::array{WeightedSum<Scalar>{field.mu.data() + first, field.gram_mu.data() + i * stride},
                     WeightedSum<Scalar>{field.mu_rate.data() + first, field.gram_rate.data() + i * stride}});
    }
  });
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

// What masses need of the elastic coordinates,
template <typename Scalar>
LIMBER_INLINE void place_field(LinkWork<Scalar>& link, const Scalar* eta) {
  set_monomials(link.field, coordinates_at(link.field.own, eta));
  multiply_by_gram(link);
}

// ... and what forces need too.
template <typename Scalar>
LIMBER_INLINE void move_field(LinkWork<Scalar>& link, const Scalar* eta, const Scalar* rate) {
  const Scalar *z = coordinates_at(link.field.own, eta), *z_rate = coordinate_rates(link.field.own, rate);
  set_monomials(link.field, z);
  set_rates(link.field, z, z_rate);
  multiply_rates_by_gram(link);
}

// Int p (what has these coefficients)^T, from gram_mu: one column an axis of the latter.
template <typename Scalar>
LIMBER_INLINE Mat3<Scalar> field_times(const FieldWork<Scalar>& field, const Array<Scalar>& coefficients) {
  const Scalar *x = field.gram_mu.data(), *y = x + field.stride, *z = y + field.stride;
  Mat3<Scalar> result;
  for (int axis = 0; axis < 3; ++axis) {
    Scalar sums[3] = {Scalar(0), Scalar(0), Scalar(0)};  // NOLINT
    for (int b = field.axis_begin[axis]; b < field.axis_begin[axis + 1]; ++b) {
      sums[0] += x[b] * coefficients[b];
      sums[1] += y[b] * coefficients[b];
      sums[2] += z[b] * coefficients[b];
    }
    result[axis] = {sums[0], sums[1], sums[2]};
  }
  return result;
}

// Int (what has these coefficients)
template <typename Scalar>
LIMBER_INLINE Vec3<Scalar> moment_of(const FieldWork<Scalar>& field, const Array<Scalar>& coefficients) {
  Scalar sums[3] = {Scalar(0), Scalar(0), Scalar(0)};  // NOLINT
  for (int axis = 0; axis < 3; ++axis)
    for (int b = field.axis_begin[axis]; b < field.axis_begin[axis + 1]; ++b)
      sums[axis] += field.moment[b] * coefficients[b];
  return {sums[0], sums[1], sums[2]};
}

// M_rr of (1), of the distributed mass and the rigid root piece: needs gram_mu.
template <typename Scalar>
LIMBER_INLINE LaneInertia<Scalar> frame_mass(const LinkWork<Scalar>& link) {
  const Mat3<Scalar> Q = field_times(link.field, link.field.mu);
  return {link.rigid.mass, link.rigid.moment + moment_of(link.field, link.field.mu),
          link.rigid.inertia + Mat3<Scalar>::scaled_identity(Q.trace()) - Q};
}

// (1) of the distributed mass and the rigid root piece: needs gram_mu.
template <typename Scalar, typename Size>
LIMBER_INLINE void set_field_mass(LinkWork<Scalar>& link, const Scalar* eta, Size m) {
  FieldWork<Scalar>& field = link.field;
  const int stride = field.stride;
  link.M_rr = frame_mass(link);

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
  if (field.own.stiffened > 0) [[unlikely]]
    bring_mass(link);
}

// How a link accelerates: its frame, and its elastic coordinates.
template <typename Scalar>
struct LinkAcceleration {
  LaneTwist<Scalar> A_R;
  const Scalar* etadd;
};
// It is not known, and stands for zero.
struct UnknownAcceleration {};

// mudd_a. Returns whether there are any.
template <typename Scalar, typename Acceleration>
LIMBER_INLINE bool set_second_rates(FieldWork<Scalar>& field, const Scalar* eta, const Scalar* rate,
                                    const Acceleration& acceleration) {
  constexpr bool is_known = std::is_same_v<Acceleration, LinkAcceleration<Scalar>>;
  if (field.own.stiffened > 0) [[unlikely]] {
    const Scalar* etadd = nullptr;
    if constexpr (is_known) etadd = acceleration.etadd;
    const Scalar* second = accelerate_coordinates(field.own, rate, etadd);
    for (int a = 0; a < field.axis_begin[3]; ++a)
      field.mu_second[a] = field.terms[a].j < 0 ? Scalar(0) : second[field.terms[a].j];
    return true;
  }
  if (!is_known && !field.second_order) return false;
  for (int a = 0; a < field.axis_begin[3]; ++a) {
    const auto [_, j, k] = field.terms[a];
    Scalar second(0);
    if (j >= 0 && k < 0) {
      if constexpr (is_known) second = acceleration.etadd[j];
    } else if (j >= 0) {
      second = Scalar(2) * rate[j] * rate[k];
      if constexpr (is_known) second += acceleration.etadd[j] * eta[k] + eta[j] * acceleration.etadd[k];
    }
    field.mu_second[a] = second;
  }
  return true;
}

// (2) to (4) of the distributed mass and the rigid root piece, or, where the acceleration is known, (5): needs gram_mu, gram_rate and M_rr. With
// A_R = [a_R; alpha], a point accelerates with a_R + ([w]^2 + [alpha]) p + 2 [w] pdot + pdd, so that it takes
//
//   f_b = moment_b a_R + Sum_i (([w]^2 + [alpha]) e_i gram_mu(i, b) + 2 [w] e_i gram_rate(i, b)) + Int F_b pdd
//
// to move F_b, of which f_j = Sum_b dmu_b/deta_j e_axis(b) . f_b asks for one component. What the frame feels is (2) and (3), with M_rr at hand.
template <typename Scalar, typename Acceleration, typename Size>
LIMBER_INLINE void set_field_forces(LinkWork<Scalar>& link, const Scalar* eta, const Scalar* rate,
                                    const Acceleration& acceleration, Size m) {
  constexpr bool is_known = std::is_same_v<Acceleration, LinkAcceleration<Scalar>>;
  FieldWork<Scalar>& field = link.field;
  const int stride = field.stride;
  const Vec3<Scalar> w = link.V_R.angular;
  const bool has_second = set_second_rates(field, eta, rate, acceleration);

  const Mat3<Scalar> Qd = field_times(field, field.mu_rate);  // Int p pdot^T
  link.f_r = gyroscopic_forces(link.M_rr, w);
  link.f_r += {cross(w, moment_of(field, field.mu_rate)) * Scalar(2),
               (w * Qd.trace() - transposed_times(Qd, w)) * Scalar(2)};
  if (has_second)
    link.f_r += {moment_of(field, field.mu_second), axial(field_times(field, field.mu_second).transposed())};
  if constexpr (is_known) link.f_r += link.M_rr * acceleration.A_R;

  const Mat3<Scalar> w_cross = Mat3<Scalar>::skew(w);
  Mat3<Scalar> of_place = cross_columns(w, w_cross);  // [w]^2 + [alpha]
  if constexpr (is_known) of_place += Mat3<Scalar>::skew(acceleration.A_R.angular);
  const Mat3<Scalar> of_rate = w_cross * Scalar(2);
  const Scalar *x = field.gram_mu.data(), *y = x + stride, *z = y + stride;
  const Scalar *x_rate = field.gram_rate.data(), *y_rate = x_rate + stride, *z_rate = y_rate + stride;
  for (int j = 0; j < m; ++j) link.f_e[j] = Scalar(0);
  for_each_axis([&](auto axis) {
    const int first = field.axis_begin[axis], end = field.axis_begin[axis + 1];
    Scalar* second = field.gram_second.data() + axis * stride;
    if (has_second)  // Int F_b (this component of pdd)
      with_stride(link, [&](auto length) {
        sum_rows(gram_of_axis(field, axis), length,
                 std::array{WeightedSum<Scalar>{field.mu_second.data() + first, second}});
      });
    constexpr int next = (decltype(axis)::value + 1) % 3, last = (decltype(axis)::value + 2) % 3;
    const Scalar *of_next = next == 0   ? x_rate
                            : next == 1 ? y_rate
                                        : z_rate,
                 *of_last = last == 0   ? x_rate
                            : last == 1 ? y_rate
                                        : z_rate;
    const Scalar at_x = of_place[0][axis], at_y = of_place[1][axis], at_z = of_place[2][axis];
    const Scalar at_next = of_rate[next][axis], at_last = of_rate[last][axis];
    for (int b = first; b < end; ++b) {
      Scalar f_b = at_x * x[b] + at_y * y[b] + at_z * z[b] + at_next * of_next[b] + at_last * of_last[b];
      if constexpr (is_known) f_b += acceleration.A_R.linear[axis] * field.moment[b];
      if (has_second) f_b += second[b];
      const auto [_, j, k] = field.terms[b];
      if (j >= 0 && k < 0) {
        link.f_e[j] += f_b;
      } else if (j >= 0) {
        link.f_e[j] += f_b * eta[k];
        link.f_e[k] += f_b * eta[j];
      }
    }
  });
  if (field.own.stiffened > 0) [[unlikely]]
    bring_forces(link);
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
      place_field(link, eta);
      set_field_mass(link, eta, m);
      add_sections<Scalar>(link, eta, nullptr);
      for (const LumpWork<Scalar>& lump : link.lumps)
        add_inertia(link.nodes[lump.node], turned_body(link, lump), link, link.M_rr, m);
      if (link.telescopes) [[unlikely]]
        link.M_ee[0] += link.armature[0];
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
    move_field(link, eta, rate);
    set_field_mass(link, eta, m);
    set_field_forces(link, eta, rate, UnknownAcceleration(), m);
    add_sections(link, eta, rate);
    for (const LumpWork<Scalar>& lump : link.lumps) {
      const NodeWork<Scalar>& node = link.nodes[lump.node];
      const LaneInertia<Scalar> body = turned_body(link, lump);
      add_inertia(node, body, link, link.M_rr, m);
      add_lump_forces(link, node, body, node.A_bias, m);
    }
    if (link.telescopes) [[unlikely]] {
      link.M_ee[0] += link.armature[0];
      add_guide_forces(link, v);
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
    move_field(link, eta, rate);
    link.M_rr = frame_mass(link);
    set_field_forces(link, eta, rate, LinkAcceleration<Scalar>{link.A_R, etadd}, m);
    add_section_forces(link, eta, rate, etadd);
    for (const LumpWork<Scalar>& lump : link.lumps) {
      const NodeWork<Scalar>& node = link.nodes[lump.node];
      const LaneTwist<Scalar> A_N = motion_at(node, link.A_R, etadd, m) + node.A_bias;
      add_lump_forces(link, node, turned_body(link, lump), A_N, m);
    }
    if (link.telescopes) [[unlikely]] {
      link.f_e[0] += link.armature[0] * etadd[0];
      add_guide_forces(link, v);
    }
  });
}

// The energy of (1): 1/2 V_R . M_rr V_R + v . Int pdot + w . Int p x pdot + 1/2 Int pdot . pdot.
template <typename Scalar>
LinkMotion<Scalar> motion_of(LinkWork<Scalar>& link, const Scalar* q, const Scalar* v) {
  const Scalar half(0.5);
  if (!link.flexible)
    return {half * dot(link.V_R, link.rigid * link.V_R), link.rigid.mass, link.rigid.moment};
  const FieldWork<Scalar>& field = link.field;
  const Scalar *eta = q + link.elastic_q(), *rate = v + link.elastic_v();
  move_field(link, eta, rate);
  const LaneInertia<Scalar> M_rr = frame_mass(link);
  LinkMotion<Scalar> motion{half * dot(link.V_R, M_rr * link.V_R), M_rr.mass, M_rr.moment};
  motion.kinetic += dot(link.V_R.linear, moment_of(field, field.mu_rate)) +
                    dot(link.V_R.angular, axial(field_times(field, field.mu_rate).transposed()));
  for (int axis = 0; axis < 3; ++axis)
    for (int b = field.axis_begin[axis]; b < field.axis_begin[axis + 1]; ++b)
      motion.kinetic += half * field.mu_rate[b] * field.gram_rate[axis * field.stride + b];
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
  turn_joints(work, q);
  for (LinkWork<Scalar>& link : work.links) {
    update_velocities_of(work, link, q, v);
    update_inertia_of(link, q, v);
  }
}

template <typename Scalar>
void update_field_mass(LinkWork<Scalar>& link, const Scalar* eta) {
  place_field(link, eta);
  set_field_mass(link, eta, link.m);
}

}  // namespace limber::detail
