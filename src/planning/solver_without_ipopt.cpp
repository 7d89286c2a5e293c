// SPDX-License-Identifier: BSD-3-Clause
// In place of solver.cpp where the library is built without Ipopt (LIMBER_WITH_IPOPT).

#include "limber/core/input_error.hpp"
#include "limber/planning/nonlinear_program.hpp"

namespace limber {

std::optional<Problem> why_no_solver() {
  return Problem{"plan", "a program that was built with Ipopt", "one that was built without",
                 "install coinor-libipopt-dev and build with -DLIMBER_WITH_IPOPT=ON"};
}

SolverOutcome solve(NonlinearProgram&, const SolverOptions&) { throw InputError(*why_no_solver()); }

}  // namespace limber
