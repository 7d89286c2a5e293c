// SPDX-License-Identifier: BSD-3-Clause
#include "held_step.hpp"

#include "limber/algorithms/inverse_dynamics.hpp"
#include "limber/analysis/derivatives.hpp"

namespace limber {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

HeldStep::HeldStep(const Model& model, MatrixXd inputs, double h, const MatrixXd& extra_damping)
    : model_(model),
      work_(model_),
      derivative_work_(model_),
      inputs_(std::move(inputs)),
      h_(h),
      stiffness_(elastic_stiffness(model_)),
      damping_(damping_matrix(model_)),
      extra_damping_(extra_damping),
      force_(model_.nv()),
      passive_(model_.nv()),
      q_(model_.nq()),
      v_(model_.nv()),
      a_(model_.nv()) {
  c_ << 1.0 / 3, 1.0;
  A_ << 5.0 / 12, -1.0 / 12, 3.0 / 4, 1.0 / 4;
  AA_ = A_ * A_;
  if (extra_damping_.size() > 0) damping_ += extra_damping_;
  const Index n = model_.nv();
  matrix_.resize(stages * n, stages * n);
  right_.resize(stages * n, 2 * n + inputs_.cols() + 1);
}

const ForceDerivatives& HeldStep::look(const VectorXd& q, const VectorXd& v, const VectorXd& a) {
  inverse_dynamics<double>(model_, work_, q, v, a, force_);
  elastic_and_damping_forces<double>(model_, work_, q, v, passive_);
  force_ += passive_;
  if (extra_damping_.size() > 0) force_.noalias() += extra_damping_ * v;
  force_derivatives(model_, derivative_work_, q, v, a, slopes_);
  slopes_.dq += stiffness_;
  slopes_.dv += damping_;
  return slopes_;
}

void HeldStep::linearise(const Eigen::Ref<const VectorXd>& x_0, const Eigen::Ref<const VectorXd>& u,
                         const Eigen::Ref<const VectorXd>& a, Linearised& result) {
  const Index n = model_.nv(), m = inputs_.cols(), all = 2 * n + m;
  for (Index i = 0; i < stages; ++i) {
    // (1)
    q_ = x_0.head(n) + c_[i] * h_ * x_0.tail(n);
    v_ = x_0.tail(n);
    for (Index j = 0; j < stages; ++j) {
      q_ += (h_ * h_ * AA_(i, j)) * a.segment(j * n, n);
      v_ += (h_ * A_(i, j)) * a.segment(j * n, n);
    }
    a_ = a.segment(i * n, n);
    look(q_, v_, a_);
    // (3)
    for (Index j = 0; j < stages; ++j)
      matrix_.block(i * n, j * n, n, n) = (h_ * A_(i, j)) * slopes_.dv + (h_ * h_ * AA_(i, j)) * slopes_.dq;
    matrix_.block(i * n, i * n, n, n) += slopes_.da;
    right_.block(i * n, 0, n, n) = -slopes_.dq;
    right_.block(i * n, n, n, n) = -slopes_.dv - (c_[i] * h_) * slopes_.dq;
    right_.block(i * n, 2 * n, n, m) = inputs_;
    right_.block(i * n, all, n, 1) = inputs_ * u - force_;
  }
  lu_.compute(matrix_);
  result.D = lu_.solve(right_);
  const auto D_1 = result.D.topRows(n), D_2 = result.D.bottomRows(n);
  // (1) at the end.
  result.A.resize(2 * n, 2 * n);
  result.A.topRows(n) =
      (h_ * h_ * AA_(1, 0)) * D_1.leftCols(2 * n) + (h_ * h_ * AA_(1, 1)) * D_2.leftCols(2 * n);
  result.A.bottomRows(n) = (h_ * A_(1, 0)) * D_1.leftCols(2 * n) + (h_ * A_(1, 1)) * D_2.leftCols(2 * n);
  result.A.diagonal().array() += 1.0;
  result.A.topRightCorner(n, n).diagonal().array() += h_;
  result.B.resize(2 * n, m);
  result.B.topRows(n) =
      (h_ * h_ * AA_(1, 0)) * D_1.middleCols(2 * n, m) + (h_ * h_ * AA_(1, 1)) * D_2.middleCols(2 * n, m);
  result.B.bottomRows(n) =
      (h_ * A_(1, 0)) * D_1.middleCols(2 * n, m) + (h_ * A_(1, 1)) * D_2.middleCols(2 * n, m);
  // q_ and v_ are those of the second stage.
  result.end.resize(2 * n);
  result.end.head(n) = q_ + (h_ * h_ * AA_(1, 0)) * D_1.col(all) + (h_ * h_ * AA_(1, 1)) * D_2.col(all);
  result.end.tail(n) = v_ + (h_ * A_(1, 0)) * D_1.col(all) + (h_ * A_(1, 1)) * D_2.col(all);
}

}  // namespace limber
