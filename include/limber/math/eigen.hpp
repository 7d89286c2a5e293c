// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Eigen, in the one layout that Limber and every program that links with it share.
//
// Left to itself, Eigen aligns matrices, and takes and gives back their memory, as the widest registers of the compiler's flags
// want it: a program compiled with -march=native and a library compiled without would free each other's memory in different
// ways. So both numbers are fixed, whatever the flags: matrices are aligned to 16 bytes, and memory carries its own mark,
// so that who frees it need not know who took it. (EIGEN_MAX_ALIGN_BYTES alone is not enough: Eigen 3.4 chooses its way of allocation by
// the width of registers.) limber::limber and limber.pc define them for whole programs; who includes Eigen before
// Limber without either of them is told so here.

#ifndef EIGEN_MAX_ALIGN_BYTES
#define EIGEN_MAX_ALIGN_BYTES 16
#endif
#ifndef EIGEN_MALLOC_ALREADY_ALIGNED
#define EIGEN_MALLOC_ALREADY_ALIGNED 0
#endif

#include <Eigen/Core>

#if EIGEN_MAX_ALIGN_BYTES != 16 || EIGEN_MAX_STATIC_ALIGN_BYTES != 16 || EIGEN_MALLOC_ALREADY_ALIGNED != 0
#error \
    "Eigen was included before Limber, with another layout. Link with limber::limber (CMake), use `pkg-config --cflags limber`, or compile with -DEIGEN_MAX_ALIGN_BYTES=16 -DEIGEN_MALLOC_ALREADY_ALIGNED=0"
#endif
static_assert(sizeof(Eigen::Index) == 8,
              "Limber was compiled with Eigen's own EIGEN_DEFAULT_DENSE_INDEX_TYPE");
