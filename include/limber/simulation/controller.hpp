// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What drives the joints. A controller is a function of time, state, what sensors show and what it remembers that adds to the joints' efforts;
// users write their own by deriving from Controller, and add it to Scenario::controllers.
//
// With m what sensors show, x what it remembers and u its efforts, there are two kinds, and nothing else:
//
//   continuous   u = add_efforts(t, q, v, m, x),  x' = memory_rate(t, q, v, m, x)        at every trial point of an integrator
//   sampled      u_k = add_efforts(t_k, q, v, m_k, x_k),  x_k+1 = remember(t_k, q, v, m_k, x_k)  once at t_k = k/rate(), held until t_k+1
//
// Steps end at samples, and what is held is exact there: no sample comes early, late or twice, whatever the method does in between.
//
// A sampled controller may look at every sensor, and sees it as it is (sampled, delayed, noisy, rounded) right before its sample: what an
// accelerometer shows follows the efforts that were held up to then. A continuous one sees sensors with a `rate` as they hold their samples, and
// others at once; so these must be functions of positions and velocities, and without delay, noise and quantum (scenario/feedback.hpp).

//
// Cylinders (algorithms/struts.hpp) come after the joints: controllers see their lengths behind q and their rates behind v, and ask for their forces behind the joints'
// efforts. So cylinder i is the coordinate nv + i at the position nq + i, and what drives a joint drives it.

#include <memory>
#include <vector>

#include "limber/algorithms/workspace.hpp"
#include "limber/core/export.hpp"
#include "limber/math/eigen.hpp"
#include "limber/math/types.hpp"
#include "limber/model/detail/arguments.hpp"
#include "limber/scenario/trajectory.hpp"

namespace limber LIMBER_EXPORT {

/// A moment of a run. `within`: inside the interval between two corners that is being integrated (trajectory.hpp).
struct Instant {
  double t;                                            ///< [s]
  double within;                                       ///< [s]
  Input<double> q;                                     ///< nq; for controllers lengths of cylinders behind
  Input<double> v;                                     ///< nv; likewise rates
  Eigen::Map<const Eigen::VectorXd> x = {nullptr, 0};  ///< what the controller remembers
  /// What the scenario's sensors show, in their order: those that controllers look at (Controller::sensors); NaN of others.
  Eigen::Map<const Eigen::VectorXd> measured = {nullptr, 0};
};

/// A joint's coordinate and what it should do.
struct JointTarget {
  int coordinate;                ///< in v
  int position;                  ///< in q
  TrajectoryPointer trajectory;  ///< in time
};

/// What drives joints. Derive your own from it and add it to Scenario::controllers.
class Controller {
 public:
  virtual ~Controller() = default;
  /// Adds to the efforts of joints (nv numbers; rows of elastic coordinates are not for controllers), and behind them to forces of cylinders.
  virtual void add_efforts(const Instant& now, Eigen::VectorXd& efforts) = 0;
  /// Adds -d efforts/dq and -d efforts/dv (nv x nv), for implicit integrators. Leaving it out costs steps, not
  /// accuracy.
  virtual void add_gains(const Instant&, Eigen::MatrixXd&, Eigen::MatrixXd&) {}
  /// Sensors that it looks at, as indices in Scenario::sensors: Instant::measured has what they show.
  virtual std::vector<int> sensors() const { return {}; }
  /// Adds -d efforts/d measured (nv x sensors), as add_gains.
  virtual void add_sensor_gains(const Instant&, Eigen::MatrixXd&) {}
  /// Signals that it follows: steps end at their corners, and pass over nothing that changes in them (sampled controllers see
  /// them at their samples only).
  virtual std::vector<TrajectoryPointer> signals() const { return {}; }
  /// Other times at which its efforts are not smooth: steps end there, too.
  virtual std::vector<double> corners() const { return {}; }
  /// Numbers that it remembers (integrals, filters): zero at the start. Those of a continuous controller are integrated along
  /// with the motion, by the same method; those of a sampled one change at its samples.
  virtual int memory_size() const { return 0; }
  /// Continuous controllers: their rates. `at_limit` (nv): 1 where a motor gives its largest effort, -1 its smallest, 0 where it gives what is
  /// asked for: what sums up errors must not go on while nobody can answer them.
  virtual void memory_rate(const Instant&, const Eigen::VectorXi& /*at_limit*/,
                           Eigen::Ref<Eigen::VectorXd> /*rate*/) {}
  /// Samples per second: it is asked at t = 0, 1/rate, 2/rate, ... only, and in between its efforts are held and its memory
  /// stays as it is. 0: it is asked all the time.
  virtual double rate() const { return 0.0; }
  /// Sampled controllers: what they remember from this sample on. `x` holds what they remembered up to now, and `at_limit` is as
  /// above, with the efforts of this sample.
  virtual void remember(const Instant&, const Eigen::VectorXi& /*at_limit*/,
                        Eigen::Ref<Eigen::VectorXd> /*x*/) {}
  /// What joints should do under it: how far they stray is reported.
  virtual const std::vector<JointTarget>& targets() const;
};

/// An effort over time.
class TorqueController : public Controller {
 public:
  /// `signal`: the effort [N m or N] of a coordinate.
  explicit TorqueController(JointTarget signal) : signal_(std::move(signal)) {}
  void add_efforts(const Instant& now, Eigen::VectorXd& efforts) override;
  std::vector<TrajectoryPointer> signals() const override { return {signal_.trajectory}; }

