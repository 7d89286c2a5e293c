// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What rows of closed loops (constraints.hpp) say at a configuration, and where they say less than elsewhere.
//
// Rows are metres and angles, columns radians and metres. Of each loop the rows of (1), (2) and those of (3) are divided by their common size,
//
//   A~ = A_i / |A_i|_F,   columns of joints that are told how to move left out,   A~ = U diag(s) V^T                          (1)
//
// and the rank r is the number of s_i above rounding. It is the same along a motion, but in singular configurations: a parallelogram that lies flat, a crank and a rod of one
// length with their slider on the crank's bearing. There s_r comes to zero, rows follow from others that did not, and so many freedoms appear. With A~ of a moment before as a
// reference (0), the smallest eigenvalue of the symmetric part of
//
//   U_0r^T A~ V_0r                                                                                                            (2)
//
// is s_r there and falls below zero where s_r passes through zero, however many do so at once. (A determinant of A~ and the tangent of the motion, the usual test of
// bifurcations, keeps its sign where two pass.)

#include <string>
#include <vector>

#include "limber/algorithms/constraints.hpp"
#include "limber/core/export.hpp"
#include "limber/math/types.hpp"

namespace limber LIMBER_EXPORT {

/// What a singular configuration sets free.
struct SingularFreedoms {
  int count = 0;                    ///< so many freedoms appear
  std::vector<std::string> loops;   ///< whose rows follow from others there
  std::vector<std::string> held;    ///< with these coordinates of joints held
  std::vector<std::string> moving;  ///< these can move all the same
};

/// Loops that hang together, and leave no freedom to what they close.
struct LockedLoops {
  std::vector<int> loops;        ///< indices into Model::loops()
  std::vector<int> coordinates;  ///< of joints that cannot move, in v
  bool is_carried = false;       ///< as a whole they move with the machine: a frame that loops brace
};

/// The rank of loops at one configuration after another, by (1).
class LoopRank {
 public:
  /// Of an arm, of which it keeps a copy.
  explicit LoopRank(const Model& model);

  /// Joints of these links move as they are told. From the next update on.
  void prescribe(const std::vector<int>& links);
  /// Looks at a configuration, in which loops are closed.
  void update(const Input<double>& q);

  /// s above rounding.
  int rank() const;
  /// s_i / s_1 of the last of so many; 1 of none.
  double margin(int rank) const;
  /// The present configuration is the reference of turned_margin().
  void remember();
  /// (2) over s_1, of so many.
  double turned_margin(int rank) const;

  /// Near a singular configuration, what it sets free, `rank` being that of the motion.
  SingularFreedoms freedoms(int rank) const;

  /// Loops that lock all that they close: none of the joints on their way can move, and no beam there bends.
  std::vector<LockedLoops> locked() const;

 private:
  bool moves(const Frame& place, const Eigen::MatrixXd& motions) const;

  Model model_;
  Workspace<double> work_;
  LoopEquations<double> equations_;
  std::vector<int> held_, free_;  ///< coordinates
  std::vector<int> loop_of_row_;  ///< its index
  std::vector<char> is_turn_;     ///< of each row: (3) of constraints.hpp
  Eigen::MatrixXd rows_, U_, V_, U0_, V0_;
  Eigen::VectorXd values_;
};

/// Sentences about loops that lock all joints that they close, on a machine that carries them: rigid frames, as far as anybody can tell. At a configuration where loops are closed.
std::vector<std::string> braced_frames(const Model& model, const Input<double>& q);

}  // namespace limber
