// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Steps through the motion of a System. All methods share this interface; docs/simulation.md says which is for what.

#include <memory>
#include <string>

#include "limber/core/export.hpp"
#include "limber/math/eigen.hpp"
#include "limber/scenario/description.hpp"
#include "limber/simulation/system.hpp"

namespace limber LIMBER_EXPORT {

/// All that is needed to go on.
struct IntegratorState {
  double t = 0.0;             ///< [s]
  Eigen::VectorXd y;          ///< System's
  Eigen::VectorXd auxiliary;  ///< of the method; may be empty
  Eigen::VectorXd samples;    ///< what is sampled: System's; empty: nothing was sampled yet
  double step = 0.0;          ///< to try next; 0: the method finds one
};

/// What a run cost.
struct IntegratorStatistics {
  long steps = 0;              ///< that were taken
  long rejected = 0;           ///< steps that were too inaccurate, or did not converge
  long newton_iterations = 0;  ///< of implicit methods
  // Where joints are constraints: by how much they have come apart at most.
  double largest_gap = 0.0;   ///< [m]
  double largest_turn = 0.0;  ///< [rad]
};

/// A method of integration, at work on a System.
class Integrator {
 public:
  virtual ~Integrator() = default;
  /// The word of scenario files: "radau".
  virtual const char* name() const = 0;
  /// Begins at a state: at the start, after a corner, or after an event; no step goes beyond `end`.
  virtual void start(const IntegratorState& state, double end) = 0;
  /// From now on no step goes beyond `end`, which may come before or after that of `start`, nor is longer than `longest`
  /// (Pace; methods that do not control their error take a fraction of it). Nor does one go beyond `stop`, where somebody looks, and
  /// nothing happens: steps of fixed length that come there anyway, to rounding, are those that they were without it.
  virtual void limit_steps(double end, double longest, double stop) = 0;
  /// The same where nobody looks.
  void limit_steps(double end, double longest) { limit_steps(end, longest, end); }
  /// One step. Throws ComputationError, with the reason and advice, where it cannot go on.
  virtual void step() = 0;
  /// Where the last step ended.
  virtual const IntegratorState& state() const = 0;
  /// y at a time within the last step.
  virtual void interpolate(double t, Eigen::VectorXd& y) = 0;
  /// Takes back what lies beyond a time within the last step. False where values within a step are less accurate than
  /// those at its end: then the step is to be made again, up to that time.
  virtual bool cut(double) { return false; }
  /// Since it was made.
  virtual IntegratorStatistics statistics() const = 0;
};

/// The method that the description asks for; it must not be `automatic`. The system must outlive it.
std::unique_ptr<Integrator> make_integrator(System& system, const IntegratorDescription& description);

/// The fastest motion about the start, controllers included: what explicit methods must follow. O(n).
FastestMotion fastest_motion(System& system);

/// What `automatic` takes for this system, and why.
struct MethodChoice {
  IntegrationMethod method;  ///< never `automatic`
  std::string reason;        ///< a sentence
};
/// By how much faster the fastest motion is than the slowest (docs/simulation.md).
MethodChoice choose_method(System& system);

/// Refuses methods that cannot keep loops closed, for an arm that has any: InputError with path `integrator.method`.
void require_one_step(const Model& model, const IntegrationMethod& method);

}  // namespace limber
