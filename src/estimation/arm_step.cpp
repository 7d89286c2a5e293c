// SPDX-License-Identifier: BSD-3-Clause
#include "arm_step.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "limber/algorithms/configuration.hpp"
#include "limber/core/computation_error.hpp"
#include "limber/core/input_error.hpp"
#include "limber/simulation/detail/timetable.hpp"

namespace limber {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

ArmLayout::ArmLayout(const ArmNodes& nodes) {
  const ArmNode& centre = nodes.centre();
  const Model& model = centre.scenario.model;
  nq = model.nq();
  nv = model.nv();
  m = centre.system.memory_size();
  s = centre.system.samples().size();
  p = nodes.parameter_count();
  // As System has them: of each sampled controller what it remembers, then what it holds.
  const int efforts = model.nv() + static_cast<int>(model.cylinders().size());
  int at = 0;
  for (const auto& controller : centre.scenario.controllers) {
    if (!detail::is_sampled(*controller)) continue;
    at += controller->memory_size();
    for (int i = 0; i < efforts; ++i) held.push_back(at++);
  }
}

void ArmPoint::set(const ArmLayout& layout, const VectorXd& x) {
  q = x.head(layout.nq);
  v = x.segment(layout.nq, layout.nv);
  m = x.segment(layout.nq + layout.nv, layout.m);
  s = x.segment(layout.nq + layout.nv + layout.m, layout.s);
  p = x.tail(layout.p);
}

void ArmPoint::write(const ArmLayout& layout, VectorXd& x) const {
  x.resize(layout.point());
  x.head(layout.nq) = q;
  x.segment(layout.nq, layout.nv) = v;
  x.segment(layout.nq + layout.nv, layout.m) = m;
  x.segment(layout.nq + layout.nv + layout.m, layout.s) = s;
  x.tail(layout.p) = p;
}

ArmStep::ArmStep(ArmNodes& nodes, const ArmLayout& layout, VectorXd density)
    : nodes_(nodes),
      layout_(layout),
      density_(std::move(density)),
      is_disturbed_((density_.array() > 0.0).any()),
      has_quaternions_(nodes.centre().scenario.model.has_quaternions()),
      a_(VectorXd::Zero(layout.nv)),
      r_(VectorXd::Zero(layout.m)),
      q_m_(layout.nq),
      v_m_(layout.nv),
      integrals_(VectorXd::Zero(ledger_size + layout.m)),
      residual_(layout.nv + layout.m),
      change_(layout.nv + layout.m) {
  for (Index i = 0; i < density_.size(); ++i)
    if (density_[i] > 0.0) disturbed_.push_back(static_cast<int>(i));
}

// The middle of the step.
void ArmStep::place(double h, const ArmPoint& point) {
  v_m_ = point.v + 0.5 * h * a_;
  way_ = 0.5 * h * v_m_;
  displace(nodes_.centre().scenario.model, point.q, way_, q_m_);
  integrals_.tail(layout_.m) = point.m + 0.5 * h * r_;
}

// Of all prepared arms, and between them: F into missing_, X into rates_.
void ArmStep::find_missing(double t) {
  missing_.setZero(layout_.nv);
  rates_.setZero(layout_.m);
  for (const auto& node : nodes_.all()) {
    if (!node->system.missing_forces(t, q_m_, v_m_, integrals_, a_, node->missing, node->rates))
      throw InputError(Problem{"formulation", "one whose forces can be asked for at any acceleration",
                               "another", "take formulation recursive"});
    missing_ += node->weight * node->missing;
    rates_ += node->weight * node->rates.tail(layout_.m);
  }
}

// A, B of half a step and of a whole one: displacements of q (+) w by those of q and of w, with D of (3) in configuration.hpp, are D(w)^-1 D(-w) and D(w)^-1.
void ArmStep::find_maps(double h) {
  const Model& model = nodes_.centre().scenario.model;
  const Index n = layout_.nv;
  const auto maps = [&](double time, MatrixXd& A, MatrixXd& B) {
    MatrixXd D(n, n), D_back(n, n);
    VectorXd column(n);
    for (Index i = 0; i < n; ++i) {
      const VectorXd unit = VectorXd::Unit(n, i);
      displacement_rate(model, time * v_m_, unit, column);
      D.col(i) = column;
      displacement_rate(model, -time * v_m_, unit, column);
      D_back.col(i) = column;
    }
    B = D.partialPivLu().inverse();
    A = B * D_back;
  };
  maps(0.5 * h, A_half_, B_half_);
  maps(h, A_, B_);
}

// M, C, K and slopes of memory where F was last asked for; the matrix of (2), factored.
void ArmStep::find_tangent(double t, double h) {
  const Index n = layout_.nv, m = layout_.m;
  for (std::size_t k = 0; k < nodes_.all().size(); ++k) {
    ArmNode& node = *nodes_.all()[k];
    if (k > 0 && node.weight == 0.0) continue;
    node.system.tangent(t, q_m_, v_m_, integrals_, a_, node.tangent);
    if (m > 0) node.system.memory_slopes(t, q_m_, v_m_, integrals_, node.memory);
    const auto add = [&](MatrixXd& all, const MatrixXd& one) {
      if (k == 0)
        all = node.weight * one;
      else
        all += node.weight * one;
    };
    add(M_, node.tangent.M);
    add(C_, node.tangent.C);
    add(K_, node.tangent.K);
    if (m == 0) continue;
    add(F_x_, node.memory.force);
    add(X_q_, node.memory.dq);
    add(X_v_, node.memory.dv);
    add(X_x_, node.memory.dx);
  }
  // From here on C and X_v are those of (2) by dv, with the displacement that goes along.
  if (has_quaternions_) find_maps(h);
  const auto through = [&](const MatrixXd& slopes, const MatrixXd& map) {
    if (has_quaternions_) {
      product_.noalias() = slopes * map;
      return 0.5 * h * product_;
    }
    product_ = slopes;
    return 0.5 * h * product_;
  };
  C_ += through(K_, B_half_);
  J_.resize(n + m, n + m);
  J_.topLeftCorner(n, n) = M_ + 0.5 * h * C_;
  if (m > 0) {
    X_v_ += through(X_q_, B_half_);
    J_.topRightCorner(n, m) = -0.5 * h * F_x_;
    J_.bottomLeftCorner(m, n) = -0.5 * h * X_v_;
    J_.bottomRightCorner(m, m) = -0.5 * h * X_x_;
    J_.bottomRightCorner(m, m).diagonal().array() += 1.0;
  }
  factor_.compute(J_);
  factor_of_ = h;
}

// (1), by a matrix of an earlier step as long as that does: forces are cheap beside it.
void ArmStep::solve(double t, double h, const ArmPoint& point) {
  constexpr int most = 40, patience = 6;
  constexpr double enough = 1e-12, rounding = 1e-7;
  double before = std::numeric_limits<double>::infinity();
  place(h, point);
  find_missing(t);
  if (factor_of_ != h) find_tangent(t, h);
  for (int i = 1;; ++i) {
    residual_.head(layout_.nv) = missing_;
    residual_.tail(layout_.m) = rates_ - r_;
    change_ = factor_.solve(residual_);
    a_ += change_.head(layout_.nv);
    r_ += change_.tail(layout_.m);
    place(h, point);
    const double size = change_.norm(), scale = 1.0 + a_.norm() + r_.norm();
    find_missing(t);
    if (size <= enough * scale) return;
    // What no longer shrinks is rounding.
    if (size <= rounding * scale && size >= 0.5 * before) return;
    if (!(i < most) || !a_.allFinite()) {
      a_.setZero();
      r_.setZero();
      factor_of_ = 0.0;
      throw ComputationError(fmt::format(
          "the estimate cannot go on at {:g} s: take shorter steps, or look at what the sensors show", t));
    }
    if (i % patience == 0) {
      find_tangent(t, h);
      before = std::numeric_limits<double>::infinity();
    } else {
      before = size;
    }
  }
}

void ArmStep::find_sample_forces(ArmNode& node, double t, const VectorXd& q, const VectorXd& v,
                                 const VectorXd& integrals, const VectorXd& a, const VectorXd& s,
                                 MatrixXd& columns) {
  // Forces are linear in what is held, but where a motor is at its limit.
  constexpr double step = 1e-3;
  columns.resize(layout_.nv, static_cast<Index>(layout_.held.size()));
  VectorXd moved = s, at_q = q, at_v = v, at_a = a, forces, rates;
  for (std::size_t k = 0; k < layout_.held.size(); ++k) {
    const int i = layout_.held[k];
    auto column = columns.col(static_cast<Index>(k));
    const double by = step * std::max(1.0, std::abs(s[i]));
    for (const double way : {by, -by}) {
      moved[i] = s[i] + way;
      node.system.set_samples(moved);
      node.system.missing_forces(t, at_q, at_v, integrals, at_a, forces, rates);
      if (way > 0.0)
        column = forces;
      else
        column = (column - forces) / (2.0 * by);
    }
    moved[i] = s[i];
  }
  node.system.set_samples(s);
}

// (2): G_
void ArmStep::find_slopes(double t, double h, const ArmPoint& point) {
  const Index n = layout_.nv, m = layout_.m;
  find_tangent(t, h);
  right_.setZero(n + m, layout_.error());
  if (has_quaternions_) {
    right_.block(0, 0, n, n).noalias() = -K_ * A_half_;
    if (m > 0) right_.block(n, 0, m, n).noalias() = X_q_ * A_half_;
  } else {
    right_.block(0, 0, n, n) = -K_;
    if (m > 0) right_.block(n, 0, m, n) = X_q_;
  }
  right_.block(0, n, n, n) = -C_;
  if (m > 0) {
    right_.block(n, n, m, n) = X_v_;
    right_.block(0, layout_.memory_at(), n, m) = F_x_;
    right_.block(n, layout_.memory_at(), m, m) = X_x_;
  }
  if (!layout_.held.empty())
    for (const auto& node : nodes_.all()) {
      if (node->weight == 0.0) continue;
      find_sample_forces(*node, t, q_m_, v_m_, integrals_, a_, point.s, F_s_);
      for (std::size_t k = 0; k < layout_.held.size(); ++k)
        right_.col(layout_.samples_at() + layout_.held[k]).head(n) +=
            node->weight * F_s_.col(static_cast<Index>(k));
    }
  for (Index j = 0; j < layout_.p; ++j)
    for (const auto& node : nodes_.all()) {
      auto column = right_.col(layout_.parameters_at() + j);
      column.head(n) += node->slopes[j] * node->missing;
      column.tail(m) += node->slopes[j] * node->rates.tail(m);
    }
  G_ = factor_.solve(right_);
}

void ArmStep::take(double t, double h, ArmPoint& point, DiscreteProcess::Carried carried) {
  const double middle = t + 0.5 * h;
  solve(middle, h, point);
  if (carried.covariance || carried.transition) {
    find_slopes(middle, h, point);
    if (carried.covariance) carry_covariance(h, *carried.covariance);
    if (carried.transition) carry_transition(h, *carried.transition);
  }
  const ArmNode& centre = nodes_.centre();
  way_ = h * v_m_;
  displace(centre.scenario.model, point.q, way_, q_m_);
  point.q = q_m_;
  point.v += h * a_;
  point.m += h * r_;
  centre.system.apply_prescribed(t + h, point.q, point.v);
}

// T + L G as one matrix, where displacements turn.
void ArmStep::fill_transition(double h) {
  const Index n = layout_.nv, m = layout_.m;
  Phi_.setIdentity(layout_.error(), layout_.error());
  Phi_.topLeftCorner(n, n) = A_;
  Phi_.block(0, n, n, n) = h * B_;
  Phi_.topRows(n).noalias() += 0.5 * h * h * (B_ * G_.topRows(n));
  Phi_.middleRows(n, n) += h * G_.topRows(n);
  Phi_.middleRows(2 * n, m) += h * G_.bottomRows(m);
}

// With W = G P and V = W G^T, T P T^T + L (W T^T) + (W T^T)^T L^T + L V L^T; T adds h dv to dq, L is [h^2/2; h] for da and h for dr.
void ArmStep::carry_covariance(double h, MatrixXd& P) {
  const Index n = layout_.nv, m = layout_.m;
  if (has_quaternions_) {
    fill_transition(h);
    product_.noalias() = Phi_ * P;
    P.noalias() = product_ * Phi_.transpose();
  } else {
    W_.noalias() = G_ * P;
    V_.noalias() = W_ * G_.transpose();
    W_.leftCols(n) += h * W_.middleCols(n, n);
    P.topRows(n) += h * P.middleRows(n, n);
    P.leftCols(n) += h * P.middleCols(n, n);
    // L V L^T is shared between the two that follow: half of V with each.
    W_.leftCols(n) += 0.25 * h * h * V_.leftCols(n);
    W_.middleCols(n, n) += 0.5 * h * V_.leftCols(n);
    W_.middleCols(2 * n, m) += 0.5 * h * V_.rightCols(m);
    P.topRows(n) += 0.5 * h * h * W_.topRows(n);
    P.middleRows(n, n) += h * W_.topRows(n);
    P.middleRows(2 * n, m) += h * W_.bottomRows(m);
    P.leftCols(n) += 0.5 * h * h * W_.topRows(n).transpose();
    P.middleCols(n, n) += h * W_.topRows(n).transpose();
    P.middleCols(2 * n, m) += h * W_.bottomRows(m).transpose();
  }
  if (is_disturbed_) disturb(h, P);
}

void ArmStep::disturb(double h, MatrixXd& P) {
  const Index n = layout_.nv, m = layout_.m;
  unit_.setZero(n + m, static_cast<Index>(disturbed_.size()));
  for (std::size_t k = 0; k < disturbed_.size(); ++k)
    unit_(disturbed_[k], static_cast<Index>(k)) = std::sqrt(h * density_[disturbed_[k]]);
  product_ = factor_.solve(unit_);
  W_.setZero(P.rows(), unit_.cols());
  if (has_quaternions_)
    W_.topRows(n).noalias() = 0.5 * h * (B_ * product_.topRows(n));
  else
    W_.topRows(n) = 0.5 * h * product_.topRows(n);
  W_.middleRows(n, n) = product_.topRows(n);
  W_.middleRows(2 * n, m) = product_.bottomRows(m);
  P.noalias() += W_ * W_.transpose();
}

void ArmStep::carry_transition(double h, MatrixXd& A) {
  const Index n = layout_.nv, m = layout_.m;
  if (has_quaternions_) {
    fill_transition(h);
    product_.noalias() = Phi_ * A;
    A = product_;
    return;
  }
  product_.noalias() = G_ * A;
  A.topRows(n) += h * A.middleRows(n, n) + 0.5 * h * h * product_.topRows(n);
  A.middleRows(n, n) += h * product_.topRows(n);
  A.middleRows(2 * n, m) += h * product_.bottomRows(m);
}

}  // namespace limber
