// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What drives the arm of a scenario: controllers, what they remember, hold and see, efforts from outside, and what switches make of all that.
//
// Numbers that continuous controllers remember, x, are integrated along with the motion, and come with each Instant. What sampled ones remember and
// hold is constant between samples, and is kept here (`samples`), as is what sensors showed last.

#include <memory>
#include <optional>
#include <vector>

#include "limber/algorithms/measurement.hpp"
#include "limber/algorithms/struts.hpp"
#include "limber/core/export.hpp"
#include "limber/simulation/detail/timetable.hpp"
#include "limber/simulation/switch.hpp"

namespace limber LIMBER_EXPORT {
namespace detail {

/// What continuous controllers remember, x, and the motion mean for each other, to first order at a state. n: nv, m: numbers in x.
struct MemorySlopes {
  Eigen::MatrixXd force;  ///< n x m: of generalised forces by x
  Eigen::MatrixXd dq, dv,
      dx;  ///< m x n, m x n, m x m: of the rates of x by displacements along v's components, by v and by x
};

class Inputs {
 public:
  /// The scenario must outlive it.
  explicit Inputs(const Scenario& scenario);

  // ---- what controllers remember ----

  /// Numbers in x.
  int memory_size() const { return memory_at_.back(); }
  /// What sampled controllers remember and hold.
  const Eigen::VectorXd& samples() const { return samples_; }
  void set_samples(const Eigen::VectorXd& samples) { samples_ = samples; }
  /// Asks those sampled controllers whose sample falls on now.t; times that differ by less than `resolution` are one.
  void sample(const Instant& now, double resolution);

  // ---- what they see ----

  /// Whether any controller looks at any sensor.
  bool look_at_sensors() const { return !looked_at_.empty(); }
  /// From now on sensors show this, of all sensors of the scenario. Those that are seen all the time follow the motion.
  void show(const Input<double>& readings);
  const Eigen::VectorXd& shown() const { return measured_; }
  void set_shown(const Eigen::VectorXd& shown);
  /// When readings arrive that continuous controllers look at, and hold in between.
  const std::vector<Grid>& arrivals() const { return arrivals_; }

  // ---- what they ask for, in an Instant with x of all controllers ----

  /// Efforts from outside (nv), asked for besides those of controllers.
  void set_from_outside(const Input<double>& efforts) { from_outside_ = efforts; }
  const Eigen::VectorXd& from_outside() const { return from_outside_; }
  /// Finds asked().
  Situation ask(const Instant& now);
  /// Finds asked(), and memory_rate().
  void find_memory_rate(const Instant& now);
  /// Finds asked(), memory_rate() and efforts(), which are what switches make of them, or what oil presses.
  void find_efforts(const Instant& now);
  /// nv: before limits; forces of cylinders, or openings of their valves, behind.
  const Eigen::VectorXd& asked() const { return asked_; }
  /// nv: rows of joints; forces of cylinders behind.
  Eigen::VectorXd& efforts() { return efforts_; }
  /// Efforts as they are shown (Switch::show_efforts).
  void show_efforts();
  /// Pressures into the states of cylinders with chambers.
  void show_pressures(const Instant& now, std::vector<CylinderState>& cylinders) const;
  /// Of the first number of x that is a pressure; those of chambers are the last.
  int pressures_at() const { return memory_size() - 2 * static_cast<int>(oil_.size()); }
  /// Of x.
  const Eigen::VectorXd& memory_rate() const { return memory_rate_; }
  /// -d efforts/dq and -d efforts/dv of all controllers (nv x nv); `limited`: at its limit an effort does not follow what is asked for.
  void find_gains(const Instant& now, bool limited);
  const Eigen::MatrixXd& gains_q() const { return gains_q_; }
  const Eigen::MatrixXd& gains_v() const { return gains_v_; }
  /// What the gains of cylinders' forces mean for generalised forces, at the same moment (nv x nv); empty where there are no cylinders.
  const Eigen::MatrixXd& drive_gains_q() const { return drive_gains_q_; }
  const Eigen::MatrixXd& drive_gains_v() const { return drive_gains_v_; }
  /// By differences: controllers give no such derivatives. `force` is of efforts here, as switches let them through.
  void find_memory_slopes(const Instant& now, MemorySlopes& slopes);

  // ---- switches ----

  std::vector<std::unique_ptr<Switch>>& switches() { return switches_; }
  const std::vector<std::unique_ptr<Switch>>& switches() const { return switches_; }

 private:
  /// A controller that is asked at its samples only.
  struct Sampled {
    Controller* controller;
    Grid when;
    int at;           ///< in samples_: what it remembers, then the efforts that it holds
    int memory_size;  ///< of what it remembers
    bool is_due;      ///< at the sample that is being taken
    int efforts() const { return at + memory_size; }
  };
  /// One that is asked all the time.
  struct Continuous {
    Controller* controller;
    int at, memory_size;  ///< its part of x
    bool awaits_reading;  ///< looks at a sensor that holds its samples: without any, it is not asked
  };
  /// A cylinder with chambers.
  struct Oil {
    int cylinder, at;         ///< index; of its pressures in x
    int coordinate;           ///< of its valve's opening in asked_, of its force in efforts_
    std::size_t limit, side;  ///< of its valve in switches_
  };
  void add_controllers();
  void add_oil();
  void find_pressure_rates(const Situation& situation);
  void add_sensors();
  void look(const Instant& now);
  Instant seen(const Instant& now, Eigen::Map<const Eigen::VectorXd> x);
  void see_cylinders(const Instant& now);
  void map_gains(const Instant& now);
  void note_limits(const Situation& situation);
  void find_memory_rate(const Situation& situation);
  void add_sensor_gains(const Instant& now);
  template <typename Visitor>
  void each_controller(const Instant& now, Visitor&& visitor);

  const Scenario& scenario_;
  std::vector<int> memory_at_;  ///< of each controller: where its part of x begins; last the size of x
  std::vector<Sampled> sampled_;
  std::vector<Continuous> continuous_;
  std::vector<Oil> oil_;
  std::vector<std::unique_ptr<Switch>> switches_;
  Eigen::VectorXd samples_, from_outside_, asked_, efforts_, memory_rate_, held_, next_;
  Eigen::VectorXi at_limit_;
  Eigen::MatrixXd gains_q_, gains_v_, drive_gains_q_, drive_gains_v_;
  std::unique_ptr<Struts> struts_;   ///< none where there are no cylinders
  Eigen::VectorXd seen_q_, seen_v_;  ///< with cylinders behind; empty where there are none

  std::vector<int> looked_at_;  ///< sensors
  Eigen::VectorXd measured_;    ///< of all; NaN where nobody looks
  bool has_shown_ = false;      ///< anything yet
  std::vector<Grid> arrivals_;
  std::vector<int> seen_at_once_;  ///< sensors that continuous controllers look at, and that hold nothing
  std::optional<Measurement> measurement_;  ///< of those
  Eigen::VectorXd values_, nothing_;
  MeasurementJacobian slopes_;
  Eigen::MatrixXd sensor_gains_;
  Eigen::VectorXd near_q_, near_v_, near_x_, way_, rate_here_, asked_here_;  ///< of find_memory_slopes
};

}  // namespace detail
}  // namespace limber
