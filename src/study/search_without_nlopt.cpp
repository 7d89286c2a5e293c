// SPDX-License-Identifier: BSD-3-Clause
// In place of search.cpp where the library is built without NLopt (LIMBER_WITH_NLOPT).

#include "limber/core/input_error.hpp"
#include "limber/study/search.hpp"

namespace limber {

std::optional<Problem> why_no_search() {
  return Problem{"optimise", "a program that was built with NLopt", "one that was built without",
                 "install libnlopt-dev and build with -DLIMBER_WITH_NLOPT=ON"};
}

SearchOutcome search(const SearchProblem&, const SearchOptions&) { throw InputError(*why_no_search()); }

}  // namespace limber
