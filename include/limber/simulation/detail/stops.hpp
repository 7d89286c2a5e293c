// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Stops of the joints and cylinders of a run (stop_switch.hpp).

#include <vector>

#include "limber/algorithms/struts.hpp"
#include "limber/core/export.hpp"
#include "limber/math/eigen.hpp"
#include "limber/math/types.hpp"
#include "limber/simulation/stop_switch.hpp"

namespace limber LIMBER_EXPORT {
namespace detail {

class Stops {
 public:
  explicit Stops(const Model& model);

  bool empty() const { return all_.empty(); }
  std::vector<StopSwitch>& all() { return all_; }
  const std::vector<StopSwitch>& all() const { return all_; }

  /// Takes a state; `struts`: of the arm's cylinders, or none. What follows is of it.
  void update(const Input<double>& q, const Input<double>& v, Struts* struts);
  /// The state, lengths and rates of cylinders behind.
  const Eigen::VectorXd& positions() const { return x_; }
  const Eigen::VectorXd& rates() const { return rates_; }
  /// What stops do: nv of joints, forces of cylinders behind. Zero where there are none.
  const Eigen::VectorXd& forces() const { return forces_; }
  /// Of their springs [J].
  double energy() const;
  /// What they take [W].
  double dissipation() const;
  /// Adds -d forces/dq and -d forces/dv (nv x nv) of those that press. The geometric term of cylinders is that of their whole force (struts.hpp).
  void add_tangent(const Input<double>& q, const Input<double>& v, Struts* struts, Eigen::MatrixXd& K,
                   Eigen::MatrixXd& C) const;

 private:
  template <typename Visitor>
  void each(Visitor&& visitor) const;

  int nv_;
  bool on_cylinders_ = false;
  std::vector<StopSwitch> all_;
  Eigen::VectorXd x_, rates_, forces_;
};

}  // namespace detail
}  // namespace limber
