// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What statics, modes and linear models need of an arm with cylinders (algorithms/struts.hpp, docs/cylinders.md).
//
// A cylinder without a spring holds: its drive does what keeps one joint where it is. A cylinder with a spring is passive, as a joint with a spring is, and one joint finds its
// equilibrium on it. Which joint: of those that the cylinder moves the outermost that is neither held, nor passive, nor another cylinder's. With S the joints of the cylinders that
// hold, r all rows of equilibrium.hpp, (1), without their forces,
//
//   J_S^T u = r_S,   r - J^T u = 0 in all rows that nothing else holds                                         (1)
//   d(r - J^T u) = T - J^T J_S^-T T_S,   T = dr/dq - dJ^T u                                                    (2)

#include <memory>
#include <vector>

#include "limber/algorithms/struts.hpp"
#include "limber/model/coordinates.hpp"
#include "pressed_stops.hpp"

namespace limber {

/// Which joints cylinders take.
struct CylinderRoles {
  std::vector<int> sprung;   ///< joints' coordinates (in v) on springs of cylinders
  std::vector<int> held;     ///< joints' coordinates that drives of cylinders hold
  std::vector<int> holding;  ///< cylinders that hold them: indices, in the same order
};
/// `hold`: joints that are held whatever cylinders do. Where there are closed loops, of the joints that tell all others, with what these make follow. Throws ComputationError for a cylinder
/// on its dead centre.
CylinderRoles roles_of_cylinders(const Model& model, const Input<double>& q, const JointNames& hold);

class CylinderStatics {
 public:
  CylinderStatics(const Model& model, const Input<double>& q, const JointNames& hold);

  const CylinderRoles& roles() const { return roles_; }

  /// From r without cylinders to r with them: springs, dampers and stops, and drives that hold. Throws ComputationError where they cannot.
  void add_forces(const Input<double>& q, const Input<double>& v, Eigen::VectorXd& r);
  /// Of the last add_forces: u of each cylinder.
  const Eigen::VectorXd& drives() const { return drives_; }
  /// From dr/dq without cylinders to T of (2) at the place of the last add_forces.
  void add_tangent(const Input<double>& q, const Input<double>& v, Eigen::MatrixXd& T);
  /// From T to (2), some columns of all rows.
  Eigen::MatrixXd follow(const Eigen::MatrixXd& T) const;
  /// J of cylinders that hold, some columns.
  Eigen::MatrixXd held_lengths(const std::vector<int>& columns) const;

 private:
  const Model& model_;
  Struts struts_;
  PressedStops stops_;
  CylinderRoles roles_;
  Eigen::MatrixXd J_;
  Eigen::VectorXd drives_;
};

/// Motions x = Z y with A x = 0: Z^T Z = 1.
Eigen::MatrixXd motions_without(const Eigen::MatrixXd& A);

}  // namespace limber
