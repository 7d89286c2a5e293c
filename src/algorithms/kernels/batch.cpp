// SPDX-License-Identifier: BSD-3-Clause
// The sweeps for as many arms at once as a register of this level has lanes.

#include "limber/algorithms/detail/batch_kernels.hpp"
#include "limber/algorithms/detail/forward_dynamics.hpp"
#include "limber/algorithms/detail/inertia.hpp"
#include "limber/algorithms/detail/inverse_dynamics.hpp"
#include "limber/algorithms/detail/kinematics.hpp"
#include "limber/algorithms/detail/mass_matrix.hpp"
#include "limber/algorithms/detail/section_sums.hpp"

namespace limber::detail {

// Loops of constant length (with_sizes.hpp) where a beam has two shapes in one plane or in each of two: then what a link eliminates stays in registers. Each number is
// compiled for itself; for others the loops are loops.
template <int width, typename Kernel>
LIMBER_INLINE void with_elastic_size(const LinkWork<Batch<width>>& link, Kernel&& kernel) {
  if (link.m == 4) return kernel(Constant<4>{});
  kernel(link.m);
}
template <int width, typename Kernel>
LIMBER_INLINE void with_sizes(const LinkWork<Batch<width>>& link, Kernel&& kernel) {
  if (link.joint_nv == 1 && link.m == 4) return kernel(Constant<1>{}, Constant<4>{});
  kernel(link.joint_nv, link.m);
}

namespace {

#if defined(__AVX512F__)
using Scalar = Batch<batch_width_v4>;
#else
using Scalar = Batch<batch_width_v3>;
#endif

constexpr BatchKernels<Scalar> kernels{&forward_dynamics<Scalar>, &inverse_dynamics<Scalar>,
                                       &mass_matrix<Scalar>};

}  // namespace
}  // namespace limber::detail

extern "C" const void* LIMBER_TABLE() { return &limber::detail::kernels; }
