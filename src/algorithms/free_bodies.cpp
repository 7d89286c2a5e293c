// SPDX-License-Identifier: BSD-3-Clause
#include "limber/algorithms/free_bodies.hpp"

#include <Eigen/Geometry>

#include "limber/algorithms/configuration.hpp"
#include "limber/algorithms/detail/joint_motion.hpp"
#include "limber/algorithms/detail/one_link.hpp"
#include "limber/algorithms/detail/turn_joints.hpp"
#include "limber/algorithms/kinematics.hpp"
#include "limber/model/detail/arguments.hpp"

namespace limber {

using namespace detail;

namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using Eigen::VectorXd;

// q of a joint whose link stands at R_NR, p_NR in its node's axes: the inverse of place_joint.
void measure_coordinates(const LinkWork<double>& link, const Matrix3d& R_NR, const Vector3d& p_NR,
                         double* q) {
  const Matrix3d R_R0N = Matrix3d(link.R_NR0).transpose();
  const joint_kinds::JointPlace at{R_R0N * R_NR,
                                   R_R0N * (p_NR - Vector3d(link.p_NJ) - R_NR * Vector3d(link.p_BR_R))};
  with_joint_kind(link.joint_type, [&](auto kind) { kind.measure(link, at, q); });
}

// Pose and twist of R, from those of B.
void set_body(LinkWork<double>& link, const double* Q, const double* V) {
  const Matrix3d R_WB = Eigen::Quaterniond(Eigen::Map<const Eigen::Vector4d>(Q + 3)).toRotationMatrix();
  const Mat3<double> R_WR = Mat3<double>(R_WB) * link.R_BR;
  link.R_WR = R_WR;
  link.p_WR = Vec3<double>(Q[0], Q[1], Q[2]) + R_WR * link.p_BR_R;
  const Vec3<double> v(V[0], V[1], V[2]), w(V[3], V[4], V[5]);
  const Vec3<double> w_R = transposed_times(link.R_BR, w);
  link.V_R = {transposed_times(link.R_BR, v) + cross(w_R, link.p_BR_R), w_R};
}

}  // namespace

Model taken_apart(const Model& model) {
  ModelParts apart = model.parts();
  apart.nq = apart.nv = 0;
  apart.coordinates.clear();
  for (Link& link : apart.links) {
    link.parent = -1;
    link.parent_node = 0;
    link.X_NJ = {};
    Joint& joint = link.joint;
    joint.type = JointType::free;
    joint.axes.clear();
    joint.parameter = 0.0;
    joint.stiffness = joint.rest = joint.damping = joint.armature = 0.0;
    joint.limits = {};
    joint.nq = joint.facts().nq();
    joint.nv = joint.facts().nv;
    joint.q_index = apart.nq;
    joint.v_index = apart.nv;
    link.elastic_q_index = apart.nq + joint.nq;
    link.elastic_v_index = apart.nv + joint.nv;
    apart.nq = link.elastic_q_index + link.elastic_count;
    apart.nv = link.elastic_v_index + link.elastic_count;
    for (int i = 0; i < joint.nv + link.elastic_count; ++i)
      apart.coordinates.push_back(link.name + "." + std::to_string(i + 1));
  }
  return Model(std::move(apart));
}

FreeBodies::FreeBodies(const Model& model)
    : model_(model),
      apart_(taken_apart(model)),
      arm_(model),
      relative_(model.links().size()),
      gaps_(model.links().size()),
      slips_(model.links().size()),
      steps_(model.links().size()),
      displacement_(apart_.nv()),
      displaced_(apart_.nq()) {}

void FreeBodies::from_joints(const Input<double>& q, const Input<double>& v, VectorXd& Q, VectorXd& V) {
  const Call call{"FreeBodies::from_joints", model_};
  call.require_position("q", q);
  call.require_velocity("v", v);
  Q.resize(apart_.nq());
  V.resize(apart_.nv());
  Workspace<double>& work = arm_.workspace();
  update_velocities(model_, work, q, v);
  update_world_poses(work);
  for (std::size_t i = 0; i < work.arm().links.size(); ++i) {
    const LinkWork<double>& link = work.arm().links[i];
    const Link& body = apart_.links()[i];
    const Matrix3d R_WB = Matrix3d(link.R_WR) * Matrix3d(link.R_BR).transpose();
    Q.segment<3>(body.joint.q_index) = Vector3d(link.p_WR - link.R_WR * link.p_BR_R);
    Q.segment<4>(body.joint.q_index + 3) = Eigen::Quaterniond(R_WB).normalized().coeffs();
    V.segment<6>(body.joint.v_index) = arm_.to_body(static_cast<int>(i)) * link.V_R.vector();
    Q.segment(body.elastic_q_index, link.m) = q.segment(link.elastic_q(), link.m);
    V.segment(body.elastic_v_index, link.m) = v.segment(link.elastic_v(), link.m);
  }
}

