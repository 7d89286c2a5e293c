// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// An arm under held efforts over one period h, as predictive control sees it: a step of the Radau IIA method with two stages, c = 1/3 and 1, whose equations are solved along with the
// problem that asks for them. With the accelerations a_1, a_2 at the stages
//
//   v_i = v_0 + h Sum A_ij a_j,    q_i = q_0 + c_i h v_0 + h^2 Sum (A A)_ij a_j                                           (1)
//   f(q_i, v_i, a_i) = B u                                                                                               (2)
//
// f what moves the arm: inverse dynamics, springs, beams and dampers. The second stage is the end. One step of Newton's on (2) about what is known, for any change of what the step
// begins with and of u, is
//
//   Sum_j (M_i d_ij + h A_ij C_i + h^2 (A A)_ij K_i) da_j = B u - f_i - K_i dq_0 - (C_i + c_i h K_i) dv_0 + B du          (3)
//
// with f's derivatives K, C, M. Its solution da = e + D [dq_0; dv_0; du] gives A and B of the discrete system, exact where (2) holds; and once dq_0, dv_0 and du are known, it is the
// next guess of a: whoever takes one step of Newton's on a whole horizon has taken one on every (2) in it, and stiff beams, which are linear, are exact after the first.
//
// Why this method: with z = i w h of a vibration the step multiplies it by R(z) = (1 + z/3)/(1 - 2z/3 + z^2/6), whose phase is right to 4 deg up to w h = 2 (fast_motion), and which
// goes to zero beyond: the arm's fast vibrations follow what moves them at once, and a controller is not led to believe that it could do something about them.

#include <vector>

#include "limber/algorithms/derivatives.hpp"
#include "limber/algorithms/workspace.hpp"
#include "limber/math/detail/decompositions.hpp"
#include "limber/model/model.hpp"

namespace limber {

/// Of arms without quaternions: nq = nv = n.
class HeldStep {
 public:
  static constexpr int stages = 2;
  /// w h beyond which a vibration is too fast for samples.
  static constexpr double fast_motion = 2.0;

  /// (3), solved: of [q; v] at the end, for m efforts.
  struct Linearised {
    Eigen::MatrixXd D;  ///< 2n x (2n + m + 1): of [a_1; a_2], e in its last column
    Eigen::MatrixXd A, B;
    Eigen::VectorXd end;  ///< where (1) and e lead to
  };

  /// `inputs`: B, nv x m. `extra_damping`: besides the arm's own; empty: none.
  HeldStep(const Model& model, Eigen::MatrixXd inputs, double h, const Eigen::MatrixXd& extra_damping = {});

  /// About a beginning x_0 = [q; v], efforts u and accelerations at stages (2n).
  void linearise(const Eigen::Ref<const Eigen::VectorXd>& x_0, const Eigen::Ref<const Eigen::VectorXd>& u,
                 const Eigen::Ref<const Eigen::VectorXd>& a, Linearised& result);
  /// f and its derivatives at a state, which stay until the next call.
  const ForceDerivatives& look(const Eigen::VectorXd& q, const Eigen::VectorXd& v, const Eigen::VectorXd& a);

 private:
  Model model_;
  Workspace<double> work_;
  DerivativeWorkspace derivative_work_;
  Eigen::MatrixXd inputs_;
  double h_;
  Eigen::Vector2d c_;
  Eigen::Matrix2d A_, AA_;
  Eigen::MatrixXd stiffness_, damping_, extra_damping_;
  ForceDerivatives slopes_;
  Eigen::VectorXd force_, passive_, q_, v_, a_;
  Eigen::MatrixXd matrix_, right_;
  Eigen::PartialPivLU<Eigen::MatrixXd> lu_;
};

}  // namespace limber
