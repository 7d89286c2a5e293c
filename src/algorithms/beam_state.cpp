// SPDX-License-Identifier: BSD-3-Clause
#include "limber/algorithms/beam_state.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "limber/core/input_error.hpp"
#include "limber/math/rotation.hpp"
#include "limber/math/spatial.hpp"
#include "limber/model/detail/arguments.hpp"

namespace limber {

BeamStrain beam_strain(const Link& link, const Input<double>& eta, double x) {
  detail::require_extent("beam_strain", "eta", eta, link.elastic_count, 1);
  if (link.body)
    throw InputError(Problem{"beam_strain: link", "a beam, or a rigid link",
                             "`" + link.name + "`, a body of finite elements", "its strain is not kept"});
  const double length = link.beam ? link.beam->basis.length() : x;
  constexpr double rounding = 1e-12;  // of who divides a beam into equal parts
  if (!(x >= 0.0 && x <= length * (1.0 + rounding)))
    throw InputError(Problem{"beam_strain: x",
                             "a place on link `" + link.name + "`, 0 to " + std::to_string(length) + " m",
                             std::to_string(x), ""});
  BeamStrain strain{x, 0.0, 0.0, 0.0, 0.0};
  if (!link.beam) return strain;
  const auto& coordinates = link.beam->basis.coordinates();
  for (std::size_t j = 0; j < coordinates.size(); ++j) {
    const double value = eta[static_cast<Eigen::Index>(j)];
    if (value == 0.0) continue;  // of unit vectors nearly all are
    const Jet jet = coordinates[j].shape.bending_at(x);
    switch (coordinates[j].direction) {
      case Direction::y:
        strain.kappa_z += value * jet[2];
        break;
      case Direction::z:
        strain.kappa_y -= value * jet[2];
        break;
      case Direction::torsion:
        strain.twist += value * jet[1];
        break;
      case Direction::axial:
        strain.stretch += value * jet[1];
        break;
    }
  }
  return strain;
}

TipState tip_state(const Link& link, const Input<double>& q) {
  if (q.size() < link.elastic_q_index + link.elastic_count)
    detail::throw_wrong_extent("tip_state", "q", link.elastic_q_index + link.elastic_count, 1, q.size(), 1);
  if (link.elastic_count == 0) return {Eigen::Vector3d::Zero(), Eigen::Vector3d::Zero()};
  const BeamNode& tip = link.nodes.front().field;
  const Eigen::VectorXd eta = q.segment(link.elastic_q_index, link.elastic_count);
  return {tip.position<double>(eta) - tip.r0(), tip.rotation_vector<double>(eta)};
}

TipState tip_state(const Model& model, const WholeLink& link, const Input<double>& q) {
  const auto part = [&](int i) -> const Link& {
    return model.links().at(static_cast<std::size_t>(link.first + i));
  };
  if (link.count == 1) return tip_state(part(0), q);
  Pose bent, rest;  // of the tips so far, in the first one's root frame
  Eigen::Vector3d turned = Eigen::Vector3d::Zero();
  for (int i = 0; i < link.count; ++i) {
    const TipState tip = tip_state(part(i), q);
    const Pose X_RN = part(i).nodes.front().X_RN;
    bent = bent * Pose{exp_rotation<double>(tip.slope), X_RN.p + tip.deflection};
    rest = rest * X_RN;
    turned += tip.slope;
  }
  // log gives at most half a turn; what the segments have turned by in all says how many more there are.
  Eigen::Vector3d slope = log_rotation(bent.R);
  constexpr double turn = 2.0 * std::numbers::pi, no_axis = 1e-6;
  const Eigen::Vector3d axis = slope.norm() > no_axis ? slope.normalized() : turned.normalized();
  slope += turn * std::round((turned - slope).dot(axis) / turn) * axis;
  return {bent.p - rest.p, slope};
}

double beam_length(const Model& model, const WholeLink& link) {
  double length = 0.0;
  for (int i = link.first; i < link.first + link.count; ++i)
    if (const auto& beam = model.links().at(static_cast<std::size_t>(i)).beam) length += beam->basis.length();
  return length;
}

BeamStrain beam_strain(const Model& model, const WholeLink& link, const Input<double>& q, double x) {
  detail::Call{"beam_strain", model}.require_position("q", q);
  const double length = beam_length(model, link);
  const LinkPlace place =
      link.count == 1 ? LinkPlace{link.first, 1.0} : place_on(model, link.name, std::min(x / length, 1.0));
  const Link& there = model.links().at(static_cast<std::size_t>(place.link));
  BeamStrain strain = beam_strain(there, q.segment(there.elastic_q_index, there.elastic_count),
                                  link.count == 1 ? x : place.at * there.beam->basis.length());
  strain.x = x;
  return strain;
}

}  // namespace limber
