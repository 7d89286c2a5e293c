// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The rotary inertia of a flexible link's sections.

#include "limber/algorithms/detail/arm_work.hpp"

namespace limber::detail {

// Rows of the scratch: at first order M_wt by rows, Jl n, M_tt as Symmetric; at second order R_Rs by rows, n, I_s w_j for one j,
// and all w_j.
inline constexpr int M_wt_row = 0, R_row = 0, moment_row = 9, M_tt_row = 12, I_w_row = 12, w_row = 15;
/// Their number for a link with m elastic coordinates.
inline int section_scratch_rows(int m, bool second_order) {
  return second_order ? w_row + 3 * m : M_tt_row + 6;
}

/// Adds what the sections contribute to M_rr, M_re and M_ee of a flexible link, and, unless `rate` is null, to f_r and
/// f_e.
template <typename Scalar>
void add_sections(LinkWork<Scalar>& link, const Scalar* eta, const Scalar* rate);

/// The energy of their turning.
template <typename Scalar>
Scalar section_energy(LinkWork<Scalar>& link, const Scalar* eta, const Scalar* rate);

/// Adds to f_r and f_e of a flexible link the whole forces of its sections, where link.A_R and etadd are known.
template <typename Scalar>
void add_section_forces(LinkWork<Scalar>& link, const Scalar* eta, const Scalar* rate, const Scalar* etadd);

}  // namespace limber::detail
