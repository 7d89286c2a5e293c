// SPDX-License-Identifier: BSD-3-Clause
#include "limber/algorithms/derivatives.hpp"

#include <algorithm>

#include "limber/algorithms/configuration.hpp"
#include "limber/algorithms/detail/derivative_work.hpp"
#include "limber/algorithms/detail/derivatives_of_sections.hpp"
#include "limber/algorithms/detail/kernel_table.hpp"
#include "limber/algorithms/forward_dynamics.hpp"
#include "limber/algorithms/inverse_dynamics.hpp"
#include "limber/math/dual.hpp"
#include "limber/model/detail/arguments.hpp"
#include "limber/model/friction.hpp"

namespace limber {

namespace detail {
namespace {

void add_depth_first(const ArmWork<double>& arm, int parent, std::vector<int>& order) {
  for (int i = parent + 1; i < static_cast<int>(arm.links.size()); ++i) {
    if (arm.links[static_cast<std::size_t>(i)].parent != parent) continue;
    order.push_back(i);
    add_depth_first(arm, i, order);
  }
}

// Every coordinate by which a term can be differentiated.
std::vector<Incidence> find_incidences(const FieldWork<double>& field) {
  std::vector<Incidence> found;
  for (int a = 0; a < field.axis_begin[3]; ++a) {
    const FieldTerm& term = field.terms[static_cast<std::size_t>(a)];
    if (term.j >= 0) found.push_back({a, term.axis, term.j, term.k});
    if (term.k >= 0) found.push_back({a, term.axis, term.k, term.j});
  }
  return found;
}

void prepare_flexible(const ArmWork<double>& arm, const LinkWork<double>& link, int index,
                      DerivativeLink& d) {
  const auto m = static_cast<std::size_t>(link.m), filled = static_cast<std::size_t>(filled_up(link.m));
  const auto terms = static_cast<std::size_t>(link.field.axis_begin[3]);
  d.m_filled = filled_up(link.m);
  d.nodes.resize(link.nodes.size());
  for (DerivativeNode& node : d.nodes) node.columns.resize(m);
  for (const LumpWork<double>& lump : link.lumps)
    d.nodes[static_cast<std::size_t>(lump.node)].always_carries = true;
  for (const LinkWork<double>& child : arm.links)
    if (child.parent == index) d.nodes[static_cast<std::size_t>(child.parent_node)].always_carries = true;
  d.rows_R.resize(m);
  d.theta_eta.resize(m);
  for (auto* block : {&d.K, &d.C, &d.M}) block->resize(m * filled);
  if (link.field.own.stiffened > 0) {
    d.rows_z.resize(m);
    for (auto* block : {&d.K_z, &d.C_z}) block->resize(m * filled);
    d.B_second.resize(link.field.own.B.size());
  }
  d.incidences = find_incidences(link.field);
  d.G.assign(3 * terms * filled, 0.0);
  for (const Incidence& at : d.incidences)  // Int F_a p_k at eta = 0, which it stays at first order
    for (std::size_t a = 0; at.factor < 0 && a < terms; ++a)
      d.G[(3 * a + static_cast<std::size_t>(at.axis)) * filled + static_cast<std::size_t>(at.coordinate)] +=
          link.field.gram[static_cast<std::size_t>(at.term * link.field.stride) + a];
  d.velocity_sums.resize(terms);
  d.force_sums.resize(terms);
  if (link.sections.count > 0)
    d.section_sums.resize(static_cast<std::size_t>(section_sum_count(link.m) * widest_packet));
}

}  // namespace

DerivativeWork::DerivativeWork(const Model& model, Kernels choice)
    : kernels(&chosen_derivative_kernels()),
      arm(model, choice),
      links(model.links().size()),
      stride((model.nv() + widest_register - 1) / widest_register * widest_register),
      stack(static_cast<std::size_t>(derivative_column_rows * stride), 0.0),
      path(static_cast<std::size_t>(model.nv()), 0),
      tau(model.nv()),
      acceleration(model.nv()),
      stiffness(elastic_stiffness(model)),
      damping(damping_matrix(model)),
      mass_matrix(model.nv(), model.nv()),
      inverse(static_cast<std::size_t>(stride * model.nv()), 0.0),
      factors(static_cast<std::size_t>(2 * swept_together * stride), 0.0) {
  const ArmWork<double>& work = arm.arm();
  for (std::size_t i = 0; i < links.size(); ++i) {
    const LinkWork<double>& link = work.links[i];
    DerivativeLink& d = links[i];
    is_chain &= link.parent == static_cast<int>(i) - 1;
    if (link.parent >= 0) {
      const auto parent = static_cast<std::size_t>(link.parent);
      d.depth = links[parent].depth + work.links[parent].size();
    }
    d.columns.resize(static_cast<std::size_t>(link.joint_nv));
    d.rows.resize(static_cast<std::size_t>(link.size()));
    if (link.flexible) prepare_flexible(work, link, static_cast<int>(i), d);
  }
  add_depth_first(work, -1, order);
  if (model.has_telescopes()) duals = std::make_unique<Duals>(model);
}

DerivativeWork::Duals::Duals(const Model& model)
    : arm(model),
      q(model.nq()),
      v(model.nv()),
      qdd(model.nv()),
      forces(model.nv()),
      passive(model.nv()),
      unit(model.nv()),
      along(model.nq()) {}

namespace {

// The structured sweeps know fields whose numbers are constant. Where a beam telescopes they are not: inverse dynamics with springs and dampers is swept with
// dual numbers, and what the arm's constant K and D are of it is taken off again.
class DualSweeps {
 public:
  DualSweeps(const Model& model, DerivativeWork& work, const Input<double>& q, const Input<double>& v,
             const Input<double>& qdd, const std::vector<Load>& loads)
      : model_(model), work_(work), d_(*work.duals), q_(q), v_(v), qdd_(qdd), loads_(loads) {}

