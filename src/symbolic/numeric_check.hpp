// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Whether a formula has the value that the numeric core finds: at a random bent state, before it is handed out.

#include <Eigen/Core>

#include "limber/algorithms/workspace.hpp"
#include "limber/math/dual.hpp"
#include "limber/symbolic/symbolic_arm.hpp"

namespace limber {

/// A random bent state, the same for all quantities.
struct TestState {
  Eigen::VectorXd q, v, a, tau;
};
TestState random_state(const Model& model, unsigned seed = 20);

/// Takes the joints of telescoping beams, as far from zero as they stand (-1 to 1), to where between a third and all of the beam is out.
void keep_in_guides(const Model& model, Eigen::VectorXd& q);

/// In which two ways to the same number may differ.
inline constexpr double check_rounding = 1e-9;

/// Of the same arm with numbers: screws that are constant there are constant here. (Dual, whose derivatives stay zero: plain numbers do not know constant screws
/// of sections.)
Workspace<Dual> numeric_workspace(const SymbolicArm& arm);

/// Our own mistake if it throws: a parameter that does not have the value of what it stands for.
void compare(const SymbolicArm& arm, const char* what, const MatrixX<Expression>& derived,
             const Eigen::MatrixXd& expected, const TestState& state);

/// compute(work, q, v, result) with symbols, compared with the same in numbers.
template <typename Compute>
MatrixX<Expression> derive_and_compare(SymbolicArm& arm, const char* what, int rows, int columns,
                                       const Compute& compute) {
  const UseGraph use(*arm.graph);
  MatrixX<Expression> derived = MatrixX<Expression>::Constant(rows, columns, Expression());
  compute(*arm.work, arm.q, arm.v, derived);
  const TestState state = random_state(arm.model);
  Workspace<Dual> work = numeric_workspace(arm);
  const VectorX<Dual> q = state.q.cast<Dual>(), v = state.v.cast<Dual>();
  MatrixX<Dual> numbers = MatrixX<Dual>::Constant(rows, columns, Dual(0.0));
  compute(work, q, v, numbers);
  compare(arm, what, derived, numbers.unaryExpr([](const Dual& x) { return x.value(); }), state);
  return derived;
}

}  // namespace limber
