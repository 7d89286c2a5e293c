// SPDX-License-Identifier: BSD-3-Clause
#include "limber/algorithms/stacked_system.hpp"

#include <cmath>
#include <limits>
#include <string>

#include "limber/core/input_error.hpp"
#include "limber/math/detail/decompositions.hpp"

namespace limber {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

void require(bool holds, const std::string& what, const std::string& expected, const std::string& found) {
  if (!holds) throw InputError(Problem{what, expected, found, ""});
}

std::string shape_of(Eigen::Index rows, Eigen::Index columns) {
  return std::to_string(rows) + " x " + std::to_string(columns);
}

// Gauss elimination of [A, right sides] with row pivots; the solutions take the right sides' place. Returns whether every
// pivot is larger than `smallest`. By rows, so that whole rows are subtracted at once.
using Augmented = Eigen::Matrix<double, 6, 13, Eigen::RowMajor>;
bool solve_in_place(Augmented& A, double smallest) {
  for (int k = 0; k < 6; ++k) {
    Eigen::Index pivot = 0;
    const double size = A.col(k).tail(6 - k).cwiseAbs().maxCoeff(&pivot);
    if (!(size > smallest)) return false;
    if (pivot > 0) A.row(k).swap(A.row(k + pivot));
    const double inverse = 1.0 / A(k, k);
    for (int i = k + 1; i < 6; ++i) {
      const double factor = A(i, k) * inverse;
      if (factor != 0.0) A.row(i) -= factor * A.row(k);
    }
  }
  for (int k = 5; k >= 0; --k) {
    A.row(k).tail<7>() /= A(k, k);
    for (int i = 0; i < k; ++i) A.row(i).tail<7>() -= A(i, k) * A.row(k).tail<7>();
  }
  return true;
}

}  // namespace

void StackedSystem::append(LinkBlock block) {
  const int index = link_count();
  require(
      block.parent < index, "parent",
      "a link before number " + std::to_string(index) + ": links form a tree, closed loops are not supported",
      std::to_string(block.parent));
  const Eigen::Index n = block.M.rows();
  const Eigen::Index n_parent = block.parent < 0 ? 0 : blocks_[static_cast<std::size_t>(block.parent)].size();
  require(n >= 6 && block.M.cols() == n, "M", "6 + m rows and columns", shape_of(n, block.M.cols()));
  require(block.f0.size() == n, "f0", shape_of(n, 1), shape_of(block.f0.size(), 1));
  require(block.G.cols() == n, "G", shape_of(6, n), shape_of(6, block.G.cols()));
  require(block.H.cols() == n_parent, "H", shape_of(6, n_parent), shape_of(6, block.H.cols()));

  const Eigen::Index m = n - 6;
  Elimination e;
  e.M.resize(n, n);
  e.f0.resize(n);
  e.elastic = Eigen::LLT<MatrixXd>(m);
  e.Z.resize(m, 7);
  if (block.shapes_move_it) {
    e.Y.setIdentity(n, n);
    e.M_Y.resize(n, n);
  }
  e.M_a_H.resize(6, n_parent);
  e.shapes.resize(m);
  eliminations_.push_back(std::move(e));
  offsets_.push_back(offsets_.back() + 6 + static_cast<int>(n));
  blocks_.push_back(std::move(block));
}

// Blocks are handed out to be written into, and might have been made larger or smaller, or hung elsewhere.
void StackedSystem::require_sizes(const char* function) const {
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    const LinkBlock& b = blocks_[i];
    const Elimination& e = eliminations_[i];
    const Eigen::Index n = e.M.rows();
    detail::require_extent(function, "M", b.M, n, n);
    detail::require_extent(function, "f0", b.f0, n, 1);
    detail::require_extent(function, "G", b.G, 6, n);
    detail::require_extent(function, "H", b.H, 6, e.M_a_H.cols());
    const Eigen::Index of_parent = b.parent < 0 ? 0
                                   : b.parent < static_cast<int>(i)
                                       ? eliminations_[static_cast<std::size_t>(b.parent)].M.rows()
                                       : -1;
    const bool is_as_appended = of_parent == e.M_a_H.cols() && (!b.shapes_move_it || e.Y.rows() == n);
    if (!is_as_appended)  // words are made only where they are needed: nothing is allocated while it is solved
      require(false, std::string(function) + ": parent", "the block as it was appended",
              "another parent, or shapes that move its base");
  }
}

MatrixXd StackedSystem::matrix() const {
  require_sizes("StackedSystem::matrix");
  MatrixXd A = MatrixXd::Zero(size(), size());
  for (int i = 0; i < link_count(); ++i) {
    const LinkBlock& b = block(i);
    const int f = offset(i), y = f + 6, n = b.size();
    A.block<6, 6>(f, f) = b.Jf;
    A.block(f, y, 6, n) = b.Ja * b.G;
    A.block(y, f, n, 6) = -b.G.transpose();
    A.block(y, y, n, n) = b.M;
    if (b.parent < 0) continue;
    const int y_parent = offset(b.parent) + 6, n_parent = block(b.parent).size();
    A.block(f, y_parent, 6, n_parent) = -b.Ja * b.H;
    A.block(y_parent, f, n_parent, 6) = b.H.transpose();
  }
  return A;
}

VectorXd StackedSystem::right_hand_side() const {
  require_sizes("StackedSystem::right_hand_side");
  VectorXd right(size());
  for (int i = 0; i < link_count(); ++i) {
    right.segment<6>(offset(i)) = block(i).g;
    right.segment(offset(i) + 6, block(i).size()) = -block(i).f0;
  }
  return right;
}