 private:
  JointTarget signal_;
};

/// kp (target - q) + kd (its rate - v).
class PdController : public Controller {
 public:
  /// kp [N m/rad or N/m], kd [N m s/rad or N s/m].
  PdController(JointTarget target, double kp, double kd) : targets_{std::move(target)}, kp_(kp), kd_(kd) {}
  const std::vector<JointTarget>& targets() const override { return targets_; }
  void add_efforts(const Instant& now, Eigen::VectorXd& efforts) override;
  void add_gains(const Instant& now, Eigen::MatrixXd& stiffness, Eigen::MatrixXd& damping) override;
  std::vector<TrajectoryPointer> signals() const override { return {targets_.front().trajectory}; }

 private:
  std::vector<JointTarget> targets_;  ///< one
  double kp_, kd_;
};

/// The same arm with rigid links: what controllers know that do not know how it bends.
class RigidTwin {
 public:
  /// Of this arm, which need not outlive it.
  explicit RigidTwin(const Model& arm);
  /// Where a joint's coordinate (in the arm's v) stands in the twin's v; -1 for an elastic one.
  int coordinate(int of_arm) const {
    detail::require_index("RigidTwin::coordinate", "of_arm", static_cast<int>(coordinate_.size()), of_arm);
    return coordinate_[static_cast<std::size_t>(of_arm)];
  }
  /// The same in the twin's q; joints with quaternions have none.
  int position(int of_arm) const {
    detail::require_index("RigidTwin::position", "of_arm", static_cast<int>(position_.size()), of_arm);
    return position_[static_cast<std::size_t>(of_arm)];
  }
  /// tau = what moves the twin by q, v, a: inertia, gravity, the joints' springs and dampers.
  void inverse_dynamics();
  /// q of the twin with the arm's joints as they are.
  void joints_of(const Input<double>& arm_q, Eigen::VectorXd& twin_q) const;

  Model model;                   ///< with rigid links
  Workspace<double> work;        ///< of that model
  Eigen::VectorXd q, v, a, tau;  ///< of the twin: set q, v and a, then inverse_dynamics() finds tau

 private:
  std::vector<int> coordinate_, position_;
  Eigen::VectorXd passive_;
  std::vector<std::pair<int, int>> q_segments_;  ///< the joint's first number in the arm's q, and how many
};

/// What holds the rigid twin against gravity: at the targets, or where the joints are.
class GravityCompensationController : public Controller {
 public:
  /// For these joints; `at_target`: at their targets, else where they are.
  GravityCompensationController(const Model& arm, std::vector<JointTarget> joints, bool at_target);
  void add_efforts(const Instant& now, Eigen::VectorXd& efforts) override;
  std::vector<TrajectoryPointer> signals() const override;

 private:
  RigidTwin twin_;
  std::vector<JointTarget> joints_;
  bool at_target_;
};

/// Efforts that would move the rigid twin along the targets. Joints that are not driven by it: where `others` says
/// they are meant to be.
class RigidInverseDynamicsController : public Controller {
 public:
  /// `driven`: the joints that it moves.
  RigidInverseDynamicsController(const Model& arm, std::vector<JointTarget> driven,
                                 std::vector<JointTarget> others);
  const std::vector<JointTarget>& targets() const override { return driven_; }
  void add_efforts(const Instant& now, Eigen::VectorXd& efforts) override;
  std::vector<TrajectoryPointer> signals() const override;

 private:
  void find_efforts(double t, double within);

  // Implicit methods ask for the same few times again and again, and efforts depend on time alone.
  struct Known {
    double t, within;
    Eigen::VectorXd tau;
  };
  static constexpr std::size_t known_count = 8;  // seven stages at most, and a row of output

  RigidTwin twin_;
  std::vector<JointTarget> driven_, others_;
  std::vector<Known> known_;
  std::size_t oldest_ = 0;
};

/// Inverse dynamics of the rigid twin where the joints are, for the acceleration
/// target'' + kd (target' - v) + kp (target - q).
class ComputedTorqueController : public Controller {
 public:
  /// A joint that it moves.
  struct Driven {
    JointTarget target;  ///< what it should do
    double kp, kd;       ///< [1/s^2], [1/s]
  };
  /// For these joints of the arm.
  ComputedTorqueController(const Model& arm, std::vector<Driven> driven);
  const std::vector<JointTarget>& targets() const override { return targets_; }
  void add_efforts(const Instant& now, Eigen::VectorXd& efforts) override;
  void add_gains(const Instant& now, Eigen::MatrixXd& stiffness, Eigen::MatrixXd& damping) override;
  std::vector<TrajectoryPointer> signals() const override;

 private:
  RigidTwin twin_;
  std::vector<Driven> driven_;
  std::vector<JointTarget> targets_;
  Eigen::MatrixXd M_;
};

}  // namespace limber
