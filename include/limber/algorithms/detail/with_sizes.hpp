// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Loops of constant length. A kernel takes the numbers of a link's joint and elastic coordinates as arguments
// of any type that converts to int: with_sizes calls it with compile-time constants where the numbers are
// usual ones, and with plain ints otherwise. Kernels are written once.

#include <type_traits>

#include "limber/algorithms/detail/arm_work.hpp"

namespace limber::detail {

template <int N>
using Constant = std::integral_constant<int, N>;

/// kernel(m): the number of elastic coordinates.
template <typename Scalar, typename Kernel>
LIMBER_INLINE void with_elastic_size(const LinkWork<Scalar>& link, Kernel&& kernel) {
  if constexpr (std::is_same_v<Scalar, double>) {
    if (link.fixed_sizes) switch (link.m) {
        case 0:
          return kernel(Constant<0>{});
        case 1:
          return kernel(Constant<1>{});
        case 2:
          return kernel(Constant<2>{});
        case 3:
          return kernel(Constant<3>{});
        case 4:
          return kernel(Constant<4>{});
        case 5:
          return kernel(Constant<5>{});
        case 6:
          return kernel(Constant<6>{});
        case 8:
          return kernel(Constant<8>{});
        default:
          break;
      }
  }
  kernel(link.m);
}

/// kernel(nj, m): of joint and elastic coordinates. Joints other than of one freedom have no constants.
template <typename Scalar, typename Kernel>
LIMBER_INLINE void with_sizes(const LinkWork<Scalar>& link, Kernel&& kernel) {
  if (std::is_same_v<Scalar, double> && link.fixed_sizes && link.joint_nv == 1)
    with_elastic_size(link, [&](auto m) { kernel(Constant<1>{}, m); });
  else
    kernel(link.joint_nv, link.m);
}

}  // namespace limber::detail
