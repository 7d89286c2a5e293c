// SPDX-License-Identifier: BSD-3-Clause
#include "limber/algorithms/constraints.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "limber/algorithms/configuration.hpp"
#include "limber/algorithms/detail/loop_equations.hpp"
#include "limber/algorithms/forward_dynamics.hpp"
#include "limber/algorithms/inverse_dynamics.hpp"
#include "limber/algorithms/jacobian.hpp"
#include "limber/algorithms/kinematics.hpp"
#include "limber/math/detail/decompositions.hpp"
#include "limber/math/dual.hpp"
#include "limber/model/detail/arguments.hpp"
#include "places.hpp"

namespace limber {
namespace {

using detail::is_ground;
using detail::LoopRow;
using detail::rows_of;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using std::size_t;

// Two directions across an axis and across each other.
std::pair<Vector3d, Vector3d> across(const Vector3d& axis) {
  Eigen::Index least = 0;
  axis.cwiseAbs().minCoeff(&least);
  const Vector3d first = axis.cross(Vector3d::Unit(least)).normalized();
  return {first, axis.cross(first)};
}

// What each row's multiplier does at b, and at a, in the world's axes.
struct Pair {
  Vector3d force_b = Vector3d::Zero(), moment_b = Vector3d::Zero(), moment_a = Vector3d::Zero();
};

Pair pair_of(const Loop& loop, const Pose& a, const Pose& b, const double* multipliers) {
  Pair pair;
  for (const LoopRow& row : rows_of(loop)) {
    const double lambda = *multipliers++;
    const Vector3d N = a.R * row.n;
    switch (row.kind) {
      case LoopRow::Kind::meets:
        pair.force_b += lambda * row.n;
        break;
      case LoopRow::Kind::on_line:
        pair.force_b += lambda * N;
        pair.moment_a += lambda * N.cross(b.p - a.p);
        break;
      case LoopRow::Kind::square: {
        const Vector3d turn = lambda * (b.R * row.m).cross(N);
        pair.moment_b += turn;
        pair.moment_a -= turn;
        break;
      }
    }
  }
  return pair;
}

}  // namespace

std::vector<LoopRow> detail::rows_of(const Loop& loop) {
  constexpr auto meets = LoopRow::Kind::meets, on_line = LoopRow::Kind::on_line,
                 square = LoopRow::Kind::square;
  const Vector3d x = Vector3d::UnitX(), y = Vector3d::UnitY(), z = Vector3d::UnitZ(), none = Vector3d::Zero();
  const auto [first, second] = across(loop.axis);
  if (loop.type == LoopType::point_on_line)
    return {{on_line, first, none, "across1"}, {on_line, second, none, "across2"}};
  std::vector<LoopRow> rows{{meets, x, none, "x"}, {meets, y, none, "y"}, {meets, z, none, "z"}};
  if (loop.type == LoopType::revolute) {
    rows.push_back({square, first, loop.axis, "turn1"});
    rows.push_back({square, second, loop.axis, "turn2"});
  }
  if (loop.type == LoopType::fixed) {
    rows.push_back({square, y, z, "turn1"});
    rows.push_back({square, z, x, "turn2"});
    rows.push_back({square, x, y, "turn3"});
  }
  return rows;
}

int loop_row_count(const Model& model) {
  int count = 0;
  for (const Loop& loop : model.loops()) count += static_cast<int>(rows_of(loop).size());
  return count;
}

std::vector<std::string> loop_row_names(const Model& model) {
  std::vector<std::string> names;
  for (const Loop& loop : model.loops())
    for (const LoopRow& row : rows_of(loop)) names.push_back(loop.name + "." + row.name);
  return names;
}

template void loop_equations(const Model&, Workspace<double>&, const Input<double>&, const Input<double>&,
                             LoopEquations<double>&);
template void loop_equations(const Model&, Workspace<Dual>&, const Input<Dual>&, const Input<Dual>&,
                             LoopEquations<Dual>&);

std::vector<LoopGap> loop_gaps(const Model& model, const Input<double>& q) {
  detail::Call{"loop_gaps", model}.require_position("q", q);
  Workspace<double> work(model);
  update_positions(model, work, q);
  update_world_poses(work);
  std::vector<LoopGap> gaps;
  for (const Loop& loop : model.loops()) {
    const Pose a = place_pose(model, work, loop.a), b = place_pose(model, work, loop.b);
    const Vector3d d = b.p - a.p, axis = a.R * loop.axis;
    LoopGap gap{loop.name, d.norm(), 0.0};
    if (loop.type == LoopType::point_on_line) gap.distance = (d - d.dot(axis) * axis).norm();
    if (loop.type == LoopType::revolute) {
      const Vector3d other = b.R * loop.axis;
      gap.angle = std::atan2(axis.cross(other).norm(), axis.dot(other));
    }
    if (loop.type == LoopType::fixed) gap.angle = log_rotation(Eigen::Matrix3d(a.R.transpose() * b.R)).norm();
    gaps.push_back(std::move(gap));
  }
  return gaps;
}

LoopSolver::LoopSolver(const Model& model)
    : model_(model),
      work_(model),
      free_work_(model),
      zero_(VectorXd::Zero(model.nv())),
      elastic_(model.nv()) {
  free_work_.set_gravity(Vector3<double>::Zero());
}

void LoopSolver::prescribe(const std::vector<int>& links) {
  detail::Call{"LoopSolver::prescribe", model_}.require_links("links", links);
  free_work_.prescribe(links);
  held_rows_.clear();
  for (const int link : links) {
    const Joint& joint = model_.links()[static_cast<size_t>(link)].joint;
    for (int j = 0; j < joint.driven_count(); ++j) held_rows_.push_back(joint.driven_index() + j);
  }
}

// At rest, without gravity, and with what beams and springs do at q made up for, nothing accelerates but by a row's forces. These are made as large as what is made up for:
// accelerations are proportional to them.
void LoopSolver::update(const Input<double>& q, const Input<double>& v) {
  loop_equations<double>(model_, work_, q, v, equations_);
  elastic_and_damping_forces(model_, free_work_, q, zero_, elastic_);
  const double strained = elastic_.lpNorm<Eigen::Infinity>();
  response_ = MatrixXd::Zero(model_.nv(), equations_.A.rows());
  VectorXd tau(model_.nv()), x(model_.nv());
  for (Eigen::Index i = 0; i < equations_.A.rows(); ++i) {
    const double size = equations_.A.row(i).lpNorm<Eigen::Infinity>();
    if (!(size > 0.0)) continue;
    const double scale = strained > size ? strained / size : 1.0;
    tau = scale * equations_.A.row(i).transpose() + elastic_;
    x.setZero();
    forward_dynamics(model_, free_work_, q, zero_, tau, x);
    response_.col(i) = x / scale;
  }
  factor();
}

void LoopSolver::factor() {
  // A row that says nothing of its own leaves rounding errors of its size in place of an eigenvalue.
  constexpr double rounding = 1e-11;
  const MatrixXd S = equations_.A * response_;
  const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(MatrixXd(0.5 * (S + S.transpose())));
  vectors_ = solver.eigenvectors();
  inverses_ = VectorXd::Zero(S.rows());
  rank_ = 0;
  if (S.rows() == 0) return;
  const double largest = solver.eigenvalues()[S.rows() - 1];
  for (Eigen::Index i = 0; i < S.rows(); ++i)
    if (solver.eigenvalues()[i] > rounding * largest) {
      inverses_[i] = 1.0 / solver.eigenvalues()[i];
      ++rank_;
    }
}

VectorXd LoopSolver::solved(const VectorXd& right) const {
  return vectors_ * inverses_.cwiseProduct(vectors_.transpose() * right);
}

std::vector<std::string> LoopSolver::redundant_rows() const {
  constexpr double rounding = 1e-5;  // its square is that of factor()
  const std::vector<std::string> names = loop_row_names(model_);
  std::vector<std::string> redundant;
  MatrixXd kept(model_.nv(), 0);
  const double largest = equations_.A.rows() > 0 ? equations_.A.rowwise().norm().maxCoeff() : 0.0;
  for (Eigen::Index i = 0; i < equations_.A.rows(); ++i) {
    VectorXd row = equations_.A.row(i).transpose();
    for (const int held : held_rows_) row[held] = 0.0;
    for (int again = 0; again < 2; ++again) row -= kept * (kept.transpose() * row);
    if (row.norm() <= rounding * largest) {
      redundant.push_back(names[static_cast<size_t>(i)]);
      continue;
    }
    kept.conservativeResize(Eigen::NoChange, kept.cols() + 1);
    kept.rightCols<1>() = row.normalized();
  }
  return redundant;
}

VectorXd LoopSolver::multipliers(const Input<double>& open_acceleration) const {
  detail::Call{"LoopSolver::multipliers", model_}.require_velocity("open_acceleration", open_acceleration);
  // Near a singular configuration the smallest eigenvalue s^2 is off by rounding of the largest, and what is solved with it by as many parts. What remains of the
  // equations is known better: refined by it, accelerations are off by rounding/s in place of rounding/s^2.
  VectorXd multipliers = -solved(equations_.A * open_acceleration + equations_.bias);
  const VectorXd acceleration = open_acceleration + response_ * multipliers;
  multipliers -= solved(equations_.A * acceleration + equations_.bias);
  return multipliers;
}

VectorXd LoopSolver::acceleration_of(const Input<double>& multipliers) const {
  detail::require_extent("LoopSolver::acceleration_of", "multipliers", multipliers, equations_.A.rows(), 1);
  return response_ * multipliers;
}

MatrixXd LoopSolver::moving_part(const MatrixXd& forces) const {
  detail::require_extent("LoopSolver::moving_part", "forces", forces, model_.nv(), forces.cols());
  const MatrixXd inverse = vectors_ * inverses_.asDiagonal() * vectors_.transpose();
  return forces - equations_.A.transpose() * (inverse * (response_.transpose() * forces));
}

std::vector<Load> LoopSolver::loads_of(const Input<double>& multipliers) const {
  detail::require_extent("LoopSolver::loads_of", "multipliers", multipliers, equations_.A.rows(), 1);
  std::vector<Load> loads;
  const double* first = multipliers.data();
  for (const Loop& loop : model_.loops()) {
    const Pair pair =
        pair_of(loop, place_pose(model_, work_, loop.a), place_pose(model_, work_, loop.b), first);
    first += rows_of(loop).size();
    if (!is_ground(loop.b))
      loads.push_back({loop.b.link, loop.b.node, Axes::world, pair.force_b, pair.moment_b, loop.b.X_NE.p});
    if (!is_ground(loop.a))
      loads.push_back({loop.a.link, loop.a.node, Axes::world, -pair.force_b, pair.moment_a, loop.a.X_NE.p});
  }
  return loads;
}

std::vector<LoopForce> LoopSolver::forces_of(const Input<double>& multipliers) const {
  detail::require_extent("LoopSolver::forces_of", "multipliers", multipliers, equations_.A.rows(), 1);
  std::vector<LoopForce> forces;
  const double* first = multipliers.data();
  for (const Loop& loop : model_.loops()) {
    const Pair pair =
        pair_of(loop, place_pose(model_, work_, loop.a), place_pose(model_, work_, loop.b), first);
    first += rows_of(loop).size();
    forces.push_back({loop.name, pair.force_b, pair.moment_b});
  }
  return forces;
}

// Newton's iteration with steps of least kinetic energy, M^-1 A^T (A M^-1 A^T)^-1 c. Close to the solution the first matrices serve for all of it.
bool LoopSolver::close(Output<double> q, Output<double> v) {
  constexpr int most_iterations = 30;
  constexpr double closed = 1e-13, near = 1e-4, good_enough = 1e-11;
  const detail::Call call{"LoopSolver::close", model_};
  call.require_position("q", q);
  call.require_velocity("v", v);
  const VectorXd q_before = q, v_before = v;
  loop_equations<double>(model_, work_, q, v, equations_);
  double gap = equations_.gaps.lpNorm<Eigen::Infinity>();
  if (gap <= closed && (equations_.A * v).lpNorm<Eigen::Infinity>() <= closed) return true;
  update(q, v);
  VectorXd next(model_.nq());
  for (int i = 0; i < most_iterations && gap > closed; ++i) {
    const VectorXd step = -acceleration_of(solved(equations_.gaps));
    displace(model_, q, step, next);
    const double before = gap;
    if (before > near)
      update(next, v);
    else
      loop_equations<double>(model_, work_, next, v, equations_);
    gap = equations_.gaps.lpNorm<Eigen::Infinity>();
    if (!std::isfinite(gap)) break;
    q = next;
    if (gap <= good_enough && gap > 0.1 * before) break;  // as good as rounding allows
  }
  if (!(gap <= good_enough)) {
    q = q_before;
    v = v_before;
    return false;
  }
  for (int again = 0; again < 2; ++again) v -= acceleration_of(solved(equations_.A * v));
  return true;
}

void LoopSolver::constrain_tangent(const Input<double>& q, const Input<double>& v, const Input<double>& a,
                                   const Input<double>& multipliers, MatrixXd& C, MatrixXd& K) {
  const int nv = model_.nv();
  const detail::Call call{"LoopSolver::constrain_tangent", model_};
  call.require_velocity("a", a);
  call.require_matrix("C", C, nv);
  call.require_matrix("K", K, nv);
  update(q, v);
  const auto rows = static_cast<int>(equations_.A.rows());
  detail::require_extent("LoopSolver::constrain_tangent", "multipliers", multipliers, rows, 1);
  // How A a + gamma and A^T lambda change.
  MatrixXd by_q(rows, nv), by_v(rows, nv), stiffness(nv, nv);
  Workspace<Dual> work(model_);
  LoopEquations<Dual> moved, faster;
  const VectorX<Dual> a_dual = a.cast<Dual>(), lambda = multipliers.cast<Dual>(), v_dual = v.cast<Dual>();
  for (int first = 0; first < nv; first += Dual::direction_count) {
    const int directions = std::min(Dual::direction_count, nv - first);
    const VectorX<Dual> q_moved = moved_along(model_, q, first, directions), q_there = q.cast<Dual>();
    VectorX<Dual> v_faster = v_dual;
    for (int d = 0; d < directions; ++d) v_faster[first + d].derivatives()[d] = 1.0;
    loop_equations<Dual>(model_, work, q_moved, v_dual, moved);
    read_derivatives(moved.A * a_dual + moved.bias, first, directions, by_q);
    read_derivatives(moved.A.transpose() * lambda, first, directions, stiffness);
    loop_equations<Dual>(model_, work, q_there, v_faster, faster);
    read_derivatives(faster.bias, first, directions, by_v);
  }
  MatrixXd A = equations_.A;
  for (const int held : held_rows_) {
    A.col(held).setZero();
    by_q.col(held).setZero();
    by_v.col(held).setZero();
    stiffness.row(held).setZero();
    stiffness.col(held).setZero();
  }
  K -= stiffness;
  const MatrixXd inverse = vectors_ * inverses_.asDiagonal() * vectors_.transpose();
  K -= A.transpose() * (inverse * (response_.transpose() * K - by_q));
  C -= A.transpose() * (inverse * (response_.transpose() * C - by_v));
}

MatrixXd loop_stiffness(const Model& model, const Input<double>& q, const Input<double>& multipliers) {
  const int nv = model.nv();
  detail::Call{"loop_stiffness", model}.require_position("q", q);
  detail::require_extent("loop_stiffness", "multipliers", multipliers, loop_row_count(model), 1);
  MatrixXd stiffness(nv, nv);
  Workspace<Dual> work(model);
  LoopEquations<Dual> moved;
  const VectorX<Dual> lambda = multipliers.cast<Dual>(), rest = VectorXd::Zero(nv).cast<Dual>();
  for (int first = 0; first < nv; first += Dual::direction_count) {
    const int directions = std::min(Dual::direction_count, nv - first);
    loop_equations<Dual>(model, work, moved_along(model, q, first, directions), rest, moved);
    read_derivatives(moved.A.transpose() * lambda, first, directions, stiffness);
  }
  return stiffness;
}

MatrixXd loop_rate_derivative(const Model& model, const Input<double>& q, const Input<double>& v) {
  const int nv = model.nv();
  const detail::Call call{"loop_rate_derivative", model};
  call.require_position("q", q);
  call.require_velocity("v", v);
  MatrixXd result(loop_row_count(model), nv);
  Workspace<Dual> work(model);
  LoopEquations<Dual> moved;
  const VectorX<Dual> v_dual = v.cast<Dual>();
  for (int first = 0; first < nv; first += Dual::direction_count) {
    const int directions = std::min(Dual::direction_count, nv - first);
    loop_equations<Dual>(model, work, moved_along(model, q, first, directions), v_dual, moved);
    read_derivatives(moved.A * v_dual, first, directions, result);
  }
  return result;
}

}  // namespace limber
