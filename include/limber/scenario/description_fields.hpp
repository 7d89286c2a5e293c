#pragma once

// The scenario file's format, once, as model/description_fields.hpp has it for the model file. Visitors know
// besides
//   v.model(field, description, file)   a model: the name of its file, or the model itself

#include "limber/model/description_fields.hpp"
#include "limber/scenario/choices.hpp"

namespace limber {

template <typename Visitor>
void describe(Visitor& v, Maybe<TrajectoryDescription> auto& trajectory) {
  v.block("trajectory", "A function of time; which keys it needs depends on its type (docs/simulation.md).");
  v.field({.key = "type", .meaning = "kind of function", .required = true}, trajectory.type);
  v.field(
      {.key = "points", .meaning = "steps: [time, value], times ascending; each value holds until the next"},
      trajectory.points);
  v.field({.key = "value", .meaning = "constant: its value", .unit = "rad or m", .angle = true},
          trajectory.value);
  v.field({.key = "from", .meaning = "quintic, trapezoidal: value before", .unit = "rad or m", .angle = true},
          trajectory.from);
  v.field({.key = "to", .meaning = "quintic, trapezoidal: value after", .unit = "rad or m", .angle = true},
          trajectory.to);
  v.field({.key = "start", .meaning = "quintic, trapezoidal: when it begins", .unit = "s", .otherwise = "0"},
          trajectory.start);
  v.field(
      {.key = "duration", .meaning = "quintic, spin-up: how long it takes", .unit = "s", .range = positive},
      trajectory.duration);
  v.field({.key = "rate",
           .meaning = "cycloidal, spin-up: mean or final rate",
           .unit = "rad/s or m/s",
           .angle = true},
          trajectory.rate);
  v.field({.key = "period",
           .meaning = "cycloidal: rate (t - period/pi sin(pi t/period))",
           .unit = "s",
           .range = positive},
          trajectory.period);
  v.field({.key = "velocity",
           .meaning = "trapezoidal: largest speed",
           .unit = "rad/s or m/s",
           .range = positive,
           .angle = true},
          trajectory.velocity);
  v.field({.key = "acceleration",
           .meaning = "trapezoidal: of speeding up and slowing down",
           .unit = "rad/s^2 or m/s^2",
           .range = positive,
           .angle = true},
          trajectory.acceleration);
  v.field({.key = "times", .meaning = "table: ascending, at least two", .unit = "s"}, trajectory.times);
  v.field({.key = "values", .meaning = "table: as many as times; a cubic spline goes through them"},
          trajectory.values);
  v.field({.key = "file", .meaning = "table: a CSV file with two columns, time and value"}, trajectory.file);
  v.field({.key = "of", .meaning = "sum: names of trajectories; shaped: one name"}, trajectory.of);
  v.field({.key = "shaper", .meaning = "shaped: zero vibration, or also zero derivative (robust)"},
          trajectory.shaper);
  v.field({.key = "modes",
           .meaning = "shaped: how many of the arm's frequencies (joints held, at the start) it suppresses",
           .range = {1.0, 5.0}},
          trajectory.modes);
  v.field({.key = "frequencies_hz",
           .meaning = "shaped: these frequencies instead",
           .unit = "Hz",
           .range = positive},
          trajectory.frequencies_hz);
  v.field({.key = "damping_ratio", .meaning = "shaped: of these modes", .range = {0.0, 0.99}},
          trajectory.damping_ratio);
}

template <typename Visitor>
void describe(Visitor& v, Maybe<TargetDescription> auto& target) {
  v.block("target", "What is followed: a trajectory by name, or a constant value.");
  v.field({.key = "trajectory", .meaning = "name of a trajectory", .text = TextRule::reference},
          target.trajectory);
  v.field({.key = "value", .meaning = "a constant", .unit = "rad or m", .angle = true}, target.value);
  v.exactly_one_of({{"`trajectory`", {"trajectory"}}, {"`value`", {"value"}}});
}

template <typename Visitor>
void describe(Visitor& v, Maybe<ActuationDescription> auto& actuation) {
  v.block("actuation", "What drives a joint. Several on one joint add up; joints without any are free.");
  v.field({.key = "joint",
           .meaning = "a joint, one coordinate of it (`shoulder.2`), or `all`",
           .required = true,
           .text = TextRule::reference},
          actuation.joint);
  v.field({.key = "type", .meaning = "the controller", .required = true}, actuation.type);
  v.field({.key = "target", .meaning = "motion to follow: all but torque (lqr: default the start)"},
          actuation.target);
  v.field({.key = "signal", .meaning = "torque: effort over time"}, actuation.signal);
  v.field({.key = "kp",
           .meaning = "pd: effort per error; computed-torque: acceleration per error",
           .range = non_negative},
          actuation.kp);
  v.field({.key = "kd", .meaning = "the same for the error of velocity", .range = non_negative},
          actuation.kd);
  v.field({.key = "gravity_compensation",
           .meaning = "pd: adds what holds the rigid twin, at the target's or at the measured position"},
          actuation.gravity_compensation);
  v.field({.key = "position_weight",
           .meaning = "lqr: of the square of this joint's position error",
           .range = positive,
           .otherwise = "from the arm's first frequency and inertia"},
          actuation.position_weight);
  v.field({.key = "energy_weight",
           .meaning = "lqr: of twice the kinetic and strain energy of the error",
           .range = non_negative,
           .otherwise = "1"},
          actuation.energy_weight);
  v.field({.key = "effort_weight",
           .meaning = "lqr: of the square of this joint's effort",
           .range = positive,
           .otherwise = "from these and the joint's effort limit"},
          actuation.effort_weight);
  v.field({.key = "integral",
           .meaning = "lqr: also feeds back the integral of this joint's error, which ends at zero whatever "
                      "load or mass the controller does not know"},
          actuation.integral);
}

template <typename Visitor>
void describe(Visitor& v, Maybe<LoadDescription> auto& load) {
  v.block("load", "A force and a moment on a link.");
  v.field({.key = "link", .meaning = "on which link", .required = true, .text = TextRule::reference},
          load.link);
  v.field({.key = "at", .meaning = "where, as fraction of its beam; 1 on rigid links", .range = {0.0, 1.0}},
          load.at);
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
  v.field({.key = "factor", .meaning = "multiplies force and moment", .otherwise = "1"}, load.factor);
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
void describe(Visitor& v, Maybe<IntegratorDescription> auto& integrator) {
  v.block("integrator", "How the equations of motion are integrated.");
  v.field({.key = "method", .meaning = "docs/simulation.md says which is for what"}, integrator.method);
  v.field({.key = "rtol", .meaning = "relative tolerance per step", .range = {1e-14, 0.1}}, integrator.rtol);
  v.field({.key = "atol", .meaning = "absolute tolerance per step", .range = positive}, integrator.atol);
  v.field({.key = "step",
           .meaning = "rk4, rkmk4, generalized-alpha, euler: the step, required there",
           .unit = "s",
           .range = positive,
           .nullable = true},
          integrator.step);
  v.field({.key = "max_step",
           .meaning = "all methods without a fixed step: the longest one",
           .unit = "s",
           .range = positive,
           .otherwise = "as error control finds",
           .nullable = true},
          integrator.max_step);
  v.field({.key = "spectral_radius",
           .meaning = "generalized-alpha: 1 keeps the energy of fast modes, 0 removes it within one step",
           .range = {0.0, 1.0},
           .otherwise = "0.8",
           .nullable = true},
          integrator.spectral_radius);
  v.field({.key = "constraints", .meaning = "rkmk4: what keeps the joints together (docs/dae.md)"},
          integrator.constraints);
}

template <typename Visitor>
void describe(Visitor& v, Maybe<OutputDescription> auto& output) {
  v.block("output", "What the result holds.");
  v.field({.key = "rate", .meaning = "rows per second", .unit = "1/s", .range = positive}, output.rate);
  v.field({.key = "wrenches", .meaning = "forces and moments in all joints"}, output.wrenches);
  v.field(
      {.key = "shape_points", .meaning = "points of each deflected beam; 0: none", .range = {0.0, 10000.0}},
      output.shape_points);
}

template <typename Visitor>
void describe(Visitor& v, Maybe<ScenarioDescription> auto& scenario) {
  v.block("scenario", "The whole file.");
  v.version({.key = "limber", .meaning = "version of this format", .required = true});
  v.model(
      {.key = "model", .meaning = "model file, relative to this file, or the model itself", .required = true},
      scenario.model, scenario.model_file);
  v.field({.key = "formulation",
           .meaning = "which equations of motion",
           .text = TextRule::name,
           .otherwise = "`recursive`"},
          scenario.formulation);
  v.field(
      {.key = "consistent",
       .meaning =
           "dual-screw: with the second-order part of the local screws, and so with geometric stiffening"},
      scenario.consistent);
  v.field({.key = "nonlinear",
           .meaning = "dual-screw: links whose elastic states are not truncated to first order",
           .text = TextRule::name,
           .otherwise = "none"},
          scenario.nonlinear);
  v.field({.key = "initial", .meaning = "where the arm starts", .otherwise = "straight, at rest"},
          scenario.initial);
  v.field({.key = "actuation", .meaning = "what drives the joints", .otherwise = "nothing"},
          scenario.actuation);
  v.field({.key = "trajectories", .meaning = "functions of time, by name", .otherwise = "none"},
          scenario.trajectories);
  v.field({.key = "loads", .meaning = "forces on links", .otherwise = "none"}, scenario.loads);
  v.field({.key = "integrator", .meaning = "how to integrate", .otherwise = "`auto`"}, scenario.integrator);
  v.field({.key = "duration", .meaning = "how long", .required = true, .unit = "s", .range = positive},
          scenario.duration);
  v.field({.key = "output", .meaning = "what the result holds", .otherwise = "all, 100 times per second"},
          scenario.output);
}

}  // namespace limber
