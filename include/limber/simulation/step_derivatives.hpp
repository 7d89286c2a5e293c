// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A step of an integrator as a map, and its derivatives: what estimators, optimal control and sensitivities need, exact for the step that is
// taken (and not for the motion that it approximates).
//
// The state is s = [q; v; x], x what continuous controllers remember; its small changes are ds = [d; dv; dx], d along v's components. At each place i where
// a method looks at the arm (its stages) the tangent M, K, C of System gives
//
//   da_i = M^-1 (g_i - K d_i - C dv_i + F dx_i),    dx'_i = X_q d_i + X_v dv_i + X_x dx_i + r_i                                (1)
//
// g_i and r_i are what else changes there: forces and rates of memory by an effort, or by a parameter of the arm. Stages are displaced from where the step begins,
// q_i = q_0 (+) z_i (configuration.hpp). With P(z) the matrix of displacement_rate, z' = P(z) v, a displaced start and a displaced stage are one displacement of
// the stage,
//
//   d_i = P(z_i)^-1 (P(-z_i) d_0 + dz_i)                                                                                       (2)
//
// because exp(-ad_z) = P(z)^-1 P(-z); without quaternions P = 1. Then for Runge-Kutta methods with the table a_ij, b_i, explicit or not,
//
//   dz_i = h Sum a_ij dz'_j,   dv_i = dv_0 + h Sum a_ij da_j,   dx_i likewise,   dz'_j = (dP/dz v_j) dz_j + P dv_j              (3)
//
// and for generalized-alpha the differentials of its equations (1) and (2), which are linear; what it takes along (a and b) is part of the change. Implicit steps are
// solved to rounding by Newton's iteration, so that (3) holds of what was found.

#include <functional>
#include <memory>

#include "limber/core/export.hpp"
#include "limber/math/eigen.hpp"
#include "limber/math/types.hpp"
#include "limber/simulation/scenario.hpp"
#include "limber/simulation/system.hpp"

namespace limber LIMBER_EXPORT {

/// Where a step looks at the arm.
struct StepStage {
  double t = 0.0;             ///< [s]
  Eigen::VectorXd q, v;       ///< nq, nv
  Eigen::VectorXd integrals;  ///< as System has them: the ledger's (not followed here), then x
  Eigen::VectorXd a;          ///< nv: the acceleration there
};

/// What changes at a stage besides the state, for each column of what is followed: `force` nv x columns, `rates` as many rows as x. Both come in as zero.
using StepSource =
    std::function<void(const StepStage& stage, Eigen::MatrixXd& force, Eigen::MatrixXd& rates)>;

/// Takes the steps of a method, and takes derivatives along. euler, rk4, generalized-alpha, radau, radau9 and radau13; none with closed loops.
class StepDifferentiator {
 public:
  /// The system must outlive it. Throws InputError for methods that it does not know, and for arms with closed loops.
  StepDifferentiator(System& system, const IntegratorDescription& integrator);
  ~StepDifferentiator();
  ///@{
  /// Moved, not copied.
  StepDifferentiator(StepDifferentiator&&) noexcept;
  StepDifferentiator& operator=(StepDifferentiator&&) noexcept;
  ///@}

  /// Rows of what is followed: 2 nv, and numbers in x.
  int size() const;
  /// How often a step asks its source, for methods whose steps stand for themselves; 0: for generalized-alpha, whose steps go on from what the one before has found.
  int stages() const;
  /// Begins anew at a state; `changes`: its derivatives, size() x columns, of which rows of prescribed joints are put to zero.
  void begin(double t, const Input<double>& q, const Input<double>& v, const Input<double>& x,
             const Eigen::MatrixXd& changes, const StepSource& source = {});
  /// Goes on where it is, after inputs have changed from outside: the method knows what it knew.
  void inputs_changed(const StepSource& source = {});
  /// One step of this length.
  void step(double h, const StepSource& source = {});
  /// To a time, in the steps that the method takes by itself where nothing is sampled in between: those of its `step`, or equal ones of at most `max_step`; they end at corners.
  void advance_to(double t, const StepSource& source = {});

  /// Where it is.
  const StepStage& state() const;
  /// The same with other derivatives.
  Eigen::MatrixXd& changes();

 private:
  struct Inside;
  std::unique_ptr<Inside> inside_;
};

/// An arm whose efforts are held for a while, as a map: s_1 = f(s_0, u).
struct DiscreteDerivatives {
  Eigen::VectorXd q, v, x;  ///< at the end
  Eigen::MatrixXd A;        ///< of [d; v; x] at the end by the same at the beginning
  Eigen::MatrixXd
      B;  ///< by efforts of joint_coordinates(), of which those that a limit cuts off have no column but zeros
};

/// What becomes of a state in h seconds under these efforts (nv, besides what the scenario's controllers ask for), by the scenario's own method, which begins anew
/// there. Throws InputError for what StepDifferentiator does not know and where controllers are sampled, ComputationError where a step cannot be solved.
DiscreteDerivatives discrete_derivatives(Scenario& scenario, const Input<double>& q, const Input<double>& v,
                                         const Input<double>& efforts, double h, double t = 0.0,
                                         const Eigen::VectorXd& x = {});

/// How A and B change along a direction: d2f(ds, du) contracted once, which is what differential dynamic programming needs.
struct DiscreteSecondDerivatives {
  Eigen::MatrixXd A;  ///< change of DiscreteDerivatives::A per unit of the direction
  Eigen::MatrixXd B;  ///< of B
};
/// Along `ds` (2 nv + numbers in x) and `du` (one for each of joint_coordinates()). By differences of fourth order of the exact first derivatives: to 1e-7 of their
/// size where they are smooth over a hundredth of the direction's unit.
DiscreteSecondDerivatives discrete_second_derivatives(Scenario& scenario, const Input<double>& q,
                                                      const Input<double>& v, const Input<double>& efforts,
                                                      double h, const Eigen::VectorXd& ds,
                                                      const Eigen::VectorXd& du, double t = 0.0,
                                                      const Eigen::VectorXd& x = {});

}  // namespace limber
