// SPDX-License-Identifier: BSD-3-Clause
#include "limber/simulation/stick_slip.hpp"

#include <algorithm>
#include <cmath>

#include "limber/model/coordinates.hpp"
#include "limber/simulation/detail/joint_friction.hpp"

namespace limber {

StickSlip::StickSlip(const Model& model, int link)
    : link_(link),
      coordinate_(model.links().at(static_cast<std::size_t>(link)).joint.driven_index()),
      position_(positions_of_coordinates(model).at(static_cast<std::size_t>(coordinate_))),
      law_(model.links().at(static_cast<std::size_t>(link)).joint.friction.value()) {}

double StickSlip::force(double v) const {
  if (mode_ == Mode::by_value) return friction_force(law_, v);
  return is_stuck() ? 0.0 : slip_force(law_, v, side());
}

double StickSlip::slope(double v) const {
  if (mode_ == Mode::by_value) return friction_slope(law_, v);
  return is_stuck() ? 0.0 : slip_slope(law_, v, side());
}

void StickSlip::stick(double at) {
  mode_ = Mode::stuck;
  stuck_at_ = at;
}

void StickSlip::slip(int side) { mode_ = side > 0 ? Mode::forwards : Mode::backwards; }

double StickSlip::guard(const Situation& situation) const {
  if (mode_ == Mode::by_value) return 1.0;
  if (is_stuck()) return holds() * (1.0 + sticking_overlap) - std::abs(situation.friction[coordinate_]);
  return side() * situation.now.v[coordinate_];
}

void StickSlip::enter(const Situation& situation) {
  const double v = situation.now.v[coordinate_];
  if (v == 0.0)
    stick(situation.now.q[position_]);
  else
    slip(v > 0.0 ? 1 : -1);
}

void StickSlip::change(const Situation& situation) {
  if (is_stuck())
    slip(situation.friction[coordinate_] > 0.0 ? 1 : -1);
  else
    stick(situation.now.q[position_]);
}

double StickSlip::argument(const Situation& situation) const {
  return is_stuck() ? situation.friction[coordinate_] : situation.now.v[coordinate_];
}

namespace detail {

JointFriction::JointFriction(const Model& model, const std::vector<JointTarget>& prescribed) {
  for (std::size_t i = 0; i < model.links().size(); ++i) {
    const Joint& joint = model.links()[i].joint;
    if (!joint.friction) continue;
    const int c = joint.driven_index();
    const bool is_told = std::any_of(prescribed.begin(), prescribed.end(),
                                     [c](const JointTarget& target) { return target.coordinate == c; });
    if (!is_told && sticks(*joint.friction))
      sticking_.emplace_back(model, static_cast<int>(i));
    else
      by_rate_.push_back({c, *joint.friction});
  }
}

bool JointFriction::any_stuck() const {
  return std::any_of(sticking_.begin(), sticking_.end(),
                     [](const StickSlip& joint) { return joint.is_stuck(); });
}

void JointFriction::find_forces(const Input<double>& v, Eigen::VectorXd& forces) const {
  forces.setZero(v.size());
  for (const ByRate& joint : by_rate_)
    forces[joint.coordinate] = friction_force(joint.law, v[joint.coordinate]);
  for (const StickSlip& joint : sticking_) forces[joint.coordinate()] = joint.force(v[joint.coordinate()]);
}

void JointFriction::add_slopes(const Input<double>& v, Eigen::MatrixXd& C) const {
  for (const ByRate& joint : by_rate_)
    C(joint.coordinate, joint.coordinate) += friction_slope(joint.law, v[joint.coordinate]);
  for (const StickSlip& joint : sticking_)
    C(joint.coordinate(), joint.coordinate()) += joint.slope(v[joint.coordinate()]);
}

}  // namespace detail
}  // namespace limber
