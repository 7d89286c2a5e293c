// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A linear state-space model with names:
//
//   x' = A x + B u,   y = C x + D u,   G(s) = C (s - A)^-1 B + D                                      (1)

#include <string>
#include <vector>

#include "limber/core/export.hpp"
#include "limber/math/eigen.hpp"

namespace limber LIMBER_EXPORT {

/// A linear state-space model whose states, inputs and outputs have names.
struct LinearModel {
  Eigen::MatrixXd A, B, C, D;        ///< of (1)
  std::vector<std::string> states;   ///< one per row of A
  std::vector<std::string> inputs;   ///< one per column of B
  std::vector<std::string> outputs;  ///< one per row of C
};

/// Throws InputError, in the name of a function, where the sizes of A, B, C and D do not belong together.
void require_consistent(const char* function, const LinearModel& model);

/// Eigenvalues of A in ascending order of |s|, conjugate pairs with the positive imaginary part first.
Eigen::VectorXcd poles(const LinearModel& model);

/// G(i omega) for many frequencies: brings A to Hessenberg form H once, so that each costs O(n^2) operations.
class FrequencyResponse {
 public:
  /// O(n^3), once.
  explicit FrequencyResponse(const LinearModel& model);
  /// outputs x inputs, omega in rad/s. Throws ComputationError where i omega is a pole to working precision.
  Eigen::MatrixXcd at(double omega) const;

 private:
  Eigen::MatrixXd H_, B_, C_, D_;
};

/// G(i omega), once.
Eigen::MatrixXcd frequency_response(const LinearModel& model, double omega);

}  // namespace limber
