// SPDX-License-Identifier: BSD-3-Clause
#include "limber/formulations/truncated_arm.hpp"

#include <algorithm>

#include "limber/algorithms/detail/arm_work.hpp"
#include "limber/algorithms/energy.hpp"
#include "limber/algorithms/inverse_dynamics.hpp"
#include "limber/algorithms/jacobian.hpp"
#include "limber/algorithms/kinematics.hpp"
#include "limber/algorithms/mass_matrix.hpp"
#include "limber/core/input_error.hpp"
#include "limber/model/detail/arguments.hpp"

namespace limber {

using namespace detail;

namespace {

using Eigen::VectorXd;

bool has(const std::vector<int>& list, int value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

void refuse_other_coordinates(const Model& model, const FormulationOptions& options) {
  for (const int i : options.nonlinear_coordinates) {
    const bool is_elastic = std::any_of(model.links().begin(), model.links().end(), [i](const Link& link) {
      return i >= link.elastic_v_index && i < link.elastic_v_index + link.elastic_count;
    });
    if (!is_elastic)
      throw InputError(Problem{"nonlinear", "elastic coordinates, in v", "number " + std::to_string(i), ""});
  }
}

void refuse_rigid_links(const Model& model, const FormulationOptions& options) {
  for (const int link : options.nonlinear_links) {
    const bool is_there = link >= 0 && link < static_cast<int>(model.links().size());
    if (is_there && model.links()[static_cast<std::size_t>(link)].elastic_count > 0) continue;
    throw InputError(
        Problem{"nonlinear", "links with elastic coordinates",
                is_there ? "`" + model.links()[static_cast<std::size_t>(link)].name + "`, which is rigid"
                         : "link number " + std::to_string(link),
                ""});
  }
}

}  // namespace

TruncatedArm::TruncatedArm(const Model& model, const FormulationOptions& options)
    : model_(with_kinematics(model, options.consistent ? KinematicOrder::second : KinematicOrder::first)),
      work_(model_),
      is_small_q_(static_cast<std::size_t>(model.nq()), 0),
      is_small_v_(static_cast<std::size_t>(model.nv()), 0),
      q_(model.nq()),
      v_(model.nv()),
      a_(model.nv()),
      tau_(model.nv()),
      M_(model.nv(), model.nv()) {
  refuse_rigid_links(model_, options);
  refuse_other_coordinates(model_, options);
  for (std::size_t i = 0; i < model_.links().size(); ++i) {
    if (has(options.nonlinear_links, static_cast<int>(i))) continue;
    const Link& link = model_.links()[i];
    int small = 0;
    for (int j = 0; j < link.elastic_count; ++j) {
      if (has(options.nonlinear_coordinates, link.elastic_v_index + j)) continue;
      is_small_q_[static_cast<std::size_t>(link.elastic_q_index + j)] = 1;
      is_small_v_[static_cast<std::size_t>(link.elastic_v_index + j)] = 1;
      ++small;
    }
    if (options.consistent || small < link.elastic_count) continue;
    work_.arm().links[i].sections.constant_screws = true;
    for (NodeWork<Truncated>& node : work_.arm().links[i].nodes) node.constant_screws = true;
  }
}

void TruncatedArm::set_positions(const Input<double>& q) {
  for (int i = 0; i < model_.nq(); ++i)
    q_[i] = is_small_q_[static_cast<std::size_t>(i)] ? truncated(0.0, q[i]) : Truncated(q[i]);
}

void TruncatedArm::undeflect(const Input<double>& q, VectorXd& undeflected) const {
  undeflected = q;
  for (int i = 0; i < model_.nq(); ++i)
    if (is_small_q_[static_cast<std::size_t>(i)]) undeflected[i] = 0.0;
}

void TruncatedArm::mass_matrix(const Input<double>& q, Eigen::MatrixXd& M) {
  detail::Call{"TruncatedArm::mass_matrix", model_}.require_position("q", q);
  set_positions(q);
  limber::mass_matrix(model_, work_, q_, M_);
  M = M_.unaryExpr([](const Truncated& x) { return total(x); });
}

void TruncatedArm::forces(const Input<double>& q, const Input<double>& v, const Input<double>& a,
                          const std::vector<Load>& loads, VectorXd& tau) {
  const detail::Call call{"TruncatedArm::forces", model_};
  call.require_position("q", q);
  call.require_velocity("v", v);
  call.require_velocity("a", a);
  call.require_loads(loads);
  set_positions(q);
  for (int i = 0; i < model_.nv(); ++i) {
    v_[i] = is_small_v_[static_cast<std::size_t>(i)] ? truncated(0.0, v[i]) : Truncated(v[i]);
    a_[i] = a[i];
  }
  inverse_dynamics(model_, work_, q_, v_, a_, tau_, loads);
  tau.resize(model_.nv());
  for (int i = 0; i < model_.nv(); ++i) tau[i] = total(tau_[i]);
}

void TruncatedArm::end_effector(const Input<double>& q, PoseOf<double>& pose, Matrix6X<double>& jacobian) {
  detail::Call{"TruncatedArm::end_effector", model_}.require_position("q", q);
  set_positions(q);
  update_positions(model_, work_, q_);
  update_world_poses(work_);
  const Frame frame = end_effector_frame(model_);
  const PoseOf<Truncated> X = frame_pose(model_, work_, frame);
  Matrix6X<Truncated> J(6, model_.nv());
  frame_jacobian(model_, work_, frame, MotionAxes::local_world_aligned, J);
  const auto sum = [](const Truncated& x) { return total(x); };
  pose = {X.R.unaryExpr(sum), X.p.unaryExpr(sum)};
  jacobian.resize(6, model_.nv());
  for (int j = 0; j < model_.nv(); ++j) {
    const bool is_small =
        is_small_v_[static_cast<std::size_t>(j)] != 0;  // (92): such a rate is at eps itself
    for (int i = 0; i < 6; ++i) jacobian(i, j) = is_small ? real_part(J(i, j)) : total(J(i, j));
  }
}

double TruncatedArm::gravity_energy(const Input<double>& q) {
  detail::Call{"TruncatedArm::gravity_energy", model_}.require_position("q", q);
  set_positions(q);
  v_.setConstant(Truncated(0.0));
  return total(energy(model_, work_, q_, v_).gravity);
}

void TruncatedArm::wrenches(std::vector<Wrench>& wrenches) const {
  wrenches.resize(model_.links().size());
  for (std::size_t i = 0; i < model_.links().size(); ++i) {
    const WrenchOf<Truncated> wrench = joint_wrench(model_, work_, static_cast<int>(i));
    const auto sum = [](const Truncated& x) { return total(x); };
    wrenches[i] = {wrench.force.unaryExpr(sum), wrench.moment.unaryExpr(sum)};
  }
}

}  // namespace limber
