// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Closed loops: two places a and b of an arm that coincide, but for what stays free (docs/loops.md).
//
// Each loop is some rows c(q) = 0. With p, w of the two frames in the world's axes, d = p_b - p_a, directions N = R_a n and z = R_b m that are fixed to a and to b:
//
//   a point meets a point      c = d                 (three rows: spherical, fixed, revolute)                          (1)
//   a point lies on a line     c = N . d             (two rows, N across the axis: point-on-line)                      (2)
//   directions stay square     c = N . z             (two rows, z = R_b axis: revolute; three, of the axes: fixed)     (3)
//
// Their rates are A v with, from (1) to (3), and J of the places,
//
//   A = J_vb - J_va,      N^T (J_vb - J_va) + (N x d)^T J_wa,      (z x N)^T (J_wb - J_wa)                             (4)
//
// and their second rates A a + gamma, where gamma has the places' own bias accelerations and
//
//   (2): (w_a x (w_a x N)) . d + 2 (w_a x N) . d'
//   (3): (w_a x (w_a x N)) . z + 2 (w_a x N) . (w_b x z) + N . (w_b x (w_b x z))                                       (5)
//
// The loops act on the arm by A^T lambda: at b a force and a moment, at a their opposites.
//
//   M a + h = tau + A^T lambda,   A a + gamma = 0   =>   (A M^-1 A^T) lambda = -(A a0 + gamma),   a = a0 + M^-1 A^T lambda      (6)
//
// a0 being what the arm would do with open loops. M^-1 A^T comes from the recursion, a column of A^T at a time, in O(n) each. Where rows say the same twice (a plane four-bar whose pin
// is a revolute joint of space), A M^-1 A^T is singular: of all multipliers the shortest are taken, by its eigenvalues, and accelerations are unique all the same.

#include <string>
#include <vector>

#include "limber/algorithms/workspace.hpp"
#include "limber/core/export.hpp"
#include "limber/math/types.hpp"
#include "limber/model/load.hpp"
#include "limber/model/loops.hpp"

namespace limber LIMBER_EXPORT {

/// Rows of all loops together, in their order.
int loop_row_count(const Model& model);
/// Of each row, as `pin.x`, `pin.y`, `pin.z` (1), `pin.across1`, `pin.across2` (2), `pin.turn1`, ... (3).
std::vector<std::string> loop_row_names(const Model& model);

/// c, A and gamma of all loops at a state.
template <typename Scalar>
struct LoopEquations {
  VectorX<Scalar> gaps;                                     ///< c [m, or rad for small ones]
  Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic> A;  ///< rows x nv
  VectorX<Scalar> bias;                                     ///< gamma
};
/// (1) to (5), for `double` and `Dual`. Fills the workspace with positions and velocities.
template <typename Scalar>
void loop_equations(const Model& model, Workspace<Scalar>& work, const Input<Scalar>& q,
                    const Input<Scalar>& v, LoopEquations<Scalar>& equations);

/// What a loop does, in the world's axes: by the link of its place a on that of b, about b's origin.
struct LoopForce {
  std::string name;        ///< of the loop
  Eigen::Vector3d force;   ///< [N]
  Eigen::Vector3d moment;  ///< [N m]
};

/// How far apart the places of a loop are.
struct LoopGap {
  std::string name;       ///< of the loop
  double distance = 0.0;  ///< [m], of what should coincide
  double angle = 0.0;     ///< [rad], likewise
};
/// Of every loop at q.
std::vector<LoopGap> loop_gaps(const Model& model, const Input<double>& q);

/// Solves (6) at one state after another: keeps its scratch.
class LoopSolver {
 public:
  /// Of an arm, of which it keeps a copy.
  explicit LoopSolver(const Model& model);

