// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The rotary inertia of a flexible link's sections, summed over the points that stand for them.
//
// A section s turns against R by R_Rs = exp(theta), theta = Sum_t F_t mu_t(eta) e_axis(t); positions do not matter. In its own axes
// its inertia is a constant diagonal I_s, so everything is computed there, with Jr = R_Rs^T Jl and, since Jr(theta) =
// Jl(-theta), Jr = Jl^T. With w of V_R, theta_j = dtheta/deta_j, u = Jl^T thetadot:
//
//   angular velocity    w_s   = R_Rs^T w + u                                                             (1)
//   its rate at rest    alpha = (R_Rs^T w) x u + (d/dt Jl^T) thetadot + Jl^T Sum_t F_t mudd_t e_axis(t)  (2)
//   moment              n     = I_s alpha + w_s x I_s w_s                                                (3)
//
// (mudd: the part that is quadratic in the rates; at first order zero.) Per wdot the section turns by R_Rs^T, per etadd_j by
// w_j = Jl^T theta_j. Hence it adds
//
//   R_Rs I_s R_Rs^T to M_rr's inertia,   R_Rs I_s w_j to M_re_j,   w_j . I_s w_k to M_ee                 (4)
//   R_Rs n to f_r's moment,              w_j . n to f_e_j                                                (5)
//
// At second order this is how it is computed. At first order theta_j is a constant along one axis, and with M_t = Jl I_s
//
//   R_Rs I_s w_j = M_wt theta_j,  M_wt = R_Rs M_t^T;   w_j . I_s w_k = theta_j . M_tt theta_k,  M_tt = M_t Jl^T;
//   w_j . n = theta_j . Jl n                                                                             (6)
//
// leave one product each.
//
// As in rotation_series.hpp, Jl^T = 1 - c2 [theta] + c3 [theta]^2, and with X = theta x thetadot
//
//   (d/dt Jl^T) thetadot = -dc2 sdot X + (dc3 sdot theta + c3 thetadot) x X,   sdot = 2 theta . thetadot  (7)
//
// Where the acceleration is known, (2) is the whole angular acceleration, with R_Rs^T wdot and etadd's part of mudd: then
// (3) is the whole moment, and (5) all there is to add.
//
// Points are taken a packet at a time. What depends on eta alone is of type P, what depends on rates too of type V:
// both the scalar's packets; but where forces are asked for and eta carries no derivatives (most sweeps of a derivative), P is plain.

#include <algorithm>
#include <type_traits>

#include "limber/algorithms/detail/sections.hpp"

namespace limber::detail {
// diag(a) b
template <typename A, typename B>
LIMBER_INLINE auto each_times(const Vec3<A>& a, const Vec3<B>& b) {
  return Vec3<ProductOf<A, B>>(a[0] * b[0], a[1] * b[1], a[2] * b[2]);
}

// By rows.
template <typename T>
struct Rows {
  Vec3<T> x, y, z;
};
template <typename A, typename B>
LIMBER_INLINE Vec3<ProductOf<A, B>> times(const Rows<A>& M, const Vec3<B>& b) {
  return {dot(M.x, b), dot(M.y, b), dot(M.z, b)};
}
template <typename A, typename B>
LIMBER_INLINE Vec3<ProductOf<A, B>> transposed_times(const Rows<A>& M, const Vec3<B>& b) {
  return M.x * b[0] + M.y * b[1] + M.z * b[2];
}
// M D with a diagonal D.
template <typename A, typename B>
LIMBER_INLINE Rows<ProductOf<A, B>> scaled_columns(const Rows<A>& M, const Vec3<B>& D) {
  return {each_times(M.x, D), each_times(M.y, D), each_times(M.z, D)};
}

template <typename T>
LIMBER_INLINE Rows<T> quadratic(const Vec3<T>& theta, const T& s, const T& a, const T& b) {
  return limber::quadratic_in_skew(theta, s, a, b,
                                   [](const T& xx, const T& xy, const T& xz, const T& yx, const T& yy,
                                      const T& yz, const T& zx, const T& zy, const T& zz) {
                                     return Rows<T>{{xx, xy, xz}, {yx, yy, yz}, {zx, zy, zz}};
                                   });
}

// The six numbers of a symmetric A B^T.
template <typename T>
struct Symmetric {
  T xx, xy, xz, yy, yz, zz;
};
template <typename T>
LIMBER_INLINE Symmetric<T> symmetric_product(const Rows<T>& A, const Rows<T>& B) {
  return {dot(A.x, B.x), dot(A.x, B.y), dot(A.x, B.z), dot(A.y, B.y), dot(A.y, B.z), dot(A.z, B.z)};
}

// Which of M_tt's six numbers is element (i, j).
inline constexpr int symmetric_index[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};  // NOLINT

// Rows of packets: reads and writes packets of type T.
template <typename Scalar, typename T>
struct Scratch {
  using Traits = PacketTraits<T>;
  using Number = typename SectionWork<Scalar>::Number;
  // Rows are as long as the scalar's packets need, also where P is plain.
  static constexpr int numbers = PacketTraits<typename PacketsOf<Scalar>::Moving>::numbers;

