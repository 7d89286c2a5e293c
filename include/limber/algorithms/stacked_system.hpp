// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The equations of an arm taken apart: every link a free body, every joint a row of conditions, the wrenches between
// links unknown like the accelerations (docs/dae.md; Yaqubi et al., "Screw-theoretic PDE-based synthesis", eq. (72), with
// the corrections listed there).
//
// Unknowns of link i: the wrench f_i in its joint (by the parent on the link), and y_i = [A_i; etadd_i], the acceleration
// of its body frame and of its shapes. With G_i y_i the acceleration of the link's side of the joint, and H_i y_p that of
// the parent's side:
//
//   Ja_i (G_i y_i - H_i y_p) + Jf_i f_i = g_i                       six rows per joint              (1)
//   M_i y_i + f0_i - G_i^T f_i + Sum over children H_c^T f_c = 0    6 + m_i rows per link           (2)
//
// A constrained direction n has the row n^T in Ja and zero in Jf; a free direction s has s^T in Jf and its effort in g, so
// that the motor pushes the parent back too. (2) has m_i modal rows, and the wrenches act in them through the shapes'
// columns of G and H: without them the shapes would not know that something hangs on the link.
//
// Elimination from the leaves to the root. Only H_i y_p of (1) connects link i with its parent, so that with
// a = H_i y_p each link can be solved for in terms of six numbers: f_i = M_a a + f_a, and the parent gets
//
//   M_p += H_i^T M_a H_i,     f0_p += H_i^T f_a                                                     (3)
//
// which fills no block that was empty: O(n) for chains and trees. In each link, G = [G_r, G_e] has a G_r that turns and
// shifts a motion, and can always be undone: with a_B = G y as the unknown in place of A,
//
//   y = Y [a_B; etadd],   Y = [G_r^-1, -G_r^-1 G_e; 0, 1],    M' = Y^T M Y,   f0' = Y^T f0             (4)
//
// and the wrench stands in the first six rows alone. The shapes go first, by Cholesky, M'_ee = L L^T,
// [Z, z] = L^-1 [M'_er, f0'_e], and then the joint, by Gauss elimination with row pivots:
//
//   M_B = M'_rr - Z^T Z,   f0_B = f0'_r - Z^T z,   f = M_B a_B + f0_B
//   (Ja + Jf M_B) a_B = Ja a + g - Jf f0_B                                                          (5)
//
// No inverse of an inertia is taken: that of a thin straight link is singular, because nothing turns about its axis, and
// only the joint's rows beside it say what happens. M_a is symmetric; rounding that makes it unsymmetric grows along a
// chain, and is taken out.

#include <vector>

#include "limber/algorithms/workspace.hpp"
#include "limber/core/export.hpp"
#include "limber/math/eigen.hpp"
#include "limber/model/detail/arguments.hpp"

#include <Eigen/Cholesky>  // after eigen.hpp

namespace limber LIMBER_EXPORT {

/// What one link adds to the system.
struct LinkBlock {
  int parent = -1;              ///< index of a block before this one; -1: the ground, whose H y_p stands in g
  Matrix6<double> Ja, Jf;       ///< (1)
  Vector6<double> g;            ///< (1): right-hand side of the joint's rows
  Matrix6X<double> G;           ///< 6 x (6 + m)
  Matrix6<double> G_inverse;    ///< of its first six columns
  Matrix6X<double> H;           ///< 6 x (6 + m of the parent); no columns on the ground
  Eigen::MatrixXd M;            ///< (6 + m) x (6 + m)
  Eigen::VectorXd f0;           ///< 6 + m: forces at zero acceleration
  bool shapes_move_it = false;  ///< whether the last m columns of G are other than zero

  /// 6 + m.
  int size() const { return static_cast<int>(M.rows()); }
};

/// The stacked equations of a tree of links, and their solution in O(n).
class StackedSystem {
 public:
  /// Adds a link; no entry that stands in the matrix already changes. Throws InputError for sizes that do not fit, and
  /// for a parent that comes later: a closed loop is no tree, and not supported.
  void append(LinkBlock block);

  /// Blocks so far.
  int link_count() const { return static_cast<int>(blocks_.size()); }
  /// To change numbers. Sizes and parents stay: others are refused when the system is used.
  LinkBlock& block(int link) {
    detail::require_index("StackedSystem::block", "link", link_count(), link);
    return blocks_[static_cast<std::size_t>(link)];
  }
  /// To read it.
  const LinkBlock& block(int link) const {
    detail::require_index("StackedSystem::block", "link", link_count(), link);
    return blocks_[static_cast<std::size_t>(link)];
  }

  /// Where the unknowns [f; y] of a link begin, and with link_count() their number. Rows stand in the same order:
  /// (1), then (2).
  int offset(int link) const {
    detail::require_index("StackedSystem::offset", "link", link_count() + 1, link);
    return offsets_[static_cast<std::size_t>(link)];
  }
  /// Unknowns in all.
  int size() const { return offsets_.back(); }

  /// Of (1) and (2), dense.
  Eigen::MatrixXd matrix() const;
  /// In the order of the rows.
  Eigen::VectorXd right_hand_side() const;
  /// All unknowns by Gauss elimination of the whole matrix: O(n^3), to compare with.
  Eigen::VectorXd solve_dense() const;

  /// (3) to (5); `x` gets size() numbers. No heap after the first call. Returns the link where the system is
  /// singular, or -1.
  int solve(Eigen::VectorXd& x);

 private:
  struct Elimination {
    Eigen::MatrixXd M;
    Eigen::VectorXd f0;
    Eigen::LLT<Eigen::MatrixXd> elastic;
    Eigen::Matrix<double, Eigen::Dynamic, 7> Z;  ///< [Z, z]
    Eigen::Matrix<double, 6, 7> a_B, f;          ///< times [a; 1]
    Eigen::MatrixXd Y, M_Y;                      ///< (4), where shapes move the base
    Matrix6X<double> M_a_H;                      ///< scratch
    Eigen::VectorXd shapes;                      ///< scratch
  };
  void require_sizes(const char* function) const;
  void express_at_base(const LinkBlock& block, Elimination& e) const;
  bool eliminate(const LinkBlock& block, Elimination& e) const;
  void carry_to_parent(const LinkBlock& block, Elimination& e);

  std::vector<LinkBlock> blocks_;
  std::vector<Elimination> eliminations_;
  std::vector<int> offsets_ = {0};
};

}  // namespace limber
