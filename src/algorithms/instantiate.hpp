#pragma once

// The scalars for which every algorithm is compiled. The sources are compiled twice: for double, with all
// that makes it fast, and (LIMBER_OTHER_SCALARS) for the rest. A higher layer that brings a scalar of its own compiles them
// once more, with LIMBER_SCALAR and the header that defines it.

#if defined(LIMBER_SCALAR)
#include LIMBER_SCALAR_HEADER
#define LIMBER_FOR_ALL_SCALARS(INSTANTIATE) INSTANTIATE(LIMBER_SCALAR)
#elif defined(LIMBER_OTHER_SCALARS)
#include "limber/math/counting.hpp"
#include "limber/math/dual.hpp"
#define LIMBER_FOR_ALL_SCALARS(INSTANTIATE) \
  INSTANTIATE(float)                        \
  INSTANTIATE(Dual)                         \
  INSTANTIATE(Counting)
#else
#define LIMBER_FOR_ALL_SCALARS(INSTANTIATE) INSTANTIATE(double)
#endif
