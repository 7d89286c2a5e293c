// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The plan file's format, once, as scenario/description_fields.hpp has it for the scenario file.

#include "limber/io/plan_choices.hpp"
#include "limber/io/plan_file.hpp"
#include "limber/scenario/description_fields.hpp"

namespace limber {

template <typename Visitor>
void describe(Visitor& v, Maybe<ViaDescription> auto& via) {
  v.block("via", "A place on the way. Joints that are not named go where they like.");
  v.field({.key = "at",
           .meaning = "when, as part of the duration: 0.5 is halfway; the nearest end of an interval",
           .required = true,
           .range = {0.0, 1.0, true}},
          via.at);
  v.field({.key = "q", .meaning = "positions of joints, by name"}, via.q);
  v.field({.key = "q_deg", .meaning = "angles of joints in degrees", .unit = "deg"}, via.q_deg);
}

template <typename Visitor>
void describe(Visitor& v, Maybe<PlanPayloadDescription> auto& payload) {
  v.block("payload", "Another arm that the same motion has to leave at rest.");
  v.field({.key = "set",
           .meaning = "values of the model file, by path, as `--set` takes them: `links.boom.tip.mass`"},
          payload.set);
}

template <typename Visitor>
void describe(Visitor& v, Maybe<PlanFeedbackDescription> auto& feedback) {
  v.block("feedback",
          "How the plan's scenario holds joints on the planned motion: kp = J w^2, kd = 2 zeta J w.");
  v.field({.key = "frequency_hz",
           .meaning = "w/2pi",
           .unit = "Hz",
           .range = positive,
           .otherwise = "half of the arm's first frequency; of a rigid arm two in the plan's duration"},
          feedback.frequency_hz);
  v.field({.key = "damping_ratio", .meaning = "zeta", .range = positive}, feedback.damping_ratio);
}

template <typename Visitor>
void describe(Visitor& v, Maybe<MotionDescription> auto& plan) {
  v.block("motion", "From rest to rest, each in static equilibrium; limits are the model's.");
  v.field({.key = "from",
           .meaning = "joints at the start, by name; all else is in equilibrium",
           .otherwise = "the scenario's `initial`, or 0"},
          plan.from);
  v.field({.key = "from_deg", .meaning = "the same in degrees", .unit = "deg"}, plan.from_deg);
  v.field({.key = "to", .meaning = "joints at the end, by name", .otherwise = "where they start"}, plan.to);
  v.field({.key = "to_deg", .meaning = "the same in degrees", .unit = "deg"}, plan.to_deg);
  v.field({.key = "via", .meaning = "places on the way", .otherwise = "none"}, plan.via);
  v.field({.key = "minimise",
           .meaning =
               "`time`; `effort`: the integral of (effort/limit)^2, where not all joints have an effort "
               "limit of effort^2/(inertia that the joint moves); `vibration`: how fast what is elastic "
               "is stretched, squared, over the "
               "motion; `deflection`: the largest strain energy that the motion adds; `stress`: the largest "
               "utilisation of any beam with a `strength`"},
          plan.minimise);
  v.field({.key = "duration",
           .meaning = "how long the motion takes; `minimise: time`: where the search begins",
           .unit = "s",
           .range = positive,
           .otherwise = "`minimise: time` finds it; others need it"},
          plan.duration);
  v.field({.key = "intervals", .meaning = "in which efforts are constant", .range = {4.0, 1000.0}},
          plan.intervals);
  v.field({.key = "smoothness",
           .meaning = "weight of the squares of the efforts' jumps, beside 1 for what is minimised",
           .range = non_negative},
          plan.smoothness);
  v.field({.key = "share",
           .meaning =
               "part of the limits of speeds and efforts that the plan may use; the rest is left to feedback",
           .range = {0.0, 1.0, true}},
          plan.share);
  v.field({.key = "utilisation",
           .meaning =
               "largest von Mises stress over `strength`, of any beam that has one, on the way: 1 is at it",
           .range = positive,
           .otherwise = "whatever it is"},
          plan.utilisation);
  v.field({.key = "hold",
           .meaning = "joints that are driven although they have a spring: names, or `all`",
           .text = TextRule::reference,
           .otherwise = "none"},
          plan.hold);
  v.field({.key = "payloads",
           .meaning = "other arms that the same motion should leave at rest",
           .otherwise = "none"},
          plan.payloads);
  v.field({.key = "feedback", .meaning = "what holds joints on the motion", .otherwise = "as below"},
          plan.feedback);
  v.field({.key = "iterations", .meaning = "of the solver, at most", .range = {1.0, 1e6}}, plan.iterations);
  v.field({.key = "tolerance", .meaning = "of the solver, in the arm's own sizes", .range = {1e-12, 1e-2}},
          plan.tolerance);
}

template <typename Visitor>
void describe(Visitor& v, Maybe<PlanDescription> auto& plan) {
  v.block("plan", "The whole file.");
  v.version({.key = "limber", .meaning = "version of this format", .required = true});
  v.field({.key = "scenario",
           .meaning = "scenario file, relative to this file: its arm, start, constant loads and gains of pd",
           .text = TextRule::reference,
           .otherwise = "`model` is given"},
          plan.scenario);
  v.field({.key = "model",
           .meaning = "model file, relative to this file",
           .text = TextRule::reference,
           .otherwise = "`scenario` is given"},
          plan.model);
  v.field({.key = "plan", .meaning = "the motion", .required = true}, plan.plan);
  v.exactly_one_of({{"`scenario`", {"scenario"}}, {"`model`", {"model"}}});
}

}  // namespace limber
