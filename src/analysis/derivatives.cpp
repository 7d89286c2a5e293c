// SPDX-License-Identifier: BSD-3-Clause
#include "limber/analysis/derivatives.hpp"

#include <algorithm>
#include <numeric>
#include <string>

#include "limber/algorithms/configuration.hpp"
#include "limber/algorithms/finite.hpp"
#include "limber/algorithms/inverse_dynamics.hpp"
#include "limber/algorithms/struts.hpp"
#include "limber/core/input_error.hpp"
#include "limber/math/detail/decompositions.hpp"
#include "limber/math/dual.hpp"
#include "limber/model/coordinates.hpp"
#include "limber/model/detail/arguments.hpp"
#include "limber/model/friction.hpp"
#include "limber/model/loops.hpp"

namespace limber {

using Eigen::MatrixXd;
using Eigen::VectorXd;

struct ForceDifferentiator::Scratch {
  explicit Scratch(const Model& of)
      : model(of),
        work(of),
        q(of.nq()),
        v(of.nv()),
        qdd(of.nv()),
        forces(of.nv()),
        unit(of.nv()),
        along(of.nq()) {}

  Model model;
  Workspace<Dual> work;
  VectorX<Dual> q, v, qdd, forces;
  VectorXd unit, along;

  void require(const char* function, const Input<double>& at_q, const Input<double>& at_v,
               const Input<double>& at_qdd, const std::vector<int>& columns) const {
    const detail::Call call{function, model};
    call.require_position("q", at_q);
    call.require_velocity("v", at_v);
    call.require_velocity("qdd", at_qdd);
    call.require_coordinates("columns", columns);
  }

