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
  for (int j = 0; j < m; ++j)
    for (int k = 0; k < m; ++k) d.M[j * m_filled + k] += link.M_ee[j * m + k];
}

}  // namespace limber::detail
