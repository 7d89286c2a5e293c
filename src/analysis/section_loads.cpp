// SPDX-License-Identifier: BSD-3-Clause
#include "limber/analysis/section_loads.hpp"

#include <cmath>
#include <string>

#include "limber/algorithms/beam_state.hpp"
#include "limber/analysis/section_forces.hpp"
#include "limber/core/input_error.hpp"
#include "limber/model/detail/arguments.hpp"
#include "limber/model/loops.hpp"
#include "limber/model/telescopes.hpp"

namespace limber {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;

double stiffness_or_zero(double stiffness) { return std::isnan(stiffness) ? 0.0 : stiffness; }

// Int f dx by the trapezoidal rule over equal distances.
double integral(const VectorXd& f, double length) {
  const Eigen::Index last = f.size() - 1;
  return (f.sum() - 0.5 * (f[0] + f[last])) * length / static_cast<double>(last);
}

// (4), and what the deflection carries.
void add_elastic(const Link& link, const VectorXd& eta, SectionLoads& loads) {
  const Eigen::Index count = loads.x.size();
  bool has[4] = {};  // NOLINT: twist, about y, about z, stretching
  for (const BeamBasis::Coordinate& coordinate : link.beam->basis.coordinates())
    has[coordinate.direction == Direction::torsion ? 0
        : coordinate.direction == Direction::z     ? 1
        : coordinate.direction == Direction::y     ? 2
                                                   : 3] = true;
  VectorXd error = VectorXd::Zero(count), size = VectorXd::Zero(count);
  for (Eigen::Index i = 0; i < count; ++i) {
    const Section section = link.beam->basis.profile().at(loads.x[i]);
    const BeamStrain strain = beam_strain(link, eta, loads.x[i]);
    const double S[] = {stiffness_or_zero(section.GJ), stiffness_or_zero(section.EI_y),  // NOLINT
                        stiffness_or_zero(section.EI_z), stiffness_or_zero(section.EA)};
    loads.elastic_moment.col(i) = Vector3d(S[0] * strain.twist, S[1] * strain.kappa_y, S[2] * strain.kappa_z);
    loads.elastic_force[i] = S[3] * strain.stretch;
    for (int k = 0; k < 4; ++k) {
      if (!has[k]) continue;
      const double carried = k < 3 ? loads.elastic_moment(k, i) : loads.elastic_force[i];
      const double balance = k < 3 ? loads.moment(k, i) : loads.force(0, i);
      error[i] += (carried - balance) * (carried - balance) / S[k];
      size[i] += balance * balance / S[k];
    }
  }
  const double length = link.beam->basis.length(), whole = integral(size, length);
  loads.residual = whole > 0.0 ? std::sqrt(integral(error, length) / whole) : 0.0;
}

}  // namespace

SectionLoads section_loads(const Model& model, int link, const Input<double>& q, const Input<double>& v,
                           const Input<double>& a, const std::vector<Load>& loads, int points) {
  const detail::Call call{"section_loads", model};
  call.require_link("link", link);
  call.require_position("q", q);
  call.require_velocity("v", v);
  call.require_velocity("a", a);
  call.require_loads(loads);
  const Link& own = model.links()[static_cast<std::size_t>(link)];
  if (!own.beam)
    throw InputError(
        Problem{"section_loads: link", "a link with a beam",
                "`" + own.name + (own.body ? "`, a body of finite elements" : "`, which is rigid"), ""});
  if (points < 2)
    throw InputError(Problem{"section_loads: points", "at least 2", std::to_string(points), ""});

  require_plain_tree(model, "section_loads");
  require_no_telescopes(model, "section_loads");
  SectionForces sections(model, points);
  sections.update(q, v, a, loads);
  const BeamSections& beam = sections.beam(link);
  SectionLoads result;
  result.x = VectorXd::LinSpaced(points, 0.0, own.beam->basis.length());
  result.force.resize(3, points);
  result.moment.resize(3, points);
  result.elastic_moment = Eigen::Matrix3Xd::Zero(3, points);
  result.elastic_force = Eigen::RowVectorXd::Zero(points);
  for (int k = 0; k < points; ++k) {
    const Vector6<double> forces = beam.forces.col(beam.regular[static_cast<std::size_t>(k)]);
    result.force.col(k) = forces.head<3>();
    result.moment.col(k) = forces.tail<3>();
  }
  add_elastic(own, q.segment(own.elastic_q_index, own.elastic_count), result);
  return result;
}

}  // namespace limber