void FreeBodies::measure(const Input<double>& Q, const Input<double>& V, Output<double> q, Output<double> v) {
  const Call call{"FreeBodies::measure", model_}, bodies{"FreeBodies::measure", apart_};
  bodies.require_position("Q", Q);
  bodies.require_velocity("V", V);
  call.require_position("q", q);
  call.require_velocity("v", v);
  Workspace<double>& work = arm_.workspace();
  for (std::size_t i = 0; i < work.arm().links.size(); ++i) {
    LinkWork<double>& link = work.arm().links[i];
    const Link& body = apart_.links()[i];
    q.segment(link.elastic_q(), link.m) = Q.segment(body.elastic_q_index, link.m);
    v.segment(link.elastic_v(), link.m) = V.segment(body.elastic_v_index, link.m);
    set_body(link, Q.data() + body.joint.q_index, V.data() + body.joint.v_index);
    update_nodes_of(link, q.data(), v.data());
    update_inertia_of(link, q.data(), v.data());
  }
  for (int i = 0; i < static_cast<int>(work.arm().links.size()); ++i) measure_joint(i, q, v);
}

void FreeBodies::measure_joint(int i, Output<double> q, Output<double> v) {
  Workspace<double>& work = arm_.workspace();
  LinkWork<double>& link = work.arm().links[static_cast<std::size_t>(i)];
  // R_PR and p_NR_P of kinematics.hpp (1), from both poses.
  link.R_PR = link.R_WR;
  link.p_NR_P = link.p_WR;
  Matrix3d R_PN = Matrix3d::Identity();
  if (link.parent >= 0) {
    const LinkWork<double>& parent = work.arm().links[static_cast<std::size_t>(link.parent)];
    link.R_PR = parent.R_WR.transposed() * link.R_WR;
    link.p_NR_P = transposed_times(parent.R_WR, link.p_WR - parent.p_WR);
    if (link.parent_node >= 0) {
      link.p_NR_P -= parent.nodes[link.parent_node].p_RN;
      R_PN = parent.nodes[link.parent_node].R_RN;
    }
  }
  link.R_RP = link.R_PR.transposed();
  measure_coordinates(link, R_PN.transpose() * Matrix3d(link.R_PR), R_PN.transpose() * Vector3d(link.p_NR_P),
                      q.data() + link.q_index);
  Mat3<double> R_NR;
  Vec3<double> p_NR;
  turn_joint(link, q.data());
  place_joint(link, q.data() + link.q_index, R_NR, p_NR);  // S of a universal joint
  arm_.update_directions(i);

  const NodeMotion<double> node = node_motion(work.arm(), link);
  const LaneTwist<double> relative = link.V_R - motion_from_node(link, node.V);
  Twist& kept = relative_[static_cast<std::size_t>(i)];
  kept = {relative.linear, relative.angular};
  arm_.joint_rates(i, kept, v);
  link.A_bias = joint_bias(link, node, relative, v.data() + link.v_index);
}

void FreeBodies::find_gaps(const Input<double>& q, const Input<double>& v) {
  const Call call{"FreeBodies::find_gaps", model_};
  call.require_position("q", q);
  call.require_velocity("v", v);
  Workspace<double>& work = arm_.workspace();
  for (std::size_t i = 0; i < work.arm().links.size(); ++i) {
    LinkWork<double>& link = work.arm().links[i];
    Mat3<double> R_NR;
    Vec3<double> p_NR;
    turn_joint(link, q.data());
    place_joint(link, q.data() + link.q_index, R_NR, p_NR);
    if (link.parent_node >= 0) {
      const Mat3<double>& R_PN =
          work.arm().links[static_cast<std::size_t>(link.parent)].nodes[link.parent_node].R_RN;
      R_NR = R_PN * R_NR;  // from here on in P's axes
      p_NR = R_PN * p_NR;
    }
    LaneTwist<double> gap{transposed_times(R_NR, link.p_NR_P - p_NR),
                          Vec3<double>(log_rotation(Matrix3d(R_NR).transpose() * Matrix3d(link.R_PR)))};
    Vector6<double> slip = relative_[i].vector();
    for (int j = 0; j < link.joint_nv; ++j) slip -= link.S[j].vector() * v[link.v_index + j];
    gaps_[i] = Twist::from(arm_.to_body(static_cast<int>(i)) * gap.vector());
    slips_[i] = Twist::from(arm_.to_body(static_cast<int>(i)) * slip);
  }
}

