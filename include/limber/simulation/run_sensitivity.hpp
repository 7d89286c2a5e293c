// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// How a run changes with numbers of its scenario: of the arm (stiffnesses, masses, lengths, damping), of controllers, trajectories, loads, the start.
//
// With s = [q; v; x] (step_derivatives.hpp) and p such a number, S = ds/dp goes along with the run, by the differentials of the very steps that are taken:
//
//   S_1 = A S_0 + what p does within the step,    S(0) = ds_0/dp                                                        (1)
//
// What p does at a stage is the force that is missing there if p changes and the motion does not, g = d(missing forces)/dp, and the same of rates of memory. It is the
// difference of arms that were prepared for p + k e: of the preparation alone, at one and the same state, so that neither steps nor tolerances are in it,
//
//   df/dp = 1/e Sum_k w_k f(p + k e),     k = -3 ... 3 (sixth order), or 0 ... 6 where p may not be smaller                (2)
//
// The start is differenced likewise, and so is what sampled controllers hold, h <- H(s, h, p): by p at the same s and h; along S and dh/dp by ways of a hundred-thousandth, for
// whether a motor is at its limit and an integral is kept, which is decided at a sample, falls into a longer one. A row of
// the result is a function of s and p, and its derivative that of the rows at (p + k e, s + k e S): every channel of a run has one.

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "limber/core/export.hpp"
#include "limber/math/eigen.hpp"
#include "limber/simulation/scenario.hpp"
#include "limber/simulation/simulate.hpp"

namespace limber LIMBER_EXPORT {

/// (2): df/dp = Sum_k weight_k (f(p + at_k e) - f(p))/e, which is zero where p changes nothing.
struct DifferenceFormula {
  std::array<double, 6> at;       ///< k, none of them 0
  std::array<double, 6> weights;  ///< of f there
  std::array<double, 6> coarse;   ///< weights of a formula of fourth order: what differs tells of the error

  /// k = -3 ... 3.
  static DifferenceFormula central();
  /// k = 0 ... 6; with a negative e, backward.
  static DifferenceFormula forward();
};

/// Scenarios for p + k e, and how their differences make derivatives.
struct ScenarioFamily {
  std::string name;                 ///< of p, for messages
  double unit = 0.0;                ///< e
  DifferenceFormula formula;        ///< which k
  std::vector<Scenario> scenarios;  ///< six, in the order of formula.at
};

/// A run together with its derivatives by the numbers that families vary.
class RunSensitivity {
 public:
  /// Both are taken over. A method whose steps have no derivative here (`auto` among them) is replaced by radau9. Sensors show what is there, without noise, delay and
  /// quantum. Throws InputError for closed loops, joints that stick by friction, sampled controllers that look at sensors, and numbers that move prescribed joints.
  RunSensitivity(Scenario scenario, std::vector<ScenarioFamily> families);
  ~RunSensitivity();
  ///@{
  /// Moved, not copied.
  RunSensitivity(RunSensitivity&&) noexcept;
  RunSensitivity& operator=(RunSensitivity&&) noexcept;
  ///@}

  /// The scenario that it runs, and those of families.
  const Scenario& scenario() const;
  /// One of them.
  const Scenario& scenario_of(std::size_t family, std::size_t which) const;
  /// The method whose steps are differentiated.
  const char* method() const;

  /// Runs: rows go to `rows`, and those at (p + k e, s + k e S) to varied[family][which]. Throws what simulate() throws, and Interrupted.
  void run(ResultSink& rows, const std::vector<std::vector<ResultSink*>>& varied);

  /// S at the end: 2 nv + numbers in x rows, a column for each family.
  const Eigen::MatrixXd& final_sensitivity() const;
  /// Whether a family's number has changed anything: the start, or a force at some stage.
  bool has_effect(std::size_t family) const;
  /// Whether a sampled controller was asked where what it holds is not smooth in the family's number: then derivatives are worth little.
  bool is_rough(std::size_t family) const;
  /// Steps that were taken.
  long steps() const;

 private:
  struct Inside;
  std::unique_ptr<Inside> inside_;
};

}  // namespace limber
