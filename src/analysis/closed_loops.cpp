// SPDX-License-Identifier: BSD-3-Clause
// Statics and small motions with closed loops.
//
// Held joints tell where the mechanism stands; x are all other coordinates. With r of equilibrium.hpp, (1), and rows c of the loops,
//
//   r(x) - A^T lambda - J^T u = 0,   c(x) = 0                                                                  (1)
//
// is solved by Newton's iteration, dr/dx - d(A^T lambda + J^T u)/dx on the diagonal, A, -A^T and -J^T beside it. Where rows say the same twice the shortest lambda is taken.
// u are drives of cylinders that hold: each takes the place of a joint's motor (cylinders.hpp), whose row is among those of (1) while the joint stays where it is.

#include "closed_loops.hpp"
#include "cylinders.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "limber/algorithms/configuration.hpp"
#include "limber/algorithms/finite.hpp"
#include "limber/algorithms/inverse_dynamics.hpp"
#include "limber/algorithms/mass_matrix.hpp"
#include "limber/analysis/derivatives.hpp"
#include "limber/core/computation_error.hpp"
#include "limber/math/detail/decompositions.hpp"
#include "limber/math/dual.hpp"
#include "pressed_stops.hpp"

namespace limber {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double rounding = 1e-10;  // of a row or column beside the largest

bool contains(const std::vector<int>& list, int value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

LoopEquations<double> equations_at(const Model& model, const Input<double>& q, const Input<double>& v) {
  Workspace<double> work(model);
  LoopEquations<double> equations;
  loop_equations<double>(model, work, q, v, equations);
  return equations;
}

Eigen::CompleteOrthogonalDecomposition<MatrixXd> factored(const MatrixXd& A) {
  Eigen::CompleteOrthogonalDecomposition<MatrixXd> solver;
  solver.setThreshold(rounding);
  solver.compute(A);
  return solver;
}

// A beam without axial shapes keeps the length of its axis, so that its ends come nearer as it bends. Where loops hold them apart it cannot bend at all: at the straight beam, which is then the only
// one, the row that holds them has no derivative and its multiplier no bound, and Newton's iteration is on its way there for ever.
std::string about_stiff_axes(const Model& model) {
  if (model.kinematics() == KinematicOrder::first) return "";
  for (const Link& link : model.links()) {
    const auto& beam = model.description().links[static_cast<std::size_t>(link.described)].beam;
    if (beam && link.elastic_count > 0 && !beam->modes.axial)
      return ". `" + link.name +
             "` has no `axial` shapes and cannot be stretched: where loops hold both of its ends, it cannot "
             "bend. Give "
             "it `axial: {count: 1}`, or let one end slide";
  }
  return "";
}

class ClosedStatics {
 public:
  ClosedStatics(const Model& model, const std::vector<Load>& loads, std::vector<int> moving,
                const CylinderRoles& roles)
      : model_(model),
        struts_(model),
        stops_(model),
        loads_(loads),
        scaled_(loads),
        moving_(std::move(moving)),
        rows_(moving_),
        holding_(roles.holding),
        work_(model),
        derivative_work_(model),
        zero_(VectorXd::Zero(model.nv())),
        stiffness_(elastic_stiffness(model)),
        forces_(model.nv()),
        passive_(model.nv()),
        lambda_(VectorXd::Zero(loop_row_count(model))),
        drives_(VectorXd::Zero(struts_.count())) {
    rows_.insert(rows_.end(), roles.held.begin(), roles.held.end());
  }

  void set_load_factor(double factor) {
    const Eigen::Vector3d gravity = factor * model_.gravity();
    work_.set_gravity(gravity);
    derivative_work_.set_gravity(gravity);
    for (std::size_t i = 0; i < loads_.size(); ++i) {
      scaled_[i].force = factor * loads_[i].force;
      scaled_[i].moment = factor * loads_[i].moment;
    }
  }

  // Newton from q on. Leaves q alone and says false where it does not converge.
  bool solve(VectorXd& q) {
    constexpr int most_iterations = 60;
    constexpr double settled = 1e-12, longest = 0.5;  // rad or m
    VectorXd trial = q, next(model_.nq());
    const auto n = static_cast<Index>(moving_.size()), rows = static_cast<Index>(rows_.size()),
               closing = lambda_.size(), held = rows - n;
    double before = std::numeric_limits<double>::infinity();
    for (int i = 0; i < most_iterations; ++i) {
      ++iterations;
      const LoopEquations<double> loops = equations_at(model_, trial, zero_);
      find_forces(trial);
      const MatrixXd K = tangent(trial);
      const double scale = std::max(K.size() > 0 ? K.cwiseAbs().maxCoeff() : 0.0, 1.0);
      MatrixXd whole = MatrixXd::Zero(rows + closing, n + closing + held);
      whole.topLeftCorner(rows, n) = K.leftCols(n);
      whole.block(0, n, rows, closing) = -scale * loops.A(Eigen::all, rows_).transpose();
      if (held > 0) whole.topRightCorner(rows, held) = -scale * held_lengths().transpose();
      whole.bottomLeftCorner(closing, n) = scale * loops.A(Eigen::all, moving_);
      VectorXd right(rows + closing);
      right << -VectorXd(forces_(rows_)), -scale * loops.gaps;
      const VectorXd found = factored(whole).solve(right);  // the change of x, all of lambda and of u
      if (!found.allFinite()) return false;
      VectorXd step = VectorXd::Zero(model_.nv());
      for (Index k = 0; k < n; ++k) step[moving_[static_cast<std::size_t>(k)]] = found[k];
      const double size = n > 0 ? found.head(n).lpNorm<Eigen::Infinity>() : 0.0;
      if (size > longest) step *= longest / size;
      displace(model_, trial, step, next);
      trial = next;
      lambda_ = scale * found.segment(n, closing);
      for (Index k = 0; k < held; ++k)
        drives_[holding_[static_cast<std::size_t>(k)]] = scale * found[n + closing + k];
      if (size <= settled || (size < 1e-9 && size > 0.5 * before)) {
        q = trial;
        return true;
      }
      before = size;
    }
    return false;
  }

  // What holds the arm: nv.
  VectorXd efforts(const Input<double>& q) {
    find_forces(q);
    VectorXd result = forces_ - loop_jacobian(model_, q).transpose() * lambda_;
    if (struts_.count() > 0) result -= struts_.jacobian().transpose() * drives_;
    return result;
  }

  // Of the motions that leave loops closed and cylinders that hold as long as they are.
  bool is_stable(const Input<double>& q) {
    find_forces(q);
    const MatrixXd A = loop_jacobian(model_, q)(Eigen::all, rows_);
    MatrixXd kept(A.rows() + static_cast<Index>(holding_.size()), A.cols());
    kept.topRows(A.rows()) = A;
    if (!holding_.empty()) kept.bottomRows(kept.rows() - A.rows()) = held_lengths();
    const MatrixXd Z = motions_without(kept);
    if (Z.cols() == 0) return true;
    const MatrixXd K = Z.transpose() * tangent(q) * Z;
    const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(MatrixXd(0.5 * (K + K.transpose())),
                                                         Eigen::EigenvaluesOnly);
    return solver.eigenvalues()[0] > 0.0;
  }

  const VectorXd& multipliers() const { return lambda_; }
  VectorXd drives() const { return struts_.count() > 0 ? drives_ : VectorXd(); }
  int iterations = 0;

 private:
  // r of (1) without u.
  void find_forces(const Input<double>& q) {
    inverse_dynamics(model_, work_, q, zero_, zero_, forces_, scaled_);
    elastic_and_damping_forces(model_, work_, q, zero_, passive_);
    forces_ += passive_;
    stops_.update(q, zero_, struts_.count() > 0 ? &struts_ : nullptr);
    forces_ -= stops_.on_joints();
    if (struts_.count() == 0) return;
    struts_.update(q, zero_);
    forces_ -= struts_.jacobian().transpose() * (struts_.passive_forces() + stops_.on_cylinders());
  }
  // J_h, columns of rows_, where forces were last found.
  MatrixXd held_lengths() { return struts_.jacobian()(holding_, rows_); }
  // dr/dx - d(A^T lambda + J^T u)/dx
  MatrixXd tangent(const Input<double>& q) {
    ForceDerivatives derivatives;
    force_derivatives(model_, derivative_work_, q, zero_, zero_, derivatives, scaled_);
    MatrixXd all = derivatives.dq + stiffness_ - loop_stiffness(model_, q, lambda_);
    MatrixXd by_rates = MatrixXd::Zero(all.rows(), all.cols());
    stops_.add_tangent(q, zero_, struts_.count() > 0 ? &struts_ : nullptr, all, by_rates);
    if (struts_.count() > 0) struts_.add_tangent(q, zero_, drives_ + stops_.on_cylinders(), all, by_rates);
    return all(rows_, rows_);
  }

  const Model& model_;
  Struts struts_;
  PressedStops stops_;
  std::vector<Load> loads_, scaled_;
  std::vector<int> moving_;   ///< x
  std::vector<int> rows_;     ///< that nothing else holds: of x, then of joints that cylinders hold
  std::vector<int> holding_;  ///< cylinders
  Workspace<double> work_;
  DerivativeWorkspace derivative_work_;
  VectorXd zero_;
  MatrixXd stiffness_;
  VectorXd forces_, passive_, lambda_, drives_;
};

}  // namespace

std::vector<int> joints_that_follow(const Model& model, const Input<double>& q, const JointNames& hold) {
  std::vector<int> preferred;
  for (const std::string& name : hold)
    if (name != "all")
      for (const int c : joint_coordinates_named(model, name)) preferred.push_back(c);
  return dependent_joints(model, q, preferred);
}

MatrixXd with_what_follows(const Model& model, const Input<double>& q, const MatrixXd& J,
                           const std::vector<int>& following) {
  if (following.empty()) return J;
  const MatrixXd A = loop_jacobian(model, q);
  return J - J(Eigen::all, following) * factored(A(Eigen::all, following)).solve(A);
}

std::vector<int> unheld_coordinates(const Model& model, const Input<double>& q, const JointNames& hold) {
  std::vector<int> moving = elastic_coordinates(model);
  for (const int c : passive_coordinates(model, hold)) moving.push_back(c);
  for (const int c : joints_that_follow(model, q, hold))
    if (!contains(moving, c)) moving.push_back(c);
  std::sort(moving.begin(), moving.end());
  return moving;
}

Equilibrium closed_equilibrium(const Model& model, const Input<double>& q, const std::vector<Load>& loads,
                               const JointNames& hold) {
  constexpr double first = 0.25, longer = 1.5, shortest = 1e-4;
  const CylinderRoles roles = roles_of_cylinders(model, q, hold);
  std::vector<int> moving = unheld_coordinates(model, q, hold);
  moving.insert(moving.end(), roles.sprung.begin(), roles.sprung.end());
  ClosedStatics statics(model, loads, std::move(moving), roles);
  VectorXd found = q;
  int steps = 1;
  statics.set_load_factor(1.0);
  if (!statics.solve(found)) {
    found = q;
    steps = 0;
    double reached = 0.0, step = first;
    while (reached < 1.0) {
      const double next = std::min(1.0, reached + step);
      statics.set_load_factor(next);
      const bool solved = statics.solve(found);
      if (solved) {
        reached = next;
        ++steps;
      }
      step *= solved ? longer : 0.5;
      if (step < shortest)
        throw ComputationError("no static equilibrium of the closed loops beyond " +
                               std::to_string(100.0 * reached) +
                               " % of gravity and loads: the mechanism collapses, or nothing holds one of "
                               "its freedoms. Hold a joint "
                               "more, reduce the loads, or stiffen the links" +
                               about_stiff_axes(model));
    }
  }
  return {found,
          statics.efforts(found),
          statics.iterations,
          steps,
          statics.is_stable(found),
          statics.drives(),
          statics.multipliers()};
}

MatrixXd loop_jacobian(const Model& model, const Input<double>& q) {
  return equations_at(model, q, VectorXd::Zero(model.nv())).A;
}

VectorXd balancing_multipliers(const MatrixXd& A, const MatrixXd& M, const VectorXd& forces) {
  const Eigen::LLT<MatrixXd> factor(M);
  const MatrixXd response = factor.solve(A.transpose());
  return factored(A * response).solve(response.transpose() * forces);
}

std::vector<int> independent_coordinates(const Model& model, const Input<double>& q) {
  const MatrixXd A = loop_jacobian(model, q);
  std::vector<int> dependent = dependent_joints(model, q);
  MatrixXd left = A;  // what joints cannot make up for is left to elastic coordinates
  const double largest = A.size() > 0 ? A.cwiseAbs().maxCoeff() : 0.0;
  if (!dependent.empty()) {
    const Eigen::HouseholderQR<MatrixXd> qr(MatrixXd(A(Eigen::all, dependent)));
    const MatrixXd Q = qr.householderQ() * MatrixXd::Identity(A.rows(), static_cast<Index>(dependent.size()));
    left -= Q * (Q.transpose() * left);
  }
  while (left.size() > 0) {
    Index k = 0;
    if (!(left.colwise().norm().maxCoeff(&k) > 1e-8 * largest)) break;
    const VectorXd direction = left.col(k).normalized();
    left -= direction * (direction.transpose() * left);
    left.col(k).setZero();
    dependent.push_back(static_cast<int>(k));
  }
  std::vector<int> independent;
  for (int c = 0; c < model.nv(); ++c)
    if (!contains(dependent, c)) independent.push_back(c);
  return independent;
}

// Displacements Z d of the independent ones, Z_d = -A_d^+ A_i; and of velocities Z w + Y d, where A v = 0 at the displaced state gives Y_d = -A_d^+ (d(A v)/dq) Z.
void keep_independent(const Model& model, const OperatingPoint& about, LinearModel& linear) {
  const int nv = model.nv();
  const std::vector<int> independent = independent_coordinates(model, about.q);
  std::vector<int> dependent;
  for (int c = 0; c < nv; ++c)
    if (!contains(independent, c)) dependent.push_back(c);
  const auto n = static_cast<Index>(independent.size());
  const MatrixXd A = equations_at(model, about.q, about.v).A;
  MatrixXd Z = MatrixXd::Zero(nv, n), Y = MatrixXd::Zero(nv, n);
  for (Index k = 0; k < n; ++k) Z(independent[static_cast<std::size_t>(k)], k) = 1.0;
  if (!dependent.empty()) {
    const auto solver = factored(A(Eigen::all, dependent));
    const MatrixXd follows = -solver.solve(MatrixXd(A(Eigen::all, independent)));
    Z(dependent, Eigen::all) = follows;
    const MatrixXd turned = -solver.solve(MatrixXd(loop_rate_derivative(model, about.q, about.v) * Z));
    Y(dependent, Eigen::all) = turned;
  }
  MatrixXd E = MatrixXd::Zero(2 * nv, 2 * n);
  E.topLeftCorner(nv, n) = Z;
  E.bottomLeftCorner(nv, n) = Y;
  E.bottomRightCorner(nv, n) = Z;
  std::vector<int> rows = independent;
  for (const int c : independent) rows.push_back(nv + c);
  std::vector<std::string> states;
  for (const int row : rows) states.push_back(linear.states[static_cast<std::size_t>(row)]);
  linear.states = states;
  linear.A = MatrixXd(linear.A(rows, Eigen::all) * E);
  linear.B = MatrixXd(linear.B(rows, Eigen::all));
  linear.C = MatrixXd(linear.C * E);
}

}  // namespace limber
