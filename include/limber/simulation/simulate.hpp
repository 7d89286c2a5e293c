#pragma once

// Runs a scenario: integrates, samples, keeps the energy ledger, and hands everything on as it comes.

#include <Eigen/Core>
#include <cmath>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "limber/simulation/integrator.hpp"
#include "limber/simulation/scenario.hpp"

namespace limber {

/// Where the energy went [J].
struct Ledger {
  double kinetic = 0.0;
  double gravity = 0.0;
  double strain = 0.0;
  double work_actuators = 0.0;
  double work_loads = 0.0;
  double dissipated = 0.0;
  double error = 0.0;  ///< change of energy - work + dissipated: what integration made or lost

  double stored() const { return kinetic + gravity + strain; }
};

/// One row of a result.
struct Sample {
  double t = 0.0;
  Eigen::VectorXd q, v;
  Eigen::VectorXd efforts;  ///< nv; zero in elastic rows
  Eigen::VectorXd asked;    ///< nv: what controllers ask for, before limits
  std::vector<Eigen::Matrix<double, 6, 1>> wrenches;
  Eigen::Vector3d end_effector_position = Eigen::Vector3d::Zero();
  Eigen::Vector4d end_effector_quaternion = Eigen::Vector4d::Zero();  ///< (x, y, z, w)
  Ledger ledger;
  Eigen::VectorXd shapes;  ///< links x points x 3: the deflected axes in the world
};

/// The largest value that occurred, and when.
struct Peak {
  double value = 0.0;
  double time = 0.0;
  void note(double candidate, double t) {
    if (candidate > value) *this = {candidate, t};
  }
};

struct RunPeaks {
  std::vector<Peak> deviation;   ///< of nv: |target - q| of joints that have one
  std::vector<Peak> effort;      ///< of nv
  std::vector<Peak> rate;        ///< of nv: |v|
  std::vector<Peak> deflection;  ///< of links: of the tip, across the beam [m]
  std::vector<Peak> slope;       ///< of links: angle by which the tip turns [rad]
};

/// All that a run needs to go on from, besides its scenario.
struct Checkpoint {
  IntegratorState integrator;
  Ledger start;                ///< energies at t = 0
  double largest_error = 0.0;  ///< of the ledger so far
  double energy_size = 0.0;    ///< largest energy, work or dissipation so far
  RunPeaks peaks;
  long rows = 0;  ///< samples that were handed on
  long steps = 0, rejected = 0, evaluations = 0, tangents = 0;
  double wall_s = 0.0;
};

/// Whether the ledger is off by more than a thousandth of the energy that moved. Where next to nothing moves, what is left
/// is rounding of the energies themselves, and no alarm.
inline bool ledger_is_off(const Checkpoint& checkpoint) {
  constexpr double tolerated = 1e-3, rounding = 1e-12, least = 1e-18;  // of the energy; J
  const Ledger& start = checkpoint.start;
  const double stored = std::abs(start.kinetic) + std::abs(start.gravity) + std::abs(start.strain);
  return checkpoint.largest_error > tolerated * checkpoint.energy_size + rounding * stored + least;
}

/// Takes what a run produces.
class ResultSink {
 public:
  virtual ~ResultSink() = default;
  virtual void add(const Sample& sample) = 0;
  /// After every step; all samples up to its time have been added.
  virtual void step(const Checkpoint&) {}
};

struct Progress {
  double t;
  double duration;
  double wall_s;
  long steps;
};

struct RunOptions {
  std::optional<Checkpoint> resume = {};
  /// Called after every step; false stops the run in good order.
  std::function<bool(const Progress&)> progress = {};
  /// Where sentences about choices and doubts go.
  std::function<void(const std::string&)> log = {};
  bool sample = true;               ///< false: integrate only, for measurements
  Checkpoint* last_good = nullptr;  ///< where a run that throws leaves what it had reached
};

struct RunSummary {
  std::string integrator;
  std::string reason;  ///< why `auto` took it; empty where it was asked for
  Checkpoint last;
  Ledger ledger;         ///< at the end
  double end = 0.0;      ///< time that was reached
  bool finished = true;  ///< false: stopped by `progress`
  double wall_s = 0.0;   ///< of this run, without those that it continues
  double real_time_factor = 0.0;
  Eigen::VectorXd q, v;  ///< at the end
  bool ledger_is_off = false;
  std::vector<std::string> doubts = {};  ///< the formulation's own (Formulation::doubts)
  /// By how much joints have come apart at most [m, rad]; none where joint coordinates are the state.
  struct Apart {
    double gap = 0.0, twist = 0.0;
  };
  std::optional<Apart> apart = {};
};

/// Throws ComputationError where the motion diverges or the integrator gives up; the message says when, which
/// coordinate, and what to try. What was handed to `sink` before stays valid.
RunSummary simulate(Scenario& scenario, ResultSink* sink = nullptr, const RunOptions& options = {});

/// What left the range in which the model is right, as sentences (analysis/range.hpp).
std::vector<std::string> range_warnings(const Scenario& scenario, const RunPeaks& peaks);

}  // namespace limber
