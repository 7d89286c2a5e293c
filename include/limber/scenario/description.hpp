#pragma once

// A scenario as its author writes it: an arm, where it starts, what moves it, how to integrate. Plain data with
// the names of the scenario file; check.hpp says what is wrong with it, simulation runs it.

#include <Eigen/Core>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "limber/model/description.hpp"
#include "limber/model/formulation_kind.hpp"
#include "limber/scenario/actuation_types.hpp"
#include "limber/scenario/integrator_types.hpp"
#include "limber/scenario/trajectory_types.hpp"

namespace limber {

/// Values by name, in the order of the file.
template <typename T>
using ByName = std::vector<std::pair<std::string, T>>;

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

struct OutputDescription {
  double rate = 100.0;
  bool wrenches = true;
  int shape_points = 20;
};

struct ScenarioDescription {
  ModelDescription model;
  std::string model_file = {};  ///< empty: the model stands in the scenario itself
  FormulationKind formulation = FormulationKind::recursive;
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
