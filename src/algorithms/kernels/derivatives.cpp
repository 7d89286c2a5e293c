// SPDX-License-Identifier: BSD-3-Clause
// The sweeps of derivatives for one level of processors.

#include "limber/algorithms/detail/derivatives.hpp"

#include "limber/algorithms/detail/derivatives_of_acceleration.hpp"

namespace {
constexpr limber::detail::DerivativeKernels kernels{&limber::detail::force_derivatives,
                                                    &limber::detail::solve};
}

extern "C" const void* LIMBER_TABLE() { return &kernels; }
