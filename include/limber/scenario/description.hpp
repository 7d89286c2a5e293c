// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A scenario as its author writes it: an arm, where it starts, what moves it, how to integrate. Plain data with
// the names of the scenario file; check.hpp says what is wrong with it, simulation runs it.

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "limber/core/export.hpp"
#include "limber/math/eigen.hpp"
#include "limber/model/description.hpp"
#include "limber/model/formulation_kind.hpp"
#include "limber/model/load.hpp"
#include "limber/model/sensors.hpp"
#include "limber/scenario/actuations.hpp"
#include "limber/scenario/integrators.hpp"
#include "limber/scenario/trajectory_types.hpp"

namespace limber LIMBER_EXPORT {

/// Values by name, in the order of the file.
template <typename T>
using ByName = std::vector<std::pair<std::string, T>>;

/// A force and a moment on a link.
struct LoadDescription {
  std::string link = {};                             ///< its name
  double at = 1.0;                                   ///< where, as fraction of its beam; 1 on rigid links
  Axes frame = Axes::world;                          ///< axes of force and moment
  Eigen::Vector3d force = Eigen::Vector3d::Zero();   ///< [N]
  Eigen::Vector3d moment = Eigen::Vector3d::Zero();  ///< [N m]
  Eigen::Vector3d offset = Eigen::Vector3d::Zero();  ///< from `at`, in the section's axes
  std::optional<double> from = {};                   ///< when it begins [s]; none: the start
  std::optional<double> to = {};                     ///< when it ends [s]; none: the end
  std::optional<TargetDescription> factor = {};      ///< multiplies force and moment
  std::string interface = {};  ///< `at` by name: of an interface of its body; empty: a fraction
  std::optional<Eigen::Vector2d> thermal_curvature =
      {};                                 ///< kappa_y, kappa_z of the free beam [1/m], all along it
  std::optional<double> pretension = {};  ///< of a tendon from root to tip at y, z of `offset` [N]
  bool straight = false;                  ///< whether that is strung straight; else the beam guides it
};

/// Where the arm starts, by names of coordinates; what is absent is zero.
struct InitialDescription {
  ByName<double> q = {};      ///< positions [rad or m]
  ByName<double> v = {};      ///< velocities [rad/s or m/s]
  ByName<double> q_deg = {};  ///< angles of joints, in degrees
  ByName<double> v_deg = {};  ///< their rates, in degrees per second
  /// Start in static equilibrium: passive joints where their springs hold them, all others where q says.
  bool settle = false;
  std::vector<std::string> hold = {};  ///< joints that are held although they have a spring; or `all`
};

/// What the result holds.
struct OutputDescription {
  double rate = 100.0;                ///< rows per second
  bool wrenches = true;               ///< forces and moments in all joints
  bool interaction_wrenches = false;  ///< the same as by links on their parents, without what motors do
  int shape_points = 20;              ///< of each deflected beam; 0: none
  bool section_forces = false;        ///< forces and moments along all beams, and stress
  int section_points = 21;            ///< of each beam, from root to tip: where they are recorded
};

/// When a run ends before its duration: where what a sensor looks at (without its delay, noise and quantum) comes to a value.
struct StopDescription {
  std::string sensor = {};           ///< its name
  std::optional<double> below = {};  ///< the value from which on it is below; exactly one of the two
  std::optional<double> above = {};  ///< ... or above
};

/// How an observer finds the state.
enum class ObserverMethod {
  ekf,  ///< extended Kalman filter
  ukf   ///< unscented Kalman filter
};

/// A filter on the arm's own equations, through which all controllers see the state (estimation/observer.hpp). Deviations are those of the start.
struct ObserverDescription {
  ObserverMethod method = ObserverMethod::ekf;  ///< the filter
  double rate = 0.0;                            ///< samples per second, > 0: controllers are asked then
  std::vector<std::string> sensors = {};        ///< what it sees, by name; none: all sensors
  double process_noise =
      0.0;  ///< spectral density of efforts in joints that it does not know of [(N m)^2 s or N^2 s]
  double position_deviation = 0.01;  ///< of each joint's position: standard deviation [rad or m]
  double velocity_deviation = 0.01;  ///< of each joint's velocity [rad/s or m/s]
  double elastic_deviation = 1e-3;   ///< of elastic coordinates; of their rates ten times that
  double step = 1e-3;                ///< longest step of the arm that it follows [s]
};

/// What a run does where its closed loops come to a singular configuration, from which on more than one motion is possible.
enum class AtSingular {
  stop,  ///< ends there, and says which freedoms appear
  pass   ///< goes on along the branch on which it came, and says so
};

/// A scenario file.
struct ScenarioDescription {
  ModelDescription model;       ///< the arm
  std::string model_file = {};  ///< empty: the model stands in the scenario itself
  FormulationKind formulation = FormulationKind::recursive;  ///< which equations of motion
  bool consistent = false;                  ///< dual-screw: with the second-order part of the local screws
  std::vector<std::string> nonlinear = {};  ///< dual-screw: links and elastic states that are not truncated
  bool definite = false;                    ///< dual-screw: with the square that keeps M positive definite
  bool generated = false;                   ///< dual-screw: as code made for this arm
  double body_frame = 0.0;     ///< dae: where the frames of links that bend ride, as fraction of each beam
  InitialDescription initial;  ///< where the arm starts
  std::vector<ActuationDescription> actuation;  ///< what drives the joints
  ByName<TrajectoryDescription> trajectories;   ///< functions of time
  std::vector<LoadDescription> loads;           ///< forces on links
  std::vector<SensorDescription> sensors;       ///< instruments on the arm
  std::optional<ObserverDescription> observer;  ///< through which controllers see the state; none: as it is
  std::optional<StopDescription> stop_when;     ///< what ends the run before its duration
  AtSingular singular = AtSingular::stop;       ///< of closed loops
  IntegratorDescription integrator;             ///< how to integrate
  double duration = 0.0;                        ///< how long [s]
  OutputDescription output;                     ///< what the result holds
};

}  // namespace limber
