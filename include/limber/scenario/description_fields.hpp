// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The scenario file's format, once, as model/description_fields.hpp has it for the model file. Visitors know
// besides
//   v.model(field, description, file)   a model: the name of its file, or the model itself

#include "limber/core/export.hpp"
#include "limber/model/description_fields.hpp"
#include "limber/scenario/choices.hpp"
#include "limber/scenario/trajectory_fields.hpp"

namespace limber LIMBER_EXPORT {

template <typename Visitor>
void describe(Visitor& v, Maybe<LoadDescription> auto& load) {
  v.block("load",
          "A force and a moment on a link; or what acts inside a beam: temperature or a tendon "
          "(docs/curved-beams.md).");
  v.field({.key = "link", .meaning = "on which link", .required = true, .text = TextRule::reference},
          load.link);
  v.place(
      {.key = "at",
       .meaning = "where, as fraction of its beam (1 on rigid links), or an interface of its body by name",
       .range = {0.0, 1.0}},
      load.at, load.interface);
  v.field(
      {.key = "frame", .meaning = "axes of force and moment: the world's, B's, or the deformed section's"},
      load.frame);
  v.field({.key = "force", .meaning = "force", .unit = "N"}, load.force);
  v.field({.key = "moment", .meaning = "moment", .unit = "N m"}, load.moment);
  v.field(
      {.key = "offset", .meaning = "from `at` to where the force acts, in the section's axes", .unit = "m"},
      load.offset);
  v.field({.key = "from", .meaning = "when it begins", .unit = "s", .otherwise = "the start"}, load.from);
  v.field({.key = "to", .meaning = "when it ends", .unit = "s", .otherwise = "the end"}, load.to);
  v.field({.key = "factor",
           .meaning = "multiplies force and moment, or thermal curvature, or pretension",
           .otherwise = "1"},
          load.factor);
  v.field({.key = "thermal_curvature",
           .meaning = "kappa_y, kappa_z that the beam would take if nothing held it: expansion times the "
                      "difference of temperature across the section, by its height",
           .unit = "1/m",
           .otherwise = "none"},
          load.thermal_curvature);
  v.field({.key = "pretension",
           .meaning = "tension of a tendon or cable from the beam's root to its tip, at y and z of `offset`",
           .unit = "N",
           .otherwise = "none"},
          load.pretension);
  v.field({.key = "straight",
           .meaning = "with `pretension`: strung straight from end to end, so that it bends a bent beam "
                      "further; else the beam guides it along its axis"},
          load.straight);
}

template <typename Visitor>
void describe(Visitor& v, Maybe<InitialDescription> auto& initial) {
  v.block("initial", "Where the arm starts. By coordinate name; what is absent is zero.");
  v.field({.key = "q", .meaning = "positions"}, initial.q);
  v.field({.key = "v", .meaning = "velocities"}, initial.v);
  v.field({.key = "q_deg", .meaning = "positions in degrees: angles of joints only", .unit = "deg"},
          initial.q_deg);
  v.field({.key = "v_deg", .meaning = "velocities in degrees: angles of joints only", .unit = "deg/s"},
          initial.v_deg);
  v.field({.key = "settle",
           .meaning = "start in static equilibrium under gravity and loads: joints with a spring where it "
                      "holds them, all others where q says"},
          initial.settle);
  v.field({.key = "hold",
           .meaning = "joints that are held although they have a spring: names, or `all`; for `settle` and "
                      "for the frequencies of shapers",
           .text = TextRule::reference,
           .otherwise = "none"},
          initial.hold);
}

template <typename Visitor>
void describe(Visitor& v, Maybe<OutputDescription> auto& output) {
  v.block("output", "What the result holds.");
  v.field({.key = "rate", .meaning = "rows per second", .unit = "1/s", .range = positive}, output.rate);
  v.field({.key = "wrenches", .meaning = "forces and moments in all joints"}, output.wrenches);
  v.field({.key = "interaction_wrenches",
           .meaning = "the same as by links on their parents, about the parent's body frame, without what "
                      "motors do (docs/dae.md)"},
          output.interaction_wrenches);
  v.field({.key = "shape_points",
           .meaning = "points along each beam of the outline that results and pages have; below 2: its ends",
           .range = {0.0, 10000.0}},
          output.shape_points);
  v.field({.key = "section_forces",
           .meaning =
               "forces and moments in the sections of all beams, from equilibrium, and the stress of those "
               "given by geometry (docs/stress.md)"},
          output.section_forces);
  v.field({.key = "section_points",
           .meaning = "points along each beam where they are recorded, its ends among them",
           .range = {2.0, 1000.0}},
          output.section_points);
}

template <typename Visitor>
void describe(Visitor& v, Maybe<StopDescription> auto& stop) {
  v.block(
      "stop_when",
      "Ends the run where what a sensor looks at (without its delay, noise and quantum) comes to a value.");
  v.field({.key = "sensor",
           .meaning = "its name: a sensor of positions, velocities or bending",
           .required = true,
           .text = TextRule::reference},
          stop.sensor);
  v.field({.key = "below", .meaning = "ends where it is below, in the sensor's unit"}, stop.below);
  v.field({.key = "above", .meaning = "ends where it is above, in the sensor's unit"}, stop.above);
  v.exactly_one_of({{"`below`", {"below"}}, {"`above`", {"above"}}});
}

template <typename Visitor>
void describe(Visitor& v, Maybe<ObserverDescription> auto& observer) {
  v.block(
      "observer",
      "All controllers see an estimate in place of the state: a Kalman filter's on the arm's own equations, "
      "from the sensors (docs/measurements.md).");
  v.field({.key = "rate",
           .meaning = "samples per second: controllers are asked then, and efforts are held in between",
           .required = true,
           .unit = "1/s",
           .range = positive},
          observer.rate);
  v.field({.key = "method", .meaning = "the filter: extended or unscented"}, observer.method);
  v.field({.key = "sensors",
           .meaning = "what it sees: names of sensors, each with noise or quantum",
           .text = TextRule::reference,
           .otherwise = "all"},
          observer.sensors);
  v.field({.key = "process_noise",
           .meaning = "spectral density of efforts in joints that it does not know of",
           .unit = "(N m)^2 s or N^2 s",
           .range = non_negative},
          observer.process_noise);
  v.field({.key = "position_deviation",
           .meaning = "standard deviation of each joint's position at the start",
           .unit = "rad or m",
           .range = non_negative},
          observer.position_deviation);
  v.field({.key = "velocity_deviation",
           .meaning = "the same of its velocity",
           .unit = "rad/s or m/s",
           .range = non_negative},
          observer.velocity_deviation);
  v.field({.key = "elastic_deviation",
           .meaning = "the same of elastic coordinates; ten times that of their rates",
           .range = non_negative},
          observer.elastic_deviation);
  v.field(
      {.key = "step",
       .meaning = "longest step of the arm that it follows: short beside what jumps of efforts make swing",
       .unit = "s",
       .range = positive},
      observer.step);
}

template <typename Visitor>
void describe(Visitor& v, Maybe<ScenarioDescription> auto& scenario) {
  v.block("scenario", "The whole file.");
  v.version({.key = "limber", .meaning = "version of this format", .required = true});
  v.model(
      {.key = "model", .meaning = "model file, relative to this file, or the model itself", .required = true},
      scenario.model, scenario.model_file);
  v.field({.key = "formulation", .meaning = "which equations of motion"}, scenario.formulation);
  v.field(
      {.key = "consistent",
       .meaning =
           "dual-screw: with the second-order part of the local screws, and so with geometric stiffening"},
      scenario.consistent);
  v.field({.key = "nonlinear",
           .meaning = "dual-screw: links whose elastic states are not truncated to first order, or single "
                      "states (boom.z1)",
           .text = TextRule::reference,
           .otherwise = "none"},
          scenario.nonlinear);
  v.field({.key = "definite",
           .meaning = "dual-screw: with the square of the first-order part, which keeps the mass matrix "
                      "positive definite"},
          scenario.definite);
  v.field(
      {.key = "generated",
       .meaning = "dual-screw: derived as code for this very arm and compiled when it is first asked for"},
      scenario.generated);
  v.field({.key = "body_frame",
           .meaning = "dae: where the frames of links that bend ride, as fraction of each beam (0: its root)",
           .range = {0.0, 1.0}},
          scenario.body_frame);
  v.field({.key = "initial", .meaning = "where the arm starts", .otherwise = "straight, at rest"},
          scenario.initial);
  v.field({.key = "actuation", .meaning = "what drives the joints", .otherwise = "nothing"},
          scenario.actuation);
  v.field({.key = "trajectories", .meaning = "functions of time, by name", .otherwise = "none"},
          scenario.trajectories);
  v.field({.key = "loads", .meaning = "forces on links", .otherwise = "none"}, scenario.loads);
  v.field({.key = "sensors",
           .meaning = "instruments on the arm: recorded, seen by controllers",
           .otherwise = "none"},
          scenario.sensors);
  v.field({.key = "observer",
           .meaning = "all controllers see its estimate in place of the state",
           .otherwise = "they see the state"},
          scenario.observer);
  v.field({.key = "stop_when", .meaning = "ends the run before its duration", .otherwise = "nothing does"},
          scenario.stop_when);
  v.field({.key = "singular",
           .meaning = "where closed loops come to a singular configuration, from which on more than one "
                      "motion is possible: the run ends there, or goes on along the branch on which it came "
                      "(docs/loops.md)"},
          scenario.singular);
  v.field({.key = "integrator", .meaning = "how to integrate", .otherwise = "`auto`"}, scenario.integrator);
  v.field({.key = "duration", .meaning = "how long", .required = true, .unit = "s", .range = positive},
          scenario.duration);
  v.field({.key = "output", .meaning = "what the result holds", .otherwise = "all, 100 times per second"},
          scenario.output);
}

}  // namespace limber
