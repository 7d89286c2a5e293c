// SPDX-License-Identifier: BSD-3-Clause
// The public functions for one scalar, LIMBER_SCALAR of LIMBER_SCALAR_HEADER.

#include "limber/algorithms/detail/checked_calls.hpp"
#include "limber/algorithms/detail/instantiate.hpp"
#include "limber/algorithms/detail/jacobian.hpp"
#include "limber/algorithms/detail/prepare.hpp"
#include LIMBER_SCALAR_HEADER

LIMBER_INSTANTIATE_CALLS(LIMBER_SCALAR)
