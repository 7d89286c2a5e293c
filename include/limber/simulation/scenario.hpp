// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A scenario that is ready to run. build_scenario makes it from a description; in C++ it can also be put together, or
// changed, by hand: add controllers of your own to `controllers` before you simulate.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "limber/algorithms/forward_dynamics.hpp"
#include "limber/core/export.hpp"
#include "limber/formulations/formulation.hpp"
#include "limber/model/coordinates.hpp"
#include "limber/scenario/description.hpp"
#include "limber/simulation/controller.hpp"
#include "limber/simulation/watch.hpp"

namespace limber LIMBER_EXPORT {

/// A load that begins, ends, and changes.
struct TimedLoad {
  Load wrench;                         ///< with its node; times `factor`
  std::optional<double> from = {};     ///< [s]; none: the start
  std::optional<double> to = {};       ///< [s]; none: the end
  TrajectoryPointer factor = nullptr;  ///< none: 1

  /// Whether it acts in the interval around `within` [s].
  bool is_active(double within) const { return !(from && within < *from) && !(to && within > *to); }
};

/// An arm, what drives it, and how to integrate: what simulate() runs.
struct Scenario {
  /// An arm that nothing drives yet.
  explicit Scenario(const Model& arm) : model(arm) {}

  Model model;                                               ///< the arm
  FormulationKind formulation = FormulationKind::recursive;  ///< which equations of motion
  FormulationOptions formulation_options;                    ///< what they can be asked for besides
  Eigen::VectorXd q, v;  ///< at the start; of prescribed joints their trajectory's
  /// At the start: a and b of each cylinder that has them, in their order [Pa]. Empty: start_pressures() of q.
  Eigen::VectorXd pressures = {};
  std::vector<std::unique_ptr<Controller>> controllers;  ///< their efforts add up
  std::vector<JointTarget> prescribed;                   ///< joints that move as they are told
  std::vector<TimedLoad> loads;                          ///< forces on links
  std::vector<SensorDescription> sensors;                ///< instruments on the arm
  std::vector<Watch> watches;                            ///< what to look out for
  AtSingular singular = AtSingular::stop;                ///< where loops come to a singular configuration
  IntegratorDescription integrator;                      ///< method and tolerances
  double duration = 0.0;                                 ///< how long [s]
  OutputDescription output;                              ///< what a result holds
  std::vector<std::string> doubts = {};                  ///< about what was written, found while it was built
};

/// Pressures of all chambers (two of each cylinder with hydraulics) that the file names for the start, or that hold the arm with its joints at q under these
/// loads; `hold`: joints that are held although cylinders or springs could. Throws ComputationError where there is no equilibrium.
Eigen::VectorXd start_pressures(const Model& model, const Input<double>& q,
                                const std::vector<Load>& loads = {}, const JointNames& hold = {});

/// Numbers that continuous controllers remember, and pressures of chambers: they are integrated along with the motion.
int memory_size(const Scenario& scenario);

/// Numbers that sampled controllers remember and hold (System::samples).
int sample_count(const Scenario& scenario);

/// What joints should do: targets of prescribed joints and of controllers, one for each coordinate, in their order.
std::vector<JointTarget> joint_targets(const Scenario& scenario);

/// Looks up names, makes trajectories and controllers, settles the arm where the description asks for it. `model` is
/// what the description's model was built to. Throws InputError (what check() finds) or ComputationError (no
/// equilibrium, no LQR gains). An `observer` is refused: estimation/observer.hpp builds scenarios with one.
Scenario build_scenario(const ScenarioDescription& description, const Model& model);

}  // namespace limber
