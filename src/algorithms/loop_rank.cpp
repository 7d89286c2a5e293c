// SPDX-License-Identifier: BSD-3-Clause
#include "limber/algorithms/loop_rank.hpp"

#include <algorithm>
#include <cmath>

#include "limber/algorithms/detail/loop_equations.hpp"
#include "limber/algorithms/jacobian.hpp"
#include "limber/math/detail/decompositions.hpp"
#include "limber/model/detail/arguments.hpp"

namespace limber {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using std::size_t;

bool contains(const std::vector<int>& list, int value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

// Of joints that move bodies: not those of motors behind elastic gears.
std::vector<char> is_of_joint(const Model& model) {
  std::vector<char> is(static_cast<size_t>(model.nv()), 0);
  for (const Link& link : model.links())
    for (int j = 0; j < link.joint.facts().moving(); ++j) is[static_cast<size_t>(link.joint.v_index + j)] = 1;
  return is;
}

// Rows of N that stand on their own, the first ones first, those of joints before all others: who is held there moves nothing else of N.
std::vector<Index> telling_rows(const MatrixXd& N, const std::vector<char>& comes_first) {
  constexpr double far_enough = 1e-2;
  MatrixXd left = N;
  std::vector<Index> taken;
  const auto take = [&](Index row) {
    const VectorXd direction = left.row(row).normalized();
    left -= (left * direction) * direction.transpose();
    taken.push_back(row);
  };
  for (const bool first : {true, false})
    for (Index row = 0; row < N.rows() && static_cast<Index>(taken.size()) < N.cols(); ++row)
      if ((comes_first[static_cast<size_t>(row)] != 0) == first && left.row(row).norm() > far_enough)
        take(row);
  return taken;
}

// Columns that span what A x = 0 leaves.
MatrixXd null_space(const MatrixXd& A, Index columns) {
  const Eigen::JacobiSVD<MatrixXd> solver(A, Eigen::ComputeFullV);
  return solver.matrixV().rightCols(columns);
}

}  // namespace

LoopRank::LoopRank(const Model& model) : model_(model), work_(model) {
  for (size_t i = 0; i < model_.loops().size(); ++i)
    for (const detail::LoopRow& row : detail::rows_of(model_.loops()[i])) {
      loop_of_row_.push_back(static_cast<int>(i));
      is_turn_.push_back(row.kind == detail::LoopRow::Kind::square);
    }
  prescribe({});
}

void LoopRank::prescribe(const std::vector<int>& links) {
  detail::Call{"LoopRank::prescribe", model_}.require_links("links", links);
  held_.clear();
  free_.clear();
  for (const int link : links) {
    const Joint& joint = model_.links()[static_cast<size_t>(link)].joint;
    for (int j = 0; j < joint.driven_count(); ++j) held_.push_back(joint.driven_index() + j);
  }
  for (int c = 0; c < model_.nv(); ++c)
    if (!contains(held_, c)) free_.push_back(c);
}

void LoopRank::update(const Input<double>& q) {
  const VectorXd rest = VectorXd::Zero(model_.nv());
  loop_equations<double>(model_, work_, q, rest, equations_);
  MatrixXd scaled = equations_.A;
  for (size_t loop = 0; loop < model_.loops().size(); ++loop)
    for (const char turns : {0, 1}) {
      double square = 0.0;
      const auto for_each_row = [&](auto&& act) {
        for (size_t i = 0; i < loop_of_row_.size(); ++i)
          if (loop_of_row_[i] == static_cast<int>(loop) && is_turn_[i] == turns) act(static_cast<Index>(i));
      };
      for_each_row([&](Index i) { square += scaled.row(i).squaredNorm(); });
      if (square > 0.0) for_each_row([&](Index i) { scaled.row(i) /= std::sqrt(square); });
    }
  rows_ = scaled(Eigen::all, free_);
  const Eigen::JacobiSVD<MatrixXd> solver(rows_, Eigen::ComputeFullU | Eigen::ComputeFullV);
  U_ = solver.matrixU();
  V_ = solver.matrixV();
  values_ = solver.singularValues();
}

int LoopRank::rank() const {
  constexpr double rounding = 3e-6;  // its square is that of LoopSolver
  int count = 0;
  while (count < values_.size() && values_[count] > rounding * values_[0]) ++count;
  return count;
}

double LoopRank::margin(int rank) const {
  if (rank <= 0 || values_.size() == 0 || !(values_[0] > 0.0)) return 1.0;
  return rank > values_.size() ? 0.0 : values_[rank - 1] / values_[0];
}

void LoopRank::remember() {
  U0_ = U_;
  V0_ = V_;
}

double LoopRank::turned_margin(int rank) const {
  if (rank <= 0 || rank > values_.size() || !(values_[0] > 0.0)) return 1.0;
  const MatrixXd turned = U0_.leftCols(rank).transpose() * rows_ * V0_.leftCols(rank);
  const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(MatrixXd(0.5 * (turned + turned.transpose())),
                                                       Eigen::EigenvaluesOnly);
  return solver.eigenvalues()[0] / values_[0];
}

// The motions N of the loops, and W, which appear: x of both in which those are at rest that tell N.
SingularFreedoms LoopRank::freedoms(int rank) const {
  SingularFreedoms found;
  if (rank <= 0 || rank > values_.size()) return found;
  constexpr double alike = 50.0, seen = 0.02;  // times the smallest; of the largest
  int weak = 1;
  while (weak < rank && values_[rank - 1 - weak] <= alike * std::max(values_[rank - 1], 1e-6 * values_[0]))
    ++weak;
  found.count = weak;
  const MatrixXd left = U_.middleCols(rank - weak, weak);
  for (size_t loop = 0; loop < model_.loops().size(); ++loop) {
    double share = 0.0;
    for (size_t i = 0; i < loop_of_row_.size(); ++i)
      if (loop_of_row_[i] == static_cast<int>(loop)) share += left.row(static_cast<Index>(i)).squaredNorm();
    if (share > seen * seen) found.loops.push_back(model_.loops()[loop].name);
  }
  const std::vector<char> of_joint = is_of_joint(model_);
  std::vector<char> comes_first;
  for (const int c : free_) comes_first.push_back(of_joint[static_cast<size_t>(c)]);
  const auto name = [&](Index row) {
    return model_.coordinates()[static_cast<size_t>(free_[static_cast<size_t>(row)])];
  };
  const MatrixXd all = V_.rightCols(V_.cols() - (rank - weak));  // W, then N
  const std::vector<Index> telling = telling_rows(V_.rightCols(V_.cols() - rank), comes_first);
  for (const int c : held_) found.held.push_back(model_.coordinates()[static_cast<size_t>(c)]);
  for (const Index row : telling)
    if (comes_first[static_cast<size_t>(row)]) found.held.push_back(name(row));
  const MatrixXd X = telling.empty() ? all : MatrixXd(all * null_space(all(telling, Eigen::all), weak));
  const double largest = X.rowwise().norm().maxCoeff();
  for (Index row = 0; row < X.rows(); ++row)
    if (comes_first[static_cast<size_t>(row)] && X.row(row).norm() > seen * largest)
      found.moving.push_back(name(row));
  return found;
}

bool LoopRank::moves(const Frame& place, const MatrixXd& motions) const {
  constexpr double rounding = 1e-7;
  if (detail::is_ground(place)) return false;
  Matrix6X<double> J = Matrix6X<double>::Zero(6, model_.nv());
  frame_jacobian(model_, work_, place, MotionAxes::local_world_aligned, J);
  return (J(Eigen::all, free_) * motions).norm() > rounding;
}

// Loops hang together where they share a coordinate. A coordinate that cannot move beside others that can (one axis of a universal joint in a plane linkage) locks nothing.
std::vector<LockedLoops> LoopRank::locked() const {
  constexpr double rounding = 1e-7;
  const MatrixXd motions = V_.rightCols(V_.cols() - rank());
  const std::vector<char> of_joint = is_of_joint(model_);
  std::vector<LockedLoops> result;
  std::vector<char> is_seen(model_.loops().size(), 0);
  for (size_t first = 0; first < is_seen.size(); ++first) {
    LockedLoops part;
    std::vector<char> is_there(free_.size(), 0);
    std::vector<int> next{static_cast<int>(first)};
    bool moves = false;
    while (!next.empty()) {
      const int loop = next.back();
      next.pop_back();
      if (is_seen[static_cast<size_t>(loop)]) continue;
      is_seen[static_cast<size_t>(loop)] = 1;
      part.loops.push_back(loop);
      for (size_t k = 0; k < free_.size(); ++k) {
        const auto column = static_cast<Index>(k);
        const auto has = [&](int which) {
          for (size_t i = 0; i < loop_of_row_.size(); ++i)
            if (loop_of_row_[i] == which && std::abs(rows_(static_cast<Index>(i), column)) > rounding)
              return true;
          return false;
        };
        if (is_there[k] || !has(loop)) continue;
        is_there[k] = 1;
        if (motions.row(column).norm() > rounding) moves = true;
        if (of_joint[static_cast<size_t>(free_[k])]) part.coordinates.push_back(free_[k]);
        for (size_t other = 0; other < is_seen.size(); ++other)
          if (!is_seen[other] && has(static_cast<int>(other))) next.push_back(static_cast<int>(other));
      }
    }
    if (moves || part.coordinates.empty()) continue;
    part.is_carried = std::any_of(part.loops.begin(), part.loops.end(), [&](int which) {
      const Loop& loop = model_.loops()[static_cast<size_t>(which)];
      return this->moves(loop.a, motions) || this->moves(loop.b, motions);
    });
    std::sort(part.loops.begin(), part.loops.end());
    std::sort(part.coordinates.begin(), part.coordinates.end());
    result.push_back(std::move(part));
  }
  return result;
}

}  // namespace limber
