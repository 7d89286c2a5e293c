// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The dual-screw equations (truncated_arm.hpp) computed fast: what is of first order in elastic states has constant
// coefficients, and nothing of second order is computed.
//
// In a link's root frame R everything that bending changes is linear in eta, with coefficients that never change:
//
//   h = h0 + h_j eta_j,   I = I0 + I_j eta_j,   M_re = M_re0 + M_re_j eta_j,   M_ee = M_ee0 + M_ee_j eta_j      (1)
//   elastic forces of the link's motion = (constants) (monomials: w w, eta w w, etad w)                         (2)
//
// (sums over j). No section is turned, nothing is summed along the beam, no small-angle series is evaluated. The constants
// are not derived anew: they are the derivatives of the link's nonlinear kernels at rest, found by the dual scalar when the
// arm is made. So every formula stands once, and `consistent` differs by its constants only.
//
// Between links all is a pair, real + eps dual. A node turned by theta is passed with one rotation a part and one cross
// product: for R^ = (1 + eps [theta]x) R,
//
//   R^ x^ = R x_r + eps (R x_d + theta x R x_r),     R^^T x^ = R^T x_r + eps R^T (x_d - theta x x_r)            (3)
//
// and beyond the last flexible ancestor only the total is passed on.
//
// The child's composite body (m, h, I about the node) enters the parent's M_ee by constants too, since its screws are:
//
//   G^T M G = m G_m + h_a G_a + I_ab G_ab                                                                       (4)

#include <memory>

#include "limber/core/export.hpp"
#include "limber/formulations/formulation.hpp"
#include "limber/math/types.hpp"

namespace limber LIMBER_EXPORT {

/// The dual-screw equations of an arm, by constants that are found once.
class LinearArm {
 public:
  /// As TruncatedArm without nonlinear links.
  LinearArm(const Model& model, bool consistent);
  ~LinearArm();
  ///@{
  /// Moved, not copied.
  LinearArm(LinearArm&&) noexcept;
  LinearArm& operator=(LinearArm&&) noexcept;
  ///@}

  /// M, both triangles.
  void mass_matrix(const Input<double>& q, Eigen::MatrixXd& M);
  /// M a + bias - loads. Leaves joint wrenches for `wrenches`.
  void forces(const Input<double>& q, const Input<double>& v, const Input<double>& a,
              const std::vector<Load>& loads, Eigen::VectorXd& tau);
  /// Both at once, sharing what depends on q; `a` is zero but in joints. Of M the lower triangle only.
  void equations(const Input<double>& q, const Input<double>& v, const Input<double>& a,
                 const std::vector<Load>& loads, Eigen::MatrixXd& M, Eigen::VectorXd& tau);
  /// As DynamicsOutput's, after `forces` or `equations`.
  void wrenches(std::vector<Wrench>& wrenches) const;

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

}  // namespace limber
