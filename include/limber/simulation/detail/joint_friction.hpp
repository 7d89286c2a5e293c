// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Friction of the joints of a run: what is a function of rates alone (the smooth law, and joints that move as they are told), and what sticks and slips.

#include <vector>

#include "limber/core/export.hpp"
#include "limber/math/eigen.hpp"
#include "limber/math/types.hpp"
#include "limber/simulation/controller.hpp"
#include "limber/simulation/stick_slip.hpp"

namespace limber LIMBER_EXPORT {
namespace detail {

class JointFriction {
 public:
  /// A prescribed joint never sticks: it is moved whatever resists.
  JointFriction(const Model& model, const std::vector<JointTarget>& prescribed);

  /// Joints that stick and slip, in the order of the links.
  std::vector<StickSlip>& sticking() { return sticking_; }
  const std::vector<StickSlip>& sticking() const { return sticking_; }
  bool any_stuck() const;

  /// nv: F; zero where there is none, and where a joint sticks.
  void find_forces(const Input<double>& v, Eigen::VectorXd& forces) const;
  /// Adds dF/dv to the diagonal.
  void add_slopes(const Input<double>& v, Eigen::MatrixXd& C) const;

 private:
  struct ByRate {
    int coordinate;
    FrictionDescription law;
  };
  std::vector<ByRate> by_rate_;
  std::vector<StickSlip> sticking_;
};

}  // namespace detail
}  // namespace limber