  Number* data;
  int count;

  LIMBER_INLINE T get(int row, int i) const { return Traits::load(data + row * numbers * count + i, count); }
  LIMBER_INLINE void set(int row, int i, const T& x) const {
    Traits::store(x, data + row * numbers * count + i, count);
  }
};

// A packet of a coordinate or a rate, all the same; without derivatives where T has none.
template <typename T, typename Scalar>
LIMBER_INLINE T all_same(const Scalar& value) {
  if constexpr (std::is_same_v<Scalar, Dual> && std::is_same_v<T, Doubles>)
    return T(value.value());
  else
    return T(value);
}

// What every packet of sections adds to sums over all of them.
template <typename P, typename V>
struct Sums {
  Symmetric<P> inertia{P(0.0), P(0.0), P(0.0), P(0.0), P(0.0), P(0.0)};
  Vec3<V> moment = Vec3<V>::zero();
};

template <typename Scalar>
struct Kernel {
  using Work = SectionWork<Scalar>;
  using Constant = typename PacketsOf<Scalar>::Constant;
  using Number = typename Work::Number;
  static constexpr int width = PacketTraits<Constant>::width;

  LIMBER_INLINE static Constant constant(const Array<Number>& rows, int row, int count, int i) {
    return PacketTraits<Constant>::load(rows.data() + row * count + i, count);
  }

  // Sum_t F_t values_t of one axis.
  template <typename T>
  LIMBER_INLINE static T sum_terms(const Work& work, const Array<Scalar>& values, int axis, int i) {
    T sum(0.0);
    for (int t = work.axis_begin[axis]; t < work.axis_begin[axis + 1]; ++t)
      sum = sum + constant(work.F, t, work.count, i) * all_same<T>(values[t]);
    return sum;
  }
  template <typename T>
  LIMBER_INLINE static Vec3<T> sum_terms(const Work& work, const Array<Scalar>& values, int i) {
    return {sum_terms<T>(work, values, 0, i), sum_terms<T>(work, values, 1, i),
            sum_terms<T>(work, values, 2, i)};
  }

  template <typename T>
  LIMBER_INLINE static Vec3<T> vector(const Scratch<Scalar, T>& rows, int row, int i) {
    return {rows.get(row, i), rows.get(row + 1, i), rows.get(row + 2, i)};
  }
  template <typename T>
  LIMBER_INLINE static void set_vector(const Scratch<Scalar, T>& rows, int row, int i, const Vec3<T>& value) {
    for (int k = 0; k < 3; ++k) rows.set(row + k, i, value[k]);
  }
  LIMBER_INLINE static Vec3<Constant> inertia(const Work& work, int i) {
    return {constant(work.inertia, 0, work.count, i), constant(work.inertia, 1, work.count, i),
            constant(work.inertia, 2, work.count, i)};
  }

  // A component of theta_j: row 3 j + axis.
  template <typename P>
  LIMBER_INLINE static P slope(const Work& work, const Scalar* eta, int row, int i) {
    P sum(0.0);
    for (int at = work.slopes_begin[row]; at < work.slopes_begin[row + 1]; ++at) {
      const auto [term, factor] = work.slopes[at];
      const Constant F = constant(work.F, term, work.count, i);
      sum = factor < 0 ? P(sum + F) : P(sum + F * all_same<P>(eta[factor]));
    }
    return sum;
  }

