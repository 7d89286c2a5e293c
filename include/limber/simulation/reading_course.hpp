// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What the sensors of a scenario show at given times, and how that changes with parameters: any values of the files that it is built from.
//
// With x = (displacement along v's components, v, what controllers remember) the sensitivities s_j = dx/dp_j go along with the motion,
//
//   s' = A s + b,    A = [-N(v), 1, 0;  -M^-1 K, -M^-1 C, M^-1 F_x;  X_q, X_v, X_x],    b = [0;  M^-1 dF/dp;  dX/dp]          (1)
//
// M, K, C, F_x and X are System's tangent (exact), N turns displacements of joints with a quaternion. F(q, v, a; p) are the forces that are missing at the
// motion's own state and acceleration; only the prepared arm and its inputs depend on p there, so that dF/dp is a difference of neighbouring scenarios at one
// state, without any run of theirs:
//
//   dF/dp = [F(-2h) - 8 F(-h) + 8 F(h) - F(2h)] / 12h + O(h^4),   h = 1e-3 of p                                                (2)
//
// (at the edge of what p may be, of the same order to one side). What a sensor shows, y = y(x, p), is differenced along s + its own p in the same way:
// the whole derivative dy/dp at once, whatever the sensor depends on. (1) is linear; each step of the motion is one of Gauss's collocation with three stages
// (order 6), or several where the method's own order is so high that it goes through radians of the fastest motion at once; the motion's states at the stages are
// those between which the integrator interpolates. Steps end where somebody looks.
//
// (1) is right where the motion depends smoothly on p. Sampled controllers, joints that stick, parameters that shift the time at which something happens: there
// whole runs are differenced (`by_runs`).

#include <functional>
#include <vector>

#include "limber/core/export.hpp"
#include "limber/math/eigen.hpp"
#include "limber/simulation/scenario.hpp"

namespace limber LIMBER_EXPORT {

/// Builds the scenario at values of the parameters. Throws InputError for values that cannot be.
using ScenarioAt = std::function<Scenario(const Eigen::VectorXd&)>;

/// How derivatives by parameters are found.
enum class CourseSlopes {
  none,         ///< not at all
  variational,  ///< (1): one run
  by_runs       ///< central differences of runs: two for each parameter
};

/// Readings, row by row.
struct ReadingCourse {
  Eigen::MatrixXd readings;  ///< a row for each time, a column for each sensor of the scenario
  std::vector<Eigen::MatrixXd>
      slopes;     ///< of each parameter, the same shape; none where they were not asked for
  long runs = 0;  ///< how many simulations it took
};

/// Whether (1) holds for a scenario as far as that can be seen: no sampled controllers, none that look at sensors, no joints that stick, nothing that is watched.
bool is_smooth(const Scenario& scenario);

/// What sensors show at `times` [s] (ascending, from 0 on): without noise and quantum, of the sample that has arrived by then where they have `rate` and
/// `delay`. `scales`: a typical size of each parameter, where its value is 0. The run goes on to the last time, whatever the scenario's duration. Throws what
/// simulate() throws, and InputError for times that cannot be.
ReadingCourse reading_course(const ScenarioAt& scenario_at, const Eigen::VectorXd& parameters,
                             const Eigen::VectorXd& scales, const std::vector<double>& times,
                             CourseSlopes slopes = CourseSlopes::variational);

/// When the sample was taken that a sensor shows at t [s]: t itself where it has neither rate nor delay.
double sampled_at(const SensorDescription& sensor, double t);

/// Points at which a function of one parameter is asked for its derivative, and their weights: (2), or to one side.
struct DifferenceStencil {
  std::vector<double> offsets;  ///< from the parameter's value
  std::vector<double> weights;  ///< df/dp = Sum weight f(offset)
};
/// At a value; `is_possible` says where the function can be asked.
DifferenceStencil difference_stencil(double value, double scale,
                                     const std::function<bool(double)>& is_possible);

}  // namespace limber
