// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The rotary inertia of a flexible link's sections.

#include "limber/algorithms/detail/arm_work.hpp"

namespace limber::detail {

/// Points are filled up to a multiple of this, which is one of the width of every level's packets.
inline constexpr int widest_packet = 4;

// Rows of the scratch: at first order G by rows, Jl n, H as Symmetric; at second order E by rows, n, J y_j for one j,
// and all y_j.
inline constexpr int G_row = 0, E_row = 0, moment_row = 9, H_row = 12, J_y_row = 12, y_row = 15;
/// Their number for a link with m elastic coordinates.
inline int section_scratch_rows(int m, bool second_order) { return second_order ? y_row + 3 * m : H_row + 6; }

/// Adds what the sections contribute to body, M_re and M_ee of a flexible link, and, unless `rate` is null, to p_r and
/// p_e.
template <typename Scalar>
void add_sections(LinkWork<Scalar>& link, const Scalar* eta, const Scalar* rate);

/// The energy of their turning.
template <typename Scalar>
Scalar section_energy(LinkWork<Scalar>& link, const Scalar* eta, const Scalar* rate);

/// Adds to p_r and p_e of a flexible link the whole forces of its sections, where link.A and etadd are known.
template <typename Scalar>
void add_section_forces(LinkWork<Scalar>& link, const Scalar* eta, const Scalar* rate, const Scalar* etadd);

}  // namespace limber::detail