  template <typename P>
  LIMBER_INLINE static Vec3<P> slopes(const Work& work, const Scalar* eta, int j, int i) {
    return {slope<P>(work, eta, 3 * j, i), slope<P>(work, eta, 3 * j + 1, i),
            slope<P>(work, eta, 3 * j + 2, i)};
  }

  // to_w with w_j = to_w^T theta_j: Jl, or R_Rs where the angular velocity per etad_j is to be theta_j itself.
  template <typename P>
  LIMBER_INLINE static const Rows<P>& screws(const Work& work, const Rows<P>& R_Rs, const Rows<P>& Jl) {
    if constexpr (!std::is_arithmetic_v<Scalar>)  // plain numbers never ask for it, and should not pay
      if (work.constant_screws) return R_Rs;
    return Jl;
  }

  // How the sections of a packet are turned.
  template <typename P>
  struct Turned {
    Vec3<P> theta;
    rotation_series::Values<P> c;
    Rows<P> R_Rs, Jl;
  };
  template <typename P>
  LIMBER_INLINE static Turned<P> turned(const Work& work, int i) {
    const Vec3<P> theta = sum_terms<P>(work, work.mu, i);
    const P s = dot(theta, theta);
    const rotation_series::Values<P> c = rotation_series::values(s);
    return {theta, c, quadratic(theta, s, c.c1, c.c2), quadratic(theta, s, c.c2, c.c3)};
  }

  template <typename V>
  LIMBER_INLINE static Vec3<V> all_same_vector(const Vec3<Scalar>& value) {
    return {all_same<V>(value[0]), all_same<V>(value[1]), all_same<V>(value[2])};
  }

  // (3) of a packet. `wdot`: null where it is unknown; `has_second`: whether mu_second may be other than zero.
  template <typename P, typename V, bool has_second>
  LIMBER_INLINE static Vec3<V> moment(const Work& work, const Turned<P>& at, const Vec3<Constant>& I_s,
                                      const Vec3<V>& w, const Vec3<V>* wdot, int i) {
    const Vec3<V> rate = sum_terms<V>(work, work.mu_rate, i);
    const Vec3<V> w_frame = transposed_times(at.R_Rs, w), u = transposed_times(at.Jl, rate);
    const Vec3<V> w_s = w_frame + u;  // (1)
    const V half_s_rate = dot(at.theta, rate);
    const V s_rate = half_s_rate + half_s_rate;
    const Vec3<V> X = cross(at.theta, rate);
    Vec3<V> alpha = cross(w_frame, u) - X * V(at.c.dc2 * s_rate) +
                    cross(at.theta * V(at.c.dc3 * s_rate) + rate * at.c.c3, X);  // (2), (7)
    if constexpr (has_second)
      alpha = alpha + transposed_times(screws(work, at.R_Rs, at.Jl), sum_terms<V>(work, work.mu_second, i));
    if (wdot) alpha = alpha + transposed_times(at.R_Rs, *wdot);
    return each_times(I_s, alpha) + cross(w_s, each_times(I_s, w_s));
  }

