// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Stops (model/stops.hpp) in statics and linear models: each in the branch that holds at the state itself.

#include <vector>

#include "limber/algorithms/struts.hpp"
#include "limber/model/stops.hpp"

namespace limber {

class PressedStops {
 public:
  explicit PressedStops(const Model& model);

  bool empty() const { return stops_.empty(); }
  /// Takes a state; `struts`: of the arm's cylinders, or none.
  void update(const Input<double>& q, const Input<double>& v, Struts* struts);
  /// nv: what stops of joints do at the last update.
  auto on_joints() const { return forces_.head(nv_); }
  /// Forces of stops of cylinders, likewise.
  Eigen::VectorXd on_cylinders() const { return forces_.tail(forces_.size() - nv_); }
  /// Of those that press there, likewise.
  Eigen::VectorXd cylinder_stiffness() const { return k_.tail(k_.size() - nv_); }
  Eigen::VectorXd cylinder_damping() const { return c_.tail(c_.size() - nv_); }
  /// Adds to K what stops of joints that press there do.
  void add_joint_stiffness(Eigen::MatrixXd& K) const { K.diagonal() += k_.head(nv_); }
  /// Adds to K and C what those that press there do (nv x nv), but for the geometric term of cylinders' forces.
  void add_tangent(const Input<double>& q, const Input<double>& v, Struts* struts, Eigen::MatrixXd& K,
                   Eigen::MatrixXd& C) const;

 private:
  int nv_;
  std::vector<Stop> stops_;
  Eigen::VectorXd x_, rates_;       ///< of joints, then of cylinders
  Eigen::VectorXd forces_, k_, c_;  ///< likewise
};

}  // namespace limber
