// SPDX-License-Identifier: BSD-3-Clause
#include "limber/simulation/detail/tolerances.hpp"

#include <algorithm>

namespace limber::detail {

Tolerances::Tolerances(const Model& model, const Eigen::VectorXd& inertia, const Eigen::VectorXd& stiffness,
                       std::vector<char> is_prescribed, double rtol, double atol)
    : model_(model),
      sqrt_M_(inertia.cwiseSqrt()),
      sqrt_K_(stiffness.cwiseSqrt()),
      is_prescribed_(std::move(is_prescribed)),
      rtol_(rtol),
      atol_(atol) {
  state_.q.resize(model.nq());
  state_.v.resize(model.nv());
  state_.displacement.resize(model.nv());
}

void Tolerances::note_sizes(const Input<double>& q, const Input<double>& v) {
  double size = state_.energy;
  for (int i = 0; i < model_.nv(); ++i)
    if (!is_prescribed_[static_cast<std::size_t>(i)]) size = std::max(size, sqrt_M_[i] * std::abs(v[i]));
  for (const Link& link : model_.links()) {
    for (int i = 0; i < link.elastic_count; ++i)
      size = std::max(size, sqrt_K_[link.elastic_v_index + i] * std::abs(q[link.elastic_q_index + i]));
    if (link.joint.has_quaternion()) continue;
    for (int i = 0; i < link.joint.nv; ++i) {
      const double position = std::abs(q[link.joint.q_index + i]);
      // Of a joint and its motor on an elastic gear, it is the gear that is stretched.
      const double rest = link.joint.has_motor() ? q[link.joint.q_index + 1 - i] : link.joint.rest;
      const double stretch = std::abs(q[link.joint.q_index + i] - rest);
      size = std::max(size, sqrt_K_[link.joint.v_index + i] * stretch);
      double& largest = link.joint.turns(i) ? state_.angle : state_.length;
      largest = std::max(largest, position);
    }
  }
  state_.energy = size;
  follow_sizes();
}

void Tolerances::follow_sizes() {
  for (int i = 0; i < model_.nv(); ++i) state_.v[i] = atol_ + rtol_ * state_.energy / sqrt_M_[i];
  for (const Link& link : model_.links()) {
    for (int i = 0; i < link.elastic_count; ++i) {
      const int c = link.elastic_v_index + i;
      state_.displacement[c] = atol_ + rtol_ * state_.energy / sqrt_K_[c];
      state_.q[link.elastic_q_index + i] = state_.displacement[c];
    }
    const Joint& joint = link.joint;
    const auto size = [&](int i) {
      return joint.has_quaternion() ? 1.0 : joint.turns(i) ? state_.angle : state_.length;
    };
    for (int i = 0; i < joint.nv; ++i) state_.displacement[joint.v_index + i] = atol_ + rtol_ * size(i);
    for (int i = 0; i < joint.nq; ++i) state_.q[joint.q_index + i] = atol_ + rtol_ * size(i);
  }
}

}  // namespace limber::detail