  // What (4) and (5) need of all sections, into the scratch; the sums of R_Rs I_s R_Rs^T and R_Rs n.
  template <typename P, typename V, bool moves, bool second_order>
  LIMBER_INLINE static Sums<P, V> turn(Work& work, const Scalar* eta, const Vec3<Scalar>& w_link, int m) {
    const int count = work.count;
    const Scratch<Scalar, P> positions{work.scratch.data(), count};
    const Scratch<Scalar, V> motions{work.scratch.data(), count};
    const Vec3<V> w = all_same_vector<V>(w_link);
    Sums<P, V> sums;
    for (int i = 0; i < count; i += width) {
      const Turned<P> at = turned<P>(work, i);
      const Rows<P>&R_Rs = at.R_Rs, &Jl = at.Jl;
      const Vec3<Constant> I_s = inertia(work, i);
      const Symmetric<P> I_R = symmetric_product(scaled_columns(R_Rs, I_s), R_Rs);
      sums.inertia = {sums.inertia.xx + I_R.xx, sums.inertia.xy + I_R.xy, sums.inertia.xz + I_R.xz,
                      sums.inertia.yy + I_R.yy, sums.inertia.yz + I_R.yz, sums.inertia.zz + I_R.zz};
      if constexpr (second_order) {
        set_vector(positions, R_row, i, R_Rs.x);
        set_vector(positions, R_row + 3, i, R_Rs.y);
        set_vector(positions, R_row + 6, i, R_Rs.z);
        for (int j = 0; j < m; ++j) {
          set_vector(positions, w_row + 3 * j, i, transposed_times(Jl, slopes<P>(work, eta, j, i)));
        }
      } else {  // (6)
        const Rows<P>& to_w = screws(work, R_Rs, Jl);
        const Rows<P> M_t = scaled_columns(to_w, I_s);
        const Symmetric<P> M_tt = symmetric_product(M_t, to_w);
        set_vector(positions, M_wt_row, i, times(M_t, R_Rs.x));
        set_vector(positions, M_wt_row + 3, i, times(M_t, R_Rs.y));
        set_vector(positions, M_wt_row + 6, i, times(M_t, R_Rs.z));
        set_vector(positions, M_tt_row, i, {M_tt.xx, M_tt.xy, M_tt.xz});
        set_vector(positions, M_tt_row + 3, i, {M_tt.yy, M_tt.yz, M_tt.zz});
      }
      if constexpr (moves) {
        const Vec3<V> n = moment<P, V, second_order>(work, at, I_s, w, nullptr, i);
        if constexpr (second_order)
          set_vector(motions, moment_row, i, n);
        else
          set_vector(motions, moment_row, i, times(screws(work, R_Rs, Jl), n));
        sums.moment = sums.moment + times(R_Rs, n);  // (5)
      }
    }
    return sums;
  }

  // The rest of (4) and (5) where every coordinate turns sections about one axis, by constants.
  template <typename P, typename V, bool moves>
  LIMBER_INLINE static void add_first_order(Work& work, LinkWork<Scalar>& link, int m) {
    const int count = work.count;
    const Scratch<Scalar, P> positions{work.scratch.data(), count};
    const Scratch<Scalar, V> motions{work.scratch.data(), count};
    const Number* product = work.products.data();
    for (int j = 0; j < m; ++j) {
      const int term = work.linear_term[j];
      if (term < 0) {
        product += (j + 1) * count;
        continue;
      }
      const int axis = work.terms[term].axis;
      Vec3<P> M_wt = Vec3<P>::zero();
      V force(0.0);
      for (int i = 0; i < count; i += width) {
        const Constant f = constant(work.F, term, count, i);
        for (int k = 0; k < 3; ++k) M_wt.set(k, M_wt[k] + positions.get(M_wt_row + 3 * k + axis, i) * f);
        if constexpr (moves) force = force + motions.get(moment_row + axis, i) * f;
      }
      add(link.M_re[j].moment, M_wt);
      if constexpr (moves) link.f_e[j] += PacketTraits<V>::sum(force);
      for (int k = 0; k <= j; ++k, product += count) {
        if (work.linear_term[k] < 0) continue;
        const int row = M_tt_row + symmetric_index[axis][work.terms[work.linear_term[k]].axis];
        P mass(0.0);
        for (int i = 0; i < count; i += width)
          mass = mass + positions.get(row, i) * PacketTraits<Constant>::load(product + i, count);
        add_mass(link, j, k, m, mass);
      }
    }
  }

