// SPDX-License-Identifier: BSD-3-Clause
#include "limber/model/friction.hpp"

#include <algorithm>
#include <cmath>

#include "limber/model/detail/arguments.hpp"

namespace limber {
namespace {

/// s of (1), and its derivative.
struct DryFriction {
  double value, slope = 0.0;
  DryFriction(const FrictionDescription& law, double v) : value(law.coulomb) {
    if (!law.stribeck_velocity) return;
    const double ratio = v / *law.stribeck_velocity;
    const double more = (static_friction(law) - law.coulomb) * std::exp(-ratio * ratio);
    value += more;
    slope = -2.0 * ratio / *law.stribeck_velocity * more;
  }
};

int side_of(double v) { return v > 0.0 ? 1 : v < 0.0 ? -1 : 0; }

// visit(law, coordinate) of all joints that have friction.
template <typename Visit>
void each_friction(const Model& model, Visit&& visit) {
  for (const Link& link : model.links())
    if (link.joint.friction) visit(*link.joint.friction, link.joint.driven_index());
}

}  // namespace

double slip_force(const FrictionDescription& law, double v, int side) {
  return side * DryFriction(law, v).value + law.viscous * v;
}

double slip_slope(const FrictionDescription& law, double v, int side) {
  return side * DryFriction(law, v).slope + law.viscous;
}

double friction_force(const FrictionDescription& law, double v) {
  if (!law.transition_velocity) return slip_force(law, v, side_of(v));
  return DryFriction(law, v).value * std::tanh(v / *law.transition_velocity) + law.viscous * v;
}

double friction_slope(const FrictionDescription& law, double v) {
  if (!law.transition_velocity) return slip_slope(law, v, side_of(v));
  const DryFriction dry(law, v);
  const double turn = std::tanh(v / *law.transition_velocity);
  return dry.slope * turn + dry.value * (1.0 - turn * turn) / *law.transition_velocity + law.viscous;
}

bool has_friction(const Model& model) {
  return std::any_of(model.links().begin(), model.links().end(),
                     [](const Link& link) { return link.joint.friction.has_value(); });
}

void add_friction_forces(const Model& model, const Input<double>& v, double factor, Output<double> forces) {
  const detail::Call call{"add_friction_forces", model};
  call.require_velocity("v", v);
  call.require_velocity("forces", forces);
  each_friction(
      model, [&](const FrictionDescription& law, int c) { forces[c] += factor * friction_force(law, v[c]); });
}

Eigen::VectorXd friction_forces(const Model& model, const Input<double>& v) {
  Eigen::VectorXd forces = Eigen::VectorXd::Zero(model.nv());
  add_friction_forces(model, v, 1.0, forces);
  return forces;
}

Eigen::VectorXd friction_slopes(const Model& model, const Input<double>& v) {
  detail::Call{"friction_slopes", model}.require_velocity("v", v);
  Eigen::VectorXd slopes = Eigen::VectorXd::Zero(model.nv());
  each_friction(model, [&](const FrictionDescription& law, int c) { slopes[c] = friction_slope(law, v[c]); });
  return slopes;
}

}  // namespace limber
