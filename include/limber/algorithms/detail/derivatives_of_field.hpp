// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Derivatives of the forces of a flexible link's distributed mass by its own coordinates: those of detail/inertia.hpp. A point moves with v_R + [w] p + pdot and
// accelerates with a_R + Sum_a F_a accel_a, accel_a = (mu_a ([w]^2 + [alpha]) + 2 mudot_a [w] + mudd_a) e_axis(a). By eta_j that changes by
//
//   daccel_a = (mu_a,j ([w]^2 + [alpha]) + 2 mudot_a,j [w] + mudd_a,j) e_axis(a)                                 by eta_j      (1)
//            = 2 (mu_a,j [w] + mudot_a,j) e_axis(a)                                                              by etad_j     (2)
//
// where mu_a,j = dmu_a/deta_j is 1 or a coordinate, and its rates are those of that coordinate. With f_b = Int F_b (acceleration), G_a = Int F_a p and
// G_ak = Int F_a p_k
//
//   df_v = Sum_a moment_a daccel_a,   df_w = Sum_a (G_a x daccel_a + mu_a,j e_axis(a) x f_a),
//   df_k = Sum_a G_ak . daccel_a + Sum_b mu_b,jk e_axis(b) . f_b                                                                (3)
//   Y_k  = 2 Sum_b mu_b,k (Int F_b dr/dt) x e_axis(b)                                                                           (4)
//
// The field of a body is one of first order in coordinates z of its own, with T = dz/deta and B of field_coordinates.hpp. What (1) to (4) say by z and zd, F_q, F_v, Y,
// K_z, C_z, becomes by eta and etad, where z, zd, zdd change by the columns of T, B(etad), B(etadd) and of 0, T, 2 B(etad),
//
//   F_q <- F_q T + F_v B(etad) + M_rz B(etadd),    F_v <- F_v T + 2 M_rz B(etad),    Y <- Y T
//   K = T^T (K_z T + C_z B(etad) + M_zz B(etadd)) + Sum_i f_i A_i,    C = T^T (C_z T + 2 M_zz B(etad))                          (5)

#include "limber/algorithms/detail/derivative_work.hpp"
#include "limber/algorithms/detail/inertia.hpp"

namespace limber::detail {

LIMBER_INLINE Vec3<double> unit_vector(int axis) {
  return {axis == 0 ? 1.0 : 0.0, axis == 1 ? 1.0 : 0.0, axis == 2 ? 1.0 : 0.0};
}

/// G_ak of (3).
inline void set_field_sums(const FieldWork<double>& field, DerivativeLink& d, const double* eta) {
  std::fill(d.G.begin(), d.G.end(), 0.0);
  const int count = field.axis_begin[3], m = d.m_filled;
  for (const Incidence& at : d.incidences) {
    const double factor = at.factor < 0 ? 1.0 : eta[at.factor];
    const double* gram = field.gram.data() + at.term * field.stride;
    double* G = d.G.data() + at.axis * m + at.coordinate;
    for (int a = 0; a < count; ++a) G[3 * a * m] += gram[a] * factor;
  }
}

// (5), of what is by z so far. Inverse dynamics has left z, zd and f.
template <typename Size>
LIMBER_INLINE void bring_derivatives(const FieldWork<double>& field, DerivativeLink& d, const double* etadd,
                                     Size m) {
  const FieldCoordinates<double>& own = field.own;
  const int n = own.stiffened, stride = own.stride, m_filled = d.m_filled;
  set_slopes(own, etadd, d.B_second.data());
  d.rows_z = d.rows_R;
  d.K_z = d.K;
  d.C_z = d.C;
  for (int j = 0; j < n; ++j) {
    Row& row = d.rows_R[j];
    double *K = d.K.data() + j * m_filled, *C = d.C.data() + j * m_filled;
    for (int i = 0; i < m; ++i) {
      const double place = own.B[i * stride + j], rate = own.B_rate[i * stride + j],
                   second = d.B_second[i * stride + j];
      const Row& by_z = d.rows_z[i];
      row.F_q += by_z.F_q * place + by_z.F_v * rate + own.M_re[i] * second;
      row.F_v += by_z.F_v * place + own.M_re[i] * (2.0 * rate);
      row.Y += by_z.Y * place;
      const double *K_z = d.K_z.data() + i * m_filled, *C_z = d.C_z.data() + i * m_filled,
                   *M_z = field.M_ee.data() + i * m;
      subtract_row(K, K_z, -place, m);
      subtract_row(K, C_z, -rate, m);
      subtract_row(K, M_z, -second, m);
      subtract_row(C, C_z, -place, m);
      subtract_row(C, M_z, -2.0 * rate, m);
    }
  }
  // T^T from the left, and f_i A_i.
  d.K_z = d.K;
  d.C_z = d.C;
  for (int j = 0; j < m; ++j) {
    const int column = j * m_filled;
    add_by_slopes(own, d.K_z.data() + column, d.K.data() + column);
    add_by_slopes(own, d.C_z.data() + column, d.C.data() + column);
  }
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < m; ++i)
      subtract_row(d.K.data() + j * m_filled, own.A.data() + (j * m + i) * stride, -own.f_e[i], n);
}

