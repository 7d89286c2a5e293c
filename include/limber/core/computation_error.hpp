#pragma once

#include <stdexcept>

namespace limber {

/// Thrown when a computation cannot give an answer although the input was well-formed: a singular mass matrix,
/// a solver that does not converge. The message says what, where (names), and what to do.
class ComputationError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace limber
