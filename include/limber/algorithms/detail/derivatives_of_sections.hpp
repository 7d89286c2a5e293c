// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Derivatives of the forces of a flexible link's sections with rotary inertia by its own coordinates. A section is a body without place that turns with
// w_s = w + Jl thetadot: (8) of limber/algorithms/derivatives.hpp with (1) of derivatives_of_node.hpp, all in the axes of R. With its inertia I = R_Rs I_s R_Rs^T, its moment n and
// 2 N = -tr(I) [w_s] + 2 [w_s] I, an elastic coordinate's theta_j and its rates give
//
//   moment:   Y_0 theta_j + Y_1 thetadot_j + I Jl thetaddot_j,    Y_0 = I D_2 + 2 N D_1,   Y_1 = 2 I D_1 + 2 N Jl                (1)
//   by etad_j:              Y_1 theta_j + 2 I Jl thetadot_j,       by etadd_j:  I Jl theta_j
//   wrench:   the same, and w_j x n = -[n] Jl theta_j by eta_j                                                                    (2)
//   row k:    theta_k . (X_0 theta_j + X_1 thetadot_j + X_2 thetaddot_j) + theta_jk . Jl^T n,
//             X_0 = Jl^T Y_0 + (d(Jl^T n)/dtheta)^T,  X_1 = Jl^T Y_1,  X_2 = Jl^T I Jl                                            (3)
//   Y_j = 2 N^T Jl theta_j                                                                                                        (4)
//
// Points are taken a packet at a time; at first order theta_j is a constant along one axis, and its rates are zero.

#include "limber/algorithms/detail/derivative_work.hpp"
#include "limber/algorithms/detail/section_sums.hpp"
#include "limber/math/detail/rotation_jet.hpp"

namespace limber::detail {

using PacketVector = Vec3<Doubles>;
using PacketRows = Rows<Doubles>;

LIMBER_INLINE PacketRows operator+(const PacketRows& A, const PacketRows& B) {
  return {A.x + B.x, A.y + B.y, A.z + B.z};
}
LIMBER_INLINE PacketRows operator-(const PacketRows& A, const PacketRows& B) {
  return {A.x - B.x, A.y - B.y, A.z - B.z};
}
LIMBER_INLINE PacketRows operator*(const PacketRows& A, const Doubles& s) {
  return {A.x * s, A.y * s, A.z * s};
}
LIMBER_INLINE PacketRows product(const PacketRows& A, const PacketRows& B) {
  return {transposed_times(B, A.x), transposed_times(B, A.y), transposed_times(B, A.z)};
}
LIMBER_INLINE PacketRows transposed(const PacketRows& A) {
  return {{A.x[0], A.y[0], A.z[0]}, {A.x[1], A.y[1], A.z[1]}, {A.x[2], A.y[2], A.z[2]}};
}
/// [a] A
LIMBER_INLINE PacketRows cross_rows(const PacketVector& a, const PacketRows& A) {
  return {A.z * a[1] - A.y * a[2], A.x * a[2] - A.z * a[0], A.y * a[0] - A.x * a[1]};
}

/// Packets of section_sums, for m coordinates: the sums of K, C and M, then of the columns' and rows' three-vectors.
inline int section_sum_count(int m) { return 3 * m * m + 12 * m; }

struct SectionDerivatives {
  using Base = Kernel<double>;
  static constexpr int width = Base::width;

  // The matrices of (1) to (4) at the points of a packet.
  struct Point {
    PacketRows X_0, X_1, X_2, F_0, Y_1, I_Jl, N_Jl;  // F_0 of the wrench: Y_0 - [n] Jl; N_Jl = 2 N^T Jl
    PacketVector Jl_n;                               // Jl^T n
    PacketRows I, spin;                              // spin: Int dr/dt r^T = 1/2 tr(I) [w_s] - [w_s] I
  };

