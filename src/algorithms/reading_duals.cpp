// SPDX-License-Identifier: BSD-3-Clause
#include "reading_duals.hpp"

#include <algorithm>

#include "limber/algorithms/configuration.hpp"
#include "limber/algorithms/input_matrix.hpp"
#include "limber/model/coordinates.hpp"
#include "limber/model/friction.hpp"

namespace limber {

using Eigen::MatrixXd;
using Eigen::VectorXd;

ReadingDuals::ReadingDuals(const Model& model, const std::vector<Reading>& readings, std::vector<int> rows,
                           Dependence most, bool compares)
    : model_(model),
      readings_(readings),
      rows_(std::move(rows)),
      most_(most),
      compares_(compares),
      state_(model),
      values_(static_cast<Eigen::Index>(rows_.size())),
      unit_(model.nv()),
      along_(model.nq()),
      joint_rows_(driven_coordinates(model)) {}

// The derivative in one of all columns: along q, v and efforts, one after the other.
void ReadingDuals::seed(int column, int direction, const Input<double>& q, const MatrixXd& inputs) {
  const int nv = model_.nv();
  if (column < nv) {
    unit_.setZero();
    unit_[column] = 1.0;
    configuration_rate(model_, q, unit_, along_);
    for (int k = 0; k < model_.nq(); ++k) state_.q[k].derivatives()[direction] = along_[k];
  } else if (column < 2 * nv) {
    state_.v[column - nv].derivatives()[direction] = 1.0;
    state_.tau[column - nv].derivatives()[direction] = -slopes_[column - nv];
  } else {
    const int input = column - 2 * nv;
    for (int k = 0; k < nv; ++k) state_.tau[k].derivatives()[direction] = inputs(k, input);
    state_.efforts[joint_rows_[static_cast<std::size_t>(input)]].derivatives()[direction] = 1.0;
  }
}

// In up to four directions at once.
void ReadingDuals::sweep(const std::vector<Load>& loads) {
  if (most_ == Dependence::accelerations)
    forward_dynamics(model_, state_.work, state_.q, state_.v, state_.tau, state_.a, loads);
  state_.place(model_, most_, compares_);
  const MeasuredArm<Dual> arm = state_.arm(model_);
  for (std::size_t i = 0; i < rows_.size(); ++i)
    values_[static_cast<Eigen::Index>(i)] = std::visit([&](const auto& reading) { return reading(arm); },
                                                       readings_[static_cast<std::size_t>(rows_[i])]);
}

void ReadingDuals::find(const Input<double>& q, const Input<double>& v, const Input<double>& tau,
                        const std::vector<Load>& loads, const MatrixXd& inputs, MeasurementJacobian& result) {
  const int nv = model_.nv(), count = 2 * nv + static_cast<int>(inputs.cols());
  slopes_.setZero(nv);
  if (has_friction(model_)) slopes_ = friction_slopes(model_, v);
  moving_ = tau;
  add_friction_forces(model_, v, -1.0, moving_);
  for (int first = 0; first < count; first += Dual::direction_count) {
    state_.q = q.cast<Dual>();
    state_.v = v.cast<Dual>();
    state_.tau = moving_.cast<Dual>();
    state_.efforts = tau.cast<Dual>();
    const int directions = std::min(Dual::direction_count, count - first);
    for (int d = 0; d < directions; ++d) seed(first + d, d, q, inputs);
    sweep(loads);
    for (int d = 0; d < directions; ++d) {
      const int column = first + d;
      MatrixXd& block = column < nv ? result.dq : column < 2 * nv ? result.dv : result.deffort;
      const int of_block = column < nv ? column : column < 2 * nv ? column - nv : column - 2 * nv;
      for (Eigen::Index i = 0; i < values_.size(); ++i)
        block(rows_[static_cast<std::size_t>(i)], of_block) = values_[i].derivatives()[d];
    }
  }
}

}  // namespace limber
