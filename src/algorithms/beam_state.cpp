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
namespace {

// Axes of the first segment in the root frame that the link's author gave.
Eigen::Matrix3d root_in_link(const Model& model, const WholeLink& link) {
  const Link& first = model.links().at(static_cast<std::size_t>(link.first));
  const LinkDescription& described = model.description().links.at(static_cast<std::size_t>(first.described));
  return rotation_from_rpy(described.root.rpy).transpose() * first.X_BR.R;
}

}  // namespace

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
  const Eigen::VectorXd eta = q.segment(link.elastic_q_index, link.elastic_count);
  const BeamNode tip = link.telescopes() ? node_at(*link.nodes.front().extending,
                                                   link.beam->telescope->lengths, link.free_length(q))
                                         : link.nodes.front().field;
  return {tip.position<double>(eta) - tip.r0(), tip.rotation_vector<double>(eta)};
}

TipState tip_state(const Model& model, const WholeLink& link, const Input<double>& q) {
  const auto part = [&](int i) -> const Link& {
    return model.links().at(static_cast<std::size_t>(link.first + i));
  };
  if (link.count == 1) return tip_state(part(0), q);
  // Of the tips so far, in the link's root frame. Segments of a bent beam are turned against each other, and the first against the root.
  Pose bent{root_in_link(model, link), Eigen::Vector3d::Zero()}, rest = bent;
  Eigen::Vector3d turned = Eigen::Vector3d::Zero();
  for (int i = 0; i < link.count; ++i) {
    const TipState tip = tip_state(part(i), q);
    const Pose X_RN = part(i).nodes.front().X_RN;
    if (i > 0) {
      bent = bent * part(i).X_NJ;
      rest = rest * part(i).X_NJ;
    }
    turned += rest.R * tip.slope;
    bent = bent * Pose{exp_rotation<double>(tip.slope), X_RN.p + tip.deflection};
    rest = rest * X_RN;
  }
  // The tip's section lies beside the last segment's where the axis is curved.
  const Pose X_NS = place_on(model, link.name).X_NS;
  bent = bent * X_NS;
  rest = rest * X_NS;
  // log gives at most half a turn; what the segments have turned by in all says how many more there are.
  Eigen::Vector3d slope = log_rotation(Eigen::Matrix3d(bent.R * rest.R.transpose()));
  constexpr double turn = 2.0 * std::numbers::pi, no_axis = 1e-6;
  const Eigen::Vector3d axis = slope.norm() > no_axis ? slope.normalized() : turned.normalized();
  slope += turn * std::round((turned - slope).dot(axis) / turn) * axis;
  return {bent.p - rest.p, slope};
}

double beam_length(const Model& model, const WholeLink& link) {
  const Link& whole = model.links().at(static_cast<std::size_t>(link.first));
  const auto& described = model.description().links.at(static_cast<std::size_t>(whole.described)).beam;
  if (described) return described->axis_length();
  double length = 0.0;
  for (int i = link.first; i < link.first + link.count; ++i)
    if (const auto& beam = model.links().at(static_cast<std::size_t>(i)).beam) length += beam->basis.length();
  return length;
}

double beam_length(const Model& model, const WholeLink& link, const Input<double>& q) {
  const Link& first = model.links().at(static_cast<std::size_t>(link.first));
  return first.telescopes() ? first.free_length(q) : beam_length(model, link);
}

BeamStrain beam_strain(const Model& model, const WholeLink& link, const Input<double>& q, double x) {
  detail::Call{"beam_strain", model}.require_position("q", q);
  if (const Link& own = model.links().at(static_cast<std::size_t>(link.first)); own.telescopes()) {
    // Curvature goes as l^-2, twist and stretch as l^-1, at the same part of the free length.
    const double shorter = own.beam->basis.length() / own.free_length(q);
    BeamStrain strain = beam_strain(own, q.segment(own.elastic_q_index, own.elastic_count), x * shorter);
    strain.x = x;
    for (double* curvature : {&strain.kappa_y, &strain.kappa_z}) *curvature *= shorter * shorter;
    for (double* rate : {&strain.twist, &strain.stretch}) *rate *= shorter;
    return strain;
  }
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