const Twist& FreeBodies::gap(int link) const {
  Call{"FreeBodies::gap", model_}.require_link("link", link);
  return gaps_[static_cast<std::size_t>(link)];
}
const Twist& FreeBodies::slip(int link) const {
  Call{"FreeBodies::slip", model_}.require_link("link", link);
  return slips_[static_cast<std::size_t>(link)];
}

FreeBodies::ConstraintViolation FreeBodies::largest_violation() const {
  ConstraintViolation largest;
  for (std::size_t i = 0; i < gaps_.size(); ++i) {
    // q was measured, so that nothing is left over along the joint's own axes
    largest.position = std::max(largest.position, gaps_[i].linear.norm());
    largest.rotation = std::max(largest.rotation, gaps_[i].angular.norm());
  }
  return largest;
}

// True accelerations: those of the workspace contain -g. B's origin is at -p_BR_R in R.
void FreeBodies::rates(VectorXd& V_rate) const {
  const Workspace<double>& work = arm_.workspace();
  V_rate.resize(apart_.nv());
  for (std::size_t i = 0; i < work.arm().links.size(); ++i) {
    const LinkWork<double>& link = work.arm().links[i];
    const Link& body = apart_.links()[i];
    const VectorXd& y = arm_.motion(static_cast<int>(i));
    const Vec3<double> a = Vec3<double>(y[0], y[1], y[2]) + transposed_times(link.R_WR, work.arm().gravity);
    const Vec3<double> alpha(y[3], y[4], y[5]);
    const Vec3<double>&w = link.V_R.angular, &p = link.p_BR_R;
    const Vec3<double> v_B = link.V_R.linear - cross(w, p);
    const Vec3<double> a_B = a - cross(alpha, p) - cross(w, cross(w, p));
    V_rate.segment<3>(body.joint.v_index) = Vector3d(link.R_BR * (a_B - cross(w, v_B)));
    V_rate.segment<3>(body.joint.v_index + 3) = Vector3d(link.R_BR * alpha);
    V_rate.segment(body.elastic_v_index, link.m) = y.tail(link.m);
  }
}

void FreeBodies::project_poses(Output<double> Q) {
  Call{"FreeBodies::project_poses", apart_}.require_position("Q", Q);
  for (std::size_t i = 0; i < gaps_.size(); ++i) steps_[i] = -gaps_[i];
  arm_.ask_for_steps(steps_);
  arm_.solve();
  for (std::size_t i = 0; i < apart_.links().size(); ++i) {
    const Link& body = apart_.links()[i];
    const VectorXd& y = arm_.motion(static_cast<int>(i));
    displacement_.segment<6>(body.joint.v_index) = arm_.to_body(static_cast<int>(i)) * y.head<6>();
    displacement_.segment(body.elastic_v_index, body.elastic_count) = y.tail(body.elastic_count);
  }
  displace(apart_, Q, displacement_, displaced_);
  Q = displaced_;
}

void FreeBodies::project_twists(Output<double> V) {
  Call{"FreeBodies::project_twists", apart_}.require_velocity("V", V);
  for (std::size_t i = 0; i < slips_.size(); ++i) steps_[i] = -slips_[i];
  arm_.ask_for_steps(steps_);
  arm_.solve();
  for (std::size_t i = 0; i < apart_.links().size(); ++i) {
    const Link& body = apart_.links()[i];
    const VectorXd& y = arm_.motion(static_cast<int>(i));
    V.segment<6>(body.joint.v_index) += arm_.to_body(static_cast<int>(i)) * y.head<6>();
    V.segment(body.elastic_v_index, body.elastic_count) += y.tail(body.elastic_count);
  }
}

}  // namespace limber
