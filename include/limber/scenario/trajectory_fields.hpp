// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The keys of each kind of trajectory (trajectory_types.hpp).

#include "limber/core/export.hpp"
#include "limber/model/description_fields.hpp"
#include "limber/scenario/choices.hpp"
#include "limber/scenario/trajectory_types.hpp"

namespace limber LIMBER_EXPORT {

namespace trajectories {

template <typename Visitor>
void describe(Visitor& v, Maybe<Constant> auto& constant) {
  v.field({.key = "value", .meaning = "its value", .required = true, .unit = "rad or m", .angle = true},
          constant.value);
}

template <typename Visitor>
void describe(Visitor& v, Maybe<Steps> auto& steps) {
  v.field({.key = "points",
           .meaning = "[time, value], times ascending; each value holds until the next",
           .required = true},
          steps.points);
}

/// Keys of what goes from one value to another.
template <typename Visitor>
void describe_way(Visitor& v, auto& way) {
  v.field({.key = "from", .meaning = "value before", .required = true, .unit = "rad or m", .angle = true},
          way.from);
  v.field({.key = "to", .meaning = "value after", .required = true, .unit = "rad or m", .angle = true},
          way.to);
  v.field({.key = "start", .meaning = "when it begins", .unit = "s"}, way.start);
}

template <typename Visitor>
void describe(Visitor& v, Maybe<Quintic> auto& quintic) {
  describe_way(v, quintic);
  v.field(
      {.key = "duration", .meaning = "how long it takes", .required = true, .unit = "s", .range = positive},
      quintic.duration);
}

template <typename Visitor>
void describe(Visitor& v, Maybe<Cycloidal> auto& cycloidal) {
  v.field({.key = "rate", .meaning = "mean rate", .required = true, .unit = "rad/s or m/s", .angle = true},
          cycloidal.rate);
  v.field({.key = "period", .meaning = "half of a turn", .required = true, .unit = "s", .range = positive},
          cycloidal.period);
}

template <typename Visitor>
void describe(Visitor& v, Maybe<Trapezoidal> auto& trapezoidal) {
  describe_way(v, trapezoidal);
  v.field({.key = "velocity",
           .meaning = "largest speed",
           .required = true,
           .unit = "rad/s or m/s",
           .range = positive,
           .angle = true},
          trapezoidal.velocity);
  v.field({.key = "acceleration",
           .meaning = "of speeding up and slowing down",
           .required = true,
           .unit = "rad/s^2 or m/s^2",
           .range = positive,
           .angle = true},
          trapezoidal.acceleration);
}

template <typename Visitor>
void describe(Visitor& v, Maybe<SpinUp> auto& spin) {
  v.field({.key = "rate", .meaning = "final rate", .required = true, .unit = "rad/s or m/s", .angle = true},
          spin.rate);
  v.field({.key = "duration",
           .meaning = "T: how long it takes",
           .required = true,
           .unit = "s",
           .range = positive},
          spin.duration);
}

template <typename Visitor>
void describe(Visitor& v, Maybe<Table> auto& table) {
  v.field({.key = "times", .meaning = "ascending, at least two", .unit = "s"}, table.times);
  v.field({.key = "values", .meaning = "as many as times"}, table.values);
  v.field({.key = "file", .meaning = "a CSV file with two columns, time and value"}, table.file);
}

template <typename Visitor>
void describe(Visitor& v, Maybe<Sum> auto& sum) {
  v.field({.key = "of", .meaning = "their names", .required = true}, sum.of);
}

template <typename Visitor>
void describe(Visitor& v, Maybe<Shaped> auto& shaped) {
  v.field({.key = "of",
           .meaning = "the name of one trajectory (shape a `sum` to shape several)",
           .required = true,
           .text = TextRule::reference},
          shaped.of);
  v.field({.key = "shaper", .meaning = "zero vibration, or also zero derivative (robust)"}, shaped.shaper);
  v.field({.key = "modes",
           .meaning = "how many of the arm's frequencies (joints held, at the start) it suppresses",
           .range = {1.0, 5.0}},
          shaped.modes);
  v.field({.key = "frequencies_hz", .meaning = "these frequencies instead", .unit = "Hz", .range = positive},
          shaped.frequencies_hz);
  v.field({.key = "damping_ratio", .meaning = "of these modes", .range = {0.0, 0.99}}, shaped.damping_ratio);
}

template <typename Visitor>
void describe(Visitor& v, Maybe<Cartesian> auto& cartesian) {
  v.field({.key = "from",
           .meaning = "where the line begins, world axes",
           .unit = "m",
           .otherwise = "where the end effector is at the start"},
          cartesian.from);
  v.field({.key = "to", .meaning = "where it ends, world axes", .unit = "m"}, cartesian.to);
  v.field({.key = "start", .meaning = "when it begins", .unit = "s"}, cartesian.start);
  v.field({.key = "duration", .meaning = "how long it takes", .unit = "s", .range = positive},
          cartesian.duration);
  v.field({.key = "points",
           .meaning = "places of the line at which joints are found; a spline lies in between",
           .range = {4.0, 100000.0}},
          cartesian.points);
  v.field({.key = "file",
           .meaning = "instead of a line: a CSV file with columns t, x, y, z, and roll, pitch, yaw where the "
                      "attitude matters; a spline through the joints of its rows"},
          cartesian.file);
}

}  // namespace trajectories

template <typename Visitor>
void describe(Visitor& v, Maybe<TrajectoryDescription> auto& trajectory) {
  v.block("trajectory", "A function of time; its keys depend on its type.");
  v.variant({.key = "type", .meaning = "kind of function", .required = true}, trajectory);
}

}  // namespace limber
