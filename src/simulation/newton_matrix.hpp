#pragma once

// Linear systems of implicit methods. All of them are
//
//   lambda dq - dv = r_q,     lambda dv + M^-1 (K dq + C dv) = r_v                                      (1)
//
// with lambda of the order of one over the step. Eliminating dv leaves half the size, and no inverse of M:
//
//   (lambda^2 M + lambda C + K) dq = M (r_v + lambda r_q) + C r_q,     dv = lambda dq - r_q              (2)

#include <Eigen/Core>
#include <Eigen/LU>

#include "limber/simulation/system.hpp"

namespace limber {

/// For real or complex lambda.
template <typename Number>
class NewtonMatrix {
 public:
  using Matrix = Eigen::Matrix<Number, Eigen::Dynamic, Eigen::Dynamic>;
  using Vector = Eigen::Matrix<Number, Eigen::Dynamic, 1>;

  void factor(const System::Tangent& tangent, Number lambda) {
    tangent_ = &tangent;
    lambda_ = lambda;
    matrix_ = (lambda * lambda) * tangent.M + lambda * tangent.C + tangent.K;
    lu_.compute(matrix_);
  }

  /// (2).
  void solve(const Vector& r_q, const Vector& r_v, Vector& dq, Vector& dv) {
    sum_ = r_v + lambda_ * r_q;
    right_.noalias() = tangent_->M.lazyProduct(sum_);
    right_.noalias() += tangent_->C.lazyProduct(r_q);
    dq = lu_.solve(right_);
    dv = lambda_ * dq - r_q;
  }

 private:
  const System::Tangent* tangent_ = nullptr;
  Number lambda_{};
  Matrix matrix_;
  Eigen::PartialPivLU<Matrix> lu_;
  Vector sum_, right_;
};

}  // namespace limber
