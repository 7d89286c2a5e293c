// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// (8) of measurement.hpp by the dual scalar, which goes through forward dynamics and every formula in one piece: for wrenches (reading_slopes.hpp says why), and for arms with
// telescoping beams, whose shapes change with a joint.

#include "limber/math/dual.hpp"
#include "readings.hpp"

namespace limber {

class ReadingDuals {
 public:
  /// Of these readings; they and the model must outlive it.
  ReadingDuals(const Model& model, const std::vector<Reading>& readings, std::vector<int> rows,
               Dependence most, bool compares);

  /// `inputs`: the input matrix at q. Matrices have their sizes.
  void find(const Input<double>& q, const Input<double>& v, const Input<double>& tau,
            const std::vector<Load>& loads, const Eigen::MatrixXd& inputs, MeasurementJacobian& result);

 private:
  void seed(int column, int direction, const Input<double>& q, const Eigen::MatrixXd& inputs);
  void sweep(const std::vector<Load>& loads);

  const Model& model_;
  const std::vector<Reading>& readings_;
  std::vector<int> rows_;
  Dependence most_;
  bool compares_;
  MeasuredState<Dual> state_;
  VectorX<Dual> values_;
  Eigen::VectorXd unit_, along_, moving_, slopes_;  ///< moving: efforts less friction, with its slopes
  std::vector<int> joint_rows_;
};

}  // namespace limber
