// SPDX-License-Identifier: BSD-3-Clause
// The sweeps for one scalar, LIMBER_SCALAR of LIMBER_SCALAR_HEADER. Where LIMBER_TABLE is set, they are one of several for their
// scalar, and a function of that name gives their table (kernel_tables.cpp).

#include "limber/algorithms/detail/sweeps.hpp"

#include "limber/algorithms/detail/instantiate.hpp"
#include LIMBER_SCALAR_HEADER

#if defined(LIMBER_TABLE)
LIMBER_INSTANTIATE_STAGES(LIMBER_SCALAR)
extern "C" const void* LIMBER_TABLE() { return &limber::detail::sweeps<LIMBER_SCALAR>; }
#else
LIMBER_INSTANTIATE_SWEEPS(LIMBER_SCALAR)
#endif
