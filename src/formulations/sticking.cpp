// SPDX-License-Identifier: BSD-3-Clause
#include "limber/formulations/sticking.hpp"

#include <cmath>
#include <utility>

#include "limber/model/friction.hpp"

namespace limber {

using Eigen::VectorXd;

// Gauss's principle ends after finitely many exchanges; where friction falls at once nothing is promised, and what the last look left is taken.
void settle_sides(std::vector<JointAtRest>& joints, const std::function<FrictionAtRest()>& find) {
  const std::size_t most_looks = 4 * joints.size() + 4;
  for (std::size_t look = 0; look < most_looks; ++look) {
    const FrictionAtRest found = find();
    JointAtRest* changes = nullptr;
    double overload = 1.0 + sticking_overlap;
    for (JointAtRest& joint : joints) {
      if (joint.side == 0) {
        const double load = std::abs(found.friction[joint.coordinate]) / joint.holds;
        if (!(load > overload)) continue;
        overload = load;
      } else if (!(joint.side * found.acceleration[joint.coordinate] < 0.0)) {
        continue;
      }
      changes = &joint;
      if (joint.side != 0) break;
    }
    if (!changes) return;
    const double pushed = found.friction[changes->coordinate];
    changes->side = changes->side != 0 ? 0 : pushed > 0.0 ? 1 : -1;
  }
  find();
}

StateFriction evaluate_with_friction(Formulation& formulation, const DynamicsInput& input,
                                     DynamicsOutput& output) {
  const Model& model = formulation.model();
  VectorXd friction = friction_forces(model, input.v), applied(model.nv()), needed(model.nv());
  std::vector<JointAtRest> joints;
  std::vector<int> links;  // of these
  for (std::size_t i = 0; i < model.links().size(); ++i) {
    const Joint& joint = model.links()[i].joint;
    const int c = joint.driven_index();
    if (!joint.friction || !sticks(*joint.friction) || input.v[c] != 0.0) continue;
    joints.push_back({c, static_friction(*joint.friction)});
    links.push_back(static_cast<int>(i));
  }
  const auto find = [&] {
    std::vector<int> stuck;
    for (std::size_t k = 0; k < joints.size(); ++k) {
      const auto& law = *model.links()[static_cast<std::size_t>(links[k])].joint.friction;
      friction[joints[k].coordinate] = slip_force(law, 0.0, joints[k].side);
      if (joints[k].side == 0) stuck.push_back(links[k]);
    }
    formulation.prescribe(stuck);
    applied = input.tau - friction;
    output.acceleration = VectorXd::Zero(model.nv());
    const DynamicsInput with_friction{input.q, input.v, applied, input.loads, input.drives};
    formulation.evaluate(with_friction, output);
    if (stuck.empty()) return FrictionAtRest{friction, output.acceleration};
    formulation.prescribed_efforts(with_friction, output, needed);
    for (const JointAtRest& joint : joints)
      if (joint.side == 0)
        friction[joint.coordinate] = input.tau[joint.coordinate] - needed[joint.coordinate];
    return FrictionAtRest{friction, output.acceleration};
  };
  settle_sides(joints, find);
  StateFriction result{std::move(friction), {}};
  for (const JointAtRest& joint : joints)
    if (joint.side == 0) result.stuck.push_back(joint.coordinate);
  return result;
}

}  // namespace limber