  void run(MatrixOutput<double> dq, MatrixOutput<double> dv, MatrixOutput<double> da) {
    sweep(dq, [&](int direction, int coordinate) {
      d_.unit.setZero();
      d_.unit[coordinate] = 1.0;
      configuration_rate(model_, q_, d_.unit, d_.along);
      for (int k = 0; k < model_.nq(); ++k) d_.q[k].derivatives()[direction] = d_.along[k];
    });
    sweep(dv, [&](int direction, int coordinate) { d_.v[coordinate].derivatives()[direction] = 1.0; });
    sweep(da, [&](int direction, int coordinate) { d_.qdd[coordinate].derivatives()[direction] = 1.0; });
    dq -= work_.stiffness;
    dv -= work_.damping;
  }

 private:
  template <typename Seed>
  void sweep(MatrixOutput<double>& result, Seed&& seed) {
    for (int first = 0; first < model_.nv(); first += Dual::direction_count) {
      const int directions = std::min(Dual::direction_count, model_.nv() - first);
      d_.q = q_.cast<Dual>();
      d_.v = v_.cast<Dual>();
      d_.qdd = qdd_.cast<Dual>();
      for (int d = 0; d < directions; ++d) seed(d, first + d);
      inverse_dynamics(model_, d_.arm, d_.q, d_.v, d_.qdd, d_.forces, loads_);
      elastic_and_damping_forces(model_, d_.arm, d_.q, d_.v, d_.passive);
      for (int i = 0; i < model_.nv(); ++i)
        for (int d = 0; d < directions; ++d)
          result(i, first + d) = d_.forces[i].derivatives()[d] + d_.passive[i].derivatives()[d];
    }
  }

