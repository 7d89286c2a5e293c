// SPDX-License-Identifier: BSD-3-Clause
// Modes of a system: limits of motors, which change efforts (inputs), joints that stick and slip, which change what moves, and stops, which push or do not.
//
// A joint that sticks is held like a prescribed one, with no acceleration: the formulation finds what that takes, and what the joint's motor does not give, friction does.

#include <cmath>
#include <optional>
#include <utility>

#include "limber/model/detail/arguments.hpp"
#include "limber/simulation/system.hpp"

namespace limber {

using Eigen::VectorXd;

System::Past System::past() const {
  Past past{{}, friction_.sticking(), stops_.all(), inputs_.shown(), tolerances_.state()};
  for (const auto& one : inputs_.switches()) past.switches.push_back(one->clone());
  return past;
}

void System::set_past(const Past& past) {
  for (std::size_t i = 0; i < past.switches.size(); ++i) inputs_.switches()[i] = past.switches[i]->clone();
  friction_.sticking() = past.sticking;
  stops_.all() = past.stops;
  hold_stuck_joints();
  inputs_.set_shown(past.shown);
  tolerances_.set_state(past.sizes);
}

void System::put_in_place(double t, Output<double> y) const {
  detail::require_extent("System::put_in_place", "y", y, size(), 1);
  apply_prescribed(t, y.head(nq()), y.segment(nq(), nv()));
}

// Motors' limits come first, then joints that stick, then stops.
Switch& System::switch_at(int which) {
  auto& of_inputs = inputs_.switches();
  auto i = static_cast<std::size_t>(which);
  if (i < of_inputs.size()) return *of_inputs[i];
  i -= of_inputs.size();
  if (i < friction_.sticking().size()) return friction_.sticking()[i];
  return stops_.all()[i - friction_.sticking().size()];
}

// The formulation takes joints that stick as prescribed.
void System::hold_stuck_joints() {
  held_links_ = prescribed_links_;
  for (const StickSlip& joint : friction_.sticking())
    if (joint.is_stuck()) held_links_.push_back(joint.link());
  held_coordinates_.clear();
  for (const int link : held_links_) {
    const Joint& joint = model_.links()[static_cast<std::size_t>(link)].joint;
    for (int j = 0; j < joint.driven_count(); ++j) held_coordinates_.push_back(joint.driven_index() + j);
  }
  formulation_->prescribe(held_links_);
  if (has_loops()) loops_->prescribe(held_links_);
}

void System::forget_modes() {
  for (StopSwitch& stop : stops_.all()) stop.forget();
  if (friction_.sticking().empty()) return;
  for (StickSlip& joint : friction_.sticking()) joint.forget();
  hold_stuck_joints();
}

// `now` is that of q_ and v_.
Situation System::situation(const Instant& now) {
  if (friction_.any_stuck()) accelerate(now.t, q_, v_, integrals_, a_, rates_);
  const Situation asked = inputs_.ask(now);
  return {now, asked.asked, friction_.any_stuck() ? resisted_ : asked.friction};
}

// What stops see. Valid until stops_ is updated.
Instant System::with_cylinders(const Instant& now) {
  if (stops_.empty() || !struts_) return now;
  stops_.update(now.q, now.v, struts_.get());
  return {now.t, now.within, stops_.positions(), stops_.rates(), now.x, now.measured};
}

void System::enter_modes(double t, const Input<double>& y) {
  detail::require_extent("System::enter_modes", "y", y, size(), 1);
  forget_modes();
  const Instant now = instant_at(t, y);
  const Situation situation = inputs_.ask(now);
  for (const auto& one : inputs_.switches()) one->enter(situation);
  for (StickSlip& joint : friction_.sticking()) joint.enter(situation);
  const Instant seen = with_cylinders(now);
  for (StopSwitch& stop : stops_.all()) stop.enter({seen, situation.asked, situation.friction});
  settle_friction(t, -1);
}

void System::change_mode(int which, double t, const Input<double>& y) {
  detail::require_extent("System::change_mode", "y", y, size(), 1);
  detail::require_index("System::change_mode", "which", switch_count(), which);
  const Instant now = instant_at(t, y);
  const Situation there = situation(now);
  const Instant seen = with_cylinders(now);
  switch_at(which).change({seen, there.asked, there.friction});
  const int joint = which - static_cast<int>(inputs_.switches().size());
  if (joint < 0) return;
  settle_friction(t, joint < static_cast<int>(friction_.sticking().size()) ? joint : -1);
}

// Of joints at rest, and of the one that has just changed, those stick that can (sticking.hpp). q_ and v_ have the state.
void System::settle_friction(double t, int changed) {
  std::vector<StickSlip>& sticking = friction_.sticking();
  if (sticking.empty()) return;
  std::vector<JointAtRest> joints;
  std::vector<StickSlip*> of_them;
  for (std::size_t i = 0; i < sticking.size(); ++i) {
    StickSlip& joint = sticking[i];
    if (!joint.is_stuck() && static_cast<int>(i) != changed) continue;
    joints.push_back({joint.coordinate(), joint.holds(), joint.side()});
    of_them.push_back(&joint);
  }
  const auto find = [&] {
    for (std::size_t i = 0; i < joints.size(); ++i) {
      StickSlip& joint = *of_them[i];
      if (joints[i].side != 0)
        joint.slip(joints[i].side);
      else if (!joint.is_stuck())
        joint.stick(q_[joint.position()]);
    }
    hold_stuck_joints();
    accelerate(t, q_, v_, integrals_, a_, rates_);
    return FrictionAtRest{resisted_, a_};
  };
  settle_sides(joints, find);
}

void System::guards(double t, const Input<double>& y, VectorXd& values) {
  detail::require_extent("System::guards", "y", y, size(), 1);
  const Instant now = instant_at(t, y);
  const Situation plain = situation(now);
  const Instant seen = with_cylinders(now);
  const Situation there{seen, plain.asked, plain.friction};
  values.resize(guard_count());
  int i = 0;
  for (; i < switch_count(); ++i) values[i] = switch_at(i).guard(there);
  for (const Watch& watch : scenario_.watches) values[i++] = watch.value(now);
}

// What errors of the size of the tolerances, all at once, may do to what decides about the mode. Joints that stick and slip, and stops, are exact: they have nothing to
// soften.
void System::soften(int which, double t, const Input<double>& y) {
  detail::require_extent("System::soften", "y", y, size(), 1);
  detail::require_index("System::soften", "which", switch_count(), which);
  if (which >= static_cast<int>(inputs_.switches().size())) return;
  Switch& one = switch_at(which);
  VectorXd q = y.head(nq()), v = y.segment(nq(), nv());
  const VectorXd integrals = y.tail(integral_count());
  apply_prescribed(t, q, v);
  const Instant now = instant(t, q, v, integrals);
  const auto argument = [&] { return one.argument(inputs_.ask(now)); };
  const double there = argument();
  double unresolved = 0.0;
  const auto shift = [&](double& number, double tolerance) {
    const double before = number;
    number += tolerance;
    unresolved += std::abs(argument() - there);
    number = before;
  };
  for (int i = 0; i < nq(); ++i) shift(q[i], q_tolerance(i));
  for (int i = 0; i < nv(); ++i) shift(v[i], v_tolerance(i));
  one.soften(unresolved);
  one.enter(inputs_.ask(now));
}

std::vector<std::string> System::doubts() const {
  std::vector<std::string> doubts = formulation_->doubts();
  for (const auto& one : inputs_.switches())
    if (std::optional<std::string> doubt = one->doubt(model_)) doubts.push_back(std::move(*doubt));
  return doubts;
}

}  // namespace limber
