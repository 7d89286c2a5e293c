// SPDX-License-Identifier: BSD-3-Clause
#include "limber/algorithms/detail/section_sums.hpp"

#include "limber/algorithms/detail/instantiate.hpp"
#include LIMBER_SCALAR_HEADER

LIMBER_INSTANTIATE_SECTIONS(LIMBER_SCALAR)
