#pragma once

// The keys of what drives joints (actuation_types.hpp).

#include "limber/model/description_fields.hpp"
#include "limber/scenario/actuation_types.hpp"
#include "limber/scenario/choices.hpp"

namespace limber {

template <typename Visitor>
void describe(Visitor& v, Maybe<TargetDescription> auto& target) {
  v.block("target", "What is followed: a trajectory by name, or a constant value.");
  v.field({.key = "trajectory", .meaning = "name of a trajectory", .text = TextRule::reference},
          target.trajectory);
  v.field({.key = "value", .meaning = "a constant", .unit = "rad or m", .angle = true}, target.value);
  v.exactly_one_of({{"`trajectory`", {"trajectory"}}, {"`value`", {"value"}}});
}

namespace actuations {

template <typename Visitor>
void describe_target(Visitor& v, auto& target) {
  v.field({.key = "target", .meaning = "motion to follow", .required = true}, target);
}

template <typename Visitor>
void describe_gains(Visitor& v, const char* what, auto& kp, auto& kd) {
  v.field({.key = "kp", .meaning = what, .required = true, .range = non_negative}, kp);
  v.field(
      {.key = "kd", .meaning = "the same for the error of velocity", .required = true, .range = non_negative},
      kd);
}

template <typename Visitor>
void describe(Visitor& v, Maybe<Torque> auto& torque) {
  v.field({.key = "signal", .meaning = "effort over time", .required = true}, torque.signal);
}

template <typename Visitor>
void describe(Visitor& v, Maybe<Pd> auto& pd) {
  describe_target(v, pd.target);
  describe_gains(v, "effort per error", pd.kp, pd.kd);
  v.field({.key = "gravity_compensation",
           .meaning = "adds what holds the rigid twin, at the target's or at the measured position"},
          pd.gravity_compensation);
}

template <typename Visitor>
void describe(Visitor& v, Maybe<ComputedTorque> auto& computed) {
  describe_target(v, computed.target);
  describe_gains(v, "acceleration per error", computed.kp, computed.kd);
}

template <typename Visitor>
void describe(Visitor& v, Maybe<RigidInverseDynamics> auto& feed_forward) {
  describe_target(v, feed_forward.target);
}

template <typename Visitor>
void describe(Visitor& v, Maybe<Lqr> auto& lqr) {
  v.field({.key = "target", .meaning = "motion to follow", .otherwise = "the start"}, lqr.target);
  v.field({.key = "position_weight",
           .meaning = "of the square of this joint's position error",
           .range = positive,
           .otherwise = "from the arm's first frequency and inertia"},
          lqr.position_weight);
  v.field({.key = "energy_weight",
           .meaning = "of twice the kinetic and strain energy of the error",
           .range = non_negative,
           .otherwise = "1"},
          lqr.energy_weight);
  v.field({.key = "effort_weight",
           .meaning = "of the square of this joint's effort",
           .range = positive,
           .otherwise = "from these and the joint's effort limit"},
          lqr.effort_weight);
  v.field(
      {.key = "integral",
       .meaning = "also feeds back the integral of this joint's error, which ends at zero whatever load or "
                  "mass the controller does not know"},
      lqr.integral);
}

template <typename Visitor>
void describe(Visitor& v, Maybe<Prescribed> auto& prescribed) {
  describe_target(v, prescribed.target);
}

}  // namespace actuations

template <typename Visitor>
void describe(Visitor& v, Maybe<ActuationDescription> auto& actuation) {
  v.block("actuation", "What drives a joint. Several on one joint add up; joints without any are free.");
  v.field({.key = "joint",
           .meaning = "a joint, one coordinate of it (`shoulder.2`), or `all`",
           .required = true,
           .text = TextRule::reference},
          actuation.joint);
  v.variant({.key = "type", .meaning = "the controller", .required = true}, actuation.kind);
}

}  // namespace limber
