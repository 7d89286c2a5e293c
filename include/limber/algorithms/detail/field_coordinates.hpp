// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A body of finite elements bends by its modes, and by sums of the same modes where it foreshortens ((1) of beam/reduced_body.hpp): its field is linear in coordinates
// z of its own,
//
//   z_i = eta_i + 1/2 eta^T A_i eta,    T = dz/deta = 1 + B(eta),    B(x)_ij = (A_i x)_j                      (1)
//   zd = T etad,    zdd = T etadd + B(etad) etad                                                              (2)
//
// Masses and forces of such a field are those of one of first order, with a constant M_ee. They do the same work by eta as by z:
//
//   M_re <- M_re T,    M_ee <- T^T M_ee T,    f_e <- T^T f_e                                                  (3)
//
// Only the lowest modes have a part in A (stiffened_modes), so that B has a column for each of these. A beam's terms of second order are functions of x of their own, no sums of
// its shapes: its z is eta, and nothing is done here. (What bodies need is not inlined into what beams do.)

#include <algorithm>
#include <array>

#include "limber/algorithms/detail/weighted_rows.hpp"

namespace limber::detail {

// Rows of B are as long: a constant for all bodies but those of very few modes.
template <typename Scalar, typename Kernel>
LIMBER_INLINE void with_width(const FieldCoordinates<Scalar>& own, Kernel&& kernel) {
  if (own.stride == 8)
    kernel(Constant<8>{});
  else
    kernel(own.stride);
}

// B(x) of (1).
template <typename Scalar>
LIMBER_INLINE void set_slopes(const FieldCoordinates<Scalar>& own, const Scalar* x, Scalar* B) {
  const int length = static_cast<int>(own.B.size());
  sum_rows(NumberRows<Scalar>{own.A.data(), own.stiffened, length}, length,
           std::array{WeightedSum<Scalar>{x, B}});
}

// Element i of B x.
template <typename Scalar>
LIMBER_INLINE Scalar slopes_times(const FieldCoordinates<Scalar>& own, const Array<Scalar>& B, int i,
                                  const Scalar* x) {
  const Scalar* row = B.data() + i * own.stride;
  Scalar sum(0);
  for (int j = 0; j < own.stiffened; ++j) sum += row[j] * x[j];
  return sum;
}

// z of (1), and B(eta).
template <typename Scalar>
const Scalar* place_coordinates(FieldCoordinates<Scalar>& own, const Scalar* eta) {
  set_slopes(own, eta, own.B.data());
  for (int i = 0; i < static_cast<int>(own.place.size()); ++i)
    own.place[i] = eta[i] + Scalar(0.5) * slopes_times(own, own.B, i, eta);
  return own.place.data();
}

// zd of (2): needs B(eta).
template <typename Scalar>
const Scalar* move_coordinates(FieldCoordinates<Scalar>& own, const Scalar* rate) {
  for (int i = 0; i < static_cast<int>(own.rate.size()); ++i)
    own.rate[i] = rate[i] + slopes_times(own, own.B, i, rate);
  return own.rate.data();
}

/// The field's coordinates,
template <typename Scalar>
LIMBER_INLINE const Scalar* coordinates_at(FieldCoordinates<Scalar>& own, const Scalar* eta) {
  if (own.stiffened == 0) [[likely]]
    return eta;
  return place_coordinates(own, eta);
}
/// ... and their rates.
template <typename Scalar>
LIMBER_INLINE const Scalar* coordinate_rates(FieldCoordinates<Scalar>& own, const Scalar* rate) {
  if (own.stiffened == 0) [[likely]]
    return rate;
  return move_coordinates(own, rate);
}

/// zdd of (2), and B(etad): needs B(eta), and that z is not eta. `etadd` is null where it is unknown.
template <typename Scalar>
const Scalar* accelerate_coordinates(FieldCoordinates<Scalar>& own, const Scalar* rate, const Scalar* etadd) {
  set_slopes(own, rate, own.B_rate.data());
  for (int i = 0; i < static_cast<int>(own.second.size()); ++i) {
    own.second[i] = slopes_times(own, own.B_rate, i, rate);
    if (etadd != nullptr) own.second[i] += etadd[i] + slopes_times(own, own.B, i, etadd);
  }
  return own.second.data();
}

/// From z to eta: to_j += Sum_i B_ij of_z_i.
template <typename Scalar, typename Element>
LIMBER_INLINE void add_by_slopes(const FieldCoordinates<Scalar>& own, const Element* of_z, Element* to) {
  const int m = static_cast<int>(own.place.size());
  for (int j = 0; j < own.stiffened; ++j) {
    Element sum = to[j];
    for (int i = 0; i < m; ++i) sum += of_z[i] * own.B[i * own.stride + j];
    to[j] = sum;
  }
}

/// (3) of M_re and M_ee, which are those of z so far.
template <typename Scalar>
void bring_mass(LinkWork<Scalar>& link) {
  FieldCoordinates<Scalar>& own = link.field.own;
  const int m = link.m;
  std::copy_n(link.M_re.data(), m, own.M_re.data());
  add_by_slopes(own, own.M_re.data(), link.M_re.data());

  // M + M B + (M B)^T + B^T (M B): the lower triangle of the columns that B has, and then the upper one.
  const int n = own.stiffened, stride = own.stride;
  with_width(own, [&](auto width) {
    for (int i = 0; i < m; ++i)
      sum_rows(NumberRows<Scalar>{own.B.data(), m, width}, width,
               std::array{WeightedSum<Scalar>{link.field.M_ee.data() + i * m, own.M_B.data() + i * stride}});
  });
  const Scalar *B = own.B.data(), *M_B = own.M_B.data();
  for (int i = 0; i < m; ++i)
    for (int j = 0; j <= i && j < n; ++j) {
      link.M_ee[i * m + j] += M_B[i * stride + j];
      if (i < n) link.M_ee[i * m + j] += M_B[j * stride + i];
    }
  for (int l = 0; l < m; ++l)
    for (int i = 0; i < n; ++i)
      subtract_row(link.M_ee.data() + i * m, M_B + l * stride, Scalar(-B[l * stride + i]), i + 1);
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < i && j < n; ++j) link.M_ee[j * m + i] = link.M_ee[i * m + j];
}

/// (3) of f_e, which is that of z so far.
template <typename Scalar>
void bring_forces(LinkWork<Scalar>& link) {
  FieldCoordinates<Scalar>& own = link.field.own;
  std::copy_n(link.f_e.data(), link.m, own.f_e.data());
  add_by_slopes(own, own.f_e.data(), link.f_e.data());
}

}  // namespace limber::detail
