#pragma once

// The rotary inertia of a flexible link's sections.

#include "limber/algorithms/workspace.hpp"

namespace limber {

/// Rows of numbers that the sections of a link with m elastic coordinates need to be summed.
int section_scratch_rows(int m, bool second_order);

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

}  // namespace limber
