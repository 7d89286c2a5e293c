// SPDX-License-Identifier: BSD-3-Clause
#include "scaled_forces.hpp"

#include <utility>

#include "limber/algorithms/inverse_dynamics.hpp"
#include "limber/model/friction.hpp"

namespace limber {

ScaledForces::ScaledForces(const Model& model, std::vector<Load> loads)
    : model_(model),
      loads_(std::move(loads)),
      work_(model),
      derivative_work_(model),
      has_friction_(limber::has_friction(model)),
      K_(elastic_stiffness(model)),
      D_(damping_matrix(model)),
      passive_(model.nv()) {}

void ScaledForces::force(const Place& at, Eigen::VectorXd& f) {
  v_ = at.v / at.T;
  a_ = at.a / (at.T * at.T);
  f.resize(model_.nv());
  inverse_dynamics<double>(model_, work_, at.q, v_, a_, f, loads_);
  elastic_and_damping_forces<double>(model_, work_, at.q, v_, passive_);
  f += passive_;
  if (has_friction_) add_friction_forces(model_, v_, 1.0, f);
}

void ScaledForces::slopes(const Place& at, Slopes& result) {
  const double T = at.T;
  v_ = at.v / T;
  a_ = at.a / (T * T);
  force_derivatives(model_, derivative_work_, at.q, v_, a_, derivatives_, loads_);
  result.dq = derivatives_.dq + K_;
  result.dv = (derivatives_.dv + D_) / T;
  if (has_friction_) result.dv.diagonal() += friction_slopes(model_, v_) / T;
  result.da = derivatives_.da / (T * T);
  result.dT.noalias() = result.dv * at.v * (-1.0 / T);
  result.dT.noalias() -= result.da * at.a * (2.0 / T);
}

// lambda^T (2), in the order q, v', a', T.
void ScaledForces::weigh(const Place& at, const Eigen::VectorXd& lambda, Eigen::VectorXd& weighed) {
  const Eigen::Index n = model_.nv();
  slopes(at, slopes_);
  weighed.resize(3 * n + 1);
  weighed.segment(0, n).noalias() = slopes_.dq.transpose() * lambda;
  weighed.segment(n, n).noalias() = slopes_.dv.transpose() * lambda;
  weighed.segment(2 * n, n).noalias() = slopes_.da.transpose() * lambda;
  weighed[3 * n] = slopes_.dT.dot(lambda);
}

void ScaledForces::curvature(const Place& at, const Eigen::VectorXd& lambda, const Eigen::VectorXd& q_sizes,
                             const Eigen::VectorXd& v_sizes, Eigen::MatrixXd& H) {
  constexpr double part = 1e-6;  // of a size: the difference's own error is as large a part of what it is
  const Eigen::Index n = model_.nv(), last = 3 * n;
  H.setZero(3 * n + 1, 3 * n + 1);
  weigh(at, lambda, here_);
  moved_ = at;
  const auto difference = [&](double& number, double step, Eigen::Index column) {
    const double before = number;
    number += step;
    weigh(moved_, lambda, there_);
    H.col(column) = (there_ - here_) / (number - before);
    number = before;
  };
  for (Eigen::Index i = 0; i < n; ++i) difference(moved_.q[i], part * q_sizes[i], i);
  for (Eigen::Index i = 0; i < n; ++i) difference(moved_.v[i], part * v_sizes[i], n + i);
  difference(moved_.T, part * at.T, last);
  // Along a': f is linear in it, and dM/dv' = 0.
  H.block(0, 2 * n, 2 * n, n) = H.block(2 * n, 0, n, 2 * n).transpose();
  H.block(last, 2 * n, 1, n) = H.block(2 * n, last, n, 1).transpose();
  H = 0.5 * (H + H.transpose()).eval();
}

}  // namespace limber