  // Forces with derivatives in the directions that `seed(direction, coordinate)` sets; then into the columns.
  template <typename Seed>
  void sweep(const std::vector<int>& columns, const std::vector<Load>& loads, Seed&& seed, MatrixXd& result) {
    result.setZero(model.nv(), model.nv());
    const int count = static_cast<int>(columns.size());
    for (int first = 0; first < count; first += Dual::direction_count) {
      const int directions = std::min(Dual::direction_count, count - first);
      for (Dual& x : q) x.derivatives().setZero();
      for (Dual& x : v) x.derivatives().setZero();
      for (int d = 0; d < directions; ++d) seed(d, columns[static_cast<std::size_t>(first + d)]);
      inverse_dynamics(model, work, q, v, qdd, forces, loads);
      for (int i = 0; i < model.nv(); ++i)
        for (int d = 0; d < directions; ++d)
          result(i, columns[static_cast<std::size_t>(first + d)]) = forces[i].derivatives()[d];
    }
  }
};

ForceDifferentiator::ForceDifferentiator(const Model& model, double gravity_factor)
    : scratch_(std::make_unique<Scratch>(model)) {
  set_gravity_factor(gravity_factor);
}
ForceDifferentiator::~ForceDifferentiator() = default;
ForceDifferentiator::ForceDifferentiator(ForceDifferentiator&&) noexcept = default;
ForceDifferentiator& ForceDifferentiator::operator=(ForceDifferentiator&&) noexcept = default;

void ForceDifferentiator::set_gravity_factor(double factor) {
  Scratch& s = detail::require_unmoved("ForceDifferentiator::set_gravity_factor", "this", scratch_);
  const Vector3<Dual> gravity = (factor * s.model.gravity()).cast<Dual>();
  s.work.set_gravity(gravity);
}

void ForceDifferentiator::by_position(const Input<double>& q, const Input<double>& v,
                                      const Input<double>& qdd, const std::vector<Load>& loads,
                                      const std::vector<int>& columns, MatrixXd& result) {
  Scratch& s = detail::require_unmoved("ForceDifferentiator::by_position", "this", scratch_);
  s.require("ForceDifferentiator::by_position", q, v, qdd, columns);
  s.q = q.cast<Dual>();
  s.v = v.cast<Dual>();
  s.qdd = qdd.cast<Dual>();
  const auto seed = [&](int direction, int coordinate) {
    s.unit.setZero();
    s.unit[coordinate] = 1.0;
    configuration_rate(s.model, q, s.unit, s.along);
    for (int k = 0; k < s.model.nq(); ++k) s.q[k].derivatives()[direction] = s.along[k];
  };
  s.sweep(columns, loads, seed, result);
}

void ForceDifferentiator::by_velocity(const Input<double>& q, const Input<double>& v,
                                      const std::vector<int>& columns, MatrixXd& result) {
  Scratch& s = detail::require_unmoved("ForceDifferentiator::by_velocity", "this", scratch_);
  s.require("ForceDifferentiator::by_velocity", q, v, v, columns);
  s.q = q.cast<Dual>();
  s.v = v.cast<Dual>();
  s.qdd.setZero(s.model.nv());
  const auto seed = [&](int direction, int coordinate) { s.v[coordinate].derivatives()[direction] = 1.0; };
  s.sweep(columns, {}, seed, result);
}

void ForceDifferentiator::along(const Input<double>& q, const Input<double>& v, const Input<double>& qdd,
                                const std::vector<Load>& loads, const Input<double>& dq,
                                const Input<double>& dv, VectorXd& result) {
  Scratch& s = detail::require_unmoved("ForceDifferentiator::along", "this", scratch_);
  s.require("ForceDifferentiator::along", q, v, qdd, {});
  const detail::Call call{"ForceDifferentiator::along", s.model};
  call.require_velocity("dq", dq);
  call.require_velocity("dv", dv);
  s.q = q.cast<Dual>();
  s.v = v.cast<Dual>();
  s.qdd = qdd.cast<Dual>();
  configuration_rate(s.model, q, dq, s.along);
  for (int k = 0; k < s.model.nq(); ++k) s.q[k].derivatives()[0] = s.along[k];
  for (int k = 0; k < s.model.nv(); ++k) s.v[k].derivatives()[0] = dv[k];
  inverse_dynamics(s.model, s.work, s.q, s.v, s.qdd, s.forces, loads);
  result.resize(s.model.nv());
  for (int k = 0; k < s.model.nv(); ++k) result[k] = s.forces[k].derivatives()[0];
}

MatrixXd ForceDifferentiator::by_position(const Input<double>& q, const Input<double>& v,
                                          const Input<double>& qdd, const std::vector<Load>& loads,
                                          const std::vector<int>& columns) {
  MatrixXd result;
  by_position(q, v, qdd, loads, columns, result);
  return result;
}

MatrixXd ForceDifferentiator::by_velocity(const Input<double>& q, const Input<double>& v,
                                          const std::vector<int>& columns) {
  MatrixXd result;
  by_velocity(q, v, columns, result);
  return result;
}

ForceDerivatives force_derivatives(const Model& model, const Input<double>& q, const Input<double>& v,
                                   const Input<double>& qdd, const std::vector<Load>& loads) {
  const detail::Call call{"force_derivatives", model};
  call.require_position("q", q);
  call.require_velocity("v", v);
  call.require_velocity("qdd", qdd);
  call.require_loads(loads);
  DerivativeWorkspace work(model);
  ForceDerivatives result;
  force_derivatives(model, work, q, v, qdd, result, loads);
  return result;
}

VectorXd required_forces(const Model& model, const Input<double>& q, const Input<double>& v,
                         const Input<double>& acceleration, const std::vector<Load>& loads) {
  const detail::Call call{"required_forces", model};
  call.require_position("q", q);
  call.require_velocity("v", v);
  call.require_velocity("acceleration", acceleration);
  call.require_loads(loads);
  require_finite(model, q, v, VectorXd(), loads);
  Workspace<double> work(model);
  VectorXd forces(model.nv()), passive(model.nv());
  inverse_dynamics(model, work, q, v, acceleration, forces, loads);
  elastic_and_damping_forces(model, work, q, v, passive);
  add_friction_forces(model, v, 1.0, passive);
  if (!model.cylinders().empty()) {
    Struts struts(model);
    struts.update(q, v);
    passive -= struts.jacobian().transpose() * struts.passive_forces();
  }
  return forces + passive;
}

DynamicsDerivatives derivatives_from(const MatrixXd& M, MatrixXd dforce_dq, MatrixXd dforce_dv) {
  detail::require_square("derivatives_from", "M", M);
  detail::require_extent("derivatives_from", "dforce_dq", dforce_dq, M.rows(), M.rows());
  detail::require_extent("derivatives_from", "dforce_dv", dforce_dv, M.rows(), M.rows());
  const Eigen::LLT<MatrixXd> factor(M);
  DynamicsDerivatives result;
  result.dacceleration_dtau = factor.solve(MatrixXd::Identity(M.rows(), M.cols()));
  result.dacceleration_dq = -factor.solve(dforce_dq);
  result.dacceleration_dv = -factor.solve(dforce_dv);
  result.dforce_dq = std::move(dforce_dq);
  result.dforce_dv = std::move(dforce_dv);
  return result;
}

DynamicsDerivatives dynamics_derivatives(const Model& model, const Input<double>& q, const Input<double>& v,
                                         const Input<double>& tau, const std::vector<Load>& loads,
                                         const std::optional<VectorXd>& acceleration) {
  require_plain_tree(model, "derivatives of accelerations");
  const detail::Call call{"dynamics_derivatives", model};
  call.require_position("q", q);
  call.require_velocity("v", v);
  call.require_velocity("tau", tau);
  call.require_loads(loads);
  if (acceleration) call.require_velocity("acceleration", *acceleration);
  require_finite(model, q, v, tau, loads);
  DerivativeWorkspace work(model);
  DynamicsDerivatives result;
  derivatives(model, work, q, v, tau, result, loads);
  if (acceleration) {
    ForceDerivatives force;
    force_derivatives(model, work, q, v, *acceleration, force, loads);
    result.dforce_dq = elastic_stiffness(model) + force.dq;
  }
  return result;
}

std::vector<int> all_coordinates(const Model& model) {
  std::vector<int> all(static_cast<std::size_t>(model.nv()));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

std::vector<int> elastic_coordinates(const Model& model) {
  std::vector<int> elastic;
  for (const Link& link : model.links())
    for (int j = 0; j < link.elastic_count; ++j) elastic.push_back(link.elastic_v_index + j);
  return elastic;
}

std::vector<int> joint_coordinates(const Model& model) { return driven_coordinates(model); }

}  // namespace limber
