// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The algorithms for a scalar of your own: automatic differentiation, intervals, numbers with units ...
//
// In one source file of your program:
//
//   #include <limber/algorithms/own_scalar.hpp>
//   using Scalar = Eigen::AutoDiffScalar<Eigen::Matrix<double, 6, 1>>;
//   LIMBER_INSTANTIATE_SCALAR(Scalar)
//
// It compiles all sweeps for the scalar (half a minute); every other file includes the ordinary headers and uses
// Workspace<Scalar>, forward_dynamics, frame_jacobian and so on as for double. The macro stands outside of all namespaces.
//
// A scalar has the arithmetic of a number, converts from double, and has sin, cos, sqrt and abs that are found by its namespace, comparisons by
// value, and Eigen::NumTraits. (Which terms a loop passes over depends on the model alone, never on a scalar's value, but for
// the series of rotation_series.hpp, which compare squared angles.) Derivatives of AutoDiffScalar are of a fixed number: Eigen 3.4 loses those of a number
// that is found at run time where two constants meet.

#include "limber/algorithms/detail/checked_calls.hpp"
#include "limber/algorithms/detail/instantiate.hpp"
#include "limber/algorithms/detail/jacobian.hpp"
#include "limber/algorithms/detail/prepare.hpp"
#include "limber/algorithms/detail/section_sums.hpp"
#include "limber/algorithms/detail/sweeps.hpp"

/// All algorithms for a scalar, once in a program, outside of all namespaces.
#define LIMBER_INSTANTIATE_SCALAR(Scalar) \
  LIMBER_INSTANTIATE_SECTIONS(Scalar)     \
  LIMBER_INSTANTIATE_SWEEPS(Scalar)       \
  LIMBER_INSTANTIATE_CALLS(Scalar)