  // The same where coordinates turn sections about all axes.
  template <typename P, typename V, bool moves>
  LIMBER_INLINE static void add_second_order(Work& work, LinkWork<Scalar>& link, int m) {
    const int count = work.count;
    const Scratch<Scalar, P> positions{work.scratch.data(), count};
    const Scratch<Scalar, V> motions{work.scratch.data(), count};
    for (int j = 0; j < m; ++j) {
      Vec3<P> momentum = Vec3<P>::zero();
      V force(0.0);
      for (int i = 0; i < count; i += width) {
        const Vec3<P> w_j = vector(positions, w_row + 3 * j, i), I_w = each_times(inertia(work, i), w_j);
        set_vector(positions, I_w_row, i, I_w);
        for (int k = 0; k < 3; ++k)
          momentum.set(k, momentum[k] + dot(vector(positions, R_row + 3 * k, i), I_w));
        if constexpr (moves) force = force + dot(vector(motions, moment_row, i), w_j);
      }
      add(link.M_re[j].moment, momentum);
      if constexpr (moves) link.f_e[j] += PacketTraits<V>::sum(force);
      for (int k = 0; k <= j; ++k) {
        P mass(0.0);
        for (int i = 0; i < count; i += width)
          mass = mass + dot(vector(positions, I_w_row, i), vector(positions, w_row + 3 * k, i));
        add_mass(link, j, k, m, mass);
      }
    }
  }

  // 1/2 w_s . I_s w_s of all sections.
  template <typename P, typename V>
  LIMBER_INLINE static Scalar energy(const LinkWork<Scalar>& link) {
    const Work& work = link.sections;
    const Vec3<V> w = all_same_vector<V>(link.V_R.angular);
    V sum(0.0);
    for (int i = 0; i < work.count; i += width) {
      const Turned<P> at = turned<P>(work, i);
      const Vec3<V> rate = sum_terms<V>(work, work.mu_rate, i);
      const Vec3<V> w_s = transposed_times(at.R_Rs, w) + transposed_times(screws(work, at.R_Rs, at.Jl), rate);
      sum = sum + dot(w_s, each_times(inertia(work, i), w_s));
    }
    return Scalar(0.5) * PacketTraits<V>::sum(sum);
  }

  // (5) where the acceleration is known.
  template <typename P, typename V, bool second_order>
  LIMBER_INLINE static void add_forces(LinkWork<Scalar>& link, const Scalar* eta) {
    Work& work = link.sections;
    const int count = work.count;
    const Scratch<Scalar, V> motions{work.scratch.data(), count};
    const Vec3<V> w = all_same_vector<V>(link.V_R.angular), wdot = all_same_vector<V>(link.A_R.angular);
    Vec3<V> sum = Vec3<V>::zero();
    for (int i = 0; i < count; i += width) {
      const Turned<P> at = turned<P>(work, i);
      const Vec3<V> n = moment<P, V, true>(work, at, inertia(work, i), w, &wdot, i);
      set_vector(motions, moment_row, i, times(screws(work, at.R_Rs, at.Jl), n));
      sum = sum + times(at.R_Rs, n);
    }
    add(link.f_r.moment, sum);
    for (int j = 0; j < link.m; ++j) {
      V force(0.0);
      if constexpr (second_order) {
        for (int i = 0; i < count; i += width)
          force = force + dot(slopes<P>(work, eta, j, i), vector(motions, moment_row, i));
      } else {
        const int term = work.linear_term[j];
        if (term < 0) continue;
        const int row = moment_row + work.terms[term].axis;
        for (int i = 0; i < count; i += width)
          force = force + motions.get(row, i) * constant(work.F, term, count, i);
      }
      link.f_e[j] += PacketTraits<V>::sum(force);
    }
  }

  template <typename P>
  LIMBER_INLINE static void add(Vec3<Scalar>& to, const Vec3<P>& sums) {
    using Traits = PacketTraits<P>;
    to += Vec3<Scalar>(Traits::sum(sums[0]), Traits::sum(sums[1]), Traits::sum(sums[2]));
  }
  template <typename P>
  LIMBER_INLINE static void add_mass(LinkWork<Scalar>& link, int j, int k, int m, const P& mass) {
    const Scalar value = link.M_ee[j * m + k] + PacketTraits<P>::sum(mass);
    link.M_ee[j * m + k] = value;
    link.M_ee[k * m + j] = value;
  }

