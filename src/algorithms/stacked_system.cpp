#include "limber/algorithms/stacked_system.hpp"

#include <limits>
#include <string>

#include "limber/core/input_error.hpp"

namespace limber {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Matrix12 = Eigen::Matrix<double, 12, 12>;

void require(bool holds, const std::string& what, const std::string& expected, const std::string& found) {
  if (!holds) throw InputError(Problem{what, expected, found, ""});
}

std::string shape_of(Eigen::Index rows, Eigen::Index columns) {
  return std::to_string(rows) + " x " + std::to_string(columns);
}

// A pivot that is only rounding of numbers as large as those of the matrix.
bool is_singular(const Eigen::PartialPivLU<Matrix12>& lu, double largest) {
  constexpr double smallest = 4.0 * std::numeric_limits<double>::epsilon();
  return !(lu.matrixLU().diagonal().cwiseAbs().minCoeff() > smallest * largest);
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
  require(block.h.size() == n, "h", shape_of(n, 1), shape_of(block.h.size(), 1));
  require(block.G.cols() == n, "G", shape_of(6, n), shape_of(6, block.G.cols()));
  require(block.H.cols() == n_parent, "H", shape_of(6, n_parent), shape_of(6, block.H.cols()));

  const Eigen::Index m = n - 6;
  Elimination e;
  e.M.resize(n, n);
  e.h.resize(n);
  e.elastic = Eigen::LLT<MatrixXd>(m);
  e.Z.setZero(m, 13);
  e.Phi_H.resize(6, n_parent);
  e.shapes.resize(m);
  eliminations_.push_back(std::move(e));
  offsets_.push_back(offsets_.back() + 6 + static_cast<int>(n));
  blocks_.push_back(std::move(block));
}

MatrixXd StackedSystem::matrix() const {
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
  VectorXd right(size());
  for (int i = 0; i < link_count(); ++i) {
    right.segment<6>(offset(i)) = block(i).g;
    right.segment(offset(i) + 6, block(i).size()) = -block(i).h;
  }
  return right;
}

VectorXd StackedSystem::solve_dense() const {
  return Eigen::PartialPivLU<MatrixXd>(matrix()).solve(right_hand_side());
}

// (4). Returns whether there is a solution.
bool StackedSystem::eliminate(const LinkBlock& block, Elimination& e) const {
  const int m = block.size() - 6;
  Matrix6<double> M = e.M.topLeftCorner<6, 6>();
  Matrix6<double> G = block.G.leftCols<6>();
  Matrix6<double> wrench = block.Jf;
  Vector6<double> h = e.h.head<6>(), g = block.g;
  if (m > 0) {
    e.elastic.compute(e.M.bottomRightCorner(m, m));
    if (e.elastic.info() != Eigen::Success) return false;
    e.Z.leftCols<6>() = e.M.bottomLeftCorner(m, 6);
    e.Z.col(6) = e.h.tail(m);
    if (block.shapes_move_it) e.Z.rightCols<6>() = block.G.rightCols(m).transpose();
    e.elastic.matrixL().solveInPlace(e.Z);
    const auto Z_A = e.Z.leftCols<6>();
    const auto z = e.Z.col(6);
    const auto Z_G = e.Z.rightCols<6>();
    M.noalias() -= Z_A.transpose().lazyProduct(Z_A);
    h.noalias() -= Z_A.transpose().lazyProduct(z);
    if (block.shapes_move_it) {
      G.noalias() -= Z_G.transpose().lazyProduct(Z_A);
      const Matrix6<double> Lambda = Z_G.transpose().lazyProduct(Z_G);
      wrench.noalias() += block.Ja.lazyProduct(Lambda);
      const Vector6<double> pushed = Z_G.transpose().lazyProduct(z);
      g.noalias() += block.Ja.lazyProduct(pushed);
    }
  }
  Matrix12 A;
  A.topLeftCorner<6, 6>() = wrench;
  A.topRightCorner<6, 6>().noalias() = block.Ja.lazyProduct(G);
  A.bottomLeftCorner<6, 6>() = -G.transpose();
  A.bottomRightCorner<6, 6>() = 0.5 * (M + M.transpose());
  const Eigen::PartialPivLU<Matrix12> lu(A);
  if (is_singular(lu, A.cwiseAbs().maxCoeff())) return false;
  e.of_a.topLeftCorner<6, 6>() = block.Ja;
  e.of_a.bottomLeftCorner<6, 6>().setZero();
  e.of_a.col(6) << g, -h;
  e.of_a = lu.solve(e.of_a).eval();
  auto Phi = e.of_a.topLeftCorner<6, 6>();
  Phi = (0.5 * (Phi + Phi.transpose())).eval();
  return true;
}

// (3)
void StackedSystem::carry_to_parent(const LinkBlock& block, Elimination& e) {
  if (block.parent < 0) return;
  Elimination& parent = eliminations_[static_cast<std::size_t>(block.parent)];
  e.Phi_H.noalias() = e.of_a.topLeftCorner<6, 6>().lazyProduct(block.H);
  parent.M.noalias() += block.H.transpose().lazyProduct(e.Phi_H);
  parent.h.noalias() += block.H.transpose().lazyProduct(e.of_a.col(6).head<6>());
}

int StackedSystem::solve(VectorXd& x) {
  x.resize(size());
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    eliminations_[i].M = blocks_[i].M;
    eliminations_[i].h = blocks_[i].h;
  }
  for (std::size_t i = blocks_.size(); i-- > 0;) {
    if (!eliminate(blocks_[i], eliminations_[i])) return static_cast<int>(i);
    carry_to_parent(blocks_[i], eliminations_[i]);
  }
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    const LinkBlock& block = blocks_[i];
    Elimination& e = eliminations_[i];
    Eigen::Matrix<double, 12, 1> f_A = e.of_a.col(6);
    if (block.parent >= 0) {
      const Vector6<double> a = block.H.lazyProduct(x.segment(offset(block.parent) + 6, block.H.cols()));
      f_A.noalias() += e.of_a.leftCols<6>().lazyProduct(a);
    }
    x.segment<12>(offsets_[i]) = f_A;
    const int m = block.size() - 6;
    if (m == 0) continue;
    e.shapes = -e.Z.col(6);
    e.shapes.noalias() -= e.Z.leftCols<6>().lazyProduct(f_A.tail<6>());
    if (block.shapes_move_it) e.shapes.noalias() += e.Z.rightCols<6>().lazyProduct(f_A.head<6>());
    e.elastic.matrixU().solveInPlace(e.shapes);
    x.segment(offsets_[i] + 12, m) = e.shapes;
  }
  return -1;
}

}  // namespace limber
