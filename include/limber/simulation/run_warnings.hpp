// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What somebody should know about a scenario before it runs, and about a run: as sentences, each with the joint or link,
// the value, the limit and the time.

#include <string>
#include <vector>

#include "limber/core/export.hpp"
#include "limber/simulation/simulate.hpp"

namespace limber LIMBER_EXPORT {

/// Starts and targets beyond limits, numbers that look like degrees, gains that look like another unit.
std::vector<std::string> scenario_warnings(const Scenario& scenario);

/// Notes, row by row, by how much joints pass their limits; hands everything on to another sink.
class LimitWatch : public ResultSink {
 public:
  /// The scenario, and `next` (none: nobody), must outlive it. Rows that a result already has are noted by note_stored().
  explicit LimitWatch(Scenario& scenario, ResultSink* next = nullptr);
  void begin(const MethodChoice& choice) override;
  void add(const Sample& sample) override;
  void step(const Checkpoint& checkpoint) override;
  /// One row: positions (nq), velocities and efforts (nv). What controllers asked for there is not stored: they are asked
  /// again, unless that depends on what they remembered.
  void note_stored(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                   const Eigen::VectorXd& efforts);

  /// Whether any joint has limits.
  bool has_limits() const { return !watched_.empty(); }
  /// One sentence for each limit that was passed: by how much at most, and when.
  std::vector<std::string> warnings() const;

 private:
  /// The value that broke a limit by most.
  struct Worst {
    double value = 0.0, excess = 0.0, time = 0.0;
  };
  /// Of one coordinate of a joint.
  struct Watched {
    const JointLimits* limits;
    int coordinate, position;
    Worst high, low, rate, effort;
  };

  void note(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v, const Eigen::VectorXd& efforts,
            const Eigen::VectorXd& asked);

  Scenario& scenario_;
  ResultSink* next_;
  std::vector<Watched> watched_;
};

/// By how much the ledger is off, and what to do about it; `integrator`: the method's name.
std::string ledger_warning(const Checkpoint& reached, const std::string& integrator);

/// Everything about a run: scenario_warnings, what the watch saw, the range of the model (range_warnings), doubts of the
/// formulation, the energy ledger.
std::vector<std::string> run_warnings(const Scenario& scenario, const Checkpoint& reached,
                                      const LimitWatch& watch, const std::vector<std::string>& doubts = {});

}  // namespace limber