VectorXd StackedSystem::solve_dense() const {
  return Eigen::PartialPivLU<MatrixXd>(matrix()).solve(right_hand_side());
}

// (4)
void StackedSystem::express_at_base(const LinkBlock& block, Elimination& e) const {
  const Matrix6<double>& Gi = block.G_inverse;
  const int m = block.size() - 6;
  if (block.shapes_move_it) {
    e.Y.topLeftCorner<6, 6>() = Gi;
    e.Y.topRightCorner(6, m).noalias() = -Gi.lazyProduct(block.G.rightCols(m));
    e.M_Y.noalias() = e.M * e.Y;
    e.M.noalias() = e.Y.transpose() * e.M_Y;
    e.f0.tail(m).noalias() += e.Y.topRightCorner(6, m).transpose().lazyProduct(e.f0.head<6>());
  } else {
    const Matrix6<double> M_Gi = e.M.topLeftCorner<6, 6>().lazyProduct(Gi);
    e.M.topLeftCorner<6, 6>().noalias() = Gi.transpose().lazyProduct(M_Gi);
    for (int j = 6; j < 6 + m; ++j) {
      const Vector6<double> row = e.M.row(j).head<6>();
      e.M.row(j).head<6>().noalias() = row.transpose().lazyProduct(Gi);
    }
  }
  const Vector6<double> f0 = e.f0.head<6>();
  e.f0.head<6>().noalias() = Gi.transpose().lazyProduct(f0);
}

// (5). Returns whether there is a solution.
bool StackedSystem::eliminate(const LinkBlock& block, Elimination& e) const {
  express_at_base(block, e);
  const int m = block.size() - 6;
  Matrix6<double> M = e.M.topLeftCorner<6, 6>();
  Vector6<double> f0 = e.f0.head<6>();
  if (m > 0) {
    e.elastic.compute(e.M.bottomRightCorner(m, m));
    if (e.elastic.info() != Eigen::Success) return false;
    e.Z.leftCols<6>() = e.M.bottomLeftCorner(m, 6);
    e.Z.col(6) = e.f0.tail(m);
    e.elastic.matrixL().solveInPlace(e.Z);
    M.noalias() -= e.Z.leftCols<6>().transpose().lazyProduct(e.Z.leftCols<6>());
    f0.noalias() -= e.Z.leftCols<6>().transpose().lazyProduct(e.Z.col(6));
  }
  M = (0.5 * (M + M.transpose())).eval();
  Augmented joint;
  joint.leftCols<6>() = block.Ja;
  joint.leftCols<6>().noalias() += block.Jf.lazyProduct(M);
  joint.middleCols<6>(6) = block.Ja;
  joint.col(12) = block.g;
  joint.col(12).noalias() -= block.Jf.lazyProduct(f0);
  // What rounding leaves of a pivot that is zero: rows of the joint are units or multiples of M.
  constexpr double rounding = 4.0 * std::numeric_limits<double>::epsilon();
  if (!solve_in_place(joint, rounding * std::max(1.0, M.cwiseAbs().maxCoeff()))) return false;
  e.a_B = joint.rightCols<7>();
  e.f.noalias() = M.lazyProduct(e.a_B);
  e.f.col(6) += f0;
  auto M_a = e.f.leftCols<6>();
  M_a = (0.5 * (M_a + M_a.transpose())).eval();
  return true;
}

// (3)
void StackedSystem::carry_to_parent(const LinkBlock& block, Elimination& e) {
  if (block.parent < 0) return;
  Elimination& parent = eliminations_[static_cast<std::size_t>(block.parent)];
  e.M_a_H.noalias() = e.f.leftCols<6>().lazyProduct(block.H);
  parent.M.noalias() += block.H.transpose().lazyProduct(e.M_a_H);
  parent.f0.noalias() += block.H.transpose().lazyProduct(e.f.col(6));
}

int StackedSystem::solve(VectorXd& x) {
  require_sizes("StackedSystem::solve");
  x.resize(size());
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    eliminations_[i].M = blocks_[i].M;
    eliminations_[i].f0 = blocks_[i].f0;
  }
  for (std::size_t i = blocks_.size(); i-- > 0;) {
    if (!eliminate(blocks_[i], eliminations_[i])) return static_cast<int>(i);
    carry_to_parent(blocks_[i], eliminations_[i]);
  }
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    const LinkBlock& block = blocks_[i];
    Elimination& e = eliminations_[i];
    Vector6<double> f = e.f.col(6), a_B = e.a_B.col(6);
    if (block.parent >= 0) {
      const Vector6<double> a = block.H.lazyProduct(x.segment(offset(block.parent) + 6, block.H.cols()));
      f.noalias() += e.f.leftCols<6>().lazyProduct(a);
      a_B.noalias() += e.a_B.leftCols<6>().lazyProduct(a);
    }
    const int m = block.size() - 6;
    if (m > 0) {
      e.shapes = -e.Z.col(6);
      e.shapes.noalias() -= e.Z.leftCols<6>().lazyProduct(a_B);
      e.elastic.matrixU().solveInPlace(e.shapes);
      x.segment(offsets_[i] + 12, m) = e.shapes;
      if (block.shapes_move_it) a_B.noalias() -= block.G.rightCols(m).lazyProduct(e.shapes);
    }
    x.segment<6>(offsets_[i]) = f;
    x.segment<6>(offsets_[i] + 6).noalias() = block.G_inverse.lazyProduct(a_B);
  }
  return -1;
}

}  // namespace limber
