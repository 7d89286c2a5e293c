// SPDX-License-Identifier: BSD-3-Clause
#include "limber/algorithms/configuration.hpp"

#include "limber/model/detail/arguments.hpp"
#include "limber/model/detail/joint_kinds.hpp"

namespace limber {

using namespace detail;

namespace {

// Every joint by act(kind, q's first index, v's first index), every row of elastic coordinates by the plain formula that PlainCoordinates
// has for joints.
template <typename Act>
void for_each_joint(const Model& model, const Act& act) {
  for (const Link& link : model.links())
    with_joint_kind(link.joint.type, [&](auto kind) { act(kind, link.joint.q_index, link.joint.v_index); });
}

}  // namespace

void configuration_rate(const Model& model, const Input<double>& q, const Input<double>& v,
                        Output<double> rate) {
  const Call call{"configuration_rate", model};
  call.require_position("q", q);
  call.require_velocity("v", v);
  call.require_position("rate", rate);
  for (const Link& link : model.links())
    rate.segment(link.elastic_q_index, link.elastic_count) =
        v.segment(link.elastic_v_index, link.elastic_count);
  for_each_joint(
      model, [&](auto kind, int iq, int iv) { kind.rate(q.data() + iq, v.data() + iv, rate.data() + iq); });
}

void velocity_from_rate(const Model& model, const Input<double>& q, const Input<double>& rate,
                        Output<double> v) {
  const Call call{"velocity_from_rate", model};
  if (q.size() < model.nq()) call.require_position("q", q);
  if (rate.size() < model.nq()) call.require_position("rate", rate);
  call.require_velocity("v", v);
  for (const Link& link : model.links())
    v.segment(link.elastic_v_index, link.elastic_count) =
        rate.segment(link.elastic_q_index, link.elastic_count);
  for_each_joint(model, [&](auto kind, int iq, int iv) {
    kind.velocity(q.data() + iq, rate.data() + iq, v.data() + iv);
  });
}

void displace(const Model& model, const Input<double>& q, const Input<double>& delta, Output<double> result) {
  const Call call{"displace", model};
  call.require_position("q", q);
  call.require_velocity("delta", delta);
  call.require_position("result", result);
  for (const Link& link : model.links())
    result.segment(link.elastic_q_index, link.elastic_count) =
        q.segment(link.elastic_q_index, link.elastic_count) +
        delta.segment(link.elastic_v_index, link.elastic_count);
  for_each_joint(model, [&](auto kind, int iq, int iv) {
    kind.displace(q.data() + iq, delta.data() + iv, result.data() + iq);
  });
}

void difference(const Model& model, const Input<double>& from, const Input<double>& to,
                Output<double> delta) {
  const Call call{"difference", model};
  call.require_position("from", from);
  call.require_position("to", to);
  call.require_velocity("delta", delta);
  for (const Link& link : model.links())
    delta.segment(link.elastic_v_index, link.elastic_count) =
        to.segment(link.elastic_q_index, link.elastic_count) -
        from.segment(link.elastic_q_index, link.elastic_count);
  for_each_joint(model, [&](auto kind, int iq, int iv) {
    kind.difference(from.data() + iq, to.data() + iq, delta.data() + iv);
  });
}

void displacement_rate(const Model& model, const Input<double>& delta, const Input<double>& v,
                       Output<double> rate) {
  const Call call{"displacement_rate", model};
  call.require_velocity("delta", delta);
  call.require_velocity("v", v);
  call.require_velocity("rate", rate);
  rate = v;
  for_each_joint(model, [&](auto kind, int /*iq*/, int iv) {
    kind.displacement_rate(delta.data() + iv, v.data() + iv, rate.data() + iv);
  });
}

Eigen::MatrixXd displacement_coupling(const Model& model, const Input<double>& v) {
  Call{"displacement_coupling", model}.require_velocity("v", v);
  Eigen::MatrixXd N = Eigen::MatrixXd::Zero(model.nv(), model.nv());
  for_each_joint(model, [&](auto kind, int /*iq*/, int iv) {
    constexpr int n = decltype(kind)::facts.nv;
    joint_kinds::Matrix6d own = joint_kinds::Matrix6d::Zero();
    kind.set_bracket(v.data() + iv, own);
    N.block<n, n>(iv, iv) = own.topLeftCorner<n, n>();
  });
  return N;
}

void normalize_quaternions(const Model& model, Output<double> q) {
  Call{"normalize_quaternions", model}.require_position("q", q);
  for (const Link& link : model.links())
    if (link.joint.has_quaternion()) q.segment<4>(link.joint.quaternion_index()).normalize();
}

}  // namespace limber