  LIMBER_INLINE static Point point(const LinkWork<double>& link, int i) {
    const SectionWork<double>& work = link.sections;
    const PacketVector theta = Base::sum_terms<Doubles>(work, work.mu, i),
                       rate = Base::sum_terms<Doubles>(work, work.mu_rate, i),
                       second = Base::sum_terms<Doubles>(work, work.mu_second, i);
    const PacketVector w = Base::all_same_vector<Doubles>(link.V_R.angular),
                       alpha = Base::all_same_vector<Doubles>(link.A_R.angular);
    const RotationJet<Doubles, PacketVector> jet(theta, rate, second);
    const auto make = [](const auto& xx, const auto& xy, const auto& xz, const auto& yx, const auto& yy,
                         const auto& yz, const auto& zx, const auto& zy, const auto& zz) {
      return PacketRows{{xx, xy, xz}, {yx, yy, yz}, {zx, zy, zz}};
    };
    const PacketRows R_Rs = quadratic(theta, jet.s(), jet.values().c1, jet.values().c2),
                     Jl = quadratic(theta, jet.s(), jet.values().c2, jet.values().c3), Jl_1 = jet.first(make),
                     Jl_2 = jet.second(make);
    const PacketRows w_Jl = cross_rows(w, Jl);
    const PacketRows D_1 = Jl_1 + w_Jl;
    const PacketRows D_2 = Jl_2 + cross_rows(w, Jl_1 * Doubles(2.0) + w_Jl) + cross_rows(alpha, Jl);
    const PacketVector I_s = Base::inertia(work, i);
    const Doubles trace = I_s[0] + I_s[1] + I_s[2], two(2.0);
    const PacketRows I = product(scaled_columns(R_Rs, I_s), transposed(R_Rs));
    const PacketVector u = times(Jl, rate), w_s = w + u;
    const PacketVector alpha_s = alpha + cross(w, u) + times(Jl_1, rate) + times(Jl, second);
    const PacketVector n = times(I, alpha_s) + cross(w_s, times(I, w_s));

    Point at;
    at.I = I;
    at.I_Jl = product(I, Jl);
    const PacketRows I_D1 = product(I, D_1), w_s_Jl = cross_rows(w_s, Jl);
    const PacketRows Y_0 = product(I, D_2) + cross_rows(w_s, I_D1) * two - cross_rows(w_s, D_1) * trace;
    at.Y_1 = (I_D1 + cross_rows(w_s, at.I_Jl)) * two - w_s_Jl * trace;
    at.F_0 = Y_0 - cross_rows(n, Jl);
    at.N_Jl = w_s_Jl * trace - product(I, w_s_Jl) * two;
    const PacketRows Jl_T = transposed(Jl);
    at.X_0 = product(Jl_T, Y_0) + transposed(jet.of_transposed_times(n, make));
    at.X_1 = product(Jl_T, at.Y_1);
    at.X_2 = product(Jl_T, at.I_Jl);
    at.Jl_n = transposed_times(Jl, n);
    const Doubles half_trace = trace * Doubles(0.5), o(0.0);
    const PacketVector s = w_s * half_trace;
    at.spin = PacketRows{{o, -s[2], s[1]}, {s[2], o, -s[0]}, {-s[1], s[0], o}} - cross_rows(w_s, I);
    return at;
  }

  LIMBER_INLINE static void add(double* sums, int index, const Doubles& x) {
    double* sum = sums + index * widest_packet;
    (Doubles::load(sum) + x).store(sum);
  }
  LIMBER_INLINE static void add(double* sums, int index, const PacketVector& x) {
    for (int k = 0; k < 3; ++k) add(sums, index + k, x[k]);
  }
  LIMBER_INLINE static PacketVector column(const PacketRows& A, int j) { return {A.x[j], A.y[j], A.z[j]}; }
  LIMBER_INLINE static const Doubles& element(const PacketRows& A, int i, int j) {
    return i == 0 ? A.x[j] : i == 1 ? A.y[j] : A.z[j];
  }

  // Places of the sums.
  static int of_block(int m, int which, int k, int j) { return which * m * m + j * m + k; }
  static int of_vector(int m, int which, int j) { return 3 * m * m + 12 * j + 3 * which; }

  LIMBER_INLINE static void add_first_order(const LinkWork<double>& link, const Point& at, double* sums,
                                            int i) {
    const SectionWork<double>& work = link.sections;
    const int m = link.m;
    for (int j = 0; j < m; ++j) {
      const int t = work.linear_term[j];
      if (t < 0) continue;
      const int axis = work.terms[t].axis;
      const Doubles F_j = Base::constant(work.F, t, work.count, i);
      add(sums, of_vector(m, 0, j), column(at.F_0, axis) * F_j);
      add(sums, of_vector(m, 1, j), column(at.Y_1, axis) * F_j);
      add(sums, of_vector(m, 2, j), column(at.I_Jl, axis) * F_j);
      add(sums, of_vector(m, 3, j), column(at.N_Jl, axis) * F_j);
      for (int k = 0; k < m; ++k) {
        const int s = work.linear_term[k];
        if (s < 0) continue;
        const int row = work.terms[s].axis;
        const Doubles both = F_j * Base::constant(work.F, s, work.count, i);
        add(sums, of_block(m, 0, k, j), element(at.X_0, row, axis) * both);
        add(sums, of_block(m, 1, k, j), element(at.X_1, row, axis) * both);
        add(sums, of_block(m, 2, k, j), element(at.X_2, row, axis) * both);
      }
    }
  }

