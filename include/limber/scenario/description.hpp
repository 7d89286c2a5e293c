#pragma once

// A scenario as its author writes it: an arm, where it starts, what moves it, how to integrate. Plain data with
// the names of the scenario file; check.hpp says what is wrong with it, simulation runs it.

#include <Eigen/Core>
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "limber/model/description.hpp"

namespace limber {

/// Values by name, in the order of the file.
template <typename T>
using ByName = std::vector<std::pair<std::string, T>>;

enum class TrajectoryType { steps, quintic, cycloidal, trapezoidal, spin_up, table, constant, sum, shaped };
enum class Shaper { zv, zvd };

/// A function of time. Which members it needs depends on its type (trajectory.hpp).
struct TrajectoryDescription {
  TrajectoryType type = TrajectoryType::constant;
  std::vector<Eigen::Vector2d> points = {};  ///< steps: [time, value]
  std::optional<double> value = {};          ///< constant
  std::optional<double> from = {};
  std::optional<double> to = {};
  std::optional<double> start = {};
  std::optional<double> duration = {};
  std::optional<double> rate = {};
  std::optional<double> period = {};
  std::optional<double> velocity = {};
  std::optional<double> acceleration = {};
  std::vector<double> times = {};  ///< table
  std::vector<double> values = {};
  std::optional<std::string> file = {};  ///< table: what times and values were read from
  std::vector<std::string> of = {};      ///< sum: several; shaped: one
  Shaper shaper = Shaper::zv;
  int modes = 1;                            ///< shaped: how many of the arm's own frequencies
  std::vector<double> frequencies_hz = {};  ///< shaped: these instead of the arm's own
  double damping_ratio = 0.0;               ///< shaped: of those frequencies
};

/// What a controller follows: a trajectory, or a constant.
struct TargetDescription {
  std::optional<std::string> trajectory = {};
  std::optional<double> value = {};
};

enum class ActuationType { torque, pd, computed_torque, rigid_inverse_dynamics, lqr, prescribed };
enum class GravityCompensation { none, target, measured };

struct ActuationDescription {
  std::string joint = {};  ///< a joint, one coordinate of it, or `all`
  ActuationType type = ActuationType::torque;
  std::optional<TargetDescription> target = {};
  std::optional<TargetDescription> signal = {};
  std::optional<double> kp = {};
  std::optional<double> kd = {};
  GravityCompensation gravity_compensation = GravityCompensation::none;
  std::optional<double> position_weight = {};
  std::optional<double> energy_weight = {};
  std::optional<double> effort_weight = {};
  bool integral = false;
};

enum class LoadFrame { world, body, section };

struct LoadDescription {
  std::string link = {};
  double at = 1.0;
  LoadFrame frame = LoadFrame::world;
  Eigen::Vector3d force = Eigen::Vector3d::Zero();
  Eigen::Vector3d moment = Eigen::Vector3d::Zero();
  Eigen::Vector3d offset = Eigen::Vector3d::Zero();  ///< from `at`, in the section's axes
  std::optional<double> from = {};
  std::optional<double> to = {};
  std::optional<TargetDescription> factor = {};  ///< multiplies force and moment
};

struct InitialDescription {
  ByName<double> q = {};
  ByName<double> v = {};
  ByName<double> q_deg = {};  ///< angles of joints, in degrees
  ByName<double> v_deg = {};
  bool settle = false;
  std::vector<std::string> hold = {};  ///< joints that are held although they have a spring; or `all`
};

enum class IntegrationMethod {
  automatic,
  radau,
  radau9,
  bdf,
  ida,
  adams,
  erk,
  rk4,
  rkmk4,
  generalized_alpha,
  euler
};

/// What keeps joints together where every link has a pose of its own (rkmk4).
enum class ConstraintCorrection { projection, baumgarte, none };

struct IntegratorDescription {
  IntegrationMethod method = IntegrationMethod::automatic;
  double rtol = 1e-6;
  double atol = 1e-9;
  std::optional<double> step = {};             ///< of the methods with fixed steps
  std::optional<double> max_step = {};         ///< of the others
  std::optional<double> spectral_radius = {};  ///< generalized-alpha: of infinitely fast modes
  ConstraintCorrection constraints = ConstraintCorrection::projection;  ///< rkmk4
};

struct OutputDescription {
  double rate = 100.0;
  bool wrenches = true;
  int shape_points = 20;
};

struct ScenarioDescription {
  ModelDescription model;
  std::string model_file = {};  ///< empty: the model stands in the scenario itself
  std::string formulation = "recursive";
  bool consistent = false;                  ///< dual-screw: with the second-order part of the local screws
  std::vector<std::string> nonlinear = {};  ///< dual-screw: links whose elastic states are not truncated
  InitialDescription initial;
  std::vector<ActuationDescription> actuation;
  ByName<TrajectoryDescription> trajectories;
  std::vector<LoadDescription> loads;
  IntegratorDescription integrator;
  double duration = 0.0;
  OutputDescription output;
};

}  // namespace limber
