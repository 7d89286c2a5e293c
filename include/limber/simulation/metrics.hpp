// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What a motion was worth, in numbers that compare runs. All of them follow from the rows of a result, and can be computed from it again:
//
//   way of a point          distance from where it is in the first row to where it is in the last
//   settling time           time of the last row in which it is farther than 1 % of its way from where it is in the last
//   residual vibration      largest over x, y, z of (largest - smallest) over all rows from when the last target ends
//   overshoot of a joint    by how much it goes beyond the last value of its target, in the direction of its way
//   RMS effort              sqrt(1/T Int effort^2 dt), by the trapezoidal rule
//   energy of a joint       Int |effort v| dt, likewise: what a motor turns over that gives nothing back
//   utilisation of a beam   largest von Mises stress of its sections over its strength: 1 is at it (docs/stress.md)
//   damage of a beam        Miner's sum of its root's normal stress, counted by rainflow, at the fibre where it is largest (analysis/fatigue.hpp)
//   utilisation of a joint  largest of |effort|/limit, |speed|/limit, and |position - middle|/(half of its range) where it has both ends: 1 is at a limit

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "limber/analysis/fatigue.hpp"
#include "limber/analysis/stress.hpp"
#include "limber/core/export.hpp"
#include "limber/simulation/simulate.hpp"

namespace limber LIMBER_EXPORT {

/// Of one coordinate of a joint. None: it has no target, no way, or no such limit.
struct JointMetrics {
  std::string name;                            ///< of the coordinate
  std::optional<double> overshoot;             ///< [rad or m]; of joints with a target
  std::optional<double> settling_time;         ///< [s]; of joints with a target
  double peak_effort = 0.0, rms_effort = 0.0;  ///< [N m or N]
  double energy = 0.0;                         ///< [J]
  std::optional<double> position_margin;       ///< least distance from a limit [rad or m]; negative: beyond
  std::optional<double> velocity_margin;       ///< limit less largest speed [rad/s or m/s]
  std::optional<double> effort_margin;         ///< limit less largest effort [N m or N]
  std::optional<double> utilisation;  ///< largest share of any of its limits; beyond 1: it was passed
};

/// Of one beam, where its sections are given by geometry.
struct BeamMetrics {
  std::string link;                   ///< its name
  double largest_stress = 0.0;        ///< von Mises [Pa]
  double time = 0.0;                  ///< of it [s]
  std::optional<double> utilisation;  ///< largest stress over strength; none: it has no strength
  std::optional<double>
      damage;  ///< Miner's sum of the run; none: it has no sn_curve, or section forces were not recorded
  std::optional<double> largest_range;  ///< of the root's normal stress, at the fibre with that damage [Pa]
};

/// Of a run.
struct RunMetrics {
  std::optional<double> settling_time;  ///< of the end effector [s]; none: it has no way
  std::optional<double>
      residual_vibration;  ///< of the end effector [m]; none: targets do not end before the run
  std::optional<double>
      largest_utilisation;  ///< of any joint or beam; none: no joint has limits, no beam strength
  std::optional<double>
      targets_end;      ///< when all targets and signals have come to rest [s]; none: some do not
  double way = 0.0;     ///< of the end effector [m]
  double energy = 0.0;  ///< of all joints [J]
  std::vector<JointMetrics> joints;                                ///< in the order of v
  std::vector<std::pair<std::string, double>> largest_deflection;  ///< of links that bend, of their tips [m]
  std::vector<BeamMetrics> beams;  ///< of those with a stress; none where nobody asked for it

  /// All of them by name (`settling_time`, `joints.shoulder.rms_effort`), in one order; what is none is left out.
  std::vector<std::pair<std::string, double>> named() const;
};

/// Sums up rows as they come, and hands them on to another sink. It remembers where end effector and joints were: 8 bytes for each number and row.
class MetricsRecorder : public ResultSink {
 public:
  /// Rows go on to `next` (none: nobody) as they come. Rows that a result already has are noted by note().
  explicit MetricsRecorder(const Scenario& scenario, ResultSink* next = nullptr);
  void begin(const MethodChoice& choice) override;
  void add(const Sample& sample) override;
  void step(const Checkpoint& checkpoint) override;
  /// One row: positions (nq), velocities and efforts (nv), and where the end effector is.
  void note(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v, const Eigen::VectorXd& efforts,
            const Eigen::Vector3d& end_effector);
  /// Section forces of the same row (Sample::section_forces): what fatigue is counted from. Rows without any are left out.
  void note_sections(const Input<double>& section_forces);

  /// Of all rows up to now; deflections are those of the checkpoint's peaks.
  RunMetrics metrics(const RunPeaks& peaks) const;

 private:
  struct Watched {
    const JointLimits* limits;
    int coordinate, position;  ///< in v, in q; position -1: a quaternion's
    TrajectoryPointer target;  ///< none: it has none
    double peak_effort = 0.0, effort_squared = 0.0, energy = 0.0, peak_speed = 0.0;
    double lowest = 0.0, highest = 0.0;
    std::vector<double> positions = {};  ///< of rows, where it has a target
  };

  /// A beam with an sn_curve: cycles of each fibre of its root.
  struct Fatigue {
    int link;
    Eigen::Index first;  ///< its root's six numbers in section_forces
    SnCurveDescription curve;
    StressFactors root;
    std::vector<Rainflow> counters = {};  ///< of root.fibres
    std::vector<double> damage = {}, largest_range = {};
  };

  void finish_beams(const RunPeaks& peaks, RunMetrics& all) const;
  std::optional<double> settling_time(const std::vector<double>& distances, double way) const;
  static std::optional<double> utilisation(const Watched& joint);
  void finish_joint(const Watched& joint, JointMetrics& metrics) const;

  Model model_;  ///< shared: its limits are watched
  ResultSink* next_;
  double targets_end_ = 0.0;
  std::vector<Watched> watched_;
  std::vector<double> times_;
  std::vector<Eigen::Vector3d> path_;
  Eigen::Vector3d lowest_, highest_;  ///< of the path since targets_end_
  Eigen::VectorXd last_v_, last_efforts_;
  std::vector<Fatigue> fatigue_;
  std::vector<StressCycle> closed_;  ///< scratch
};

}  // namespace limber
