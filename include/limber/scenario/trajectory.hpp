// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Functions of time for references, efforts and loads.
//
// Most are pieced together. At a corner (a step, the end of a ramp) the pieces on both sides differ, and an
// integrator that ends a step exactly there needs the piece before it. So a trajectory is asked for its value at t
// *of the piece that holds at another time* `within`, which lies inside the interval between two corners that is
// being integrated.

#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "limber/core/export.hpp"
#include "limber/scenario/description.hpp"

namespace limber LIMBER_EXPORT {

/// A function of time and its first two derivatives, at one time. For efforts and loads `position` is the value.
struct TrajectoryPoint {
  double position = 0.0;      ///< [rad or m]
  double velocity = 0.0;      ///< [rad/s or m/s]
  double acceleration = 0.0;  ///< [rad/s^2 or m/s^2]
};

/// How a signal goes on. An integrator sees it at a few times of each step only: a step that goes beyond `until`, or is
/// longer than `longest`, may pass over a part that changes without a trace. Up to there the signal is close to a cubic
/// polynomial on every step.
struct Pace {
  double until = std::numeric_limits<double>::infinity();    ///< [s]
  double longest = std::numeric_limits<double>::infinity();  ///< [s]

  /// Both at once.
  Pace together_with(const Pace& other) const {
    return {until < other.until ? until : other.until, longest < other.longest ? longest : other.longest};
  }
};

/// A function of time. Derive your own from it.
class Trajectory {
 public:
  virtual ~Trajectory() = default;
  /// At t [s], by the piece that holds at `within`.
  virtual TrajectoryPoint at(double t, double within) const = 0;
  /// At any single time: right after a corner, the piece that begins there.
  TrajectoryPoint at(double t) const;
  /// Times at which value, velocity, acceleration or the rate of it jump.
  virtual std::vector<double> corners() const = 0;
  /// From t on; at a corner, that of the piece that begins there.
  virtual Pace pace(double t) const = 0;
  /// Whether a joint can be moved along it: no jumps of position or velocity.
  virtual bool is_smooth() const { return true; }
};

/// Trajectories are shared: several controllers may follow one.
using TrajectoryPointer = std::shared_ptr<const Trajectory>;

/// Impulses of an input shaper for one mode (Singer & Seering 1990): with K = exp(-z pi/sqrt(1 - z^2)) and half a
/// damped period apart, ZV has amplitudes (1, K)/(1 + K), ZVD (1, 2K, K^2)/(1 + K)^2.
struct Impulse {
  double time;       ///< [s] after the signal
  double amplitude;  ///< all of them sum up to 1
};
/// Those of one mode: two (ZV) or three (ZVD).
std::vector<Impulse> shaper_impulses(Shaper shaper, double frequency_hz, double damping_ratio);
/// One shaper after the other.
std::vector<Impulse> convolve(const std::vector<Impulse>& first, const std::vector<Impulse>& second);

/// `find` gives the trajectories that `of` names. A shaped one needs its frequencies_hz filled in. The description
/// must have passed check(). Throws InputError for `cartesian`, which needs an arm and a joint (make_scenario).
TrajectoryPointer make_trajectory(const TrajectoryDescription& description,
                                  const std::function<TrajectoryPointer(const std::string&)>& find);

/// Along a way: a cubic spline through `values` at equal parts of it, gone from rest to rest as a quintic goes.
TrajectoryPointer along_way(const std::vector<double>& values, double start, double duration);

/// The same value at all times.
TrajectoryPointer constant_trajectory(double value);

}  // namespace limber