  const Model& model_;
  DerivativeWork& work_;
  DerivativeWork::Duals& d_;
  const Input<double>&q_, &v_, &qdd_;
  const std::vector<Load>& loads_;
};

DerivativeWork& required(const Call& call, DerivativeWorkspace& work) {
  if (!work.is_ready()) throw_moved(call.function, "work");
  call.arm(work.work().arm);
  return work.work();
}

}  // namespace
}  // namespace detail

DerivativeWorkspace::DerivativeWorkspace(const Model& model, Kernels kernels)
    : work_(std::make_unique<detail::DerivativeWork>(model, kernels)) {}
DerivativeWorkspace::DerivativeWorkspace(DerivativeWorkspace&& other) noexcept = default;
DerivativeWorkspace& DerivativeWorkspace::operator=(DerivativeWorkspace&& other) noexcept = default;
DerivativeWorkspace::~DerivativeWorkspace() = default;

void DerivativeWorkspace::set_gravity(const Eigen::Vector3d& gravity) {
  if (!is_ready()) detail::throw_moved("DerivativeWorkspace::set_gravity", "this");
  work_->arm.set_gravity(gravity);
  if (work_->duals) work_->duals->arm.set_gravity(gravity.cast<Dual>());
}

void force_derivatives(const Model& model, DerivativeWorkspace& work, const Input<double>& q,
                       const Input<double>& v, const Input<double>& qdd, MatrixOutput<double> dq,
                       MatrixOutput<double> dv, MatrixOutput<double> da, const std::vector<Load>& loads) {
  const detail::Call call{"force_derivatives", model};
  detail::DerivativeWork& scratch = detail::required(call, work);
  call.require_position("q", q);
  call.require_velocity("v", v);
  call.require_velocity("qdd", qdd);
  call.require_matrix("dq", dq, model.nv());
  call.require_matrix("dv", dv, model.nv());
  call.require_matrix("da", da, model.nv());
  call.require_loads(loads);
  if (scratch.duals) return detail::DualSweeps(model, scratch, q, v, qdd, loads).run(dq, dv, da);
  scratch.kernels->force_derivatives(
      model, scratch, q.data(), v.data(), qdd.data(), loads,
      {dq.data(), dv.data(), da.data(), dq.outerStride(), dv.outerStride(), da.outerStride()});
}

void force_derivatives(const Model& model, DerivativeWorkspace& work, const Input<double>& q,
                       const Input<double>& v, const Input<double>& qdd, ForceDerivatives& result,
                       const std::vector<Load>& loads) {
  for (Eigen::MatrixXd* matrix : {&result.dq, &result.dv, &result.da}) matrix->resize(model.nv(), model.nv());
  force_derivatives(model, work, q, v, qdd, result.dq, result.dv, result.da, loads);
}

void derivatives(const Model& model, DerivativeWorkspace& work, const Input<double>& q,
                 const Input<double>& v, const Input<double>& tau, DynamicsDerivatives& result,
                 const std::vector<Load>& loads) {
  const detail::Call call{"derivatives", model};
  detail::DerivativeWork& scratch = detail::required(call, work);
  call.require_position("q", q);
  call.require_velocity("v", v);
  call.require_velocity("tau", tau);
  call.require_loads(loads);
  for (Eigen::MatrixXd* matrix : {&result.dacceleration_dq, &result.dacceleration_dv,
                                  &result.dacceleration_dtau, &result.dforce_dq, &result.dforce_dv})
    matrix->resize(model.nv(), model.nv());
  scratch.tau = tau;
  add_friction_forces(model, v, -1.0, scratch.tau);
  forward_dynamics(model, scratch.arm, q, v, scratch.tau, scratch.acceleration, loads);
  force_derivatives(model, work, q, v, scratch.acceleration, result.dforce_dq, result.dforce_dv,
                    scratch.mass_matrix, loads);
  result.dforce_dq += scratch.stiffness;
  result.dforce_dv += scratch.damping;
  for (const Link& link : model.links()) {
    const int c = link.joint.driven_index();
    if (link.joint.friction) result.dforce_dv(c, c) += friction_slope(*link.joint.friction, v[c]);
  }
  scratch.kernels->solve(scratch, result);
}

}  // namespace limber