  /// Joints of these links move as they are told: their accelerations are given. From the next update on.
  void prescribe(const std::vector<int>& links);
  /// A, gamma, M^-1 A^T and what follows from them.
  void update(const Input<double>& q, const Input<double>& v);
  /// At the state of the last update.
  const LoopEquations<double>& equations() const { return equations_; }
  /// How many of the rows say something of their own: the rank of A M^-1 A^T.
  int rank() const { return rank_; }
  /// Rows that follow from the others, by name. Where several may be left out, the last ones.
  std::vector<std::string> redundant_rows() const;

  /// lambda of (6), from a0.
  Eigen::VectorXd multipliers(const Input<double>& open_acceleration) const;
  /// M^-1 A^T lambda: what is added to a0. Zero in rows of prescribed joints.
  Eigen::VectorXd acceleration_of(const Input<double>& multipliers) const;
  /// What of forces moves the arm on its loops: f - A^T (A M^-1 A^T)^-1 A M^-1 f, column by column.
  Eigen::MatrixXd moving_part(const Eigen::MatrixXd& forces) const;
  /// A^T lambda as forces and moments on links.
  std::vector<Load> loads_of(const Input<double>& multipliers) const;
  /// A^T lambda as what each loop does.
  std::vector<LoopForce> forces_of(const Input<double>& multipliers) const;

  /// Brings q to where loops are closed, by as little as possible (in kinetic energy), and takes from v what would open them. False where that fails; q and v are then as they were.
  bool close(Output<double> q, Output<double> v);

  /// From the tangent M da = -K dq - C dv of all forces (lambda held) to that of the motion on the loops, at a state, its acceleration and multipliers: docs/loops.md, (9). Rows and columns of
  /// prescribed joints must have been cleared.
  void constrain_tangent(const Input<double>& q, const Input<double>& v, const Input<double>& a,
                         const Input<double>& multipliers, Eigen::MatrixXd& C, Eigen::MatrixXd& K);

 private:
  void factor();
  Eigen::VectorXd solved(const Eigen::VectorXd& right) const;

  Model model_;
  Workspace<double> work_, free_work_;
  LoopEquations<double> equations_;
  std::vector<int> held_rows_;
  Eigen::MatrixXd response_;  ///< M^-1 A^T
  Eigen::MatrixXd vectors_;   ///< eigenvectors of A M^-1 A^T
  Eigen::VectorXd inverses_;  ///< of its eigenvalues; 0 where there is none
  int rank_ = 0;
  Eigen::VectorXd zero_, elastic_;
};

/// d(A^T lambda)/dq along v's components, lambda held: nv x nv.
Eigen::MatrixXd loop_stiffness(const Model& model, const Input<double>& q, const Input<double>& multipliers);

/// d(A v)/dq along v's components, v held: rows x nv.
Eigen::MatrixXd loop_rate_derivative(const Model& model, const Input<double>& q, const Input<double>& v);

/// A configuration in which all loops are closed, found from q on. Numbers of q whose places (indices into v) are `kept` stay as they are if that can be; elastic coordinates stay if
/// joints can close the loops alone. Throws InputError, path `loops[i]`, that says how far apart places remain, and of a mechanism that nothing can move.
Eigen::VectorXd assemble(const Model& model, const Input<double>& q, const std::vector<int>& kept = {});

/// Refuses a configuration in which loops are open by more than 1e-6 m or rad: InputError that says by how much, and that assemble() closes them.
void require_closed_loops(const char* function, const Model& model, const Input<double>& q);

/// Joint coordinates (in v) that tell all others at q, as far as joints do: loops make the rest follow. Of several choices that of the first joints, unless it is close to a dead centre.
/// Elastic coordinates are not among them. All joints' coordinates where there are no loops.
/// Those of `preferred` (indices in v) come before all others.
std::vector<int> independent_joints(const Model& model, const Input<double>& q,
                                    const std::vector<int>& preferred = {});
/// Those that follow.
std::vector<int> dependent_joints(const Model& model, const Input<double>& q,
                                  const std::vector<int>& preferred = {});

}  // namespace limber
