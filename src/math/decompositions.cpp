// SPDX-License-Identifier: BSD-3-Clause
#define LIMBER_DECOMPOSITION(which) template class which;
#define LIMBER_COMPUTATION(which, of, ...) template which& which::compute<of>(__VA_ARGS__);
#define LIMBER_PRODUCT(of, by)                                                                         \
  template struct internal::general_matrix_matrix_product<Index, double, of, false, double, by, false, \
                                                          ColMajor, 1>;
#include "limber/math/detail/decompositions.hpp"

namespace Eigen {
LIMBER_PRODUCTS
LIMBER_COMPUTATIONS
LIMBER_DECOMPOSITIONS
}  // namespace Eigen
