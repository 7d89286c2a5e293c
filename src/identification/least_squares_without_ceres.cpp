// SPDX-License-Identifier: BSD-3-Clause
// In place of least_squares.cpp where the library is built without Ceres (LIMBER_WITH_CERES).

#include "limber/core/input_error.hpp"
#include "limber/identification/least_squares.hpp"

namespace limber {

std::optional<Problem> why_no_least_squares() {
  return Problem{"fit", "a program that was built with Ceres", "one that was built without",
                 "install libceres-dev and build with -DLIMBER_WITH_CERES=ON"};
}

LeastSquaresOutcome least_squares(const LeastSquaresProblem&, const LeastSquaresOptions&) {
  throw InputError(*why_no_least_squares());
}

}  // namespace limber
