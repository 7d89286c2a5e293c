#pragma once

// A scenario that is ready to run. build_scenario makes it from a description; in C++ it can also be put together, or
// changed, by hand: add controllers of your own to `controllers` before you simulate.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "limber/algorithms/forward_dynamics.hpp"
#include "limber/formulations/formulation.hpp"
#include "limber/scenario/description.hpp"
#include "limber/simulation/controller.hpp"

namespace limber {

/// A load that begins, ends, and changes.
struct TimedLoad {
  ExternalWrench wrench;
  std::optional<double> from = {};
  std::optional<double> to = {};
  TrajectoryPointer factor = nullptr;  ///< none: 1

  bool is_active(double within) const { return !(from && within < *from) && !(to && within > *to); }
};

struct Scenario {
  Model model;
  FormulationKind formulation = FormulationKind::recursive;
  FormulationOptions formulation_options;
  Eigen::VectorXd q, v;  ///< at the start; of prescribed joints their trajectory's
  std::vector<std::unique_ptr<Controller>> controllers;
  std::vector<JointTarget> prescribed;
  std::vector<TimedLoad> loads;
  IntegratorDescription integrator;
  double duration = 0.0;
  OutputDescription output;
};

/// Numbers that all controllers remember.
int memory_size(const Scenario& scenario);

/// Looks up names, makes trajectories and controllers, settles the arm where the description asks for it. `model` is
/// what the description's model was built to. Throws InputError (what check() finds) or ComputationError (no
/// equilibrium, no LQR gains).
Scenario build_scenario(const ScenarioDescription& description, Model model);

}  // namespace limber
