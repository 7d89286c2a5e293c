// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <stdexcept>

#include "limber/core/export.hpp"

namespace limber LIMBER_EXPORT {

/// Thrown when a computation cannot give an answer although the input was well-formed: a singular mass matrix,
/// a solver that does not converge. The message says what, where (names), and what to do.
class ComputationError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace limber
