// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The forces that a motion takes, over a time from 0 to 1.
//
// With s = t/T, v' = dq/ds = T v and a' = d^2 q/ds^2 = T^2 a, a motion's duration T appears in its forces alone:
//
//   f(q, v', a', T) = inverse dynamics(q, v'/T, a'/T^2) + springs, beams and dampers + friction - loads          (1)
//
//   df/dv' = f_v/T,   df/da' = M/T^2,   df/dT = -(f_v v'/T^2 + 2 M a'/T^3)                                       (2)
//
// f_q, f_v and M from the recursion differentiated by hand (algorithms/derivatives.hpp). Second derivatives of lambda . f are differences of lambda^T (2) along
// q, v' and T; along a' they are known from those, since f is linear in a'.

#include <vector>

#include "limber/algorithms/derivatives.hpp"
#include "limber/algorithms/workspace.hpp"
#include "limber/math/eigen.hpp"
#include "limber/model/load.hpp"
#include "limber/model/model.hpp"

namespace limber {

/// One arm's (1). Keeps its scratch: one for each thread.
class ScaledForces {
 public:
  ScaledForces(const Model& model, std::vector<Load> loads);

  /// A place of the motion.
  struct Place {
    Eigen::VectorXd q, v, a;  ///< v' and a'
    double T = 1.0;
  };
  /// (2).
  struct Slopes {
    Eigen::MatrixXd dq, dv, da;
    Eigen::VectorXd dT;
  };

  void force(const Place& at, Eigen::VectorXd& f);
  void slopes(const Place& at, Slopes& result);
  /// Second derivatives of lambda . f by (q, v', a', T): 3 n + 1. `sizes`: of q, of v'.
  void curvature(const Place& at, const Eigen::VectorXd& lambda, const Eigen::VectorXd& q_sizes,
                 const Eigen::VectorXd& v_sizes, Eigen::MatrixXd& H);

  const Eigen::MatrixXd& stiffness() const { return K_; }

 private:
  void weigh(const Place& at, const Eigen::VectorXd& lambda, Eigen::VectorXd& weighed);

  Model model_;
  std::vector<Load> loads_;
  Workspace<double> work_;
  DerivativeWorkspace derivative_work_;
  bool has_friction_;
  Eigen::MatrixXd K_, D_;
  Eigen::VectorXd v_, a_, passive_, here_, there_;
  Place moved_;
  Slopes slopes_;
  ForceDerivatives derivatives_;
};

}  // namespace limber