// What a link's own field, with its rigid root piece, adds to d.body (but its wrench), rows_R, K, C and M. Inverse dynamics has left the products with gram
// there.
template <typename Size>
LIMBER_INLINE void differentiate_field(LinkWork<double>& link, DerivativeLink& d, const double* eta,
                                       const double* rate, const double* etadd, Turning& momentum_R, Size m) {
  FieldWork<double>& field = link.field;
  set_field_mass(link, eta, m);
  if (field.second_order) set_field_sums(field, d, eta);
  const Vec3<double>&v = link.V_R.linear, &w = link.V_R.angular, &a_R = link.A_R.linear;
  const Mat3<double> w_cross = Mat3<double>::skew(w);
  const Mat3<double> of_place = cross_columns(w, w_cross) + Mat3<double>::skew(link.A_R.angular);
  const int count = field.axis_begin[3];

  // Int F_b dr/dt and Int F_b (acceleration)
  Vec3<double>*of_velocity = d.velocity_sums.data(), *of_force = d.force_sums.data();
  const Mat3<double>& I = link.rigid.inertia;
  Mat3<double> X = outer(v, link.rigid.moment) +
                   cross_columns(w, Mat3<double>::scaled_identity(0.5 * I.trace()) - I);  // Int dr/dt p^T
  const auto triple = [&](const Array<double>& products, int b) {
    return Vec3<double>(products[b], products[field.stride + b], products[2 * field.stride + b]);
  };
  for (int b = 0; b < count; ++b) {
    const Vec3<double> place = triple(field.gram_mu, b), moving = triple(field.gram_rate, b);
    of_force[b] =
        a_R * field.moment[b] + of_place * place + cross(w, moving) * 2.0 + triple(field.gram_second, b);
    of_velocity[b] = v * field.moment[b] + cross(w, place) + moving;
    X[field.terms[b].axis] += of_velocity[b] * field.mu[b];
  }
  momentum_R = {v * link.M_rr.mass + cross(w, link.M_rr.moment) + moment_of(field, field.mu_rate), X};

  for (int j = 0; j < m; ++j)
    d.rows_R[j] = {link.M_re[j], Vec3<double>::zero(), Vec3<double>::zero(), LaneWrench<double>::zero(),
                   LaneWrench<double>::zero()};
  const int m_filled = d.m_filled;
  for (const Incidence& at : d.incidences) {
    const auto [a, axis, j, factor] = at;
    const Vec3<double> e = unit_vector(axis);
    const double mu = factor < 0 ? 1.0 : eta[factor];
    Vec3<double> by_q = of_place[axis] * mu, by_v = w_cross[axis] * (2.0 * mu);
    if (factor >= 0) {
      by_q += w_cross[axis] * (2.0 * rate[factor]) + e * etadd[factor];  // (1)
      by_v += e * (2.0 * rate[factor]);                                  // (2)
    }
    const Vec3<double> G_a = triple(field.gram_mu, a);
    Row& row = d.rows_R[j];
    row.F_q += {by_q * field.moment[a], cross(G_a, by_q) + cross(e, of_force[a]) * mu};  // (3)
    row.F_v += {by_v * field.moment[a], cross(G_a, by_v)};
    row.Y += cross(of_velocity[a], e) * (2.0 * mu);  // (4)
    double *K = d.K.data() + j * m_filled, *C = d.C.data() + j * m_filled;
    const double* G = d.G.data() + 3 * a * m_filled;
    for (int k = 0; k < m_filled; k += Doubles::width) {
      Doubles of_q = Doubles::load(K + k), of_v = Doubles::load(C + k);
      for (int i = 0; i < 3; ++i) {
        const Doubles G_ak = Doubles::load(G + i * m_filled + k);
        of_q = of_q + G_ak * Doubles(by_q[i]);
        of_v = of_v + G_ak * Doubles(by_v[i]);
      }
      of_q.store(K + k);
      of_v.store(C + k);
    }
    if (factor >= 0) K[factor] += of_force[a][axis];
  }
  if (field.own.stiffened > 0) bring_derivatives(field, d, etadd, m);
  for (int j = 0; j < m; ++j)
    for (int k = 0; k < m; ++k) d.M[j * m_filled + k] += link.M_ee[j * m + k];
}

}  // namespace limber::detail