  template <typename P, typename V, bool moves, bool second_order>
  LIMBER_INLINE static void add_all(LinkWork<Scalar>& link, const Scalar* eta) {
    Work& work = link.sections;
    const Sums<P, V> sums = turn<P, V, moves, second_order>(work, eta, link.V_R.angular, link.m);
    const Symmetric<P>& I_R = sums.inertia;
    add(link.M_rr.inertia[0], Vec3<P>(I_R.xx, I_R.xy, I_R.xz));
    add(link.M_rr.inertia[1], Vec3<P>(I_R.xy, I_R.yy, I_R.yz));
    add(link.M_rr.inertia[2], Vec3<P>(I_R.xz, I_R.yz, I_R.zz));
    if constexpr (moves) add(link.f_r.moment, sums.moment);
    if constexpr (second_order)
      add_second_order<P, V, moves>(work, link, link.m);
    else
      add_first_order<P, V, moves>(work, link, link.m);
  }
};

// `rate` and `etadd` are null where they are unknown.
template <typename Scalar>
void set_monomials(SectionWork<Scalar>& work, const Scalar* eta, const Scalar* rate, const Scalar* etadd) {
  for (std::size_t t = 0; t < work.terms.size(); ++t) {
    const auto [axis, j, k] = work.terms[t];
    work.mu[t] = k < 0 ? eta[j] : Scalar(eta[j] * eta[k]);
    if (rate == nullptr) continue;
    work.mu_rate[t] = k < 0 ? rate[j] : Scalar(rate[j] * eta[k] + eta[j] * rate[k]);
    Scalar second = k < 0 ? Scalar(0) : Scalar(Scalar(2) * rate[j] * rate[k]);
    if (etadd != nullptr) second += k < 0 ? etadd[j] : Scalar(etadd[j] * eta[k] + eta[j] * etadd[k]);
    work.mu_second[t] = second;
  }
}

inline bool has_derivatives(const Dual* values, int count) {
  return std::any_of(values, values + count, [](const Dual& x) { return (x.derivatives() != 0.0).any(); });
}

// kernel(second_order), a constant.
template <typename Scalar, typename Call>
LIMBER_INLINE void with_order(const LinkWork<Scalar>& link, Call&& kernel) {
  if (link.sections.second_order)
    kernel(std::true_type());
  else
    kernel(std::false_type());
}

// kernel(P(), second_order), both constants.
template <typename Scalar, typename Call>
LIMBER_INLINE void with_packets(const LinkWork<Scalar>& link, const Scalar* eta, Call&& kernel) {
  const auto call = [&](auto positions) {
    with_order(link, [&](auto second_order) { kernel(positions, second_order); });
  };
  if constexpr (std::is_same_v<Scalar, Dual>)
    if (!has_derivatives(eta, link.m)) return call(Doubles());
  call(typename PacketsOf<Scalar>::Moving());
}

template <typename Scalar>
void add_sections(LinkWork<Scalar>& link, const Scalar* eta, const Scalar* rate) {
  if (link.sections.count == 0) return;
  using V = typename PacketsOf<Scalar>::Moving;
  set_monomials<Scalar>(link.sections, eta, rate, nullptr);
  // Mass matrices with derivatives are not asked for often enough to compile them for plain positions, too.
  with_order(link, [&](auto second_order) {
    if (rate != nullptr)
      Kernel<Scalar>::template add_all<V, V, true, second_order>(link, eta);
    else
      Kernel<Scalar>::template add_all<V, V, false, second_order>(link, eta);
  });
}

template <typename Scalar>
Scalar section_energy(LinkWork<Scalar>& link, const Scalar* eta, const Scalar* rate) {
  if (link.sections.count == 0) return Scalar(0);
  using V = typename PacketsOf<Scalar>::Moving;
  set_monomials<Scalar>(link.sections, eta, rate, nullptr);
  return Kernel<Scalar>::template energy<V, V>(link);
}

template <typename Scalar>
void add_section_forces(LinkWork<Scalar>& link, const Scalar* eta, const Scalar* rate, const Scalar* etadd) {
  if (link.sections.count == 0) return;
  using V = typename PacketsOf<Scalar>::Moving;
  set_monomials(link.sections, eta, rate, etadd);
  with_packets(link, eta, [&](auto positions, auto second_order) {
    Kernel<Scalar>::template add_forces<decltype(positions), V, second_order>(link, eta);
  });
}

}  // namespace limber::detail
