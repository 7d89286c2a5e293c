// SPDX-License-Identifier: BSD-3-Clause
// All algorithms for numbers that know when they can be known.

#include "clocked.hpp"

#include "limber/algorithms/own_scalar.hpp"

using limber::benchmarks::Clocked;
LIMBER_INSTANTIATE_SCALAR(Clocked)
