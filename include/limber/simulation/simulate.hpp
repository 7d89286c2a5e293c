// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Runs a scenario: integrates, samples, keeps the energy ledger, and hands everything on as it comes.

#include <cmath>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "limber/core/export.hpp"
#include "limber/math/eigen.hpp"
#include "limber/simulation/integrator.hpp"
#include "limber/simulation/scenario.hpp"

namespace limber LIMBER_EXPORT {

/// Where the energy went [J].
struct Ledger {
  double kinetic = 0.0;         ///< of the arm, armatures included
  double gravity = 0.0;         ///< of weight
  double strain = 0.0;          ///< of beams and joint springs
  double work_actuators = 0.0;  ///< since the start
  double work_loads = 0.0;      ///< since the start
  double dissipated = 0.0;      ///< by joints' and beams' damping and by friction, since the start
  double error = 0.0;           ///< change of energy - work + dissipated: what integration made or lost
  double friction = 0.0;        ///< what friction of joints took, since the start: a part of `dissipated`

  /// Energy of the arm.
  double stored() const { return kinetic + gravity + strain; }
};

/// One row of a result.
struct Sample {
  double t = 0.0;                ///< [s]
  Eigen::VectorXd q, v;          ///< nq numbers, nv numbers
  Eigen::VectorXd efforts;       ///< nv; zero in elastic rows
  Eigen::VectorXd asked;         ///< nv: what controllers ask for, before limits
  Eigen::VectorXd references;    ///< positions that joint_targets() ask for
  Eigen::VectorXd acceleration;  ///< nv
  Eigen::VectorXd power;         ///< nv: of the motors [W]; zero in elastic rows
  Eigen::VectorXd friction;  ///< nv: of joints, against their motion; of those that stick, what holds them
  Eigen::VectorXd sensors;   ///< what the scenario's instruments show
  /// Of every joint, as DynamicsOutput's [N, N m]; none where the output does not ask for them.
  std::vector<Wrench> wrenches;
  /// Of every joint, as LinkByLink::interaction_wrench; none where the output does not ask for them.
  std::vector<Wrench> interaction_wrenches;
  std::vector<LoopForce> loops;          ///< of every closed loop, by its place a on b, in the world's axes
  std::vector<CylinderState> cylinders;  ///< of every cylinder: length, rate and force
  Eigen::Vector3d end_effector_position = Eigen::Vector3d::Zero();    ///< in the world [m]
  Eigen::Vector4d end_effector_quaternion = Eigen::Vector4d::Zero();  ///< (x, y, z, w)
  Ledger ledger;                                                      ///< at that time
  /// N, Vy, Vz, T, My, Mz [N, N m] at equal distances on each link with a beam; none where the output does not ask for them.
  Eigen::VectorXd section_forces;
  Eigen::VectorXd stress;  ///< von Mises [Pa], likewise, of beams whose sections are given by geometry
};

/// An extreme value that occurred, and when.
struct Peak {
  double value = 0.0;  ///< how large
  double time = 0.0;   ///< [s]
  /// Keeps the larger one.
  void note(double candidate, double t) {
    if (candidate > value) *this = {candidate, t};
  }
  /// Keeps the smaller one.
  void note_lower(double candidate, double t) {
    if (candidate < value) *this = {candidate, t};
  }
  /// Keeps the one farther from zero, with its sign.
  void note_magnitude(double candidate, double t) {
    if (std::abs(candidate) > std::abs(value)) *this = {candidate, t};
  }
};

/// The largest values of a run so far. `of nv`: numbers of cylinders stand behind those of coordinates.
struct RunPeaks {
  std::vector<Peak> deviation;   ///< of nv: |target - q| of joints that have one
  std::vector<Peak> effort;      ///< of nv
  std::vector<Peak> asked;       ///< of nv: effort that was asked for, before limits; with its sign
  std::vector<Peak> rate;        ///< of nv: |v|
  std::vector<Peak> lowest;      ///< of nv: position; 0 where the joint has a quaternion
  std::vector<Peak> highest;     ///< of nv: position; 0 where the joint has a quaternion
  std::vector<Peak> deflection;  ///< of links: of the tip, across the beam [m]
  std::vector<Peak> slope;       ///< of links: angle by which the tip turns [rad]
  /// Of links as described: of the tip over all segments [m]. Empty where no link is in segments: `deflection` is it.
  std::vector<Peak> whole_deflection;
  std::vector<Peak> whole_slope;  ///< likewise [rad]
  /// Of links, six each, farthest from zero and with their signs: N, Vy, Vz, T, My, Mz of any section [N, N m]. None where nobody asks for
  /// section forces: neither the output nor a beam's strength.
  std::vector<Peak> section_forces;
  std::vector<Peak> stress;  ///< of links: von Mises at the outer fibres [Pa]; likewise
};

/// What a link as its author wrote it has reached.
struct LinkPeaks {
  std::string name;  ///< as described
  Peak deflection;   ///< of its tip, across the beam [m]
  Peak slope;        ///< angle by which its tip turns [rad]
};
/// Of links that bend, as described. Empty of a run without rows.
std::vector<LinkPeaks> link_peaks(const Model& model, const RunPeaks& peaks);

/// All that a run needs to go on from, besides its scenario.
struct Checkpoint {
  IntegratorState integrator;    ///< from which it goes on
  Ledger start;                  ///< energies at t = 0
  double largest_error = 0.0;    ///< of the ledger so far
  double energy_size = 0.0;      ///< largest energy, work or dissipation so far
  RunPeaks peaks;                ///< so far
  std::vector<double> readings;  ///< samples of instruments that can still be seen (Readings::state)
  std::vector<std::string>
      notes;      ///< what its user should know of what happened: singular configurations that it passed
  long rows = 0;  ///< samples that were handed on
  long steps = 0, rejected = 0, evaluations = 0, tangents = 0;  ///< of all runs up to here
  double wall_s = 0.0;                                          ///< seconds of computing so far
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
  /// Before anything else: the method that is taken, and, where it was not asked for, why.
  virtual void begin(const MethodChoice&) {}
  /// One row; rows come in the order of time. The sample is valid during the call only.
  virtual void add(const Sample& sample) = 0;
  /// After every step; all samples up to its time have been added.
  virtual void step(const Checkpoint&) {}
};

/// How far a run is.
struct Progress {
  double t;         ///< [s] that was reached
  double duration;  ///< [s] of the scenario
  double wall_s;    ///< seconds of computing
  long steps;       ///< of the integrator
};

/// What a run can be asked for besides.
struct RunOptions {
  std::optional<Checkpoint> resume = {};  ///< goes on from there; none: from the start
  /// Called after every step; false stops the run in good order.
  std::function<bool(const Progress&)> progress = {};
  /// Where sentences about choices and doubts go.
  std::function<void(const std::string&)> log = {};
  bool sample = true;               ///< false: integrate only, for measurements
  Checkpoint* last_good = nullptr;  ///< where a run that throws leaves what it had reached
};

/// How a run ended.
struct RunSummary {
  std::string integrator;                     ///< the method's name
  std::string reason;                         ///< why `auto` took it; empty where it was asked for
  Checkpoint last;                            ///< to go on from
  Ledger ledger;                              ///< at the end
  double end = 0.0;                           ///< time that was reached
  bool finished = true;                       ///< false: stopped by `progress`
  double wall_s = 0.0;                        ///< of this run, without those that it continues
  double real_time_factor = 0.0;              ///< simulated seconds per second of computing
  Eigen::VectorXd q, v;                       ///< at the end
  bool ledger_is_off = false;                 ///< see limber::ledger_is_off
  std::vector<Occurrence> occurrences = {};   ///< what was watched, and has happened
  std::optional<Occurrence> stopped_by = {};  ///< what ended the run before its duration; none: nothing did
  std::vector<std::string> doubts = {};       ///< the formulation's own (Formulation::doubts)
  /// By how much joints have come apart at most.
  struct ConstraintViolation {
    double position = 0.0;  ///< [m]
    double rotation = 0.0;  ///< [rad]
  };
  std::optional<ConstraintViolation> constraint_violation =
      {};  ///< none where joint coordinates are the state
};

/// Throws ComputationError where the motion diverges or the integrator gives up; the message says when, which
/// coordinate, and what to try. What was handed to `sink` before stays valid.
RunSummary simulate(Scenario& scenario, ResultSink* sink = nullptr, const RunOptions& options = {});

/// What left the range in which the model is right, as sentences (analysis/range.hpp).
std::vector<std::string> range_warnings(const Scenario& scenario, const RunPeaks& peaks);

}  // namespace limber
