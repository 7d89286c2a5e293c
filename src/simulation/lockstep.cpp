// SPDX-License-Identifier: BSD-3-Clause
#include "lockstep.hpp"

#include <algorithm>

#include "limber/core/computation_error.hpp"

namespace limber {

using Eigen::VectorXd;

bool Lockstep::takes(Simulator& simulator) {
  Simulator::Inside& inside = *simulator.inside_;
  return inside.stepper.asking() != nullptr && inside.scenario.formulation == FormulationKind::recursive &&
         inside.scenario.model.loops().empty() && inside.scenario.model.cylinders().empty() &&
         !inside.scenario.model.has_telescopes();
}

void Lockstep::advance(std::vector<Arm>& arms, detail::BatchArms& lanes) {
  Lockstep together(arms, lanes);
  for (Arm& arm : arms) arm.is_on_its_way = arm.failure->empty() && !arm.inside->is_at(arm.goal);
  const auto on_its_way = [](const Arm& arm) { return arm.is_on_its_way; };
  while (std::any_of(arms.begin(), arms.end(), on_its_way)) together.step_all();
  for (Arm& arm : arms) arm.inside->look();
}

// act(arm, lane) for each arm on its way; one that throws has failed.
template <typename Act>
void Lockstep::each(Thrown thrown, Act&& act) {
  for (int lane = 0; lane < static_cast<int>(arms_.size()); ++lane) {
    Arm& arm = arms_[static_cast<std::size_t>(lane)];
    if (!arm.is_on_its_way) continue;
    try {
      try {
        act(arm, lane);
      } catch (const ComputationError& error) {
        if (thrown == Thrown::by_stepper) throw;
        arm.inside->stepper.explain(error.what());
      }
    } catch (const ComputationError& error) {
      *arm.failure = error.what();
      arm.is_on_its_way = false;
    }
  }
}

void Lockstep::step_all() {
  each(Thrown::by_method, [](Arm& arm, int) { arm.inside->stepper.begin_start(); });
  answer_questions();
  each(Thrown::by_method, [](Arm& arm, int) { arm.inside->stepper.begin_step(arm.goal.t); });
  answer_questions();
  each(Thrown::by_stepper, [](Arm& arm, int) {
    Stepper& stepper = arm.inside->stepper;
    stepper.end_step();
    if (arm.inside->listener) arm.inside->listener();
    arm.is_on_its_way = !stepper.has_stopped() && !arm.inside->is_at(arm.goal);
  });
}

void Lockstep::answer_questions() {
  bool any_asks = true;
  while (any_asks) {
    any_asks = false;
    bool any_lane = false;
    each(Thrown::by_method, [&](Arm& arm, int lane) {
      arm.awaits_lane = false;
      if (arm.inside->stepper.asking()->question() == nullptr) return;
      any_asks = true;
      arm.awaits_lane = ask_lane(lane);
      any_lane = any_lane || arm.awaits_lane;
    });
    if (!any_lane) continue;
    lanes_.forward_dynamics({});
    each(Thrown::by_method, [&](Arm& arm, int lane) {
      if (arm.awaits_lane) take_from_lane(lane);
    });
  }
}

bool Lockstep::ask_lane(int lane) {
  Simulator::Inside& inside = *arms_[static_cast<std::size_t>(lane)].inside;
  AskingIntegrator& method = *inside.stepper.asking();
  const AskingIntegrator::Question& at = *method.question();
  System& system = inside.system;
  at.a->resize(system.nv());
  // Loads of the arm's own, joints that move as they are told, and joints that stick.
  if (system.held_links().empty()) {
    const System::AppliedForces applied = system.applied_forces(at.t, *at.q, *at.v, *at.integrals, *at.a);
    if (applied.loads.empty()) {
      lanes_.set(lane, at.q->data(), at.v->data(), applied.tau.data());
      return true;
    }
  }
  system.accelerate(at.t, *at.q, *at.v, *at.integrals, *at.a, *at.rates);
  method.answered();
  return false;
}

void Lockstep::take_from_lane(int lane) {
  Simulator::Inside& inside = *arms_[static_cast<std::size_t>(lane)].inside;
  AskingIntegrator& method = *inside.stepper.asking();
  const AskingIntegrator::Question& at = *method.question();
  lanes_.get(lane, at.a->data());
  // An arm that cannot be accelerated says why by itself.
  if (at.a->allFinite())
    inside.system.integral_rates(*at.q, *at.v, inside.system.efforts_from_outside(), *at.rates);
  else
    inside.system.accelerate(at.t, *at.q, *at.v, *at.integrals, *at.a, *at.rates);
  method.answered();
}

}  // namespace limber