  // dtheta_j/dt for eta_factor changing at rates; the part of theta_j that does not change is left out.
  LIMBER_INLINE static PacketVector slope_rates(const SectionWork<double>& work, const double* rates, int j,
                                                int i) {
    PacketVector sums = PacketVector::zero();
    for (int axis = 0; axis < 3; ++axis)
      for (int at = work.slopes_begin[3 * j + axis]; at < work.slopes_begin[3 * j + axis + 1]; ++at) {
        const auto [term, factor] = work.slopes[at];
        if (factor >= 0)
          sums.set(axis, sums[axis] + Base::constant(work.F, term, work.count, i) * Doubles(rates[factor]));
      }
    return sums;
  }

  LIMBER_INLINE static void add_second_order(const LinkWork<double>& link, const Point& at, const double* eta,
                                             const double* rate, const double* etadd, double* sums, int i) {
    const SectionWork<double>& work = link.sections;
    const int m = link.m;
    const Doubles two(2.0);
    for (int j = 0; j < m; ++j) {
      const PacketVector theta = Base::slopes<Doubles>(work, eta, j, i),
                         theta_1 = slope_rates(work, rate, j, i), theta_2 = slope_rates(work, etadd, j, i);
      add(sums, of_vector(m, 0, j), times(at.F_0, theta) + times(at.Y_1, theta_1) + times(at.I_Jl, theta_2));
      add(sums, of_vector(m, 1, j), times(at.Y_1, theta) + times(at.I_Jl, theta_1) * two);
      add(sums, of_vector(m, 2, j), times(at.I_Jl, theta));
      add(sums, of_vector(m, 3, j), times(at.N_Jl, theta));
      const PacketVector M = times(at.X_2, theta), M_1 = times(at.X_2, theta_1);
      const PacketVector K = times(at.X_0, theta) + times(at.X_1, theta_1) + times(at.X_2, theta_2),
                         C = times(at.X_1, theta) + M_1 * two;
      for (int k = 0; k < m; ++k) {
        const PacketVector theta_k = Base::slopes<Doubles>(work, eta, k, i);
        add(sums, of_block(m, 0, k, j), dot(theta_k, K));
        add(sums, of_block(m, 1, k, j), dot(theta_k, C));
        add(sums, of_block(m, 2, k, j), dot(theta_k, M));
      }
    }
    for (std::size_t t = 0; t < work.terms.size(); ++t) {
      const auto [axis, j, k] = work.terms[t];
      if (k < 0) continue;
      const Doubles x = at.Jl_n[axis] * Base::constant(work.F, static_cast<int>(t), work.count, i);
      add(sums, of_block(m, 0, k, j), x);
      add(sums, of_block(m, 0, j, k), x);
    }
  }

  LIMBER_INLINE static double sum(const double* sums, int index) {
    return Doubles::load(sums + index * widest_packet).sum();
  }
  LIMBER_INLINE static Vec3<double> vector(const double* sums, int index) {
    return {sum(sums, index), sum(sums, index + 1), sum(sums, index + 2)};
  }
  LIMBER_INLINE static Mat3<double> matrix(const PacketRows& A) {
    return {{A.x[0].sum(), A.y[0].sum(), A.z[0].sum()},
            {A.x[1].sum(), A.y[1].sum(), A.z[1].sum()},
            {A.x[2].sum(), A.y[2].sum(), A.z[2].sum()}};
  }
};

// Inverse dynamics has left mu and its rates there.
inline void differentiate_sections(LinkWork<double>& link, DerivativeLink& d, const double* eta,
                                   const double* rate, const double* etadd, Turning& momentum_R) {
  using S = SectionDerivatives;
  const SectionWork<double>& work = link.sections;
  if (work.count == 0) return;
  double* sums = d.section_sums.data();
  std::fill(d.section_sums.begin(), d.section_sums.end(), 0.0);
  const PacketVector none = PacketVector::zero();
  PacketRows I{none, none, none}, spin = I;
  for (int i = 0; i < work.count; i += S::width) {
    const S::Point at = S::point(link, i);
    I = I + at.I;
    spin = spin + at.spin;
    if (work.second_order)
      S::add_second_order(link, at, eta, rate, etadd, sums, i);
    else
      S::add_first_order(link, at, sums, i);
  }
  link.M_rr.inertia += S::matrix(I);
  momentum_R.moment += S::matrix(spin);
  const int m = link.m;
  for (int j = 0; j < m; ++j) {
    Row& row = d.rows_R[j];
    row.F_q.moment += S::vector(sums, S::of_vector(m, 0, j));
    row.F_v.moment += S::vector(sums, S::of_vector(m, 1, j));
    row.P.moment += S::vector(sums, S::of_vector(m, 2, j));
    row.Y += S::vector(sums, S::of_vector(m, 3, j));
    for (int k = 0; k < m; ++k) {
      d.K[j * d.m_filled + k] += S::sum(sums, S::of_block(m, 0, k, j));
      d.C[j * d.m_filled + k] += S::sum(sums, S::of_block(m, 1, k, j));
      d.M[j * d.m_filled + k] += S::sum(sums, S::of_block(m, 2, k, j));
    }
  }
}

}  // namespace limber::detail
