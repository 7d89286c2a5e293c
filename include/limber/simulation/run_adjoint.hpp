// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// How a run changes with many numbers of its scenario: back through its steps, once, for all of them.
//
// RunSensitivity (run_sensitivity.hpp) takes a column along for every number p. Where J is a sum of weighted readings y_c of rows r, what is asked for is a row instead:
//
//   J = Sum w_rc y_c(s_r, h_r, p),     m = dJ/ds,     e = dJ/dh                                                                 (1)
//
// s = [q; v; x] the state, h what sampled controllers hold. It begins as zero behind the last row, and comes back
//
//   over a row:     m += w dy/ds,   e += w dy/dh,                                           dJ/dp += w dy/dp                    (2)
//   over a step:    m <- A^T m,     e += Sum_i (dg_i/dh)^T B_i^T m,                         dJ/dp += Sum_i m^T B_i dg_i/dp      (3)
//   over a sample h <- H(s, h, p):  m += (dH/ds)^T e,   e <- (dH/dh)^T e,                   dJ/dp += e^T dH/dp                  (4)
//   to the start:                                                                          dJ/dp += m^T ds_0/dp                (5)
//
// where a step is s_1 = A s_0 + Sum_i B_i g_i to first order, g_i what is missing at its stage i (step_derivatives.hpp): A and B_i are the step's own, for each direction of s and g_i.
//
// Forces that are missing are what is applied less f(q, v, a; c), c the constants of the arm. dc/dp does not depend on the motion, so that (3) becomes
//
//   Sum_i m^T B_i dg_i/dp = Sum_i m^T B_i d(applied)/dp - [Sum_i d(m^T B_i f)/dc] dc/dp                                         (6)
//
// and the sum in brackets, over all stages of all steps, knows nothing of p: each stage takes one inverse dynamics on a tape (algorithms/detail/constants_adjoint.hpp). For every number
// remain the controllers' forces, which are differenced by (2) of run_sensitivity.hpp as everything there. Numbers that do more to an arm than to change constants (its loads,
// cylinders, telescoping beams) are differenced as a whole.

#include <functional>
#include <memory>
#include <vector>

#include "limber/core/export.hpp"
#include "limber/math/eigen.hpp"
#include "limber/simulation/run_sensitivity.hpp"

namespace limber LIMBER_EXPORT {

/// Numbers that somebody reads from a row of a run: as many from every row.
using RowReading = std::function<Eigen::VectorXd(const Sample&)>;

/// A run, and gradients of what its rows show by the numbers that families vary.
class RunAdjoint {
 public:
  /// As RunSensitivity. Throws InputError for what that refuses, and for generalized-alpha, whose steps remember.
  RunAdjoint(Scenario scenario, std::vector<ScenarioFamily> families);
  ~RunAdjoint();
  ///@{
  /// Moved, not copied.
  RunAdjoint(RunAdjoint&&) noexcept;
  RunAdjoint& operator=(RunAdjoint&&) noexcept;
  ///@}
  /// Whether it knows the scenario's method; others than those with derivatives are replaced by radau9, which it knows.
  static bool knows(const Scenario& scenario);

  /// The scenario that it runs, and those of families.
  const Scenario& scenario() const;
  /// One of them.
  const Scenario& scenario_of(std::size_t family, std::size_t which) const;
  /// The method whose steps are differentiated.
  const char* method() const;

  /// Runs, and keeps what the way back needs: maps of steps up to so many bytes, beyond them where steps began, from where they are taken once more. Throws what simulate() throws, and
  /// Interrupted.
  void run(ResultSink& rows, double most_kept = 1e9);

  /// dJ_k/dp.
  struct Gradient {
    Eigen::MatrixXd by_number;  ///< k x families
    Eigen::MatrixXd coarse;     ///< the same by the formulas of fourth order: what differs tells of the error
  };
  /// Back through that run. J_k is the sum of weights[k] (rows x readings) times what `own` reads from the rows; varied[family][which] reads the same from rows of the scenarios there.
  Gradient gradient(const std::vector<Eigen::MatrixXd>& weights, const RowReading& own,
                    const std::vector<std::vector<RowReading>>& varied);
  /// After gradient(): whether a family's number has changed anything.
  bool has_effect(std::size_t family) const;
  /// As RunSensitivity's.
  bool is_rough(std::size_t family) const;
  /// Steps that were taken.
  long steps() const;

 private:
  struct Inside;
  std::unique_ptr<Inside> inside_;
};

}  // namespace limber
