// SPDX-License-Identifier: BSD-3-Clause
#include "limber/algorithms/link_by_link.hpp"

#include <Eigen/Geometry>
#include <string>

#include "limber/algorithms/detail/one_link.hpp"
#include "limber/algorithms/detail/passive_forces.hpp"
#include "limber/algorithms/detail/to_parent.hpp"
#include "limber/algorithms/inertia.hpp"
#include "limber/core/computation_error.hpp"
#include "limber/core/input_error.hpp"
#include "limber/model/detail/arguments.hpp"
#include "limber/model/detail/joint_kinds.hpp"
#include "limber/model/telescopes.hpp"

namespace limber {

using namespace detail;

namespace {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

// The motion of B, in its axes, from that of R.
Matrix6<double> motion_of_body(const LinkWork<double>& link) {
  const Matrix3d R = link.R_BR;
  Matrix6<double> X = Matrix6<double>::Zero();
  X.topLeftCorner<3, 3>() = R;
  X.topRightCorner<3, 3>() = R * skew<double>(Vector3d(link.p_BR_R));
  X.bottomRightCorner<3, 3>() = R;
  return X;
}

// ... and back.
Matrix6<double> motion_from_body(const LinkWork<double>& link) {
  const Matrix3d R = Matrix3d(link.R_BR).transpose();
  Matrix6<double> X = Matrix6<double>::Zero();
  X.topLeftCorner<3, 3>() = R;
  X.topRightCorner<3, 3>() = -skew<double>(Vector3d(link.p_BR_R)) * R;
  X.bottomRightCorner<3, 3>() = R;
  return X;
}

}  // namespace

LinkByLink::LinkByLink(const Model& model, std::vector<int> frame_nodes)
    : model_(model), work_(model), frames_(model.links().size()) {
  require_no_telescopes(model, "the equations link by link");
  if (!frame_nodes.empty())
    require_extent(
        "LinkByLink", "frame_nodes",
        Eigen::Map<const Eigen::VectorXi>(frame_nodes.data(), static_cast<Eigen::Index>(frame_nodes.size())),
        static_cast<Eigen::Index>(model.links().size()), 1);
  frame_nodes.resize(model.links().size(), at_root);
  for (std::size_t i = 0; i < model.links().size(); ++i) {
    const LinkWork<double>& link = work_.arm().links[i];
    const int nodes = static_cast<int>(model.links()[i].nodes.size());
    if (frame_nodes[i] < at_root || frame_nodes[i] >= nodes)
      throw InputError(Problem{"frame_nodes[" + std::to_string(i) + "]",
                               "-1 (the root) or a node of link `" + model.links()[i].name + "`, 0 to " +
                                   std::to_string(nodes - 1),
                               std::to_string(frame_nodes[i]), ""});
    const int n = 6 + link.m;
    Frame& f = frames_[i];
    f.node = link.flexible ? frame_nodes[i] : at_root;
    f.Ad_BR = motion_of_body(link);
    f.motion.setZero(n);
    f.scratch.resize(n);
    if (f.node != at_root) {
      f.Y.setIdentity(n, n);
      f.b.setZero(n);
    }
    LinkBlock block;
    block.parent = link.parent;
    block.Ja.setZero();
    block.Jf.setZero();
    block.g.setZero();
    block.G.setZero(6, n);
    block.G.leftCols<6>() = f.Ad_BR;
    block.G_inverse = motion_from_body(link);
    const int n_parent = link.parent < 0 ? 0 : 6 + work_.arm().links[static_cast<std::size_t>(link.parent)].m;
    block.H.setZero(6, n_parent);
    f.H.setZero(6, n_parent);
    block.M.setZero(n, n);
    block.f0.setZero(n);
    block.shapes_move_it = f.node != at_root;
    system_.append(std::move(block));
    find_directions(static_cast<int>(i));
  }
}

void LinkByLink::require_link(const char* function, int link) const {
  Call{function, model_}.require_link("link", link);
}
void LinkByLink::require_solution(const char* function) const {
  if (x_.size() != system_.size())
    throw InputError(
        Problem{function, "solve(), take_solution() or missing_forces() before", "none of them", ""});
}

const VectorXd& LinkByLink::motion(int link) const {
  require_link("LinkByLink::motion", link);
  return frame(link).motion;
}
const Matrix6<double>& LinkByLink::to_body(int link) const {
  require_link("LinkByLink::to_body", link);
  return frame(link).Ad_BR;
}

void LinkByLink::prescribe(const std::vector<int>& links) { work_.prescribe(links); }

void LinkByLink::update(const Input<double>& q, const Input<double>& v) {
  const Call call{"LinkByLink::update", model_};
  call.require_position("q", q);
  call.require_velocity("v", v);
  update_velocities_and_inertias(model_, work_, q, v);
}

void LinkByLink::update_directions(int i) {
  require_link("LinkByLink::update_directions", i);
  with_joint_kind(work_.arm().links[static_cast<std::size_t>(i)].joint_type, [&](auto kind) {
    if (kind.moving_columns > 0) find_directions(i);
  });
}

void LinkByLink::find_directions(int i) {
  const LinkWork<double>& link = work_.arm().links[static_cast<std::size_t>(i)];
  Frame& f = frame(i);
  f.S.setZero();
  for (int j = 0; j < link.joint_nv; ++j) f.S.col(j) = f.Ad_BR.lazyProduct(link.S[j].vector());
  with_joint_kind(link.joint_type, [&](auto kind) {
    f.N.setZero();
    kind.set_constrained(f.S, f.N);
    kind.set_rate_rows(f.S, f.S_plus);
  });
}

// (1)
void LinkByLink::fill_link(int i, const Input<double>& q, const Input<double>& v, const Input<double>& tau) {
  const LinkWork<double>& link = work_.arm().links[static_cast<std::size_t>(i)];
  LinkBlock& block = system_.block(i);
  const int m = link.m;
  block.M.topLeftCorner<6, 6>() = link.M_rr.matrix();
  block.f0.head<6>() = link.f_r.vector();
  for (int j = 0; j < m; ++j) {
    block.M.block<6, 1>(0, 6 + j) = link.M_re[j].vector();
    block.M.block<1, 6>(6 + j, 0) = block.M.block<6, 1>(0, 6 + j).transpose();
    for (int k = 0; k < m; ++k) block.M(6 + j, 6 + k) = link.M_ee[j * m + k];
    block.f0[6 + j] =
        link.f_e[j] + passive_elastic_force(link, q.data(), v.data(), j, m) - tau[link.elastic_v() + j];
  }
  if (frame(i).node == at_root) return;  // G has not changed
  block.G.leftCols<6>() = frame(i).Ad_BR;
  block.G.rightCols(m).setZero();
}

// H of (2).
void LinkByLink::fill_outboard(int i) {
  const LinkWork<double>& link = work_.arm().links[static_cast<std::size_t>(i)];
  if (link.parent < 0) return;
  const LinkWork<double>& parent = work_.arm().links[static_cast<std::size_t>(link.parent)];
  const NodeWork<double>* node = link.parent_node >= 0 ? &parent.nodes[link.parent_node] : nullptr;
  Frame& f = frame(i);
  const Vec3<double> zero = Vec3<double>::zero();
  const auto column = [&](const LaneTwist<double>& at_node) -> Vector6<double> {
    return f.Ad_BR.lazyProduct(motion_from_node(link, at_node).vector());
  };
  for (int axis = 0; axis < 3; ++axis) {
    Vec3<double> unit = zero;
    unit.set(axis, 1.0);
    f.H.col(axis) = column({unit, zero});
    f.H.col(3 + axis) = column({node ? cross(unit, node->p_RN) : zero, unit});
  }
  for (int j = 0; node && j < parent.m; ++j) f.H.col(6 + j) = column({node->p_eta[j], node->w_eta[j]});
}

// (3)
void LinkByLink::fill_joint(int i, const Input<double>& q, const Input<double>& v, const Input<double>& tau,
                            const Input<double>& qdd) {
  const LinkWork<double>& link = work_.arm().links[static_cast<std::size_t>(i)];
  Frame& f = frame(i);
  f.A_bias = f.Ad_BR.lazyProduct(link.A_bias.vector());
  LinkBlock& block = system_.block(i);
  const int nj = link.moving();
  block.Jf.setZero();
  block.Ja = f.N.transpose();
  for (int j = 0; j < link.joint_nv; ++j) {
    const int row = link.v_index + j;
    f.effort[j] = tau[row] - passive_joint_force(link, q.data(), v.data(), j);
    if (j == nj) break;  // a motor's row has no share in the wrench: accelerations()
    if (link.prescribed) {
      block.Ja.row(j) = f.S_plus.row(j);
      block.g[j] = qdd[row];
      continue;
    }
    block.Jf.row(j) = f.S.col(j).transpose();
    block.Ja.row(j) = link.armature[j] * f.S_plus.row(j);
    block.g[j] = f.effort[j];
  }
  block.g.tail(6 - nj).setZero();
  Vector6<double> known = f.A_bias;
  if (link.parent < 0) known += ground_motion(i);
  block.g.noalias() += block.Ja.lazyProduct(known);
}

// H y_p on the ground, which accelerates with -g.
Vector6<double> LinkByLink::ground_motion(int i) const {
  const LinkWork<double>& link = work_.arm().links[static_cast<std::size_t>(i)];
  return frame(i).Ad_BR * motion_from_node(link, {-work_.arm().gravity, Vec3<double>::zero()}).vector();
}

// (4)
void LinkByLink::find_frame(int i) {
  Frame& f = frame(i);
  if (f.node == at_root) return;
  const LinkWork<double>& link = work_.arm().links[static_cast<std::size_t>(i)];
  const NodeWork<double>& node = link.nodes[f.node];
  const Matrix3d p_cross = skew<double>(Vector3d(node.p_RN)), R_RN = node.R_RN;
  const auto seen_from_root = [&](const LaneTwist<double>& motion) {
    return LaneTwist<double>{motion.linear + cross(node.p_RN, motion.angular), motion.angular}.vector();
  };
  f.Y.topLeftCorner<3, 3>() = R_RN;
  f.Y.block<3, 3>(0, 3) = p_cross * R_RN;
  f.Y.block<3, 3>(3, 3) = R_RN;
  for (int j = 0; j < link.m; ++j)
    f.Y.block<6, 1>(0, 6 + j) = -seen_from_root({node.p_eta[j], node.w_eta[j]});
  f.b.head<6>() = -seen_from_root(node.A_bias);
}

// (5)
void LinkByLink::change_frame(int i) {
  const Frame& f = frame(i);
  LinkBlock& block = system_.block(i);
  const Frame* parent = block.parent < 0 ? nullptr : &frame(block.parent);
  block.H = f.H;
  if (parent && parent->node != at_root) {
    block.g += block.Ja * (f.H * parent->b);
    block.H = f.H * parent->Y;
  }
  if (f.node == at_root) return;
  block.g -= block.Ja * (block.G * f.b);
  block.f0 = f.Y.transpose() * (block.f0 + block.M * f.b);
  block.M = f.Y.transpose() * block.M * f.Y;
  block.G = block.G * f.Y;
  // (X R_RN)^-1 turns and shifts back.
  const LinkWork<double>& link = work_.arm().links[static_cast<std::size_t>(i)];
  const NodeWork<double>& node = link.nodes[f.node];
  const Matrix3d R_NR = Matrix3d(node.R_RN).transpose();
  Matrix6<double> to_node = Matrix6<double>::Zero();
  to_node.topLeftCorner<3, 3>() = R_NR;
  to_node.topRightCorner<3, 3>() = -R_NR * skew<double>(Vector3d(node.p_RN));
  to_node.bottomRightCorner<3, 3>() = R_NR;
  block.G_inverse = to_node * motion_from_body(link);
}

void LinkByLink::assemble(const Input<double>& q, const Input<double>& v, const Input<double>& tau,
                          const Input<double>& qdd, const std::vector<Load>& loads) {
  const Call call{"LinkByLink::assemble", model_};
  call.require_position("q", q);
  call.require_velocity("v", v);
  call.require_velocity("tau", tau);
  call.require_velocity("qdd", qdd);
  call.require_loads(loads);
  apply_loads(model_, work_.arm(), q.data(), loads);
  for (int i = 0; i < system_.link_count(); ++i) {
    update_directions(i);
    fill_link(i, q, v, tau);
    fill_outboard(i);
    fill_joint(i, q, v, tau, qdd);
    find_frame(i);
    change_frame(i);
  }
}

void LinkByLink::add_to_constraints(int i, const Twist& acceleration) {
  require_link("LinkByLink::add_to_constraints", i);
  const LinkWork<double>& link = work_.arm().links[static_cast<std::size_t>(i)];
  const int first = link.prescribed ? 0 : link.moving();
  LinkBlock& block = system_.block(i);
  const Vector6<double> numbers = acceleration.vector();
  for (int j = first; j < 6; ++j) block.g[j] += block.Ja.row(j).dot(numbers);
}

void LinkByLink::ask_for_steps(const std::vector<Twist>& steps) {
  if (steps.size() != frames_.size())
    throw InputError(Problem{"LinkByLink::ask_for_steps: steps",
                             std::to_string(frames_.size()) + " of them, one for each link",
                             std::to_string(steps.size()), ""});
  for (int i = 0; i < system_.link_count(); ++i) {
    LinkBlock& block = system_.block(i);
    block.f0.setZero();
    block.g.setZero();
    add_to_constraints(i, steps[static_cast<std::size_t>(i)]);
    frame(i).b.setZero();
  }
}

void LinkByLink::joint_rates(int i, const Twist& relative, Output<double> v) const {
  require_link("LinkByLink::joint_rates", i);
  Call{"LinkByLink::joint_rates", model_}.require_velocity("v", v);
  const LinkWork<double>& link = work_.arm().links[static_cast<std::size_t>(i)];
  const Vector6<double> in_body = frame(i).Ad_BR.lazyProduct(relative.vector());
  v.segment(link.v_index, link.moving()) = frame(i).S_plus.topRows(link.moving()).lazyProduct(in_body);
}

void LinkByLink::missing_forces(const Input<double>& qdd, Output<double> forces) {
  const Call call{"LinkByLink::missing_forces", model_};
  call.require_velocity("qdd", qdd);
  call.require_velocity("forces", forces);
  x_.resize(system_.size());
  // Root to leaves: accelerations, from (2).
  for (int i = 0; i < system_.link_count(); ++i) {
    const LinkWork<double>& link = work_.arm().links[static_cast<std::size_t>(i)];
    Frame& f = frame(i);
    Vector6<double> in_body = f.A_bias;
    for (int j = 0; j < link.joint_nv; ++j) in_body += f.S.col(j) * qdd[link.v_index + j];
    if (link.parent >= 0)
      in_body.noalias() += f.H.lazyProduct(frame(link.parent).motion);
    else
      in_body += ground_motion(i);
    f.motion.head<6>().noalias() = system_.block(i).G_inverse.lazyProduct(in_body);
    f.motion.tail(link.m) = qdd.segment(link.elastic_v(), link.m);
    f.scratch = system_.block(i).f0;
    f.scratch.noalias() += system_.block(i).M.lazyProduct(f.motion);
  }
  // Leaves to root: wrenches, G^T f = M y + f0 + Sum H_c^T f_c, and what is left over.
  for (int i = system_.link_count() - 1; i >= 0; --i) {
    const LinkWork<double>& link = work_.arm().links[static_cast<std::size_t>(i)];
    Frame& f = frame(i);
    const Vector6<double> wrench = system_.block(i).G_inverse.transpose().lazyProduct(f.scratch.head<6>());
    x_.segment<6>(system_.offset(i)) = wrench;
    forces.segment(link.elastic_v(), link.m) = -f.scratch.tail(link.m);
    for (int j = 0; j < link.joint_nv; ++j) {
      const int row = link.v_index + j;
      forces[row] = f.effort[j] - f.S.col(j).dot(wrench) - link.armature[j] * qdd[row];
    }
    if (link.parent >= 0) frame(link.parent).scratch.noalias() += f.H.transpose().lazyProduct(wrench);
  }
}

void LinkByLink::solve() {
  const int singular = system_.solve(x_);
  if (singular >= 0)
    throw ComputationError(
        "the stacked equations are singular at link `" +
        model_.links()[static_cast<std::size_t>(singular)].name +
        "`: something that it can do moves no mass. `limber check --dae` says what; give the "
        "link an inertia in that direction, or its joint an armature");
  find_motions();
}

void LinkByLink::solve_dense() { take_solution(system_.solve_dense()); }

void LinkByLink::take_solution(const Input<double>& x) {
  require_extent("LinkByLink::take_solution", "x", x, system_.size(), 1);
  x_ = x;
  find_motions();
}

void LinkByLink::find_motions() {
  for (int i = 0; i < system_.link_count(); ++i) {
    Frame& f = frame(i);
    const auto y = x_.segment(system_.offset(i) + 6, system_.block(i).size());
    if (f.node == at_root)
      f.motion = y;
    else
      f.motion = f.Y * y + f.b;
  }
}

void LinkByLink::accelerations(Output<double> qdd) const {
  Call{"LinkByLink::accelerations", model_}.require_velocity("qdd", qdd);
  require_solution("LinkByLink::accelerations");
  for (int i = 0; i < system_.link_count(); ++i) {
    const LinkWork<double>& link = work_.arm().links[static_cast<std::size_t>(i)];
    const Frame& f = frame(i);
    qdd.segment(link.elastic_v(), link.m) = f.motion.tail(link.m);
    if (link.prescribed || link.joint_nv == 0) continue;
    Vector6<double> relative = f.Ad_BR.lazyProduct(f.motion.head<6>()) - f.A_bias;
    if (link.parent >= 0)
      relative.noalias() -= f.H.lazyProduct(frame(link.parent).motion);
    else
      relative -= ground_motion(i);
    const int nj = link.moving();
    qdd.segment(link.v_index, nj) = f.S_plus.topRows(nj).lazyProduct(relative);
    if (link.has_motor && !link.motor_is_prescribed)  // (6)
      qdd[link.v_index + nj] = f.effort[nj] / link.armature[nj];
  }
}

Wrench LinkByLink::wrench(int link) const {
  require_link("LinkByLink::wrench", link);
  require_solution("LinkByLink::wrench");
  return Wrench::from(x_.segment<6>(system_.offset(link)));
}

Wrench LinkByLink::interaction_wrench(int i) const {
  require_link("LinkByLink::interaction_wrench", i);
  require_solution("LinkByLink::interaction_wrench");
  return interaction_wrench(i, wrench(i));
}

Wrench LinkByLink::interaction_wrench(int i, const Wrench& by_parent) const {
  require_link("LinkByLink::interaction_wrench", i);
  const LinkWork<double>& link = work_.arm().links[static_cast<std::size_t>(i)];
  const Frame& f = frame(i);
  const Vector6<double> across = f.N * (f.N.transpose() * by_parent.vector());
  // From B to P (or the world): B's origin is at p_PN + p_NR_P - R_PR p_BR_R.
  const Matrix3d R_PB = Matrix3d(link.R_PR) * Matrix3d(link.R_BR).transpose();
  Vector3d p = Vector3d(link.p_NR_P - link.R_PR * link.p_BR_R), force = R_PB * across.head<3>(),
           moment = R_PB * across.tail<3>();
  if (link.parent >= 0) {
    const LinkWork<double>& parent = work_.arm().links[static_cast<std::size_t>(link.parent)];
    if (link.parent_node >= 0) p += Vector3d(parent.nodes[link.parent_node].p_RN);
    // From the parent's own frame: B, or where it rides on the beam.
    const int ridden = frame(link.parent).node;
    const Matrix3d R_FP =
        ridden == at_root ? Matrix3d(parent.R_BR) : Matrix3d(Matrix3d(parent.nodes[ridden].R_RN).transpose());
    p += ridden == at_root ? Vector3d(parent.p_BR_R) : Vector3d(-Vector3d(parent.nodes[ridden].p_RN));
    p = R_FP * p;
    force = R_FP * force;
    moment = R_FP * moment;
  }
  moment += p.cross(force);
  return {-force, -moment};
}

void LinkByLink::prescribed_efforts(const Input<double>& tau, const Input<double>& qdd,
                                    Output<double> efforts) const {
  const Call call{"LinkByLink::prescribed_efforts", model_};
  call.require_velocity("tau", tau);
  call.require_velocity("qdd", qdd);
  call.require_velocity("efforts", efforts);
  require_solution("LinkByLink::prescribed_efforts");
  for (int i = 0; i < system_.link_count(); ++i) {
    const LinkWork<double>& link = work_.arm().links[static_cast<std::size_t>(i)];
    if (!link.prescribed && !link.motor_is_prescribed) continue;
    for (int j = link.has_motor ? link.moving() : 0; j < link.joint_nv; ++j) {
      const int row = link.v_index + j;
      efforts[row] = frame(i).S.col(j).dot(wrench(i).vector()) + link.armature[j] * qdd[row] -
                     frame(i).effort[j] + tau[row];
    }
  }
}

MatrixXd LinkByLink::rate_rows(int i) const {
  require_link("LinkByLink::rate_rows", i);
  return frame(i).S_plus.topRows(work_.arm().links[static_cast<std::size_t>(i)].moving());
}

MatrixXd LinkByLink::constrained_directions(int i) const {
  require_link("LinkByLink::constrained_directions", i);
  return frame(i).N.rightCols(6 - work_.arm().links[static_cast<std::size_t>(i)].moving()).transpose();
}

LinkByLink link_by_link(const Model& model, double body_frame) {
  if (!(body_frame >= 0.0 && body_frame <= 1.0))
    throw InputError(
        Problem{"body_frame", "a fraction of the beams from 0 to 1", std::to_string(body_frame), ""});
  Model with_places = model;
  std::vector<int> nodes(model.links().size(), LinkByLink::at_root);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (body_frame == 0.0 || model.links()[i].elastic_count == 0) continue;
    const int link = static_cast<int>(i);
    with_places = with_node(with_places, link, body_frame);
    nodes[i] = node_index(with_places, link, body_frame);
  }
  return LinkByLink(with_places, std::move(nodes));
}

}  // namespace limber
